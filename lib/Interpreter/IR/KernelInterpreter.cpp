//===- KernelInterpreter.cpp - Executing kernels on the CPU ---------------===//
//
// Runs a host function: allocates its buffers, poisoned, and runs the blocks of
// each kernel that it launches, one after another.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Interpreter/IR/KernelInterpreter.h"
#include "KernelBlock.h"
#include "Mirage/Dialect/Mirage/IR/MirageDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mirage;

FailureOr<HostSignature> mirage::getHostSignature(func::FuncOp host) {
  auto numInputs =
      host->getAttrOfType<IntegerAttr>(MirageDialect::getNumInputsAttrName());
  if (!numInputs || numInputs.getInt() < 0 ||
      numInputs.getInt() > host.getNumArguments() || host.isExternal() ||
      !host.getBody().hasOneBlock())
    return host.emitOpError("is no host function that launches kernels; "
                            "convert-mirage-block-to-thread makes such");
  HostSignature signature;
  for (auto [i, type] : llvm::enumerate(host.getArgumentTypes())) {
    auto memref = dyn_cast<MemRefType>(type);
    if (!memref || !memref.getLayout().isIdentity())
      return host.emitOpError()
             << "takes " << type << "; a host function takes row-major memrefs";
    FailureOr<MemoryView> view = makeView(host, memref, nullptr, 0);
    if (failed(view))
      return failure();
    auto &list = static_cast<int64_t>(i) < numInputs.getInt()
                     ? signature.inputs
                     : signature.outputs;
    list.push_back({view->element, view->shape});
  }
  return signature;
}

namespace {
class HostRun {
public:
  explicit HostRun(func::FuncOp host) : host(host) {}

  LogicalResult bindInputs(const HostSignature &signature,
                           ArrayRef<TensorValue> inputs);
  LogicalResult run();
  FailureOr<SmallVector<TensorValue>> getOutputs(const HostSignature &);

private:
  LogicalResult addBuffer(Operation *op, Value value,
                          std::unique_ptr<CheckedMemory> memory);
  LogicalResult addScratch(Operation *op, Value value);
  LogicalResult addView(memref::ReinterpretCastOp op);
  LogicalResult addTensorMap(thread::TensorMapOp op);
  LogicalResult launch(gpu::LaunchFuncOp op);
  LogicalResult addConstants(KernelLaunch &launch);
  LogicalResult runBlocks(KernelLaunch &launch);

  func::FuncOp host;
  AccessOrder order;
  std::vector<std::unique_ptr<CheckedMemory>> memories;
  DenseMap<Value, MemoryView> buffers;
  DenseMap<Operation *, std::unique_ptr<CheckedMemory>> constants;
};
} // namespace

LogicalResult HostRun::addBuffer(Operation *op, Value value,
                                 std::unique_ptr<CheckedMemory> memory) {
  FailureOr<MemoryView> view =
      makeView(op, cast<MemRefType>(value.getType()), memory.get(), 0);
  if (failed(view))
    return failure();
  memories.push_back(std::move(memory));
  buffers[value] = *view;
  return success();
}

/// Adds a buffer of which nothing is initialized.
LogicalResult HostRun::addScratch(Operation *op, Value value) {
  auto type = cast<MemRefType>(value.getType());
  FailureOr<MemoryView> view = makeView(op, type, nullptr, 0);
  if (failed(view))
    return failure();
  unsigned size = byteSize(view->element);
  return addBuffer(op, value,
                   std::make_unique<CheckedMemory>(
                       elementCount(view->shape) * size, size, order));
}

/// Adds a buffer as its tensor map describes it.
LogicalResult HostRun::addTensorMap(thread::TensorMapOp op) {
  auto source = buffers.find(op.getBuffer());
  if (source == buffers.end())
    return op.emitOpError("describes no buffer");
  MemoryView view = source->second;
  buffers[op.getResult()] = view;
  return success();
}

/// Adds a buffer's memory under another shape.
LogicalResult HostRun::addView(memref::ReinterpretCastOp op) {
  auto source = buffers.find(op.getSource());
  if (source == buffers.end())
    return op.emitOpError("gives no buffer another shape");
  FailureOr<MemoryView> view = castView(op, source->second);
  if (failed(view))
    return failure();
  buffers[op.getResult()] = *view;
  return success();
}

LogicalResult HostRun::bindInputs(const HostSignature &signature,
                                  ArrayRef<TensorValue> inputs) {
  if (inputs.size() != signature.inputs.size())
    return host.emitError()
           << "@" << host.getName() << " takes " << signature.inputs.size()
           << " inputs, not " << inputs.size();
  for (auto [i, input, type] : llvm::enumerate(inputs, signature.inputs)) {
    if (input.shape() != ShapeRef(type.shape))
      return host.emitError()
             << "@" << host.getName() << " takes a tensor of shape "
             << toString(type.shape) << " as input " << i << ", not "
             << toString(input.shape());
    if (failed(
            addBuffer(host, host.getArgument(i),
                      std::make_unique<CheckedMemory>(
                          runtime::encode(type.type, input.values()), order))))
      return failure();
  }
  for (BlockArgument output :
       host.getArguments().drop_front(signature.inputs.size()))
    if (failed(addScratch(host, output)))
      return failure();
  return success();
}

static std::optional<int64_t> getConstant(Value value) {
  IntegerAttr number;
  if (!value || !matchPattern(value, m_Constant(&number)))
    return std::nullopt;
  return number.getInt();
}

/// Runs the blocks of a cluster in turns, each up to the next operation by
/// which it waits for others. A block alone is a cluster of one.
static LogicalResult runCluster(KernelLaunch &launch, const Shape &first) {
  std::vector<std::unique_ptr<KernelBlock>> blocks;
  SmallVector<CheckedMemory *> memories;
  Shape id = first;
  for (; id[0] < first[0] + launch.clusterBlocks; ++id[0]) {
    blocks.push_back(std::make_unique<KernelBlock>(launch, id));
    memories.push_back(&blocks.back()->getSharedMemory());
  }
  launch.order.beginCluster();
  while (true) {
    for (const std::unique_ptr<KernelBlock> &block : blocks) {
      block->setCluster(memories);
      launch.order.enterBlock();
      if (failed(block->run()))
        return failure();
    }
    // These stand under no branch, so all blocks wait at the same one.
    if (!blocks.front()->getBarrier())
      return success();
    launch.order.passClusterBarrier();
  }
}

/// Runs the blocks of a launch and tells of the first one in which something is
/// wrong.
LogicalResult HostRun::runBlocks(KernelLaunch &launch) {
  Shape id(3, 0);
  for (id[2] = 0; id[2] < launch.grid[2]; ++id[2])
    for (id[1] = 0; id[1] < launch.grid[1]; ++id[1])
      for (id[0] = 0; id[0] < launch.grid[0]; id[0] += launch.clusterBlocks)
        if (failed(runCluster(launch, id)))
          return failure();
  return success();
}

LogicalResult HostRun::launch(gpu::LaunchFuncOp op) {
  auto function =
      SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(op, op.getKernel());
  if (!function || !function.getBody().hasOneBlock())
    return op.emitOpError("launches a kernel that is no gpu.func of one block");
  SmallVector<int64_t> sizes;
  for (Value size :
       {op.getGridSizeX(), op.getGridSizeY(), op.getGridSizeZ(),
        op.getBlockSizeX(), op.getBlockSizeY(), op.getBlockSizeZ()}) {
    sizes.push_back(getConstant(size).value_or(0));
    if (sizes.back() < 1)
      return op.emitOpError("needs a grid and a block of constant sizes");
  }
  int64_t threads = sizes[3];
  if (sizes[4] != 1 || sizes[5] != 1 || threads % RegisterLayout::kWarpSize ||
      threads > 1024)
    return op.emitOpError("needs a block of one dimension with a multiple of "
                          "32 threads, at most 1024");
  int64_t clusterBlocks = 1;
  if (op.hasClusterSize()) {
    gpu::KernelDim3 cluster = op.getClusterSizeOperandValues();
    clusterBlocks = getConstant(cluster.x).value_or(0);
    if (clusterBlocks < 1 || sizes[0] % clusterBlocks ||
        getConstant(cluster.y) != 1 || getConstant(cluster.z) != 1)
      return op.emitOpError("needs clusters of a constant number of blocks "
                            "along x that divides the grid");
  }
  Value bytes = op.getDynamicSharedMemorySize();
  KernelLaunch launch(order);
  launch.function = function;
  launch.grid = Shape(ArrayRef(sizes).take_front(3));
  for (auto loader : function.getOps<thread::LoaderOp>())
    launch.loaderThreads =
        static_cast<int64_t>(loader.getWarps()) * RegisterLayout::kWarpSize;
  launch.threads = threads - launch.loaderThreads;
  if (launch.threads < 1)
    return op.emitOpError() << "launches " << threads << " threads, of which "
                            << launch.loaderThreads << " only load";
  launch.clusterBlocks = clusterBlocks;
  if (bytes)
    launch.sharedBytes = getConstant(bytes).value_or(-1);
  // No GPU has more for a block.
  constexpr int64_t mostSharedBytes = int64_t(1) << 20;
  if (launch.sharedBytes < 0 || launch.sharedBytes > mostSharedBytes)
    return op.emitOpError("needs a constant size of shared memory of at most "
                          "1 MiB");
  for (Value operand : op.getKernelOperands()) {
    auto found = buffers.find(operand);
    if (found == buffers.end())
      return op.emitOpError("passes an argument that is no buffer");
    launch.arguments.push_back(found->second);
  }
  if (function.getNumArguments() != launch.arguments.size())
    return op.emitOpError() << "passes " << launch.arguments.size()
                            << " arguments to a kernel that takes "
                            << function.getNumArguments();
  if (failed(addConstants(launch)))
    return failure();
  order.beginKernel();
  return runBlocks(launch);
}

/// Adds the data of its module that a kernel reads.
LogicalResult HostRun::addConstants(KernelLaunch &launch) {
  WalkResult result = launch.function.walk([&](memref::GetGlobalOp op) {
    auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
        op, op.getNameAttr());
    auto value =
        dyn_cast_or_null<DenseFPElementsAttr>(global.getInitialValueAttr());
    if (!value || !global.getConstant()) {
      op.emitOpError("reads what is no constant of floats");
      return WalkResult::interrupt();
    }
    std::unique_ptr<CheckedMemory> &memory = constants[global];
    FailureOr<MemoryView> view = makeView(op, op.getType(), nullptr, 0);
    if (failed(view))
      return WalkResult::interrupt();
    if (!memory) {
      auto numbers = llvm::map_to_vector(
          value.getValues<APFloat>(),
          [](const APFloat &number) { return number.convertToDouble(); });
      memory = std::make_unique<CheckedMemory>(
          runtime::encode(view->element, numbers), order);
    }
    view->memory = memory.get();
    launch.constants[op.getNameAttr()] = *view;
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

LogicalResult HostRun::run() {
  for (Operation &op : host.getBody().front()) {
    LogicalResult result =
        llvm::TypeSwitch<Operation *, LogicalResult>(&op)
            .Case<memref::AllocOp>([&](memref::AllocOp alloc) {
              return addScratch(alloc, alloc.getResult());
            })
            .Case<memref::ReinterpretCastOp>(
                [&](memref::ReinterpretCastOp view) { return addView(view); })
            .Case<thread::TensorMapOp>(
                [&](thread::TensorMapOp map) { return addTensorMap(map); })
            .Case<gpu::LaunchFuncOp>(
                [&](gpu::LaunchFuncOp launched) { return launch(launched); })
            .Case<arith::ConstantOp, func::ReturnOp>(
                [](auto) { return success(); })
            .Default([](Operation *other) {
              return other->emitOpError(
                  "is not executed by the interpreter of kernels");
            });
    if (failed(result))
      return failure();
  }
  return success();
}

FailureOr<SmallVector<TensorValue>>
HostRun::getOutputs(const HostSignature &signature) {
  SmallVector<TensorValue> outputs;
  for (auto [i, type] : llvm::enumerate(signature.outputs)) {
    const MemoryView &view =
        buffers[host.getArgument(signature.inputs.size() + i)];
    if (int64_t byte = view.memory->findUninitialized(); byte >= 0)
      return host.emitError() << "@" << host.getName() << " leaves byte "
                              << byte << " of output " << i << " unwritten";
    outputs.push_back(TensorValue::create(
        type.type, type.shape,
        runtime::decode(type.type, view.memory->getBytes()), Precision::F64));
  }
  return outputs;
}

FailureOr<SmallVector<TensorValue>>
mirage::interpretKernels(func::FuncOp host, ArrayRef<TensorValue> inputs) {
  FailureOr<HostSignature> signature = getHostSignature(host);
  if (failed(signature))
    return failure();
  HostRun run(host);
  if (failed(run.bindInputs(*signature, inputs)) || failed(run.run()))
    return failure();
  return run.getOutputs(*signature);
}
