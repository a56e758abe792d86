//===- Enumeration.cpp - Sets of block graphs to compare ------------------===//

#include "Enumeration.h"
#include "../../lib/Search/Configurations.h"
#include "Mirage/Analysis/Equivalence/RandomTests.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mirage;
using namespace mirage::search;

static SearchProblem createProblem(const MuGraph &program) {
  std::string reason;
  unsigned location = 0;
  auto problem = SearchProblem::create(program, reason, location);
  if (!problem)
    llvm::report_fatal_error(reason.c_str());
  return std::move(*problem);
}

SizedProgram::SizedProgram(MakeProgram make, AxisSizes sizes, int64_t grid,
                           int64_t loop)
    : program(make(sizes)), problem(createProblem(program)), grid(grid),
      loop(loop) {}

static Candidate makeCandidate(const SearchProblem &problem,
                               const LaunchGraph &graph) {
  Candidate candidate;
  candidate.launches.push_back(graph);
  for (unsigned result = 0; result < graph.outputs.size(); ++result)
    candidate.results.push_back(problem.getInputs().size() + result);
  return candidate;
}

MuGraph SizedProgram::instantiate(const LaunchGraph &graph) const {
  LaunchSizes sizes;
  sizes.grid.assign(graph.gridAxes.size(), grid);
  sizes.loops.assign(graph.getLoopAxes().size(), loop);
  return search::instantiate(problem, makeCandidate(problem, graph), sizes);
}

bool SizedProgram::computes(const LaunchGraph &graph) const {
  static WorkerPool pool(1);
  RandomTestOptions options;
  options.errorBits = 1;
  options.minTests = options.maxTests = 1;
  return runRandomTests(program, instantiate(graph), options, pool).kind ==
         RandomTestResult::Kind::Agree;
}

/// Twice four times different primes, and six times others: what is equal for
/// both is equal for all sizes.
Enumeration::Enumeration(MakeProgram make)
    : small(make, {8, 12, 20, 28, 44}, 2, 2),
      large(make, {42, 30, 18, 12, 66}, 3, 2) {}

Generated Enumeration::generate(const GeneratorLimits &limits,
                                const Space &space) const {
  const SearchProblem &problem = getProblem();
  Generated generated;
  ExpressionOracle oracle(problem, limits.prune);
  std::vector<KernelTensor> tensors;
  llvm::SmallVector<uint8_t> loaded;
  for (auto [number, input] : llvm::enumerate(problem.getInputs())) {
    KernelTensor &tensor = tensors.emplace_back();
    tensor.info = input;
    tensor.value = oracle.getInput(number).value;
    loaded.push_back(number);
  }
  BlockGenerator generator(problem, oracle, tensors, limits,
                           generated.statistics);
  EnumerationBudget budget(50'000'000, nullptr);
  for (const LaunchGraph &start : enumerateConfigurations(
           problem, problem.getInputs(), loaded,
           /*isLast=*/true,
           {space.gridDims, space.secondLoads, space.minLoops, space.maxLoops},
           budget))
    generator.generateLast(start, [&](const LaunchGraph &graph, auto) {
      ++generated.count;
      generated.graphs.try_emplace(getText(graph), graph);
    });
  return generated;
}

std::string Enumeration::getText(const LaunchGraph &graph) const {
  const SearchProblem &problem = getProblem();
  LaunchGraph bare = graph;
  bare.operators.clear();
  bare.outputs.clear();
  std::vector<std::string> values, operators;
  for (auto [number, load] : llvm::enumerate(graph.loads))
    values.push_back("%" + std::to_string(number));
  for (const BlockOperator &op : graph.operators) {
    const OperatorForm &form = problem.getForms()[op.form];
    unsigned count = form.getNumOperands();
    std::string first = values[op.first],
                second = count > 1 ? values[op.second] : "",
                third = count > 2 ? values[op.third] : "";
    bool isCommutative =
        form.form == OperatorForm::Form::Binary &&
        llvm::is_contained({OpKind::Add, OpKind::Mul, OpKind::Max, OpKind::Min},
                           form.kind);
    if (isCommutative && second < first)
      std::swap(first, second);
    values.push_back("(" + std::to_string(op.form) + "." +
                     std::to_string(op.dim) + " " + first + " " + second + " " +
                     third + ")");
    operators.push_back(values.back());
  }
  llvm::sort(operators);
  std::string text = print(bare);
  for (const std::string &op : operators)
    text += op + "\n";
  for (uint8_t output : graph.outputs)
    text += "-> " + values[output];
  return text;
}

std::string Enumeration::print(const LaunchGraph &graph) const {
  return toString(getProblem(), makeCandidate(getProblem(), graph));
}

bool Enumeration::isCorrect(const LaunchGraph &graph) const {
  return small.computes(graph) && large.computes(graph);
}

bool Enumeration::isEqualByAxioms(const LaunchGraph &graph) const {
  ExpressionContext context;
  AbstractEvaluator evaluator(context);
  NormalForms forms;
  return llvm::all_of(
      llvm::zip(getResultExpressions(small.program, evaluator),
                getResultExpressions(small.instantiate(graph), evaluator)),
      [&](auto pair) {
        return forms.areEqual(std::get<0>(pair), std::get<1>(pair));
      });
}

std::map<std::string, LaunchGraph>
Enumeration::getCorrect(const Generated &generated) const {
  std::map<std::string, LaunchGraph> correct;
  for (const auto &[text, graph] : generated.graphs)
    if (isCorrect(graph))
      correct.emplace(text, graph);
  return correct;
}
