//===- PadAxes.cpp - Rows that nothing divides, with zeros behind them ----===//
//
// Tiles divide axes. Of 251 rows there are tiles of 1 and of 251, and neither
// fills an instruction for products or all multiprocessors. Where an axis is
// one of rows, of which each element of a result takes one alone, the program
// computes the same of more rows, whose results are dropped. What is summed
// along an axis is padded as well where it is zero behind the end: what is
// contracted, and the exponentials of a softmax, whose scores get a mask.
// Launches read zeros beyond the end of a tensor and store nothing there, and
// compute such a mask of indices, so that no kernel copies anything
// (docs/Lowering.md, "Sizes that nothing divides").
//
//===----------------------------------------------------------------------===//

#include "Mirage/MuGraph/CloneMuGraph.h"
#include "Mirage/Search/Problem/ProgramViews.h"
#include "Mirage/Semantics/MatrixInstruction.h"
#include "Mirage/Semantics/ShapeRules.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"
#include <limits>
#include <set>

using namespace mirage;
using namespace mirage::search;
using llvm::ArrayRef;

/// Rows and columns of the smallest tile of an instruction for products.
static constexpr int64_t kSmallestTile = 16;
/// Rows and columns of the largest tile that is asked for.
static constexpr int64_t kLargestTile = 128;
/// Padding adds at most one element to so many of an axis, since what is added
/// costs arithmetic. The number is chosen, not derived: with it the 197 patches
/// of an image become 224, and 17 rows do not become 32.
static constexpr int64_t kMostAdded = 7;

/// Returns the size that an axis has with padding: a multiple of the largest
/// tile for which not too much is added. Instructions compute a multiple of
/// eight rows or columns whatever the size is, so that 17 rows become 24, of
/// which two blocks have twelve each. What has small tiles is padded where that
/// gives it the rows of a warpgroup's instruction: of 2,272 rows, 71 times 32,
/// no tile between 32 and 142 is one of whole instructions.
static int64_t getPaddedSize(int64_t size) {
  if (size % WarpgroupInstruction::rows == 0)
    return size;
  int64_t smallest = size % kSmallestTile == 0
                         ? int64_t{WarpgroupInstruction::rows}
                         : kSmallestTile;
  for (int64_t tile = kLargestTile; tile >= smallest; tile /= 2)
    if (int64_t padded = llvm::alignTo(size, tile);
        (padded - size) * kMostAdded <= size)
      return padded;
  return size > WarpgroupInstruction::columnStep
             ? static_cast<int64_t>(
                   llvm::alignTo(size, WarpgroupInstruction::columnStep))
             : size;
}

namespace {
/// What a value's elements are behind the end of an axis.
enum class Padding : uint8_t {
  /// The value has no such elements.
  None,
  Zero,
  /// Finite numbers, whichever.
  Finite,
  /// Nothing is known.
  Unknown
};

class AxisPadder {
public:
  AxisPadder(const ProgramView &from, const MuGraph &outer)
      : program(from.program), outer(outer), view(getSurroundings(from)),
        axes(computeAxes(program)), sizes(axes.sizes) {}

  std::optional<ProgramView> run() {
    for (unsigned axis : findRows()) {
      int64_t padded = getPaddedSize(axes.sizes[axis]);
      if (padded != axes.sizes[axis] && canBePadded(axis))
        sizes[axis] = padded;
    }
    if (sizes == axes.sizes || !rewrite())
      return std::nullopt;
    padInputs();
    padResults();
    addMasks();
    return std::move(view);
  }

private:
  bool has(MuValue value, size_t dim, unsigned axis) const {
    return llvm::is_contained(axes.dims[value][dim], axis);
  }
  bool has(MuValue value, unsigned axis) const {
    return llvm::any_of(axes.dims[value], [&](ArrayRef<unsigned> dim) {
      return llvm::is_contained(dim, axis);
    });
  }

  /// The axes of rows and columns of products' results.
  std::set<unsigned> findRows() const {
    std::set<unsigned> rows;
    for (unsigned number : program.getRegion().nodes) {
      const MuNode &node = program.getNode(number);
      auto add = [&](MuValue value, size_t dims) {
        for (ArrayRef<unsigned> dim :
             ArrayRef(axes.dims[value]).take_back(dims))
          rows.insert(dim.begin(), dim.end());
      };
      if (node.op == OpKind::Matmul || node.op == OpKind::Attention)
        add(node.results[0], 2);
      // Keys and values have the rows that a softmax is taken along.
      if (node.op == OpKind::Attention)
        add(node.operands[1], 2);
    }
    return rows;
  }

  /// Returns whether a tensor has rows along the axis that begin anywhere, so
  /// that accesses of 16 bytes need a copy with aligned ones: such a copy may
  /// as well have the padding, and is a kernel.
  bool hasUnalignedRows(MuValue value, unsigned axis) const {
    constexpr int64_t accessBytes = 16;
    ShapeRef shape = program.getShape(value);
    if (shape.empty() || !has(value, shape.size() - 1, axis))
      return false;
    return elementCount(shape.drop_back()) > 1 &&
           shape.back() * byteSize(program.getValue(value).type) %
                   accessBytes !=
               0;
  }

  bool canBePadded(unsigned axis) {
    // No value has the axis twice.
    for (const auto &dims : axes.dims)
      if (llvm::count_if(dims, [&](ArrayRef<unsigned> dim) {
            return llvm::is_contained(dim, axis);
          }) > 1)
        return false;
    // Elements behind the others are behind them in a dimension as well.
    auto isOutermost = [&](MuValue value) {
      return llvm::all_of(axes.dims[value], [&](ArrayRef<unsigned> dim) {
        return !llvm::is_contained(dim, axis) || dim.front() == axis;
      });
    };
    for (ArrayRef<MuValue> values :
         {ArrayRef<MuValue>(program.getRegion().arguments),
          ArrayRef<MuValue>(program.getRegion().results)})
      for (MuValue value : values)
        if (!isOutermost(value) || hasUnalignedRows(value, axis))
          return false;
    std::vector<Padding> paddings(program.getNumValues(), Padding::None);
    for (MuValue argument : program.getRegion().arguments)
      if (has(argument, axis))
        paddings[argument] = Padding::Zero;
    std::set<std::pair<unsigned, unsigned>> added;
    for (unsigned number : program.getRegion().nodes) {
      const MuNode &node = program.getNode(number);
      std::optional<Padding> padding =
          getPadding(number, axis, paddings, added);
      if (!padding)
        return false;
      for (MuValue result : node.results)
        paddings[result] = has(result, axis) ? *padding : Padding::None;
    }
    masked.insert(added.begin(), added.end());
    return true;
  }

  /// Returns what the results of a node are behind the end of an axis, of which
  /// operands are `paddings`; nothing if results elsewhere depend on that. Adds
  /// the node and the axis to `added` if its scores need a mask.
  std::optional<Padding>
  getPadding(unsigned number, unsigned axis, ArrayRef<Padding> paddings,
             std::set<std::pair<unsigned, unsigned>> &added) const {
    const MuNode &node = program.getNode(number);
    auto hasAxis = [&](MuValue value) { return has(value, axis); };
    bool isResult = llvm::any_of(node.results, hasAxis);
    if (!isResult && llvm::none_of(node.operands, hasAxis))
      return Padding::None;
    auto get = [&](unsigned operand) {
      return paddings[node.operands[operand]];
    };
    auto isZero = [&](unsigned operand) {
      return get(operand) == Padding::Zero;
    };
    auto isFinite = [&](unsigned operand) {
      return get(operand) == Padding::None || get(operand) == Padding::Zero ||
             get(operand) == Padding::Finite;
    };
    bool areFinite =
        llvm::all_of(llvm::seq<unsigned>(0, node.operands.size()), isFinite);
    size_t last = axes.dims[node.results[0]].size() - 1;
    auto needMask = [&](MuValue scores, size_t dim) -> std::optional<Padding> {
      // A mask of indices has the axis alone in its dimension.
      if (axes.dims[scores][dim].size() != 1)
        return std::nullopt;
      added.insert({number, axis});
      return Padding::Zero;
    };
    switch (node.op) {
    case OpKind::Constant:
      // The elements of a constant are numbers of the program.
      if (node.attributes.values->size() != 1)
        return std::nullopt;
      return node.attributes.values->front() == 0 ? Padding::Zero
                                                  : Padding::Finite;
    case OpKind::Matmul:
      if (isResult)
        return isZero(0) || isZero(1) ? Padding::Zero
               : areFinite            ? Padding::Finite
                                      : Padding::Unknown;
      // A product that is summed is zero if one factor is, and the other one is
      // no infinity.
      if (!areFinite || !(isZero(0) || isZero(1)))
        return std::nullopt;
      return Padding::None;
    case OpKind::Reduce:
      if (isResult)
        return areFinite ? Padding::Finite : Padding::Unknown;
      if (node.attributes.reduceKind == ReduceKind::Sum &&
          !node.attributes.group && isZero(0))
        return Padding::None;
      return std::nullopt;
    case OpKind::Softmax:
      if (!has(node.results[0], node.attributes.dim, axis))
        return areFinite ? Padding::Finite : Padding::Unknown;
      if (!areFinite)
        return std::nullopt;
      return needMask(node.operands[0], node.attributes.dim);
    case OpKind::LogSoftmax:
      if (has(node.results[0], node.attributes.dim, axis))
        return std::nullopt;
      return areFinite ? Padding::Finite : Padding::Unknown;
    case OpKind::RmsNorm:
    case OpKind::LayerNorm:
      if (has(node.results[0], last, axis))
        return std::nullopt;
      return areFinite ? Padding::Finite : Padding::Unknown;
    case OpKind::Attention:
      return getPaddingOfAttention(node, axis, areFinite, needMask);
    case OpKind::Transpose:
    case OpKind::Reshape:
    case OpKind::Broadcast:
    case OpKind::Slice:
      return get(0);
    case OpKind::Concat:
      return llvm::all_of(llvm::seq<unsigned>(0, node.operands.size()), isZero)
                 ? Padding::Zero
             : areFinite ? Padding::Finite
                         : Padding::Unknown;
    default:
      if (!isElementwise(node.op))
        return std::nullopt;
      return getPaddingOfElements(node, isZero, areFinite);
    }
  }

  static std::optional<Padding>
  getPaddingOfElements(const MuNode &node,
                       llvm::function_ref<bool(unsigned)> isZero,
                       bool areFinite) {
    if (!areFinite)
      return Padding::Unknown;
    switch (node.op) {
    case OpKind::Mul:
      return isZero(0) || isZero(1) ? Padding::Zero : Padding::Finite;
    case OpKind::Add:
    case OpKind::Sub:
      return isZero(0) && isZero(1) ? Padding::Zero : Padding::Finite;
    case OpKind::Scale:
    case OpKind::Cast:
    case OpKind::Abs:
    case OpKind::Sqrt:
    case OpKind::Square:
    case OpKind::Silu:
    case OpKind::Gelu:
    case OpKind::Mish:
    case OpKind::Relu:
    case OpKind::Tanh:
    case OpKind::Erf:
      return isZero(0) ? Padding::Zero : Padding::Finite;
    case OpKind::Exp:
    case OpKind::Exp2:
    case OpKind::Sigmoid:
    case OpKind::Clamp:
    case OpKind::Max:
    case OpKind::Min:
      return Padding::Finite;
    default:
      // Quotients, logarithms and powers of zero may be no numbers.
      return Padding::Unknown;
    }
  }

  /// Attention contracts the elements of queries and keys, and sums over keys,
  /// which a mask hides.
  std::optional<Padding> getPaddingOfAttention(
      const MuNode &node, unsigned axis, bool areFinite,
      llvm::function_ref<std::optional<Padding>(MuValue, size_t)> needMask)
      const {
    size_t last = axes.dims[node.results[0]].size() - 1;
    if (has(node.operands[0], last, axis))
      return std::nullopt;
    if (!has(node.operands[1], last - 1, axis))
      return areFinite ? Padding::Finite : Padding::Unknown;
    if (!areFinite || node.operands.size() > 3 ||
        !needMask(node.operands[1], last - 1))
      return std::nullopt;
    return Padding::None;
  }

  Shape getShape(MuValue value) const {
    Shape shape;
    for (ArrayRef<unsigned> dim : axes.dims[value]) {
      shape.push_back(1);
      for (unsigned axis : dim)
        shape.back() *= sizes[axis];
    }
    return shape;
  }

  /// Copies the program with the new sizes. Returns false if an operator does
  /// not allow them.
  bool rewrite() {
    for (MuValue value = 0; value < program.getNumValues(); ++value)
      view.program.addValue(getShape(value), program.getValue(value).type);
    view.program.setArguments(0, program.getRegion().arguments);
    view.program.setResults(0, program.getRegion().results);
    for (unsigned number : program.getRegion().nodes) {
      MuNode node = program.getNode(number);
      rewriteAttributes(node);
      if (!isLegal(node))
        return false;
      for (auto [masking, axis] : masked)
        if (masking == number)
          hide(node, axis);
      view.program.addNode(0, std::move(node));
    }
    return true;
  }

  /// Gives a softmax or attention a mask of what is behind the end of an axis.
  void hide(MuNode &node, unsigned axis) {
    bool isAttention = node.op == OpKind::Attention;
    ShapeRef scores = view.program.getShape(node.operands[isAttention ? 1 : 0]);
    Shape shape(scores.size(), 1);
    shape[isAttention ? shape.size() - 1 : node.attributes.dim] = sizes[axis];
    ElementType type = view.program.getValue(node.operands[0]).type;
    Mask &mask = masks.emplace_back();
    mask.shape = shape;
    mask.type = type;
    mask.hidden = axes.sizes[axis];
    mask.argument = view.program.addArgument(0, shape, type);
    if (isAttention) {
      node.operands.push_back(mask.argument);
      return;
    }
    node.operands[0] = view.program.addOperator(
        0, OpKind::Add, {}, {node.operands[0], mask.argument}, type,
        node.location);
  }

  /// Makes the masks results of what runs before the view: they are constants,
  /// which candidates cannot hold.
  void addMasks() {
    if (masks.empty())
      return;
    MuGraph before;
    llvm::SmallVector<MuValue> arguments, results;
    for (MuValue argument : outer.getRegion().arguments)
      arguments.push_back(before.addArgument(0, outer.getShape(argument),
                                             outer.getValue(argument).type));
    if (view.before)
      results = cloneInto(before, 0, *view.before, arguments);
    for (const Mask &mask : masks) {
      view.inputs.push_back(
          {static_cast<unsigned>(arguments.size() + results.size())});
      OpAttributes attributes;
      attributes.resultShape = mask.shape;
      std::vector<double> numbers(elementCount(mask.shape), 0);
      std::fill(numbers.begin() + mask.hidden, numbers.end(),
                -std::numeric_limits<double>::infinity());
      attributes.values =
          std::make_shared<const std::vector<double>>(std::move(numbers));
      results.push_back(
          before.addOperator(0, OpKind::Constant, attributes, {}, mask.type));
    }
    before.setResults(0, results);
    view.before = std::make_shared<const MuGraph>(std::move(before));
  }

  void rewriteAttributes(MuNode &node) const {
    OpAttributes &attributes = node.attributes;
    switch (node.op) {
    case OpKind::Constant:
    case OpKind::Reshape:
    case OpKind::Broadcast:
      attributes.resultShape = getShape(node.results[0]);
      return;
    case OpKind::Slice:
      // What is sliced along an axis with padding is no legal slice any more,
      // unless it is all.
      for (auto [dim, size] : llvm::enumerate(attributes.sizes))
        if (size == program.getShape(node.operands[0])[dim])
          size = getShape(node.operands[0])[dim];
      return;
    default:
      return;
    }
  }

  bool isLegal(const MuNode &node) const {
    llvm::SmallVector<Shape, 4> operands;
    llvm::SmallVector<Shape, 1> results;
    std::string error;
    for (MuValue operand : node.operands)
      operands.push_back(getShape(operand));
    return llvm::succeeded(inferShapes(node.op, node.attributes, operands,
                                       results, error)) &&
           llvm::all_of(
               llvm::zip_equal(node.results, results), [&](const auto &pair) {
                 return getShape(std::get<0>(pair)) == std::get<1>(pair);
               });
  }

  void padInputs() {
    for (auto [input, argument] :
         llvm::zip_equal(view.inputs, program.getRegion().arguments))
      if (getShape(argument) != Shape(program.getShape(argument))) {
        input.unpadded = Shape(program.getShape(argument));
        input.padded = getShape(argument);
      }
  }

  void padResults() {
    for (MuValue result : program.getRegion().results) {
      view.unpadded.push_back(Shape(program.getShape(result)));
      view.padded.push_back(getShape(result));
    }
  }

  struct Mask {
    Shape shape;
    ElementType type = ElementType::f32;
    /// The elements from this one on are hidden.
    int64_t hidden = 0;
    MuValue argument = 0;
  };

  const MuGraph &program, &outer;
  ProgramView view;
  const Axes axes;
  /// The sizes of the axes with padding.
  std::vector<int64_t> sizes;
  /// Nodes, by their numbers, that must not see what is behind the end of an
  /// axis.
  std::set<std::pair<unsigned, unsigned>> masked;
  std::vector<Mask> masks;
};
} // namespace

std::optional<ProgramView> mirage::search::padAxes(const ProgramView &view,
                                                   const MuGraph &outer) {
  // Nothing else has been done to inputs and results yet.
  bool isPlain = view.results.empty() && !view.numStacked &&
                 llvm::none_of(view.inputs, [](const ViewInput &input) {
                   return input.window || !input.stack.empty();
                 });
  if (!isPlain || view.program.getNumRegions() > 1)
    return std::nullopt;
  // Rows may be stored as several dimensions that the program joins first. What
  // is padded are the rows: each of the dimensions would have other ends.
  ProgramView peeled = peelReshapes(view);
  return AxisPadder(joinAxes(peeled).value_or(peeled), outer).run();
}
