//===- IndexFormTest.cpp - Indices as sums of digits ----------------------===//

#include "Mirage/Analysis/Equivalence/Algebra/IndexForm.h"
#include "gtest/gtest.h"
#include <random>

using namespace mirage::equivalence;

namespace {

/// The value of a form for values of the variables.
int64_t evaluate(const IndexForm &form, llvm::ArrayRef<int64_t> values,
                 const IndexArithmetic &indices) {
  int64_t sum = form.constant;
  for (const IndexTerm &term : form.terms) {
    int64_t digit = values[term.digit.variable] / term.digit.stride;
    if (!indices.isHighest(term.digit))
      digit %= term.digit.extent;
    EXPECT_LT(digit, term.digit.extent);
    sum += term.coefficient * digit;
  }
  return sum;
}

TEST(IndexForm, DigitsComeTogether) {
  Variables variables;
  Variable v = variables.add(24), w = variables.add(6);
  IndexArithmetic a(variables);
  IndexForm x = a.variable(v);
  auto division = a.divide(x, 4);
  ASSERT_TRUE(division);
  EXPECT_EQ(toString(division->quotient, variables), "v0/4");
  EXPECT_EQ(toString(division->remainder, variables), "v0%4");
  EXPECT_EQ(a.add(division->remainder, a.mulConstant(division->quotient, 4)),
            x);
  // v - 4 (v / 4) is v mod 4.
  EXPECT_EQ(a.add(x, a.mulConstant(division->quotient, -4)),
            division->remainder);
  // (4 w + v mod 4) / 4 = w
  IndexForm y = a.variable(w);
  auto tile = a.divide(a.add(a.mulConstant(y, 4), division->remainder), 4);
  ASSERT_TRUE(tile);
  EXPECT_EQ(tile->quotient, y);
  EXPECT_EQ(tile->remainder, division->remainder);
}

TEST(IndexForm, UndecidedDivisions) {
  Variables variables;
  Variable v = variables.add(8);
  IndexArithmetic a(variables);
  IndexForm crossing;
  EXPECT_FALSE(a.divide(a.addConstant(a.variable(v), 2), 4, &crossing));
  EXPECT_FALSE(a.divide(a.mulConstant(a.variable(v), 3), 4));
  // Odd tiles of a variable that is not a multiple.
  auto division = a.divide(a.variable(v), 3);
  ASSERT_TRUE(division);
  EXPECT_EQ(a.getRange(division->quotient).greatest, 2);
  EXPECT_FALSE(a.divide(division->remainder, 2));
  // Negative numbers round down.
  auto below = a.divide(a.addConstant(a.variable(v), -8), 8);
  ASSERT_TRUE(below);
  EXPECT_EQ(below->quotient, a.constant(-1));
  EXPECT_EQ(below->remainder, a.variable(v));
}

TEST(IndexForm, NoCommonRefinement) {
  Variables variables;
  Variable v = variables.add(12);
  IndexArithmetic a(variables);
  IndexForm byTwo = a.divide(a.variable(v), 2)->remainder,
            byThree = a.divide(a.variable(v), 3)->remainder;
  IndexForm sum = a.add(byTwo, byThree);
  EXPECT_EQ(sum.terms.size(), 2u);
  EXPECT_EQ(a.add(sum, a.mulConstant(byThree, -1)), byTwo);
}

/// Random expressions mean what their operations say.
TEST(IndexForm, RandomArithmetic) {
  std::mt19937 random(1);
  auto below = [&](int64_t n) { return static_cast<int64_t>(random() % n); };
  unsigned divided = 0;
  for (unsigned round = 0; round < 3000; ++round) {
    Variables variables;
    IndexArithmetic a(variables);
    const int64_t extents[] = {2 + below(11), 1 + below(8)};
    struct Step {
      int kind;
      size_t x, y;
      int64_t c;
    };
    std::vector<IndexForm> forms;
    std::vector<Step> steps;
    for (int64_t extent : extents)
      forms.push_back(a.variable(variables.add(extent)));
    for (unsigned i = 0; i < 7; ++i) {
      Step step{static_cast<int>(below(5)),
                static_cast<size_t>(below(forms.size())),
                static_cast<size_t>(below(forms.size())), 1 + below(6)};
      IndexForm x = forms[step.x];
      if (step.kind >= 3) {
        auto division = a.divide(x, step.c);
        if (!division)
          continue;
        ++divided;
        forms.push_back(step.kind == 3 ? division->quotient
                                       : division->remainder);
      } else {
        forms.push_back(step.kind == 0   ? a.add(x, forms[step.y])
                        : step.kind == 1 ? a.addConstant(x, step.c - 3)
                                         : a.mulConstant(x, step.c - 2));
      }
      steps.push_back(step);
    }
    for (int64_t i = 0; i < extents[0]; ++i)
      for (int64_t j = 0; j < extents[1]; ++j) {
        std::vector<int64_t> values{i, j};
        for (const Step &s : steps) {
          int64_t x = values[s.x];
          int64_t quotient = x >= 0 ? x / s.c : -((-x + s.c - 1) / s.c);
          values.push_back(s.kind == 0   ? x + values[s.y]
                           : s.kind == 1 ? x + s.c - 3
                           : s.kind == 2 ? x * (s.c - 2)
                           : s.kind == 3 ? quotient
                                         : x - quotient * s.c);
        }
        for (size_t k = 0; k < forms.size(); ++k) {
          ASSERT_EQ(evaluate(forms[k], {i, j}, a), values[k]);
          auto range = a.getRange(forms[k]);
          ASSERT_LE(range.least, values[k]);
          ASSERT_GE(range.greatest, values[k]);
        }
      }
  }
  EXPECT_GT(divided, 3000u);
}

TEST(IndexForm, RandomSubstitution) {
  std::mt19937 random(2);
  auto below = [&](int64_t n) { return static_cast<int64_t>(random() % n); };
  for (unsigned round = 0; round < 2000; ++round) {
    // v = low + n * high
    int64_t low = 1 + below(6), high = 1 + below(6), extent = low * high;
    Variables variables;
    Variable v = variables.add(extent), l = variables.add(low),
             h = variables.add(high);
    IndexArithmetic a(variables);
    IndexForm form = a.variable(v);
    for (unsigned i = 0; i < 3; ++i) {
      int64_t c = 1 + below(6);
      if (auto division = a.divide(form, c))
        form = below(2) ? division->quotient : division->remainder;
      form = a.add(a.mulConstant(form, below(3)), a.constant(below(4)));
    }
    IndexForm value = a.add(a.variable(l), a.mulConstant(a.variable(h), low));
    auto result = a.substitute(
        form, [&](Variable u) { return u == v ? &value : nullptr; });
    if (!result)
      continue;
    for (int64_t i = 0; i < low; ++i)
      for (int64_t j = 0; j < high; ++j)
        ASSERT_EQ(evaluate(*result, {0, i, j}, a),
                  evaluate(form, {i + low * j, 0, 0}, a));
  }
}

} // namespace
