//===- OperatorKernel.cpp - Pre-defined operators as kernels --------------===//
//
// A pre-defined kernel operator becomes one mirage_thread.compute over the
// whole grid, on buffers in device memory.
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"
#include "Mirage/Dialect/Thread/IR/ElementTile.h"

using namespace mlir;
using namespace mirage;

MemRefType mirage::getDeviceBufferType(Type tensor) {
  auto type = cast<RankedTensorType>(tensor);
  return MemRefType::get(type.getShape(), type.getElementType());
}

MemRefType mirage::getExchangedBufferType(Type tensor) {
  auto type = cast<RankedTensorType>(tensor);
  SmallVector<int64_t> strides(type.getRank(), 1);
  int64_t stride = type.getShape().rbegin()[1];
  strides.rbegin()[0] = stride;
  for (int64_t dim = type.getRank() - 1; dim-- > 0;) {
    if (dim + 2 < type.getRank())
      strides[dim] = stride;
    stride *= type.getDimSize(dim + 2 == type.getRank() ? dim + 1 : dim);
  }
  return MemRefType::get(type.getShape(), type.getElementType(),
                         StridedLayoutAttr::get(type.getContext(), 0, strides));
}

MemRefType mirage::getWindowBufferType(const TensorWindows &windows,
                                       RankedTensorType source) {
  MemRefType whole = getDeviceBufferType(source);
  WindowBuffer view = getWindowBuffer(windows, source.getShape());
  if (view.split.empty())
    return whole;
  return MemRefType::get(
      view.shape, source.getElementType(),
      StridedLayoutAttr::get(source.getContext(), /*offset=*/0, view.strides));
}

KernelShape mirage::getComputeShape(thread::ComputeOp compute,
                                    int64_t threads) {
  // Each thread computes one tile of elements, up to a grid that fills any GPU
  // a few times over.
  constexpr int64_t mostBlocks = 4096;
  auto result = cast<MemRefType>(compute.getOuts().front().getType());
  int64_t tiles =
      result.getNumElements() / thread::getElementTile(compute).getCount();
  KernelShape shape;
  shape.threads = threads;
  shape.grid[0] = std::min(
      mostBlocks, static_cast<int64_t>(llvm::divideCeil(tiles, threads)));
  return shape;
}

/// Emits an operator and those that it is a chain with, on what `values` has of
/// their sources.
static Value emitChain(OpBuilder &builder, Operation *op,
                       const LayoutChains &chains,
                       DenseMap<Value, Value> &values) {
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    Value value = values.lookup(operand);
    if (!value)
      value = emitChain(builder, operand.getDefiningOp(), chains, values);
    values[operand] = value;
    operands.push_back(value);
  }
  auto compute = cast<ComputeOpInterface>(op);
  return createComputeOp(builder, op->getLoc(), Level::Thread,
                         compute.getOpKind(), compute.getOpAttributes(),
                         operands,
                         cast<RankedTensorType>(op->getResult(0).getType())
                             .getElementType())
      ->getResult(0);
}

KernelShape mirage::buildOperatorKernel(gpu::GPUFuncOp function, Operation *op,
                                        const LayoutChains &chains,
                                        int64_t threads) {
  OpBuilder builder(function.getContext());
  builder.setInsertionPointToStart(&function.getBody().front());
  ValueRange arguments = function.getArguments();
  Location loc = op->getLoc();
  bool isChain = chains.isChain(op);
  SmallVector<Value> sources(op->getOperands());
  if (isChain)
    sources = llvm::to_vector_of<Value>(chains.getSources(op));
  auto compute = thread::ComputeOp::create(
      builder, loc, arguments.take_front(sources.size()),
      arguments.drop_front(sources.size()), builder.getDenseI64ArrayAttr({}),
      builder.getUnitAttr());
  gpu::ReturnOp::create(builder, loc);

  Block &body = compute.getBody().emplaceBlock();
  DenseMap<Value, Value> values;
  for (Value source : sources)
    values[source] = body.addArgument(source.getType(), loc);
  builder.setInsertionPointToStart(&body);
  if (isChain) {
    thread::YieldOp::create(builder, loc,
                            emitChain(builder, op, chains, values));
  } else {
    auto muGraphOp = cast<ComputeOpInterface>(op);
    Operation *inner = createComputeOp(
        builder, loc, Level::Thread, muGraphOp.getOpKind(),
        muGraphOp.getOpAttributes(), body.getArguments(),
        cast<RankedTensorType>(op->getResult(0).getType()).getElementType());
    thread::YieldOp::create(builder, loc, inner->getResults());
  }

  return getComputeShape(compute, threads);
}
