//===- MergedProducts.h - Products that are one, and are not ----*- C++ -*-===//
//
// Declares what the rules of transformations make of products that share their
// left operand, and of products of which parts are read.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TRANSFORMS_MERGEDPRODUCTS_H
#define MIRAGE_LIB_TRANSFORMS_MERGEDPRODUCTS_H

#include "mlir/IR/PatternMatch.h"

namespace mirage {

/// Returns whether a value depends on nothing but constant arguments of its
/// function, by operators without effects.
bool isLoaded(mlir::Value value);

/// Returns whether a product is the first of several ones with weights that one
/// value is multiplied with, and that can be one product.
bool isFirstOfSeveral(mlir::Value product);

/// Makes such products slices of one product. Returns the slice for the first
/// one, and replaces the others by theirs. The weights of the one product are
/// concatenated.
mlir::Value mergeProducts(mlir::PatternRewriter &rewriter, mlir::Location loc,
                          mlir::Value product);

/// Returns whether a slice of a product has all of its rows and batches, and
/// columns one beside the other.
bool takesColumns(mlir::Value slice, mlir::Value product);

/// Returns the product of the columns that such a slice has. Where the weight
/// is a concatenation of weights and the columns are those of one of them, it
/// is that one, so that merged products become those that they were made of.
mlir::Value multiplySlice(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value slice, mlir::Value product);

} // namespace mirage

#endif // MIRAGE_LIB_TRANSFORMS_MERGEDPRODUCTS_H
