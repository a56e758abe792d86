//===- CudaDriver.h - The CUDA driver, loaded at run time -------*- C++ -*-===//

// Gives access to one GPU behind the CUDA driver library, which is opened when
// it is asked for: Mirage neither links to CUDA nor needs its headers. Calls
// come back as llvm::Error, resources as owning handles.

#ifndef MIRAGE_RUNTIME_CUDADRIVER_H
#define MIRAGE_RUNTIME_CUDADRIVER_H

#include "Mirage/Runtime/CudaTypes.h"
#include "Mirage/Runtime/Manifest.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>
#include <utility>

namespace mirage::runtime {

/// Owns one driver object and destroys it with the function given. Handles must
/// not outlive the CudaDriver they come from.
template <typename T> class CudaHandle {
public:
  using Destroy = cuda::CUresult (*)(T);

  CudaHandle() = default;
  CudaHandle(T value, Destroy destroy) : value(value), destroy(destroy) {}
  CudaHandle(CudaHandle &&other) { swap(other); }
  CudaHandle &operator=(CudaHandle &&other) {
    CudaHandle moved(std::move(other));
    swap(moved);
    return *this;
  }
  ~CudaHandle() {
    // Nothing sensible can be done about a failure here, and after a fault on
    // the device every call fails.
    if (destroy)
      (void)destroy(value);
  }

  T get() const { return value; }

private:
  void swap(CudaHandle &other) {
    std::swap(value, other.value);
    std::swap(destroy, other.destroy);
  }

  T value = {};
  Destroy destroy = nullptr;
};

/// Owns device memory.
using DeviceBuffer = CudaHandle<cuda::CUdeviceptr>;
using Stream = CudaHandle<cuda::CUstream>;
using Event = CudaHandle<cuda::CUevent>;
/// Owns an instantiated graph.
using GraphExec = CudaHandle<cuda::CUgraphExec>;

/// Holds compiled PTX: a module that is loaded on the device.
struct Module {
  CudaHandle<cuda::CUmodule> handle;
  /// These are the PTX compiler's messages: warnings and register use. They are
  /// empty if the driver took the code from its cache.
  std::string log;
};

/// Holds the driver library with one device's primary context, which is current
/// on the thread that made the object. An Error of any member says which driver
/// call failed and the driver's name and text for the reason.
class CudaDriver {
public:
  /// Opens `library` and the device of that ordinal. It is an error if there is
  /// no such library, if it lacks a function (an old driver), or if there is no
  /// such device.
  static llvm::Expected<std::unique_ptr<CudaDriver>>
  load(llvm::StringRef library = "libcuda.so.1", int ordinal = 0);

  /// Does the same with functions that are already there; every one must be
  /// set.
  static llvm::Expected<std::unique_ptr<CudaDriver>>
  create(const cuda::CudaFunctions &functions, int ordinal = 0);

  ~CudaDriver();
  CudaDriver(const CudaDriver &) = delete;
  CudaDriver &operator=(const CudaDriver &) = delete;

  /// Returns the device's marketing name.
  llvm::StringRef deviceName() const { return name; }
  /// Returns "sm_90" for compute capability 9.0.
  llvm::StringRef chip() const { return chipName; }
  /// Returns the largest amount of shared memory that a block can have, static
  /// and dynamic, in bytes.
  unsigned maxSharedMemoryBytes() const { return sharedMemoryBytes; }

  /// Makes the device's context current on the calling thread.
  llvm::Error makeCurrent() const;
  /// Waits for everything on the device.
  llvm::Error synchronize() const;

  /// Allocates uninitialized memory, aligned to at least 256 bytes; `bytes`
  /// must not be zero.
  llvm::Expected<DeviceBuffer> allocate(size_t bytes) const;
  /// The three functions below are ordered with each other but not with streams
  /// made by createStream; fill and copyToDevice may return before the device
  /// is done.
  llvm::Error fill(cuda::CUdeviceptr target, uint8_t value, size_t bytes) const;
  llvm::Error copyToDevice(cuda::CUdeviceptr target, const void *source,
                           size_t bytes) const;
  llvm::Error copyToHost(void *target, cuda::CUdeviceptr source,
                         size_t bytes) const;

  /// Compiles PTX for the device. The error includes the compiler's messages.
  llvm::Expected<Module> loadModule(llvm::StringRef ptx) const;
  llvm::Expected<cuda::CUfunction> getFunction(const Module &module,
                                               llvm::StringRef name) const;
  llvm::Expected<int> getAttribute(cuda::CUfunction function,
                                   cuda::CUfunction_attribute attribute) const;
  llvm::Error setAttribute(cuda::CUfunction function,
                           cuda::CUfunction_attribute attribute,
                           int value) const;

  /// Makes the tensor map of a buffer at an address.
  llvm::Expected<cuda::CUtensorMap> encode(const TensorMapDescription &map,
                                           cuda::CUdeviceptr address) const;

  /// Queues one launch. `arguments` points to each parameter's value, which is
  /// copied before the call returns; `kernel.arguments` is not looked at. A
  /// fault of the kernel shows at the next synchronization. An early launch may
  /// begin while the kernel before it on the stream runs (programmatic
  /// dependent launch); the kernel must wait itself.
  llvm::Error launch(cuda::CUfunction function, const KernelDescription &kernel,
                     llvm::MutableArrayRef<void *> arguments,
                     const Stream &stream, bool early = false) const;

  /// Creates a stream that runs independently of the legacy default stream.
  llvm::Expected<Stream> createStream() const;
  llvm::Error synchronize(const Stream &stream) const;
  llvm::Expected<Event> createEvent() const;
  llvm::Error record(const Event &event, const Stream &stream) const;
  /// Lets what is queued on `stream` from now on wait for what is on another
  /// stream where the event was recorded last. While that one is captured, this
  /// one joins the capture.
  llvm::Error wait(const Stream &stream, const Event &event) const;
  /// Microseconds between two events that have happened, to about 0.5.
  llvm::Expected<double> elapsedMicroseconds(const Event &start,
                                             const Event &stop) const;

  /// Starts a capture: until endCapture, launches on `stream` are recorded, not
  /// run.
  llvm::Error beginCapture(const Stream &stream) const;
  /// Ends the capture, also after a failed launch, and instantiates the graph.
  llvm::Expected<GraphExec> endCapture(const Stream &stream) const;
  llvm::Error launch(const GraphExec &graph, const Stream &stream) const;

private:
  explicit CudaDriver(const cuda::CudaFunctions &functions) : api(functions) {}

  /// Returns success, or an error that says that `call` failed and why.
  llvm::Error check(cuda::CUresult result, const llvm::Twine &call) const;
  llvm::Error open(int ordinal);

  cuda::CudaFunctions api;
  cuda::CUdevice device = 0;
  cuda::CUcontext context = nullptr;
  std::string name, chipName;
  unsigned sharedMemoryBytes = 0;
};

} // namespace mirage::runtime

#endif // MIRAGE_RUNTIME_CUDADRIVER_H
