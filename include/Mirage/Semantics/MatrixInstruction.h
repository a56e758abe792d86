//===- MatrixInstruction.h - Which products tensor cores compute *- C++ -*-===//
//
// Two questions about products: what tensor cores multiply at all, by which the
// cost model judges kernels as good as they can be; and which operators the
// lowering computes by mma.sync, which the lowering itself and the cost model
// of its kernels ask.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEMANTICS_MATRIXINSTRUCTION_H
#define MIRAGE_SEMANTICS_MATRIXINSTRUCTION_H

#include "Mirage/Semantics/OpAttributes.h"
#include "Mirage/Semantics/OpKind.h"

namespace mirage {

/// How long tensor cores take to multiply operands of this type, relative to
/// those of 16 bits: as long for narrower types, and twice as long for f32 that
/// is rounded to tf32. They do not multiply the other types.
std::optional<double> getTensorCoreTime(ElementType operands, bool tf32);

/// Returns true if a chip, as LLVM's NVPTX backend names it, has wgmma (PTX
/// ISA, "wgmma.mma_async": sm_90a only).
bool hasWgmma(llvm::StringRef chip);

/// mma.sync multiplies rows x depth elements by depth x columns (PTX ISA, "Warp
/// Level Matrix Multiply-Accumulate Instructions").
struct MatrixInstruction {
  static constexpr int64_t rows = 16, columns = 8;
  int64_t depth;
};

/// The instruction by which the lowering computes all products of an operator
/// in a block; nothing if it computes their elements one by one. Contracted
/// sizes and columns must be multiples of the instruction's; rows are filled up
/// with zeros.
std::optional<MatrixInstruction>
getMatrixInstruction(OpKind kind, const OpAttributes &attributes,
                     llvm::ArrayRef<Shape> operands, ElementType operandType,
                     ElementType resultType);

} // namespace mirage

#endif // MIRAGE_SEMANTICS_MATRIXINSTRUCTION_H
