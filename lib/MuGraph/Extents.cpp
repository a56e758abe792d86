//===- Extents.cpp - Sizes as products of extents -------------------------===//
//
// Uniting sizes from their innermost extents outwards.
//
//===----------------------------------------------------------------------===//

#include "Extents.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace mirage;
using llvm::ArrayRef;

Size Extents::add(int64_t value) {
  if (value == 1 && !haveOnes())
    return {};
  entries.emplace_back().value = value;
  return {static_cast<ExtentId>(entries.size() - 1)};
}

Size Extents::addPart(int64_t value, const Entry &whole) {
  bool fixed = whole.fixed, exchanged = whole.exchanged;
  Size part = value == 1 ? Size() : add(value);
  for (ExtentId extent : part) {
    entries[extent].fixed = fixed;
    entries[extent].exchanged = exchanged;
  }
  return part;
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
  if (haveOnes())
    uniteOnes(left, right);
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
      if (refinement == Refinement::AnyOrder)
        return uniteFactors(std::move(left), std::move(right));
      fix(left);
      fix(right);
      return;
    }
    entries[x].fixed |= entries[y].fixed;
    entries[x].exchanged |= entries[y].exchanged;
    if (outer == 1) {
      entries[y].parts = {x};
    } else {
      Size rest = addPart(outer, entries[y]);
      entries[y].parts = {rest.front(), x};
    }
    // The extent y may stand elsewhere in either sequence.
    left = resolve(left);
    right = resolve(right);
  }
}

/// Unites the ones of two sizes of equal value, where ones are extents, and
/// removes them from both. Ones that only one of the sizes has become factors
/// of an extent that only the other one has.
void Extents::uniteOnes(Size &left, Size &right) {
  auto isOne = [&](ExtentId extent) { return entries[extent].value == 1; };
  auto takeOnes = [&](Size &size, ArrayRef<ExtentId> other) {
    Size ones;
    for (ExtentId extent : size)
      if (isOne(extent) && !llvm::is_contained(other, extent))
        ones.push_back(extent);
    return ones;
  };
  Size ofLeft = takeOnes(left, right), ofRight = takeOnes(right, left);
  auto add = [&](ExtentId extent, ArrayRef<ExtentId> parts) {
    for (ExtentId part : parts) {
      entries[part].fixed |= entries[extent].fixed;
      entries[part].exchanged |= entries[extent].exchanged;
    }
    entries[extent].parts.assign(parts.begin(), parts.end());
  };
  while (!ofLeft.empty() && !ofRight.empty())
    add(ofLeft.pop_back_val(), ofRight.pop_back_val());
  for (auto [ones, other, own] : {std::tuple{&ofLeft, &right, &left},
                                  std::tuple{&ofRight, &left, &right}}) {
    if (ones->empty())
      continue;
    auto *whole = llvm::find_if(*other, [&](ExtentId extent) {
      return !isOne(extent) && !llvm::is_contained(*own, extent);
    });
    if (whole == other->end()) {
      fix(*ones);
      continue;
    }
    Size parts = *ones;
    parts.append(addPart(entries[*whole].value, entries[*whole]));
    add(*whole, parts);
  }
  for (Size *size : {&left, &right}) {
    *size = resolve(*size);
    llvm::erase_if(*size, isOne);
  }
}

/// Divides two extents by the largest factor that both have, and makes this
/// factor one extent.
void Extents::uniteCommonFactor(ExtentId x, ExtentId y) {
  int64_t factor = std::gcd(entries[x].value, entries[y].value);
  ExtentId common = add(factor).front();
  entries[common].fixed = entries[x].fixed || entries[y].fixed;
  entries[common].exchanged = true;
  for (ExtentId extent : {x, y}) {
    Size parts = addPart(entries[extent].value / factor, entries[extent]);
    parts.push_back(common);
    entries[extent].parts.assign(parts.begin(), parts.end());
  }
}

/// Makes two sizes of equal value products of the same extents, in whatever
/// order. Factors are looked for from the innermost extents outwards.
void Extents::uniteFactors(Size left, Size right) {
  for (const Size *size : {&left, &right})
    for (ExtentId extent : *size)
      entries[extent].exchanged = true;
  while (!left.empty()) {
    ExtentId x = left.back();
    // Extents of both sizes are united already.
    if (auto *same = llvm::find(right, x); same != right.end()) {
      left.pop_back();
      right.erase(same);
      continue;
    }
    auto other = llvm::find_if(llvm::reverse(right), [&](ExtentId y) {
      return std::gcd(entries[x].value, entries[y].value) > 1;
    });
    assert(other != right.rend() && "the sizes have equal values");
    uniteCommonFactor(x, *other);
    // Both extents may stand elsewhere, too.
    left = resolve(left);
    right = resolve(right);
  }
}
