//===- Composite.h - Composite operators by decomposition -------*- C++ -*-===//
//
// Composite operators (softmax, norms, attention) mean the graph of operators
// that this function builds. A builder provides apply(kind, attributes,
// operands), which returns the handle of an operator's only result. The
// interpreter's builder computes at once, the decomposition pass's creates IR.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEMANTICS_COMPOSITE_H
#define MIRAGE_SEMANTICS_COMPOSITE_H

#include "Mirage/Semantics/OpAttributes.h"
#include "Mirage/Semantics/OpKind.h"
#include "llvm/Support/ErrorHandling.h"

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
  auto constant = [&](double value, size_t rank) {
    OpAttributes a;
    a.resultShape.assign(rank, 1);
    a.values = std::make_shared<const std::vector<double>>(1, value);
    return apply(OpKind::Constant, a, {});
  };
  auto reshape = [&](Handle x, Shape to) {
    OpAttributes a;
    a.resultShape = std::move(to);
    return apply(OpKind::Reshape, a, {x});
  };
  int64_t rank = shape.size();
  unsigned next = 1;
  // The weight and bias, each along dimension `dim` of `x`.
  auto scaleAndShift = [&](Handle x, int64_t dim) {
    Shape along(rank, 1);
    along[dim] = shape[dim];
    if (attrs.hasWeight)
      x = plain(OpKind::Mul, {x, reshape(operands[next++], along)});
    if (attrs.hasBias)
      x = plain(OpKind::Add, {x, reshape(operands[next++], along)});
    return x;
  };
  auto center = [&](Handle x, int64_t dim) {
    return plain(OpKind::Sub, {x, reduce(ReduceKind::Mean, dim, x)});
  };
  auto meanSquare = [&](Handle x, int64_t dim) {
    return reduce(ReduceKind::Mean, dim, plain(OpKind::Square, {x}));
  };
  // x / sqrt(power + epsilon)
  auto normalize = [&](Handle x, Handle power, size_t rank) {
    Handle sum = plain(OpKind::Add, {power, constant(attrs.scalar, rank)});
    return plain(OpKind::Mul, {x, plain(OpKind::Rsqrt, {sum})});
  };

  Handle x = operands[0];
  switch (kind) {
  case OpKind::Softmax: {
    // exp(x - max) / sum(exp(x - max)): the maximum keeps exp from overflowing
    // and cancels.
    Handle shift = reduce(ReduceKind::Max, attrs.dim, x);
    Handle numerator = plain(OpKind::Exp, {plain(OpKind::Sub, {x, shift})});
    return plain(OpKind::Div,
                 {numerator, reduce(ReduceKind::Sum, attrs.dim, numerator)});
  }
  case OpKind::LogSoftmax: {
    // The logarithm of softmax without the quotient, which may underflow.
    Handle shifted =
        plain(OpKind::Sub, {x, reduce(ReduceKind::Max, attrs.dim, x)});
    Handle sum =
        reduce(ReduceKind::Sum, attrs.dim, plain(OpKind::Exp, {shifted}));
    return plain(OpKind::Sub, {shifted, plain(OpKind::Log, {sum})});
  }
  case OpKind::Variance: {
    // A quotient by an integer's double is exact in more number systems than a
    // product with its reciprocal.
    OpAttributes sum;
    sum.dim = attrs.dim;
    sum.keep = attrs.keep;
    Handle total = apply(OpKind::Reduce, sum,
                         {plain(OpKind::Square, {center(x, attrs.dim)})});
    double n = static_cast<double>(shape[attrs.dim]);
    return plain(OpKind::Div, {total, constant(n - attrs.scalar,
                                               attrs.keep ? rank : rank - 1)});
  }
  case OpKind::RmsNorm:
    return scaleAndShift(normalize(x, meanSquare(x, rank - 1), rank), rank - 1);
  case OpKind::LayerNorm:
    x = center(x, rank - 1);
    return scaleAndShift(normalize(x, meanSquare(x, rank - 1), rank), rank - 1);
  case OpKind::GroupNorm:
  case OpKind::InstanceNorm: {
    // Each group's channels and their spatial dimensions as one dimension.
    int64_t groups = kind == OpKind::GroupNorm ? attrs.groups : shape[1];
    int64_t size = 1;
    for (int64_t extent : shape.drop_front(1))
      size *= extent;
    x = center(reshape(x, {shape[0], groups, size / groups}), 2);
    x = normalize(x, meanSquare(x, 2), 3);
    return scaleAndShift(reshape(x, Shape(shape)), 1);
  }
  case OpKind::BatchNorm: {
    Shape channels(rank, 1);
    channels[1] = shape[1];
    x = plain(OpKind::Sub, {x, reshape(operands[1], channels)});
    x = normalize(x, reshape(operands[2], channels), rank);
    next = 3;
    return scaleAndShift(x, 1);
  }
  case OpKind::Attention: {
    OpAttributes product, factor, softmax;
    product.transposeRhs = true;
    factor.scalar = attrs.scalar;
    softmax.dim = rank - 1;
    Handle scores = apply(OpKind::Scale, factor,
                          {apply(OpKind::Matmul, product, {x, operands[1]})});
    if (operands.size() > 3)
      scores = plain(OpKind::Add, {scores, operands[3]});
    Handle weights = buildComposite<Handle>(OpKind::Softmax, softmax, shape,
                                            {scores}, builder);
    return plain(OpKind::Matmul, {weights, operands[2]});
  }
  default:
    llvm_unreachable("not a composite operator");
  }
}

} // namespace mirage

#endif // MIRAGE_SEMANTICS_COMPOSITE_H
