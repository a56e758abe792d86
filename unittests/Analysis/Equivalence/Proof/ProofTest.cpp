//===- ProofTest.cpp - Functions proved equal, and what ends a proof ------===//
//
// Forms of one function, reasons and limits, and constants.
//
//===----------------------------------------------------------------------===//

#include "../ProofExpectations.h"
#include <cmath>

using namespace mirage;
using namespace mirage::equivalence;

namespace {

TEST(Proof, SigmoidForms) {
  // e / (e + 1) = 1 / (1 + 1 / e)
  expectProved(
      [](GraphBuilder &g) {
        g.results({g.op(OpKind::Sigmoid, {g.argument({4})})});
      },
      [](GraphBuilder &g) {
        MuValue e = g.exp(g.argument({4}));
        g.results({g.div(e, g.add(e, g.constant(1, 1)))});
      });
  // tanh(x) = 2 sigmoid(2 x) - 1
  expectProved(
      [](GraphBuilder &g) {
        g.results({g.op(OpKind::Tanh, {g.argument({4})})});
      },
      [](GraphBuilder &g) {
        MuValue s = g.op(OpKind::Sigmoid, {g.scale(g.argument({4}), 2)});
        g.results({g.sub(g.scale(s, 2), g.constant(1, 1))});
      });
}

TEST(Proof, Functions) {
  auto unary = [](GraphBuilder &g, auto build) {
    g.results({build(g.argument({8}))});
  };
  auto expectEqual = [&](auto lhs, auto rhs) {
    expectProved(
        [&](GraphBuilder &g) {
          unary(g, [&](MuValue x) { return lhs(g, x); });
        },
        [&](GraphBuilder &g) {
          unary(g, [&](MuValue x) { return rhs(g, x); });
        });
  };
  using G = GraphBuilder;
  auto same = [](G &, MuValue x) { return x; };
  expectEqual([](G &g, MuValue x) { return g.op(OpKind::Log, {g.exp(x)}); },
              same);
  expectEqual([](G &g, MuValue x) { return g.exp(g.op(OpKind::Log, {x})); },
              same);
  expectEqual(
      [](G &g, MuValue x) {
        MuValue root = g.op(OpKind::Sqrt, {g.add(x, g.constant(1, 1))});
        return g.mul(root, root);
      },
      [](G &g, MuValue x) { return g.add(x, g.constant(1, 1)); });
  expectEqual(
      [](G &g, MuValue x) { return g.mul(x, g.op(OpKind::Rsqrt, {x})); },
      [](G &g, MuValue x) { return g.op(OpKind::Sqrt, {x}); });
  expectEqual(
      [](G &g, MuValue x) { return g.op(OpKind::Exp2, {g.scale(x, M_LOG2E)}); },
      [](G &g, MuValue x) { return g.exp(x); });
  expectEqual([](G &g, MuValue x) { return g.op(OpKind::Relu, {x}); },
              [](G &g, MuValue x) {
                MuValue zero = g.constant(0, 1);
                OpAttributes greater;
                greater.compareKind = CompareKind::GE;
                MuValue relu = g.op(OpKind::Max, {x, zero});
                return g.op(
                    OpKind::Select,
                    {g.op(OpKind::Compare, {x, x}, greater), relu, zero});
              });
  expectEqual(
      [](G &g, MuValue x) {
        return g.op(OpKind::Min, {x, g.scale(x, 2)});
      },
      [](G &g, MuValue x) {
        return g.scale(g.op(OpKind::Max, {g.scale(x, -2), g.scale(x, -1)}), -1);
      });
  expectNotProved(
      [&](G &g) { unary(g, [&](MuValue x) { return x; }); },
      [&](G &g) {
        unary(g, [&](MuValue x) { return g.op(OpKind::Sqrt, {g.mul(x, x)}); });
      });
}

TEST(Proof, Selects) {
  auto select = [](GraphBuilder &g, CompareKind kind, bool swapped) {
    MuValue a = g.argument({8}), b = g.argument({8});
    OpAttributes attributes;
    attributes.compareKind = kind;
    MuValue c = g.op(OpKind::Compare, {a, b}, attributes);
    MuValue x = g.exp(a), y = g.add(a, b);
    g.results({g.op(OpKind::Select, {c, swapped ? y : x, swapped ? x : y})});
  };
  expectProved([&](GraphBuilder &g) { select(g, CompareKind::LT, false); },
               [&](GraphBuilder &g) { select(g, CompareKind::GE, true); });
  expectProved([&](GraphBuilder &g) { select(g, CompareKind::EQ, false); },
               [&](GraphBuilder &g) { select(g, CompareKind::NE, true); });
  expectDifferent([&](GraphBuilder &g) { select(g, CompareKind::LT, false); },
                  [&](GraphBuilder &g) { select(g, CompareKind::LE, false); });
}

TEST(Proof, Reasons) {
  // An index that is no sum of digits: the second reshape cuts 3 * 4 elements
  // out of rows of 10.
  auto unaligned = [](GraphBuilder &g) {
    MuValue x = g.argument({4, 10});
    MuValue y = g.slice(x, {0, 1}, {4, 9}, {1, 1});
    y = g.reshape(g.reshape(y, {36}), {4, 9});
    y = g.slice(y, {0, 1}, {4, 8}, {1, 1});
    g.results({g.reshape(g.reshape(y, {8, 4}), {2, 16})});
  };
  EXPECT_EQ(prove(unaligned, unaligned).kind, Kind::Proved);
  auto crossing = [](GraphBuilder &g) {
    MuValue y = g.slice(g.reshape(g.argument({4, 10}), {40}), {3}, {30}, {1});
    g.results({g.slice(g.reshape(y, {3, 10}), {0, 0}, {3, 10}, {1, 1})});
  };
  EXPECT_EQ(prove(crossing, crossing).kind, Kind::Proved);
  auto undivided = [](GraphBuilder &g) {
    MuValue y = g.sum(g.argument({10, 4}), 1, false);
    y = g.slice(y, {3}, {6}, {1});
    MuValue z = g.reshape(g.pad(y, {1}, {3}), {5, 2});
    g.results({g.sum(z, 0)});
  };
  ProofResult result = prove(undivided, undivided);
  EXPECT_EQ(result.kind, Kind::Proved) << result.outputs[0].reason;

  ProofOptions few;
  few.maxSteps = 10;
  auto doubled = [](GraphBuilder &g) {
    buildAttention(g);
    g.results({g.scale(g.getRegion().results[0], 2)});
  };
  auto added = [](GraphBuilder &g) {
    buildAttention(g);
    MuValue result = g.getRegion().results[0];
    g.results({g.add(result, result)});
  };
  result = prove(doubled, added, few);
  EXPECT_EQ(result.kind, Kind::Unknown);
  EXPECT_NE(result.outputs[0].reason.find("limit of 10 steps"),
            std::string::npos);
  EXPECT_TRUE(result.outputs[0].location.has_value());

  result = prove([](GraphBuilder &g) { g.results({g.argument({4})}); },
                 [](GraphBuilder &g) { g.results({g.argument({5})}); });
  EXPECT_EQ(result.kind, Kind::Unknown);
  EXPECT_FALSE(result.reason.empty());

  result = prove(
      [](GraphBuilder &g) {
        MuValue a = g.argument({4, 8});
        g.results({g.sum(a, 1)});
      },
      [](GraphBuilder &g) {
        MuValue a = g.argument({4, 8});
        g.results({g.sum(g.exp(a), 1)});
      });
  ASSERT_EQ(result.kind, Kind::Different);
  EXPECT_EQ(result.outputs[0].reason,
            "the left side is\n  sum(k1_0<8: in0[8*i0 + k1_0<8])\n"
            "the right side is\n  sum(k2_0<8: exp(in0[8*i0 + k2_0<8]))");
}

TEST(Proof, LongChainsEnd) {
  // Every value is the input, and each normal form goes back through hundreds
  // of maxima.
  GraphBuilder f, g;
  auto build = [](GraphBuilder &graph, int length) {
    MuValue x = graph.argument({4}), y = x;
    for (int i = 0; i < length; ++i)
      y = graph.op(OpKind::Max, {y, x});
    graph.results({y});
  };
  build(f, 20000);
  build(g, 19999);
  ProofOptions options;
  options.maxSteps = 1'000'000;
  ProofResult result = proveEquivalence(f, g, options);
  EXPECT_NE(result.kind, ProofResult::Kind::Different);
  // One attempt as they are, what they have in common, and another attempt.
  EXPECT_LE(result.steps, 3 * options.maxSteps + 300'000);
}

TEST(Proof, LongCoefficientsEnd) {
  // Each squaring doubles the digits of the coefficients.
  auto build = [](GraphBuilder &g, bool isSum, bool isWrong) {
    MuValue x = g.argument({4}), y = g.argument({4});
    MuValue power = isSum ? g.add(x, y) : g.scale(x, 0.1f);
    for (int i = 0; i < 15; ++i)
      power = g.square(power);
    g.results({isWrong ? g.mul(power, x) : power});
  };
  for (bool isSum : {false, true}) {
    auto right = [&](GraphBuilder &g) { build(g, isSum, false); };
    auto wrong = [&](GraphBuilder &g) { build(g, isSum, true); };
    expectProved(right, right);
    expectNotProved(right, wrong);
  }
}

TEST(Proof, InfinitiesDoNotCancel) {
  GraphBuilder f, g, h;
  double infinity = HUGE_VAL;
  MuValue x = f.argument({4}), y = g.argument({4}), z = h.argument({4});
  f.results({x});
  g.results(
      {g.sub(g.add(y, g.constant(-infinity, 1)), g.constant(-infinity, 1))});
  EXPECT_NE(proveEquivalence(f, g).kind, ProofResult::Kind::Proved);
  // A masked value is equal to itself.
  h.results({h.add(h.constant(-infinity, 1), z)});
  GraphBuilder k;
  MuValue v = k.argument({4});
  k.results({k.add(v, k.constant(-infinity, 1))});
  EXPECT_EQ(proveEquivalence(h, k).kind, ProofResult::Kind::Proved);
}

TEST(Proof, ConstantsAreTakenAsTheyAreFirst) {
  auto build = [](GraphBuilder &g, std::initializer_list<double> factors) {
    MuValue x = g.argument({4}), y = x;
    for (double factor : factors)
      y = g.scale(y, factor);
    g.results({y});
  };
  float ln2 = M_LN2, log2e = M_LOG2E;
  GraphBuilder same, both, identity, product;
  build(same, {ln2, 2});
  build(both, {2, ln2});
  ProofResult result = proveEquivalence(same, both);
  EXPECT_EQ(result.kind, ProofResult::Kind::Proved);
  EXPECT_TRUE(result.named.empty());
  build(identity, {1});
  build(product, {ln2, log2e});
  result = proveEquivalence(identity, product);
  EXPECT_EQ(result.kind, ProofResult::Kind::Proved);
  EXPECT_EQ(result.named, (std::vector<std::string>{"0.693147 for ln(2)",
                                                    "1.4427 for log2(e)"}));
}

} // namespace

TEST(Proof, LongSumsAreKeptTogether) {
  // A sum of 16 inputs, and their products with sums of 16: multiplied out, the
  // cube alone has 816 terms and the next product 13,056.
  auto build = [](GraphBuilder &g, bool isRegrouped, bool isWrong) {
    llvm::SmallVector<MuValue> inputs;
    for (int i = 0; i < 16; ++i)
      inputs.push_back(g.argument({4, 4}));
    auto addAll = [&](bool fromEnd) {
      if (fromEnd)
        std::reverse(inputs.begin(), inputs.end());
      MuValue sum = inputs[0];
      for (int i = 1; i < 16; ++i)
        sum = g.add(sum, inputs[i]);
      return sum;
    };
    MuValue x = addAll(false), y = isRegrouped ? addAll(true) : x;
    MuValue square = g.mul(x, y);
    MuValue fourth =
        isRegrouped ? g.mul(square, square) : g.mul(g.mul(square, y), y);
    if (isWrong)
      fourth = g.mul(fourth, y);
    g.results({g.add(y, g.scale(g.matmul(fourth, y), 0.5))});
  };
  auto written = [&](GraphBuilder &g) { build(g, false, false); };
  auto regrouped = [&](GraphBuilder &g) { build(g, true, false); };
  auto wrong = [&](GraphBuilder &g) { build(g, true, true); };
  ProofOptions options;
  options.maxSteps = 40'000;
  ProofResult result = prove(written, regrouped, options);
  EXPECT_EQ(result.kind, Kind::Proved) << result.reason;
  EXPECT_LE(result.steps, 10'000u);
  options.longestFactor = 16;
  EXPECT_NE(prove(written, regrouped, options).kind, Kind::Proved);
  expectNotProved(written, wrong);
}

TEST(Proof, SumsThatOneSideMultipliesOut) {
  // The first attempts keep (a + ... + i) (j + ... + r) together, and the other
  // program has 81 products.
  auto build = [](GraphBuilder &g, bool isMultipliedOut, bool isWrong) {
    llvm::SmallVector<MuValue> a, b;
    for (int i = 0; i < 9; ++i) {
      a.push_back(g.argument({4}));
      b.push_back(g.argument({4}));
    }
    std::optional<MuValue> sum;
    auto addTo = [&](std::optional<MuValue> &to, MuValue term) {
      to = to ? g.add(*to, term) : term;
    };
    if (isMultipliedOut) {
      for (int i = 0; i < 9; ++i)
        for (int k = 0; k < 9; ++k)
          addTo(sum, g.mul(a[i], isWrong && i == k ? b[0] : b[k]));
    } else {
      std::optional<MuValue> left, right;
      for (int i = 0; i < 9; ++i) {
        addTo(left, a[i]);
        addTo(right, b[i]);
      }
      sum = g.mul(*left, *right);
    }
    g.results({*sum});
  };
  auto product = [&](GraphBuilder &g) { build(g, false, false); };
  auto terms = [&](GraphBuilder &g) { build(g, true, false); };
  auto wrong = [&](GraphBuilder &g) { build(g, true, true); };
  expectProved(product, terms);
  expectDifferent(product, wrong);
}
