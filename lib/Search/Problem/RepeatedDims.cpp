//===- RepeatedDims.cpp - Programs without repeated elements --------------===//
//
// Heads that share keys and values are often written out: keys of [kv] heads
// are broadcast to [kv, g] and reshaped to [kv * g]. The view splits every such
// dimension of the program into its two parts, so that the reshape falls away,
// and with it the broadcast: operators take a size of one for any size. So do
// reshapes fall away behind concatenations of neighbours, [pairs, 2] as
// [pairs * 2], where all operators work on both dimensions as on one.
//
//===----------------------------------------------------------------------===//

#include "DimPieces.h"
#include "Mirage/Search/Problem/ProgramViews.h"
#include "Mirage/Semantics/ShapeRules.h"
#include "llvm/ADT/STLExtras.h"

using namespace mirage;
using namespace mirage::search;
using llvm::ArrayRef;

namespace {

class RepeatRemover {
public:
  explicit RepeatRemover(const ProgramView &view)
      : from(view.program), pieces(from), values(from.getNumValues()) {
    result.inputs = view.inputs;
    result.results = view.results;
    result.unpadded = view.unpadded;
    result.padded = view.padded;
    result.before = view.before;
    result.after = view.after;
  }

  /// Cuts dimensions of neighbours only with `cutsParts`.
  std::optional<ProgramView> run(bool cutsParts) {
    for (unsigned number : from.getRegion().nodes)
      if (from.getNode(number).kind != MuNode::Kind::Operator)
        return std::nullopt;
    pieces.compute(cutsParts);
    if (cutsParts && !pieces.hasPartCuts())
      return std::nullopt;
    for (MuValue argument : from.getRegion().arguments)
      values[argument] = result.program.addArgument(
          0, pieces.getShape(argument), from.getValue(argument).type);
    for (unsigned number : from.getRegion().nodes)
      if (!copy(from.getNode(number)))
        return std::nullopt;
    if (!removesRepeats && !cutsParts)
      return std::nullopt;
    llvm::SmallVector<MuValue> results;
    for (MuValue value : from.getRegion().results)
      results.push_back(getWritten(value));
    result.program.setResults(0, results);
    return std::move(result);
  }

private:
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
    Shape whole = pieces.getShape(value);
    MuValue own = values[value];
    if (ShapeRef(result.program.getShape(own)) == ShapeRef(whole))
      return own;
    OpAttributes attributes;
    attributes.resultShape.assign(whole.begin(), whole.end());
    return add(OpKind::Broadcast, attributes, {own}, from.getValue(value).type);
  }

  /// The value as an operand whose dimensions have as many pieces as those of
  /// `like`, if they can.
  std::optional<MuValue> getAligned(MuValue value, MuValue like) {
    Shape shape;
    ArrayRef<int64_t> own = result.program.getShape(values[value]);
    for (auto [parts, wanted] :
         llvm::zip_equal(pieces.get(value), pieces.get(like))) {
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

  /// The shape of a reshape that leaves alone what is repeated; nothing unless
  /// each repeated dimension stays one or becomes several with nothing else in
  /// them.
  std::optional<Shape> getReshaped(const MuNode &node) {
    Shape before = pieces.getShape(node.operands[0]),
          after = pieces.getShape(node.results[0]);
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

  /// An operator of the view that stands for one of the program.
  struct Copy {
    OpAttributes attributes;
    llvm::SmallVector<MuValue, 3> operands;
  };

  bool copy(const MuNode &node) {
    location = node.location;
    if (node.results.size() != 1)
      return false;
    MuValue value = node.results[0];
    if (node.op == OpKind::Broadcast) {
      std::optional<MuValue> aligned = getAligned(node.operands[0], value);
      if (aligned)
        values[value] = *aligned;
      return aligned.has_value();
    }
    if (node.op == OpKind::Reshape) {
      copyReshape(node);
      return true;
    }
    std::optional<Copy> made = makeCopy(node);
    if (!made || !fits(node, *made))
      return false;
    values[value] = add(node.op, made->attributes, made->operands,
                        from.getValue(value).type);
    return true;
  }

  void copyReshape(const MuNode &node) {
    MuValue operand = node.operands[0], value = node.results[0];
    bool isRepeating = ShapeRef(result.program.getShape(values[operand])) !=
                       ShapeRef(pieces.getShape(operand));
    if (std::optional<Shape> reshaped = getReshaped(node)) {
      values[value] = reshape(values[operand], *reshaped);
      removesRepeats |= isRepeating;
    } else {
      values[value] = reshape(getWritten(operand), pieces.getShape(value));
    }
  }

  /// The operator on operands whose dimensions are in pieces; nothing if it
  /// does not work on pieces.
  std::optional<Copy> makeCopy(const MuNode &node) {
    if (isElementwise(node.op))
      return copyElementwise(node);
    switch (node.op) {
    case OpKind::Constant:
      return copyConstant(node);
    case OpKind::Matmul:
    case OpKind::Attention:
      return copyProduct(node);
    case OpKind::Softmax:
    case OpKind::LogSoftmax:
    case OpKind::Reduce:
      return copyReduction(node, node.attributes.dim);
    case OpKind::RmsNorm:
    case OpKind::LayerNorm:
      return copyReduction(node, from.getShape(node.results[0]).size() - 1);
    case OpKind::Transpose:
      return copyTranspose(node);
    case OpKind::Slice:
    case OpKind::Pad:
      return copyWindow(node);
    case OpKind::Concat:
      return copyConcat(node);
    default:
      return copyWhole(node);
    }
  }

  /// The operator with all that its operands repeat.
  Copy writeOperands(const MuNode &node) {
    Copy made{node.attributes, {}};
    for (MuValue operand : node.operands)
      made.operands.push_back(getWritten(operand));
    return made;
  }

  Copy copyConstant(const MuNode &node) {
    Copy made{node.attributes, {}};
    made.attributes.resultShape = pieces.getShape(node.results[0]);
    return made;
  }

  std::optional<Copy> copyElementwise(const MuNode &node) {
    Copy made{node.attributes, {}};
    for (MuValue operand : node.operands) {
      std::optional<MuValue> aligned = getAligned(operand, node.results[0]);
      if (!aligned)
        return std::nullopt;
      made.operands.push_back(*aligned);
    }
    return made;
  }

  /// Products and attention, whose matrices stay whole.
  std::optional<Copy> copyProduct(const MuNode &node) {
    MuValue value = node.results[0];
    size_t rank = from.getShape(value).size();
    Copy made{node.attributes, {}};
    for (auto [position, operand] : llvm::enumerate(node.operands)) {
      for (size_t dim = rank - 2; dim < rank; ++dim)
        if (!pieces.isWhole(operand, dim) || !pieces.isWhole(value, dim))
          return std::nullopt;
      std::optional<MuValue> aligned = getAligned(operand, value);
      if (!aligned)
        return std::nullopt;
      // Masks may have one row.
      ShapeRef own = result.program.getShape(*aligned);
      ShapeRef old = from.getShape(operand);
      if (position < 3 && own.take_back(2) != old.take_back(2)) {
        aligned = getWritten(operand);
        if (result.program.getShape(*aligned).size() != own.size())
          return std::nullopt;
      }
      made.operands.push_back(*aligned);
    }
    return made;
  }

  /// Reductions, softmax and norms along a dimension, which must be whole. The
  /// other dimensions may be repeated.
  std::optional<Copy> copyReduction(const MuNode &node, int64_t dim) {
    MuValue operand = node.operands[0];
    if (!pieces.isWhole(operand, dim))
      return std::nullopt;
    int64_t place = pieces.getPlace(operand, dim);
    bool isRepeated = result.program.getShape(values[operand])[place] !=
                      from.getShape(operand)[dim];
    Copy made = isRepeated ? writeOperands(node) : Copy{node.attributes, {}};
    if (!isRepeated) {
      made.operands.push_back(values[operand]);
      for (MuValue parameter : ArrayRef(node.operands).drop_front())
        made.operands.push_back(getWritten(parameter));
    }
    // Norms are along the last dimension, which they do not name.
    if (node.op != OpKind::RmsNorm && node.op != OpKind::LayerNorm)
      made.attributes.dim = place;
    return made;
  }

  Copy copyTranspose(const MuNode &node) {
    MuValue operand = node.operands[0];
    Copy made{node.attributes, {values[operand]}};
    made.attributes.permutation.clear();
    for (int64_t before : node.attributes.permutation)
      for (size_t part = 0; part < pieces.get(operand)[before].size(); ++part)
        made.attributes.permutation.push_back(pieces.getPlace(operand, before) +
                                              static_cast<int64_t>(part));
    return made;
  }

  /// Slices and paddings, which leave alone the dimensions that are in pieces.
  std::optional<Copy> copyWindow(const MuNode &node) {
    MuValue operand = node.operands[0];
    for (auto [dim, parts] : llvm::enumerate(pieces.get(operand)))
      if (parts.size() > 1 &&
          from.getShape(operand)[dim] != from.getShape(node.results[0])[dim])
        return std::nullopt;
    Copy made = writeOperands(node);
    OpAttributes &attributes = made.attributes;
    Shape whole = pieces.getShape(operand);
    spread(operand, attributes.offsets, Shape(whole.size(), 0));
    if (node.op == OpKind::Slice) {
      spread(operand, attributes.sizes, whole);
      spread(operand, attributes.strides, Shape(whole.size(), 1));
    } else {
      spread(operand, attributes.sizes, Shape(whole.size(), 0));
    }
    return made;
  }

  /// Makes of a list with a number for each dimension of the value one with a
  /// number for each piece. `ofPieces` has the numbers for dimensions that are
  /// in several pieces.
  void spread(MuValue value, llvm::SmallVectorImpl<int64_t> &list,
              ShapeRef ofPieces) const {
    llvm::SmallVector<int64_t, 4> moved;
    for (auto [dim, parts] : llvm::enumerate(pieces.get(value))) {
      if (parts.size() == 1)
        moved.push_back(list[dim]);
      else
        llvm::append_range(moved, ofPieces.slice(moved.size(), parts.size()));
    }
    list.assign(moved.begin(), moved.end());
  }

  std::optional<Copy> copyConcat(const MuNode &node) {
    for (MuValue operand : node.operands)
      if (!pieces.isWhole(operand, node.attributes.dim))
        return std::nullopt;
    Copy made = writeOperands(node);
    made.attributes.dim = pieces.getPlace(node.results[0], node.attributes.dim);
    return made;
  }

  /// An operator whose operands have no pieces.
  std::optional<Copy> copyWhole(const MuNode &node) {
    for (MuValue operand : node.operands)
      if (pieces.getShape(operand) != Shape(from.getShape(operand)))
        return std::nullopt;
    return writeOperands(node);
  }

  /// Returns whether the result of the copy has the pieces of the program's
  /// result, or size one where these are repeated.
  bool fits(const MuNode &node, const Copy &made) const {
    llvm::SmallVector<Shape, 3> shapes;
    for (MuValue operand : made.operands)
      shapes.push_back(Shape(result.program.getShape(operand)));
    llvm::SmallVector<Shape, 1> results;
    std::string error;
    if (llvm::failed(
            inferShapes(node.op, made.attributes, shapes, results, error)))
      return false;
    Shape whole = pieces.getShape(node.results[0]);
    if (results.front().size() != whole.size())
      return false;
    return llvm::all_of(llvm::zip(results.front(), whole), [](auto sizes) {
      return std::get<0>(sizes) == std::get<1>(sizes) ||
             std::get<0>(sizes) == 1;
    });
  }

  const MuGraph &from;
  DimPieces pieces;
  /// The program's values in the view, of size one where they are repeated.
  std::vector<MuValue> values;
  ProgramView result;
  unsigned location = 0;
  bool removesRepeats = false;
};

} // namespace

std::optional<ProgramView>
mirage::search::removeRepeats(const ProgramView &view) {
  auto has = [&](OpKind kind) {
    return llvm::any_of(view.program.getRegion().nodes, [&](unsigned n) {
      const MuNode &node = view.program.getNode(n);
      return node.kind == MuNode::Kind::Operator && node.op == kind;
    });
  };
  if (has(OpKind::Concat))
    if (auto cut = RepeatRemover(view).run(/*cutsParts=*/true))
      return cut;
  if (!has(OpKind::Broadcast))
    return std::nullopt;
  return RepeatRemover(view).run(/*cutsParts=*/false);
}
