//===- FloatRange.h - Inputs for which a program is finite ------*- C++ -*-===//
//
// Runs of a pair on one kind of inputs, and how often these must be halved so
// that the original does not overflow.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_ANALYSIS_EQUIVALENCE_FLOATS_FLOATRANGE_H
#define MIRAGE_LIB_ANALYSIS_EQUIVALENCE_FLOATS_FLOATRANGE_H

#include "FloatErrors.h"
#include "OriginalRuns.h"
#include <map>

namespace mirage::equivalence {

/// The runs of one kind of inputs, and what both programs make of them.
/// The rounding of exponents in a program with results of this type: a narrow
/// type's are computed in f32.
inline double getExponentUnit(ElementType type) {
  return type == ElementType::f64 ? 0x1p-53 : 0x1p-24;
}

struct Runs {
  Runs(const FloatPair &pair, OriginalRuns &originals, const InputKind &kind)
      : Runs(pair, originals, kind, originals.get(*pair.lhs, kind)) {}
  /// `original` is what the original makes of these inputs.
  Runs(const FloatPair &pair, OriginalRuns &originals, const InputKind &kind,
       std::shared_ptr<const Original> original)
      : pair(pair), originals(originals), kind(kind), kept(std::move(original)),
        lhs(*kept), candidate(*pair.rhs, lhs.inputs, originals.getExecution()),
        rhs(candidate.storage), rhs64(candidate.exact) {}
  Runs(const Runs &) = delete;

  /// Returns the original with bounds of how far storage may be from float64.
  const TensorValue &getStorageBounds(unsigned result) {
    if (bounded.empty())
      bounded = runMuGraph(*pair.lhs, lhs.inputs, Precision::Bound,
                           {.execution = &originals.getExecution()});
    return bounded[result];
  }

  /// Returns the original with bounds of how far storage may be from float64 if
  /// the elements of all arguments were rounded to their types, too.
  const TensorValue &getRoundedBounds(unsigned result);

  /// Returns the greatest of the bounds for exact arguments.
  double getStorageBound(unsigned result, Finite where) {
    return getBound(getStorageBounds(result), where);
  }

  /// Returns by how much of a result's largest element roundings change it that
  /// every program makes which takes exponentials of differences: exp(a - b)
  /// has the relative error of the roundings of a and b, which are as large as
  /// the greatest numbers that the original subtracts there. Programs that
  /// shift exponents by something else than the original does (exp(x - lse))
  /// round other numbers of that size.
  double getExponentRounding(unsigned result);

  /// How far the original in float64 may be from what it computes without any
  /// rounding, by a bound.
  double getReferenceBound(unsigned result, Finite where) {
    return getBound(originals.getBounded(*pair.lhs, kind)->exact[result],
                    where);
  }

  const FloatPair &pair;
  OriginalRuns &originals;
  InputKind kind;
  std::shared_ptr<const Original> kept;
  const Original &lhs;
  Results candidate;
  const llvm::SmallVector<TensorValue> &rhs, &rhs64;
  llvm::SmallVector<TensorValue> bounded, rounded;
  /// The largest magnitude of what differences in exponents are made of.
  std::optional<double> exponents;
};

/// A range says how often inputs of one kind are halved for each result, so
/// that the original does not overflow in elements in which it would not for
/// inputs of the size of normal ones, nor inside where it would not for these.
class Range {
public:
  explicit Range(const Runs &runs) : runs(runs) {
    for (unsigned i = 0; i < runs.rhs.size(); ++i)
      halvings.push_back(runs.kind.halved + find(i));
  }

  /// Returns how often inputs are halved, with the halvings of the runs.
  unsigned getHalvings(unsigned result) const { return halvings[result]; }
  /// Returns the result in float64 for inputs halved as often as they can be.
  const TensorValue &getLowest(unsigned result) {
    return get(runs.kind.halvings).exact[result];
  }

private:
  unsigned find(unsigned result);
  const Original &get(unsigned halved);

  const Runs &runs;
  std::map<unsigned, std::shared_ptr<const Original>> originals;
  llvm::SmallVector<unsigned, 4> halvings;
};

} // namespace mirage::equivalence

#endif // MIRAGE_LIB_ANALYSIS_EQUIVALENCE_FLOATS_FLOATRANGE_H
