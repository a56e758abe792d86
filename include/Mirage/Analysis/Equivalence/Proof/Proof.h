//===- Proof.h - Proofs that two programs compute the same ------*- C++ -*-===//
//
// Decides without random numbers whether two µGraphs compute the same in exact
// arithmetic. One element of each output is evaluated at symbolic indices
// (SymbolicEvaluation.h) on both sides and brought into a normal form
// (Algebra.h says what equality means). A proof holds for all inputs; that
// there is none says nothing.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ANALYSIS_EQUIVALENCE_PROOF_PROOF_H
#define MIRAGE_ANALYSIS_EQUIVALENCE_PROOF_PROOF_H

#include "Mirage/MuGraph/MuGraph.h"
#include <string>

namespace mirage::equivalence {

struct ProofOptions {
  /// Terms of a sum and operands of a maximum.
  unsigned maxTerms = 4096;
  /// Parts into which an output or a sum is divided so that each part lies on
  /// one side of every boundary of a padding or concatenation.
  unsigned maxParts = 64;
  /// Elementary steps for one output, and for finding what the programs have in
  /// common. Each attempt may exceed them by its last operation.
  uint64_t maxSteps = 10'000'000;
  /// Elementary steps of all outputs and attempts together.
  uint64_t maxTotalSteps = 40'000'000;
  /// Take every constant for the number that it is, none for one that it may be
  /// the rounding of (ExactConstant.h).
  bool literalConstants = false;
  /// Make sums and maxima over adjacent ranges of an index one. Proofs try this
  /// by themselves, after what costs less.
  bool joinRanges = false;
  /// Make maxima and choices cases by the signs of polynomials. Proofs try this
  /// last.
  bool piecewise = false;
  /// Keep sums of more terms together in products, in the attempts that come
  /// first (Algebra::multiplyKeepingSums). Products of shorter sums are small,
  /// and forms in which they are multiplied out say more.
  unsigned longestFactor = 8;
};

/// Lists which constants of a program are taken for which numbers, such as
/// "0.693359 for ln(2)", each once.
std::vector<std::string> getNamedConstants(const MuGraph &graph);
/// Counts the constants that are taken for other numbers.
unsigned countNamedConstants(const MuGraph &graph);

struct ProofResult {
  enum class Kind : uint8_t {
    /// Equal for all inputs.
    Proved,
    /// Both sides have a normal form, and these differ. The programs may still
    /// be equal.
    Different,
    /// A side has no normal form within the limits.
    Unknown,
  };

  struct Output {
    Kind kind = Kind::Unknown;
    /// Different: the normal forms. Unknown: what could not be done.
    std::string reason;
    /// Unknown: the node (MuNode::location) whose evaluation gave up, if it
    /// was one, and whether it is on the right side.
    std::optional<unsigned> location;
    bool isOnRight = false;
    /// A sum or maximum was taken in parts, by ranges of its index.
    bool hasRanges = false;
  };

  /// Elementary steps of all attempts.
  uint64_t steps = 0;
  /// Constants that were taken for other numbers (getNamedConstants); none if
  /// the proof takes them as they are.
  std::vector<std::string> named;
  std::vector<Output> outputs;
  /// The kind of the whole program: Proved if all outputs are, Different if one
  /// is.
  Kind kind = Kind::Unknown;
  /// Why nothing was compared: inputs or outputs do not correspond.
  std::string reason;
};

/// Compares the outputs of two programs with equal inputs. Inputs correspond
/// by their order.
ProofResult proveEquivalence(const MuGraph &lhs, const MuGraph &rhs,
                             const ProofOptions &options = {});

} // namespace mirage::equivalence

#endif // MIRAGE_ANALYSIS_EQUIVALENCE_PROOF_PROOF_H
