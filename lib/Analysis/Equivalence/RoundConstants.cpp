//===- RoundConstants.cpp - Programs with the numbers they hold -----------===//
//
// Copies a graph. A cast goes back to the constants that its operand is made of
// and rounds these, where nothing but moves and signs is between; a launch gets
// the rounded constant as a further operand.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/RoundConstants.h"
#include "Mirage/Semantics/ShapeRules.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include <cmath>
#include <map>

using namespace mirage;
using namespace mirage::equivalence;
using llvm::ArrayRef;

/// Returns whether rounding to `to` changes no number of `from`.
static bool holds(ElementType to, ElementType from) {
  if (to == from || to == ElementType::f64)
    return true;
  if (to == ElementType::f32)
    return from != ElementType::f64;
  return byteSize(to) == 2 && byteSize(from) == 1;
}

/// Returns whether rounded operands give the rounded result, since all that the
/// operator computes are its operands' elements, or these with another sign. Of
/// others the program rounds the result before it is cast, which is rounding of
/// what is computed.
static bool commutesWithRounding(const MuNode &node) {
  switch (node.op) {
  case OpKind::Abs:
  case OpKind::Relu:
  case OpKind::Max:
  case OpKind::Min:
    return true;
  case OpKind::Scale:
    return std::fabs(node.attributes.scalar) == 1;
#define MIRAGE_LAYOUT_OP(Kind, ...) case OpKind::Kind:
#include "Mirage/Semantics/OpKinds.def"
    return true;
  case OpKind::Add:
  case OpKind::Sub:
  case OpKind::Mul:
  case OpKind::Div:
  case OpKind::Compare:
  case OpKind::Select:
  case OpKind::Exp:
  case OpKind::Exp2:
  case OpKind::Log:
  case OpKind::Sqrt:
  case OpKind::Rsqrt:
  case OpKind::Square:
  case OpKind::Silu:
  case OpKind::Sigmoid:
  case OpKind::Gelu:
  case OpKind::Mish:
  case OpKind::Tanh:
  case OpKind::Erf:
  case OpKind::Clamp:
  case OpKind::Pow:
  case OpKind::Cast:
#define MIRAGE_CONSTANT_OP(Kind, ...) case OpKind::Kind:
#define MIRAGE_REDUCTION_OP(Kind, ...) case OpKind::Kind:
#define MIRAGE_CONTRACTION_OP(Kind, ...) case OpKind::Kind:
#define MIRAGE_COMPOSITE_OP(Kind, ...) case OpKind::Kind:
#include "Mirage/Semantics/OpKinds.def"
    return false;
  }
  llvm_unreachable("not an operator");
}

/// Returns the number as `type` has it, unless that is another one altogether.
static double roundNumber(ElementType type, double value) {
  double rounded = roundTo(type, value);
  bool isAnother = (std::isinf(rounded) && !std::isinf(value)) ||
                   (rounded == 0 && value != 0);
  return isAnother ? value : rounded;
}

namespace {
class Rounder {
public:
  Rounder(const MuGraph &from, bool roundsAttributes)
      : from(from), roundsAttributes(roundsAttributes),
        values(from.getNumValues()) {}

  RoundedProgram run() {
    copyRegion(0, 0);
    return {std::move(to), std::move(values), unknownCast};
  }
  bool hasRoundedAttribute() const { return hasRounded; }

private:
  /// A graph node that is being copied.
  struct Launch {
    unsigned body, outerRegion;
    /// The operands of the node, and rounded constants.
    llvm::SmallVector<MuValue, 2> operands;
  };
  /// A definition is a node of the new graph.
  struct Definition {
    unsigned node;
    unsigned region;
  };

  void copyRegion(unsigned source, unsigned target);
  void copyNode(const MuNode &node, unsigned region);
  void copyOperator(const MuNode &node, ArrayRef<MuValue> operands,
                    unsigned region);
  OpAttributes getAttributes(const MuNode &node);

  /// The constant value, rounded to `type`, as a value that `region` sees.
  std::optional<MuValue> round(MuValue value, ElementType type,
                               unsigned region);
  std::optional<MuValue> makeRounded(MuValue value, ElementType type,
                                     unsigned region);
  std::optional<MuValue> roundArgument(MuValue value, ElementType type);
  std::optional<MuValue> roundNode(const Definition &definition, MuValue value,
                                   ElementType type, unsigned region);
  MuValue addConstant(ShapeRef shape, std::vector<double> numbers,
                      ElementType type, unsigned region, unsigned location);
  MuValue addNode(const MuNode &node, MuValue value, ElementType type,
                  unsigned region);

  void define(ArrayRef<MuValue> results, unsigned node, unsigned region,
              bool isConstant) {
    for (MuValue result : results) {
      definitions[result] = {node, region};
      if (isConstant)
        constants.insert(result);
    }
  }
  bool areConstant(ArrayRef<MuValue> values) const {
    return llvm::all_of(
        values, [&](MuValue value) { return constants.contains(value); });
  }

  const MuGraph &from;
  bool roundsAttributes, hasRounded = false;
  MuGraph to;
  /// Copies, by the values that they are of.
  std::vector<MuValue> values;
  // These are about the new graph: what makes values, which of them are made of
  // constants only, operands of graphs by arguments of their bodies.
  llvm::DenseMap<MuValue, Definition> definitions;
  llvm::DenseSet<MuValue> constants;
  llvm::DenseMap<MuValue, MuValue> outerValues;
  std::vector<Launch> launches;
  std::map<std::tuple<MuValue, ElementType, unsigned>, std::optional<MuValue>>
      rounded;
  std::optional<unsigned> unknownCast;
};
} // namespace

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

void Rounder::copyRegion(unsigned source, unsigned target) {
  const MuRegion &region = from.getRegion(source);
  for (MuValue argument : region.arguments)
    values[argument] = to.addArgument(target, from.getShape(argument),
                                      from.getValue(argument).type);
  if (!launches.empty() && launches.back().body == target)
    for (auto [argument, operand] :
         llvm::zip(region.arguments, launches.back().operands)) {
      outerValues[values[argument]] = operand;
      if (constants.contains(operand))
        constants.insert(values[argument]);
    }
  for (unsigned number : region.nodes)
    copyNode(from.getNode(number), target);
  to.setResults(target, llvm::map_to_vector(region.results, [&](MuValue v) {
                  return values[v];
                }));
}

void Rounder::copyNode(const MuNode &node, unsigned region) {
  auto operands = llvm::map_to_vector<4>(node.operands,
                                         [&](MuValue v) { return values[v]; });
  if (node.kind == MuNode::Kind::Operator)
    return copyOperator(node, operands, region);
  MuNode copy = node;
  copy.operands.assign(operands.begin(), operands.end());
  bool isConstant = areConstant(operands);
  if (node.hasBody()) {
    copy.body = to.addRegion();
    bool isGraph = node.kind == MuNode::Kind::Graph;
    if (isGraph)
      launches.push_back(
          {copy.body, region, {operands.begin(), operands.end()}});
    copyRegion(node.body, copy.body);
    if (isGraph) {
      copy.operands.assign(launches.back().operands.begin(),
                           launches.back().operands.end());
      launches.pop_back();
    }
    isConstant = areConstant(to.getRegion(copy.body).results);
  }
  for (MuValue &result : copy.results) {
    const MuGraph::Value &value = from.getValue(result);
    result = values[result] = to.addValue(value.shape, value.type);
  }
  auto results = copy.results;
  define(results, to.addNode(region, std::move(copy)), region, isConstant);
}

OpAttributes Rounder::getAttributes(const MuNode &node) {
  OpAttributes attributes = node.attributes;
  if (!roundsAttributes)
    return attributes;
  auto isF64 = [&](MuValue value) {
    return from.getValue(value).type == ElementType::f64;
  };
  ElementType computed = ElementType::f32;
  if (llvm::any_of(node.results, isF64) || llvm::any_of(node.operands, isF64))
    computed = ElementType::f64;
  ElementType stored = from.getValue(node.results[0]).type;
  for (double *number :
       {&attributes.scalar, &attributes.lower, &attributes.upper}) {
    double rounded =
        roundNumber(node.op == OpKind::Pad ? stored : computed, *number);
    hasRounded |= rounded < *number || rounded > *number;
    *number = rounded;
  }
  return attributes;
}

void Rounder::copyOperator(const MuNode &node, ArrayRef<MuValue> operands,
                           unsigned region) {
  bool isConstant = node.op == OpKind::Constant ||
                    (!operands.empty() && areConstant(operands));
  ElementType type = from.getValue(node.results[0]).type;
  if (node.op == OpKind::Cast && isConstant) {
    if (auto value = round(operands[0], type, region)) {
      values[node.results[0]] = *value;
      return;
    }
    if (!holds(type, to.getValue(operands[0]).type) && !unknownCast)
      unknownCast = node.location;
  }
  to.addOperator(region, node.op, getAttributes(node), operands, type,
                 node.location);
  unsigned number = to.getNumNodes() - 1;
  auto results = to.getNode(number).results;
  for (auto [old, result] : llvm::zip_equal(node.results, results))
    values[old] = result;
  define(results, number, region, isConstant);
}

//===----------------------------------------------------------------------===//
// Casts of constants
//===----------------------------------------------------------------------===//

MuValue Rounder::addConstant(ShapeRef shape, std::vector<double> numbers,
                             ElementType type, unsigned region,
                             unsigned location) {
  for (double &number : numbers)
    number = roundTo(type, number);
  if (llvm::all_equal(numbers))
    numbers.resize(1);
  OpAttributes attributes;
  attributes.resultShape = Shape(shape);
  attributes.values =
      std::make_shared<const std::vector<double>>(std::move(numbers));
  MuValue result =
      to.addOperator(region, OpKind::Constant, attributes, {}, type, location);
  define(result, to.getNumNodes() - 1, region, /*isConstant=*/true);
  return result;
}

/// Adds a node like the value's own, with a result of another type.
MuValue Rounder::addNode(const MuNode &node, MuValue value, ElementType type,
                         unsigned region) {
  MuNode copy = node;
  MuValue found = value;
  for (MuValue &result : copy.results) {
    bool isValue = result == value;
    result = to.addValue(Shape(to.getShape(result)), type);
    if (isValue)
      found = result;
  }
  auto results = copy.results;
  define(results, to.addNode(region, std::move(copy)), region,
         /*isConstant=*/true);
  return found;
}

std::optional<MuValue> Rounder::round(MuValue value, ElementType type,
                                      unsigned region) {
  auto key = std::make_tuple(value, type, region);
  auto found = rounded.find(key);
  if (found != rounded.end())
    return found->second;
  return rounded[key] = makeRounded(value, type, region);
}

std::optional<MuValue> Rounder::makeRounded(MuValue value, ElementType type,
                                            unsigned region) {
  auto definition = definitions.find(value);
  if (definition == definitions.end())
    return roundArgument(value, type);
  Definition made = definition->second;
  return roundNode(made, value, type, region);
}

std::optional<MuValue> Rounder::roundArgument(MuValue value, ElementType type) {
  for (size_t i = launches.size(); i-- > 0;) {
    unsigned body = launches[i].body;
    if (!llvm::is_contained(to.getRegion(body).arguments, value))
      continue;
    std::optional<MuValue> outer =
        round(outerValues[value], type, launches[i].outerRegion);
    if (!outer)
      return std::nullopt;
    MuValue argument = to.addArgument(body, Shape(to.getShape(value)), type);
    launches[i].operands.push_back(*outer);
    outerValues[argument] = *outer;
    constants.insert(argument);
    return argument;
  }
  return std::nullopt;
}

std::optional<MuValue> Rounder::roundNode(const Definition &definition,
                                          MuValue value, ElementType type,
                                          unsigned region) {
  MuNode node = to.getNode(definition.node);
  Shape shape(to.getShape(value));
  bool isLoad = node.kind == MuNode::Kind::Load;
  if (!isLoad && node.kind != MuNode::Kind::Operator)
    return std::nullopt;
  if (!isLoad && node.op == OpKind::Constant) {
    std::vector<double> numbers = *node.attributes.values;
    // What its own type does not hold was never rounded.
    for (double number : numbers)
      if (!std::isnan(number) &&
          roundTo(to.getValue(value).type, number) != number)
        return std::nullopt;
    return addConstant(shape, std::move(numbers), type, region, node.location);
  }
  if (!isLoad && !commutesWithRounding(node))
    return std::nullopt;
  for (MuValue &operand : node.operands) {
    std::optional<MuValue> moved = round(operand, type, region);
    if (!moved)
      return std::nullopt;
    operand = *moved;
  }
  if (node.op == OpKind::Pad)
    node.attributes.scalar = roundTo(type, node.attributes.scalar);
  return addNode(node, value, type, region);
}

RoundedProgram equivalence::roundConstants(const MuGraph &graph) {
  return Rounder(graph, /*roundsAttributes=*/false).run();
}

std::optional<MuGraph> equivalence::roundAttributes(const MuGraph &graph) {
  Rounder rounder(graph, /*roundsAttributes=*/true);
  RoundedProgram rounded = rounder.run();
  if (!rounder.hasRoundedAttribute())
    return std::nullopt;
  return std::move(rounded.graph);
}
