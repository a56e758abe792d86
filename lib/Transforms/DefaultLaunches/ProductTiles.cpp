//===- ProductTiles.cpp - Tiles of pre-defined products -------------------===//
//
// Lists tiles by what divides a product's sizes, and what the target's
// instructions take.
//
//===----------------------------------------------------------------------===//

#include "ProductTiles.h"
#include "Mirage/Analysis/TensorWindows.h"
#include "Mirage/Interfaces/MatrixTypes.h"
#include "Mirage/Schedule/MemoryAccess.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mirage;

/// Returns a tile's sizes along a dimension, largest first: powers of two that
/// divide it, or all of it where it is a small multiple of `unit`. Where that
/// leaves no tile of a useful size, the last tile of the dimension may be
/// padded.
static SmallVector<int64_t> getTileSizes(int64_t size, int64_t most,
                                         int64_t least, int64_t unit) {
  int64_t leastUseful = std::min<int64_t>(most, 64);
  SmallVector<int64_t> sizes;
  for (int64_t tile = most; tile >= least; tile /= 2)
    if (size % tile == 0)
      sizes.push_back(tile);
  if (sizes.empty() && size <= most && (size < leastUseful || size % unit == 0))
    sizes.push_back(size);
  if (sizes.empty() || sizes.front() < leastUseful)
    for (int64_t tile = most; tile >= std::max(least, leastUseful); tile /= 2)
      if (tile < size)
        sizes.push_back(tile);
  llvm::sort(sizes, std::greater<int64_t>());
  return sizes;
}

/// Returns true if all matrices of the innermost batch dimension are multiplied
/// by one right operand, as the rows of an image by the weights of a
/// convolution.
static bool sharesRhs(kernel::MatmulOp op) {
  auto lhs = cast<RankedTensorType>(op.getLhs().getType()).getShape();
  auto rhs = cast<RankedTensorType>(op.getRhs().getType()).getShape();
  return lhs.size() >= 4 && lhs.size() == rhs.size() && !op.getTransposeLhs() &&
         lhs.rbegin()[2] > 1 &&
         llvm::all_of(rhs.drop_back(2), [](int64_t size) { return size == 1; });
}

namespace {
/// How many rows of how many matrices a block has.
struct RowBox {
  int64_t rows = 0, matrices = 1;
};
} // namespace

/// Returns the boxes of rows of neighbouring matrices, so many rows together,
/// of which whole blocks compute the fewest beyond the ends. Rows of one matrix
/// lie in multiples of what is swizzled together.
static SmallVector<RowBox, 2> getRowBoxes(int64_t total, int64_t rows,
                                          int64_t matrices) {
  SmallVector<RowBox> boxes;
  auto add = [&](int64_t boxRows) {
    int64_t boxMatrices = total / boxRows;
    if ((boxRows == 1 || boxRows / 2 < rows) &&
        (boxMatrices == 1 || boxMatrices / 2 < matrices))
      boxes.push_back({boxRows, boxMatrices});
  };
  if (rows == 1)
    add(1);
  else
    for (int64_t boxRows = total; boxRows >= MemoryLayout::piece; boxRows /= 2)
      add(boxRows);
  auto count = [&](const RowBox &box) {
    return llvm::alignTo(rows, box.rows) *
           llvm::alignTo(matrices, box.matrices);
  };
  llvm::sort(boxes, [&](const RowBox &a, const RowBox &b) {
    return std::pair(count(a), -a.rows) < std::pair(count(b), -b.rows);
  });
  constexpr size_t most = 2;
  return {boxes.begin(), boxes.begin() + std::min(boxes.size(), most)};
}

/// Returns the boxes of rows that blocks may have of a product. Where the
/// target has wgmma and the rows admit it, they fill warpgroups: other tiles
/// would be multiplied by mma.sync, which takes longer
/// (docs/performance/scheduled-kernels.md).
static SmallVector<RowBox> getRows(kernel::MatmulOp op, int64_t unit,
                                   const TargetDescription &target) {
  constexpr int64_t warpgroupRows = WarpgroupInstruction::rows, mostRows = 256;
  auto result = cast<RankedTensorType>(op.getResult().getType());
  Type element = getElementTypeOrSelf(op.getLhs().getType());
  int64_t rows = result.getShape().rbegin()[1];
  SmallVector<RowBox> boxes;
  if (sharesRhs(op)) {
    int64_t matrices = result.getShape().rbegin()[2];
    // Fewer rows than a warpgroup's are tried where there are no more.
    for (int64_t total = mostRows; total >= MatrixInstruction::rows; total /= 2)
      if (total >= warpgroupRows || boxes.empty())
        llvm::append_range(boxes, getRowBoxes(total, rows, matrices));
    return boxes;
  }
  bool fillsWarpgroups =
      hasWgmma(target.chip) && getFragmentInstruction(element) &&
      (rows % warpgroupRows == 0 || rows > 2 * warpgroupRows);
  // Rows of no whole warpgroups would take mma.sync.
  for (int64_t tileRows :
       getTileSizes(rows, mostRows,
                    fillsWarpgroups ? warpgroupRows : MatrixInstruction::rows,
                    fillsWarpgroups ? warpgroupRows : unit))
    boxes.push_back({tileRows});
  return boxes;
}

/// Returns the most blocks that can share the iterations of a tile if some are
/// added that contract zeros, or one if none have to be added, if that were
/// more than a seventh of them, or if the grid has blocks for most
/// multiprocessors anyway.
static int64_t getSharers(const ProductTile &tile, int64_t depth,
                          ArrayRef<int64_t> result,
                          const TargetDescription &target) {
  constexpr int64_t mostSharers = 8, leastPart = 7;
  if (!target.clusterPerClock)
    return 1;
  int64_t blocks =
      llvm::divideCeil(elementCount(result.drop_back(2)), tile.matrices) *
      llvm::divideCeil(result.rbegin()[1], tile.rows) *
      llvm::divideCeil(result.rbegin()[0], tile.columns);
  auto iterations = static_cast<int64_t>(llvm::divideCeil(depth, tile.depth));
  for (int64_t sharers = mostSharers; sharers > 1; sharers /= 2) {
    int64_t added = llvm::alignTo(iterations, sharers) - iterations;
    if (blocks * sharers <= target.multiprocessors &&
        leastPart * added <= iterations)
      return added ? sharers : 1;
  }
  return 1;
}

SmallVector<ProductTile> mirage::getTiles(kernel::MatmulOp op,
                                          const TargetDescription &target) {
  auto lhs = cast<RankedTensorType>(op.getLhs().getType());
  auto result = cast<RankedTensorType>(op.getResult().getType());
  Type element = lhs.getElementType();
  // Two warpgroups have registers for twice the sums that four warps have.
  int64_t mostElements = 128 * 128;
  if (hasWgmma(target.chip) && getFragmentInstruction(element))
    mostElements *= 2;
  size_t contracted = getContractedDim(op.getTransposeLhs(),
                                       ProductOperand::Lhs, lhs.getRank());
  int64_t depth = lhs.getDimSize(contracted);
  // An iteration reads one window.
  std::optional<WindowOperators> windows =
      findWindows(op.getLhs().getDefiningOp());
  bool readsWindows =
      windows && windows->windows.dim == static_cast<int64_t>(contracted);
  if (readsWindows)
    depth = windows->windows.size;
  // Iterations of f32 load as many bytes of a row as a cache line has, so that
  // several groups of warps have room for their stages.
  SmallVector<int64_t> depths =
      getTileSizes(depth, getFragmentInstruction(element) ? 128 : 32,
                   *getProductStep(element), /*unit=*/1);
  if (readsWindows)
    llvm::erase_if(depths, [&](int64_t tile) { return depth % tile != 0; });
  // Shorter tiles need more iterations.
  depths.truncate(std::min<size_t>(depths.size(), 2));
  // Lanes that multiply by themselves have 16 columns of a part, and warps that
  // share them evenly.
  int64_t unit =
      getFragmentInstruction(element) ? 1 : WarpgroupInstruction::rows;
  SmallVector<ProductTile> tiles;
  for (const RowBox &box : getRows(op, unit, target))
    for (int64_t columns : getTileSizes(result.getShape().back(), 256,
                                        2 * MatrixInstruction::columns, unit))
      for (int64_t tileDepth : depths) {
        ProductTile tile{box.rows, columns, tileDepth, box.matrices};
        if (tile.getNumRows() * columns > mostElements)
          continue;
        tiles.push_back(tile);
        tile.sharers = readsWindows
                           ? 1
                           : getSharers(tile, depth, result.getShape(), target);
        if (tile.sharers > 1)
          tiles.push_back(tile);
      }
  return tiles;
}

/// Returns a type whose last dimensions are padded to multiples of these.
static RankedTensorType padType(RankedTensorType type,
                                ArrayRef<int64_t> units) {
  Shape shape(type.getShape());
  for (auto [size, unit] :
       llvm::zip(llvm::reverse(shape), llvm::reverse(units)))
    size = llvm::alignTo(size, unit);
  return RankedTensorType::get(shape, type.getElementType());
}

RankedTensorType mirage::getPaddedOperand(kernel::MatmulOp op,
                                          const ProductTile &tile,
                                          ProductOperand operand) {
  bool isLhs = operand == ProductOperand::Lhs;
  int64_t depth = tile.depth * tile.sharers;
  int64_t outer = isLhs ? tile.rows : depth;
  int64_t inner = isLhs ? depth : tile.columns;
  if (isLhs ? op.getTransposeLhs() : op.getTransposeRhs())
    std::swap(outer, inner);
  Value value = isLhs ? op.getLhs() : op.getRhs();
  return padType(cast<RankedTensorType>(value.getType()),
                 {isLhs ? tile.matrices : 1, outer, inner});
}

RankedTensorType mirage::getPaddedResult(kernel::MatmulOp op,
                                         const ProductTile &tile) {
  return padType(cast<RankedTensorType>(op.getResult().getType()),
                 {tile.matrices, tile.rows, tile.columns});
}

bool mirage::hasLaunch(kernel::MatmulOp op) {
  auto lhs = cast<RankedTensorType>(op.getLhs().getType());
  auto rhs = cast<RankedTensorType>(op.getRhs().getType());
  auto result = cast<RankedTensorType>(op.getResult().getType());
  Type element = lhs.getElementType();
  int64_t rank = result.getRank();
  return getProductStep(element) &&
         isMatrixResult(element, result.getElementType()) && rank >= 2 &&
         lhs.getRank() == rank && rhs.getRank() == rank &&
         (sharesRhs(op) ||
          llvm::count_if(result.getShape().drop_back(2),
                         [](int64_t size) { return size > 1; }) <= 1);
}
