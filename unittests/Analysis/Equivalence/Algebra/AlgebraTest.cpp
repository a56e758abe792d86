//===- AlgebraTest.cpp - Normal forms of tensor elements ------------------===//

#include "Mirage/Analysis/Equivalence/Algebra/Algebra.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mirage;
using namespace mirage::equivalence;

namespace {

class AlgebraTest : public ::testing::Test {
protected:
  /// Element `at` of an input.
  Polynomial read(unsigned tensor, const IndexForm &at) {
    return a.read(TensorNumber::getInput(tensor), at);
  }
  Polynomial scalar(unsigned tensor) { return read(tensor, {}); }
  IndexForm var(Variable v) { return a.indices.variable(v); }
  IndexForm plus(const IndexForm &x, const IndexForm &y, int64_t factor) {
    return a.indices.add(x, a.indices.mulConstant(y, factor));
  }
  Polynomial number(int64_t n, int64_t d = 1) {
    return a.constant(Rational(n, d));
  }
  /// sum_i f(i) for a new variable.
  template <typename Fn> Polynomial sum(int64_t extent, Fn fn) {
    Variable v = a.variables.add(extent);
    return a.sum({v}, fn(var(v)));
  }
  template <typename Fn> Polynomial maxOver(int64_t extent, Fn fn) {
    Variable v = a.variables.add(extent);
    return a.max({Alternative{{v}, fn(var(v))}});
  }
  void expectSame(const Polynomial &x, const Polynomial &y) {
    EXPECT_TRUE(a.sub(x, y).isZero()) << a.toString(x) << "\n is not \n"
                                      << a.toString(y);
    EXPECT_FALSE(a.isStopped()) << a.reason;
  }
  void expectNotEqual(const Polynomial &x, const Polynomial &y) {
    EXPECT_FALSE(a.areEqual(x, y)) << a.toString(x);
    EXPECT_FALSE(a.isStopped()) << a.reason;
  }

  Algebra a{Algebra::Limits()};
};

TEST_F(AlgebraTest, Polynomials) {
  Polynomial x = scalar(0), y = scalar(1);
  Polynomial square = a.power(a.add(x, y), 2);
  expectSame(square, a.add(a.power(x, 2),
                           a.add(a.scale(a.multiply(x, y), 2), a.power(y, 2))));
  EXPECT_TRUE(a.sub(square, square).isZero());
  expectSame(a.multiply(x, a.inverse(x)), number(1));
  expectSame(a.sum({}, x), x);
  // A sum of what does not depend on the index.
  expectSame(sum(7, [&](IndexForm) { return x; }), a.scale(x, 7));
}

TEST_F(AlgebraTest, TensorsOfDifferentFamilies) {
  using Program = TensorNumber::Program;
  const std::pair<TensorNumber, const char *> tensors[] = {
      {TensorNumber::getInput(1), "in1[0]"},
      {TensorNumber::getConstant(1), "constant1[0]"},
      {TensorNumber::getCommonValue(1), "common1[0]"},
      {TensorNumber::getUnknown(Program::Lhs, 1), "lhs1[0]"},
      {TensorNumber::getUnknown(Program::Rhs, 1), "rhs1[0]"}};
  for (const auto &[tensor, text] : tensors) {
    EXPECT_EQ(a.toString(a.read(tensor, {})), text);
    for (const auto &[other, otherText] : tensors)
      if (text == otherText)
        expectSame(a.read(tensor, {}), a.read(other, {}));
      else
        expectNotEqual(a.read(tensor, {}), a.read(other, {}));
  }
  // Equal numbers of a function and of a tensor mean nothing.
  expectNotEqual(a.applyUnknown(1, scalar(0)), a.applyUnknown(2, scalar(0)));
}

TEST_F(AlgebraTest, Regrouping) {
  // sum_ij x[64 i + j] = sum_k x[k], however the digits are cut.
  auto x = [&](const IndexForm &i) { return read(0, i); };
  Polynomial flat = sum(256, x);
  for (int64_t tile : {1, 2, 16, 64, 128, 256})
    expectSame(flat, sum(256 / tile, [&](IndexForm i) {
                 return sum(tile,
                            [&](IndexForm j) { return x(plus(j, i, tile)); });
               }));
  // Not if another factor uses only one of the digits.
  auto mixed = [&](int64_t tile) {
    return sum(256 / tile, [&](IndexForm i) {
      return a.multiply(read(1, i), sum(tile, [&](IndexForm j) {
                          return x(plus(j, i, tile));
                        }));
    });
  };
  expectNotEqual(mixed(16), mixed(32));
  // A transposed sum is another sum: sum_ij x[i, j] y[j, i].
  auto pair = [&](bool transposed) {
    return sum(8, [&](IndexForm i) {
      return sum(8, [&](IndexForm j) {
        return a.multiply(x(plus(j, i, 8)),
                          read(1, transposed ? plus(i, j, 8) : plus(j, i, 8)));
      });
    });
  };
  expectNotEqual(pair(true), pair(false));
  expectSame(pair(false), sum(64, [&](IndexForm k) {
               return a.multiply(x(k), read(1, k));
             }));
  // Shifted ranges differ.
  expectNotEqual(sum(8, x), sum(8, [&](IndexForm i) {
                   return x(a.indices.addConstant(i, 1));
                 }));
}

TEST_F(AlgebraTest, BoundNames) {
  // (sum x)(sum x) is not sum x^2.
  auto x = [&](const IndexForm &i) { return read(0, i); };
  Polynomial total = sum(4, x);
  Polynomial squares = sum(4, [&](IndexForm i) { return a.power(x(i), 2); });
  expectNotEqual(a.multiply(total, total), squares);
  expectSame(a.multiply(total, total), sum(4, [&](IndexForm i) {
               return sum(4,
                          [&](IndexForm j) { return a.multiply(x(j), x(i)); });
             }));
  // Sums inside of functions keep apart from those outside.
  Polynomial nested = a.multiply(total, a.inverse(a.add(total, number(1))));
  expectSame(
      a.multiply(nested, total),
      a.multiply(a.multiply(total, total), a.inverse(a.add(number(1), total))));
  // sum_i x_i exp(sum_j y_ij)
  auto rows = [&](bool swapped) {
    return sum(4, [&](IndexForm i) {
      return a.multiply(x(i), a.exp(sum(4, [&](IndexForm j) {
        return read(1, swapped ? plus(i, j, 4) : plus(j, i, 4));
      })));
    });
  };
  expectSame(rows(false), rows(false));
  expectNotEqual(rows(false), rows(true));
  // A sum of a lower level than another one, inside of which its names are
  // bound: sum_k x_k times sum_i exp(sum_j y_ij) in either order.
  auto exponential = [&](IndexForm i) {
    return a.exp(sum(4, [&](IndexForm j) { return read(1, plus(j, i, 4)); }));
  };
  Polynomial exponentials = sum(4, exponential);
  Polynomial both = sum(4, [&](IndexForm i) {
    return sum(4,
               [&](IndexForm k) { return a.multiply(exponential(i), x(k)); });
  });
  expectSame(a.multiply(total, exponentials), both);
  expectSame(a.multiply(exponentials, total), both);
}

TEST_F(AlgebraTest, Exponentials) {
  Polynomial x = scalar(0), y = scalar(1);
  expectSame(a.multiply(a.exp(x), a.exp(a.scale(x, -1))), number(1));
  expectSame(a.exp(a.add(x, y)), a.multiply(a.exp(x), a.exp(y)));
  expectSame(a.power(a.exp(x), 3), a.exp(a.scale(x, 3)));
  expectSame(a.power(a.exp(x), Rational(1, 2)),
             a.exp(a.scale(x, Rational(1, 2))));
  expectSame(a.log(a.multiply(a.exp(x), y)), a.add(x, a.log(y)));
  expectSame(a.log(a.add(a.exp(a.add(x, y)), a.exp(x))),
             a.add(x, a.log(a.add(a.exp(y), number(1)))));
  expectSame(a.exp(Polynomial()), number(1));
  // exp(-inf) = 0, but an infinity that may cancel stays.
  Polynomial infinity = a.constant(getExactConstant(
      std::numeric_limits<double>::infinity(), ElementType::f32));
  expectSame(a.exp(a.sub(x, infinity)), Polynomial());
  expectSame(a.max(x, a.scale(infinity, -1)), x);
  expectSame(a.min(x, infinity), x);
}

TEST_F(AlgebraTest, Inverses) {
  Polynomial x = scalar(0), y = scalar(1), e = a.exp(scalar(2));
  // x y + 2 x = x (y + 2)
  expectSame(a.inverse(a.add(a.multiply(x, y), a.scale(x, 2))),
             a.multiply(a.inverse(x), a.inverse(a.add(y, number(2)))));
  expectSame(a.inverse(a.scale(a.add(x, y), -3)),
             a.scale(a.inverse(a.add(y, x)), Rational(-1, 3)));
  expectSame(a.inverse(a.add(number(1), a.inverse(e))),
             a.multiply(e, a.inverse(a.add(e, number(1)))));
  // 1 / (1 / (x + y)) = x + y
  expectSame(a.inverse(a.inverse(a.add(x, y))), a.add(x, y));
  // 1 / (1 + 1 / (x + y)) = (x + y) / (x + y + 1), multiplied out
  Polynomial z = a.add(x, y);
  EXPECT_TRUE(a.areEqual(a.inverse(a.add(number(1), a.inverse(z))),
                         a.multiply(z, a.inverse(a.add(z, number(1))))));
  EXPECT_TRUE(a.areEqual(a.multiply(z, a.inverse(z)), number(1)));
  expectNotEqual(a.inverse(z), a.inverse(a.sub(x, y)));
}

TEST_F(AlgebraTest, Roots) {
  Polynomial x = scalar(0), y = scalar(1), z = a.add(x, y);
  Rational half(1, 2);
  expectSame(a.power(a.power(z, half), 2), z);
  expectSame(a.multiply(a.power(z, half), a.power(z, -half)), number(1));
  expectSame(a.power(a.power(z, -half), 2), a.inverse(z));
  expectSame(a.power(a.scale(z, 4), half), a.scale(a.power(z, half), 2));
  expectSame(a.multiply(x, a.power(x, -half)), a.power(x, half));
  expectSame(a.power(a.power(x, half), half), a.power(x, Rational(1, 4)));
  // sqrt(x^2) is not x, sqrt(x y) not sqrt(x) sqrt(y) (both may be negative).
  expectNotEqual(a.power(a.power(x, 2), half), x);
  expectNotEqual(a.power(a.multiply(x, y), half),
                 a.multiply(a.power(x, half), a.power(y, half)));
  expectNotEqual(a.power(a.power(z, 2), half), z);
  // Of positive sums it is.
  Polynomial p = a.add(a.power(y, 2), number(1)),
             q = a.add(a.exp(x), number(1));
  for (const Rational &root : {half, -half, Rational(1, 4)}) {
    Polynomial ofProduct = a.power(a.multiply(p, q), root);
    EXPECT_TRUE(
        a.areEqual(a.multiply(a.power(p, root), a.power(q, root)), ofProduct));
    EXPECT_FALSE(a.areEqual(
        a.multiply(a.power(p, root), a.power(q, half * root)), ofProduct));
    EXPECT_TRUE(a.areEqual(a.multiply(a.power(p, root), a.power(q, -root)),
                           a.power(a.multiply(p, a.inverse(q)), root)));
    EXPECT_FALSE(a.areEqual(a.multiply(a.power(p, root), a.power(z, root)),
                            a.power(a.multiply(p, z), root)));
  }
  // |x| + 1 is positive, |x| - 1 is not.
  Polynomial absolute = a.max(x, a.scale(x, -1));
  for (int offset : {1, -1}) {
    Polynomial sum = a.add(absolute, number(offset));
    EXPECT_EQ(isPositive(sum), offset > 0);
    EXPECT_EQ(a.areEqual(a.multiply(a.power(sum, half), a.power(p, half)),
                         a.power(a.multiply(sum, p), half)),
              offset > 0);
  }
  // Numbers.
  expectSame(a.power(number(8), half), a.scale(a.power(number(2), half), 2));
  expectSame(a.power(number(1, 2), half),
             a.scale(a.power(number(2), half), half));
  expectSame(a.power(number(9, 4), half), number(3, 2));
  expectSame(a.constant(getExactConstant(M_SQRT1_2, ElementType::f64)),
             a.power(number(2), -half));
  expectSame(a.log(number(2)),
             a.constant(getExactConstant(M_LN2, ElementType::f64)));
}

TEST_F(AlgebraTest, Maxima) {
  Polynomial x = scalar(0), y = scalar(1), z = scalar(2);
  expectSame(a.max(x, a.max(y, z)), a.max(a.max(z, x), y));
  expectSame(a.max(x, x), x);
  expectSame(a.max(a.scale(x, 2), a.scale(y, 2)), a.scale(a.max(x, y), 2));
  expectSame(a.add(z, a.max(x, y)), a.add(a.max(y, x), z));
  expectSame(a.max(a.add(z, a.max(x, y)), y),
             a.max(a.max(a.add(z, y), y), a.add(x, z)));
  expectSame(a.max(number(3), number(-5)), number(3));
  expectSame(a.max(a.max(x, number(1)), number(2)), a.max(x, number(2)));
  expectNotEqual(a.max(x, y), a.min(x, y));
  expectNotEqual(a.scale(a.max(x, y), -1),
                 a.max(a.scale(x, -1), a.scale(y, -1)));
  // Tiles of a maximum.
  auto r = [&](const IndexForm &i) { return read(3, i); };
  expectSame(maxOver(64, r), maxOver(8, [&](IndexForm i) {
               return maxOver(8, [&](IndexForm j) { return r(plus(j, i, 8)); });
             }));
  expectSame(maxOver(64, [&](IndexForm) { return x; }), x);
  expectNotEqual(maxOver(64, r), maxOver(32, r));
  expectNotEqual(maxOver(64, r), sum(64, r));
}

TEST_F(AlgebraTest, Comparisons) {
  Polynomial x = scalar(0), y = scalar(1);
  Polynomial t = a.less(a.sub(x, y));
  expectSame(a.multiply(t, t), t);
  expectSame(a.less(a.scale(a.sub(x, y), 3)), t);
  expectNotEqual(a.less(a.sub(y, x)), t);
  expectNotEqual(a.sub(number(1), a.less(a.sub(y, x))), t);
  expectSame(a.equalsZero(a.sub(x, y)), a.equalsZero(a.sub(y, x)));
  expectSame(a.less(number(-1)), number(1));
  expectSame(a.less(Polynomial()), number(0));
  expectSame(a.equalsZero(Polynomial()), number(1));
  expectSame(a.select(t, x, x), x);
  expectSame(a.select(t, a.select(t, x, y), y), a.select(t, x, y));
  expectSame(a.select(x, y, x), a.select(a.equalsZero(x), x, y));
}

TEST_F(AlgebraTest, ComparisonsOfInfinities) {
  Polynomial x = scalar(0), y = scalar(1);
  Polynomial infinity = a.constant(getExactConstant(
      std::numeric_limits<double>::infinity(), ElementType::f32));
  Polynomial lowest = a.scale(infinity, -1);
  expectSame(a.less(x, infinity), number(1));
  expectSame(a.less(x, lowest), number(0));
  expectSame(a.equals(x, lowest), number(0));
  // Not x < y, which is what is left where the infinity cancels.
  expectSame(a.less(a.add(x, lowest), a.add(y, lowest)), number(0));
  expectSame(a.equals(a.add(x, infinity), a.add(y, infinity)), number(1));
  expectSame(a.less(lowest, infinity), number(1));
  expectSame(a.less(x, y), a.less(a.sub(x, y)));

  // -inf where all elements are hidden; with a number beside them, a number.
  auto masked = [&](const IndexForm &i) {
    return a.select(a.less(read(2, i), {}), read(3, i), lowest);
  };
  Polynomial maximum = maxOver(8, masked), finite = a.max(maximum, x);
  expectSame(a.less(a.scale(finite, 2), a.add(finite, y)), a.less(finite, y));
  a.less(a.scale(maximum, 2), a.add(maximum, x));
  EXPECT_EQ(a.reason, "a comparison with an infinity");
}

TEST_F(AlgebraTest, ManyConditions) {
  // More than are told apart.
  Polynomial infinity = a.constant(getExactConstant(
      std::numeric_limits<double>::infinity(), ElementType::f32));
  Polynomial masked = scalar(0);
  for (unsigned i = 1; i < 40; ++i)
    masked = a.select(a.less(scalar(i)), masked, a.scale(infinity, -1));
  Polynomial maximum = a.max(masked, scalar(40));
  EXPECT_FALSE(a.isStopped()) << a.reason;
  ASSERT_EQ(maximum.monomials.size(), 1u);
  EXPECT_TRUE(maximum.monomials[0].factors[0].atom->hasInfinity);
}

TEST_F(AlgebraTest, Limits) {
  Algebra small({4, 10, 1000});
  Polynomial x;
  for (unsigned i = 0; i < 3; ++i)
    x = small.add(x, small.read(TensorNumber::getInput(i), {}));
  EXPECT_FALSE(small.isStopped());
  small.multiply(x, x);
  EXPECT_TRUE(small.isStopped());
  EXPECT_NE(small.reason.find("more than 4 terms"), std::string::npos);

  Algebra deep({100, 10, 100000});
  Polynomial y = deep.read(TensorNumber(), {});
  for (unsigned i = 0; i < 12; ++i)
    y = deep.exp(y);
  EXPECT_TRUE(deep.isStopped());

  // Squares of a number of n words take n^2 steps and more.
  Algebra digits({100, 10, 100000});
  Polynomial number =
      digits.scale(digits.read(TensorNumber(), {}), Rational(3));
  for (unsigned i = 0; i < 20 && !digits.isStopped(); ++i)
    number = digits.multiply(number, number);
  EXPECT_NE(digits.reason.find("limit of 100000 steps"), std::string::npos);
  EXPECT_EQ(getArithmeticCost(Rational(int64_t(1) << 62)), 0u);
  Rational word(int64_t(1) << 62);
  EXPECT_EQ(getArithmeticCost(word * word), 16u);
  EXPECT_EQ(getArithmeticCost(Rational(1) / (word * word * word)), 64u);

  Algebra zero({100, 10, 100000});
  zero.inverse(Polynomial());
  EXPECT_TRUE(zero.isStopped());
}

} // namespace
