//===- TilingModel.h - MCFuser's estimates of tilings -----------*- C++ -*-===//
//
// Shared memory (equation 1), traffic, flops and time (equations 2 to 5) of a
// tiling, as published: from the loops around its statements, without a block
// graph. Our own model estimates the block graph that a tiling becomes.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ANALYSIS_TILING_TILINGMODEL_H
#define MIRAGE_ANALYSIS_TILING_TILINGMODEL_H

#include "Mirage/Analysis/Tiling/Chain.h"
#include "Mirage/Semantics/Target.h"

namespace mirage::tiling {

/// An expression with the size of each loop's tile, in elements.
struct Tiling {
  TilingExpression expression;
  llvm::SmallVector<int64_t, 6> tiles;
};

/// The tiling as text: `expr=mn(k,h) tiles=m:128,k:32,n:64,h:64`.
std::string toString(const Tiling &tiling);

/// Reads the tiling of a chain. A tile that is not named is its whole
/// dimension. The error says which text is wrong, and where.
std::optional<Tiling> parseTiling(llvm::StringRef expression,
                                  llvm::StringRef tiles,
                                  const ChainShape &shape, std::string &error);

/// Equation 1: the bytes of one tile of each tensor together.
int64_t estimateSharedMemory(const ChainShape &shape,
                             llvm::ArrayRef<int64_t> tiles);

/// Equation 2 gives the bytes that a Load or Store moves for all batches, TS_X
/// times the extents of the loops around it. Equation 3 gives the flops of a
/// Compute likewise.
double getVolume(const Statement &statement, const ChainShape &shape,
                 llvm::ArrayRef<int64_t> tiles);

/// Sums of the statements' volumes. Blocks share no tiles: where a statement
/// has left a loop that is bound to blocks, each block runs it nevertheless.
struct PublishedCounts {
  double loadedBytes = 0, storedBytes = 0, flops = 0;
  int64_t blocks = 1;
};
PublishedCounts countPublished(const Schedule &schedule,
                               const ChainShape &shape,
                               llvm::ArrayRef<int64_t> tiles);

/// The microseconds of a schedule by equations 2 to 5.
double estimatePublished(const Schedule &schedule, const ChainShape &shape,
                         llvm::ArrayRef<int64_t> tiles,
                         const TargetDescription &target);

/// Says whether products are memory-bound compute-intensive operators (section
/// II).
struct MemoryBound {
  /// The flops of each product for each byte of its operands and its result.
  llvm::SmallVector<double, 4> intensities;
  /// P / W of the target: flops for each byte of device memory.
  double balance = 0;
  /// Bytes of the whole chain's inputs and result, and those of products that
  /// run one by one.
  double fusedBytes = 0, separateBytes = 0;

  /// Returns whether some product moves bytes for longer than it computes, so
  /// that keeping its operands or its result out of device memory can pay.
  bool canFusionPay() const;
};

/// The intensity phi of a product of `rows` x `contracted` by `contracted` x
/// `columns`: its flops over its bytes. Tiles of `rows` x `columns` that each
/// load what they need have the same formula.
double getComputeIntensity(int64_t rows, int64_t columns, int64_t contracted,
                           int64_t lhsBytes, int64_t rhsBytes,
                           int64_t resultBytes);

MemoryBound detectMemoryBound(const ChainShape &shape,
                              const TargetDescription &target);

} // namespace mirage::tiling

#endif // MIRAGE_ANALYSIS_TILING_TILINGMODEL_H
