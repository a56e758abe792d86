//===- Superoptimize.cpp - Functions replaced by better µGraphs -----------===//
//
// Implements the pass around the search; see Passes.td. Here are its options,
// which functions it takes, and how it tells where it is.
//
//===----------------------------------------------------------------------===//

#include "../ProgressLine.h"
#include "InterruptGuard.h"
#include "Mirage/Analysis/Equivalence/Fields/RandomTests.h"
#include "Mirage/Dialect/Block/IR/BlockDialect.h"
#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "Mirage/Dialect/Thread/IR/ThreadDialect.h"
#include "Mirage/MuGraph/Comparison.h"
#include "Mirage/Search/SearchReport.h"
#include "Mirage/Support/PassSupport.h"
#include "Mirage/Transforms/DescribeProgress.h"
#include "Mirage/Transforms/Passes.h"
#include "ReplaceFunction.h"
#include "ResumeFile.h"
#include "SearchRemarks.h"
#include "SearchSubject.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <chrono>

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

private:
  LogicalResult checkOptions();
  FailureOr<SmallVector<func::FuncOp>> findFunctions();
  KernelGraphOptions getSearchOptions(TargetDescription target) const;
  FailureOr<llvm::json::Object> optimize(func::FuncOp function,
                                         const KernelGraphOptions &options,
                                         const InterruptGuard &interrupt,
                                         ResumeFile &file);
  LogicalResult writeStatistics(llvm::json::Array statistics);
};

} // namespace

//===----------------------------------------------------------------------===//
// What is asked for
//===----------------------------------------------------------------------===//

LogicalResult Superoptimize::checkOptions() {
  return mirage::checkOptions(
      getOperation().getLoc(), getArgument(),
      {{maxBlockOperators >= 1 && maxBlockOperators <= 32,
        "max-block-operators", "from 1 to 32"},
       {kernels == 1 || kernels == 2, "kernels", "1 or 2"},
       {gridDims >= 1 && gridDims <= 3, "grid-dims", "1, 2 or 3"},
       {loops <= 3, "loops", "at most 3"},
       {maxKernelOperators >= 1, "max-kernel-operators", "at least 1"},
       {minGain >= 0 && minGain < 1, "min-gain",
        "no less than 0 and less than 1"},
       {best >= 1, "best", "at least 1"},
       {isErrorBound(errorBits), "error-bits", "positive and finite"},
       {deadline >= 0, "deadline", "no less than 0"},
       {keep >= 1 && keep <= best, "keep",
        llvm::formatv("at least 1 and at most option best, {0}", best).str()},
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
    emitWarning(getOperation().getLoc())
        << "no function has the attribute '"
        << MirageDialect::getSuperoptimizeAttrName()
        << "', so that nothing is optimized: mirage-partition marks "
           "subprograms, option function names a function";
  return functions;
}

KernelGraphOptions
Superoptimize::getSearchOptions(TargetDescription target) const {
  KernelGraphOptions all;
  all.kernelOperators = maxKernelOperators;
  all.pieces = maxPieces;
  all.pieceStates = maxPieceStates;
  all.minGain = minGain;
  SearchOptions &options = all.search;
  options.target = std::move(target);
  options.limits.blockOperators = maxBlockOperators;
  options.limits.prune = *parsePrune(prune);
  options.limits.canonicalOrder = canonicalOrder;
  options.states = maxStates;
  options.kernels = kernels;
  options.gridDims = gridDims;
  options.loops = loops;
  options.best = best;
  options.verified = keep;
  options.threads = threads;
  options.seed = seed;
  options.errorBits = errorBits;
  options.deadline = deadline;
  return all;
}

//===----------------------------------------------------------------------===//
// One function after another
//===----------------------------------------------------------------------===//

namespace {
/// The searches for one function.
class FunctionSearch {
public:
  FunctionSearch(func::FuncOp function, const SearchSubject &subject,
                 const KernelGraphOptions &options,
                 const InterruptGuard &interrupt, ResumeFile &file)
      : function(function), subject(subject), options(options),
        interrupt(interrupt), file(file), line(llvm::errs()) {}

  FailureOr<SearchOutcome> run();

private:
  LogicalResult searchWhole();
  void searchPieces(double seconds);
  void show(const SearchProgress &progress) {
    line.show(progress.seconds,
              [&] { return describe(function.getName(), progress); });
  }
  SearchState *getState(const MuGraph &piece, const SearchOptions &own);

  /// The seconds of the deadline that belong to the function as a whole.
  static constexpr double kWholePart = 0.6;

  struct PieceState {
    SearchState::Key key;
    SearchState state;
  };

  func::FuncOp function;
  const SearchSubject &subject;
  const KernelGraphOptions &options;
  const InterruptGuard &interrupt;
  ResumeFile &file;
  ProgressLine line;
  SearchOutcome outcome;
  std::map<std::string, PieceState> pieceStates;
  bool hasBadState = false;
};
} // namespace

LogicalResult FunctionSearch::searchWhole() {
  SearchState::Key key =
      SearchState::getKey(subject.task->program, options.search);
  FailureOr<SearchState> state = file.take(function, key);
  if (failed(state))
    return failure();
  SearchControl control;
  control.stop = &interrupt.getFlag();
  if (file.isInUse())
    control.state = &*state;
  control.report = [&](const SearchProgress &progress) { show(progress); };
  SearchOptions own = options.search;
  own.paying = subject.microseconds * (1 - options.minGain);
  if (options.pieces)
    own.deadline *= kWholePart;
  outcome.whole = superoptimize(*subject.task, own, control);
  file.put(function, key, *state);
  return success();
}

/// The state of the search for a piece, under the hash of its program.
SearchState *FunctionSearch::getState(const MuGraph &piece,
                                      const SearchOptions &own) {
  std::string entry =
      llvm::formatv("piece {0}", llvm::utohexstr(structuralHash(piece)));
  auto [known, isNew] = pieceStates.try_emplace(entry);
  if (!isNew)
    return nullptr;
  known->second.key = SearchState::getKey(piece, own);
  FailureOr<SearchState> state = file.take(function, known->second.key, entry);
  if (failed(state)) {
    hasBadState = true;
    return nullptr;
  }
  known->second.state = std::move(*state);
  return &known->second.state;
}

void FunctionSearch::searchPieces(double seconds) {
  KernelGraphOptions own = options;
  // Verification after the whole's part of the deadline takes none of the
  // pieces' time.
  if (own.search.deadline > 0)
    own.search.deadline *= std::max(1 - seconds / own.search.deadline,
                                    subject.task ? 1 - kWholePart : 1e-3);
  KernelGraphControl control;
  control.stop = &interrupt.getFlag();
  control.report = [&, seconds](SearchProgress progress) {
    progress.seconds += seconds;
    show(progress);
  };
  if (file.isInUse())
    control.getState = [&](const MuGraph &piece, const SearchOptions &search) {
      return getState(piece, search);
    };
  double known = subject.microseconds;
  if (const JudgedCandidate *best = outcome.whole.getBest())
    known = std::min(known, best->microseconds);
  outcome.pieces = composeKernelGraph(subject.program, known, own, control);
}

FailureOr<SearchOutcome> FunctionSearch::run() {
  auto begin = std::chrono::steady_clock::now();
  if (subject.task && failed(searchWhole()))
    return failure();
  std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - begin;
  searchPieces(seconds.count());
  line.clear();
  if (hasBadState)
    return failure();
  for (const auto &[entry, state] : pieceStates)
    file.put(function, state.key, state.state, entry);
  return std::move(outcome);
}

/// Searches, replaces, and returns what `stats` writes.
FailureOr<llvm::json::Object>
Superoptimize::optimize(func::FuncOp function,
                        const KernelGraphOptions &options,
                        const InterruptGuard &interrupt, ResumeFile &file) {
  std::string name = function.getName().str();
  std::optional<SearchSubject> subject =
      readSubject(function, options.search.target);
  if (!subject)
    return llvm::json::Object{{"function", name}, {"verdict", "unsupported"}};
  FailureOr<SearchOutcome> outcome =
      FunctionSearch(function, *subject, options, interrupt, file).run();
  if (failed(outcome))
    return failure();
  if (subject->task)
    remarkOnSearch(function, outcome->whole);
  remarkOnPieces(function, *subject, outcome->pieces);
  StringRef verdict = "unsupported";
  if (outcome->isSupported(*subject)) {
    ReplaceOptions replaceOptions;
    replaceOptions.keep = keep;
    replaceOptions.keepOriginal = keepOriginal;
    replaceOptions.minGain = minGain;
    replaceOptions.seed = seed;
    verdict = replaceFunction(function, *subject, *outcome, replaceOptions);
  } else {
    noteUnsupported(function, subject->reason);
  }
  if (outcome->wasCut())
    emitWarning(function.getLoc())
        << "the search for @" << name
        << (interrupt.getFlag() ? " was interrupted" : " met its deadline")
        << ": what it found depends on when";
  if (stats == "-") {
    llvm::errs() << "@" << name << "\n";
    printTable(outcome->whole, llvm::errs());
    printTable(outcome->pieces, llvm::errs());
  }
  llvm::json::Object object = toJSON(outcome->whole);
  object["was_cut"] = outcome->wasCut();
  object["composition"] = toJSON(outcome->pieces);
  object["function"] = name;
  object["verdict"] = verdict;
  object["original_microseconds"] = subject->microseconds;
  return object;
}

LogicalResult Superoptimize::writeStatistics(llvm::json::Array statistics) {
  if (stats.empty() || stats == "-")
    return success();
  return writeOptionFile(
      getOperation().getLoc(), "stats", stats, [&](llvm::raw_ostream &os) {
        os << llvm::formatv("{0:2}\n",
                            llvm::json::Value(std::move(statistics)));
      });
}

void Superoptimize::runOnOperation() {
  FailureOr<TargetDescription> description = findTarget(getOperation(), target);
  if (failed(description) || failed(checkOptions()))
    return signalPassFailure();
  FailureOr<SmallVector<func::FuncOp>> functions = findFunctions();
  if (failed(functions) ||
      failed(checkOptionFiles(getOperation().getLoc(),
                              {{"stats", stats}, {"resume", resume}})))
    return signalPassFailure();
  KernelGraphOptions options = getSearchOptions(*description);
  ResumeFile file(resume);
  if (failed(file.read(getOperation().getLoc())))
    return signalPassFailure();
  InterruptGuard interrupt;
  llvm::json::Array statistics;
  for (func::FuncOp function : *functions) {
    FailureOr<llvm::json::Object> entry =
        optimize(function, options, interrupt, file);
    if (failed(entry))
      return signalPassFailure();
    statistics.push_back(std::move(*entry));
  }
  if (failed(file.write(getOperation().getLoc())) ||
      failed(writeStatistics(std::move(statistics))))
    signalPassFailure();
}
