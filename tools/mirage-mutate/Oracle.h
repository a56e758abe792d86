//===- Oracle.h - Whether µGraphs compute the same --------------*- C++ -*-===//
//
// Compares µGraphs by their definition (Evaluator.h) on a few inputs: over
// fractions where all of both is rational, else over real numbers with error
// bounds. It knows nothing of the verifier.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TOOLS_MUTATE_ORACLE_H
#define MIRAGE_TOOLS_MUTATE_ORACLE_H

#include "Mirage/MuGraph/MuGraph.h"
#include "Rational.h"
#include "Real.h"

namespace mirage::mutate {

struct OracleAnswer {
  enum class Kind : uint8_t {
    /// The programs agree on all inputs, and every element does for certain on
    /// one input at least.
    Equal,
    /// The programs differ for certain.
    Different,
    /// An element that lhs defines on every input is defined on none: it was
    /// divided by zero, or a function has no value there.
    Undefined,
    Unknown,
  };
  Kind kind = Kind::Unknown;
  /// The place where they are different or undefined, and the numbers.
  std::string where;
};

class Oracle {
public:
  /// `lhs` must outlive the oracle.
  Oracle(const MuGraph &lhs, uint64_t seed);

  /// Inputs and results must have the shapes of those of `lhs`.
  OracleAnswer compare(const MuGraph &rhs) const;

private:
  /// The inputs, and the results of `lhs` for them.
  template <typename Number> struct Sample {
    std::vector<std::vector<Number>> inputs, results;
  };
  template <typename Number>
  void addSample(std::vector<Sample<Number>> &samples,
                 std::vector<std::vector<Number>> inputs);
  template <typename Number>
  OracleAnswer compare(const std::vector<Sample<Number>> &samples,
                       const MuGraph &rhs) const;

  const MuGraph &lhs;
  std::vector<Sample<Real>> reals;
  std::vector<Sample<Rational>> rationals;
};

} // namespace mirage::mutate

#endif // MIRAGE_TOOLS_MUTATE_ORACLE_H
