//===- Composite.h - Composite operators by decomposition -------*- C++ -*-===//
//
// Composite operators (softmax, norms, attention) mean the graph of operators
// that buildComposite builds. A builder provides apply(kind, attributes,
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

namespace detail {

/// Builds the meaning of one composite operator.
template <typename Handle, typename Builder> struct CompositeExpansion {
  const OpAttributes &attrs;
  ShapeRef shape;
  llvm::ArrayRef<Handle> operands;
  Builder &builder;

  Handle build(OpKind kind) {
    switch (kind) {
    case OpKind::Softmax:
      return softmax(operands[0], attrs.dim);
    case OpKind::LogSoftmax:
      return logSoftmax();
    case OpKind::Variance:
      return variance();
    case OpKind::RmsNorm:
      return normalizeRows(operands[0]);
    case OpKind::LayerNorm:
      return normalizeRows(center(operands[0], rank() - 1));
    case OpKind::GroupNorm:
      return normalizeGroups(attrs.groups);
    case OpKind::InstanceNorm:
      return normalizeGroups(shape[1]);
    case OpKind::BatchNorm:
      return batchNorm();
    case OpKind::Attention:
      return attention();
#define MIRAGE_COMPOSITE_OP(...)
#define MIRAGE_OP(Kind, ...) case OpKind::Kind:
#include "Mirage/Semantics/OpKinds.def"
      break;
    }
    llvm_unreachable("not a composite operator");
  }

private:
  int64_t rank() const { return shape.size(); }

  Handle apply(OpKind kind, const OpAttributes &attributes,
               std::initializer_list<Handle> arguments) {
    return builder.apply(kind, attributes, llvm::ArrayRef<Handle>(arguments));
  }
  Handle apply(OpKind kind, std::initializer_list<Handle> arguments) {
    return apply(kind, OpAttributes(), arguments);
  }

  Handle reduce(ReduceKind kind, int64_t dim, Handle x) {
    OpAttributes a;
    a.reduceKind = kind;
    a.dim = dim;
    a.keep = true;
    return apply(OpKind::Reduce, a, {x});
  }

  Handle constant(double value, size_t constantRank) {
    OpAttributes a;
    a.resultShape.assign(constantRank, 1);
    a.values = std::make_shared<const std::vector<double>>(1, value);
    return apply(OpKind::Constant, a, {});
  }

  Handle reshape(Handle x, Shape to) {
    OpAttributes a;
    a.resultShape = std::move(to);
    return apply(OpKind::Reshape, a, {x});
  }

  Handle center(Handle x, int64_t dim) {
    return apply(OpKind::Sub, {x, reduce(ReduceKind::Mean, dim, x)});
  }

  Handle meanSquare(Handle x, int64_t dim) {
    return reduce(ReduceKind::Mean, dim, apply(OpKind::Square, {x}));
  }

  /// Returns x / sqrt(power + epsilon).
  Handle normalize(Handle x, Handle power, size_t powerRank) {
    Handle sum = apply(OpKind::Add, {power, constant(attrs.scalar, powerRank)});
    return apply(OpKind::Mul, {x, apply(OpKind::Rsqrt, {sum})});
  }

  /// Applies the weight and the bias, each along dimension `dim` of `x`. They
  /// are the operands from number `next` on.
  Handle scaleAndShift(Handle x, int64_t dim, unsigned next = 1) {
    Shape along(rank(), 1);
    along[dim] = shape[dim];
    if (attrs.hasWeight)
      x = apply(OpKind::Mul, {x, reshape(operands[next++], along)});
    if (attrs.hasBias)
      x = apply(OpKind::Add, {x, reshape(operands[next++], along)});
    return x;
  }

  /// Builds exp(x - max) / sum(exp(x - max)): the maximum keeps exp from
  /// overflowing and cancels.
  Handle softmax(Handle x, int64_t dim) {
    Handle shift = reduce(ReduceKind::Max, dim, x);
    Handle numerator = apply(OpKind::Exp, {apply(OpKind::Sub, {x, shift})});
    return apply(OpKind::Div,
                 {numerator, reduce(ReduceKind::Sum, dim, numerator)});
  }

  /// Builds the logarithm of softmax without the quotient, which may underflow.
  Handle logSoftmax() {
    Handle x = operands[0];
    Handle shifted =
        apply(OpKind::Sub, {x, reduce(ReduceKind::Max, attrs.dim, x)});
    Handle sum =
        reduce(ReduceKind::Sum, attrs.dim, apply(OpKind::Exp, {shifted}));
    return apply(OpKind::Sub, {shifted, apply(OpKind::Log, {sum})});
  }

  /// A quotient by an integer's double is exact in more number systems than a
  /// product with its reciprocal.
  Handle variance() {
    OpAttributes sum;
    sum.dim = attrs.dim;
    sum.keep = attrs.keep;
    Handle centered = center(operands[0], attrs.dim);
    Handle total =
        apply(OpKind::Reduce, sum, {apply(OpKind::Square, {centered})});
    double n = static_cast<double>(shape[attrs.dim]);
    return apply(
        OpKind::Div,
        {total, constant(n - attrs.scalar, attrs.keep ? rank() : rank() - 1)});
  }

  /// Builds rms_norm of x, and layer_norm of x that is centred.
  Handle normalizeRows(Handle x) {
    int64_t dim = rank() - 1;
    return scaleAndShift(normalize(x, meanSquare(x, dim), rank()), dim);
  }

  /// Each group's channels and their spatial dimensions are one dimension.
  Handle normalizeGroups(int64_t groups) {
    int64_t size = 1;
    for (int64_t extent : shape.drop_front(1))
      size *= extent;
    Handle x =
        center(reshape(operands[0], {shape[0], groups, size / groups}), 2);
    x = normalize(x, meanSquare(x, 2), 3);
    return scaleAndShift(reshape(x, Shape(shape)), 1);
  }

  Handle batchNorm() {
    Shape channels(rank(), 1);
    channels[1] = shape[1];
    Handle x =
        apply(OpKind::Sub, {operands[0], reshape(operands[1], channels)});
    x = normalize(x, reshape(operands[2], channels), rank());
    return scaleAndShift(x, 1, /*next=*/3);
  }

  Handle attention() {
    OpAttributes product, factor;
    product.transposeRhs = true;
    factor.scalar = attrs.scalar;
    Handle scores =
        apply(OpKind::Scale, factor,
              {apply(OpKind::Matmul, product, {operands[0], operands[1]})});
    if (operands.size() > 3)
      scores = apply(OpKind::Add, {scores, operands[3]});
    return apply(OpKind::Matmul, {softmax(scores, rank() - 1), operands[2]});
  }
};

} // namespace detail

/// Builds the meaning of a composite operator applied to `operands`, the first
/// of which has shape `shape`.
template <typename Handle, typename Builder>
Handle buildComposite(OpKind kind, const OpAttributes &attrs, ShapeRef shape,
                      llvm::ArrayRef<Handle> operands, Builder &&builder) {
  using Expansion =
      detail::CompositeExpansion<Handle, std::remove_reference_t<Builder>>;
  return Expansion{attrs, shape, operands, builder}.build(kind);
}

} // namespace mirage

#endif // MIRAGE_SEMANTICS_COMPOSITE_H
