//===- OverlappingPieces.cpp - Pieces that compute something again --------===//
//
// A value that several operators read need not be stored: each piece that reads
// it can compute it again. Such pieces write less than what is read of them,
// and overlap. Their searches come after those for pieces that don't, and what
// is composed of both is chosen by the binary program (KernelOrchestration.h).
//
//===----------------------------------------------------------------------===//

#include "Composer.h"
#include "Mirage/Search/KernelGraphs/ExecutionStates.h"
#include <cmath>

using namespace mirage;
using namespace mirage::search;

/// Returns some units of a piece and all that they need of it.
static UnitSet addOperands(const ProgramUnits &units, const UnitSet &piece,
                           UnitSet some) {
  for (unsigned unit = units.size(); unit-- > 0;)
    if (some[unit])
      some |= units.getOperands(unit);
  some &= piece;
  return some;
}

/// Adds pieces of those that are known, each with fewer outputs. What these
/// leave out is computed again elsewhere, for which a product takes too long.
void Composer::addOverlappingPieces() {
  if (!hasBinarySolver())
    return;
  double launch = getProductsTime(UnitSet(units.size()));
  size_t apart = pieces.size();
  for (size_t number = 0; number < apart; ++number) {
    const UnitSet set = pieces[number].units, all = pieces[number].outputs;
    if (pieces[number].fused ||
        units.countWork(set) > ProgramUnits::Limits().units)
      continue;
    uint64_t withAll = 0;
    for (UnitSet &outputs :
         enumerateOutputs(units, set, all, all.count() - 1, withAll)) {
      if (result.overlapping == kMostOverlapping) {
        ++result.overlappingLeftOut;
        continue;
      }
      UnitSet leftOut = all;
      leftOut.reset(outputs);
      // Another launch may take as long.
      if (getProductsTime(addOperands(units, set, leftOut)) > 2 * launch)
        continue;
      Piece piece = pieces[number];
      piece.bound = getBound(set, outputs);
      piece.floor = std::max(piece.bound, getProductsTime(set));
      piece.outputs = std::move(outputs);
      piece.direct.reset();
      piece.outcome.reset();
      piece.isOverlapping = true;
      if (piece.bound > piece.plain * (1 - options.search.minGain))
        continue;
      ++result.overlapping;
      pieces.push_back(std::move(piece));
    }
  }
  if (pieces.size() == apart)
    return;
  std::vector<KernelOrchestration::Kernel> kernels;
  for (unsigned unit = 0; unit < units.size(); ++unit) {
    UnitSet alone(units.size());
    alone.set(unit);
    kernels.push_back(KernelOrchestration::makeKernel(units, alone, alone));
  }
  for (const Piece &piece : pieces)
    kernels.push_back(
        KernelOrchestration::makeKernel(units, piece.units, piece.outputs));
  orchestration.emplace(units, std::move(kernels));
}

KernelOrchestration::Answer
Composer::solveOrchestration(const PieceCover::Prices &prices,
                             KernelOrchestration::Options limits) const {
  std::vector<PieceCover::Price> all = prices.units;
  llvm::append_range(all, prices.pieces);
  // The time of a piece in the program is a difference of two others.
  for (PieceCover::Price &price : all)
    price.cost = std::max(price.cost, 0.0);
  limits.maxKernels = maxKernels;
  auto watch = [&, isOver = limits.isOver] {
    show("choice of kernels");
    return isOver && isOver();
  };
  limits.isOver = watch;
  return orchestration->find(all, limits);
}

/// Returns the time that any program of units and pieces takes at least, if
/// some of these overlap; infinity otherwise.
double Composer::getOrchestrationBound(const PieceCover::Prices &prices) const {
  if (!orchestration)
    return kNever;
  KernelOrchestration::Options limits;
  limits.nodes = 0;
  return solveOrchestration(prices, limits).bound;
}

/// Notes the work of a choice that is asked to take less than `below`, and how
/// far it may be from the cheapest.
void Composer::noteOrchestration(const KernelOrchestration::Answer &answer,
                                 double below) {
  result.work += answer.iterations * answer.rows / kIterationsOfState;
  ++result.orchestrations;
  if (answer.isOptimal)
    return;
  ++result.openOrchestrations;
  double known = answer.plan ? answer.plan->cost : std::min(below, bestKnown);
  result.largestGap = std::max(result.largestGap, known - answer.bound);
}

/// Finds the cheapest program of units and pieces that may overlap, if it takes
/// less than `below`.
std::optional<PieceCover::Cover>
Composer::orchestrate(const PieceCover::Prices &prices, double below) {
  KernelOrchestration::Options limits;
  limits.below = below;
  limits.iterations = kMostIterations;
  auto isOver = [&] { return clock.isOver(); };
  limits.isOver = isOver;
  KernelOrchestration::Answer answer = solveOrchestration(prices, limits);
  noteOrchestration(answer, below);
  if (!answer.plan)
    return std::nullopt;
  PieceCover::Cover cover;
  cover.cost = answer.plan->cost;
  cover.kernels = answer.plan->launches;
  for (unsigned kernel : answer.plan->kernels)
    if (kernel >= units.size())
      cover.pieces.push_back(kernel - units.size());
  return cover;
}

/// Returns the cheapest program of what was found. Pieces overlap in it only if
/// that gains as much as a program must gain.
std::optional<PieceCover::Cover> Composer::findBest(const PieceCover &cover) {
  PieceCover::Prices prices = getKnownPrices();
  std::optional<PieceCover::Cover> apart = cover.find(prices, maxKernels);
  bool hasOverlapping = llvm::any_of(pieces, [&](const Piece &piece) {
    return piece.isOverlapping && isSearched(piece) &&
           std::isfinite(getFoundCost(piece));
  });
  if (!hasOverlapping)
    return apart;
  double below = apart ? apart->cost * (1 - options.search.minGain) : kNever;
  std::optional<PieceCover::Cover> both = orchestrate(prices, below);
  return both ? both : apart;
}

/// Returns the piece of the cheapest plan that promises most of those that are
/// asked for; nothing if there is none.
static std::optional<unsigned>
findMostPromising(const PieceCover::Cover &plan,
                  llvm::function_ref<std::optional<double>(unsigned)> getGain) {
  std::optional<unsigned> next;
  double most = 0;
  for (unsigned number : plan.pieces)
    if (std::optional<double> gain = getGain(number);
        gain && (!next || *gain > most)) {
      next = number;
      most = *gain;
    }
  return next;
}

/// Searches for a piece that overlaps, with so many states in each phase, and
/// notes what it gains.
void Composer::lookAtOverlapping(const PieceCover &cover, unsigned number,
                                 uint64_t states) {
  look(cover, number, states);
  const Piece &piece = pieces[number];
  noteOutcome(piece.units, getFoundCost(piece) < piece.plain);
  if (std::optional<PieceCover::Cover> best = findBest(cover))
    noteGain(best->cost);
}

/// Searches for pieces that overlap and have fast direct launches, until so
/// much work is done. A direct launch is found in the time of some thousand
/// states. So the cheapest plan by guesses is made again and again, and those
/// of its pieces whose direct launches are not known are asked for these, until
/// it has none. The others are searched for; where no work is left for that,
/// the direct launches themselves are taken, or a part of a plan would be of no
/// use.
void Composer::lookAtDirectOverlapping(const PieceCover &cover,
                                       uint64_t lastWork) {
  while (!clock.isOver()) {
    bool hasWork = result.work < lastWork;
    PieceCover::Prices prices = getKnownPrices();
    for (auto [number, piece] : llvm::enumerate(pieces)) {
      if (!piece.isOverlapping || isSearched(piece))
        continue;
      double guess = hasWork ? guessTime(piece, /*boldness=*/0) : kNever;
      prices.pieces[number] = {piece.direct.value_or(guess), 1};
    }
    std::optional<PieceCover::Cover> plan =
        orchestrate(prices, bestKnown * (1 - options.search.minGain));
    if (!plan)
      return;
    auto getGain = [&](unsigned number) -> std::optional<double> {
      if (isKnown(pieces[number]))
        return std::nullopt;
      return getPresent(pieces[number]) - prices.pieces[number].cost;
    };
    std::optional<unsigned> next =
        findMostPromising(*plan, [&](unsigned number) -> std::optional<double> {
          return pieces[number].direct ? std::nullopt : getGain(number);
        });
    if (next) {
      Piece &piece = pieces[*next];
      piece.direct = findDirectTime(units.extract(piece.units, piece.outputs),
                                    piece.units, options.search.passes,
                                    /*partOfTime=*/1, result.work);
      continue;
    }
    next = findMostPromising(*plan, getGain);
    if (!next)
      return;
    lookAtOverlapping(cover, *next, hasWork ? kPieceStates : kDirectOnly);
  }
}

/// Searches for pieces that overlap, as long as they promise a gain and there
/// is work left for them.
void Composer::searchOverlapping(const PieceCover &cover) {
  if (!orchestration)
    return;
  auto most = static_cast<uint64_t>(kPartOfOverlapping *
                                    static_cast<double>(result.mostWork));
  uint64_t begin = result.work;
  lookAtDirectOverlapping(cover, begin + most);
  unsigned boldness = 0;
  while (boldness <= kBoldest && !clock.isOver() &&
         result.work - begin < most) {
    PieceCover::Prices prices = getKnownPrices();
    for (auto [number, piece] : llvm::enumerate(pieces))
      if (piece.isOverlapping && !isSearched(piece))
        prices.pieces[number] = {guessTime(piece, boldness), 1};
    std::optional<PieceCover::Cover> plan =
        orchestrate(prices, bestKnown * (1 - options.search.minGain));
    // The piece of the plan that promises most comes next.
    std::optional<unsigned> next;
    if (plan)
      next = findMostPromising(
          *plan, [&](unsigned number) -> std::optional<double> {
            if (isKnown(pieces[number]))
              return std::nullopt;
            return getPresent(pieces[number]) - prices.pieces[number].cost;
          });
    if (next)
      lookAtOverlapping(cover, *next, kPieceStates);
    else
      ++boldness;
  }
}
