//===- HiddenTilesTest.cpp - Masks of every kind that hide whole tiles ----===//
//
// Softmax over masked scores in tiles, contiguous or strided, relative to each
// tile's maximum, which is no number where all of a tile is hidden, or to no
// less than a finite one. Masks come from arguments on many ways; the verifier
// knows none of these.
//
//===----------------------------------------------------------------------===//

#include "../../../GraphBuilder.h"
#include "Mirage/Analysis/Equivalence/Floats/FloatingPoint.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mirage;
using namespace mirage::equivalence;

namespace {

constexpr int64_t kRows = 4, kKeys = 64;
using Mask = MuValue (*)(GraphBuilder &, MuValue);

OpAttributes getCompare(CompareKind kind) {
  OpAttributes attributes;
  attributes.compareKind = kind;
  return attributes;
}
MuValue compare(GraphBuilder &g, CompareKind kind, MuValue a, double b) {
  return g.op(OpKind::Compare, {a, g.constant(b, 2)}, getCompare(kind));
}
MuValue log(GraphBuilder &g, MuValue a) { return g.op(OpKind::Log, {a}); }
MuValue oneMinus(GraphBuilder &g, MuValue a) {
  return g.sub(g.constant(1, 2), a);
}
/// The scores where the condition holds, else -inf.
MuValue keep(GraphBuilder &g, MuValue condition, MuValue scores) {
  return g.op(OpKind::Select, {condition, scores, g.constant(-HUGE_VAL, 2)});
}

struct NamedMask {
  const char *name;
  Mask apply;
};
const NamedMask kMasks[] = {
    {"added to a row",
     [](GraphBuilder &g, MuValue s) {
       return g.add(s, g.argument({1, kKeys}));
     }},
    {"added to all rows",
     [](GraphBuilder &g, MuValue s) {
       return g.add(s, g.argument({kRows, kKeys}));
     }},
    {"flat",
     [](GraphBuilder &g, MuValue s) {
       return g.add(s, g.reshape(g.argument({kRows * kKeys}), {kRows, kKeys}));
     }},
    {"times a temperature",
     [](GraphBuilder &g, MuValue s) {
       return g.mul(g.add(s, g.argument({1, kKeys})), g.argument({kRows, 1}));
     }},
    {"behind other thresholds",
     [](GraphBuilder &g, MuValue s) {
       MuValue m = g.argument({1, kKeys});
       for (double threshold : {1.0, 2.0, 4.0, 8.0})
         s = g.add(s, compare(g, CompareKind::GT, m, threshold));
       return keep(g, compare(g, CompareKind::GT, m, -100), s);
     }},
    {"product of paddings",
     [](GraphBuilder &g, MuValue s) {
       MuValue m = g.mul(g.argument({kRows, 1}), g.argument({1, kKeys}));
       return keep(g, compare(g, CompareKind::NE, m, 0), s);
     }},
    {"by magnitude",
     [](GraphBuilder &g, MuValue s) {
       MuValue m = g.op(OpKind::Abs, {g.argument({1, kKeys})});
       return keep(g, compare(g, CompareKind::GT, m, 0), s);
     }},
    {"inverted",
     [](GraphBuilder &g, MuValue s) {
       MuValue m = oneMinus(g, g.argument({1, kKeys}));
       return keep(g, compare(g, CompareKind::GT, m, 0.5), s);
     }},
    {"by a gate",
     [](GraphBuilder &g, MuValue s) {
       MuValue m = g.op(OpKind::Sigmoid, {g.argument({kRows, kKeys})});
       return keep(g, compare(g, CompareKind::GT, m, 0.5), s);
     }},
    {"of two",
     [](GraphBuilder &g, MuValue s) {
       MuValue m = g.add(g.argument({kRows, kKeys}), g.argument({1, kKeys}));
       return keep(g, compare(g, CompareKind::GT, m, 1.5), s);
     }},
    {"a window",
     [](GraphBuilder &g, MuValue s) {
       MuValue distance = g.sub(g.argument({kRows, 1}), g.argument({1, kKeys}));
       return keep(g, compare(g, CompareKind::LT, distance, 4096), s);
     }},
    {"a window behind an offset",
     [](GraphBuilder &g, MuValue s) {
       MuValue first = g.sub(g.argument({kRows, 1}), g.constant(1024, 2));
       return keep(g,
                   g.op(OpKind::Compare, {first, g.argument({1, kKeys})},
                        getCompare(CompareKind::LT)),
                   s);
     }},
    {"bytes",
     [](GraphBuilder &g, MuValue s) {
       MuValue m = g.scale(g.argument({1, kKeys}), 1.0 / 256);
       return keep(g, compare(g, CompareKind::LT, m, 0.5), s);
     }},
    {"one hides",
     [](GraphBuilder &g, MuValue s) {
       MuValue hidden = compare(g, CompareKind::NE, g.argument({1, kKeys}), 0);
       return keep(g, oneMinus(g, hidden), s);
     }},
    {"rows of zeros",
     [](GraphBuilder &g, MuValue s) {
       MuValue x = g.argument({kKeys, 8});
       MuValue sums = g.sum(g.op(OpKind::Abs, {x}), 1);
       return keep(g, compare(g, CompareKind::NE, g.transpose(sums, {1, 0}), 0),
                   s);
     }},
    {"by an argument",
     [](GraphBuilder &g, MuValue s) {
       return keep(g,
                   g.op(OpKind::Compare,
                        {g.argument({1, kKeys}), g.argument({1, 1})},
                        getCompare(CompareKind::GT)),
                   s);
     }},
    {"a logarithm of a difference",
     [](GraphBuilder &g, MuValue s) {
       MuValue d = g.sub(g.argument({kRows, 1}), g.argument({1, kKeys}));
       return g.add(s, log(g, g.mul(d, d)));
     }},
    {"a logarithm",
     [](GraphBuilder &g, MuValue s) {
       return g.add(s, log(g, oneMinus(g, g.argument({1, kKeys}))));
     }},
    {"a pole",
     [](GraphBuilder &g, MuValue s) {
       MuValue m = g.argument({1, kKeys});
       return g.add(s, oneMinus(g, g.div(g.constant(1, 2), g.mul(m, m))));
     }},
};

enum class Tiles { None, Bounded, Unbounded };

/// Tiles are rows of [kRows, tiles, size], or of its transpose for strided
/// ones.
void build(GraphBuilder &g, Mask mask, Tiles tiles, bool isStrided) {
  constexpr int64_t count = 4;
  MuValue s = mask(g, g.matmul(g.argument({kRows, 8}), g.argument({8, kKeys})));
  if (tiles == Tiles::None)
    return g.results({g.softmax(s, 1)});
  unsigned within = isStrided ? 1 : 2, across = 3 - within;
  constexpr int64_t size = kKeys / count;
  MuValue tile = isStrided ? g.reshape(s, {kRows, size, count})
                           : g.reshape(s, {kRows, count, size});
  MuValue largest = g.max(tile, within);
  if (tiles == Tiles::Bounded)
    largest = g.op(OpKind::Max, {largest, g.constant(-0x1.fffffep127, 3)});
  MuValue e = g.exp(g.sub(tile, largest)),
          factor = g.exp(g.sub(largest, g.max(largest, across)));
  MuValue sum = g.sum(g.mul(g.sum(e, within), factor), across);
  g.results({g.reshape(g.div(g.mul(e, factor), sum), {kRows, kKeys})});
}

TEST(FloatingPoint, TilesAreHiddenByMasksOfEveryKind) {
  for (const NamedMask &mask : kMasks)
    for (bool isStrided : {false, true}) {
      SCOPED_TRACE(std::string(mask.name) + (isStrided ? ", strided" : ""));
      GraphBuilder whole, bounded, unbounded;
      build(whole, mask.apply, Tiles::None, isStrided);
      build(bounded, mask.apply, Tiles::Bounded, isStrided);
      build(unbounded, mask.apply, Tiles::Unbounded, isStrided);
      for (uint64_t seed = 0; seed < 2; ++seed) {
        FloatingPointOptions options;
        options.seed = seed;
        FloatingPointReport report =
            checkFloatingPoint(whole, bounded, options);
        EXPECT_TRUE(report.isAccepted()) << report.reason;
        EXPECT_FALSE(checkFloatingPoint(whole, unbounded, options).isStable)
            << seed;
      }
    }
}

/// Quotients that are guarded where the divisor is zero, or not any more.
TEST(FloatingPoint, GuardsOfDivisorsOfEveryShape) {
  using Divisor = MuValue (*)(GraphBuilder &, MuValue);
  const Divisor divisors[] = {
      [](GraphBuilder &g, MuValue) { return g.argument({8, 1}); },
      [](GraphBuilder &g, MuValue) { return g.argument({1, 1}); },
      [](GraphBuilder &g, MuValue) { return g.argument({1, 16}); },
      [](GraphBuilder &g, MuValue x) { return g.sum(g.mul(x, x), 0); },
      [](GraphBuilder &g, MuValue x) {
        return g.max(g.op(OpKind::Abs, {x}), 1);
      },
      [](GraphBuilder &g, MuValue x) {
        return g.sum(g.mul(x, g.argument({8, 16})), 1);
      },
  };
  for (auto [number, divisor] : llvm::enumerate(divisors)) {
    auto build = [&](GraphBuilder &g, bool isGuarded) {
      MuValue x = g.argument({8, 16}), d = divisor(g, x),
              isZero = compare(g, CompareKind::EQ, d, 0),
              zero = g.constant(0, 2);
      g.results({isGuarded
                     ? g.op(OpKind::Select, {isZero, zero, g.div(x, d)})
                     : g.div(g.op(OpKind::Select, {isZero, zero, x}), d)});
    };
    GraphBuilder guarded, same, unguarded;
    build(guarded, true);
    build(same, true);
    build(unguarded, false);
    EXPECT_TRUE(checkFloatingPoint(guarded, same, {}).isAccepted()) << number;
    EXPECT_FALSE(checkFloatingPoint(guarded, unguarded, {}).isStable) << number;
  }
}

/// exp(a + b) as a product, of which either factor may overflow: a and b are
/// parts of one argument, or all pairs of one, and a sum follows in which all
/// would overflow if the inputs were large everywhere.
TEST(FloatingPoint, ExponentialsOfPartsOverflowApart) {
  auto parts = [](GraphBuilder &g, bool isApart) {
    MuValue x = g.argument({8, 64}), w = g.argument({32, 4});
    MuValue a = g.slice(x, {0, 0}, {8, 32}, {1, 1}),
            b = g.slice(x, {0, 32}, {8, 32}, {1, 1});
    MuValue e = isApart ? g.mul(g.exp(a), g.exp(b)) : g.exp(g.add(a, b));
    g.results({g.matmul(e, w)});
  };
  // Decays from step to step, of which later ones are less.
  auto pairs = [](GraphBuilder &g, bool isApart) {
    MuValue x = g.argument({32, 1}), y = g.transpose(x, {1, 0});
    MuValue e = isApart
                    ? g.mul(g.exp(x), g.exp(g.scale(y, -1)))
                    : g.exp(g.op(OpKind::Min, {g.sub(x, y), g.constant(0, 2)}));
    if (isApart)
      e = g.op(OpKind::Min, {e, g.constant(1, 2)});
    g.results({g.sum(e, 1)});
  };
  for (auto build : {+parts, +pairs}) {
    GraphBuilder f, same, apart;
    build(f, false);
    build(same, false);
    build(apart, true);
    FloatingPointReport report = checkFloatingPoint(f, same, {});
    EXPECT_TRUE(report.isAccepted()) << report.reason;
    EXPECT_FALSE(checkFloatingPoint(f, apart, {}).isStable);
  }
}

/// What is chosen by a mask must not be multiplied by it, where what is hidden
/// may be no number.
TEST(FloatingPoint, HiddenRowsMayBeAnything) {
  auto build = [](GraphBuilder &g, bool isChosen) {
    MuValue s = g.matmul(g.argument({8, 4}), g.argument({4, 16})),
            p = g.softmax(g.add(s, g.argument({8, 16})), 1),
            isValid = compare(g, CompareKind::NE, g.argument({8, 1}), 0);
    g.results({isChosen ? g.op(OpKind::Select, {isValid, p, g.constant(0, 2)})
                        : g.mul(p, isValid)});
  };
  GraphBuilder chosen, same, multiplied;
  build(chosen, true);
  build(same, true);
  build(multiplied, false);
  FloatingPointReport report = checkFloatingPoint(chosen, same, {});
  EXPECT_TRUE(report.isAccepted()) << report.reason;
  EXPECT_FALSE(checkFloatingPoint(chosen, multiplied, {}).isStable);
}

/// A root of what is a number for fractions only.
TEST(FloatingPoint, RootsOfWhatMayBeNegative) {
  auto build = [](GraphBuilder &g, bool isShifted) {
    MuValue a = g.argument({8, 16}), x = g.argument({8, 16});
    MuValue root = g.op(OpKind::Sqrt, {oneMinus(g, g.mul(a, a))});
    MuValue e = g.exp(isShifted ? g.sub(x, g.max(x, 1)) : x);
    g.results({g.mul(root, g.div(e, g.sum(e, 1)))});
  };
  GraphBuilder f, same, wrong;
  build(f, true);
  build(same, true);
  build(wrong, false);
  FloatingPointReport report = checkFloatingPoint(f, same, {});
  EXPECT_TRUE(report.isAccepted()) << report.reason;
  EXPECT_TRUE(report.leftOut.empty());
  EXPECT_FALSE(checkFloatingPoint(f, wrong, {}).isStable);
}

/// The variance of a few rows from sums and sums of squares loses most digits.
TEST(FloatingPoint, FewElementsMayNotLoseTheirDigits) {
  for (int64_t rows : {1, 2, 8, 32}) {
    auto build = [&](GraphBuilder &g, bool isOnePass) {
      constexpr int64_t n = 1024;
      MuValue x = g.argument({rows, n});
      MuValue mean = g.scale(g.sum(x, 1), 1.0 / n), d = g.sub(x, mean);
      MuValue squares = isOnePass ? g.mul(x, x) : g.mul(d, d);
      MuValue variance = g.scale(g.sum(squares, 1), 1.0 / n);
      g.results({isOnePass ? g.sub(variance, g.mul(mean, mean)) : variance});
    };
    GraphBuilder twoPass, onePass;
    build(twoPass, false);
    build(onePass, true);
    EXPECT_FALSE(checkFloatingPoint(twoPass, onePass, {}).isStable) << rows;
  }
}

/// A product that overflows, behind which all is finite again, says
/// nothing of one whose sum is in two parts.
TEST(FloatingPoint, WhatOverflowsInsideIsOutOfRange) {
  auto build = [](GraphBuilder &g, bool isSplit) {
    // 2^118 times normal numbers is in range, 2^118 times large ones is not.
    MuValue x = g.scale(g.argument({8, 128}), 0x1p60),
            w = g.scale(g.argument({128, 32}), 0x1p58);
    MuValue product = g.matmul(x, w);
    if (isSplit) {
      MuValue parts[2];
      for (int64_t i : {0, 1})
        parts[i] = g.matmul(g.slice(x, {0, 64 * i}, {8, 64}, {1, 1}),
                            g.slice(w, {64 * i, 0}, {64, 32}, {1, 1}));
      product = g.add(parts[0], parts[1]);
    }
    g.results({g.op(OpKind::Relu, {product})});
  };
  GraphBuilder whole, split;
  build(whole, false);
  build(split, true);
  FloatingPointReport report = checkFloatingPoint(whole, split, {});
  EXPECT_TRUE(report.isAccepted()) << report.reason;
}

} // namespace
