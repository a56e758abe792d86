//===- BufferSet.h - A function's buffers in device memory ------*- C++ -*-===//

// Allocates, initializes, guards and reads the device memory of one run of a
// function. Private to the runtime library.

#ifndef MIRAGE_LIB_RUNTIME_BUFFERSET_H
#define MIRAGE_LIB_RUNTIME_BUFFERSET_H

#include "Mirage/Runtime/CudaDriver.h"

namespace mirage::runtime {

/// Says where scratch buffers lie: each in an allocation of its own, where
/// writes beyond it are seen, or in the bytes that the manifest says, which
/// they share, as for a launcher. Those that hold results have an allocation of
/// their own in any case.
enum class ScratchPlaces { Apart, Shared };

class BufferSet {
public:
  /// Allocates the buffers of `function` (which is verified and outlives the
  /// set), fills inputs from `inputs` and everything else with 0xFF, and waits
  /// until that is done. Scratch is taken from `scratchOwner` if there is one,
  /// a set of the same function that outlives this one.
  static llvm::Expected<BufferSet>
  create(const CudaDriver &driver, const FunctionDescription &function,
         llvm::ArrayRef<llvm::ArrayRef<char>> inputs, ScratchPlaces places,
         const BufferSet *scratchOwner = nullptr);

  /// Returns the address at which the kernels find the function's buffer at
  /// `position`.
  cuda::CUdeviceptr address(size_t position) const {
    return addresses[position];
  }

  /// Returns an error that names the first buffer of the set's own beyond which
  /// something was written, and says before or after it.
  llvm::Error checkGuards(const CudaDriver &driver) const;

  /// Returns the contents of the buffer at `position`.
  llvm::Expected<std::vector<char>> read(const CudaDriver &driver,
                                         size_t position) const;

private:
  explicit BufferSet(const FunctionDescription &function)
      : function(&function) {}

  /// An allocation between two zones of guard bytes.
  struct Guarded {
    /// This is what an error calls it.
    std::string name;
    cuda::CUdeviceptr contents;
    uint64_t bytes;
  };

  /// Allocates guarded memory, and returns the address of its contents.
  llvm::Expected<cuda::CUdeviceptr> add(const CudaDriver &driver,
                                        std::string name, uint64_t bytes);

  const FunctionDescription *function;
  std::vector<DeviceBuffer> memory;
  std::vector<Guarded> guarded;
  /// These are the addresses of the function's buffers, parallel to them.
  std::vector<cuda::CUdeviceptr> addresses;
};

} // namespace mirage::runtime

#endif // MIRAGE_LIB_RUNTIME_BUFFERSET_H
