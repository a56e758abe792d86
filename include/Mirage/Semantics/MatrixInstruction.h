//===- MatrixInstruction.h - Which products tensor cores compute *- C++ -*-===//
//
// Answers two questions about products: what tensor cores multiply at all, by
// which the cost model judges kernels as good as they can be; and which
// products the lowering computes by mma.sync and wgmma, which the lowering
// itself, the verifiers of its operations and the cost model of its kernels
// ask.
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
/// Level Matrix Multiply-Accumulate Instructions"). The sums are f32.
struct MatrixInstruction {
  static constexpr int64_t rows = 16, columns = 8;
  int64_t depth;
};

/// wgmma multiplies 64 rows by a number of columns that is a multiple of a step
/// (PTX ISA, "wgmma.mma_async"): four warps have the fragments of mma.sync of
/// 16 rows each. It contracts as many elements as mma.sync.
struct WarpgroupInstruction {
  static constexpr int64_t warps = 4, rows = warps * MatrixInstruction::rows;
  static constexpr int64_t columnStep = MatrixInstruction::columns,
                           mostColumns = 256;
  /// So many elements of 16 bits has the narrowest chunk in which it takes
  /// swizzled rows. Columns that are neighbours in memory fill such chunks.
  static constexpr int64_t narrowestChunk = 16;
};

/// Returns true if the lowering multiplies this many rows by wgmma, in
/// warpgroups of so many warps in all: no more than a quarter of the rows of
/// its instructions are beyond the end.
bool fillsWarpgroups(int64_t numRows,
                     int64_t numWarps = WarpgroupInstruction::warps);

/// Returns the instruction that multiplies operands of a type, which must be
/// the same for both: m16n8k16 for types of 16 bits, and m16n8k8 for f32 that
/// is rounded to tf32.
std::optional<MatrixInstruction> getMatrixInstruction(ElementType operands,
                                                      bool tf32);

/// Returns the instruction that multiplies operands of a type which lie in
/// registers as fragments, or as wgmma reads them in shared memory. Layouts of
/// fragments hold pairs of 16 bits, so that there is none for tf32.
std::optional<MatrixInstruction> getFragmentInstruction(ElementType operands);

/// Returns how many contracted elements a product of operands in registers
/// takes at a time: those of an instruction, or four of f32, which a lane loads
/// together and multiplies by fused multiply-adds. Nothing is returned for
/// types of which registers hold no operands.
std::optional<int64_t> getProductStep(ElementType operands);

/// Returns true if results may have this type where an instruction multiplies
/// operands of that one: they are its sums, or these rounded to the operands'
/// type.
bool isMatrixResult(ElementType operands, ElementType result);

/// Returns the instruction by which the lowering computes all products of an
/// operator in a block; nothing if it computes their elements one by one.
/// Contracted sizes and columns must be multiples of the instruction's; rows
/// are filled up with zeros.
std::optional<MatrixInstruction>
getMatrixInstruction(OpKind kind, const OpAttributes &attributes,
                     llvm::ArrayRef<Shape> operands, ElementType operandType,
                     ElementType resultType);

} // namespace mirage

#endif // MIRAGE_SEMANTICS_MATRIXINSTRUCTION_H
