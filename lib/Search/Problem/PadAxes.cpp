//===- PadAxes.cpp - Rows that nothing divides, with zeros behind them ----===//
//
// Tiles divide axes. Of 251 rows there are tiles of 1 and of 251, and neither
// fills an instruction for products or all multiprocessors. Where an axis is
// one of rows, of which each element of a result takes one alone, the program
// computes the same of more rows, whose results are dropped. Launches read
// zeros beyond the end of a tensor and store nothing there, so that no kernel
// copies anything (docs/Lowering.md, "Sizes that nothing divides").
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Problem/ProgramViews.h"
#include "Mirage/Semantics/ShapeRules.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <set>

using namespace mirage;
using namespace mirage::search;
using llvm::ArrayRef;

/// Rows and columns of the smallest tile of an instruction for products.
static constexpr int64_t kSmallestTile = 16;
/// Rows and columns of the largest tile that is asked for.
static constexpr int64_t kLargestTile = 128;
/// At most a seventh is added to an axis: what divides well costs no more than
/// that in arithmetic.
static constexpr int64_t kMostAdded = 7;

/// Returns the size that an axis has with padding: a multiple of the largest
/// tile for which not too much is added, or its own size.
static int64_t getPaddedSize(int64_t size) {
  if (size % kSmallestTile == 0)
    return size;
  for (int64_t tile = kLargestTile; tile >= kSmallestTile; tile /= 2)
    if (int64_t padded = llvm::alignTo(size, tile);
        (padded - size) * kMostAdded <= size)
      return padded;
  return size;
}

namespace {
class AxisPadder {
public:
  explicit AxisPadder(const ProgramView &from)
      : program(from.program), view(getSurroundings(from)),
        axes(computeAxes(program)), sizes(axes.sizes) {}

  std::optional<ProgramView> run() {
    for (unsigned axis : findRows()) {
      int64_t padded = getPaddedSize(axes.sizes[axis]);
      if (padded != axes.sizes[axis] && isIndependent(axis))
        sizes[axis] = padded;
    }
    if (sizes == axes.sizes || !rewrite())
      return std::nullopt;
    padInputs();
    padResults();
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
      if (node.op != OpKind::Matmul && node.op != OpKind::Attention)
        continue;
      for (ArrayRef<unsigned> dim :
           ArrayRef(axes.dims[node.results[0]]).take_back(2))
        rows.insert(dim.begin(), dim.end());
    }
    return rows;
  }

  /// Returns whether each element of what the program computes takes elements
  /// of one index along the axis alone, and tensors can be padded along it.
  bool isIndependent(unsigned axis) const {
    for (unsigned number : program.getRegion().nodes)
      if (!isIndependent(program.getNode(number), axis))
        return false;
    // Elements behind the others are behind them in a dimension as well.
    auto isOutermost = [&](MuValue value) {
      return llvm::all_of(axes.dims[value], [&](ArrayRef<unsigned> dim) {
        return !llvm::is_contained(dim, axis) || dim.front() == axis;
      });
    };
    ArrayRef<MuValue> results = program.getRegion().results;
    return llvm::all_of(program.getRegion().arguments, isOutermost) &&
           llvm::all_of(results, isOutermost);
  }

  bool isIndependent(const MuNode &node, unsigned axis) const {
    auto hasAxis = [&](MuValue value) { return has(value, axis); };
    if (llvm::none_of(node.operands, hasAxis) &&
        llvm::none_of(node.results, hasAxis))
      return true;
    // The elements of a constant are numbers of the program.
    if (node.op == OpKind::Constant)
      return node.attributes.values->size() == 1;
    // What is summed over is missing in the result.
    if (!llvm::all_of(node.results, hasAxis))
      return false;
    MuValue result = node.results[0];
    size_t last = axes.dims[result].size() - 1;
    switch (node.op) {
    case OpKind::Softmax:
    case OpKind::LogSoftmax:
      return !has(result, node.attributes.dim, axis);
    case OpKind::RmsNorm:
    case OpKind::LayerNorm:
      return !has(result, last, axis);
    case OpKind::Attention:
      return !has(node.operands[0], last, axis) &&
             !has(node.operands[1], last - 1, axis);
    case OpKind::Matmul:
    case OpKind::Reduce:
    case OpKind::Transpose:
    case OpKind::Reshape:
    case OpKind::Broadcast:
    case OpKind::Slice:
    case OpKind::Concat:
      return true;
    default:
      return isElementwise(node.op);
    }
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
      view.program.addNode(0, std::move(node));
    }
    return true;
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
    for (MuValue result : program.getRegion().results)
      view.padded.push_back(getShape(result));
  }

  const MuGraph &program;
  ProgramView view;
  const Axes axes;
  /// The sizes of the axes with padding.
  std::vector<int64_t> sizes;
};
} // namespace

std::optional<ProgramView> mirage::search::padAxes(const ProgramView &view) {
  // Nothing else has been done to inputs and results yet.
  bool isPlain = view.results.empty() && !view.numStacked &&
                 llvm::none_of(view.inputs, [](const ViewInput &input) {
                   return input.window || !input.stack.empty();
                 });
  if (!isPlain || view.program.getNumRegions() > 1)
    return std::nullopt;
  return AxisPadder(view).run();
}
