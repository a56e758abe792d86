//===- ChainShapes.h - Shapes and tilings of chains for tests ---*- C++ -*-===//
//
// Makes plain chains, and selects their tilings with the rows outermost.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_UNITTESTS_ANALYSIS_TILING_CHAINSHAPES_H
#define MIRAGE_UNITTESTS_ANALYSIS_TILING_CHAINSHAPES_H

#include "Mirage/Analysis/Tiling/Chain.h"

namespace mirage::tiling {

/// A chain of f16 throughout, with nothing between the products.
inline ChainShape makeChainShape(int64_t batch, llvm::ArrayRef<int64_t> sizes) {
  ChainShape shape;
  shape.batch = batch;
  shape.sizes.assign(sizes.begin(), sizes.end());
  shape.rhsBytes.assign(shape.getNumProducts(), 2);
  shape.resultBytes.assign(shape.getNumProducts(), 2);
  shape.normalized.resize(shape.getNumProducts());
  if (batch > 1)
    --shape.freeGridDims;
  return shape;
}

/// The expressions with m outermost, which stand for all: Schedule.h says why.
inline std::vector<TilingExpression> getTilingsOfBlocks(unsigned products) {
  std::vector<TilingExpression> expressions = generateTilings(products);
  llvm::erase_if(expressions, [](const TilingExpression &expression) {
    return expression.loops.empty() || expression.loops.front() != rowLoop;
  });
  return expressions;
}

} // namespace mirage::tiling

#endif // MIRAGE_UNITTESTS_ANALYSIS_TILING_CHAINSHAPES_H
