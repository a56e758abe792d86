//===- FakeCuda.h - A CUDA driver for tests without a GPU -------*- C++ -*-===//

// Stands in for the driver library: device memory is host memory, kernels are
// C++ functions registered by name. A captured graph knows which of its kernels
// come behind which, by streams and events, and replays them in an order that
// keeps to nothing else. Objects that must not leak are counted.

#ifndef MIRAGE_UNITTESTS_RUNTIME_FAKECUDA_H
#define MIRAGE_UNITTESTS_RUNTIME_FAKECUDA_H

#include "Mirage/Runtime/CudaTypes.h"
#include "llvm/ADT/ArrayRef.h"
#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace mirage::runtime {

/// A kernel: what it does with its buffers, and its attributes.
struct FakeKernel {
  unsigned parameters = 0;
  std::function<void(llvm::ArrayRef<char *>)> run;
  int registers = 32;
  int localBytes = 0;
  int staticSharedBytes = 0;
  int maxThreads = 1024;
  int maxDynamicSharedBytes = 49152;
  bool nonPortableCluster = false;
};

/// The state of the fake, one for the process. Reset it before each test.
struct FakeCuda {
  int deviceCount = 1;
  std::map<std::string, FakeKernel> kernels;
  /// PTX of this text does not compile.
  std::string badPtx = "bad";
  /// The next synchronization after a launch fails.
  bool faultAtLaunch = false;

  /// The number of kernels that ran, and the cluster of the last launch.
  unsigned runs = 0;
  std::array<unsigned, 3> lastCluster = {};
  /// The distinct first arguments that kernels ran on.
  std::map<char *, unsigned> firstArguments;
  /// The number of objects that were made and not destroyed.
  int liveAllocations = 0, liveModules = 0, liveStreams = 0, liveEvents = 0,
      liveGraphs = 0, liveContexts = 0;

  bool faulted = false;
  /// A launch of the graph that is captured, and the launches before it that
  /// have to end before it begins.
  struct Node {
    std::function<void()> run;
    std::set<size_t> after;
  };
  std::vector<Node> captured;
  /// The stream on which the capture began, and for each stream that is in the
  /// capture the launches that what comes next on it has to wait for.
  cuda::CUstream origin = nullptr;
  std::map<cuda::CUstream, std::set<size_t>> frontiers;
  /// The streams of the last graph, and its launches that were early.
  size_t graphStreams = 0;
  unsigned earlyLaunches = 0;
  /// It draws the order in which the launches of a graph run.
  std::mt19937 random{1};
  /// The next event's time.
  float milliseconds = 0;

  static FakeCuda &instance();
  void reset() { *this = FakeCuda(); }
  int liveObjects() const {
    return liveAllocations + liveModules + liveStreams + liveEvents +
           liveGraphs + liveContexts;
  }
};

/// Returns every function of the driver API, on FakeCuda::instance().
cuda::CudaFunctions fakeCudaFunctions();

} // namespace mirage::runtime

#endif // MIRAGE_UNITTESTS_RUNTIME_FAKECUDA_H
