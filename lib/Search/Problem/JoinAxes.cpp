//===- JoinAxes.cpp - Axes that occur together as one ---------------------===//
//
// Copies a program with one dimension in the place of several whose axes stand
// beside each other wherever they occur: two dimensions of a batch, or heads
// that share keys and the queries of each of them. The program computes the
// same, a grid has fewer dimensions, and what asks for the size of an axis, as
// padding does, sees the size of all of them.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Problem/ProgramViews.h"
#include "Mirage/Semantics/ShapeRules.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace mirage;
using namespace mirage::search;
using llvm::ArrayRef;

namespace {
class AxisJoiner {
public:
  explicit AxisJoiner(const ProgramView &from)
      : from(from.program), view(getSurroundings(from)),
        axes(computeAxes(from.program)), successors(axes.sizes.size(), kNone),
        isPinned(axes.sizes.size()) {}

  std::optional<ProgramView> run() {
    if (llvm::any_of(view.inputs, [](const ViewInput &input) {
          return !input.stack.empty();
        }))
      return std::nullopt;
    for (MuValue value = 0; value < from.getNumValues(); ++value)
      rank = std::max(rank, from.getShape(value).size());
    pinAxes();
    findSuccessors();
    dims = axes.dims;
    bool isJoined = llvm::any_of(
        successors, [](unsigned successor) { return successor != kNone; });
    bool isMoved = moveToRows();
    if (!isJoined && !isMoved)
      return std::nullopt;
    for (MuValue value = 0; value < from.getNumValues(); ++value)
      shapes.push_back(getShape(value));
    findDropped();
    if (!rewrite())
      return std::nullopt;
    return std::move(view);
  }

private:
  /// Stands for no axis, and for several.
  static constexpr unsigned kNone = ~0U, kMany = ~1U;
  /// So many dimensions stay: those of a batch of matrices.
  static constexpr size_t kFewestDims = 3;

  using ValueDims = llvm::SmallVector<llvm::SmallVector<unsigned, 1>, 4>;

  static llvm::SmallVector<unsigned, 8> flatten(const ValueDims &dims) {
    llvm::SmallVector<unsigned, 8> all;
    for (ArrayRef<unsigned> dim : dims)
      llvm::append_range(all, dim);
    return all;
  }

  static bool isProduct(const MuNode &node) {
    return node.op == OpKind::Matmul || node.op == OpKind::Attention;
  }

  /// Returns the dimension of its first operand that an operator reads as a
  /// whole for each element of its result, beside those that products contract.
  std::optional<size_t> getWholeDim(const MuNode &node) const {
    switch (node.op) {
    case OpKind::Reduce:
    case OpKind::Softmax:
    case OpKind::LogSoftmax:
      return node.attributes.dim;
    case OpKind::RmsNorm:
    case OpKind::LayerNorm:
      return from.getShape(node.operands[0]).size() - 1;
    default:
      return std::nullopt;
    }
  }

  /// Returns whether an operator allows a join of any axes that its operands
  /// and results have beside each other.
  static bool allowsJoins(const MuNode &node) {
    if (node.kind != MuNode::Kind::Operator)
      return false;
    switch (node.op) {
    case OpKind::Matmul:
    case OpKind::Attention:
    case OpKind::RmsNorm:
    case OpKind::LayerNorm:
    case OpKind::Reduce:
    case OpKind::Softmax:
    case OpKind::LogSoftmax:
    case OpKind::Transpose:
    case OpKind::Reshape:
    case OpKind::Broadcast:
    case OpKind::Constant:
    case OpKind::Slice:
    case OpKind::Concat:
      return true;
    default:
      return isElementwise(node.op);
    }
  }

  /// Finds the axes that stay what they are. A launch reads a window where it
  /// stands, along the tensor's dimensions. What an operator reads as a whole
  /// is not all of an axis that reaches beyond it.
  void pinAxes() {
    auto pin = [&](ArrayRef<unsigned> own) {
      for (unsigned axis : own)
        isPinned.set(axis);
    };
    for (auto [input, argument] :
         llvm::zip_equal(view.inputs, from.getRegion().arguments))
      if (input.window)
        pin(flatten(axes.dims[argument]));
    for (unsigned number : from.getRegion().nodes) {
      const MuNode &node = from.getNode(number);
      if (!allowsJoins(node)) {
        for (ArrayRef<MuValue> values :
             {ArrayRef(node.operands), ArrayRef(node.results)})
          for (MuValue value : values)
            pin(flatten(axes.dims[value]));
        continue;
      }
      if (std::optional<size_t> whole = getWholeDim(node))
        pin(axes.dims[node.operands[0]][*whole]);
    }
  }

  /// Finds for each axis the one that stands behind it wherever one of them
  /// occurs. Elements that are neighbours in all tensors stay a dimension:
  /// their number says how they are accessed.
  void findSuccessors() {
    std::vector<unsigned> behind(axes.sizes.size(), kNone), before = behind;
    std::vector<unsigned> occurrences(axes.sizes.size(), 0);
    llvm::BitVector isOuter(axes.sizes.size());
    auto note = [](unsigned &known, unsigned found, bool isFirst) {
      known = isFirst || known == found ? found : kMany;
    };
    for (const ValueDims &value : axes.dims) {
      llvm::SmallVector<unsigned, 8> all = flatten(value);
      for (auto [place, axis] : llvm::enumerate(all)) {
        bool isFirst = occurrences[axis]++ == 0;
        bool isLast = place + 1 == all.size();
        note(behind[axis], isLast ? kNone : all[place + 1], isFirst);
        note(before[axis], place == 0 ? kNone : all[place - 1], isFirst);
        if (!isLast)
          isOuter.set(axis);
      }
    }
    for (auto [axis, next] : llvm::enumerate(behind))
      if (next < axes.sizes.size() && before[next] == axis &&
          isOuter.test(next) && !isPinned.test(axis) && !isPinned.test(next))
        successors[axis] = next;
  }

  /// Returns the number of elements along an axis and those that are joined
  /// with it, of which it is the last one.
  int64_t getJoinedSize(unsigned axis) const {
    int64_t size = axes.sizes[axis];
    for (auto [other, successor] : llvm::enumerate(successors))
      if (successor == axis)
        size *= getJoinedSize(other);
    return size;
  }

  /// Returns the shape of a value in which each axis that is joined with others
  /// is where the last one of them is.
  Shape getShape(MuValue value) const {
    Shape shape;
    for (ArrayRef<unsigned> dim : dims[value]) {
      shape.push_back(1);
      for (unsigned axis : dim)
        if (successors[axis] == kNone)
          shape.back() *= getJoinedSize(axis);
    }
    return shape;
  }

  bool isUnit(MuValue value, size_t dim) const {
    return llvm::all_of(dims[value][dim], [&](unsigned axis) {
      return successors[axis] != kNone;
    });
  }

  /// Returns whether an axis is one of a batch of products whose rows are one:
  /// then its elements are the rows of one product. `dim` is where values have
  /// the axis.
  bool isOfRows(unsigned axis, size_t dim) const {
    auto has = [&](MuValue value) {
      return llvm::is_contained(flatten(dims[value]), axis);
    };
    for (MuValue value = 0; value < from.getNumValues(); ++value) {
      if (!has(value))
        continue;
      if (dims[value].size() != rank ||
          ArrayRef(dims[value][dim]) != ArrayRef<unsigned>(axis))
        return false;
      for (size_t inner = dim + 1; inner + 1 < rank; ++inner)
        if (!isUnit(value, inner))
          return false;
    }
    bool isOfProduct = false;
    for (unsigned number : from.getRegion().nodes) {
      const MuNode &node = from.getNode(number);
      if (llvm::none_of(node.operands, has) && llvm::none_of(node.results, has))
        continue;
      if (isProduct(node)) {
        if (node.attributes.transposeLhs || !has(node.operands[0]) ||
            llvm::any_of(llvm::drop_begin(node.operands), has))
          return false;
        isOfProduct = true;
      }
      auto isBetween = [&](size_t other) {
        return other >= dim && other + 1 < rank;
      };
      if (std::optional<size_t> whole = getWholeDim(node);
          whole && isBetween(*whole))
        return false;
      if (node.op == OpKind::Concat && isBetween(node.attributes.dim))
        return false;
      if (node.op == OpKind::Transpose)
        for (auto [to, moved] : llvm::enumerate(node.attributes.permutation))
          if (static_cast<size_t>(moved) != to && (isBetween(to)))
            return false;
    }
    return isOfProduct;
  }

  /// Moves axes of batches that are rows. Returns whether there are any.
  bool moveToRows() {
    bool isMoved = false;
    for (size_t dim = 0; dim + 2 < rank; ++dim)
      for (unsigned axis : llvm::seq<unsigned>(0, axes.sizes.size())) {
        if (successors[axis] != kNone || isPinned.test(axis) ||
            !isOfRows(axis, dim))
          continue;
        for (ValueDims &value : dims)
          if (llvm::is_contained(flatten(value), axis)) {
            value[dim].clear();
            value[rank - 2].push_back(axis);
          }
        isMoved = true;
      }
    return isMoved;
  }

  /// Finds dimensions of the batch that are one in all values, and that no
  /// operator needs.
  void findDropped() {
    isDropped.resize(rank);
    bool hasWindow = llvm::any_of(view.inputs, [](const ViewInput &input) {
      return input.window.has_value();
    });
    if (hasWindow)
      return;
    for (unsigned number : from.getRegion().nodes) {
      const MuNode &node = from.getNode(number);
      bool isNorm = node.op == OpKind::RmsNorm || node.op == OpKind::LayerNorm;
      ArrayRef<MuValue> operands = node.operands;
      if (isNorm)
        operands = operands.take_front();
      for (ArrayRef<MuValue> values : {operands, ArrayRef(node.results)})
        if (llvm::any_of(values, [&](MuValue value) {
              return from.getShape(value).size() != rank;
            }))
          return;
    }
    for (size_t dim = 0; dim + 2 < rank; ++dim) {
      if (rank - isDropped.count() == kFewestDims)
        return;
      bool isOne = llvm::all_of(shapes, [&](const Shape &shape) {
        return shape.size() < rank || shape[dim] == 1;
      });
      bool isNeeded =
          llvm::any_of(from.getRegion().nodes, [&](unsigned number) {
            return needsDim(from.getNode(number), dim);
          });
      if (isOne && !isNeeded)
        isDropped.set(dim);
    }
  }

  /// Returns whether an operator does something along a dimension, even if this
  /// has one element.
  bool needsDim(const MuNode &node, size_t dim) const {
    return getWholeDim(node) == dim ||
           (node.op == OpKind::Concat &&
            static_cast<size_t>(node.attributes.dim) == dim);
  }

  template <typename Range> void drop(Range &ofDims) const {
    if (ofDims.size() != rank)
      return;
    Range kept;
    for (auto [dim, element] : llvm::enumerate(ofDims))
      if (!isDropped.test(dim))
        kept.push_back(element);
    ofDims = std::move(kept);
  }

  int64_t renumber(int64_t dim) const {
    int64_t before = 0;
    for (int64_t other = 0; other < dim; ++other)
      before += isDropped.test(other);
    return dim - before;
  }

  /// Makes a node's attributes those for the new shapes.
  void rewriteAttributes(MuNode &node) const {
    OpAttributes &attributes = node.attributes;
    bool isOfRank = !isDropped.none();
    switch (node.op) {
    case OpKind::Reduce:
    case OpKind::Softmax:
    case OpKind::LogSoftmax:
    case OpKind::Concat:
      if (isOfRank)
        attributes.dim = renumber(attributes.dim);
      return;
    case OpKind::Transpose:
      if (isOfRank) {
        drop(attributes.permutation);
        for (int64_t &dim : attributes.permutation)
          dim = renumber(dim);
      }
      return;
    case OpKind::Constant:
    case OpKind::Broadcast:
    case OpKind::Reshape:
      attributes.resultShape = shapes[node.results[0]];
      drop(attributes.resultShape);
      return;
    case OpKind::Slice:
      for (auto [size, whole, joined] :
           llvm::zip_equal(attributes.sizes, from.getShape(node.operands[0]),
                           shapes[node.operands[0]]))
        if (size == whole)
          size = joined;
      drop(attributes.offsets);
      drop(attributes.sizes);
      drop(attributes.strides);
      return;
    default:
      return;
    }
  }

  /// Copies the program. Returns false if an operator has other shapes than it
  /// should.
  bool rewrite() {
    for (Shape &shape : shapes)
      drop(shape);
    for (MuValue value = 0; value < from.getNumValues(); ++value)
      view.program.addValue(shapes[value], from.getValue(value).type);
    view.program.setArguments(0, from.getRegion().arguments);
    view.program.setResults(0, from.getRegion().results);
    for (unsigned number : from.getRegion().nodes) {
      MuNode node = from.getNode(number);
      rewriteAttributes(node);
      if (node.kind != MuNode::Kind::Operator || !isLegal(node))
        return false;
      view.program.addNode(0, std::move(node));
    }
    return true;
  }

  bool isLegal(const MuNode &node) const {
    llvm::SmallVector<Shape, 4> operands;
    llvm::SmallVector<Shape, 1> results;
    std::string error;
    for (MuValue operand : node.operands)
      operands.push_back(shapes[operand]);
    return llvm::succeeded(inferShapes(node.op, node.attributes, operands,
                                       results, error)) &&
           llvm::all_of(llvm::zip_equal(node.results, results),
                        [&](const auto &pair) {
                          return shapes[std::get<0>(pair)] == std::get<1>(pair);
                        });
  }

  const MuGraph &from;
  ProgramView view;
  const Axes axes;
  /// The largest rank of a value.
  size_t rank = 0;
  /// The axis behind each one that is joined with it.
  std::vector<unsigned> successors;
  llvm::BitVector isPinned;
  /// The axes of the copy's values.
  std::vector<ValueDims> dims;
  std::vector<Shape> shapes;
  llvm::BitVector isDropped;
};
} // namespace

std::optional<ProgramView> mirage::search::joinAxes(const ProgramView &view) {
  if (view.program.getNumRegions() > 1)
    return std::nullopt;
  return AxisJoiner(view).run();
}
