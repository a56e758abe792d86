//===- Composite.h - Composite operators by decomposition -------*- C++ -*-===//
//
// Composite operators (softmax and the norms) mean the graph of operators that
// this function builds. A builder provides apply(kind, attributes, operands),
// which returns the handle of an operator's only result. The interpreter's
// builder computes at once, the decomposition pass's creates IR.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEMANTICS_COMPOSITE_H
#define MIRAGE_SEMANTICS_COMPOSITE_H

#include "Mirage/Semantics/OpAttributes.h"
#include "Mirage/Semantics/OpKind.h"

namespace mirage {

/// Builds the meaning of a composite operator applied to `operands`, the first
/// of which has shape `shape`.
template <typename Handle, typename Builder>
Handle buildComposite(OpKind kind, const OpAttributes &attrs, ShapeRef shape,
                      llvm::ArrayRef<Handle> operands, Builder &&builder) {
  auto apply = [&](OpKind op, const OpAttributes &a,
                   std::initializer_list<Handle> arguments) {
    return builder.apply(op, a, llvm::ArrayRef<Handle>(arguments));
  };
  auto plain = [&](OpKind op, std::initializer_list<Handle> arguments) {
    return apply(op, {}, arguments);
  };
  auto reduce = [&](ReduceKind reduceKind, int64_t dim, Handle x) {
    OpAttributes a;
    a.reduceKind = reduceKind;
    a.dim = dim;
    a.keep = true;
    return apply(OpKind::Reduce, a, {x});
  };
  Handle x = operands[0];

  // exp(x - max) / sum(exp(x - max)): the maximum keeps exp from overflowing
  // and cancels.
  if (kind == OpKind::Softmax) {
    Handle shift = reduce(ReduceKind::Max, attrs.dim, x);
    Handle numerator = plain(OpKind::Exp, {plain(OpKind::Sub, {x, shift})});
    return plain(OpKind::Div,
                 {numerator, reduce(ReduceKind::Sum, attrs.dim, numerator)});
  }

  // x / sqrt(mean(x^2) + epsilon), after the mean is subtracted for
  // layer_norm, then weight and bias.
  int64_t last = static_cast<int64_t>(shape.size()) - 1;
  if (kind == OpKind::LayerNorm)
    x = plain(OpKind::Sub, {x, reduce(ReduceKind::Mean, last, x)});
  Handle power = reduce(ReduceKind::Mean, last, plain(OpKind::Square, {x}));
  OpAttributes epsilon;
  epsilon.resultShape.assign(shape.size(), 1);
  epsilon.values = std::make_shared<const std::vector<double>>(1, attrs.scalar);
  Handle inverse = plain(
      OpKind::Rsqrt,
      {plain(OpKind::Add, {power, apply(OpKind::Constant, epsilon, {})})});
  Handle result = plain(OpKind::Mul, {x, inverse});
  OpAttributes asRow;
  asRow.resultShape.assign(shape.size(), 1);
  asRow.resultShape.back() = shape.back();
  unsigned next = 1;
  if (attrs.hasWeight)
    result = plain(OpKind::Mul,
                   {result, apply(OpKind::Reshape, asRow, {operands[next++]})});
  if (attrs.hasBias)
    result = plain(OpKind::Add,
                   {result, apply(OpKind::Reshape, asRow, {operands[next++]})});
  return result;
}

} // namespace mirage

#endif // MIRAGE_SEMANTICS_COMPOSITE_H
