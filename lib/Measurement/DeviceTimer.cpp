//===- DeviceTimer.cpp - Times of graphs on a GPU -------------------------===//
//
// Implements the timer. Graphs become IR in a context of the timer's own, so
// that what happens here loads no dialects, prints no IR and emits no remarks
// in the user's.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Measurement/DeviceTimer.h"
#include "Mirage/Dialect/Mirage/IR/MirageDialect.h"
#include "Mirage/InitAllDialects.h"
#include "Mirage/InitUpstream.h"
#include "Mirage/MuGraph/IR/ExportMuGraph.h"
#include "Mirage/Target/PTX.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include <cmath>
#include <random>

using namespace mirage;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

static constexpr llvm::StringLiteral entryName = "candidate";

static mlir::DialectRegistry makeRegistry() {
  mlir::DialectRegistry registry;
  registerUpstreamDialects(registry);
  registerAllDialects(registry);
  return registry;
}

namespace {

/// The elements of each result, in order.
using Results = std::vector<std::vector<double>>;

class DeviceTimer : public GraphTimer {
public:
  DeviceTimer(std::unique_ptr<runtime::CudaDriver> driver,
              const GraphTimerOptions &options,
              const runtime::TimingOptions &timing)
      : driver(std::move(driver)), options(options), timing(timing),
        device((this->driver->deviceName() + " (" + this->driver->chip() + ")")
                   .str()),
        context(makeRegistry(), mlir::MLIRContext::Threading::DISABLED) {
    context
        .loadDialect<MirageDialect, kernel::KernelDialect, block::BlockDialect,
                     thread::ThreadDialect, mlir::func::FuncDialect>();
    context.printOpOnDiagnostic(false);
  }

  llvm::StringRef getDevice() const override { return device; }
  Expected<GraphTime> time(const MuGraph &graph,
                           llvm::StringRef passes) override;

private:
  /// Lowers a graph behind passes; returns nothing, and why, if it has no
  /// lowering.
  std::optional<PTXProgram> lower(const MuGraph &graph, llvm::StringRef passes,
                                  std::string &reason);
  Expected<Results> decode(const runtime::FunctionDescription &function,
                           const runtime::RunResult &run) const;
  Error compare(const Results &results) const;

  std::unique_ptr<runtime::CudaDriver> driver;
  GraphTimerOptions options;
  runtime::TimingOptions timing;
  std::string device;
  mlir::MLIRContext context;
  /// The results of the first graph that ran.
  std::optional<Results> expected;
};

/// Lets processes of one machine that measure do so one after another, by a
/// file that all know: kernels that run beside others take longer. Where the
/// file cannot be opened, nobody waits.
class DeviceLock {
public:
  DeviceLock() {
    llvm::SmallString<128> path;
    llvm::sys::path::system_temp_directory(/*ErasedOnReboot=*/true, path);
    llvm::sys::path::append(path, "mirage-measurement.lock");
    isHeld = !llvm::sys::fs::openFileForReadWrite(path, file,
                                                  llvm::sys::fs::CD_OpenAlways,
                                                  llvm::sys::fs::OF_None) &&
             !llvm::sys::fs::lockFile(file);
  }
  ~DeviceLock() { release(); }
  DeviceLock(const DeviceLock &) = delete;
  DeviceLock &operator=(const DeviceLock &) = delete;

  void release() {
    if (isHeld)
      llvm::sys::fs::unlockFile(file);
    isHeld = false;
    if (file >= 0)
      llvm::sys::Process::SafelyCloseFileDescriptor(file);
    file = -1;
  }

private:
  int file = -1;
  bool isHeld = false;
};

class DeviceTimerInterface : public GraphTimerInterface {
public:
  using GraphTimerInterface::GraphTimerInterface;

  Expected<std::unique_ptr<GraphTimer>>
  open(const GraphTimerOptions &options) const override {
    auto driver = runtime::CudaDriver::load();
    if (!driver)
      return driver.takeError();
    // Whoever chooses among kernels times many: a median of few replays, over
    // twice the L2 cache of the largest GPU.
    runtime::TimingOptions timing;
    timing.repeats = 9;
    timing.rotateBytes = size_t(128) << 20;
    return makeDeviceTimer(std::move(*driver), options, timing);
  }
};

} // namespace

std::optional<PTXProgram> DeviceTimer::lower(const MuGraph &graph,
                                             llvm::StringRef passes,
                                             std::string &reason) {
  mlir::ScopedDiagnosticHandler handler(
      &context, [&](mlir::Diagnostic &diagnostic) {
        if (reason.empty() &&
            diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error)
          reason = diagnostic.str();
      });
  mlir::Location loc = mlir::UnknownLoc::get(&context);
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(loc);
  // The verifier holds launches to the limits of this target.
  (*module)->setAttr(MirageDialect::getTargetAttrName(),
                     TargetAttr::get(&context, options.target));
  mlir::OpBuilder at = mlir::OpBuilder::atBlockEnd(module->getBody());
  if (mlir::failed(exportFunction(graph, entryName, at, loc)))
    return std::nullopt;
  mlir::PassManager manager(&context);
  if (!passes.empty() &&
      (mlir::failed(mlir::parsePassPipeline(passes, manager)) ||
       mlir::failed(manager.run(*module))))
    return std::nullopt;
  mlir::FailureOr<PTXProgram> program = lowerToPTX(
      *module, entryName, /*setUp=*/nullptr, /*tunesLaunches=*/false);
  if (mlir::failed(program))
    return std::nullopt;
  return std::move(*program);
}

/// Returns inputs whose elements are -1, 0 and 1, the same for all graphs.
static std::vector<std::vector<char>>
makeInputs(const runtime::FunctionDescription &function) {
  std::vector<std::vector<char>> inputs(
      function.countBuffers(runtime::BufferRole::Input));
  for (const runtime::BufferDescription &buffer : function.buffers) {
    if (buffer.role != runtime::BufferRole::Input)
      continue;
    std::mt19937_64 random(buffer.index);
    std::vector<double> values(buffer.bytes / byteSize(buffer.type));
    for (double &value : values)
      value = static_cast<double>(random() % 3) - 1;
    inputs[buffer.index] = runtime::encode(buffer.type, values);
  }
  return inputs;
}

Expected<Results>
DeviceTimer::decode(const runtime::FunctionDescription &function,
                    const runtime::RunResult &run) const {
  Results results;
  for (auto [i, bytes] : llvm::enumerate(run.results)) {
    const runtime::BufferDescription &buffer =
        *function.findBuffer(function.results[i]);
    size_t size = byteSize(buffer.type);
    // An element that no kernel wrote holds the poison: no instruction makes a
    // NaN of these bits.
    for (size_t at = 0; at < bytes.size(); at += size)
      if (llvm::all_of(llvm::ArrayRef(bytes).slice(at, size),
                       [](char byte) { return byte == '\xFF'; }))
        return createStringError("no kernel wrote element " + Twine(at / size) +
                                 " of result " + Twine(i));
    results.push_back(runtime::decode(buffer.type, bytes));
  }
  return results;
}

Error DeviceTimer::compare(const Results &results) const {
  for (auto [i, pair] : llvm::enumerate(llvm::zip_equal(results, *expected)))
    for (auto [at, values] : llvm::enumerate(
             llvm::zip_equal(std::get<0>(pair), std::get<1>(pair)))) {
      auto [value, first] = values;
      if (value != first && !(std::isnan(value) && std::isnan(first)))
        return createStringError(
            "element %zu of result %zu is %g, but that of the tiling that was "
            "timed first is %g",
            size_t(at), size_t(i), value, first);
    }
  return Error::success();
}

Expected<GraphTime> DeviceTimer::time(const MuGraph &graph,
                                      llvm::StringRef passes) {
  std::string reason;
  std::optional<PTXProgram> program = lower(graph, passes, reason);
  if (!program)
    return GraphTime{0, "it does not lower: " + reason};
  const runtime::FunctionDescription *function =
      program->manifest.findFunction(entryName);
  if (!function)
    return createStringError("the lowered program has no function @" +
                             entryName);
  std::vector<std::vector<char>> inputs = makeInputs(*function);
  std::vector<llvm::ArrayRef<char>> bytes(inputs.begin(), inputs.end());
  // The driver keeps what it has compiled, which others need not wait for. Its
  // errors are those of the run.
  if (auto compiled = driver->loadModule(program->ptx); !compiled)
    llvm::consumeError(compiled.takeError());
  DeviceLock lock;
  Expected<runtime::RunResult> run =
      runtime::runFunction(*driver, *function, program->ptx, bytes, timing);
  lock.release();
  if (!run) {
    GraphTime rejected;
    Error other = llvm::handleErrors(
        run.takeError(), [&](const runtime::KernelDoesNotFit &error) {
          rejected.rejection = error.message();
        });
    if (other)
      return std::move(other);
    return rejected;
  }
  Expected<Results> results = decode(*function, *run);
  if (!results)
    return results.takeError();
  if (!expected)
    expected = std::move(*results);
  else if (options.isExact)
    if (Error error = compare(*results))
      return std::move(error);
  return GraphTime{run->timing->medianMicroseconds, ""};
}

Expected<std::unique_ptr<GraphTimer>>
mirage::makeDeviceTimer(std::unique_ptr<runtime::CudaDriver> driver,
                        const GraphTimerOptions &options,
                        const runtime::TimingOptions &timing) {
  // sm_90a has instructions that only compute capability 9.0 has.
  llvm::StringRef chip = options.target.chip;
  if (chip.rtrim("af") != driver->chip())
    return createStringError(driver->deviceName() + " is " + driver->chip() +
                             ", and kernels for " + chip +
                             " are to be measured");
  return std::make_unique<DeviceTimer>(std::move(driver), options, timing);
}

void mirage::registerDeviceTimer(mlir::DialectRegistry &registry) {
  registry.addExtension(+[](mlir::MLIRContext *, MirageDialect *dialect) {
    dialect->addInterfaces<DeviceTimerInterface>();
  });
}
