//===- LayoutProofTest.cpp - Layouts proved equal, and not ----------------===//
//
// Reshapes, transposes, slices, pads and concatenations, and the maps of blocks
// and threads.
//
//===----------------------------------------------------------------------===//

#include "../ProofExpectations.h"

using namespace mirage;
using namespace mirage::equivalence;

namespace {

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

} // namespace
