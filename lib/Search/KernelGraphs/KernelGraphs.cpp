//===- KernelGraphs.cpp - Kernel graphs of several pieces -----------------===//
//
// One queue has the search for the whole and those for pieces, which are the
// more often in it the more states they may have. What comes next is what could
// gain most for its work, if everything took what it might take: the piece of
// the cover that would be cheapest then, or the whole. What it might take is
// first a guess, which prefers small pieces and little work, then bolder ones,
// at last the least that any kernel could take: the last cover is then the
// cheapest of all. The work of all searches, a part of it without a gain, the
// deadline and Ctrl-C end this earlier.
//
//===----------------------------------------------------------------------===//

#include "Composer.h"
#include "Mirage/MuGraph/Comparison.h"
#include "Mirage/Semantics/ShapeRules.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mirage;
using namespace mirage::search;
using llvm::ArrayRef;

//===----------------------------------------------------------------------===//
// Searches
//===----------------------------------------------------------------------===//

std::optional<unsigned> Composer::findEqual(const MuGraph &piece) const {
  for (auto [number, other] : llvm::enumerate(programs))
    if (areIdentical(piece, other))
      return number;
  return std::nullopt;
}

/// Sets the time that a µGraph takes in place of the piece, where tensors may
/// be in L2, or written once for several readers.
void Composer::setCost(PieceOutcome &outcome, const MuGraph &graph) const {
  ProgramUnits::Replacement replacement{outcome.units, outcome.outputs, &graph};
  MuGraph whole = units.replace(replacement);
  ProgramCost cost = estimateLibrary(whole);
  unsigned others = 0;
  double rest = 0;
  UnitSet remaining = units.getRemaining(replacement);
  for (unsigned unit : remaining.set_bits()) {
    rest += libraryCosts[unit];
    others += libraryKernels[unit];
  }
  outcome.microseconds = cost.microseconds - rest;
  outcome.launches =
      cost.kernels.size() > others ? cost.kernels.size() - others : 0;
}

/// Returns the time in the program below which a piece is part of a program
/// that is faster than what is known, if all other pieces took what they may
/// take at least.
double Composer::getSlack(const PieceCover &cover, unsigned number) const {
  // A piece that is so cheap is part of the cheapest cover.
  static constexpr double kFree = -1e9;
  PieceCover::Prices prices = getBoundPrices();
  prices.pieces[number].cost = kFree;
  std::optional<PieceCover::Cover> cheapest = cover.find(prices, maxKernels);
  if (!cheapest || !llvm::is_contained(cheapest->pieces, number))
    return 0;
  return bestKnown - (cheapest->cost - kFree);
}

/// Returns how much longer a piece may take alone than in the program: alone it
/// reads all of its inputs from device memory.
double Composer::getColdTime(const UnitSet &piece) const {
  double bytes = 0;
  for (MuValue value : units.extract(piece).inputs)
    if (!isInMemory(value))
      bytes += static_cast<double>(elementCount(program.getShape(value)) *
                                   byteSize(program.getValue(value).type));
  return bytes /
         (static_cast<double>(options.search.target.hbmBandwidth) * 1e3);
}

/// Searches for a piece with the outcome's number of states. The candidate has
/// been sorted out as right, and if `verified` is one, has passed all
/// questions, too.
std::optional<MuGraph> Composer::search(PieceOutcome &outcome,
                                        const MuGraph &piece,
                                        const SearchTask &task,
                                        unsigned verified) {
  std::optional<MuGraph> graph;
  SearchOptions own = options.search;
  own.paying = outcome.paying;
  own.keepsSlow = false;
  own.best = 1;
  // Floats are asked about the composition with all work.
  own.verified = verified;
  // Several loops are for what no other kernel could do first.
  own.loops = std::min(own.loops, 1u);
  // Of pieces that are larger than the enumeration's, those are looked at that
  // need none.
  own.directOnly =
      outcome.states == kDirectOnly ||
      units.countWork(outcome.units) > ProgramUnits::Limits().units;
  if (own.deadline > 0)
    own.deadline = std::max(clock.getSecondsLeft(), kInstant);
  SearchControl searchControl;
  searchControl.stop = control.stop;
  if (control.getState)
    searchControl.state = control.getState(piece, own);
  std::string phase;
  double before = clock.getSeconds();
  if (control.report)
    searchControl.report = [&](const SearchProgress &progress) {
      SearchProgress whole = progress;
      phase = llvm::formatv("piece {0}: {1}", result.searched, progress.phase);
      whole.phase = phase;
      // The piece's own best is no time of the program.
      whole.bestMicroseconds = bestKnown;
      whole.seconds += before;
      control.report(whole);
    };
  ProgramSearch searching(task, own, searchControl);
  searching.raise(outcome.states);
  SearchResult searched = searching.finish();
  result.work += kWorkOfSearch + searching.getWork();
  GeneratorStatistics earlier = outcome.statistics.generator;
  outcome.statistics = searched.statistics;
  outcome.statistics.generator += earlier;
  outcome.end = searched.end;
  for (const JudgedCandidate &candidate : searched.judged) {
    if (!candidate.isAccepted() || (verified && !candidate.isVerified))
      continue;
    outcome.verdict = candidate.verdict;
    graph = instantiate(task, candidate);
    setCost(outcome, *graph);
    break;
  }
  return graph;
}

/// Searches for a piece with so many states in each phase, unless it is known.
void Composer::look(const PieceCover &cover, unsigned number, uint64_t states) {
  Piece &piece = pieces[number];
  ProgramUnits::Piece own = units.extract(piece.units, piece.outputs);
  PieceOutcome outcome;
  outcome.units = piece.units;
  outcome.outputs = piece.outputs;
  for (unsigned unit : piece.units.set_bits())
    outcome.operators.push_back(units.getNode(unit).op);
  outcome.location = units.getNode(piece.units.find_first()).location;
  outcome.plain = piece.plain;
  outcome.bound = piece.bound;
  outcome.microseconds = kNever;
  outcome.paying = piece.plain * (1 - options.search.minGain);
  // The cover says nothing of pieces that overlap.
  if (!piece.isOverlapping)
    outcome.paying = std::min(outcome.paying, getSlack(cover, number));
  outcome.paying += getColdTime(piece.units);
  outcome.equalTo = findEqual(own.program);
  // Where an equal piece had to be faster, this one may find what that did not.
  if (outcome.equalTo && !found[*outcome.equalTo] &&
      result.pieces[*outcome.equalTo].paying < outcome.paying)
    outcome.equalTo.reset();
  piece.outcome = result.pieces.size();
  result.work += kWorkOfLook;
  programs.push_back(std::move(own.program));
  found.emplace_back();
  const MuGraph &graph = programs.back();
  if (outcome.equalTo) {
    const PieceOutcome &equal = result.pieces[*outcome.equalTo];
    outcome.unsupported = equal.unsupported;
    outcome.verdict = equal.verdict;
    outcome.end = equal.end;
    outcome.states = equal.states;
    found.back() = found[*outcome.equalTo];
    if (found.back())
      setCost(outcome, *found.back());
  } else {
    std::optional<unsigned> location;
    if (auto task = SearchTask::create(graph, outcome.unsupported, location)) {
      outcome.unsupported.clear();
      ++result.searched;
      outcome.states = states;
      found.back() = search(outcome, graph, *task, /*verified=*/0);
    }
  }
  result.pieces.push_back(std::move(outcome));
}

/// Gives those pieces that equal another one what was found for that.
void Composer::propagate(unsigned number) {
  const PieceOutcome &from = result.pieces[number];
  for (auto [i, other] : llvm::enumerate(result.pieces)) {
    if (other.equalTo != number)
      continue;
    found[i] = found[number];
    other.verdict = from.verdict;
    other.states = from.states;
    other.end = from.end;
    other.microseconds = kNever;
    if (found[i])
      setCost(other, *found[i]);
  }
}

/// Searches with more states for a piece for which there was a search.
void Composer::raise(const PieceCover &cover, unsigned number) {
  const Piece &piece = pieces[number];
  unsigned own = *piece.outcome;
  own = result.pieces[own].equalTo.value_or(own);
  PieceOutcome &outcome = result.pieces[own];
  double before = std::min(getFoundCost(piece), piece.plain);
  PieceOutcome raised = outcome;
  raised.states *= kRaise;
  raised.paying =
      std::min(getSlack(cover, number), before * (1 - options.search.minGain)) +
      getColdTime(piece.units);
  ++result.raised;
  std::string reason;
  std::optional<unsigned> location;
  std::optional<MuGraph> better;
  if (auto task = SearchTask::create(programs[own], reason, location))
    better = search(raised, programs[own], *task, /*verified=*/0);
  if (better && raised.microseconds < outcome.microseconds) {
    found[own] = std::move(better);
    outcome = std::move(raised);
  } else {
    outcome.statistics = raised.statistics;
    outcome.states = raised.states;
    outcome.end = raised.end == SearchEnd::States ||
                          raised.end == SearchEnd::Configurations
                      ? SearchEnd::NoGain
                      : raised.end;
  }
  propagate(own);
}

/// Searches for the whole, for the first time or with more states.
void Composer::raiseWhole() {
  double before = control.whole->getBest();
  uint64_t first = std::max<uint64_t>(result.mostWork / kPhases, 1);
  bool isFirst = statesOfWhole == 0;
  statesOfWhole =
      isFirst ? std::min(kWholeStates, first) : statesOfWhole * kRaise;
  control.whole->raise(statesOfWhole);
  result.work += control.whole->getWork() - workOfWhole;
  workOfWhole = control.whole->getWork();
  double best = control.whole->getBest();
  bool isUseful =
      options.search.minGain == 0 ||
      (best <= before * (1 - options.search.minGain) && std::isfinite(best));
  uselessRaises = isFirst || isUseful ? 0 : uselessRaises + 1;
  noteGain(getBestOfWhole());
}

/// Notes the time of a program that is known now.
void Composer::noteGain(double microseconds) {
  bestKnown = std::min(bestKnown, microseconds);
  if (bestKnown <= bestAtGain * (1 - options.search.minGain)) {
    workAtGain = getWorkOfPieces();
    bestAtGain = bestKnown;
  }
}

/// Notes the time of the cheapest program that is known.
void Composer::noteKnown(const PieceCover &cover) {
  std::optional<PieceCover::Cover> best =
      cover.find(getKnownPrices(), maxKernels);
  if (best)
    noteGain(best->cost);
  noteShares(best);
}

/// Returns the piece of a cover that promises most for its work, of those that
/// were not searched for or may be searched for with more states.
std::optional<unsigned> Composer::findPromising(const PieceCover::Cover &cover,
                                                unsigned boldness) const {
  std::optional<unsigned> next;
  double most = 0;
  for (unsigned number : cover.pieces) {
    const Piece &piece = pieces[number];
    if (piece.fused || (isSearched(piece) && !canBeRaised(piece)))
      continue;
    double known = isSearched(piece)
                       ? std::min(getFoundCost(piece), piece.plain)
                       : getPresent(piece);
    double gain = known - guessTime(piece, boldness);
    double promise =
        gain / static_cast<double>(getNextStates(piece) + kWorkOfSearch);
    if (!next || promise > most) {
      most = promise;
      next = number;
    }
  }
  return next;
}

/// Searches for what promises most: the whole with more states, or a piece of
/// the cover that is cheapest by the guesses. Returns false if nothing promises
/// a gain.
bool Composer::searchMostPromising(const PieceCover &cover, unsigned boldness) {
  double least = bestKnown * options.search.minGain;
  std::optional<PieceCover::Cover> cheapest =
      cover.find(getPrices(boldness), maxKernels);
  double gain = cheapest ? bestKnown - cheapest->cost : 0;
  double gainOfWhole = bestKnown - guessTimeOfWhole(boldness);
  std::optional<unsigned> next;
  double statesOfPieces = 0;
  if (gain > least * kLeastPromise) {
    next = findPromising(*cheapest, boldness);
    for (unsigned number : cheapest->pieces)
      if (const Piece &piece = pieces[number];
          !piece.fused && (!isSearched(piece) || canBeRaised(piece)))
        statesOfPieces +=
            static_cast<double>(getNextStates(piece) + kWorkOfSearch);
  }
  if (gainOfWhole > least &&
      (!next || gainOfWhole / static_cast<double>(statesOfWhole * kRaise) >=
                    gain / statesOfPieces)) {
    raiseWhole();
    return true;
  }
  if (!next)
    return false;
  const Piece &piece = pieces[*next];
  double before = isSearched(piece) ? std::min(getFoundCost(piece), piece.plain)
                                    : piece.plain;
  if (isSearched(piece))
    raise(cover, *next);
  else
    look(cover, *next);
  noteKnown(cover);
  noteOutcome(piece.units, getFoundCost(piece) < before);
  return true;
}

/// Searches for the pieces of the cover that is cheapest if each is a direct
/// launch.
void Composer::lookAtDirect(const PieceCover &cover) {
  PieceCover::Prices prices = getBoundPrices();
  for (auto [number, piece] : llvm::enumerate(pieces))
    if (!piece.fused)
      prices.pieces[number].cost = piece.direct.value_or(kNever);
  std::optional<PieceCover::Cover> cheapest = cover.find(prices, maxKernels);
  if (!cheapest || cheapest->cost >= bestKnown * (1 - options.search.minGain))
    return;
  for (unsigned number : cheapest->pieces)
    if (!pieces[number].fused && !clock.isOver())
      look(cover, number);
  noteKnown(cover);
}

//===----------------------------------------------------------------------===//
// Ends
//===----------------------------------------------------------------------===//

/// Says what ended the searches, and what they leave possible. Of a piece whose
/// search left nothing, what was found is the least that it takes.
void Composer::noteEnd(const PieceCover &cover) {
  PieceCover::Prices prices = getBoundPrices();
  bool isUnknown = false;
  SearchEnd end = SearchEnd::Bound;
  for (auto [number, piece] : llvm::enumerate(pieces)) {
    if (piece.fused)
      continue;
    if (!isSearched(piece)) {
      isUnknown = true;
      continue;
    }
    const PieceOutcome &outcome = result.pieces[*piece.outcome];
    if (!outcome.unsupported.empty() || !leavesPrograms(outcome.end))
      continue;
    end = std::max(end, nameLimit(outcome.end));
    prices.pieces[number] = {piece.bound, 1};
  }
  if (auto cheapest = cover.find(prices, maxKernels);
      cheapest && !pieces.empty())
    result.bound = std::min({cheapest->cost, getOrchestrationBound(prices),
                             getBoundAmongAll(prices)});
  if (result.leavesPieces() && !pieces.empty()) {
    end = std::max(end, SearchEnd::Pieces);
    result.bound = std::min(result.bound, getBoundOfAny());
  }
  if (clock.wasCut() || result.end >= SearchEnd::Time)
    result.end = getCut();
  else if (double best = result.best ? result.best->microseconds : known;
           result.bound < best * (1 - options.search.minGain))
    result.end = isUnknown ? std::max(end, isLimited ? SearchEnd::Effort
                                                     : SearchEnd::NoGain)
                           : end;
}

/// Returns what ended a search: where it had too few states, it may be that
/// there was no work left for more.
SearchEnd Composer::nameLimit(SearchEnd end) const {
  bool lacksStates =
      end == SearchEnd::States || end == SearchEnd::Configurations;
  return lacksStates && isLimited ? SearchEnd::Effort : end;
}

/// Returns the time that any program takes at least, whatever its pieces are:
/// that of one kernel for all.
double Composer::getBoundOfAny() const {
  UnitSet all(units.size(), true);
  bool areOperators = llvm::all_of(all.set_bits(), [&](unsigned unit) {
    return units.getNode(unit).kind == MuNode::Kind::Operator;
  });
  return areOperators ? getBound(all, units.getResults())
                      : lowerBound(0, 0, 0, options.search.target);
}

/// Searches as long as something promises a gain and there is work left for it.
void Composer::searchAll(const PieceCover &cover) {
  auto most =
      static_cast<uint64_t>(kPatience * static_cast<double>(result.mostWork));
  unsigned boldness = 0;
  while (boldness <= kBoldest + 1 && !clock.isOver()) {
    // A small program has little work, most of which one search may take.
    if (result.searched >= kFewestSearches) {
      if (getWorkOfPieces() - workAtGain > most)
        return;
      if (getWorkLeft() == 0) {
        isLimited = true;
        return;
      }
    }
    double before = bestKnown;
    if (!searchMostPromising(cover, boldness))
      ++boldness;
    else if (bestKnown <= before * (1 - options.search.minGain))
      boldness = 0;
  }
}

/// Searches on after a composition was refused, for what may take its place:
/// searches have ended because of what it seemed to gain.
void Composer::searchOn(const PieceCover &cover) {
  // The search for the whole has finished.
  uselessRaises = kUselessRaises;
  bestKnown = bestAtGain = known;
  workAtGain = getWorkOfPieces();
  noteKnown(cover);
  searchAll(cover);
}

KernelGraphResult Composer::run() {
  if (clock.isOver())
    result.end = getCut();
  bestKnown = bestAtGain = known;
  pricePlainUnits();
  double mostWork =
      static_cast<double>(options.effort) *
      (1 + numOperators * numOperators * numOperators / kOperatorsOfWork);
  constexpr auto unlimited =
      static_cast<double>(KernelGraphOptions::kUnlimited);
  result.mostWork = mostWork < unlimited ? static_cast<uint64_t>(mostWork)
                                         : KernelGraphOptions::kUnlimited;
  if (control.whole) {
    raiseWhole();
    // What the whole's verification took besides is none of the pieces' time.
    clock.prolong(clock.getSeconds() + kPartOfPieces * options.search.deadline);
  }
  if (options.pieces && units.size() > 1 && !clock.wasCut())
    addPieces();
  std::vector<UnitSet> sets;
  for (const Piece &piece : pieces)
    sets.push_back(piece.units);
  PieceCover cover(units, sets, groups);
  result.isExact = cover.isExact();
  noteKnown(cover);
  lookAtDirect(cover);
  searchAll(cover);
  if (std::optional<PieceCover> wider = addMovedViews(cover)) {
    cover = std::move(*wider);
    searchMovedViews(cover);
  }
  addOverlappingPieces();
  searchOverlapping(cover);
  addAlternatives(cover);
  searchAlternatives(cover);
  finishWhole();
  chooseAmongAll(cover);
  if (!result.best)
    choose(cover);
  noteEnd(cover);
  reportAlternatives();
  return std::move(result);
}

KernelGraphResult
mirage::search::composeKernelGraph(const MuGraph &program, double known,
                                   const KernelGraphOptions &options,
                                   const KernelGraphControl &control) {
  return Composer(program, known, options, control).run();
}
