//===- TuneLaunches.cpp - Launches as they are measured fastest -----------===//
//
// Implements the pass mirage-tune-launches; see SearchPasses.td. Each launch is
// measured as a program of its own, with what the lowering makes no memory of
// among what it reads. What is found of one holds for all that are equal to it.
//
//===----------------------------------------------------------------------===//

#include "../Measure/GraphMeasurer.h"
#include "LaunchInputs.h"
#include "LaunchParts.h"
#include "LaunchTuner.h"
#include "Mirage/Analysis/Equivalence/CompareGraphs.h"
#include "Mirage/Dialect/Block/IR/BlockDialect.h"
#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "Mirage/Dialect/Mirage/IR/MirageDialect.h"
#include "Mirage/Dialect/Thread/IR/ThreadDialect.h"
#include "Mirage/MuGraph/IR/ExportMuGraph.h"
#include "Mirage/MuGraph/IR/ImportMuGraph.h"
#include "Mirage/MuGraph/Retile.h"
#include "Mirage/Support/PassSupport.h"
#include "Mirage/Transforms/DescribeProgress.h"
#include "Mirage/Transforms/LoweredPricer.h"
#include "Mirage/Transforms/Passes.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FormatVariadic.h"
#include <chrono>

namespace mirage {
#define GEN_PASS_DEF_TUNELAUNCHES
#include "Mirage/Transforms/Passes.h.inc"
#include "Mirage/Transforms/ProgressLine.h"
} // namespace mirage

using namespace mlir;
using namespace mirage;

namespace {
/// What was found for a launch: the way to execute it, without a graph where it
/// stays as it is.
struct TunedLaunch {
  std::optional<MuGraph> graph;
  std::string tiling, options;
};

/// A launch as a program whose arguments it reads, and how its function defines
/// these.
struct TunedProgram {
  MuGraph graph;
  LaunchInputs inputs;
  /// What tells it from other programs.
  std::string text;

  /// Returns nothing, with the reason, for what a µGraph does not express.
  static std::optional<TunedProgram> make(kernel::LaunchOp launch,
                                          std::string &reason) {
    std::optional<MuGraph> graph = importLaunches(launch, reason);
    if (!graph)
      return std::nullopt;
    LaunchInputs inputs(launch);
    std::string text = toString(*graph) + inputs.describe();
    return TunedProgram{std::move(*graph), std::move(inputs), std::move(text)};
  }
};

/// Ways to execute a launch, the fastest one first and the launch as it is
/// last; none where nothing measures. The tuner has their graphs.
struct MeasuredWays {
  std::unique_ptr<LaunchTuner> tuner;
  std::vector<LaunchVariant> found;
  /// What the launch takes as it is, if only that was measured.
  double microseconds = std::numeric_limits<double>::infinity();
  /// How many were measured, and by what.
  unsigned count = 0;
  std::string source;
};

struct TuneLaunches : public mirage::impl::TuneLaunchesBase<TuneLaunches> {
  using TuneLaunchesBase::TuneLaunchesBase;

  void getDependentDialects(DialectRegistry &registry) const override;
  void runOnOperation() override;

  /// The passes that make kernels of launches.
  KernelPipeline kernelPipeline;

private:
  /// Returns a module with a program of this graph.
  OwningOpRef<ModuleOp> makeModule(const MuGraph &graph);
  /// Returns a module in which the program defines its arguments, and the graph
  /// of that.
  OwningOpRef<ModuleOp> makeModule(const MuGraph &graph,
                                   const LaunchInputs &inputs);
  std::optional<MuGraph> addInputs(const MuGraph &graph,
                                   const LaunchInputs &inputs,
                                   std::string &reason);
  /// Plans its launch's schedule with options of mirage-schedule-launches.
  LogicalResult schedule(ModuleOp module, StringRef options) const;
  std::string getPipeline(StringRef options) const;
  std::string plan(const LaunchVariant &variant, const LaunchInputs &inputs);
  LogicalResult tune(kernel::LaunchOp launch, MeasurementFile &file);
  /// Measures the ways of a launch, or only the launch as it is. For the latter
  /// it is no error if a file has no measurements of it.
  FailureOr<MeasuredWays> measureWays(kernel::LaunchOp launch,
                                      const TunedProgram &program,
                                      MeasurementFile &file, bool onlyOriginal);
  FailureOr<TunedLaunch> search(kernel::LaunchOp launch,
                                const TunedProgram &program,
                                MeasurementFile &file);
  /// Returns the sum of what the launches of a program take as they are, and
  /// infinity where one of them cannot be measured. Remarks are of `launch`.
  FailureOr<double> priceLaunches(kernel::LaunchOp launch,
                                  const MuGraph &program,
                                  const LaunchInputs &inputs,
                                  MeasurementFile &file);
  /// Lets a launch leave another number of parts to the one that merges them,
  /// where both are faster together. Returns true if they were replaced.
  FailureOr<bool> tuneParts(kernel::LaunchOp launch, MeasurementFile &file);
  LogicalResult replaceTogether(ArrayRef<kernel::LaunchOp> launches,
                                const MuGraph &program);
  LogicalResult replace(kernel::LaunchOp launch, const TunedLaunch &tuned);

  /// Returns the threads that lower ways beside each other, and compare what
  /// they compute with the launch.
  WorkerPool &getPool() {
    if (!workers)
      workers = std::make_shared<WorkerPool>(
          getContext().isMultithreadingEnabled() ? 0 : 1);
    return *workers;
  }

  TargetDescription description;
  /// Copies of the pass share it.
  std::shared_ptr<WorkerPool> workers;
  /// What was found for launches, by their text.
  std::map<std::string, TunedLaunch> known;
  /// What launches take that leave parts to others or merge them.
  std::map<std::string, double> priced;
  /// Shows how many ways of a launch were measured.
  std::function<void(kernel::LaunchOp, size_t)> watch;
};
} // namespace

static constexpr StringLiteral entryName = "launch";

OwningOpRef<ModuleOp> TuneLaunches::makeModule(const MuGraph &graph) {
  MLIRContext *context = getOperation().getContext();
  Location loc = UnknownLoc::get(context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  (*module)->setAttr(MirageDialect::getTargetAttrName(),
                     TargetAttr::get(context, description));
  OpBuilder at = OpBuilder::atBlockEnd(module->getBody());
  ScopedDiagnosticHandler silence(context, [](Diagnostic &) {});
  if (failed(exportFunction(graph, entryName, at, loc)) ||
      failed(verify(*module)))
    return {};
  return module;
}

OwningOpRef<ModuleOp> TuneLaunches::makeModule(const MuGraph &graph,
                                               const LaunchInputs &inputs) {
  OwningOpRef<ModuleOp> module = makeModule(graph);
  if (module)
    inputs.define(*module->getOps<func::FuncOp>().begin());
  return module;
}

std::optional<MuGraph> TuneLaunches::addInputs(const MuGraph &graph,
                                               const LaunchInputs &inputs,
                                               std::string &reason) {
  if (inputs.empty())
    return graph;
  OwningOpRef<ModuleOp> module = makeModule(graph, inputs);
  if (!module) {
    reason = "it is no legal launch";
    return std::nullopt;
  }
  Location loc = module->getLoc();
  FailureOr<ImportedGraph> imported =
      importMuGraph(*module->getOps<func::FuncOp>().begin(), reason, loc);
  if (failed(imported))
    return std::nullopt;
  return std::move(imported->graph);
}

/// Options of a way replace those of the same name that all have.
std::string TuneLaunches::getPipeline(StringRef options) const {
  std::string all = options.str();
  auto add = [&](StringRef name, const std::string &value) {
    if (!options.contains(name))
      all += (all.empty() ? "" : " ") + name.str() + "=" + value;
  };
  if (clusterBlocks != 0)
    add("cluster-blocks", std::to_string(clusterBlocks));
  if (!bulkCopies)
    add("bulk-copies", "false");
  return "mirage-schedule-launches{" + all + "}";
}

LogicalResult TuneLaunches::schedule(ModuleOp module, StringRef options) const {
  MLIRContext *context = module.getContext();
  ScopedDiagnosticHandler silence(context, [](Diagnostic &) {});
  PassManager manager(context, ModuleOp::getOperationName());
  if (failed(parsePassPipeline(getPipeline(options), manager)))
    return failure();
  return manager.run(module);
}

std::string TuneLaunches::plan(const LaunchVariant &variant,
                               const LaunchInputs &inputs) {
  OwningOpRef<ModuleOp> module = makeModule(*variant.graph, inputs);
  if (!module || failed(schedule(*module, variant.options)))
    return "";
  std::string text;
  llvm::raw_string_ostream os(text);
  module->walk([&](kernel::LaunchOp launch) {
    if (launch->hasAttr(MirageDialect::getScheduleAttrName()))
      launch->print(os);
  });
  return text;
}

FailureOr<MeasuredWays> TuneLaunches::measureWays(kernel::LaunchOp launch,
                                                  const TunedProgram &program,
                                                  MeasurementFile &file,
                                                  bool onlyOriginal) {
  auto function = launch->getParentOfType<func::FuncOp>();
  const LaunchInputs &inputs = program.inputs;
  GraphMeasurer measurer({function, getArgument(), program.text, description},
                         file);
  bool isModel = measure == TilingMeasure::Instructions;
  MeasuredWays ways;
  if (onlyOriginal && measure == TilingMeasure::Recorded &&
      !measurer.isRecorded())
    return ways;
  if (!isModel && failed(measurer.open(measure)))
    return failure();
  if (!isModel && !measurer.isInUse())
    return ways;
  LoweredPricer pricer(&getContext(), description, kernelPipeline);
  pricer.setInputs([&](func::FuncOp own) { inputs.define(own); });
  LaunchTunerOptions options;
  options.target = description;
  options.top = top;
  options.slack = slack;
  options.minGain = minGain;
  options.triesAllSchedules = !isModel;
  options.triesSchedules = schedules;
  if (clusterBlocks != 0)
    options.mostClusterBlocks = clusterBlocks;
  ways.tuner = std::make_unique<LaunchTuner>(program.graph, options);
  ways.source = isModel ? "its instructions" : measurer.getSource();
  auto time = [&](const LaunchVariant &variant) {
    ++ways.count;
    watch(launch, ways.count);
    if (isModel) {
      double issued =
          pricer.estimateIssued(*variant.graph, getPipeline(variant.options))
              .value_or(variant.predicted);
      remark::analysis(launch.getLoc(),
                       getRemarkOptions(getArgument(), "priced", function))
          << variant.getName()
          << remark::metric("predicted",
                            llvm::formatv("{0:f3}", variant.predicted).str())
          << remark::metric("microseconds",
                            llvm::formatv("{0:f3}", issued).str());
      return issued;
    }
    return measurer.measure(
        variant.getName(), variant.predicted,
        [&](std::string &reason) {
          return addInputs(*variant.graph, inputs, reason);
        },
        getPipeline(variant.options));
  };
  auto planned = [&](const LaunchVariant &variant) {
    return plan(variant, inputs);
  };
  auto prepare = [&](ArrayRef<LaunchVariant> variants) {
    pricer.prepareIssued(
        llvm::map_to_vector(variants,
                            [&](const LaunchVariant &variant) {
                              return LoweredPricer::Question{
                                  variant.graph, getPipeline(variant.options)};
                            }),
        getPool());
  };
  LaunchTimes times{time, planned};
  if (isModel)
    times.prepare = prepare;
  if (onlyOriginal)
    ways.microseconds = ways.tuner->measureOriginal(times);
  else
    ways.found = ways.tuner->tune(times);
  measurer.finish();
  if (measurer.hasFailed())
    return failure();
  return ways;
}

FailureOr<TunedLaunch> TuneLaunches::search(kernel::LaunchOp launch,
                                            const TunedProgram &program,
                                            MeasurementFile &file) {
  auto function = launch->getParentOfType<func::FuncOp>();
  const MuGraph &graph = program.graph;
  FailureOr<MeasuredWays> ways =
      measureWays(launch, program, file, /*onlyOriginal=*/false);
  if (failed(ways))
    return failure();
  TunedLaunch tuned;
  if (ways->found.empty())
    return tuned;
  const std::vector<LaunchVariant> &found = ways->found;
  // That the launch computes the same is shown again, as for a candidate of the
  // search, and not taken from how it was made.
  Execution execution(getPool());
  equivalence::GraphComparer comparer({}, execution);
  double before = found.back().microseconds;
  for (const LaunchVariant &variant : ArrayRef(found).drop_back()) {
    bool isSame = variant.tiling == describeTilings(graph);
    equivalence::ComparisonAnswer answer;
    if (!isSame)
      answer = comparer.compare(graph, *variant.graph);
    if (isSame || answer.isAccepted()) {
      tuned = {*variant.graph, variant.tiling, variant.options};
      remark::passed(launch.getLoc(),
                     getRemarkOptions(getArgument(), "tuned", function))
          << llvm::formatv("The launch takes {0:f2} us as {1} by {2}, where "
                           "it took {3:f2}; {4} ways were measured.",
                           variant.microseconds, variant.getName(),
                           ways->source, before, ways->count)
                 .str();
      return tuned;
    }
    remark::missed(launch.getLoc(),
                   getRemarkOptions(getArgument(), "refused", function))
        << llvm::formatv("{0} takes {1:f2} us and is not shown to "
                         "compute the same: {2}",
                         variant.getName(), variant.microseconds, answer.reason)
               .str();
  }
  remark::analysis(launch.getLoc(),
                   getRemarkOptions(getArgument(), "unchanged", function))
      << llvm::formatv("The launch takes {0:f2} us by {1}; of {2} "
                       "ways that were measured none is faster by "
                       "{3}%.",
                       before, ways->source, ways->count, 100 * minGain)
             .str();
  return tuned;
}

LogicalResult TuneLaunches::replace(kernel::LaunchOp launch,
                                    const TunedLaunch &tuned) {
  if (!tuned.graph)
    return success();
  LaunchInputs inputs(launch);
  OwningOpRef<ModuleOp> module = makeModule(*tuned.graph, inputs);
  if (!module || failed(schedule(*module, tuned.options)))
    return launch.emitError() << "cannot be written as " << tuned.tiling;
  if (!schedules) {
    module->walk([](kernel::LaunchOp part) { removeSchedule(part); });
    // What a schedule makes of loops and rows may have no room without it, and
    // is made again by who plans one.
    ScopedDiagnosticHandler silence(&getContext(), [](Diagnostic &) {});
    if (failed(verify(*module)))
      module = makeModule(*tuned.graph, inputs);
  }
  auto function = *module->getOps<func::FuncOp>().begin();
  auto found = *function.getOps<kernel::LaunchOp>().begin();
  size_t kernels = countKernels(launch, description);
  OpBuilder builder(launch);
  // Both read the same in the same order.
  auto written = cast<kernel::LaunchOp>(builder.clone(*found));
  written->setOperands(launch->getOperands());
  written->walk([&](Operation *op) { op->setLoc(launch.getLoc()); });
  // Results are in the order in which the function returns them.
  SmallVector<Value> results, before(launch->getResults());
  for (Value returned :
       function.getBody().front().getTerminator()->getOperands())
    results.push_back(
        written->getResult(cast<OpResult>(returned).getResultNumber()));
  for (auto [was, is] : llvm::zip_equal(before, results))
    was.replaceAllUsesWith(is);
  // The other one has no uses, and is no kernel then.
  OwningOpRef<kernel::LaunchOp> removed(launch);
  Location loc = launch.getLoc();
  launch->remove();
  if (countKernels(written, description) <= kernels)
    return success();
  // What is beside it would need kernels.
  builder.setInsertionPoint(written);
  builder.insert(removed.release());
  for (auto [was, is] : llvm::zip_equal(before, results))
    is.replaceAllUsesWith(was);
  auto of = launch->getParentOfType<func::FuncOp>();
  written.erase();
  remark::missed(loc, getRemarkOptions(getArgument(), "not-alone", of))
      << llvm::formatv("With {0} what stands beside the launch would need more "
                       "kernels.",
                       tuned.tiling)
             .str();
  return success();
}

LogicalResult TuneLaunches::tune(kernel::LaunchOp launch,
                                 MeasurementFile &file) {
  std::string reason;
  std::optional<TunedProgram> program = TunedProgram::make(launch, reason);
  if (!program) {
    remark::missed(launch.getLoc(),
                   getRemarkOptions(getArgument(), "no-launch",
                                    launch->getParentOfType<func::FuncOp>()))
        << remark::reason("{0}", reason);
    return success();
  }
  if (auto found = known.find(program->text); found != known.end())
    return replace(launch, found->second);
  FailureOr<TunedLaunch> tuned = search(launch, *program, file);
  if (failed(tuned))
    return failure();
  return replace(launch, known[program->text] = std::move(*tuned));
}

FailureOr<double> TuneLaunches::priceLaunches(kernel::LaunchOp launch,
                                              const MuGraph &program,
                                              const LaunchInputs &inputs,
                                              MeasurementFile &file) {
  constexpr double never = std::numeric_limits<double>::infinity();
  OwningOpRef<ModuleOp> module = makeModule(program, inputs);
  if (!module)
    return never;
  double sum = 0;
  SmallVector<kernel::LaunchOp> launches;
  module->walk([&](kernel::LaunchOp part) { launches.push_back(part); });
  for (kernel::LaunchOp part : launches) {
    std::string reason;
    std::optional<TunedProgram> own = TunedProgram::make(part, reason);
    if (!own)
      return never;
    auto [entry, isNew] = priced.try_emplace(own->text, never);
    if (isNew) {
      FailureOr<MeasuredWays> ways =
          measureWays(launch, *own, file, /*onlyOriginal=*/true);
      if (failed(ways))
        return failure();
      entry->second = ways->microseconds;
    }
    sum += entry->second;
  }
  return sum;
}

LogicalResult TuneLaunches::replaceTogether(ArrayRef<kernel::LaunchOp> launches,
                                            const MuGraph &program) {
  kernel::LaunchOp last = launches.back();
  OwningOpRef<ModuleOp> module = makeModule(program);
  if (!module)
    return last.emitError() << "cannot be written with other parts";
  replaceLaunches(launches, *module->getOps<func::FuncOp>().begin());
  return success();
}

FailureOr<bool> TuneLaunches::tuneParts(kernel::LaunchOp launch,
                                        MeasurementFile &file) {
  // A number of parts is about twice as much as another one.
  constexpr size_t mostTried = 4;
  kernel::LaunchOp merging = findMergingLaunch(launch);
  if (!merging || merging->hasAttr(MirageDialect::getScheduleAttrName()))
    return false;
  kernel::LaunchOp launches[] = {launch, merging};
  std::string reason;
  std::optional<MuGraph> program = importLaunches(launches, reason);
  if (!program)
    return false;
  std::vector<MuGraph> others =
      listOtherParts(*program, description, slack, mostTried);
  if (others.empty())
    return false;
  LaunchInputs inputs(launches);
  FailureOr<double> before = priceLaunches(launch, *program, inputs, file);
  if (failed(before))
    return failure();
  const MuGraph *best = nullptr;
  double least = *before * (1 - minGain);
  for (const MuGraph &other : others) {
    FailureOr<double> time = priceLaunches(launch, other, inputs, file);
    if (failed(time))
      return failure();
    if (*time < least) {
      least = *time;
      best = &other;
    }
  }
  if (!best)
    return false;
  auto function = launch->getParentOfType<func::FuncOp>();
  Execution execution(getPool());
  equivalence::GraphComparer comparer({}, execution);
  equivalence::ComparisonAnswer answer = comparer.compare(*program, *best);
  std::string name = describeTilings(*best);
  if (!answer.isAccepted()) {
    remark::missed(launch.getLoc(),
                   getRemarkOptions(getArgument(), "refused", function))
        << llvm::formatv("{0} takes {1:f2} us and is not shown to compute the "
                         "same: {2}",
                         name, least, answer.reason)
               .str();
    return false;
  }
  remark::passed(launch.getLoc(),
                 getRemarkOptions(getArgument(), "parts", function))
      << llvm::formatv("The launch and the one that merges its parts take "
                       "{0:f2} us as {1}, where they took {2:f2}.",
                       least, name, *before)
             .str();
  if (failed(replaceTogether(launches, *best)))
    return failure();
  return true;
}

std::unique_ptr<Pass> mirage::createTuneLaunches(TuneLaunchesOptions options,
                                                 KernelPipeline kernels) {
  auto pass = std::make_unique<TuneLaunches>(std::move(options));
  pass->kernelPipeline = std::move(kernels);
  return pass;
}

void TuneLaunches::getDependentDialects(DialectRegistry &registry) const {
  TuneLaunchesBase::getDependentDialects(registry);
  if (!kernelPipeline)
    return;
  OpPassManager manager(ModuleOp::getOperationName());
  kernelPipeline(manager);
  manager.getDependentDialects(registry);
}

void TuneLaunches::runOnOperation() {
  known.clear();
  priced.clear();
  FailureOr<TargetDescription> found = findTarget(getOperation(), /*chip=*/"");
  bool isRecorded = measure == TilingMeasure::Recorded;
  Location loc = getOperation().getLoc();
  if (failed(found) ||
      failed(checkOptions(
          loc, getArgument(),
          {{top >= 1, "top", "at least 1"},
           {slack >= 1, "slack", "at least 1"},
           {minGain >= 0 && minGain < 1, "min-gain", "from 0 to below 1"},
           {clusterBlocks >= 0 && clusterBlocks <= 8, "cluster-blocks",
            "from 0 to 8"},
           {measure != TilingMeasure::Instructions || kernelPipeline,
            "measure=instructions", "of mirage-lower-to-nvvm"},
           {!isRecorded || !measurements.empty(), "measure=recorded",
            "with measurements"}})) ||
      failed(checkOptionFiles(loc, {{"measurements", measurements,
                                     /*isWritten=*/!isRecorded}})))
    return signalPassFailure();
  description = std::move(*found);
  MeasurementFile file(measurements);
  if (failed(file.read(loc)))
    return signalPassFailure();
  auto getFree = [&] {
    SmallVector<kernel::LaunchOp> launches;
    getOperation().walk([&](kernel::LaunchOp launch) {
      // A schedule that somebody wrote is obeyed.
      if (!launch->hasAttr(MirageDialect::getScheduleAttrName()))
        launches.push_back(launch);
    });
    return launches;
  };
  SmallVector<kernel::LaunchOp> launches = getFree();
  ProgressLine line(interactive ? llvm::errs() : llvm::nulls());
  llvm::scope_exit clear([&] { line.clear(), watch = nullptr; });
  auto begun = std::chrono::steady_clock::now();
  size_t number = 0;
  watch = [&](kernel::LaunchOp launch, size_t ways) {
    std::chrono::duration<double> passed =
        std::chrono::steady_clock::now() - begun;
    line.show(passed.count(), [&] {
      return describeTuning(launch->getParentOfType<func::FuncOp>().getName(),
                            number + 1, launches.size(), passed.count(), ways);
    });
  };
  for (; number < launches.size(); ++number) {
    FailureOr<bool> isReplaced = tuneParts(launches[number], file);
    if (failed(isReplaced))
      return signalPassFailure();
    if (*isReplaced)
      launches = getFree();
  }
  for (number = 0; number < launches.size(); ++number) {
    watch(launches[number], /*ways=*/0);
    if (failed(tune(launches[number], file)))
      return signalPassFailure();
  }
  llvm::for_each(getFree(), dropUnitGridDims);
}
