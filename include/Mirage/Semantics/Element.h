//===- Element.h - The meaning of operators, element by element -*- C++ -*-===//
//
// Says once, for every operator that is not composite, how one element of a
// result follows from elements of the operands. The functions are templates
// over a *system* that supplies numbers and indices: the interpreter's system
// computes with floats, the code generator's emits IR, a verifier's computes
// in finite fields. A system provides
//
//   types      Value, Index, Condition
//   values     constant(double), add, sub, mul, div, max, min, exp, exp2, log,
//              sqrt, rsqrt, erf, tanh, sigmoid, pow(Value, double),
//              roundToTF32(Value), compare(CompareKind, Value, Value) for one
//              or zero, choose(Value, Value, Value) for the second value where
//              the first is not zero, else the third
//   operands   read(unsigned operand, ArrayRef<Index>), element(ArrayRef<
//              Index>) of a dense constant
//   indices    index(int64_t), add(Index, Index), addConstant, mulConstant,
//              divConstant, remConstant (Index, int64_t)
//   choice     inRange(Index, lower, upper) for lower <= i < upper,
//              both(Condition, Condition), select(Condition, then, else)
//   loops      reduce(extents, initial, body(indices, accumulator))
//
// where divisions round down and indices are not negative, except that
// inRange also takes negative ones.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEMANTICS_ELEMENT_H
#define MIRAGE_SEMANTICS_ELEMENT_H

#include "Mirage/Semantics/OpAttributes.h"
#include "Mirage/Semantics/OpKind.h"
#include "Mirage/Semantics/ProductDims.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include <cmath>
#include <limits>

namespace mirage {

/// Returns x to a constant power: by products for small integers, by roots for
/// halves.
template <typename System>
typename System::Value evaluatePow(typename System::Value x, double exponent,
                                   System &s) {
  if (exponent == 0.5)
    return s.sqrt(x);
  if (exponent == -0.5)
    return s.rsqrt(x);
  double magnitude = std::fabs(exponent);
  if (magnitude != std::floor(magnitude) || magnitude > 16)
    return s.pow(x, exponent);
  if (magnitude == 0)
    return s.constant(1.0);
  typename System::Value result = x;
  for (int i = 1; i < magnitude; ++i)
    result = s.mul(result, x);
  return exponent < 0 ? s.div(s.constant(1.0), result) : result;
}

/// Returns the value of an elementwise operator at one index.
template <typename System>
typename System::Value evaluateScalar(OpKind kind, const OpAttributes &attrs,
                                      llvm::ArrayRef<typename System::Value> x,
                                      System &s) {
  using Value = typename System::Value;
  switch (kind) {
  case OpKind::Add:
    return s.add(x[0], x[1]);
  case OpKind::Sub:
    return s.sub(x[0], x[1]);
  case OpKind::Mul:
    return s.mul(x[0], x[1]);
  case OpKind::Div:
    return s.div(x[0], x[1]);
  case OpKind::Max:
    return s.max(x[0], x[1]);
  case OpKind::Min:
    return s.min(x[0], x[1]);
  case OpKind::Compare:
    return s.compare(attrs.compareKind, x[0], x[1]);
  case OpKind::Select:
    return s.choose(x[0], x[1], x[2]);
  case OpKind::Abs:
    return s.max(x[0], s.mul(s.constant(-1.0), x[0]));
  case OpKind::Exp:
    return s.exp(x[0]);
  case OpKind::Exp2:
    return s.exp2(x[0]);
  case OpKind::Log:
    return s.log(x[0]);
  case OpKind::Sqrt:
    return s.sqrt(x[0]);
  case OpKind::Rsqrt:
    return s.rsqrt(x[0]);
  case OpKind::Square:
    return s.mul(x[0], x[0]);
  case OpKind::Sigmoid:
    return s.sigmoid(x[0]);
  case OpKind::Silu:
    return s.mul(x[0], s.sigmoid(x[0]));
  case OpKind::Gelu: {
    Value half = s.mul(s.constant(0.5), x[0]), one = s.constant(1.0);
    if (attrs.geluForm == GeluForm::Erf)
      return s.mul(half, s.add(one, s.erf(s.mul(x[0], s.constant(M_SQRT1_2)))));
    // 0.5 x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))), Hendrycks and Gimpel.
    Value cube = s.mul(s.mul(x[0], x[0]), x[0]);
    Value inner = s.add(x[0], s.mul(s.constant(0.044715), cube));
    constexpr double sqrtTwoOverPi = M_2_SQRTPI * M_SQRT1_2;
    return s.mul(half,
                 s.add(one, s.tanh(s.mul(s.constant(sqrtTwoOverPi), inner))));
  }
  case OpKind::Mish: {
    // tanh(log(1 + e)) = (e^2 + 2 e) / (e^2 + 2 e + 2) with e = exp(x): nothing
    // cancels where e is small. From x = 20 on the quotient rounds to one in
    // f64 too, and e^2 cannot overflow in f32.
    Value two = s.constant(2.0);
    Value e = s.exp(s.min(x[0], s.constant(20.0)));
    Value n = s.mul(e, s.add(e, two));
    return s.mul(x[0], s.div(n, s.add(n, two)));
  }
  case OpKind::Erf:
    return s.erf(x[0]);
  case OpKind::Relu:
    return s.max(x[0], s.constant(0.0));
  case OpKind::Tanh:
    return s.tanh(x[0]);
  case OpKind::Clamp:
    return s.min(s.max(x[0], s.constant(attrs.lower)), s.constant(attrs.upper));
  case OpKind::Scale:
    return s.mul(x[0], s.constant(attrs.scalar));
  case OpKind::Pow:
    return evaluatePow(x[0], attrs.scalar, s);
  case OpKind::Cast:
    return x[0];
#define MIRAGE_ELEMENTWISE_OP(...)
#define MIRAGE_OP(Kind, ...) case OpKind::Kind:
#include "Mirage/Semantics/OpKinds.def"
    break;
  }
  llvm_unreachable("not an elementwise operator");
}

namespace detail {

/// Evaluates one operator once; holds what the functions below have in common.
template <typename System> struct ElementEvaluator {
  using Value = typename System::Value;
  using Index = typename System::Index;
  using Indices = llvm::SmallVector<Index, 4>;

  OpKind kind;
  const OpAttributes &attrs;
  llvm::ArrayRef<Shape> shapes;
  unsigned result;
  System &s;

  Value elementwise(llvm::ArrayRef<Index> out) {
    llvm::SmallVector<Value, 3> args;
    for (unsigned i = 0; i < shapes.size(); ++i) {
      Indices at(out.begin(), out.end());
      for (auto [index, size] : llvm::zip(at, shapes[i]))
        if (size == 1)
          index = s.index(0);
      args.push_back(s.read(i, at));
    }
    return evaluateScalar<System>(kind, attrs, args, s);
  }

  /// Returns the indices of the same element, in row-major order, of a tensor
  /// of another shape.
  Indices relinearize(llvm::ArrayRef<Index> at, ShapeRef from, ShapeRef to) {
    Index linear = s.index(0);
    for (auto [index, size] : llvm::zip(at, from))
      linear = s.add(s.mulConstant(linear, size), index);
    Indices indices(to.size(), s.index(0));
    for (size_t i = to.size(); i-- > 0;) {
      indices[i] = i ? s.remConstant(linear, to[i]) : linear;
      linear = s.divConstant(linear, to[i]);
    }
    return indices;
  }

  Value layout(llvm::ArrayRef<Index> out) {
    Indices at(out.begin(), out.end());
    const Shape &in = shapes[0];
    switch (kind) {
    case OpKind::Repeat:
      for (auto [index, size] : llvm::zip(at, in))
        index = s.remConstant(index, size);
      break;
    case OpKind::Broadcast:
      for (auto [index, size] : llvm::zip(at, in))
        if (size == 1)
          index = s.index(0);
      break;
    case OpKind::Reshape:
      at = relinearize(out, attrs.resultShape, in);
      break;
    case OpKind::Transpose:
      for (auto [i, dim] : llvm::enumerate(attrs.permutation))
        at[dim] = out[i];
      break;
    case OpKind::Slice:
      for (auto [i, index] : llvm::enumerate(at))
        index = s.addConstant(s.mulConstant(index, attrs.strides[i]),
                              attrs.offsets[i]);
      break;
    case OpKind::Split:
      at[attrs.dim] =
          s.addConstant(at[attrs.dim], in[attrs.dim] / attrs.parts * result);
      break;
    case OpKind::Concat:
      return concat(at, 0);
    case OpKind::Pad:
      return pad(at);
#define MIRAGE_LAYOUT_OP(...)
#define MIRAGE_OP(Kind, ...) case OpKind::Kind:
#include "Mirage/Semantics/OpKinds.def"
      llvm_unreachable("not a layout operator");
    }
    return s.read(0, at);
  }

  /// Returns the element of the concatenation of the operands from `first` on.
  Value concat(Indices at, unsigned first) {
    if (first + 1 == shapes.size())
      return s.read(first, at);
    int64_t size = shapes[first][attrs.dim];
    return s.select(
        s.inRange(at[attrs.dim], 0, size), [&] { return s.read(first, at); },
        [&] {
          Indices rest = at;
          rest[attrs.dim] = s.addConstant(at[attrs.dim], -size);
          return concat(rest, first + 1);
        });
  }

  Value pad(Indices at) {
    std::optional<typename System::Condition> inside;
    for (auto [i, size] : llvm::enumerate(shapes[0])) {
      if (!attrs.offsets[i] && !attrs.sizes[i])
        continue;
      at[i] = s.addConstant(at[i], -attrs.offsets[i]);
      auto condition = s.inRange(at[i], 0, size);
      inside = inside ? s.both(*inside, condition) : condition;
    }
    if (!inside)
      return s.read(0, at);
    return s.select(
        *inside, [&] { return s.read(0, at); },
        [&] { return s.constant(attrs.scalar); });
  }

  Value reduce(llvm::ArrayRef<Index> out) {
    const Shape &in = shapes[0];
    Indices at(out.begin(), out.end());
    int64_t extent = attrs.group ? attrs.group : in[attrs.dim];
    if (attrs.group)
      at[attrs.dim] = s.mulConstant(at[attrs.dim], attrs.group);
    else if (attrs.keep)
      at[attrs.dim] = s.index(0);
    else
      at.insert(at.begin() + attrs.dim, s.index(0));
    bool isMax = attrs.reduceKind == ReduceKind::Max;
    Value initial =
        s.constant(isMax ? -std::numeric_limits<double>::infinity() : 0.0);
    Value total =
        s.reduce(llvm::ArrayRef<int64_t>(extent), initial,
                 [&](llvm::ArrayRef<Index> k, Value accumulator) {
                   Indices from = at;
                   from[attrs.dim] = s.add(at[attrs.dim], k[0]);
                   Value x = s.read(0, from);
                   return isMax ? s.max(accumulator, x) : s.add(accumulator, x);
                 });
    if (attrs.reduceKind == ReduceKind::Mean)
      total = s.div(total, s.constant(static_cast<double>(extent)));
    return total;
  }

  /// Returns `initial` plus the element of the product of the operands with the
  /// numbers lhs and rhs.
  Value product(llvm::ArrayRef<Index> out, unsigned lhs, unsigned rhs,
                Value initial) {
    const Shape &l = shapes[lhs], &r = shapes[rhs];
    size_t m = out.size() - 2, n = out.size() - 1;
    size_t rowDim = getKeptDim(attrs, ProductOperand::Lhs, out.size());
    size_t columnDim = getKeptDim(attrs, ProductOperand::Rhs, out.size());
    size_t lhsK = getContractedDim(attrs, ProductOperand::Lhs, out.size());
    size_t rhsK = getContractedDim(attrs, ProductOperand::Rhs, out.size());
    int64_t extent = l[lhsK];
    return s.reduce(llvm::ArrayRef<int64_t>(extent), initial,
                    [&](llvm::ArrayRef<Index> k, Value accumulator) {
                      Indices atLhs(out.begin(), out.end()), atRhs = atLhs;
                      for (size_t i = 0; i < m; ++i) {
                        if (l[i] == 1)
                          atLhs[i] = s.index(0);
                        if (r[i] == 1)
                          atRhs[i] = s.index(0);
                      }
                      atLhs[rowDim] = out[m];
                      atLhs[lhsK] = k[0];
                      atRhs[rhsK] = k[0];
                      atRhs[columnDim] = out[n];
                      Value a = s.read(lhs, atLhs), b = s.read(rhs, atRhs);
                      if (attrs.tf32) {
                        a = s.roundToTF32(a);
                        b = s.roundToTF32(b);
                      }
                      return s.add(accumulator, s.mul(a, b));
                    });
  }

  Value conv2d(llvm::ArrayRef<Index> out) {
    const Shape &in = shapes[0], &filter = shapes[1];
    bool nchw = attrs.convLayout == ConvLayout::NCHW;
    unsigned c = nchw ? 1 : 3, h = nchw ? 2 : 1, w = h + 1;
    int64_t outChannels = filter[nchw ? 0 : 3],
            groupChannels = filter[nchw ? 1 : 2],
            groupOut = outChannels / attrs.convGroups;
    unsigned filterH = nchw ? 2 : 0;
    int64_t extents[] = {groupChannels, filter[filterH], filter[filterH + 1]};
    Index group = s.divConstant(out[c], groupOut);
    return s.reduce(
        extents, s.constant(0.0),
        [&](llvm::ArrayRef<Index> k, Value accumulator) {
          Indices at(out.begin(), out.end()), tap(4, s.index(0));
          at[c] = s.add(s.mulConstant(group, groupChannels), k[0]);
          for (unsigned i = 0; i < 2; ++i)
            at[h + i] = s.addConstant(
                s.add(s.mulConstant(out[h + i], attrs.convStrides[i]),
                      s.mulConstant(k[1 + i], attrs.convDilations[i])),
                -attrs.convPadding[2 * i]);
          tap[nchw ? 0 : 3] = out[c];
          tap[nchw ? 1 : 2] = k[0];
          tap[filterH] = k[1];
          tap[filterH + 1] = k[2];
          auto contribution = [&] {
            return s.add(accumulator, s.mul(s.read(0, at), s.read(1, tap)));
          };
          if (llvm::all_of(attrs.convPadding, [](int64_t p) { return !p; }))
            return contribution();
          return s.select(
              s.both(s.inRange(at[h], 0, in[h]), s.inRange(at[w], 0, in[w])),
              contribution, [&] { return accumulator; });
        });
  }
};

} // namespace detail

/// Returns element `out` of result number `result` of an operator that is not
/// composite. `shapes` are the operands' shapes; shapes and attributes must
/// have passed inferShapes.
template <typename System>
typename System::Value
evaluateElement(OpKind kind, const OpAttributes &attrs,
                llvm::ArrayRef<Shape> shapes, unsigned result,
                llvm::ArrayRef<typename System::Index> out, System &s) {
  detail::ElementEvaluator<System> e{kind, attrs, shapes, result, s};
  switch (kind) {
#define MIRAGE_ELEMENTWISE_OP(Kind, ...) case OpKind::Kind:
#include "Mirage/Semantics/OpKinds.def"
    return e.elementwise(out);
#define MIRAGE_LAYOUT_OP(Kind, ...) case OpKind::Kind:
#include "Mirage/Semantics/OpKinds.def"
    return e.layout(out);
  case OpKind::Constant:
    if (attrs.values->size() == 1)
      return s.constant(attrs.values->front());
    return s.element(out);
  case OpKind::Reduce:
    return e.reduce(out);
  case OpKind::Matmul:
    return e.product(out, 0, 1, s.constant(0.0));
  case OpKind::ConcatMatmul:
    return e.product(out, 1, 3, e.product(out, 0, 2, s.constant(0.0)));
  case OpKind::Conv2d:
    return e.conv2d(out);
#define MIRAGE_COMPOSITE_OP(Kind, ...) case OpKind::Kind:
#include "Mirage/Semantics/OpKinds.def"
    break;
  }
  llvm_unreachable("a composite operator is a graph of others");
}

} // namespace mirage

#endif // MIRAGE_SEMANTICS_ELEMENT_H
