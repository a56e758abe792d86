//===- Interpreter.cpp - Executing functions on the CPU -------------------===//
//
// Runs the operations of a function in order. Everything that cannot be
// executed is found first, in the function and in all that it calls.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Interpreter/Interpreter.h"
#include "GraphRunner.h"
#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mirage;

FailureOr<InterpretedType> mirage::getInterpretedType(Type type,
                                                      std::string &error) {
  constexpr int64_t mostElements = int64_t(1) << 31;
  auto tensor = dyn_cast<RankedTensorType>(type);
  std::optional<ElementType> element;
  if (tensor)
    element = convertElementType(tensor.getElementType());
  llvm::raw_string_ostream os(error);
  if (!element || !tensor.hasStaticShape()) {
    os << type << " is no tensor of floats of static shape";
    return failure();
  }
  std::optional<int64_t> count = checkedElementCount(tensor.getShape());
  if (!count || *count > mostElements || *count == 0) {
    os << type << " does not have between 1 and " << mostElements
       << " elements";
    return failure();
  }
  return InterpretedType{*element, Shape(tensor.getShape())};
}

InFlightDiagnostic mirage::emitNotExecuted(Operation *op) {
  return op->emitError() << "the interpreter does not execute '"
                         << op->getName() << "'";
}

LogicalResult mirage::checkTypes(Operation *op) {
  for (Type type :
       llvm::concat<const Type>(llvm::to_vector(op->getOperandTypes()),
                                llvm::to_vector(op->getResultTypes()))) {
    std::string error;
    // Loads name the variables of the loops around them.
    if (type.isIndex() && isa<block::LoadOp>(op))
      continue;
    if (failed(getInterpretedType(type, error)))
      return emitNotExecuted(op) << ": " << error;
  }
  return success();
}

namespace {
class FunctionRunner {
public:
  explicit FunctionRunner(Precision precision)
      : precision(precision), graphs(precision) {}

  LogicalResult prepare(func::FuncOp function, Operation *caller);
  SmallVector<SharedValue> run(func::FuncOp function,
                               ArrayRef<SharedValue> inputs);

private:
  LogicalResult prepare(Operation &op);
  void run(Operation &op, llvm::DenseMap<Value, SharedValue> &values);

  Precision precision;
  GraphRunner graphs;
  llvm::DenseMap<Operation *, Operator> operators;
  llvm::DenseMap<Operation *, func::FuncOp> callees;
  /// Functions prepared, and those of them whose callees are being prepared.
  llvm::DenseSet<Operation *> prepared;
  llvm::SetVector<Operation *> active;
};
} // namespace

LogicalResult FunctionRunner::prepare(func::FuncOp function,
                                      Operation *caller) {
  if (function.isExternal()) {
    InFlightDiagnostic diagnostic =
        caller->emitError() << "the interpreter cannot call @"
                            << function.getName() << ", which has no body";
    return diagnostic;
  }
  if (!prepared.insert(function).second)
    return success();
  std::string error;
  for (Type type : llvm::concat<const Type>(function.getArgumentTypes(),
                                            function.getResultTypes()))
    if (failed(getInterpretedType(type, error)))
      return function.emitError() << "the interpreter does not execute @"
                                  << function.getName() << ": " << error;
  active.insert(function);
  for (Operation &op : function.front())
    if (failed(prepare(op)))
      return failure();
  active.remove(function);
  return success();
}

LogicalResult FunctionRunner::prepare(Operation &op) {
  if (isa<func::ReturnOp>(op))
    return success();
  if (auto call = dyn_cast<func::CallOp>(op)) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        call, call.getCalleeAttr());
    if (!callee)
      return emitNotExecuted(&op)
             << ": @" << call.getCallee() << " is no function";
    if (active.contains(callee))
      return emitNotExecuted(&op)
             << ": the call of @" << call.getCallee() << " is recursive";
    callees[&op] = callee;
    return prepare(callee, &op);
  }
  if (auto launch = dyn_cast<kernel::LaunchOp>(op))
    return graphs.prepare(launch);
  // Operations of blocks and threads belong into launches.
  if (getLevel(&op).value_or(Level::Kernel) != Level::Kernel)
    return emitNotExecuted(&op) << " outside of a launch";
  FailureOr<Operator> what = getOperator(&op);
  if (failed(what))
    return failure();
  operators[&op] = std::move(*what);
  return success();
}

void FunctionRunner::run(Operation &op,
                         llvm::DenseMap<Value, SharedValue> &values) {
  auto operands =
      llvm::map_to_vector(op.getOperands(), [&](Value v) { return values[v]; });
  SmallVector<SharedValue> results;
  if (auto callee = callees.find(&op); callee != callees.end())
    results = run(callee->second, operands);
  else if (auto graph = dyn_cast<GraphDefinedOpInterface>(op))
    results = graphs.run(graph, operands);
  else {
    const Operator &what = operators.find(&op)->second;
    auto plain = llvm::map_to_vector(
        operands, [](const SharedValue &v) { return v.get(); });
    for (TensorValue &result :
         evaluate(what.kind, what.attributes, plain, what.type, precision)) {
      if (what.resultShape)
        std::visit([&](auto &tensor) { tensor.shape = *what.resultShape; },
                   result.numbers);
      results.push_back(std::make_shared<TensorValue>(std::move(result)));
    }
  }
  for (auto [value, result] : llvm::zip_equal(op.getResults(), results))
    if (!value.use_empty())
      values[value] = result;
}

SmallVector<SharedValue> FunctionRunner::run(func::FuncOp function,
                                             ArrayRef<SharedValue> inputs) {
  llvm::DenseMap<Value, SharedValue> values;
  for (auto [argument, input] :
       llvm::zip_equal(function.getArguments(), inputs))
    values[argument] = input;
  // Operations that use a value; it is given up after the last one.
  llvm::DenseMap<Value, Operation *> lastUse;
  for (Operation &op : function.front())
    for (Value operand : op.getOperands())
      lastUse[operand] = &op;
  for (Operation &op : function.front().without_terminator()) {
    run(op, values);
    for (Value operand : op.getOperands())
      if (lastUse[operand] == &op)
        values.erase(operand);
  }
  return llvm::map_to_vector(function.front().getTerminator()->getOperands(),
                             [&](Value v) { return values[v]; });
}

FailureOr<SmallVector<TensorValue>>
mirage::interpret(func::FuncOp function, ArrayRef<TensorValue> inputs,
                  const InterpreterOptions &options) {
  FunctionRunner runner(options.precision);
  if (failed(runner.prepare(function, function)))
    return failure();
  if (inputs.size() != function.getNumArguments())
    return function.emitError()
           << "@" << function.getName() << " takes "
           << function.getNumArguments() << " inputs, not " << inputs.size();
  SmallVector<SharedValue> shared;
  for (auto [i, input, type] :
       llvm::enumerate(inputs, function.getArgumentTypes())) {
    std::string error;
    FailureOr<InterpretedType> expected = getInterpretedType(type, error);
    if (ShapeRef(expected->shape) != input.shape())
      return function.emitError()
             << "@" << function.getName() << " takes " << type << " as input "
             << i << ", not a tensor of shape " << toString(input.shape());
    const TensorValue &given = input;
    ElementType element = expected->type;
    shared.push_back(
        withNumberType(options.precision, element, [&](auto number) {
          using T = decltype(number);
          Tensor<T> copy;
          return std::make_shared<TensorValue>(
              TensorValue{element, getNumbers<T>(given, copy)});
        }));
  }
  SmallVector<TensorValue> results;
  for (const SharedValue &result : runner.run(function, shared))
    results.push_back(*result);
  return results;
}
