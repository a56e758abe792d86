//===- Compute.cpp - Thread graphs on buffers -----------------------------===//
//
// Emits mirage_thread.compute: each output element is computed from operand
// elements by way of Element.h, recursively, so that values between operations
// stay in registers.
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"
#include "Mirage/Semantics/Element.h"

using namespace mlir;
using namespace mirage;

struct KernelEmitter::ComputeState {
  thread::ComputeOp op;
  Location loc;
  /// This thread's place in the extents, x first, where there are any.
  SmallVector<Value, 3> point;
};

/// The compute type of an operator: that of its widest operand or result.
static Type getOperatorComputeType(Operation *op) {
  Type type = Float32Type::get(op->getContext());
  for (Type operand : llvm::concat<const Type>(
           llvm::to_vector(op->getOperandTypes()),
           llvm::to_vector(op->getResultTypes())))
    if (cast<RankedTensorType>(operand).getElementType().isF64())
      type = Float64Type::get(op->getContext());
  return type;
}

Value KernelEmitter::readConstant(Operation *op, ArrayRef<Value> at,
                                  IRSystem &s) {
  auto value = cast<DenseElementsAttr>(op->getAttr("value"));
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Type storage = getStorageType(type.getElementType());
  auto array =
      LLVM::LLVMArrayType::get(storage, static_cast<unsigned>(
                                            type.getNumElements()));
  // One global for each constant, in the module of the kernel.
  Operation *module =
      builder.getInsertionBlock()->getParentOp()->getParentWithTrait<
          OpTrait::SymbolTable>();
  OpBuilder::InsertionGuard guard(builder);
  LLVM::GlobalOp global;
  auto flat = DenseElementsAttr::getFromRawBuffer(
      RankedTensorType::get(type.getNumElements(), storage),
      value.getRawData());
  for (auto other : module->getRegion(0).getOps<LLVM::GlobalOp>())
    if (other.getValueAttr() == flat)
      global = other;
  if (!global) {
    OpBuilder atStart = OpBuilder::atBlockBegin(&module->getRegion(0).front());
    std::string name;
    for (unsigned i = 0; name.empty() ||
                         SymbolTable::lookupSymbolIn(module, name);
         ++i)
      name = "mirage_constant_" + std::to_string(i);
    global = LLVM::GlobalOp::create(atStart, s.loc, array, /*isConstant=*/true,
                                    LLVM::Linkage::Internal, name, flat,
                                    /*alignment=*/16, /*addrSpace=*/1);
  }
  Value base = LLVM::AddressOfOp::create(builder, s.loc, global);
  auto buffer = MemRefType::get(type.getShape(), type.getElementType());
  Value address = LLVM::GEPOp::create(builder, s.loc, base.getType(), storage,
                                      base, linearize(buffer, at, s));
  Value stored = LLVM::LoadOp::create(builder, s.loc, storage, address,
                                      type.getElementTypeBitWidth() / 8);
  return convert(decode(stored, type.getElementType(), s), s.computeType, s);
}

/// One element of a tensor of the body, in the compute type of its elements.
Value KernelEmitter::evaluate(Value tensor, ArrayRef<Value> at,
                              ComputeState &state) {
  auto type = cast<RankedTensorType>(tensor.getType());
  Type elementType = type.getElementType();
  IRSystem s(builder, state.loc, indexType, getComputeType(elementType));
  if (auto argument = dyn_cast<BlockArgument>(tensor))
    return loadElement(state.op.getIns()[argument.getArgNumber()], at, s);

  Operation *op = tensor.getDefiningOp();
  if (auto load = dyn_cast<thread::LoadOp>(op)) {
    auto source = cast<RankedTensorType>(load.getSource().getType());
    SmallVector<Value> from;
    for (auto [index, dim] :
         llvm::zip(at, getPartition(source.getShape(), load.getImap(),
                                    state.op.getThreads(), {}, {})))
      from.push_back(s.addIndex(
          getTileOffset<Value>(dim, state.point, {}, s), index));
    return evaluate(load.getSource(), from, state);
  }

  auto muGraphOp = cast<MuGraphOpInterface>(op);
  IRSystem inner(builder, state.loc, indexType, getOperatorComputeType(op));
  inner.reader = [&](unsigned operand, ArrayRef<Value> from) {
    return convert(evaluate(op->getOperand(operand), from, state),
                   inner.computeType, inner);
  };
  inner.constantReader = [&](ArrayRef<Value> from) {
    return readConstant(op, from, inner);
  };
  SmallVector<Shape, 4> shapes = muGraphOp.getOperandShapes();
  Value value = evaluateElement<IRSystem>(
      muGraphOp.getOpKind(), muGraphOp.getOpAttributes(), shapes,
      cast<OpResult>(tensor).getResultNumber(), at, inner);
  // A value has the precision of its type, also in registers.
  return decode(encode(value, elementType, s), elementType, s);
}

LogicalResult KernelEmitter::emit(thread::ComputeOp op) {
  ComputeState state{op, op.getLoc(), {}};
  Operation *yield = op.getBody().front().getTerminator();
  auto emitOutput = [&](Value value, Value buffer, ArrayRef<int64_t> omap,
                        IRSystem &s, Value linear) {
    auto type = cast<RankedTensorType>(value.getType());
    SmallVector<Value> at = delinearize(linear, type.getShape(), s);
    Value element = evaluate(value, at, state);
    for (auto [dim, entry] : llvm::enumerate(omap))
      if (entry >= 0)
        at[entry] = s.addIndex(
            s.mulConstant(state.point[dim], type.getDimSize(entry)), at[entry]);
    storeElement(element, buffer, at, s);
  };

  for (auto [value, buffer] : llvm::zip(yield->getOperands(), op.getOuts())) {
    auto bufferType = cast<MemRefType>(buffer.getType());
    IRSystem s(builder, op.getLoc(), indexType,
               getComputeType(bufferType.getElementType()));
    if (op.getThreads().empty()) {
      forThread(bufferType.getNumElements(), op.getGrid(), s, [&](Value linear) {
        emitOutput(value, buffer, {}, s, linear);
      });
      continue;
    }
    // A thread graph: each thread computes its fragment.
    auto store = value.getDefiningOp<thread::StoreOp>();
    auto fragment = cast<RankedTensorType>(store.getValue().getType());
    int64_t points = elementCount(op.getThreads());
    forThread(points, /*grid=*/false, s, [&](Value thread) {
      state.point.clear();
      for (int64_t extent : op.getThreads()) {
        state.point.push_back(s.remConstant(thread, extent));
        thread = s.divConstant(thread, extent);
      }
      s.forEach(s.index(0), s.index(fragment.getNumElements()), s.index(1),
                [&](Value linear) {
                  emitOutput(store.getValue(), buffer, store.getOmap(), s,
                             linear);
                });
    });
  }
  if (needsF8Conversions && !hasF8Conversions)
    return op.emitError("conversions of 8-bit floats need a target of sm_89 or "
                        "newer");
  return success();
}
