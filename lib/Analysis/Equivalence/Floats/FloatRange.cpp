//===- FloatRange.cpp - Inputs for which a program is finite --------------===//
//
// Halves inputs until the original overflows no more than for normal ones.
//
//===----------------------------------------------------------------------===//

#include "FloatRange.h"

using namespace mirage;
using namespace mirage::equivalence;

const Original &Range::get(unsigned halved) {
  if (halved == 0)
    return runs.lhs;
  std::shared_ptr<const Original> &original = originals[halved];
  if (!original)
    original = runs.originals.get(*runs.pair.lhs, runs.kind.halve(halved));
  return *original;
}

unsigned Range::find(unsigned result) {
  unsigned most = runs.kind.halvings;
  auto isInRange = [&](unsigned halved) {
    const Original &original = get(halved);
    // A function that saturates may hide it.
    if (original.results.overflowsInside && !get(most).results.overflowsInside)
      return false;
    const TensorValue &exact = original.exact[result],
                      &storage = original.storage[result];
    if (getFiniteCount({&exact, &storage}) == exact.size())
      return true;
    const Original &lowest = get(most);
    return !overflows(storage, exact, lowest.storage[result],
                      lowest.exact[result]);
  };
  if (most == 0 || isInRange(0))
    return 0;
  // Nothing is gained where no inputs are small enough.
  const Original &lowest = get(most);
  if (!getFiniteCount({&lowest.exact[result], &lowest.storage[result]}))
    return 0;
  // Smaller inputs of the same signs overflow no earlier.
  unsigned outOfRange = 0, inRange = most;
  while (inRange - outOfRange > 1) {
    unsigned middle = (outOfRange + inRange) / 2;
    (isInRange(middle) ? inRange : outOfRange) = middle;
  }
  // Once more than needed: products in another order overflow a little earlier.
  return std::min(inRange + 1, most);
}
