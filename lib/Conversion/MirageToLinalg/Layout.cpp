//===- Layout.cpp - Layout operators as tensor and linalg -----------------===//
//
// Emits the operators that move elements and compute nothing.
//
//===----------------------------------------------------------------------===//

#include "OperatorEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mirage;

/// Divides the dimensions of two shapes with equally many elements into the
/// shortest runs whose products are equal.
static void matchDims(ArrayRef<int64_t> from, ArrayRef<int64_t> to,
                      SmallVectorImpl<ReassociationIndices> &fromRuns,
                      SmallVectorImpl<ReassociationIndices> &toRuns) {
  size_t i = 0, j = 0;
  while (i < from.size() && j < to.size()) {
    ReassociationIndices &left = fromRuns.emplace_back();
    ReassociationIndices &right = toRuns.emplace_back();
    left.push_back(i);
    right.push_back(j);
    int64_t leftSize = from[i++], rightSize = to[j++];
    while (leftSize != rightSize) {
      if (leftSize < rightSize) {
        left.push_back(i);
        leftSize *= from[i++];
      } else {
        right.push_back(j);
        rightSize *= to[j++];
      }
    }
  }
  // Only dimensions of size one are left; they join the last run.
  for (; i < from.size(); ++i)
    fromRuns.back().push_back(i);
  for (; j < to.size(); ++j)
    toRuns.back().push_back(j);
}

static bool isTrivial(ArrayRef<ReassociationIndices> runs) {
  return llvm::all_of(
      runs, [](const ReassociationIndices &run) { return run.size() == 1; });
}

Value OperatorEmitter::reshape(Value tensor, ArrayRef<int64_t> shape) {
  ArrayRef<int64_t> from = getShape(tensor);
  if (from == shape)
    return tensor;
  auto type = RankedTensorType::get(shape, getElementType(tensor));
  // This is a single element: from and to rank zero there are no runs.
  if (from.empty())
    return tensor::ExpandShapeOp::create(builder, loc, type, tensor,
                                         ArrayRef<ReassociationIndices>());
  if (shape.empty())
    return tensor::CollapseShapeOp::create(builder, loc, type, tensor,
                                           ArrayRef<ReassociationIndices>());
  SmallVector<ReassociationIndices> fromRuns, toRuns;
  matchDims(from, shape, fromRuns, toRuns);
  if (!isTrivial(fromRuns)) {
    Shape collapsed;
    for (const ReassociationIndices &run : fromRuns) {
      int64_t &size = collapsed.emplace_back(1);
      for (int64_t dim : run)
        size *= from[dim];
    }
    tensor = tensor::CollapseShapeOp::create(
        builder, loc, RankedTensorType::get(collapsed, type.getElementType()),
        tensor, fromRuns);
  }
  if (!isTrivial(toRuns))
    tensor = tensor::ExpandShapeOp::create(builder, loc, type, tensor, toRuns);
  return tensor;
}

Value OperatorEmitter::dropDims(Value tensor,
                                llvm::function_ref<bool(size_t)> isDropped) {
  Shape kept;
  for (auto [dim, size] : llvm::enumerate(getShape(tensor)))
    if (!isDropped(dim))
      kept.push_back(size);
  return reshape(tensor, kept);
}

/// Each dimension becomes two, its copies and itself, which then become one.
Value OperatorEmitter::repeat(Value input, ArrayRef<int64_t> times) {
  SmallVector<int64_t> added;
  Shape expanded, result;
  for (auto [size, count] : llvm::zip_equal(getShape(input), times)) {
    if (count > 1) {
      added.push_back(expanded.size());
      expanded.push_back(count);
    }
    expanded.push_back(size);
    result.push_back(size * count);
  }
  if (added.empty())
    return input;
  Value copies =
      linalg::BroadcastOp::create(builder, loc, input,
                                  empty(expanded, getElementType(input)), added)
          ->getResult(0);
  return reshape(copies, result);
}

Value OperatorEmitter::broadcast(Value input, ArrayRef<int64_t> shape) {
  ArrayRef<int64_t> from = getShape(input);
  if (from == shape)
    return input;
  SmallVector<int64_t> added;
  for (auto [dim, size] : llvm::enumerate(shape))
    if (from[dim] != size)
      added.push_back(dim);
  Value thin =
      dropDims(input, [&](size_t dim) { return from[dim] != shape[dim]; });
  return linalg::BroadcastOp::create(builder, loc, thin,
                                     empty(shape, getElementType(input)), added)
      ->getResult(0);
}

Value OperatorEmitter::transpose(Value input, ArrayRef<int64_t> permutation) {
  Shape shape;
  for (int64_t dim : permutation)
    shape.push_back(getShape(input)[dim]);
  return linalg::TransposeOp::create(builder, loc, input,
                                     empty(shape, getElementType(input)),
                                     permutation)
      ->getResult(0);
}

Value OperatorEmitter::slice(Value input, ArrayRef<int64_t> offsets,
                             ArrayRef<int64_t> sizes,
                             ArrayRef<int64_t> strides) {
  return tensor::ExtractSliceOp::create(
      builder, loc, input,
      getAsIndexOpFoldResult(builder.getContext(), offsets),
      getAsIndexOpFoldResult(builder.getContext(), sizes),
      getAsIndexOpFoldResult(builder.getContext(), strides));
}

OperatorEmitter::Values OperatorEmitter::split(Value input,
                                               const OpAttributes &attrs) {
  Shape offsets(getShape(input).size(), 0), strides(offsets.size(), 1);
  Shape sizes(getShape(input));
  sizes[attrs.dim] /= attrs.parts;
  Values results;
  for (int64_t part = 0; part < attrs.parts; ++part) {
    offsets[attrs.dim] = part * sizes[attrs.dim];
    results.push_back(slice(input, offsets, sizes, strides));
  }
  return results;
}

/// tensor.concat has no stock lowering; insertions bufferize in place.
Value OperatorEmitter::concat(ArrayRef<Value> inputs, int64_t dim) {
  Shape shape(getShape(inputs[0]));
  for (Value input : inputs.drop_front())
    shape[dim] += getShape(input)[dim];
  MLIRContext *context = builder.getContext();
  Value result = empty(shape, getElementType(inputs[0]));
  Shape offsets(shape.size(), 0), strides(shape.size(), 1);
  for (Value input : inputs) {
    result = tensor::InsertSliceOp::create(
        builder, loc, input, result, getAsIndexOpFoldResult(context, offsets),
        getAsIndexOpFoldResult(context, getShape(input)),
        getAsIndexOpFoldResult(context, strides));
    offsets[dim] += getShape(input)[dim];
  }
  return result;
}

Value OperatorEmitter::pad(Value input, ArrayRef<int64_t> low,
                           ArrayRef<int64_t> high, double value) {
  Shape shape(getShape(input));
  bool isIdentity = true;
  for (auto [size, before, after] : llvm::zip_equal(shape, low, high)) {
    size += before + after;
    isIdentity &= before + after == 0;
  }
  if (isIdentity)
    return input;
  Type elementType = getElementType(input);
  MLIRContext *context = builder.getContext();
  Value scalar = arith::ConstantOp::create(
      builder, loc, builder.getFloatAttr(elementType, value));
  return tensor::PadOp::create(builder, loc,
                               RankedTensorType::get(shape, elementType), input,
                               getAsIndexOpFoldResult(context, low),
                               getAsIndexOpFoldResult(context, high), scalar);
}
