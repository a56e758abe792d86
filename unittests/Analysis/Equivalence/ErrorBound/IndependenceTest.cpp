//===- IndependenceTest.cpp - Exponentials of independent numbers ---------===//
//
// Programs whose exponentials' arguments are independent, and some whose
// arguments are not, or only seem to be.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/ErrorBound/Independence.h"
#include "Mirage/Analysis/Equivalence/Fields/FieldEvaluation.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mirage;
using namespace mirage::equivalence;

namespace {

constexpr ElementType f32 = ElementType::f32;

/// A program, written operator by operator. Its results are sums over all
/// elements of exponentials.
struct Program {
  MuGraph graph;
  std::vector<MuValue> results;

  MuValue input(Shape shape) { return graph.addArgument(0, shape, f32); }
  MuValue apply(OpKind kind, llvm::ArrayRef<MuValue> operands,
                const OpAttributes &attributes = {}) {
    return graph.addOperator(0, kind, attributes, operands, f32);
  }
  MuValue constant(Shape shape, std::vector<double> values) {
    OpAttributes attributes;
    attributes.resultShape = std::move(shape);
    attributes.values =
        std::make_shared<const std::vector<double>>(std::move(values));
    return apply(OpKind::Constant, {}, attributes);
  }
  MuValue scale(MuValue x, double factor) {
    Shape ones(graph.getShape(x).size(), 1);
    return apply(OpKind::Mul, {x, constant(ones, {factor})});
  }
  MuValue slice(MuValue x, int64_t offset, int64_t size) {
    OpAttributes attributes;
    attributes.offsets = {offset};
    attributes.sizes = {size};
    attributes.strides = {1};
    return apply(OpKind::Slice, {x}, attributes);
  }
  MuValue reduce(MuValue x, int64_t dim, ReduceKind kind = ReduceKind::Sum) {
    OpAttributes attributes;
    attributes.dim = dim;
    attributes.keep = true;
    attributes.reduceKind = kind;
    return apply(OpKind::Reduce, {x}, attributes);
  }
  Program &sumExp(MuValue x) {
    MuValue sum = apply(OpKind::Exp, {x});
    for (size_t dim = 0; dim < graph.getShape(x).size(); ++dim)
      sum = reduce(sum, dim);
    results.push_back(
        results.empty() ? sum : apply(OpKind::Add, {results.back(), sum}));
    graph.setResults(0, {results.back()});
    return *this;
  }
};

Independence check(const Program &lhs, const Program &rhs) {
  return checkIndependence(FieldPlan(lhs.graph), FieldPlan(rhs.graph));
}
Independence check(const Program &program) { return check(program, program); }

TEST(Independence, Scores) {
  Program p;
  MuValue q = p.input({1, 3}), k = p.input({3, 5});
  p.sumExp(p.apply(OpKind::Matmul, {q, k}));
  Independence result = check(p);
  EXPECT_EQ(result.problem, "");
  EXPECT_EQ(result.degree, 1);
  EXPECT_EQ(result.arguments, 5);
}

TEST(Independence, ScoresOfSeveralQueriesAreTooMany) {
  Program p;
  MuValue q = p.input({2, 3}), k = p.input({3, 5});
  p.sumExp(p.apply(OpKind::Matmul, {q, k}));
  EXPECT_NE(check(p).problem, "");
}

TEST(Independence, ShiftIsANumberMore) {
  Program p, plain;
  MuValue x = p.input({8});
  MuValue m = p.reduce(x, 0, ReduceKind::Max);
  p.sumExp(p.apply(OpKind::Sub, {x, m}));
  plain.sumExp(plain.input({8}));
  Independence result = check(p, plain);
  EXPECT_EQ(result.problem, "");
  EXPECT_EQ(result.degree, 2);
}

TEST(Independence, MaximumOfOneNumberIsThatNumber) {
  // exp(x_i) and exp(max(x_0 x_1)).
  Program p;
  MuValue x = p.input({8, 1});
  p.sumExp(x);
  OpAttributes row;
  row.offsets = {0, 0}, row.sizes = {1, 1}, row.strides = {1, 1};
  MuValue a = p.apply(OpKind::Slice, {x}, row);
  row.offsets = {1, 0};
  MuValue b = p.apply(OpKind::Slice, {x}, row);
  MuValue product = p.apply(OpKind::Mul, {a, b});
  p.sumExp(p.reduce(product, 1, ReduceKind::Max));
  EXPECT_NE(check(p).problem, "");
}

TEST(Independence, InfinityIsNeutral) {
  Program p;
  MuValue x = p.input({8});
  MuValue infinity = p.constant({1}, {-INFINITY});
  p.sumExp(p.apply(OpKind::Max, {x, infinity}));
  EXPECT_NE(check(p).problem, "");
}

TEST(Independence, MultiplesArePowers) {
  Program p;
  MuValue x = p.input({8});
  p.sumExp(p.scale(x, 0.5)).sumExp(p.scale(x, -1.5));
  Independence result = check(p);
  EXPECT_EQ(result.problem, "");
  EXPECT_EQ(result.degree, 3);
  EXPECT_EQ(result.arguments, 8);
}

TEST(Independence, PowersMayBeHigh) {
  // Multiples without a common unit of moderate size.
  Program p;
  MuValue x = p.input({8});
  p.sumExp(p.scale(x, 0.3)).sumExp(p.scale(x, 0.7));
  EXPECT_GE(check(p).degree, 0x1p20);
}

TEST(Independence, NumbersInCommon) {
  // a x_j and b x_j.
  Program p;
  MuValue a = p.input({1}), b = p.input({1}), x = p.input({8});
  p.sumExp(p.apply(OpKind::Mul, {a, x})).sumExp(p.apply(OpKind::Mul, {b, x}));
  EXPECT_NE(check(p).problem, "");
}

TEST(Independence, OtherNumbersOfTheOtherSide) {
  // a x_j, and y_j a.
  Program lhs, rhs, both;
  for (Program *p : {&lhs, &rhs, &both}) {
    MuValue a = p->input({1}), x = p->input({8}), y = p->input({8});
    if (p != &rhs)
      p->sumExp(p->apply(OpKind::Mul, {a, x}));
    if (p != &lhs)
      p->sumExp(p->apply(OpKind::Mul, {y, a}));
  }
  Independence result = check(lhs, rhs);
  EXPECT_EQ(result.problem, "");
  EXPECT_EQ(result.arguments, 16);
  EXPECT_EQ(check(both).problem, "");
}

TEST(Independence, OrderOfFamilies) {
  // x_j, and x_j y_j: y first makes x free, not the other way around.
  Program p;
  MuValue x = p.input({8}), y = p.input({8});
  p.sumExp(x).sumExp(p.apply(OpKind::Mul, {x, y}));
  EXPECT_EQ(check(p).problem, "");
  // Three kinds of arguments of numbers of two kinds.
  p.sumExp(p.apply(OpKind::Add, {x, y}));
  EXPECT_NE(check(p).problem, "");
}

TEST(Independence, Windows) {
  Program p;
  MuValue x = p.input({9});
  p.sumExp(p.apply(OpKind::Mul, {p.slice(x, 0, 8), p.slice(x, 1, 8)}));
  EXPECT_NE(check(p).problem, "");
  // Elements 0 to 7, and 1 to 8.
  Program overlapping;
  MuValue y = overlapping.input({9});
  overlapping.sumExp(overlapping.slice(y, 0, 8))
      .sumExp(overlapping.slice(y, 1, 8));
  EXPECT_NE(check(overlapping).problem, "");
}

TEST(Independence, Squares) {
  Program p;
  MuValue x = p.input({8});
  p.sumExp(p.apply(OpKind::Mul, {x, x}));
  EXPECT_NE(check(p).problem, "");
}

TEST(Independence, FactorsMayCancel) {
  // (a - b) x_j, where a and b may be one number.
  Program p;
  MuValue a = p.input({2}), x = p.input({8});
  MuValue b = p.apply(OpKind::Sub, {p.slice(a, 0, 1), p.slice(a, 1, 1)});
  p.sumExp(p.apply(OpKind::Mul, {b, x}));
  EXPECT_NE(check(p).problem, "");
}

TEST(Independence, TablesMayHaveZeros) {
  for (double last : {4.0, 0.0, -1.0}) {
    Program p;
    MuValue x = p.input({4}), c = p.constant({4}, {1, 2, 3, last});
    p.sumExp(p.apply(OpKind::Mul, {x, c}));
    EXPECT_EQ(check(p).problem.empty(), last > 0) << last;
  }
}

TEST(Independence, FunctionsAsFactors) {
  // sqrt(y_j) x_j
  Program p;
  MuValue x = p.input({8}), y = p.input({8});
  MuValue root = p.apply(OpKind::Sqrt, {y});
  p.sumExp(p.apply(OpKind::Mul, {root, x}));
  EXPECT_EQ(check(p).problem, "");
  // sqrt(y_j)^2 is not linear in a root.
  Program square;
  MuValue z = square.input({8});
  root = square.apply(OpKind::Sqrt, {z});
  square.sumExp(square.apply(OpKind::Mul, {root, root}));
  EXPECT_NE(check(square).problem, "");
}

TEST(Independence, ComparisonsAreNotTakenApart) {
  Program p;
  MuValue x = p.input({8}), y = p.input({8});
  MuValue c = p.apply(OpKind::Compare, {x, y});
  p.sumExp(p.apply(OpKind::Mul, {c, x}));
  EXPECT_NE(check(p).problem.find("comparison"), std::string::npos);
}

} // namespace
