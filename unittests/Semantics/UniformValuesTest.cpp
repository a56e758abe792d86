//===- UniformValuesTest.cpp - Tensors all of whose elements are one ------===//

#include "Mirage/Semantics/UniformValues.h"
#include "gtest/gtest.h"
#include <limits>

using namespace mirage;

static constexpr double infinity = std::numeric_limits<double>::infinity();
static constexpr double lowest = std::numeric_limits<float>::lowest();

static UniformValue get(OpKind kind, llvm::ArrayRef<UniformValue> operands,
                        const OpAttributes &attributes = {},
                        ElementType type = ElementType::f32) {
  return getUniformResult(kind, attributes, operands, type);
}

TEST(UniformValues, MasksLeaveNothingOfASoftmax) {
  // exp((s + -inf) - max(-inf, lowest)) is zero, and so is its product.
  UniformValue scores = get(OpKind::Add, {std::nullopt, -infinity});
  EXPECT_EQ(scores, -infinity);
  OpAttributes maximum;
  maximum.reduceKind = ReduceKind::Max;
  UniformValue shift =
      get(OpKind::Max, {get(OpKind::Reduce, scores, maximum), lowest});
  EXPECT_EQ(shift, lowest);
  UniformValue weights = get(OpKind::Exp, get(OpKind::Sub, {scores, shift}));
  EXPECT_EQ(weights, 0.0);
  UniformValue product = get(OpKind::Matmul, {weights, std::nullopt});
  EXPECT_EQ(product, 0.0);
  EXPECT_TRUE(isNeutral(AccumulateKind::RescaledSum, product, shift));
  EXPECT_TRUE(isNeutral(AccumulateKind::Sum, product, std::nullopt));
  EXPECT_TRUE(isNeutral(AccumulateKind::Max, scores, std::nullopt));
  EXPECT_FALSE(isNeutral(AccumulateKind::Concat, product, std::nullopt));
}

TEST(UniformValues, AShiftThatIsInfiniteMakesNoNumber) {
  UniformValue weights =
      get(OpKind::Exp, get(OpKind::Sub, {-infinity, -infinity}));
  ASSERT_TRUE(weights);
  EXPECT_NE(*weights, *weights);
  EXPECT_FALSE(isNeutral(AccumulateKind::Sum, weights, std::nullopt));
}

TEST(UniformValues, AMaskThatIsFiniteHidesNothing) {
  EXPECT_FALSE(get(OpKind::Add, {std::nullopt, -10000.0}));
  EXPECT_FALSE(isNeutral(AccumulateKind::RescaledSum, 0.0, std::nullopt));
  EXPECT_FALSE(isNeutral(AccumulateKind::RescaledSum, 0.0, -10000.0));
  EXPECT_FALSE(isNeutral(AccumulateKind::Sum, 1.0, std::nullopt));
}

TEST(UniformValues, FollowFromOneOperandWhereItDecides) {
  EXPECT_EQ(get(OpKind::Mul, {0.0, std::nullopt}), 0.0);
  EXPECT_EQ(get(OpKind::Sub, {std::nullopt, infinity}), -infinity);
  EXPECT_EQ(get(OpKind::Min, {std::nullopt, -infinity}), -infinity);
  EXPECT_FALSE(get(OpKind::Max, {std::nullopt, -infinity}));
  EXPECT_EQ(get(OpKind::Select, {1.0, 3.0, std::nullopt}), 3.0);
  EXPECT_FALSE(get(OpKind::Select, {0.0, 3.0, std::nullopt}));
  // What is known is rounded to the type that it is stored in.
  EXPECT_EQ(get(OpKind::Cast, {lowest}, {}, ElementType::f16), -infinity);
}

TEST(UniformValues, PadsAndProductsOfSeveral) {
  OpAttributes zeros;
  EXPECT_EQ(get(OpKind::Pad, {0.0}, zeros), 0.0);
  EXPECT_FALSE(get(OpKind::Pad, {1.0}, zeros));
  EXPECT_EQ(get(OpKind::Concat, {2.0, 2.0}), 2.0);
  EXPECT_FALSE(get(OpKind::Concat, {2.0, 3.0}));
  EXPECT_EQ(get(OpKind::ConcatMatmul, {0.0, 0.0, std::nullopt, std::nullopt}),
            0.0);
  EXPECT_FALSE(
      get(OpKind::ConcatMatmul, {0.0, std::nullopt, std::nullopt, 2.0}));
  OpAttributes sum;
  EXPECT_FALSE(get(OpKind::Reduce, {2.0}, sum));
  EXPECT_EQ(get(OpKind::Reduce, {0.0}, sum), 0.0);
}
