//===- SearchProblem.cpp - What to search for, and with what --------------===//
//
// Reads off a program its index space, its operators, and its goals.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Problem/SearchProblem.h"
#include "Mirage/Analysis/Equivalence/RoundConstants.h"
#include "Mirage/Search/Expressions/NormalForm.h"
#include "Mirage/Semantics/ProductDims.h"
#include "SimplifyProgram.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <set>

using namespace mirage;
using namespace mirage::search;
using llvm::ArrayRef;
using Kind = OperatorForm::Kind;

/// The most axes of a program.
static constexpr unsigned kMaxAxes = 30;
/// The axes of splits are numbered behind the others.
static_assert(2 * kMaxAxes <= AxisSet::kEnd);
static constexpr unsigned kMaxRank = 6;

/// Returns what a value has been cast from without loss, and moved.
static MuValue findCastFrom(const MuGraph &program, MuValue value) {
  for (unsigned number : llvm::reverse(program.getRegion().nodes)) {
    const MuNode &node = program.getNode(number);
    if (!llvm::is_contained(node.results, value) || node.operands.empty() ||
        (node.op != OpKind::Cast && !isLayout(node.op)))
      continue;
    ElementType type = program.getValue(value).type,
                before = program.getValue(node.operands[0]).type;
    if (before != type && byteSize(before) >= byteSize(type))
      break;
    value = node.operands[0];
  }
  return value;
}

/// The operands that an operator multiplies; none for operators that are no
/// products.
static ArrayRef<MuValue> getMultiplied(const MuNode &node) {
  if (node.op != OpKind::Matmul && node.op != OpKind::Attention)
    return {};
  return ArrayRef(node.operands)
      .take_front(node.op == OpKind::Attention ? 3 : 2);
}

/// The type of which all that the program multiplies has elements, whatever it
/// was cast to; nothing if there are several, or where products need a wider
/// type.
static std::optional<ElementType> findExactType(const MuGraph &program) {
  std::optional<ElementType> exact;
  for (unsigned number : program.getRegion().nodes)
    for (MuValue operand : getMultiplied(program.getNode(number))) {
      ElementType own = program.getValue(findCastFrom(program, operand)).type;
      if (byteSize(own) < 2 || (exact && own != *exact))
        return std::nullopt;
      exact = own;
    }
  return exact;
}

/// The type in which candidates multiply matrices. Where operands were cast
/// without loss, their products are those of what was cast. Else it is the type
/// of the program's last product. Programs often cast to f32 for one operator
/// and multiply in it, too. Where operands are inputs in a narrower type, and
/// so are all results, products are in this one; verification decides whether
/// what else they multiply allows it.
static ElementType findProductType(const MuGraph &program) {
  if (std::optional<ElementType> exact = findExactType(program))
    return *exact;
  ElementType type = ElementType::f32;
  ArrayRef<MuValue> arguments = program.getRegion().arguments,
                    results = program.getRegion().results;
  for (unsigned number : program.getRegion().nodes) {
    ArrayRef<MuValue> operands = getMultiplied(program.getNode(number));
    if (operands.empty())
      continue;
    type = program.getValue(operands[0]).type;
    std::optional<ElementType> widest;
    for (MuValue operand : operands) {
      MuValue from = findCastFrom(program, operand);
      ElementType own = program.getValue(from).type;
      bool isInput = llvm::is_contained(arguments, from) || own != type;
      if (isInput && (!widest || byteSize(own) > byteSize(*widest)))
        widest = own;
    }
    bool areResults = llvm::all_of(results, [&](MuValue result) {
      return program.getValue(result).type == widest;
    });
    if (widest && areResults && byteSize(*widest) < byteSize(type))
      type = *widest;
  }
  return type;
}

std::optional<SearchProblem>
SearchProblem::create(const MuGraph &program, std::string &reason,
                      std::optional<unsigned> &location,
                      ArrayRef<AlikeDims> alike) {
  return create(program, reason, location, alike, /*liftsRows=*/false);
}

std::optional<SearchProblem>
SearchProblem::createLifted(const MuGraph &program, ArrayRef<AlikeDims> alike) {
  std::string reason;
  std::optional<unsigned> location;
  return create(program, reason, location, alike, /*liftsRows=*/true);
}

std::optional<SearchProblem>
SearchProblem::create(const MuGraph &program, std::string &reason,
                      std::optional<unsigned> &location,
                      ArrayRef<AlikeDims> alike, bool liftsRows) {
  for (unsigned number : program.getRegion().nodes)
    if (program.getNode(number).kind != MuNode::Kind::Operator) {
      reason = "it has launches already";
      location = program.getNode(number).location;
      return std::nullopt;
    }
  SearchProblem problem;
  equivalence::RoundedProgram rounded = equivalence::roundConstants(program);
  SimplifiedProgram simplified = simplifyProgram(rounded.graph);
  if (simplified.broadcastUser) {
    reason = "an operand must be broadcast before its operator";
    location = rounded.graph.getNode(*simplified.broadcastUser).location;
    return std::nullopt;
  }
  simplified = distributeScales(liftScales(std::move(simplified)));
  if (liftsRows) {
    std::optional<SimplifiedProgram> lifted = liftRows(simplified);
    if (!lifted)
      return std::nullopt;
    // Both have the same arguments.
    lifted->values = simplified.values;
    simplified = *std::move(lifted);
  }
  auto getSimplified = [&](MuValue value) {
    return simplified.values[rounded.values[value]];
  };
  problem.program = std::move(simplified.graph);
  std::vector<AlikeDims> own = alike.vec();
  for (AlikeDims &group : own)
    for (auto &[value, dim] : group.dims)
      value = getSimplified(value);
  if (!problem.analyze(simplified.isOfNorm, own, reason, location))
    return std::nullopt;
  // What is lifted is part of composite operators.
  for (unsigned number : program.getRegion().nodes) {
    const MuNode &node = program.getNode(number);
    if (isComposite(node.op) && !liftsRows)
      problem.addComposite(program, node, getSimplified(node.operands[0]),
                           getSimplified(node.results[0]));
  }
  constexpr size_t mostForms = size_t(std::numeric_limits<FormId>::max()) + 1;
  if (problem.forms.size() > mostForms) {
    reason = "it has " + std::to_string(problem.forms.size()) +
             " different operators, more than the " +
             std::to_string(mostForms) + " that a search numbers";
    return std::nullopt;
  }
  problem.findWholeSteps();
  // The program has no casts any more, but its results keep their types.
  for (auto [result, value] :
       llvm::zip(problem.results, program.getRegion().results))
    result.type = program.getValue(value).type;
  problem.productType = findProductType(program);
  return problem;
}

AbstractValue SearchProblem::getInput(unsigned input,
                                      AxisBinding &binding) const {
  AbstractValue value;
  value.expression = binding.getInput("in" + std::to_string(input),
                                      getAxes(inputs[input].dims));
  return value;
}

std::optional<uint8_t> SearchProblem::findReduced(uint8_t axis) const {
  for (auto [number, axes] : llvm::enumerate(reducedAxes))
    if (axes.size() == 1 && axes.front() == axis)
      return number;
  return std::nullopt;
}

std::optional<DimId> SearchProblem::findReduced(ArrayRef<DimId> value,
                                                unsigned reduced) const {
  // Along one axis the dimension is that of the value, which is asked for
  // often.
  if (ArrayRef<uint8_t> axes = reducedAxes[reduced]; axes.size() == 1) {
    for (DimId id : value)
      if (dims[id].front().axis == axes.front())
        return dims[id].size() == 1 ? std::optional(id)
                                    : findDim(dims[id].front());
    return std::nullopt;
  }
  llvm::SmallVector<AxisPart, 2> parts;
  for (uint8_t axis : reducedAxes[reduced]) {
    const DimId *dim = llvm::find_if(
        value, [&](DimId id) { return dims[id].front().axis == axis; });
    if (dim == value.end())
      return std::nullopt;
    parts.push_back(dims[*dim].front());
  }
  return findDim(parts);
}

AxisSet SearchProblem::getAxes(DimId dim) const {
  AxisSet axes;
  for (const AxisPart &part : dims[dim])
    axes.insert(getUnsplit(part.axis));
  return axes;
}

AxisSet SearchProblem::getAxes(ArrayRef<DimId> dims) const {
  AxisSet axes;
  for (DimId dim : dims)
    axes |= getAxes(dim);
  return axes;
}

DimId SearchProblem::intern(ArrayRef<AxisPart> parts) {
  if (auto known = findDim(parts))
    return *known;
  dims.emplace_back(parts.begin(), parts.end());
  return dims.size() - 1;
}

std::optional<DimId> SearchProblem::findDim(ArrayRef<AxisPart> parts) const {
  for (auto [number, other] : llvm::enumerate(dims))
    if (ArrayRef<AxisPart>(other) == parts)
      return number;
  return std::nullopt;
}

DimId SearchProblem::getWholeAxis(uint8_t axis) const {
  return *findDim({AxisPart{axis, {}}});
}

Dims SearchProblem::getDims(MuValue value) const {
  Dims result;
  for (ArrayRef<unsigned> dim : axes.dims[value])
    for (unsigned axis : dim)
      result.push_back(getWholeAxis(axis));
  llvm::sort(result);
  return result;
}

TensorLayout SearchProblem::getLayout(MuValue value) const {
  TensorLayout layout;
  for (ArrayRef<unsigned> dim : axes.dims[value])
    layout.emplace_back(dim.begin(), dim.end());
  return layout;
}

DimId SearchProblem::getWhole(ArrayRef<unsigned> axes) const {
  return *findDim(llvm::map_to_vector<2>(axes, [](unsigned axis) {
    return AxisPart{static_cast<uint8_t>(axis), {}};
  }));
}

unsigned SearchProblem::addReduced(ArrayRef<unsigned> axes) {
  llvm::SmallVector<uint8_t, 2> added(axes.begin(), axes.end());
  auto known = llvm::find(reducedAxes, added);
  if (known == reducedAxes.end())
    known = reducedAxes.insert(reducedAxes.end(), std::move(added));
  return known - reducedAxes.begin();
}

/// Returns all sets of factors, in the order of their bits.
static llvm::SmallVector<FactorSet, 4> getFactorSets() {
  llvm::SmallVector<FactorSet, 4> sets;
  kAllFactors.forEachSubset(kAllFactors.size(), [&](FactorSet set) {
    sets.push_back(set);
    return true;
  });
  return sets;
}

/// Numbers every dimension that values can have, so that the table never
/// changes while threads read it. Single axes come first, in their order.
void SearchProblem::internDims() {
  intern({});
  for (unsigned axis = 0; axis < 2 * getNumAxes(); ++axis)
    for (FactorSet removed : getFactorSets())
      intern(AxisPart{static_cast<uint8_t>(axis), removed});
  for (ArrayRef<uint8_t> reduced : reducedAxes) {
    llvm::SmallVector<AxisPart, 2> parts;
    for (uint8_t axis : reduced)
      parts.push_back({axis, {}});
    internFactors(parts, parts.size());
  }
  for (ArrayRef<AxisPart> parts : dims)
    dimTraits.push_back(describe(parts));
}

/// Numbers a sequence of axes with all factors that its first `count` axes may
/// lack. Those of the first axis change the fastest.
void SearchProblem::internFactors(llvm::SmallVectorImpl<AxisPart> &parts,
                                  size_t count) {
  if (count == 0) {
    intern(parts);
    return;
  }
  for (FactorSet removed : getFactorSets()) {
    parts[count - 1].removed = removed;
    internFactors(parts, count - 1);
  }
}

SearchProblem::DimTraits
SearchProblem::describe(ArrayRef<AxisPart> parts) const {
  DimTraits traits;
  for (const AxisPart &part : parts)
    if (part.removed.empty() && !isSplitAxis(part.axis))
      traits.smallestSize = llvm::SaturatingMultiply<uint64_t>(
          traits.smallestSize, axes.sizes[part.axis]);
  traits.withRemoved[0] = findDim(parts);
  if (parts.empty())
    return traits;
  llvm::SmallVector<AxisPart, 2> others(parts);
  for (FactorSet removed : getFactorSets()) {
    others.front().removed = removed;
    traits.withRemoved[removed.getBits()] = findDim(others);
  }
  return traits;
}

AxisSet SearchProblem::getAxes(const SymbolicExtent &extent) const {
  AxisSet axes;
  for (auto [generator, power] : extent.getPowers())
    if (generator.isUnknown())
      axes.insert(
          getUnsplit(static_cast<uint8_t>(generator.getUnknown().getAxis())));
  return axes;
}

SymbolicExtent SearchProblem::getFactor(uint8_t axis, Factor factor) const {
  if (factor == kLoop)
    return SymbolicExtent::get(Unknown::getIterations(axis));
  // The blocks along an axis are what a second kernel divides again.
  if (isSplitAxis(axis))
    return SymbolicExtent::get(Unknown::getBlocks(axis));
  uint8_t split = getSplitAxis(axis);
  return SymbolicExtent::get(Unknown::getTile(split)) *
         SymbolicExtent::get(Unknown::getBlocks(split)) *
         SymbolicExtent::get(Unknown::getIterations(split));
}

SymbolicExtent SearchProblem::getExtent(DimId dim) const {
  SymbolicExtent extent;
  for (const AxisPart &part : dims[dim]) {
    extent = extent * SymbolicExtent::get(Unknown::getTile(part.axis));
    for (Factor factor : {kGrid, kLoop})
      if (!part.removed.contains(factor))
        extent = extent * getFactor(part.axis, factor);
  }
  return extent;
}

ExtentConstraints SearchProblem::getConstraints() const {
  ExtentConstraints constraints;
  for (unsigned axis = 0; axis < getNumAxes(); ++axis)
    constraints.products.push_back(
        {getExtent(getWholeAxis(axis)), SymbolicExtent::get(axes.sizes[axis])});
  return constraints;
}

AxisSet SearchProblem::getWholeAxes(const SymbolicExtent &extent) const {
  AxisSet whole;
  for (unsigned axis : getAxes(extent))
    if (extent.divide(getExtent(getWholeAxis(axis))))
      whole.insert(axis);
  return whole;
}

std::vector<AbstractValue> SearchProblem::evaluate(AbstractEvaluator &evaluator,
                                                   AxisBinding &binding) const {
  std::vector<AbstractValue> values(program.getNumValues());
  for (auto [number, argument] : llvm::enumerate(program.getRegion().arguments))
    values[argument] = getInput(number, binding);
  for (unsigned number : program.getRegion().nodes) {
    const MuNode &node = program.getNode(number);
    llvm::SmallVector<AbstractValue, 3> operands;
    for (MuValue operand : node.operands)
      operands.push_back(values[operand]);
    std::optional<DimId> summed;
    if (std::optional<ArrayRef<unsigned>> reduced = getReduced(node);
        reduced && !isMaximum(node))
      summed = getWhole(*reduced);
    if (auto part = getPart(node)) {
      values[node.results[0]] = operands[0];
      values[node.results[0]].expression =
          binding.select(operands[0].expression, part->first, part->second);
    } else if (isPlainMaximum(node))
      values[node.results[0]] =
          applyMaximum(operands[0], getAxes(getWhole(*getReduced(node))),
                       evaluator, binding);
    else
      values[node.results[0]] =
          apply(node, operands, summed, evaluator, binding);
  }
  return values;
}

AbstractValue SearchProblem::applyMaximum(const AbstractValue &operand,
                                          AxisSet axes,
                                          AbstractEvaluator &evaluator,
                                          AxisBinding &binding) const {
  AbstractValue bound = operand;
  bound.expression =
      binding.bind(operand.expression, axes, /*isArgument=*/true);
  return evaluator.takeMaximum(bound);
}

AbstractValue SearchProblem::apply(const MuNode &node,
                                   ArrayRef<AbstractValue> operands,
                                   std::optional<DimId> summed,
                                   AbstractEvaluator &evaluator,
                                   AxisBinding &binding) const {
  llvm::SmallVector<AbstractValue, 3> bound(operands.begin(), operands.end());
  llvm::SmallVector<SymbolicExtent, 1> extents;
  if (summed) {
    extents.push_back(getExtent(*summed));
    for (AbstractValue &operand : bound)
      operand.expression = binding.bind(operand.expression, getAxes(*summed));
  }
  return evaluator.apply(node.op, node.attributes, bound,
                         ArrayRef<SymbolicExtent>(extents));
}

AbstractValue SearchProblem::applyComposite(const OperatorForm &form,
                                            const AbstractValue &operand,
                                            AbstractEvaluator &evaluator,
                                            AxisBinding &binding) const {
  const MuGraph &graph = *form.definition;
  std::vector<AbstractValue> values(graph.getNumValues());
  values[graph.getRegion().arguments[0]] = operand;
  for (unsigned number : graph.getRegion().nodes) {
    const MuNode &node = graph.getNode(number);
    llvm::SmallVector<AbstractValue, 3> operands;
    for (MuValue value : node.operands)
      operands.push_back(values[value]);
    // A composite operator sums along its own dimension only.
    std::optional<DimId> summed;
    if (node.op == OpKind::Reduce &&
        node.attributes.reduceKind == ReduceKind::Sum)
      summed = form.along;
    values[node.results[0]] = apply(node, operands, summed, evaluator, binding);
  }
  return values[graph.getRegion().results[0]];
}

llvm::SmallVector<const Expression *, 2>
SearchProblem::getGoals(AbstractEvaluator &evaluator,
                        AxisBinding &binding) const {
  std::vector<AbstractValue> values = evaluate(evaluator, binding);
  return llvm::map_to_vector<2>(
      program.getRegion().results,
      [&](MuValue value) { return values[value].expression; });
}

llvm::SmallVector<const Expression *, 2>
SearchProblem::getPlainArguments(AbstractEvaluator &evaluator,
                                 AxisBinding &binding) const {
  std::vector<AbstractValue> values = evaluate(evaluator, binding);
  return llvm::map_to_vector<2>(
      plainArguments, [&](MuValue value) { return values[value].expression; });
}

/// Returns the axes of a dimension over which an operator sums, takes a mean or
/// a maximum, or multiplies matrices; nothing for other operators.
std::optional<ArrayRef<unsigned>>
SearchProblem::getReduced(const MuNode &node) const {
  if (node.op == OpKind::Reduce)
    return ArrayRef<unsigned>(axes.dims[node.operands[0]][node.attributes.dim]);
  if (node.op != OpKind::Matmul)
    return std::nullopt;
  const auto &lhs = axes.dims[node.operands[0]];
  return ArrayRef<unsigned>(
      lhs[getContractedDim(node.attributes, ProductOperand::Lhs, lhs.size())]);
}

/// Finds which axes occur together, and in which order.
bool SearchProblem::findValueAxes(std::string &reason) {
  for (const auto &dims : axes.dims) {
    AxisSet own;
    for (ArrayRef<unsigned> dim : dims)
      for (unsigned axis : dim) {
        if (own.contains(axis)) {
          reason = "a tensor has one dimension of the program twice";
          return false;
        }
        for (unsigned before : own)
          order.insert({before, axis});
        own.insert(axis);
      }
    valueAxes.push_back(own);
  }
  return true;
}

void SearchProblem::findReducedAxes() {
  for (unsigned number : program.getRegion().nodes)
    if (auto reduced = getReduced(program.getNode(number));
        reduced && !reduced->empty())
      addReduced(*reduced);
  for (unsigned axis = 0; axis < getNumAxes(); ++axis)
    addReduced({getSplitAxis(axis)});
}

bool SearchProblem::analyze(const std::vector<bool> &isOfNorm,
                            ArrayRef<AlikeDims> alike, std::string &reason,
                            std::optional<unsigned> &location) {
  axes = computeAxes(program, alike);
  if (getNumAxes() > kMaxAxes) {
    reason = llvm::formatv("it has {0} independent dimensions, more than {1}",
                           getNumAxes(), kMaxAxes);
    return false;
  }
  for (MuValue value = 0; value < program.getNumValues(); ++value)
    if (program.getShape(value).size() > kMaxRank) {
      reason = llvm::formatv("a tensor has more than {0} dimensions", kMaxRank);
      return false;
    }
  if (!findValueAxes(reason))
    return false;
  findReducedAxes();
  internDims();
  auto addTensors = [&](ArrayRef<MuValue> values,
                        std::vector<TensorInfo> &list) {
    for (MuValue value : values)
      list.push_back(
          {getDims(value), program.getValue(value).type, getLayout(value)});
  };
  addTensors(program.getRegion().arguments, inputs);
  addTensors(program.getRegion().results, results);
  for (unsigned number : program.getRegion().nodes)
    if (!addForms(program.getNode(number), isOfNorm[number], reason)) {
      location = program.getNode(number).location;
      return false;
    }
  for (bool ofNorms : {false, true})
    addClosure(ofNorms);

  // Expressions and shapes tell the program's values apart, and those of
  // candidates, unless two of them have the same: x + y and x - y do.
  auto hasBinary = [&](OpKind kind) {
    return llvm::any_of(forms, [&](const OperatorForm &form) {
      return form.kind == Kind::Binary && form.op == kind;
    });
  };
  distinctValues = !hasBinary(OpKind::Add) || !hasBinary(OpKind::Sub);
  ExpressionContext context;
  AbstractEvaluator evaluator(context);
  AxisBinding binding(context);
  NormalForms normalForms;
  std::vector<AbstractValue> values = evaluate(evaluator, binding);
  std::set<std::pair<unsigned, std::vector<DimId>>> seen;
  for (MuValue value = 0; value < program.getNumValues(); ++value) {
    const MuNode *definition = getDefinition(value);
    bool isMoved = definition && (definition->op == OpKind::Transpose ||
                                  definition->op == OpKind::Reshape);
    if (values[value].constant || !values[value].expression || isMoved ||
        values[value].role != AbstractValue::Role::Plain)
      continue;
    bool isShifted = false;
    for (unsigned number : program.getRegion().nodes) {
      const MuNode &node = program.getNode(number);
      isShifted |= node.results[0] == value &&
                   llvm::any_of(node.operands, [&](MuValue operand) {
                     return values[operand].role == AbstractValue::Role::Shift;
                   });
    }
    Dims dims = getDims(value);
    if (!isShifted)
      distinctValues &=
          seen.insert({normalForms.get(values[value].expression),
                       std::vector<DimId>(dims.begin(), dims.end())})
              .second;
  }
  return true;
}
