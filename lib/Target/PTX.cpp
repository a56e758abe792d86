//===- PTX.cpp - Lowered modules to PTX and a manifest --------------------===//
//
// Serializes gpu.modules with LLVM's NVPTX backend and reads the manifest off
// the host functions.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Target/PTX.h"
#include "KernelAccesses.h"
#include "Mirage/Dialect/Mirage/IR/MirageDialect.h"
#include "Mirage/Dialect/Thread/IR/ThreadDialect.h"
#include "Mirage/Interfaces/ComputeOpSupport.h"
#include "Mirage/Pipelines/Pipelines.h"
#include "Mirage/Runtime/LaunchStreams.h"
#include "Mirage/Runtime/ScratchMemory.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVM/NVVM/Target.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mirage;

static constexpr StringLiteral ptxFileName = "kernels.ptx";

void mirage::registerPTXTarget(DialectRegistry &registry) {
  registerBuiltinDialectTranslation(registry);
  registerGPUDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
  NVVM::registerNVVMTargetInterfaceExternalModels(registry);
}

/// Leaves the GPU module whose kernels the functions launch, which must be one:
/// a PTX file has one header.
static LogicalResult keepLaunchedModule(ModuleOp module) {
  StringAttr launched;
  WalkResult walk = module.walk([&](gpu::LaunchFuncOp launch) {
    StringAttr name = launch.getKernelModuleName();
    if (launched && launched != name) {
      launch.emitOpError() << "launches a kernel of @" << name.getValue()
                           << " beside kernels of @" << launched.getValue()
                           << "; one PTX file holds one GPU module";
      return WalkResult::interrupt();
    }
    launched = name;
    return WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return failure();
  for (auto kernels :
       llvm::make_early_inc_range(module.getOps<gpu::GPUModuleOp>()))
    if (kernels.getNameAttr() != launched)
      kernels.erase();
  return success();
}

/// Returns the PTX of the GPU module.
static FailureOr<std::string> serialize(ModuleOp module) {
  if (failed(keepLaunchedModule(module)))
    return failure();
  PassManager manager(module.getContext());
  GpuModuleToBinaryPassOptions options;
  options.compilationTarget = "isa";
  manager.addPass(createGpuModuleToBinaryPass(options));
  if (failed(manager.run(module)))
    return failure();
  std::string ptx;
  for (auto binary : module.getOps<gpu::BinaryOp>())
    for (Attribute attribute : binary.getObjects()) {
      StringRef text = cast<gpu::ObjectAttr>(attribute).getObject().getValue();
      ptx += text.rtrim('\0');
      // A kernel with an unresolved function would fail to load.
      size_t at = text.find(".extern .func");
      if (at != StringRef::npos)
        return binary.emitOpError()
               << "has a kernel that calls a function which is not defined: "
               << text.substr(at).take_until([](char c) { return c == '\n'; });
    }
  return ptx;
}

static uint32_t getConstant(Value value) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return number.getZExtValue();
  return 1;
}

namespace {
/// Reads one host function.
struct FunctionReader {
  func::FuncOp function;
  runtime::FunctionDescription description;
  llvm::DenseMap<Value, std::string> names;
  llvm::DenseMap<Value, runtime::TensorMapDescription> maps;

  LogicalResult addBuffer(Value value, runtime::BufferRole role, unsigned index,
                          std::string name) {
    auto type = dyn_cast<MemRefType>(value.getType());
    std::optional<ElementType> element =
        type ? convertElementType(type.getElementType()) : std::nullopt;
    if (!element || !type.hasStaticShape())
      return emitError(value.getLoc())
             << "buffer of type " << value.getType()
             << " has no place in a manifest: it must be a memref of floats of "
                "static shape";
    runtime::BufferDescription buffer;
    buffer.name = name;
    buffer.role = role;
    buffer.index = index;
    buffer.shape.assign(type.getShape().begin(), type.getShape().end());
    buffer.type = *element;
    buffer.bytes = getBytes(type);
    description.buffers.push_back(buffer);
    names[value] = name;
    return success();
  }

  /// Gives a buffer under another shape the buffer's name: kernels take
  /// addresses.
  LogicalResult addView(memref::ReinterpretCastOp view) {
    auto source = dyn_cast<MemRefType>(view.getSource().getType());
    auto found = names.find(view.getSource());
    MemRefType type = view.getType();
    if (!source || found == names.end() || !type.hasStaticShape() ||
        !thread::isDense(type) || getBytes(type) != getBytes(source))
      return view.emitOpError(
          "is no buffer of its function under another shape, or order of "
          "dimensions, of as many elements");
    std::string name = found->second;
    names[view.getResult()] = std::move(name);
    return success();
  }

  LogicalResult addTensorMap(thread::TensorMapOp op) {
    auto found = names.find(op.getBuffer());
    if (found == names.end())
      return op.emitOpError("describes no buffer of its function");
    thread::TensorMapType type = op.getResult().getType();
    runtime::TensorMapDescription map;
    map.buffer = found->second;
    MemRefType buffer = type.getBuffer();
    // What canDescribe() admits has elements and strides.
    map.type = *convertElementType(buffer.getElementType());
    map.shape.assign(buffer.getShape().begin(), buffer.getShape().end());
    const MemoryLayout layout = *thread::getMemoryLayout(buffer);
    for (int64_t stride : layout.strides)
      map.strides.push_back(stride * byteSize(map.type));
    map.box.assign(type.getBox().begin(), type.getBox().end());
    maps[op.getResult()] = std::move(map);
    return success();
  }

  /// Says which arguments the kernel reads and writes, a buffer that it takes
  /// more than once only once.
  LogicalResult addAccesses(gpu::LaunchFuncOp launch,
                            runtime::KernelDescription &kernel) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(
        launch, launch.getKernelAttr());
    SmallVector<StringRef> buffers(kernel.arguments.begin(),
                                   kernel.arguments.end());
    for (const runtime::TensorMapDescription &map : kernel.tensorMaps)
      buffers.push_back(map.buffer);
    if (!callee || callee.getNumArguments() != buffers.size())
      return launch.emitOpError()
             << "launches " << launch.getKernelAttr()
             << ", which is no llvm.func with a parameter for each of its "
             << buffers.size() << " arguments";
    for (auto [buffer, access] :
         llvm::zip_equal(buffers, getParameterAccesses(callee))) {
      std::string name = buffer.str();
      if (access.reads && !llvm::is_contained(kernel.reads, name))
        kernel.reads.push_back(name);
      if (access.writes && !llvm::is_contained(kernel.writes, name))
        kernel.writes.push_back(name);
    }
    callee.walk([&](NVVM::GriddepcontrolOp control) {
      kernel.waits |= control.getKind() == NVVM::GridDepActionKind::wait;
    });
    return success();
  }

  LogicalResult addKernel(gpu::LaunchFuncOp launch) {
    runtime::KernelDescription kernel;
    kernel.name = launch.getKernelName().str();
    gpu::KernelDim3 grid = launch.getGridSizeOperandValues();
    gpu::KernelDim3 block = launch.getBlockSizeOperandValues();
    kernel.grid = {getConstant(grid.x), getConstant(grid.y),
                   getConstant(grid.z)};
    kernel.block = {getConstant(block.x), getConstant(block.y),
                    getConstant(block.z)};
    if (launch.hasClusterSize()) {
      gpu::KernelDim3 cluster = launch.getClusterSizeOperandValues();
      kernel.cluster = {getConstant(cluster.x), getConstant(cluster.y),
                        getConstant(cluster.z)};
    }
    if (Value bytes = launch.getDynamicSharedMemorySize())
      kernel.sharedMemoryBytes = getConstant(bytes);
    for (Value argument : launch.getKernelOperands()) {
      if (auto map = maps.find(argument); map != maps.end()) {
        kernel.tensorMaps.push_back(map->second);
        continue;
      }
      if (!kernel.tensorMaps.empty())
        return launch.emitOpError("has an argument behind tensor maps");
      if (!names.contains(argument))
        return launch.emitOpError("has an argument that is no buffer of its "
                                  "function");
      kernel.arguments.push_back(names.lookup(argument));
    }
    if (failed(addAccesses(launch, kernel)))
      return failure();
    description.kernels.push_back(std::move(kernel));
    return success();
  }

  /// Says which function makes the last inputs of which of the others.
  void readLoad(unsigned numInputs) {
    auto load = function->getAttrOfType<FlatSymbolRefAttr>(
        MirageDialect::getLoadAttrName());
    if (!load)
      return;
    auto maker =
        SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(function, load);
    unsigned taken = maker
                         ->getAttrOfType<IntegerAttr>(
                             MirageDialect::getNumInputsAttrName())
                         .getInt(),
             made = maker.getNumArguments() - taken;
    description.load.emplace();
    description.load->function = load.getValue().str();
    for (unsigned i = 0; i + made < numInputs; ++i)
      if (function.getArgAttr(i, MirageDialect::getConstantAttrName()))
        description.load->constants.push_back(i);
  }

  LogicalResult read(unsigned numInputs) {
    description.name = function.getName().str();
    readLoad(numInputs);
    for (BlockArgument argument : function.getArguments()) {
      unsigned i = argument.getArgNumber();
      bool isInput = i < numInputs;
      unsigned index = isInput ? i : i - numInputs;
      std::string name = (isInput ? "input" : "output") + std::to_string(index);
      if (failed(addBuffer(argument,
                           isInput ? runtime::BufferRole::Input
                                   : runtime::BufferRole::Output,
                           index, name)))
        return failure();
      if (!isInput)
        description.results.push_back(name);
    }
    unsigned scratch = 0;
    for (Operation &op : function.getBody().front()) {
      if (auto alloc = dyn_cast<memref::AllocOp>(op)) {
        if (failed(addBuffer(alloc, runtime::BufferRole::Scratch, 0,
                             "scratch" + std::to_string(scratch++))))
          return failure();
      } else if (auto view = dyn_cast<memref::ReinterpretCastOp>(op)) {
        if (failed(addView(view)))
          return failure();
      } else if (auto map = dyn_cast<thread::TensorMapOp>(op)) {
        if (failed(addTensorMap(map)))
          return failure();
      } else if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op)) {
        if (failed(addKernel(launch)))
          return failure();
      } else if (!isa<arith::ConstantOp, func::ReturnOp, memref::DeallocOp>(
                     op)) {
        return op.emitOpError("has no place in a manifest");
      }
    }
    runtime::planScratch(description);
    runtime::planStreams(description);
    return success();
  }
};
} // namespace

FailureOr<PTXProgram> mirage::translateToPTX(ModuleOp module) {
  PTXProgram program;
  TargetAttr target = lookupTarget(module);
  if (!target)
    return module.emitError("names no mirage.target; lower it with "
                            "mirage-lower-to-nvvm first");
  program.manifest.target = target.getDescription().chip;
  program.manifest.ptx = ptxFileName.str();
  for (auto function : module.getOps<func::FuncOp>()) {
    auto numInputs = function->getAttrOfType<IntegerAttr>(
        MirageDialect::getNumInputsAttrName());
    if (!numInputs)
      continue;
    FunctionReader reader;
    reader.function = function;
    if (failed(reader.read(numInputs.getInt())))
      return failure();
    program.manifest.functions.push_back(std::move(reader.description));
  }
  if (program.manifest.functions.empty())
    return module.emitError("has no lowered function; run "
                            "mirage-lower-to-nvvm on a module with "
                            "mirage_kernel operations");
  FailureOr<std::string> ptx = serialize(module);
  if (failed(ptx))
    return failure();
  program.ptx = std::move(*ptx);
  return program;
}

FailureOr<PTXProgram>
mirage::lowerToPTX(ModuleOp module, StringRef entry,
                   llvm::function_ref<void(PassManager &)> setUp,
                   bool tunesLaunches) {
  auto lowered = lowerEntry(
      module, entry,
      [&](OpPassManager &manager) {
        LowerToNVVMOptions options;
        if (!tunesLaunches)
          options.measure = LaunchMeasure::Model;
        buildLowerToNVVMPipeline(manager, options);
      },
      setUp);
  if (failed(lowered))
    return failure();
  return translateToPTX(**lowered);
}

llvm::Error mirage::writePTXProgram(const PTXProgram &program,
                                    StringRef directory) {
  if (std::error_code error = llvm::sys::fs::create_directories(directory))
    return llvm::createStringError(error, "cannot create folder '" + directory +
                                              "': " + error.message());
  SmallString<128> path(directory);
  llvm::sys::path::append(path, ptxFileName);
  std::error_code error;
  llvm::raw_fd_ostream os(path, error);
  if (error)
    return llvm::createStringError(error, "cannot write '" + path +
                                              "': " + error.message());
  os << program.ptx;
  os.close();
  if (os.has_error())
    return llvm::createStringError(
        os.error(), "cannot write '" + path + "': " + os.error().message());
  path = directory;
  llvm::sys::path::append(path, "manifest.json");
  return runtime::writeManifest(path, program.manifest);
}
