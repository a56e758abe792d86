//===- FloatRuns.h - What programs are run on in floating point -*- C++ -*-===//
//
// Kinds of inputs, and a pair of programs made small enough to be run.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_ANALYSIS_EQUIVALENCE_FLOATRUNS_H
#define MIRAGE_LIB_ANALYSIS_EQUIVALENCE_FLOATRUNS_H

#include "Mirage/Interpreter/RunMuGraph.h"
#include "Mirage/MuGraph/ShrinkPair.h"

namespace mirage::equivalence {

/// A kind of inputs: normal numbers, scaled and moved.
struct InputKind {
  llvm::StringLiteral name;
  double scale, offset;
};

/// Large ones make exponentials overflow that are not shifted. A mean of many
/// times the spread makes differences of sums cancel.
inline constexpr InputKind kInputKinds[] = {{"normal", 1, 0},
                                            {"large", 100, 0},
                                            {"offset", 1, 64},
                                            {"constant", 0, 0.5}};

llvm::SmallVector<TensorValue> drawInputs(const MuGraph &graph, uint64_t seed,
                                          const InputKind &kind);

/// The pair at its own extents, or at smaller ones.
struct FloatPair {
  FloatPair(const FloatPair &) = delete;
  /// `shortenSums`: if that is what it takes to stay within `work`.
  FloatPair(const MuGraph &left, const MuGraph &right, double work,
            bool shortenSums = false);

  /// Whether one run of both takes at most `work` scalar operations.
  bool fits(double work) const;

  const MuGraph *lhs, *rhs;
  bool isShrunk;
  /// Whether a difference may be due to the extents (ShrinkPair.h).
  bool mayDependOnSizes() const { return small.mayDependOnSizes; }
  ShrunkPair small;
};

} // namespace mirage::equivalence

#endif // MIRAGE_LIB_ANALYSIS_EQUIVALENCE_FLOATRUNS_H
