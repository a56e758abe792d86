//===- TranslateToIREE.cpp - Optimized modules for IREE's compiler --------===//
//
// Finds Mirage's functions in a module, lowers each to PTX, and makes
// dispatches of its launches. See Mirage/Target/IREE.h.
//
//===----------------------------------------------------------------------===//

#include "Dispatches.h"
#include "HostCalls.h"
#include "KernelFunctions.h"
#include "Mirage/Conversion/Passes.h"
#include "Mirage/Dialect/Mirage/IR/MirageDialect.h"
#include "Mirage/Interfaces/ComputeOpSupport.h"
#include "Mirage/Target/IREE.h"
#include "Mirage/Target/PTX.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::iree;

void mirage::setIREEDefaults(LowerToNVVMOptions &options) {
  options.clusterBlocks = 1;
  options.bulkCopies = false;
  options.selectBuffers = false;
}

/// Returns the places of the launches of a lowered host function.
static SmallVector<Location> getLaunches(func::FuncOp host) {
  SmallVector<Location> launches;
  host.walk(
      [&](gpu::LaunchFuncOp launch) { launches.push_back(launch.getLoc()); });
  return launches;
}

static func::FuncOp lookup(ModuleOp module, StringRef name) {
  return module.lookupSymbol<func::FuncOp>(name);
}

/// Makes the function's body dispatches of the kernels that were made of it.
static LogicalResult replaceBody(func::FuncOp function,
                                 const runtime::FunctionDescription &lowered,
                                 ArrayRef<Location> launches,
                                 ArrayRef<TypedAttr> constants,
                                 Executables &executables) {
  Location end = function.getBody().front().getTerminator()->getLoc();
  Block &body = function.getBody().front();
  // Values go before what defines them.
  while (!body.empty())
    body.back().erase();
  OpBuilder builder = OpBuilder::atBlockEnd(&body);
  SmallVector<Value> inputs(function.getArguments());
  for (TypedAttr constant : constants)
    inputs.push_back(
        arith::ConstantOp::create(builder, function.getLoc(), constant));
  FailureOr<SmallVector<Value>> results =
      emitDispatches(lowered, inputs, launches, executables, builder);
  if (failed(results))
    return failure();
  func::ReturnOp::create(builder, end, *results);
  return success();
}

/// Lowers a function of kernel operators and launches.
static LogicalResult lowerFunction(func::FuncOp function, UniqueNames &names,
                                   const LowerToNVVMOptions &options) {
  // The function is lowered in a module of its own, since there may be
  // operations around of which nothing is known.
  auto module = function->getParentOfType<ModuleOp>();
  OwningOpRef<ModuleOp> alone = ModuleOp::create(module.getLoc());
  (*alone)->setDiscardableAttrs(module->getDiscardableAttrDictionary());
  OpBuilder inside = OpBuilder::atBlockEnd(alone->getBody());
  auto copy = cast<func::FuncOp>(inside.clone(*function));
  copy.setPublic();
  SmallVector<TypedAttr> constants = hoistConstants(copy);
  PassManager manager(module.getContext());
  buildLowerToNVVMPipeline(manager, options);
  if (failed(manager.run(*alone)))
    return failure();
  SmallVector<Location> launches =
      getLaunches(lookup(*alone, function.getName()));
  FailureOr<PTXProgram> program = translateToPTX(*alone);
  if (failed(program))
    return failure();
  Executables executables(names, function.getName(), program->ptx);
  if (failed(replaceBody(function, program->manifest.functions.front(),
                         launches, constants, executables)))
    return failure();
  executables.emit(module);
  return success();
}

/// Returns the tensors that are in buffers.
static SmallVector<Type> getTensorTypes(TypeRange buffers) {
  SmallVector<Type> types;
  for (Type type : buffers) {
    auto buffer = cast<MemRefType>(type);
    types.push_back(
        RankedTensorType::get(buffer.getShape(), buffer.getElementType()));
  }
  return types;
}

/// Makes functions on tensors of those that mirage-lower-to-nvvm has lowered to
/// functions on buffers, all of whose kernels are in one PTX file.
static LogicalResult raiseHostFunctions(ModuleOp module,
                                        ArrayRef<func::FuncOp> hosts,
                                        UniqueNames &names) {
  FailureOr<PTXProgram> program = translateToPTX(module);
  if (failed(program))
    return failure();
  Executables executables(names, "mirage", program->ptx);
  SmallVector<func::FuncOp> raised;
  for (func::FuncOp host : hosts) {
    SmallVector<Location> launches = getLaunches(host);
    auto numInputs =
        host->getAttrOfType<IntegerAttr>(MirageDialect::getNumInputsAttrName());
    SmallVector<Type> types = getTensorTypes(host.getArgumentTypes());
    auto inputs = ArrayRef(types).take_front(numInputs.getInt());
    OpBuilder functionBuilder(host);
    auto function = func::FuncOp::create(
        functionBuilder, host.getLoc(), host.getName(),
        functionBuilder.getFunctionType(
            inputs, ArrayRef(types).drop_front(inputs.size())));
    function.setVisibility(host.getVisibility());
    OpBuilder body = OpBuilder::atBlockEnd(function.addEntryBlock());
    FailureOr<SmallVector<Value>> results =
        emitDispatches(*program->manifest.findFunction(host.getName()),
                       function.getArguments(), launches, executables, body);
    if (failed(results))
      return failure();
    func::ReturnOp::create(body, host.getLoc(), *results);
    host.erase();
    raised.push_back(function);
  }
  if (failed(raiseHostCalls(module, raised)))
    return failure();
  executables.emit(module);
  for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
    if (isa<gpu::GPUModuleOp, gpu::BinaryOp>(op))
      op.erase();
  module->removeAttr(gpu::GPUDialect::getContainerModuleAttrName());
  return success();
}

LogicalResult mirage::translateToIREE(ModuleOp module,
                                      const LowerToNVVMOptions &options) {
  MLIRContext *context = module.getContext();
  context->allowUnregisteredDialects();
  context->loadDialect<arith::ArithDialect, func::FuncDialect>();

  SmallVector<func::FuncOp> hosts;
  for (auto function : module.getOps<func::FuncOp>())
    if (function->hasAttr(MirageDialect::getNumInputsAttrName()))
      hosts.push_back(function);
  UniqueNames names(module);
  outlineLaunches(module, names);
  for (auto function : llvm::to_vector(module.getOps<func::FuncOp>()))
    if (isKernelFunction(function) &&
        failed(lowerFunction(function, names, options)))
      return failure();
  if (!hosts.empty() && failed(raiseHostFunctions(module, hosts, names)))
    return failure();
  // What is left of Mirage stands among other operations.
  PassManager manager(context);
  manager.addPass(createConvertMirageToLinalg());
  return manager.run(module);
}
