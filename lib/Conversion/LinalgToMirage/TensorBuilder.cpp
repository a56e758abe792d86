//===- TensorBuilder.cpp - Creating kernel operators ----------------------===//
//
// Operators that change nothing are left out; see TensorBuilder.h.
//
//===----------------------------------------------------------------------===//

#include "TensorBuilder.h"
#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"

using namespace mlir;
using namespace mirage;

bool mirage::mayAccumulateIn(Type wide, Type narrow) {
  return wide == narrow ||
         wide.getIntOrFloatBitWidth() > narrow.getIntOrFloatBitWidth();
}

SmallVector<Slice> mirage::splitIntoSlices(ArrayRef<int64_t> numbers) {
  SmallVector<Slice> slices;
  while (!numbers.empty()) {
    size_t size = 1;
    int64_t stride = numbers.size() > 1 ? numbers[1] - numbers[0] : 1;
    if (stride >= 1)
      while (size < numbers.size() &&
             numbers[size] - numbers[size - 1] == stride)
        ++size;
    slices.push_back(
        {numbers[0], static_cast<int64_t>(size), std::max<int64_t>(stride, 1)});
    numbers = numbers.drop_front(size);
  }
  return slices;
}

Value TensorBuilder::apply(OpKind kind, const OpAttributes &attrs,
                           ValueRange operands, Type elementType) {
  return createComputeOp(builder, loc, Level::Kernel, kind, attrs, operands,
                         elementType)
      ->getResult(0);
}

Value TensorBuilder::cast(Value value, Type elementType) {
  if (getType(value).getElementType() == elementType)
    return value;
  return apply(OpKind::Cast, {}, value, elementType);
}

Value TensorBuilder::scale(Value value, double factor) {
  if (factor == 1.0)
    return value;
  OpAttributes attrs;
  attrs.scalar = factor;
  return apply(OpKind::Scale, attrs, value);
}

Value TensorBuilder::constant(DenseFPElementsAttr elements) {
  return kernel::ConstantOp::create(builder, loc, elements.getType(), elements);
}

Value TensorBuilder::splat(Type elementType, ShapeRef shape, double value) {
  auto type = RankedTensorType::get(shape, elementType);
  return constant(cast<DenseFPElementsAttr>(
      DenseElementsAttr::get(type, FloatAttr::get(elementType, value))));
}

Value TensorBuilder::reshape(Value value, ShapeRef shape) {
  if (getType(value).getShape() == shape)
    return value;
  OpAttributes attrs;
  attrs.resultShape = Shape(shape);
  return apply(OpKind::Reshape, attrs, value);
}

Value TensorBuilder::transpose(Value value, ArrayRef<int64_t> permutation) {
  if (llvm::is_sorted(permutation))
    return value;
  OpAttributes attrs;
  attrs.permutation.assign(permutation.begin(), permutation.end());
  return apply(OpKind::Transpose, attrs, value);
}

Value TensorBuilder::broadcast(Value value, ShapeRef shape) {
  if (getType(value).getShape() == shape)
    return value;
  OpAttributes attrs;
  attrs.resultShape = Shape(shape);
  return apply(OpKind::Broadcast, attrs, value);
}

Value TensorBuilder::slice(Value value, ArrayRef<int64_t> offsets,
                           ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides) {
  if (getType(value).getShape() == sizes)
    return value;
  OpAttributes attrs;
  attrs.offsets.assign(offsets.begin(), offsets.end());
  attrs.sizes.assign(sizes.begin(), sizes.end());
  attrs.strides.assign(strides.begin(), strides.end());
  return apply(OpKind::Slice, attrs, value);
}

Value TensorBuilder::arrange(Value value, ArrayRef<unsigned> from,
                             ArrayRef<unsigned> to) {
  if (from == to)
    return value;
  Shape shape = getShape(value), arranged;
  SmallVector<int64_t> permutation;
  for (unsigned label : to) {
    permutation.push_back(llvm::find(from, label) - from.begin());
    arranged.push_back(shape[permutation.back()]);
  }
  SmallVector<int64_t> moved = llvm::filter_to_vector(
      permutation, [&](int64_t dim) { return shape[dim] != 1; });
  if (llvm::is_sorted(moved))
    return reshape(value, arranged);
  return transpose(value, permutation);
}

Value TensorBuilder::reduce(Value value, Labels &labels,
                            llvm::function_ref<bool(unsigned)> isReduced,
                            ReduceKind kind, Type elementType) {
  Type type = getType(value).getElementType();
  if (!elementType)
    elementType = type;
  // Neighbours become one dimension, and reduced ones of size one vanish.
  Shape shape;
  Labels kept;
  SmallVector<int64_t> reduced;
  bool afterReduced = false;
  for (auto [label, size] : llvm::zip(labels, getType(value).getShape())) {
    if (!isReduced(label)) {
      shape.push_back(size);
      kept.push_back(label);
      afterReduced = false;
      continue;
    }
    if (size == 1)
      continue;
    if (afterReduced) {
      shape.back() *= size;
      continue;
    }
    reduced.push_back(shape.size());
    shape.push_back(size);
    afterReduced = true;
  }
  value = reshape(value, shape);
  labels = kept;
  // If there are several sums, all are of f32, and the last result is rounded.
  Type sumType = elementType;
  if (kind != ReduceKind::Max && reduced.size() > 1 &&
      elementType.getIntOrFloatBitWidth() < 32)
    sumType = builder.getF32Type();
  for (size_t i = reduced.size(); i-- > 0;) {
    OpAttributes attrs;
    attrs.dim = reduced[i];
    attrs.reduceKind = kind;
    value = apply(OpKind::Reduce, attrs, value, sumType);
  }
  return cast(value, elementType);
}
