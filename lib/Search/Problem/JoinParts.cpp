//===- JoinParts.cpp - Slices and concatenations in one order -------------===//
//
// Follows each slice and concatenation to the boxes of elements that it is made
// of. Boxes of one value in which each dimension goes its own way are made anew
// dimension by dimension.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Problem/JoinParts.h"
#include "PartRules.h"
#include "ProgramRewriter.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace mirage;
using namespace mirage::search;
using llvm::ArrayRef;

/// The most boxes of a value that are followed. The places of n boxes are
/// compared for up to n places of each dimension.
static constexpr size_t mostBoxes = 128;

namespace {

/// Elements of a value that have the same places beside each other as in the
/// value that they are taken from.
struct Box {
  MuValue source;
  /// The box begins at these indices of the source.
  Shape from;
  /// The elements have this window of the value that the box is a part of.
  TensorWindow place;
};
using Boxes = llvm::SmallVector<Box, 4>;

/// Consecutive elements of a dimension.
struct Run {
  int64_t offset, size;
  auto operator<=>(const Run &) const = default;
};
using Runs = std::vector<Run>;

class PartJoiner : public ProgramRewriter {
public:
  explicit PartJoiner(const MuGraph &program)
      : ProgramRewriter(program), isBetween(program.getNumValues(), false) {
    for (unsigned number : program.getRegion().nodes)
      if (const MuNode &node = program.getNode(number); isMove(node))
        isBetween[node.results[0]] = true;
    for (unsigned number : program.getRegion().nodes)
      if (const MuNode &node = program.getNode(number); !isMove(node))
        for (MuValue operand : node.operands)
          isBetween[operand] = false;
    for (MuValue result : program.getRegion().results)
      isBetween[result] = false;
  }

private:
  /// Returns whether an operator moves boxes of elements.
  static bool isMove(const MuNode &node) {
    return node.kind == MuNode::Kind::Operator &&
           (node.op == OpKind::Concat ||
            (node.op == OpKind::Slice && hasUnitStrides(node)));
  }

  std::optional<MuValue> rewrite(const MuNode &node,
                                 ArrayRef<MuValue> operands) override {
    if (!isMove(node))
      return std::nullopt;
    Boxes made = node.op == OpKind::Slice
                     ? slice(node, getBoxes(node.operands[0]))
                     : concatenate(node);
    if (made.size() > mostBoxes)
      return std::nullopt;
    bool isNested = llvm::any_of(
        node.operands, [&](MuValue operand) { return isBetween[operand]; });
    MuValue result = node.results[0];
    std::optional<std::vector<Runs>> runs;
    if (isNested)
      runs = separate(made, from.getShape(result));
    if (isBetween[result])
      boxes[result] = made;
    if (!runs)
      return addOnce(node.op, node.attributes, operands);
    isChanged = true;
    return build(made.front().source, *runs);
  }

  /// The boxes of a value of the program. One that is no more than a step
  /// between two moves has those that it is made of.
  Boxes getBoxes(MuValue value) const {
    if (auto known = boxes.find(value); known != boxes.end())
      return known->second;
    ShapeRef shape = from.getShape(value);
    return {
        {values.lookup(value), Shape(shape.size(), 0), getWholeWindow(shape)}};
  }

  static Boxes slice(const MuNode &node, const Boxes &whole) {
    Boxes parts;
    for (Box box : whole) {
      bool isInside = true;
      for (size_t dim = 0; dim < box.from.size(); ++dim) {
        int64_t &offset = box.place.offsets[dim], &size = box.place.sizes[dim];
        int64_t low = node.attributes.offsets[dim],
                begin = std::max(offset, low),
                end = std::min(offset + size, low + node.attributes.sizes[dim]);
        box.from[dim] += begin - offset;
        offset = begin - low;
        size = end - begin;
        isInside &= size > 0;
      }
      if (isInside)
        parts.push_back(std::move(box));
    }
    return parts;
  }

  Boxes concatenate(const MuNode &node) const {
    Boxes joined;
    auto dim = static_cast<size_t>(node.attributes.dim);
    int64_t offset = 0;
    for (MuValue operand : node.operands) {
      for (Box &box : getBoxes(operand)) {
        box.place.offsets[dim] += offset;
        joined.push_back(std::move(box));
      }
      offset += from.getShape(operand)[dim];
    }
    return joined;
  }

  /// Returns for each dimension the runs of elements of the source that are
  /// beside each other there; nothing if there are several sources, or if the
  /// place of an element in one dimension depends on another dimension.
  static std::optional<std::vector<Runs>> separate(const Boxes &made,
                                                   ShapeRef shape) {
    if (!llvm::all_equal(
            llvm::map_range(made, [](const Box &box) { return box.source; })))
      return std::nullopt;
    std::vector<Runs> runs(shape.size());
    for (size_t dim = 0; dim < shape.size(); ++dim) {
      std::set<int64_t> borders;
      for (const Box &box : made)
        borders.insert(box.place.offsets[dim]);
      for (auto border = borders.begin(); border != borders.end(); ++border) {
        auto next = std::next(border);
        int64_t end = next == borders.end() ? shape[dim] : *next;
        std::optional<int64_t> begin;
        for (const Box &box : made) {
          int64_t distance = *border - box.place.offsets[dim];
          if (distance < 0 || distance >= box.place.sizes[dim])
            continue;
          int64_t place = box.from[dim] + distance;
          if (begin.value_or(place) != place ||
              distance + end - *border > box.place.sizes[dim])
            return std::nullopt;
          begin = place;
        }
        Runs &own = runs[dim];
        if (!own.empty() && own.back().offset + own.back().size == *begin)
          own.back().size += end - *border;
        else
          own.push_back({*begin, end - *border});
      }
    }
    return runs;
  }

  MuValue addSlice(MuValue value, ArrayRef<Run> window) {
    OpAttributes attributes;
    for (const Run &run : window) {
      attributes.offsets.push_back(run.offset);
      attributes.sizes.push_back(run.size);
      attributes.strides.push_back(1);
    }
    if (ShapeRef(attributes.sizes) == to.getShape(value))
      return value;
    return addOnce(OpKind::Slice, attributes, {value});
  }

  /// Adds what these runs make of a value.
  MuValue build(MuValue value, ArrayRef<Runs> runs) {
    Runs window;
    for (auto [own, extent] : llvm::zip_equal(runs, to.getShape(value)))
      window.push_back(own.size() == 1 ? own.front() : Run{0, extent});
    value = addSlice(value, window);
    for (auto [dim, own] : llvm::enumerate(runs)) {
      if (own.size() == 1)
        continue;
      llvm::SmallVector<MuValue> parts;
      for (const Run &run : own) {
        Runs part;
        for (int64_t extent : to.getShape(value))
          part.push_back({0, extent});
        part[dim] = run;
        parts.push_back(addSlice(value, part));
      }
      OpAttributes attributes;
      attributes.dim = static_cast<int64_t>(dim);
      value = addOnce(OpKind::Concat, attributes, parts);
    }
    return value;
  }

  /// Adds a move, or returns the value that the same one has.
  MuValue addOnce(OpKind kind, const OpAttributes &attributes,
                  ArrayRef<MuValue> operands) {
    auto &alike = existing[{kind, operands.vec()}];
    auto known = llvm::find_if(
        alike, [&](const auto &entry) { return entry.first == attributes; });
    if (known != alike.end())
      return known->second;
    MuValue result =
        add(kind, attributes, operands, to.getValue(operands[0]).type);
    alike.emplace_back(attributes, result);
    return result;
  }

  /// Says for each value of the program whether slices and concatenations make
  /// it, and alone read it.
  std::vector<bool> isBetween;
  /// The boxes of such values of the program.
  llvm::DenseMap<MuValue, Boxes> boxes;
  /// The values of moves by their kind and operands.
  std::map<std::pair<OpKind, std::vector<MuValue>>,
           std::vector<std::pair<OpAttributes, MuValue>>>
      existing;
};

} // namespace

MuGraph mirage::search::joinParts(const MuGraph &program) {
  if (program.getNumRegions() > 1)
    return program;
  std::optional<MuGraph> joined = PartJoiner(program).run();
  bool isShorter = joined && joined->getNumNodes() < program.getNumNodes();
  return isShorter ? std::move(*joined) : program;
}
