//===- SpecialInputsTest.cpp - Inputs that a program asks for -------------===//
//
// Which arguments hold special numbers, which elements of them do, and what is
// refused for it; arguments that are large alone, or with opposite signs.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/Floats/SpecialInputs.h"
#include "../../../GraphBuilder.h"
#include "Mirage/Analysis/Equivalence/Floats/FloatingPoint.h"
#include "Mirage/Semantics/ShapeRules.h"
#include "Mirage/Support/CounterRandom.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mirage;
using namespace mirage::equivalence;

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
  EXPECT_TRUE(checkFloatingPoint(whole, bounded, options).isAccepted());
  EXPECT_FALSE(checkFloatingPoint(whole, unbounded, options).isAccepted());
}

TEST(FloatingPoint, OnlyArgumentsThatMayBeMasksHoldSpecialNumbers) {
  auto count = [](llvm::function_ref<MuValue(GraphBuilder &)> build) {
    GraphBuilder f;
    f.results({build(f)});
    FloatingPointReport report = checkFloatingPoint(f, f, {});
    EXPECT_TRUE(report.isAccepted()) << report.reason;
    int64_t others = 0;
    for (llvm::StringRef kind : {"masked", "single", "opposite", "changing",
                                 "huge", "tiny", "outlier", "uneven"})
      others += countErrors(report, kind);
    EXPECT_EQ(report.errors.size() - others, 5u);
    EXPECT_TRUE(report.undefined.empty());
    // That none of them says anything is said.
    EXPECT_TRUE(llvm::all_of(report.leftOut, [&](const auto &left) {
      return left.inputs == "masked" && countErrors(report, "masked") == 0;
    }));
    return countErrors(report, "masked") -
           static_cast<int64_t>(report.leftOut.size());
  };
  using G = GraphBuilder;
  // Neither exponential nor maximum; or only behind products.
  EXPECT_EQ(count([](G &g) { return g.sum(g.argument({4, 8}), 1); }), 0);
  EXPECT_EQ(
      count([](G &g) {
        return g.softmax(g.matmul(g.argument({4, 8}), g.argument({8, 4})), 1);
      }),
      0);
  // Infinities of the other sign.
  EXPECT_EQ(count([](G &g) {
              return g.exp(g.sub(g.constant(0, 2), g.argument({4, 8})));
            }),
            1);
  EXPECT_EQ(count([](G &g) {
              return g.exp(g.scale(g.argument({4, 8}), -1));
            }),
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
            -1);
}

/// Some numbers at random.
uint64_t getRandom(int64_t number, uint64_t stream) {
  return CounterRandom(7)(number, stream)[0];
}

using equivalence::Pattern;

/// The elements of a line along `dim`, or of a block of one, that are special.
template <typename Fn>
void forEachLine(const Pattern &pattern, const Shape &shape, int64_t size,
                 Fn &&fn) {
  int64_t stride = elementCount(ShapeRef(shape).drop_front(pattern.dim + 1)),
          elements = elementCount(shape);
  for (int64_t first = 0; first < elements; ++first) {
    if (first / stride % size != 0)
      continue;
    std::vector<bool> special;
    for (int64_t i = 0; i < size; ++i)
      special.push_back(pattern.contains(shape, first + i * stride, getRandom));
    fn(special);
  }
}

TEST(SpecialInputs, HalvesAreAlongEveryDimension) {
  for (const Shape &shape : {Shape{16}, Shape{1, 16}, Shape{16, 1}, Shape{4, 6},
                             Shape{3, 5, 7}, Shape{2, 1, 4, 8}})
    for (auto kind : {Pattern::Kind::Halves, Pattern::Kind::OtherHalves}) {
      auto contains = [&](int64_t element, uint64_t random) {
        return Pattern{kind}.contains(
            shape, element, [&](int64_t, uint64_t) { return random; });
      };
      // By one random number in eight, if it is not in a half.
      for (int64_t e = 0; e < elementCount(shape); ++e)
        EXPECT_TRUE(contains(e, 8));
      int64_t stride = 1;
      for (size_t dim = shape.size(); dim-- > 0; stride *= shape[dim]) {
        int64_t extent = shape[dim], half = (extent + 1) / 2;
        for (int64_t first = 0; first < elementCount(shape); ++first) {
          if (first / stride % extent != 0)
            continue;
          int64_t count[2] = {0, 0};
          for (int64_t i = 0; i < extent; ++i)
            count[i >= half] += contains(first + i * stride, 1);
          EXPECT_TRUE((count[0] == half && count[1] == 0) ||
                      (count[0] == 0 && count[1] == extent - half));
        }
      }
    }
}

/// Whatever a line is cut into, contiguous or strided, all parts but one are
/// special, in every line: nothing is left to chance.
TEST(SpecialInputs, OneOfEachLineIsLeft) {
  for (const Shape &shape :
       {Shape{64}, Shape{1, 64}, Shape{4, 1, 64}, Shape{8, 4, 16, 8}})
    for (unsigned dim = 0; dim < shape.size(); ++dim)
      for (int64_t size : {shape[dim], shape[dim] / 4}) {
        if (size < 2)
          continue;
        int64_t block = size == shape[dim] ? 0 : size;
        for (bool isOne : {false, true})
          forEachLine({isOne ? Pattern::Kind::One : Pattern::Kind::AllButOne,
                       dim, block},
                      shape, size, [&](const std::vector<bool> &special) {
                        EXPECT_EQ(llvm::count(special, isOne), 1);
                      });
      }
}

TEST(SpecialInputs, SomeWholeLinesAreSpecial) {
  for (const Shape &shape : {Shape{2, 8}, Shape{3, 1, 5}, Shape{8, 4, 16, 8}})
    for (unsigned dim = 0; dim < shape.size(); ++dim) {
      if (shape[dim] == elementCount(shape))
        continue;
      for (auto kind : {Pattern::Kind::Lines, Pattern::Kind::AllLinesButOne}) {
        int64_t whole = 0, none = 0;
        forEachLine({kind, dim}, shape, shape[dim],
                    [&](const std::vector<bool> &special) {
                      EXPECT_TRUE(llvm::all_equal(special));
                      ++(special[0] ? whole : none);
                    });
        if (kind == Pattern::Kind::Lines)
          EXPECT_EQ(whole, (whole + none) / 2);
        else
          EXPECT_EQ(none, 1);
      }
    }
}

TEST(SpecialInputs, PatternsAreThoseOfTheShape) {
  auto count = [](Shape shape, std::vector<int64_t> sizes, bool onlyLines) {
    return equivalence::getPatterns(shape, sizes, onlyLines).size();
  };
  // Of one number, or one line, there is not much.
  EXPECT_EQ(count({}, {}, false), 1u);
  EXPECT_EQ(count({1, 1}, {2}, false), 1u);
  EXPECT_EQ(count({1, 8}, {}, true), 1u);
  EXPECT_EQ(count({4, 8}, {}, true), 5u);
  // Reshapes may make rows of parts of it.
  EXPECT_EQ(count({64}, {16, 24, 64}, false), count({64}, {}, false) + 1);
}

/// The special numbers of a program's only argument, sorted.
std::vector<double>
getSpecials(llvm::function_ref<MuValue(GraphBuilder &, MuValue)> build) {
  GraphBuilder f;
  MuValue x = f.argument({4, 8});
  f.results({build(f, x)});
  std::vector<double> numbers;
  auto traits = equivalence::findArgumentTraits(f);
  for (const equivalence::Special &special : traits.front().specials)
    numbers.push_back(special.elements[0].number);
  llvm::sort(numbers);
  numbers.erase(llvm::unique(numbers), numbers.end());
  return numbers;
}

TEST(SpecialInputs, AreWhereOperatorsChange) {
  using G = GraphBuilder;
  using Numbers = std::vector<double>;
  constexpr double inf = HUGE_VAL, largest = 0x1.fffffep127;
  EXPECT_EQ(getSpecials([](G &g, MuValue x) { return g.sum(x, 1); }),
            Numbers());
  EXPECT_EQ(getSpecials([](G &g, MuValue x) { return g.softmax(x, 1); }),
            (Numbers{-inf}));
  EXPECT_EQ(getSpecials([](G &g, MuValue x) {
              return g.exp(g.sub(g.constant(1, 2), g.scale(x, 0.5)));
            }),
            (Numbers{inf}));
  // What is added to scores may be the lowest number, but not what is made
  // larger before.
  EXPECT_EQ(getSpecials([](G &g, MuValue x) {
              return g.softmax(g.scale(g.add(x, g.argument({4, 8})), 2), 1);
            }),
            (Numbers{-inf, -largest}));
  EXPECT_EQ(getSpecials([](G &g, MuValue x) {
              return g.softmax(g.add(g.scale(x, 2), g.argument({4, 8})), 1);
            }),
            (Numbers{-inf}));
  // Both sides of what is compared with, and zero.
  EXPECT_EQ(getSpecials([](G &g, MuValue x) {
              OpAttributes greater;
              greater.compareKind = CompareKind::GT;
              return g.op(OpKind::Compare, {x, g.constant(3, 2)}, greater);
            }),
            (Numbers{-1, 0, 1, 3, 7}));
  // Constants on both sides, and factors: 2 x - 3 > y + 5, and its pole.
  EXPECT_EQ(getSpecials([](G &g, MuValue x) {
              MuValue a = g.sub(g.scale(x, 2), g.constant(3, 2)),
                      b = g.add(g.argument({4, 8}), g.constant(5, 2));
              return g.op(OpKind::Compare, {b, a});
            }),
            (Numbers{-1, 0, 1, 4, 9}));
  EXPECT_EQ(getSpecials([](G &g, MuValue x) {
              return g.op(OpKind::Log,
                          {g.sub(g.constant(3, 2), g.scale(x, 4))});
            }),
            (Numbers{0, 0.75, 1}));
  // A table gives its least number, the middle one and the greatest, whether it
  // has few different ones or many.
  for (bool areFew : {true, false})
    EXPECT_EQ(getSpecials([&](G &g, MuValue x) {
                std::vector<double> numbers(32);
                for (int i = 0; i < 32; ++i)
                  numbers[i] = areFew ? (i % 8 < 5 ? 2 : 6) : 40 - i;
                OpAttributes table;
                table.resultShape = {4, 8};
                table.values =
                    std::make_shared<const std::vector<double>>(numbers);
                MuValue constant = g.op(OpKind::Constant, {}, table);
                return g.op(OpKind::Log, {g.sub(constant, x)});
              }),
              areFew ? (Numbers{0, 1, 2, 6}) : (Numbers{0, 1, 9, 25, 40}));
  EXPECT_EQ(getSpecials([](G &g, MuValue x) {
              return g.op(OpKind::Compare, {x, g.constant(-inf, 2)});
            }),
            (Numbers{-inf, -1, 0, 1, inf}));
  // With either sign behind functions.
  EXPECT_EQ(getSpecials([](G &g, MuValue x) {
              OpAttributes greater;
              greater.compareKind = CompareKind::GT;
              return g.op(OpKind::Compare,
                          {g.op(OpKind::Tanh, {x}), g.constant(3, 2)}, greater);
            }),
            (Numbers{-7, -3, -1, 0, 1, 3, 7}));
  EXPECT_EQ(
      getSpecials([](G &g, MuValue x) {
        return g.op(OpKind::Select, {x, g.constant(1, 2), g.constant(2, 2)});
      }),
      (Numbers{0, 1}));
  EXPECT_EQ(getSpecials([](G &g, MuValue x) {
              return g.op(OpKind::Log, {g.mul(x, x)});
            }),
            (Numbers{0, 1}));
  EXPECT_EQ(getSpecials([](G &g, MuValue x) {
              return g.div(g.constant(1, 2), g.scale(x, 2));
            }),
            (Numbers{0, 1}));
  // Sums may be zero as well; where they are factors, either infinity may be
  // what an exponential is taken of, and the lowest number is no mask.
  EXPECT_EQ(getSpecials([](G &g, MuValue x) {
              return g.div(g.constant(1, 2), g.sum(x, 1));
            }),
            (Numbers{0, 1}));
  EXPECT_EQ(
      getSpecials([](G &g, MuValue x) {
        return g.exp(g.mul(x, g.transpose(g.transpose(x, {1, 0}), {1, 0})));
      }),
      (Numbers{-inf, inf}));
  // What is positive is no pole.
  EXPECT_EQ(getSpecials([](G &g, MuValue x) {
              MuValue e = g.exp(g.matmul(x, g.transpose(x, {1, 0})));
              return g.div(e, g.sum(e, 1));
            }),
            Numbers());
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
