//===- Kernels.cpp - Kernels on the CPU -----------------------------------===//
//
// Runs what the lowering leaves before NVVM.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"
#include "Mirage/Interpreter/IR/KernelInterpreter.h"
#include "Mirage/Pipelines/Pipelines.h"
#include "ToolSupport.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace mirage;

FailureOr<DeviceSignature> mirage::getSignature(func::FuncOp host) {
  FailureOr<HostSignature> buffers = getHostSignature(host);
  if (failed(buffers))
    return failure();
  DeviceSignature signature;
  for (const BufferType &type : buffers->inputs)
    signature.arguments.push_back({type.type, type.shape});
  for (const BufferType &type : buffers->outputs)
    signature.results.push_back({type.type, type.shape});
  return signature;
}

llvm::Expected<OwningOpRef<ModuleOp>>
mirage::readKernelModule(llvm::StringRef path, MLIRContext &context) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer)
    return llvm::createStringError(buffer.getError(),
                                   "cannot read " + path + ": " +
                                       buffer.getError().message());
  return parseSourceString<ModuleOp>((*buffer)->getBuffer(), &context, path);
}

FailureOr<llvm::SmallVector<TensorValue>>
mirage::runKernels(ModuleOp kernels, const Entry &entry,
                   llvm::ArrayRef<TensorValue> inputs) {
  auto host = kernels.lookupSymbol<func::FuncOp>(entry.name);
  if (!host)
    return kernels.emitError() << "has no function @" << entry.name;
  FailureOr<DeviceSignature> signature = getSignature(host);
  if (failed(signature))
    return failure();
  if (signature->arguments != entry.arguments ||
      signature->results != entry.results)
    return host.emitError() << "@" << entry.name
                            << " has other arguments or results than the "
                               "program's";
  return interpretKernels(host, inputs);
}

FailureOr<llvm::SmallVector<TensorValue>>
mirage::runOnThreads(ModuleOp module, llvm::StringRef entry,
                     llvm::ArrayRef<TensorValue> inputs) {
  auto lowered = lowerEntry(
      module, entry,
      [](OpPassManager &manager) {
        buildLowerToThreadPipeline(manager, LowerToThreadOptions());
      },
      applyPassOptions);
  if (failed(lowered))
    return failure();
  auto host = (*lowered)->lookupSymbol<func::FuncOp>(entry);
  if (!host)
    return module.emitError()
           << "the lowered program has no function @" << entry;
  return interpretKernels(host, inputs);
}
