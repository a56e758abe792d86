//===- PlaceTensors.h - Offsets of tensors in one memory --------*- C++ -*-===//
//
// Gives tensors that are alive at the same time different bytes. The plan of
// shared memory and the cost model share it, so that they agree on what fits.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEMANTICS_PLACETENSORS_H
#define MIRAGE_SEMANTICS_PLACETENSORS_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>

namespace mirage {

/// Buffers in shared memory start at multiples of this many bytes.
inline constexpr int64_t sharedMemoryAlignment = 128;

struct PlacedTensor {
  int64_t bytes = 0;
  /// The first and the last moment at which the tensor is alive, inclusive.
  int64_t begin = 0, end = 0;
  /// The offset in bytes, which placeTensors sets.
  int64_t offset = 0;
};

/// Chooses offsets that are multiples of `alignment`, and returns the bytes in
/// use at the worst moment, or a size that no memory has. The result depends on
/// the order of tensors of equal size.
int64_t placeTensors(llvm::MutableArrayRef<PlacedTensor> tensors,
                     int64_t alignment);

} // namespace mirage

#endif // MIRAGE_SEMANTICS_PLACETENSORS_H
