//===- LaunchInputs.cpp - What launches read that is no memory ------------===//
//
// Follows operands back to constants and to tensors that fill buffers, by the
// plan of their function's buffers.
//
//===----------------------------------------------------------------------===//

#include "LaunchInputs.h"
#include "LaunchParts.h"
#include "Mirage/Analysis/DeviceBuffers.h"
#include "Mirage/Interfaces/GraphOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace mirage;

/// Returns true for a constant, or a constant under another shape.
static bool isConstant(Value value) {
  while (auto reshape = value.getDefiningOp<kernel::ReshapeOp>())
    value = reshape->getOperand(0);
  return value.getDefiningOp<kernel::ConstantOp>() != nullptr;
}

static bool isLayoutOperator(Operation *op) {
  auto compute = dyn_cast_or_null<ComputeOpInterface>(op);
  return compute && getOpInfo(compute.getOpKind()).opClass == OpClass::Layout;
}

/// Returns the plan of a function's buffers, if it has one.
static std::optional<DeviceBuffers> planBuffers(func::FuncOp function) {
  auto isTensor = [](Type type) { return isa<RankedTensorType>(type); };
  bool hasPlan = function && llvm::hasSingleElement(function.getBody()) &&
                 llvm::all_of(function.getArgumentTypes(), isTensor) &&
                 llvm::all_of(function.getBody().front(), [&](Operation &op) {
                   return llvm::all_of(op.getResultTypes(), isTensor);
                 });
  if (!hasPlan)
    return std::nullopt;
  return DeviceBuffers(function, ScheduledLaunches::All);
}

LaunchInputs::LaunchInputs(ArrayRef<kernel::LaunchOp> launches)
    : operands(getOuterOperands(launches)) {
  std::optional<DeviceBuffers> plan;
  if (llvm::any_of(operands, [](Value operand) {
        return isLayoutOperator(operand.getDefiningOp());
      }))
    plan = planBuffers(launches.front()->getParentOfType<func::FuncOp>());
  collect(plan ? &*plan : nullptr);
  // What is read in place here may need a kernel without its neighbours.
  if (!areAllInPlace(launches)) {
    definitions.clear();
    collect(/*plan=*/nullptr);
  }
}

void LaunchInputs::collect(const DeviceBuffers *plan) {
  auto visit = [&](auto &&self, Value value) -> void {
    Operation *op = value.getDefiningOp();
    if (!op || definitions.contains(op) ||
        (!isConstant(value) &&
         (!plan || !isLayoutOperator(op) || !plan->isInPlace(op))))
      return;
    for (Value operand : op->getOperands())
      self(self, operand);
    definitions.insert(op);
  };
  // A tensor that fills a buffer is read like an argument.
  for (Value operand : operands)
    if (isConstant(operand) ||
        (plan && !plan->getPlace(operand).isWhole(
                     cast<RankedTensorType>(operand.getType()).getShape())))
      visit(visit, operand);
}

/// Returns true if no layout operator needs a kernel where the launches and the
/// definitions are a function of their own.
bool LaunchInputs::areAllInPlace(ArrayRef<kernel::LaunchOp> launches) const {
  if (llvm::none_of(definitions, [](Operation *op) {
        return isLayoutOperator(op) && !isConstant(op->getResult(0));
      }))
    return true;
  OwningOpRef<ModuleOp> module = writeLaunches(launches);
  auto function = *module->getOps<func::FuncOp>().begin();
  define(function);
  std::optional<DeviceBuffers> plan = planBuffers(function);
  return plan && llvm::all_of(function.getOps(), [&](Operation &op) {
           return !isLayoutOperator(&op) || plan->isInPlace(&op);
         });
}

void LaunchInputs::define(func::FuncOp function) const {
  if (empty())
    return;
  IRMapping mapping;
  llvm::BitVector isDefinedHere(operands.size());
  for (auto [number, operand] : llvm::enumerate(operands))
    if (isDefined(operand))
      isDefinedHere.set(number);
    else if (!mapping.contains(operand))
      mapping.map(operand, function.getArgument(number));
  OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
  for (Operation *op : definitions) {
    for (Value operand : op->getOperands()) {
      if (mapping.contains(operand))
        continue;
      unsigned last = function.getNumArguments();
      (void)function.insertArgument(last, operand.getType(), {},
                                    function.getLoc());
      mapping.map(operand, function.getArgument(last));
    }
    builder.clone(*op, mapping);
  }
  for (unsigned number : isDefinedHere.set_bits())
    function.getArgument(number).replaceAllUsesWith(
        mapping.lookup(operands[number]));
  isDefinedHere.resize(function.getNumArguments());
  (void)function.eraseArguments(isDefinedHere);
}

std::string LaunchInputs::describe() const {
  if (empty())
    return "";
  std::string text;
  llvm::raw_string_ostream os(text);
  DenseMap<Value, unsigned> numbers;
  auto number = [&](Value value) {
    return numbers.try_emplace(value, numbers.size()).first->second;
  };
  for (Operation *op : definitions) {
    os << number(op->getResult(0)) << " = " << op->getName() << " (";
    llvm::interleaveComma(op->getOperands(), os,
                          [&](Value operand) { os << number(operand); });
    os << ") : " << op->getResult(0).getType();
    for (NamedAttribute attribute : op->getAttrs()) {
      os << " " << attribute.getName().getValue() << " = ";
      if (auto elements = dyn_cast<DenseElementsAttr>(attribute.getValue())) {
        ArrayRef<char> raw = elements.getRawData();
        os << llvm::utohexstr(llvm::xxh3_64bits(ArrayRef(
            reinterpret_cast<const uint8_t *>(raw.data()), raw.size())));
      } else {
        os << attribute.getValue();
      }
    }
    os << "\n";
  }
  llvm::interleaveComma(operands, os,
                        [&](Value operand) { os << number(operand); });
  return text + "\n";
}
