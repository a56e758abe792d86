//===- ThreadWarpgroups.cpp - Products by warpgroups ----------------------===//
//
// Verifies products by wgmma, and says which parts of their operands the warps
// take.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Interfaces/MatrixTypes.h"
#include "Mirage/Semantics/ProductDims.h"
#include "ThreadProducts.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::thread;

WarpgroupWaitOp WarpgroupMmaOp::getWait() {
  return getResult().hasOneUse()
             ? dyn_cast<WarpgroupWaitOp>(*getResult().user_begin())
             : WarpgroupWaitOp();
}

LogicalResult WarpgroupWaitOp::verify() {
  WarpgroupMmaOp product = getBeginning();
  if (!product || product->getBlock() != (*this)->getBlock() ||
      !getProduct().hasOneUse())
    return emitOpError("waits for what is no warpgroup_mma of its block, or is "
                       "used elsewhere (warpgroup_wait_c1)");
  for (Operation *op = product->getNextNode(); op != getOperation();
       op = op->getNextNode())
    for (Region &region : op->getRegions())
      if (region.walk([](WarpgroupWaitOp) { return WalkResult::interrupt(); })
              .wasInterrupted())
        return emitOpError("waits for a product behind which an operation with "
                           "regions begins others (warpgroup_wait_c2)");
  return success();
}

int64_t WarpgroupMmaOp::getDepth() {
  auto lhs = cast<ShapedType>(getLhs().getType());
  return lhs.getDimSize(
      getContractedDim(getTransposeLhs(), ProductOperand::Lhs, lhs.getRank()));
}

Shape WarpgroupMmaOp::getOperandShape(MatrixRole role) {
  auto sum = cast<RankedTensorType>(getAccumulator().getType());
  int64_t rank = sum.getRank();
  bool isLhs = role == MatrixRole::Lhs;
  auto operand =
      cast<ShapedType>(isLhs ? getLhs().getType() : Type(getRhs().getType()));
  Shape shape(operand.getShape().take_back(rank));
  for (int64_t dim = 0; dim + 2 < rank; ++dim)
    shape[dim] = std::min(shape[dim], sum.getDimSize(dim));
  bool transposed = isLhs ? getTransposeLhs() : getTransposeRhs();
  ProductOperand side = isLhs ? ProductOperand::Lhs : ProductOperand::Rhs;
  shape[getContractedDim(transposed, side, rank)] = getDepth();
  int64_t &kept = shape[getKeptDim(transposed, side, rank)];
  kept = sum.getDimSize(isLhs ? rank - 2 : rank - 1);
  // The last columns are sums of the left operand's rows.
  if (!isLhs && getOnes())
    kept -= WarpgroupInstruction::columnStep;
  return shape;
}

RegisterLayout WarpgroupMmaOp::getOperandLayout(MatrixRole role) {
  Shape shape = getOperandShape(role);
  bool transposed =
      role == MatrixRole::Lhs ? getTransposeLhs() : getTransposeRhs();
  if (transposed)
    std::swap(shape.rbegin()[0], shape.rbegin()[1]);
  auto sum = cast<RankedTensorType>(getAccumulator().getType());
  RegisterLayout layout = mirage::getOperandLayout(
      role, cast<LayoutAttr>(sum.getEncoding()).getLayout(), shape);
  if (!transposed)
    return layout;
  auto permutation = llvm::to_vector(llvm::seq<int64_t>(0, shape.size()));
  std::swap(permutation.rbegin()[0], permutation.rbegin()[1]);
  return layout.transpose(permutation);
}

/// Returns true if an accumulator lies as those of wgmma.m64nNk16 do.
static bool isWarpgroupAccumulator(const RegisterLayout &layout,
                                   ShapeRef shape) {
  int64_t outer = shape.size() - 2, inner = shape.size() - 1;
  LayoutModes lanes = {{4, inner, 2}, {8, outer, 1}};
  // The last instruction may have rows and columns beyond the end.
  auto columns = static_cast<int64_t>(
      llvm::alignTo(shape[inner], WarpgroupInstruction::columnStep));
  if (layout.lanes != lanes || layout.warps.empty() ||
      layout.getReach(inner) >= columns)
    return false;
  const LayoutMode &rows = layout.warps.front();
  if (rows.dim != outer || rows.stride != MatrixInstruction::rows ||
      rows.size % WarpgroupInstruction::warps ||
      layout.getReach(outer) >= static_cast<int64_t>(llvm::alignTo(
                                    shape[outer], rows.size * rows.stride)))
    return false;
  // Both rows of eight and both neighbours are in each instruction, and columns
  // go on without a gap.
  Shape neighbour(shape.size(), 0), below(shape.size(), 0);
  neighbour[inner] = 1;
  below[outer] = 8;
  if (!layout.findRegister(neighbour) || !layout.findRegister(below))
    return false;
  int64_t next = 8;
  for (const LayoutMode &mode : getModes(layout.registers, inner))
    if (mode.stride >= 8 &&
        std::exchange(next, next * mode.size) != mode.stride)
      return false;
  return true;
}

LogicalResult WarpgroupMmaOp::verify() {
  auto lhs = cast<ShapedType>(getLhs().getType());
  auto rhs = cast<MemRefType>(getRhs().getType());
  auto sum = cast<RankedTensorType>(getAccumulator().getType());
  if (failed(verifyElements(*this, "warpgroup_mma", lhs, rhs, sum)))
    return failure();
  auto layout = dyn_cast_or_null<LayoutAttr>(sum.getEncoding());
  int64_t rank = sum.getRank();
  bool fits = rank >= 2 && rhs.getRank() >= rank &&
              (isLhsInMemory() ? lhs.getRank() >= rank : lhs.getRank() == rank);
  if (fits) {
    int64_t lhsRows = getKeptDim(getTransposeLhs(), ProductOperand::Lhs, rank);
    int64_t rhsColumns =
        getKeptDim(getTransposeRhs(), ProductOperand::Rhs, rank);
    int64_t reach = layout ? layout.getLayout().getReach(rank - 2) + 1
                           : sum.getDimSize(rank - 2);
    for (auto [type, role] :
         {std::pair(lhs, MatrixRole::Lhs),
          std::pair<ShapedType, MatrixRole>(rhs, MatrixRole::Rhs)}) {
      ArrayRef<int64_t> box = type.getShape().take_back(rank);
      Shape shape = getOperandShape(role);
      for (int64_t dim = 0; dim < rank; ++dim) {
        fits &= shape[dim] <= box[dim];
        if (dim + 2 < rank)
          fits &= box[dim] == 1 || box[dim] == sum.getDimSize(dim);
        else if (role == MatrixRole::Rhs && dim == rhsColumns)
          fits &=
              static_cast<int64_t>(llvm::alignTo(
                  shape[dim], WarpgroupInstruction::columnStep)) <= box[dim];
        else if (role == MatrixRole::Lhs && dim == lhsRows)
          fits &= !isLhsInMemory() || reach <= box[dim];
        else if (role == MatrixRole::Lhs)
          fits &= shape[dim] == box[dim];
      }
    }
  }
  int64_t lhsOffsets = isLhsInMemory() ? lhs.getRank() : 0;
  if (!fits || static_cast<int64_t>(getRhsOffsets().size()) != rhs.getRank() ||
      static_cast<int64_t>(getLhsOffsets().size()) != lhsOffsets)
    return emitOpError()
           << "has operands of shapes " << toString(lhs.getShape()) << " and "
           << toString(rhs.getShape())
           << ", or offsets, that do not go with an accumulator of "
           << toString(sum.getShape()) << " (warpgroup_mma_c2)";
  int64_t step = getFragmentInstruction(lhs.getElementType())->depth;
  if (getDepth() % step)
    return emitOpError() << "contracts " << getDepth()
                         << " elements, no multiple of " << step
                         << " (warpgroup_mma_c3)";
  if (!layout || !isWarpgroupAccumulator(layout.getLayout(), sum.getShape()))
    return emitOpError("has an accumulator that lies otherwise than that of "
                       "m64nNk16 (warpgroup_mma_c4)");
  if (!isLhsInMemory()) {
    auto operand = dyn_cast_or_null<LayoutAttr>(
        cast<RankedTensorType>(getLhs().getType()).getEncoding());
    if (!operand ||
        !operand.getLayout().agreesWith(getOperandLayout(MatrixRole::Lhs)))
      return emitOpError(
          "has a left operand in other registers than the rows of "
          "the accumulators need (warpgroup_mma_c4)");
  }
  auto isReadable = [](MemRefType type) {
    std::optional<MemoryLayout> memory = getMemoryLayout(type);
    return memory && isInSharedMemory(type) && memory->swizzled &&
           memory->strides.size() >= 2 &&
           memory->strides.rbegin()[1] == memory->chunk;
  };
  if (!isReadable(rhs) ||
      (isLhsInMemory() && !isReadable(cast<MemRefType>(getLhs().getType()))))
    return emitOpError(
        "has an operand in memory that does not lie in chunks as "
        "wgmma reads them (warpgroup_mma_c5)");
  for (const LayoutMode &mode : layout.getLayout().warps)
    if (!getTransposeRhs() && mode.dim == rank - 1 &&
        mode.stride % getMemoryLayout(rhs)->chunk)
      return emitOpError("has warpgroups whose columns are no whole chunks of "
                         "the right operand (warpgroup_mma_c6)");
  if (!getOnes())
    return success();
  auto ones = cast<MemRefType>(getOnes().getType());
  int64_t chunk = getMemoryLayout(rhs)->chunk;
  bool areBehind =
      isReadable(ones) && ones.getElementType() == rhs.getElementType() &&
      getMemoryLayout(ones)->chunk == chunk &&
      ones.getShape().take_back(2) == ArrayRef<int64_t>({step, chunk}) &&
      ones.getNumElements() == step * chunk && !getTransposeRhs() &&
      getOperandShape(MatrixRole::Rhs).back() == chunk &&
      llvm::none_of(layout.getLayout().warps, [&](const LayoutMode &mode) {
        return mode.dim == rank - 1;
      });
  // A descriptor has no negative distance.
  auto buffer = getRhs().getDefiningOp<SharedBufferOp>(),
       onesBuffer = getOnes().getDefiningOp<SharedBufferOp>();
  if (!areBehind ||
      (buffer && onesBuffer && onesBuffer.getOffset() < buffer.getOffset()))
    return emitOpError("has ones that cannot stand behind its right operand's "
                       "columns (warpgroup_mma_c7)");
  return success();
}
