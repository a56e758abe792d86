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

/// Returns the microseconds that the best candidate for the whole takes, by the
/// model or by the instructions of its kernels, whichever is longer; infinity
/// if there is none that can take the original's place. What cannot must not
/// keep pieces from being searched for: it is set aside for candidates that
/// can. So is what takes longer by its instructions than the model says, for
/// candidates that do not.
double Composer::getBestOfWhole() {
  // As many candidates are looked at.
  constexpr unsigned mostCompared = 4;
  constexpr double resolution = ProgramPricer::kIssuedResolution;
  double cheapest = control.whole->getBest();
  if (cheapest >= cheapestOfWhole)
    return bestOfWhole;
  cheapestOfWhole = cheapest;
  double limit = std::min(bestKnown, known), best = kNever;
  unsigned numAside = 0;
  std::optional<unsigned> chosen;
  while (true) {
    double next = control.whole->getBest();
    if (next >= limit || next * resolution >= best)
      break;
    std::optional<double> issued =
        estimateIssued(*control.whole->getBestGraph());
    double time = std::max(next, issued.value_or(next));
    if (!isSlowByKernels(issued) && time * (chosen ? resolution : 1) < best) {
      best = time;
      chosen = numAside;
      cheapestOfWhole = next;
    }
    bool isAsModelled = chosen == numAside && time < next * resolution;
    if (isAsModelled || numAside + 1 == mostCompared)
      break;
    control.whole->setBestAside();
    ++numAside;
  }
  control.whole->takeBack(numAside - chosen.value_or(0));
  if (chosen)
    bestOfWhole = best;
  return bestOfWhole;
}
