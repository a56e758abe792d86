//===- ExampleDialect.cpp - What the example's operators mean -------------===//
//
// Defines the dialect of ExampleOps.td as a plugin:
//
//   mirage-opt --load-dialect-plugin=ExampleOperators.so --mirage-optimize …
//
//===----------------------------------------------------------------------===//

#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "Mirage/Interfaces/Meaning.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"

#include "ExampleDialect.h.inc"
#define GET_OP_CLASSES
#include "ExampleOps.h.inc"

#include "ExampleDialect.cpp.inc"
#define GET_OP_CLASSES
#include "ExampleOps.cpp.inc"

using namespace mlir;
using namespace mirage;

void example::ExampleDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "ExampleOps.cpp.inc"
      >();
}

FailureOr<SmallVector<Value>>
example::SwiGLUOp::buildMeaning(OpBuilder &builder) {
  MeaningBuilder b(*this, builder);
  Value silu = b.apply(OpKind::Silu, {getGate()});
  return b.finish(b.apply(OpKind::Mul, {silu, getUp()}));
}

/// The mean along the last dimension, which stays with size one.
static Value reduceMean(MeaningBuilder &b, Value value, int64_t rank) {
  OpAttributes attributes;
  attributes.reduceKind = ReduceKind::Mean;
  attributes.dim = rank - 1;
  attributes.keep = true;
  return b.apply(OpKind::Reduce, attributes, {value});
}

FailureOr<SmallVector<Value>>
example::MomentsOp::buildMeaning(OpBuilder &builder) {
  MeaningBuilder b(*this, builder);
  int64_t rank = getInput().getType().getRank();
  Value mean = reduceMean(b, getInput(), rank);
  Value centred = b.apply(OpKind::Sub, {getInput(), mean});
  Value squares = b.apply(OpKind::Square, {centred});
  return b.finish({mean, reduceMean(b, squares, rank)});
}

/// Computed in f32 and rounded once. Meanings may use operators that have
/// meanings; where one value of these is not used, it is not computed.
FailureOr<SmallVector<Value>>
example::ScaledNormOp::buildMeaning(OpBuilder &builder) {
  if (getEpsilon().convertToDouble() < 0)
    return emitOpError("epsilon is negative");
  RankedTensorType type = getInput().getType();
  if (type.getRank() == 0)
    return emitOpError("a number has no rows");
  MeaningBuilder b(*this, builder);
  Value x = b.cast(getInput(), builder.getF32Type());
  SmallVector<int64_t> shape(type.getShape());
  shape.back() = 1;
  Type perRow = RankedTensorType::get(shape, builder.getF32Type());
  auto moments = MomentsOp::create(builder, getLoc(), perRow, perRow, x);
  Value centred = b.apply(OpKind::Sub, {x, moments.getMean()});
  // The root mean square of what is centred is the standard deviation.
  OpAttributes norm, scale;
  norm.scalar = getEpsilon().convertToDouble();
  scale.scalar = getScale().convertToDouble();
  Value normed = b.apply(OpKind::RmsNorm, norm, {centred});
  Value result = b.apply(OpKind::Scale, scale, {normed});
  return b.finish(b.cast(result, type.getElementType()));
}

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "ExampleOperators", "1.0",
          [](DialectRegistry *registry) {
            registry->insert<example::ExampleDialect>();
          }};
}
