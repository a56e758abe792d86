//===- ShapeRules.h - Result shapes and their constraints -------*- C++ -*-===//
//
// Declares the shape rule of every operator, without IR. Kind, attributes and
// operand shapes come in; the results' shapes, or the numbered constraint that
// the operands break, go out. Verifiers, type inference and search share it.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEMANTICS_SHAPERULES_H
#define MIRAGE_SEMANTICS_SHAPERULES_H

#include "Mirage/Semantics/OpAttributes.h"
#include "Mirage/Semantics/OpKind.h"
#include "llvm/Support/LogicalResult.h"
#include <string>

namespace mirage {

/// Computes the shapes of all results of an operator. On failure `error` says
/// which constraint is broken and how, for instance
/// "lhs contracts 64 elements, rhs 32 (matmul_c2)".
llvm::LogicalResult inferShapes(OpKind kind, const OpAttributes &attributes,
                                llvm::ArrayRef<Shape> operands,
                                llvm::SmallVectorImpl<Shape> &results,
                                std::string &error);

/// Returns the shape to which all `shapes` broadcast: ranks are equal, sizes
/// are equal or one.
std::optional<Shape> broadcastShapes(llvm::ArrayRef<Shape> shapes);

/// Returns the product of the sizes, or nothing where it exceeds a signed
/// 64-bit number.
std::optional<int64_t> checkedElementCount(ShapeRef shape);

/// Returns the product of the sizes; the shape must have passed
/// checkedElementCount.
inline int64_t elementCount(ShapeRef shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

/// Prints a shape: "2x16x64", or "scalar" for rank zero.
std::string toString(ShapeRef shape);

} // namespace mirage

#endif // MIRAGE_SEMANTICS_SHAPERULES_H
