//===- BoundedProduct.h - Products of bounded numbers -----------*- C++ -*-===//
//
// The product of EvaluateImpl.h for numbers with error bounds, several columns
// at once: verification spends most of its time for products of large graphs
// here. Results are the same to the bit as those of Arithmetic<Bounded>, one
// term after another.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEMANTICS_BOUNDEDPRODUCT_H
#define MIRAGE_LIB_SEMANTICS_BOUNDEDPRODUCT_H

#include "EvaluateImpl.h"
#include "Mirage/Semantics/ErrorBound.h"

namespace mirage::detail {

template <>
void accumulateProduct(const Tensor<Bounded> &lhs, const Tensor<Bounded> &rhs,
                       TensorSystem<Bounded> system, Tensor<Bounded> &result);

} // namespace mirage::detail

#endif // MIRAGE_LIB_SEMANTICS_BOUNDEDPRODUCT_H
