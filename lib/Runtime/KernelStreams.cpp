//===- KernelStreams.cpp - A function's kernels on streams ----------------===//

// Forks streams from the one that is captured, queues each kernel behind the
// events of those that it waits for, and joins the streams. That is for graphs:
// where each kernel is submitted by itself, events between streams take longer
// than most kernels.

#include "KernelStreams.h"
#include "Mirage/Runtime/LaunchStreams.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace mirage::runtime;
using llvm::Error;
using llvm::Expected;

Expected<KernelStreams>
KernelStreams::create(const CudaDriver &driver,
                      const FunctionDescription &function) {
  KernelStreams streams(function);
  auto makeEvent = [&](Event &event) -> Error {
    Expected<Event> made = driver.createEvent();
    if (!made)
      return made.takeError();
    event = std::move(*made);
    return Error::success();
  };
  if (Error error = makeEvent(streams.begun))
    return error;
  for (unsigned i = 1, count = countStreams(function); i < count; ++i) {
    Expected<Stream> stream = driver.createStream();
    if (!stream)
      return stream.takeError();
    streams.branches.push_back(std::move(*stream));
    if (Error error = makeEvent(streams.joined.emplace_back()))
      return error;
  }
  streams.ended.resize(function.kernels.size());
  for (const KernelDescription &kernel : function.kernels)
    for (uint32_t other : kernel.after)
      if (!streams.ended[other].get())
        if (Error error = makeEvent(streams.ended[other]))
          return error;
  return streams;
}

Error KernelStreams::launch(const CudaDriver &driver,
                            llvm::ArrayRef<PreparedKernel> kernels,
                            const BufferSet &set, const Stream &stream) const {
  if (Error error = driver.record(begun, stream))
    return error;
  llvm::BitVector hasBegun(branches.size());
  for (auto [number, kernel] : llvm::enumerate(function->kernels)) {
    const Stream *own = &stream;
    if (kernel.stream > 0) {
      own = &branches[kernel.stream - 1];
      if (!hasBegun[kernel.stream - 1])
        if (Error error = driver.wait(*own, begun))
          return error;
      hasBegun.set(kernel.stream - 1);
    }
    for (uint32_t other : kernel.after)
      if (Error error = driver.wait(*own, ended[other]))
        return error;
    if (Error error = launchKernel(driver, kernels[number], set, *own,
                                   isEarlyOnStream(*function, number)))
      return error;
    if (ended[number].get())
      if (Error error = driver.record(ended[number], *own))
        return error;
  }
  for (const auto &[branch, event] : llvm::zip_equal(branches, joined)) {
    if (Error error = driver.record(event, branch))
      return error;
    if (Error error = driver.wait(stream, event))
      return error;
  }
  return Error::success();
}
