//===- FiniteFieldTest.cpp - Fields, random numbers, models ---------------===//
//
// Field arithmetic against division of 128-bit integers, omega's order, the
// uniformity of what is drawn, and the laws that a model has.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/Fields/FieldModel.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mirage;
using namespace mirage::equivalence;

namespace {

const PrimeField kFields[] = {
    kFieldPairs[0].p, kFieldPairs[0].q, kFieldPairs[1].p, kFieldPairs[1].q,
    kFieldPairs[2].p, kFieldPairs[2].q, kFieldPairs[3].p, kFieldPairs[3].q};

/// Numbers at the edges of the field, and random ones.
std::vector<uint64_t> getNumbers(const PrimeField &field) {
  uint64_t m = field.getModulus();
  std::vector<uint64_t> numbers = {0,     1,     2,     3,         m - 1,
                                   m - 2, m / 2, m / 3, m / 2 + 1, 1u << 31};
  CounterRandom random(m);
  for (uint64_t i = 0; i < 2000; ++i)
    numbers.push_back(random.drawBelow(field.getModulus(), i, 0));
  return numbers;
}

TEST(PrimeField, AgreesWithExactIntegers) {
  for (const PrimeField &field : kFields) {
    uint64_t m = field.getModulus();
    std::vector<uint64_t> numbers = getNumbers(field);
    for (size_t i = 0; i < numbers.size(); ++i) {
      uint64_t a = numbers[i], b = numbers[(i * 7 + 3) % numbers.size()];
      EXPECT_EQ(field.add(a, b), uint64_t((UInt128(a) + b) % m));
      EXPECT_EQ(field.sub(a, b), uint64_t((UInt128(a) + m - b) % m));
      EXPECT_EQ(field.mul(a, b), uint64_t(UInt128(a) * b % m));
      EXPECT_EQ(field.add(a, field.negate(a)), 0u);
      if (a && i % 16 == 0)
        EXPECT_EQ(field.mul(a, field.invert(a)), 1u);
    }
  }
}

TEST(PrimeField, ReducesAnyNumber) {
  CounterRandom random(1);
  for (const PrimeField &field : kFields) {
    for (uint64_t i = 0; i < 5000; ++i) {
      auto words = random(i, 0);
      UInt128 x = UInt128(words[0]) << 64 | words[1];
      x >>= words[0] % 128;
      EXPECT_EQ(field.reduce(x), uint64_t(x % field.getModulus()));
    }
    EXPECT_EQ(field.reduce(~UInt128(0)),
              uint64_t(~UInt128(0) % field.getModulus()));
  }
}

TEST(PrimeField, TakesSignedNumbers) {
  const PrimeField &field = kFields[0];
  EXPECT_EQ(field.fromSigned(-1), field.getModulus() - 1);
  EXPECT_EQ(field.add(field.fromSigned(INT64_MIN), field.fromSigned(INT64_MAX)),
            field.getModulus() - 1);
}

TEST(CounterRandom, IsPhilox) {
  // Known answers of the reference implementation for zero and for all ones.
  auto zero = CounterRandom(0)(0, 0);
  EXPECT_EQ(uint32_t(zero[0]), 0x6627e8d5u);
  EXPECT_EQ(uint32_t(zero[0] >> 32), 0xe169c58du);
  EXPECT_EQ(uint32_t(zero[1]), 0xbc57ac4cu);
  EXPECT_EQ(uint32_t(zero[1] >> 32), 0x9b00dbd8u);
  auto ones = CounterRandom(~uint64_t(0))(~uint64_t(0), ~uint64_t(0));
  EXPECT_EQ(uint32_t(ones[0]), 0x408f276du);
  EXPECT_EQ(uint32_t(ones[0] >> 32), 0x41c83b0eu);
  EXPECT_EQ(uint32_t(ones[1]), 0xa20bc7c6u);
  EXPECT_EQ(uint32_t(ones[1] >> 32), 0x6d5451fdu);
}

/// Pearson's statistic of `counts` against equal frequencies, in standard
/// deviations from its mean.
double getDeviation(llvm::ArrayRef<unsigned> counts) {
  double total = 0, sum = 0;
  for (unsigned count : counts)
    total += count;
  double expected = total / counts.size();
  for (unsigned count : counts)
    sum += (count - expected) * (count - expected) / expected;
  double freedom = counts.size() - 1;
  return (sum - freedom) / std::sqrt(2 * freedom);
}

TEST(CounterRandom, IsUniform) {
  for (const PrimeField &field : kFields) {
    FieldModel model(17, 0);
    constexpr unsigned kBins = 256;
    std::vector<unsigned> high(kBins), low(kBins);
    CounterRandom random(99);
    for (uint64_t i = 0; i < 200000; ++i) {
      uint64_t x = random.drawBelow(field.getModulus(), i, 5);
      ASSERT_LT(x, field.getModulus());
      ++high[static_cast<size_t>(static_cast<double>(x) /
                                 static_cast<double>(field.getModulus()) *
                                 kBins)];
      ++low[x % kBins];
    }
    // Fixed seeds: these either hold or don't. Five deviations are rarer than
    // one in a million.
    EXPECT_LT(std::fabs(getDeviation(high)), 5);
    EXPECT_LT(std::fabs(getDeviation(low)), 5);
  }
}

TEST(FieldModel, OmegaHasOrderQ) {
  for (uint64_t test = 0; test < 16; ++test) {
    FieldModel model(3, test);
    const PrimeField &p = model.getField(kPlaneP);
    uint64_t q = model.getField(kPlaneQ).getModulus();
    // q is prime: any element but one whose q-th power is one has order q.
    EXPECT_NE(model.exp(1), 1u);
    EXPECT_EQ(p.pow(model.exp(1), q), 1u);
  }
}

TEST(FieldModel, OmegaIsUniform) {
  constexpr unsigned kBins = 64;
  std::vector<unsigned> counts(kBins);
  for (uint64_t seed = 0; seed < 6400; ++seed) {
    FieldModel model(seed, 0);
    ++counts[model.exp(1) % kBins];
  }
  EXPECT_LT(std::fabs(getDeviation(counts)), 5);
}

TEST(FieldModel, ExponentialIsAHomomorphism) {
  FieldModel model(5, 1);
  const PrimeField &p = model.getField(kPlaneP), &q = model.getField(kPlaneQ);
  EXPECT_EQ(model.exp(0), 1u);
  for (int64_t i = 0; i < 1000; ++i) {
    uint64_t x = model.getInput(kPlaneQ, 0, i),
             y = model.getInput(kPlaneQ, 1, i);
    EXPECT_EQ(model.exp(x), p.pow(model.exp(1), x));
    EXPECT_EQ(p.mul(model.exp(x), model.exp(y)), model.exp(q.add(x, y)));
  }
}

TEST(FieldModel, MaximumIsAGroup) {
  FieldModel model(5, 2);
  ExactConstant minus, plus;
  minus.infinity = -1;
  plus.infinity = 1;
  for (Plane plane : {kPlaneP, kPlaneQ})
    for (bool isMax : {false, true}) {
      uint64_t identity = model.getConstant(plane, isMax ? minus : plus);
      for (int64_t i = 0; i < 300; ++i) {
        uint64_t x = model.getInput(plane, 0, i),
                 y = model.getInput(plane, 1, i),
                 z = model.getInput(plane, 2, i);
        auto combine = [&](uint64_t a, uint64_t b) {
          return model.combine(plane, isMax, a, b);
        };
        EXPECT_EQ(combine(x, y), combine(y, x));
        EXPECT_EQ(combine(combine(x, y), z), combine(x, combine(y, z)));
        EXPECT_EQ(combine(x, identity), x);
        EXPECT_NE(combine(x, y), x);
      }
    }
}

TEST(FieldModel, ComparisonsExpressEachOther) {
  FieldModel model(8, 0);
  const PrimeField &p = model.getField(kPlaneP);
  for (int64_t i = 0; i < 100; ++i) {
    uint64_t x = model.getInput(kPlaneP, 0, i),
             y = model.getInput(kPlaneP, 1, i);
    auto compare = [&](CompareKind kind, uint64_t a, uint64_t b) {
      return model.compare(kPlaneP, kind, a, b);
    };
    EXPECT_EQ(compare(CompareKind::LT, x, y), compare(CompareKind::GT, y, x));
    EXPECT_EQ(compare(CompareKind::LE, x, y), compare(CompareKind::GE, y, x));
    EXPECT_EQ(
        p.add(compare(CompareKind::LT, x, y), compare(CompareKind::GE, x, y)),
        1u);
    EXPECT_EQ(compare(CompareKind::EQ, x, y), compare(CompareKind::EQ, y, x));
    EXPECT_EQ(compare(CompareKind::EQ, x, x), 1u);
    EXPECT_EQ(compare(CompareKind::LT, x, x), 0u);
  }
  // Numbers of rows and columns compare as they do, if they are known to be
  // such: what a residue is tells nothing.
  EXPECT_EQ(model.compare(kPlaneP, CompareKind::LT, p.fromSigned(-2), 7,
                          ComparedAs::Integers),
            1u);
  EXPECT_EQ(model.compare(kPlaneP, CompareKind::GE, 3, 7, ComparedAs::Integers),
            0u);
  EXPECT_GT(model.compare(kPlaneP, CompareKind::LT, 3, 7), 1u);
  EXPECT_GT(model.compare(kPlaneP, CompareKind::EQ, 3, 7), 1u);
}

TEST(FieldModel, WhatMayHaveNoValueKeepsTheLawsOfNaN) {
  FieldModel model(8, 0);
  const PrimeField &p = model.getField(kPlaneP);
  for (int64_t i = 0; i < 100; ++i) {
    uint64_t x = model.getInput(kPlaneP, 0, i),
             y = model.getInput(kPlaneP, 1, i);
    auto compare = [&](CompareKind kind, uint64_t a, uint64_t b) {
      return model.compare(kPlaneP, kind, a, b, ComparedAs::Undefined);
    };
    EXPECT_EQ(compare(CompareKind::LT, x, y), compare(CompareKind::GT, y, x));
    EXPECT_EQ(compare(CompareKind::LE, x, y), compare(CompareKind::GE, y, x));
    EXPECT_EQ(compare(CompareKind::EQ, x, y), compare(CompareKind::EQ, y, x));
    EXPECT_EQ(
        p.add(compare(CompareKind::EQ, x, y), compare(CompareKind::NE, x, y)),
        1u);
    // NaN is neither less nor at least, and not itself.
    EXPECT_NE(
        p.add(compare(CompareKind::LT, x, y), compare(CompareKind::GE, x, y)),
        1u);
    EXPECT_GT(compare(CompareKind::EQ, x, x), 1u);
    EXPECT_GT(compare(CompareKind::LT, x, x), 1u);
    // Nor is the question that of numbers.
    EXPECT_NE(compare(CompareKind::LT, x, y),
              model.compare(kPlaneP, CompareKind::LT, x, y));
    EXPECT_GT(model.isNonZero(kPlaneP, 0, ComparedAs::Undefined), 1u);
  }
  EXPECT_EQ(model.isNonZero(kPlaneP, 0), 0u);
}

TEST(FieldModel, NamedNumbersKeepTheirLaws) {
  FieldModel model(4, 3);
  for (Plane plane : {kPlaneP, kPlaneQ}) {
    const PrimeField &field = model.getField(plane);
    auto get = [&](double value, ElementType type) {
      return model.getConstant(plane, getExactConstant(value, type));
    };
    EXPECT_EQ(
        field.mul(get(M_LN2, ElementType::f64), get(M_LOG2E, ElementType::f64)),
        1u);
    EXPECT_EQ(field.mul(get(M_SQRT2, ElementType::f64),
                        get(M_SQRT2, ElementType::f64)),
              2u);
    // 1 / sqrt(128), in f32 and in f64.
    float rounded = static_cast<float>(M_SQRT2 / 16);
    EXPECT_EQ(get(rounded, ElementType::f32),
              get(M_SQRT2 / 16, ElementType::f64));
    EXPECT_EQ(field.mul(get(0.125, ElementType::f32), 8), 1u);
    EXPECT_EQ(get(-3, ElementType::f32), field.fromSigned(-3));
    EXPECT_NE(get(0.3, ElementType::f64),
              get(static_cast<float>(0.3), ElementType::f32));
    // The factor of a mean.
    EXPECT_EQ(field.mul(get(1.0 / 12, ElementType::f64), 12), 1u);
    EXPECT_EQ(field.mul(get(1.0F / 12, ElementType::f32), 12), 1u);
  }
}

TEST(FieldPermutation, Inverts) {
  for (const PrimeField &field : kFields) {
    FieldPermutation permutation(field, CounterRandom(3));
    for (uint64_t x : getNumbers(field)) {
      ASSERT_LT(permutation.apply(x), field.getModulus());
      EXPECT_EQ(permutation.invert(permutation.apply(x)), x);
    }
  }
}

} // namespace
