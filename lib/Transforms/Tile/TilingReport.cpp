//===- TilingReport.cpp - What a tile search did --------------------------===//
//
// Writes remarks at the function, and the same numbers as JSON.
//
//===----------------------------------------------------------------------===//

#include "TilingReport.h"
#include "Mirage/Support/PassSupport.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace mirage;
using namespace mirage::tiling;

static const char *const ruleNames[] = {"all", "rule1", "rule2", "rule3",
                                        "rule4"};
static const char *const ruleMeanings[] = {
    "expressions times tiles", "one expression of those that make one block",
    "no several tiles of an intermediate result", "no padding",
    "one tile of each tensor in 1.2 times the shared memory"};

void mirage::remarkOnMemoryBound(func::FuncOp function, const ChainShape &shape,
                                 const TargetDescription &target) {
  MemoryBound bound = detectMemoryBound(shape, target);
  std::string intensities;
  llvm::raw_string_ostream os(intensities);
  llvm::interleave(
      bound.intensities, os,
      [&](double phi) { os << llvm::formatv("{0:f1}", phi); }, " ");
  auto options = getRemarkOptions("mirage-tile", "memory-bound", function);
  auto out = bound.canFusionPay() ? remark::passed(function.getLoc(), options)
                                  : remark::missed(function.getLoc(), options);
  out << (bound.canFusionPay()
              ? "fusion can pay: a product computes fewer flops for each byte "
                "than the target"
              : "fusion cannot pay: no product is bound by memory, or there is "
                "only one")
      << remark::metric("phi", intensities)
      << remark::metric("balance", llvm::formatv("{0:f1}", bound.balance).str())
      << remark::metric("separateBytes",
                        llvm::formatv("{0:f0}", bound.separateBytes).str())
      << remark::metric("fusedBytes",
                        llvm::formatv("{0:f0}", bound.fusedBytes).str());
}

void mirage::remarkOnSearch(func::FuncOp function, const TunedChain &tuned,
                            StringRef source) {
  for (auto [size, name, meaning] :
       llvm::zip_equal(tuned.space.sizes, ruleNames, ruleMeanings))
    remark::analysis(function.getLoc(),
                     getRemarkOptions("mirage-tile", name, function))
        << meaning << remark::metric("expressions", size.expressions)
        << remark::metric("candidates", size.candidates);
  remark::passed(function.getLoc(),
                 getRemarkOptions("mirage-tile", "chosen", function))
      << toString(tuned.tiling)
      << remark::metric("microseconds",
                        llvm::formatv("{0:f3}", tuned.microseconds).str())
      << remark::metric("estimated", tuned.search.estimated)
      << remark::metric("measured", tuned.search.measured)
      << remark::metric("generations", tuned.search.generations)
      << remark::metric("exhaustive", tuned.search.wasExhaustive ? 1 : 0)
      << remark::metric(
             "predicted",
             llvm::formatv("{0:f3}", tuned.estimatedMicroseconds).str())
      << remark::metric("measuredBy", source);
}

static llvm::json::Array toJSON(const std::array<SpaceSize, 5> &sizes) {
  llvm::json::Array rules;
  for (auto [size, name] : llvm::zip_equal(sizes, ruleNames))
    rules.push_back(llvm::json::Object{{"after", name},
                                       {"expressions", size.expressions},
                                       {"candidates", size.candidates}});
  return rules;
}

llvm::json::Object mirage::toJSON(func::FuncOp function, const Chain &chain,
                                  const Tiling &tiling,
                                  const TuneOptions &options) {
  PruningRules published = options.rules;
  published.sharedMemoryPerBlock = options.target.sharedMemoryPerBlock;
  // JSON has no infinity.
  auto getTime = [&](CostModel model) -> llvm::json::Value {
    double time = estimateTiling(chain, tiling, options.target, model);
    return std::isfinite(time) ? llvm::json::Value(time) : nullptr;
  };
  std::string error;
  std::optional<Schedule> schedule = getSchedule(chain.shape, tiling, error);
  MemoryBound bound = detectMemoryBound(chain.shape, options.target);
  return llvm::json::Object{
      {"function", function.getName()},
      {"tiling", toString(tiling)},
      {"expression", toString(tiling.expression)},
      {"block_expression", toString(schedule->getBlockExpression())},
      {"microseconds", getTime(CostModel::Mirage)},
      {"published_microseconds", getTime(CostModel::Published)},
      {"estimated_shared_bytes",
       estimateSharedMemory(chain.shape, tiling.tiles)},
      {"planned_shared_bytes",
       planSharedMemory(chain, *schedule, tiling.tiles)},
      {"phi", llvm::json::Array(bound.intensities)},
      {"balance", bound.balance},
      {"can_fusion_pay", bound.canFusionPay()},
      {"published_space", ::toJSON(makeSpace(chain.shape, published).sizes)}};
}

void mirage::addSearch(llvm::json::Object &entry, const TunedChain &tuned,
                       StringRef source, double seconds) {
  entry["space"] = ::toJSON(tuned.space.sizes);
  entry["estimated"] = tuned.search.estimated;
  entry["measured"] = tuned.search.measured;
  entry["generations"] = tuned.search.generations;
  entry["exhaustive"] = tuned.search.wasExhaustive;
  entry["measured_by"] = source.str();
  entry["measured_microseconds"] = tuned.microseconds;
  entry["predicted_microseconds"] = tuned.estimatedMicroseconds;
  entry["seconds"] = seconds;
}
