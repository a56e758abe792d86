//===- KernelMma.cpp - Products of buffers by matrix instructions ---------===//
//
// Runs mirage_thread.mma: the warps of the block take 16 x 8 parts of the
// result in turn, and each lane reads and writes the elements that its
// registers have in mma.m16n8k16, or mma.m16n8k8 for tf32 (PTX ISA).
//
//===----------------------------------------------------------------------===//

#include "KernelBlock.h"
#include "Mirage/Semantics/MatrixInstruction.h"
#include "Mirage/Semantics/ProductDims.h"

using namespace mlir;
using namespace mirage;

namespace mirage {
class BufferProduct {
public:
  BufferProduct(KernelBlock &block, thread::MmaOp op)
      : block(block), op(op), lhs(block.views[op.getLhs()]),
        rhs(block.views[op.getRhs()]), target(block.views[op.getTarget()]),
        isTF32(lhs.element == ElementType::f32) {}

  LogicalResult run();

private:
  static constexpr int64_t partRows = MatrixInstruction::rows,
                           partColumns = MatrixInstruction::columns;

  LogicalResult runPart(ShapeRef batch, int64_t row, int64_t column);
  LogicalResult storePart(ShapeRef batch, int64_t row, int64_t column,
                          ArrayRef<float> sums);
  FailureOr<float> load(const MemoryView &view, bool transposed, ShapeRef batch,
                        int64_t row, int64_t column, int64_t lane);
  /// The lane with an element whose row or column number in the instruction is
  /// `spread` and whose contracted number is `k`.
  int64_t getLane(int64_t spread, int64_t k) const {
    return spread % 8 * 4 + (isTF32 ? k % 4 : k % 8 / 2);
  }
  static int64_t getIndex(const MemoryView &view, ShapeRef batch, int64_t outer,
                          int64_t inner);

  KernelBlock &block;
  thread::MmaOp op;
  const MemoryView &lhs, &rhs, &target;
  bool isTF32;
  /// The first thread of the warp that has the present part.
  int64_t warp = 0;
};
} // namespace mirage

/// Returns the position of an element; batch dimensions may have size one.
int64_t BufferProduct::getIndex(const MemoryView &view, ShapeRef batch,
                                int64_t outer, int64_t inner) {
  int64_t index = 0;
  for (auto [dim, at] : llvm::enumerate(batch))
    if (view.shape[dim] != 1)
      index += at * view.layout.strides[dim];
  return index + outer * view.layout.strides[batch.size()] +
         inner * view.layout.strides[batch.size() + 1];
}

FailureOr<float> BufferProduct::load(const MemoryView &view, bool transposed,
                                     ShapeRef batch, int64_t row,
                                     int64_t column, int64_t lane) {
  if (transposed)
    std::swap(row, column);
  FailureOr<double> value = block.readElement(
      op, view, getIndex(view, batch, row, column), warp + lane);
  if (failed(value))
    return failure();
  return static_cast<float>(isTF32 ? roundToTF32(*value) : *value);
}

LogicalResult BufferProduct::runPart(ShapeRef batch, int64_t row,
                                     int64_t column) {
  int64_t rows = target.shape.rbegin()[1];
  int64_t contracted = lhs.shape[getContractedDim(
      op.getTransposeLhs(), ProductOperand::Lhs, lhs.shape.size())];
  int64_t depth = getMatrixInstruction(lhs.element, isTF32)->depth;
  std::vector<float> a(partRows * depth), b(depth * partColumns),
      sums(partRows * partColumns, 0.0f);
  for (int64_t from = 0; from < contracted; from += depth) {
    for (int64_t k = 0; k < depth; ++k) {
      for (int64_t i = 0; i < partRows; ++i) {
        // Rows beyond the last are zeros.
        FailureOr<float> element = 0.0f;
        if (row + i < rows)
          element = load(lhs, op.getTransposeLhs(), batch, row + i, from + k,
                         getLane(i, k));
        if (failed(element))
          return failure();
        a[i * depth + k] = *element;
      }
      for (int64_t i = 0; i < partColumns; ++i) {
        FailureOr<float> element = load(rhs, op.getTransposeRhs(), batch,
                                        from + k, column + i, getLane(i, k));
        if (failed(element))
          return failure();
        b[k * partColumns + i] = *element;
      }
    }
    multiplyMatrices(a, b, sums, depth);
  }
  return storePart(batch, row, column, sums);
}

LogicalResult BufferProduct::storePart(ShapeRef batch, int64_t row,
                                       int64_t column, ArrayRef<float> sums) {
  for (int64_t i = 0; i < partRows && row + i < target.shape.rbegin()[1]; ++i)
    for (int64_t j = 0; j < partColumns; ++j) {
      int64_t index = getIndex(target, batch, row + i, column + j);
      uint32_t thread = warp + i % 8 * 4 + j / 2;
      float value = sums[i * partColumns + j];
      if (op.getAccumulate()) {
        FailureOr<double> before = block.readElement(op, target, index, thread);
        if (failed(before))
          return failure();
        value += static_cast<float>(*before);
      }
      if (failed(block.writeElement(op, target, index, value, thread)))
        return failure();
    }
  return success();
}

LogicalResult BufferProduct::run() {
  Shape parts = target.shape;
  parts.rbegin()[1] = llvm::divideCeil(parts.rbegin()[1], partRows);
  parts.rbegin()[0] = llvm::divideCeil(parts.rbegin()[0], partColumns);
  int64_t warps = block.launch.threads / RegisterLayout::kWarpSize;
  for (int64_t part = 0, e = elementCount(parts); part < e; ++part) {
    warp = part % warps * RegisterLayout::kWarpSize;
    Shape at(parts.size());
    int64_t left = part;
    for (size_t dim = at.size(); dim-- > 0; left /= parts[dim])
      at[dim] = left % parts[dim];
    if (failed(runPart(ShapeRef(at).drop_back(2), at.rbegin()[1] * partRows,
                       at.rbegin()[0] * partColumns)))
      return failure();
  }
  return success();
}

LogicalResult KernelBlock::run(thread::MmaOp op) {
  return BufferProduct(*this, op).run();
}
