//===- ConvertThreadToNVVM.cpp - gpu.func kernels to llvm.func ------------===//
//
// Turns each gpu.func of the module into an llvm.func kernel whose buffers are
// pointers, and emits its mirage_thread operations; see Passes.td.
//
//===----------------------------------------------------------------------===//

#include "FragmentEmitter.h"
#include "Mirage/Conversion/Passes.h"
#include "RingEmitter.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mirage {
#define GEN_PASS_DEF_CONVERTTHREADTONVVM
#include "Mirage/Conversion/Passes.h.inc"
} // namespace mirage

using namespace mlir;
using namespace mirage;

static constexpr StringLiteral sharedMemoryName = "mirage_shared_memory";

/// The block's dynamic shared memory: an external array without a size.
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
    if (cast<MemRefType>(type).getNumElements() >= limit)
      return builder.getI64Type();
  return builder.getI32Type();
}

/// Returns true if the target has conversions of 8-bit floats (sm_89 and
/// newer).
static bool hasF8Conversions(Operation *op) {
  TargetAttr target = lookupTarget(op);
  unsigned version = 0;
  if (!target || StringRef(target.getDescription().chip)
                     .drop_front(3)
                     .consumeInteger(10, version))
    return true;
  return version >= 89;
}

namespace {
class FunctionConverter {
public:
  explicit FunctionConverter(gpu::GPUFuncOp function)
      : function(function), builder(function.getContext()) {}

  LogicalResult convert();

private:
  LogicalResult checkSignature();
  LLVM::LLVMFuncOp createFunction();
  LogicalResult emitOperations(KernelEmitter &emitter, RingEmitter &rings);

  gpu::GPUFuncOp function;
  OpBuilder builder;
  DenseMap<Value, Value> pointers;
};
} // namespace

LogicalResult FunctionConverter::checkSignature() {
  for (Type type : function.getArgumentTypes()) {
    auto memref = dyn_cast<MemRefType>(type);
    if (!memref || !memref.hasStaticShape() ||
        !memref.getLayout().isIdentity() || memref.getMemorySpace())
      return function.emitOpError()
             << "has an argument of type " << type
             << "; kernels take row-major memrefs of static shape in device "
                "memory";
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
  SmallVector<Type> types(
      function.getNumArguments(),
      LLVM::LLVMPointerType::get(context, /*addressSpace=*/1));
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
  Block *entry = kernel.addEntryBlock(builder);
  for (auto [argument, pointer] :
       llvm::zip(function.getArguments(), entry->getArguments()))
    pointers[argument] = pointer;
  return kernel;
}

/// Emits code in place of every operation of mirage_thread and gpu.
LogicalResult FunctionConverter::emitOperations(KernelEmitter &emitter,
                                                RingEmitter &rings) {
  SmallVector<Operation *> operations;
  function.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    operations.push_back(op);
    return isa<thread::ComputeOp>(op) ? WalkResult::skip()
                                      : WalkResult::advance();
  });
  FragmentEmitter fragments(emitter);
  SmallVector<Operation *> emitted;
  for (Operation *op : operations) {
    builder.setInsertionPoint(op);
    if (auto loop = dyn_cast<scf::ForOp>(op);
        loop && fragments.convertLoop(loop)) {
      emitted.push_back(op);
      continue;
    }
    if (auto yield = dyn_cast<scf::YieldOp>(op);
        yield && fragments.convertYield(yield)) {
      emitted.push_back(op);
      continue;
    }
    if (isa_and_nonnull<arith::ArithDialect, scf::SCFDialect>(
            op->getDialect()) ||
        isa<thread::LoaderOp>(op))
      continue;
    rings.selectThreads(op);
    Location loc = op->getLoc();
    Type i32 = builder.getI32Type();
    auto getSharedAddress = [&](int64_t offset) -> Value {
      auto module = function->getParentOfType<gpu::GPUModuleOp>();
      Value base =
          LLVM::AddressOfOp::create(builder, loc, getSharedMemory(module));
      return LLVM::GEPOp::create(
          builder, loc, base.getType(), builder.getI8Type(), base,
          ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)});
    };
    auto replaceId = [&](Value id) {
      Value index = arith::IndexCastUIOp::create(builder, loc,
                                                 builder.getIndexType(), id);
      op->getResult(0).replaceAllUsesWith(index);
      return success();
    };
    LogicalResult result =
        llvm::TypeSwitch<Operation *, LogicalResult>(op)
            .Case<thread::ComputeOp>(
                [&](auto typed) { return emitter.emit(typed); })
            .Case<thread::AccumulateOp, thread::FillOp, thread::MmaOp>(
                [&](auto typed) {
                  emitter.emit(typed);
                  return success();
                })
            .Case<thread::CopyOp>([&](thread::CopyOp copy) {
              if (!fragments.emitCopy(copy))
                emitter.emit(copy);
              return success();
            })
            .Case<thread::LoadFragmentOp, thread::StoreFragmentOp,
                  thread::MmaFragmentOp, thread::WarpgroupMmaOp>(
                [&](auto typed) { return fragments.emit(typed); })
            .Case<ComputeOpInterface>(
                [&](auto typed) { return fragments.emitOperator(typed); })
            .Case<thread::SharedBufferOp>([&](thread::SharedBufferOp buffer) {
              pointers[buffer.getResult()] =
                  getSharedAddress(buffer.getOffset());
              return success();
            })
            .Case<thread::ClusterBufferOp>([&](thread::ClusterBufferOp buffer) {
              // A load maps the block's own address to another block's.
              pointers[buffer.getResult()] =
                  pointers.lookup(buffer.getBuffer());
              return success();
            })
            .Case<thread::ClusterRankOp>([&](auto) {
              return replaceId(NVVM::ClusterId::create(builder, loc, i32));
            })
            .Case<thread::ClusterBarrierOp>([&](auto) {
              UnitAttr aligned = builder.getUnitAttr();
              NVVM::ClusterArriveOp::create(builder, loc, aligned);
              NVVM::ClusterWaitOp::create(builder, loc, aligned);
              return success();
            })
            .Case<thread::AsyncCommitOp>([&](auto) {
              NVVM::CpAsyncCommitGroupOp::create(builder, loc);
              return success();
            })
            .Case<thread::AsyncWaitOp>([&](thread::AsyncWaitOp wait) {
              NVVM::CpAsyncWaitGroupOp::create(builder, loc, wait.getPending());
              return success();
            })
            .Case<thread::RingOp>([&](thread::RingOp ring) {
              pointers[ring.getResult()] = getSharedAddress(ring.getOffset());
              return rings.emit(ring);
            })
            .Case<thread::RingAcquireOp, thread::RingPublishOp,
                  thread::RingAwaitOp, thread::RingReleaseOp,
                  thread::BarrierOp>([&](auto typed) {
              rings.emit(typed);
              return success();
            })
            .Case<gpu::BarrierOp>([&](auto) {
              rings.fence(loc);
              NVVM::Barrier0Op::create(builder, loc);
              return success();
            })
            .Case<gpu::BlockIdOp>([&](gpu::BlockIdOp id) {
              switch (id.getDimension()) {
              case gpu::Dimension::x:
                return replaceId(NVVM::BlockIdXOp::create(builder, loc, i32));
              case gpu::Dimension::y:
                return replaceId(NVVM::BlockIdYOp::create(builder, loc, i32));
              case gpu::Dimension::z:
                return replaceId(NVVM::BlockIdZOp::create(builder, loc, i32));
              }
              llvm_unreachable("unknown dimension");
            })
            .Case<gpu::ReturnOp>([&](auto) {
              LLVM::ReturnOp::create(builder, loc, ValueRange());
              return success();
            })
            .Default([](Operation *other) {
              return other->emitOpError("has no lowering to NVVM");
            });
    if (failed(result))
      return failure();
    emitted.push_back(op);
  }
  for (Operation *op : llvm::reverse(emitted))
    op->erase();
  return success();
}

LogicalResult FunctionConverter::convert() {
  if (failed(checkSignature()))
    return failure();
  LLVM::LLVMFuncOp kernel = createFunction();
  ArrayRef<int32_t> grid = *function.getKnownGridSize();
  int64_t blocks = int64_t(1) * grid[0] * grid[1] * grid[2];
  KernelEmitter emitter(builder, pointers, getIndexType(function),
                        (*function.getKnownBlockSize())[0], blocks,
                        hasF8Conversions(function));
  bool usesWarpgroups =
      function
          .walk([](thread::WarpgroupMmaOp) { return WalkResult::interrupt(); })
          .wasInterrupted();
  RingEmitter rings(emitter, function, usesWarpgroups);
  if (failed(emitOperations(emitter, rings)))
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
    for (auto function :
         llvm::make_early_inc_range(getOperation().getOps<gpu::GPUFuncOp>()))
      if (failed(FunctionConverter(function).convert()))
        return signalPassFailure();
    // erf and tanh have no instruction of full precision.
    RewritePatternSet patterns(&getContext());
    populatePolynomialApproximateErfPattern(patterns);
    populatePolynomialApproximateTanhPattern(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
