//===- TuneChain.cpp - The best tiling of a chain -------------------------===//
//
// Candidates are estimated by equations 2 to 5, or as the block graph that they
// become.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Tiling/TuneChain.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"
#include <limits>

using namespace mirage;
using namespace mirage::tiling;

static constexpr double infinite = std::numeric_limits<double>::infinity();

static KernelSummary summarizeLaunch(const Chain &chain,
                                     const Schedule &schedule,
                                     llvm::ArrayRef<int64_t> tiles,
                                     CostModel model = CostModel::Mirage) {
  MuGraph graph = applySchedule(chain, schedule, tiles);
  SummarizedKernel kernel = std::move(summarize(graph).front());
  if (model == CostModel::General)
    kernel.summary.general =
        countGeneralWork(graph, graph.getNode(kernel.node));
  return std::move(kernel.summary);
}

int64_t mirage::tiling::planSharedMemory(const Chain &chain,
                                         const Schedule &schedule,
                                         llvm::ArrayRef<int64_t> tiles) {
  return summarizeLaunch(chain, schedule, tiles).plannedBytes;
}

double mirage::tiling::estimateTiling(const Chain &chain, const Tiling &tiling,
                                      const TargetDescription &target,
                                      CostModel model) {
  std::string error;
  std::optional<Schedule> schedule = getSchedule(chain.shape, tiling, error);
  if (!schedule)
    return infinite;
  KernelSummary summary =
      summarizeLaunch(chain, *schedule, tiling.tiles, model);
  if (summary.plannedBytes > target.sharedMemoryPerBlock)
    return infinite;
  if (model == CostModel::Published)
    return tiling::estimatePublished(*schedule, chain.shape, tiling.tiles,
                                     target);
  return estimateKernel(summary, target, model).microseconds;
}

std::optional<TunedChain>
mirage::tiling::tuneChain(const Chain &chain, const TuneOptions &options,
                          std::string &error, MeasureTiling measureTiling) {
  const ChainShape &shape = chain.shape;
  if (shape.getNumProducts() > maxGeneratedProducts) {
    error = llvm::formatv("expressions are generated for chains of at most {0} "
                          "products, and this one has {1}",
                          maxGeneratedProducts, shape.getNumProducts());
    return std::nullopt;
  }
  PruningRules rules = options.rules;
  rules.padding = true;
  rules.maxPadding = 0;
  rules.smallDivisors = true;
  rules.sharedMemoryPerBlock = options.target.sharedMemoryPerBlock;
  TunedChain result;
  result.space = makeSpace(shape, rules);
  if (!options.rules.padding) {
    rules.padding = false;
    result.space.sizes = makeSpace(shape, rules).sizes;
  }

  auto estimate = [&](const TilingPoint &point) {
    Tiling tiling = getTiling(result.space, point);
    if (!result.space.fits(shape, tiling.tiles))
      return infinite;
    if (options.estimate != CostModel::Published)
      return estimateTiling(chain, tiling, options.target, options.estimate);
    // Equations 1 to 5 need no block graph.
    std::optional<Schedule> schedule = getSchedule(shape, tiling, error);
    return schedule ? tiling::estimatePublished(*schedule, shape, tiling.tiles,
                                                options.target)
                    : infinite;
  };
  llvm::StringSet<> measured;
  auto measure = [&](const TilingPoint &point) {
    Tiling tiling = getTiling(result.space, point);
    if (!measureTiling)
      return estimateTiling(chain, tiling, options.target, options.measure);
    // Several points are one tiling without loops of one iteration; those
    // behind the first take no place of other tilings.
    tiling.expression = getSchedule(shape, tiling, error)->getExpression();
    return measured.insert(toString(tiling)).second
               ? measureTiling(tiling, estimate(point))
               : infinite;
  };
  std::optional<TilingSearchResult> found =
      searchTiling(result.space, estimate, measure, options.search);
  if (!found && !measured.empty()) {
    error = llvm::formatv("none of {0} tilings has a measured time",
                          measured.size());
    return std::nullopt;
  }
  if (!found) {
    error = llvm::formatv("no tiling fits into the {0} bytes of shared memory "
                          "of a block",
                          options.target.sharedMemoryPerBlock);
    return std::nullopt;
  }
  result.search = std::move(*found);
  if (measureTiling)
    result.search.measured = measured.size();
  result.tiling = getTiling(result.space, result.search.best);
  // The result is written without loops of one iteration.
  std::optional<Schedule> best = getSchedule(shape, result.tiling, error);
  result.tiling.expression = best->getExpression();
  result.microseconds = result.search.microseconds;
  result.estimatedMicroseconds = estimate(result.search.best);
  return result;
}
