//===- IndexBands.cpp - Constants that indices make -----------------------===//
//
// Reads the elements of constants.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/IndexBands.h"

using namespace mlir;
using namespace mirage;

kernel::ConstantOp mirage::getConstant(Value value) {
  while (auto reshape = value.getDefiningOp<kernel::ReshapeOp>())
    value = reshape->getOperand(0);
  return value.getDefiningOp<kernel::ConstantOp>();
}

std::optional<IndexBand> mirage::findIndexBand(Value constant) {
  auto shape = cast<RankedTensorType>(constant.getType()).getShape();
  kernel::ConstantOp op = getConstant(constant);
  if (!op)
    return std::nullopt;
  auto elements = dyn_cast<DenseFPElementsAttr>(op->getAttr("value"));
  if (!elements || elements.isSplat())
    return std::nullopt;
  auto values = elements.getValues<APFloat>();
  return findIndexBand(
      shape, elements.getRawData(),
      elements.getElementType().getIntOrFloatBitWidth() / 8,
      [&](int64_t position) { return values[position].convertToDouble(); });
}
