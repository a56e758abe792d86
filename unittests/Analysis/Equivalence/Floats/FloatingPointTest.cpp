//===- FloatingPointTest.cpp - Errors in storage and in float64 -----------===//
//
// What is reported of pairs that are equal by exact arithmetic, and where the
// thresholds lie.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/Floats/FloatingPoint.h"
#include "../../../GraphBuilder.h"
#include "Mirage/Interpreter/RunMuGraph.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mirage;
using namespace mirage::equivalence;

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
  ASSERT_EQ(report.errors.size(), 9u);
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

TEST(FloatingPoint, SmallRowsKeepTheirDigitsBesideLargeOnes) {
  // x + m - m keeps as many digits of x as m has: those of the largest element
  // of all, or of the row.
  for (bool isByRows : {false, true}) {
    GraphBuilder f, g;
    f.results({f.scale(f.argument({8, 16}), 1)});
    MuValue x = g.argument({8, 16});
    MuValue most = g.max(g.op(OpKind::Abs, {x}), 1);
    if (!isByRows)
      most = g.max(most, 0);
    g.results({g.sub(g.add(x, most), most)});
    FloatingPointReport report = checkFloatingPoint(f, g, {});
    EXPECT_EQ(report.isStable, isByRows) << report.reason;
    EXPECT_EQ(report.reason.find("in the row at") != std::string::npos,
              !isByRows);
  }
}

TEST(FloatingPoint, RowsInWhichSomethingCancelsAreSmallForBoth) {
  // Sums of one row in another order; what is left of them is up to chance.
  GraphBuilder f, g;
  MuValue x = f.argument({64, 256}), y = g.argument({64, 256});
  f.results({f.sum(f.sub(x, f.scale(f.sum(x, 1), 0x1p-8)), 1)});
  MuValue z = g.sub(y, g.scale(g.sum(y, 1), 0x1p-8));
  g.results({g.sum(g.sum(z, 1, false, 16), 1)});
  EXPECT_TRUE(checkFloatingPoint(f, g, {}).isStable);
}

TEST(FloatingPoint, ProductsMayBePutTogetherInAnyOrder) {
  // The middle matrix has a single column, so that a row of the first product
  // is one number. Where this number cancels, A (B D) has rounded B D before.
  // The verdict must not depend on the seed, neither by such rows nor by
  // elements of B D that overflow a little earlier than the result.
  for (uint64_t seed = 0; seed < 24; ++seed) {
    GraphBuilder f, g;
    for (GraphBuilder *program : {&f, &g}) {
      auto argument = [&](Shape shape) {
        return program->graph.addArgument(0, std::move(shape),
                                          ElementType::f16);
      };
      auto multiply = [&](MuValue x, MuValue y) {
        return program->graph.addOperator(
            0, OpKind::Cast, {},
            {program->graph.addOperator(0, OpKind::Matmul, {}, {x, y},
                                        ElementType::f32)},
            ElementType::f16);
      };
      MuValue a = argument({8, 4}), b = argument({4, 16}),
              d = argument({16, 8});
      program->results({program == &f ? multiply(multiply(a, b), d)
                                      : multiply(a, multiply(b, d))});
    }
    FloatingPointOptions options;
    options.seed = seed;
    FloatingPointReport report = checkFloatingPoint(f, g, options);
    EXPECT_TRUE(report.isStable) << seed << ": " << report.reason;
  }
}

TEST(FloatingPoint, MoreIsAllowedOfAnInexactOriginal) {
  // The candidate is what the original is, as far as rounding goes.
  Shifted exact(0), lossy(0x1p38), other(0x1.8p38);
  EXPECT_TRUE(checkFloatingPoint(lossy.graph, other.graph, {}).isStable);
  EXPECT_TRUE(checkFloatingPoint(lossy.graph, exact.graph, {}).isStable);
  FloatingPointOptions tolerant;
  tolerant.factor = 1e16;
  // Nothing is left of small arguments, whatever the factor is.
  tolerant.extremes = false;
  FloatingPointReport report =
      checkFloatingPoint(exact.graph, lossy.graph, tolerant);
  EXPECT_TRUE(report.isStable) << report.reason;
}

TEST(FloatingPoint, SubnormalNumbersMayBeFlushed) {
  // Squares of 2^-66 are subnormal before they are scaled. Those of 2^-22 are
  // not, and 2^-90 times less is.
  for (int power : {14, 90}) {
    GraphBuilder f, g;
    MuValue x = f.argument({8, 16}), y = g.argument({8, 16});
    f.results({f.mul(x, x)});
    g.results({g.scale(g.scale(g.mul(y, y), std::ldexp(1.0, -power)),
                       std::ldexp(1.0, power))});
    FloatingPointReport report = checkFloatingPoint(f, g, {});
    EXPECT_EQ(report.isStable, power == 14) << report.reason;
  }
}

TEST(FloatingPoint, EndsWithItsExecution) {
  // A wrong candidate, of which nothing is said wherever the runs are ended.
  Shifted original(0, 64), candidate(1e6, 64);
  WorkerPool pool(2);
  for (unsigned most : {0, 1, 3, 10, 30}) {
    std::atomic<unsigned> asked = 0;
    Execution soonOver(pool, [&] { return ++asked > most; });
    FloatingPointReport report =
        checkFloatingPoint(original.graph, candidate.graph, {}, soonOver);
    EXPECT_TRUE(report.isStable);
    EXPECT_FALSE(report.isAccepted());
    EXPECT_FALSE(report.undecided.empty());
    EXPECT_TRUE(report.errors.empty());
  }
}

TEST(FloatingPoint, KeptRunsChangeNothing) {
  // Rows of ten lengths, so that programs are given up and come back, and
  // candidates among which some are refused; twice.
  FloatingPointOptions options;
  Execution alone;
  FloatingPointChecker checker(options, alone, /*keepsRuns=*/true);
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
  // Small beside the smallest numbers that are drawn.
  buildMasked(g, 0x1p-96);
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
    EXPECT_EQ(errors.power < 0,
              llvm::is_contained({"large", "changing", "huge", "outlier"},
                                 errors.inputs))
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
