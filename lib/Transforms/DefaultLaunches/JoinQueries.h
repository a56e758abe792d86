//===- JoinQueries.h - Queries of heads that share keys ---------*- C++ -*-===//
//
// Makes one matrix of the queries of all heads that share keys and values, so
// that a launch of attention loads these once for tiles of rows of any heads.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TRANSFORMS_DEFAULTLAUNCHES_JOINQUERIES_H
#define MIRAGE_LIB_TRANSFORMS_DEFAULTLAUNCHES_JOINQUERIES_H

#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"

namespace mirage {

/// Replaces attention by that of reshaped operands in which the innermost batch
/// dimension, if keys, values and mask have a size of one there, and the
/// dimension of the queries are one. A mask must be the same for all queries.
/// Returns the new operator. The given one is returned where there is no such
/// dimension, and where queries or the result are transposed beside the
/// operator, since rows that are stored in another order are no matrix.
kernel::AttentionOp joinQueries(kernel::AttentionOp op);

} // namespace mirage

#endif // MIRAGE_LIB_TRANSFORMS_DEFAULTLAUNCHES_JOINQUERIES_H
