//===- Attention.h - Attention among simple operators -----------*- C++ -*-===//
//
// Recognizes softmax(scale Q K^T + mask) V as frameworks write it: with the
// scale on the scores, on queries and keys or divided between them, dimensions
// in any order and merged for the products, products of either order, heads
// that share keys and values among the rows, casts to f32 around softmax, and
// rows without a key set to zero.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TRANSFORMS_RAISECOMPOSITES_ATTENTION_H
#define MIRAGE_LIB_TRANSFORMS_RAISECOMPOSITES_ATTENTION_H

#include "AxisLayout.h"
#include "Mirage/Interfaces/MuGraphOpInterface.h"
#include "mlir/IR/Builders.h"

namespace mirage {

struct AttentionMatch {
  AxisTable axes;
  /// The operands before any change of layout; the mask may be missing.
  AxisView query, key, value, mask;
  /// The value that the operator replaces: the product, or what its layout and
  /// type were changed to.
  AxisView result;
  double scale = 1.0;
  /// The factor of the mask, which stays an operator before attention.
  double maskScale = 1.0;
  /// The operator's dimensions: batch dimensions, queries, keys, and elements
  /// of queries and of values.
  AxisLayout batch;
  AxisDim queries, keys, inner, elements;
  unsigned numOperators = 0;

  AxisLayout getDims(const AxisDim &rows, const AxisDim &columns) const;
};

/// Matches at the product with the values.
std::optional<AttentionMatch> matchAttention(ComputeOpInterface op);

/// Creates the operator, with the casts and reshapes that it needs.
mlir::Value createAttention(mlir::OpBuilder &builder, mlir::Location loc,
                            const AttentionMatch &match);

} // namespace mirage

#endif // MIRAGE_LIB_TRANSFORMS_RAISECOMPOSITES_ATTENTION_H
