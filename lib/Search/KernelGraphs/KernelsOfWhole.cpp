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
/// keep pieces from being searched for: it is set aside for candidates that
/// can.
double Composer::getBestOfWhole() {
  // As many candidates are looked at.
  constexpr unsigned mostCompared = 4;
  double cheapest = control.whole->getBest();
  if (cheapest >= cheapestOfWhole)
    return bestOfWhole;
  cheapestOfWhole = cheapest;
  double limit = std::min(bestKnown, known);
  for (unsigned number = 0; number < mostCompared; ++number) {
    double next = control.whole->getBest();
    if (next >= limit) {
      control.whole->takeBack(number);
      return bestOfWhole;
    }
    if (!isSlowByKernels(estimateIssued(*control.whole->getBestGraph())))
      return cheapestOfWhole = bestOfWhole = next;
    control.whole->setBestAside();
  }
  control.whole->takeBack(mostCompared);
  return bestOfWhole;
}
