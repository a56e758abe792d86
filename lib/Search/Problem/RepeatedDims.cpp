//===- RepeatedDims.cpp - Programs without repeated elements --------------===//
//
// Heads that share keys and values are often written out: keys of [kv] heads
// are broadcast to [kv, g] and reshaped to [kv * g]. The view splits every such
// dimension of the program into its two parts, so that the reshape falls away,
// and with it the broadcast: operators take a size of one for any size.
//
//===----------------------------------------------------------------------===//

#include "Mirage/MuGraph/Axes.h"
#include "Mirage/Search/Problem/ProgramViews.h"
#include "Mirage/Semantics/ShapeRules.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace mirage;
using namespace mirage::search;
using llvm::ArrayRef;

namespace {

/// A dimension of the program as consecutive dimensions of the view: at least
/// one.
using Pieces = llvm::SmallVector<int64_t, 2>;

class RepeatRemover {
public:
  explicit RepeatRemover(const ProgramView &view)
      : from(view.program), axes(computeAxes(from)),
        repeated(from.getNumValues()), pieces(from.getNumValues()),
        values(from.getNumValues()) {
    result.inputs = view.inputs;
    result.before = view.before;
    result.after = view.after;
  }

  std::optional<ProgramView> run() {
    for (unsigned number : from.getRegion().nodes)
      if (from.getNode(number).kind != MuNode::Kind::Operator)
        return std::nullopt;
    findCuts();
    findPieces();
    for (MuValue argument : from.getRegion().arguments)
      values[argument] = result.program.addArgument(
          0, getWhole(argument), from.getValue(argument).type);
    for (unsigned number : from.getRegion().nodes)
      if (!copy(from.getNode(number)))
        return std::nullopt;
    if (!removesRepeats)
      return std::nullopt;
    llvm::SmallVector<MuValue> results;
    for (MuValue value : from.getRegion().results)
      results.push_back(getWritten(value));
    result.program.setResults(0, results);
    return std::move(result);
  }

private:
  using AxisList = llvm::SmallVector<unsigned, 1>;

  /// Where dimensions that a reshape makes of repeated and other ones are cut,
  /// by their axes.
  void findCuts() {
    for (unsigned number : from.getRegion().nodes) {
      const MuNode &node = from.getNode(number);
      MuValue value = node.results[0];
      uint64_t &own = repeated[value];
      ShapeRef shape = from.getShape(value);
      if (node.operands.empty())
        continue;
      if (node.op == OpKind::Broadcast) {
        ShapeRef before = from.getShape(node.operands[0]);
        own = repeated[node.operands[0]];
        for (size_t dim = 0; dim < shape.size(); ++dim)
          if (before[dim] == 1)
            own |= getMask(axes.dims[value][dim]);
      } else if (isElementwise(node.op)) {
        own = ~uint64_t(0);
        for (MuValue operand : node.operands) {
          uint64_t has = 0;
          for (const AxisList &dim : axes.dims[operand])
            has |= getMask(dim);
          own &= repeated[operand] | ~has;
        }
      } else if (node.op == OpKind::Transpose || node.op == OpKind::Reshape) {
        own = repeated[node.operands[0]];
      }
      if (node.op != OpKind::Reshape)
        continue;
      for (const AxisList &dim : axes.dims[value]) {
        std::vector<size_t> sizes;
        for (auto [position, axis] : llvm::enumerate(dim)) {
          bool isNew = position == 0 || isRepeated(own, axis) !=
                                            isRepeated(own, dim[position - 1]);
          if (isNew)
            sizes.push_back(0);
          ++sizes.back();
        }
        if (sizes.size() > 1)
          cuts.try_emplace(std::vector<unsigned>(dim.begin(), dim.end()),
                           sizes);
      }
    }
  }

  static uint64_t getMask(ArrayRef<unsigned> dim) {
    uint64_t mask = 0;
    for (unsigned axis : dim)
      mask |= axis < 64 ? uint64_t(1) << axis : 0;
    return mask;
  }
  static bool isRepeated(uint64_t mask, unsigned axis) {
    return axis < 64 && (mask >> axis & 1);
  }

  /// Dimensions with the axes of a cut, and those of size one that stand for
  /// them.
  void findPieces() {
    for (MuValue value = 0; value < from.getNumValues(); ++value)
      for (auto [dim, size] : llvm::enumerate(from.getShape(value))) {
        const AxisList &own = axes.dims[value][dim];
        Pieces &parts = pieces[value].emplace_back();
        auto cut = cuts.find(std::vector<unsigned>(own.begin(), own.end()));
        if (cut == cuts.end()) {
          parts.push_back(size);
          continue;
        }
        size_t next = 0;
        for (size_t count : cut->second) {
          parts.push_back(1);
          for (; count; --count)
            parts.back() *= axes.sizes[own[next++]];
        }
      }
    for (unsigned number : llvm::reverse(from.getRegion().nodes)) {
      const MuNode &node = from.getNode(number);
      if (!isElementwise(node.op) && node.op != OpKind::Matmul &&
          node.op != OpKind::Attention && node.op != OpKind::Broadcast)
        continue;
      for (MuValue operand : node.operands)
        for (size_t dim = 0; dim < pieces[operand].size(); ++dim) {
          Pieces &own = pieces[operand][dim];
          size_t wanted = pieces[node.results[0]][dim].size();
          if (from.getShape(operand)[dim] == 1 && own.size() < wanted)
            own.assign(wanted, 1);
        }
    }
  }

  Shape getWhole(MuValue value) const {
    Shape shape;
    for (const Pieces &dim : pieces[value])
      shape.append(dim.begin(), dim.end());
    return shape;
  }
  /// The first of the dimensions that one of the program's became.
  int64_t getPlace(MuValue value, int64_t dim) const {
    int64_t place = 0;
    for (const Pieces &before :
         ArrayRef(pieces[value]).take_front(static_cast<size_t>(dim)))
      place += static_cast<int64_t>(before.size());
    return place;
  }
  bool isWhole(MuValue value, int64_t dim) const {
    return pieces[value][dim].size() == 1;
  }

  MuValue add(OpKind kind, const OpAttributes &attributes,
              ArrayRef<MuValue> operands, ElementType type) {
    return result.program.addOperator(0, kind, attributes, operands, type,
                                      location);
  }
  MuValue reshape(MuValue value, ShapeRef shape) {
    if (ShapeRef(result.program.getShape(value)) == shape)
      return value;
    OpAttributes attributes;
    attributes.resultShape.assign(shape.begin(), shape.end());
    return add(OpKind::Reshape, attributes, {value},
               result.program.getValue(value).type);
  }

  /// The value with all that is repeated.
  MuValue getWritten(MuValue value) {
    Shape whole = getWhole(value);
    MuValue own = values[value];
    if (ShapeRef(result.program.getShape(own)) == ShapeRef(whole))
      return own;
    OpAttributes attributes;
    attributes.resultShape.assign(whole.begin(), whole.end());
    return add(OpKind::Broadcast, attributes, {own}, from.getValue(value).type);
  }

  /// The value as an operand whose dimensions have so many pieces as those of
  /// `like`, if they can.
  std::optional<MuValue> getAligned(MuValue value, MuValue like) {
    Shape shape;
    ArrayRef<int64_t> own = result.program.getShape(values[value]);
    for (auto [parts, wanted] : llvm::zip_equal(pieces[value], pieces[like])) {
      ArrayRef<int64_t> sizes = own.take_front(parts.size());
      own = own.drop_front(parts.size());
      if (parts.size() == wanted.size())
        shape.append(sizes.begin(), sizes.end());
      else if (llvm::all_of(sizes, [](int64_t size) { return size == 1; }))
        shape.append(wanted.size(), 1);
      else
        return std::nullopt;
    }
    return reshape(values[value], shape);
  }

  /// A reshape that leaves alone what is repeated, if each repeated dimension
  /// stays one or becomes several with nothing else in them.
  std::optional<Shape> getReshaped(const MuNode &node) {
    Shape before = getWhole(node.operands[0]),
          after = getWhole(node.results[0]);
    ArrayRef<int64_t> small = result.program.getShape(values[node.operands[0]]);
    Shape reshaped(after.size(), 1);
    size_t i = 0, j = 0;
    while (i < before.size() || j < after.size()) {
      size_t firstI = i, firstJ = j;
      int64_t left = i < before.size() ? before[i++] : 1;
      int64_t right = j < after.size() ? after[j++] : 1;
      // A dimension of size one stands for itself.
      if (left == 1 && right != 1) {
        j = firstJ;
        continue;
      }
      if (right == 1 && left != 1) {
        i = firstI;
        continue;
      }
      while (left != right) {
        if (left < right)
          left *= before[i++];
        else
          right *= after[j++];
      }
      bool isRepeated = false, isOwn = false;
      for (size_t dim = firstI; dim < i; ++dim)
        if (before[dim] != 1)
          (small[dim] == 1 ? isRepeated : isOwn) = true;
      if (isRepeated && isOwn)
        return std::nullopt;
      if (!isRepeated)
        std::copy(after.begin() + firstJ, after.begin() + j,
                  reshaped.begin() + firstJ);
    }
    return reshaped;
  }

  bool copy(const MuNode &node) {
    location = node.location;
    if (node.results.size() != 1)
      return false;
    MuValue value = node.results[0];
    ElementType type = from.getValue(value).type;
    OpAttributes attributes = node.attributes;
    llvm::SmallVector<MuValue, 3> operands;
    if (node.op == OpKind::Reshape || node.op == OpKind::Broadcast) {
      MuValue operand = node.operands[0];
      if (node.op == OpKind::Broadcast) {
        std::optional<MuValue> aligned = getAligned(operand, value);
        if (aligned)
          values[value] = *aligned;
        return aligned.has_value();
      }
      bool isRepeating = ShapeRef(result.program.getShape(values[operand])) !=
                         ShapeRef(getWhole(operand));
      if (std::optional<Shape> reshaped = getReshaped(node)) {
        values[value] = reshape(values[operand], *reshaped);
        removesRepeats |= isRepeating;
      } else {
        values[value] = reshape(getWritten(operand), getWhole(value));
      }
      return true;
    }
    if (isElementwise(node.op)) {
      for (MuValue operand : node.operands) {
        std::optional<MuValue> aligned = getAligned(operand, value);
        if (!aligned)
          return false;
        operands.push_back(*aligned);
      }
      values[value] = add(node.op, attributes, operands, type);
      return true;
    }
    auto spread = [&](auto &list, int64_t rest, ShapeRef shape) {
      llvm::SmallVector<int64_t, 4> moved;
      for (auto [dim, parts] : llvm::enumerate(pieces[node.operands[0]])) {
        if (parts.size() == 1) {
          moved.push_back(list[dim]);
          continue;
        }
        // Only of dimensions that stay whole.
        if (from.getShape(node.operands[0])[dim] != shape[dim])
          return false;
        for (int64_t size : parts)
          moved.push_back(rest < 0 ? size : rest);
      }
      list.assign(moved.begin(), moved.end());
      return true;
    };
    ShapeRef shape = from.getShape(value);
    switch (node.op) {
    case OpKind::Constant:
      attributes.resultShape = getWhole(value);
      break;
    case OpKind::Matmul:
    case OpKind::Attention: {
      size_t rank = shape.size();
      for (auto [position, operand] : llvm::enumerate(node.operands)) {
        for (size_t dim = rank - 2; dim < rank; ++dim)
          if (!isWhole(operand, dim) || !isWhole(value, dim))
            return false;
        std::optional<MuValue> aligned = getAligned(operand, value);
        if (!aligned)
          return false;
        // Masks may have one row.
        ShapeRef own = result.program.getShape(*aligned);
        ShapeRef old = from.getShape(operand);
        if (position < 3 && own.take_back(2) != old.take_back(2)) {
          aligned = getWritten(operand);
          if (result.program.getShape(*aligned).size() != own.size())
            return false;
        }
        operands.push_back(*aligned);
      }
      break;
    }
    case OpKind::Softmax:
    case OpKind::LogSoftmax:
    case OpKind::Reduce:
    case OpKind::RmsNorm:
    case OpKind::LayerNorm: {
      bool isNorm = node.op == OpKind::RmsNorm || node.op == OpKind::LayerNorm;
      int64_t dim =
          isNorm ? static_cast<int64_t>(shape.size()) - 1 : attributes.dim;
      MuValue operand = node.operands[0];
      if (!isWhole(operand, dim))
        return false;
      int64_t place = getPlace(operand, dim);
      if (!isNorm)
        attributes.dim = place;
      // Other dimensions may be repeated.
      if (result.program.getShape(values[operand])[place] ==
          from.getShape(operand)[dim]) {
        operands.push_back(values[operand]);
        for (MuValue parameter : ArrayRef(node.operands).drop_front())
          operands.push_back(getWritten(parameter));
      }
      break;
    }
    case OpKind::Transpose: {
      operands.push_back(values[node.operands[0]]);
      attributes.permutation.clear();
      for (auto [dim, before] : llvm::enumerate(node.attributes.permutation)) {
        size_t count = pieces[node.operands[0]][before].size();
        for (size_t part = 0; part < count; ++part)
          attributes.permutation.push_back(getPlace(node.operands[0], before) +
                                           static_cast<int64_t>(part));
      }
      break;
    }
    case OpKind::Slice:
      if (!spread(attributes.offsets, 0, shape) ||
          !spread(attributes.sizes, -1, shape) ||
          !spread(attributes.strides, 1, shape))
        return false;
      break;
    case OpKind::Pad:
      if (!spread(attributes.offsets, 0, shape) ||
          !spread(attributes.sizes, 0, shape))
        return false;
      break;
    case OpKind::Concat:
      for (MuValue operand : node.operands)
        if (!isWhole(operand, attributes.dim))
          return false;
      attributes.dim = getPlace(value, attributes.dim);
      break;
    default:
      for (MuValue operand : node.operands)
        if (getWhole(operand) != Shape(from.getShape(operand)))
          return false;
    }
    if (operands.empty())
      for (MuValue operand : node.operands)
        operands.push_back(getWritten(operand));
    if (!fits(node, attributes, operands))
      return false;
    values[value] = add(node.op, attributes, operands, type);
    return true;
  }

  /// Whether the operator makes of the operands what the program's became, but
  /// for what is repeated.
  bool fits(const MuNode &node, const OpAttributes &attributes,
            ArrayRef<MuValue> operands) const {
    llvm::SmallVector<Shape, 3> shapes;
    for (MuValue operand : operands)
      shapes.push_back(Shape(result.program.getShape(operand)));
    llvm::SmallVector<Shape, 1> results;
    std::string error;
    if (llvm::failed(inferShapes(node.op, attributes, shapes, results, error)))
      return false;
    Shape whole = getWhole(node.results[0]);
    if (results.front().size() != whole.size())
      return false;
    return llvm::all_of(llvm::zip(results.front(), whole), [](auto sizes) {
      return std::get<0>(sizes) == std::get<1>(sizes) ||
             std::get<0>(sizes) == 1;
    });
  }

  const MuGraph &from;
  Axes axes;
  /// Axes (bits) along which a value's elements are equal.
  std::vector<uint64_t> repeated;
  std::map<std::vector<unsigned>, std::vector<size_t>> cuts;
  std::vector<llvm::SmallVector<Pieces, 4>> pieces;
  /// The program's values in the view, of size one where they are repeated.
  std::vector<MuValue> values;
  ProgramView result;
  unsigned location = 0;
  bool removesRepeats = false;
};

} // namespace

std::optional<ProgramView>
mirage::search::removeRepeats(const ProgramView &view) {
  bool repeats = llvm::any_of(view.program.getRegion().nodes, [&](unsigned n) {
    return view.program.getNode(n).op == OpKind::Broadcast;
  });
  if (!repeats)
    return std::nullopt;
  return RepeatRemover(view).run();
}
