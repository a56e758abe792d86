//===- BufferSet.cpp - A function's buffers in device memory --------------===//

// Makes allocations: guard bytes, contents, guard bytes. The zone in front
// keeps the contents aligned to 256 bytes.

#include "BufferSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace mirage::runtime;
using llvm::Error;
using llvm::Expected;

static constexpr size_t kGuardBytes = 256;
static constexpr uint8_t kGuard = 0xA5, kPoison = 0xFF;

Expected<cuda::CUdeviceptr> BufferSet::add(const CudaDriver &driver,
                                           std::string name, uint64_t bytes) {
  Expected<DeviceBuffer> owner = driver.allocate(bytes + 2 * kGuardBytes);
  if (!owner)
    return llvm::createStringError(name + ": " + toString(owner.takeError()));
  cuda::CUdeviceptr base = owner->get(), contents = base + kGuardBytes;
  memory.push_back(std::move(*owner));
  guarded.push_back({std::move(name), contents, bytes});
  if (Error error = driver.fill(base, kGuard, kGuardBytes))
    return error;
  if (Error error = driver.fill(contents + bytes, kGuard, kGuardBytes))
    return error;
  if (Error error = driver.fill(contents, kPoison, bytes))
    return error;
  return contents;
}

Expected<BufferSet>
BufferSet::create(const CudaDriver &driver, const FunctionDescription &function,
                  llvm::ArrayRef<llvm::ArrayRef<char>> inputs,
                  ScratchPlaces places, const BufferSet *scratchOwner) {
  BufferSet set(function);
  std::optional<cuda::CUdeviceptr> shared;
  for (auto [position, buffer] : llvm::enumerate(function.buffers)) {
    bool isScratch = buffer.role == BufferRole::Scratch;
    if (isScratch && scratchOwner) {
      set.addresses.push_back(scratchOwner->address(position));
      continue;
    }
    if (isScratch && places == ScratchPlaces::Shared &&
        !llvm::is_contained(function.results, buffer.name)) {
      if (!shared) {
        Expected<cuda::CUdeviceptr> added =
            set.add(driver, "the scratch memory", function.scratchBytes);
        if (!added)
          return added.takeError();
        shared = *added;
      }
      set.addresses.push_back(*shared + buffer.offset);
      continue;
    }
    Expected<cuda::CUdeviceptr> added =
        set.add(driver, "buffer '" + buffer.name + "'", buffer.bytes);
    if (!added)
      return added.takeError();
    set.addresses.push_back(*added);
    if (buffer.role != BufferRole::Input)
      continue;
    if (Error error = driver.copyToDevice(*added, inputs[buffer.index].data(),
                                          buffer.bytes))
      return error;
  }
  // The runner's stream does not wait for copies and fills by itself.
  if (Error error = driver.synchronize())
    return error;
  return set;
}

Error BufferSet::checkGuards(const CudaDriver &driver) const {
  for (const auto &[name, contents, size] : guarded) {
    for (bool after : {false, true}) {
      cuda::CUdeviceptr zone =
          after ? contents + size
                : contents - static_cast<uint64_t>(kGuardBytes);
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
          llvm::Twine(after ? "after " : "before ") + name + " (" +
          llvm::Twine(size) + " bytes) is overwritten " +
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
