//===- HazardsTest.cpp - Where a program loses what it computes -----------===//
//
// What estimates say of operations, from which sizes of arguments on, held to
// what runs show; and which inputs they propose for a pair.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/Floats/Hazards.h"
#include "../../../GraphBuilder.h"
#include "Mirage/Analysis/Equivalence/Floats/FloatingPoint.h"
#include "Mirage/Interpreter/RunMuGraph.h"
#include "Mirage/Support/CounterRandom.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mirage;
using namespace mirage::equivalence;

namespace {

/// A program of one type.
struct Program {
  explicit Program(ElementType type) : type(type) {}
  MuValue argument() { return graph.addArgument(0, Shape{8, 16}, type); }
  MuValue op(OpKind kind, llvm::ArrayRef<MuValue> operands,
             const OpAttributes &attributes = {}) {
    return graph.addOperator(0, kind, attributes, operands, type, ++locations);
  }
  MuValue constant(double value) {
    OpAttributes attributes;
    attributes.resultShape = {1, 1};
    attributes.values = std::make_shared<const std::vector<double>>(1, value);
    return op(OpKind::Constant, {}, attributes);
  }
  const MuGraph &results(MuValue value) {
    graph.setResults(0, {value});
    return graph;
  }

  MuGraph graph;
  ElementType type;
  unsigned locations = 0;
};

ResultEstimate estimate(const MuGraph &graph, double size, double mean = 0) {
  std::vector<ArgumentSize> sizes(graph.getRegion().arguments.size(),
                                  {mean, size});
  return estimateResults(graph, sizes).front();
}

/// The largest error of a run relative to the largest result, for arguments
/// whose elements are half to twice as large as `size`.
double measure(const MuGraph &graph, double size) {
  llvm::SmallVector<TensorValue> inputs;
  for (MuValue argument : graph.getRegion().arguments) {
    ElementType type = graph.getValue(argument).type;
    Tensor<double> tensor{Shape(graph.getShape(argument))};
    for (auto [i, number] : llvm::enumerate(tensor.data)) {
      uint64_t bits = CounterRandom(1).derive(argument, 0)(i, 0)[0];
      double magnitude =
          std::exp2(static_cast<double>(bits >> 12) * 0x1p-51 - 1);
      number = roundTo(type, size * (bits & 1 ? magnitude : -magnitude));
    }
    inputs.push_back({type, std::move(tensor)});
  }
  TensorValue exact = runMuGraph(graph, inputs, Precision::F64).front(),
              storage = runMuGraph(graph, inputs, Precision::Storage).front();
  double error = 0, largest = 0;
  for (int64_t i = 0; i < exact.size(); ++i) {
    double difference = std::fabs(storage.value(i) - exact.value(i));
    error = std::max(error, std::isnan(difference) ? HUGE_VAL : difference);
    largest = std::max(largest, std::fabs(exact.value(i)));
  }
  return std::isfinite(largest) ? error / largest : HUGE_VAL;
}

TEST(Hazards, AnOperationIsBlamed) {
  Program product(ElementType::f16);
  MuValue x = product.argument(), y = product.argument();
  MuValue xy = product.op(OpKind::Mul, {x, y});
  product.results(product.op(OpKind::Div, {x, xy}));
  // Each operation rounds to f16, and nothing else is lost.
  EXPECT_EQ(estimate(product.graph, 1).hazard,
            (Hazard{HazardKind::Rounding, 1}));
  EXPECT_EQ(estimate(product.graph, 0x1p10).hazard,
            (Hazard{HazardKind::Overflow, 1}));
  EXPECT_EQ(estimate(product.graph, 0x1p-11).hazard,
            (Hazard{HazardKind::Underflow, 1}));

  Program root(ElementType::f32);
  MuValue z = root.argument(), one = root.constant(1);
  MuValue sum = root.op(OpKind::Add, {root.op(OpKind::Square, {z}), one});
  root.results(root.op(OpKind::Sub, {root.op(OpKind::Sqrt, {sum}), one}));
  EXPECT_FALSE(estimate(root.graph, 1).hazard);
  EXPECT_EQ(estimate(root.graph, 0x1p-8).hazard,
            (Hazard{HazardKind::Cancellation, 5}));

  Program quotient(ElementType::f32);
  MuValue w = quotient.argument();
  quotient.results(quotient.op(OpKind::Div, {quotient.constant(1), w}));
  EXPECT_FALSE(estimate(quotient.graph, 1).hazard);
  EXPECT_EQ(estimate(quotient.graph, 0).hazard, (Hazard{HazardKind::Pole, 2}));
}

TEST(Hazards, AMaximumKeepsExponentialsInRange) {
  for (bool isShifted : {false, true}) {
    Program softmax(ElementType::f32);
    MuValue x = softmax.argument(), shifted = x;
    OpAttributes rows;
    rows.dim = 1;
    rows.keep = true;
    rows.reduceKind = ReduceKind::Max;
    if (isShifted)
      shifted =
          softmax.op(OpKind::Sub, {x, softmax.op(OpKind::Reduce, {x}, rows)});
    MuValue e = softmax.op(OpKind::Exp, {shifted});
    rows.reduceKind = ReduceKind::Sum;
    softmax.results(
        softmax.op(OpKind::Div, {e, softmax.op(OpKind::Reduce, {e}, rows)}));
    EXPECT_TRUE(std::isfinite(estimate(softmax.graph, 8).error));
    EXPECT_EQ(std::isfinite(estimate(softmax.graph, 200).error), isShifted);
  }
}

/// Programs of one operation that follows another, whose errors runs measure.
TEST(Hazards, EstimatesFollowRuns) {
  using Build = MuValue (*)(Program &, MuValue, MuValue);
  const Build builds[] = {
      [](Program &p, MuValue x, MuValue y) {
        return p.op(OpKind::Mul, {x, y});
      },
      [](Program &p, MuValue x, MuValue y) {
        return p.op(OpKind::Div, {x, p.op(OpKind::Mul, {x, y})});
      },
      [](Program &p, MuValue x, MuValue y) {
        return p.op(OpKind::Div, {p.op(OpKind::Div, {x, x}), y});
      },
      [](Program &p, MuValue x, MuValue) {
        return p.op(OpKind::Sub, {p.op(OpKind::Exp, {x}), p.constant(1)});
      },
      [](Program &p, MuValue x, MuValue) {
        return p.op(OpKind::Sqrt, {p.op(OpKind::Square, {x})});
      },
      [](Program &p, MuValue x, MuValue y) {
        return p.op(OpKind::Add,
                    {p.op(OpKind::Square, {x}), p.op(OpKind::Square, {y})});
      },
      [](Program &p, MuValue x, MuValue) { return p.op(OpKind::Tanh, {x}); },
      [](Program &p, MuValue x, MuValue) { return p.op(OpKind::Silu, {x}); },
  };
  for (ElementType type : {ElementType::f16, ElementType::f32})
    for (auto [number, build] : llvm::enumerate(builds))
      for (int power = -12; power <= 9; power += 3) {
        Program program(type);
        MuValue x = program.argument(), y = program.argument();
        program.results(build(program, x, y));
        double size = std::ldexp(1.0, power),
               run = measure(program.graph, size),
               expected = estimate(program.graph, size).getRelativeError();
        // Within four bits above, and what is lost entirely is lost. An error
        // that is not there was estimated for elements that came out exact.
        EXPECT_LE(std::min(run, 1.0), 16 * expected)
            << "program " << number << ", size 2^" << power;
        if (run < 0x1p-6)
          EXPECT_LT(expected, 0.5)
              << "program " << number << ", size 2^" << power;
      }
}

TEST(Hazards, SuspicionsAreOfTheCandidateAlone) {
  auto build = [](Program &p, bool isProduct) {
    MuValue x = p.argument(), y = p.argument(), z = p.argument();
    p.results(isProduct ? p.op(OpKind::Div, {x, p.op(OpKind::Mul, {y, z})})
                        : p.op(OpKind::Div, {p.op(OpKind::Div, {x, y}), z}));
  };
  Program quotients(ElementType::f16), product(ElementType::f16);
  build(quotients, false);
  build(product, true);
  EXPECT_TRUE(findSuspicions(quotients.graph, quotients.graph, 16).empty());
  EXPECT_TRUE(findSuspicions(product.graph, product.graph, 16).empty());
  std::vector<Suspicion> found =
      findSuspicions(quotients.graph, product.graph, 16);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front().hazard.location, 1u);
  EXPECT_EQ(found.front().hazard.kind, HazardKind::Overflow);
  // A type that holds the products has no such hazard.
  Program wideQuotients(ElementType::bf16), wideProduct(ElementType::bf16);
  build(wideQuotients, false);
  build(wideProduct, true);
  EXPECT_TRUE(
      findSuspicions(wideQuotients.graph, wideProduct.graph, 16).empty());
}

TEST(Hazards, SmallArgumentsKeepWhatANormKeeps) {
  auto build = [](Program &p, bool dividesFirst) {
    MuValue x = p.argument(), y = p.argument();
    OpAttributes rows;
    rows.dim = 1;
    rows.keep = true;
    rows.reduceKind = ReduceKind::Max;
    MuValue most = p.op(OpKind::Reduce, {p.op(OpKind::Abs, {x})}, rows);
    p.results(dividesFirst
                  ? p.op(OpKind::Mul, {p.op(OpKind::Div, {x, most}), y})
                  : p.op(OpKind::Div, {p.op(OpKind::Mul, {x, y}), most}));
  };
  Program first(ElementType::f16), last(ElementType::f16);
  build(first, true);
  build(last, false);
  std::vector<Suspicion> found = findSuspicions(first.graph, last.graph, 16);
  ASSERT_FALSE(found.empty());
  auto underflow = llvm::find_if(found, [](const Suspicion &suspicion) {
    return suspicion.hazard == Hazard{HazardKind::Underflow, 3};
  });
  ASSERT_NE(underflow, found.end());
  EXPECT_LT(underflow->arguments[0].deviation, 0x1p-14);
  EXPECT_EQ(underflow->arguments[1].deviation, 1);
  EXPECT_TRUE(findSuspicions(last.graph, last.graph, 16).empty());
}

/// The suspicion of a product of three matrices, of which the middle result is
/// stored in f16, with most of the last matrix zero.
std::optional<Suspicion> findSingle(std::optional<OpKind> function) {
  GraphBuilder original, candidate;
  for (GraphBuilder *g : {&original, &candidate}) {
    MuValue x = g->argument({16, 32}), v = g->argument({32, 16}),
            w = g->argument({16, 16});
    auto narrow = [&](MuValue value) {
      return g->op(OpKind::Cast,
                   {g->graph.addOperator(0, OpKind::Cast, {}, {value},
                                         ElementType::f16)});
    };
    MuValue y = g == &original ? g->matmul(narrow(g->matmul(x, v)), w)
                               : g->matmul(x, narrow(g->matmul(v, w)));
    g->results({function ? g->op(*function, {y}) : y});
  }
  for (const Suspicion &suspicion :
       findSuspicions(original.graph, candidate.graph, 16))
    if (suspicion.getSingle())
      return suspicion;
  return std::nullopt;
}

TEST(Hazards, FunctionsThatSaturateShowWhatCancels) {
  for (OpKind function : {OpKind::Tanh, OpKind::Sigmoid, OpKind::Erf}) {
    std::optional<Suspicion> found = findSingle(function);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->getSingle(), 2u);
    EXPECT_EQ(found->hazard.kind, HazardKind::Cancellation);
  }
  // The product itself errs as much in all elements, and no more than in one.
  EXPECT_FALSE(findSingle(std::nullopt));
}

TEST(Hazards, ARefusalNamesTheOperation) {
  Program original(ElementType::f32), candidate(ElementType::f32);
  original.results(original.op(OpKind::Sqrt, {original.argument()}));
  MuValue x = candidate.argument();
  MuValue inverse = candidate.op(OpKind::Rsqrt, {x});
  candidate.results(candidate.op(OpKind::Mul, {x, inverse}));
  FloatingPointReport report =
      checkFloatingPoint(original.graph, candidate.graph, {});
  EXPECT_FALSE(report.isStable);
  EXPECT_EQ(report.hazard, (Hazard{HazardKind::NotFinite, 1}));
  EXPECT_FALSE(checkFloatingPoint(original.graph, original.graph, {}).hazard);
}

TEST(Hazards, TypesOfFewDigitsKeepTwoBits) {
  for (auto [type, shift] :
       {std::pair{ElementType::f8E4M3FN, 11}, {ElementType::f8E5M2, 14}})
    for (bool isLossy : {false, true}) {
      GraphBuilder original, candidate;
      for (GraphBuilder *g : {&original, &candidate}) {
        MuValue x = g->argument({8, 16});
        auto store = [&](MuValue value) {
          return g->graph.addOperator(0, OpKind::Cast, {}, {value}, type);
        };
        if (g == &candidate && isLossy) {
          x = store(g->scale(x, std::ldexp(1.0, -shift)));
          x = g->scale(g->op(OpKind::Cast, {x}), std::ldexp(1.0, shift));
        }
        g->results({store(x)});
      }
      EXPECT_EQ(checkFloatingPoint(original, candidate, {}).isStable, !isLossy);
    }
}

} // namespace
