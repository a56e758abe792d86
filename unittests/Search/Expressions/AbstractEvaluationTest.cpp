//===- AbstractEvaluationTest.cpp - Expressions of real programs ----------===//
//
// Compares programs as users write them with faster ones that a search should
// find: every value on the way to the faster one is kept, its results are equal
// to the goals, and prefixes that lead nowhere are pruned.
//
//===----------------------------------------------------------------------===//

#include "GraphExpressions.h"
#include "Mirage/Search/Expressions/NormalForm.h"
#include "llvm/ADT/Twine.h"
#include "gtest/gtest.h"

using namespace mirage;
using namespace mirage::search;

namespace {

constexpr ElementType f16 = ElementType::f16;

/// Builds a region of a graph.
struct Region {
  MuGraph &graph;
  unsigned region = 0;

  MuValue op(OpKind kind, llvm::ArrayRef<MuValue> operands,
             const OpAttributes &attributes = {}) {
    return graph.addOperator(region, kind, attributes, operands, f16);
  }
  MuValue reduce(ReduceKind kind, int64_t dim, MuValue x) {
    OpAttributes attributes;
    attributes.reduceKind = kind;
    attributes.dim = dim;
    attributes.keep = true;
    return op(OpKind::Reduce, {x}, attributes);
  }
  MuValue scale(MuValue x, double factor) {
    OpAttributes attributes;
    attributes.scalar = factor;
    return op(OpKind::Scale, {x}, attributes);
  }
  MuValue constant(double value, size_t rank) {
    OpAttributes attributes;
    attributes.resultShape.assign(rank, 1);
    attributes.values = std::make_shared<const std::vector<double>>(1, value);
    return op(OpKind::Constant, {}, attributes);
  }
  MuValue matmulTransposed(MuValue a, MuValue b) {
    OpAttributes attributes;
    attributes.transposeRhs = true;
    return op(OpKind::Matmul, {a, b}, attributes);
  }
};

class Programs : public testing::Test {
protected:
  ExpressionContext c;
  AbstractEvaluator evaluator{c};
  NormalForms forms;
  llvm::SmallVector<const Expression *, 2> goals;

  bool contains(const Expression *part) {
    for (const Expression *goal : goals)
      if (forms.contains(goal, part) == Containment::Contained)
        return true;
    return false;
  }

  /// Expects that the candidate computes the goal, and nothing that is not part
  /// of it.
  void expectFound(const MuGraph &goal, const MuGraph &candidate) {
    goals = getResultExpressions(goal, evaluator);
    auto values = computeExpressions(candidate, evaluator);
    for (const AbstractValue &value : values) {
      ASSERT_TRUE(value.expression);
      EXPECT_TRUE(contains(value.expression))
          << c.toString(value.expression) << "\n  in " << c.toString(goals[0]);
    }
    for (auto [result, wanted] :
         llvm::zip_equal(candidate.getRegion().results, goals))
      EXPECT_TRUE(forms.areEqual(values[result].expression, wanted))
          << c.toString(values[result].expression) << "\n  is not "
          << c.toString(wanted);
  }
};

TEST_F(Programs, OperatorsOfThePaper) {
  MuGraph graph;
  Region r{graph};
  MuValue x = graph.addArgument(0, {16, 64}, f16);
  MuValue w = graph.addArgument(0, {64, 32}, f16);
  MuValue product = r.op(OpKind::Matmul, {x, w});
  MuValue total = r.reduce(ReduceKind::Sum, 1, product);
  MuValue values[] = {
      product,
      total,
      r.op(OpKind::Exp, {x}),
      r.op(OpKind::Silu, {x}),
      r.op(OpKind::Square, {x}),
      r.op(OpKind::Rsqrt, {x}),
      r.op(OpKind::Sub, {x, x}),
      r.scale(x, -0.125),
      r.op(OpKind::Div, {x, r.constant(8.0, 2)}),
      r.scale(r.scale(x, 0.5), 2.0),
      r.reduce(ReduceKind::Mean, 1, product),
      r.op(OpKind::Softmax, {product},
           [] {
             OpAttributes attributes;
             attributes.dim = 1;
             return attributes;
           }()),
  };
  const char *expected[] = {
      "sum(64, mul(X, W))",
      "sum(32, sum(64, mul(X, W)))",
      "exp(X)",
      "silu(X)",
      "mul(X, X)",
      "inv(sqrt(X))",
      "add(X, X)",
      "mul(X, 0.125)",
      "mul(X, 0.125)",
      "X",
      "mul(sum(32, sum(64, mul(X, W))), 0.0312)",
      "div(exp(sum(64, mul(X, W))), sum(32, exp(sum(64, mul(X, W)))))",
  };
  auto expressions = computeExpressions(graph, evaluator, {"X", "W"});
  for (auto [value, text] : llvm::zip_equal(values, expected))
    EXPECT_EQ(c.toString(expressions[value].expression), text);
}

TEST_F(Programs, BaseTwo) {
  // Some programs compute exp(x) as exp2(x log2(e)).
  AbstractValue x = evaluator.variable("X");
  OpAttributes factor;
  factor.scalar = 1.442695;
  llvm::ArrayRef<SymbolicExtent> none;
  AbstractValue scaled = evaluator.apply(OpKind::Scale, factor, x, none);
  EXPECT_EQ(
      c.toString(evaluator.apply(OpKind::Exp2, {}, scaled, none).expression),
      "exp(X)");
}

/// The program rms_norm(X) W.
MuGraph makeNormProduct(int64_t m, int64_t k, int64_t n) {
  MuGraph graph;
  Region r{graph};
  MuValue x = graph.addArgument(0, {m, k}, f16);
  MuValue w = graph.addArgument(0, {k, n}, f16);
  OpAttributes norm;
  norm.scalar = 1e-5;
  MuValue normal = r.op(OpKind::RmsNorm, {x}, norm);
  graph.setResults(0, {r.op(OpKind::Matmul, {normal, w})});
  return graph;
}

TEST_F(Programs, NormDividesAfterTheProduct) {
  constexpr int64_t m = 16, k = 4096, n = 1024, grid = 64, loop = 32;
  MuGraph graph;
  MuValue x = graph.addArgument(0, {m, k}, f16);
  MuValue w = graph.addArgument(0, {k, n}, f16);
  Region body{graph, graph.addRegion()}, inner{graph, graph.addRegion()};
  MuValue xs = graph.addArgument(body.region, {m, k}, f16);
  MuValue ws = graph.addArgument(body.region, {k, n}, f16);
  MuValue xt = graph.addLoad(inner.region, xs, {kReplica}, {grid}, {1}, {loop});
  MuValue wt = graph.addLoad(inner.region, ws, {1}, {grid}, {0}, {loop});
  MuValue product = inner.op(OpKind::Matmul, {xt, wt});
  MuValue squares =
      inner.reduce(ReduceKind::Sum, 1, inner.op(OpKind::Square, {xt}));
  graph.setResults(
      inner.region,
      {graph.addAccumulate(inner.region, AccumulateKind::Sum, product, loop),
       graph.addAccumulate(inner.region, AccumulateKind::Sum, squares, loop)});
  auto sums = graph.addLoop(body.region, loop, inner.region);
  MuValue mean = body.scale(sums[1], 1.0 / k);
  MuValue root = body.op(
      OpKind::Sqrt, {body.op(OpKind::Add, {mean, body.constant(1e-5, 2)})});
  MuValue quotient = body.op(OpKind::Div, {sums[0], root});
  graph.setResults(body.region,
                   {graph.addStore(body.region, quotient, {1}, {grid})});
  graph.setResults(0, graph.addGraph(0, {x, w}, {grid}, body.region));
  expectFound(makeNormProduct(m, k, n), graph);

  const Expression *a = c.symbol("in0"), *b = c.symbol("in1");
  EXPECT_TRUE(contains(c.sum(k, c.mul(a, b))));
  EXPECT_TRUE(contains(c.sum(64, c.mul(a, a))));
  EXPECT_FALSE(contains(c.sum(2 * k, c.mul(a, b))));
  EXPECT_FALSE(contains(c.sum(3, c.mul(a, b))));
  EXPECT_FALSE(contains(c.mul(b, b)));
  EXPECT_FALSE(contains(c.exp(a)));
  EXPECT_FALSE(contains(c.div(b, c.sqrt(c.mul(a, b)))));
}

TEST_F(Programs, GatedMlp) {
  constexpr int64_t m = 8, k = 512, n = 256;
  auto make = [](bool joined) {
    MuGraph graph;
    Region r{graph};
    MuValue x = graph.addArgument(0, {m, k}, f16);
    MuValue gate = graph.addArgument(0, {k, n}, f16);
    MuValue up = graph.addArgument(0, {k, n}, f16);
    MuValue left, right;
    if (!joined) {
      left = r.op(OpKind::Matmul, {x, gate});
      right = r.op(OpKind::Matmul, {x, up});
    } else {
      // Both products are in one loop of one kernel.
      constexpr int64_t grid = 4, loop = 8;
      Region body{graph, graph.addRegion()}, inner{graph, graph.addRegion()};
      MuValue xs = graph.addArgument(body.region, {m, k}, f16);
      MuValue gates = graph.addArgument(body.region, {k, n}, f16);
      MuValue ups = graph.addArgument(body.region, {k, n}, f16);
      MuValue xt =
          graph.addLoad(inner.region, xs, {kReplica}, {grid}, {1}, {loop});
      llvm::SmallVector<MuValue, 2> sums;
      for (MuValue weights : {gates, ups}) {
        MuValue tile =
            graph.addLoad(inner.region, weights, {1}, {grid}, {0}, {loop});
        MuValue product = inner.op(OpKind::Matmul, {xt, tile});
        sums.push_back(graph.addAccumulate(inner.region, AccumulateKind::Sum,
                                           product, loop));
      }
      graph.setResults(inner.region, sums);
      auto products = graph.addLoop(body.region, loop, inner.region);
      MuValue gated = body.op(
          OpKind::Mul, {body.op(OpKind::Silu, {products[0]}), products[1]});
      graph.setResults(body.region,
                       {graph.addStore(body.region, gated, {1}, {grid})});
      graph.setResults(0,
                       graph.addGraph(0, {x, gate, up}, {grid}, body.region));
      return graph;
    }
    graph.setResults(0,
                     {r.op(OpKind::Mul, {r.op(OpKind::Silu, {left}), right})});
    return graph;
  };
  expectFound(make(false), make(true));
  const Expression *x = c.symbol("in0"), *gate = c.symbol("in1"),
                   *up = c.symbol("in2");
  const Expression *product = c.sum(k, c.mul(x, gate));
  EXPECT_TRUE(contains(c.mul(c.function("silu", {product}), x)));
  EXPECT_FALSE(contains(c.function("silu", {c.sum(k, c.mul(x, up))})));
  EXPECT_FALSE(contains(c.function("silu", {c.sum(64, c.mul(x, gate))})));
  EXPECT_FALSE(contains(c.mul(product, up)));
}

TEST_F(Programs, LowRankAdaptation) {
  // X W + (X A) B is one product of (X, X A) with (W over B).
  constexpr int64_t m = 16, k = 1024, n = 1024, rank = 16;
  MuGraph goal, candidate;
  for (MuGraph *graph : {&goal, &candidate}) {
    Region r{*graph};
    MuValue x = graph->addArgument(0, {m, k}, f16);
    MuValue w = graph->addArgument(0, {k, n}, f16);
    MuValue a = graph->addArgument(0, {k, rank}, f16);
    MuValue b = graph->addArgument(0, {rank, n}, f16);
    MuValue low = r.op(OpKind::Matmul, {x, a});
    if (graph == &goal)
      graph->setResults(0,
                        {r.op(OpKind::Add, {r.op(OpKind::Matmul, {x, w}),
                                            r.op(OpKind::Matmul, {low, b})})});
    else
      graph->setResults(0, {r.op(OpKind::ConcatMatmul, {x, low, w, b})});
  }
  expectFound(goal, candidate);
  const Expression *x = c.symbol("in0"), *w = c.symbol("in1"),
                   *a = c.symbol("in2"), *b = c.symbol("in3");
  // The candidate computes A B first, and then X (W + A B).
  EXPECT_TRUE(contains(c.add(w, c.sum(rank, c.mul(a, b)))));
  EXPECT_FALSE(contains(c.mul(w, a)));
  EXPECT_FALSE(contains(c.add(w, c.sum(2 * rank, c.mul(a, b)))));
  EXPECT_FALSE(contains(c.mul(x, x)));
}

constexpr int64_t kQueries = 64, kKeys = 1024, kHead = 128;

MuGraph makeAttention() {
  MuGraph graph;
  Region r{graph};
  MuValue q = graph.addArgument(0, {kQueries, kHead}, f16);
  MuValue k = graph.addArgument(0, {kKeys, kHead}, f16);
  MuValue v = graph.addArgument(0, {kKeys, kHead}, f16);
  OpAttributes attention;
  attention.scalar = 0.08838834764;
  graph.setResults(0, {r.op(OpKind::Attention, {q, k, v}, attention)});
  return graph;
}

TEST_F(Programs, AttentionWithRescaledSums) {
  constexpr int64_t grid = 4, loop = 16;
  MuGraph graph;
  MuValue q = graph.addArgument(0, {kQueries, kHead}, f16);
  MuValue k = graph.addArgument(0, {kKeys, kHead}, f16);
  MuValue v = graph.addArgument(0, {kKeys, kHead}, f16);
  Region body{graph, graph.addRegion()}, inner{graph, graph.addRegion()};
  MuValue qs = graph.addArgument(body.region, {kQueries, kHead}, f16);
  MuValue ks = graph.addArgument(body.region, {kKeys, kHead}, f16);
  MuValue vs = graph.addArgument(body.region, {kKeys, kHead}, f16);
  MuValue qt = graph.addLoad(inner.region, qs, {0}, {grid}, {kReplica}, {loop});
  MuValue kt = graph.addLoad(inner.region, ks, {kReplica}, {grid}, {0}, {loop});
  MuValue vt = graph.addLoad(inner.region, vs, {kReplica}, {grid}, {0}, {loop});
  MuValue scores = inner.scale(inner.matmulTransposed(qt, kt), 0.08838834764);
  MuValue shift = inner.reduce(ReduceKind::Max, 1, scores);
  MuValue weights =
      inner.op(OpKind::Exp, {inner.op(OpKind::Sub, {scores, shift})});
  MuValue total = inner.reduce(ReduceKind::Sum, 1, weights);
  MuValue numerator = inner.op(OpKind::Matmul, {weights, vt});
  graph.setResults(
      inner.region,
      {graph.addAccumulate(inner.region, AccumulateKind::RescaledSum, numerator,
                           loop, shift),
       graph.addAccumulate(inner.region, AccumulateKind::RescaledSum, total,
                           loop, shift)});
  auto sums = graph.addLoop(body.region, loop, inner.region);
  MuValue quotient = body.op(OpKind::Div, {sums[0], sums[1]});
  graph.setResults(body.region,
                   {graph.addStore(body.region, quotient, {0}, {grid})});
  graph.setResults(0, graph.addGraph(0, {q, k, v}, {grid}, body.region));
  expectFound(makeAttention(), graph);
}

TEST_F(Programs, AttentionOverSplitKeys) {
  // Each split has its own maximum; the second part rescales to the largest.
  constexpr int64_t splits = 8, keys = kKeys / splits;
  MuGraph graph;
  Region r{graph};
  MuValue q = graph.addArgument(0, {kQueries, kHead}, f16);
  MuValue k = graph.addArgument(0, {kKeys, kHead}, f16);
  MuValue v = graph.addArgument(0, {kKeys, kHead}, f16);
  auto reshape = [&](MuValue x, Shape to) {
    OpAttributes attributes;
    attributes.resultShape = std::move(to);
    return r.op(OpKind::Reshape, {x}, attributes);
  };
  OpAttributes repeat;
  repeat.repeats = {splits, 1, 1};
  MuValue qs = r.op(OpKind::Repeat, {reshape(q, {1, kQueries, kHead})}, repeat);
  MuValue ks = reshape(k, {splits, keys, kHead});
  MuValue vs = reshape(v, {splits, keys, kHead});
  MuValue scores = r.matmulTransposed(r.scale(qs, 0.08838834764), ks);
  MuValue shift = r.reduce(ReduceKind::Max, 2, scores);
  MuValue weights = r.op(OpKind::Exp, {r.op(OpKind::Sub, {scores, shift})});
  MuValue total = r.reduce(ReduceKind::Sum, 2, weights);
  MuValue numerator = r.op(OpKind::Matmul, {weights, vs});
  MuValue largest = r.reduce(ReduceKind::Max, 0, shift);
  MuValue rescaling = r.op(OpKind::Exp, {r.op(OpKind::Sub, {shift, largest})});
  MuValue totals =
      r.reduce(ReduceKind::Sum, 0, r.op(OpKind::Mul, {total, rescaling}));
  MuValue numerators =
      r.reduce(ReduceKind::Sum, 0, r.op(OpKind::Mul, {rescaling, numerator}));
  graph.setResults(
      0, {reshape(r.op(OpKind::Div, {numerators, totals}), {kQueries, kHead})});
  expectFound(makeAttention(), graph);

  const Expression *a = c.symbol("in0"), *b = c.symbol("in1"),
                   *d = c.symbol("in2"), *factor = c.symbol("0.0884");
  const Expression *scored = c.sum(kHead, c.mul(c.mul(a, b), factor));
  EXPECT_TRUE(contains(c.sum(kHead, c.mul(a, b))));
  EXPECT_TRUE(contains(c.sum(keys, c.mul(c.exp(scored), d))));
  // These prefixes are wrong.
  EXPECT_FALSE(contains(c.sum(kHead, c.mul(a, d))));
  EXPECT_FALSE(contains(c.sum(kKeys, c.mul(b, d))));
  EXPECT_FALSE(contains(c.exp(a)));
  EXPECT_FALSE(contains(c.exp(d)));
  EXPECT_FALSE(contains(c.exp(c.sum(kHead, c.mul(a, b)))));
  EXPECT_FALSE(contains(c.exp(c.exp(scored))));
  EXPECT_FALSE(contains(c.sum(2 * kKeys, c.exp(scored))));
  EXPECT_FALSE(contains(c.sum(2 * kHead, c.mul(a, b))));
  EXPECT_FALSE(contains(c.div(c.exp(scored), c.sum(keys, c.exp(scored)))));
}

TEST_F(Programs, SumOverTheGrid) {
  // The product's contracted dimension is split over the blocks.
  constexpr int64_t m = 16, k = 256, n = 32, grid = 8;
  MuGraph goal, graph;
  MuValue x = goal.addArgument(0, {m, k}, f16);
  MuValue w = goal.addArgument(0, {k, n}, f16);
  goal.setResults(0, {Region{goal}.op(OpKind::Matmul, {x, w})});
  graph.addArgument(0, {m, k}, f16);
  graph.addArgument(0, {k, n}, f16);
  Region body{graph, graph.addRegion()};
  MuValue xs = graph.addArgument(body.region, {m, k}, f16);
  MuValue ws = graph.addArgument(body.region, {k, n}, f16);
  MuValue xt = graph.addLoad(body.region, xs, {1}, {grid});
  MuValue wt = graph.addLoad(body.region, ws, {0}, {grid});
  MuValue product = body.op(OpKind::Matmul, {xt, wt});
  graph.setResults(body.region, {graph.addStore(body.region, product,
                                                {kReduceSum}, {grid})});
  graph.setResults(0, graph.addGraph(0, {x, w}, {grid}, body.region));
  expectFound(goal, graph);
}

TEST_F(Programs, EveryOperatorHasAnExpression) {
  // The operands of an expression are inside of it.
  for (unsigned number = 0; number < getNumOpKinds(); ++number) {
    OpKind kind = static_cast<OpKind>(number);
    if (!isElementwise(kind))
      continue;
    llvm::SmallVector<AbstractValue, 3> operands;
    for (unsigned i = 0; i < getOpInfo(kind).minOperands; ++i)
      operands.push_back(evaluator.variable("X" + std::to_string(i)));
    OpAttributes attributes;
    attributes.scalar = 1.5;
    const Expression *whole =
        evaluator
            .apply(kind, attributes, operands, llvm::ArrayRef<SymbolicExtent>())
            .expression;
    for (const AbstractValue &operand : operands)
      EXPECT_EQ(forms.contains(whole, operand.expression),
                Containment::Contained)
          << getOpInfo(kind).mnemonic.str();
  }
}

} // namespace
