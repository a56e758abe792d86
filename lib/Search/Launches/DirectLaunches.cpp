//===- DirectLaunches.cpp - Launches that are the program itself ----------===//
//
// Lists the grids and loops, and applies the program's operators to tiles, one
// after another, in as many loops over one axis as it takes. What a loop sums
// in part is accumulated at once.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Launches/DirectLaunches.h"
#include "LaunchStarts.h"
#include "Mirage/Search/Launches/BlockGenerator.h"
#include "ProgramPasses.h"

using namespace mirage;
using namespace mirage::search;
using Kind = OperatorForm::Kind;
using Role = AbstractValue::Role;

/// Values have numbers of eight bits.
static constexpr size_t kMostValues = std::numeric_limits<uint8_t>::max();

//===----------------------------------------------------------------------===//
// Grids, loops and loads
//===----------------------------------------------------------------------===//

llvm::SmallVector<NumberedTensor>
mirage::search::getReadInputs(const SearchProblem &problem) {
  llvm::ArrayRef<MuValue> arguments =
      problem.getProgram().getRegion().arguments;
  llvm::SmallVector<NumberedTensor> read;
  size_t numResults = problem.getResults().size();
  for (auto [number, argument] : llvm::enumerate(arguments)) {
    bool isRead =
        llvm::any_of(problem.getSteps(), [&](const ProgramStep &step) {
          return llvm::is_contained(step.operands, argument);
        });
    for (size_t result = 0; result < numResults; ++result)
      isRead |= problem.getCopiedInput(result) == number;
    if (isRead)
      read.push_back(
          {static_cast<uint8_t>(number), problem.getInputs()[number].dims});
  }
  return read;
}

std::optional<LaunchGraph>
mirage::search::makeStart(const SearchProblem &problem,
                          llvm::ArrayRef<NumberedTensor> tensors, AxisSet grid,
                          std::optional<uint8_t> loop) {
  LaunchGraph start;
  start.gridAxes.assign(grid.begin(), grid.end());
  if (loop)
    start.loops.push_back({*loop, kBody});
  bool isLooped = false;
  for (const auto &[number, dims] : tensors) {
    LoadChoice load;
    load.tensor = number;
    for (DimId dim : dims) {
      uint8_t axis = problem.getParts(dim).front().axis;
      FactorSet removed;
      if (grid.contains(axis))
        removed.insert(kGrid);
      if (loop == axis) {
        removed.insert(kLoop);
        load.region = RegionId::ofLoop(0);
        isLooped = true;
      }
      load.dims.push_back(*problem.withRemoved(dim, removed));
    }
    start.loads.push_back(std::move(load));
  }
  if (loop && !isLooped)
    return std::nullopt;
  return start;
}

std::vector<LaunchGraph>
mirage::search::listDirectStarts(const SearchProblem &problem,
                                 unsigned gridDims, unsigned loops) {
  // Every block has its part of each result, and all of what it sums or takes
  // parts of.
  AxisSet common = AxisSet::getBelow(problem.getNumAxes());
  for (const TensorInfo &result : problem.getResults())
    common &= problem.getAxes(result.dims);
  common -= problem.getPartAxes();
  for (unsigned axis = 0; axis < problem.getNumAxes(); ++axis)
    if (problem.isSummed(axis) || problem.getAxisSize(axis) == 1)
      common.erase(axis);
  llvm::SmallVector<std::optional<uint8_t>> loopAxes = {std::nullopt};
  if (loops > 0)
    for (unsigned axis = 0; axis < problem.getNumAxes(); ++axis)
      if (problem.isSummed(axis) && problem.getAxisSize(axis) > 1)
        loopAxes.push_back(axis);
  llvm::SmallVector<NumberedTensor> inputs = getReadInputs(problem);
  std::vector<LaunchGraph> starts;
  // Blocks may be one along an axis, so that a grid stands for those that
  // divide fewer axes.
  unsigned most = std::min(gridDims, common.size());
  for (std::optional<uint8_t> loop : loopAxes)
    common.forEachSubset(most, [&](AxisSet grid) {
      if (grid.size() < most || (loop && grid.contains(*loop)) ||
          !problem.getSeparateAxes().isSubsetOf(grid))
        return true;
      if (auto start = makeStart(problem, inputs, grid, loop))
        starts.push_back(std::move(*start));
      return true;
    });
  return starts;
}

//===----------------------------------------------------------------------===//
// The program's operators
//===----------------------------------------------------------------------===//

/// Appends an operator. Returns false if it cannot be applied to tiles.
bool BlockGenerator::appendDirect(const BlockOperator &op) {
  DimId extent = kUnitDim;
  std::optional<Value> result = apply(op, extent);
  if (!result || values.size() >= kMostValues)
    return false;
  countState();
  if (isCut || isTooLarge(problem.getForm(op.formId), *result))
    return false;
  const ExpressionOracle::Answer *answer = askOracle(op, extent);
  if (!answer)
    return false;
  describeResult(op, *answer, *result);
  append(op, *result);
  return true;
}

/// Appends the accumulator of a value of a loop.
bool BlockGenerator::accumulateDirect(Kind kind, unsigned value) {
  const auto *form =
      llvm::find_if(problem.getForms(), [&](const OperatorForm &other) {
        return other.kind == kind;
      });
  if (form == problem.getForms().end())
    return false;
  return appendDirect({static_cast<FormId>(form - problem.getForms().begin()),
                       static_cast<uint8_t>(value)});
}

/// Gives a launch the loops of a plan, one after another, with the loads of
/// each.
static void addPasses(LaunchGraph &launch, const ProgramPasses &plan) {
  if (plan.numLoops > 1)
    launch.loops.resize(plan.numLoops, launch.loops.front());
  llvm::SmallVector<std::pair<unsigned, RegionId>> needed;
  for (const PlannedOperator &planned : plan.operators)
    if (planned.tensor)
      needed.push_back({*planned.tensor, planned.pass
                                             ? RegionId::ofLoop(*planned.pass)
                                             : kBody});
  llvm::sort(needed);
  llvm::SmallVector<LoadChoice, 4> loads;
  for (auto [tensor, region] : needed) {
    LoadChoice load =
        *llvm::find_if(launch.loads, [&](const LoadChoice &other) {
          return other.tensor == tensor;
        });
    load.region = region;
    loads.push_back(std::move(load));
  }
  launch.loads = std::move(loads);
}

/// Appends the operators of a plan, whose results become the outputs. Returns
/// false if one of them cannot be applied to tiles, or if a result of the
/// program is not what blocks store.
bool BlockGenerator::followPlan(const ProgramPasses &plan) {
  std::vector<uint8_t> numbers;
  for (const PlannedOperator &planned : plan.operators) {
    if (planned.tensor) {
      RegionId region =
          planned.pass ? RegionId::ofLoop(*planned.pass) : RegionId(kBody);
      const auto *load =
          llvm::find_if(graph.loads, [&](const LoadChoice &other) {
            return other.tensor == *planned.tensor && other.region == region;
          });
      numbers.push_back(load - graph.loads.begin());
      continue;
    }
    if (planned.accumulator) {
      if (!accumulateDirect(*planned.accumulator,
                            numbers[planned.operands.front()]))
        return false;
      numbers.push_back(values.size() - 1);
      continue;
    }
    BlockOperator op;
    op.formId = planned.form->formId;
    op.reduced = planned.form->reduced;
    std::array<uint8_t *, 3> places = {&op.first, &op.second, &op.third};
    for (auto [place, operand] : llvm::zip(places, planned.operands))
      *place = numbers[operand];
    if (problem.getForm(op.formId).kind == Kind::AddShift &&
        values[op.first].value.role == Role::Shift)
      std::swap(op.first, op.second);
    if (!appendDirect(op))
      return false;
    numbers.push_back(values.size() - 1);
  }
  graph.outputs.clear();
  for (auto [result, place] : llvm::enumerate(plan.results)) {
    if (isLast && !isResult(numbers[place], result))
      return false;
    graph.outputs.push_back(numbers[place]);
  }
  return true;
}

/// Returns the graph's operators in the order of their ranks, with the operands
/// of those that commute in order, too, as the enumeration has them. `numbers`
/// are those that the values have then.
std::vector<BlockOperator>
BlockGenerator::getRankedOperators(std::vector<uint8_t> &numbers) const {
  size_t loads = graph.loads.size();
  numbers.assign(values.size(), 0);
  std::vector<bool> isKnown(values.size(), false);
  for (size_t load = 0; load < loads; ++load) {
    numbers[load] = load;
    isKnown[load] = true;
  }
  std::vector<BlockOperator> ranked;
  while (ranked.size() < graph.operators.size()) {
    std::optional<std::pair<std::vector<unsigned>, size_t>> least;
    for (auto [position, op] : llvm::enumerate(graph.operators)) {
      const OperatorForm &form = problem.getForm(op.formId);
      unsigned count = form.getNumOperands();
      llvm::SmallVector<uint8_t, 3> operands = op.getOperands(count);
      if (isKnown[loads + position] ||
          !llvm::all_of(operands,
                        [&](uint8_t value) { return isKnown[value]; }))
        continue;
      for (uint8_t &operand : operands)
        operand = numbers[operand];
      if (form.isCommutative())
        llvm::sort(operands);
      unsigned larger = *llvm::max_element(operands);
      std::vector<unsigned> rank = {larger, count};
      if (count == 2)
        rank.push_back(*llvm::min_element(operands));
      rank.push_back(op.formId);
      rank.push_back(op.reduced);
      llvm::append_range(rank, operands);
      if (!least || rank < least->first)
        least = {std::move(rank), position};
    }
    BlockOperator next = graph.operators[least->second];
    unsigned count = problem.getForm(next.formId).getNumOperands();
    llvm::ArrayRef<unsigned> operands =
        llvm::ArrayRef(least->first).take_back(count);
    std::array<uint8_t *, 3> places = {&next.first, &next.second, &next.third};
    for (auto [place, operand] : llvm::zip(places, operands))
      *place = operand;
    numbers[loads + least->second] = loads + ranked.size();
    isKnown[loads + least->second] = true;
    ranked.push_back(next);
  }
  return ranked;
}

void BlockGenerator::generateDirect(const LaunchGraph &from,
                                    bool wholeComposites, unsigned loops,
                                    Sink consumer) {
  std::optional<uint8_t> axis;
  if (!from.loops.empty())
    axis = from.loops.front().axis;
  for (SumPlace sums : {SumPlace::InLoop, SumPlace::BehindLoop}) {
    ProgramPasses plan =
        planPasses(problem, problem.getSteps(wholeComposites), axis, sums);
    generateLast(from, plan, loops, consumer);
    if (!plan.sumsBesideProducts)
      return;
  }
}

void BlockGenerator::generateLast(const LaunchGraph &from,
                                  const ProgramPasses &plan, unsigned loops,
                                  Sink consumer) {
  isLast = true;
  if (!generatePlanned(from, plan, loops))
    return;
  ++statistics.complete;
  describeValues();
  consumer(graph, {});
}

void BlockGenerator::generateFirst(const LaunchGraph &from,
                                   const ProgramPasses &plan, unsigned loops,
                                   Sink consumer) {
  isLast = false;
  if (!generatePlanned(from, plan, loops))
    return;
  StoredValues stored;
  for (uint8_t output : graph.outputs)
    if (!store(output, stored))
      return;
  if (!storeMaxima(stored))
    return;
  ++statistics.complete;
  describeValues();
  graph.outputs.assign(stored.values.begin(), stored.values.end());
  consumer(graph, stored.tensors);
}

/// Makes the launch that follows a plan, with operators in the order of their
/// ranks. Returns false if there is none, or if it has too many loops.
bool BlockGenerator::generatePlanned(const LaunchGraph &from,
                                     const ProgramPasses &plan,
                                     unsigned loops) {
  isCut = false;
  firstState = statistics.states;
  if (plan.numLoops > loops || plan.operators.size() >= kMostValues)
    return false;
  ++statistics.configurations;
  LaunchGraph start = from;
  addPasses(start, plan);
  loadTensors(start);
  if (!followPlan(plan))
    return false;
  std::vector<uint8_t> numbers;
  std::vector<BlockOperator> ranked = getRankedOperators(numbers);
  llvm::SmallVector<uint8_t, 2> outputs;
  for (uint8_t output : graph.outputs)
    outputs.push_back(numbers[output]);
  loadTensors(start);
  for (const BlockOperator &op : ranked)
    if (!appendDirect(op))
      return false;
  graph.outputs = outputs;
  return true;
}
