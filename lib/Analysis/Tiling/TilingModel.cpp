//===- TilingModel.cpp - MCFuser's estimates of tilings -------------------===//
//
// Equations 1 to 5 and the detection of memory-bound products.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Tiling/TilingModel.h"
#include "Mirage/Analysis/Cost/CostModel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mirage;
using namespace mirage::tiling;
using llvm::ArrayRef;

std::string mirage::tiling::toString(const Tiling &tiling) {
  std::string text = "expr=" + toString(tiling.expression) + " tiles=";
  for (auto [loop, tile] : llvm::enumerate(tiling.tiles))
    text +=
        llvm::formatv("{0}{1}:{2}", loop ? "," : "", getLoopName(loop), tile);
  return text;
}

std::optional<Tiling> mirage::tiling::parseTiling(llvm::StringRef expression,
                                                  llvm::StringRef tiles,
                                                  const ChainShape &shape,
                                                  std::string &error) {
  ParseError parseError;
  auto fail = [&](llvm::StringRef option, llvm::StringRef text) {
    error = llvm::formatv("{0}={1}, column {2}: {3}", option, text,
                          parseError.column, parseError.message);
    return std::nullopt;
  };
  Tiling tiling;
  auto parsed =
      parseTilingExpression(expression, shape.getNumLoops(), parseError);
  if (!parsed)
    return fail("expr", expression);
  tiling.expression = std::move(*parsed);
  tiling.tiles.assign(shape.getNumLoops(), 0);
  if (!tiles.empty()) {
    auto sizes = parseTiles(tiles, shape.getNumLoops(), parseError);
    if (!sizes)
      return fail("tiles", tiles);
    tiling.tiles = std::move(*sizes);
  }
  for (auto [tile, size] : llvm::zip_equal(tiling.tiles, shape.sizes))
    if (tile == 0)
      tile = size;
  return tiling;
}

int64_t mirage::tiling::estimateSharedMemory(const ChainShape &shape,
                                             ArrayRef<int64_t> tiles) {
  int64_t bytes = tiles[rowLoop] * tiles[getContractedLoop(0)] * shape.lhsBytes;
  for (unsigned product = 0; product < shape.getNumProducts(); ++product) {
    int64_t columns = tiles[getColumnLoop(product)];
    bytes +=
        tiles[getContractedLoop(product)] * columns * shape.rhsBytes[product];
    bytes += tiles[rowLoop] * columns * shape.resultBytes[product];
  }
  return bytes;
}

static int64_t getElementBytes(const Statement &statement,
                               const ChainShape &shape) {
  switch (statement.kind) {
  case Statement::Kind::Load:
    return statement.tensor == 'A' ? shape.lhsBytes
                                   : shape.rhsBytes[statement.product];
  case Statement::Kind::Store:
    return shape.resultBytes[statement.product];
  case Statement::Kind::Compute:
    return 2; // A multiplication and an addition.
  }
  llvm_unreachable("unknown kind of statement");
}

static double getExtent(const ChainShape &shape, ArrayRef<int64_t> tiles,
                        Loop loop) {
  return llvm::divideCeil(shape.sizes[loop], tiles[loop]);
}

double mirage::tiling::getVolume(const Statement &statement,
                                 const ChainShape &shape,
                                 ArrayRef<int64_t> tiles) {
  double volume = getElementBytes(statement, shape);
  for (Loop loop : statement.related) {
    volume *= tiles[loop];
    // Without a loop around it that selects a tile, it has all of them.
    if (!llvm::is_contained(statement.loops, loop))
      volume *= getExtent(shape, tiles, loop);
  }
  for (Loop loop : statement.loops)
    volume *= getExtent(shape, tiles, loop);
  return volume * shape.batch;
}

PublishedCounts mirage::tiling::countPublished(const Schedule &schedule,
                                               const ChainShape &shape,
                                               ArrayRef<int64_t> tiles) {
  PublishedCounts counts;
  LoopPath grid = schedule.getGrid();
  counts.blocks = shape.batch;
  for (Loop loop : grid)
    counts.blocks *= llvm::divideCeil(shape.sizes[loop], tiles[loop]);
  // Blocks share no tiles: their loops are around every statement.
  auto getVolumeOfBlocks = [&](const Statement &statement) {
    double volume = getVolume(statement, shape, tiles);
    for (Loop loop : grid)
      if (!llvm::is_contained(statement.loops, loop))
        volume *= getExtent(shape, tiles, loop);
    return volume;
  };
  for (const Statement &statement : schedule.getDAG().statements) {
    double volume = getVolumeOfBlocks(statement);
    switch (statement.kind) {
    case Statement::Kind::Load:
      counts.loadedBytes += volume;
      break;
    case Statement::Kind::Compute:
      counts.flops += volume;
      break;
    case Statement::Kind::Store:
      counts.storedBytes += volume;
      break;
    }
  }
  return counts;
}

double mirage::tiling::estimatePublished(const Schedule &schedule,
                                         const ChainShape &shape,
                                         ArrayRef<int64_t> tiles,
                                         const TargetDescription &target) {
  PublishedCounts counts = countPublished(schedule, shape, tiles);
  return mirage::estimatePublished(counts.loadedBytes + counts.storedBytes,
                                   counts.flops, counts.blocks, target);
}

double mirage::tiling::getComputeIntensity(int64_t rows, int64_t columns,
                                           int64_t contracted, int64_t lhsBytes,
                                           int64_t rhsBytes,
                                           int64_t resultBytes) {
  double m = rows, n = columns, k = contracted;
  return 2 * m * n * k /
         (m * k * lhsBytes + k * n * rhsBytes + m * n * resultBytes);
}

MemoryBound mirage::tiling::detectMemoryBound(const ChainShape &shape,
                                              const TargetDescription &target) {
  MemoryBound result;
  result.balance = target.tensorThroughput * 1e3 / target.hbmBandwidth;
  auto getBytes = [&](Loop rows, Loop columns, int64_t bytes) {
    return static_cast<double>(shape.batch) * shape.sizes[rows] *
           shape.sizes[columns] * bytes;
  };
  int64_t lhsBytes = shape.lhsBytes;
  for (unsigned product = 0; product < shape.getNumProducts(); ++product) {
    Loop contracted = getContractedLoop(product),
         columns = getColumnLoop(product);
    int64_t rhsBytes = shape.rhsBytes[product],
            resultBytes = shape.resultBytes[product];
    result.intensities.push_back(getComputeIntensity(
        shape.sizes[rowLoop], shape.sizes[columns], shape.sizes[contracted],
        lhsBytes, rhsBytes, resultBytes));
    double lhs = getBytes(rowLoop, contracted, lhsBytes),
           rhs = getBytes(contracted, columns, rhsBytes),
           stored = getBytes(rowLoop, columns, resultBytes);
    result.separateBytes += lhs + rhs + stored;
    result.fusedBytes += rhs;
    if (product == 0)
      result.fusedBytes += lhs;
    if (product + 1 == shape.getNumProducts())
      result.fusedBytes += stored;
    lhsBytes = resultBytes;
  }
  return result;
}

bool MemoryBound::canFusionPay() const {
  return intensities.size() > 1 &&
         llvm::any_of(intensities, [&](double phi) { return phi < balance; });
}
