//===- HostCalls.cpp - Calls of functions that were on buffers ------------===//
//
// Undoes what the lowering does to calls: an operand was a tensor's buffer
// (bufferization.to_buffer), and a result a new one (memref.alloc), of which a
// tensor was made behind the call (bufferization.to_tensor).
//
//===----------------------------------------------------------------------===//

#include "HostCalls.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace mirage;

namespace {
class HostCalls {
public:
  HostCalls(ModuleOp module, ArrayRef<func::FuncOp> functions)
      : module(module) {
    for (func::FuncOp function : functions)
      hosts[function.getName()] = function;
  }

  LogicalResult raise();

private:
  /// Returns the function that the operation calls, if it is one of the hosts.
  func::FuncOp getCallee(Operation *op) const {
    auto call = dyn_cast<func::CallOp>(op);
    return call ? hosts.lookup(call.getCallee()) : func::FuncOp();
  }
  /// Returns true if the user only reads the buffer: a call of a host that
  /// takes it as an input.
  bool isRead(OpOperand &use) const {
    func::FuncOp callee = getCallee(use.getOwner());
    return callee && use.getOperandNumber() < callee.getNumArguments();
  }
  Value getTensor(Value buffer) const;
  LogicalResult checkResult(func::CallOp call, OpOperand &operand) const;
  LogicalResult raise(func::CallOp call, func::FuncOp callee);

  ModuleOp module;
  llvm::StringMap<func::FuncOp> hosts;
  /// The tensors that calls have put into buffers.
  llvm::DenseMap<Value, Value> results;
};
} // namespace

static InFlightDiagnostic refuse(func::CallOp call, const Twine &what) {
  return call.emitOpError("calls kernels that mirage-lower-to-nvvm has made, ")
         << what
         << ", where IREE's functions have tensors; let mirage-translate "
            "--mirage-to-iree lower the module itself";
}

/// Returns the tensor that is in a buffer, or null if there is none.
Value HostCalls::getTensor(Value buffer) const {
  if (Value result = results.lookup(buffer))
    return result;
  auto toBuffer = buffer.getDefiningOp<bufferization::ToBufferOp>();
  bool isOnlyRead =
      toBuffer && llvm::all_of(buffer.getUses(),
                               [&](OpOperand &use) { return isRead(use); });
  return isOnlyRead ? toBuffer.getTensor() : Value();
}

/// Checks that a buffer for a result is new and nothing but that: all else that
/// knows it reads it behind the call.
LogicalResult HostCalls::checkResult(func::CallOp call,
                                     OpOperand &operand) const {
  Value buffer = operand.get();
  bool isResult = buffer.getDefiningOp<memref::AllocOp>() != nullptr;
  for (OpOperand &use : buffer.getUses()) {
    Operation *user = use.getOwner();
    if (&use == &operand)
      continue;
    isResult &= (isa<bufferization::ToTensorOp, memref::DeallocOp>(user) ||
                 isRead(use)) &&
                user->getBlock() == call->getBlock() &&
                call->isBeforeInBlock(user);
  }
  if (isResult)
    return success();
  return refuse(call, "which write a buffer that is not new or has other uses");
}

LogicalResult HostCalls::raise(func::CallOp call, func::FuncOp callee) {
  unsigned numInputs = callee.getNumArguments();
  SmallVector<Value> inputs;
  for (OpOperand &operand : call->getOpOperands()) {
    if (operand.getOperandNumber() >= numInputs) {
      if (failed(checkResult(call, operand)))
        return failure();
      continue;
    }
    Value tensor = getTensor(operand.get());
    if (!tensor)
      return refuse(call, "which read a buffer that holds no tensor");
    inputs.push_back(tensor);
  }
  OpBuilder builder(call);
  auto raised = func::CallOp::create(builder, call.getLoc(), callee, inputs);
  for (auto [buffer, result] :
       llvm::zip_equal(llvm::drop_begin(call.getOperands(), numInputs),
                       raised.getResults())) {
    results[buffer] = result;
    for (Operation *user : llvm::make_early_inc_range(buffer.getUsers())) {
      if (auto toTensor = dyn_cast<bufferization::ToTensorOp>(user))
        toTensor.replaceAllUsesWith(result);
      if (isa<bufferization::ToTensorOp, memref::DeallocOp>(user))
        user->erase();
    }
  }
  call.erase();
  return success();
}

LogicalResult HostCalls::raise() {
  SmallVector<func::CallOp> calls;
  SmallVector<Operation *> buffers;
  module.walk([&](Operation *op) {
    if (getCallee(op))
      calls.push_back(cast<func::CallOp>(op));
    if (isa<bufferization::ToBufferOp, memref::AllocOp>(op))
      buffers.push_back(op);
  });
  for (func::CallOp call : calls)
    if (failed(raise(call, getCallee(call))))
      return failure();
  for (Operation *op : buffers)
    if (op->use_empty())
      op->erase();
  return success();
}

LogicalResult mirage::iree::raiseHostCalls(ModuleOp module,
                                           ArrayRef<func::FuncOp> functions) {
  return HostCalls(module, functions).raise();
}
