//===- ShrinkPair.cpp - The same programs at smaller extents --------------===//
//
// Chooses new extents and writes both graphs anew with them.
//
//===----------------------------------------------------------------------===//

#include "Mirage/MuGraph/ShrinkPair.h"
#include "GraphResizer.h"
#include "Mirage/Runtime/ElementType.h"
#include "Mirage/Semantics/ShapeRules.h"
#include "ProgramNumbers.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetOperations.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <cmath>
#include <limits>
#include <map>
#include <set>

using namespace mirage;
using llvm::ArrayRef;

namespace {
class Shrinker : private GraphResizer {
public:
  Shrinker(const MuGraph &lhs, const MuGraph &rhs, const ShrinkOptions &options)
      : options(options), left(lhs, extents), right(rhs, extents) {
    auto uniteLists = [&](ArrayRef<MuValue> a, ArrayRef<MuValue> b) {
      for (auto [x, y] : llvm::zip(a, b))
        for (auto [s, t] : llvm::zip(left.sizes[x], right.sizes[y]))
          extents.unite(s, t);
    };
    uniteLists(lhs.getRegion().arguments, rhs.getRegion().arguments);
    uniteLists(lhs.getRegion().results, rhs.getRegion().results);
    fixCounts();
    if (options.keepReductions)
      for (const DimensionSizes *sizes : {&left, &right})
        for (const Size &size : sizes->reduced)
          extents.fix(size);
    fixConstants();
    findPaddings();
    chooseValues();
  }

  ShrunkPair run() {
    return {rewrite(left), rewrite(right), mayDependOnSizes()};
  }

private:
  int64_t getOldValue(ArrayRef<ExtentId> size) const {
    int64_t value = 1;
    for (ExtentId leaf : extents.resolve(size))
      value *= extents.getValue(leaf);
    return value;
  }
  int64_t getValue(ArrayRef<ExtentId> size) const override {
    int64_t value = 1;
    for (ExtentId leaf : extents.resolve(size)) {
      if (const auto *padding = paddings.lookup(leaf))
        value *= getValue(padding->inner) + padding->added;
      else if (const auto *part = parts.lookup(leaf))
        value *= getValue(part->padded) - getAdded(*part);
      else
        value *= values.lookup(leaf);
    }
    return value;
  }

  /// The elements behind a part of a size, where the size has its new value.
  int64_t getAdded(const DimensionSizes::Padding &padding) const {
    return getValue(padding.padded) == getOldValue(padding.padded)
               ? padding.added
               : 1;
  }
  /// Returns whether the value of an extent follows from those of others.
  bool isDerived(ExtentId leaf) const {
    return paddings.contains(leaf) || parts.contains(leaf);
  }

  void fixCounts();
  const DimensionSizes::Padding *findThreshold(const DimensionSizes &sizes,
                                               const MuNode &node) const;
  bool follow(const DimensionSizes::Padding &padding);
  void findCounts(ArrayRef<double> constants);
  double rewriteNumber(double number) const override;
  void findPaddings();
  void fixConstants();
  bool mayDependOnSizes() const;
  void chooseValues();
  bool enlarge(const Size &size, const Size &other);
  std::vector<int64_t> getKeptIndices(ArrayRef<ExtentId> size) const;
  void rewriteConstant(const DimensionSizes &sizes,
                       MuNode &node) const override;

  ShrinkOptions options;
  Extents extents{Extents::Refinement::AnyOrder};
  DimensionSizes left, right;
  /// New values of undivided extents.
  llvm::DenseMap<ExtentId, int64_t> values;
  /// Extents that follow from others: those with padding, and those of parts of
  /// which the whole is divided.
  llvm::DenseMap<ExtentId, const DimensionSizes::Padding *> paddings, parts;
  /// Constants of one program alone that stand for no size that is kept.
  std::vector<double> otherConstants;
  /// Constants that change with the size that they may stand for.
  std::map<double, Size> ofCounts;
};
} // namespace

/// One program may write a mean as a quotient by the number of elements, or a
/// root of a mean as one of a sum.
void Shrinker::fixCounts() {
  // Elements that both graphs share tell them apart by no size. They matter
  // only if they may stand for one that is counted.
  llvm::SmallPtrSet<const void *, 8> shared;
  if (left.counted.empty() && right.counted.empty()) {
    shared = findElements(left.graph);
    llvm::set_intersect(shared, findElements(right.graph));
  }
  std::vector<double> ofLeft, ofRight, constants;
  collectConstants(left.graph, shared, ofLeft);
  collectConstants(right.graph, shared, ofRight);
  std::set_union(ofLeft.begin(), ofLeft.end(), ofRight.begin(), ofRight.end(),
                 std::back_inserter(constants));
  // A number that both programs write tells them apart by no size.
  std::set_symmetric_difference(ofLeft.begin(), ofLeft.end(), ofRight.begin(),
                                ofRight.end(),
                                std::back_inserter(otherConstants));
  std::vector<double> known;
  for (const DimensionSizes *sizes : {&left, &right})
    for (const Size &size : sizes->counted) {
      double count = static_cast<double>(getOldValue(size));
      bool isWritten = false;
      for (double constant : constants)
        if (findNumberOf(count, constant)) {
          isWritten = true;
          known.push_back(constant);
        }
      if (isWritten && !options.rewriteCounts)
        extents.fix(size);
    }
  if (options.rewriteCounts)
    findCounts(known);
  llvm::erase_if(otherConstants, [&](double constant) {
    return llvm::is_contained(known, constant);
  });
}

/// Finds the size that each of the constants stands for. Where there are two,
/// both keep what they are.
void Shrinker::findCounts(ArrayRef<double> constants) {
  std::set<double> ambiguous;
  auto forEachCount = [&](double constant, auto visit) {
    for (const DimensionSizes *sizes : {&left, &right})
      for (const Size &size : sizes->counted)
        if (findNumberOf(static_cast<double>(getOldValue(size)), constant))
          visit(size);
  };
  auto getLeaves = [&](const Size &size) {
    Size leaves = extents.resolve(size);
    llvm::sort(leaves);
    return leaves;
  };
  for (double constant : constants)
    forEachCount(constant, [&](const Size &size) {
      Size leaves = getLeaves(size);
      if (ofCounts.try_emplace(constant, leaves).first->second != leaves)
        ambiguous.insert(constant);
    });
  for (double constant : ambiguous) {
    ofCounts.erase(constant);
    forEachCount(constant, [&](const Size &size) { extents.fix(size); });
  }
}

/// Returns the number that stands for the new value of a size if `number`
/// stands for the old one, otherwise `number`.
double Shrinker::rewriteNumber(double number) const {
  auto count = ofCounts.find(std::fabs(number));
  if (count == ofCounts.end())
    return number;
  auto which = findNumberOf(static_cast<double>(getOldValue(count->second)),
                            count->first);
  double size = static_cast<double>(getValue(count->second));
  return std::copysign(getNumbersOf(size)[*which], number);
}

/// Elements of a constant are chosen by the digits of their indices, one for
/// each extent. Where an extent has another place in another size, it is no
/// digit, nor where it follows from another one. What only one graph has may be
/// made of all elements of a constant that the other one has.
void Shrinker::fixConstants() {
  std::set<ExtentId> noDigits;
  for (const DimensionSizes *sizes : {&left, &right})
    for (const DimensionSizes::Padding &padding : sizes->paddings)
      for (const Size &size : {padding.padded, padding.inner})
        for (ExtentId leaf : extents.resolve(size))
          noDigits.insert(leaf);
  auto areDigits = [&](const Size &size) {
    return llvm::none_of(extents.resolve(size), [&](ExtentId leaf) {
      return extents.isExchanged(leaf) || noDigits.contains(leaf);
    });
  };
  for (auto [sizes, others] : {std::pair{&left, &right}, {&right, &left}})
    for (unsigned number : sizes->constants) {
      const MuNode &node = sizes->graph.getNode(number);
      const auto &values = node.attributes.values;
      bool isShared = llvm::any_of(others->constants, [&](unsigned other) {
        const auto &known = others->graph.getNode(other).attributes.values;
        return known == values || *known == *values;
      });
      const auto &dims = sizes->sizes[node.results[0]];
      if (!options.keepConstants && findThreshold(*sizes, node))
        continue;
      if (options.keepConstants || !isShared || !llvm::all_of(dims, areDigits))
        llvm::for_each(dims, [&](const Size &size) { extents.fix(size); });
    }
}

/// Returns the padding that a constant tells from the rest, if it is one number
/// for all elements before and another one for the padding behind them.
const DimensionSizes::Padding *
Shrinker::findThreshold(const DimensionSizes &sizes, const MuNode &node) const {
  const std::vector<double> &values = *node.attributes.values;
  auto end = std::find_if(values.begin(), values.end(), [&](double value) {
    return value != values.front();
  });
  auto isLast = [&](double value) { return value == values.back(); };
  if (end == values.end() || !std::all_of(end, values.end(), isLast))
    return nullptr;
  Size whole;
  for (const Size &size : sizes.sizes[node.results[0]])
    whole.append(extents.resolve(size));
  for (const DimensionSizes *other : {&left, &right})
    for (const DimensionSizes::Padding &padding : other->paddings)
      if (padding.isBehind && extents.resolve(padding.padded) == whole &&
          getOldValue(padding.inner) == end - values.begin())
        return &padding;
  return nullptr;
}

/// Lets one of a padding's two sizes follow from the other one, if it is
/// undivided and need not keep its value. Returns false if neither can.
bool Shrinker::follow(const DimensionSizes::Padding &padding) {
  auto isSame = [&](const DimensionSizes::Padding &other) {
    return other.added == padding.added &&
           extents.resolve(other.inner) == extents.resolve(padding.inner) &&
           extents.resolve(other.padded) == extents.resolve(padding.padded);
  };
  Size padded = extents.resolve(padding.padded),
       inner = extents.resolve(padding.inner);
  auto isFree = [&](const Size &size, const Size &other) {
    return size.size() == 1 && !extents.isFixed(size.front()) &&
           !llvm::is_contained(other, size.front());
  };
  auto add = [&](auto &map, ExtentId leaf) {
    return isSame(*map.try_emplace(leaf, &padding).first->second);
  };
  if (isFree(padded, inner) && !parts.contains(padded.front()))
    return add(paddings, padded.front());
  auto isKept = [&](ExtentId leaf) { return extents.isFixed(leaf); };
  auto isOfOther = [&](ExtentId leaf) { return isDerived(leaf); };
  // Two parts of one whole would become equal.
  auto isOtherPart = [&](const auto &known) {
    return known.first != inner.front() &&
           extents.resolve(known.second->padded) == padded;
  };
  return padding.isBehind && isFree(inner, padded) &&
         !paddings.contains(inner.front()) && !llvm::all_of(padded, isKept) &&
         llvm::none_of(padded, isOfOther) &&
         llvm::none_of(parts, isOtherPart) && add(parts, inner.front());
}

/// An extent with padding follows from the one without, or a part from the
/// whole, as far as one of both is undivided, has no other padding, and need
/// not keep its value. Otherwise neither changes.
void Shrinker::findPaddings() {
  bool isChanged = true;
  while (isChanged) {
    isChanged = false;
    paddings.clear();
    parts.clear();
    for (const DimensionSizes *sizes : {&left, &right})
      for (const DimensionSizes::Padding &padding : sizes->paddings) {
        if (follow(padding))
          continue;
        for (const Size &size : {padding.padded, padding.inner})
          for (ExtentId leaf : extents.resolve(size))
            isChanged |= !extents.isFixed(leaf);
        extents.fix(padding.padded);
        extents.fix(padding.inner);
      }
  }
}

bool Shrinker::mayDependOnSizes() const {
  auto haveChanged = [&](ArrayRef<Size> sizes) {
    return llvm::any_of(sizes, [&](const Size &size) {
      return getValue(size) != getOldValue(size);
    });
  };
  auto isRewritten = [&](const auto &count) {
    return getValue(count.second) != getOldValue(count.second);
  };
  if (llvm::any_of(ofCounts, isRewritten))
    return true;
  return llvm::any_of(
      std::array{&left, &right}, [&](const DimensionSizes *sizes) {
        return haveChanged(sizes->mayBeCounted) ||
               (!otherConstants.empty() && haveChanged(sizes->reduced));
      });
}

/// Extents become as small as possible, and larger again where different sizes
/// would be equal. Those that were equal may stay so where no extent is left
/// that could be larger.
void Shrinker::chooseValues() {
  std::set<std::pair<int64_t, Size>> sizes;
  auto add = [&](const Size &size) {
    Size leaves = extents.resolve(size);
    llvm::sort(leaves);
    for (ExtentId leaf : leaves) {
      int64_t old = extents.getValue(leaf);
      values[leaf] =
          extents.isFixed(leaf) ? old : std::min(old, options.smallest);
    }
    sizes.insert({getOldValue(leaves), std::move(leaves)});
  };
  for (const DimensionSizes *program : {&left, &right}) {
    for (const auto &dims : program->sizes)
      llvm::for_each(dims, add);
    for (const auto &dims : program->ofNodes)
      llvm::for_each(dims, add);
  }
  // No size becomes one. Those of fewest extents are looked at first.
  std::vector<Size> bySize;
  for (const auto &[old, size] : sizes)
    if (old > 1)
      bySize.push_back(size);
  llvm::sort(bySize, [](const Size &a, const Size &b) {
    return std::pair(a.size(), ArrayRef(a)) < std::pair(b.size(), ArrayRef(b));
  });
  for (const Size &size : bySize)
    if (getValue(size) == 1)
      enlarge(size, /*other=*/{});
  for (const auto &[leaf, part] : parts)
    while (getValue(leaf) == 1 &&
           enlarge(extents.resolve(part->padded), /*other=*/{}))
      ;
  bool isChanged = options.keepDifferent;
  while (isChanged) {
    isChanged = false;
    llvm::DenseMap<int64_t, const Size *> known;
    for (const auto &[old, size] : sizes) {
      auto [other, isNew] = known.try_emplace(getValue(size), &size);
      if (!isNew &&
          (enlarge(size, *other->second) || enlarge(*other->second, size))) {
        isChanged = true;
        break;
      }
    }
  }
}

/// Makes an extent larger that a size has and another one has not: the one that
/// was the largest of those that are smaller than they were. Returns whether
/// there is one.
bool Shrinker::enlarge(const Size &size, const Size &other) {
  std::optional<ExtentId> largest;
  for (ExtentId leaf : size) {
    int64_t old = extents.getValue(leaf);
    if (!isDerived(leaf) && values[leaf] < old &&
        !llvm::is_contained(other, leaf) &&
        (!largest || old > extents.getValue(*largest)))
      largest = leaf;
  }
  if (largest)
    ++values[*largest];
  return largest.has_value();
}

/// Returns which indices below the old value of a size are kept. Of each digit
/// it is the first, the last, and as many between as there is room for, evenly:
/// so rows and columns of a mask are near to its borders, and far from them.
std::vector<int64_t> Shrinker::getKeptIndices(ArrayRef<ExtentId> size) const {
  std::vector<int64_t> indices = {0};
  for (ExtentId leaf : extents.resolve(size)) {
    int64_t old = extents.getValue(leaf), kept = values.lookup(leaf);
    std::vector<int64_t> longer;
    for (int64_t index : indices)
      for (int64_t digit = 0; digit < kept; ++digit)
        longer.push_back(index * old +
                         (kept == 1 ? 0 : digit * (old - 1) / (kept - 1)));
    indices = std::move(longer);
  }
  return indices;
}

/// Keeps the elements of a constant whose indices are kept.
void Shrinker::rewriteConstant(const DimensionSizes &sizes,
                               MuNode &node) const {
  OpAttributes &attributes = node.attributes;
  MuValue result = node.results[0];
  ShapeRef from = sizes.graph.getShape(result);
  Shape to = getShape(sizes, result);
  attributes.resultShape = to;
  if (attributes.values->size() == 1) {
    // A number that stands for a size is rounded as the other numbers are.
    double number = attributes.values->front(), other = rewriteNumber(number);
    if (other != number)
      attributes.values = std::make_shared<const std::vector<double>>(
          1, roundTo(sizes.graph.getValue(result).type, other));
    return;
  }
  if (to == from)
    return;
  if (const DimensionSizes::Padding *padding = findThreshold(sizes, node)) {
    std::vector<double> elements(elementCount(to), attributes.values->back());
    std::fill_n(elements.begin(), getValue(padding->inner),
                attributes.values->front());
    attributes.values =
        std::make_shared<const std::vector<double>>(std::move(elements));
    return;
  }
  std::vector<int64_t> kept = {0};
  for (auto [old, size] : llvm::zip_equal(from, sizes.sizes[result])) {
    std::vector<int64_t> indices = getKeptIndices(size), longer;
    longer.reserve(kept.size() * indices.size());
    for (int64_t index : kept)
      for (int64_t next : indices)
        longer.push_back(index * old + next);
    kept = std::move(longer);
  }
  std::vector<double> elements;
  elements.reserve(kept.size());
  for (int64_t index : kept)
    elements.push_back((*attributes.values)[index]);
  attributes.values =
      std::make_shared<const std::vector<double>>(std::move(elements));
}

ShrunkPair mirage::shrinkPair(const MuGraph &lhs, const MuGraph &rhs,
                              const ShrinkOptions &options) {
  return Shrinker(lhs, rhs, options).run();
}
