//===- PreparedKernel.h - Kernels ready to launch ---------------*- C++ -*-===//

// Declares the kernels of a function as the runner and the timer launch them.
// It is private to the runtime library.

#ifndef MIRAGE_LIB_RUNTIME_PREPAREDKERNEL_H
#define MIRAGE_LIB_RUNTIME_PREPAREDKERNEL_H

#include "BufferSet.h"
#include "Mirage/Runtime/KernelRunner.h"

namespace mirage::runtime {

struct PreparedKernel {
  const KernelDescription *description;
  cuda::CUfunction function;
  /// The positions of the parameters' buffers in the function's list.
  llvm::SmallVector<size_t> buffers;
  /// The same of the tensor maps' buffers.
  llvm::SmallVector<size_t> mappedBuffers = {};
};

/// Returns true if a kernel of a function may be launched while the one before
/// it runs.
inline bool isLaunchedEarly(const PreparedKernel &kernel,
                            llvm::ArrayRef<PreparedKernel> ofFunction) {
  return kernel.description->waits && &kernel != ofFunction.begin();
}

/// Queues one launch on the buffers of `set`. The error names the kernel. An
/// early launch follows one of the same function.
llvm::Error launchKernel(const CudaDriver &driver, const PreparedKernel &kernel,
                         const BufferSet &set, const Stream &stream,
                         bool early = false);

class KernelStreams;

/// Captures a graph of runs of `kernels`, one after another, on the sets in
/// turn: with kernels beside each other if there are streams for it, else with
/// one after another.
llvm::Expected<GraphExec> captureRuns(const CudaDriver &driver,
                                      llvm::ArrayRef<PreparedKernel> kernels,
                                      llvm::ArrayRef<const BufferSet *> sets,
                                      uint64_t runs, const Stream &stream,
                                      const KernelStreams *streams);

/// Times `kernels`, which have run once. `first` is the set they ran on.
/// Returns the time with kernels one after another and, if there are `streams`,
/// with kernels beside each other.
llvm::Expected<llvm::SmallVector<Timing, 2>>
timeKernels(const CudaDriver &driver, const FunctionDescription &function,
            llvm::ArrayRef<PreparedKernel> kernels,
            llvm::ArrayRef<llvm::ArrayRef<char>> inputs, const BufferSet &first,
            const Stream &stream, const KernelStreams *streams,
            const TimingOptions &options);

} // namespace mirage::runtime

#endif // MIRAGE_LIB_RUNTIME_PREPAREDKERNEL_H
