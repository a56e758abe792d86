//===- ConvertBlockToThread.cpp - Kernel graphs to host code and kernels -===//
//
// Rewrites functions of mirage_kernel operations into host functions that
// launch kernels; see Passes.td.
//
//===----------------------------------------------------------------------===//

#include "IndexMasks.h"
#include "KernelBuilder.h"
#include "KernelFunction.h"
#include "Mirage/Conversion/EqualKernels.h"
#include "Mirage/Conversion/Passes.h"
#include "Mirage/Dialect/Thread/IR/ThreadDialect.h"
#include "Mirage/Semantics/MatrixInstruction.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/SymbolTable.h"
#include <map>

namespace mirage {
#define GEN_PASS_DEF_CONVERTBLOCKTOTHREAD
#include "Mirage/Conversion/Passes.h.inc"
} // namespace mirage

using namespace mlir;
using namespace mirage;

namespace {
/// Converts one function.
class FunctionConverter {
public:
  FunctionConverter(func::FuncOp function, SymbolTable &kernels,
                    int64_t threads, bool selectsBuffers)
      : function(function), kernels(kernels), threads(threads),
        selectsBuffers(selectsBuffers), builder(function.getContext()) {}

  LogicalResult convert();

private:
  struct Kernel {
    gpu::GPUFuncOp function;
    KernelShape shape;
  };

  Value getBuffer(unsigned number, ArrayRef<int64_t> shape,
                  ArrayRef<int64_t> order, Location loc);
  Value getBuffer(Value tensor, Location loc);
  Value getWindows(const DeviceBuffers::Place &place, Location loc);
  void addFurtherParts(Operation *op, SmallVectorImpl<Value> &arguments,
                       LaunchPlaces &places);
  LogicalResult convertOp(Operation *op);
  LogicalResult convertChain(Operation *op);
  FailureOr<Kernel> buildKernel(Operation *op, ArrayRef<Value> arguments,
                                const LaunchPlaces &places);
  void emitLaunch(gpu::GPUFuncOp kernel, const KernelShape &shape,
                  ArrayRef<Value> arguments, ArrayRef<Value> mapped = {});
  void copyResult(Value source, Value target, Location loc);
  gpu::GPUFuncOp createKernel(Location loc, StringRef suffix, TypeRange types);

  func::FuncOp function;
  /// These are the symbols of the gpu.module.
  SymbolTable &kernels;
  int64_t threads;
  bool selectsBuffers;
  OpBuilder builder;
  func::FuncOp host;
  std::optional<DeviceBuffers> plan;
  LayoutChains chains;
  /// The first operation that each one has the kernel of, and these kernels.
  DenseMap<Operation *, Operation *> representatives;
  DenseMap<Operation *, Kernel> built;
  /// The kernels of chains, by the last operator of the first chain of each.
  SmallVector<std::pair<Operation *, Kernel>> builtChains;
  /// The buffers by their number in the plan, under each shape and order of
  /// dimensions that is needed.
  std::map<std::tuple<unsigned, Shape, Shape>, Value> buffers;
  unsigned numKernels = 0;
};
} // namespace

gpu::GPUFuncOp FunctionConverter::createKernel(Location loc, StringRef suffix,
                                               TypeRange types) {
  // PTX names hold letters, digits, underscores and dollars (PTX ISA,
  // "Identifiers"); MLIR's hold anything.
  std::string stem = function.getName().str();
  for (char &c : stem)
    if (!llvm::isAlnum(c) && c != '_')
      c = '_';
  if (stem.empty() || !llvm::isAlpha(stem.front()))
    stem.insert(0, "kernel_");
  std::string name;
  do
    name = (stem + "_" + Twine(numKernels++) + "_" + suffix).str();
  while (kernels.lookup(name));
  OpBuilder kernelBuilder(builder.getContext());
  auto kernel = gpu::GPUFuncOp::create(
      kernelBuilder, loc, name, kernelBuilder.getFunctionType(types, {}));
  kernels.insert(kernel);
  kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                  builder.getUnitAttr());
  return kernel;
}

void FunctionConverter::emitLaunch(gpu::GPUFuncOp kernel,
                                   const KernelShape &shape,
                                   ArrayRef<Value> arguments,
                                   ArrayRef<Value> mapped) {
  Location loc = kernel.getLoc();
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  kernel.setKnownBlockSizeAttr(builder.getDenseI32ArrayAttr(
      {static_cast<int32_t>(shape.threads), 1, 1}));
  kernel.setKnownGridSizeAttr(builder.getDenseI32ArrayAttr(
      {static_cast<int32_t>(shape.grid[0]), static_cast<int32_t>(shape.grid[1]),
       static_cast<int32_t>(shape.grid[2])}));
  gpu::KernelDim3 grid{index(shape.grid[0]), index(shape.grid[1]),
                       index(shape.grid[2])};
  gpu::KernelDim3 block{index(shape.threads), index(1), index(1)};
  Value bytes = arith::ConstantIntOp::create(builder, loc, builder.getI32Type(),
                                             shape.sharedMemoryBytes);
  std::optional<gpu::KernelDim3> cluster;
  if (shape.clusterBlocks > 1) {
    kernel.setKnownClusterSizeAttr(builder.getDenseI32ArrayAttr(
        {static_cast<int32_t>(shape.clusterBlocks), 1, 1}));
    cluster = {index(shape.clusterBlocks), index(1), index(1)};
  }
  SmallVector<Value> parameters(arguments);
  for (Value buffer : mapped) {
    Type map = kernel.getArgument(parameters.size()).getType();
    parameters.push_back(
        thread::TensorMapOp::create(builder, loc, map, buffer));
  }
  gpu::LaunchFuncOp::create(builder, loc, kernel, grid, block, bytes,
                            parameters,
                            /*asyncTokenType=*/Type(),
                            /*asyncDependencies=*/{}, cluster);
}

void FunctionConverter::copyResult(Value source, Value target, Location loc) {
  gpu::GPUFuncOp kernel =
      createKernel(loc, "copy", TypeRange{source.getType(), target.getType()});
  auto type = cast<MemRefType>(source.getType());
  OpBuilder b = OpBuilder::atBlockEnd(&kernel.getBody().front());
  auto compute =
      thread::ComputeOp::create(b, loc, ValueRange(kernel.getArgument(0)),
                                ValueRange(kernel.getArgument(1)),
                                b.getDenseI64ArrayAttr({}), b.getUnitAttr());
  gpu::ReturnOp::create(b, loc);
  Block &body = compute.getBody().emplaceBlock();
  body.addArgument(
      RankedTensorType::get(type.getShape(), type.getElementType()), loc);
  b.setInsertionPointToStart(&body);
  thread::YieldOp::create(b, loc, body.getArguments());
  emitLaunch(kernel, getComputeShape(compute, threads), {source, target});
}

/// Returns a buffer under a shape of as many elements, whose dimensions lie in
/// memory in this order, or in their own.
Value FunctionConverter::getBuffer(unsigned number, ArrayRef<int64_t> shape,
                                   ArrayRef<int64_t> order, Location loc) {
  auto [found, isNew] =
      buffers.try_emplace({number, Shape(shape), Shape(order)});
  if (!isNew)
    return found->second;
  RankedTensorType type = plan->getBuffers()[number];
  if (type.getShape() == shape && order.empty())
    return found->second =
               memref::AllocOp::create(builder, loc, getDeviceBufferType(type));
  Value buffer = getBuffer(number, type.getShape(), {}, loc);
  SmallVector<int64_t> strides(shape.size(), 1);
  int64_t stride = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    int64_t dim = order.empty() ? static_cast<int64_t>(i) : order[i];
    strides[dim] = stride;
    stride *= shape[dim];
  }
  MemRefLayoutAttrInterface layout;
  if (!order.empty())
    layout = StridedLayoutAttr::get(builder.getContext(), 0, strides);
  return buffers[{number, Shape(shape), Shape(order)}] =
             memref::ReinterpretCastOp::create(
                 builder, loc,
                 MemRefType::get(shape, type.getElementType(), layout), buffer,
                 /*offset=*/0, shape, strides);
}

/// Returns a buffer as launches read windows of it.
Value FunctionConverter::getWindows(const DeviceBuffers::Place &place,
                                    Location loc) {
  const Shape &source = place.part.whole;
  Value buffer = getBuffer(place.buffer, source, {}, loc);
  auto type = getWindowBufferType(
      *place.windows,
      RankedTensorType::get(source,
                            plan->getBuffers()[place.buffer].getElementType()));
  if (type == buffer.getType())
    return buffer;
  WindowBuffer view = getWindowBuffer(*place.windows, source);
  return memref::ReinterpretCastOp::create(builder, loc, type, buffer,
                                           /*offset=*/0, view.shape,
                                           view.strides);
}

/// Returns the buffer that holds a tensor, or that it is a part of.
Value FunctionConverter::getBuffer(Value tensor, Location loc) {
  const DeviceBuffers::Place &place = plan->getPlace(tensor);
  if (place.windows)
    return getWindows(place, loc);
  return getBuffer(place.buffer, place.part.whole, place.order, loc);
}

/// Returns the buffer that an argument is, whatever its shape.
static Value getWholeBuffer(Value argument) {
  while (auto cast = argument.getDefiningOp<memref::ReinterpretCastOp>())
    argument = cast.getSource();
  return argument;
}

/// Returns the first argument from `begin` on that is the same buffer as one.
static unsigned findFirst(ArrayRef<Value> arguments, unsigned begin,
                          unsigned number) {
  while (getWholeBuffer(arguments[begin]) != getWholeBuffer(arguments[number]))
    ++begin;
  return begin;
}

/// Makes one parameter of results in one buffer, whatever their shapes: what a
/// kernel writes has one name, as launchers in terms of values need it.
static void joinParameters(gpu::GPUFuncOp kernel, ArrayRef<Value> arguments,
                           unsigned numOperands) {
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  for (unsigned last = arguments.size(); last-- > numOperands;) {
    unsigned first = findFirst(arguments, numOperands, last);
    if (first == last)
      continue;
    Value joined = kernel.getArgument(first);
    auto type = cast<MemRefType>(arguments[last].getType());
    if (type != joined.getType())
      joined = memref::ReinterpretCastOp::create(
          builder, kernel.getLoc(), type, joined, /*offset=*/0, type.getShape(),
          type.getStridesAndOffset().first);
    kernel.getArgument(last).replaceAllUsesWith(joined);
    (void)kernel.eraseArgument(last);
  }
}

/// Leaves the arguments for such parameters.
static void joinResults(SmallVector<Value> &arguments, unsigned numOperands) {
  for (unsigned last = arguments.size(); last-- > numOperands;)
    if (findFirst(arguments, numOperands, last) != last)
      arguments.erase(arguments.begin() + last);
}

/// Returns the operands of which a launch computes all tiles of indices.
static SmallVector<unsigned> getComputedOperands(Operation *op) {
  SmallVector<unsigned> operands;
  auto launch = dyn_cast<kernel::LaunchOp>(op);
  if (!launch || !computesMasks(launch))
    return operands;
  IndexMasks masks(launch);
  for (unsigned operand = 0; operand < op->getNumOperands(); ++operand)
    if (masks.replaces(operand))
      operands.push_back(operand);
  return operands;
}

/// Returns true if an operation is a constant that no kernel reads, also under
/// another shape.
static bool isReplacedByIndices(Operation *op) {
  return isa<kernel::ConstantOp, kernel::ReshapeOp>(op) && !op->use_empty() &&
         llvm::all_of(op->getUses(), [](OpOperand &use) {
           return isReplacedByIndices(use.getOwner()) ||
                  llvm::is_contained(getComputedOperands(use.getOwner()),
                                     use.getOperandNumber());
         });
}

/// Adds the buffers that parts of operands and results have, beside those of
/// the first parts.
void FunctionConverter::addFurtherParts(Operation *op,
                                        SmallVectorImpl<Value> &arguments,
                                        LaunchPlaces &places) {
  auto values = llvm::to_vector(op->getOperands());
  llvm::append_range(values, op->getResults());
  for (auto [number, value] : llvm::enumerate(values)) {
    const DeviceBuffers::Place &place = plan->getPlace(value);
    if (place.parts.empty())
      continue;
    OperandPlace::Parts parts;
    parts.dim = place.partDim;
    int64_t whole =
        cast<RankedTensorType>(value.getType()).getDimSize(place.partDim);
    parts.size = whole / static_cast<int64_t>(place.parts.size());
    for (const DeviceBuffers::Place &part : place.parts) {
      parts.offsets.push_back(part.part.offsets);
      parts.areExchanged.push_back(!part.order.empty());
    }
    if (llvm::none_of(parts.areExchanged, [](bool is) { return is; }))
      parts.areExchanged.clear();
    addParts(places, number, std::move(parts));
    for (const DeviceBuffers::Place &part : ArrayRef(place.parts).drop_front())
      arguments.push_back(
          getBuffer(part.buffer, part.part.whole, part.order, op->getLoc()));
  }
}

/// Builds the kernel of an operation, and launches it.
LogicalResult FunctionConverter::convertOp(Operation *op) {
  if (chains.isAbsorbed(op) || plan->isInPlace(op) || isReplacedByIndices(op))
    return success();
  if (chains.isChain(op))
    return convertChain(op);
  SmallVector<Value> arguments;
  LaunchPlaces places;
  for (const auto &values :
       {ValueRange(op->getOperands()), ValueRange(op->getResults())})
    for (Value value : values) {
      const DeviceBuffers::Place &place = plan->getPlace(value);
      arguments.push_back(getBuffer(value, op->getLoc()));
      places.push_back({place.part.offsets, place.windows});
    }
  addFurtherParts(op, arguments, places);
  Operation *first = representatives.lookup(op);
  auto found = built.find(first);
  if (found == built.end()) {
    FailureOr<Kernel> kernel = buildKernel(op, arguments, places);
    if (failed(kernel))
      return failure();
    found = built.try_emplace(first, *std::move(kernel)).first;
  }
  Kernel &kernel = found->second;
  auto mapped =
      llvm::map_to_vector(kernel.shape.mappedArguments,
                          [&](size_t number) { return arguments[number]; });
  joinResults(arguments, op->getNumOperands());
  for (unsigned operand : llvm::reverse(getComputedOperands(op)))
    arguments.erase(arguments.begin() + operand);
  emitLaunch(kernel.function, kernel.shape, arguments, mapped);
  return success();
}

/// Builds the kernel of an operator and of those that it is a chain with,
/// unless an equal one is there, and launches it.
LogicalResult FunctionConverter::convertChain(Operation *op) {
  SmallVector<Value> arguments;
  for (Value source : chains.getSources(op))
    arguments.push_back(getBuffer(source, op->getLoc()));
  arguments.push_back(getBuffer(op->getResult(0), op->getLoc()));
  auto *found = llvm::find_if(builtChains, [&](const auto &other) {
    return chains.areEqual(other.first, op);
  });
  if (found == builtChains.end()) {
    FailureOr<Kernel> kernel = buildKernel(op, arguments, {});
    if (failed(kernel))
      return failure();
    builtChains.emplace_back(op, *std::move(kernel));
    found = &builtChains.back();
  }
  emitLaunch(found->second.function, found->second.shape, arguments);
  return success();
}

/// Builds the kernel of an operation that takes these buffers.
FailureOr<FunctionConverter::Kernel>
FunctionConverter::buildKernel(Operation *op, ArrayRef<Value> arguments,
                               const LaunchPlaces &places) {
  SmallVector<Type> types;
  for (Value argument : arguments)
    types.push_back(argument.getType());
  gpu::GPUFuncOp kernel =
      createKernel(op->getLoc(), op->getName().stripDialect(), types);
  FailureOr<KernelShape> shape = KernelShape();
  if (auto launch = dyn_cast<kernel::LaunchOp>(op)) {
    if (auto schedule = launch->getAttrOfType<ScheduleAttr>(
            MirageDialect::getScheduleAttrName())) {
      LaunchSchedule plan = readSchedule(schedule);
      if (failed(prepareForSchedule(launch, plan)))
        return failure();
      TargetAttr target = lookupTarget(launch);
      if (schedule.getClusterBlocks() > 1 && target &&
          !target.getDescription().clusterPerClock)
        return launch.emitOpError()
               << "has a mirage.schedule with a cluster of "
               << schedule.getClusterBlocks() << " blocks; "
               << target.getDescription().chip << " has no clusters";
      if (schedule.getWgmma() && target &&
          !hasWgmma(target.getDescription().chip))
        return launch.emitOpError()
               << "has a mirage.schedule with wgmma, which "
               << target.getDescription().chip << " does not have";
      // mbarrier.try_wait came with clusters.
      if (schedule.getLoaderWarps() > 0 && target &&
          !target.getDescription().clusterPerClock)
        return launch.emitOpError()
               << "has a mirage.schedule with warps that only load; "
               << target.getDescription().chip
               << " has no mbarrier.try_wait, by which the others wait for "
                  "them";
      if (plan.usesWgmma && !hasWarpgroupProduct(launch, plan))
        return launch.emitOpError(
            "has a mirage.schedule with wgmma and no product whose rows fill "
            "its warpgroups");
      shape = buildScheduledKernel(kernel, launch, places, plan, target);
      if (target && succeeded(shape) &&
          shape->sharedMemoryBytes >
              target.getDescription().sharedMemoryPerBlock)
        return launch.emitOpError()
               << "needs " << shape->sharedMemoryBytes
               << " bytes of shared memory by its mirage.schedule; a block of "
               << target.getDescription().chip << " has "
               << target.getDescription().sharedMemoryPerBlock;
    } else {
      shape = buildLaunchKernel(kernel, launch, places, threads);
    }
  } else if (auto muGraphOp = dyn_cast<ComputeOpInterface>(op)) {
    if (isComposite(muGraphOp.getOpKind()))
      return op->emitOpError(
          "is composite; run mirage-decompose-composites first");
    remark::missed(op->getLoc(), remark::RemarkOpts::name("general-lowering")
                                     .category("mirage-schedule"))
        << ("The operator is a kernel of the general lowering, a thread for "
            "each element: no launch is made of '" +
            op->getName().getStringRef() + "'.")
               .str();
    shape = buildOperatorKernel(kernel, op, chains, threads);
  } else {
    return op->emitOpError("has no lowering to mirage_thread");
  }
  if (failed(shape))
    return failure();
  if (chains.isChain(op))
    return Kernel{kernel, *shape};
  joinParameters(kernel, arguments, op->getNumOperands());
  for (unsigned operand : llvm::reverse(getComputedOperands(op)))
    (void)kernel.eraseArgument(operand);
  return Kernel{kernel, *shape};
}

LogicalResult FunctionConverter::convert() {
  if (failed(checkKernelFunction(function)))
    return failure();
  // The buffers are those of the inputs, then those of the outputs.
  SmallVector<Type> types;
  for (Type type : llvm::concat<const Type>(function.getArgumentTypes(),
                                            function.getResultTypes()))
    types.push_back(getDeviceBufferType(type));
  builder.setInsertionPoint(function);
  host = func::FuncOp::create(builder, function.getLoc(), function.getName(),
                              builder.getFunctionType(types, {}));
  host->setAttr(MirageDialect::getNumInputsAttrName(),
                builder.getI64IntegerAttr(function.getNumArguments()));
  // Who runs the program must know what is made when it is loaded.
  StringRef load = MirageDialect::getLoadAttrName(),
            constant = MirageDialect::getConstantAttrName();
  if (Attribute name = function->getAttr(load))
    host->setAttr(load, name);
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (Attribute unit = function.getArgAttr(i, constant))
      host.setArgAttr(i, constant, unit);
  Block *entry = host.addEntryBlock();
  builder.setInsertionPointToStart(entry);
  Operation *ret = function.getBody().front().getTerminator();
  plan.emplace(function, ScheduledLaunches::WithAttribute, selectsBuffers);
  representatives = findEqualKernels(function, *plan);
  chains = LayoutChains(function, *plan);
  for (auto [i, argument] : llvm::enumerate(entry->getArguments()))
    buffers[{i, Shape(plan->getBuffers()[i].getShape()), Shape()}] = argument;
  for (Operation &op : function.getBody().front().without_terminator())
    if (failed(convertOp(&op)))
      return failure();
  for (auto [i, value] : llvm::enumerate(ret->getOperands())) {
    Value source = getBuffer(value, ret->getLoc());
    Value output = entry->getArgument(function.getNumArguments() + i);
    if (source != output)
      copyResult(source, output, ret->getLoc());
  }
  func::ReturnOp::create(builder, ret->getLoc());
  // Constants that no kernel reads have buffers, and views of these, for
  // nothing.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*entry)))
    if (isa<memref::AllocOp, memref::ReinterpretCastOp>(op) && op.use_empty())
      op.erase();
  function.erase();
  return success();
}

/// Calls a function that takes buffers now. Its results are in new ones.
static void replaceCall(func::CallOp call, func::FuncOp host) {
  OpBuilder builder(call);
  Location loc = call.getLoc();
  SmallVector<Value> buffers, results;
  for (Value operand : call.getOperands())
    buffers.push_back(bufferization::ToBufferOp::create(
        builder, loc,
        getDeviceBufferType(cast<RankedTensorType>(operand.getType())), operand,
        /*read_only=*/true));
  for (Type type : call.getResultTypes())
    buffers.push_back(memref::AllocOp::create(
        builder, loc, getDeviceBufferType(cast<RankedTensorType>(type))));
  func::CallOp::create(builder, loc, host, buffers);
  for (auto [type, buffer] :
       llvm::zip(call.getResultTypes(),
                 ArrayRef(buffers).take_back(call.getNumResults())))
    results.push_back(bufferization::ToTensorOp::create(
        builder, loc, type, buffer, /*restrict=*/true, /*writable=*/true));
  call.replaceAllUsesWith(results);
  call.erase();
}

/// Returns true if a function holds kernel operations, or only returns its
/// arguments.
static bool isKernelGraph(func::FuncOp function) {
  if (function.isExternal())
    return false;
  bool hasKernels = false;
  function.walk([&](Operation *op) {
    hasKernels |= isKernelOp(op) || isCustomOperator(op);
  });
  auto isTensor = [](Type type) { return isa<RankedTensorType>(type); };
  Block &body = function.getBody().front();
  return hasKernels ||
         (body.getOperations().size() == 1 && function.getNumResults() > 0 &&
          llvm::all_of(function.getArgumentTypes(), isTensor));
}

namespace {
struct ConvertBlockToThread
    : public mirage::impl::ConvertBlockToThreadBase<ConvertBlockToThread> {
  using ConvertBlockToThreadBase::ConvertBlockToThreadBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (threads < 32 || threads > 1024 || threads % 32) {
      module.emitError() << "threads=" << static_cast<int64_t>(threads)
                         << " is no multiple of 32 between 32 and 1024";
      return signalPassFailure();
    }
    SmallVector<func::FuncOp> functions;
    for (auto function : module.getOps<func::FuncOp>()) {
      if (isKernelGraph(function))
        functions.push_back(function);
    }
    if (functions.empty())
      return;
    OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
    auto kernels =
        gpu::GPUModuleOp::create(builder, module.getLoc(), "mirage_kernels");
    SymbolTable(module).insert(kernels);
    module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                    builder.getUnitAttr());
    SymbolTable symbols(kernels);
    for (func::FuncOp function : functions)
      if (failed(FunctionConverter(function, symbols, threads, selectBuffers)
                     .convert()))
        return signalPassFailure();
    SymbolTable hosts(module);
    module.walk([&](func::CallOp call) {
      auto host = hosts.lookup<func::FuncOp>(call.getCallee());
      if (host && host->hasAttr(MirageDialect::getNumInputsAttrName()) &&
          host.getArgumentTypes() != call.getOperandTypes())
        replaceCall(call, host);
    });
  }
};
} // namespace
