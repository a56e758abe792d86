//===- ThreadMasks.cpp - Tiles that are computed of indices ---------------===//
//
// Verifies masks that are made of indices.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Dialect/Thread/IR/ThreadDialect.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::thread;

void IndexMaskOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "mask");
}

LogicalResult IndexMaskOp::verify() {
  auto type = cast<RankedTensorType>(getResult().getType());
  if (static_cast<int64_t>(getCoefficients().size()) != type.getRank())
    return emitOpError() << "has " << getCoefficients().size()
                         << " coefficients for a tile of " << type.getRank()
                         << " dimensions (index_mask_c1)";
  std::optional<int64_t> from = getFrom(), below = getBelow();
  if (!from && !below)
    return emitOpError("has no bound (index_mask_c2)");
  constexpr int64_t largest = int64_t(1) << 30;
  for (std::optional<int64_t> bound : {from, below})
    if (bound && (*bound < -largest || *bound > largest))
      return emitOpError() << "has a bound of " << *bound
                           << ", beyond 2^30 (index_mask_c2)";
  if (from && below && *from >= *below)
    return emitOpError() << "has a range from " << *from << " below " << *below
                         << ", which is empty (index_mask_c2)";
  if (!isa_and_nonnull<LayoutAttr>(type.getEncoding()))
    return emitOpError("has a result without a layout (index_mask_c3)");
  return success();
}
