//===- KernelStreams.h - A function's kernels on streams --------*- C++ -*-===//

// Queues kernels on the streams that the manifest says, while a CUDA graph is
// captured. It is private to the runtime library.

#ifndef MIRAGE_LIB_RUNTIME_KERNELSTREAMS_H
#define MIRAGE_LIB_RUNTIME_KERNELSTREAMS_H

#include "PreparedKernel.h"

namespace mirage::runtime {

/// Holds the streams and the events that a function's kernels need beside the
/// stream that is captured.
class KernelStreams {
public:
  /// Makes them for `function`, which is verified and outlives the object.
  static llvm::Expected<KernelStreams>
  create(const CudaDriver &driver, const FunctionDescription &function);

  /// Queues the function's kernels on the buffers of `set`. The first stream is
  /// `stream`, which is captured; the others part from it and meet it again,
  /// so that what is queued on it later waits for all kernels.
  llvm::Error launch(const CudaDriver &driver,
                     llvm::ArrayRef<PreparedKernel> kernels,
                     const BufferSet &set, const Stream &stream) const;

private:
  explicit KernelStreams(const FunctionDescription &function)
      : function(&function) {}

  const FunctionDescription *function;
  /// These are the streams but for the first.
  std::vector<Stream> branches;
  /// This is recorded where the branches part from the first stream.
  Event begun;
  /// These are recorded at the end of each branch.
  std::vector<Event> joined;
  /// These are recorded behind each kernel that others wait for; the others'
  /// are null.
  std::vector<Event> ended;
};

} // namespace mirage::runtime

#endif // MIRAGE_LIB_RUNTIME_KERNELSTREAMS_H
