//===- OutputBox.h - A range of an output's elements ------------*- C++ -*-===//
//
// An output is looked at by one element at symbolic indices. Where a condition
// on indices (of a padding, say) divides the elements, there are several boxes
// of indices, each with an element of its own.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ANALYSIS_EQUIVALENCE_PROOF_OUTPUTBOX_H
#define MIRAGE_ANALYSIS_EQUIVALENCE_PROOF_OUTPUTBOX_H

#include "Mirage/Analysis/Equivalence/Algebra/Algebra.h"
#include "Mirage/Semantics/OpAttributes.h"

namespace mirage::equivalence {

struct OutputBox {
  /// First index and number of indices of each dimension.
  llvm::SmallVector<std::pair<int64_t, int64_t>, 4> ranges;

  explicit OutputBox(ShapeRef shape) {
    for (int64_t size : shape)
      ranges.push_back({0, size});
  }
};

/// The element of a box.
struct OutputElement {
  llvm::SmallVector<Variable, 4> formals;
  llvm::SmallVector<IndexForm, 4> at;
};
OutputElement makeElement(const OutputBox &box, Algebra &algebra);

/// Appends the halves if the algebra asked to split the box.
bool split(const OutputBox &box, const OutputElement &element, Algebra &algebra,
           llvm::SmallVectorImpl<OutputBox> &to);

} // namespace mirage::equivalence

#endif // MIRAGE_ANALYSIS_EQUIVALENCE_PROOF_OUTPUTBOX_H
