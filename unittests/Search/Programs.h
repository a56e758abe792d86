//===- Programs.h - Small programs to search for ----------------*- C++ -*-===//
//
// Makes programs to search for, each with any sizes of its axes.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_UNITTESTS_SEARCH_PROGRAMS_H
#define MIRAGE_UNITTESTS_SEARCH_PROGRAMS_H

#include "../GraphBuilder.h"
#include <ostream>

namespace mirage::search {

/// Builds the operators of most programs here: sums and quotients of rows that
/// stay, softmax over columns.
struct ProgramBuilder : GraphBuilder {
  using GraphBuilder::reduce;
  using GraphBuilder::softmax;
  using GraphBuilder::transpose;

  MuValue input(ShapeRef shape) { return argument(shape); }
  MuValue reduce(MuValue a, int64_t dim, ReduceKind kind = ReduceKind::Sum) {
    return reduce(kind, a, dim);
  }
  MuValue transpose(MuValue a) { return transpose(a, {1, 0}); }
  /// One of two halves of the columns.
  MuValue half(MuValue a, bool isSecond) {
    OpAttributes attributes;
    attributes.sizes.assign(getShape(a).begin(), getShape(a).end());
    attributes.sizes.back() /= 2;
    attributes.offsets.assign(attributes.sizes.size(), 0);
    attributes.strides.assign(attributes.sizes.size(), 1);
    attributes.offsets.back() = isSecond ? attributes.sizes.back() : 0;
    return op(OpKind::Slice, {a}, attributes);
  }
  MuValue softmax(MuValue a) { return softmax(a, 1); }
};

/// Sizes of axes, in an order that each program has of its own.
using AxisSizes = llvm::ArrayRef<int64_t>;
using MakeProgram = MuGraph (*)(AxisSizes);

inline MuGraph makeNormLinear(AxisSizes s) {
  ProgramBuilder b;
  MuValue x = b.input({s[0], s[1]}), w = b.input({s[1], s[2]});
  return b.finish(b.matmul(b.div(x, b.reduce(x, 1)), w));
}

inline MuGraph makeLowRank(AxisSizes s) {
  ProgramBuilder b;
  MuValue x = b.input({s[0], s[1]}), w = b.input({s[1], s[2]}),
          u = b.input({s[1], s[3]}), v = b.input({s[3], s[2]});
  return b.finish(b.add(b.matmul(x, w), b.matmul(b.matmul(x, u), v)));
}

inline MuGraph makeChain(AxisSizes s) {
  ProgramBuilder b;
  MuValue x = b.input({s[0], s[1]}), y = b.input({s[1], s[2]}),
          z = b.input({s[2], s[3]});
  return b.finish(b.matmul(b.matmul(x, y), z));
}

/// A program and the operators of a block graph that a test has time for, with
/// and without pruning by expressions.
struct Goal {
  const char *name;
  MakeProgram make;
  unsigned operators;
};

inline void PrintTo(const Goal &goal, std::ostream *os) { *os << goal.name; }

inline constexpr Goal kGoals[] = {
    {"NormLinear", makeNormLinear, 4},
    {"Softmax",
     [](AxisSizes s) {
       ProgramBuilder b;
       return b.finish(b.softmax(b.input({s[0], s[1]})));
     },
     4},
    {"PlainSoftmax",
     [](AxisSizes s) {
       ProgramBuilder b;
       MuValue e = b.exp(b.input({s[0], s[1]}));
       return b.finish(b.div(e, b.reduce(e, 1)));
     },
     4},
    {"Attention",
     [](AxisSizes s) {
       ProgramBuilder b;
       MuValue p = b.exp(b.input({s[0], s[1]})), v = b.input({s[1], s[2]});
       return b.finish(b.matmul(b.div(p, b.reduce(p, 1)), v));
     },
     4},
    {"GatedMlp",
     [](AxisSizes s) {
       ProgramBuilder b;
       MuValue x = b.input({s[0], s[1]}), w = b.input({s[1], s[2]}),
               v = b.input({s[1], s[2]});
       return b.finish(b.mul(b.silu(b.matmul(x, w)), b.matmul(x, v)));
     },
     4},
    {"LowRank", makeLowRank, 4},
    {"Affine",
     [](AxisSizes s) {
       ProgramBuilder b;
       MuValue x = b.input({s[0], s[1]}), w = b.input({s[1], s[2]}),
               c = b.input({1, s[2]});
       return b.finish(b.add(b.matmul(x, w), c));
     },
     4},
    {"Chain", makeChain, 4},
    {"CenteredLinear",
     [](AxisSizes s) {
       ProgramBuilder b;
       MuValue x = b.input({s[0], s[1]}), w = b.input({s[1], s[2]});
       return b.finish(b.matmul(b.sub(x, b.reduce(x, 1, ReduceKind::Mean)), w));
     },
     4},
    {"MeanOfSquares",
     [](AxisSizes s) {
       ProgramBuilder b;
       return b.finish(
           b.reduce(b.square(b.input({s[0], s[1]})), 1, ReduceKind::Mean));
     },
     4},
    {"QuotientByMean",
     [](AxisSizes s) {
       ProgramBuilder b;
       MuValue x = b.input({s[0], s[1]});
       return b.finish(b.div(x, b.reduce(x, 1, ReduceKind::Mean)));
     },
     4},
    {"ExpRowSum",
     [](AxisSizes s) {
       ProgramBuilder b;
       MuValue x = b.input({s[0], s[1]}), w = b.input({s[1], s[2]});
       return b.finish(b.reduce(b.exp(b.matmul(x, w)), 1));
     },
     4},
    {"LogSumExp",
     [](AxisSizes s) {
       ProgramBuilder b;
       MuValue e = b.exp(b.input({s[0], s[1]}));
       return b.finish(b.op(OpKind::Log, {b.reduce(e, 1)}));
     },
     5},
    {"LogSumExpWithMaximum",
     [](AxisSizes s) {
       ProgramBuilder b;
       MuValue x = b.input({s[0], s[1]});
       MuValue most = b.reduce(x, 1, ReduceKind::Max);
       MuValue total = b.reduce(b.exp(b.sub(x, most)), 1);
       return b.finish(b.add(b.op(OpKind::Log, {total}), most));
     },
     6},
    {"QuotientOfSums",
     [](AxisSizes s) {
       ProgramBuilder b;
       MuValue x = b.input({s[0], s[1]}), y = b.input({s[0], s[1]});
       return b.finish(b.div(b.reduce(b.mul(x, y), 1), b.reduce(y, 1)));
     },
     4},
    {"ProductOfSums",
     [](AxisSizes s) {
       ProgramBuilder b;
       MuValue x = b.input({s[0], s[1]}), w = b.input({s[0], s[1]});
       return b.finish(b.mul(b.reduce(b.mul(x, w), 1), b.reduce(x, 1)));
     },
     5},
    {"SumOverTwoAxes",
     [](AxisSizes s) {
       ProgramBuilder b;
       MuValue x = b.input({s[0], s[1]}), c = b.input({1, s[1]});
       return b.finish(b.reduce(b.reduce(b.mul(x, c), 1), 0));
     },
     5},
    // There is a sum in an argument, and a function there that a later sum
    // binds.
    {"ExpOfProduct",
     [](AxisSizes s) {
       ProgramBuilder b;
       MuValue x = b.input({s[0], s[1]});
       return b.finish(b.reduce(b.exp(b.mul(b.reduce(x, 1), b.silu(x))), 1));
     },
     5},
    {"SumOfQuotients",
     [](AxisSizes s) {
       ProgramBuilder b;
       MuValue x = b.input({s[0], s[1]}), y = b.input({s[0], s[1]});
       return b.finish(b.reduce(b.div(x, b.add(y, b.reduce(y, 1))), 1));
     },
     4},
    {"Variance",
     [](AxisSizes s) {
       ProgramBuilder b;
       MuValue x = b.input({s[0], s[1]});
       return b.finish(
           b.reduce(b.square(b.sub(x, b.reduce(x, 1, ReduceKind::Mean))), 1));
     },
     5},
    // These values have the same axis twice.
    {"GramProduct",
     [](AxisSizes s) {
       ProgramBuilder b;
       MuValue x = b.input({s[0], s[1]}), y = b.input({s[0], s[2]});
       return b.finish(b.matmul(x, b.matmul(x, y, true)));
     },
     4},
    {"ColumnSum",
     [](AxisSizes s) {
       ProgramBuilder b;
       MuValue x = b.input({s[0], s[0]}), c = b.input({1, s[0]});
       return b.finish(b.mul(b.reduce(b.add(x, b.transpose(x)), 0), c));
     },
     4},
    {"ExpGram",
     [](AxisSizes s) {
       ProgramBuilder b;
       MuValue x = b.input({s[0], 1});
       MuValue total = b.reduce(x, 0);
       return b.finish(b.reduce(b.exp(b.mul(x, total)), 0));
     },
     5},
    // These have vectors, signs and constants.
    {"RowProduct",
     [](AxisSizes s) {
       ProgramBuilder b;
       MuValue x = b.input({s[0], s[1]}), v = b.input({1, s[1]});
       return b.finish(b.matmul(x, v, false, true));
     },
     4},
    {"ColumnProduct",
     [](AxisSizes s) {
       ProgramBuilder b;
       MuValue x = b.input({s[0], 1}), v = b.input({s[0], s[1]});
       return b.finish(b.matmul(x, v, true));
     },
     4},
    {"Negative",
     [](AxisSizes s) {
       ProgramBuilder b;
       MuValue x = b.input({s[0], s[1]}), w = b.input({s[1], s[2]});
       return b.finish(b.scale(b.matmul(x, w), -1));
     },
     4},
    {"TwoFactors",
     [](AxisSizes s) {
       ProgramBuilder b;
       MuValue x = b.input({s[0], s[1]});
       return b.finish(b.scale(b.reduce(b.scale(b.exp(x), 3), 1), 5));
     },
     5},
    {"SumTimesDifference",
     [](AxisSizes s) {
       ProgramBuilder b;
       MuValue x = b.input({s[0], 1}), y = b.input({s[0], 1});
       return b.finish(b.mul(b.add(x, y), b.sub(b.mul(x, x), b.mul(x, y))));
     },
     4},
    // These have choices and maxima.
    {"Masked",
     [](AxisSizes s) {
       ProgramBuilder b;
       MuValue c = b.input({s[0], s[1]}), x = b.input({s[0], s[1]}),
               w = b.input({s[1], s[2]});
       return b.finish(
           b.matmul(b.op(OpKind::Select, {c, x, b.constant(0, 2)}), w));
     },
     4},
    {"Choice",
     [](AxisSizes s) {
       ProgramBuilder b;
       MuValue c = b.input({s[0], 1}), x = b.input({s[0], s[1]}),
               y = b.input({s[0], s[1]});
       return b.finish(b.reduce(b.op(OpKind::Select, {c, x, y}), 1));
     },
     3},
    {"MaskedExponential",
     [](AxisSizes s) {
       ProgramBuilder b;
       MuValue c = b.input({s[0], s[1]}), x = b.input({s[0], s[1]});
       MuValue fill = b.constant(-5, 2);
       return b.finish(b.reduce(b.exp(b.op(OpKind::Select, {c, x, fill})), 1));
     },
     4},
    // A mask is made of the positions of rows and columns.
    {"CausalSums",
     [](AxisSizes s) {
       ProgramBuilder b;
       MuValue row = b.input({s[0], 1}), column = b.input({1, s[1]}),
               x = b.input({s[0], s[1]});
       OpAttributes notAfter;
       notAfter.compareKind = CompareKind::LE;
       MuValue isVisible = b.op(OpKind::Compare, {column, row}, notAfter);
       return b.finish(
           b.reduce(b.op(OpKind::Select, {isVisible, x, b.constant(0, 2)}), 1));
     },
     4},
    {"MaximumTimesSum",
     [](AxisSizes s) {
       ProgramBuilder b;
       MuValue x = b.input({s[0], s[1]}), y = b.input({s[0], s[1]});
       return b.finish(b.reduce(b.mul(b.reduce(x, 1, ReduceKind::Max), y), 1));
     },
     5},
    {"MaximumOfSums",
     [](AxisSizes s) {
       ProgramBuilder b;
       MuValue x = b.input({s[0], s[1]}), c = b.input({s[0], 1});
       MuValue total = b.reduce(x, 1);
       return b.finish(b.reduce(b.mul(total, c), 0, ReduceKind::Max));
     },
     4},
    {"SumOfMaxima",
     [](AxisSizes s) {
       ProgramBuilder b;
       MuValue x = b.input({s[0], s[1]}), c = b.input({s[0], 1});
       MuValue most = b.reduce(x, 1, ReduceKind::Max);
       return b.finish(b.reduce(b.mul(most, c), 0));
     },
     4},
    {"QuotientByMaximum",
     [](AxisSizes s) {
       ProgramBuilder b;
       MuValue x = b.input({s[0], s[1]});
       return b.finish(b.reduce(b.div(x, b.reduce(x, 1, ReduceKind::Max)), 1));
     },
     4},
    // These have other layouts.
    {"Dropped",
     [](AxisSizes s) {
       ProgramBuilder b;
       MuValue x = b.input({s[0], s[1]}), y = b.input({s[0], s[1]});
       OpAttributes a;
       a.dim = 1;
       a.keep = false;
       return b.finish(b.op(OpKind::Reduce, {b.mul(x, y)}, a));
     },
     4},
    {"Flatten",
     [](AxisSizes s) {
       ProgramBuilder b;
       MuValue x = b.input({s[0], s[1], s[2]}),
               w = b.input({s[1] * s[2], s[3]});
       OpAttributes a;
       a.resultShape = {s[0], s[1] * s[2]};
       return b.finish(b.matmul(b.op(OpKind::Reshape, {x}, a), w));
     },
     4},
    {"TransposedSum",
     [](AxisSizes s) {
       ProgramBuilder b;
       MuValue x = b.input({s[0], s[1]}), w = b.input({s[0], 1});
       return b.finish(b.transpose(b.mul(b.reduce(x, 1), w)));
     },
     4},
    {"Gram",
     [](AxisSizes s) {
       ProgramBuilder b;
       MuValue x = b.input({s[0], s[1]});
       return b.finish(b.reduce(b.matmul(x, x, false, true), 1));
     },
     4},
    {"GramExp",
     [](AxisSizes s) {
       ProgramBuilder b;
       MuValue x = b.input({s[0], s[1]});
       MuValue e = b.exp(b.matmul(x, x, false, true));
       return b.finish(b.matmul(e, x));
     },
     4},
    // These take parts of values.
    {"Halves",
     [](AxisSizes s) {
       ProgramBuilder b;
       MuValue x = b.input({s[0], 2 * s[1]});
       return b.finish(
           b.reduce(b.mul(b.half(x, false), b.exp(b.half(x, true))), 1));
     },
     5},
    {"FusedProducts",
     [](AxisSizes s) {
       ProgramBuilder b;
       MuValue x = b.input({s[0], s[1]}), w = b.input({s[1], 2 * s[2]});
       MuValue y = b.matmul(x, w);
       return b.finish(b.mul(b.half(y, false), b.half(y, true)));
     },
     5},
    {"FusedThreeProducts",
     [](AxisSizes s) {
       ProgramBuilder b;
       MuValue x = b.input({s[0], s[1]}), w = b.input({s[1], 3 * s[2]});
       MuValue y = b.matmul(x, w);
       auto part = [&](int64_t number) {
         return b.slice(y, {0, number * s[2]}, {s[0], s[2]}, {1, 1});
       };
       return b.finish(b.mul(b.mul(part(0), part(1)), part(2)));
     },
     6},
    // These have parts that are put together, of inputs of their own. Their
    // sizes are no runs of few units: a run's axis would be too small to be
    // divided.
    {"PartsOfResult",
     [](AxisSizes s) {
       ProgramBuilder b;
       MuValue x = b.input({s[0], s[3] + s[4]}), c = b.input({1, s[3]});
       MuValue left = b.slice(x, {0, 0}, {s[0], s[3]}, {1, 1}),
               right = b.slice(x, {0, s[3]}, {s[0], s[4]}, {1, 1});
       return b.finish(b.concat({b.exp(right), b.mul(b.exp(left), c)}, 1));
     },
     4},
    // This is a rotation of pairs by angles that are given as their tangents,
    // up to the cosines.
    {"Rotation",
     [](AxisSizes s) {
       ProgramBuilder b;
       MuValue x = b.input({s[0], 2 * s[3]}), left = b.half(x, false),
               right = b.half(x, true);
       MuValue t = b.input({s[0], s[3]}), negative = b.input({s[0], s[3]});
       return b.finish(b.concat(
           {b.add(left, b.mul(right, negative)), b.add(right, b.mul(left, t))},
           1));
     },
     4},
    {"UnequalProducts",
     [](AxisSizes s) {
       ProgramBuilder b;
       MuValue x = b.input({s[0], s[1]}), w = b.input({s[1], s[3] + s[4]});
       MuValue y = b.matmul(x, w);
       MuValue left = b.slice(y, {0, 0}, {s[0], s[3]}, {1, 1}),
               right = b.slice(y, {0, s[3]}, {s[0], s[4]}, {1, 1});
       return b.finish(b.concat({b.exp(right), left}, 1));
     },
     5},
    {"ProductOverParts",
     [](AxisSizes s) {
       ProgramBuilder b;
       MuValue x = b.input({s[0], s[3]}), y = b.input({s[0], s[4]}),
               w = b.input({s[3] + s[4], s[2]});
       return b.finish(b.matmul(b.concat({x, y}, 1), w));
     },
     5},
    {"GroupSums",
     [](AxisSizes s) {
       ProgramBuilder b;
       MuValue x = b.input({s[0], s[1] * s[2]}), c = b.input({s[0], s[1]});
       return b.finish(b.mul(b.sum(b.exp(x), 1, /*keep=*/false, s[2]), c));
     },
     4},
    {"SumOverParts",
     [](AxisSizes s) {
       ProgramBuilder b;
       MuValue x = b.input({s[0], s[3]}), y = b.input({s[0], s[4]});
       return b.finish(b.reduce(b.exp(b.concat({x, y}, 1)), 1));
     },
     5},
    {"OuterSum",
     [](AxisSizes s) {
       ProgramBuilder b;
       MuValue x = b.input({s[0], 1}), y = b.input({s[0], s[1]});
       return b.finish(b.mul(b.reduce(y, 0), b.reduce(b.mul(x, y), 0)));
     },
     5},
};

} // namespace mirage::search

#endif // MIRAGE_UNITTESTS_SEARCH_PROGRAMS_H
