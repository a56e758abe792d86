//===- FragmentFma.cpp - Products of fragments by multiply-adds -----------===//
//
// Emits mirage_thread.fma_fragment as a fused multiply-add for each sum of a
// lane and each contracted element.
//
//===----------------------------------------------------------------------===//

#include "FragmentEmitter.h"
#include "Mirage/Semantics/ProductDims.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mirage;

LogicalResult FragmentEmitter::emit(thread::FmaFragmentOp op) {
  auto type = cast<RankedTensorType>(op.getResult().getType());
  const RegisterLayout &layout = *getLayout(type);
  int64_t rank = type.getRank();
  // Returns the registers of an operand with the elements that a sum needs, by
  // their contracted dimension.
  auto getElements = [&](Value tile, ProductOperand side, bool transposed,
                         ShapeRef sum) {
    auto operand = cast<RankedTensorType>(tile.getType());
    int64_t contracted = getContractedDim(transposed, side, rank);
    Shape place(sum);
    place[getKeptDim(transposed, side, rank)] =
        sum[side == ProductOperand::Lhs ? rank - 2 : rank - 1];
    for (int64_t dim = 0; dim + 2 < rank; ++dim)
      if (operand.getDimSize(dim) == 1)
        place[dim] = 0;
    SmallVector<Value> elements;
    for (int64_t i = 0; i < operand.getDimSize(contracted); ++i) {
      place[contracted] = i;
      elements.push_back(
          registers[tile][*getLayout(operand)->findRegister(place)]);
    }
    return elements;
  };
  // Sums that share a row, or a column, share its elements.
  std::map<Shape, SmallVector<Value>> rows, columns;
  SmallVector<ArrayRef<Value>> lhs, rhs;
  for (int64_t number = 0; number < layout.getNumRegisters(); ++number) {
    Shape at = layout.getOffsets(number, rank);
    Shape row = at, column = at;
    row[rank - 1] = column[rank - 2] = 0;
    auto [left, isNewRow] = rows.try_emplace(row);
    if (isNewRow)
      left->second = getElements(op.getLhs(), ProductOperand::Lhs,
                                 op.getTransposeLhs(), at);
    auto [right, isNewColumn] = columns.try_emplace(column);
    if (isNewColumn)
      right->second = getElements(op.getRhs(), ProductOperand::Rhs,
                                  op.getTransposeRhs(), at);
    lhs.push_back(left->second);
    rhs.push_back(right->second);
  }
  SmallVector<Value> sums = registers.lookup(op.getAccumulator());
  // The contracted dimension is the outer loop, so that a multiply-add does not
  // wait for the one before it.
  size_t depth = lhs.empty() ? 0 : lhs.front().size();
  for (size_t i = 0; i < depth; ++i)
    for (auto [sum, left, right] : llvm::zip(sums, lhs, rhs))
      sum = LLVM::FMAOp::create(builder, op.getLoc(), left[i], right[i], sum);
  registers[op.getResult()] = std::move(sums);
  return success();
}
