//===- KernelTiming.cpp - Timing a function on a GPU ----------------------===//

// Captures a CUDA graph in which the function runs on one copy of its buffers
// after the other, and measures replays of it with events: with kernels one
// after another and, if some do not depend on each other, beside each other.

#include "KernelStreams.h"
#include "Mirage/Runtime/LaunchStreams.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mirage::runtime;
using llvm::Error;
using llvm::Expected;

/// More copies would make the graph slow to build for little gain.
static constexpr uint64_t kMaxCopies = 1024;
/// Fewer runs in a replay would let the gap between replays count.
static constexpr uint64_t kMinRuns = 16;

/// Returns the bytes of one copy, which a run reads and writes for its caller.
/// Scratch is shared, as a run of the function leaves and finds it in the cache
/// anyway.
static uint64_t copyBytes(const FunctionDescription &function) {
  uint64_t bytes = 0;
  for (const BufferDescription &buffer : function.buffers)
    if (buffer.role != BufferRole::Scratch)
      bytes += buffer.bytes;
  return bytes;
}

Expected<GraphExec> mirage::runtime::captureRuns(
    const CudaDriver &driver, llvm::ArrayRef<PreparedKernel> kernels,
    llvm::ArrayRef<const BufferSet *> sets, uint64_t runs, const Stream &stream,
    const KernelStreams *streams) {
  auto launchAll = [&](const BufferSet &set) -> Error {
    if (streams)
      return streams->launch(driver, kernels, set, stream);
    for (const PreparedKernel &kernel : kernels)
      if (Error error = launchKernel(driver, kernel, set, stream,
                                     isLaunchedEarly(kernel, kernels)))
        return error;
    return Error::success();
  };
  if (Error error = driver.beginCapture(stream))
    return error;
  Error launched = Error::success();
  for (uint64_t run = 0; run < runs && !launched; ++run)
    launched = launchAll(*sets[run % sets.size()]);
  // The capture must end even after a failed launch.
  Expected<GraphExec> graph = driver.endCapture(stream);
  if (!launched)
    return graph;
  if (!graph)
    llvm::consumeError(graph.takeError());
  return launched;
}

/// Returns the microseconds of each measured replay. Everything is queued
/// before the first wait, so that the device goes from replay to replay without
/// the host.
static Expected<std::vector<double>> replay(const CudaDriver &driver,
                                            const GraphExec &graph,
                                            const Stream &stream,
                                            const TimingOptions &options) {
  std::vector<Event> events;
  for (int i = 0; i <= options.repeats; ++i) {
    Expected<Event> event = driver.createEvent();
    if (!event)
      return event.takeError();
    events.push_back(std::move(*event));
  }
  // One replay always goes ahead of the first event: it covers the submission
  // of what follows.
  for (int i = 0; i < std::max(options.warmup, 1); ++i)
    if (Error error = driver.launch(graph, stream))
      return error;
  if (Error error = driver.record(events[0], stream))
    return error;
  for (int i = 1; i <= options.repeats; ++i) {
    if (Error error = driver.launch(graph, stream))
      return error;
    if (Error error = driver.record(events[i], stream))
      return error;
  }
  if (Error error = driver.synchronize(stream))
    return error;
  std::vector<double> samples;
  for (int i = 1; i <= options.repeats; ++i) {
    Expected<double> sample =
        driver.elapsedMicroseconds(events[i - 1], events[i]);
    if (!sample)
      return sample.takeError();
    samples.push_back(*sample);
  }
  return samples;
}

/// Returns the time of one of `runs` runs in a graph.
static Expected<Timing> timeReplays(const CudaDriver &driver,
                                    const GraphExec &graph, uint64_t runs,
                                    const Stream &stream,
                                    const TimingOptions &options) {
  Expected<std::vector<double>> samples =
      replay(driver, graph, stream, options);
  if (!samples)
    return samples.takeError();
  llvm::sort(*samples);
  size_t middle = samples->size() / 2;
  double median = samples->size() % 2
                      ? (*samples)[middle]
                      : ((*samples)[middle - 1] + (*samples)[middle]) / 2;
  Timing timing;
  timing.medianMicroseconds = median / runs;
  timing.minMicroseconds = samples->front() / runs;
  timing.runsPerReplay = runs;
  return timing;
}

Expected<llvm::SmallVector<Timing, 2>> mirage::runtime::timeKernels(
    const CudaDriver &driver, const FunctionDescription &function,
    llvm::ArrayRef<PreparedKernel> kernels,
    llvm::ArrayRef<llvm::ArrayRef<char>> inputs, const BufferSet &first,
    const Stream &stream, const KernelStreams *streams,
    const TimingOptions &options) {
  if (options.repeats < 1 || options.warmup < 0)
    return llvm::createStringError(
        "timing needs at least one repeat and no negative warm-up");
  if (kernels.empty())
    return llvm::createStringError("function '" + function.name +
                                   "' launches no kernel, so there is nothing "
                                   "to time");
  uint64_t bytes = copyBytes(function), copies = 1;
  if (options.rotateBytes && bytes)
    copies = std::clamp<uint64_t>(llvm::divideCeil(options.rotateBytes, bytes),
                                  2, kMaxCopies);

  std::vector<BufferSet> others;
  std::vector<const BufferSet *> sets = {&first};
  others.reserve(copies - 1);
  while (sets.size() < copies) {
    Expected<BufferSet> set =
        BufferSet::create(driver, function, inputs, ScratchPlaces::Shared,
                          /*scratchOwner=*/&first);
    if (!set)
      return set.takeError();
    others.push_back(std::move(*set));
    sets.push_back(&others.back());
  }
  uint64_t runs = llvm::alignTo(std::max(copies, kMinRuns), copies);
  llvm::SmallVector<const KernelStreams *, 2> ways = {nullptr};
  if (streams)
    ways.push_back(streams);
  llvm::SmallVector<Timing, 2> timings;
  for (const KernelStreams *way : ways) {
    Expected<GraphExec> graph =
        captureRuns(driver, kernels, sets, runs, stream, way);
    if (!graph)
      return graph.takeError();
    Expected<Timing> timing =
        timeReplays(driver, *graph, runs, stream, options);
    if (!timing)
      return timing.takeError();
    timing->rotatedBytes = copies * bytes;
    timing->streams = way ? countStreams(function) : 1;
    timings.push_back(*timing);
  }
  return timings;
}
