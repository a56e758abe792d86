//===- ConstantBody.cpp - Bodies of constants and loop indices ------------===//
//
// Evaluates values at every point of the iteration space by the operations' own
// folders.
//
//===----------------------------------------------------------------------===//

#include "ConstantBody.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mirage;

/// Returns the operand of the linalg operation that a block argument is an
/// element of.
static Value getOperand(linalg::LinalgOp op, Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || !op || argument.getOwner() != op.getBlock())
    return nullptr;
  return op->getOperand(argument.getArgNumber());
}

bool ConstantBody::hasIntegers(Value value) {
  auto [entry, isNew] = integers.try_emplace(value, false);
  if (!isNew)
    return entry->second;
  bool result = false;
  if (Value operand = getOperand(op, value))
    result = getElementTypeOrSelf(operand).isIntOrIndex() &&
             isa<ShapedType>(operand.getType());
  else if (Operation *definition = value.getDefiningOp()) {
    Type type = value.getType();
    // The exponent of math.fpowi belongs to the operation.
    OperandRange operands = definition->getOperands();
    if (isa<math::FPowIOp>(definition))
      operands = operands.take_front();
    result = (type.isIntOrIndex() && !type.isInteger(1)) ||
             llvm::any_of(operands, [&](Value v) { return hasIntegers(v); });
  }
  return integers[value] = result;
}

std::optional<llvm::SmallBitVector> ConstantBody::getLoops(Value value) {
  if (auto known = loops.find(value); known != loops.end())
    return known->second;
  std::optional<llvm::SmallBitVector> result = findLoops(value);
  return loops[value] = result;
}

std::optional<llvm::SmallBitVector> ConstantBody::findLoops(Value value) {
  llvm::SmallBitVector result(op.getNumLoops());
  if (Value operand = getOperand(op, value)) {
    if (!isa<ShapedType>(operand.getType()))
      return getLoops(operand);
    if (!importer.getConstant(operand))
      return std::nullopt;
    AffineMap map = op.getMatchingIndexingMap(
        &op->getOpOperand(cast<BlockArgument>(value).getArgNumber()));
    for (unsigned dim = 0; dim < result.size(); ++dim)
      if (map.isFunctionOfDim(dim))
        result.set(dim);
    return result;
  }
  Operation *definition = value.getDefiningOp();
  if (!definition)
    return std::nullopt;
  if (matchPattern(definition, m_Constant()))
    return result;
  if (auto index = dyn_cast<linalg::IndexOp>(definition)) {
    if (!op->isProperAncestor(index))
      return std::nullopt;
    result.set(index.getDim());
    return result;
  }
  if (definition->getNumRegions() || !isPure(definition) ||
      definition->getNumOperands() == 0)
    return std::nullopt;
  for (Value operand : definition->getOperands()) {
    std::optional<llvm::SmallBitVector> inner = getLoops(operand);
    if (!inner)
      return std::nullopt;
    result |= *inner;
  }
  return result;
}

std::vector<ConstantBody::Step>
ConstantBody::getSteps(Value value, ArrayRef<unsigned> order) {
  std::vector<Step> steps;
  numbers.clear();
  auto addSteps = [&](auto &&self, Value v) -> unsigned {
    if (auto known = numbers.find(v); known != numbers.end())
      return known->second;
    Step step;
    step.value = v;
    Operation *definition = v.getDefiningOp();
    if (Value operand = getOperand(op, v);
        operand && !isa<ShapedType>(operand.getType()))
      step.inputs.push_back(self(self, operand));
    else if (definition &&
             !matchPattern(definition, m_Constant(&step.constant)))
      for (Value operand : definition->getOperands())
        step.inputs.push_back(self(self, operand));
    llvm::SmallBitVector loops = *getLoops(v);
    for (unsigned dim : loops.set_bits())
      step.depth = std::max<size_t>(step.depth,
                                    llvm::find(order, dim) - order.begin() + 1);
    steps.push_back(std::move(step));
    return numbers[v] = steps.size() - 1;
  };
  addSteps(addSteps, value);
  return steps;
}

/// Returns what a comparison of integers folds to.
static Attribute compare(arith::CmpIOp op, ArrayRef<Attribute> operands) {
  auto lhs = dyn_cast_or_null<IntegerAttr>(operands[0]),
       rhs = dyn_cast_or_null<IntegerAttr>(operands[1]);
  if (!lhs || !rhs)
    return {};
  return BoolAttr::get(op.getContext(),
                       arith::applyCmpPredicate(
                           op.getPredicate(), lhs.getValue(), rhs.getValue()));
}

Attribute ConstantBody::compute(Step &step, ArrayRef<int64_t> at,
                                const Attributes &known) {
  if (step.constant)
    return step.constant;
  Value value = step.value;
  if (Value operand = getOperand(op, value)) {
    if (!isa<ShapedType>(operand.getType()))
      return known[step.inputs.front()];
    DenseElementsAttr elements = importer.getConstant(operand);
    AffineMap map = op.getMatchingIndexingMap(
        &op->getOpOperand(cast<BlockArgument>(value).getArgNumber()));
    SmallVector<uint64_t> index;
    for (int64_t i : map.compose(at))
      index.push_back(i);
    return elements.getValues<Attribute>()[index];
  }
  Operation *definition = value.getDefiningOp();
  if (auto index = dyn_cast<linalg::IndexOp>(definition)) {
    size_t number = at[index.getDim()];
    if (step.indices.size() <= number)
      step.indices.resize(number + 1);
    Attribute &attribute = step.indices[number];
    if (!attribute)
      attribute = Builder(op->getContext()).getIndexAttr(at[index.getDim()]);
    return attribute;
  }
  SmallVector<Attribute, 3> operands;
  for (unsigned input : step.inputs)
    operands.push_back(known[input]);
  if (step.folded && step.operands == operands)
    return step.folded;
  if (auto comparison = dyn_cast<arith::CmpIOp>(definition))
    if (Attribute folded = compare(comparison, operands))
      return folded;
  SmallVector<OpFoldResult> results;
  if (failed(definition->fold(operands, results)) || results.empty())
    return {};
  OpFoldResult result = results[cast<OpResult>(value).getResultNumber()];
  step.folded = dyn_cast<Attribute>(result);
  // An operation may fold to an operand, or to what an operand is computed of.
  if (!step.folded)
    if (auto found = numbers.find(cast<Value>(result)); found != numbers.end())
      step.folded = known[found->second];
  step.operands = std::move(operands);
  return step.folded;
}

SmallVector<Attribute> ConstantBody::evaluate(Value value,
                                              ArrayRef<unsigned> order,
                                              ArrayRef<int64_t> starts,
                                              ArrayRef<int64_t> ranges) {
  int64_t points = 1;
  for (unsigned dim : order)
    points *= ranges[dim]; // The iteration space fits into 64 bits.
  if (points > mostPoints) {
    (void)importer.refuse("it is a constant of more than " + Twine(mostPoints) +
                          " elements to evaluate");
    return {};
  }

  std::vector<Step> steps = getSteps(value, order);
  Attributes known(steps.size());
  SmallVector<int64_t> at(starts);
  SmallVector<Attribute> results;
  results.reserve(points);
  // The outer loops that have not advanced since the last point.
  size_t unchanged = 0;
  for (int64_t point = 0; point < points; ++point) {
    for (auto [number, step] : llvm::enumerate(steps)) {
      if (point && step.depth <= unchanged)
        continue;
      Attribute attribute = compute(step, at, known);
      if (!attribute) {
        Operation *definition = step.value.getDefiningOp();
        (void)importer.refuse(
            "'" +
            (definition ? definition->getName().getStringRef() : "value") +
            "' of constants does not fold");
        return {};
      }
      known[number] = attribute;
    }
    // The value itself is the last step.
    results.push_back(known.back());
    for (unchanged = order.size(); unchanged-- > 0;) {
      unsigned dim = order[unchanged];
      if (++at[dim] < starts[dim] + ranges[dim])
        break;
      at[dim] = starts[dim];
    }
  }
  return results;
}
