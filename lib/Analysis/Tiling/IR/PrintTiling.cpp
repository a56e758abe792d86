//===- PrintTiling.cpp - The pass that prints tilings ---------------------===//
//
// Prints the tiling of a launch, and the statements of a chain (Passes.td).
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Passes.h"
#include "Mirage/Analysis/Tiling/ApplyTiling.h"
#include "Mirage/Dialect/Mirage/IR/MirageDialect.h"
#include "Mirage/MuGraph/IR/ImportMuGraph.h"
#include "Mirage/Support/PassSupport.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

namespace mirage {
#define GEN_PASS_DEF_PRINTTILING
#include "Mirage/Analysis/Passes.h.inc"
} // namespace mirage

using namespace mlir;
using namespace mirage;
using namespace mirage::tiling;

static void printDAG(StringRef title, const ScheduleDAG &dag,
                     const ChainShape &shape, ArrayRef<int64_t> tiles) {
  llvm::outs() << "  " << title << ": " << toString(dag) << "\n";
  for (const Statement &statement : dag.statements)
    llvm::outs() << llvm::formatv(
        "    {0}: {1:f0} {2}\n", statement.getName(),
        getVolume(statement, shape, tiles),
        statement.kind == Statement::Kind::Compute ? "flops" : "bytes");
}

namespace {
struct PrintTiling : public mirage::impl::PrintTilingBase<PrintTiling> {
  using PrintTilingBase::PrintTilingBase;

  void runOnOperation() override {
    markAllAnalysesPreserved();
    if (failed(checkOptions(
            getOperation().getLoc(), getArgument(),
            {{tiles.empty() || !expression.empty(), "tiles", "with expr"}})))
      return signalPassFailure();
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (function.isExternal())
        continue;
      FailureOr<ImportedGraph> imported = importMuGraph(function);
      if (failed(imported))
        return signalPassFailure();
      std::string why;
      std::optional<unsigned> location;
      std::optional<Chain> chain = readChain(imported->graph, why, location);
      if (chain && !expression.empty()) {
        if (failed(printSchedule(function, *chain)))
          return signalPassFailure();
        continue;
      }
      printFound(function, imported->graph);
    }
  }

private:
  static void printFound(func::FuncOp function, const MuGraph &graph) {
    std::string error;
    std::optional<Tiling> tiling = findTiling(graph, error);
    llvm::outs() << "@" << function.getName() << ": "
                 << (tiling ? toString(*tiling)
                            : "no tiling expression: " + error)
                 << "\n";
  }

  LogicalResult printSchedule(func::FuncOp function, const Chain &chain) {
    std::string error;
    std::optional<Tiling> tiling =
        parseTiling(expression, tiles, chain.shape, error);
    if (!tiling)
      return function.emitError()
             << "option of " << getArgument() << ", " << error;
    std::optional<Schedule> result =
        schedule(tiling->expression,
                 chain.shape.getScheduleProblem(tiling->tiles), error);
    if (!result)
      return function.emitError()
             << "no tiling of @" << function.getName() << " is "
             << toString(*tiling) << ": " << error;
    for (auto [loop, tile] : llvm::enumerate(tiling->tiles))
      if (int64_t size = chain.shape.sizes[loop]; size % tile != 0)
        emitWarning(function.getLoc())
            << "tile " << getLoopName(loop) << ":" << tile
            << " does not divide the " << size << " elements along "
            << getLoopName(loop) << ": counts are those of padded tiles, which "
            << "mirage-tile cannot apply";
    llvm::outs() << "@" << function.getName() << ": " << toString(*tiling)
                 << "\n";
    printDAG("before", getInitialDAG(tiling->expression, result->products),
             chain.shape, tiling->tiles);
    printDAG("after", result->getDAG(), chain.shape, tiling->tiles);
    llvm::outs() << llvm::formatv(
        "  shared memory of one tile each: {0} bytes\n",
        estimateSharedMemory(chain.shape, tiling->tiles));
    return success();
  }
};
} // namespace
