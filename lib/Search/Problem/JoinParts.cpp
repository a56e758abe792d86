//===- JoinParts.cpp - Slices and concatenations in one order -------------===//
//
// Follows the elements of what slices and concatenations make to the value that
// they are taken from: first those of one row in each dimension, which say
// where an element is taken from if each dimension goes its own way, then all
// of them, to see whether it does. Such a value is made anew dimension by
// dimension.
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

namespace {

/// Consecutive elements of a dimension.
struct Run {
  int64_t offset, size;
  int64_t getEnd() const { return offset + size; }
  auto operator<=>(const Run &) const = default;
};
using Runs = std::vector<Run>;

/// Says where the elements of a value are taken from, in which each dimension
/// goes its own way.
struct Places {
  MuValue source;
  /// For each dimension the elements of the source that are beside each other
  /// in the value, in its order.
  std::vector<Runs> runs;
};

class PartJoiner : public ProgramRewriter {
public:
  explicit PartJoiner(const MuGraph &program)
      : ProgramRewriter(program), isBetween(program.getNumValues(), false),
        moves(program.getNumValues(), nullptr) {
    for (unsigned number : program.getRegion().nodes)
      if (const MuNode &node = program.getNode(number); isMove(node)) {
        isBetween[node.results[0]] = true;
        moves[node.results[0]] = &node;
      }
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
    bool isNested = llvm::any_of(
        node.operands, [&](MuValue operand) { return isBetween[operand]; });
    std::optional<Places> places;
    if (isNested)
      places = findPlaces(node);
    if (!places)
      return addOnce(node.op, node.attributes, operands);
    isChanged = true;
    return build(*places);
  }

  /// Returns where the elements of a move's result are taken from; nothing if
  /// it is from several values, if the place of an element in one dimension
  /// depends on another dimension, or if it would take more operands than now.
  std::optional<Places> findPlaces(const MuNode &move) const {
    std::set<const MuNode *> known;
    size_t limit = countOperands(move, known);
    MuValue result = move.results[0];
    ShapeRef shape = from.getShape(result);
    Places places;
    places.runs.resize(shape.size());
    for (size_t dim = 0; dim < shape.size(); ++dim) {
      TensorWindow row{Shape(shape.size(), 0), Shape(shape.size(), 1)};
      row.sizes[dim] = shape[dim];
      if (!follow(move, row, row.offsets,
                  [&](MuValue source, const TensorWindow &taken, ShapeRef) {
                    places.source = source;
                    append(places.runs[dim],
                           {taken.offsets[dim], taken.sizes[dim]});
                    return places.runs[dim].size() <= limit;
                  }))
        return std::nullopt;
    }
    if (countOperands(places) > limit)
      return std::nullopt;
    bool isEach =
        follow(move, getWholeWindow(shape), Shape(shape.size(), 0),
               [&](MuValue source, const TensorWindow &taken, ShapeRef place) {
                 if (source != places.source)
                   return false;
                 for (auto [dim, runs] : llvm::enumerate(places.runs))
                   if (!isTaken(runs, place[dim],
                                {taken.offsets[dim], taken.sizes[dim]}))
                     return false;
                 return true;
               });
    return isEach ? std::optional(std::move(places)) : std::nullopt;
  }

  /// Is told what is taken of which value, and where it is put; returns whether
  /// the others have to be followed.
  using Visitor =
      llvm::function_ref<bool(MuValue, const TensorWindow &, ShapeRef)>;

  /// Follows a window of a move's result, which is put at a place, to what it
  /// is taken from. Returns whether the visitor always did.
  bool follow(const MuNode &move, const TensorWindow &window, ShapeRef place,
              Visitor visit) const {
    if (move.op == OpKind::Slice) {
      TensorWindow taken = window;
      for (auto [offset, begin] :
           llvm::zip_equal(taken.offsets, move.attributes.offsets))
        offset += begin;
      return followOperand(move.operands[0], taken, place, visit);
    }
    auto dim = static_cast<size_t>(move.attributes.dim);
    int64_t low = window.offsets[dim], high = low + window.sizes[dim];
    int64_t begin = 0;
    for (MuValue operand : move.operands) {
      int64_t end = begin + from.getShape(operand)[dim];
      int64_t first = std::max(low, begin), last = std::min(high, end);
      if (first < last) {
        TensorWindow taken = window;
        taken.offsets[dim] = first - begin;
        taken.sizes[dim] = last - first;
        Shape own(place);
        own[dim] += first - low;
        if (!followOperand(operand, taken, own, visit))
          return false;
      }
      begin = end;
    }
    return true;
  }
  bool followOperand(MuValue value, const TensorWindow &window, ShapeRef place,
                     Visitor visit) const {
    return isBetween[value] ? follow(*moves[value], window, place, visit)
                            : visit(values.lookup(value), window, place);
  }

  static void append(Runs &runs, Run run) {
    if (!runs.empty() && runs.back().getEnd() == run.offset)
      runs.back().size += run.size;
    else
      runs.push_back(run);
  }

  /// Returns how many operands the moves have that make a value: this one, and
  /// those whose results only moves read.
  size_t countOperands(const MuNode &move,
                       std::set<const MuNode *> &known) const {
    if (!known.insert(&move).second)
      return 0;
    size_t count = move.operands.size();
    for (MuValue operand : move.operands)
      if (isBetween[operand])
        count += countOperands(*moves[operand], known);
    return count;
  }
  /// The same for what is built of places.
  size_t countOperands(const Places &places) const {
    size_t count = 0;
    bool hasWindow = false;
    for (auto [runs, extent] :
         llvm::zip_equal(places.runs, to.getShape(places.source))) {
      std::set<Run> parts(runs.begin(), runs.end());
      parts.erase({0, extent});
      if (runs.size() > 1)
        count += runs.size() + parts.size();
      else
        hasWindow |= !parts.empty();
    }
    return count + hasWindow;
  }

  /// Returns whether runs have these elements beside each other from a place
  /// on.
  static bool isTaken(ArrayRef<Run> runs, int64_t place, Run elements) {
    for (const Run &run : runs) {
      if (place < run.size)
        return run.offset + place == elements.offset &&
               elements.getEnd() <= run.getEnd();
      place -= run.size;
    }
    return false;
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

  MuValue build(const Places &places) {
    MuValue value = places.source;
    ArrayRef<Runs> runs = places.runs;
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
  /// The moves that make values of the program; null for other values.
  std::vector<const MuNode *> moves;
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
