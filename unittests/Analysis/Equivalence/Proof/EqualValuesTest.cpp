//===- EqualValuesTest.cpp - What two programs have in common -------------===//
//
// Programs whose normal forms are beyond all limits, and that are proved to be
// equal by what they have in common; and some that are not equal.
//
//===----------------------------------------------------------------------===//

#include "../../../GraphBuilder.h"
#include "Mirage/Analysis/Equivalence/Proof/Proof.h"
#include "Mirage/Analysis/Equivalence/Proof/ValueProof.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mirage;
using namespace mirage::equivalence;

namespace {

using Kind = ProofResult::Kind;

/// How a layer is spelled.
enum class Layer : uint8_t { Plain, Distributed, Recomputed, Wrong };

/// y = (x w + x)^2 + x, again and again: the number of terms is squared by
/// every layer.
void buildLayers(GraphBuilder &g, std::initializer_list<Layer> layers) {
  MuValue x = g.argument({4, 8}), w = g.argument({8, 8});
  for (Layer layer : layers) {
    MuValue y = g.matmul(x, w);
    switch (layer) {
    case Layer::Plain:
    case Layer::Recomputed: {
      MuValue sum = g.add(y, x);
      MuValue again = layer == Layer::Plain ? sum : g.add(x, g.matmul(x, w));
      x = g.add(g.mul(sum, again), x);
      break;
    }
    case Layer::Distributed: {
      // y^2 + 2 y x + x^2 + x
      MuValue mixed = g.scale(g.mul(y, x), 2);
      x = g.add(g.add(g.mul(y, y), mixed), g.add(g.mul(x, x), x));
      break;
    }
    case Layer::Wrong: {
      MuValue sum = g.add(y, x);
      x = g.add(g.mul(sum, sum), y);
      break;
    }
    }
  }
  g.results({x});
}

Kind prove(std::initializer_list<Layer> lhs, std::initializer_list<Layer> rhs) {
  GraphBuilder a, b;
  buildLayers(a, lhs);
  buildLayers(b, rhs);
  // The programs as a whole are beyond these, and beyond any.
  ProofOptions options;
  options.maxSteps = 200'000;
  return proveEquivalence(a, b, options).kind;
}

constexpr Layer P = Layer::Plain, D = Layer::Distributed, R = Layer::Recomputed,
                W = Layer::Wrong;

TEST(EqualValues, LargePrograms) {
  EXPECT_EQ(prove({P, P, P, P, P, P}, {P, P, P, P, P, P}), Kind::Proved);
  EXPECT_EQ(prove({P, P, P, P, P, P}, {P, D, P, D, D, P}), Kind::Proved);
  EXPECT_EQ(prove({D, P, P, D, P, P}, {P, D, R, R, D, R}), Kind::Proved);
}

TEST(EqualValues, OneDifferenceIsNoProof) {
  EXPECT_NE(prove({P, P, P, P, P, P}, {W, P, P, P, P, P}), Kind::Proved);
  EXPECT_NE(prove({P, P, P, P, P, P}, {P, P, P, W, P, P}), Kind::Proved);
  EXPECT_NE(prove({P, P, P, P, P, P}, {P, D, P, D, D, W}), Kind::Proved);
  EXPECT_NE(prove({P, P, P, P, P, P}, {P, P, P, P, P}), Kind::Proved);
}

TEST(EqualValues, EqualValuesHaveOneNumber) {
  // x + y twice on one side, once on the other, and x - y.
  GraphBuilder a, b;
  MuValue x = a.argument({4}), y = a.argument({4});
  MuValue first = a.add(x, y), second = a.add(y, x), third = a.sub(x, y);
  a.results({first});
  x = b.argument({4}), y = b.argument({4});
  MuValue difference = b.sub(x, y), sum = b.add(x, y);
  b.results({sum});
  ConstantTables tables;
  MuGraph l = expandToPrimitives(a), r = expandToPrimitives(b);
  Cuts cuts = cutEqualValues(l, r, tables, {});
  EXPECT_EQ(cuts.left.size(), 3u);
  EXPECT_EQ(cuts.left.lookup(first).tensor, cuts.left.lookup(second).tensor);
  EXPECT_EQ(cuts.left.lookup(first).tensor, cuts.right.lookup(sum).tensor);
  EXPECT_EQ(cuts.left.lookup(third).tensor,
            cuts.right.lookup(difference).tensor);
  EXPECT_NE(cuts.left.lookup(first).tensor, cuts.left.lookup(third).tensor);
}

TEST(EqualValues, InputsAndNumbersAreNone) {
  GraphBuilder a;
  MuValue x = a.argument({4, 2});
  a.results({a.add(a.transpose(x, {1, 0}), a.constant(1, 2))});
  ConstantTables tables;
  MuGraph graph = expandToPrimitives(a);
  Cuts cuts = cutEqualValues(graph, graph, tables, {});
  EXPECT_EQ(cuts.left.size(), 1u);
}

TEST(EqualValues, ResultsThatAreMadeAlikeAreEqual) {
  // Chains that are too long for a normal form, with one operator another.
  auto build = [](GraphBuilder &g, int other) {
    MuValue x = g.argument({4}), y = x;
    for (int i = 0; i < 1000; ++i)
      y = i == other ? g.sub(g.exp(y), x) : g.sub(x, g.exp(y));
    g.results({y});
  };
  GraphBuilder f, same;
  build(f, -1);
  build(same, -1);
  EXPECT_EQ(proveEquivalence(f, same).kind, Kind::Proved);
  for (int other : {0, 500, 999}) {
    GraphBuilder g;
    build(g, other);
    EXPECT_NE(proveEquivalence(f, g).kind, Kind::Proved) << other;
  }
}

TEST(EqualValues, InfinitiesAreNoInputs) {
  // x, and x + z - z, beside z = -2 inf: if z were an input, it would cancel.
  auto build = [](GraphBuilder &g, bool isShifted, bool isInside) {
    MuValue x = g.argument({16});
    MuValue z = g.scale(g.constant(-HUGE_VAL, 1), 2);
    if (isInside)
      z = g.mul(z, g.op(OpKind::Exp, {x}));
    g.results({isShifted ? g.sub(g.add(x, z), z) : x, z});
  };
  for (bool isInside : {false, true}) {
    GraphBuilder f, g, same;
    build(f, false, isInside);
    build(g, true, isInside);
    build(same, false, isInside);
    EXPECT_NE(proveEquivalence(f, g).kind, Kind::Proved);
    EXPECT_EQ(proveEquivalence(f, same).kind, Kind::Proved);
  }
}

} // namespace
