//===- NormalFormTest.cpp - The normal form decides the axioms ------------===//
//
// Judges the normal form by the closure of small terms under the axioms, and by
// random terms that are rewritten at random.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Expressions/NormalForm.h"
#include "TermRewriting.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "gtest/gtest.h"
#include <chrono>

using namespace mirage::search;

namespace {

TEST(SymbolicExtent, IsAProduct) {
  EXPECT_EQ(SymbolicExtent::get(12) * SymbolicExtent::get(10),
            SymbolicExtent::get(120));
  EXPECT_EQ(SymbolicExtent::get(120).divide(SymbolicExtent::get(10)),
            SymbolicExtent::get(12));
  EXPECT_FALSE(SymbolicExtent::get(12).divide(SymbolicExtent::get(8)));
  EXPECT_EQ(SymbolicExtent::get(4096).getSize(), 4096);
  SymbolicExtent n = SymbolicExtent::get(Unknown::getTile(2));
  EXPECT_EQ((SymbolicExtent::get(64) * n).toString(), "64*tile2");
  EXPECT_EQ((SymbolicExtent::get(64) * n).divide(n), SymbolicExtent::get(64));
  // Products do not overflow.
  SymbolicExtent large;
  for (int i = 0; i < 10; ++i)
    large = large * SymbolicExtent::get(4096);
  EXPECT_FALSE(large.getSize());
  EXPECT_TRUE(large.divide(SymbolicExtent::get(4096)));
}

TEST(NormalForm, Prints) {
  ExpressionContext c;
  const Expression *x = c.symbol("X"), *w = c.symbol("W");
  EXPECT_EQ(c.toString(c.div(c.exp(c.sum(64, c.mul(x, w))), c.sqrt(x))),
            "div(exp(sum(64, mul(X, W))), sqrt(X))");
  EXPECT_EQ(c.sum(64, c.mul(x, w)), c.sum(64, c.mul(x, w)));
}

TEST(NormalForm, AxiomsHold) {
  ExpressionContext c;
  NormalForms forms;
  RandomTerms random(c, 1);
  for (const Axiom &axiom : getAxioms()) {
    for (unsigned round = 0; round < 100; ++round) {
      Binding binding;
      for (const Expression *&variable : binding.variables)
        variable = random.make(1 + random.pick(4));
      binding.i = random.makeExtent();
      binding.j = random.makeExtent();
      const Expression *lhs = instantiate(axiom.lhs, binding, c);
      const Expression *rhs = instantiate(axiom.rhs, binding, c);
      if (axiom.isEquality)
        EXPECT_TRUE(forms.areEqual(lhs, rhs)) << axiom.name.str();
      else
        EXPECT_EQ(forms.contains(rhs, lhs), Containment::Contained)
            << axiom.name.str();
    }
  }
}

TEST(NormalForm, WhatIsNotEqual) {
  ExpressionContext c;
  NormalForms forms;
  const Expression *x = c.symbol("X"), *y = c.symbol("Y"), *z = c.symbol("Z");
  // Nothing cancels, and a sum is not a repetition.
  EXPECT_FALSE(forms.areEqual(c.div(c.mul(x, y), y), x));
  EXPECT_FALSE(forms.areEqual(c.sum(2, x), c.add(x, x)));
  EXPECT_FALSE(forms.areEqual(c.mul(c.sqrt(x), c.sqrt(x)), x));
  auto contained = [&](const Expression *goal, const Expression *part) {
    return forms.contains(goal, part) == Containment::Contained;
  };
  // Quotients of denominators are polynomials, and no extents alone.
  EXPECT_TRUE(
      contained(c.div(x, c.add(c.mul(y, z), c.mul(y, y))), c.div(x, y)));
  EXPECT_FALSE(contained(c.div(x, c.add(c.mul(y, z), y)), c.div(x, y)));
  EXPECT_FALSE(contained(c.div(x, c.sum(4, y)), c.div(x, y)));
  EXPECT_TRUE(contained(c.div(x, c.sum(4, y)), c.inv(c.sum(4, y))));
  EXPECT_TRUE(contained(c.div(x, c.sum(4, y)), y));
  EXPECT_FALSE(contained(c.div(x, c.sum(4, y)), c.sum(3, y)));
  EXPECT_TRUE(contained(c.exp(c.add(x, y)), c.exp(y)));
  EXPECT_TRUE(contained(c.sqrt(c.mul(x, c.add(y, z))), c.sqrt(c.add(y, z))));
  EXPECT_FALSE(contained(c.sqrt(c.add(x, y)), c.sqrt(x)));
}

TEST(NormalForm, LargeProductsAreUnknown) {
  ExpressionContext c;
  NormalForms forms;
  const Expression *sum = c.symbol("A0");
  for (int i = 1; i < 30; ++i)
    sum = c.add(sum, c.symbol("A" + std::to_string(i)));
  const Expression *cube = c.mul(sum, c.mul(sum, sum));
  EXPECT_EQ(forms.contains(cube, sum), Containment::Unknown);
  EXPECT_EQ(forms.contains(sum, cube), Containment::Unknown);
  EXPECT_EQ(forms.contains(sum, c.symbol("A7")), Containment::Contained);
}

/// All terms that are equal to `goal` by terms of bounded size, and all terms
/// inside of these.
llvm::DenseSet<const Expression *>
close(const Expression *goal, unsigned maxSize, ExpressionContext &c) {
  llvm::SetVector<const Expression *> equal;
  equal.insert(goal);
  llvm::DenseSet<const Expression *> inside;
  for (size_t next = 0; next < equal.size() && next < 200000; ++next) {
    forEachSubterm(equal[next],
                   [&](const Expression *term) { inside.insert(term); });
    rewriteOnce(equal[next], c, [&](const Expression *other) {
      if (getSize(other) <= maxSize)
        equal.insert(other);
    });
  }
  EXPECT_LT(equal.size(), 200000u) << c.toString(goal);
  return inside;
}

/// All terms of up to five operators and symbols.
std::vector<const Expression *> enumerateSmall(ExpressionContext &c) {
  const Expression *symbols[] = {c.symbol("X"), c.symbol("Y")};
  std::vector<std::vector<const Expression *>> bySize(6);
  bySize[1].assign(std::begin(symbols), std::end(symbols));
  std::vector<const Expression *> all = bySize[1];
  for (unsigned size = 2; size <= 5; ++size) {
    auto &terms = bySize[size];
    for (const Expression *x : bySize[size - 1]) {
      for (const Expression *term :
           {c.exp(x), c.sqrt(x), c.inv(x), c.sum(2, x), c.sum(4, x)})
        terms.push_back(term);
    }
    for (unsigned left = 1; left + 1 < size; ++left)
      for (const Expression *x : bySize[left])
        for (const Expression *y : bySize[size - 1 - left])
          for (const Expression *term : {c.add(x, y), c.mul(x, y), c.div(x, y)})
            terms.push_back(term);
    all.insert(all.end(), terms.begin(), terms.end());
  }
  return all;
}

TEST(NormalForm, AgreesWithClosure) {
  ExpressionContext c;
  NormalForms forms;
  const Expression *x = c.symbol("X"), *y = c.symbol("Y");
  std::vector<const Expression *> candidates = enumerateSmall(c);
  std::vector<const Expression *> goals = {
      c.mul(c.add(x, y), x),
      c.div(x, c.add(x, y)),
      c.div(c.add(x, y), y),
      c.sum(4, c.mul(x, y)),
      c.div(x, c.sum(4, y)),
      c.sum(4, c.div(x, y)),
      c.div(c.div(x, y), x),
      c.div(x, c.mul(x, y)),
      c.exp(c.add(x, y)),
      c.mul(c.exp(x), y),
      c.mul(c.exp(x), c.exp(x)),
      c.sqrt(c.mul(x, y)),
      c.mul(c.sqrt(x), c.sqrt(c.sum(2, y))),
      c.exp(c.sum(4, x)),
      c.sum(2, c.exp(c.sum(2, x))),
      c.mul(x, c.inv(y)),
      c.inv(c.mul(x, y)),
      c.div(x, c.div(x, y)),
      c.sum(4, c.add(x, y)),
      c.add(c.sum(2, x), x),
  };
  RandomTerms random(c, 23);
  for (unsigned i = 0; i < 20; ++i)
    goals.push_back(random.make(3 + random.pick(2)));
  unsigned questions = 0, contained = 0;
  for (const Expression *goal : goals) {
    auto inside = close(goal, getSize(goal) + 4, c);
    for (const Expression *term : inside)
      EXPECT_EQ(forms.contains(goal, term), Containment::Contained)
          << c.toString(term) << " in " << c.toString(goal);
    // Terms equal to candidates may be in the closure in their stead.
    llvm::DenseSet<unsigned> formsInside;
    for (const Expression *term : inside)
      formsInside.insert(forms.get(term));
    for (const Expression *candidate : candidates) {
      bool expected = formsInside.contains(forms.get(candidate));
      EXPECT_EQ(forms.contains(goal, candidate) == Containment::Contained,
                expected)
          << c.toString(candidate) << " in " << c.toString(goal);
      contained += expected;
      ++questions;
    }
  }
  RecordProperty("questions", questions);
  RecordProperty("contained", contained);
}

TEST(NormalForm, ContainsWhatWasRewritten) {
  ExpressionContext c;
  NormalForms forms;
  RandomTerms random(c, 7);
  for (unsigned round = 0; round < 3000; ++round) {
    const Expression *part = random.make(1 + random.pick(6));
    const Expression *goal = part;
    for (unsigned layers = 1 + random.pick(4); layers; --layers)
      goal = random.makeAround(goal, random.pick(4));
    const Expression *rewritten = random.rewrite(goal, 6, 24);
    ASSERT_TRUE(forms.areEqual(goal, rewritten))
        << c.toString(goal) << " = " << c.toString(rewritten);
    ASSERT_EQ(forms.contains(rewritten, part), Containment::Contained)
        << c.toString(part) << " in " << c.toString(rewritten);
    ASSERT_EQ(forms.contains(rewritten, random.rewrite(part, 3, 16)),
              Containment::Contained);
  }
}

TEST(NormalForm, QuotientsUndoProducts) {
  ExpressionContext c;
  NormalForms forms;
  RandomTerms random(c, 29);
  // The terms are sums of many different monomials.
  auto make = [&] {
    const Expression *sum = random.make(1 + random.pick(6));
    for (unsigned terms = random.pick(4); terms; --terms)
      sum = c.add(sum, random.make(1 + random.pick(6)));
    return forms.get(sum);
  };
  for (unsigned round = 0; round < 2000; ++round) {
    NormalForms::Polynomial p = make(), q = make();
    NormalForms::Polynomial product = forms.multiply(p, q);
    ASSERT_EQ(forms.divide(product, q), p);
    ASSERT_EQ(forms.divide(product, p), q);
    // And the order is kept.
    NormalForms::Polynomial r = make();
    ASSERT_EQ(forms.compare(p, q) > 0,
              forms.compare(forms.multiply(p, r), forms.multiply(q, r)) > 0);
    ASSERT_EQ(forms.compare(p, q) > 0,
              forms.compare(forms.add(p, r), forms.add(q, r)) > 0);
  }
}

TEST(NormalForm, IsATransitiveRelation) {
  ExpressionContext c;
  NormalForms forms;
  RandomTerms random(c, 11);
  std::vector<const Expression *> terms;
  for (unsigned i = 0; i < 120; ++i)
    terms.push_back(random.make(1 + random.pick(7)));
  auto contained = [&](unsigned goal, unsigned part) {
    return forms.contains(terms[goal], terms[part]) == Containment::Contained;
  };
  for (unsigned i = 0; i < terms.size(); ++i)
    for (unsigned j = 0; j < terms.size(); ++j)
      if (i != j && contained(i, j))
        for (unsigned k = 0; k < terms.size(); ++k)
          if (contained(j, k))
            ASSERT_TRUE(contained(i, k));
}

} // namespace
