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

void show(const MuGraph &graph, unsigned limit) {
  std::string reason;
  unsigned location = 0;
  auto problem = SearchProblem::create(graph, reason, location);
  ASSERT_TRUE(problem) << reason;
  GeneratorLimits limits;
  limits.blockOperators = limit;
  GeneratorStatistics statistics;
  ExpressionOracle oracle(*problem, true);
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
  auto problem = SearchProblem::create(graph, reason, location);
  ASSERT_TRUE(problem) << reason;
  SearchOptions options;
  options.target = *getTargetPreset("sm_90a");
  options.kernels = kernels;
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
  SearchResult result = superoptimize(graph, *problem, options, control);
  const SearchStatistics &s = result.statistics;
  printf("states %lu complete %lu candidates %lu tooLarge %lu first %lu "
         "interfaces %lu prunedCost %lu refuted %lu unstable %lu unknown %lu "
         "verified %lu; %.2f %.2f %.2f s\n",
         s.generator.states, s.generator.complete, s.candidates, s.tooLarge,
         s.firstKernels, s.interfaces, s.prunedCost, s.refuted, s.unstable,
         s.unknown, s.verified, s.generateSeconds, s.chooseSeconds,
         s.verifySeconds);
  for (auto &judged : llvm::ArrayRef(result.judged).take_front(10)) {
    printf("%.2f us %s %s\n%s", judged.microseconds,
           stringifyVerdict(judged.verdict).str().c_str(),
           judged.reason.c_str(),
           toString(*problem, judged.candidate).c_str());
    for (auto &sizes : judged.sizes) {
      for (auto g : sizes.grid)
        printf(" %ld", g);
      printf(" loop %ld;", sizes.loop);
    }
    printf("\n");
  }
}

TEST(Superoptimizer, RmsNorm1) { optimize(rmsNormLinear(), 1); }
TEST(Superoptimizer, Attention1) { optimize(attention(), 1); }
TEST(Superoptimizer, RmsNorm) { optimize(rmsNormLinear()); }
TEST(Superoptimizer, Attention) { optimize(attention()); }
} // namespace
