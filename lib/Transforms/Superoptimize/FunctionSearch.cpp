//===- FunctionSearch.cpp - The searches for a function -------------------===//
//
// Divides the deadline between the search for the whole and those for pieces,
// takes their states from the file, and puts them back.
//
//===----------------------------------------------------------------------===//

#include "FunctionSearch.h"
#include "../ProgressLine.h"
#include "Mirage/MuGraph/Comparison.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <chrono>

using namespace mlir;
using namespace mirage;
using namespace mirage::search;

namespace {
/// The searches for one function.
class FunctionSearch {
public:
  FunctionSearch(func::FuncOp function, const SearchSubject &subject,
                 const KernelGraphOptions &options,
                 const InterruptGuard &interrupt, ResumeFile &file,
                 const SearchPlace &place)
      : function(function), subject(subject), options(options),
        interrupt(interrupt), file(file), place(place), line(llvm::errs()) {}

  FailureOr<SearchOutcome> run();

private:
  LogicalResult searchWhole();
  void searchPieces(double seconds);
  void show(const SearchProgress &progress) {
    line.show(progress.seconds, [&] { return describe(place, progress); });
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
  const SearchPlace &place;
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
  own.paying = subject.cost.microseconds * (1 - own.minGain);
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
  double known = subject.cost.microseconds;
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

FailureOr<SearchOutcome>
mirage::searchFunction(func::FuncOp function, const SearchSubject &subject,
                       const KernelGraphOptions &options,
                       const InterruptGuard &interrupt, ResumeFile &file,
                       const SearchPlace &place) {
  return FunctionSearch(function, subject, options, interrupt, file, place)
      .run();
}
