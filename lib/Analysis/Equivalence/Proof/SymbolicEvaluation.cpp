//===- SymbolicEvaluation.cpp - Elements of a graph's values --------------===//
//
// Goes from a value back to the inputs, index by index. What was evaluated is
// remembered by its indices and those of the points and iterations around it.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/Proof/SymbolicEvaluation.h"
#include "../NumberRange.h"
#include "Mirage/Semantics/ShapeRules.h"
#include "SymbolicSystem.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

using namespace mirage;
using namespace mirage::equivalence;
using llvm::ArrayRef;

bool equivalence::hasModerateSizes(const MuGraph &graph) {
  for (MuValue value = 0; value < graph.getNumValues(); ++value) {
    std::optional<int64_t> count = checkedElementCount(graph.getShape(value));
    if (!count || *count < 1 || *count > (int64_t(1) << 40))
      return false;
    for (int64_t size : graph.getShape(value))
      if (size < 1)
        return false;
  }
  return true;
}

TensorNumber ConstantTables::getNumber(const OpAttributes &attributes,
                                       ElementType type) {
  for (auto [i, table] : llvm::enumerate(tables))
    if (table.second == type && *table.first == *attributes.values)
      return TensorNumber::getConstant(i);
  tables.push_back({attributes.values, type});
  return TensorNumber::getConstant(tables.size() - 1);
}

ArrayRef<double> ConstantTables::getValues(TensorNumber tensor) const {
  std::optional<uint32_t> number = tensor.getConstantNumber();
  if (!number)
    return {};
  return *tables[*number].first;
}

static std::optional<ConstantTables::Steps> findSteps(ArrayRef<double> values,
                                                      ShapeRef shape) {
  constexpr double largest = 1 << 24;
  ConstantTables::Steps result;
  auto isOther = [&](double v) {
    return v != std::floor(v) || std::fabs(v) > largest;
  };
  if (values.empty() || isOther(values.front()))
    return std::nullopt;
  result.first = static_cast<int64_t>(values.front());
  llvm::SmallVector<int64_t, 4> strides(shape.size(), 1);
  for (size_t dim = shape.size(); dim-- > 1;)
    strides[dim - 1] = strides[dim] * shape[dim];
  for (auto [size, stride] : llvm::zip(shape, strides)) {
    double step = size > 1 ? values[stride] - values.front() : 0;
    if (isOther(step))
      return std::nullopt;
    result.steps.push_back(static_cast<int64_t>(step));
  }
  for (size_t i = 0; i < values.size(); ++i) {
    int64_t rest = i, expected = result.first;
    for (auto [step, stride] : llvm::zip(result.steps, strides)) {
      expected += step * (rest / stride);
      rest %= stride;
    }
    if (values[i] != static_cast<double>(expected))
      return std::nullopt;
  }
  return result;
}

const std::optional<ConstantTables::Steps> &
ConstantTables::getSteps(const OpAttributes &attributes) {
  std::vector<int64_t> shape(attributes.resultShape.begin(),
                             attributes.resultShape.end());
  auto [entry, isNew] =
      steps.try_emplace({attributes.values.get(), std::move(shape)});
  if (isNew)
    entry->second = findSteps(*attributes.values, attributes.resultShape);
  return entry->second;
}

const std::optional<IndexBand> &
ConstantTables::getBand(const OpAttributes &attributes) {
  const std::vector<double> &values = *attributes.values;
  std::vector<int64_t> shape(attributes.resultShape.begin(),
                             attributes.resultShape.end());
  auto [entry, isNew] = bands.try_emplace({&values, std::move(shape)});
  if (isNew)
    entry->second = findIndexBand(
        attributes.resultShape,
        ArrayRef(reinterpret_cast<const char *>(values.data()),
                 values.size() * sizeof(double)),
        sizeof(double), [&](int64_t position) { return values[position]; });
  return entry->second;
}

const std::vector<ValueFacts> &ConstantTables::getFacts(const MuGraph &graph) {
  auto [entry, isNew] = facts.try_emplace(&graph);
  if (isNew)
    entry->second = findFacts(graph);
  return entry->second;
}

SymbolicEvaluation::SymbolicEvaluation(const MuGraph &graph, Algebra &algebra,
                                       ConstantTables &tables,
                                       unsigned maxParts)
    : graph(graph), algebra(algebra), tables(tables), maxNumParts(maxParts),
      definitions(graph.getNumValues()) {
  // A definition takes far less time than a step.
  algebra.spend(1 + graph.getNumValues() / 16);
  enterRegion(0);
}

void SymbolicEvaluation::enterRegion(unsigned region) {
  const MuRegion &nodes = graph.getRegion(region);
  for (auto [i, argument] : llvm::enumerate(nodes.arguments))
    definitions[argument] = {region, std::nullopt, static_cast<unsigned>(i)};
  for (unsigned number : nodes.nodes) {
    const MuNode &node = graph.getNode(number);
    for (auto [i, result] : llvm::enumerate(node.results))
      definitions[result] = {region, number, static_cast<unsigned>(i)};
    if (node.kind != MuNode::Kind::Graph && node.kind != MuNode::Kind::Loop)
      continue;
    // Indices are named after nodes, so that each must be in one place.
    if (!owners.try_emplace(node.body, number).second)
      algebra.fail("two nodes have one body");
    else
      enterRegion(node.body);
  }
}

Polynomial SymbolicEvaluation::evaluateResult(unsigned number,
                                              ArrayRef<IndexForm> at) {
  Scope scope{0, {}, nullptr};
  return evaluate(graph.getRegion(0).results[number], at, &scope);
}

Polynomial SymbolicEvaluation::evaluateDefinition(MuValue value,
                                                  ArrayRef<IndexForm> at) {
  Scope scope{0, {}, nullptr};
  const Definition &definition = definitions[value];
  return definition.node
             ? evaluateNode(*definition.node, definition.number, at, &scope)
             : evaluateArgument(definition, at, &scope);
}

static void appendKey(ArrayRef<IndexForm> forms, std::vector<int64_t> &key) {
  for (const IndexForm &form : forms) {
    key.push_back(static_cast<int64_t>(form.terms.size()));
    key.push_back(form.constant);
    for (const IndexTerm &term : form.terms)
      key.insert(key.end(), {term.coefficient, term.digit.variable,
                             term.digit.stride, term.digit.extent});
  }
}

Polynomial SymbolicEvaluation::evaluate(MuValue value, ArrayRef<IndexForm> at,
                                        const Scope *scope) {
  if (algebra.isStopped())
    return {};
  if (cuts) {
    auto found = cuts->find(value);
    if (found != cuts->end()) {
      const Cut &cut = found->second;
      return algebra.read(cut.tensor, linearize(at, graph.getShape(value)),
                          cut.mayBeInfinite, cut.hasPole);
    }
  }
  const Definition &definition = definitions[value];
  while (scope && scope->region != definition.region)
    scope = scope->parent;
  if (!scope) {
    algebra.fail("a value is used where it is not defined");
    return {};
  }
  // Deeper programs would need more stack than threads have.
  constexpr unsigned maxDepth = 400;
  if (depth == maxDepth) {
    algebra.failAtLimit("more than " + llvm::Twine(maxDepth) +
                        " operators follow each other");
    return {};
  }
  std::vector<int64_t> key{value, static_cast<int64_t>(mode)};
  appendKey(at, key);
  for (const Scope *s = scope; s; s = s->parent)
    appendKey(s->indices, key);
  if (!algebra.spend(1 + key.size() / 8))
    return {};
  auto found = evaluated.find(key);
  if (found != evaluated.end())
    return found->second;
  ++depth;
  Polynomial result =
      definition.node
          ? evaluateNode(*definition.node, definition.number, at, scope)
          : evaluateArgument(definition, at, scope);
  --depth;
  if (algebra.isStopped())
    return {};
  evaluated.try_emplace(std::move(key), result);
  return result;
}

Polynomial SymbolicEvaluation::evaluateArgument(const Definition &definition,
                                                ArrayRef<IndexForm> at,
                                                const Scope *scope) {
  if (scope->region != 0) {
    const MuNode &owner = graph.getNode(owners[scope->region]);
    if (owner.kind != MuNode::Kind::Graph) {
      algebra.fail("a loop has arguments");
      return {};
    }
    return evaluate(owner.operands[definition.number], at, scope->parent);
  }
  MuValue input = graph.getRegion(0).arguments[definition.number];
  return algebra.read(TensorNumber::getInput(definition.number),
                      linearize(at, graph.getShape(input)));
}

Polynomial SymbolicEvaluation::evaluateNode(unsigned number, unsigned result,
                                            ArrayRef<IndexForm> at,
                                            const Scope *scope) {
  const MuNode &node = graph.getNode(number);
  Polynomial value;
  switch (node.kind) {
  case MuNode::Kind::Operator: {
    if (mode == Mode::Walk) {
      value = walkOperator(number, result, at, scope);
      break;
    }
    if (mode == Mode::Exponent && isUnknownFunction(node)) {
      value = evaluateUnknown(node, result, at, scope);
      break;
    }
    llvm::SmallVector<Shape, 3> shapes;
    for (MuValue operand : node.operands)
      shapes.push_back(Shape(graph.getShape(operand)));
    System system{{*this, algebra, node, number, scope}};
    value = evaluateElement<System>(node.op, node.attributes, shapes, result,
                                    at, system);
    break;
  }
  case MuNode::Kind::Graph:
    value = evaluateGraph(number, result, at, scope);
    break;
  case MuNode::Kind::Loop:
    value = evaluateLoop(number, result, at, scope);
    break;
  case MuNode::Kind::Load:
    value = evaluateLoad(node, at, scope);
    break;
  case MuNode::Kind::Accumulate:
  case MuNode::Kind::Store:
    algebra.fail("an accumulation or a store is used where it is not complete");
    break;
  }
  if (algebra.stop == Algebra::Stop::Failed && !failedLocation)
    failedLocation = node.location;
  return value;
}

llvm::SmallVector<SymbolicEvaluation::Part, 1>
SymbolicEvaluation::evaluateParts(
    unsigned number, ArrayRef<int64_t> extents,
    llvm::function_ref<void(ArrayRef<IndexForm>, Part &)> evaluatePoint) {
  using Box = llvm::SmallVector<std::pair<int64_t, int64_t>, 3>;
  Box whole;
  for (int64_t extent : extents) {
    if (extent < 1)
      algebra.fail("a reduction of nothing");
    whole.push_back({0, extent});
  }
  llvm::SmallVector<Part, 1> parts;
  // The last box is the next; splitting keeps their order.
  llvm::SmallVector<Box, 4> boxes{whole};
  while (!boxes.empty() && !algebra.isStopped()) {
    Box box = boxes.pop_back_val();
    Part part;
    Indices point;
    for (auto [dim, range] : llvm::enumerate(box)) {
      Variable v = getVariable(number, dim, range.first, range.second);
      part.variables.push_back(v);
      point.push_back(algebra.indices.addConstant(algebra.indices.variable(v),
                                                  range.first));
    }
    evaluatePoint(point, part);
    if (!algebra.isStopped()) {
      parts.push_back(std::move(part));
      continue;
    }
    if (algebra.stop != Algebra::Stop::Split)
      break;
    auto split = llvm::find(part.variables, algebra.splitVariable);
    if (split == part.variables.end())
      break;
    algebra.stop = Algebra::Stop::None;
    algebra.hasRanges = true;
    if (parts.size() + boxes.size() + 2 > maxNumParts) {
      algebra.failAtLimit("a reduction falls into more than " +
                          llvm::Twine(maxNumParts) + " parts");
      break;
    }
    size_t dim = split - part.variables.begin();
    auto [first, extent] = box[dim];
    box[dim] = {first + algebra.splitAt, extent - algebra.splitAt};
    boxes.push_back(box);
    box[dim] = {first, algebra.splitAt};
    boxes.push_back(std::move(box));
  }
  return parts;
}

Polynomial SymbolicEvaluation::sumParts(ArrayRef<Part> parts) {
  Polynomial total;
  for (const Part &part : parts)
    total = algebra.add(total, algebra.sum(part.variables, part.value));
  return total;
}

std::optional<Rational>
SymbolicEvaluation::getLargest(const MuNode &node) const {
  if (node.operands.empty())
    return std::nullopt;
  // What is compared was rounded to the operand's type.
  double largest =
      getNumberRange(graph.getValue(node.operands[0]).type).largest;
  return getConstant(algebra.constant(getLiteralConstant(largest)));
}

Polynomial SymbolicEvaluation::maxParts(ArrayRef<Part> parts,
                                        std::optional<Rational> largest) {
  if (mode == Mode::Walk)
    return {};
  std::vector<Alternative> alternatives;
  for (const Part &part : parts)
    alternatives.push_back(
        {{part.variables.begin(), part.variables.end()}, part.value});
  return algebra.max(std::move(alternatives), std::move(largest));
}

Variable SymbolicEvaluation::getVariable(unsigned node, unsigned dim,
                                         int64_t first, int64_t extent) {
  auto [found, isNew] =
      reductionVariables.try_emplace({node, dim, first, extent}, 0);
  if (isNew)
    found->second = algebra.variables.add(extent);
  return found->second;
}

IndexForm SymbolicEvaluation::linearize(ArrayRef<IndexForm> at,
                                        ShapeRef shape) {
  IndexForm linear;
  for (auto [index, size] : llvm::zip_equal(at, shape))
    linear =
        algebra.indices.add(algebra.indices.mulConstant(linear, size), index);
  return linear;
}

IndexArithmetic::Division SymbolicEvaluation::divide(const IndexForm &index,
                                                     int64_t divisor) {
  IndexForm crossing;
  std::optional<IndexArithmetic::Division> division =
      algebra.indices.divide(index, divisor, &crossing);
  if (division)
    return *division;
  // The quotient is constant before and after the next multiple.
  int64_t least = algebra.indices.getRange(crossing).least;
  int64_t next = (llvm::divideFloorSigned(least, divisor) + 1) * divisor;
  requestSplit(algebra,
               {IndexCondition::Answer::Depends, crossing, least, next});
  return {};
}
