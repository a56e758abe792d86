//===- ValueFactsTest.cpp - What is known of all inputs -------------------===//
//
// Which values are small integers made of constants, which are positive and
// which may have no value, also behind launches and loops.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/ValueFacts.h"
#include "../../GraphBuilder.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mirage;
using namespace mirage::equivalence;

namespace {

ValueFacts find(const GraphBuilder &graph, MuValue value) {
  return findFacts(graph)[value];
}

TEST(ValueFacts, IntegersAreSumsAndProductsOfConstants) {
  GraphBuilder g;
  MuValue x = g.argument({4}), three = g.constant(3, 1),
          half = g.constant(0.5, 1), large = g.constant(0x1p61, 1);
  EXPECT_EQ(find(g, g.add(three, g.mul(three, three))).integerBound, 12);
  EXPECT_TRUE(find(g, g.sub(three, three)).isSmallInteger());
  EXPECT_EQ(find(g, g.pad(g.mul(three, three), {1}, {2}, -20)).integerBound,
            20);
  for (MuValue value : {x, half, large, g.add(three, half), g.mul(x, three),
                        g.div(three, three), g.exp(g.sub(three, three)),
                        g.op(OpKind::Max, {three, three}), g.constant(M_LN2, 1),
                        g.constant(HUGE_VAL, 1)})
    EXPECT_FALSE(find(g, value).isSmallInteger()) << value;
  // 2^20 is too large, though less than the primes.
  MuValue most = g.constant(0x1p19, 1);
  EXPECT_TRUE(find(g, most).isSmallInteger());
  EXPECT_FALSE(find(g, g.add(most, most)).isSmallInteger());
  // A comparison is a number where the field knows the answer.
  EXPECT_TRUE(find(g, g.op(OpKind::Compare, {three, three})).isSmallInteger());
  EXPECT_FALSE(find(g, g.op(OpKind::Compare, {x, three})).isSmallInteger());
}

TEST(ValueFacts, SumsOverLoopsAndBlocksCount) {
  GraphBuilder g;
  MuValue counts = g.op(OpKind::Constant, {}, [] {
    OpAttributes attributes;
    attributes.resultShape = {8, 4};
    attributes.values = std::make_shared<const std::vector<double>>(1, 5.0);
    return attributes;
  }());
  RegionBuilder block = g.body();
  MuValue all = block.argument({8, 4});
  RegionBuilder loop = block.body();
  MuValue tile = loop.load(all, {0}, {2}, {1}, {4});
  loop.results({loop.accumulate(AccumulateKind::Sum, tile, 4),
                loop.accumulate(AccumulateKind::Max, tile, 4)});
  auto results = block.loop(4, loop);
  MuValue sum = block.store(results[0], {kReduceSum}, {2}),
          largest = block.store(results[1], {0}, {2});
  block.results({sum, largest});
  auto launched = g.launch({counts}, {2}, block);
  g.results({launched[0], launched[1]});
  EXPECT_EQ(find(g, tile).integerBound, 5);
  EXPECT_EQ(find(g, launched[0]).integerBound, 5 * 4 * 2);
  EXPECT_FALSE(find(g, launched[1]).isSmallInteger());
  EXPECT_TRUE(find(g, launched[1]).isPositive());
}

TEST(ValueFacts, PolesAndSigns) {
  GraphBuilder g;
  MuValue x = g.argument({4, 4}), y = g.argument({4, 4}),
          eps = g.constant(0.5, 2);
  MuValue square = g.mul(x, x), sum = g.sum(square, 1),
          norm = g.sqrt(g.add(sum, eps));
  for (MuValue value : {g.exp(x), norm, g.add(g.exp(x), square)})
    EXPECT_TRUE(find(g, value).isPositive()) << value;
  for (MuValue value :
       {x, g.div(x, norm), g.div(x, g.exp(y)), g.op(OpKind::Log, {g.exp(x)}),
        g.sqrt(square), g.div(x, g.constant(-2, 2)),
        g.op(OpKind::Compare, {g.sqrt(x), y})})
    EXPECT_FALSE(find(g, value).mayBeUndefined) << value;
  for (MuValue value :
       {g.div(x, y), g.sqrt(x), g.op(OpKind::Log, {square}), g.div(eps, square),
        g.add(g.div(x, x), y), g.exp(g.sqrt(x)),
        g.op(OpKind::Select, {x, g.sqrt(x), y}), g.matmul(g.sqrt(x), y)})
    EXPECT_TRUE(find(g, value).mayBeUndefined) << value;

  MuValue infinity = g.constant(-HUGE_VAL, 2);
  MuValue masked = g.op(OpKind::Select, {y, x, infinity});
  EXPECT_TRUE(find(g, masked).mayBeInfinite);
  EXPECT_FALSE(find(g, masked).mayBeUndefined);
  EXPECT_FALSE(find(g, g.exp(masked)).isPositive()) << "zero where masked";
  EXPECT_FALSE(find(g, g.add(masked, x)).mayBeUndefined);
  EXPECT_FALSE(find(g, g.mul(masked, eps)).mayBeUndefined);
  EXPECT_TRUE(find(g, g.mul(masked, x)).mayBeUndefined);
  EXPECT_TRUE(find(g, g.sub(masked, masked)).mayBeUndefined);
}

TEST(ValueFacts, ExponentialsOfNegativeInfinitiesAreZero) {
  GraphBuilder g;
  MuValue x = g.argument({4, 4}), y = g.argument({4, 4}),
          lowest = g.constant(-3e38, 2), infinity = g.constant(HUGE_VAL, 2),
          masked = g.add(x, g.constant(-HUGE_VAL, 2)),
          largest = g.op(OpKind::Max, {g.max(masked, 1), lowest}),
          weights = g.exp(g.sub(masked, largest));
  EXPECT_TRUE(find(g, masked).mayBeInfinite);
  // Not so where a row has no number.
  EXPECT_TRUE(find(g, g.max(masked, 1)).mayBeInfinite);
  EXPECT_TRUE(find(g, g.sub(masked, g.max(masked, 1))).mayBeUndefined);
  for (MuValue value :
       {largest, g.exp(masked), weights, g.matmul(weights, y),
        g.div(g.matmul(weights, y), g.sum(weights, 1)),
        g.op(OpKind::Sigmoid, {masked}), g.op(OpKind::Tanh, {infinity})})
    EXPECT_FALSE(find(g, value).mayBeInfinite) << value;
  EXPECT_FALSE(find(g, g.matmul(weights, y)).mayBeUndefined);
  for (MuValue value :
       {infinity, g.exp(infinity), g.exp(g.sub(x, masked)),
        g.op(OpKind::Max, {x, infinity}), g.op(OpKind::Min, {x, masked}),
        g.op(OpKind::Max, {masked, masked}), g.exp(g.mul(masked, lowest)),
        g.exp(g.add(masked, infinity)), g.exp(g.div(masked, lowest))})
    EXPECT_TRUE(find(g, value).mayBeInfinite) << value;
}

} // namespace
