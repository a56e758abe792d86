//===- ShrinkPair.cpp - The same programs at smaller extents --------------===//
//
// Chooses new extents and writes both graphs anew with them.
//
//===----------------------------------------------------------------------===//

#include "Mirage/MuGraph/ShrinkPair.h"
#include "DimensionSizes.h"
#include "llvm/ADT/DenseMap.h"
#include <cmath>
#include <limits>
#include <set>

using namespace mirage;
using llvm::ArrayRef;

/// Numbers that a program calculates with, but for 0, 1, -1, infinities and the
/// largest finite numbers of f32 and f64: those are not what they are because a
/// size is what it is. Of constants with many elements, each element counts.
static void collectConstants(const MuGraph &graph,
                             std::vector<double> &constants) {
  auto add = [&](double value) {
    double size = std::fabs(value);
    bool isLimit = size == std::numeric_limits<float>::max() ||
                   size == std::numeric_limits<double>::max();
    if (std::isfinite(value) && value != 0 && size != 1 && !isLimit)
      constants.push_back(size);
  };
  for (unsigned number = 0; number < graph.getNumNodes(); ++number) {
    const MuNode &node = graph.getNode(number);
    if (node.kind != MuNode::Kind::Operator)
      continue;
    if (node.op == OpKind::Constant)
      llvm::for_each(*node.attributes.values, add);
    // A factor, an exponent, a padding value, an epsilon, a correction.
    add(node.attributes.scalar);
    add(node.attributes.lower);
    add(node.attributes.upper);
  }
  llvm::sort(constants);
  constants.erase(llvm::unique(constants), constants.end());
}

/// Returns whether `constant` may be there because a size is `count`: count, 1
/// / count, their square roots, or one of those rounded to f16, by 2^-11 at
/// most.
static bool mayStandFor(double constant, double count) {
  for (double number :
       {count, 1 / count, std::sqrt(count), 1 / std::sqrt(count)})
    if (std::fabs(constant / number - 1) <= 0x1p-11)
      return true;
  return false;
}

namespace {
class Shrinker {
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
  int64_t getValue(ArrayRef<ExtentId> size) const {
    int64_t value = 1;
    for (ExtentId leaf : extents.resolve(size))
      value *= values.lookup(leaf);
    return value;
  }

  void fixCounts();
  bool mayDependOnSizes() const;
  void chooseValues();
  bool enlarge(const Size &size, const Size &other);
  MuGraph rewrite(const DimensionSizes &sizes) const;
  void rewriteAttributes(const DimensionSizes &sizes, unsigned number,
                         MuNode &node) const;

  ShrinkOptions options;
  Extents extents{Extents::Refinement::AnyOrder};
  DimensionSizes left, right;
  /// New values of undivided extents.
  llvm::DenseMap<ExtentId, int64_t> values;
  /// Constants of one program alone that stand for no size that is kept.
  std::vector<double> otherConstants;
};
} // namespace

/// One program may write a mean as a quotient by the number of elements, or a
/// root of a mean as one of a sum.
void Shrinker::fixCounts() {
  std::vector<double> ofLeft, ofRight, constants;
  collectConstants(left.graph, ofLeft);
  collectConstants(right.graph, ofRight);
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
        if (mayStandFor(constant, count)) {
          isWritten = true;
          known.push_back(constant);
        }
      if (isWritten)
        extents.fix(size);
    }
  llvm::erase_if(otherConstants, [&](double constant) {
    return llvm::is_contained(known, constant);
  });
}

bool Shrinker::mayDependOnSizes() const {
  auto haveChanged = [&](ArrayRef<Size> sizes) {
    return llvm::any_of(sizes, [&](const Size &size) {
      return getValue(size) != getOldValue(size);
    });
  };
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
          extents.isFixed(leaf)
              ? old
              : std::min(old, std::max<int64_t>(2, options.smallest));
    }
    sizes.insert({getOldValue(leaves), std::move(leaves)});
  };
  for (const DimensionSizes *program : {&left, &right}) {
    for (const auto &dims : program->sizes)
      llvm::for_each(dims, add);
    for (const auto &dims : program->ofNodes)
      llvm::for_each(dims, add);
  }
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
    if (values[leaf] < old && !llvm::is_contained(other, leaf) &&
        (!largest || old > extents.getValue(*largest)))
      largest = leaf;
  }
  if (largest)
    ++values[*largest];
  return largest.has_value();
}

void Shrinker::rewriteAttributes(const DimensionSizes &sizes, unsigned number,
                                 MuNode &node) const {
  OpAttributes &attributes = node.attributes;
  switch (node.kind) {
  case MuNode::Kind::Graph:
  case MuNode::Kind::Loop:
    for (auto [extent, size] : llvm::zip(node.extents, sizes.ofNodes[number]))
      extent = getValue(size);
    return;
  case MuNode::Kind::Load:
    // DimPartitions are completed by the caller, who knows grid and loops.
    for (auto [partition, size] :
         llvm::zip(node.partition, sizes.sizes[node.operands[0]]))
      partition.size = getValue(size);
    return;
  case MuNode::Kind::Accumulate:
  case MuNode::Kind::Store:
    return;
  case MuNode::Kind::Operator:
    break;
  }
  auto getShape = [&](MuValue value) {
    Shape shape;
    for (const Size &size : sizes.sizes[value])
      shape.push_back(getValue(size));
    return shape;
  };
  switch (node.op) {
  case OpKind::Constant:
  case OpKind::Reshape:
  case OpKind::Broadcast:
    attributes.resultShape = getShape(node.results[0]);
    return;
  case OpKind::Slice: {
    Shape shape = getShape(node.results[0]);
    // A part stands behind as many others as before.
    for (auto [offset, before, size] :
         llvm::zip(attributes.offsets, attributes.sizes, shape))
      if (before != size)
        offset = offset / before * size;
    attributes.sizes = shape;
    return;
  }
  case OpKind::Reduce:
    if (attributes.group)
      attributes.group = getValue(sizes.ofNodes[number].front());
    return;
  case OpKind::Repeat:
    for (auto [repeats, size] :
         llvm::zip(attributes.repeats, sizes.ofNodes[number]))
      repeats = getValue(size);
    return;
  default:
    return;
  }
}

MuGraph Shrinker::rewrite(const DimensionSizes &sizes) const {
  const MuGraph &from = sizes.graph;
  MuGraph to;
  // Values and regions keep their numbers.
  for (MuValue value = 0; value < from.getNumValues(); ++value) {
    Shape shape;
    for (const Size &size : sizes.sizes[value])
      shape.push_back(getValue(size));
    to.addValue(shape, from.getValue(value).type);
  }
  for (unsigned region = 1; region < from.getNumRegions(); ++region)
    to.addRegion();

  struct Scope {
    llvm::SmallVector<int64_t, 3> point;
    llvm::SmallVector<int64_t, 2> loops;
  };
  auto visit = [&](auto &&self, unsigned region, const Scope &scope) -> void {
    const MuRegion &source = from.getRegion(region);
    to.setArguments(region, source.arguments);
    to.setResults(region, source.results);
    for (unsigned number : source.nodes) {
      MuNode node = from.getNode(number);
      rewriteAttributes(sizes, number, node);
      for (DimPartition &partition : node.partition) {
        if (partition.gridDim)
          partition.gridExtent = scope.point[*partition.gridDim];
        for (auto [loop, extent] :
             llvm::zip(partition.loops, partition.loopExtents))
          extent = scope.loops[loop];
      }
      Scope inner = scope;
      if (node.kind == MuNode::Kind::Graph)
        inner = {node.extents, {}};
      if (node.kind == MuNode::Kind::Loop)
        inner.loops.push_back(node.extents[0]);
      if (node.kind == MuNode::Kind::Graph || node.kind == MuNode::Kind::Loop)
        self(self, node.body, inner);
      to.addNode(region, std::move(node));
    }
  };
  visit(visit, 0, {});
  return to;
}

ShrunkPair mirage::shrinkPair(const MuGraph &lhs, const MuGraph &rhs,
                              const ShrinkOptions &options) {
  return Shrinker(lhs, rhs, options).run();
}
