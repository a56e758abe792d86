//===- Attention.h - Attention among simple operators -----------*- C++ -*-===//
//
// softmax(scale Q K^T + mask) V as frameworks write it: with the scale on the
// scores, on queries and keys or divided between them, batch dimensions
// collapsed for the products, casts to f32 around softmax, key-value heads
// repeated for groups of query heads, and rows without a key set to zero.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TRANSFORMS_RAISECOMPOSITES_ATTENTION_H
#define MIRAGE_LIB_TRANSFORMS_RAISECOMPOSITES_ATTENTION_H

#include "Mirage/Interfaces/MuGraphOpInterface.h"
#include "mlir/IR/Builders.h"

namespace mirage {

struct AttentionMatch {
  /// Matrices in the innermost two dimensions; `transposeKey` and
  /// `transposeValue` say that a matrix has its elements exchanged against what
  /// the attention operator reads, and so for queries.
  mlir::Value query, key, value, mask;
  bool transposeQuery = false, transposeKey = false, transposeValue = false;
  double scale = 1.0;
  /// Batch dimensions, queries and keys, as softmax sees the scores.
  llvm::SmallVector<int64_t, 4> scoresShape;
  mlir::RankedTensorType resultType;
  unsigned numOperators = 0;
};

/// Matches at the product with the values, or at the cast of its result.
std::optional<AttentionMatch> matchAttention(MuGraphOpInterface op);

/// The operator, with the casts and reshapes it needs.
mlir::Value createAttention(mlir::OpBuilder &builder, mlir::Location loc,
                            const AttentionMatch &match);

} // namespace mirage

#endif // MIRAGE_LIB_TRANSFORMS_RAISECOMPOSITES_ATTENTION_H
