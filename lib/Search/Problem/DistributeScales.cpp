//===- DistributeScales.cpp - Scales of sums ------------------------------===//
//
// A program that adds m / c to scores before it multiplies them by c adds m to
// scaled scores. Both are brought to the second form, which has fewer
// operators.
//
//===----------------------------------------------------------------------===//

#include "SimplifyProgram.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace mirage;
using namespace mirage::search;

namespace {

class Distributor {
public:
  explicit Distributor(SimplifiedProgram program)
      : program(std::move(program)), from(this->program.graph),
        definers(from.getNumValues(), nullptr), uses(from.getNumValues(), 0),
        isNeeded(from.getNumValues(), false), values(from.getNumValues()) {
    const MuRegion &body = from.getRegion();
    for (unsigned number : body.nodes) {
      const MuNode &node = from.getNode(number);
      for (MuValue operand : node.operands)
        ++uses[operand];
      for (MuValue result : node.results)
        definers[result] = &node;
    }
    for (MuValue result : body.results)
      ++uses[result];
  }

  SimplifiedProgram run() {
    const MuRegion &body = from.getRegion();
    if (llvm::none_of(body.nodes, [&](unsigned number) {
          return isDistributed(from.getNode(number));
        }))
      return std::move(program);
    findNeeded();
    for (MuValue argument : body.arguments)
      values[argument] = to.addArgument(0, from.getShape(argument),
                                        from.getValue(argument).type);
    for (unsigned number : body.nodes)
      copy(number);
    llvm::SmallVector<MuValue> results;
    for (MuValue result : body.results)
      results.push_back(values[result]);
    to.setResults(0, results);
    for (MuValue &value : program.values)
      value = values[value];
    program.isOfNorm = std::move(isOfNorm);
    program.graph = std::move(to);
    return std::move(program);
  }

private:
  /// The operator that computes a value which nothing else reads; null if there
  /// is none, or more reads it.
  const MuNode *getOnlyUsed(MuValue value) const {
    return uses[value] == 1 ? definers[value] : nullptr;
  }

  std::optional<double> getDivisor(const MuNode &node) const {
    const MuNode *divisor =
        node.op == OpKind::Div ? definers[node.operands[1]] : nullptr;
    return divisor ? getSplat(*divisor) : std::nullopt;
  }

  /// The factor by which a value's operand is multiplied if the value is
  /// multiplied by this one, without rounding; nothing if the value is no
  /// multiple of its operand.
  std::optional<double> merge(MuValue value, double factor) const {
    const MuNode *node = getOnlyUsed(value);
    if (!node)
      return std::nullopt;
    if (getDivisor(*node) == factor)
      return 1;
    if (node->op != OpKind::Scale)
      return std::nullopt;
    double product = node->attributes.scalar * factor;
    bool isExact = std::fma(node->attributes.scalar, factor, -product) == 0;
    return isExact ? std::optional(product) : std::nullopt;
  }

  bool isSum(MuValue value) const {
    const MuNode *node = getOnlyUsed(value);
    return node && (node->op == OpKind::Add || node->op == OpKind::Sub);
  }

  /// Returns whether some term of a sum is a multiple already, and there are no
  /// more operators if the terms are multiplied instead of the sum.
  bool isDistributed(const MuNode &node) const {
    if (node.op != OpKind::Scale || !isSum(node.operands[0]))
      return false;
    unsigned before = 1, after = 0;
    forEachTerm(node.operands[0], node.attributes.scalar,
                [&](MuValue, std::optional<double> merged) {
                  before += merged.has_value();
                  after += merged != 1;
                });
    return before > 1 && after <= before;
  }

  /// Calls for each term of a sum with what is to be multiplied of it, and with
  /// the factor if that is another one.
  template <typename Visit>
  void forEachTerm(MuValue value, double factor, Visit visit) const {
    if (isSum(value)) {
      for (MuValue operand : getOnlyUsed(value)->operands)
        forEachTerm(operand, factor, visit);
    } else if (std::optional<double> merged = merge(value, factor)) {
      visit(getOnlyUsed(value)->operands[0], merged);
    } else {
      visit(value, std::nullopt);
    }
  }

  /// Finds the values that are computed as before.
  void findNeeded() {
    const MuRegion &body = from.getRegion();
    for (MuValue result : body.results)
      isNeeded[result] = true;
    for (unsigned number : llvm::reverse(body.nodes)) {
      const MuNode &node = from.getNode(number);
      if (llvm::none_of(node.results,
                        [&](MuValue result) { return isNeeded[result]; }))
        continue;
      if (isDistributed(node))
        forEachTerm(node.operands[0], node.attributes.scalar,
                    [&](MuValue term, auto) { isNeeded[term] = true; });
      else
        for (MuValue operand : node.operands)
          isNeeded[operand] = true;
    }
  }

  llvm::ArrayRef<MuValue> add(OpKind kind, const OpAttributes &attributes,
                              llvm::ArrayRef<MuValue> operands) {
    to.addOperator(0, kind, attributes, operands, type, location);
    isOfNorm.push_back(isNorm);
    return to.getNode(to.getNumNodes() - 1).results;
  }

  MuValue scale(MuValue value, double factor) {
    if (factor == 1)
      return value;
    OpAttributes attributes;
    attributes.scalar = factor;
    return add(OpKind::Scale, attributes, {value}).front();
  }

  MuValue distribute(MuValue value, double factor) {
    if (isSum(value)) {
      const MuNode &sum = *getOnlyUsed(value);
      MuValue first = distribute(sum.operands[0], factor);
      MuValue second = distribute(sum.operands[1], factor);
      return values[value] =
                 add(sum.op, sum.attributes, {first, second}).front();
    }
    if (std::optional<double> merged = merge(value, factor))
      return values[value] =
                 scale(values[getOnlyUsed(value)->operands[0]], *merged);
    return scale(values[value], factor);
  }

  void copy(unsigned number) {
    const MuNode &node = from.getNode(number);
    if (llvm::none_of(node.results,
                      [&](MuValue result) { return isNeeded[result]; }))
      return;
    location = node.location;
    type = from.getValue(node.results[0]).type;
    isNorm = program.isOfNorm[number];
    if (isDistributed(node)) {
      values[node.results[0]] =
          distribute(node.operands[0], node.attributes.scalar);
      return;
    }
    llvm::SmallVector<MuValue> operands;
    for (MuValue operand : node.operands)
      operands.push_back(values[operand]);
    llvm::SmallVector<MuValue> results(add(node.op, node.attributes, operands));
    for (auto [result, value] : llvm::zip_equal(node.results, results))
      values[result] = value;
  }

  SimplifiedProgram program;
  const MuGraph &from;
  MuGraph to;
  std::vector<const MuNode *> definers;
  llvm::SmallVector<unsigned> uses;
  std::vector<bool> isNeeded;
  /// What each value is in the other program. One that is not computed any more
  /// is the multiple of it that is.
  std::vector<MuValue> values;
  std::vector<bool> isOfNorm;
  ElementType type = ElementType::f32;
  unsigned location = 0;
  bool isNorm = false;
};

} // namespace

SimplifiedProgram mirage::search::distributeScales(SimplifiedProgram program) {
  return Distributor(std::move(program)).run();
}
