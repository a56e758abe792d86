//===- SpecialInputsTest.cpp - Inputs that a program asks for -------------===//
//
// Which arguments hold special numbers, which elements of them do, and what is
// refused for it; arguments that are large alone, or with opposite signs.
//
//===----------------------------------------------------------------------===//

#include "SpecialInputs.h"
#include "../../GraphBuilder.h"
#include "Mirage/Analysis/Equivalence/CounterRandom.h"
#include "Mirage/Analysis/Equivalence/FloatingPoint.h"
#include "Mirage/Semantics/ShapeRules.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mirage;

namespace {

/// Weighted means of values by softmax over scores and a mask, whole or by two
/// parts of the keys that are relative to their own maxima, or to no less than
/// the lowest finite number.
enum class Parts { Whole, Bounded, Unbounded };
void buildMaskedSoftmax(GraphBuilder &g, Parts parts, int64_t cut = 8) {
  MuValue s = g.argument({4, 16}), m = g.argument({4, 16}),
          v = g.argument({16, 8});
  MuValue x = g.add(s, m);
  if (parts == Parts::Whole)
    return g.results({g.matmul(g.softmax(x, 1), v)});
  MuValue maxima[2], sums[2], products[2];
  for (int i : {0, 1}) {
    int64_t first = i ? cut : 0, size = i ? 16 - cut : cut;
    MuValue part = g.slice(x, {0, first}, {4, size}, {1, 1});
    maxima[i] = g.max(part, 1);
    if (parts == Parts::Bounded)
      maxima[i] =
          g.op(OpKind::Max, {maxima[i], g.constant(-0x1.fffffep127, 2)});
    MuValue e = g.exp(g.sub(part, maxima[i]));
    sums[i] = g.sum(e, 1);
    products[i] = g.matmul(e, g.slice(v, {first, 0}, {size, 8}, {1, 1}));
  }
  MuValue most = g.op(OpKind::Max, {maxima[0], maxima[1]});
  for (int i : {0, 1}) {
    MuValue factor = g.exp(g.sub(maxima[i], most));
    sums[i] = g.mul(sums[i], factor);
    products[i] = g.mul(products[i], factor);
  }
  g.results({g.div(g.add(products[0], products[1]), g.add(sums[0], sums[1]))});
}

/// How many results were measured on inputs of that name.
int64_t countErrors(const FloatingPointReport &report, llvm::StringRef inputs) {
  return llvm::count_if(report.errors, [&](const FloatingPointErrors &errors) {
    return errors.inputs == inputs;
  });
}

TEST(FloatingPoint, MasksMayHideParts) {
  GraphBuilder whole;
  buildMaskedSoftmax(whole, Parts::Whole);
  for (int64_t cut : {1, 4, 8, 12}) {
    GraphBuilder bounded, unbounded;
    buildMaskedSoftmax(bounded, Parts::Bounded, cut);
    buildMaskedSoftmax(unbounded, Parts::Unbounded, cut);
    FloatingPointOptions options;
    options.seed = 11;
    FloatingPointReport report = checkFloatingPoint(whole, bounded, options);
    EXPECT_TRUE(report.isAccepted()) << report.reason;
    EXPECT_EQ(countErrors(report, "masked"), 1);
    report = checkFloatingPoint(whole, unbounded, options);
    EXPECT_FALSE(report.isStable);
    for (const char *part : {"-inf in argument 0", "not finite in float64",
                             "it is nan, where the original is ", "(seed 11)"})
      EXPECT_NE(report.reason.find(part), std::string::npos) << report.reason;
  }
}

TEST(FloatingPoint, MaskedInputsHaveTheirPlaceInSmallPairs) {
  GraphBuilder whole, bounded, unbounded;
  buildMaskedSoftmax(whole, Parts::Whole);
  buildMaskedSoftmax(bounded, Parts::Bounded);
  buildMaskedSoftmax(unbounded, Parts::Unbounded);
  FloatingPointOptions options;
  options.work = 1;
  options.shortenSums = true;
  EXPECT_TRUE(checkFloatingPoint(whole, bounded, options).isAccepted());
  EXPECT_FALSE(checkFloatingPoint(whole, unbounded, options).isAccepted());
}

TEST(FloatingPoint, OnlyArgumentsThatMayBeMasksHoldSpecialNumbers) {
  auto count = [](llvm::function_ref<MuValue(GraphBuilder &)> build) {
    GraphBuilder f;
    f.results({build(f)});
    FloatingPointReport report = checkFloatingPoint(f, f, {});
    EXPECT_TRUE(report.isAccepted()) << report.reason;
    int64_t others = countErrors(report, "masked") +
                     countErrors(report, "single") +
                     countErrors(report, "opposite");
    EXPECT_EQ(report.errors.size() - others, 5u);
    EXPECT_TRUE(report.leftOut.empty() && report.undefined.empty());
    return countErrors(report, "masked");
  };
  using G = GraphBuilder;
  // Neither exponential nor maximum; or only behind products.
  EXPECT_EQ(count([](G &g) { return g.sum(g.argument({4, 8}), 1); }), 0);
  EXPECT_EQ(count([](G &g) {
              return g.softmax(g.matmul(g.argument({4, 8}), g.argument({8, 4})),
                               1);
            }),
            0);
  // Infinities of the other sign.
  EXPECT_EQ(count([](G &g) {
              return g.exp(g.sub(g.constant(0, 2), g.argument({4, 8})));
            }),
            1);
  EXPECT_EQ(count([](G &g) { return g.exp(g.scale(g.argument({4, 8}), -1)); }),
            1);
  // Positive factors, layouts, choices of both, bodies of loops.
  EXPECT_EQ(count([](G &g) { return g.softmax(g.argument({4, 8}), 1); }), 1);
  EXPECT_EQ(count([](G &g) {
              MuValue x = g.transpose(g.argument({8, 4}), {1, 0});
              MuValue y = g.mul(g.scale(x, 0.125), g.constant(3, 2));
              return g.softmax(g.add(y, g.argument({4, 8})), 1);
            }),
            1);
  EXPECT_EQ(count([](G &g) { return g.max(g.argument({4, 8}), 1); }), 1);
  // Where -inf makes everything NaN, nothing is said, and nothing refused.
  EXPECT_EQ(count([](G &g) {
              MuValue x = g.argument({1, 8});
              return g.exp(g.sub(x, g.sum(x, 1)));
            }),
            0);
}

/// Some numbers at random.
uint64_t getRandom(int64_t number, uint64_t stream) {
  return CounterRandom(7)(number, stream)[0];
}

TEST(SpecialInputs, HalvesAreAlongEveryDimension) {
  using equivalence::Pattern;
  for (const Shape &shape : {Shape{16}, Shape{1, 16}, Shape{16, 1}, Shape{4, 6},
                             Shape{3, 5, 7}, Shape{2, 1, 4, 8}}) {
    int64_t size = elementCount(shape), stride = 1;
    auto isHidden = [&](int64_t element, uint64_t random) {
      return Pattern().contains(shape, element,
                                [&](int64_t, uint64_t) { return random; });
    };
    unsigned single = 0;
    for (int64_t e = 0; e < size; ++e)
      single += isHidden(e, 0) && !isHidden(e, 1);
    // By one random number in eight, if it is not in a part that is hidden.
    EXPECT_GE(single, size / 4u);
    for (size_t dim = shape.size(); dim-- > 0; stride *= shape[dim]) {
      int64_t extent = shape[dim], half = (extent + 1) / 2;
      if (extent == 1)
        continue;
      for (int64_t first = 0; first < size; ++first) {
        if (first / stride % extent != 0)
          continue;
        int64_t hidden[2] = {0, 0};
        for (int64_t i = 0; i < extent; ++i)
          hidden[i >= half] += isHidden(first + i * stride, 1);
        EXPECT_TRUE((hidden[0] == half && hidden[1] == 0) ||
                    (hidden[0] == 0 && hidden[1] == extent - half));
      }
    }
  }
}

/// Every line has an element that isn't hidden, but for whole lines; so many
/// lines have one alone that each way to cut them into parts hides some part.
TEST(SpecialInputs, LinesKeepOneElementOrFew) {
  using equivalence::Pattern;
  for (const Shape &shape : {Shape{64, 64}, Shape{8, 4, 16, 8}})
    for (unsigned dim = 0; dim < shape.size(); ++dim) {
      int64_t stride = elementCount(ShapeRef(shape).drop_front(dim + 1)),
              extent = shape[dim], lines = elementCount(shape) / extent;
      for (auto kind : {Pattern::Kind::Lines, Pattern::Kind::WholeLines}) {
        int64_t single = 0, whole = 0, few = 0;
        for (int64_t line = 0; line < lines; ++line) {
          int64_t first = line / stride * stride * extent + line % stride,
                  shown = 0;
          for (int64_t i = 0; i < extent; ++i)
            shown += !Pattern{kind, dim}.contains(shape, first + i * stride,
                                                  getRandom);
          EXPECT_TRUE(shown || kind == Pattern::Kind::WholeLines);
          single += shown == 1;
          whole += shown == 0;
          few += shown > 1;
        }
        EXPECT_GE(single, lines / 8);
        EXPECT_GE(few, lines / 16);
        EXPECT_EQ(whole > lines / 4, kind == Pattern::Kind::WholeLines);
      }
    }
}

/// The special numbers of a program's only argument, sorted.
std::vector<double>
getSpecials(llvm::function_ref<MuValue(GraphBuilder &, MuValue)> build) {
  GraphBuilder f;
  MuValue x = f.argument({4, 8});
  f.results({build(f, x)});
  std::vector<double> numbers;
  for (const equivalence::Special &special :
       equivalence::findArgumentTraits(f).front().specials)
    numbers.push_back(special.number);
  llvm::sort(numbers);
  numbers.erase(llvm::unique(numbers), numbers.end());
  return numbers;
}

TEST(SpecialInputs, AreWhereOperatorsChange) {
  using G = GraphBuilder;
  using Numbers = std::vector<double>;
  constexpr double inf = HUGE_VAL;
  EXPECT_EQ(getSpecials([](G &g, MuValue x) { return g.sum(x, 1); }),
            Numbers());
  EXPECT_EQ(getSpecials([](G &g, MuValue x) { return g.softmax(x, 1); }),
            (Numbers{-inf}));
  EXPECT_EQ(getSpecials([](G &g, MuValue x) {
              return g.exp(g.sub(g.constant(1, 2), g.scale(x, 0.5)));
            }),
            (Numbers{inf}));
  // Both sides of what is compared with, and zero.
  EXPECT_EQ(getSpecials([](G &g, MuValue x) {
              OpAttributes greater;
              greater.compareKind = CompareKind::GT;
              return g.op(OpKind::Compare, {x, g.constant(3, 2)}, greater);
            }),
            (Numbers{-1, 0, 3, 7}));
  EXPECT_EQ(getSpecials([](G &g, MuValue x) {
              return g.op(OpKind::Select,
                          {x, g.constant(1, 2), g.constant(2, 2)});
            }),
            (Numbers{0}));
  EXPECT_EQ(getSpecials([](G &g, MuValue x) {
              return g.op(OpKind::Log, {g.mul(x, x)});
            }),
            (Numbers{0}));
  EXPECT_EQ(getSpecials([](G &g, MuValue x) {
              return g.div(g.constant(1, 2), g.scale(x, 2));
            }),
            (Numbers{0}));
  // Behind a product of matrices no element is what it was.
  EXPECT_EQ(getSpecials([](G &g, MuValue x) {
              return g.softmax(g.matmul(x, g.transpose(x, {1, 0})), 1);
            }),
            Numbers());
}

TEST(FloatingPoint, ArgumentsAreLargeAloneAndWithOppositeSigns) {
  auto build = [](GraphBuilder &g, bool isApart) {
    MuValue x = g.argument({16, 64}), y = g.argument({16, 64}),
            t = g.argument({16, 64});
    MuValue sum = isApart ? g.mul(g.exp(x), g.exp(y)) : g.exp(g.add(x, y));
    MuValue softmax = g.softmax(t, 1);
    g.results({sum, g.mul(softmax, g.exp(x))});
  };
  GraphBuilder f, apart;
  build(f, false);
  build(apart, true);
  EXPECT_TRUE(checkFloatingPoint(f, f, {}).isAccepted());
  FloatingPointReport report = checkFloatingPoint(f, apart, {});
  EXPECT_FALSE(report.isStable);
  // The maximum may not be dropped because another exponential overflows.
  GraphBuilder shifted, plain;
  for (GraphBuilder *g : {&shifted, &plain}) {
    MuValue x = g->argument({16, 64}), t = g->argument({16, 1});
    MuValue e = g->exp(x);
    MuValue softmax =
        g == &shifted ? g->softmax(x, 1) : g->div(e, g->sum(e, 1));
    g->results({g->mul(softmax, g->exp(t))});
  }
  EXPECT_FALSE(checkFloatingPoint(shifted, plain, {}).isStable);
}

} // namespace
