//===- BufferSet.cpp - A function's buffers in device memory --------------===//

// Makes each buffer an allocation of its own: guard bytes, contents, guard
// bytes. The zone in front keeps the contents aligned to 256 bytes.

#include "BufferSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace mirage::runtime;
using llvm::Error;
using llvm::Expected;

static constexpr size_t kGuardBytes = 256;
static constexpr uint8_t kGuard = 0xA5, kPoison = 0xFF;

Error BufferSet::add(const CudaDriver &driver,
                     const BufferDescription &buffer) {
  Expected<DeviceBuffer> owner =
      driver.allocate(buffer.bytes + 2 * kGuardBytes);
  if (!owner)
    return llvm::createStringError("buffer '" + buffer.name +
                                   "': " + toString(owner.takeError()));
  cuda::CUdeviceptr base = owner->get(), contents = base + kGuardBytes;
  memory.push_back(std::move(*owner));
  addresses.push_back(contents);
  if (Error error = driver.fill(base, kGuard, kGuardBytes))
    return error;
  if (Error error = driver.fill(contents + buffer.bytes, kGuard, kGuardBytes))
    return error;
  return driver.fill(contents, kPoison, buffer.bytes);
}

Expected<BufferSet>
BufferSet::create(const CudaDriver &driver, const FunctionDescription &function,
                  llvm::ArrayRef<llvm::ArrayRef<char>> inputs,
                  const BufferSet *scratchOwner) {
  BufferSet set(function);
  for (auto [position, buffer] : llvm::enumerate(function.buffers)) {
    if (buffer.role == BufferRole::Scratch && scratchOwner) {
      set.addresses.push_back(scratchOwner->address(position));
      continue;
    }
    if (Error error = set.add(driver, buffer))
      return error;
    if (buffer.role != BufferRole::Input)
      continue;
    if (Error error = driver.copyToDevice(
            set.address(position), inputs[buffer.index].data(), buffer.bytes))
      return error;
  }
  // The runner's stream does not wait for copies and fills by itself.
  if (Error error = driver.synchronize())
    return error;
  return set;
}

Error BufferSet::checkGuards(const CudaDriver &driver) const {
  for (auto [position, buffer] : llvm::enumerate(function->buffers)) {
    for (bool after : {false, true}) {
      cuda::CUdeviceptr zone =
          after ? address(position) + buffer.bytes
                : address(position) - static_cast<uint64_t>(kGuardBytes);
      uint8_t bytes[kGuardBytes];
      if (Error error = driver.copyToHost(bytes, zone, kGuardBytes))
        return error;
      // The byte reported is the one nearest to the buffer.
      size_t distance = 0;
      while (distance < kGuardBytes &&
             bytes[after ? distance : kGuardBytes - 1 - distance] == kGuard)
        ++distance;
      if (distance == kGuardBytes)
        continue;
      return llvm::createStringError(
          "a kernel wrote out of bounds: the guard " +
          llvm::Twine(after ? "after" : "before") + " buffer '" + buffer.name +
          "' (" + llvm::Twine(buffer.bytes) + " bytes) is overwritten " +
          (after ? llvm::Twine(distance) + " bytes past its end"
                 : llvm::Twine(distance + 1) + " bytes before its start"));
    }
  }
  return Error::success();
}

Expected<std::vector<char>> BufferSet::read(const CudaDriver &driver,
                                            size_t position) const {
  std::vector<char> contents(function->buffers[position].bytes);
  if (Error error = driver.copyToHost(contents.data(), address(position),
                                      contents.size()))
    return error;
  return contents;
}
