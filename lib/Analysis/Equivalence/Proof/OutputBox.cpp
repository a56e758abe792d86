//===- OutputBox.cpp - A range of an output's elements --------------------===//
//
// Symbolic indices of a box, and its division where the algebra asks for it.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/Proof/OutputBox.h"
#include "llvm/ADT/STLExtras.h"

using namespace mirage;
using namespace mirage::equivalence;

OutputElement equivalence::makeElement(const OutputBox &box, Algebra &algebra) {
  OutputElement element;
  for (auto [dim, range] : llvm::enumerate(box.ranges)) {
    element.formals.push_back(algebra.variables.add(
        range.second, /*isFixed=*/true, "i" + std::to_string(dim)));
    element.at.push_back(algebra.indices.addConstant(
        algebra.indices.variable(element.formals.back()), range.first));
  }
  return element;
}

bool equivalence::split(const OutputBox &box, const OutputElement &element,
                        Algebra &algebra,
                        llvm::SmallVectorImpl<OutputBox> &to) {
  if (algebra.stop != Algebra::Stop::Split)
    return false;
  const auto *found = llvm::find(element.formals, algebra.splitVariable);
  if (found == element.formals.end())
    return false;
  algebra.stop = Algebra::Stop::None;
  size_t dim = found - element.formals.begin();
  auto [first, extent] = box.ranges[dim];
  OutputBox half = box;
  half.ranges[dim] = {first + algebra.splitAt, extent - algebra.splitAt};
  to.push_back(half);
  half.ranges[dim] = {first, algebra.splitAt};
  to.push_back(half);
  return true;
}
