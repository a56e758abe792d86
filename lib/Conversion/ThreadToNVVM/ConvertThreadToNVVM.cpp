//===- ConvertThreadToNVVM.cpp - gpu.func kernels to llvm.func ------------===//
//
// Turns each gpu.func of the module into an llvm.func kernel whose buffers are
// pointers, and emits its mirage_thread operations; see Passes.td.
//
//===----------------------------------------------------------------------===//

#include "FragmentEmitter.h"
#include "Mirage/Conversion/Passes.h"
#include "Mirage/Transforms/ProgressLine.h"
#include "RingEmitter.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mirage {
#define GEN_PASS_DEF_CONVERTTHREADTONVVM
#include "Mirage/Conversion/Passes.h.inc"
} // namespace mirage

using namespace mlir;
using namespace mirage;

static constexpr StringLiteral sharedMemoryName = "mirage_shared_memory";

/// Returns the block's dynamic shared memory: an external array without a size.
static LLVM::GlobalOp getSharedMemory(gpu::GPUModuleOp module) {
  if (auto global = module.lookupSymbol<LLVM::GlobalOp>(sharedMemoryName))
    return global;
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), 0);
  return LLVM::GlobalOp::create(builder, module.getLoc(), type,
                                /*isConstant=*/false, LLVM::Linkage::External,
                                sharedMemoryName, Attribute(),
                                /*alignment=*/1024, /*addrSpace=*/3,
                                /*dsoLocal=*/true);
}

/// Returns i32 where every offset in elements fits with room for steps beyond
/// the end, else i64.
static Type getIndexType(gpu::GPUFuncOp function) {
  constexpr int64_t limit = int64_t(1) << 30;
  Builder builder(function.getContext());
  for (Type type : function.getArgumentTypes())
    if (auto buffer = dyn_cast<MemRefType>(type);
        buffer && buffer.getNumElements() >= limit)
      return builder.getI64Type();
  return builder.getI32Type();
}

/// Returns the number in the name of the target's chip, 90 of sm_90a; nothing
/// if there is no target.
static std::optional<unsigned> getChipVersion(Operation *op) {
  TargetAttr target = lookupTarget(op);
  unsigned version = 0;
  if (!target || StringRef(target.getDescription().chip)
                     .drop_front(3)
                     .consumeInteger(10, version))
    return std::nullopt;
  return version;
}

/// The first chips with conversions of 8-bit floats, and with control of
/// dependent launches (PTX ISA, "griddepcontrol").
static constexpr unsigned firstWithF8 = 89, firstWithDependentLaunches = 90;

namespace {
class FunctionConverter {
public:
  explicit FunctionConverter(gpu::GPUFuncOp function)
      : function(function), builder(function.getContext()) {}

  LogicalResult convert();

private:
  LogicalResult checkSignature();
  LLVM::LLVMFuncOp createFunction();
  void waitForOthers(LLVM::LLVMFuncOp kernel);

  gpu::GPUFuncOp function;
  OpBuilder builder;
  DenseMap<Value, Value> pointers;
};
} // namespace

LogicalResult FunctionConverter::checkSignature() {
  for (Type type : function.getArgumentTypes()) {
    if (isa<thread::TensorMapType>(type))
      continue;
    auto memref = dyn_cast<MemRefType>(type);
    if (!memref || !memref.hasStaticShape() || !thread::isDense(memref) ||
        memref.getMemorySpace())
      return function.emitOpError()
             << "has an argument of type " << type
             << "; kernels take tensor maps, and memrefs of static shape in "
                "device memory that are row-major, in some order of their "
                "dimensions";
  }
  if (!function.getKnownBlockSize() || !function.getKnownGridSize() ||
      (*function.getKnownBlockSize())[1] != 1 ||
      (*function.getKnownBlockSize())[2] != 1)
    return function.emitOpError("needs known_grid_size and a known_block_size "
                                "of one dimension");
  return success();
}

LLVM::LLVMFuncOp FunctionConverter::createFunction() {
  builder.setInsertionPoint(function);
  MLIRContext *context = builder.getContext();
  auto isMap = [](Type type) { return isa<thread::TensorMapType>(type); };
  auto types =
      llvm::map_to_vector(function.getArgumentTypes(), [&](Type type) -> Type {
        return LLVM::LLVMPointerType::get(context,
                                          /*addressSpace=*/isMap(type) ? 0 : 1);
      });
  auto kernel = LLVM::LLVMFuncOp::create(
      builder, function.getLoc(), function.getName(),
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context), types));
  kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                  builder.getUnitAttr());
  kernel->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(),
                  builder.getUnitAttr());
  kernel->setAttr(NVVM::NVVMDialect::getMaxntidAttrName(),
                  builder.getDenseI32ArrayAttr(*function.getKnownBlockSize()));
  if (auto cluster = function.getKnownClusterSize())
    kernel->setAttr(NVVM::NVVMDialect::getClusterDimAttrName(),
                    builder.getDenseI32ArrayAttr(*cluster));
  // Without this attribute ptxas may spill to fit more blocks than shared
  // memory admits.
  kernel->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                  builder.getI32IntegerAttr(1));
  // A tensor map is a parameter itself, and the parameter holds its address
  // (PTX ISA, cp.async.bulk.tensor: "tensorMap").
  auto bytes = LLVM::LLVMArrayType::get(builder.getI8Type(),
                                        thread::TensorMapType::numBytes);
  for (auto [number, type] : llvm::enumerate(function.getArgumentTypes())) {
    if (!isMap(type))
      continue;
    kernel.setArgAttr(number, LLVM::LLVMDialect::getByValAttrName(),
                      TypeAttr::get(bytes));
    kernel.setArgAttr(
        number, LLVM::LLVMDialect::getAlignAttrName(),
        builder.getI64IntegerAttr(thread::TensorMapType::alignment));
    kernel.setArgAttr(number, NVVM::NVVMDialect::getGridConstantAttrName(),
                      builder.getUnitAttr());
  }
  Block *entry = kernel.addEntryBlock(builder);
  for (auto [argument, pointer] :
       llvm::zip(function.getArguments(), entry->getArguments()))
    pointers[argument] = pointer;
  return kernel;
}

namespace {
/// Emits code in place of every operation of mirage_thread and gpu in a
/// function. What computes or moves elements is emitted by others; what
/// synchronizes threads and names memory is emitted here.
class BodyEmitter {
public:
  BodyEmitter(gpu::GPUFuncOp function, OpBuilder &builder,
              DenseMap<Value, Value> &pointers, KernelEmitter &emitter,
              RingEmitter &rings)
      : function(function), builder(builder), pointers(pointers),
        emitter(emitter), rings(rings), fragments(emitter) {}

  LogicalResult emit();

private:
  /// Returns true if a loop or its yield carries tiles, and was made anew.
  bool convertStructure(Operation *op);
  LogicalResult emit(Operation *op);

  // Memory.
  Value getSharedAddress(int64_t offset, Location loc);
  void emitPlace(thread::SharedBufferOp buffer);
  void emitPlace(thread::ClusterBufferOp buffer);
  void emitPlace(thread::SelectBufferOp select);
  void emitPlace(memref::ReinterpretCastOp cast);
  LogicalResult emitPlace(memref::GetGlobalOp op);
  /// Emits a ring or a sequence, and notes where its mbarriers are.
  template <typename Op> LogicalResult emitBarriers(Op op);
  void emitCopy(thread::CopyOp copy);

  // Synchronization.
  void synchronize(thread::ClusterBarrierOp barrier);
  void synchronize(thread::AsyncCommitOp commit);
  void synchronize(thread::AsyncWaitOp wait);
  void synchronize(gpu::BarrierOp barrier);
  void synchronize(gpu::ReturnOp end);

  // Numbers of blocks.
  Value getId(thread::ClusterRankOp rank);
  Value getId(gpu::BlockIdOp id);

  gpu::GPUFuncOp function;
  OpBuilder &builder;
  DenseMap<Value, Value> &pointers;
  KernelEmitter &emitter;
  RingEmitter &rings;
  FragmentEmitter fragments;
};
} // namespace

bool BodyEmitter::convertStructure(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return fragments.convertLoop(loop);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return fragments.convertBranch(branch);
  if (auto yield = dyn_cast<scf::YieldOp>(op))
    return fragments.convertYield(yield);
  return false;
}

Value BodyEmitter::getSharedAddress(int64_t offset, Location loc) {
  auto module = function->getParentOfType<gpu::GPUModuleOp>();
  Value base = LLVM::AddressOfOp::create(builder, loc, getSharedMemory(module));
  return LLVM::GEPOp::create(
      builder, loc, base.getType(), builder.getI8Type(), base,
      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)});
}

void BodyEmitter::emitPlace(thread::SharedBufferOp buffer) {
  pointers[buffer.getResult()] =
      getSharedAddress(buffer.getOffset(), buffer.getLoc());
}

void BodyEmitter::emitPlace(thread::ClusterBufferOp buffer) {
  // A load maps the block's own address to another block's.
  pointers[buffer.getResult()] = pointers.lookup(buffer.getBuffer());
}

void BodyEmitter::emitPlace(thread::SelectBufferOp select) {
  Location loc = select.getLoc();
  Value chosen = pointers.lookup(select.getBuffers().back());
  for (size_t number = select.getBuffers().size() - 1; number-- > 0;) {
    Value isThis = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::eq, select.getNumber(),
        arith::ConstantIndexOp::create(builder, loc, number));
    chosen = LLVM::SelectOp::create(
        builder, loc, isThis, pointers.lookup(select.getBuffers()[number]),
        chosen);
  }
  pointers[select.getResult()] = chosen;
}

void BodyEmitter::emitPlace(memref::ReinterpretCastOp cast) {
  pointers[cast.getResult()] = pointers.lookup(cast.getSource());
}

LogicalResult BodyEmitter::emitPlace(memref::GetGlobalOp op) {
  auto module = function->getParentOfType<gpu::GPUModuleOp>();
  auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
      op, op.getNameAttr());
  auto value =
      dyn_cast_or_null<DenseElementsAttr>(global.getInitialValueAttr());
  if (!value || !global.getConstant())
    return op.emitOpError("reads what is no constant");
  pointers[op.getResult()] = LLVM::AddressOfOp::create(
      builder, op.getLoc(), getConstantData(module, value, op.getLoc()));
  return success();
}

template <typename Op> LogicalResult BodyEmitter::emitBarriers(Op op) {
  pointers[op.getResult()] = getSharedAddress(op.getOffset(), op.getLoc());
  return rings.emit(op);
}

void BodyEmitter::emitCopy(thread::CopyOp copy) {
  if (!fragments.emitCopy(copy))
    emitter.emit(copy);
}

void BodyEmitter::synchronize(thread::ClusterBarrierOp barrier) {
  UnitAttr aligned = builder.getUnitAttr();
  NVVM::ClusterArriveOp::create(builder, barrier.getLoc(), aligned);
  NVVM::ClusterWaitOp::create(builder, barrier.getLoc(), aligned);
}

void BodyEmitter::synchronize(thread::AsyncCommitOp commit) {
  NVVM::CpAsyncCommitGroupOp::create(builder, commit.getLoc());
}

void BodyEmitter::synchronize(thread::AsyncWaitOp wait) {
  NVVM::CpAsyncWaitGroupOp::create(builder, wait.getLoc(), wait.getPending());
}

void BodyEmitter::synchronize(gpu::BarrierOp barrier) {
  rings.fenceBarrier(barrier);
  NVVM::Barrier0Op::create(builder, barrier.getLoc());
}

void BodyEmitter::synchronize(gpu::ReturnOp end) {
  LLVM::ReturnOp::create(builder, end.getLoc(), ValueRange());
}

Value BodyEmitter::getId(thread::ClusterRankOp rank) {
  return NVVM::ClusterId::create(builder, rank.getLoc(), builder.getI32Type());
}

Value BodyEmitter::getId(gpu::BlockIdOp id) {
  Location loc = id.getLoc();
  Type i32 = builder.getI32Type();
  switch (id.getDimension()) {
  case gpu::Dimension::x:
    return NVVM::BlockIdXOp::create(builder, loc, i32);
  case gpu::Dimension::y:
    return NVVM::BlockIdYOp::create(builder, loc, i32);
  case gpu::Dimension::z:
    return NVVM::BlockIdZOp::create(builder, loc, i32);
  }
  llvm_unreachable("unknown dimension");
}

LogicalResult BodyEmitter::emit(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<thread::ComputeOp>([&](auto typed) { return emitter.emit(typed); })
      .Case<thread::AccumulateOp, thread::FillOp, thread::MmaOp>(
          [&](auto typed) {
            emitter.emit(typed);
            return success();
          })
      .Case<thread::LoadFragmentOp, thread::StoreFragmentOp,
            thread::PushFragmentOp, thread::IndexMaskOp,
            thread::ExchangeLanesOp, thread::MmaFragmentOp,
            thread::FmaFragmentOp, thread::WarpgroupMmaOp,
            thread::WarpgroupWaitOp>(
          [&](auto typed) { return fragments.emit(typed); })
      .Case<ComputeOpInterface>(
          [&](auto typed) { return fragments.emitOperator(typed); })
      .Case<thread::CopyOp>([&](auto typed) {
        emitCopy(typed);
        return success();
      })
      .Case<thread::SharedBufferOp, thread::ClusterBufferOp,
            thread::SelectBufferOp>([&](auto typed) {
        emitPlace(typed);
        return success();
      })
      .Case<memref::GetGlobalOp>([&](auto get) { return emitPlace(get); })
      .Case<memref::ReinterpretCastOp>([&](auto cast) -> LogicalResult {
        auto from = dyn_cast<MemRefType>(cast.getSource().getType());
        if (!from || !thread::areSameElements(from, cast.getType()))
          return cast.emitOpError("is no buffer under another shape, or order "
                                  "of dimensions, of as many elements");
        emitPlace(cast);
        return success();
      })
      .Case<thread::RingOp, thread::SequenceOp, thread::InboxOp>(
          [&](auto typed) { return emitBarriers(typed); })
      .Case<thread::RingAcquireOp, thread::RingPublishOp, thread::RingReceiveOp,
            thread::RingAwaitOp, thread::RingReleaseOp, thread::SequenceAwaitOp,
            thread::BulkCopyOp, thread::BarrierOp, thread::ThreadRegistersOp,
            thread::InboxOpenOp, thread::InboxMeetOp, thread::InboxAwaitOp>(
          [&](auto typed) {
            rings.emit(typed);
            return success();
          })
      .Case<thread::SequencePassOp>([&](thread::SequencePassOp pass) {
        fragments.emit(pass, [&](MutableArrayRef<Value> values) {
          rings.emit(pass, values);
        });
        return success();
      })
      .Case<thread::ClusterBarrierOp, thread::AsyncCommitOp,
            thread::AsyncWaitOp, gpu::BarrierOp, gpu::ReturnOp>(
          [&](auto typed) {
            synchronize(typed);
            return success();
          })
      .Case<thread::ClusterRankOp, gpu::BlockIdOp>([&](auto typed) {
        Value index = arith::IndexCastUIOp::create(
            builder, typed.getLoc(), builder.getIndexType(), getId(typed));
        typed.getResult().replaceAllUsesWith(index);
        return success();
      })
      .Default([](Operation *other) {
        return other->emitOpError("has no lowering to NVVM");
      });
}

LogicalResult BodyEmitter::emit() {
  SmallVector<Operation *> operations;
  function.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    operations.push_back(op);
    return isa<thread::ComputeOp>(op) ? WalkResult::skip()
                                      : WalkResult::advance();
  });
  SmallVector<Operation *> emitted;
  for (Operation *op : operations) {
    builder.setInsertionPoint(op);
    fragments.assemble(op->getOperands());
    if (convertStructure(op)) {
      emitted.push_back(op);
      continue;
    }
    if (isa_and_nonnull<arith::ArithDialect, scf::SCFDialect,
                        NVVM::NVVMDialect>(op->getDialect()) ||
        isa<thread::LoaderOp>(op))
      continue;
    rings.selectThreads(op);
    if (failed(emit(op)) || failed(emitter.checkConversions(op)))
      return failure();
    emitted.push_back(op);
  }
  for (Operation *op : llvm::reverse(emitted))
    op->erase();
  return success();
}

/// Lets the kernel wait for those before it, as it may be launched before they
/// have ended. All kernels wait so: when the last one has ended, so have those
/// before it. What touches no memory of other kernels is done meanwhile: tensor
/// maps are brought to where the copy engine reads them, and the mbarriers of
/// rings are made.
void FunctionConverter::waitForOthers(LLVM::LLVMFuncOp kernel) {
  Location loc = function.getLoc();
  builder.setInsertionPointToEnd(&kernel.getBody().front());
  for (BlockArgument argument : function.getArguments())
    if (isa<thread::TensorMapType>(argument.getType()))
      NVVM::PrefetchOp::create(builder, loc, /*cacheLevel=*/nullptr,
                               /*evictPriority=*/nullptr,
                               pointers.lookup(argument),
                               /*predicate=*/Value(), /*tensormap=*/true,
                               /*uniform=*/false, /*inParamSpace=*/false);
  for (Operation &op : function.getOps())
    if (isa<thread::RingOp, thread::SequenceOp, thread::InboxOp>(op))
      builder.setInsertionPointAfter(&op);
  NVVM::GriddepcontrolOp::create(builder, loc, NVVM::GridDepActionKind::wait);
}

LogicalResult FunctionConverter::convert() {
  if (failed(checkSignature()))
    return failure();
  LLVM::LLVMFuncOp kernel = createFunction();
  std::optional<unsigned> chip = getChipVersion(function);
  if (chip >= firstWithDependentLaunches)
    waitForOthers(kernel);
  ArrayRef<int32_t> grid = *function.getKnownGridSize();
  int64_t blocks = int64_t(1) * grid[0] * grid[1] * grid[2];
  KernelEmitter emitter(builder, pointers, getIndexType(function),
                        (*function.getKnownBlockSize())[0], blocks,
                        chip.value_or(firstWithF8) >= firstWithF8);
  bool usesWarpgroups = false, usesThemInLoops = false;
  function.walk([&](thread::WarpgroupMmaOp product) {
    usesWarpgroups = true;
    usesThemInLoops |= product->getParentOfType<scf::ForOp>() != nullptr;
  });
  // Without a loop, what is computed of the number of a warp is needed once.
  if (usesThemInLoops) {
    builder.setInsertionPointToEnd(&kernel.getBody().front());
    emitter.shareWarpId(function.getLoc());
  }
  bool usesAsyncProxy = usesWarpgroups;
  function.walk([&](thread::BulkCopyOp) { usesAsyncProxy = true; });
  RingEmitter rings(emitter, function, usesAsyncProxy);
  if (failed(BodyEmitter(function, builder, pointers, emitter, rings).emit()))
    return failure();
  Block &entry = kernel.getBody().front();
  entry.getOperations().splice(entry.end(),
                               function.getBody().front().getOperations());
  rings.separateLoader(entry);
  function.erase();
  return success();
}

namespace {
struct ConvertThreadToNVVM
    : public mirage::impl::ConvertThreadToNVVMBase<ConvertThreadToNVVM> {
  void runOnOperation() override {
    auto functions = getOperation().getOps<gpu::GPUFuncOp>();
    StageProgress progress("kernels to NVVM",
                           std::distance(functions.begin(), functions.end()));
    for (auto function : llvm::make_early_inc_range(functions)) {
      progress.next();
      if (failed(FunctionConverter(function).convert()))
        return signalPassFailure();
    }
    // What kernels read of these is data of their module now.
    for (auto global :
         llvm::make_early_inc_range(getOperation().getOps<memref::GlobalOp>()))
      if (global.getConstant() &&
          SymbolTable::symbolKnownUseEmpty(global, getOperation()))
        global.erase();
    // Constants are folded, and what nobody reads goes, loads among it.
    if (failed(applyPatternsGreedily(getOperation(),
                                     RewritePatternSet(&getContext()))))
      signalPassFailure();
  }
};
} // namespace
