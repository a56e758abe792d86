//===- KernelsOfWhole.cpp - Candidates for the whole, by their kernels ----===//
//
// The cost model may be far below what a candidate's kernels take, and then the
// candidate will not take the program's place. Others that the model puts
// little behind it may.
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

/// Returns whether such a time is so long that the program will not take the
/// original's place.
bool Composer::isSlowByKernels(std::optional<double> issued) {
  if (!issued)
    return false;
  if (!issuedOriginal)
    issuedOriginal = estimateIssued(original);
  return *issuedOriginal &&
         *issued > ProgramPricer::kIssuedResolution * **issuedOriginal;
}

/// Returns the microseconds of the cheapest candidate for the whole that can
/// take the original's place; infinity if there is none. What cannot must not
/// keep pieces from being searched for. Cheaper candidates are set aside if
/// they cannot, or if their kernels take so much longer than the model says
/// that another one's are faster.
double Composer::getBestOfWhole() {
  // As many candidates are looked at.
  constexpr unsigned mostCompared = 4;
  constexpr double resolution = ProgramPricer::kIssuedResolution;
  double cheapest = control.whole->getBest();
  if (cheapest >= cheapestOfWhole)
    return bestOfWhole;
  cheapestOfWhole = cheapest;
  double limit = std::min(bestKnown, known);
  // The fastest one by its kernels.
  std::optional<unsigned> chosen;
  double best = bestOfWhole, leastIssued = kNever;
  unsigned number = 0;
  for (; number < mostCompared; ++number) {
    double next = control.whole->getBest();
    // In place of one that can be taken, the model must put another little
    // behind it.
    if (next >= (chosen ? std::min(limit, cheapest * resolution) : limit))
      break;
    std::optional<double> issued =
        estimateIssued(*control.whole->getBestGraph());
    double wanted = chosen ? leastIssued / resolution : kNever;
    if (!isSlowByKernels(issued) && issued.value_or(0) < wanted) {
      chosen = number;
      best = next;
      leastIssued = issued.value_or(0);
      if (leastIssued <= resolution * next)
        break;
    }
    control.whole->setBestAside();
  }
  // The chosen one and those that come after it count again.
  control.whole->takeBack(number - chosen.value_or(0));
  if (chosen)
    cheapestOfWhole = best;
  return bestOfWhole = best;
}
