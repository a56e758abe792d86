//===- AttentionProofTest.cpp - Norms and attention proved equal, and not -===//
//
// Quotients moved past products, softmax with and without its shift, split
// along keys.
//
//===----------------------------------------------------------------------===//

#include "../ProofExpectations.h"
#include <cmath>

using namespace mirage;
using namespace mirage::equivalence;

namespace {

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

} // namespace
