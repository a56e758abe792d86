//===- Extents.cpp - Sizes as products of extents -------------------------===//
//
// Uniting sizes from their innermost extents outwards.
//
//===----------------------------------------------------------------------===//

#include "Extents.h"

using namespace mirage;
using llvm::ArrayRef;

Size Extents::add(int64_t value) {
  if (value == 1)
    return {};
  entries.push_back({value, /*fixed=*/false, {}});
  return {static_cast<ExtentId>(entries.size() - 1)};
}

Size Extents::resolve(ArrayRef<ExtentId> size) const {
  Size leaves;
  for (ExtentId extent : size) {
    if (entries[extent].parts.empty())
      leaves.push_back(extent);
    else
      leaves.append(resolve(entries[extent].parts));
  }
  return leaves;
}

void Extents::fix(ArrayRef<ExtentId> size) {
  for (ExtentId leaf : resolve(size))
    entries[leaf].fixed = true;
}

void Extents::unite(ArrayRef<ExtentId> a, ArrayRef<ExtentId> b) {
  Size left = resolve(a), right = resolve(b);
  while (!left.empty() && !right.empty()) {
    ExtentId x = left.back(), y = right.back();
    if (x == y) {
      left.pop_back();
      right.pop_back();
      continue;
    }
    if (entries[x].value > entries[y].value) {
      std::swap(left, right);
      std::swap(x, y);
    }
    int64_t inner = entries[x].value, outer = entries[y].value / inner;
    if (entries[y].value % inner) {
      fix(left);
      fix(right);
      return;
    }
    bool fixed = entries[y].fixed;
    entries[x].fixed |= fixed;
    if (outer == 1) {
      entries[y].parts = {x};
    } else {
      Size rest = add(outer);
      entries[rest.front()].fixed = fixed;
      entries[y].parts = {rest.front(), x};
    }
    // The extent y may stand elsewhere in either sequence.
    left = resolve(left);
    right = resolve(right);
  }
}
