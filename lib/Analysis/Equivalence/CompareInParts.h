//===- CompareInParts.h - Comparison between common values ------*- C++ -*-===//
//
// Two programs that are beyond proofs and tests as wholes may have tensors in
// common: values between kernels that are equal for all inputs. The programs
// are cut there. A part is what leads from some common values to the next one,
// and the programs are equal if each part is equal for all that its common
// values may be.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_ANALYSIS_EQUIVALENCE_COMPAREINPARTS_H
#define MIRAGE_LIB_ANALYSIS_EQUIVALENCE_COMPAREINPARTS_H

#include "Mirage/MuGraph/MuGraph.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>

namespace mirage::equivalence {

/// Returns whether two parts, which have equal arguments and some results, are
/// known to be equal. If they are, the answer is made use of.
using ArePartsEqual =
    llvm::function_ref<bool(const MuGraph &lhs, const MuGraph &rhs)>;

/// Pairs of parts that are compared at most. Where an answer may err, the
/// probabilities of all of them add up, also of those that find a difference.
inline constexpr unsigned kMostPartComparisons = 1024;

/// Compares programs with equal arguments and results part by part, and returns
/// the number of common values at which they were cut, or nothing if some part
/// is not known to be equal. Values are tried in the order of the programs, so
/// that answers are the same every time.
std::optional<unsigned> compareInParts(const MuGraph &lhs, const MuGraph &rhs,
                                       ArePartsEqual areEqual);

} // namespace mirage::equivalence

#endif // MIRAGE_LIB_ANALYSIS_EQUIVALENCE_COMPAREINPARTS_H
