//===- ProductProofTest.cpp - Products of matrices proved equal, and not --===//
//
// Tiled, split, reassociated, distributed; convolutions.
//
//===----------------------------------------------------------------------===//

#include "../ProofExpectations.h"

using namespace mirage;
using namespace mirage::equivalence;

namespace {

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

} // namespace
