//===- PlaceTensors.cpp - Offsets of tensors in one memory ----------------===//
//
// Places tensors by first fit, large ones first: small ones fit into what is
// left between.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Semantics/PlaceTensors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace mirage;

/// The first aligned byte after a tensor. Sums that exceed 64 bits stay at a
/// size that no target has.
static int64_t getAlignedEnd(const PlacedTensor &tensor, int64_t alignment) {
  int64_t most = llvm::alignDown(std::numeric_limits<int64_t>::max(),
                                 static_cast<uint64_t>(alignment));
  if (tensor.bytes > most - tensor.offset)
    return most;
  return llvm::alignTo(tensor.offset + tensor.bytes, alignment);
}

int64_t mirage::placeTensors(llvm::MutableArrayRef<PlacedTensor> tensors,
                             int64_t alignment) {
  llvm::SmallVector<PlacedTensor *> order, placed;
  for (PlacedTensor &tensor : tensors)
    order.push_back(&tensor);
  llvm::sort(order, [](PlacedTensor *a, PlacedTensor *b) {
    return std::make_tuple(-a->bytes, a->begin, a) <
           std::make_tuple(-b->bytes, b->begin, b);
  });
  int64_t most = 0;
  for (PlacedTensor *tensor : order) {
    tensor->offset = 0;
    for (PlacedTensor *other : placed) { // Sorted by offset.
      if (other->end < tensor->begin || tensor->end < other->begin)
        continue;
      if (tensor->bytes <= other->offset - tensor->offset)
        break;
      tensor->offset =
          std::max(tensor->offset, getAlignedEnd(*other, alignment));
    }
    placed.insert(llvm::upper_bound(placed, tensor,
                                    [](PlacedTensor *a, PlacedTensor *b) {
                                      return a->offset < b->offset;
                                    }),
                  tensor);
    most = std::max(most, getAlignedEnd(*tensor, alignment));
  }
  return most;
}
