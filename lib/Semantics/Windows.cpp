//===- Windows.cpp - Parts of tensors in device memory --------------------===//

#include "Mirage/Semantics/Windows.h"
#include "llvm/ADT/STLExtras.h"

using namespace mirage;

/// The bytes of the widest access.
static constexpr int64_t kAccessBytes = 16;

bool mirage::isWindow(const OpAttributes &slice, ElementType type) {
  return llvm::all_of(slice.strides,
                      [](int64_t stride) { return stride == 1; }) &&
         !slice.offsets.empty() &&
         slice.offsets.back() * byteSize(type) % kAccessBytes == 0;
}

bool mirage::isJoinedAt(int64_t offset, int64_t dim, ShapeRef shape,
                        ElementType type) {
  bool isLast = dim + 1 == static_cast<int64_t>(shape.size());
  return !isLast || offset * byteSize(type) % kAccessBytes == 0;
}
