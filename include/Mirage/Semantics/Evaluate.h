//===- Evaluate.h - Operators on tensors of floats --------------*- C++ -*-===//
//
// Evaluates one operator on whole tensors, in float, in double or in doubles
// with error bounds (ErrorBound.h). Values are not rounded to a storage type
// here; the interpreter does that where a program stores them. Products and
// equal-shape elementwise operators take fast paths that compute the same
// values in the same order as Element.h says.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEMANTICS_EVALUATE_H
#define MIRAGE_SEMANTICS_EVALUATE_H

#include "Mirage/Semantics/ShapeRules.h"
#include "Mirage/Support/Execution.h"

namespace mirage {

/// A tensor of numbers in row-major order.
template <typename T> struct Tensor {
  Shape shape;
  std::vector<T> data;

  Tensor() = default;
  explicit Tensor(Shape shape)
      : shape(std::move(shape)), data(elementCount(this->shape)) {}
};

struct EvaluateOptions {
  /// Round the operands of tf32 products to tf32.
  bool emulateTF32 = false;
  /// Take only the path through Element.h; tests of the fast paths use this.
  bool onlyGeneric = false;
  /// Let error bounds be those of arithmetic in f64, not in f32.
  bool doubleArithmetic = false;
  /// Let error bounds cover the error of rounding a named number
  /// (ExactConstant.h) to the type of a constant.
  bool roundedNames = false;
  /// The threads to use, and when to end: a result whose evaluation was ended
  /// has its shape and no meaning. Without it the calling thread computes all.
  const Execution *execution = nullptr;
};

/// A double with a bound of its error; see ErrorBound.h.
struct Bounded;

/// Returns the results of an operator, one tensor each. Attributes and shapes
/// must have passed inferShapes.
template <typename T>
llvm::SmallVector<Tensor<T>, 1>
evaluate(OpKind kind, const OpAttributes &attributes,
         llvm::ArrayRef<const Tensor<T> *> operands,
         const EvaluateOptions &options = {});

extern template llvm::SmallVector<Tensor<float>, 1>
evaluate(OpKind, const OpAttributes &, llvm::ArrayRef<const Tensor<float> *>,
         const EvaluateOptions &);
extern template llvm::SmallVector<Tensor<double>, 1>
evaluate(OpKind, const OpAttributes &, llvm::ArrayRef<const Tensor<double> *>,
         const EvaluateOptions &);
extern template llvm::SmallVector<Tensor<Bounded>, 1>
evaluate(OpKind, const OpAttributes &, llvm::ArrayRef<const Tensor<Bounded> *>,
         const EvaluateOptions &);

} // namespace mirage

#endif // MIRAGE_SEMANTICS_EVALUATE_H
