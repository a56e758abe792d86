//===- KernelTiming.cpp - Timing a function on a GPU ----------------------===//

// Captures a CUDA graph in which the function runs on one copy of its buffers
// after the other, and measures replays of it with events.

#include "PreparedKernel.h"
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

static Expected<GraphExec> captureRuns(const CudaDriver &driver,
                                       llvm::ArrayRef<PreparedKernel> kernels,
                                       llvm::ArrayRef<const BufferSet *> sets,
                                       uint64_t runs, const Stream &stream) {
  if (Error error = driver.beginCapture(stream))
    return error;
  Error launched = Error::success();
  for (uint64_t run = 0; run < runs && !launched; ++run)
    for (const PreparedKernel &kernel : kernels)
      if ((launched = launchKernel(driver, kernel, *sets[run % sets.size()],
                                   stream, isLaunchedEarly(kernel, kernels))))
        break;
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

Expected<Timing> mirage::runtime::timeKernels(
    const CudaDriver &driver, const FunctionDescription &function,
    llvm::ArrayRef<PreparedKernel> kernels,
    llvm::ArrayRef<llvm::ArrayRef<char>> inputs, const BufferSet &first,
    const Stream &stream, const TimingOptions &options) {
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
        BufferSet::create(driver, function, inputs, &first);
    if (!set)
      return set.takeError();
    others.push_back(std::move(*set));
    sets.push_back(&others.back());
  }
  uint64_t runs = llvm::alignTo(std::max(copies, kMinRuns), copies);
  Expected<GraphExec> graph = captureRuns(driver, kernels, sets, runs, stream);
  if (!graph)
    return graph.takeError();
  Expected<std::vector<double>> samples =
      replay(driver, *graph, stream, options);
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
  timing.rotatedBytes = copies * bytes;
  return timing;
}
