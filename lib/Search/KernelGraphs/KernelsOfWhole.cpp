//===- KernelsOfWhole.cpp - Candidates and pieces, by their kernels -------===//
//
// The cost model may be far below what a candidate's kernels take, and then the
// candidate will not take the program's place. Others that the model puts
// little behind it may. So may compositions without some of their pieces.
//
//===----------------------------------------------------------------------===//

#include "Composer.h"
#include <algorithm>

using namespace mirage;
using namespace mirage::search;

/// Returns the microseconds of a program by the instructions of its kernels,
/// if that is known.
std::optional<double> Composer::estimateIssued(const MuGraph &graph) {
  return options.pricer ? options.pricer->estimateIssued(graph) : std::nullopt;
}

/// Finds such times of the original, and of so many candidates for the whole
/// that take less than `microseconds` by the model.
void Composer::prepareIssued(size_t most, double microseconds) {
  if (!options.pricer)
    return;
  std::vector<MuGraph> next = control.whole->getNextGraphs(most, microseconds);
  llvm::SmallVector<const MuGraph *, 4> programs = {&original};
  for (const MuGraph &graph : next)
    programs.push_back(&graph);
  options.pricer->prepareIssued(programs, pool);
}

/// Returns whether such a time is so long that the program will not take the
/// original's place.
bool Composer::isSlowByKernels(std::optional<double> issued) {
  if (!issued)
    return false;
  if (!issuedOriginal)
    issuedOriginal = estimateIssued(original);
  return *issuedOriginal &&
         *issued > options.pricer->getIssuedResolution() * **issuedOriginal;
}

/// Chooses the candidate for the whole that takes least by the instructions of
/// its kernels, of the first that the model puts little behind the cheapest,
/// and sets those aside that are not it: what cannot take the original's place
/// must not keep pieces from being searched for. Returns microseconds below
/// which a composition may be faster than that candidate; infinity if there is
/// none.
double Composer::getBestOfWhole() {
  // As many candidates are looked at, and more while the kernels of all of them
  // take so many times as long as the model says. Each of them divides its work
  // in another way (areAlike), so that one launch is looked at where many pairs
  // of launches are a little faster by the model. Those that take exactly as
  // long by the model as a slow one before them have its sizes.
  constexpr unsigned fewestCompared = 4, mostCompared = 16, mostAside = 64;
  constexpr double mostTimes = 2;
  constexpr double resolution = ProgramPricer::kIssuedResolution;
  double cheapest = control.whole->getBest();
  if (cheapest >= cheapestOfWhole)
    return bestOfWhole;
  // Those that were set aside for another one are compared again.
  control.whole->takeBack(asideOfWhole);
  cheapestOfWhole = cheapest = control.whole->getBest();
  double limit = std::min(bestKnown, known), best = kNever, slow = kNever;
  unsigned numAside = 0, numCompared = 0;
  std::optional<unsigned> chosen;
  while (true) {
    double next = control.whole->getBest();
    if (next >= limit || (chosen && next >= cheapest * resolution))
      break;
    if (next != slow) {
      ++numCompared;
      std::optional<double> issued =
          estimateIssued(*control.whole->getBestGraph());
      double time = issued.value_or(next);
      // The others are lowered beside each other. They are asked for unless
      // they take as long by the model as a slow one.
      if (numAside == 0 && time <= mostTimes * next)
        prepareIssued(fewestCompared - 1, std::min(limit, next * resolution));
      // What the model puts behind must be ahead by so much more, unless both
      // were measured.
      bool isMeasured = options.pricer && options.pricer->isMeasuring();
      double behind = isMeasured ? ProgramPricer::kMeasuredResolution
                                 : resolution * next / cheapest;
      double wanted = chosen ? best / behind : kNever;
      if (!isSlowByKernels(issued) && time < wanted) {
        best = time;
        chosen = numAside;
        cheapestOfWhole = next;
        // The model, or the instructions, may say too little.
        bestOfWhole = std::max(next, time) * (issued ? resolution : 1);
      }
      if (time > mostTimes * next)
        slow = next;
    }
    bool isFast = chosen && best <= mostTimes * cheapest;
    if (numCompared >= (isFast ? fewestCompared : mostCompared) ||
        numAside + 1 == mostAside)
      break;
    control.whole->setBestAside();
    ++numAside;
  }
  asideOfWhole = chosen.value_or(0);
  control.whole->takeBack(numAside - asideOfWhole);
  return bestOfWhole;
}

/// Bans those pieces of a composition that take longer by the instructions of
/// their kernels than their operators, where that makes the composition too
/// slow to take the original's place. Returns whether there are any.
bool Composer::banSlowPieces(llvm::ArrayRef<unsigned> replaced) {
  if (!options.pricer || !isSlowByKernels(estimateIssued(compose(replaced))))
    return false;
  bool hasSlow = false;
  for (unsigned number : replaced) {
    if (clock.isOver())
      break;
    show("instructions of pieces");
    unsigned own = *pieces[number].outcome;
    own = result.pieces[own].equalTo.value_or(own);
    auto [known, isNew] = slowPieces.try_emplace(own, false);
    if (isNew) {
      std::optional<double> before = estimateIssued(programs[own]),
                            after = estimateIssued(*found[own]);
      known->second = before && after && *after > *before;
    }
    if (known->second)
      pieces[number].isBanned = hasSlow = true;
  }
  return hasSlow;
}

/// Ends the search for the whole, and notes what compositions are compared
/// with.
void Composer::finishWhole() {
  if (!control.whole)
    return;
  SearchResult whole = control.whole->finish(uselessRaises > 0);
  whole.end = nameLimit(whole.end);
  // What takes the original's place is what compositions are compared with.
  double resolution = options.pricer ? ProgramPricer::kResolution : 1;
  if (const JudgedCandidate *best = whole.getBest();
      best && best->microseconds <= known * resolution) {
    std::optional<double> issued =
        estimateIssued(*control.whole->getBestGraph());
    if (!isSlowByKernels(issued))
      known = std::max(best->microseconds, issued.value_or(0)) *
              (issued ? ProgramPricer::kIssuedResolution : 1);
  }
  if (control.wholeResult)
    *control.wholeResult = std::move(whole);
}
