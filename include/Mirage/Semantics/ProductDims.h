//===- ProductDims.h - Which dimensions a product contracts -----*- C++ -*-===//
//
// A matmul multiplies the matrices in the innermost two dimensions of its
// operands, each perhaps transposed. These functions say which of the two
// dimensions is contracted and which one the result keeps.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEMANTICS_PRODUCTDIMS_H
#define MIRAGE_SEMANTICS_PRODUCTDIMS_H

#include "Mirage/Semantics/OpAttributes.h"
#include <cassert>

namespace mirage {

enum class ProductOperand : uint8_t { Lhs, Rhs };

/// The dimension of an operand of so many dimensions that the product sums
/// over. `isTransposed` says whether the operand is read transposed.
inline size_t getContractedDim(bool isTransposed, ProductOperand operand,
                               size_t rank) {
  assert(rank >= 2 && "a matrix has two dimensions");
  bool isLast = (operand == ProductOperand::Lhs) != isTransposed;
  return rank - (isLast ? 1 : 2);
}
inline size_t getContractedDim(const OpAttributes &attributes,
                               ProductOperand operand, size_t rank) {
  return getContractedDim(operand == ProductOperand::Lhs
                              ? attributes.transposeLhs
                              : attributes.transposeRhs,
                          operand, rank);
}

/// The dimension of an operand of so many dimensions that the result keeps:
/// rows of lhs, columns of rhs.
inline size_t getKeptDim(bool isTransposed, ProductOperand operand,
                         size_t rank) {
  return 2 * rank - 3 - getContractedDim(isTransposed, operand, rank);
}
inline size_t getKeptDim(const OpAttributes &attributes, ProductOperand operand,
                         size_t rank) {
  return 2 * rank - 3 - getContractedDim(attributes, operand, rank);
}

} // namespace mirage

#endif // MIRAGE_SEMANTICS_PRODUCTDIMS_H
