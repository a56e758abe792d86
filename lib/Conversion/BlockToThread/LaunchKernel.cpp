//===- LaunchKernel.cpp - Block graphs as kernels -------------------------===//
//
// A launch becomes a kernel in which block tensors are buffers in shared
// memory, placed by SharedMemory.h; a product that is a term of a sum may be
// added to it at once, and a chain of elementwise operators is one computation.
// Every operation is executed by all threads of the block together and followed
// by a barrier, so that buffers may share bytes as soon as they are not alive
// together; consecutive loads share one.
//
//===----------------------------------------------------------------------===//

#include "IndexSystem.h"
#include "KernelBuilder.h"
#include "Mirage/Analysis/SharedMemory.h"
#include "Mirage/Dialect/Block/IR/BlockDialect.h"
#include "Mirage/Dialect/Thread/IR/ThreadDialect.h"
#include "Mirage/Semantics/MatrixInstruction.h"
#include "TileOffsets.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mirage;

namespace {
class LaunchBuilder {
public:
  LaunchBuilder(gpu::GPUFuncOp function, kernel::LaunchOp launch,
                const LaunchPlaces &places)
      : builder(function.getContext()), function(function), launch(launch),
        places(places), plan(planSharedMemory(launch)) {}

  FailureOr<KernelShape> build(int64_t threads);

private:
  LogicalResult convertBlock(Block &block);
  LogicalResult convert(Operation &op);
  void convertLoad(block::LoadOp op);
  /// Stores a block's part of a tensor, or the tile of an iteration that is put
  /// together with those of others.
  void convertStore(block::StoreOp op, block::AccumulateOp iteration = {});
  LogicalResult convertFor(block::ForOp op);
  void convertAccumulate(block::AccumulateOp op);
  void convertThreadGraph(block::ThreadGraphOp op);
  void convertCompute(Operation &op);
  void addInputs(Operation &op, llvm::SetVector<Value> &inputs) const;
  Operation *createElements(Operation &op, const IRMapping &arguments);
  bool convertMatmul(Operation &op);
  void addProduct(Operation &op);

  void barrier(Location loc) { gpu::BarrierOp::create(builder, loc); }
  MemRefType getSharedType(Type tensor);
  /// Returns the shared-memory buffer of a block tensor.
  Value getBuffer(Value tensor);
  Value placeBuffer(Value tensor, Type type, int64_t offset);
  SmallVector<Value> zeros(Location loc, size_t count);
  /// Returns the loop result that this accumulator becomes.
  Value getLoopResult(block::AccumulateOp op);
  /// Returns the offsets of a tile in the buffer of an operand or result.
  SmallVector<Value> getBufferOffsets(ArrayRef<Value> tile, size_t number,
                                      Location loc);

  OpBuilder builder;
  gpu::GPUFuncOp function;
  kernel::LaunchOp launch;
  const LaunchPlaces &places;
  SharedMemoryPlan plan;
  DenseMap<Value, Value> buffers;
  DenseMap<Value, Value> runningMaxima;
  /// Maps loop variables of block graphs to those of scf.for.
  DenseMap<Value, Value> variables;
  SmallVector<Value, 3> blockIds;
};
} // namespace

MemRefType LaunchBuilder::getSharedType(Type tensor) {
  auto type = cast<RankedTensorType>(tensor);
  auto space = gpu::AddressSpaceAttr::get(builder.getContext(),
                                          gpu::AddressSpace::Workgroup);
  return MemRefType::get(type.getShape(), type.getElementType(),
                         MemRefLayoutAttrInterface(), space);
}

Value LaunchBuilder::placeBuffer(Value tensor, Type type, int64_t offset) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&function.getBody().front());
  return thread::SharedBufferOp::create(builder, tensor.getLoc(),
                                        getSharedType(type),
                                        builder.getI64IntegerAttr(offset));
}

Value LaunchBuilder::getBuffer(Value tensor) {
  Value &buffer = buffers[tensor];
  if (!buffer)
    buffer = placeBuffer(tensor, tensor.getType(), plan.offsets.lookup(tensor));
  return buffer;
}

SmallVector<Value> LaunchBuilder::zeros(Location loc, size_t count) {
  return SmallVector<Value>(count,
                            arith::ConstantIndexOp::create(builder, loc, 0));
}

Value LaunchBuilder::getLoopResult(block::AccumulateOp op) {
  OpOperand &use = *op.getResult().use_begin();
  return op->getParentOp()->getResult(use.getOperandNumber());
}

SmallVector<Value> LaunchBuilder::getBufferOffsets(ArrayRef<Value> tile,
                                                   size_t number,
                                                   Location loc) {
  SmallVector<Value> offsets(tile);
  addBufferOffsets(builder, loc, places, number, offsets);
  return offsets;
}

FailureOr<KernelShape> LaunchBuilder::build(int64_t threads) {
  builder.setInsertionPointToStart(&function.getBody().front());
  constexpr gpu::Dimension dimensions[] = {gpu::Dimension::x, gpu::Dimension::y,
                                           gpu::Dimension::z};
  KernelShape shape;
  shape.threads = threads;
  shape.sharedMemoryBytes = plan.bytes;
  for (auto [dim, extent] : llvm::enumerate(launch.getGrid())) {
    blockIds.push_back(
        gpu::BlockIdOp::create(builder, launch.getLoc(), dimensions[dim]));
    shape.grid[dim] = extent;
  }
  if (failed(convertBlock(launch.getBody().front())))
    return failure();
  gpu::ReturnOp::create(builder, launch.getLoc());
  return shape;
}

LogicalResult LaunchBuilder::convertBlock(Block &block) {
  for (Operation &op : block) {
    if (failed(convert(op)))
      return failure();
    // A run of loads is committed, awaited and made visible together.
    if (isa<block::LoadOp>(op) &&
        !isa_and_nonnull<block::LoadOp>(op.getNextNode())) {
      thread::AsyncCommitOp::create(builder, op.getLoc());
      thread::AsyncWaitOp::create(builder, op.getLoc(), 0);
      barrier(op.getLoc());
    }
  }
  return success();
}

LogicalResult LaunchBuilder::convert(Operation &op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(&op)
      .Case<block::LoadOp>([&](auto load) {
        convertLoad(load);
        return success();
      })
      .Case<block::StoreOp>([&](auto store) -> LogicalResult {
        // Iterations of a loop may have stored their tiles.
        if (store->use_empty() || getStoredByIterations(store.getValue()))
          return success();
        if (llvm::any_of(store.getOmap(), [](int64_t entry) {
              return entry == kReduceSum || entry == kReduceMax;
            }))
          return store.emitOpError("reduces over blocks; run "
                                   "mirage-expand-reduced-stores first");
        convertStore(store);
        return success();
      })
      .Case<block::ForOp>([&](auto loop) { return convertFor(loop); })
      .Case<block::AccumulateOp>([&](auto accumulate) {
        convertAccumulate(accumulate);
        return success();
      })
      .Case<block::ThreadGraphOp>([&](auto graph) {
        convertThreadGraph(graph);
        return success();
      })
      .Case<block::YieldOp>([](auto) { return success(); })
      .Case<block::ConstantOp>([&](auto constant) {
        if (!isImmediate(constant)) {
          convertCompute(op);
          barrier(op.getLoc());
        }
        return success();
      })
      .Case<ComputeOpInterface>([&](auto compute) -> LogicalResult {
        if (plan.computedByUser.contains(&op))
          return success();
        if (isComposite(compute.getOpKind()))
          return compute.emitOpError(
              "is composite; run mirage-decompose-composites first");
        if (!convertMatmul(op)) {
          if (getSumInPlace(&op))
            addProduct(op);
          else
            convertCompute(op);
        }
        barrier(op.getLoc());
        return success();
      })
      .Default([](Operation *other) {
        return other->emitOpError("has no lowering to mirage_thread");
      });
}

void LaunchBuilder::convertLoad(block::LoadOp op) {
  // A load without users has no bytes of its own.
  if (op->use_empty())
    return;
  Location loc = op.getLoc();
  SmallVector<Value> offsets =
      getLoadOffsets(builder, op, blockIds, [&](Value variable) {
        return variables.lookup(variable);
      });
  auto argument = cast<BlockArgument>(op.getSource());
  auto tile = cast<RankedTensorType>(op.getResult().getType());
  thread::CopyOp::create(
      builder, loc, function.getArgument(argument.getArgNumber()),
      getBufferOffsets(offsets, argument.getArgNumber(), loc),
      getBuffer(op.getResult()), zeros(loc, tile.getRank()), tile.getShape(),
      /*async=*/true);
}

void LaunchBuilder::convertStore(block::StoreOp op,
                                 block::AccumulateOp iteration) {
  Location loc = op.getLoc();
  IndexSystem system{builder, loc};
  auto whole = cast<RankedTensorType>(op.getValue().getType());
  SmallVector<Value> offsets = zeros(loc, whole.getRank());
  for (auto [dim, entry] : llvm::enumerate(op.getOmap()))
    if (entry >= 0)
      offsets[entry] =
          system.mulConstant(blockIds[dim], whole.getDimSize(entry));
  Value value = iteration ? iteration.getValue() : op.getValue();
  auto tile = cast<RankedTensorType>(value.getType());
  if (iteration) {
    auto loop = cast<block::ForOp>(iteration->getParentOp());
    Value &offset = offsets[*iteration.getDim()];
    offset = system.add(
        offset, system.mulConstant(variables.lookup(loop.getVariable()),
                                   tile.getDimSize(*iteration.getDim())));
  }
  for (OpOperand &use : op.getResult().getUses()) {
    size_t number = launch.getNumOperands() + use.getOperandNumber();
    thread::CopyOp::create(
        builder, loc, getBuffer(value), zeros(loc, tile.getRank()),
        function.getArgument(number), getBufferOffsets(offsets, number, loc),
        tile.getShape(), /*async=*/false);
  }
  // The value's bytes may be used again once all threads have read them.
  barrier(loc);
}

LogicalResult LaunchBuilder::convertFor(block::ForOp op) {
  Location loc = op.getLoc();
  // The accumulators' initial values: the least number for maxima, else zero.
  auto fillWithLeast = [&](Value buffer) {
    Type type = cast<MemRefType>(buffer.getType()).getElementType();
    // f8E4M3FN has no infinity.
    double least = isa<Float8E4M3FNType>(type)
                       ? -448.0
                       : -std::numeric_limits<double>::infinity();
    thread::FillOp::create(builder, loc, buffer, APFloat(least));
  };
  Operation *yield = op.getBody().front().getTerminator();
  for (auto [result, value] :
       llvm::zip(op.getResults(), yield->getOperands())) {
    auto accumulate = value.getDefiningOp<block::AccumulateOp>();
    if (accumulate.getKind() == AccumulateKind::Concat)
      continue;
    if (accumulate.getKind() == AccumulateKind::Max)
      fillWithLeast(getBuffer(result));
    else
      thread::FillOp::create(builder, loc, getBuffer(result), APFloat(0.0));
    if (Value shift = accumulate.getShift()) {
      Value running = placeBuffer(result, shift.getType(),
                                  plan.runningMaxima.lookup(result));
      runningMaxima[result] = running;
      fillWithLeast(running);
    }
  }
  barrier(loc);

  IndexSystem system{builder, loc};
  auto loop = scf::ForOp::create(builder, loc, system.index(0),
                                 system.index(op.getExtent()), system.index(1));
  variables[op.getVariable()] = loop.getInductionVar();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  return convertBlock(op.getBody().front());
}

void LaunchBuilder::convertAccumulate(block::AccumulateOp op) {
  // The product has been added already.
  if (Operation *definition = op.getValue().getDefiningOp();
      definition && getSumInPlace(definition))
    return;
  Location loc = op.getLoc();
  Value result = getLoopResult(op);
  if (getStoredByIterations(result)) {
    for (Operation *store : result.getUsers())
      if (!store->use_empty())
        convertStore(cast<block::StoreOp>(store), op);
    return;
  }
  Value target = getBuffer(result);
  Value value = getBuffer(op.getValue());
  auto tile = cast<RankedTensorType>(op.getValue().getType());
  if (op.getKind() == AccumulateKind::Concat) {
    IndexSystem system{builder, loc};
    SmallVector<Value> offsets = zeros(loc, tile.getRank());
    auto loop = cast<block::ForOp>(op->getParentOp());
    offsets[*op.getDim()] = system.mulConstant(
        variables.lookup(loop.getVariable()), tile.getDimSize(*op.getDim()));
    thread::CopyOp::create(builder, loc, value, zeros(loc, tile.getRank()),
                           target, offsets, tile.getShape(), /*async=*/false);
    return barrier(loc);
  }
  Value shift = op.getShift() ? getBuffer(op.getShift()) : Value();
  Value running = runningMaxima.lookup(result);
  thread::AccumulateOp::create(builder, loc, op.getKind(), value, shift,
                               running, target);
  barrier(loc);
  if (!shift)
    return;
  thread::AccumulateOp::create(builder, loc, AccumulateKind::Max, shift,
                               Value(), Value(), running);
  barrier(loc);
}

void LaunchBuilder::convertThreadGraph(block::ThreadGraphOp op) {
  SmallVector<Value> ins, outs;
  for (Value input : op.getInputs())
    ins.push_back(getBuffer(input));
  for (Value result : op.getResults())
    outs.push_back(getBuffer(result));
  auto compute =
      thread::ComputeOp::create(builder, op.getLoc(), ins, outs,
                                op.getThreadsAttr(), /*grid=*/UnitAttr());
  IRMapping mapping;
  op.getBody().cloneInto(&compute.getBody(), mapping);
  barrier(op.getLoc());
}

/// Adds the tensors that an operator, with those of its chain that it computes,
/// reads from shared memory.
void LaunchBuilder::addInputs(Operation &op,
                              llvm::SetVector<Value> &inputs) const {
  for (Value operand : op.getOperands()) {
    Operation *source = operand.getDefiningOp();
    if (plan.computedByUser.contains(source))
      addInputs(*source, inputs);
    else if (!isImmediate(source))
      inputs.insert(operand);
  }
}

/// Emits an operator on elements, with those of its chain that it computes.
Operation *LaunchBuilder::createElements(Operation &op,
                                         const IRMapping &arguments) {
  Location loc = op.getLoc();
  SmallVector<Value> operands;
  for (Value operand : op.getOperands()) {
    Operation *source = operand.getDefiningOp();
    if (plan.computedByUser.contains(source))
      operands.push_back(createElements(*source, arguments)->getResult(0));
    else if (isImmediate(source))
      operands.push_back(thread::ConstantOp::create(
          builder, loc, cast<block::ConstantOp>(source).getValue()));
    else
      operands.push_back(arguments.lookup(operand));
  }
  auto compute = cast<ComputeOpInterface>(op);
  return createComputeOp(
      builder, loc, Level::Thread, compute.getOpKind(),
      compute.getOpAttributes(), operands,
      cast<RankedTensorType>(op.getResult(0).getType()).getElementType());
}

void LaunchBuilder::convertCompute(Operation &op) {
  llvm::SetVector<Value> inputs;
  addInputs(op, inputs);
  SmallVector<Value> ins, outs;
  for (Value input : inputs)
    ins.push_back(getBuffer(input));
  for (Value result : op.getResults())
    outs.push_back(getBuffer(result));
  Location loc = op.getLoc();
  auto compute = thread::ComputeOp::create(builder, loc, ins, outs,
                                           builder.getDenseI64ArrayAttr({}),
                                           /*grid=*/UnitAttr());
  Block &body = compute.getBody().emplaceBlock();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&body);
  IRMapping arguments;
  for (Value input : inputs)
    arguments.map(input, body.addArgument(input.getType(), loc));
  Operation *last = createElements(op, arguments);
  thread::YieldOp::create(builder, loc, last->getResults());
}

/// Adds a product to the sum that it is a term of, by multiply-adds of threads.
void LaunchBuilder::addProduct(Operation &op) {
  Location loc = op.getLoc();
  Value total = getBuffer(getLoopResult(getSumInPlace(&op)));
  SmallVector<Value> ins{total};
  for (Value operand : op.getOperands())
    ins.push_back(getBuffer(operand));
  auto compute = thread::ComputeOp::create(builder, loc, ins, total,
                                           builder.getDenseI64ArrayAttr({}),
                                           /*grid=*/UnitAttr());
  Block &body = compute.getBody().emplaceBlock();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&body);
  auto type = cast<RankedTensorType>(op.getResult(0).getType());
  Value before = body.addArgument(type, loc);
  SmallVector<Value> operands;
  for (Value operand : op.getOperands())
    operands.push_back(body.addArgument(operand.getType(), loc));
  auto product = cast<ComputeOpInterface>(op);
  Value term = createComputeOp(builder, loc, Level::Thread, product.getOpKind(),
                               product.getOpAttributes(), operands,
                               type.getElementType())
                   ->getResult(0);
  Value after = createComputeOp(builder, loc, Level::Thread, OpKind::Add, {},
                                {before, term}, type.getElementType())
                    ->getResult(0);
  thread::YieldOp::create(builder, loc, after);
}

bool LaunchBuilder::convertMatmul(Operation &op) {
  auto muGraphOp = cast<ComputeOpInterface>(op);
  OpKind kind = muGraphOp.getOpKind();
  if (kind != OpKind::Matmul && kind != OpKind::ConcatMatmul)
    return false;
  OpAttributes attrs = muGraphOp.getOpAttributes();
  std::optional<ElementType> operandType =
      convertElementType(getElementTypeOrSelf(op.getOperand(0)));
  std::optional<ElementType> resultType =
      convertElementType(getElementTypeOrSelf(op.getResult(0)));
  if (!operandType || !resultType ||
      !getMatrixInstruction(kind, attrs, getShapes(op.getOperandTypes()),
                            *operandType, *resultType))
    return false;
  block::AccumulateOp sum = getSumInPlace(&op);
  Value target = getBuffer(sum ? getLoopResult(sum) : op.getResult(0));
  auto create = [&](Value lhs, Value rhs, bool accumulate) {
    thread::MmaOp::create(builder, op.getLoc(), getBuffer(lhs), getBuffer(rhs),
                          target, attrs.transposeLhs, attrs.transposeRhs,
                          accumulate);
  };
  if (kind == OpKind::Matmul) {
    create(op.getOperand(0), op.getOperand(1), /*accumulate=*/sum != nullptr);
    return true;
  }
  create(op.getOperand(0), op.getOperand(2), /*accumulate=*/sum != nullptr);
  barrier(op.getLoc());
  create(op.getOperand(1), op.getOperand(3), /*accumulate=*/true);
  return true;
}

FailureOr<KernelShape> mirage::buildLaunchKernel(gpu::GPUFuncOp function,
                                                 kernel::LaunchOp launch,
                                                 const LaunchPlaces &places,
                                                 int64_t threads) {
  return LaunchBuilder(function, launch, places).build(threads);
}
