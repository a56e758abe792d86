//===- IntegerIndices.h - The indices half of Element.h's systems -*- C++
//-*-===//
//
// Implements the indices half of the systems of Element.h where indices are
// known numbers: choices are made at once and loops run. A system that computes
// numbers of type Number derives from it and adds values and operands. A system
// that declares an `add` of its own also says `using
// IntegerIndices<Number>::add`.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEMANTICS_INTEGERINDICES_H
#define MIRAGE_SEMANTICS_INTEGERINDICES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace mirage {

template <typename Number> struct IntegerIndices {
  using Index = int64_t;
  using Condition = bool;

  int64_t index(int64_t i) { return i; }
  int64_t add(int64_t a, int64_t b) { return a + b; }
  int64_t addConstant(int64_t a, int64_t c) { return a + c; }
  int64_t mulConstant(int64_t a, int64_t c) { return a * c; }
  int64_t divConstant(int64_t a, int64_t c) { return a / c; }
  int64_t remConstant(int64_t a, int64_t c) { return a % c; }
  bool inRange(int64_t i, int64_t lower, int64_t upper) {
    return lower <= i && i < upper;
  }
  bool both(bool a, bool b) { return a && b; }
  template <typename Then, typename Else>
  Number select(bool condition, Then then, Else otherwise) {
    return condition ? then() : otherwise();
  }

  template <typename Body>
  Number reduce(llvm::ArrayRef<int64_t> extents, Number accumulator,
                Body body) {
    llvm::SmallVector<int64_t, 3> at(extents.size(), 0);
    while (true) {
      accumulator = body(llvm::ArrayRef<int64_t>(at), accumulator);
      size_t dim = extents.size();
      while (dim > 0 && ++at[dim - 1] == extents[dim - 1])
        at[--dim] = 0;
      if (dim == 0)
        return accumulator;
    }
  }
};

} // namespace mirage

#endif // MIRAGE_SEMANTICS_INTEGERINDICES_H
