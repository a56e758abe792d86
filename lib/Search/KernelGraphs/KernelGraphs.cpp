//===- KernelGraphs.cpp - Kernel graphs of several pieces -----------------===//
//
// Pieces are searched for as far as they are needed to know the cheapest way to
// put them together: the cover that would be cheapest if every piece that is
// not searched for took what it might take; its pieces are searched for; and so
// on, until they all are. What it might take is first a guess, which prefers
// small pieces, then the least that any kernel could take: the last cover is
// then the cheapest of all. A limit of pieces, the deadline and Ctrl-C end this
// earlier.
//
//===----------------------------------------------------------------------===//

#include "Composer.h"
#include "Mirage/Analysis/Cost/CostModel.h"
#include "Mirage/MuGraph/Comparison.h"
#include "Mirage/Semantics/ShapeRules.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mirage;
using namespace mirage::search;
using equivalence::Equivalence;
using llvm::ArrayRef;

/// The most pieces that are looked at, with those that equal others or that the
/// search cannot take.
static constexpr unsigned kLooks = 512;

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
  MuGraph whole = units.replace({{outcome.units, &graph}});
  ProgramCost cost = estimateProgram(whole, options.search.target);
  unsigned others = 0;
  double rest = 0;
  for (unsigned unit = 0; unit < units.size(); ++unit)
    if (!outcome.units[unit]) {
      rest += plainCosts[unit];
      others += plainKernels[unit];
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
  std::vector<Price> prices = getPrices(/*isGuess=*/false);
  prices[units.size() + number].cost = kFree;
  std::optional<PieceCover::Cover> cheapest = cover.find(prices, maxKernels);
  if (!cheapest || !llvm::is_contained(cheapest->pieces, units.size() + number))
    return 0;
  return bestKnown - (cheapest->cost - kFree);
}

/// Returns how much longer a piece may take alone than in the program: alone it
/// reads all of its inputs from device memory.
double Composer::getColdTime(const UnitSet &piece) const {
  double bytes = 0;
  for (MuValue value : units.extract(piece).inputs)
    if (!llvm::is_contained(program.getRegion().arguments, value))
      bytes += static_cast<double>(elementCount(program.getShape(value)) *
                                   byteSize(program.getValue(value).type));
  return bytes /
         (static_cast<double>(options.search.target.hbmBandwidth) * 1e3);
}

/// Searches for a piece. The candidate has been sorted out as right, and if
/// `verified` is one, has passed all questions, too.
std::optional<MuGraph> Composer::search(PieceOutcome &outcome,
                                        const MuGraph &piece,
                                        const SearchTask &task,
                                        unsigned verified) {
  std::optional<MuGraph> graph;
  SearchOptions own = options.search;
  own.states = std::min(own.states, options.pieceStates);
  own.paying = outcome.paying;
  own.best = 1;
  // Floats are asked about the composition with all work.
  own.verified = verified;
  // Several loops are for what no other kernel could do first.
  own.loops = std::min(own.loops, 1u);
  // Of pieces that are larger than the enumeration's, those are looked at that
  // need none.
  own.directOnly =
      units.countWork(outcome.units) > ProgramUnits::Limits().units;
  if (own.deadline > 0)
    own.deadline = std::max(own.deadline - clock.getSeconds(), kInstant);
  SearchControl searchControl;
  searchControl.stop = control.stop;
  if (control.getState)
    searchControl.state = control.getState(piece, own);
  std::string phase;
  double before = clock.getSeconds();
  if (control.report)
    searchControl.report = [&](const SearchProgress &progress) {
      SearchProgress whole = progress;
      phase = llvm::formatv("piece {0}/{1}: {2}", result.searched,
                            std::min(allowed, options.pieces), progress.phase);
      whole.phase = phase;
      whole.seconds += before;
      control.report(whole);
    };
  SearchResult searched = superoptimize(task, own, searchControl);
  outcome.statistics = searched.statistics;
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

/// Searches for a piece, unless it is known.
void Composer::look(const PieceCover &cover, unsigned number) {
  Piece &piece = pieces[number];
  ProgramUnits::Piece own = units.extract(piece.units);
  PieceOutcome outcome;
  outcome.units = piece.units;
  for (unsigned unit : piece.units.set_bits())
    outcome.operators.push_back(units.getNode(unit).op);
  outcome.location = units.getNode(piece.units.find_first()).location;
  outcome.plain = piece.plain;
  outcome.bound = piece.bound;
  outcome.microseconds = kNever;
  outcome.paying = std::min(getSlack(cover, number),
                            piece.plain * (1 - options.search.minGain)) +
                   getColdTime(piece.units);
  outcome.equalTo = findEqual(own.program);
  // Where an equal piece had to be faster, this one may find what that did not.
  if (outcome.equalTo && !found[*outcome.equalTo] &&
      result.pieces[*outcome.equalTo].paying < outcome.paying)
    outcome.equalTo.reset();
  piece.outcome = result.pieces.size();
  programs.push_back(std::move(own.program));
  found.emplace_back();
  const MuGraph &graph = programs.back();
  if (outcome.equalTo) {
    const PieceOutcome &equal = result.pieces[*outcome.equalTo];
    outcome.unsupported = equal.unsupported;
    outcome.verdict = equal.verdict;
    outcome.end = equal.end;
    found.back() = found[*outcome.equalTo];
    if (found.back())
      setCost(outcome, *found.back());
  } else {
    unsigned location = 0;
    if (auto task = SearchTask::create(graph, outcome.unsupported, location)) {
      outcome.unsupported.clear();
      ++result.searched;
      found.back() = search(outcome, graph, *task, /*verified=*/0);
    }
  }
  result.pieces.push_back(std::move(outcome));
}

/// Notes the time of the cheapest program that is known, and where it gains,
/// lets the searches go on.
void Composer::noteKnown(const PieceCover &cover) {
  std::optional<PieceCover::Cover> best =
      cover.find(getKnownPrices(), maxKernels);
  if (!best || best->cost >= bestCover)
    return;
  if (best->cost <= bestCover * (1 - options.search.minGain))
    allowed = result.searched + kPatience;
  bestCover = best->cost;
  bestKnown = std::min(bestKnown, bestCover);
}

/// Searches for the largest unknown piece of the cover that is cheapest by what
/// is known. Returns false if there is none, or if no cover could pay.
bool Composer::searchCheapest(const PieceCover &cover, bool isGuess) {
  std::optional<PieceCover::Cover> cheapest =
      cover.find(getPrices(isGuess), maxKernels);
  if (!cheapest || cheapest->cost >= bestKnown * (1 - options.search.minGain))
    return false;
  std::optional<unsigned> next;
  for (unsigned number : cheapest->pieces)
    if (number >= units.size()) {
      unsigned own = number - units.size();
      if (!isSearched(pieces[own]) &&
          (!next || pieces[own].units.count() > pieces[*next].units.count()))
        next = own;
    }
  if (!next)
    return false;
  look(cover, *next);
  noteKnown(cover);
  return true;
}

/// Searches for the pieces of the cover that is cheapest if each is a direct
/// launch.
void Composer::lookAtDirect(const PieceCover &cover) {
  std::vector<Price> prices = getPrices(/*isGuess=*/false);
  for (auto [number, piece] : llvm::enumerate(pieces))
    prices[units.size() + number].cost = piece.direct.value_or(kNever);
  std::optional<PieceCover::Cover> cheapest = cover.find(prices, maxKernels);
  if (!cheapest || cheapest->cost >= bestKnown * (1 - options.search.minGain))
    return;
  for (unsigned number : cheapest->pieces)
    if (number >= units.size() && !clock.isOver())
      look(cover, number - units.size());
  noteKnown(cover);
  allowed = result.searched + kPatience;
}

//===----------------------------------------------------------------------===//
// The kernel graph
//===----------------------------------------------------------------------===//

/// Verifies a composition as a whole. It is right if its pieces are, so that a
/// proof or tests that don't come to an end change nothing.
bool Composer::accept(const PieceCover::Cover &cover) {
  std::vector<ProgramUnits::Replacement> replacements;
  Verdict judged;
  judged.equivalence = Equivalence::Proved;
  double error = 0;
  for (unsigned number : cover.pieces) {
    if (number < units.size())
      continue;
    const Piece &piece = pieces[number - units.size()];
    const PieceOutcome &outcome = result.pieces[*piece.outcome];
    replacements.push_back({piece.units, &*found[*piece.outcome]});
    if (outcome.verdict.equivalence == Equivalence::Equivalent) {
      judged.equivalence = Equivalence::Equivalent;
      error += std::exp2(outcome.verdict.log2Error);
    }
  }
  judged.log2Error = std::log2(error);
  KernelGraph graph;
  graph.graph = units.replace(replacements);
  ProgramCost cost = estimateProgram(graph.graph, options.search.target);
  graph.microseconds = cost.microseconds;
  graph.kernels = cost.kernels.size();
  if (graph.microseconds >= getTarget()) {
    result.rejected.push_back("it is not faster");
    return false;
  }
  graph.isVerifiedWhole = verifyComposition(program, graph.graph,
                                            options.search, execution, judged);
  graph.verdict = judged;
  if (!judged.isAccepted()) {
    result.rejected.push_back(judged.reason);
    return false;
  }
  result.best = std::move(graph);
  for (unsigned number : cover.pieces)
    if (number >= units.size())
      result.pieces[*pieces[number - units.size()].outcome].isUsed = true;
  return true;
}

/// Asks all questions about the pieces of a composition that was refused, and
/// searches for others in place of those that are refused alone. Returns
/// whether there are such pieces.
bool Composer::replaceRefused(const PieceCover::Cover &cover) {
  equivalence::GraphComparer acceptor(getAcceptingPolicy(options.search),
                                      execution);
  bool hasRefused = false;
  for (unsigned number : cover.pieces) {
    if (number < units.size())
      continue;
    unsigned own = *pieces[number - units.size()].outcome;
    own = result.pieces[own].equalTo.value_or(own);
    PieceOutcome &outcome = result.pieces[own];
    if (outcome.isVerified || !found[own])
      continue;
    outcome.isVerified = true;
    if (getVerdict(acceptor.compare(programs[own], *found[own])).isAccepted())
      continue;
    hasRefused = true;
    outcome.microseconds = kNever;
    std::string reason;
    unsigned location = 0;
    found[own].reset();
    if (auto task = SearchTask::create(programs[own], reason, location))
      found[own] = search(outcome, programs[own], *task, /*verified=*/1);
    for (auto [i, other] : llvm::enumerate(result.pieces))
      if (other.equalTo == own) {
        found[i] = found[own];
        other.verdict = outcome.verdict;
        other.microseconds = kNever;
        if (found[i])
          setCost(other, *found[i]);
      }
  }
  return hasRefused;
}

/// Chooses the cheapest composition of what was found. As long as it is refused
/// as a whole, pieces that are refused alone are replaced, or the one that
/// gains least is left out.
void Composer::choose(const PieceCover &cover) {
  while (true) {
    std::optional<PieceCover::Cover> best =
        cover.find(getKnownPrices(), maxKernels);
    if (!best || best->cost >= getTarget() || accept(*best))
      return;
    if (replaceRefused(*best))
      continue;
    Piece *least = nullptr;
    double leastGain = kNever;
    for (unsigned number : best->pieces)
      if (number >= units.size()) {
        Piece &piece = pieces[number - units.size()];
        double gain = piece.plain - getFoundCost(piece);
        if (gain < leastGain) {
          leastGain = gain;
          least = &piece;
        }
      }
    if (!least)
      return;
    least->isBanned = true;
  }
}

/// Says what ended the searches, and what they leave possible. Of a piece whose
/// search left nothing, what was found is the least that it takes.
void Composer::noteEnd(const PieceCover &cover) {
  std::vector<Price> prices = getPrices(/*isGuess=*/false);
  bool isUnknown = false;
  SearchEnd end = SearchEnd::Bound;
  for (auto [number, piece] : llvm::enumerate(pieces)) {
    if (!isSearched(piece)) {
      isUnknown = true;
      continue;
    }
    const PieceOutcome &outcome = result.pieces[*piece.outcome];
    if (!outcome.unsupported.empty() || !leavesPrograms(outcome.end))
      continue;
    end = std::max(end, outcome.end);
    prices[units.size() + number] = {piece.bound, 1};
  }
  if (auto cheapest = cover.find(prices, maxKernels))
    result.bound = cheapest->cost;
  if (clock.wasCut() || result.end >= SearchEnd::Time)
    result.end = getCut();
  else if (double best = result.best ? result.best->microseconds : known;
           result.bound < best * (1 - options.search.minGain))
    result.end = !isUnknown      ? end
                 : isLimited     ? SearchEnd::Pieces
                 : endsForNoGain ? std::max(end, SearchEnd::NoGain)
                                 : end;
}

KernelGraphResult Composer::run() {
  if (clock.isOver())
    result.end = getCut();
  if (units.size() < 2 || options.pieces == 0 || clock.wasCut())
    return std::move(result);
  bestKnown = known;
  pricePlainUnits();
  bestCover = plainTotal;
  addPieces();
  if (pieces.empty())
    return std::move(result);
  std::vector<UnitSet> sets;
  for (unsigned unit = 0; unit < units.size(); ++unit) {
    sets.emplace_back(units.size());
    sets.back().set(unit);
  }
  for (const Piece &piece : pieces)
    sets.push_back(piece.units);
  PieceCover cover(units, sets);
  result.isExact = cover.isExact();
  lookAtDirect(cover);
  // `pieces` is a limit of searches; what is known, or unsupported, costs none.
  for (bool isGuess : {true, false})
    while (result.searched < std::min(allowed, options.pieces) &&
           result.pieces.size() < kLooks && !clock.isOver() &&
           searchCheapest(cover, isGuess)) {
    }
  endsForNoGain = result.searched >= allowed;
  isLimited =
      result.searched >= options.pieces || result.pieces.size() >= kLooks;
  choose(cover);
  noteEnd(cover);
  return std::move(result);
}

KernelGraphResult
mirage::search::composeKernelGraph(const MuGraph &program, double known,
                                   const KernelGraphOptions &options,
                                   const KernelGraphControl &control) {
  return Composer(program, known, options, control).run();
}
