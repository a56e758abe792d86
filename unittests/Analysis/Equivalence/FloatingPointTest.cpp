//===- FloatingPointTest.cpp - Errors in storage and in float64 -----------===//
//
// What is reported of pairs that are equal by exact arithmetic, and where the
// thresholds lie.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/FloatingPoint.h"
#include "../../GraphBuilder.h"
#include "FloatRuns.h"
#include "Mirage/Analysis/Equivalence/CounterRandom.h"
#include "Mirage/Interpreter/RunMuGraph.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mirage;

namespace {

/// x + c - c, computed in f64, from f16 to f16; x itself for c = 0.
struct Shifted {
  explicit Shifted(double c, int64_t size = 64) {
    MuValue x = graph.addArgument(0, Shape{size}, ElementType::f16), y = x;
    if (c != 0) {
      OpAttributes constant;
      constant.resultShape = {1};
      constant.values = std::make_shared<const std::vector<double>>(1, c);
      MuValue shift = op(OpKind::Constant, {}, ElementType::f64, constant);
      y = op(OpKind::Add, {x, shift}, ElementType::f64);
      y = op(OpKind::Sub, {y, shift}, ElementType::f64);
      y = op(OpKind::Cast, {y}, ElementType::f16);
    }
    graph.setResults(0, {y});
  }
  MuValue op(OpKind kind, llvm::ArrayRef<MuValue> operands, ElementType type,
             const OpAttributes &attributes = {}) {
    return graph.addOperator(0, kind, attributes, operands, type, ++locations);
  }

  MuGraph graph;
  unsigned locations = 0;
};

TEST(FloatingPoint, ReportsBothInFloat64) {
  // Products of f32 are exact in f64, their sums aren't.
  GraphBuilder f, g;
  MuValue x = f.argument({4, 512}), y = g.argument({4, 512});
  f.results({f.sum(f.mul(x, x), 1)});
  g.results({g.sum(g.sum(g.mul(y, y), 1, false, 16), 1)});
  FloatingPointReport report = checkFloatingPoint(f, g, {});
  EXPECT_TRUE(report.isStable) << report.reason;
  ASSERT_EQ(report.errors.size(), 5u);
  const FloatingPointErrors &normal = report.errors[0];
  EXPECT_GT(normal.lhs, 1e-9);
  EXPECT_GT(normal.rhs, 1e-9);
  EXPECT_GT(normal.float64, 0);
  EXPECT_LT(normal.float64, 1e-13);
  // Halves sum without rounding.
  EXPECT_EQ(report.errors[3].float64, 0);
}

TEST(FloatingPoint, RefusesWhatOnlyFloat64Shows) {
  Shifted original(0);
  // Next to 2^20, f64 holds all digits of numbers of f16; next to 2^38, none
  // below 2^-15.
  for (auto [c, isStable] : {std::pair<double, bool>{1, true},
                             {0x1p20, true},
                             {0x1p38, false},
                             {0x1p40, false}}) {
    Shifted candidate(c);
    FloatingPointReport report =
        checkFloatingPoint(original.graph, candidate.graph, {});
    EXPECT_EQ(report.isStable, isStable) << c << ": " << report.reason;
    // The rounding to f16 hides it.
    for (const FloatingPointErrors &errors : report.errors)
      EXPECT_LT(errors.rhs, 0x1p-11);
    EXPECT_EQ(report.reason.find("float64") != std::string::npos, !isStable);
  }
}

TEST(FloatingPoint, MoreIsAllowedOfAnInexactOriginal) {
  // The candidate is what the original is, as far as rounding goes.
  Shifted exact(0), lossy(0x1p38), other(0x1.8p38);
  EXPECT_TRUE(checkFloatingPoint(lossy.graph, other.graph, {}).isStable);
  EXPECT_TRUE(checkFloatingPoint(lossy.graph, exact.graph, {}).isStable);
  FloatingPointOptions tolerant;
  tolerant.factor = 1e12;
  EXPECT_TRUE(checkFloatingPoint(exact.graph, lossy.graph, tolerant).isStable);
}

TEST(FloatingPoint, KeptRunsChangeNothing) {
  // Rows of ten lengths, so that programs are given up and come back, and
  // candidates among which some are refused; twice.
  FloatingPointOptions options;
  FloatingPointChecker checker(options);
  for (unsigned i = 0; i < 80; ++i) {
    int64_t size = 32 << i % 10;
    Shifted original(0, size), candidate(std::ldexp(1.0, 30 + i % 7), size);
    FloatingPointReport kept = checker.check(original.graph, candidate.graph),
                        own = checkFloatingPoint(original.graph,
                                                 candidate.graph, options);
    EXPECT_EQ(kept.isStable, own.isStable);
    EXPECT_EQ(kept.reason, own.reason);
    ASSERT_EQ(kept.errors.size(), own.errors.size());
    for (auto [a, b] : llvm::zip(kept.errors, own.errors)) {
      EXPECT_EQ(a.inputs, b.inputs);
      EXPECT_EQ(a.lhs, b.lhs);
      EXPECT_EQ(a.rhs, b.rhs);
      EXPECT_EQ(a.float64, b.float64);
    }
  }
}

TEST(FloatingPoint, LittleWorkFindsTheSame) {
  Shifted original(0, 1 << 12), candidate(0x1p42, 1 << 12);
  FloatingPointOptions options;
  options.work = 1;
  FloatingPointReport report =
      checkFloatingPoint(original.graph, candidate.graph, options);
  EXPECT_TRUE(report.isShrunk);
  EXPECT_FALSE(report.isStable);
}

TEST(FloatingPoint, RoundedConstantsAreNoInstability) {
  // log2(e) in f32, and 2^-20 off.
  auto build = [](GraphBuilder &g, double factor) {
    MuValue x = g.argument({32});
    g.results(
        {factor == 0 ? g.exp(x) : g.op(OpKind::Exp2, {g.scale(x, factor)}), x});
  };
  GraphBuilder f, named, wrong;
  build(f, 0);
  build(named, static_cast<float>(M_LOG2E));
  build(wrong, static_cast<float>(M_LOG2E) * (1 + 0x1p-20));
  FloatingPointOptions options;
  // In storage the wrong one is within what is allowed.
  options.factor = 64;
  FloatingPointReport good = checkFloatingPoint(f, named, options);
  EXPECT_TRUE(good.isStable) << good.reason;
  EXPECT_GT(good.errors[0].float64, 1e-10);
  FloatingPointReport bad = checkFloatingPoint(f, wrong, options);
  EXPECT_FALSE(bad.isStable);
  EXPECT_NE(bad.reason.find("float64"), std::string::npos) << bad.reason;
}

TEST(FloatingPoint, ArithmeticBoundTakesConstantsAsWritten) {
  GraphBuilder g;
  g.results({g.scale(g.argument({1}), static_cast<float>(M_LOG2E))});
  auto bound = [&](Precision precision) {
    auto input = TensorValue::create(ElementType::f32, {1}, {1}, precision);
    return runMuGraph(g, {input}, precision)[0].error(0);
  };
  EXPECT_GT(bound(Precision::F64Bound), 1e-8);
  EXPECT_GT(bound(Precision::F64ArithmeticBound), 0);
  EXPECT_LT(bound(Precision::F64ArithmeticBound), 1e-15);
}

/// x with a mask added that is -inf in element 0, through x + shift - shift.
void buildMasked(GraphBuilder &g, double shift) {
  MuValue x = g.argument({16});
  OpAttributes mask;
  mask.resultShape = {16};
  std::vector<double> values(16, 0);
  values[0] = -HUGE_VAL;
  mask.values = std::make_shared<const std::vector<double>>(values);
  MuValue m = g.op(OpKind::Constant, {}, mask);
  if (shift) {
    MuValue c = g.constant(shift, 1);
    x = g.sub(g.add(x, c), c);
  }
  g.results({g.add(x, m)});
}

TEST(FloatingPoint, ElementsBesideInfinitiesAreJudged) {
  GraphBuilder f, g, lossy, infinite;
  buildMasked(f, 0);
  buildMasked(g, 1);
  buildMasked(lossy, 1e20);
  buildMasked(infinite, HUGE_VAL);
  EXPECT_TRUE(checkFloatingPoint(f, g, {}).isAccepted());
  EXPECT_FALSE(checkFloatingPoint(f, lossy, {}).isStable);
  EXPECT_FALSE(checkFloatingPoint(f, infinite, {}).isStable);
  // Element 0 is NaN, where the original is -inf.
  GraphBuilder masked;
  buildMasked(masked, 0);
  MuValue y = masked.getRegion().results[0];
  MuValue n = masked.op(OpKind::Max, {y, masked.constant(-HUGE_VAL, 1)});
  masked.results({masked.sub(masked.add(y, n), n)});
  FloatingPointReport report = checkFloatingPoint(f, masked, {});
  EXPECT_FALSE(report.isStable);
  EXPECT_NE(report.reason.find("no infinity"), std::string::npos)
      << report.reason;
}

/// exp(x + shift) / exp(shift).
void buildShiftedExp(GraphBuilder &g, double shift) {
  MuValue x = g.argument({64});
  if (shift == 0)
    return g.results({g.exp(x)});
  MuValue c = g.constant(shift, 1);
  g.results({g.div(g.exp(g.add(x, c)), g.exp(c))});
}

TEST(FloatingPoint, InputsAreHalvedUntilTheOriginalIsInRange) {
  GraphBuilder f, same, early, late;
  buildShiftedExp(f, 0);
  buildShiftedExp(same, 0);
  buildShiftedExp(early, 10);
  buildShiftedExp(late, 87);
  // exp(300) is no number of f32.
  FloatingPointReport report = checkFloatingPoint(f, same, {});
  EXPECT_TRUE(report.isAccepted()) << report.reason;
  for (const FloatingPointErrors &errors : report.errors)
    EXPECT_EQ(errors.halved > 0, errors.inputs == "large")
        << errors.inputs.str();
  // One that overflows a little earlier is in range, too; one that does so for
  // normal inputs is not.
  FloatingPointOptions tolerant;
  tolerant.factor = 256;
  report = checkFloatingPoint(f, early, tolerant);
  EXPECT_TRUE(report.isAccepted()) << report.reason;
  EXPECT_FALSE(checkFloatingPoint(f, late, tolerant).isStable);
}

TEST(FloatingPoint, OneResultOutOfRangeHidesNothingOfOthers) {
  // x^64 overflows for large inputs. The other result must not.
  auto build = [](GraphBuilder &g, bool isShifted) {
    MuValue x = g.argument({4, 16}), power = x;
    for (int i = 0; i < 6; ++i)
      power = g.mul(power, power);
    MuValue e = isShifted ? g.exp(g.sub(x, g.max(x, 1))) : g.exp(x);
    g.results({power, g.div(e, g.sum(e, 1))});
  };
  GraphBuilder f, g;
  build(f, true);
  build(g, false);
  FloatingPointReport report = checkFloatingPoint(f, g, {});
  EXPECT_FALSE(report.isStable);
  EXPECT_NE(report.reason.find("on large inputs"), std::string::npos)
      << report.reason;
}

TEST(FloatingPoint, SilenceIsNoAcceptance) {
  GraphBuilder f, g;
  for (GraphBuilder *graph : {&f, &g}) {
    MuValue x = graph->argument({16});
    graph->results(
        {x, graph->op(OpKind::Log, {graph->scale(graph->mul(x, x), -1)})});
  }
  FloatingPointReport report = checkFloatingPoint(f, g, {});
  EXPECT_TRUE(report.isStable);
  EXPECT_EQ(report.silent, std::vector<unsigned>{1});
  EXPECT_FALSE(report.isAccepted());
}

TEST(FloatingPoint, InputsAreMadeSmallerThanNormal) {
  // exp of 4096 times a sum of 4096 products is no number of f64 for any of the
  // kinds, in no element of a sum of many.
  auto build = [](GraphBuilder &g, double shift) {
    MuValue x = g.argument({4, 4096}), w = g.argument({4096, 64});
    MuValue y = g.scale(g.matmul(x, w), 4096);
    if (shift) {
      MuValue c = g.constant(shift, 2);
      y = g.sub(g.add(y, c), c);
    }
    g.results({g.sum(g.exp(y), 1)});
  };
  GraphBuilder f, same, lossy;
  build(f, 0);
  build(same, 0);
  build(lossy, 0x1p24);
  FloatingPointReport report = checkFloatingPoint(f, same, {});
  EXPECT_TRUE(report.isAccepted()) << report.reason;
  EXPECT_TRUE(report.silent.empty());
  EXPECT_TRUE(llvm::any_of(report.errors, [](const auto &errors) {
    return errors.inputs == "small";
  }));
  EXPECT_FALSE(checkFloatingPoint(f, lossy, {}).isStable);
}

TEST(FloatingPoint, NaNMayBecomeANumber) {
  GraphBuilder f, g;
  MuValue root = f.op(OpKind::Sqrt, {f.argument({16})});
  f.results({f.mul(root, root)});
  g.results({g.argument({16})});
  FloatingPointReport report = checkFloatingPoint(f, g, {});
  EXPECT_TRUE(report.isAccepted()) << report.reason;
  EXPECT_EQ(report.undefined, std::vector<unsigned>{0});
  EXPECT_FALSE(checkFloatingPoint(g, f, {}).isStable);
}

TEST(FloatingPoint, TheOriginalsTypeCounts) {
  MuGraph f, g;
  for (MuGraph *graph : {&f, &g}) {
    MuValue x = graph->addArgument(0, {16}, ElementType::f32);
    ElementType type = graph == &f ? ElementType::f32 : ElementType::f16;
    graph->setResults(0,
                      {graph->addOperator(0, OpKind::Square, {}, {x}, type)});
  }
  EXPECT_FALSE(checkFloatingPoint(f, g, {}).isStable);
  EXPECT_TRUE(checkFloatingPoint(g, f, {}).isStable);
}

TEST(FloatingPoint, NothingIsAllowedWithoutBound) {
  // (x - x) / d, where d, which is one, is zero within the bound of its error.
  // Numbers of at least one have all their digits in f64 if 2^23 is added.
  auto build = [](GraphBuilder &graph, bool isExact) {
    MuValue x = graph.op(OpKind::Max,
                         {graph.argument({64}), graph.constant(1, 1)}),
            c = graph.constant(0x1p23, 1);
    auto round = [&](MuValue value) {
      return graph.sub(graph.add(value, c), c);
    };
    MuValue zero = graph.sub(isExact ? x : round(x), x);
    MuValue d = round(round(graph.constant(1, 1)));
    graph.results({graph.div(zero, d)});
  };
  GraphBuilder f, g;
  build(f, true);
  build(g, false);
  FloatingPointReport report = checkFloatingPoint(f, g, {});
  EXPECT_FALSE(report.isAccepted());
  EXPECT_TRUE(report.isStable) << report.reason;
  EXPECT_NE(report.undecided.find("without a bound"), std::string::npos);
  EXPECT_TRUE(checkFloatingPoint(f, f, {}).isAccepted());
}

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

/// One draw of few elements would be chance, and so would its error.
TEST(FloatingPoint, FewElementsAreDrawnOften) {
  auto build = [](GraphBuilder &g, bool isShifted) {
    MuValue x = g.argument({2, 1});
    g.results({isShifted ? g.softmax(x, 1) : g.div(g.exp(x), g.exp(x))});
  };
  GraphBuilder f, wrong;
  build(f, true);
  build(wrong, false);
  auto sum = [](GraphBuilder &g, int64_t group) {
    MuValue x = g.argument({1, 4096});
    g.results({g.sum(group ? g.sum(x, 1, false, group) : x, 1)});
  };
  GraphBuilder whole, parts;
  sum(whole, 0);
  sum(parts, 64);
  for (uint64_t seed = 0; seed < 20; ++seed) {
    FloatingPointOptions options;
    options.seed = seed;
    EXPECT_FALSE(checkFloatingPoint(f, wrong, options).isStable) << seed;
    EXPECT_TRUE(checkFloatingPoint(whole, parts, options).isAccepted()) << seed;
    EXPECT_TRUE(checkFloatingPoint(parts, whole, options).isAccepted()) << seed;
  }
}

} // namespace
