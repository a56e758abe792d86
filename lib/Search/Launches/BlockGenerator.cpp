//===- BlockGenerator.cpp - Block graphs, one operator at a time ----------===//
//
// The enumeration; BlockOperators.cpp has the rules.
//
// Order. An operator's rank is (larger operand, other operand, form,
// dimension), compared in this order, and operators are added by increasing
// rank. For every graph there is exactly one such order: of the operators whose
// operands exist take the one of least rank; what it makes possible has a
// larger operand, its own result. Thus nothing is generated twice, and every
// graph once.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Launches/BlockGenerator.h"
#include "Mirage/Search/Launches/LaunchExtents.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mirage;
using namespace mirage::search;
using Form = OperatorForm::Form;
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
}

BlockGenerator::BlockGenerator(const SearchProblem &problem,
                               ExpressionOracle &oracle,
                               llvm::ArrayRef<KernelTensor> tensors,
                               const GeneratorLimits &limits,
                               GeneratorStatistics &statistics,
                               llvm::function_ref<bool()> isOver)
    : problem(problem), oracle(oracle), tensors(tensors), limits(limits),
      statistics(statistics), isOver(isOver),
      maxOperands(problem.getMaxOperands()) {
  for (auto [number, form] : llvm::enumerate(problem.getForms()))
    if (!limits.wholeNorms || !form.isOfNorm)
      formsByOperands[form.getNumOperands()].push_back(number);
}

BlockGenerator::~BlockGenerator() = default;

static bool hasDim(Form form) {
  return form == Form::Composite || form == Form::ReduceSum ||
         form == Form::ReduceMax || form == Form::ReducePlainMax ||
         form == Form::AccumulateConcat;
}

static bool isCommutative(const OperatorForm &form) {
  return form.form == Form::Binary &&
         (form.kind == OpKind::Add || form.kind == OpKind::Mul ||
          form.kind == OpKind::Max || form.kind == OpKind::Min);
}

/// A product with a constant.
static bool isScaling(const OperatorForm &form) {
  return form.form == Form::Unary &&
         (form.kind == OpKind::Scale ||
          (form.isConstant(1) &&
           (form.kind == OpKind::Mul || form.kind == OpKind::Div)));
}

/// Of graphs that differ only in where something stands, one is enough:
/// constant factors come last in a run of linear operators, and products of
/// matrices are transposed as the program's values are.
bool BlockGenerator::isOutOfOrder(const OperatorForm &form,
                                  const BlockOperator &op,
                                  const Value &result) const {
  if (!limits.canonicalPlacement)
    return false;
  bool isProduct = form.form == Form::Matmul ||
                   (form.form == Form::Binary &&
                    (form.kind == OpKind::Mul || form.kind == OpKind::Div));
  bool isLinear = isProduct || form.form == Form::ReduceSum ||
                  form.form == Form::Accumulate;
  const Value &first = values[op.first];
  // Several factors by their number. One of a divisor would be another factor
  // behind the quotient.
  if (first.isScaled &&
      (isLinear ||
       (isScaling(form) &&
        graph.operators[op.first - graph.loads.size()].form > op.form)))
    return true;
  if (isProduct && form.kind != OpKind::Div && values[op.second].isScaled)
    return true;
  return form.form == Form::Matmul && problem.isOnlyTransposed(result.dims);
}

void BlockGenerator::loadTensors(const LaunchGraph &from) {
  graph = from;
  graph.operators.clear();
  graph.outputs.clear();
  values.clear();
  for (const LoadChoice &load : graph.loads) {
    const KernelTensor &tensor = tensors[load.tensor];
    Value value;
    value.value = tensor.value;
    value.form = 0;
    value.dims = load.dims;
    value.isFinished =
        tensor.isComputed && !tensor.shift &&
        llvm::none_of(tensor.info.dims, [&](DimId dim) {
          return dim != kUnitDim &&
                 problem.isSplitAxis(problem.getParts(dim).front().axis);
        });
    if (tensor.shift)
      value.shift = static_cast<int16_t>(kTensorToken + *tensor.shift);
    value.phase.region = load.region;
    uint32_t around = graph.getLoopsAround(load.region);
    for (DimId dim : load.dims) {
      if (problem.getRemoved(dim) & kLoop)
        for (auto [number, loop] : llvm::enumerate(graph.loops))
          if (loop.axis == problem.getParts(dim).front().axis)
            value.varying |= around & 1u << number;
      if (problem.getRemoved(dim) & kGrid)
        value.divided |= uint64_t(1) << problem.getParts(dim).front().axis;
    }
    values.push_back(std::move(value));
  }
}

/// Z3 is asked whether there are sizes if there are limits.
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
  isCut = false;
  extensions.clear();
  if (!hasSizes()) {
    ++statistics.prunedSizes;
    return;
  }
  for (unsigned number = 0; number < values.size(); ++number)
    findExtensions(number);
  extend(0);
  statistics.cut += isCut;
}

/// Whether a tile does not fit into shared memory however small the factors
/// make it.
bool BlockGenerator::isTooLarge(const Dims &dims, int64_t elementSize) const {
  if (!limits.sharedMemory)
    return false;
  double bytes = static_cast<double>(elementSize);
  for (DimId dim : dims)
    bytes *= static_cast<double>(problem.getSmallestSize(dim));
  return bytes > static_cast<double>(limits.sharedMemory);
}

/// Whether some sizes are within the limits of the target for which the last
/// value is part of a goal. Where it is one for all sizes, those that fit the
/// prefix before are tried. A second launch's expression has factors of the
/// first launch, too, which need not be its own: limits are asked for alone.
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
    if (!isResult(values[output], result))
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
  auto consider = [&](unsigned form, unsigned first, unsigned second,
                      unsigned dim, unsigned third = 0) {
    considerOperator({static_cast<uint8_t>(form), static_cast<uint8_t>(first),
                      static_cast<uint8_t>(second), static_cast<uint8_t>(dim),
                      static_cast<uint8_t>(third)});
  };
  for (unsigned form : formsByOperands[1]) {
    unsigned dims = hasDim(forms[form].form) ? values[a].dims.size() : 1;
    for (unsigned dim = 0; dim < dims; ++dim)
      consider(form, a, 0, dim);
  }
  for (unsigned b = 0; b <= a; ++b)
    for (unsigned form : formsByOperands[2]) {
      consider(form, b, a, 0);
      if (!isCommutative(forms[form]) && a != b)
        consider(form, a, b, 0);
    }
  for (unsigned form : formsByOperands[3]) {
    for (unsigned first = 0; first <= a; ++first)
      for (unsigned second = 0; second <= a; ++second)
        for (unsigned third = 0; third <= a; ++third)
          if (std::max({first, second, third}) == a)
            consider(form, first, second, 0, third);
  }
}

void BlockGenerator::considerOperator(const BlockOperator &op) {
  const OperatorForm &form = problem.getForms()[op.form];
  DimId extent = kUnitDim;
  std::optional<Value> result = apply(op, extent);
  if (!result)
    return;
  llvm::SmallVector<uint8_t, 3> operands =
      op.getOperands(form.getNumOperands());
  // An earlier kernel does elementwise what it can.
  bool isOfTiles = form.form == Form::Unary || form.form == Form::Binary ||
                   form.form == Form::Ternary;
  if (isOfTiles && llvm::all_of(operands, [&](uint8_t operand) {
        return values[operand].isFinished;
      }))
    return;
  countState();
  // What is computed has 32 bits and more, what is only moved the type of some
  // load, one byte or more.
  bool isMoved = form.form == Form::Transpose || form.form == Form::Reshape ||
                 form.form == Form::AccumulateConcat;
  if (isTooLarge(result->dims, isMoved ? 1 : byteSize(ElementType::f32))) {
    ++statistics.prunedMemory;
    return;
  }
  if (isOutOfOrder(form, op, *result)) {
    ++statistics.prunedOrder;
    return;
  }
  const AbstractValue &x = values[op.first].value;
  if (form.form == Form::ReduceMax && x.role == Role::Plain &&
      !oracle.canExponentiate(x)) {
    ++statistics.prunedExpression;
    return;
  }
  llvm::SmallVector<AbstractValue, 3> abstract;
  for (uint8_t operand : operands)
    abstract.push_back(values[operand].value);
  const ExpressionOracle::Answer &answer =
      form.isAccumulator()
          ? oracle.accumulate(op.form, x, getLoop(op.first).axis)
          : oracle.apply(op.form, abstract, extent);
  if (!answer.isContained) {
    ++statistics.prunedExpression;
    return;
  }
  result->value = answer.value;
  result->form = answer.form;
  result->hasSum = answer.hasSum;
  result->uses = 0;
  result->isFinished = false;
  result->isScaled = isScaling(form);
  result->divided = 0;
  for (uint8_t operand : operands)
    result->divided |= values[operand].divided;
  extensions.push_back({op, std::move(*result)});
}

/// Extends the graph by each of the extensions from `first` on. They stay what
/// they are in larger graphs; these have those with their own last value, too.
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
    if (!canUseAll()) {
      ++statistics.prunedDeadEnd;
    } else if (!hasSizes()) {
      ++statistics.prunedSizes;
    } else if (!emit()) {
      if (graph.operators.size() < limits.blockOperators)
        findExtensions(values.size() - 1);
      extend(limits.canonicalOrder ? i + 1 : 0);
      extensions.resize(e);
    }
    removeLast();
  }
}

void BlockGenerator::append(const BlockOperator &op, const Value &result) {
  const OperatorForm &form = problem.getForms()[op.form];
  for (uint8_t operand : op.getOperands(form.getNumOperands()))
    ++values[operand].uses;
  graph.operators.push_back(op);
  values.push_back(result);
  // Maxima are named by their numbers, which they have from now on.
  if (form.form == Form::ReduceMax)
    values.back().shift = static_cast<int16_t>(values.size() - 1);
}

void BlockGenerator::removeLast() {
  const BlockOperator &op = graph.operators.back();
  const OperatorForm &form = problem.getForms()[op.form];
  for (uint8_t operand : op.getOperands(form.getNumOperands()))
    --values[operand].uses;
  values.pop_back();
  graph.operators.pop_back();
}

/// Without the order the same operator could be added twice.
bool BlockGenerator::isUsed(const BlockOperator &op) const {
  return llvm::any_of(graph.operators, [&](const BlockOperator &other) {
    return other.form == op.form && other.first == op.first &&
           other.second == op.second && other.third == op.third &&
           other.dim == op.dim;
  });
}

bool BlockGenerator::emit() {
  if (isLast)
    return emitLast();
  emitFirst();
  return false;
}

/// Two values with one expression and shape are one value, or one of them is
/// not what the program computes, if the program has no two such values.
bool BlockGenerator::isRecomputation(const Value &value) const {
  if (!limits.pruneRecomputation || !problem.hasDistinctValues() ||
      value.value.role != Role::Plain)
    return false;
  return llvm::any_of(values, [&](const Value &other) {
    return other.form == value.form && other.form != 0 &&
           other.form != NormalForms::kTooLarge && other.phase == value.phase &&
           other.dims == value.dims && other.shift == value.shift &&
           other.isShifted == value.isShifted &&
           other.value.role == value.value.role;
  });
}

/// Every operator that is left reduces the number of unused values by at most
/// one less than it has operands, and what is computed in loops has to leave
/// them.
bool BlockGenerator::canUseAll() const {
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
  return needed + depth <= left;
}

void BlockGenerator::describeValues() {
  graph.values.clear();
  for (const Value &value : values) {
    auto &described = graph.values.emplace_back();
    described.dims = value.dims;
    described.phase = value.phase;
    if (value.shift >= 0 && value.shift < static_cast<int>(values.size()))
      described.shift = value.shift;
  }
}

/// Of loops one after another, none uses what the other leaves, only those over
/// different axes are two loops, and these in the order of their axes.
bool BlockGenerator::areLoopsOrdered() const {
  for (auto [number, loop] : llvm::enumerate(graph.loops)) {
    Phase after = graph.getPhaseAfter(number);
    for (unsigned next = number + 1; next < graph.loops.size(); ++next) {
      if (graph.loops[next].parent != loop.parent ||
          graph.getPhaseAfter(next).step != after.step + 1)
        continue;
      bool isUsed = llvm::any_of(graph.operators, [&](const BlockOperator &op) {
        const OperatorForm &form = problem.getForms()[op.form];
        llvm::SmallVector<uint8_t, 3> operands =
            op.getOperands(form.getNumOperands());
        auto isInNext = [&](uint8_t value) {
          return graph.getLoopsAround(values[value].phase.region) >> next & 1;
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

bool BlockGenerator::emitLast() {
  llvm::SmallVector<uint8_t, 2> outputs;
  llvm::SmallBitVector isOutput(values.size());
  for (unsigned result = 0; result < problem.getResults().size(); ++result) {
    // Of several such values the one that nothing else is made of.
    std::optional<unsigned> output;
    for (unsigned number = graph.loads.size(); number < values.size(); ++number)
      if (isResult(values[number], result) &&
          (!output || (values[*output].uses && !values[number].uses)))
        output = number;
    if (!output)
      return false;
    outputs.push_back(*output);
    isOutput.set(*output);
  }
  for (auto [number, value] : llvm::enumerate(values))
    if (!value.uses && !isOutput.test(number))
      return false;
  if (!areLoopsOrdered())
    return true;
  ++statistics.complete;
  describeValues();
  graph.outputs = outputs;
  (*sink)(graph, {});
  graph.outputs.clear();
  // What follows on a result is not used, unless results look like other
  // values.
  return problem.hasDistinctValues() && limits.compareResults;
}

void BlockGenerator::emitFirst() {
  llvm::SmallVector<uint8_t, 4> outputs;
  llvm::SmallVector<KernelTensor, 4> stored;
  for (auto [number, value] : llvm::enumerate(values)) {
    if (value.uses)
      continue;
    std::optional<KernelTensor> tensor = getOutput(number);
    if (!tensor || outputs.size() >= limits.outputs)
      return;
    outputs.push_back(number);
    stored.push_back(std::move(*tensor));
  }
  // What is relative to a maximum needs it, too.
  for (unsigned i = 0; i < outputs.size(); ++i) {
    int16_t shift = values[outputs[i]].shift;
    if (shift < 0)
      continue;
    auto isMaximum = [&](unsigned number) {
      return values[number].value.role == Role::Shift &&
             values[number].shift == shift &&
             values[number].phase.region == kBody;
    };
    auto *known = llvm::find_if(outputs, isMaximum);
    if (known == outputs.end()) {
      unsigned number = graph.loads.size();
      while (number < values.size() && !isMaximum(number))
        ++number;
      if (number == values.size() || outputs.size() >= limits.outputs)
        return;
      std::optional<KernelTensor> tensor = getOutput(number);
      if (!tensor)
        return;
      outputs.push_back(number);
      stored.push_back(std::move(*tensor));
      known = &outputs.back();
    }
    stored[i].shift = known - outputs.begin();
  }
  for (auto [number, output] : llvm::enumerate(outputs)) {
    const Value &value = values[output];
    // What needs no sum is as well computed where it is used; a maximum is for
    // what is relative to it; and a result needs no second kernel.
    bool isUseful =
        value.value.role == Role::Shift
            ? llvm::any_of(stored,
                           [&, n = number](const KernelTensor &tensor) {
                             return tensor.shift == n &&
                                    tensor.value.role == Role::Plain;
                           })
            : value.hasSum;
    if (!isUseful || (!stored[number].shift &&
                      llvm::is_contained(oracle.getGoals(), value.form)))
      return;
  }
  ++statistics.complete;
  describeValues();
  graph.outputs.assign(outputs.begin(), outputs.end());
  (*sink)(graph, stored);
  graph.outputs.clear();
}
