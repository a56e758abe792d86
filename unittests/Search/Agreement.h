//===- Agreement.h - Whether programs compute the same ----------*- C++ -*-===//
//
// Compares programs by a random test over finite fields.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_UNITTESTS_SEARCH_AGREEMENT_H
#define MIRAGE_UNITTESTS_SEARCH_AGREEMENT_H

#include "Mirage/Analysis/Equivalence/Fields/RandomTests.h"

namespace mirage::search {

/// Returns whether two programs agree on a random input.
inline bool agree(const MuGraph &a, const MuGraph &b) {
  using namespace equivalence;
  static WorkerPool pool(1);
  static Execution execution(pool);
  RandomTestOptions options;
  options.errorBits = 1;
  options.minTests = options.maxTests = 1;
  return runRandomTests(a, b, options, execution).kind ==
         RandomTestResult::Kind::Agree;
}

} // namespace mirage::search

#endif // MIRAGE_UNITTESTS_SEARCH_AGREEMENT_H
