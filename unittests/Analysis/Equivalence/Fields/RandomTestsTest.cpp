//===- RandomTestsTest.cpp - Equivalence by random tests ------------------===//
//
// Pairs that are equal and pairs that are not, some by very little, and the
// bounds and answers that must come of them.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/Fields/RandomTests.h"
#include "../../../GraphBuilder.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mirage;
using namespace mirage::equivalence;

namespace {

constexpr ElementType f32 = ElementType::f32;
using Kind = RandomTestResult::Kind;

RandomTestResult compare(const MuGraph &lhs, const MuGraph &rhs,
                         unsigned threads = 2, uint64_t seed = 0) {
  WorkerPool pool(threads);
  Execution execution(pool);
  RandomTestOptions options;
  options.seed = seed;
  return runRandomTests(lhs, rhs, options, execution);
}

OpAttributes constantOf(double value, Shape shape) {
  OpAttributes attributes;
  attributes.resultShape = std::move(shape);
  attributes.values = std::make_shared<const std::vector<double>>(1, value);
  return attributes;
}

OpAttributes along(int64_t dim, ReduceKind kind = ReduceKind::Sum) {
  OpAttributes attributes;
  attributes.dim = dim;
  attributes.keep = true;
  attributes.reduceKind = kind;
  return attributes;
}

/// [rows, k] x [k, columns].
MuGraph makeProduct(int64_t rows, int64_t k, int64_t columns) {
  MuGraph graph;
  MuValue x = graph.addArgument(0, {rows, k}, f32);
  MuValue w = graph.addArgument(0, {k, columns}, f32);
  graph.setResults(0, {graph.addOperator(0, OpKind::Matmul, {}, {x, w}, f32)});
  return graph;
}

/// The same by blocks and a loop over k; `mapX` is x's fmap.
MuGraph makeTiledProduct(int64_t mapX = 1, int64_t mapW = 0) {
  MuGraph graph;
  MuValue x = graph.addArgument(0, {8, 12}, f32);
  MuValue w = graph.addArgument(0, {12, 6}, f32);
  unsigned body = graph.addRegion(), loop = graph.addRegion();
  MuValue xa = graph.addArgument(body, {8, 12}, f32);
  MuValue wa = graph.addArgument(body, {12, 6}, f32);
  MuValue xt = graph.addLoad(loop, xa, {0, kReplica}, {2, 3}, {mapX}, {4});
  MuValue wt = graph.addLoad(loop, wa, {kReplica, 1}, {2, 3}, {mapW}, {4});
  MuValue product = graph.addOperator(loop, OpKind::Matmul, {}, {xt, wt}, f32);
  MuValue sum = graph.addAccumulate(loop, AccumulateKind::Sum, product, 4);
  graph.setResults(loop, {sum});
  auto results = graph.addLoop(body, 4, loop);
  MuValue stored = graph.addStore(body, results[0], {0, 1}, {2, 3});
  graph.setResults(body, {stored});
  graph.setResults(0, graph.addGraph(0, {x, w}, {2, 3}, body));
  return graph;
}

TEST(RandomTests, AcceptsTiles) {
  RandomTestResult result = compare(makeProduct(8, 12, 6), makeTiledProduct());
  EXPECT_EQ(result.kind, Kind::Agree);
  EXPECT_LE(result.getLog2Error(), -40);
  EXPECT_EQ(result.error.source, TestError::Source::Polynomial);
  EXPECT_TRUE(result.unknownFunctions.empty());
}

TEST(RandomTests, Stop) {
  WorkerPool pool(2);
  MuGraph lhs = makeProduct(8, 12, 6), rhs = makeTiledProduct();
  // Wherever the tests are stopped, they don't answer by what is left over.
  for (unsigned most : {0, 1, 5, 10}) {
    std::atomic<unsigned> asked = 0;
    Execution soonOver(pool, [&] { return ++asked > most; });
    RandomTestResult result = runRandomTests(lhs, rhs, {}, soonOver);
    EXPECT_EQ(result.kind, Kind::Undecided);
    EXPECT_EQ(result.problem, "the tests were stopped");
    EXPECT_FALSE(result.location);
  }
  Execution neverOver(pool, [] { return false; });
  EXPECT_EQ(runRandomTests(lhs, rhs, {}, neverOver).kind, Kind::Agree);
}

TEST(RandomTests, SameAnswerWithAnyThreads) {
  MuGraph lhs = makeProduct(8, 12, 6), rhs;
  MuValue x = rhs.addArgument(0, {8, 12}, f32);
  MuValue w = rhs.addArgument(0, {12, 6}, f32);
  MuValue y = rhs.addOperator(0, OpKind::Matmul, {}, {x, w}, f32);
  rhs.setResults(0, {rhs.addOperator(0, OpKind::Add, {}, {y, y}, f32)});
  for (uint64_t seed : {0, 1, 2}) {
    RandomTestResult one = compare(lhs, rhs, 1, seed),
                     two = compare(lhs, rhs, 2, seed);
    ASSERT_EQ(one.kind, Kind::Differ);
    ASSERT_EQ(two.kind, Kind::Differ);
    EXPECT_EQ(one.difference->lhs, two.difference->lhs);
    EXPECT_EQ(one.difference->rhs, two.difference->rhs);
    EXPECT_EQ(one.difference->index, two.difference->index);
    EXPECT_EQ(one.difference->index, (Shape{0, 0}));
  }
}

/// softmax(x) y with or without the maximum, over rows of `keys`.
MuGraph makeAttention(bool shifted, int64_t keys = 6) {
  MuGraph graph;
  MuValue x = graph.addArgument(0, {3, keys}, f32);
  MuValue y = graph.addArgument(0, {keys, 2}, f32);
  MuValue s = x;
  if (shifted) {
    MuValue m = graph.addOperator(0, OpKind::Reduce, along(1, ReduceKind::Max),
                                  {x}, f32);
    s = graph.addOperator(0, OpKind::Sub, {}, {x, m}, f32);
  }
  MuValue e = graph.addOperator(0, OpKind::Exp, {}, {s}, f32);
  MuValue d = graph.addOperator(0, OpKind::Reduce, along(1), {e}, f32);
  MuValue n = graph.addOperator(0, OpKind::Matmul, {}, {e, y}, f32);
  graph.setResults(0, {graph.addOperator(0, OpKind::Div, {}, {n, d}, f32)});
  return graph;
}

TEST(RandomTests, ShiftCancels) {
  RandomTestResult result = compare(makeAttention(false), makeAttention(true));
  EXPECT_EQ(result.kind, Kind::Agree);
  EXPECT_LE(result.getLog2Error(), -40);
}

/// exp(x - m) sum, tile by tile, rescaled (or not).
MuGraph makeOnline(AccumulateKind kind, bool staleShift = false) {
  MuGraph graph;
  MuValue x = graph.addArgument(0, {3, 6}, f32);
  MuValue y = graph.addArgument(0, {6, 2}, f32);
  unsigned body = graph.addRegion(), loop = graph.addRegion();
  MuValue xa = graph.addArgument(body, {3, 6}, f32);
  MuValue ya = graph.addArgument(body, {6, 2}, f32);
  MuValue xt = graph.addLoad(loop, xa, {kReplica}, {1}, {1}, {3});
  MuValue yt = graph.addLoad(loop, ya, {kReplica}, {1}, {0}, {3});
  MuValue m = graph.addOperator(loop, OpKind::Reduce, along(1, ReduceKind::Max),
                                {xt}, f32);
  MuValue s = graph.addOperator(loop, OpKind::Sub, {}, {xt, m}, f32);
  MuValue e = graph.addOperator(loop, OpKind::Exp, {}, {s}, f32);
  MuValue d = graph.addOperator(loop, OpKind::Reduce, along(1), {e}, f32);
  MuValue n = graph.addOperator(loop, OpKind::Matmul, {}, {e, yt}, f32);
  MuValue shift = staleShift ? d : m;
  bool rescaled = kind == AccumulateKind::RescaledSum;
  auto accumulate = [&](MuValue value) {
    return graph.addAccumulate(loop, kind, value, 3,
                               rescaled ? std::optional(shift) : std::nullopt);
  };
  MuValue na = accumulate(n), da = accumulate(d);
  graph.setResults(loop, {na, da});
  auto results = graph.addLoop(body, 3, loop);
  MuValue o =
      graph.addOperator(body, OpKind::Div, {}, {results[0], results[1]}, f32);
  graph.setResults(body, {graph.addStore(body, o, {kReplica}, {1})});
  graph.setResults(0, graph.addGraph(0, {x, y}, {1}, body));
  return graph;
}

TEST(RandomTests, AcceptsOnlineSoftmax) {
  RandomTestResult result =
      compare(makeAttention(false), makeOnline(AccumulateKind::RescaledSum));
  EXPECT_EQ(result.kind, Kind::Agree);
}

TEST(RandomTests, RefusesMissingRescale) {
  EXPECT_EQ(compare(makeAttention(false), makeOnline(AccumulateKind::Sum)).kind,
            Kind::Differ);
}

TEST(RandomTests, NestedExponentialIsOutsideLax) {
  MuGraph graph;
  MuValue x = graph.addArgument(0, {3}, f32);
  MuValue e = graph.addOperator(0, OpKind::Exp, {}, {x}, f32, /*location=*/1);
  MuValue f = graph.addOperator(0, OpKind::Exp, {}, {e}, f32, /*location=*/2);
  graph.setResults(0, {f});
  RandomTestResult result = compare(graph, graph);
  EXPECT_EQ(result.kind, Kind::Undecided);
  EXPECT_EQ(result.location, 1u);
  EXPECT_NE(result.problem.find("outside Lax"), std::string::npos);
}

TEST(RandomTests, ZeroDenominatorIsNamed) {
  MuGraph graph;
  MuValue x = graph.addArgument(0, {3}, f32);
  MuValue zero = graph.addOperator(0, OpKind::Sub, {}, {x, x}, f32);
  graph.setResults(0, {graph.addOperator(0, OpKind::Div, {}, {x, zero}, f32,
                                         /*location=*/7)});
  RandomTestResult result = compare(graph, graph);
  EXPECT_EQ(result.kind, Kind::Undecided);
  EXPECT_EQ(result.location, 7u);
}

TEST(RandomTests, SeesOneElementInMillions) {
  // x + c where c is zero but for one element of 2^24.
  int64_t size = 1 << 24;
  MuGraph lhs, rhs;
  MuValue x = lhs.addArgument(0, {size}, f32);
  lhs.setResults(0, {lhs.addOperator(0, OpKind::Add, {}, {x, x}, f32)});
  auto values = std::make_shared<std::vector<double>>(size, 2.0);
  (*values)[size - 12345] += 0x1p-51;
  OpAttributes constant;
  constant.resultShape = {size};
  constant.values = values;
  MuValue y = rhs.addArgument(0, {size}, f32);
  MuValue c =
      rhs.addOperator(0, OpKind::Constant, constant, {}, ElementType::f64);
  rhs.setResults(0, {rhs.addOperator(0, OpKind::Mul, {}, {y, c}, f32)});
  RandomTestResult result = compare(lhs, rhs);
  ASSERT_EQ(result.kind, Kind::Differ);
  EXPECT_EQ(result.difference->index, Shape{size - 12345});
}

TEST(RandomTests, SeesOneUnitInTheLastPlace) {
  auto make = [](double factor) {
    MuGraph graph;
    MuValue x = graph.addArgument(0, {4, 4}, f32);
    MuValue c = graph.addOperator(
        0, OpKind::Constant, constantOf(factor, {1, 1}), {}, ElementType::f64);
    graph.setResults(0, {graph.addOperator(0, OpKind::Mul, {}, {x, c}, f32)});
    return graph;
  };
  EXPECT_EQ(compare(make(0.1), make(0.1)).kind, Kind::Agree);
  EXPECT_EQ(compare(make(0.1), make(std::nextafter(0.1, 1))).kind,
            Kind::Differ);
}

TEST(RandomTests, AdjacentIsNotStrided) {
  // Sums of pairs of neighbours, and of elements half the size apart.
  MuGraph lhs, rhs;
  MuValue x = lhs.addArgument(0, {4, 8}, f32);
  OpAttributes group;
  group.dim = 1;
  group.group = 2;
  lhs.setResults(0, {lhs.addOperator(0, OpKind::Reduce, group, {x}, f32)});
  MuValue y = rhs.addArgument(0, {4, 8}, f32);
  OpAttributes reshape, sum;
  reshape.resultShape = {4, 2, 4};
  sum.dim = 1;
  MuValue r = rhs.addOperator(0, OpKind::Reshape, reshape, {y}, f32);
  rhs.setResults(0, {rhs.addOperator(0, OpKind::Reduce, sum, {r}, f32)});
  EXPECT_EQ(compare(lhs, rhs).kind, Kind::Differ);
}

TEST(RandomTests, MaximumCountsEveryElement) {
  // The maximum of all but one of 4096 elements differs for one input in 4096.
  MuGraph lhs, rhs;
  OpAttributes slice;
  slice.offsets = {0, 0};
  slice.sizes = {1, 4095};
  slice.strides = {1, 1};
  MuValue x = lhs.addArgument(0, {1, 4096}, f32);
  lhs.setResults(0, {lhs.addOperator(0, OpKind::Reduce,
                                     along(1, ReduceKind::Max), {x}, f32)});
  MuValue y = rhs.addArgument(0, {1, 4096}, f32);
  MuValue s = rhs.addOperator(0, OpKind::Slice, slice, {y}, f32);
  rhs.setResults(0, {rhs.addOperator(0, OpKind::Reduce,
                                     along(1, ReduceKind::Max), {s}, f32)});
  RandomTestResult result = compare(lhs, rhs);
  EXPECT_EQ(result.kind, Kind::Differ);
  EXPECT_EQ(result.unknownFunctions, std::vector<std::string>{"max"});
}

TEST(RandomTests, SigmoidIsItsExponentials) {
  MuGraph lhs, rhs;
  MuValue x = lhs.addArgument(0, {5}, f32);
  lhs.setResults(0, {lhs.addOperator(0, OpKind::Silu, {}, {x}, f32)});
  MuValue y = rhs.addArgument(0, {5}, f32);
  MuValue one =
      rhs.addOperator(0, OpKind::Constant, constantOf(1, {1}), {}, f32);
  MuValue e = rhs.addOperator(0, OpKind::Exp, {}, {y}, f32);
  MuValue d = rhs.addOperator(0, OpKind::Add, {}, {e, one}, f32);
  MuValue n = rhs.addOperator(0, OpKind::Mul, {}, {y, e}, f32);
  rhs.setResults(0, {rhs.addOperator(0, OpKind::Div, {}, {n, d}, f32)});
  EXPECT_EQ(compare(lhs, rhs).kind, Kind::Agree);
}

TEST(RandomTests, FewExponentialsNeedNoAssumption) {
  RandomTestResult few =
      compare(makeAttention(false, 2), makeAttention(false, 2));
  EXPECT_EQ(few.error.source, TestError::Source::FewExponentials);
  RandomTestResult many =
      compare(makeAttention(false, 64), makeAttention(false, 64));
  EXPECT_EQ(many.error.source, TestError::Source::IndependentExponentials);
  EXPECT_LE(few.getLog2Error(), -40);
  EXPECT_LE(many.getLog2Error(), -40);
}

/// sum over x of f(exp(x) + 1).
MuGraph makeSum(int64_t size, bool rooted) {
  MuGraph graph;
  MuValue x = graph.addArgument(0, {size}, f32);
  MuValue one =
      graph.addOperator(0, OpKind::Constant, constantOf(1, {1}), {}, f32);
  MuValue e = graph.addOperator(0, OpKind::Exp, {}, {x}, f32);
  MuValue y = graph.addOperator(0, OpKind::Add, {}, {e, one}, f32);
  MuValue sum = graph.addOperator(0, OpKind::Reduce, along(0), {y}, f32);
  if (rooted)
    sum = graph.addOperator(0, OpKind::Sqrt, {}, {sum}, f32);
  graph.setResults(0, {sum});
  return graph;
}

TEST(RandomTests, TermsOfSumsAreCounted) {
  // A sum of an exponential and one is a sum with exponentials, and so is what
  // a root is taken of: roots of different sums may be equal.
  for (bool rooted : {false, true}) {
    MuGraph few = makeSum(2, rooted), many = makeSum(64, rooted);
    EXPECT_EQ(compare(few, few).error.source,
              TestError::Source::FewExponentials);
    EXPECT_EQ(compare(many, many).error.source,
              TestError::Source::IndependentExponentials);
  }
}

TEST(RandomTests, AcceptanceTakesTwoPairsOfPrimes) {
  // p x = 0 modulo p, and modulo no other prime.
  GraphBuilder f, g;
  MuValue x = f.argument({4}), y = g.argument({4});
  f.results({f.sub(x, x)});
  double a = 0x1p61;
  g.results({g.sub(g.scale(y, a), g.scale(y, 3153))});
  WorkerPool pool(1);
  Execution execution(pool);
  RandomTestOptions options;
  RandomTestResult result = runRandomTests(f, g, options, execution);
  EXPECT_EQ(result.kind, Kind::Differ);
  EXPECT_EQ(result.tests, 2u);
  // What only sorts out may be content with one.
  options.minTests = 1;
  EXPECT_EQ(runRandomTests(f, g, options, execution).kind, Kind::Agree);
}

TEST(RandomTests, OptionsWithoutTestsAcceptNothing) {
  GraphBuilder f;
  f.results({f.argument({4})});
  WorkerPool pool(1);
  Execution execution(pool);
  auto run = [&](double errorBits, unsigned minTests, unsigned maxTests) {
    RandomTestOptions options;
    options.errorBits = errorBits;
    options.minTests = minTests;
    options.maxTests = maxTests;
    RandomTestResult result = runRandomTests(f, f, options, execution);
    EXPECT_EQ(result.problem.empty(), result.kind == Kind::Agree);
    return result.kind;
  };
  EXPECT_EQ(run(40, 2, 64), Kind::Agree);
  for (double bits : {std::nan(""), 0.0, -1.0, HUGE_VAL})
    EXPECT_EQ(run(bits, 2, 64), Kind::Undecided) << bits;
  EXPECT_EQ(run(40, 2, 1), Kind::Undecided);
  EXPECT_EQ(run(40, 0, 64), Kind::Undecided);
  EXPECT_EQ(run(40, 0, 0), Kind::Undecided);
}

} // namespace
