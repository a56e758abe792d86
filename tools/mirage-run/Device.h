//===- Device.h - Programs on the GPU ---------------------------*- C++ -*-===//
//
// Lowers a function to PTX, or takes kernels that were lowered before, and runs
// them through the CUDA driver.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TOOLS_MIRAGE_RUN_DEVICE_H
#define MIRAGE_TOOLS_MIRAGE_RUN_DEVICE_H

#include "Inputs.h"
#include "Mirage/Runtime/KernelRunner.h"
#include "Mirage/Target/PTX.h"
#include "mlir/IR/BuiltinOps.h"

namespace mirage {

/// Reads `folder`/manifest.json and the PTX it names.
llvm::Expected<PTXProgram> readDeviceProgram(llvm::StringRef folder);

/// Arguments and results of a lowered function, in order.
struct DeviceSignature {
  llvm::SmallVector<TensorSignature> arguments, results;
};
DeviceSignature getSignature(const runtime::FunctionDescription &function);

struct DeviceOptions {
  bool time = false;
};

struct DeviceRun {
  llvm::SmallVector<TensorValue> results;
  /// Name and chip of the device, kernels, compiler messages, timing.
  std::string device, chip;
  runtime::RunResult details;
};

/// Runs one function of a lowered program.
llvm::Expected<DeviceRun>
runOnDevice(const PTXProgram &program,
            const runtime::FunctionDescription &function,
            llvm::ArrayRef<TensorValue> inputs, const DeviceOptions &options);

/// Lowers `entry` and runs it.
mlir::FailureOr<DeviceRun> runOnDevice(mlir::ModuleOp module,
                                       llvm::StringRef entry,
                                       llvm::ArrayRef<TensorValue> inputs,
                                       const DeviceOptions &options);

/// Prints device, kernels and time.
void printDeviceRun(llvm::raw_ostream &os, const DeviceRun &run);

} // namespace mirage

#endif // MIRAGE_TOOLS_MIRAGE_RUN_DEVICE_H
