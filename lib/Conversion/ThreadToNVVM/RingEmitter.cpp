//===- RingEmitter.cpp - Rings of stages to NVVM --------------------------===//
//
// Emits the mbarriers of rings, and separates the warps that only load from the
// others.
//
//===----------------------------------------------------------------------===//

#include "RingEmitter.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mirage;

RingEmitter::RingEmitter(KernelEmitter &emitter, gpu::GPUFuncOp function,
                         bool usesAsyncProxy)
    : emitter(emitter), builder(emitter.builder),
      usesAsyncProxy(usesAsyncProxy),
      threads((*function.getKnownBlockSize())[0]) {
  for (auto only : function.getOps<thread::LoaderOp>()) {
    loader = only;
    loaderThreads = loader.getWarps() * RegisterLayout::kWarpSize;
  }
  if (loader)
    loader.walk([&](Operation *op) {
      loaderStores |= isa<thread::CopyOp, thread::StoreFragmentOp,
                          thread::FillOp, thread::ComputeOp>(op);
    });
}

Value RingEmitter::constant(Location loc, int64_t value) {
  return LLVM::ConstantOp::create(builder, loc,
                                  builder.getI32IntegerAttr(value));
}

void RingEmitter::selectThreads(Operation *op) {
  if (loader && loader->isProperAncestor(op))
    emitter.setThreads(threads - loaderThreads, loaderThreads);
  else
    emitter.setThreads(0, threads - loaderThreads);
}

void RingEmitter::fence(Location loc) {
  // wgmma and the copy engine access shared memory through the asynchronous
  // proxy: what was written must be visible there (PTX ISA, "Async proxy").
  if (usesAsyncProxy)
    NVVM::FenceProxyOp::create(
        builder, loc,
        NVVM::ProxyKindAttr::get(builder.getContext(),
                                 NVVM::ProxyKind::async_shared),
        NVVM::SharedSpaceAttr::get(builder.getContext(),
                                   NVVM::SharedSpace::shared_cta));
}

static Value toInt32(OpBuilder &builder, Location loc, Value value) {
  Type i32 = builder.getI32Type();
  if (isa<IndexType>(value.getType()))
    return arith::IndexCastOp::create(builder, loc, i32, value);
  if (value.getType() != i32)
    return arith::TruncIOp::create(builder, loc, i32, value);
  return value;
}

Value RingEmitter::getTurn(TypedValue<thread::RingType> ring, Value trip,
                           Location loc) {
  return arith::DivUIOp::create(builder, loc, toInt32(builder, loc, trip),
                                constant(loc, ring.getType().getStages()));
}

Value RingEmitter::getBarrier(TypedValue<thread::RingType> ring, Value trip,
                              Value group, bool ofFull, Location loc) {
  thread::RingType type = ring.getType();
  Value number =
      arith::RemUIOp::create(builder, loc, toInt32(builder, loc, trip),
                             constant(loc, type.getStages()));
  number = arith::MulIOp::create(builder, loc, number,
                                 constant(loc, type.getGroups()));
  number = arith::AddIOp::create(builder, loc, number, group);
  if (!ofFull)
    number = arith::AddIOp::create(
        builder, loc, number,
        constant(loc, type.getStages() * type.getGroups()));
  Value base = emitter.pointers.lookup(ring);
  return LLVM::GEPOp::create(builder, loc, base.getType(), builder.getI64Type(),
                             base, ArrayRef<LLVM::GEPArg>{number});
}

void RingEmitter::wait(Value barrier, Value parity, Location loc) {
  auto loop = scf::WhileOp::create(builder, loc, TypeRange(), ValueRange());
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&loop.getBefore());
  Value done = NVVM::MBarrierTryWaitOp::create(
      builder, loc, builder.getI1Type(), barrier, parity, /*ticks=*/Value());
  Value again = arith::XOrIOp::create(
      builder, loc, done,
      arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true)));
  scf::ConditionOp::create(builder, loc, again, ValueRange());
  builder.createBlock(&loop.getAfter());
  scf::YieldOp::create(builder, loc);
}

void RingEmitter::byOneThread(Location loc, llvm::function_ref<void()> body) {
  Value isFirst = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::eq,
      toInt32(builder, loc, emitter.getThreadId(loc)), constant(loc, 0));
  auto guarded = scf::IfOp::create(builder, loc, isFirst, false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&guarded.getThenRegion().front());
  body();
}

LogicalResult RingEmitter::emit(thread::RingOp op) {
  thread::RingType type = op.getResult().getType();
  int64_t workers = type.getGroups() * type.getWarps();
  if (!loader || threads - loaderThreads != workers * RegisterLayout::kWarpSize)
    return op.emitOpError()
           << "is for " << workers << " warps, and the kernel has "
           << (threads - loaderThreads) / RegisterLayout::kWarpSize
           << " beside its loader's";
  Location loc = op.getLoc();
  Value base = emitter.pointers.lookup(op.getResult());
  // Every thread of the loader arrives, and one or all of each warp that reads.
  auto count = static_cast<int32_t>(type.getStages() * type.getGroups());
  initialize(op, [&] {
    for (int32_t number = 0; number < 2 * count; ++number) {
      int64_t arrivals =
          number < count ? loaderThreads : type.getWarps() * type.getLanes();
      Value barrier = LLVM::GEPOp::create(builder, loc, base.getType(),
                                          builder.getI64Type(), base,
                                          ArrayRef<LLVM::GEPArg>{number});
      NVVM::MBarrierInitOp::create(builder, loc, barrier,
                                   constant(loc, arrivals), Value());
    }
  });
  return success();
}

/// Returns true if further mbarriers are made behind an operation before any is
/// used, so that all of them can be announced at once.
static bool precedesBarriers(Operation *op) {
  for (Operation *next = op->getNextNode(); next; next = next->getNextNode()) {
    if (isa<thread::RingOp, thread::SequenceOp>(next))
      return true;
    if (!isa<thread::InboxOp>(next) && !isMemoryEffectFree(next))
      return false;
  }
  return false;
}

void RingEmitter::initialize(Operation *op, llvm::function_ref<void()> body) {
  Location loc = op->getLoc();
  bool isLast = !precedesBarriers(op);
  emitter.setThreads(0, threads);
  byOneThread(loc, [&] {
    body();
    // The copy engine arrives at them, too.
    if (isLast)
      fence(loc);
  });
  if (isLast)
    NVVM::Barrier0Op::create(builder, loc);
}

/// Returns the group to which the executing warp of this number belongs.
template <typename Type>
static Value getGroup(Type type, Value warp, OpBuilder &builder, Location loc) {
  auto constant = [&](int64_t value) -> Value {
    return LLVM::ConstantOp::create(builder, loc,
                                    builder.getI32IntegerAttr(value));
  };
  if (type.getGroups() == 1)
    return constant(0);
  return arith::DivUIOp::create(builder, loc, toInt32(builder, loc, warp),
                                constant(type.getWarps()));
}

LogicalResult RingEmitter::emit(thread::SequenceOp op) {
  thread::SequenceType type = op.getResult().getType();
  int64_t workers = type.getGroups() * type.getWarps();
  if (threads - loaderThreads != workers * RegisterLayout::kWarpSize)
    return op.emitOpError()
           << "is for " << workers << " warps, and the kernel has "
           << (threads - loaderThreads) / RegisterLayout::kWarpSize
           << " beside its loader's";
  int64_t first = nextBarrier;
  nextBarrier += type.getGroups();
  if (nextBarrier - type.firstBarrier > type.mostGroups)
    return op.emitOpError()
           << "and those before it have " << nextBarrier - type.firstBarrier
           << " groups; a block has barriers for " << type.mostGroups;
  sequences.insert({op.getResult(), {type, first}});
  Location loc = op.getLoc();
  initialize(op, [&] {
    LLVM::StoreOp::create(builder, loc, constant(loc, 0),
                          emitter.pointers.lookup(op.getResult()));
  });
  // The last group's turn counts as passed on.
  auto isLast = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::eq,
      getGroup(type, emitter.getWarpId(loc), builder, loc),
      constant(loc, type.getGroups() - 1));
  auto guarded = scf::IfOp::create(builder, loc, isLast, false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&guarded.getThenRegion().front());
  NVVM::BarrierArriveOp::create(builder, loc, constant(loc, first),
                                getNumMeeting(type, loc));
  return success();
}

LogicalResult RingEmitter::emit(thread::InboxOp op) {
  Location loc = op.getLoc();
  Value mbarrier = emitter.pointers.lookup(op.getResult());
  emitter.setThreads(0, threads);
  byOneThread(loc, [&] {
    NVVM::MBarrierInitOp::create(builder, loc, mbarrier, constant(loc, 1),
                                 Value());
    // The one arrival says how many bytes are to come.
    NVVM::MBarrierExpectTxOp::create(
        builder, loc, mbarrier,
        constant(loc, op.getResult().getType().getBytes()));
    NVVM::MBarrierArriveOp::create(builder, loc, builder.getI64Type(), mbarrier,
                                   /*count=*/Value());
    // Other blocks push when all have opened theirs.
    NVVM::FenceMbarrierInitOp::create(builder, loc);
  });
  return success();
}

void RingEmitter::emit(thread::InboxOpenOp op) {
  loaderOpens |= loader && op->isBeforeInBlock(loader);
  NVVM::ClusterArriveRelaxedOp::create(builder, op.getLoc(),
                                       builder.getUnitAttr());
}

void RingEmitter::emit(thread::InboxMeetOp op) {
  NVVM::ClusterWaitOp::create(builder, op.getLoc(), builder.getUnitAttr());
}

void RingEmitter::emit(thread::InboxAwaitOp op) {
  Location loc = op.getLoc();
  meet(/*isLoaders=*/false, loc);
  wait(emitter.pointers.lookup(op.getInbox()), constant(loc, 0), loc);
}

void RingEmitter::emit(thread::RingAcquireOp op) {
  Location loc = op.getLoc();
  Value turn = getTurn(op.getRing(), op.getTrip(), loc);
  // In the first turn nobody has read; the phase before the first counts as
  // complete.
  Value parity = arith::AndIOp::create(
      builder, loc, arith::AddIOp::create(builder, loc, turn, constant(loc, 1)),
      constant(loc, 1));
  wait(getBarrier(op.getRing(), op.getTrip(),
                  constant(loc, static_cast<int64_t>(op.getGroup())),
                  /*ofFull=*/false, loc),
       parity, loc);
}

void RingEmitter::emit(thread::RingPublishOp op) {
  Location loc = op.getLoc();
  Value barrier = getBarrier(op.getRing(), op.getTrip(),
                             constant(loc, static_cast<int64_t>(op.getGroup())),
                             /*ofFull=*/true, loc);
  // Who writes makes it visible to wgmma, so that who waits need not. The copy
  // engine writes as wgmma reads.
  if (loaderStores)
    fence(loc);
  NVVM::MBarrierArriveOp::create(builder, loc, builder.getI64Type(), barrier,
                                 /*count=*/Value());
}

void RingEmitter::emit(thread::RingReceiveOp op) {
  Location loc = op.getLoc();
  Value parity = arith::AndIOp::create(
      builder, loc, getTurn(op.getRing(), op.getTrip(), loc), constant(loc, 1));
  wait(getBarrier(op.getRing(), op.getTrip(),
                  constant(loc, static_cast<int64_t>(op.getGroup())),
                  /*ofFull=*/true, loc),
       parity, loc);
}

void RingEmitter::emit(thread::RingAwaitOp op) {
  Location loc = op.getLoc();
  Value parity = arith::AndIOp::create(
      builder, loc, getTurn(op.getRing(), op.getTrip(), loc), constant(loc, 1));
  Value group =
      getGroup(op.getRing().getType(), emitter.getWarpId(loc), builder, loc);
  wait(getBarrier(op.getRing(), op.getTrip(), group, /*ofFull=*/true, loc),
       parity, loc);
}

void RingEmitter::emit(thread::RingReleaseOp op) {
  Location loc = op.getLoc();
  Value group =
      getGroup(op.getRing().getType(), emitter.getWarpId(loc), builder, loc);
  Value barrier =
      getBarrier(op.getRing(), op.getTrip(), group, /*ofFull=*/false, loc);
  arrive(barrier, op.getRing().getType().getLanes(), loc);
}

void RingEmitter::arrive(Value barrier, int64_t lanes, Location loc) {
  if (lanes > 1) {
    NVVM::MBarrierArriveOp::create(builder, loc, builder.getI64Type(), barrier,
                                   /*count=*/Value());
    return;
  }
  // All lanes have come here before one of them says so.
  NVVM::SyncWarpOp::create(builder, loc, constant(loc, -1));
  Value thread = toInt32(builder, loc, emitter.getThreadId(loc));
  Value lane = arith::RemUIOp::create(builder, loc, thread,
                                      constant(loc, RegisterLayout::kWarpSize));
  Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        lane, constant(loc, 0));
  auto guarded = scf::IfOp::create(builder, loc, isFirst, false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&guarded.getThenRegion().front());
  NVVM::MBarrierArriveOp::create(builder, loc, builder.getI64Type(), barrier,
                                 /*count=*/Value());
}

Value RingEmitter::getNumMeeting(thread::SequenceType type, Location loc) {
  return constant(loc, 2 * type.getWarps() * RegisterLayout::kWarpSize);
}

Value RingEmitter::loadZero(Value sequence, Location loc) {
  Type i32 = builder.getI32Type();
  Value address = LLVM::PtrToIntOp::create(builder, loc, i32,
                                           emitter.pointers.lookup(sequence));
  return LLVM::InlineAsmOp::create(
             builder, loc, i32, address, "ld.volatile.shared.b32 $0, [$1];",
             "=r,r,~{memory}", /*has_side_effects=*/true,
             /*is_align_stack=*/false, LLVM::TailCallKind::None,
             LLVM::AsmDialectAttr(), /*operand_attrs=*/ArrayAttr())
      .getResult(0);
}

void RingEmitter::emit(thread::SequenceAwaitOp op) {
  Location loc = op.getLoc();
  thread::SequenceType type = op.getSequence().getType();
  Value barrier = arith::AddIOp::create(
      builder, loc, getGroup(type, emitter.getWarpId(loc), builder, loc),
      constant(loc, sequences.lookup(op.getSequence()).second));
  NVVM::BarrierOp::create(builder, loc, TypeRange(), barrier,
                          getNumMeeting(type, loc), {}, Value());
  zeros[op.getSequence()] = loadZero(op.getSequence(), loc);
}

void RingEmitter::emit(thread::SequencePassOp op,
                       MutableArrayRef<Value> values) {
  Location loc = op.getLoc();
  thread::SequenceType type = op.getSequence().getType();
  Value next = arith::RemUIOp::create(
      builder, loc,
      arith::AddIOp::create(
          builder, loc, getGroup(type, emitter.getWarpId(loc), builder, loc),
          constant(loc, 1)),
      constant(loc, type.getGroups()));
  Value barrier = arith::AddIOp::create(
      builder, loc, next,
      constant(loc, sequences.lookup(op.getSequence()).second));
  Value bits;
  for (Value value : values) {
    Value more =
        arith::BitcastOp::create(builder, loc, builder.getI32Type(), value);
    bits = bits ? arith::OrIOp::create(builder, loc, bits, more) : more;
  }
  // The number of the barrier is computed of the values.
  if (bits) {
    Value zero = zeros.lookup(op.getSequence());
    if (!zero || zero.getParentBlock() != builder.getInsertionBlock())
      zero = loadZero(op.getSequence(), loc);
    barrier = arith::AddIOp::create(
        builder, loc, barrier, arith::AndIOp::create(builder, loc, bits, zero));
  }
  NVVM::BarrierArriveOp::create(builder, loc, barrier,
                                getNumMeeting(type, loc));
  if (!bits)
    return;
  // No load moves across the arrival.
  Value zero = arith::BitcastOp::create(builder, loc, builder.getF32Type(),
                                        loadZero(op.getSequence(), loc));
  for (Value &value : values)
    value = arith::AddFOp::create(builder, loc, value, zero);
}

void RingEmitter::emitBox(thread::BulkCopyOp op, ArrayRef<int64_t> at,
                          Value barrier) {
  Location loc = op.getLoc();
  MLIRContext *context = builder.getContext();
  IRSystem s(builder, loc, builder.getI32Type(), builder.getF32Type());
  auto move = [&](OperandRange offsets) {
    SmallVector<Value> moved;
    size_t leading = offsets.size() - at.size();
    for (auto [i, offset] : llvm::enumerate(offsets)) {
      Value number = toInt32(builder, loc, offset);
      moved.push_back(
          i < leading ? number : s.addIndex(number, s.index(at[i - leading])));
    }
    return moved;
  };
  Value target =
      emitter.getAddress(op.getTarget(), move(op.getTargetOffsets()), s);
  // The instruction's target may be the memory of another block of the cluster.
  target = LLVM::AddrSpaceCastOp::create(
      builder, loc,
      LLVM::LLVMPointerType::get(
          context, static_cast<unsigned>(NVVM::NVVMMemorySpace::SharedCluster)),
      target);
  // The innermost coordinate is the first one.
  SmallVector<Value> coordinates = move(op.getSourceOffsets());
  std::reverse(coordinates.begin(), coordinates.end());
  NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp::create(
      builder, loc, target, emitter.pointers.lookup(op.getSource()),
      coordinates, barrier, /*im2colOffsets=*/ValueRange(),
      /*multicastMask=*/Value(), /*l2CacheHint=*/Value(),
      NVVM::TMALoadMode::TILE, /*isCTAOnly=*/false, /*group=*/nullptr,
      /*predicate=*/Value());
}

void RingEmitter::emit(thread::BulkCopyOp op) {
  Location loc = op.getLoc();
  byOneThread(loc, [&] {
    Value barrier =
        getBarrier(op.getRing(), op.getTrip(),
                   constant(loc, static_cast<int64_t>(op.getGroup())),
                   /*ofFull=*/true, loc);
    auto source = op.getSource().getType().getBuffer();
    int64_t bytes =
        elementCount(op.getSizes()) * source.getElementTypeBitWidth() / 8;
    // The stage is full when as many bytes have come, besides.
    NVVM::MBarrierExpectTxOp::create(builder, loc, barrier,
                                     constant(loc, bytes));
    op.forEachBox([&](ArrayRef<int64_t> at) { emitBox(op, at, barrier); });
  });
}

void RingEmitter::meet(bool isLoaders, Location loc) {
  // Barrier zero is the one at which the whole block meets.
  NVVM::BarrierOp::create(
      builder, loc, TypeRange(), constant(loc, isLoaders ? 2 : 1),
      constant(loc, isLoaders ? loaderThreads : threads - loaderThreads), {},
      Value());
}

/// Returns true if what is behind an operation reads or writes shared memory
/// through the asynchronous proxy.
static bool precedesAsyncAccess(Operation *op) {
  if (!isa<gpu::GPUFuncOp>(op->getParentOp()))
    return true;
  while ((op = op->getNextNode()))
    if (op->walk([](Operation *nested) {
            return isa<thread::WarpgroupMmaOp, thread::BulkCopyOp>(nested)
                       ? WalkResult::interrupt()
                       : WalkResult::advance();
          }).wasInterrupted())
      return true;
  return false;
}

void RingEmitter::fenceBarrier(Operation *barrier) {
  if (precedesAsyncAccess(barrier))
    fence(barrier->getLoc());
}

void RingEmitter::emit(thread::BarrierOp op) {
  fenceBarrier(op);
  meet(loader && loader->isProperAncestor(op), op.getLoc());
}

void RingEmitter::emit(thread::ThreadRegistersOp op) {
  bool isLoaders = loader && loader->isProperAncestor(op);
  NVVM::SetMaxRegisterOp::create(
      builder, op.getLoc(), static_cast<uint32_t>(op.getCount()),
      isLoaders ? NVVM::SetMaxRegisterAction::decrease
                : NVVM::SetMaxRegisterAction::increase);
}

void RingEmitter::separateLoader(Block &entry) {
  if (!loader)
    return;
  Location loc = loader.getLoc();
  // The turn that the last group has passed on is still to be taken.
  builder.setInsertionPoint(entry.getTerminator());
  emitter.setThreads(0, threads - loaderThreads);
  for (auto [type, first] : llvm::make_second_range(sequences)) {
    Value isFirst = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::eq,
        getGroup(type, emitter.getWarpId(loc), builder, loc), constant(loc, 0));
    auto guarded = scf::IfOp::create(builder, loc, isFirst, false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&guarded.getThenRegion().front());
    NVVM::BarrierOp::create(builder, loc, TypeRange(), constant(loc, first),
                            getNumMeeting(type, loc), {}, Value());
  }
  Block *work = entry.splitBlock(loader);
  Block *load = &loader.getBody().front();
  load->moveBefore(work);
  builder.setInsertionPointToEnd(load);
  // Who has arrived at the cluster's barrier leaves when all have.
  if (loaderOpens)
    NVVM::ClusterWaitOp::create(builder, loc, builder.getUnitAttr());
  LLVM::ReturnOp::create(builder, loc, ValueRange());
  builder.setInsertionPointToEnd(&entry);
  Value thread = NVVM::ThreadIdXOp::create(builder, loc, builder.getI32Type());
  Value loads =
      LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::uge, thread,
                           constant(loc, threads - loaderThreads));
  LLVM::CondBrOp::create(builder, loc, loads, load, work);
  loader->erase();
}
