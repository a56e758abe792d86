//===- PiecewiseTest.cpp - Functions that have cases ----------------------===//
//
// Random functions of maxima and choices, as normal forms and as numbers: forms
// that are equal have equal values, at ties as well, and laws are known.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/Algebra/Algebra.h"
#include "gtest/gtest.h"
#include <cmath>
#include <functional>
#include <random>

using namespace mirage;
using namespace mirage::equivalence;

namespace {

/// A function of three numbers, as a form and as what computes it.
struct Function {
  Polynomial form;
  std::function<double(const double *)> evaluate;
};

class PiecewiseTest : public ::testing::Test {
protected:
  static Algebra::Limits getLimits() {
    Algebra::Limits limits;
    limits.piecewise = true;
    limits.steps = 1'000'000'000;
    return limits;
  }

  Function variable(unsigned number) {
    return {a.read(TensorNumber::getInput(number), {}),
            [=](const double *at) { return at[number]; }};
  }
  Function number(int64_t n) {
    return {a.constant(Rational(n)),
            [=](const double *) { return static_cast<double>(n); }};
  }
  Function add(const Function &x, const Function &y, int64_t factor = 1) {
    return {a.add(x.form, a.scale(y.form, factor)), [=](const double *at) {
              return x.evaluate(at) +
                     static_cast<double>(factor) * y.evaluate(at);
            }};
  }
  Function multiply(const Function &x, const Function &y) {
    return {a.multiply(x.form, y.form),
            [=](const double *at) { return x.evaluate(at) * y.evaluate(at); }};
  }
  Function max(const Function &x, const Function &y) {
    return {a.max(x.form, y.form), [=](const double *at) {
              return std::max(x.evaluate(at), y.evaluate(at));
            }};
  }
  Function min(const Function &x, const Function &y) {
    return {a.min(x.form, y.form), [=](const double *at) {
              return std::min(x.evaluate(at), y.evaluate(at));
            }};
  }
  /// Chooses x where c < d, or where c <= d, or where they are equal.
  Function choose(unsigned kind, const Function &c, const Function &d,
                  const Function &x, const Function &y) {
    Polynomial truth = kind == 0   ? a.less(c.form, d.form)
                       : kind == 1 ? a.atMost(c.form, d.form)
                                   : a.equals(c.form, d.form);
    return {a.select(truth, x.form, y.form), [=](const double *at) {
              double l = c.evaluate(at), r = d.evaluate(at);
              bool holds = kind == 0 ? l < r : kind == 1 ? l <= r : l == r;
              return holds ? x.evaluate(at) : y.evaluate(at);
            }};
  }

  unsigned draw(unsigned count) { return random() % count; }
  Function drawFunction(unsigned depth, bool isLinear) {
    if (depth == 0)
      return draw(3) ? variable(draw(2)) : number(draw(3));
    auto inner = [&] { return drawFunction(draw(depth), isLinear); };
    switch (draw(isLinear ? 5 : 6)) {
    case 0:
      return add(inner(), inner(), draw(2) ? 1 : -1);
    case 1:
      return max(inner(), inner());
    case 2:
      return min(inner(), inner());
    case 5:
      return multiply(inner(), variable(draw(2)));
    default:
      return choose(draw(3), inner(), inner(), inner(), inner());
    }
  }

  /// Returns whether the values are equal at small integers and between them.
  static bool haveEqualValues(const Function &x, const Function &y) {
    for (double p = -4; p <= 4; p += 0.5)
      for (double q = -4; q <= 4; q += 0.5) {
        double at[] = {p, q, 0.75};
        if (x.evaluate(at) != y.evaluate(at))
          return false;
      }
    return true;
  }
  void expectEqual(const Function &x, const Function &y) {
    EXPECT_TRUE(a.areEqual(x.form, y.form))
        << a.toString(x.form) << "\n is not \n"
        << a.toString(y.form);
    EXPECT_TRUE(haveEqualValues(x, y));
    EXPECT_FALSE(a.isStopped()) << a.reason;
  }

  Algebra a{getLimits()};
  std::mt19937 random{1};
};

/// Draws pairs, and returns of how many forms are equal, and values.
struct Counts {
  unsigned forms = 0, values = 0;
};

class PiecewisePairs : public PiecewiseTest {
protected:
  void countEqual(unsigned pairs, bool isLinear, Counts &counts) {
    for (unsigned i = 0; i < pairs; ++i) {
      Function x = drawFunction(2, isLinear), y = drawFunction(2, isLinear);
      bool areEqual = a.areEqual(x.form, y.form), same = haveEqualValues(x, y);
      // What is too large has no form.
      bool hasForm = !a.isStopped();
      a.stop = Algebra::Stop::None;
      counts.forms += hasForm && areEqual;
      counts.values += same;
      ASSERT_TRUE(!hasForm || !areEqual || same)
          << a.toString(x.form) << "\n differs from \n"
          << a.toString(y.form);
    }
  }
};

TEST_F(PiecewisePairs, EqualFormsHaveEqualValues) {
  Counts counts;
  countEqual(3000, /*isLinear=*/false, counts);
  EXPECT_GT(counts.forms, 20u);
}

TEST_F(PiecewisePairs, EqualValuesHaveEqualForms) {
  Counts counts;
  countEqual(3000, /*isLinear=*/true, counts);
  EXPECT_GT(counts.forms, 50u);
  EXPECT_EQ(counts.forms, counts.values);
}

TEST_F(PiecewiseTest, LawsOfRandomFunctions) {
  for (unsigned i = 0; i < 40; ++i) {
    Function x = drawFunction(1, true), y = drawFunction(1, true),
             z = variable(draw(2));
    // max(x, y) = x + y - min(x, y), and what is added goes inside.
    expectEqual(max(x, y), add(add(x, y), min(x, y), -1));
    expectEqual(add(max(x, y), z), max(add(x, z), add(y, z)));
    // A choice by a comparison, either way.
    expectEqual(choose(0, x, y, y, x), choose(1, y, x, x, y));
    expectEqual(choose(0, x, y, y, x), max(x, y));
    // Minima distribute over maxima.
    expectEqual(min(max(x, y), z), max(min(x, z), min(y, z)));
  }
}

TEST_F(PiecewiseTest, FunctionsOfCases) {
  Polynomial x = a.read(TensorNumber(), {}), zero, one = a.constant(1);
  Polynomial magnitude = a.max(x, a.scale(x, -1));
  // log(1 + exp(x)) = max(x, 0) + log(1 + exp(-|x|))
  Polynomial left = a.log(a.add(one, a.exp(x)));
  Polynomial tail = a.log(a.add(one, a.exp(a.scale(magnitude, -1))));
  EXPECT_TRUE(a.areEqual(left, a.add(a.max(x, zero), tail)));
  EXPECT_FALSE(a.areEqual(left, a.add(x, tail)));
  EXPECT_TRUE(a.areEqual(a.power(a.multiply(x, x), Rational(1, 2)), magnitude));
  EXPECT_FALSE(a.areEqual(a.power(a.multiply(x, x), Rational(1, 2)), x));
}

TEST_F(PiecewiseTest, MaximaOverRanges) {
  Polynomial b = a.read(TensorNumber::getInput(1), {});
  auto maxOver = [&](auto fn) {
    Variable v = a.variables.add(8);
    return a.max(
        {Alternative{{v}, fn(a.read(TensorNumber(), a.indices.variable(v)))}});
  };
  Polynomial plain = maxOver([](const Polynomial &x) { return x; });
  Polynomial with =
      maxOver([&](const Polynomial &x) { return a.add(x, a.scale(b, 3)); });
  EXPECT_TRUE(a.areEqual(with, a.add(plain, a.scale(b, 3))));
  EXPECT_FALSE(a.areEqual(with, a.add(plain, b)));
}

TEST_F(PiecewiseTest, SumsEndWhereConditionsDo) {
  auto sum = [&](int64_t extent, int64_t seen) {
    Variable v = a.variables.add(extent);
    IndexForm at = a.indices.variable(v);
    return a.sum({v}, a.multiply(a.read(TensorNumber(), at),
                                 a.less(a.index(at), a.constant(seen))));
  };
  EXPECT_TRUE(a.areEqual(sum(16, 5), sum(8, 5)));
  EXPECT_FALSE(a.areEqual(sum(16, 5), sum(16, 6)));
  EXPECT_TRUE(a.areEqual(sum(16, 20), sum(16, 16)));
  EXPECT_TRUE(sum(16, 0).isZero());
}

TEST_F(PiecewiseTest, TheLowestNumberIsNoAlternative) {
  Polynomial x = a.read(TensorNumber(), {}), lowest = a.constant(-100);
  EXPECT_TRUE(a.areEqual(a.max(x, lowest, Rational(100)), x));
  EXPECT_FALSE(a.areEqual(a.max(x, lowest, Rational(101)), x));
  EXPECT_FALSE(a.areEqual(a.max(x, lowest), x));
  EXPECT_TRUE(a.areEqual(a.min(x, a.constant(100), Rational(100)), x));
}

} // namespace
