//===- ReshapedWindows.cpp - Windows on both sides of a reshape -----------===//
//
// A window is moved through a reshape group by group, as a range of the
// group's elements in row-major order.
//
//===----------------------------------------------------------------------===//

#include "ReshapedWindows.h"
#include "PartRules.h"

using namespace mirage;
using namespace mirage::search;

llvm::SmallVector<ReshapeGroup, 4>
mirage::search::getReshapeGroups(ShapeRef from, ShapeRef to) {
  llvm::SmallVector<ReshapeGroup, 4> groups;
  size_t i = 0, j = 0;
  while (i < from.size() || j < to.size()) {
    ReshapeGroup group = {i, i, j, j};
    int64_t left = i < from.size() ? from[i++] : 1,
            right = j < to.size() ? to[j++] : 1;
    while (left != right) {
      if (left < right && i < from.size())
        left *= from[i++];
      else if (j < to.size())
        right *= to[j++];
      else
        left *= from[i++];
    }
    group.lastFrom = i;
    group.lastTo = j;
    groups.push_back(group);
  }
  return groups;
}

bool mirage::search::setRange(ShapeRef shape, size_t first, size_t last,
                              int64_t low, int64_t high, TensorWindow &window) {
  int64_t inner = 1;
  for (size_t dim = first; dim < last; ++dim)
    inner *= shape[dim];
  for (size_t dim = first; dim < last; ++dim) {
    inner /= shape[dim];
    if (low % inner == 0 && high % inner == 0) {
      window.offsets[dim] = low / inner;
      window.sizes[dim] = (high - low) / inner;
      for (size_t rest = dim + 1; rest < last; ++rest) {
        window.offsets[rest] = 0;
        window.sizes[rest] = shape[rest];
      }
      return true;
    }
    int64_t index = low / inner;
    if ((high - 1) / inner != index)
      return false;
    window.offsets[dim] = index;
    window.sizes[dim] = 1;
    low -= index * inner;
    high -= index * inner;
  }
  return low == 0 && high == 1;
}

std::optional<std::pair<int64_t, int64_t>>
mirage::search::getRange(ShapeRef shape, size_t first, size_t last,
                         const TensorWindow &window) {
  int64_t low = 0, count = 1;
  bool isPartial = false;
  for (size_t dim = first; dim < last; ++dim) {
    // Behind a dimension that has several elements all are whole.
    if (isPartial && window.sizes[dim] != shape[dim])
      return std::nullopt;
    isPartial |= window.sizes[dim] != 1;
    low = low * shape[dim] + window.offsets[dim];
    count *= window.sizes[dim];
  }
  return std::pair(low, low + count);
}

std::optional<TensorWindow>
mirage::search::reshapeWindow(ShapeRef from, ShapeRef to,
                              const TensorWindow &window) {
  TensorWindow result = getWholeWindow(from);
  for (const ReshapeGroup &group : getReshapeGroups(from, to)) {
    bool isWhole = true;
    for (size_t dim = group.firstTo; dim < group.lastTo; ++dim)
      isWhole &= window.sizes[dim] == to[dim];
    if (isWhole)
      continue;
    auto range = getRange(to, group.firstTo, group.lastTo, window);
    if (!range || !setRange(from, group.firstFrom, group.lastFrom, range->first,
                            range->second, result))
      return std::nullopt;
  }
  return result;
}
