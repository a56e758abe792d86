//===- BlockGeneratorTest.cpp - Enumerated block graphs -------------------===//

#include "Mirage/Search/BlockGenerator.h"
#include "../../lib/Search/Configurations.h"
#include "Mirage/Search/Superoptimizer.h"
#include "gtest/gtest.h"
#include <chrono>

using namespace mirage;
using namespace mirage::search;

namespace {

MuGraph rmsNormLinear() {
  MuGraph graph;
  MuValue x = graph.addArgument(0, {16, 4096}, ElementType::f16);
  MuValue w = graph.addArgument(0, {4096, 6144}, ElementType::f16);
  OpAttributes norm;
  norm.scalar = 1e-5;
  MuValue n = graph.addOperator(0, OpKind::RmsNorm, norm, {x}, ElementType::f16);
  MuValue o = graph.addOperator(0, OpKind::Matmul, {}, {n, w}, ElementType::f16);
  graph.setResults(0, {o});
  return graph;
}

MuGraph attention() {
  MuGraph graph;
  MuValue q = graph.addArgument(0, {2, 256, 64}, ElementType::f16);
  MuValue k = graph.addArgument(0, {2, 64, 4096}, ElementType::f16);
  MuValue v = graph.addArgument(0, {2, 4096, 64}, ElementType::f16);
  MuValue s = graph.addOperator(0, OpKind::Matmul, {}, {q, k}, ElementType::f32);
  OpAttributes softmax;
  softmax.dim = 2;
  MuValue p =
      graph.addOperator(0, OpKind::Softmax, softmax, {s}, ElementType::f16);
  MuValue o = graph.addOperator(0, OpKind::Matmul, {}, {p, v}, ElementType::f16);
  graph.setResults(0, {o});
  return graph;
}

using Operands = llvm::ArrayRef<MuValue>;
struct P {
  MuGraph g;
  MuValue in(llvm::ArrayRef<int64_t> shape) {
    return g.addArgument(0, shape, ElementType::f16);
  }
  MuValue op(OpKind kind, Operands operands, const OpAttributes &a = {},
             ElementType type = ElementType::f16) {
    return g.addOperator(0, kind, a, operands, type);
  }
  MuValue mm(MuValue a, MuValue b, bool tr = false) {
    OpAttributes attrs;
    attrs.transposeRhs = tr;
    return op(OpKind::Matmul, {a, b}, attrs);
  }
  MuValue rms(MuValue x) {
    OpAttributes norm;
    norm.scalar = 1e-5;
    return op(OpKind::RmsNorm, {x}, norm);
  }
  MuValue softmax(MuValue x) {
    OpAttributes a;
    a.dim = g.getShape(x).size() - 1;
    return op(OpKind::Softmax, {x}, a);
  }
  MuGraph out(MuValue v) {
    g.setResults(0, {v});
    return std::move(g);
  }
};

MuGraph gatedMlp() {
  P p;
  auto x = p.in({64, 4096}), w = p.in({4096, 4096}), v = p.in({4096, 4096});
  return p.out(p.op(OpKind::Mul, {p.op(OpKind::Silu, {p.mm(x, w)}), p.mm(x, v)}));
}
MuGraph lora() {
  P p;
  auto x = p.in({128, 256}), w = p.in({256, 4096}), a = p.in({256, 16}),
       b = p.in({16, 4096});
  return p.out(p.op(OpKind::Add, {p.mm(x, w), p.mm(p.mm(x, a), b)}));
}
MuGraph ntrans() {
  P p;
  auto h = p.in({64, 4096}), x = p.in({64, 4096}), alpha = p.in({64, 4096});
  return p.out(p.rms(p.op(
      OpKind::Add,
      {x, p.op(OpKind::Mul, {alpha, p.op(OpKind::Add, {p.rms(h), x})})})));
}
MuGraph qknorm() {
  P p;
  auto q = p.in({2, 256, 64}), k = p.in({2, 64, 4096}), v = p.in({2, 4096, 64});
  return p.out(p.mm(p.softmax(p.mm(p.rms(q), k)), p.rms(v)));
}
MuGraph qnorm() {
  P p;
  auto q = p.in({2, 256, 64}), k = p.in({2, 64, 4096}), v = p.in({2, 4096, 64});
  return p.out(p.mm(p.softmax(p.mm(p.rms(q), k)), v));
}
MuGraph vnorm() {
  P p;
  auto q = p.in({2, 256, 64}), k = p.in({2, 64, 4096}), v = p.in({2, 4096, 64});
  return p.out(p.mm(p.softmax(p.mm(q, k)), p.rms(v)));
}
MuGraph qknorm2() {
  P p;
  auto q = p.in({2, 256, 64}), k = p.in({2, 4096, 64}), v = p.in({2, 4096, 64});
  return p.out(p.mm(p.softmax(p.mm(p.rms(q), p.rms(k), true)), v));
}
MuGraph mlp() {
  P p;
  auto x = p.in({64, 4096}), w = p.in({4096, 16}), v = p.in({16, 4096});
  return p.out(p.op(OpKind::Add, {p.mm(p.op(OpKind::Relu, {p.mm(x, w)}), v), x}));
}
MuGraph moe() {
  P p;
  auto x = p.in({8, 8, 4096}), a = p.in({8, 4096, 4096}), b = p.in({8, 4096, 4096});
  return p.out(p.mm(p.op(OpKind::Exp, {p.mm(x, a)}), b));
}
MuGraph chain() {
  P p;
  auto a = p.in({1, 512, 256}), b = p.in({1, 256, 512}), d = p.in({1, 512, 256});
  return p.out(p.mm(p.mm(a, b), d));
}

void show(const MuGraph &graph, unsigned limit) {
  std::string reason;
  unsigned location = 0;
  auto problem = SearchProblem::create(graph, reason, location);
  ASSERT_TRUE(problem) << reason;
  GeneratorLimits limits;
  limits.blockOperators = limit;
  GeneratorStatistics statistics;
  ExpressionOracle oracle(*problem, Prune::NormalForm);
  std::vector<KernelTensor> tensors;
  std::vector<TensorInfo> infos;
  std::vector<uint8_t> loaded;
  for (auto [number, input] : llvm::enumerate(problem->getInputs())) {
    tensors.push_back({input, oracle.getInput(number).value, 0, std::nullopt});
    infos.push_back(input);
    loaded.push_back(number);
  }
  auto configurations =
      enumerateConfigurations(*problem, infos, loaded, true, {});
  auto from = std::chrono::steady_clock::now();
  BlockGenerator generator(*problem, oracle, tensors, limits, statistics);
  unsigned shown = 0;
  for (const LaunchGraph &start : configurations)
    generator.generateLast(start, [&](const LaunchGraph &found, auto) {
      if (shown++ < 0) {
        Candidate c;
        c.launches = {found};
        printf("%s\n", toString(*problem, c).c_str());
      }
    });
  double seconds = std::chrono::duration<double>(
                       std::chrono::steady_clock::now() - from)
                       .count();
  printf("%u ops: %zu configurations, %lu states, expr %lu dead %lu rec %lu, "
         "complete %lu, %.3f s, %.0f/s\n",
         limit, configurations.size(), statistics.states,
         statistics.prunedExpression, statistics.prunedDeadEnd,
         statistics.prunedRecomputation, statistics.complete, seconds,
         statistics.states / seconds);
}

TEST(BlockGenerator, RmsNorm) {
  for (unsigned limit : {9u, 11u})
    show(rmsNormLinear(), limit);
}
TEST(BlockGenerator, Attention) {
  for (unsigned limit : {9u, 11u})
    show(attention(), limit);
}

void optimize(const MuGraph &graph, unsigned kernels = 2) {
  std::string reason;
  unsigned location = 0;
  auto task = SearchTask::create(graph, reason, location);
  ASSERT_TRUE(task) << reason;
  SearchOptions options;
  options.target = *getTargetPreset("sm_90a");
  options.kernels = kernels;
  if (const char *text = getenv("PRUNE"))
    options.limits.prune = static_cast<Prune>(atoi(text));
  if (const char *text = getenv("OPS"))
    options.limits.blockOperators = atoi(text);
  if (const char *text = getenv("DEADLINE"))
    options.deadline = atof(text);
  SearchControl control;
  control.report = [](const SearchProgress &p) {
    if (p.done == p.total || p.done % 500 == 0)
      fprintf(stderr, "%s %lu/%lu states %lu candidates %lu %.1f s\n",
              p.phase.str().c_str(), p.done, p.total, p.generator.states,
              p.candidates, p.seconds);
  };
  SearchResult result = superoptimize(*task, options, control);
  const SearchStatistics &s = result.statistics;
  printf("ops %u %u cut %lu states %lu complete %lu candidates %lu tooLarge %lu first %lu "
         "interfaces %lu prunedCost %lu refuted %lu unstable %lu unknown %lu "
         "verified %lu; %.2f %.2f %.2f s\n",
         s.singleOperators, s.firstOperators, s.cutInterfaces, s.generator.states, s.generator.complete, s.candidates, s.tooLarge,
         s.firstKernels, s.interfaces, s.prunedCost, s.refuted, s.unstable,
         s.unknown, s.verified, s.generateSeconds, s.chooseSeconds,
         s.verifySeconds);
  for (auto &judged : llvm::ArrayRef(result.judged).take_front(10)) {
    printf("%.2f us %s %s\n%s", judged.microseconds,
           stringifyVerdict(judged.verdict).str().c_str(),
           judged.reason.c_str(),
           toString(task->views[judged.view].problem, judged.candidate).c_str());
    for (auto &sizes : judged.sizes) {
      for (auto g : sizes.grid)
        printf(" %ld", g);
      printf(" loop %ld;", sizes.loop);
    }
    printf("\n");
  }
}

#define MIRAGE_TEST_PROGRAM(name, graph)                                       \
  TEST(Superoptimizer, name##1) { optimize(graph(), 1); }                      \
  TEST(Superoptimizer, name##2) { optimize(graph(), 2); }
MIRAGE_TEST_PROGRAM(GatedMlp, gatedMlp)
MIRAGE_TEST_PROGRAM(Lora, lora)
MIRAGE_TEST_PROGRAM(NTrans, ntrans)
MIRAGE_TEST_PROGRAM(QKNorm, qknorm)
MIRAGE_TEST_PROGRAM(QKNormT, qknorm2)
MIRAGE_TEST_PROGRAM(Mlp, mlp)
MIRAGE_TEST_PROGRAM(QN, qnorm)
MIRAGE_TEST_PROGRAM(VN, vnorm)
MIRAGE_TEST_PROGRAM(MoE, moe)
MIRAGE_TEST_PROGRAM(Chain, chain)

TEST(Superoptimizer, RmsNorm1) { optimize(rmsNormLinear(), 1); }
TEST(Superoptimizer, Attention1) { optimize(attention(), 1); }
TEST(Superoptimizer, RmsNorm) { optimize(rmsNormLinear()); }
TEST(Superoptimizer, Attention) { optimize(attention()); }
} // namespace
