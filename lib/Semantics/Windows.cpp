//===- Windows.cpp - Parts of tensors in device memory --------------------===//

#include "Mirage/Semantics/Windows.h"
#include "Mirage/Semantics/ShapeRules.h"
#include "llvm/ADT/STLExtras.h"

using namespace mirage;

/// The bytes of the widest access.
static constexpr int64_t kAccessBytes = 16;

bool mirage::exchangesLastDims(ShapeRef permutation) {
  Shape order(permutation);
  if (order.size() < 2)
    return false;
  std::swap(order.rbegin()[0], order.rbegin()[1]);
  return llvm::is_sorted(order);
}

bool mirage::keepsOrder(OpKind kind, const OpAttributes &attributes,
                        ShapeRef operand) {
  if (kind == OpKind::Reshape)
    return true;
  if (kind != OpKind::Transpose)
    return false;
  int64_t last = -1;
  for (int64_t dim : attributes.permutation) {
    if (operand[dim] == 1)
      continue;
    if (dim < last)
      return false;
    last = dim;
  }
  return true;
}

/// Adds to `result` the dimensions `to` that replace the dimensions `from` on
/// of a part, which have `sizes`. Returns false where the part is no run of
/// neighbours there, or where it does not begin at a multiple of the new inner
/// dimensions.
static bool regroup(const TensorPart &part, size_t from, ShapeRef sizes,
                    ShapeRef to, TensorPart &result) {
  ShapeRef whole = ShapeRef(part.whole).slice(from, sizes.size()),
           offsets = ShapeRef(part.offsets).slice(from, sizes.size());
  int64_t begin = 0;
  bool isInside = false;
  for (auto [size, wholeSize, offset] : llvm::zip(sizes, whole, offsets)) {
    // Inside of a dimension of which more than one index is taken, all others
    // are taken whole.
    if (isInside && size != wholeSize)
      return false;
    isInside |= size > 1;
    begin = begin * wholeSize + offset;
  }
  int64_t count = elementCount(whole);
  if (to.empty())
    return count == 1;
  // Dimensions of size one in front of others stay as they are.
  while (to.size() > 1 && to.front() == 1 && elementCount(to) > 1) {
    result.whole.push_back(1);
    result.offsets.push_back(0);
    to = to.drop_front();
  }
  int64_t inner = elementCount(to.drop_front());
  if (inner == 0 || count % inner || begin % inner)
    return false;
  result.whole.push_back(count / inner);
  result.offsets.push_back(begin / inner);
  llvm::append_range(result.whole, to.drop_front());
  result.offsets.append(to.size() - 1, 0);
  return true;
}

std::optional<TensorPart> mirage::reshapePart(const TensorPart &part,
                                              ShapeRef sizes, ShapeRef shape) {
  TensorPart result;
  if (part.offsets.empty()) {
    result.whole.assign(shape.begin(), shape.end());
    return result;
  }
  if (elementCount(sizes) == 0)
    return std::nullopt;
  // The fewest neighbouring dimensions that have as many elements in both
  // shapes are regrouped together.
  size_t from = 0, to = 0;
  while (from < sizes.size() || to < shape.size()) {
    size_t fromEnd = from, toEnd = to;
    int64_t fromCount = 1, toCount = 1;
    while (fromCount != toCount || fromEnd == from || toEnd == to) {
      bool hasFrom = fromEnd < sizes.size(), hasTo = toEnd < shape.size();
      if (!hasFrom && !hasTo)
        break;
      if (hasFrom && (fromCount <= toCount || !hasTo))
        fromCount *= sizes[fromEnd++];
      else
        toCount *= shape[toEnd++];
    }
    // What one shape has beyond the other's end are dimensions of size one.
    if (fromEnd == sizes.size() || toEnd == shape.size()) {
      fromEnd = sizes.size();
      toEnd = shape.size();
    }
    if (!regroup(part, from, sizes.slice(from, fromEnd - from),
                 shape.slice(to, toEnd - to), result))
      return std::nullopt;
    from = fromEnd;
    to = toEnd;
  }
  return result;
}

bool mirage::isAligned(const TensorPart &part, ElementType type) {
  return part.offsets.empty() ||
         part.offsets.back() * byteSize(type) % kAccessBytes == 0;
}

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

std::optional<Shape> mirage::reshapeStrides(ShapeRef sizes, ShapeRef strides,
                                            ShapeRef shape) {
  // Dimensions are taken apart, and neighbours without a gap are joined.
  llvm::SmallVector<std::pair<int64_t, int64_t>> pieces;
  for (auto [size, stride] : llvm::zip(sizes, strides)) {
    if (size == 1)
      continue;
    if (!pieces.empty() && pieces.back().second == size * stride)
      pieces.back() = {pieces.back().first * size, stride};
    else
      pieces.push_back({size, stride});
  }
  Shape reversed;
  for (int64_t size : llvm::reverse(shape)) {
    if (size == 1) {
      reversed.push_back(1);
      continue;
    }
    if (pieces.empty() || pieces.back().first % size)
      return std::nullopt;
    auto &[count, stride] = pieces.back();
    reversed.push_back(stride);
    count /= size;
    stride *= size;
    if (count == 1)
      pieces.pop_back();
  }
  return Shape(reversed.rbegin(), reversed.rend());
}
