//===- Superoptimize.cpp - Functions replaced by better µGraphs -----------===//
//
// Implements the pass around the search; see Passes.td. Here are its options,
// which functions it takes, and which of these share a search.
//
//===----------------------------------------------------------------------===//

#include "../Measure/CandidateTimes.h"
#include "FunctionSearch.h"
#include "Mirage/Analysis/Equivalence/Fields/RandomTests.h"
#include "Mirage/Dialect/Block/IR/BlockDialect.h"
#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "Mirage/Dialect/Thread/IR/ThreadDialect.h"
#include "Mirage/Search/SearchReport.h"
#include "Mirage/Support/PassSupport.h"
#include "Mirage/Transforms/LoweredPricer.h"
#include "Mirage/Transforms/Passes.h"
#include "NothingToSearch.h"
#include "ReplaceFunction.h"
#include "SearchGroups.h"
#include "SearchRemarks.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

namespace mirage {
#define GEN_PASS_DEF_SUPEROPTIMIZE
#include "Mirage/Transforms/Passes.h.inc"
} // namespace mirage

using namespace mlir;
using namespace mirage;
using namespace mirage::equivalence;
using namespace mirage::search;

namespace {

struct Superoptimize : public mirage::impl::SuperoptimizeBase<Superoptimize> {
  using SuperoptimizeBase::SuperoptimizeBase;

  void runOnOperation() override;
  void getDependentDialects(DialectRegistry &registry) const override;

  KernelPipeline kernelPipeline;

private:
  LogicalResult checkOptions();
  FailureOr<SmallVector<func::FuncOp>> findFunctions();
  KernelGraphOptions getSearchOptions(TargetDescription target) const;
  LogicalResult optimize(const SearchGroup &group, const SearchPlace &place,
                         const KernelGraphOptions &options,
                         const InterruptGuard &interrupt, ResumeFile &file);
  StringRef replace(func::FuncOp function, const SearchGroup &group,
                    const SearchOutcome &outcome,
                    const KernelGraphOptions &search);
  void report(const SearchGroup &group, const SearchOutcome &outcome,
              ArrayRef<StringRef> verdicts);
  void warnOfCut(const SearchGroup &group, bool isInterrupted) const;
  LogicalResult writeStatistics(ArrayRef<func::FuncOp> functions);

  /// What `stats` writes of each function.
  llvm::DenseMap<Operation *, llvm::json::Object> statistics;
};

} // namespace

//===----------------------------------------------------------------------===//
// What is asked for
//===----------------------------------------------------------------------===//

LogicalResult Superoptimize::checkOptions() {
  return mirage::checkOptions(
      getOperation().getLoc(), getArgument(),
      {{maxBlockOperators <= search::kMostBlockOperators, "max-block-operators",
        "at most 32"},
       {kernels == 1 || kernels == 2, "kernels", "1 or 2"},
       {gridDims >= 1 && gridDims <= 3, "grid-dims", "1, 2 or 3"},
       {loops <= 3, "loops", "at most 3"},
       {maxKernelOperators >= 1, "max-kernel-operators", "at least 1"},
       {minGain >= 0 && minGain < 1, "min-gain",
        "no less than 0 and less than 1"},
       {best >= 1, "best", "at least 1"},
       {isErrorBound(errorBits), "error-bits", "positive and finite"},
       {deadline >= 0, "deadline", "no less than 0"},
       {keep >= 1, "keep", "at least 1"},
       {measure == TilingMeasure::Instructions || fused, "measure",
        "instructions without fused"},
       {measure != TilingMeasure::Recorded || !measurements.empty(),
        "measure=recorded", "with measurements"},
       {parsePrune(prune).has_value(), "prune",
        "normal-form, smt, both or none, not '" + prune + "'"}});
}

FailureOr<SmallVector<func::FuncOp>> Superoptimize::findFunctions() {
  SmallVector<func::FuncOp> functions;
  if (!function.empty()) {
    FailureOr<func::FuncOp> named = lookupFunction(getOperation(), function);
    if (failed(named))
      return failure();
    functions.push_back(*named);
    return functions;
  }
  for (auto candidate : getOperation().getOps<func::FuncOp>())
    if (candidate->hasAttr(MirageDialect::getSuperoptimizeAttrName()))
      functions.push_back(candidate);
  if (functions.empty())
    warnOfNothingToSearch(getOperation());
  return functions;
}

KernelGraphOptions
Superoptimize::getSearchOptions(TargetDescription target) const {
  KernelGraphOptions all;
  all.kernelOperators = maxKernelOperators;
  all.pieces = pieces;
  all.orders = orders;
  all.effort = llvm::SaturatingMultiply<uint64_t>(effort, 1000);
  if (!effort)
    all.effort = KernelGraphOptions::kUnlimited;
  all.search.minGain = minGain;
  SearchOptions &options = all.search;
  options.target = std::move(target);
  options.limits.blockOperators = maxBlockOperators;
  options.limits.prune = *parsePrune(prune);
  options.limits.canonicalOrder = canonicalOrder;
  options.kernels = kernels;
  options.gridDims = gridDims;
  options.loops = options.passes = loops;
  options.best = std::max<unsigned>(best, keep);
  options.verified = keep;
  options.threads = threads;
  options.seed = seed;
  options.errorBits = errorBits;
  options.deadline = deadline;
  return all;
}

//===----------------------------------------------------------------------===//
// One search after another
//===----------------------------------------------------------------------===//

/// Puts the result of the group's search into one of its functions, and returns
/// the verdict.
StringRef Superoptimize::replace(func::FuncOp function,
                                 const SearchGroup &group,
                                 const SearchOutcome &outcome,
                                 const KernelGraphOptions &search) {
  bool isSearched = function == group.getSearched();
  if (!outcome.isSupported(group.subject)) {
    remarkOnStay(function,
                 isSearched ? group.subject.getReasonLocation(function.getLoc())
                            : function.getLoc(),
                 group.subject.reason);
    noteUnsupported(function, group.subject.reason);
    return "unsupported";
  }
  ReplaceOptions options = {keep, keepOriginal, search};
  if (!isSearched)
    options.equalTo = group.getSearched();
  return replaceFunction(function, group.subject, outcome, options);
}

/// Says for `stats` what the search did, once, and for each other function of
/// the group which search it shares.
void Superoptimize::report(const SearchGroup &group,
                           const SearchOutcome &outcome,
                           ArrayRef<StringRef> verdicts) {
  StringRef searched = group.getSearched().getName();
  for (auto [number, verdict] : llvm::enumerate(verdicts)) {
    func::FuncOp function = group.functions[number];
    bool isEqual = function != group.getSearched();
    llvm::json::Object object;
    if (isEqual)
      object["equal_to"] = searched.str();
    else
      object = toJSON(outcome.whole);
    if (!isEqual)
      object["composition"] = toJSON(outcome.pieces);
    object["was_cut"] = outcome.wasCut();
    object["function"] = function.getName().str();
    object["verdict"] = verdict;
    object["model"] = stringifyCostModel(SearchSubject::model);
    object["original_microseconds"] = group.subject.cost.microseconds;
    object["fused_microseconds"] = group.subject.fused.microseconds;
    statistics[function] = std::move(object);
    if (stats != "-")
      continue;
    llvm::errs() << "@" << function.getName();
    if (isEqual) {
      llvm::errs() << " is equal to @" << searched
                   << ", whose search it shares\n";
      continue;
    }
    llvm::errs() << "\n";
    printTable(outcome.whole, llvm::errs());
    printTable(outcome.pieces, llvm::errs());
  }
}

void Superoptimize::warnOfCut(const SearchGroup &group,
                              bool isInterrupted) const {
  InFlightDiagnostic warning =
      emitWarning(group.getSearched().getLoc())
      << "the search for @" << group.getSearched().getName()
      << (isInterrupted ? " was interrupted" : " met its deadline")
      << ": what it found depends on when";
  for (func::FuncOp function : group.getEqual())
    warning.attachNote(function.getLoc())
        << "@" << function.getName() << " is equal, and shares the search";
}

/// Searches once for a group, and replaces all of its functions.
LogicalResult Superoptimize::optimize(const SearchGroup &group,
                                      const SearchPlace &place,
                                      const KernelGraphOptions &options,
                                      const InterruptGuard &interrupt,
                                      ResumeFile &file) {
  func::FuncOp searched = group.getSearched();
  FailureOr<SearchOutcome> outcome =
      searchFunction(searched, group.subject, options, interrupt, file, place);
  if (failed(outcome))
    return failure();
  if (group.subject.task)
    remarkOnSearch(searched, outcome->whole);
  remarkOnPieces(searched, group.subject, outcome->pieces);
  remarkOnAlternatives(searched, group.subject, outcome->pieces);
  SmallVector<StringRef> verdicts;
  for (func::FuncOp function : group.functions)
    verdicts.push_back(replace(function, group, *outcome, options));
  if (outcome->wasCut())
    warnOfCut(group, interrupt.getFlag());
  report(group, *outcome, verdicts);
  return success();
}

/// Writes an entry for each function, in the order of the module.
LogicalResult Superoptimize::writeStatistics(ArrayRef<func::FuncOp> functions) {
  if (stats.empty() || stats == "-")
    return success();
  llvm::json::Array entries;
  for (func::FuncOp function : functions)
    entries.push_back(std::move(statistics[function]));
  return writeOptionFile(
      getOperation().getLoc(), "stats", stats, [&](llvm::raw_ostream &os) {
        os << llvm::formatv("{0:2}\n", llvm::json::Value(std::move(entries)));
      });
}

std::unique_ptr<Pass> mirage::createSuperoptimize(SuperoptimizeOptions options,
                                                  KernelPipeline kernels) {
  auto pass = std::make_unique<Superoptimize>(std::move(options));
  pass->kernelPipeline = std::move(kernels);
  return pass;
}

void Superoptimize::getDependentDialects(DialectRegistry &registry) const {
  SuperoptimizeBase::getDependentDialects(registry);
  if (!kernelPipeline)
    return;
  OpPassManager manager(ModuleOp::getOperationName());
  kernelPipeline(manager);
  manager.getDependentDialects(registry);
}

void Superoptimize::runOnOperation() {
  FailureOr<TargetDescription> description = findTarget(getOperation(), target);
  if (failed(description) || failed(checkOptions()))
    return signalPassFailure();
  FailureOr<SmallVector<func::FuncOp>> functions = findFunctions();
  if (failed(functions) ||
      failed(checkOptionFiles(
          getOperation().getLoc(),
          {{"stats", stats},
           {"resume", resume},
           {"measurements", measurements,
            /*isWritten=*/measure != TilingMeasure::Recorded}})))
    return signalPassFailure();
  KernelGraphOptions options = getSearchOptions(*description);
  LoweredPricer ofOne(&getContext(), *description, kernelPipeline),
      ofMany(&getContext(), *description, kernelPipeline,
             /*isAmongMany=*/true);
  if (fused)
    options.pricer = &ofOne;
  ResumeFile file(resume);
  MeasurementFile measured(measurements);
  if (failed(file.read(getOperation().getLoc())) ||
      failed(measured.read(getOperation().getLoc())))
    return signalPassFailure();
  InterruptGuard interrupt(interactive);
  statistics.clear();
  for (func::FuncOp function : *functions)
    statistics[function] = llvm::json::Object{
        {"function", function.getName().str()}, {"verdict", "unsupported"}};
  // All functions are read before the first one is replaced, so that what they
  // call is still what the program says.
  AlternativeOptions other = {getTransformRules(&getContext()), alternatives};
  std::vector<SearchGroup> groups = groupFunctions(*functions, options, other);
  CandidateTimes times(measured, *description, kDetailsCategory);
  if (!groups.empty() &&
      failed(times.open(measure, groups.front().getSearched())))
    return signalPassFailure();
  if (times.isInUse())
    for (LoweredPricer *pricer : {&ofOne, &ofMany})
      pricer->setMeasurements({[&](const MuGraph &program, double predicted) {
                                 return times.measure(program, predicted);
                               },
                               [&] { return times.getSource(); }});
  SearchPlace place;
  for (const SearchGroup &group : groups)
    place.total += group.functions.size();
  for (const SearchGroup &group : groups) {
    place.function = group.getSearched().getName();
    place.equal = group.getEqual().size();
    place.originalMicroseconds = group.subject.cost.microseconds;
    if (fused)
      options.pricer = group.isAmongMany ? &ofMany : &ofOne;
    times.begin(group.getSearched());
    if (failed(optimize(group, place, options, interrupt, file)) ||
        times.hasFailed())
      return signalPassFailure();
    times.finish();
    place.number += group.functions.size();
  }
  if (failed(file.write(getOperation().getLoc())) ||
      failed(writeStatistics(*functions)))
    signalPassFailure();
}
