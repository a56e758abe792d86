//===- RandomTests.h - Equivalence by random tests --------------*- C++ -*-===//
//
// Compares two µGraphs on random inputs in finite fields (Mirage, section 5):
// different graphs disagree but for a probability that is bounded, and that
// falls with the number of tests. Knows no IR.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ANALYSIS_EQUIVALENCE_FIELDS_RANDOMTESTS_H
#define MIRAGE_ANALYSIS_EQUIVALENCE_FIELDS_RANDOMTESTS_H

#include "Mirage/Analysis/Equivalence/ErrorBound/DegreeBound.h"
#include "Mirage/MuGraph/MuGraph.h"
#include "Mirage/Support/Execution.h"
#include <optional>
#include <string>

namespace mirage::equivalence {

struct RandomTestOptions {
  /// The tests accept different graphs with a probability of at most
  /// 2^-errorBits.
  double errorBits = 40;
  uint64_t seed = 0;
  /// At most so many tests are made, whatever error they leave.
  unsigned maxTests = 64;
  /// At least so many tests are made before graphs agree. Each of the first
  /// tests takes other primes, so that from two on a coefficient that is a
  /// multiple of one of them is seen.
  unsigned minTests = 2;

  bool operator==(const RandomTestOptions &other) const = default;
};

/// An element in which graphs disagree.
struct FieldDifference {
  unsigned result = 0;
  Shape index;
  /// Residues modulo `modulus`.
  uint64_t lhs = 0, rhs = 0, modulus = 0;
  /// The number of the test in the model; with the seed it makes the test
  /// again.
  uint64_t test = 0;
};

struct RandomTestResult {
  enum class Kind : uint8_t {
    /// No test found a difference.
    Agree,
    /// At least one test found a difference.
    Differ,
    /// Tests cannot decide; see `problem`.
    Undecided,
  };
  Kind kind = Kind::Undecided;
  unsigned tests = 0;
  TestError error;
  std::optional<FieldDifference> difference;

  /// The reason why tests cannot decide, and MuNode::location of the node in
  /// one of the graphs that it stems from, if it is one node.
  std::string problem;
  std::optional<unsigned> location;
  bool isInRhs = false;

  /// Functions that were taken for unknown ones, equal for equal arguments.
  /// A difference may be due to that; an agreement is not.
  std::vector<std::string> unknownFunctions;

  /// log2 of the probability that all tests took different graphs for
  /// equivalent.
  double getLog2Error() const { return error.log2 * tests; }
};

/// Returns whether a probability of 2^-bits can be asked for: positive and
/// finite bits.
bool isErrorBound(double bits);

/// Why no tests can be run by these options: errorBits must be such a bound,
/// maxTests at least minTests, and that at least one.
std::optional<std::string> findProblem(const RandomTestOptions &options);

/// The graphs must have inputs of equal shapes and results of equal shapes.
/// The answer depends on the seed, not on the number of threads. With options
/// that have a problem it is Undecided, and when `execution` ends the tests.
RandomTestResult runRandomTests(const MuGraph &lhs, const MuGraph &rhs,
                                const RandomTestOptions &options,
                                const Execution &execution);

} // namespace mirage::equivalence

#endif // MIRAGE_ANALYSIS_EQUIVALENCE_FIELDS_RANDOMTESTS_H
