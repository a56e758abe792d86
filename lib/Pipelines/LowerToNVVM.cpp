//===- LowerToNVVM.cpp - The pipeline mirage-lower-to-nvvm ----------------===//
//
// Builds the pipeline from kernel graphs to NVVM, each stage a pass of its own,
// and its first part, which ends with kernels of mirage_thread operations.
// It needs no CUDA installation; mirage-translate --mirage-to-ptx takes the
// result.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Conversion/Passes.h"
#include "Mirage/Dialect/Mirage/IR/MirageDialect.h"
#include "Mirage/Pipelines/Pipelines.h"
#include "Mirage/Transforms/Passes.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mirage;

/// Adds the passes that bring all that kernels are made of into one function.
static void addFirstPasses(OpPassManager &manager, StringRef chip) {
  AttachTargetOptions target;
  target.chip = chip.str();
  manager.addPass(createAttachTarget(target));
  // Custom operators go before inlining, for which other dialects must say that
  // they can be inlined.
  manager.addPass(createExpandCustomOperators());
  manager.addPass(createOutlineKernels());
  manager.addPass(createKeepCalls());
  manager.addPass(createInlinerPass());
}

/// Adds the passes that make launches, and with `load` the one that moves those
/// of constants to where a program is loaded.
static void addLaunches(OpPassManager &manager, bool fuse, bool load) {
  buildLaunchesPipeline(manager, fuse);
  SplitLoadOptions split;
  split.kernels = true;
  if (load)
    manager.addPass(createSplitLoad(split));
}

void mirage::buildLowerToLaunchesPipeline(
    OpPassManager &manager, const LowerToLaunchesOptions &options) {
  addFirstPasses(manager, options.chip);
  addLaunches(manager, options.fuse, options.load);
}

/// Adds the pass that measures how launches are executed, if it is asked for.
static void addTuning(OpPassManager &manager,
                      const LowerToThreadOptions &options) {
  TuneLaunchesOptions tuning;
  switch (options.measure) {
  case LaunchMeasure::Model:
    return;
  case LaunchMeasure::Instructions:
    tuning.measure = TilingMeasure::Instructions;
    break;
  case LaunchMeasure::Device:
    tuning.measure = TilingMeasure::Device;
    break;
  case LaunchMeasure::Recorded:
    tuning.measure = TilingMeasure::Recorded;
    break;
  case LaunchMeasure::Auto:
    tuning.measure = TilingMeasure::Auto;
    break;
  }
  tuning.measurements = options.measurements;
  tuning.clusterBlocks = options.clusterBlocks;
  tuning.bulkCopies = options.bulkCopies;
  manager.addPass(createTuneLaunches(tuning, buildKernelsPipeline));
}

/// Adds the passes that make memory explicit.
static void addThreadPasses(OpPassManager &manager,
                            const LowerToThreadOptions &options) {
  if (options.schedule) {
    addTuning(manager, options);
    ScheduleLaunchesOptions scheduling;
    scheduling.clusterBlocks = options.clusterBlocks;
    scheduling.bulkCopies = options.bulkCopies;
    manager.addPass(createScheduleLaunches(scheduling));
  }
  ConvertBlockToThreadOptions toThread;
  toThread.threads = options.threads;
  toThread.selectBuffers = options.selectBuffers;
  manager.addPass(createConvertBlockToThread(toThread));
  manager.addPass(createEmbedConstants());
}

/// Adds the passes that lower what threads do, but for loops and branches.
static void addKernelPasses(OpPassManager &kernels) {
  kernels.addPass(createConvertThreadToNVVM());
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createCSEPass());
  kernels.addPass(createLoopInvariantCodeMotionPass());
}

void mirage::buildKernelsPipeline(OpPassManager &manager) {
  // Who compares schedules names the pass that plans them, with its options,
  // also in tools that register none.
  [[maybe_unused]] static const bool isRegistered =
      (registerScheduleLaunches(), true);
  LowerToThreadOptions options;
  options.measure = LaunchMeasure::Model;
  addThreadPasses(manager, options);
  addKernelPasses(manager.nest<gpu::GPUModuleOp>());
}

void mirage::buildLowerToThreadPipeline(OpPassManager &manager,
                                        const LowerToThreadOptions &options) {
  // The first passes stay inside of Mirage's dialects.
  addFirstPasses(manager, options.chip);
  if (options.schedule) {
    addLaunches(manager, options.fuse, options.load);
  } else {
    manager.addPass(createDecomposeComposites());
    manager.addPass(createExpandReducedStores());
  }
  addThreadPasses(manager, options);
}

void mirage::buildLowerToNVVMPipeline(OpPassManager &manager,
                                      const LowerToNVVMOptions &options) {
  buildLowerToThreadPipeline(manager, options);
  OpPassManager &kernels = manager.nest<gpu::GPUModuleOp>();
  addKernelPasses(kernels);

  // Passes of upstream lead to the LLVM dialect.
  kernels.addPass(createSCFToControlFlowPass());
  kernels.addPass(createConvertNVVMToLLVMPass());
  kernels.addPass(createConvertToLLVMPass());
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createCSEPass());
  kernels.addPass(createReconcileUnrealizedCastsPass());

  AttachNVVMTargetOptions nvvm;
  nvvm.optLevel = options.optLevel;
  manager.addPass(createAttachNVVMTarget(nvvm));
}

LogicalResult mirage::checkIsLowered(ModuleOp module, StringRef entry) {
  auto function = module.lookupSymbol<func::FuncOp>(entry);
  if (!function)
    return module.emitError("has no function @") << entry;
  auto isLowered = [](func::FuncOp function) {
    return function && function->hasAttr(MirageDialect::getNumInputsAttrName());
  };
  if (isLowered(function))
    return success();
  for (Operation &op : function.getOps()) {
    auto call = dyn_cast<func::CallOp>(op);
    if (isa<bufferization::ToBufferOp, bufferization::ToTensorOp,
            memref::AllocOp, func::ReturnOp>(op) ||
        (call &&
         isLowered(module.lookupSymbol<func::FuncOp>(call.getCallee()))))
      continue;
    return op.emitOpError("stays in @")
           << entry << ", which can be lowered and not run: kernels alone can "
           << "be";
  }
  return function.emitOpError("takes or returns what is no tensor of static "
                              "shape, and can be lowered and not run");
}

FailureOr<OwningOpRef<ModuleOp>>
mirage::lowerEntry(ModuleOp module, StringRef entry,
                   llvm::function_ref<void(OpPassManager &)> build,
                   llvm::function_ref<void(PassManager &)> setUp) {
  OwningOpRef<ModuleOp> copy = module.clone();
  PassManager manager(copy->getContext());
  if (setUp)
    setUp(manager);
  for (auto function : copy->getOps<func::FuncOp>()) {
    if (function.getName() != entry) {
      function.setPrivate();
      continue;
    }
    // The caller passes all arguments in one call.
    function->removeAttr(MirageDialect::getLoadAttrName());
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      function.removeArgAttr(i, MirageDialect::getConstantAttrName());
  }
  manager.addPass(createInlinerPass());
  manager.addPass(createSymbolDCEPass());
  build(manager);
  if (failed(manager.run(*copy)))
    return failure();
  if (failed(checkIsLowered(*copy, entry)))
    return failure();
  return copy;
}

void mirage::registerLoweringInterfaces(DialectRegistry &registry) {
  arith::registerConvertArithToLLVMInterface(registry);
  cf::registerConvertControlFlowToLLVMInterface(registry);
  registerConvertMathToLLVMInterface(registry);
  registerConvertNVVMToLLVMInterface(registry);
}
