//===- MatrixTypes.h - Types that matrix instructions multiply --*- C++ -*-===//
//
// Asks of types in IR what Semantics/MatrixInstruction.h says of element types.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_INTERFACES_MATRIXTYPES_H
#define MIRAGE_INTERFACES_MATRIXTYPES_H

#include "Mirage/Interfaces/ComputeOpSupport.h"
#include "Mirage/Semantics/MatrixInstruction.h"

namespace mirage {

/// Returns the instruction that multiplies operands of a type, f32 as tf32.
inline std::optional<MatrixInstruction>
getMatrixInstruction(mlir::Type operands) {
  std::optional<ElementType> type = convertElementType(operands);
  return type ? getMatrixInstruction(*type, /*tf32=*/true) : std::nullopt;
}

/// Returns the instruction that multiplies operands of a type which lie in
/// fragments.
inline std::optional<MatrixInstruction>
getFragmentInstruction(mlir::Type operands) {
  std::optional<ElementType> type = convertElementType(operands);
  return type ? getFragmentInstruction(*type) : std::nullopt;
}

/// Returns how many contracted elements a product of operands of a type takes
/// at a time, where these lie in registers.
inline std::optional<int64_t> getProductStep(mlir::Type operands) {
  std::optional<ElementType> type = convertElementType(operands);
  return type ? getProductStep(*type) : std::nullopt;
}

/// Returns true if results may have this type where an instruction multiplies
/// operands of that one.
inline bool isMatrixResult(mlir::Type operands, mlir::Type result) {
  std::optional<ElementType> from = convertElementType(operands),
                             to = convertElementType(result);
  return from && to && isMatrixResult(*from, *to);
}

} // namespace mirage

#endif // MIRAGE_INTERFACES_MATRIXTYPES_H
