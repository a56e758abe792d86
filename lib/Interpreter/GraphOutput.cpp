//===- GraphOutput.cpp - Where points store their values ------------------===//
//
// Stores by omap: concatenation at once, sums and maxima at the end in the
// order of the grid, in f32 (f64 for f64), rounded once.
//
//===----------------------------------------------------------------------===//

#include "GraphOutput.h"
#include "Tiles.h"

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;

SmallVector<int64_t, 3> mirage::getPointIndices(int64_t point,
                                                ArrayRef<int64_t> extents) {
  SmallVector<int64_t, 3> indices;
  for (int64_t extent : extents) {
    indices.push_back(point % extent);
    point /= extent;
  }
  return indices;
}

GraphOutput::GraphOutput(ArrayRef<int64_t> omap, const MuGraph::Value &type,
                         ArrayRef<int64_t> extents, Precision precision)
    : omap(omap), extents(extents), precision(precision) {
  for (int64_t entry : omap)
    if (entry == kReduceSum || entry == kReduceMax)
      reduction = static_cast<MapEntry>(entry);
  if (reduction)
    partial.resize(elementCount(extents));

  result.type = type.type;
  double nan = std::numeric_limits<double>::quiet_NaN();
  withNumberType(precision, result.type, [&](auto number) {
    using T = decltype(number);
    Tensor<T> tensor(type.shape);
    T unwritten = static_cast<T>(nan);
    if constexpr (std::is_same_v<T, Bounded>)
      unwritten.error = std::numeric_limits<double>::infinity();
    std::fill(tensor.data.begin(), tensor.data.end(), unwritten);
    result.numbers = std::move(tensor);
  });
}

Shape GraphOutput::getOffsets(ArrayRef<int64_t> indices, ShapeRef tile) const {
  Shape offsets(tile.size(), 0);
  for (auto [entry, index] : llvm::zip(omap, indices))
    if (entry >= 0)
      offsets[entry] = index * tile[entry];
  return offsets;
}

void GraphOutput::store(int64_t point, ArrayRef<int64_t> indices,
                        SharedValue value) {
  if (reduction) {
    partial[point] = std::move(value);
    return;
  }
  ShapeRef tile = value->shape();
  std::visit(
      [&](auto &target) {
        const auto &source =
            *std::get_if<std::decay_t<decltype(target)>>(&value->numbers);
        copyBox(tile, source, Shape(tile.size(), 0), target,
                getOffsets(indices, tile));
      },
      result.numbers);
}

template <typename T> void GraphOutput::combine(Tensor<T> &target) {
  Arithmetic<T> s(
      getEvaluateOptions(precision, result.type == ElementType::f64));
  for (auto [point, value] : llvm::enumerate(partial)) {
    SmallVector<int64_t, 3> indices = getPointIndices(point, extents);
    bool isFirst = true;
    for (auto [entry, index] : llvm::zip(omap, indices))
      isFirst &= entry != *reduction || index == 0;
    const auto &source = *std::get_if<Tensor<T>>(&value->numbers);
    auto combineRow = [&](int64_t from, int64_t to, int64_t length) {
      for (int64_t i = 0; i < length; ++i) {
        T &sum = target.data[to + i];
        const T &part = source.data[from + i];
        sum = isFirst                    ? part
              : *reduction == kReduceMax ? s.max(sum, part)
                                         : s.addPartial(sum, part);
      }
    };
    forEachRow(source.shape, source.shape, Shape(source.shape.size(), 0),
               target.shape, getOffsets(indices, source.shape), combineRow);
    value.reset();
  }
  if (*reduction == kReduceMax)
    return;
  for (T &sum : target.data)
    sum = s.endSum(sum);
  roundNumbers(precision, result.type, s, target);
}

TensorValue GraphOutput::take() {
  if (reduction)
    std::visit([&](auto &target) { combine(target); }, result.numbers);
  return std::move(result);
}
