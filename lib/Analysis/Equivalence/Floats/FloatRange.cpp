//===- FloatRange.cpp - Inputs for which a program is finite --------------===//
//
// Halves inputs until the original overflows no more than for normal ones.
//
//===----------------------------------------------------------------------===//

#include "FloatRange.h"
#include "FloatErrors.h"
#include "Mirage/Semantics/ErrorBound.h"

using namespace mirage;
using namespace mirage::equivalence;

/// Returns the values of a program of primitives that are added or subtracted
/// where an exponential is taken of the result, outside of launches.
static llvm::SmallVector<MuValue> findExponents(const MuGraph &graph) {
  llvm::SmallVector<MuValue> exponents;
  std::vector<bool> isExponent(graph.getNumValues(), false);
  for (unsigned number : llvm::reverse(graph.getRegion().nodes)) {
    const MuNode &node = graph.getNode(number);
    if (node.kind != MuNode::Kind::Operator)
      continue;
    bool isSum = node.op == OpKind::Add || node.op == OpKind::Sub;
    bool keepsNumbers = isLayout(node.op) || node.op == OpKind::Cast ||
                        node.op == OpKind::Scale || node.op == OpKind::Mul;
    bool isUsed = llvm::any_of(
        node.results, [&](MuValue value) { return isExponent[value]; });
    for (MuValue operand : node.operands) {
      isExponent[operand] = isExponent[operand] || node.op == OpKind::Exp ||
                            (isUsed && (isSum || keepsNumbers));
      if (isUsed && isSum && !llvm::is_contained(exponents, operand))
        exponents.push_back(operand);
    }
  }
  return exponents;
}

const TensorValue &Runs::getRoundedBounds(unsigned result) {
  if (rounded.empty()) {
    llvm::SmallVector<TensorValue> inputs;
    for (const TensorValue &input : lhs.inputs) {
      double unit = getUnitRoundoff(input.type);
      Tensor<Bounded> numbers{Shape(input.shape())};
      for (auto [i, number] : llvm::enumerate(numbers.data)) {
        double value = input.value(static_cast<int64_t>(i));
        // Zeros and infinities are exact.
        number =
            Bounded(value, std::isfinite(value) ? std::fabs(value) * unit : 0);
      }
      inputs.push_back({input.type, std::move(numbers)});
    }
    rounded = runMuGraph(*pair.lhs, inputs, Precision::Bound,
                         {.execution = &originals.getExecution()});
  }
  return rounded[result];
}

double Runs::getExponentRounding(unsigned result) {
  if (!exponents) {
    exponents = 0;
    MuGraph program = expandToPrimitives(*pair.lhs);
    llvm::SmallVector<MuValue> values = findExponents(program);
    program.setResults(0, values);
    if (!values.empty())
      for (const TensorValue &value :
           runMuGraph(program, lhs.inputs, Precision::F64,
                      {.execution = &originals.getExecution()}))
        exponents = std::max(*exponents, getScale(value, {&value}).value_or(0));
  }
  return 2 * *exponents * getExponentUnit(lhs.exact[result].type);
}

const Original &Range::get(unsigned halved) {
  if (halved == 0)
    return runs.lhs;
  std::shared_ptr<const Original> &original = originals[halved];
  if (!original)
    original = runs.originals.get(*runs.pair.lhs, runs.kind.halve(halved));
  return *original;
}

unsigned Range::find(unsigned result) {
  unsigned most = runs.kind.halvings;
  auto isNumber = [&](const Original &original) {
    // A function that saturates may hide it.
    if (original.results.overflowsInside && !get(most).results.overflowsInside)
      return false;
    const TensorValue &exact = original.exact[result],
                      &storage = original.storage[result];
    if (getFiniteCount({&exact, &storage}) == exact.size())
      return true;
    const Original &lowest = get(most);
    return !overflows(storage, exact, lowest.storage[result],
                      lowest.exact[result]);
  };
  auto isInRange = [&](unsigned halved) { return isNumber(get(halved)); };
  // Products in another order overflow a little earlier.
  auto hasRoom = [&] {
    return runs.kind.extreme != InputKind::Extreme::Huge ||
           isNumber(*runs.originals.get(*runs.pair.lhs, runs.kind.twice()));
  };
  if (most == 0)
    return 0;
  if (isInRange(0))
    return hasRoom() ? 0 : 1;
  // Nothing is gained where no inputs are small enough.
  const Original &lowest = get(most);
  if (!getFiniteCount({&lowest.exact[result], &lowest.storage[result]}))
    return 0;
  // Smaller inputs of the same signs overflow no earlier.
  unsigned outOfRange = 0, inRange = most;
  while (inRange - outOfRange > 1) {
    unsigned middle = (outOfRange + inRange) / 2;
    (isInRange(middle) ? inRange : outOfRange) = middle;
  }
  // Once more than needed, for the same reason.
  return std::min(inRange + 1, most);
}
