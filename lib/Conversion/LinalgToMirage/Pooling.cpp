//===- Pooling.cpp - Pooling of linalg to operators on slices -------------===//
//
// Converts maxima, minima and sums over the windows of an image. What all
// windows have at one place is a slice of the image, so that a window's maximum
// is that of such slices: operators that the verifier knows, launches fuse with
// others, and whose slices no kernel writes. A linalg operation with the maps
// of pooling comes in, slices and elementwise operators go out.
//
//===----------------------------------------------------------------------===//

#include "BodyReader.h"
#include "WindowLoops.h"

using namespace mlir;
using namespace mirage;

/// Windows of so many elements are combined at once. The rows of larger ones
/// are combined before their columns: 5 x 5 elements by 10 slices, not 25.
static constexpr int64_t mostElementsAtOnce = 9;

namespace {
struct Pooling : WindowLoops {
  using WindowLoops::WindowLoops;

  /// Finds what combines the elements. Returns true if the body does nothing
  /// but combine one with what there is.
  bool matchBody();
  Value emit(Importer &importer, TensorBuilder &builder);

  OpKind combiner = OpKind::Max;

private:
  Value combineSlices(TensorBuilder &builder, Value value,
                      ArrayRef<Spatial> over, Type computed);
};
} // namespace

bool Pooling::matchBody() {
  Block &body = *op.getBlock();
  Operation *combining = body.getTerminator()->getOperand(0).getDefiningOp();
  if (!combining || combining->getNumOperands() != 2 ||
      &body.front() != combining || combining->getNextNode() != &body.back())
    return false;
  Value element = body.getArgument(0), before = body.getArguments().back();
  auto has = [&](Value a, Value b) {
    return combining->getOperand(0) == a && combining->getOperand(1) == b;
  };
  if (!has(element, before) && !has(before, element))
    return false;
  if (isa<arith::MaximumFOp, arith::MaxNumFOp>(combining))
    combiner = OpKind::Max;
  else if (isa<arith::MinimumFOp, arith::MinNumFOp>(combining))
    combiner = OpKind::Min;
  else if (isa<arith::AddFOp>(combining))
    combiner = OpKind::Add;
  else
    return false;
  return true;
}

/// Combines what the windows have along these dimensions at each place, in
/// elements of the type `computed`.
Value Pooling::combineSlices(TensorBuilder &builder, Value value,
                             ArrayRef<Spatial> over, Type computed) {
  Shape shape = TensorBuilder::getShape(value);
  Shape sizes = shape, strides(shape.size(), 1);
  SmallVector<int64_t> dims;
  int64_t places = 1;
  for (const Spatial &s : over) {
    dims.push_back(llvm::find(input, s.output) - input.begin());
    sizes[dims.back()] = ranges[s.output];
    strides[dims.back()] = s.stride;
    places *= ranges[s.tap];
  }
  Value all;
  for (int64_t place = 0; place < places; ++place) {
    SmallVector<int64_t> offsets(shape.size(), 0);
    int64_t rest = place;
    for (auto [dim, s] : llvm::zip(llvm::reverse(dims), llvm::reverse(over))) {
      offsets[dim] = rest % ranges[s.tap] * s.dilation;
      rest /= ranges[s.tap];
    }
    Value slice =
        builder.cast(builder.slice(value, offsets, sizes, strides), computed);
    all = all ? builder.apply(combiner, {}, {all, slice}) : slice;
  }
  return all;
}

Value Pooling::emit(Importer &importer, TensorBuilder &builder) {
  Value value = importer.lookup(op->getOperand(0));
  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  // Sums are rounded once, at the end.
  Type computed =
      combiner == OpKind::Add && element.getIntOrFloatBitWidth() < 32
          ? Float32Type::get(op->getContext())
          : element;
  int64_t elements = 1;
  for (const Spatial &s : spatial)
    elements *= ranges[s.tap];
  if (elements <= mostElementsAtOnce)
    value = combineSlices(builder, value, spatial, computed);
  else
    for (const Spatial &s : spatial)
      value = combineSlices(builder, value, s, computed);
  return builder.arrange(builder.cast(value, element), input, output);
}

LogicalResult mirage::convertPooling(Importer &importer, linalg::LinalgOp op) {
  Pooling pooling(op);
  Value init = op.getDpsInits()[0];
  if (!pooling.match() || !pooling.matchBody())
    return importer.refuse("its body does not pool by one maximum, minimum or "
                           "addition of floats");
  for (Value operand : {op->getOperand(0), init})
    if (failed(importer.checkOperand(operand)))
      return failure();
  if (init.getDefiningOp<tensor::EmptyOp>())
    return importer.refuse("it accumulates into a tensor.empty");
  FloatType type = importer.getFloatType(op->getOperand(0));
  if (type.getWidth() == 8)
    return importer.refuse("it computes with " + toText(type) +
                           ", which is for storage");
  OpBuilder opBuilder(op);
  TensorBuilder builder(opBuilder, op.getLoc());
  Value value = pooling.emit(importer, builder);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double neutral = pooling.combiner == OpKind::Add   ? 0.0
                   : pooling.combiner == OpKind::Max ? -infinity
                                                     : infinity;
  std::optional<double> splat = importer.getSplat(init);
  if (!splat || *splat != neutral)
    value = builder.apply(pooling.combiner, {}, {value, importer.lookup(init)});
  importer.map(op->getResult(0), value);
  return success();
}
