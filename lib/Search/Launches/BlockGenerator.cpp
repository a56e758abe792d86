//===- BlockGenerator.cpp - Block graphs, one operator at a time ----------===//
//
// Enumerates the graphs. BlockOperators.cpp has the rules of operators, and
// LaunchOutputs.cpp decides what a graph stores.
//
// Order. An operator's rank is (larger operand, other operand, form, reduced
// axes), compared in this order, and operators are added by increasing
// rank. For every graph there is exactly one such order: of the operators whose
// operands exist take the one of least rank; what it makes possible has a
// larger operand, its own result. Thus nothing is generated twice, and every
// graph once.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Launches/BlockGenerator.h"
#include "Mirage/Search/Launches/LaunchExtents.h"
#include "llvm/ADT/STLExtras.h"

using namespace mirage;
using namespace mirage::search;
using Kind = OperatorForm::Kind;
using Role = AbstractValue::Role;

void GeneratorStatistics::operator+=(const GeneratorStatistics &other) {
  states += other.states;
  prunedExpression += other.prunedExpression;
  prunedDeadEnd += other.prunedDeadEnd;
  prunedRecomputation += other.prunedRecomputation;
  prunedOrder += other.prunedOrder;
  prunedMemory += other.prunedMemory;
  prunedSizes += other.prunedSizes;
  complete += other.complete;
  configurations += other.configurations;
  cut += other.cut;
  lacking += other.lacking;
}

BlockGenerator::BlockGenerator(const SearchProblem &problem,
                               ExpressionOracle &oracle,
                               llvm::ArrayRef<KernelTensor> tensors,
                               const GeneratorLimits &limits,
                               GeneratorStatistics &statistics,
                               llvm::function_ref<bool()> isOver)
    : problem(problem), oracle(oracle), tiles(oracle.getTiles()),
      tensors(tensors), limits(limits), statistics(statistics), isOver(isOver),
      maxOperands(problem.getMaxOperands()) {
  for (unsigned result = 0; result < problem.getResults().size(); ++result)
    copiedInputs.push_back(problem.getCopiedInput(result));
  for (auto [number, form] : llvm::enumerate(problem.getForms()))
    if (!limits.wholeNorms || !form.isOfNorm)
      formsByOperands[form.getNumOperands()].push_back(number);
  for (FormId formId : formsByOperands[2]) {
    Kind kind = problem.getForm(formId).kind;
    if (kind != Kind::Matmul && kind != Kind::Binary) {
      formsOfPairs[OfMaxima].push_back(formId);
      continue;
    }
    formsOfPairs[Common].push_back(formId);
    if (kind == Kind::Matmul)
      formsOfPairs[Apart].push_back(formId);
  }
}

BlockGenerator::~BlockGenerator() = default;

/// Returns whether the operator multiplies by a constant.
static bool isScaling(const OperatorForm &form) {
  return form.kind == Kind::Unary &&
         (form.op == OpKind::Scale ||
          (form.isConstant(1) &&
           (form.op == OpKind::Mul || form.op == OpKind::Div)));
}

/// Returns whether another graph does the same with an operator that stands
/// elsewhere: constant factors come last in a run of linear operators.
bool BlockGenerator::isOutOfOrder(const OperatorForm &form,
                                  const BlockOperator &op) const {
  if (!limits.canonicalPlacement)
    return false;
  bool isProduct = form.kind == Kind::Matmul ||
                   (form.kind == Kind::Binary &&
                    (form.op == OpKind::Mul || form.op == OpKind::Div));
  bool isLinear = isProduct || form.kind == Kind::ReduceSum ||
                  form.kind == Kind::Accumulate;
  const Value &first = values[op.first];
  // Several factors come in the order of their forms. A factor of a divisor
  // stays, since behind the quotient it would be another factor.
  if (first.isScaled &&
      (isLinear ||
       (isScaling(form) &&
        graph.operators[op.first - graph.loads.size()].formId > op.formId)))
    return true;
  return isProduct && form.op != OpKind::Div && values[op.second].isScaled;
}

void BlockGenerator::loadTensors(const LaunchGraph &from) {
  graph = from;
  graph.operators.clear();
  graph.outputs.clear();
  values.clear();
  hasFinished = false;
  for (const LoadChoice &load : graph.loads) {
    const KernelTensor &tensor = tensors[load.tensor];
    Value value;
    value.value = tensor.value;
    value.dims = tiles.get(load.dims);
    value.isFinished =
        tensor.isComputed && !tensor.shift &&
        llvm::none_of(tensor.info.dims, [&](DimId dim) {
          return problem.isSplitAxis(problem.getParts(dim).front().axis);
        });
    value.shift = tensor.shift;
    value.phase.region = load.region;
    for (DimId dim : load.dims) {
      if (problem.getRemoved(dim).contains(kLoop))
        for (unsigned loop : graph.getLoopsAround(load.region))
          if (graph.loops[loop].axis == problem.getParts(dim).front().axis)
            value.varying.insert(loop);
      if (problem.getRemoved(dim).contains(kGrid))
        value.divided.insert(problem.getParts(dim).front().axis);
    }
    hasFinished |= value.isFinished;
    values.push_back(value);
  }
  depths.clear();
  for (RegionId region : getRegions(graph.loops.size()))
    depths.push_back(graph.getLoopsAround(region).size());
}

/// Makes the constraints of which Z3 is asked whether any sizes meet them, if
/// there are limits.
void BlockGenerator::limitSizes() {
  extents.reset();
  bool isLimited =
      limits.sharedMemory ||
      llvm::any_of(limits.grid, [](int64_t most) { return most != 0; });
  if (!isLimited || !oracle.hasSolver())
    return;
  bool isSecond = llvm::any_of(graph.loads, [&](const LoadChoice &load) {
    return tensors[load.tensor].isComputed;
  });
  extents = std::make_unique<LaunchExtents>(problem, graph, isSecond,
                                            limits.sharedMemory, limits.grid);
}

void BlockGenerator::start(const LaunchGraph &from) {
  loadTensors(from);
  limitSizes();
  ++statistics.configurations;
  firstState = statistics.states;
  isCut = lacksOperators = false;
  extensions.clear();
  if (!hasSizes()) {
    ++statistics.prunedSizes;
    return;
  }
  isEnumerating = true;
  for (unsigned number = 0; number < values.size(); ++number)
    findExtensions(number);
  extend(0);
  isEnumerating = false;
  statistics.cut += isCut;
  statistics.lacking += lacksOperators;
}

/// Returns whether an operator's tile does not fit into shared memory however
/// small the factors make it. Iterations store the tiles of what they put
/// together, if that is a result.
bool BlockGenerator::isTooLarge(const OperatorForm &form,
                                const Value &value) const {
  if (!limits.sharedMemory ||
      (form.kind == Kind::AccumulateConcat && isLast && canBeStored(value)))
    return false;
  // Computed elements have 32 bits and more. Moved ones have the type of some
  // load, and those of elementwise operators that of what their chain reads or
  // stores: one byte or more.
  bool isMoved = form.kind == Kind::Part ||
                 form.kind == Kind::AccumulateConcat || form.isOfElements();
  double bytes = isMoved ? 1 : byteSize(ElementType::f32);
  for (DimId dim : value.dims)
    bytes *= static_cast<double>(problem.getSmallestSize(dim));
  return bytes > static_cast<double>(limits.sharedMemory);
}

/// Returns whether some sizes are within the limits of the target for which the
/// last value is part of a goal. Where it is part of a goal for all sizes,
/// sizes that fit the prefix before are tried first. A second launch's
/// expression has factors of the first launch, too, which need not be its own,
/// so there the question is about limits alone.
bool BlockGenerator::hasSizes() {
  if (!extents)
    return true;
  describeValues();
  LiveTiles live(problem, graph);
  if (!graph.operators.empty() && !extents->isOfSecond() &&
      !oracle.isAlwaysContained(values.back().value))
    return oracle.isContained(values.back().value,
                              extents->getConstraints(live));
  if (extents->fit(live))
    return true;
  ExtentValues found;
  if (!oracle.canHold(extents->getConstraints(live), found))
    return false;
  if (!found.empty())
    extents->use(found);
  return true;
}

void BlockGenerator::countState() {
  ++statistics.states;
  isCut |= limits.states && statistics.states - firstState > limits.states;
  if (isOver && statistics.states % 4096 == 0)
    isCut |= isOver();
}

std::vector<KernelTensor> BlockGenerator::replay(const LaunchGraph &launch) {
  std::vector<KernelTensor> result;
  auto consumer = [&](const LaunchGraph &,
                      llvm::ArrayRef<KernelTensor> stored) {
    result = stored.vec();
  };
  isLast = false;
  sink = consumer;
  loadTensors(launch);
  for (const BlockOperator &op : launch.operators) {
    extensions.clear();
    considerOperator(op);
    append(op, extensions.front().result);
  }
  emitFirst();
  return result;
}

std::optional<unsigned>
BlockGenerator::findRejected(const LaunchGraph &launch) {
  isLast = true;
  loadTensors(launch);
  for (auto [number, op] : llvm::enumerate(launch.operators)) {
    extensions.clear();
    considerOperator(op);
    if (extensions.empty() || isRecomputation(extensions.front().result))
      return number;
    append(op, extensions.front().result);
  }
  for (auto [result, output] : llvm::enumerate(launch.outputs))
    if (!isResult(output, result))
      return launch.operators.size();
  return std::nullopt;
}

LaunchGraph BlockGenerator::describe(const LaunchGraph &launch) {
  findRejected(launch);
  describeValues();
  graph.outputs = launch.outputs;
  return graph;
}

void BlockGenerator::generateLast(const LaunchGraph &from, Sink consumer) {
  isLast = true;
  sink = consumer;
  start(from);
}

void BlockGenerator::generateFirst(const LaunchGraph &from, Sink consumer) {
  isLast = false;
  sink = consumer;
  start(from);
}

/// Adds to the extensions all operators whose larger operand is `a`, in the
/// order of their ranks.
void BlockGenerator::findExtensions(unsigned a) {
  llvm::ArrayRef<OperatorForm> forms = problem.getForms();
  spare = countSpare().value_or(0);
  auto consider = [&](FormId formId, unsigned first, unsigned second,
                      unsigned reduced, unsigned third = 0) {
    considerOperator(
        {formId, static_cast<uint8_t>(first), static_cast<uint8_t>(second),
         static_cast<uint8_t>(reduced), static_cast<uint8_t>(third)});
  };
  for (FormId formId : formsByOperands[1]) {
    if (!forms[formId].isReducing()) {
      consider(formId, a, 0, 0);
      continue;
    }
    // Most values lack most axes.
    for (uint8_t axes : values[a].dims->reduced)
      consider(formId, a, 0, axes);
  }
  for (unsigned b = 0; b <= a; ++b) {
    if (!join(values[b].phase, values[a].phase))
      continue;
    const TilePair &pair = tiles.getPair(values[b].dims, values[a].dims);
    bool hasMaximum = values[a].value.role == Role::Shift ||
                      values[b].value.role == Role::Shift;
    // Nothing is looked up for an operator that is known to have no result.
    PairKind kind = hasMaximum ? OfMaxima : pair.isCommon ? Common : Apart;
    for (FormId formId : formsOfPairs[kind]) {
      const OperatorForm &form = forms[formId];
      if (form.kind == Kind::Matmul) {
        for (uint8_t axes : pair.summed)
          consider(formId, b, a, axes);
        continue;
      }
      consider(formId, b, a, 0);
      if (!form.isCommutative() && a != b)
        consider(formId, a, b, 0);
    }
  }
  for (FormId formId : formsByOperands[3]) {
    for (unsigned first = 0; first <= a; ++first)
      for (unsigned second = 0; second <= a; ++second)
        for (unsigned third = 0; third <= a; ++third)
          if (std::max({first, second, third}) == a)
            consider(formId, first, second, 0, third);
  }
}

/// Returns whether an earlier kernel could do the same: elementwise operators
/// on nothing but finished tensors are left to it.
bool BlockGenerator::isForEarlierKernel(const BlockOperator &op) const {
  if (!hasFinished)
    return false;
  const OperatorForm &form = problem.getForm(op.formId);
  bool isOfTiles = form.kind == Kind::Unary || form.kind == Kind::Binary ||
                   form.kind == Kind::Ternary;
  return isOfTiles && llvm::all_of(op.getOperands(form.getNumOperands()),
                                   [&](uint8_t operand) {
                                     return values[operand].isFinished;
                                   });
}

/// What is known of an operator's expression; null for a maximum whose argument
/// no goal has in an exponential.
const ExpressionOracle::Answer *
BlockGenerator::askOracle(const BlockOperator &op, DimId extent) {
  const OperatorForm &form = problem.getForm(op.formId);
  const AbstractValue &x = values[op.first].value;
  if (form.kind == Kind::ReduceMax && x.role == Role::Plain &&
      !oracle.canExponentiate(x))
    return nullptr;
  if (form.isAccumulator())
    return &oracle.accumulate(op.formId, x, getLoop(op.first).axis);
  llvm::SmallVector<AbstractValue, 3> operands;
  for (uint8_t operand : op.getOperands(form.getNumOperands()))
    operands.push_back(values[operand].value);
  return &oracle.apply(op.formId, operands, extent);
}

/// Completes what the rules of operators say of a result.
void BlockGenerator::describeResult(const BlockOperator &op,
                                    const ExpressionOracle::Answer &answer,
                                    Value &result) const {
  const OperatorForm &form = problem.getForm(op.formId);
  result.value = answer.value;
  result.normalForm = answer.normalForm;
  result.hasSum = answer.hasSum;
  result.uses = 0;
  result.isFinished = false;
  result.isScaled = isScaling(form);
  result.divided = AxisSet();
  for (uint8_t operand : op.getOperands(form.getNumOperands()))
    result.divided |= values[operand].divided;
}

/// Returns whether an operator leads to no complete graph, as its operands and
/// the shape of its result show, wherever in the graph it stands.
bool BlockGenerator::isInVain(const BlockOperator &op, const Value &result) {
  // That a prefix lacked operators is noted by extend(), of one that
  // expressions allow.
  if (!isEnumerating || !lacksOperators)
    return false;
  // What the last operator computes is stored.
  if (graph.operators.size() + 1 == limits.blockOperators &&
      !canBeStored(result))
    return true;
  // If every operator that is left is needed to use the unused values, each of
  // them uses two such values or leaves a loop. No operator makes others less
  // needed, and values that are used stay so.
  const OperatorForm &form = problem.getForm(op.formId);
  if (spare || form.isAccumulator())
    return false;
  llvm::SmallVector<uint8_t, 3> unused;
  for (uint8_t operand : op.getOperands(form.getNumOperands()))
    if (!values[operand].uses && !llvm::is_contained(unused, operand))
      unused.push_back(operand);
  if (unused.size() > 1)
    return false;
  ++statistics.prunedDeadEnd;
  return true;
}

/// Returns whether a value of such a shape may be one that the launch stores.
bool BlockGenerator::canBeStored(const Value &value) const {
  if (value.phase.region != kBody || value.isShifted)
    return false;
  if (!isLast)
    return llvm::none_of(value.dims, [&](DimId dim) {
      return problem.getRemoved(dim).contains(kLoop);
    });
  for (unsigned result = 0; result < problem.getResults().size(); ++result)
    if (isDividedAsResult(value, result))
      return true;
  return false;
}

/// Adds an operator to the extensions, if no rule refuses it.
void BlockGenerator::considerOperator(const BlockOperator &op) {
  const OperatorForm &form = problem.getForm(op.formId);
  DimId extent = kUnitDim;
  std::optional<Value> result = apply(op, extent);
  if (!result || isForEarlierKernel(op))
    return;
  countState();
  if (isInVain(op, *result))
    return;
  if (isTooLarge(form, *result)) {
    ++statistics.prunedMemory;
    return;
  }
  if (isOutOfOrder(form, op)) {
    ++statistics.prunedOrder;
    return;
  }
  const ExpressionOracle::Answer *answer = askOracle(op, extent);
  if (!answer || !answer->isContained) {
    ++statistics.prunedExpression;
    return;
  }
  describeResult(op, *answer, *result);
  extensions.push_back({op, std::move(*result)});
}

/// Extends the graph by each of the extensions from `first` on. They are
/// extensions of larger graphs, too, which also have those that use their own
/// last value.
void BlockGenerator::extend(unsigned first) {
  if (graph.operators.size() >= limits.blockOperators)
    return;
  for (unsigned i = first, e = extensions.size(); i < e && !isCut; ++i) {
    const BlockOperator op = extensions[i].op;
    if (!limits.canonicalOrder && isUsed(op))
      continue;
    countState();
    if (isRecomputation(extensions[i].result)) {
      ++statistics.prunedRecomputation;
      continue;
    }
    append(op, extensions[i].result);
    if (!countSpare()) {
      ++statistics.prunedDeadEnd;
      lacksOperators = true;
    } else if (!hasSizes()) {
      ++statistics.prunedSizes;
    } else if (!emit()) {
      if (graph.operators.size() < limits.blockOperators)
        findExtensions(values.size() - 1);
      else
        lacksOperators = true;
      extend(limits.canonicalOrder ? i + 1 : 0);
      extensions.resize(e);
    }
    removeLast();
  }
}

void BlockGenerator::append(const BlockOperator &op, const Value &result) {
  const OperatorForm &form = problem.getForm(op.formId);
  for (uint8_t operand : op.getOperands(form.getNumOperands()))
    ++values[operand].uses;
  graph.operators.push_back(op);
  values.push_back(result);
  // A maximum is relative to itself. Its number is known from now on.
  if (form.kind == Kind::ReduceMax)
    values.back().shift = Shift::ofValue(values.size() - 1);
}

void BlockGenerator::removeLast() {
  const BlockOperator &op = graph.operators.back();
  const OperatorForm &form = problem.getForm(op.formId);
  for (uint8_t operand : op.getOperands(form.getNumOperands()))
    --values[operand].uses;
  values.pop_back();
  graph.operators.pop_back();
}

/// Returns whether the graph has the operator: without the order of ranks it
/// could be added twice.
bool BlockGenerator::isUsed(const BlockOperator &op) const {
  return llvm::is_contained(graph.operators, op);
}

bool BlockGenerator::emit() {
  if (isLast)
    return emitLast();
  emitFirst();
  return false;
}

/// Returns whether a value has the expression and the shape of another. If the
/// program has no two such values, they are one value, or one of them is not
/// what the program computes.
bool BlockGenerator::isRecomputation(const Value &value) const {
  if (!limits.pruneRecomputation || !problem.hasDistinctValues() ||
      value.value.role != Role::Plain)
    return false;
  return llvm::any_of(values, [&](const Value &other) {
    return other.normalForm == value.normalForm &&
           other.normalForm != NormalForms::kZero &&
           other.normalForm != NormalForms::kTooLarge &&
           other.phase == value.phase && other.dims == value.dims &&
           other.shift == value.shift && other.isShifted == value.isShifted &&
           other.value.role == value.value.role;
  });
}

/// Returns how many of the operators that are left are not needed to use all
/// values; nothing if they are too few. Each reduces the number of unused
/// values by at most one less than it has operands, and values that are
/// computed in loops have to leave them.
std::optional<unsigned> BlockGenerator::countSpare() const {
  unsigned unused = 0, depth = 0;
  for (const Value &value : values)
    if (!value.uses) {
      ++unused;
      depth = std::max(depth, getDepth(value));
    }
  unsigned outputs = isLast ? problem.getResults().size() : limits.outputs;
  unsigned left = limits.blockOperators - graph.operators.size();
  unsigned most = std::max(maxOperands, 2u) - 1;
  unsigned needed =
      unused > outputs ? llvm::divideCeil(unused - outputs, most) : 0;
  if (needed + depth > left)
    return std::nullopt;
  return left - needed - depth;
}

void BlockGenerator::describeValues() {
  graph.values.clear();
  for (const Value &value : values) {
    auto &described = graph.values.emplace_back();
    described.dims = value.dims->dims;
    described.phase = value.phase;
    if (value.shift.isValue())
      described.shift = value.shift;
  }
}

/// Returns whether loops one after another, of which none uses what the other
/// leaves, are over different axes, so that they are not one loop, and stand in
/// the order of these axes.
bool BlockGenerator::areLoopsOrdered() const {
  for (auto [number, loop] : llvm::enumerate(graph.loops)) {
    Phase after = graph.getPhaseAfter(number);
    for (unsigned next = number + 1; next < graph.loops.size(); ++next) {
      if (graph.loops[next].parent != loop.parent ||
          graph.getPhaseAfter(next).step != after.step + 1)
        continue;
      bool isUsed = llvm::any_of(graph.operators, [&](const BlockOperator &op) {
        const OperatorForm &form = problem.getForm(op.formId);
        llvm::SmallVector<uint8_t, 3> operands =
            op.getOperands(form.getNumOperands());
        auto isInNext = [&](uint8_t value) {
          return graph.getLoopsAround(values[value].phase.region)
              .contains(next);
        };
        auto isLeft = [&](uint8_t value) {
          return values[value].phase == after;
        };
        return llvm::any_of(operands, isInNext) &&
               llvm::any_of(operands, isLeft);
      });
      if (!isUsed && graph.loops[next].axis <= loop.axis)
        return false;
    }
  }
  return true;
}
