//===- LiftScales.cpp - Scales behind what is linear ----------------------===//
//
// Candidates scale behind products and sums, never before them (the rule of
// order in Search.md). A program that scales an operand of a product is brought
// to that form.
//
//===----------------------------------------------------------------------===//

#include "SimplifyProgram.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include <cmath>

using namespace mirage;
using namespace mirage::search;
using llvm::ArrayRef;

/// Returns whether an operator's result is as many times larger as one of its
/// operands.
static bool isLinear(const MuNode &node) {
  if (node.op == OpKind::Reduce)
    return node.attributes.reduceKind == ReduceKind::Sum;
  return node.op == OpKind::Matmul || node.op == OpKind::Transpose ||
         node.op == OpKind::Reshape || node.op == OpKind::Slice;
}

/// The product of two factors; nothing if it has to be rounded.
static std::optional<double> multiplyExactly(double a, double b) {
  double product = a * b;
  return std::fma(a, b, -product) == 0 ? std::optional(product) : std::nullopt;
}

namespace {

class Lifter {
public:
  explicit Lifter(SimplifiedProgram program)
      : program(std::move(program)), from(this->program.graph),
        readers(from.getNumValues(), nullptr), uses(from.getNumValues(), 0),
        values(from.getNumValues()) {
    for (unsigned number : from.getRegion().nodes)
      for (MuValue operand : from.getNode(number).operands) {
        readers[operand] = &from.getNode(number);
        ++uses[operand];
      }
    for (MuValue result : from.getRegion().results)
      uses[result] += 2;
  }

  SimplifiedProgram run() {
    const MuRegion &body = from.getRegion();
    if (llvm::none_of(body.nodes, [&](unsigned number) {
          const MuNode &node = from.getNode(number);
          return node.op == OpKind::Scale && isLifted(node.results[0]);
        }))
      return std::move(program);
    for (MuValue argument : body.arguments)
      values[argument] = {to.addArgument(0, from.getShape(argument),
                                         from.getValue(argument).type)};
    for (unsigned number : body.nodes)
      copy(number);
    to.setResults(0, llvm::map_to_vector(body.results, [&](MuValue result) {
                    return values[result].base;
                  }));
    for (MuValue &value : program.values)
      value = values[value].base;
    program.isOfNorm = std::move(isOfNorm);
    program.graph = std::move(to);
    return std::move(program);
  }

private:
  /// A value of the program, as a multiple of one of the other program.
  struct Multiple {
    MuValue base = 0;
    double factor = 1;
  };

  /// Returns whether a factor of a value becomes one of what reads the value.
  bool isLifted(MuValue value) const {
    return uses[value] == 1 && isLinear(*readers[value]);
  }

  MuValue add(OpKind kind, const OpAttributes &attributes,
              ArrayRef<MuValue> operands) {
    MuValue result =
        to.addOperator(0, kind, attributes, operands, type, location);
    isOfNorm.push_back(isNorm);
    return result;
  }

  MuValue scale(const Multiple &value) {
    if (value.factor == 1)
      return value.base;
    OpAttributes attributes;
    attributes.scalar = value.factor;
    return add(OpKind::Scale, attributes, {value.base});
  }

  void define(MuValue result, Multiple value) {
    if (!isLifted(result))
      value = {scale(value)};
    values[result] = value;
  }

  /// Takes a factor out of an operand, if it can be multiplied by those that
  /// were taken out of others.
  MuValue takeOut(MuValue operand, double &factor) {
    const Multiple &value = values[operand];
    if (std::optional<double> product = multiplyExactly(factor, value.factor)) {
      factor = *product;
      return value.base;
    }
    return scale(value);
  }

  void copy(unsigned number) {
    const MuNode &node = from.getNode(number);
    location = node.location;
    type = from.getValue(node.results[0]).type;
    isNorm = program.isOfNorm[number];
    if (node.op == OpKind::Scale) {
      double factor = node.attributes.scalar;
      MuValue base = takeOut(node.operands[0], factor);
      return define(node.results[0], {base, factor});
    }
    llvm::SmallVector<MuValue> operands;
    if (isLinear(node)) {
      double factor = 1;
      for (MuValue operand : node.operands)
        operands.push_back(takeOut(operand, factor));
      MuValue base = add(node.op, node.attributes, operands);
      return define(node.results[0], {base, factor});
    }
    // Nothing was lifted out of what other operators read.
    for (MuValue operand : node.operands)
      operands.push_back(values[operand].base);
    to.addOperator(0, node.op, node.attributes, operands, type, location);
    isOfNorm.push_back(isNorm);
    ArrayRef<MuValue> results = to.getNode(to.getNumNodes() - 1).results;
    for (auto [result, base] : llvm::zip_equal(node.results, results))
      values[result] = {base};
  }

  SimplifiedProgram program;
  const MuGraph &from;
  MuGraph to;
  /// What reads each value, if one operator does.
  std::vector<const MuNode *> readers;
  std::vector<unsigned> uses;
  std::vector<Multiple> values;
  std::vector<bool> isOfNorm;
  ElementType type = ElementType::f32;
  unsigned location = 0;
  bool isNorm = false;
};

} // namespace

SimplifiedProgram mirage::search::liftScales(SimplifiedProgram program) {
  return Lifter(std::move(program)).run();
}
