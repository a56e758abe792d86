//===- Break.h - Verifiers that are wrong on purpose ------------*- C++ -*-===//
//
// A suite that finds nothing must be able to find something. These are random
// tests with one mistake each.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TOOLS_MUTATE_BREAK_H
#define MIRAGE_TOOLS_MUTATE_BREAK_H

#include "Mirage/Analysis/Equivalence/Fields/RandomTests.h"

namespace mirage::mutate {

enum class Break : uint8_t {
  None,
  /// Element i of every input is i mod 13861 in place of a random number.
  Ramp,
  /// Only the first element of every result is compared.
  FirstElement,
  /// Each program is evaluated in a model of its own.
  TwoModels,
};

equivalence::RandomTestResult
runBrokenTests(Break how, const MuGraph &lhs, const MuGraph &rhs,
               const equivalence::RandomTestOptions &options,
               const Execution &execution);

} // namespace mirage::mutate

#endif // MIRAGE_TOOLS_MUTATE_BREAK_H
