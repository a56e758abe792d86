//===- ExactConstantTest.cpp - What number a constant stands for ----------===//
//
// Binary values are exact; roundings of named numbers are recognized.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Semantics/ExactConstant.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>

using namespace mirage;

namespace {

double getBinary(const ExactConstant &constant) {
  return std::ldexp(static_cast<double>(constant.significand),
                    constant.exponent);
}

TEST(ExactConstant, BinaryValuesAreExact) {
  for (double value :
       {0.0, 1.0, -1.0, 0.3, 1e-5, 3.0e38, 0x1p-149, 12345.678}) {
    ExactConstant constant = getExactConstant(value, ElementType::f64);
    EXPECT_EQ(getBinary(constant), value);
    EXPECT_FALSE(constant.isNamed());
    EXPECT_EQ(constant.divisor, 1);
  }
  EXPECT_TRUE(getExactConstant(-0.0, ElementType::f32).isZero());
}

TEST(ExactConstant, NamedNumbersOfAllTypes) {
  for (ElementType type :
       {ElementType::f64, ElementType::f32, ElementType::f16}) {
    ExactConstant log2e = getExactConstant(roundTo(type, M_LOG2E), type);
    EXPECT_EQ(log2e.ln2, -1);
    EXPECT_EQ(getBinary(log2e), 1);
    ExactConstant scale = getExactConstant(roundTo(type, M_SQRT1_2 / 8), type);
    EXPECT_EQ(scale.radicand, 4);
    EXPECT_EQ(getBinary(scale), 0x1p-4);
    // A score's factor and the base of the exponential in one.
    ExactConstant both =
        getExactConstant(roundTo(type, M_LOG2E * M_SQRT1_2 / 8), type);
    EXPECT_EQ(both.ln2, -1);
    EXPECT_EQ(both.radicand, 4);
    EXPECT_EQ(getBinary(both), 0x1p-4);
    ExactConstant gelu = getExactConstant(roundTo(type, 0.044715), type);
    EXPECT_EQ(getBinary(gelu), 44715);
    EXPECT_EQ(gelu.divisor, 1000000);
  }
}

TEST(ExactConstant, ReciprocalsOfIntegersAreNamed) {
  for (ElementType type : {ElementType::f64, ElementType::f32})
    for (int64_t n : {3, 12, 768, 5120, 1023, 14336})
      for (double sign : {1.0, -1.0}) {
        double value = roundTo(type, sign / static_cast<double>(n));
        ExactConstant exact = getExactConstant(value, type);
        // 2^k / n with an odd n.
        EXPECT_EQ(n % exact.divisor, 0) << n;
        EXPECT_EQ(exact.divisor % 2, 1) << n;
        EXPECT_EQ(getBinary(exact) * static_cast<double>(n),
                  sign * static_cast<double>(exact.divisor))
            << n;
        double next = type == ElementType::f64
                          ? std::nextafter(value, 2)
                          : std::nextafterf(static_cast<float>(value), 2);
        EXPECT_FALSE(getExactConstant(next, type).isNamed()) << n;
      }
  EXPECT_EQ(toString(getExactConstant(1.0 / 768, ElementType::f64)), "1/768");
  // Narrow types don't have the digits to tell, nor f32 those for longer ones.
  EXPECT_FALSE(
      getExactConstant(roundTo(ElementType::f16, 1.0 / 12), ElementType::f16)
          .isNamed());
  EXPECT_FALSE(
      getExactConstant(roundTo(ElementType::f32, 1.0 / 4097), ElementType::f32)
          .isNamed());
}

TEST(ExactConstant, RootsOfIntegersAreNamed) {
  for (ElementType type :
       {ElementType::f64, ElementType::f32, ElementType::f16})
    for (int64_t d : {48, 80, 96, 112, 160, 192, 224})
      for (double scale : {1.0, -1.0, M_LOG2E}) {
        double value = roundTo(type, scale / std::sqrt(static_cast<double>(d)));
        ExactConstant exact = getExactConstant(value, type);
        std::optional<int64_t> root = exact.getSquareRoot();
        ASSERT_TRUE(root) << d;
        EXPECT_EQ(exact.ln2, scale == M_LOG2E ? -1 : 0);
        // c sqrt(m) is 1 / sqrt(d) if c^2 m d is one, in integers.
        double squared = getBinary(exact) / static_cast<double>(exact.divisor);
        EXPECT_NEAR(squared * squared * static_cast<double>(*root * d), 1,
                    1e-15)
            << d;
      }
  for (ElementType type : {ElementType::f64, ElementType::f32}) {
    double fourth = roundTo(type, std::pow(80.0, -0.25));
    ExactConstant exact = getExactConstant(fourth, type);
    // (5^3)^(1/4) / 10
    EXPECT_EQ(exact.radicand, 125);
    EXPECT_NEAR(exact.toDouble(), fourth, fourth * 0x1p-23);
    EXPECT_EQ(getExactConstant(roundTo(type, std::sqrt(768.0)), type).radicand,
              9);
  }
  // Two units in the last place away is something else.
  double next = std::nextafter(1 / std::sqrt(80.0), 1);
  next = std::nextafter(std::nextafter(next, 1), 1);
  EXPECT_FALSE(getExactConstant(next, ElementType::f64).isNamed());
  EXPECT_EQ(toString(getExactConstant(1 / std::sqrt(80.0), ElementType::f64)),
            "1/20 sqrt(5)");
}

TEST(ExactConstant, NeighboursAreNotNamed) {
  double next = std::nextafter(M_LOG2E, 2);
  next = std::nextafter(next, 2);
  EXPECT_EQ(getExactConstant(std::nextafter(next, 2), ElementType::f64).ln2, 0);
  float f = std::nextafterf(static_cast<float>(M_LOG2E), 2);
  EXPECT_EQ(getExactConstant(f, ElementType::f32).ln2, 0);
}

TEST(ExactConstant, ShortAndCoarseOnesAreMeant) {
  // 1.4375 is the nearest number of four bits to log2(e).
  EXPECT_EQ(getExactConstant(1.4375, ElementType::f16).ln2, 0);
  EXPECT_EQ(getExactConstant(1.4453125, ElementType::bf16).ln2, 0);
}

TEST(ExactConstant, FewNumbersOfF16AreNamed) {
  unsigned named = 0;
  for (int i = 0; i < 1024; ++i)
    named += getExactConstant(1 + i * 0x1p-10, ElementType::f16).isNamed();
  // Seven numbers of the table, and the quotients of one and log2(e) by roots
  // of integers below 16: nine, and ten with log2(e) / 3.
  EXPECT_EQ(named, 7u + 9u + 10u);
  // 1.5 ln 2, which other types hold more digits of.
  double value = roundTo(ElementType::f16, 1.5 * M_LN2);
  EXPECT_FALSE(getExactConstant(value, ElementType::f16).isNamed());
  EXPECT_TRUE(
      getExactConstant(roundTo(ElementType::f32, 1.5 * M_LN2), ElementType::f32)
          .isNamed());
}

TEST(ExactConstant, Names) {
  auto name = [](double value) {
    return toString(getExactConstant(value, ElementType::f64));
  };
  EXPECT_EQ(name(0.5), "0.5");
  EXPECT_EQ(name(-M_LN2), "-ln(2)");
  EXPECT_EQ(name(M_LOG2E * M_SQRT1_2 / 8), "0.0625 log2(e) sqrt(2)");
  EXPECT_EQ(name(M_2_SQRTPI), "2 / sqrt(pi)");
  EXPECT_EQ(name(0.044715), "0.044715");
  EXPECT_EQ(name(HUGE_VAL), "inf");
}

TEST(ExactConstant, Infinities) {
  double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(getExactConstant(infinity, ElementType::f32).infinity, 1);
  EXPECT_EQ(getExactConstant(-infinity, ElementType::f16).infinity, -1);
}

} // namespace
