//===- Device.cpp - Programs on the GPU -----------------------------------===//
//
// Runs kernels; this is the only place of mirage-run that knows the driver.
//
//===----------------------------------------------------------------------===//

#include "Device.h"
#include "ToolSupport.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace mirage;
using llvm::Expected;
using llvm::StringRef;

Expected<PTXProgram> mirage::readDeviceProgram(StringRef folder) {
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, "manifest.json");
  Expected<runtime::Manifest> manifest = runtime::readManifest(path);
  if (!manifest)
    return manifest.takeError();
  llvm::SmallString<128> ptxPath(folder);
  llvm::sys::path::append(ptxPath, manifest->ptx);
  auto ptx = llvm::MemoryBuffer::getFile(ptxPath, /*IsText=*/true);
  if (!ptx)
    return llvm::createStringError(ptx.getError(),
                                   "cannot read " + ptxPath.str() + ": " +
                                       ptx.getError().message());
  return PTXProgram{(*ptx)->getBuffer().str(), std::move(*manifest)};
}

DeviceSignature
mirage::getSignature(const runtime::FunctionDescription &function) {
  DeviceSignature signature;
  auto describe = [](const runtime::BufferDescription &buffer) {
    return TensorSignature{buffer.type, Shape(ShapeRef(buffer.shape))};
  };
  signature.arguments.resize(function.countBuffers(runtime::BufferRole::Input));
  for (const runtime::BufferDescription &buffer : function.buffers)
    if (buffer.role == runtime::BufferRole::Input)
      signature.arguments[buffer.index] = describe(buffer);
  for (const std::string &result : function.results)
    signature.results.push_back(describe(*function.findBuffer(result)));
  return signature;
}

Expected<DeviceRun> mirage::runOnDevice(
    const PTXProgram &program, const runtime::FunctionDescription &function,
    llvm::ArrayRef<TensorValue> inputs, const DeviceOptions &options) {
  auto driver = runtime::CudaDriver::load();
  if (!driver)
    return driver.takeError();
  std::vector<std::vector<char>> bytes;
  for (const TensorValue &input : inputs)
    bytes.push_back(runtime::encode(input.type, input.values()));
  std::vector<llvm::ArrayRef<char>> buffers(bytes.begin(), bytes.end());
  std::optional<runtime::TimingOptions> timing;
  if (options.time)
    timing.emplace();
  Expected<runtime::RunResult> result =
      runtime::runFunction(**driver, function, program.ptx, buffers, timing);
  if (!result)
    return result.takeError();

  DeviceRun run;
  run.device = (*driver)->deviceName().str();
  run.chip = (*driver)->chip().str();
  for (auto [signature, data] :
       llvm::zip_equal(getSignature(function).results, result->results))
    run.results.push_back(TensorValue::create(
        signature.type, signature.shape, runtime::decode(signature.type, data),
        Precision::F64));
  run.details = std::move(*result);
  return run;
}

mlir::FailureOr<DeviceRun>
mirage::runOnDevice(mlir::ModuleOp module, StringRef entry,
                    llvm::ArrayRef<TensorValue> inputs,
                    const DeviceOptions &options) {
  mlir::FailureOr<PTXProgram> program =
      lowerToPTX(module, entry, applyPassOptions);
  if (mlir::failed(program))
    return mlir::failure();
  const runtime::FunctionDescription *function =
      program->manifest.findFunction(entry);
  if (!function)
    return module.emitError()
           << "the lowered program has no function @" << entry;
  Expected<DeviceRun> run = runOnDevice(*program, *function, inputs, options);
  if (!run)
    return module.emitError() << llvm::toString(run.takeError());
  return std::move(*run);
}

void mirage::printDeviceRun(llvm::raw_ostream &os, const DeviceRun &run) {
  os << "device: " << run.device << " (" << run.chip << ")\n";
  if (!run.details.compilerLog.empty())
    os << "compiler: " << StringRef(run.details.compilerLog).rtrim() << "\n";
  for (const runtime::KernelReport &kernel : run.details.kernels)
    os << "kernel " << kernel.name << ": registers=" << kernel.registers
       << " local_bytes=" << kernel.localBytes
       << " static_shared_bytes=" << kernel.staticSharedBytes
       << " dynamic_shared_bytes=" << kernel.dynamicSharedBytes << "\n";
  auto print = [&](StringRef name, const runtime::Timing &timing) {
    os << name
       << llvm::format(": median_us=%.3f min_us=%.3f",
                       timing.medianMicroseconds, timing.minMicroseconds)
       << " runs_per_replay=" << timing.runsPerReplay
       << " rotated_bytes=" << timing.rotatedBytes
       << " streams=" << timing.streams << "\n";
  };
  if (run.details.timing)
    print("time", *run.details.timing);
  if (run.details.slowerTiming)
    print("slower way", *run.details.slowerTiming);
}
