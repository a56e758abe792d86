//===- SMT.h - Questions to Z3 about extents --------------------*- C++ -*-===//
//
// The question that the search has for an SMT solver. Each one runs in a
// context of its own with a budget in the solver's deterministic units
// (rlimit), so that answers depend on the question alone. A build without Z3
// answers Unknown.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_EXPRESSIONS_SMT_H
#define MIRAGE_SEARCH_EXPRESSIONS_SMT_H

#include "Mirage/Search/Expressions/SymbolicExtent.h"
#include "llvm/ADT/DenseMap.h"

namespace mirage::search {

enum class SolverAnswer : uint8_t { Yes, No, Unknown };

/// Returns whether this build has a solver.
bool hasSolver();

/// Positive integers for unknowns. Those that are missing are one.
using ExtentValues = llvm::DenseMap<Unknown, int64_t>;

/// Returns whether there are positive integers for the unknowns such that the
/// constraints and all equations of one of the cases hold; if so, `values` has
/// some.
///
/// Unknowns are products of powers of the primes that occur in equations and
/// divisors: leaving out other primes keeps those and lowers the limits' sums
/// (their factors are not negative). Then products are sums of exponents. A
/// term of a limit is multiplied by one power after the other, each of a known
/// prime, so that everything is linear, and decided.
SolverAnswer
solveExtents(const ExtentConstraints &constraints,
             llvm::ArrayRef<std::vector<ExtentConstraints::Equation>> cases,
             unsigned budget, ExtentValues *values = nullptr);

} // namespace mirage::search

#endif // MIRAGE_SEARCH_EXPRESSIONS_SMT_H
