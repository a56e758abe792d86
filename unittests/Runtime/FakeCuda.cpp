//===- FakeCuda.cpp - A CUDA driver for tests without a GPU ---------------===//

// Implements the driver functions on the state in FakeCuda. Checks of arguments
// are those a real driver makes and the runtime could violate.

#include "FakeCuda.h"
#include "llvm/ADT/STLExtras.h"
#include <cstdlib>
#include <cstring>

using namespace mirage::runtime;
using namespace mirage::runtime::cuda;

FakeCuda &FakeCuda::instance() {
  static FakeCuda state;
  return state;
}

static FakeCuda &fake() { return FakeCuda::instance(); }

/// Handles are pointers to objects that nobody looks at.
template <typename T> static T makeHandle(int &live) {
  ++live;
  static char object;
  return reinterpret_cast<T>(&object);
}

/// CUDA_ERROR_STREAM_CAPTURE_UNJOINED and CUDA_ERROR_INVALID_HANDLE.
static constexpr auto kUnjoined = static_cast<CUresult>(904),
                      kNoHandle = static_cast<CUresult>(400);

static CUresult destroyHandle(int &live) {
  --live;
  return CUDA_SUCCESS;
}

namespace {
struct FakeGraph {
  std::vector<FakeCuda::Node> nodes;
};
struct FakeStream {};
struct FakeEvent {
  float milliseconds = 0;
  /// The launches behind which it was recorded while a stream was captured.
  std::optional<std::set<size_t>> captured;
};
} // namespace

/// Runs a graph's launches, each at any time at which it may run.
static void runGraph(const FakeGraph &graph) {
  std::vector<bool> ended(graph.nodes.size());
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    std::vector<size_t> ready;
    for (size_t node = 0; node < graph.nodes.size(); ++node)
      if (!ended[node] && llvm::all_of(graph.nodes[node].after,
                                       [&](size_t b) { return ended[b]; }))
        ready.push_back(node);
    size_t next = ready[fake().random() % ready.size()];
    graph.nodes[next].run();
    ended[next] = true;
  }
}

static CUresult launch(CUfunction function, void **parameters,
                       std::array<unsigned, 3> cluster, unsigned shared,
                       CUstream stream) {
  auto *kernel = reinterpret_cast<FakeKernel *>(function);
  if (static_cast<int>(shared) > kernel->maxDynamicSharedBytes ||
      (cluster[0] * cluster[1] * cluster[2] > 8 && !kernel->nonPortableCluster))
    return CUDA_ERROR_INVALID_VALUE;
  std::vector<char *> arguments;
  for (unsigned i = 0; i < kernel->parameters; ++i)
    arguments.push_back(
        reinterpret_cast<char *>(*static_cast<CUdeviceptr *>(parameters[i])));
  auto run = [=] {
    ++fake().runs;
    fake().lastCluster = cluster;
    if (!arguments.empty())
      ++fake().firstArguments[arguments[0]];
    kernel->run(arguments);
    fake().faulted |= fake().faultAtLaunch;
  };
  auto found = fake().frontiers.find(stream);
  if (found == fake().frontiers.end()) {
    // A launch while another stream is captured is not part of the graph.
    if (fake().origin)
      return CUDA_ERROR_INVALID_VALUE;
    run();
    return CUDA_SUCCESS;
  }
  std::set<size_t> after =
      std::exchange(found->second, {fake().captured.size()});
  fake().captured.push_back({run, std::move(after)});
  return CUDA_SUCCESS;
}

static CUresult synchronize() {
  return fake().faulted ? static_cast<CUresult>(700) : CUDA_SUCCESS;
}

static void fillDeviceFunctions(CudaFunctions &api) {
  api.cuGetErrorName = [](CUresult result, const char **name) {
    *name = result == 700   ? "CUDA_ERROR_ILLEGAL_ADDRESS"
            : result == 218 ? "CUDA_ERROR_INVALID_PTX"
            : result == 500 ? "CUDA_ERROR_NOT_FOUND"
            : result == 1   ? "CUDA_ERROR_INVALID_VALUE"
                            : nullptr;
    return CUDA_SUCCESS;
  };
  api.cuGetErrorString = [](CUresult, const char **text) {
    *text = "some text";
    return CUDA_SUCCESS;
  };
  api.cuInit = [](unsigned) { return CUDA_SUCCESS; };
  api.cuDeviceGetCount = [](int *count) {
    *count = fake().deviceCount;
    return CUDA_SUCCESS;
  };
  api.cuDeviceGet = [](CUdevice *device, int ordinal) {
    *device = ordinal;
    return CUDA_SUCCESS;
  };
  api.cuDeviceGetName = [](char *name, int, CUdevice) {
    std::strcpy(name, "Fake GPU");
    return CUDA_SUCCESS;
  };
  api.cuDeviceGetAttribute = [](int *value, CUdevice_attribute attribute,
                                CUdevice) {
    *value = attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR ? 9
             : attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR
                 ? 0
                 : 232448;
    return CUDA_SUCCESS;
  };
  api.cuDevicePrimaryCtxRetain = [](CUcontext *context, CUdevice) {
    *context = makeHandle<CUcontext>(fake().liveContexts);
    return CUDA_SUCCESS;
  };
  api.cuDevicePrimaryCtxRelease_v2 = [](CUdevice) {
    return destroyHandle(fake().liveContexts);
  };
  api.cuCtxSetCurrent = [](CUcontext) { return CUDA_SUCCESS; };
  api.cuCtxSynchronize = [] { return synchronize(); };
}

static void fillKernelFunctions(CudaFunctions &api) {
  api.cuModuleLoadDataEx = [](CUmodule *module, const void *image,
                              unsigned count, CUjit_option *options,
                              void **values) {
    bool isBad = fake().badPtx == static_cast<const char *>(image);
    for (unsigned i = 0; i < count; ++i)
      if (options[i] ==
          (isBad ? CU_JIT_ERROR_LOG_BUFFER : CU_JIT_INFO_LOG_BUFFER))
        std::strcpy(static_cast<char *>(values[i]),
                    isBad ? "ptxas error: line 1\n" : "ptxas info: fine\n");
    if (isBad)
      return static_cast<CUresult>(218);
    *module = makeHandle<CUmodule>(fake().liveModules);
    return CUDA_SUCCESS;
  };
  api.cuModuleUnload = [](CUmodule) {
    return destroyHandle(fake().liveModules);
  };
  api.cuModuleGetFunction = [](CUfunction *function, CUmodule,
                               const char *name) {
    auto kernel = fake().kernels.find(name);
    if (kernel == fake().kernels.end())
      return static_cast<CUresult>(500);
    *function = reinterpret_cast<CUfunction>(&kernel->second);
    return CUDA_SUCCESS;
  };
  api.cuFuncGetAttribute = [](int *value, CUfunction_attribute attribute,
                              CUfunction function) {
    auto *kernel = reinterpret_cast<FakeKernel *>(function);
    *value = attribute == CU_FUNC_ATTRIBUTE_NUM_REGS ? kernel->registers
             : attribute == CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES
                 ? kernel->localBytes
             : attribute == CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES
                 ? kernel->staticSharedBytes
             : attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
                 ? kernel->maxDynamicSharedBytes
                 : kernel->maxThreads;
    return CUDA_SUCCESS;
  };
  api.cuFuncSetAttribute = [](CUfunction function,
                              CUfunction_attribute attribute, int value) {
    auto *kernel = reinterpret_cast<FakeKernel *>(function);
    if (attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)
      kernel->maxDynamicSharedBytes = value;
    else
      kernel->nonPortableCluster = value;
    return CUDA_SUCCESS;
  };
  // A tensor map is the address of its buffer, and what else can be asked for.
  api.cuTensorMapEncodeTiled =
      [](CUtensorMap *map, CUtensorMapDataType type, uint32_t rank,
         void *address, const uint64_t *sizes, const uint64_t *strides,
         const uint32_t *box, const uint32_t *steps, CUtensorMapInterleave,
         CUtensorMapSwizzle swizzle, CUtensorMapL2promotion,
         CUtensorMapFloatOOBfill) {
        if (rank < 1 || reinterpret_cast<uintptr_t>(address) % 16)
          return CUDA_ERROR_INVALID_VALUE;
        *map = {};
        map->opaque[0] = reinterpret_cast<uintptr_t>(address);
        map->opaque[1] = rank;
        map->opaque[2] = sizes[0];
        map->opaque[3] = rank > 1 ? strides[0] : 0;
        map->opaque[4] = box[0] * steps[0];
        map->opaque[5] = type;
        map->opaque[6] = swizzle;
        return CUDA_SUCCESS;
      };
  api.cuLaunchKernel = [](CUfunction function, unsigned, unsigned, unsigned,
                          unsigned, unsigned, unsigned, unsigned shared,
                          CUstream stream, void **parameters, void **) {
    return launch(function, parameters, {1, 1, 1}, shared, stream);
  };
  api.cuLaunchKernelEx = [](const CUlaunchConfig *config, CUfunction function,
                            void **parameters, void **) {
    std::array<unsigned, 3> cluster = {1, 1, 1};
    for (unsigned i = 0; i < config->numAttrs; ++i) {
      const auto &[id, pad, value] = config->attrs[i];
      if (id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
        cluster = {value.clusterDim.x, value.clusterDim.y, value.clusterDim.z};
      else
        fake().earlyLaunches += value.programmaticStreamSerializationAllowed;
    }
    return launch(function, parameters, cluster, config->sharedMemBytes,
                  config->hStream);
  };
}

static void fillMemoryFunctions(CudaFunctions &api) {
  api.cuMemAlloc_v2 = [](CUdeviceptr *pointer, size_t bytes) {
    if (bytes == 0 || bytes > (size_t(1) << 32))
      return CUDA_ERROR_INVALID_VALUE;
    ++fake().liveAllocations;
    *pointer = reinterpret_cast<CUdeviceptr>(std::malloc(bytes));
    return CUDA_SUCCESS;
  };
  api.cuMemFree_v2 = [](CUdeviceptr pointer) {
    std::free(reinterpret_cast<void *>(pointer));
    return destroyHandle(fake().liveAllocations);
  };
  api.cuMemcpyHtoD_v2 = [](CUdeviceptr target, const void *source,
                           size_t bytes) {
    std::memcpy(reinterpret_cast<void *>(target), source, bytes);
    return CUDA_SUCCESS;
  };
  api.cuMemcpyDtoH_v2 = [](void *target, CUdeviceptr source, size_t bytes) {
    std::memcpy(target, reinterpret_cast<const void *>(source), bytes);
    return CUDA_SUCCESS;
  };
  api.cuMemsetD8_v2 = [](CUdeviceptr target, unsigned char value,
                         size_t bytes) {
    std::memset(reinterpret_cast<void *>(target), value, bytes);
    return CUDA_SUCCESS;
  };
}

static void fillStreamFunctions(CudaFunctions &api) {
  api.cuStreamCreate = [](CUstream *stream, unsigned) {
    ++fake().liveStreams;
    *stream = reinterpret_cast<CUstream>(new FakeStream);
    return CUDA_SUCCESS;
  };
  api.cuStreamDestroy_v2 = [](CUstream stream) {
    delete reinterpret_cast<FakeStream *>(stream);
    return destroyHandle(fake().liveStreams);
  };
  api.cuStreamSynchronize = [](CUstream) { return synchronize(); };
  api.cuStreamBeginCapture_v2 = [](CUstream stream, CUstreamCaptureMode) {
    fake().origin = stream;
    fake().captured.clear();
    fake().frontiers = {{stream, {}}};
    fake().earlyLaunches = 0;
    return CUDA_SUCCESS;
  };
  api.cuStreamWaitEvent = [](CUstream stream, CUevent event, unsigned) {
    const auto &captured = reinterpret_cast<FakeEvent *>(event)->captured;
    if (!captured)
      return kNoHandle;
    fake().frontiers[stream].insert(captured->begin(), captured->end());
    return CUDA_SUCCESS;
  };
  api.cuStreamEndCapture = [](CUstream stream, CUgraph *graph) {
    auto frontiers = std::exchange(fake().frontiers, {});
    if (std::exchange(fake().origin, nullptr) != stream)
      return CUDA_ERROR_INVALID_VALUE;
    // What is queued on the stream later has to wait for all launches.
    std::set<size_t> ended = frontiers[stream];
    for (size_t node = fake().captured.size(); node-- > 0;) {
      if (!ended.count(node))
        return kUnjoined;
      const std::set<size_t> &after = fake().captured[node].after;
      ended.insert(after.begin(), after.end());
    }
    ++fake().liveGraphs;
    fake().graphStreams = frontiers.size();
    *graph =
        reinterpret_cast<CUgraph>(new FakeGraph{std::move(fake().captured)});
    return CUDA_SUCCESS;
  };
  api.cuGraphInstantiateWithFlags = [](CUgraphExec *exec, CUgraph graph,
                                       unsigned long long) {
    ++fake().liveGraphs;
    *exec = reinterpret_cast<CUgraphExec>(
        new FakeGraph(*reinterpret_cast<FakeGraph *>(graph)));
    return CUDA_SUCCESS;
  };
  api.cuGraphDestroy = [](CUgraph graph) {
    delete reinterpret_cast<FakeGraph *>(graph);
    return destroyHandle(fake().liveGraphs);
  };
  api.cuGraphExecDestroy = [](CUgraphExec exec) {
    delete reinterpret_cast<FakeGraph *>(exec);
    return destroyHandle(fake().liveGraphs);
  };
  api.cuGraphLaunch = [](CUgraphExec exec, CUstream) {
    runGraph(*reinterpret_cast<FakeGraph *>(exec));
    return CUDA_SUCCESS;
  };
  api.cuEventCreate = [](CUevent *event, unsigned) {
    ++fake().liveEvents;
    *event = reinterpret_cast<CUevent>(new FakeEvent);
    return CUDA_SUCCESS;
  };
  api.cuEventDestroy_v2 = [](CUevent event) {
    delete reinterpret_cast<FakeEvent *>(event);
    return destroyHandle(fake().liveEvents);
  };
  // The first interval takes one millisecond, each next one a millisecond more.
  // Events that are recorded in a capture are no times.
  api.cuEventRecord = [](CUevent event, CUstream stream) {
    static float step;
    auto found = fake().frontiers.find(stream);
    if (found != fake().frontiers.end()) {
      reinterpret_cast<FakeEvent *>(event)->captured = found->second;
      return CUDA_SUCCESS;
    }
    if (fake().milliseconds == 0)
      step = 1;
    reinterpret_cast<FakeEvent *>(event)->milliseconds = fake().milliseconds;
    fake().milliseconds += step++;
    return CUDA_SUCCESS;
  };
  api.cuEventElapsedTime = [](float *milliseconds, CUevent start,
                              CUevent stop) {
    *milliseconds = reinterpret_cast<FakeEvent *>(stop)->milliseconds -
                    reinterpret_cast<FakeEvent *>(start)->milliseconds;
    return CUDA_SUCCESS;
  };
}

CudaFunctions mirage::runtime::fakeCudaFunctions() {
  CudaFunctions api;
  fillDeviceFunctions(api);
  fillKernelFunctions(api);
  fillMemoryFunctions(api);
  fillStreamFunctions(api);
  return api;
}
