//===- Collector.h - Adds monomials -----------------------------*- C++ -*-===//
//
// Gathers monomials in normal form and adds those that are alike.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_ANALYSIS_EQUIVALENCE_ALGEBRA_COLLECTOR_H
#define MIRAGE_LIB_ANALYSIS_EQUIVALENCE_ALGEBRA_COLLECTOR_H

#include "Mirage/Analysis/Equivalence/Algebra/Algebra.h"

namespace mirage::equivalence {

/// Puts the factors of a monomial in their order.
void sortFactors(llvm::MutableArrayRef<Factor> factors);

class Algebra::Collector {
public:
  explicit Collector(Algebra &algebra) : algebra(algebra) {}

  /// Adds a monomial, and returns which of the monomials the sum is now in.
  std::optional<size_t> add(Monomial m);
  void add(const Polynomial &a) {
    for (const Monomial &m : a.monomials)
      add(m);
  }
  /// The sum of what was added, sorted.
  Polynomial take();

private:
  /// Makes sums over adjacent ranges one.
  void joinRanges();

  Algebra &algebra;
  std::vector<Monomial> monomials;
  llvm::DenseMap<uint64_t, llvm::SmallVector<unsigned, 1>> byHash;
};

} // namespace mirage::equivalence

#endif // MIRAGE_LIB_ANALYSIS_EQUIVALENCE_ALGEBRA_COLLECTOR_H
