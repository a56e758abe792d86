//===- PadToTiles.cpp - Tensors of whole tiles ----------------------------===//
//
// Creates pads and slices of kernel graphs, of which the lowering makes no
// kernels: launches clip what they load and store.
//
//===----------------------------------------------------------------------===//

#include "PadToTiles.h"
#include "Mirage/Interfaces/ComputeOpSupport.h"

using namespace mlir;
using namespace mirage;

Value mirage::createPad(OpBuilder &builder, Value value,
                        RankedTensorType type) {
  auto from = cast<RankedTensorType>(value.getType());
  if (from == type)
    return value;
  OpAttributes attrs;
  attrs.offsets.assign(type.getRank(), 0);
  for (auto [size, padded] : llvm::zip(from.getShape(), type.getShape()))
    attrs.sizes.push_back(padded - size);
  return createComputeOp(builder, value.getLoc(), Level::Kernel, OpKind::Pad,
                         attrs, value, type.getElementType())
      ->getResult(0);
}

Value mirage::createSlice(OpBuilder &builder, Value value,
                          RankedTensorType type) {
  if (value.getType() == type)
    return value;
  OpAttributes attrs;
  attrs.offsets.assign(type.getRank(), 0);
  attrs.sizes.assign(type.getShape().begin(), type.getShape().end());
  attrs.strides.assign(type.getRank(), 1);
  return createComputeOp(builder, value.getLoc(), Level::Kernel, OpKind::Slice,
                         attrs, value, type.getElementType())
      ->getResult(0);
}
