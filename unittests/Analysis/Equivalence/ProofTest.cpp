//===- ProofTest.cpp - Programs proved equal, and not ---------------------===//

#include "Mirage/Analysis/Equivalence/Proof.h"
#include "../../GraphBuilder.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mirage;

namespace {

using Kind = ProofResult::Kind;
using Build = llvm::function_ref<void(GraphBuilder &)>;

ProofResult prove(Build lhs, Build rhs, const ProofOptions &options = {}) {
  GraphBuilder a, b;
  lhs(a);
  rhs(b);
  return proveEquivalence(a, b, options);
}

void expectProved(Build lhs, Build rhs) {
  ProofResult result = prove(lhs, rhs);
  EXPECT_EQ(result.kind, Kind::Proved) << result.reason;
  for (const ProofResult::Output &output : result.outputs)
    EXPECT_EQ(output.kind, Kind::Proved) << output.reason;
}

void expectDifferent(Build lhs, Build rhs) {
  ProofResult result = prove(lhs, rhs);
  EXPECT_EQ(result.kind, Kind::Different)
      << (result.outputs.empty() ? result.reason : result.outputs[0].reason);
}

void expectNotProved(Build lhs, Build rhs) {
  EXPECT_NE(prove(lhs, rhs).kind, Kind::Proved);
}

void buildMatmul(GraphBuilder &g) {
  MuValue a = g.argument({64, 256}), b = g.argument({256, 96});
  g.results({g.matmul(a, b)});
}

/// Blocks of `grid`, `iterations` of a loop over the contraction.
void buildTiledMatmul(GraphBuilder &g, int64_t gridX, int64_t gridY,
                      int64_t iterations) {
  MuValue a = g.argument({64, 256}), b = g.argument({256, 96});
  RegionBuilder block = g.body();
  MuValue ba = block.argument({64, 256}), bb = block.argument({256, 96});
  RegionBuilder loop = block.body();
  MuValue at = loop.load(ba, {0, kReplica}, {gridX, gridY}, {1}, {iterations});
  MuValue bt = loop.load(bb, {kReplica, 1}, {gridX, gridY}, {0}, {iterations});
  MuValue product = loop.matmul(at, bt);
  loop.results({loop.accumulate(AccumulateKind::Sum, product, iterations)});
  MuValue c = block.loop(iterations, loop)[0];
  block.results({block.store(c, {0, 1}, {gridX, gridY})});
  g.results({g.launch({a, b}, {gridX, gridY}, block)[0]});
}

TEST(Proof, TiledMatmul) {
  expectProved(buildMatmul,
               [](GraphBuilder &g) { buildTiledMatmul(g, 4, 6, 8); });
  expectProved([](GraphBuilder &g) { buildTiledMatmul(g, 2, 3, 4); },
               [](GraphBuilder &g) { buildTiledMatmul(g, 8, 2, 16); });
}

/// Each block multiplies a part of the contraction; z of the grid is summed.
void buildSplitK(GraphBuilder &g, MapEntry reduction) {
  MuValue a = g.argument({64, 256}), b = g.argument({256, 96});
  RegionBuilder block = g.body();
  MuValue ba = block.argument({64, 256}), bb = block.argument({256, 96});
  MuValue at = block.load(ba, {0, 1}, {2, 8});
  MuValue bt = block.load(bb, {kReplica, 0}, {2, 8});
  MuValue product = block.matmul(at, bt);
  block.results({block.store(product, {0, reduction}, {2, 8})});
  g.results({g.launch({a, b}, {2, 8}, block)[0]});
}

TEST(Proof, SplitK) {
  expectProved(buildMatmul,
               [](GraphBuilder &g) { buildSplitK(g, kReduceSum); });
  expectDifferent(buildMatmul,
                  [](GraphBuilder &g) { buildSplitK(g, kReduceMax); });
}

TEST(Proof, MismatchedContraction) {
  // The left operand's parts come in another order than the right one's.
  expectDifferent(buildMatmul, [](GraphBuilder &g) {
    MuValue a = g.argument({64, 256}), b = g.argument({256, 96});
    RegionBuilder block = g.body();
    MuValue ba = block.argument({64, 256}), bb = block.argument({256, 96});
    RegionBuilder loop = block.body();
    // z of the grid divides one operand first, the loop the other.
    MuValue at = loop.load(ba, {1}, {4}, {1}, {8});
    MuValue reshaped =
        loop.reshape(loop.load(bb, {kReplica}, {4}, {0}, {8}), {4, 8, 96});
    MuValue part = loop.slice(reshaped, {0, 0, 0}, {1, 8, 96}, {1, 1, 1});
    MuValue product = loop.matmul(at, loop.reshape(part, {8, 96}));
    loop.results({loop.accumulate(AccumulateKind::Sum, product, 8)});
    MuValue c = block.loop(8, loop)[0];
    block.results({block.store(c, {kReduceSum}, {4})});
    g.results({g.launch({a, b}, {4}, block)[0]});
  });
}

TEST(Proof, Reassociation) {
  auto three = [](GraphBuilder &g, auto build) {
    MuValue a = g.argument({4, 8}), b = g.argument({8, 16}),
            c = g.argument({16, 6});
    g.results({build(a, b, c)});
  };
  expectProved(
      [&](GraphBuilder &g) {
        three(g, [&](MuValue a, MuValue b, MuValue c) {
          return g.matmul(a, g.matmul(b, c));
        });
      },
      [&](GraphBuilder &g) {
        three(g, [&](MuValue a, MuValue b, MuValue c) {
          return g.matmul(g.matmul(a, b), c);
        });
      });
}

TEST(Proof, Distribution) {
  auto three = [](GraphBuilder &g, auto build) {
    MuValue a = g.argument({4, 8}), b = g.argument({4, 8}),
            c = g.argument({8, 6});
    g.results({build(a, b, c)});
  };
  expectProved(
      [&](GraphBuilder &g) {
        three(g, [&](MuValue a, MuValue b, MuValue c) {
          return g.matmul(g.add(a, b), c);
        });
      },
      [&](GraphBuilder &g) {
        three(g, [&](MuValue a, MuValue b, MuValue c) {
          return g.add(g.matmul(b, c), g.matmul(a, c));
        });
      });
  expectDifferent(
      [&](GraphBuilder &g) {
        three(g, [&](MuValue a, MuValue b, MuValue c) {
          return g.matmul(g.add(a, b), c);
        });
      },
      [&](GraphBuilder &g) {
        three(g, [&](MuValue a, MuValue b, MuValue c) {
          return g.sub(g.matmul(b, c), g.matmul(a, c));
        });
      });
}

TEST(Proof, Lora) {
  auto arguments = [](GraphBuilder &g) {
    return std::array<MuValue, 4>{g.argument({16, 64}), g.argument({64, 32}),
                                  g.argument({64, 8}), g.argument({8, 32})};
  };
  expectProved(
      [&](GraphBuilder &g) {
        auto [x, w, a, b] = arguments(g);
        g.results({g.add(g.matmul(x, w), g.matmul(g.matmul(x, a), b))});
      },
      [&](GraphBuilder &g) {
        auto [x, w, a, b] = arguments(g);
        MuValue xa = g.matmul(x, a);
        g.results({g.op(OpKind::ConcatMatmul, {x, xa, w, b})});
      });
  expectProved(
      [&](GraphBuilder &g) {
        auto [x, w, a, b] = arguments(g);
        g.results({g.add(g.matmul(x, w), g.matmul(g.matmul(x, a), b))});
      },
      [&](GraphBuilder &g) {
        auto [x, w, a, b] = arguments(g);
        MuValue left = g.concat({x, g.matmul(x, a)}, 1);
        g.results({g.matmul(left, g.concat({w, b}, 0))});
      });
}

void buildRmsNorm(GraphBuilder &g) {
  MuValue x = g.argument({16, 1024}), weight = g.argument({1024}),
          w = g.argument({1024, 256});
  OpAttributes attributes;
  attributes.hasWeight = true;
  attributes.scalar = 1e-5;
  MuValue normalized = g.op(OpKind::RmsNorm, {x, weight}, attributes);
  g.results({g.matmul(normalized, w)});
}

/// The division moved past the product, which runs along with the sum of
/// squares.
void buildFusedRmsNorm(GraphBuilder &g, double epsilon) {
  MuValue x = g.argument({16, 1024}), weight = g.argument({1024}),
          w = g.argument({1024, 256});
  MuValue row = g.reshape(weight, {1, 1024});
  RegionBuilder block = g.body();
  MuValue bx = block.argument({16, 1024}), bweight = block.argument({1, 1024}),
          bw = block.argument({1024, 256});
  RegionBuilder loop = block.body();
  MuValue xt = loop.load(bx, {kReplica}, {8}, {1}, {16});
  MuValue rt = loop.load(bweight, {kReplica}, {8}, {1}, {16});
  MuValue wt = loop.load(bw, {1}, {8}, {0}, {16});
  MuValue product = loop.matmul(loop.mul(xt, rt), wt);
  MuValue squares = loop.sum(loop.mul(xt, xt), 1);
  loop.results({loop.accumulate(AccumulateKind::Sum, product, 16),
                loop.accumulate(AccumulateKind::Sum, squares, 16)});
  auto sums = block.loop(16, loop);
  MuValue mean = block.div(sums[1], block.constant(1024, 2));
  MuValue norm =
      block.op(OpKind::Sqrt, {block.add(mean, block.constant(epsilon, 2))});
  block.results({block.store(block.div(sums[0], norm), {1}, {8})});
  g.results({g.launch({x, row, w}, {8}, block)[0]});
}

TEST(Proof, RmsNorm) {
  expectProved(buildRmsNorm,
               [](GraphBuilder &g) { buildFusedRmsNorm(g, 1e-5); });
  expectDifferent(buildRmsNorm,
                  [](GraphBuilder &g) { buildFusedRmsNorm(g, 1e-6); });
}

TEST(Proof, LayerNorm) {
  // The variance is the mean square minus the square of the mean.
  auto shifted = [](GraphBuilder &g, double factor) {
    MuValue x = g.argument({16, 96});
    MuValue n = g.constant(96, 2);
    MuValue mean = g.div(g.sum(x, 1), n);
    MuValue square = g.div(g.sum(g.mul(x, x), 1), n);
    MuValue variance = g.sub(square, g.scale(g.mul(mean, mean), factor));
    MuValue root = g.op(OpKind::Sqrt, {g.add(variance, g.constant(1e-5, 2))});
    g.results({g.div(g.sub(x, mean), root)});
  };
  auto plain = [](GraphBuilder &g) {
    OpAttributes attributes;
    attributes.scalar = 1e-5;
    g.results({g.op(OpKind::LayerNorm, {g.argument({16, 96})}, attributes)});
  };
  expectProved(plain, [&](GraphBuilder &g) { shifted(g, 1); });
  expectDifferent(plain, [&](GraphBuilder &g) { shifted(g, 2); });
}

TEST(Proof, SoftmaxWithoutShift) {
  expectProved(
      [](GraphBuilder &g) { g.results({g.softmax(g.argument({4, 64}), 1)}); },
      [](GraphBuilder &g) {
        MuValue e = g.exp(g.argument({4, 64}));
        g.results({g.div(e, g.sum(e, 1))});
      });
  expectDifferent(
      [](GraphBuilder &g) { g.results({g.softmax(g.argument({4, 4}), 1)}); },
      [](GraphBuilder &g) { g.results({g.softmax(g.argument({4, 4}), 0)}); });
  // Rows of probabilities sum to one.
  expectProved(
      [](GraphBuilder &g) {
        g.results({g.sum(g.softmax(g.argument({4, 64}), 1), 1)});
      },
      [](GraphBuilder &g) {
        MuValue x = g.argument({4, 64});
        MuValue zero = g.sum(g.sub(x, x), 1);
        g.results({g.add(zero, g.constant(1, 2))});
      });
}

void buildAttention(GraphBuilder &g) {
  MuValue q = g.argument({2, 256, 64}), k = g.argument({2, 64, 4096}),
          v = g.argument({2, 4096, 64});
  g.results({g.matmul(g.softmax(g.matmul(q, k), 2), v)});
}

/// examples/gqa.mlir. `wrong` leaves out one of the rescalings.
void buildSplitAttention(GraphBuilder &g, bool wrong = false) {
  MuValue q = g.argument({2, 256, 64}), k = g.argument({2, 64, 4096}),
          v = g.argument({2, 4096, 64});
  RegionBuilder first = g.body();
  MuValue qa = first.argument({2, 256, 64}), ka = first.argument({2, 64, 4096}),
          va = first.argument({2, 4096, 64});
  MuValue qt = first.load(qa, {0, 1, kReplica}, {2, 4, 16});
  RegionBuilder loop = first.body();
  MuValue kt = loop.load(ka, {0, kReplica, 2}, {2, 4, 16}, {2}, {4});
  MuValue vt = loop.load(va, {0, kReplica, 1}, {2, 4, 16}, {1}, {4});
  MuValue s = loop.matmul(qt, kt);
  MuValue m = loop.max(s, 2);
  MuValue e = loop.exp(loop.sub(s, m));
  MuValue d = loop.sum(e, 2), n = loop.matmul(e, vt);
  loop.results({loop.accumulate(wrong ? AccumulateKind::Sum
                                      : AccumulateKind::RescaledSum,
                                n, 4, wrong ? std::nullopt : std::optional(m)),
                loop.accumulate(AccumulateKind::RescaledSum, d, 4, m),
                loop.accumulate(AccumulateKind::Max, m, 4)});
  auto sums = first.loop(4, loop);
  MuValue ns = first.store(first.reshape(sums[0], {1, 1, 64, 64}), {1, 2, 0},
                           {2, 4, 16}),
          ds = first.store(first.reshape(sums[1], {1, 1, 64, 1}), {1, 2, 0},
                           {2, 4, 16}),
          ms = first.store(first.reshape(sums[2], {1, 1, 64, 1}), {1, 2, 0},
                           {2, 4, 16});
  first.results({ns, ds, ms});
  auto parts = g.launch({q, k, v}, {2, 4, 16}, first);
  RegionBuilder second = g.body();
  MuValue na = second.argument({16, 2, 256, 64}),
          da = second.argument({16, 2, 256, 1}),
          ma = second.argument({16, 2, 256, 1});
  MuValue nt = second.load(na, {1, 2}, {2, 64}),
          dt = second.load(da, {1, 2}, {2, 64}),
          mt = second.load(ma, {1, 2}, {2, 64});
  MuValue w = second.exp(second.sub(mt, second.max(mt, 0)));
  MuValue numerator = second.sum(second.mul(nt, w), 0, false),
          denominator = second.sum(second.mul(dt, w), 0, false);
  MuValue o = second.div(numerator, denominator);
  second.results({second.store(o, {0, 1}, {2, 64})});
  g.results({g.launch({parts[0], parts[1], parts[2]}, {2, 64}, second)[0]});
}

TEST(Proof, SplitAttention) {
  expectProved(buildAttention, [](GraphBuilder &g) { buildSplitAttention(g); });
  expectDifferent(buildAttention,
                  [](GraphBuilder &g) { buildSplitAttention(g, true); });
}

/// Attention with scaled and masked scores, in one kernel over tiles of keys.
void buildMaskedAttention(GraphBuilder &g, int64_t tiles, bool isOnline) {
  MuValue q = g.argument({64, 32}), k = g.argument({128, 32}),
          v = g.argument({128, 32}), mask = g.argument({64, 128});
  auto score = [](RegionBuilder &b, MuValue q, MuValue k, MuValue mask) {
    MuValue s = b.scale(b.matmul(q, k, false, true), 1 / std::sqrt(32.0));
    MuValue hidden = b.constant(-std::numeric_limits<double>::infinity(), 2);
    return b.op(OpKind::Select, {mask, s, hidden});
  };
  if (!isOnline) {
    MuValue p = g.softmax(score(g, q, k, mask), 1);
    g.results({g.matmul(p, v)});
    return;
  }
  RegionBuilder block = g.body();
  MuValue bq = block.argument({64, 32}), bk = block.argument({128, 32}),
          bv = block.argument({128, 32}), bm = block.argument({64, 128});
  MuValue qt = block.load(bq, {0}, {4});
  RegionBuilder loop = block.body();
  MuValue kt = loop.load(bk, {kReplica}, {4}, {0}, {tiles}),
          vt = loop.load(bv, {kReplica}, {4}, {0}, {tiles}),
          mt = loop.load(bm, {0}, {4}, {1}, {tiles});
  MuValue s = score(loop, qt, kt, mt);
  MuValue m = loop.max(s, 1);
  MuValue e = loop.exp(loop.sub(s, m));
  loop.results(
      {loop.accumulate(AccumulateKind::RescaledSum, loop.matmul(e, vt), tiles,
                       m),
       loop.accumulate(AccumulateKind::RescaledSum, loop.sum(e, 1), tiles, m)});
  auto sums = block.loop(tiles, loop);
  block.results({block.store(block.div(sums[0], sums[1]), {0}, {4})});
  g.results({g.launch({q, k, v, mask}, {4}, block)[0]});
}

TEST(Proof, MaskedAttention) {
  auto plain = [](GraphBuilder &g) { buildMaskedAttention(g, 1, false); };
  for (int64_t tiles : {1, 2, 8})
    expectProved(
        plain, [&](GraphBuilder &g) { buildMaskedAttention(g, tiles, true); });
}

TEST(Proof, AttentionSplitAlongTheContraction) {
  // Exponentials of partial scores must not be added.
  expectNotProved(buildAttention, [](GraphBuilder &g) {
    MuValue q = g.argument({2, 256, 64}), k = g.argument({2, 64, 4096}),
            v = g.argument({2, 4096, 64});
    RegionBuilder block = g.body();
    MuValue qa = block.argument({2, 256, 64}),
            ka = block.argument({2, 64, 4096});
    RegionBuilder loop = block.body();
    MuValue qt = loop.load(qa, {0}, {2}, {2}, {4});
    MuValue kt = loop.load(ka, {0}, {2}, {1}, {4});
    MuValue e = loop.exp(loop.matmul(qt, kt));
    loop.results({loop.accumulate(AccumulateKind::Sum, e, 4)});
    MuValue sum = block.loop(4, loop)[0];
    block.results({block.store(sum, {0}, {2})});
    MuValue e2 = g.launch({q, k}, {2}, block)[0];
    MuValue p = g.div(e2, g.sum(e2, 2));
    g.results({g.matmul(p, v)});
  });
}

TEST(Proof, GatedMlp) {
  auto arguments = [](GraphBuilder &g) {
    return std::array<MuValue, 3>{g.argument({8, 128}), g.argument({128, 64}),
                                  g.argument({128, 64})};
  };
  auto plain = [&](GraphBuilder &g) {
    auto [x, w1, w2] = arguments(g);
    MuValue gate = g.op(OpKind::Silu, {g.matmul(x, w1)});
    g.results({g.mul(gate, g.matmul(x, w2))});
  };
  auto fused = [&](GraphBuilder &g, bool swapped) {
    auto [x, w1, w2] = arguments(g);
    RegionBuilder block = g.body();
    MuValue bx = block.argument({8, 128}), b1 = block.argument({128, 64}),
            b2 = block.argument({128, 64});
    RegionBuilder loop = block.body();
    MuValue xt = loop.load(bx, {kReplica}, {4}, {1}, {4});
    MuValue t1 = loop.load(b1, {1}, {4}, {0}, {4});
    MuValue t2 = loop.load(b2, {1}, {4}, {0}, {4});
    loop.results(
        {loop.accumulate(AccumulateKind::Sum, loop.matmul(xt, t1), 4),
         loop.accumulate(AccumulateKind::Sum, loop.matmul(xt, t2), 4)});
    auto sums = block.loop(4, loop);
    MuValue a = sums[swapped], b = sums[!swapped];
    // a / (1 + exp(-a)) * b
    MuValue sigmoid =
        block.add(block.exp(block.scale(a, -1)), block.constant(1, 2));
    block.results({block.store(block.div(block.mul(a, b), sigmoid), {1}, {4})});
    g.results({g.launch({x, w1, w2}, {4}, block)[0]});
  };
  expectProved(plain, [&](GraphBuilder &g) { fused(g, false); });
  expectDifferent(plain, [&](GraphBuilder &g) { fused(g, true); });
}

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

TEST(Proof, LayoutRoundTrips) {
  auto identity = [](GraphBuilder &g) { g.results({g.argument({6, 4, 10})}); };
  expectProved(identity, [](GraphBuilder &g) {
    MuValue x = g.argument({6, 4, 10});
    MuValue y = g.reshape(g.transpose(x, {2, 0, 1}), {5, 2, 24});
    y = g.transpose(g.reshape(y, {10, 6, 4}), {1, 2, 0});
    g.results({g.reshape(g.reshape(y, {3, 80}), {6, 4, 10})});
  });
  expectDifferent(identity, [](GraphBuilder &g) {
    MuValue x = g.argument({6, 4, 10});
    MuValue y = g.reshape(g.transpose(x, {1, 0, 2}), {2, 2, 6, 10});
    g.results({g.reshape(g.transpose(y, {1, 0, 2, 3}), {6, 4, 10})});
  });
  // Tiles of 2 * 3 are not tiles of 3 * 2.
  expectNotProved(
      [](GraphBuilder &g) {
        MuValue x = g.argument({6});
        g.results({g.transpose(g.reshape(x, {2, 3}), {1, 0})});
      },
      [](GraphBuilder &g) { g.results({g.reshape(g.argument({6}), {3, 2})}); });
}

TEST(Proof, UnalignedDigits) {
  auto sumOfTiles = [](GraphBuilder &g, int64_t first) {
    MuValue x = g.argument({6}), y = g.argument({6});
    MuValue tiles = g.reshape(x, {first, 6 / first});
    MuValue flipped = g.reshape(g.transpose(tiles, {1, 0}), {6});
    g.results({g.sum(g.mul(flipped, y), 0)});
  };
  expectNotProved([&](GraphBuilder &g) { sumOfTiles(g, 2); },
                  [&](GraphBuilder &g) { sumOfTiles(g, 3); });
  // Digits of both in one sum.
  auto both = [](GraphBuilder &g, bool order) {
    MuValue x = g.argument({6}), y = g.argument({6});
    auto flip = [&](MuValue a, int64_t first) {
      MuValue tiles = g.reshape(a, {first, 6 / first});
      return g.reshape(g.transpose(tiles, {1, 0}), {6});
    };
    MuValue a = flip(x, 2), b = flip(y, 3);
    g.results({g.sum(order ? g.mul(a, b) : g.mul(b, a), 0)});
  };
  expectProved([&](GraphBuilder &g) { both(g, true); },
               [&](GraphBuilder &g) { both(g, false); });
}

TEST(Proof, GroupReductions) {
  auto adjacent = [](GraphBuilder &g) {
    g.results({g.sum(g.argument({4, 32}), 1, false, 8)});
  };
  expectProved(adjacent, [](GraphBuilder &g) {
    MuValue x = g.reshape(g.argument({4, 32}), {4, 4, 8});
    g.results({g.sum(x, 2, false)});
  });
  expectDifferent(adjacent, [](GraphBuilder &g) {
    MuValue x = g.reshape(g.argument({4, 32}), {4, 8, 4});
    g.results({g.sum(x, 1, false)});
  });
  expectProved(
      [](GraphBuilder &g) {
        MuValue x = g.sum(g.argument({4, 32}), 1, false, 8);
        g.results({g.sum(x, 1)});
      },
      [](GraphBuilder &g) { g.results({g.sum(g.argument({4, 32}), 1)}); });
}

TEST(Proof, PermutedOutputs) {
  auto two = [](GraphBuilder &g, bool swapped) {
    MuValue a = g.argument({8, 8}), b = g.argument({8, 8});
    MuValue x = g.matmul(a, b), y = g.matmul(b, a);
    if (swapped)
      std::swap(x, y);
    g.results({x, y});
  };
  expectProved([&](GraphBuilder &g) { two(g, false); },
               [&](GraphBuilder &g) { two(g, false); });
  expectDifferent([&](GraphBuilder &g) { two(g, false); },
                  [&](GraphBuilder &g) { two(g, true); });
  expectDifferent([](GraphBuilder &g) { g.results({g.argument({8, 8})}); },
                  [](GraphBuilder &g) {
                    g.results({g.transpose(g.argument({8, 8}), {1, 0})});
                  });
  // A^T B is not B^T A but its transpose.
  expectProved(
      [](GraphBuilder &g) {
        MuValue a = g.argument({4, 8}), b = g.argument({4, 8});
        g.results({g.matmul(a, b, false, true)});
      },
      [](GraphBuilder &g) {
        MuValue a = g.argument({4, 8}), b = g.argument({4, 8});
        g.results({g.transpose(g.matmul(b, a, false, true), {1, 0})});
      });
}

TEST(Proof, ThreadGraphs) {
  expectProved(
      [](GraphBuilder &g) {
        MuValue x = g.argument({64, 32});
        g.results({g.exp(g.add(x, x))});
      },
      [](GraphBuilder &g) {
        MuValue x = g.argument({64, 32});
        RegionBuilder block = g.body();
        MuValue bx = block.argument({64, 32});
        RegionBuilder loop = block.body();
        MuValue xt = loop.load(bx, {0}, {4}, {1}, {2});
        RegionBuilder thread = loop.body();
        MuValue tx = thread.argument({16, 16});
        MuValue part = thread.load(tx, {1, 0}, {8, 4});
        thread.results(
            {thread.store(thread.exp(thread.add(part, part)), {1, 0}, {8, 4})});
        MuValue y = loop.launch({xt}, {8, 4}, thread)[0];
        loop.results(
            {loop.accumulate(AccumulateKind::Concat, y, 2, std::nullopt, 1)});
        MuValue row = block.loop(2, loop)[0];
        block.results({block.store(row, {0}, {4})});
        g.results({g.launch({x}, {4}, block)[0]});
      });
}

TEST(Proof, NestedLoops) {
  expectProved(buildMatmul, [](GraphBuilder &g) {
    MuValue a = g.argument({64, 256}), b = g.argument({256, 96});
    RegionBuilder block = g.body();
    MuValue ba = block.argument({64, 256}), bb = block.argument({256, 96});
    RegionBuilder outer = block.body();
    RegionBuilder inner = outer.body();
    // The outer loop goes over columns, the inner one over the contraction.
    MuValue at = inner.load(ba, {0}, {4}, {kReplica, 1}, {3, 8});
    MuValue bt = inner.load(bb, {kReplica}, {4}, {1, 0}, {3, 8});
    inner.results(
        {inner.accumulate(AccumulateKind::Sum, inner.matmul(at, bt), 8)});
    MuValue c = outer.loop(8, inner)[0];
    outer.results(
        {outer.accumulate(AccumulateKind::Concat, c, 3, std::nullopt, 1)});
    MuValue row = block.loop(3, outer)[0];
    block.results({block.store(row, {0}, {4})});
    g.results({g.launch({a, b}, {4}, block)[0]});
  });
}

TEST(Proof, PaddingAndConcatenation) {
  // What is padded and cut off again.
  expectProved([](GraphBuilder &g) { g.results({g.argument({5, 7})}); },
               [](GraphBuilder &g) {
                 MuValue x = g.pad(g.argument({5, 7}), {1, 0}, {2, 1});
                 g.results({g.slice(x, {1, 0}, {5, 7}, {1, 1})});
               });
  // Zeros do not change a sum.
  expectProved(
      [](GraphBuilder &g) { g.results({g.sum(g.argument({5, 7}), 1)}); },
      [](GraphBuilder &g) {
        MuValue x = g.pad(g.argument({5, 7}), {0, 3}, {0, 6});
        g.results({g.sum(x, 1)});
      });
  expectProved(
      [](GraphBuilder &g) { g.results({g.softmax(g.argument({5, 7}), 1)}); },
      [](GraphBuilder &g) {
        MuValue x = g.pad(g.argument({5, 7}), {0, 0}, {0, 1},
                          -std::numeric_limits<double>::infinity());
        g.results({g.slice(g.softmax(x, 1), {0, 0}, {5, 7}, {1, 1})});
      });
  auto two = [](GraphBuilder &g, auto build) {
    MuValue a = g.argument({4, 6}), b = g.argument({4, 10});
    g.results({build(a, b)});
  };
  expectProved(
      [&](GraphBuilder &g) {
        two(g,
            [&](MuValue a, MuValue b) { return g.exp(g.concat({a, b}, 1)); });
      },
      [&](GraphBuilder &g) {
        two(g, [&](MuValue a, MuValue b) {
          return g.concat({g.exp(a), g.exp(b)}, 1);
        });
      });
  expectDifferent(
      [&](GraphBuilder &g) {
        two(g, [&](MuValue a, MuValue b) { return g.concat({a, b}, 1); });
      },
      [&](GraphBuilder &g) {
        two(g, [&](MuValue a, MuValue b) { return g.concat({b, a}, 1); });
      });
  // A padding is a concatenation with zeros.
  expectProved(
      [](GraphBuilder &g) {
        g.results({g.pad(g.argument({4, 6}), {0, 2}, {0, 0})});
      },
      [](GraphBuilder &g) {
        MuValue x = g.argument({4, 6});
        OpAttributes zeros;
        zeros.resultShape = {4, 2};
        zeros.values = std::make_shared<const std::vector<double>>(8, 0.0);
        g.results({g.concat({g.op(OpKind::Constant, {}, zeros), x}, 1)});
      });
}

TEST(Proof, Convolution) {
  auto convolve = [](GraphBuilder &g, MuValue x, MuValue w, int64_t padding) {
    OpAttributes attributes;
    attributes.convStrides = {1, 1};
    attributes.convDilations = {1, 1};
    attributes.convPadding.assign(4, padding);
    return g.op(OpKind::Conv2d, {x, w}, attributes);
  };
  // A filter of one tap is a product.
  expectProved(
      [&](GraphBuilder &g) {
        MuValue x = g.argument({2, 8, 6, 6}), w = g.argument({4, 8, 1, 1});
        g.results({convolve(g, x, w, 0)});
      },
      [](GraphBuilder &g) {
        MuValue x = g.argument({2, 8, 6, 6}), w = g.argument({4, 8, 1, 1});
        MuValue product =
            g.matmul(g.reshape(w, {1, 4, 8}), g.reshape(x, {2, 8, 36}));
        g.results({g.reshape(product, {2, 4, 6, 6})});
      });
  // Convolutions are linear, also with padding.
  expectProved(
      [&](GraphBuilder &g) {
        MuValue x = g.argument({1, 2, 6, 6}), y = g.argument({1, 2, 6, 6}),
                w = g.argument({4, 2, 3, 3});
        g.results({convolve(g, g.add(x, y), w, 1)});
      },
      [&](GraphBuilder &g) {
        MuValue x = g.argument({1, 2, 6, 6}), y = g.argument({1, 2, 6, 6}),
                w = g.argument({4, 2, 3, 3});
        g.results({g.add(convolve(g, y, w, 1), convolve(g, x, w, 1))});
      });
  // Padding may come first.
  expectProved(
      [&](GraphBuilder &g) {
        MuValue x = g.argument({1, 2, 6, 6}), w = g.argument({4, 2, 3, 3});
        g.results({convolve(g, x, w, 1)});
      },
      [&](GraphBuilder &g) {
        MuValue x = g.argument({1, 2, 6, 6}), w = g.argument({4, 2, 3, 3});
        MuValue padded = g.pad(x, {0, 0, 1, 1}, {0, 0, 1, 1});
        g.results({convolve(g, padded, w, 0)});
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
      [](G &g, MuValue x) { return g.op(OpKind::Min, {x, g.scale(x, 2)}); },
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
  result = prove(buildAttention, buildAttention, few);
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
