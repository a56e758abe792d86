//===- FunctionSearch.cpp - The searches for a function -------------------===//
//
// Divides the deadline between the search for the whole and those for pieces,
// takes their states from the file, and puts them back.
//
//===----------------------------------------------------------------------===//

#include "FunctionSearch.h"
#include "Mirage/MuGraph/Comparison.h"
#include "Mirage/Transforms/ProgressLine.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

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
        interrupt(interrupt), file(file), place(place),
        line(interrupt.isActive() ? llvm::errs() : llvm::nulls()) {}

  FailureOr<SearchOutcome> run();

private:
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

/// The state of the search for a piece, under the hash of its program.
SearchState *FunctionSearch::getState(const MuGraph &piece,
                                      const SearchOptions &own) {
  std::string entry =
      llvm::formatv("piece {0}", llvm::utohexstr(structuralHash(piece)));
  auto [known, isNew] = pieceStates.try_emplace(entry);
  SearchState::Key key = SearchState::getKey(piece, own);
  if (!isNew)
    return known->second.key == key ? &known->second.state : nullptr;
  known->second.key = key;
  FailureOr<SearchState> state = file.take(function, known->second.key, entry);
  if (failed(state)) {
    hasBadState = true;
    return nullptr;
  }
  known->second.state = std::move(*state);
  return &known->second.state;
}

FailureOr<SearchOutcome> FunctionSearch::run() {
  KernelGraphControl control;
  control.stop = &interrupt.getFlag();
  control.alternatives = subject.alternatives.programs;
  control.constants = subject.constants;
  control.report = [&](const SearchProgress &progress) { show(progress); };
  if (file.isInUse())
    control.getState = [&](const MuGraph &piece, const SearchOptions &search) {
      return getState(piece, search);
    };
  SearchControl ofWhole;
  ofWhole.stop = control.stop;
  ofWhole.report = control.report;
  SearchOptions own = options.search;
  own.paying = subject.cost.microseconds * (1 - own.minGain);
  if (options.pieces)
    own.deadline *= kWholePart;
  SearchState::Key key;
  FailureOr<SearchState> state = SearchState();
  std::optional<ProgramSearch> whole;
  if (subject.task) {
    key = SearchState::getKey(subject.task->program, options.search);
    state = file.take(function, key);
    if (failed(state))
      return failure();
    if (file.isInUse())
      ofWhole.state = &*state;
    whole.emplace(*subject.task, own, ofWhole);
    control.whole = &*whole;
    control.wholeResult = &outcome.whole;
  }
  outcome.pieces = composeKernelGraph(
      subject.program, subject.cost.microseconds, options, control);
  line.clear();
  if (hasBadState)
    return failure();
  if (subject.task)
    file.put(function, key, *state);
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
