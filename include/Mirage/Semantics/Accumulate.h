//===- Accumulate.h - The meaning of rescaled sums --------------*- C++ -*-===//
//
// Computes one step of accumulate rescaled_sum (online softmax), over a system
// as in Element.h that also has rescale(from, to): 1 where from equals to, else
// exp(from - to). The comparison keeps rows whose maximum is still -infinity
// from becoming NaN.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEMANTICS_ACCUMULATE_H
#define MIRAGE_SEMANTICS_ACCUMULATE_H

namespace mirage {

/// The change that a new term's shift makes to the accumulator's.
template <typename Value> struct Rescaling {
  /// The larger of the accumulator's shift and the term's.
  Value largest;
  /// Factors of the accumulator and of the term.
  Value ofAccumulator, ofTerm;
};

/// Computes the step from the second iteration on. The first iteration takes
/// the term and its shift as they are.
template <typename System>
Rescaling<typename System::Value>
getRescaling(typename System::Value accumulatorShift,
             typename System::Value termShift, System &s) {
  typename System::Value largest = s.max(accumulatorShift, termShift);
  return {largest, s.rescale(accumulatorShift, largest),
          s.rescale(termShift, largest)};
}

template <typename System>
typename System::Value
addRescaled(typename System::Value accumulator, typename System::Value term,
            const Rescaling<typename System::Value> &rescaling, System &s) {
  return s.add(s.mul(accumulator, rescaling.ofAccumulator),
               s.mul(term, rescaling.ofTerm));
}

} // namespace mirage

#endif // MIRAGE_SEMANTICS_ACCUMULATE_H
