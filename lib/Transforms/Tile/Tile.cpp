//===- Tile.cpp - Chains become one kernel of tiles -----------------------===//
//
// Implements the pass around tilings; see Passes.td. It reads chains, asks for
// a tiling or for the best one, measured or by a model, and writes the launch.
//
//===----------------------------------------------------------------------===//

#include "../Measure/GraphMeasurer.h"
#include "Mirage/Analysis/Tiling/ApplyTiling.h"
#include "Mirage/Dialect/Block/IR/BlockDialect.h"
#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "Mirage/Dialect/Thread/IR/ThreadDialect.h"
#include "Mirage/MuGraph/IR/ExportMuGraph.h"
#include "Mirage/MuGraph/IR/ImportMuGraph.h"
#include "Mirage/Search/Tiling/TuneChain.h"
#include "Mirage/Support/PassSupport.h"
#include "Mirage/Transforms/Passes.h"
#include "TilingReport.h"
#include "llvm/Support/FormatVariadic.h"
#include <chrono>

namespace mirage {
#define GEN_PASS_DEF_TILE
#include "Mirage/Transforms/Passes.h.inc"
} // namespace mirage

using namespace mlir;
using namespace mirage;
using namespace mirage::tiling;

namespace {

struct Tile : public mirage::impl::TileBase<Tile> {
  using TileBase::TileBase;

  void runOnOperation() override;

private:
  FailureOr<TuneOptions> getTuneOptions();
  FailureOr<SmallVector<func::FuncOp>> findFunctions();
  std::optional<Chain> readFunction(func::FuncOp function);
  FailureOr<Tiling> parseOptions(func::FuncOp function, const Chain &chain);
  /// Returns nothing, with a warning, if there is no chain and none was asked
  /// for by name.
  FailureOr<std::optional<Tiling>> search(func::FuncOp function,
                                          const Chain &chain,
                                          const TuneOptions &options,
                                          MeasurementFile &file);
  LogicalResult tile(func::FuncOp function, const Chain &chain,
                     const TuneOptions &options, MeasurementFile &file);
  LogicalResult replace(func::FuncOp function, const Chain &chain,
                        const Tiling &tiling);
  LogicalResult writeStatistics();

  llvm::json::Array statistics;
};

} // namespace

/// Returns the model, where it is a model that measures.
static CostModel getModel(TilingMeasure measure, CostModel estimate) {
  switch (measure) {
  case TilingMeasure::Mirage:
    return CostModel::Mirage;
  case TilingMeasure::Published:
    return CostModel::Published;
  case TilingMeasure::General:
    return CostModel::General;
  case TilingMeasure::Device:
  case TilingMeasure::Recorded:
  case TilingMeasure::Auto:
  case TilingMeasure::Instructions:
    return estimate;
  }
  llvm_unreachable("unknown measure");
}

static bool isModel(TilingMeasure measure) {
  return measure == TilingMeasure::Mirage ||
         measure == TilingMeasure::Published ||
         measure == TilingMeasure::General;
}

FailureOr<TuneOptions> Tile::getTuneOptions() {
  TuneOptions options;
  options.estimate = estimate;
  options.measure = getModel(measure, estimate);
  options.rules.deduplicate = rule1;
  options.rules.intermediateTiles = rule2;
  options.rules.padding = rule3;
  options.rules.sharedMemory = rule4;
  options.search.population = population;
  options.search.top = top;
  options.search.epsilon = epsilon;
  options.search.patience = patience;
  options.search.exhaustive = exhaustive;
  options.search.seed = seed;
  FailureOr<TargetDescription> description = findTarget(getOperation(), target);
  if (failed(description) ||
      failed(checkOptions(
          getOperation().getLoc(), getArgument(),
          {{population >= 1 && population <= 1000000, "population",
            "from 1 to 1000000"},
           {top >= 1, "top", "at least 1"},
           {epsilon >= 0, "epsilon", "no less than 0"},
           {patience >= 1, "patience", "at least 1"},
           {tiles.empty() || !expression.empty(), "tiles", "with expr"},
           {isModel(measure) || expression.empty(),
            "measure=device, recorded or auto", "without expr"},
           {measurements.empty() || !isModel(measure), "measurements",
            "with measure=device, recorded or auto"},
           {measure != TilingMeasure::Recorded || !measurements.empty(),
            "measure=recorded", "with measurements"}})))
    return failure();
  options.target = std::move(*description);
  return options;
}

FailureOr<SmallVector<func::FuncOp>> Tile::findFunctions() {
  SmallVector<func::FuncOp> functions;
  if (function.empty()) {
    for (auto candidate : getOperation().getOps<func::FuncOp>())
      if (!candidate.isExternal())
        functions.push_back(candidate);
    return functions;
  }
  FailureOr<func::FuncOp> named = lookupFunction(getOperation(), function);
  if (failed(named))
    return failure();
  functions.push_back(*named);
  return functions;
}

/// A function that is no chain is an error if it was asked for by name.
std::optional<Chain> Tile::readFunction(func::FuncOp subject) {
  std::string reason;
  Location loc = subject.getLoc();
  std::optional<Chain> chain;
  FailureOr<ImportedGraph> imported = importMuGraph(subject, reason, loc);
  if (succeeded(imported)) {
    std::optional<unsigned> location;
    chain = readChain(imported->graph, reason, location);
    if (location && *location < imported->operations.size())
      loc = imported->operations[*location]->getLoc();
  }
  if (chain)
    return chain;
  if (function.empty())
    remark::missed(loc, getRemarkOptions("mirage-tile", "no-chain", subject))
        << remark::reason("{0}", reason);
  else
    emitError(loc) << "@" << subject.getName()
                   << " is no chain of products: " << reason;
  return std::nullopt;
}

FailureOr<Tiling> Tile::parseOptions(func::FuncOp subject, const Chain &chain) {
  std::string error;
  std::optional<Tiling> tiling =
      parseTiling(expression, tiles, chain.shape, error);
  if (!tiling)
    return subject.emitError()
           << "option of " << getArgument() << ", " << error;
  return std::move(*tiling);
}

FailureOr<std::optional<Tiling>> Tile::search(func::FuncOp subject,
                                              const Chain &chain,
                                              const TuneOptions &options,
                                              MeasurementFile &file) {
  auto start = std::chrono::steady_clock::now();
  GraphMeasurer measurer({subject, getArgument(), toString(chain.program),
                          options.target, hasExactSums(chain)},
                         file);
  if (!isModel(measure) && failed(measurer.open(measure)))
    return failure();
  auto measureTiling = [&](const Tiling &tiling, double estimated) {
    return measurer.measure(toString(tiling), estimated,
                            [&](std::string &reason) {
                              return applyTiling(chain, tiling, reason);
                            });
  };
  std::string error;
  std::optional<TunedChain> tuned =
      measurer.isInUse() ? tuneChain(chain, options, error, measureTiling)
                         : tuneChain(chain, options, error);
  measurer.finish();
  std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - start;
  if (measurer.hasFailed())
    return failure();
  if (!tuned) {
    // Only functions that were asked for by name must have a chain.
    InFlightDiagnostic diagnostic = function.empty()
                                        ? emitWarning(subject.getLoc())
                                        : emitError(subject.getLoc());
    diagnostic << "no tiling of @" << subject.getName()
               << " was found: " << error;
    if (!function.empty())
      return diagnostic;
    return std::optional<Tiling>();
  }
  std::string source =
      measurer.isInUse() ? measurer.getSource()
                         : "model " + stringifyCostModel(options.measure).str();
  remarkOnSearch(subject, *tuned, source);
  if (!stats.empty()) {
    llvm::json::Object entry = toJSON(subject, chain, tuned->tiling, options);
    addSearch(entry, *tuned, source, seconds.count());
    if (measurer.isInUse())
      entry["measurements"] = measurer.toJSON();
    statistics.push_back(std::move(entry));
  }
  return std::optional(tuned->tiling);
}

LogicalResult Tile::replace(func::FuncOp subject, const Chain &chain,
                            const Tiling &tiling) {
  std::string error;
  std::optional<MuGraph> graph = applyTiling(chain, tiling, error);
  if (!graph)
    return subject.emitError() << "no tiling of @" << subject.getName()
                               << " is " << toString(tiling) << ": " << error;
  // The launch is built in the module, whose target the verifier asks for.
  OpBuilder at(subject);
  FailureOr<func::FuncOp> written =
      exportFunction(*graph, subject.getName(), at, subject.getLoc());
  if (failed(written))
    return failure();
  (*written)->remove();
  subject.getBody().takeBody(written->getBody());
  written->erase();
  return success();
}

LogicalResult Tile::writeStatistics() {
  if (stats.empty())
    return success();
  return writeOptionFile(
      getOperation().getLoc(), "stats", stats, [&](llvm::raw_ostream &os) {
        os << llvm::formatv("{0:2}\n",
                            llvm::json::Value(std::move(statistics)));
      });
}

LogicalResult Tile::tile(func::FuncOp subject, const Chain &chain,
                         const TuneOptions &options, MeasurementFile &file) {
  remarkOnMemoryBound(subject, chain.shape, options.target);
  if (expression.empty()) {
    FailureOr<std::optional<Tiling>> found =
        search(subject, chain, options, file);
    if (failed(found))
      return failure();
    return *found ? replace(subject, chain, **found) : success();
  }
  FailureOr<Tiling> tiling = parseOptions(subject, chain);
  if (failed(tiling) || failed(replace(subject, chain, *tiling)))
    return failure();
  if (!stats.empty())
    statistics.push_back(toJSON(subject, chain, *tiling, options));
  return success();
}

void Tile::runOnOperation() {
  statistics = {};
  FailureOr<TuneOptions> options = getTuneOptions();
  if (failed(options))
    return signalPassFailure();
  FailureOr<SmallVector<func::FuncOp>> functions = findFunctions();
  if (failed(functions) ||
      failed(checkOptionFiles(
          getOperation().getLoc(),
          {{"stats", stats},
           {"measurements", measurements,
            /*isWritten=*/measure != TilingMeasure::Recorded}})))
    return signalPassFailure();
  MeasurementFile file(measurements);
  if (failed(file.read(getOperation().getLoc())))
    return signalPassFailure();
  bool hasChain = false;
  for (func::FuncOp subject : *functions) {
    std::optional<Chain> chain = readFunction(subject);
    if (!chain) {
      if (!function.empty())
        return signalPassFailure();
      continue;
    }
    hasChain = true;
    if (failed(tile(subject, *chain, *options, file)))
      return signalPassFailure();
  }
  if (!hasChain && !expression.empty())
    emitWarning(getOperation().getLoc())
        << "no function is a chain of products, so that option expr of "
        << getArgument() << " is not used: remarks say why";
  if (failed(writeStatistics()))
    signalPassFailure();
}
