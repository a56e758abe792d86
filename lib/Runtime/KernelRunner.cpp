//===- KernelRunner.cpp - Running lowered functions on a GPU --------------===//

// Checks the call against the manifest, compiles, launches each kernel in
// order, then all as a launcher would, and collects results and resource use.
// Memory is in BufferSet.cpp, streams are in KernelStreams.cpp, timing is in
// KernelTiming.cpp.

#include "Mirage/Runtime/KernelRunner.h"
#include "KernelStreams.h"
#include "Mirage/Runtime/LaunchStreams.h"

using namespace mirage::runtime;
using namespace mirage::runtime::cuda;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

char KernelDoesNotFit::ID = 0;

static Error inKernel(llvm::StringRef name, Error error) {
  if (!error)
    return error;
  if (error.isA<KernelDoesNotFit>())
    return llvm::make_error<KernelDoesNotFit>(
        "kernel '" + name + "': " + toString(std::move(error)));
  return createStringError("kernel '" + name +
                           "': " + toString(std::move(error)));
}

static Error checkInputs(const FunctionDescription &function,
                         llvm::ArrayRef<llvm::ArrayRef<char>> inputs) {
  unsigned expected = function.countBuffers(BufferRole::Input);
  if (inputs.size() != expected)
    return createStringError("function '" + function.name + "' takes " +
                             Twine(expected) + " inputs, " +
                             Twine(inputs.size()) + " are given");
  for (const BufferDescription &buffer : function.buffers)
    if (buffer.role == BufferRole::Input &&
        inputs[buffer.index].size() != buffer.bytes)
      return createStringError(
          "input " + Twine(buffer.index) + " ('" + buffer.name +
          "') of function '" + function.name + "' has " + Twine(buffer.bytes) +
          " bytes, " + Twine(inputs[buffer.index].size()) + " are given");
  return Error::success();
}

/// Reads what the kernel uses, checks it against the device, and sets what the
/// launch needs.
static Expected<KernelReport> configure(const CudaDriver &driver,
                                        const KernelDescription &kernel,
                                        CUfunction function) {
  KernelReport report;
  report.name = kernel.name;
  report.dynamicSharedBytes = kernel.sharedMemoryBytes;
  int maxThreads = 0, maxDynamic = 0;
  const std::pair<CUfunction_attribute, int *> attributes[] = {
      {CU_FUNC_ATTRIBUTE_NUM_REGS, &report.registers},
      {CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, &report.localBytes},
      {CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, &report.staticSharedBytes},
      {CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &maxThreads},
      {CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, &maxDynamic}};
  for (auto [attribute, value] : attributes) {
    Expected<int> read = driver.getAttribute(function, attribute);
    if (!read)
      return read.takeError();
    *value = *read;
  }
  uint32_t threads = kernel.block[0] * kernel.block[1] * kernel.block[2];
  if (threads > static_cast<uint32_t>(maxThreads))
    return llvm::make_error<KernelDoesNotFit>(
        "a block has " + Twine(threads) + " threads, but with " +
        Twine(report.registers) +
        " registers each (or by its .maxntid) the kernel can have " +
        Twine(maxThreads));
  uint64_t shared =
      uint64_t(report.staticSharedBytes) + uint64_t(report.dynamicSharedBytes);
  if (shared > driver.maxSharedMemoryBytes())
    return llvm::make_error<KernelDoesNotFit>(
        "a block needs " + Twine(report.staticSharedBytes) + " static and " +
        Twine(report.dynamicSharedBytes) + " dynamic bytes of shared memory; " +
        driver.deviceName() + " has " + Twine(driver.maxSharedMemoryBytes()));

  // The attribute is only ever raised: another launch of the same entry may
  // need more.
  if (kernel.sharedMemoryBytes > static_cast<uint32_t>(maxDynamic))
    if (Error error = driver.setAttribute(
            function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
            static_cast<int>(kernel.sharedMemoryBytes)))
      return error;
  // Every device with clusters takes 8 blocks; some take 16 when asked to.
  if (kernel.cluster[0] * kernel.cluster[1] * kernel.cluster[2] > 8)
    if (Error error = driver.setAttribute(
            function, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1))
      return error;
  return report;
}

static Expected<PreparedKernel> prepare(const CudaDriver &driver,
                                        const Module &module,
                                        const FunctionDescription &function,
                                        const KernelDescription &kernel,
                                        RunResult &result) {
  PreparedKernel prepared;
  prepared.description = &kernel;
  Expected<CUfunction> handle = driver.getFunction(module, kernel.name);
  if (!handle)
    return handle.takeError();
  prepared.function = *handle;
  auto getPosition = [&](llvm::StringRef name) -> size_t {
    return function.findBuffer(name) - function.buffers.data();
  };
  for (const std::string &name : kernel.arguments)
    prepared.buffers.push_back(getPosition(name));
  for (const TensorMapDescription &map : kernel.tensorMaps)
    prepared.mappedBuffers.push_back(getPosition(map.buffer));
  Expected<KernelReport> report = configure(driver, kernel, *handle);
  if (!report)
    return inKernel(kernel.name, report.takeError());
  result.kernels.push_back(std::move(*report));
  return prepared;
}

Error mirage::runtime::launchKernel(const CudaDriver &driver,
                                    const PreparedKernel &kernel,
                                    const BufferSet &set, const Stream &stream,
                                    bool early) {
  llvm::SmallVector<CUdeviceptr> addresses;
  for (size_t position : kernel.buffers)
    addresses.push_back(set.address(position));
  llvm::SmallVector<void *> parameters;
  for (CUdeviceptr &address : addresses)
    parameters.push_back(&address);
  llvm::SmallVector<CUtensorMap> maps;
  for (auto [map, position] :
       llvm::zip_equal(kernel.description->tensorMaps, kernel.mappedBuffers)) {
    Expected<CUtensorMap> encoded = driver.encode(map, set.address(position));
    if (!encoded)
      return inKernel(kernel.description->name, encoded.takeError());
    maps.push_back(*encoded);
  }
  for (CUtensorMap &map : maps)
    parameters.push_back(&map);
  return inKernel(kernel.description->name,
                  driver.launch(kernel.function, *kernel.description,
                                parameters, stream, early));
}

/// Says whether any bytes of the scratch memory are of several buffers.
static bool sharesScratch(const FunctionDescription &function) {
  std::vector<std::pair<uint64_t, uint64_t>> placed;
  for (const BufferDescription &buffer : function.buffers)
    if (buffer.role == BufferRole::Scratch && buffer.bytes)
      placed.push_back({buffer.offset, buffer.offset + buffer.bytes});
  llvm::sort(placed);
  for (size_t i = 1; i < placed.size(); ++i)
    if (placed[i].first < placed[i - 1].second)
      return true;
  return false;
}

Expected<RunResult> mirage::runtime::runFunction(
    const CudaDriver &driver, const FunctionDescription &function,
    llvm::StringRef ptx, llvm::ArrayRef<llvm::ArrayRef<char>> inputs,
    std::optional<TimingOptions> timing) {
  if (Error error = verify(function))
    return error;
  if (Error error = checkInputs(function, inputs))
    return error;

  RunResult result;
  // A function that only returns arguments may come without any PTX.
  Expected<Module> module =
      function.kernels.empty() ? Module() : driver.loadModule(ptx);
  if (!module)
    return module.takeError();
  result.compilerLog = module->log;
  std::vector<PreparedKernel> kernels;
  for (const KernelDescription &kernel : function.kernels) {
    Expected<PreparedKernel> prepared =
        prepare(driver, *module, function, kernel, result);
    if (!prepared)
      return prepared.takeError();
    kernels.push_back(std::move(*prepared));
  }

  Expected<Stream> stream = driver.createStream();
  if (!stream)
    return stream.takeError();
  std::optional<KernelStreams> streams;
  if (countStreams(function) > 1) {
    Expected<KernelStreams> created = KernelStreams::create(driver, function);
    if (!created)
      return created.takeError();
    streams.emplace(std::move(*created));
  }
  std::optional<BufferSet> set;
  auto makeBuffers = [&](ScratchPlaces places) -> Error {
    // The buffers of another run are freed first.
    set.reset();
    Expected<BufferSet> created =
        BufferSet::create(driver, function, inputs, places);
    if (!created)
      return created.takeError();
    set = std::move(*created);
    return Error::success();
  };
  auto runOneByOne = [&]() -> Error {
    if (Error error = makeBuffers(ScratchPlaces::Apart))
      return error;
    for (const PreparedKernel &kernel : kernels) {
      if (Error error = launchKernel(driver, kernel, *set, *stream))
        return error;
      // Waiting after each kernel lets a fault be reported with its name.
      if (Error error =
              inKernel(kernel.description->name, driver.synchronize(*stream)))
        return error;
    }
    return set->checkGuards(driver);
  };
  auto runAsExecuted = [&]() -> Error {
    if (Error error = makeBuffers(ScratchPlaces::Shared))
      return error;
    Expected<GraphExec> graph =
        captureRuns(driver, kernels, &*set, /*runs=*/1, *stream,
                    streams ? &*streams : nullptr);
    if (!graph)
      return graph.takeError();
    if (Error error = driver.launch(*graph, *stream))
      return error;
    if (Error error = driver.synchronize(*stream))
      return error;
    return set->checkGuards(driver);
  };
  if (Error error = runOneByOne())
    return error;
  bool hasEarly = llvm::any_of(kernels, [&](const PreparedKernel &kernel) {
    return isLaunchedEarly(kernel, kernels);
  });
  if (hasEarly || streams || sharesScratch(function))
    if (Error error = runAsExecuted())
      return error;
  for (const std::string &name : function.results) {
    Expected<std::vector<char>> contents =
        set->read(driver, function.findBuffer(name) - function.buffers.data());
    if (!contents)
      return contents.takeError();
    result.results.push_back(std::move(*contents));
  }
  if (!timing)
    return result;
  auto measured = timeKernels(driver, function, kernels, inputs, *set, *stream,
                              streams ? &*streams : nullptr, *timing);
  if (!measured)
    return measured.takeError();
  result.timing = measured->front();
  if (measured->size() > 1) {
    result.slowerTiming = measured->back();
    if (result.slowerTiming->medianMicroseconds <
        result.timing->medianMicroseconds)
      std::swap(result.timing, result.slowerTiming);
  }
  return result;
}
