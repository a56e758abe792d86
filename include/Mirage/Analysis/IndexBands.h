//===- IndexBands.h - Constants that indices make ---------------*- C++ -*-===//
//
// Says which constants are bands of two numbers, as masks are: launches compute
// the elements of these, and nobody loads them.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ANALYSIS_INDEXBANDS_H
#define MIRAGE_ANALYSIS_INDEXBANDS_H

#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "Mirage/Semantics/IndexBand.h"

namespace mirage {

/// Returns the constant that a value is, perhaps under another shape.
kernel::ConstantOp getConstant(mlir::Value value);

/// Returns the band that such a constant is, if it is one. Under another shape
/// its elements have the same order.
std::optional<IndexBand> findIndexBand(mlir::Value constant);

} // namespace mirage

#endif // MIRAGE_ANALYSIS_INDEXBANDS_H
