//===- Importer.cpp - The order of events of the conversion ---------------===//
//
// Walks the program, hands every operation to the converter of its family, and
// at the end removes what was converted.
//
//===----------------------------------------------------------------------===//

#include "Importer.h"
#include "BodyReader.h"
#include "Mirage/Interfaces/MuGraphOpInterface.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mirage;

std::optional<std::string> mirage::explainUnsupported(Type type,
                                                      bool orCondition) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return isa<BaseMemRefType>(type) ? "it works on memrefs"
                                     : toText(type) + " is no ranked tensor";
  if (!tensor.hasStaticShape())
    return toText(type) + " has a dynamic shape";
  if (tensor.getEncoding())
    return toText(type) + " has an encoding";
  if (!convertElementType(tensor.getElementType()) &&
      !(orCondition && tensor.getElementType().isInteger(1)))
    return "its elements are of " + toText(tensor.getElementType());
  std::optional<int64_t> count = checkedElementCount(tensor.getShape());
  if (!count || *count > std::numeric_limits<int64_t>::max() / 8)
    return toText(type) + " has too many elements";
  if (*count == 0)
    return toText(type) + " has no elements";
  return std::nullopt;
}

LogicalResult Importer::checkOperand(Value value) {
  if (converted.contains(value))
    return success();
  if (std::optional<std::string> why = explainUnsupported(value.getType()))
    return refuse(*why);
  return success();
}

FloatType Importer::getFloatType(Value value) {
  return cast<FloatType>(getElementTypeOrSelf(lookup(value)));
}

Value Importer::lookup(Value original) {
  Value form = converted.lookup(original);
  return form ? form : original;
}

/// Returns true if an operation only exists for the operations around it, and
/// is nothing that could be converted.
static bool isGlue(Operation *op) {
  if (op->hasTrait<OpTrait::IsTerminator>() || getLevel(op) ||
      isa<tensor::EmptyOp, tensor::DimOp, linalg::IndexOp>(op))
    return true;
  auto isTensor = [](Type type) { return isa<ShapedType>(type); };
  if (!llvm::any_of(op->getOperandTypes(), isTensor) &&
      !llvm::any_of(op->getResultTypes(), isTensor))
    return true;
  // Functions and loops are left out, since the operations in them are looked
  // at one by one.
  return op->getNumRegions() &&
         !isa_and_nonnull<linalg::LinalgDialect, tensor::TensorDialect>(
             op->getDialect());
}

/// Why an operation stays whose body asserts a condition.
static constexpr llvm::StringLiteral assertionReason =
    "its body asserts a condition, which the option 'assume-assertions' takes "
    "as given";

LogicalResult Importer::checkEffects(Operation *op) {
  bool asserts = false, hasOthers = false;
  op->walk([&](Operation *inner) {
    if (isa<cf::AssertOp>(inner))
      asserts = true;
    else if (inner != op &&
             !inner->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
      hasOthers |= !isMemoryEffectFree(inner);
  });
  if (hasOthers)
    return refuse("its body has side effects");
  if (!asserts || options.assumeAssertions)
    return success();
  if (op->use_empty())
    return refuse(assertionReason);
  assertingOps.insert(op);
  return success();
}

LogicalResult Importer::convert(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<linalg::LinalgOp>([&](linalg::LinalgOp linalg) {
        if (!linalg.hasPureTensorSemantics())
          return refuse("it works on memrefs");
        if (failed(checkEffects(linalg)))
          return failure();
        return readsWindows(linalg) ? convertWindows(*this, linalg)
                                    : convertStructured(*this, linalg);
      })
      .Case<linalg::SoftmaxOp>(
          [&](auto softmax) { return convertSoftmax(*this, softmax); })
      .Case<arith::ConstantOp>([&](auto) { return convertConstant(*this, op); })
      .Default([&](Operation *) -> LogicalResult {
        if (isa_and_nonnull<tensor::TensorDialect>(op->getDialect()) &&
            op->getNumResults() == 1 &&
            isa<TensorType>(op->getResult(0).getType()))
          return convertTensorOp(*this, op);
        if (OpTrait::hasElementwiseMappableTraits(op) &&
            op->getNumResults() == 1)
          return convertElementwise(*this, op);
        return refuse("it has no counterpart");
      });
}

bool Importer::run() {
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (getLevel(op) || isCustomOperator(op))
      return WalkResult::skip();
    if (op == root || isGlue(op))
      return WalkResult::advance();
    reason.clear();
    if (succeeded(convert(op)))
      convertedOps.push_back(op);
    else
      left.emplace_back(op, reason);
    return WalkResult::skip();
  });
  return finish();
}

/// Erases operations without uses and side effects, then those that this
/// leaves without uses.
void Importer::eraseUnused(SmallVector<Operation *> &candidates) {
  llvm::SetVector<Operation *> pending(candidates.begin(), candidates.end());
  while (!pending.empty()) {
    Operation *op = pending.pop_back_val();
    if (!isOpTriviallyDead(op))
      continue;
    for (Value operand : op->getOperands())
      if (Operation *definition = operand.getDefiningOp())
        pending.insert(definition);
    llvm::erase_if(left, [&](auto &entry) { return entry.first == op; });
    op->erase();
  }
}

bool Importer::finish() {
  bool changed = !convertedOps.empty();
  // What stands beside a converted function stays as it is.
  llvm::SetVector<Operation *> functions;
  for (Operation *op : convertedOps) {
    Operation *function = op->getParentOfType<FunctionOpInterface>();
    functions.insert(function && root->isProperAncestor(function) ? function
                                                                  : root);
  }
  llvm::SetVector<Operation *> maybeUnused;
  for (auto [original, value] : converted)
    if (Operation *op = value.getDefiningOp(); op && getLevel(op))
      maybeUnused.insert(op);
  // Users are visited before the values that they use.
  for (Operation *op : llvm::reverse(convertedOps)) {
    bool isUsed = false;
    for (Value result : op->getResults()) {
      Value value = converted.lookup(result);
      if (value && value.getType() == result.getType())
        result.replaceAllUsesWith(value);
      isUsed |= !result.use_empty();
    }
    // What is computed beside an assertion is converted; the assertion stays
    // where it is, with the operation around it.
    if (assertingOps.contains(op)) {
      left.emplace_back(op, assertionReason);
      continue;
    }
    // Conditions have another type when converted.
    if (isUsed) {
      left.emplace_back(op, "its result is used by an operation that stays");
      continue;
    }
    for (Value operand : op->getOperands())
      if (Operation *definition = operand.getDefiningOp())
        maybeUnused.insert(definition);
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (Operation *definition = operand.getDefiningOp();
            definition && !op->isAncestor(definition))
          maybeUnused.insert(definition);
    });
    maybeUnused.remove(op);
    if (options.remarks)
      op->walk([](cf::AssertOp assertion) {
        assertion.emitRemark() << "'cf.assert' is taken as given and dropped";
      });
    op->erase();
  }
  SmallVector<Operation *> candidates = maybeUnused.takeVector();
  eraseUnused(candidates);
  for (Operation *function : functions)
    simplifyConverted(function);
  // A constant that stays computes nothing.
  llvm::erase_if(left, [](auto &entry) {
    return entry.first->template hasTrait<OpTrait::ConstantLike>() &&
           !isa<FloatType>(getElementTypeOrSelf(entry.first->getResult(0)));
  });
  if (options.remarks)
    for (auto &[op, why] : left)
      op->emitRemark() << "'" << op->getName() << "' stays: " << why;
  return changed;
}
