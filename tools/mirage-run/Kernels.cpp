//===- Kernels.cpp - Kernels on the CPU -----------------------------------===//
//
// Runs what the lowering leaves before NVVM.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"
#include "Mirage/Interpreter/IR/KernelInterpreter.h"
#include "Mirage/Pipelines/Pipelines.h"

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

FailureOr<llvm::SmallVector<TensorValue>>
mirage::runOnThreads(ModuleOp module, llvm::StringRef entry,
                     llvm::ArrayRef<TensorValue> inputs) {
  auto lowered = lowerEntry(module, entry, [](OpPassManager &manager) {
    buildLowerToThreadPipeline(manager, LowerToThreadOptions());
  });
  if (failed(lowered))
    return failure();
  auto host = (*lowered)->lookupSymbol<func::FuncOp>(entry);
  if (!host)
    return module.emitError()
           << "the lowered program has no function @" << entry;
  return interpretKernels(host, inputs);
}
