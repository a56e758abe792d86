//===- Compute.cpp - Thread graphs on buffers -----------------------------===//
//
// Emits mirage_thread.compute: each output element is computed from operand
// elements by way of Element.h, recursively, so that values between operations
// stay in registers. Thread graphs keep values that are used again.
//
//===----------------------------------------------------------------------===//

#include "ComputeState.h"
#include "KernelEmitter.h"
#include "Mirage/Semantics/Element.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace mirage;

Type mirage::getOperatorComputeType(Operation *op) {
  Type type = Float32Type::get(op->getContext());
  for (Type operand :
       llvm::concat<const Type>(llvm::to_vector(op->getOperandTypes()),
                                llvm::to_vector(op->getResultTypes())))
    if (cast<RankedTensorType>(operand).getElementType().isF64())
      type = Float64Type::get(op->getContext());
  return type;
}

LLVM::GlobalOp mirage::getConstantData(Operation *module,
                                       DenseElementsAttr value, Location loc) {
  Type storage = getStorageType(value.getElementType());
  int64_t count = value.getType().getNumElements();
  auto flat = DenseElementsAttr::getFromRawBuffer(
      RankedTensorType::get(count, storage), value.getRawData());
  Block &body = module->getRegion(0).front();
  for (auto other : body.getOps<LLVM::GlobalOp>())
    if (other.getValueAttr() == flat)
      return other;
  std::string name;
  for (unsigned i = 0;
       name.empty() || SymbolTable::lookupSymbolIn(module, name); ++i)
    name = "mirage_constant_" + std::to_string(i);
  OpBuilder atStart = OpBuilder::atBlockBegin(&body);
  return LLVM::GlobalOp::create(
      atStart, loc,
      LLVM::LLVMArrayType::get(storage, static_cast<unsigned>(count)),
      /*isConstant=*/true, LLVM::Linkage::Internal, name, flat,
      /*alignment=*/16, /*addrSpace=*/1);
}

Value KernelEmitter::readConstant(Operation *op, ArrayRef<Value> at,
                                  IRSystem &s) {
  auto value = cast<DenseElementsAttr>(op->getAttr("value"));
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Type storage = getStorageType(type.getElementType());
  // Each constant becomes one global, in the module of the kernel.
  Operation *module = builder.getInsertionBlock()
                          ->getParentOp()
                          ->getParentWithTrait<OpTrait::SymbolTable>();
  Value base = LLVM::AddressOfOp::create(builder, s.loc,
                                         getConstantData(module, value, s.loc));
  auto buffer = MemRefType::get(type.getShape(), type.getElementType());
  Value address = LLVM::GEPOp::create(builder, s.loc, base.getType(), storage,
                                      base, linearize(buffer, at, s));
  Value stored = LLVM::LoadOp::create(builder, s.loc, storage, address,
                                      type.getElementTypeBitWidth() / 8);
  return convert(decode(stored, type.getElementType(), s), s.computeType, s);
}

/// Returns one element of a tensor of the body, in the compute type of its
/// elements.
Value KernelEmitter::evaluate(Value tensor, ArrayRef<Value> at,
                              ComputeState &state) {
  auto type = cast<RankedTensorType>(tensor.getType());
  Type elementType = type.getElementType();
  IRSystem s(builder, state.loc, indexType, getComputeType(elementType));
  if (Value fragment = state.fragments.lookup(tensor)) {
    Value address = getFragmentAddress(fragment, type, at, s);
    return LLVM::LoadOp::create(builder, s.loc, s.computeType, address);
  }
  if (auto argument = dyn_cast<BlockArgument>(tensor))
    return loadElement(state.op.getIns()[argument.getArgNumber()], at, s);

  Operation *op = tensor.getDefiningOp();
  if (auto load = dyn_cast<thread::LoadOp>(op)) {
    auto source = cast<RankedTensorType>(load.getSource().getType());
    SmallVector<Value> from;
    for (auto [index, dim] :
         llvm::zip(at, getPartition(source.getShape(), load.getImap(),
                                    state.op.getThreads(), {}, {})))
      from.push_back(
          s.addIndex(getTileOffset<Value>(dim, state.point, {}, s), index));
    return evaluate(load.getSource(), from, state);
  }

  auto muGraphOp = cast<ComputeOpInterface>(op);
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

Value KernelEmitter::getFragmentAddress(Value fragment, RankedTensorType type,
                                        ArrayRef<Value> at, IRSystem &s) {
  auto buffer = MemRefType::get(type.getShape(), type.getElementType());
  return LLVM::GEPOp::create(builder, s.loc, fragment.getType(), s.computeType,
                             fragment, linearize(buffer, at, s));
}

/// Returns the values of a thread graph that are computed once and kept in an
/// array of the thread: those used several times, sums that would be computed
/// again for each element that uses them, and every so many in a chain, since
/// the evaluation of the others is recursive.
static SmallVector<Value> fragmentsOf(Block &body) {
  constexpr unsigned longestChain = 64;
  DenseMap<Value, unsigned> length;
  SmallVector<Value> kept;
  for (Operation &op : body) {
    auto muGraphOp = dyn_cast<ComputeOpInterface>(op);
    if (!muGraphOp || muGraphOp.getOpKind() == OpKind::Constant)
      continue;
    OpClass opClass = getOpInfo(muGraphOp.getOpKind()).opClass;
    unsigned chain = 0;
    for (Value operand : op.getOperands())
      chain = std::max(chain, length.lookup(operand));
    for (Value result : op.getResults()) {
      length[result] = chain + 1;
      if (result.use_empty() ||
          (result.hasOneUse() && chain + 1 < longestChain &&
           opClass != OpClass::Reduction && opClass != OpClass::Contraction))
        continue;
      length[result] = 0;
      kept.push_back(result);
    }
  }
  return kept;
}

/// Computes a value for this thread and keeps it.
void KernelEmitter::keepFragment(Value value, ComputeState &state) {
  auto type = cast<RankedTensorType>(value.getType());
  IRSystem s(builder, state.loc, indexType,
             getComputeType(type.getElementType()));
  Value fragment;
  {
    OpBuilder::InsertionGuard guard(builder);
    auto function = state.op->getParentOfType<gpu::GPUFuncOp>();
    builder.setInsertionPointToStart(&function.getBody().front());
    Value count = arith::ConstantOp::create(
        builder, s.loc, builder.getI32IntegerAttr(type.getNumElements()));
    fragment = LLVM::AllocaOp::create(
        builder, s.loc, LLVM::LLVMPointerType::get(builder.getContext()),
        s.computeType, count);
  }
  s.forEach(s.index(0), s.index(type.getNumElements()), s.index(1),
            [&](Value linear) {
              SmallVector<Value> at = delinearize(linear, type.getShape(), s);
              LLVM::StoreOp::create(builder, s.loc, evaluate(value, at, state),
                                    getFragmentAddress(fragment, type, at, s));
            });
  state.fragments[value] = fragment;
}

/// Emits a thread graph: each thread computes its fragments and stores them.
void KernelEmitter::emitThreadGraph(thread::ComputeOp op) {
  ComputeState state(op);
  Block &body = op.getBody().front();
  IRSystem s(builder, op.getLoc(), indexType, builder.getF32Type());
  forThread(
      elementCount(op.getThreads()), /*grid=*/false, s, [&](Value thread) {
        for (int64_t extent : op.getThreads()) {
          state.point.push_back(s.remConstant(thread, extent));
          thread = s.divConstant(thread, extent);
        }
        for (Value value : fragmentsOf(body))
          keepFragment(value, state);
        for (auto [result, buffer] :
             llvm::zip(body.getTerminator()->getOperands(), op.getOuts())) {
          auto store = result.getDefiningOp<thread::StoreOp>();
          auto fragment = cast<RankedTensorType>(store.getValue().getType());
          IRSystem inner(builder, op.getLoc(), indexType,
                         getComputeType(fragment.getElementType()));
          Value target = buffer;
          inner.forEach(inner.index(0), inner.index(fragment.getNumElements()),
                        inner.index(1), [&](Value linear) {
                          SmallVector<Value> at =
                              delinearize(linear, fragment.getShape(), inner);
                          Value element = evaluate(store.getValue(), at, state);
                          for (auto [dim, entry] :
                               llvm::enumerate(store.getOmap()))
                            if (entry >= 0)
                              at[entry] = inner.addIndex(
                                  inner.mulConstant(state.point[dim],
                                                    fragment.getDimSize(entry)),
                                  at[entry]);
                          storeElement(element, target, at, inner);
                        });
        }
      });
}

LogicalResult KernelEmitter::emit(thread::ComputeOp op) {
  if (!op.getThreads().empty()) {
    emitThreadGraph(op);
  } else {
    thread::ElementTile tile = thread::getElementTile(op);
    Operation *yield = op.getBody().front().getTerminator();
    for (auto [result, buffer] : llvm::zip(yield->getOperands(), op.getOuts()))
      emitTiles(op, result, buffer, tile);
  }
  return success();
}

LogicalResult KernelEmitter::checkConversions(Operation *op) const {
  if (needsF8Conversions && !hasF8Conversions)
    return op->emitError("conversions of 8-bit floats need a target of sm_89 "
                         "or newer");
  return success();
}
