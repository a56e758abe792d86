//===- KernelRunner.h - Running lowered functions on a GPU ------*- C++ -*-===//

// Runs one function of a manifest on a device: in come its PTX and input bytes,
// out come its result bytes and what the compiled kernels use. Reads of
// uninitialized memory and writes out of bounds are made visible; optionally
// the function is timed.

#ifndef MIRAGE_RUNTIME_KERNELRUNNER_H
#define MIRAGE_RUNTIME_KERNELRUNNER_H

#include "Mirage/Runtime/CudaDriver.h"
#include "Mirage/Runtime/Manifest.h"

namespace mirage::runtime {

/// Says how a measurement is made.
struct TimingOptions {
  /// The graph is replayed so many times before the measurement.
  int warmup = 3;
  /// So many replays are measured.
  int repeats = 20;
  /// The replayed runs rotate over copies of inputs and outputs of at least
  /// this many bytes in total, so that a run does not find in the L2 cache what
  /// an earlier one read. At most 1024 copies are made, which falls short where
  /// a copy is small: see Timing::rotatedBytes. 0 makes one copy: a warm cache.
  size_t rotateBytes = size_t(256) << 20;
};

/// The time of one run of a whole function, all its kernels, in microseconds.
/// Each sample is one replay of a CUDA graph divided by the runs in it.
struct Timing {
  double medianMicroseconds = 0;
  double minMicroseconds = 0;
  /// The graph has so many runs of the function.
  unsigned runsPerReplay = 0;
  /// The runs rotated over so many bytes of inputs and outputs.
  uint64_t rotatedBytes = 0;
  /// The kernels of a run are on so many streams of the graph.
  unsigned streams = 1;
};

/// The resources that a compiled kernel uses.
struct KernelReport {
  std::string name;
  /// A thread has so many registers.
  int registers = 0;
  /// A thread has so many bytes of local memory, for spilled registers and the
  /// stack.
  int localBytes = 0;
  /// A block has so many bytes of shared memory: what the code declares, and
  /// what the launch adds.
  int staticSharedBytes = 0;
  uint32_t dynamicSharedBytes = 0;
};

/// The outcome of a run.
struct RunResult {
  /// The bytes of the function's results, in order.
  std::vector<std::vector<char>> results;
  /// The resources of each launch, in order.
  std::vector<KernelReport> kernels;
  /// These are messages of the PTX compiler; they are empty if the driver had
  /// the code cached.
  std::string compilerLog;
  /// The measured time; it is set if timing was asked for. It is that of the
  /// faster way, if kernels of the function do not depend on each other: they
  /// are beside each other on several streams, or one after another on one.
  std::optional<Timing> timing;
  /// The time of the slower way, if there are two.
  std::optional<Timing> slowerTiming;
};

/// Says that the device cannot launch a kernel: it takes too many threads or
/// too much shared memory.
class KernelDoesNotFit
    : public llvm::ErrorInfo<KernelDoesNotFit, llvm::StringError> {
public:
  static char ID;
  explicit KernelDoesNotFit(const llvm::Twine &message)
      : ErrorInfo(message, llvm::inconvertibleErrorCode()) {}
};

/// Runs `function`, whose kernels are in `ptx`, on `inputs`: the bytes of each
/// input, in order of the manifest's index.
///
/// Outputs and scratch hold 0xFF bytes before the run, a NaN in every element
/// type, so what no kernel writes does not look like a result. Each buffer lies
/// between two zones of 256 guard bytes; an error names a buffer that a kernel
/// wrote beyond. Errors of a kernel name it; those of its size are
/// KernelDoesNotFit. After an error on the device (such
/// as an illegal address) its context is lost, and every later call fails. A
/// function whose kernels wait for others, share bytes of scratch, or are on
/// several streams runs once more, as a launcher would execute it, and its
/// results are those of that run: scratch lies where the manifest says, each
/// kernel that waits is launched while the one before it runs, and kernels that
/// do not depend on each other are on several streams of a captured graph.
llvm::Expected<RunResult>
runFunction(const CudaDriver &driver, const FunctionDescription &function,
            llvm::StringRef ptx, llvm::ArrayRef<llvm::ArrayRef<char>> inputs,
            std::optional<TimingOptions> timing = std::nullopt);

} // namespace mirage::runtime

#endif // MIRAGE_RUNTIME_KERNELRUNNER_H
