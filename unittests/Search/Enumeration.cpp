//===- Enumeration.cpp - Sets of block graphs to compare ------------------===//

#include "Enumeration.h"
#include "Expressions/GraphExpressions.h"
#include "Mirage/Analysis/Equivalence/Fields/RandomTests.h"
#include "Mirage/Analysis/Equivalence/Proof/Proof.h"
#include "Mirage/Search/Launches/Configurations.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mirage;
using namespace mirage::equivalence;
using namespace mirage::search;

static SearchProblem createProblem(const ProgramView &view) {
  std::string reason;
  std::optional<unsigned> location;
  auto problem =
      SearchProblem::create(view.program, reason, location, getAlikeDims(view));
  if (!problem)
    llvm::report_fatal_error(reason.c_str());
  return std::move(*problem);
}

/// The program with equal slices as parts of axes and with inputs twice where
/// it has an axis twice. Parts are separated first where there is a
/// concatenation: other programs show what becomes of parts of axes.
static ProgramView separate(const MuGraph &program) {
  ProgramView view = getWholeView(program);
  bool hasConcat = llvm::any_of(program.getRegion().nodes, [&](unsigned n) {
    return program.getNode(n).op == OpKind::Concat;
  });
  if (hasConcat)
    view = separateParts(view).value_or(view);
  view = splitSlices(view).value_or(view);
  return separateAxes(view).value_or(view);
}

SizedProgram::SizedProgram(const ProgramView &view, int64_t grid, int64_t loop)
    : program(view.program), problem(createProblem(view)), grid(grid),
      loop(loop) {}

SizedProgram::SizedProgram(MakeProgram make, AxisSizes sizes, int64_t grid,
                           int64_t loop)
    : SizedProgram(separate(make(sizes)), grid, loop) {}

Candidate mirage::search::makeCandidate(const SearchProblem &problem,
                                        const LaunchGraph &graph) {
  Candidate candidate;
  candidate.launches.push_back(graph);
  for (unsigned result = 0; result < graph.outputs.size(); ++result)
    candidate.results.push_back(problem.getInputs().size() + result);
  return candidate;
}

/// The smallest divisor of a size that is not below a number, or the size.
static int64_t getDivisor(int64_t size, int64_t number) {
  while (number < size && size % number != 0)
    ++number;
  return std::min(number, size);
}

MuGraph SizedProgram::instantiate(const Candidate &candidate) const {
  llvm::SmallVector<LaunchSizes, 2> sizes;
  for (auto [number, launch] : llvm::enumerate(candidate.launches)) {
    bool isLast = number + 1 == candidate.launches.size();
    LaunchSizes own;
    // What the grid leaves of an axis is what a loop can divide. Axes of the
    // places of parts have the sizes that programs give them, by which not
    // every number divides them.
    std::map<uint8_t, int64_t> blocks;
    auto getExtent = [&](uint8_t axis, int64_t wanted) {
      auto [entry, isNew] = blocks.try_emplace(axis, 1);
      int64_t size = getAxisSize(problem, candidate, sizes, axis);
      int64_t extent = getDivisor(size / entry->second, wanted);
      entry->second *= extent;
      return extent;
    };
    for (uint8_t axis : launch.gridAxes)
      own.grid.push_back(getExtent(axis, isLast ? grid : grid * loop));
    for (uint8_t axis : launch.getLoopAxes())
      own.loops.push_back(getExtent(axis, loop));
    // A launch without a grid has one block.
    if (own.grid.empty())
      own.grid.push_back(1);
    sizes.push_back(own);
  }
  return search::instantiate(problem, candidate, sizes);
}

bool SizedProgram::computes(const Candidate &candidate) const {
  static WorkerPool pool(1);
  static Execution execution(pool);
  RandomTestOptions options;
  options.errorBits = 1;
  options.minTests = options.maxTests = 1;
  return runRandomTests(program, instantiate(candidate), options, execution)
             .kind == RandomTestResult::Kind::Agree;
}

/// Twice four times different primes, and six times others: what is equal for
/// both is equal for all sizes.
Enumeration::Enumeration(MakeProgram make)
    : Enumeration(make, {8, 12, 20, 28, 44}, {42, 30, 18, 12, 66}) {}

Enumeration::Enumeration(MakeProgram make, AxisSizes small, AxisSizes large)
    : small(make, small, 2, 2), large(make, large, 3, 2) {
  // What views make of a program can depend on its sizes, as the alignment of
  // windows does.
  auto getRanks = [](const SearchProblem &problem) {
    return llvm::map_to_vector(
        problem.getInputs(),
        [](const TensorInfo &input) { return input.dims.size(); });
  };
  if (getRanks(this->small.problem) != getRanks(this->large.problem))
    llvm::report_fatal_error("the program has other inputs at other sizes");
}

Enumeration Enumeration::createForPairs(MakeProgram make) {
  return {make, {8, 24, 40, 56, 88}, {84, 60, 36, 24, 132}};
}

/// The inputs as tensors to load.
static std::vector<KernelTensor> getTensors(const SearchProblem &problem,
                                            ExpressionOracle &oracle) {
  std::vector<KernelTensor> tensors;
  for (auto [number, input] : llvm::enumerate(problem.getInputs())) {
    KernelTensor &tensor = tensors.emplace_back();
    tensor.info = input;
    tensor.value = oracle.getInput(number).value;
  }
  return tensors;
}

/// Some tensors that a launch can load.
using TensorSet = IndexSet<struct TensorTag>;

static llvm::SmallVector<uint8_t> getMembers(TensorSet set) {
  return llvm::to_vector_of<uint8_t>(set);
}

Generated Enumeration::generate(const GeneratorLimits &limits,
                                const Space &space) const {
  const SearchProblem &problem = getProblem();
  Generated generated;
  ExpressionOracle oracle(problem, limits.prune);
  std::vector<KernelTensor> tensors = getTensors(problem, oracle);
  auto loaded = getMembers(TensorSet::getBelow(tensors.size()));
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

Pairs Enumeration::generatePairs(const GeneratorLimits &first,
                                 const GeneratorLimits &second) const {
  const SearchProblem &problem = getProblem();
  GeneratorStatistics statistics;
  ExpressionOracle oracle(problem, first.prune);
  const std::vector<KernelTensor> inputs = getTensors(problem, oracle);
  EnumerationBudget budget(50'000'000, nullptr);
  auto forEachStart = [&](llvm::ArrayRef<KernelTensor> tensors,
                          TensorSet loaded, bool isLast,
                          llvm::function_ref<void(const LaunchGraph &)> fn) {
    std::vector<TensorInfo> infos;
    for (const KernelTensor &tensor : tensors)
      infos.push_back(tensor.info);
    for (const LaunchGraph &start :
         enumerateConfigurations(problem, infos, getMembers(loaded), isLast,
                                 {1, /*secondLoads=*/false, 0, 1}, budget))
      fn(start);
  };
  // First launches, and the inputs that they load.
  std::map<std::string, std::pair<LaunchGraph, TensorSet>> firsts;
  TensorSet all = TensorSet::getBelow(inputs.size());
  BlockGenerator generator(problem, oracle, inputs, first, statistics);
  all.forEachSubset(all.size(), [&](TensorSet loaded) {
    if (loaded.empty())
      return true;
    forEachStart(inputs, loaded, /*isLast=*/false, [&](const LaunchGraph &at) {
      generator.generateFirst(at, [&](const LaunchGraph &launch, auto) {
        firsts.try_emplace(getText(launch), launch, loaded);
      });
    });
    return true;
  });
  Pairs pairs;
  for (const auto &entry : firsts) {
    const LaunchGraph &launch = entry.second.first;
    TensorSet loaded = entry.second.second;
    std::vector<KernelTensor> tensors = inputs;
    llvm::append_range(tensors, generator.replay(launch));
    TensorSet unread = TensorSet::getBelow(tensors.size()) - loaded;
    BlockGenerator last(problem, oracle, tensors, second, statistics);
    loaded.forEachSubset(loaded.size(), [&](TensorSet again) {
      forEachStart(tensors, unread | again, /*isLast=*/true,
                   [&](const LaunchGraph &at) {
                     last.generateLast(at, [&](const LaunchGraph &next, auto) {
                       Candidate pair;
                       pair.launches = {launch, next};
                       for (unsigned i = 0; i < next.outputs.size(); ++i)
                         pair.results.push_back(tensors.size() + i);
                       pairs.try_emplace(getText(pair), pair);
                     });
                   });
      return true;
    });
  }
  return pairs;
}

std::string Enumeration::getText(const Candidate &candidate) const {
  const SearchProblem &problem = getProblem();
  Candidate bare = candidate;
  bare.results.clear();
  for (LaunchGraph &launch : bare.launches) {
    launch.operators.clear();
    launch.outputs.clear();
  }
  std::string text = print(bare);
  for (const LaunchGraph &graph : candidate.launches) {
    std::vector<std::string> values, operators;
    for (auto [number, load] : llvm::enumerate(graph.loads))
      values.push_back("%" + std::to_string(number));
    for (const BlockOperator &op : graph.operators) {
      const OperatorForm &form = problem.getForm(op.formId);
      unsigned count = form.getNumOperands();
      std::string first = values[op.first],
                  second = count > 1 ? values[op.second] : "",
                  third = count > 2 ? values[op.third] : "";
      bool isCommutative =
          form.kind == OperatorForm::Kind::Matmul ||
          (form.kind == OperatorForm::Kind::Binary &&
           llvm::is_contained(
               {OpKind::Add, OpKind::Mul, OpKind::Max, OpKind::Min}, form.op));
      if (isCommutative && second < first)
        std::swap(first, second);
      values.push_back("(" + std::to_string(op.formId) + "." +
                       std::to_string(op.reduced) + " " + first + " " + second +
                       " " + third + ")");
      operators.push_back(values.back());
    }
    llvm::sort(operators);
    for (const std::string &op : operators)
      text += op + "\n";
    for (uint8_t output : graph.outputs)
      text += "-> " + values[output];
  }
  return text;
}

std::string Enumeration::print(const Candidate &candidate) const {
  return toString(getProblem(), candidate);
}

bool Enumeration::isCorrect(const Candidate &candidate) const {
  return small.computes(candidate) && large.computes(candidate);
}

bool Enumeration::isRight(const Candidate &candidate) const {
  using namespace equivalence;
  return isCorrect(candidate) ||
         proveEquivalence(small.program, small.instantiate(candidate),
                          ProofOptions())
                 .kind == ProofResult::Kind::Proved;
}

bool Enumeration::isEqualByAxioms(const Candidate &candidate) const {
  ExpressionContext context;
  AbstractEvaluator evaluator(context);
  NormalForms forms;
  return llvm::all_of(
      llvm::zip(getResultExpressions(small.program, evaluator),
                getResultExpressions(small.instantiate(candidate), evaluator)),
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
