//===- CudaDriver.cpp - The CUDA driver, loaded at run time ---------------===//

// Opens the driver library and a device, and wraps memory, streams, events and
// graphs. Modules and launches are in CudaModule.cpp.

#include "Mirage/Runtime/CudaDriver.h"
#include "llvm/Support/DynamicLibrary.h"

using namespace mirage::runtime;
using namespace mirage::runtime::cuda;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

Expected<std::unique_ptr<CudaDriver>> CudaDriver::load(llvm::StringRef library,
                                                       int ordinal) {
  std::string file = library.str(), reason;
  auto handle =
      llvm::sys::DynamicLibrary::getPermanentLibrary(file.c_str(), &reason);
  if (!handle.isValid()) {
    // The loader's message begins with the library's name.
    llvm::StringRef text = reason;
    text.consume_front(file + ": ");
    return createStringError("cannot load " + file + ": " + text +
                             "; an NVIDIA driver is needed to run kernels");
  }
  CudaFunctions functions;
#define MIRAGE_CUDA_FUNCTION(name, parameters)                                 \
  functions.name = reinterpret_cast<CUresult(*) parameters>(                   \
      handle.getAddressOfSymbol(#name));                                       \
  if (!functions.name)                                                         \
    return createStringError(file + " has no function " #name                  \
                                    "; kernels need an NVIDIA driver of CUDA " \
                                    "12.0 or later to run");
#include "Mirage/Runtime/CudaFunctions.def"
  return create(functions, ordinal);
}

Expected<std::unique_ptr<CudaDriver>>
CudaDriver::create(const CudaFunctions &functions, int ordinal) {
  std::unique_ptr<CudaDriver> driver(new CudaDriver(functions));
  if (Error error = driver->open(ordinal))
    return error;
  return driver;
}

Error CudaDriver::open(int ordinal) {
  if (Error error = check(api.cuInit(0), "cuInit"))
    return error;
  int count = 0;
  if (Error error = check(api.cuDeviceGetCount(&count), "cuDeviceGetCount"))
    return error;
  if (ordinal < 0 || ordinal >= count)
    return createStringError("there is no CUDA device " + Twine(ordinal) +
                             "; the NVIDIA driver shows " + Twine(count));
  if (Error error = check(api.cuDeviceGet(&device, ordinal), "cuDeviceGet"))
    return error;
  char buffer[256] = {};
  if (Error error =
          check(api.cuDeviceGetName(buffer, sizeof(buffer) - 1, device),
                "cuDeviceGetName"))
    return error;
  name = buffer;

  int major = 0, minor = 0, shared = 0;
  const std::pair<CUdevice_attribute, int *> attributes[] = {
      {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, &major},
      {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, &minor},
      {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, &shared}};
  for (auto [attribute, value] : attributes)
    if (Error error = check(api.cuDeviceGetAttribute(value, attribute, device),
                            "cuDeviceGetAttribute"))
      return error;
  chipName = ("sm_" + Twine(major) + Twine(minor)).str();
  sharedMemoryBytes = shared;

  if (Error error = check(api.cuDevicePrimaryCtxRetain(&context, device),
                          "cuDevicePrimaryCtxRetain"))
    return error;
  return makeCurrent();
}

CudaDriver::~CudaDriver() {
  if (context)
    (void)api.cuDevicePrimaryCtxRelease_v2(device);
}

Error CudaDriver::check(CUresult result, const Twine &call) const {
  if (result == CUDA_SUCCESS)
    return Error::success();
  const char *name = nullptr, *text = nullptr;
  (void)api.cuGetErrorName(result, &name);
  (void)api.cuGetErrorString(result, &text);
  std::string reason =
      name ? name : ("CUDA error " + Twine(unsigned(result))).str();
  return createStringError(call + " failed: " + reason + " (" +
                           (text ? text : "unknown to this driver") + ")");
}

Error CudaDriver::makeCurrent() const {
  return check(api.cuCtxSetCurrent(context), "cuCtxSetCurrent");
}

Error CudaDriver::synchronize() const {
  return check(api.cuCtxSynchronize(), "cuCtxSynchronize");
}

Expected<DeviceBuffer> CudaDriver::allocate(size_t bytes) const {
  CUdeviceptr pointer = 0;
  if (Error error = check(api.cuMemAlloc_v2(&pointer, bytes),
                          "cuMemAlloc of " + Twine(bytes) + " bytes"))
    return error;
  return DeviceBuffer(pointer, api.cuMemFree_v2);
}

Error CudaDriver::fill(CUdeviceptr target, uint8_t value, size_t bytes) const {
  if (bytes == 0)
    return Error::success();
  return check(api.cuMemsetD8_v2(target, value, bytes), "cuMemsetD8");
}

Error CudaDriver::copyToDevice(CUdeviceptr target, const void *source,
                               size_t bytes) const {
  if (bytes == 0)
    return Error::success();
  return check(api.cuMemcpyHtoD_v2(target, source, bytes), "cuMemcpyHtoD");
}

Error CudaDriver::copyToHost(void *target, CUdeviceptr source,
                             size_t bytes) const {
  if (bytes == 0)
    return Error::success();
  return check(api.cuMemcpyDtoH_v2(target, source, bytes), "cuMemcpyDtoH");
}

Expected<Stream> CudaDriver::createStream() const {
  CUstream stream = nullptr;
  if (Error error = check(api.cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING),
                          "cuStreamCreate"))
    return error;
  return Stream(stream, api.cuStreamDestroy_v2);
}

Error CudaDriver::synchronize(const Stream &stream) const {
  return check(api.cuStreamSynchronize(stream.get()), "cuStreamSynchronize");
}

Expected<Event> CudaDriver::createEvent() const {
  CUevent event = nullptr;
  if (Error error =
          check(api.cuEventCreate(&event, CU_EVENT_DEFAULT), "cuEventCreate"))
    return error;
  return Event(event, api.cuEventDestroy_v2);
}

Error CudaDriver::record(const Event &event, const Stream &stream) const {
  return check(api.cuEventRecord(event.get(), stream.get()), "cuEventRecord");
}

Error CudaDriver::wait(const Stream &stream, const Event &event) const {
  return check(api.cuStreamWaitEvent(stream.get(), event.get(), 0),
               "cuStreamWaitEvent");
}

Expected<double> CudaDriver::elapsedMicroseconds(const Event &start,
                                                 const Event &stop) const {
  float milliseconds = 0;
  if (Error error =
          check(api.cuEventElapsedTime(&milliseconds, start.get(), stop.get()),
                "cuEventElapsedTime"))
    return error;
  return double(milliseconds) * 1000;
}

Error CudaDriver::beginCapture(const Stream &stream) const {
  return check(api.cuStreamBeginCapture_v2(stream.get(),
                                           CU_STREAM_CAPTURE_MODE_THREAD_LOCAL),
               "cuStreamBeginCapture");
}

Expected<GraphExec> CudaDriver::endCapture(const Stream &stream) const {
  CUgraph graph = nullptr;
  if (Error error = check(api.cuStreamEndCapture(stream.get(), &graph),
                          "cuStreamEndCapture"))
    return error;
  CudaHandle<CUgraph> owner(graph, api.cuGraphDestroy);
  CUgraphExec exec = nullptr;
  if (Error error = check(api.cuGraphInstantiateWithFlags(&exec, graph, 0),
                          "cuGraphInstantiate"))
    return error;
  return GraphExec(exec, api.cuGraphExecDestroy);
}

Error CudaDriver::launch(const GraphExec &graph, const Stream &stream) const {
  return check(api.cuGraphLaunch(graph.get(), stream.get()), "cuGraphLaunch");
}
