//===- ContainmentSolverTest.cpp - The solver against the normal form -----===//
//
// The normal form and Z3 give the same answers on random terms without unknown
// extents. With unknown ones Z3 says which constraints leave values for them.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Expressions/ContainmentSolver.h"
#include "TermRewriting.h"
#include "gtest/gtest.h"
#include <cstdlib>

using namespace mirage::search;

namespace {

using Pair = std::pair<const Expression *, const Expression *>;

/// Operands in place of a goal or of a part, as long as `isWrong` holds.
Pair shrink(Pair pair, llvm::function_ref<bool(Pair)> isWrong) {
  for (bool isSmaller = true; isSmaller;) {
    isSmaller = false;
    std::vector<Pair> smaller;
    for (const Expression *goal : pair.first->operands)
      smaller.push_back({goal, pair.second});
    for (const Expression *part : pair.second->operands)
      smaller.push_back({pair.first, part});
    for (const Pair &other : smaller)
      if (isWrong(other)) {
        pair = other;
        isSmaller = true;
        break;
      }
  }
  return pair;
}

TEST(ContainmentSolver, ShrinksPairs) {
  ExpressionContext c;
  const Expression *x = c.symbol("X"), *w = c.symbol("W"), *e = c.exp(x);
  auto hasExponential = [&](const Expression *term) {
    bool found = false;
    forEachSubterm(term,
                   [&](const Expression *inside) { found |= inside == e; });
    return found;
  };
  Pair large = {c.sum(64, c.mul(c.div(e, w), x)), c.mul(c.sum(4, e), w)};
  Pair small = shrink(large, [&](Pair pair) {
    return hasExponential(pair.first) && hasExponential(pair.second);
  });
  EXPECT_EQ(small, Pair(e, e));
}

TEST(ContainmentSolver, NormalFormAgreesWithZ3) {
  ExpressionContext c;
  RandomTerms random(c, 3);
  const char *requested = std::getenv("MIRAGE_PRUNING_PAIRS");
  unsigned pairs = requested ? std::atoi(requested) : 20'000;
  auto isWrong = [](Pair pair) {
    return NormalForms().contains(pair.first, pair.second) !=
           ContainmentSolver(pair.first).contains(pair.second);
  };
  unsigned contained = 0, solverCalls = 0;
  for (unsigned done = 0; done < pairs;) {
    const Expression *goal = random.make(3 + random.pick(8));
    NormalForms forms;
    ContainmentSolver solver(goal);
    for (unsigned i = 0; i < 5; ++i, ++done) {
      const Expression *part = random.makePart(goal);
      Containment expected = forms.contains(goal, part);
      ASSERT_NE(expected, Containment::Unknown);
      if (solver.contains(part) != expected) {
        auto [smallGoal, smallPart] = shrink({goal, part}, isWrong);
        FAIL() << c.toString(smallPart) << " in " << c.toString(smallGoal);
      }
      contained += expected == Containment::Contained;
    }
    solverCalls += solver.getStatistics().calls;
  }
  EXPECT_GT(contained, pairs / 5);
  EXPECT_LT(contained, pairs - pairs / 5);
  EXPECT_GT(solverCalls, pairs / 20);
}

/// sum(n, mul(X, W)) for loops whose extents are not chosen.
class UnknownExtents : public testing::Test {
protected:
  ExpressionContext c;
  const Expression *x = c.symbol("X"), *w = c.symbol("W");
  SymbolicExtent tile = SymbolicExtent::get(Unknown::getTile(0)),
                 loop = SymbolicExtent::get(Unknown::getIterations(0)),
                 grid = SymbolicExtent::get(Unknown::getBlocks(0));
  const Expression *goal = c.sum(4096, c.mul(x, w));

  Containment ask(const Expression *part,
                  const ExtentConstraints &constraints = {}) {
    return ContainmentSolver(goal).contains(part, constraints);
  }
};

TEST_F(UnknownExtents, SomeValuesFit) {
  const Expression *part = c.sum(loop, c.sum(tile, c.mul(x, w)));
  EXPECT_EQ(ask(part), Containment::Contained);
  ExtentConstraints constraints;
  constraints.products.push_back({tile * loop, SymbolicExtent::get(4096)});
  EXPECT_EQ(ask(part, constraints), Containment::Contained);
  EXPECT_EQ(ask(c.sum(SymbolicExtent::get(2), part), constraints),
            Containment::NotContained);
}

TEST_F(UnknownExtents, ProductsTieThem) {
  ExtentConstraints constraints;
  constraints.products.push_back(
      {tile * loop * grid, SymbolicExtent::get(1024)});
  // No product of divisors of 1024 and 3 divides 4096.
  EXPECT_EQ(ask(c.sum(tile * SymbolicExtent::get(3), c.mul(x, w)), constraints),
            Containment::NotContained);
  EXPECT_EQ(ask(c.sum(tile * SymbolicExtent::get(4), c.mul(x, w)), constraints),
            Containment::Contained);
  EXPECT_EQ(ask(c.sum(tile * loop * grid * SymbolicExtent::get(8), c.mul(x, w)),
                constraints),
            Containment::NotContained);
}

TEST_F(UnknownExtents, DivisorsAndLimits) {
  // What fits in shared memory: tile * 96 + 512 * loop <= 8192, where 64
  // divides the tile and tile * loop = 1024.
  ExtentConstraints constraints;
  constraints.products.push_back({tile * loop, SymbolicExtent::get(1024)});
  constraints.divisors.push_back({SymbolicExtent::get(64), tile});
  constraints.limits.push_back({{{96, tile}, {512, loop}}, 8192});
  EXPECT_EQ(ask(c.sum(tile, c.mul(x, w)), constraints),
            Containment::NotContained);
  constraints.limits[0].bound = 14336;
  EXPECT_EQ(ask(c.sum(tile, c.mul(x, w)), constraints), Containment::Contained);
  // A sum of 16 tiles is one of 1024 only for tiles of 64.
  constraints.limits[0].bound = 14335;
  EXPECT_EQ(ask(c.sum(tile, c.mul(x, w)), constraints),
            Containment::NotContained);
}

TEST_F(UnknownExtents, InsideOfFunctions) {
  goal = c.div(c.exp(c.sum(64, c.mul(x, w))),
               c.sum(128, c.exp(c.sum(64, c.mul(x, w)))));
  const Expression *scores = c.sum(tile, c.mul(x, w));
  EXPECT_EQ(ask(c.sum(loop, c.exp(scores))), Containment::Contained);
  EXPECT_EQ(ask(c.div(c.exp(scores), c.sum(loop, c.exp(scores)))),
            Containment::Contained);
  ExtentConstraints half;
  half.products.push_back(
      {tile * SymbolicExtent::get(2), SymbolicExtent::get(64)});
  EXPECT_EQ(ask(scores, half), Containment::Contained);
  EXPECT_EQ(ask(c.exp(scores), half), Containment::NotContained);
  // The extents of denominators are tied to each other.
  ExtentConstraints few;
  few.products.push_back({loop * grid, SymbolicExtent::get(64)});
  EXPECT_EQ(ask(c.inv(c.sum(loop, c.exp(scores))), few),
            Containment::NotContained);
  EXPECT_EQ(ask(c.sum(loop, c.exp(scores)), few), Containment::Contained);
}

TEST_F(UnknownExtents, StructureIsKnown) {
  const Expression *part = c.sum(tile, c.mul(x, x));
  EXPECT_EQ(ask(part), Containment::NotContained);
}

TEST_F(UnknownExtents, SeveralGoals) {
  const Expression *goals[] = {c.exp(x), c.sqrt(w)};
  ContainmentSolver solver(goals);
  EXPECT_EQ(solver.contains(x), Containment::Contained);
  EXPECT_EQ(solver.contains(w), Containment::Contained);
  EXPECT_EQ(solver.contains(c.sqrt(w)), Containment::Contained);
  EXPECT_EQ(solver.contains(c.mul(x, w)), Containment::NotContained);
}

/// Random goals with some of the extents replaced by unknowns in a part: still
/// contained, since the old values are among those that fit.
TEST(ContainmentSolver, UnknownsOnlyWiden) {
  ExpressionContext c;
  RandomTerms random(c, 17);
  std::function<const Expression *(const Expression *, unsigned &)> forget =
      [&](const Expression *term, unsigned &next) -> const Expression * {
    llvm::SmallVector<const Expression *, 2> operands;
    for (const Expression *operand : term->operands)
      operands.push_back(forget(operand, next));
    if (term->kind == Expression::Kind::Sum && random.pick(3))
      return c.sum(SymbolicExtent::get(Unknown::getTile(next++)), operands[0]);
    return c.rebuild(term, operands);
  };
  unsigned tested = 0;
  for (unsigned round = 0; round < 400; ++round) {
    const Expression *goal = random.make(4 + random.pick(7));
    ContainmentSolver solver(goal);
    NormalForms forms;
    for (unsigned i = 0; i < 4; ++i) {
      const Expression *part = random.makePart(goal);
      unsigned unknowns = 0;
      const Expression *wider = forget(part, unknowns);
      if (!unknowns || forms.contains(goal, part) != Containment::Contained)
        continue;
      ++tested;
      EXPECT_EQ(solver.contains(wider), Containment::Contained)
          << c.toString(wider) << " in " << c.toString(goal);
    }
  }
  EXPECT_GT(tested, 100u);
}

} // namespace
