//===- PrintCost.cpp - The pass that prints what kernels cost -------------===//
//
// The pass prints a table or JSON for every function; see Passes.td.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Cost/IR/CostAnalysis.h"
#include "Mirage/Analysis/Passes.h"
#include "Mirage/Dialect/Mirage/IR/MirageDialect.h"
#include "Mirage/Interfaces/MuGraphOpInterface.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <cmath>

namespace mirage {
#define GEN_PASS_DEF_PRINTCOST
#include "Mirage/Analysis/Passes.h.inc"
} // namespace mirage

using namespace mlir;
using namespace mirage;

/// The operation's name without its dialect, for a custom operator with the
/// name of the operator that it means, and the line if the operation has one.
static std::string getName(const CostAnalysis &analysis,
                           const ProgramCost::Kernel &kernel) {
  Operation *op = analysis.getOperation(kernel);
  std::string name = op->getName().stripDialect().str();
  if (isCustomOperator(op))
    name += "." + getOpInfo(analysis.getNode(kernel).op).mnemonic.str();
  if (auto location = op->getLoc()->findInstanceOf<FileLineColLoc>())
    name += ":" + std::to_string(location.getLine());
  return name;
}

static std::string getGrid(const KernelSummary &summary) {
  std::string grid = std::to_string(summary.grid[0]);
  for (int64_t extent : ArrayRef(summary.grid).drop_front())
    grid += "x" + std::to_string(extent);
  return grid;
}

static void printTable(func::FuncOp function, const CostAnalysis &analysis,
                       const ProgramCost &cost, const ProgramCost &fused,
                       CostModel model, StringRef chip) {
  const char *row = "{0,-24}{1,12}{2,8}{3,6}{4,12}{5,12}{6,14}{7,12}{8,8}"
                    "{9,10}{10,9}\n";
  llvm::outs() << "@" << function.getName() << " on " << chip << "\n"
               << llvm::formatv(row, "kernel", "grid", "blocks", "waves",
                                "loaded", "stored", "flops", "exps", "shared",
                                "bound", "us");
  for (const ProgramCost::Kernel &kernel : cost.kernels) {
    const KernelSummary &s = kernel.summary;
    llvm::outs() << llvm::formatv(
        row, getName(analysis, kernel), getGrid(s), kernel.cost.blocks,
        kernel.cost.waves, llvm::formatv("{0:f0}", s.loadedBytes).str(),
        llvm::formatv("{0:f0}", s.storedBytes).str(),
        llvm::formatv("{0:f0}", s.getFlops()).str(),
        llvm::formatv("{0:f0}", s.exponentials).str(), kernel.cost.sharedMemory,
        stringifyCostBound(kernel.cost.bound),
        llvm::formatv("{0:f2}", kernel.cost.microseconds).str());
  }
  llvm::outs() << llvm::formatv("total {0:f2} us by the model {1}\n",
                                cost.microseconds, stringifyCostModel(model));
  if (fused.kernels.size() < cost.kernels.size())
    llvm::outs() << llvm::formatv("fused {0:f2} us, {1} kernel{2}\n",
                                  fused.microseconds, fused.kernels.size(),
                                  fused.kernels.size() == 1 ? "" : "s");
  llvm::outs() << "\n";
}

/// Returns what a program would take if all rows that its kernels load and
/// store were whole lines of the L2 cache, which wide accesses move. The rest
/// of its time is that of the order in which its tensors are stored.
static double estimateWholeLines(const ProgramCost &cost,
                                 const TargetDescription &target,
                                 CostModel model) {
  double microseconds = 0;
  for (const ProgramCost::Kernel &kernel : cost.kernels) {
    KernelSummary summary = kernel.summary;
    summary.skippedBytes = summary.skippedStoreBytes = summary.narrowBytes = 0;
    summary.copiesInPieces = false;
    microseconds += estimateKernel(summary, target, model).microseconds;
  }
  return microseconds;
}

static void writeJSON(llvm::json::OStream &json, func::FuncOp function,
                      const CostAnalysis &analysis, const ProgramCost &cost,
                      const ProgramCost &fused, CostModel model,
                      const TargetDescription &target) {
  // JSON has no infinity: what does not fit has no time.
  auto time = [&](StringRef name, double microseconds) {
    if (std::isfinite(microseconds))
      json.attribute(name, microseconds);
    else
      json.attribute(name, nullptr);
  };
  json.object([&] {
    json.attribute("function", function.getName());
    json.attribute("model", stringifyCostModel(model));
    time("microseconds", cost.microseconds);
    time("whole_line_microseconds", estimateWholeLines(cost, target, model));
    time("fused_microseconds", fused.microseconds);
    json.attribute("fused_kernels", fused.kernels.size());
    json.attributeArray("kernels", [&] {
      for (const ProgramCost::Kernel &kernel : cost.kernels) {
        const KernelSummary &s = kernel.summary;
        const KernelCost &c = kernel.cost;
        json.object([&] {
          json.attribute("kernel", getName(analysis, kernel));
          json.attributeArray("grid", [&] {
            for (int64_t extent : s.grid)
              json.value(extent);
          });
          json.attribute("blocks", c.blocks);
          json.attribute("cluster_blocks", c.clusterBlocks);
          json.attribute("waves", c.waves);
          json.attribute("occupancy", c.occupancy);
          json.attribute("stages", c.stages);
          json.attribute("iterations", s.iterations);
          json.attribute("loaded_bytes", s.loadedBytes);
          json.attribute("distinct_bytes", s.distinctBytes);
          json.attribute("skipped_bytes", s.skippedBytes);
          json.attribute("skipped_store_bytes", s.skippedStoreBytes);
          json.attribute("accumulated_bytes", s.accumulatedBytes);
          json.attribute("stored_bytes", s.storedBytes);
          json.attribute("tensor_flops", s.tensorFlops);
          json.attribute("other_flops", s.otherFlops);
          json.attribute("exponentials", s.exponentials);
          json.attribute("shared_traffic_bytes", s.sharedTraffic);
          json.attribute("shared_memory_bytes", c.sharedMemory);
          json.attribute("footprint_bytes", s.footprintBytes);
          json.attribute("register_bytes", s.registerBytes);
          if (s.general)
            json.attributeObject("general_work", [&] {
              for (auto [kind, rounds] : llvm::enumerate(s.general->rounds))
                json.attribute(
                    stringifyGeneralWork(static_cast<GeneralWork::Kind>(kind)),
                    rounds);
            });
          json.attribute("bound", stringifyCostBound(c.bound));
          json.attributeObject("components", [&] {
            time("hbm", c.hbm);
            time("l2", c.l2);
            time("tensor", c.tensor);
            time("cuda_core", c.cudaCore);
            time("special", c.special);
            time("shared", c.shared);
            time("latency", c.latency);
            time("launch", c.launch);
          });
          time("microseconds", c.microseconds);
        });
      }
    });
  });
}

namespace {
struct PrintCost : public mirage::impl::PrintCostBase<PrintCost> {
  using PrintCostBase::PrintCostBase;

  void runOnOperation() override {
    markAllAnalysesPreserved();
    TargetAttr target = lookupTarget(getOperation());
    if (!target) {
      getOperation().emitError()
          << "names no target; run mirage-attach-target first";
      return signalPassFailure();
    }
    const TargetDescription &description = target.getDescription();
    std::optional<llvm::json::OStream> stream;
    if (json) {
      stream.emplace(llvm::outs(), /*IndentSize=*/2);
      stream->arrayBegin();
    }
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (function.isExternal())
        continue;
      auto &analysis = getChildAnalysis<CostAnalysis>(function);
      if (!analysis.isValid()) {
        signalPassFailure();
        break;
      }
      ProgramCost cost = analysis.estimate(description, model);
      ProgramCost fused = analysis.estimateFused(description, model);
      if (stream)
        writeJSON(*stream, function, analysis, cost, fused, model, description);
      else
        printTable(function, analysis, cost, fused, model, description.chip);
    }
    if (stream) {
      stream->arrayEnd();
      stream->flush();
      llvm::outs() << "\n";
    }
    llvm::outs().flush();
  }
};
} // namespace
