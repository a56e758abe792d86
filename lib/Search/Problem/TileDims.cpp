//===- TileDims.cpp - Dimensions of tiles, told apart once ----------------===//
//
// Finds what operators make of dimensions, once for each of them.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Problem/TileDims.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"

using namespace mirage;
using namespace mirage::search;
using llvm::ArrayRef;

TileDims TileTable::get(const Dims &dims) {
  // The greatest keys are the map's own.
  uint64_t hash = static_cast<uint64_t>(llvm::hash_combine_range(dims)) >> 1;
  for (unsigned number : numbers[hash])
    if (tiles[number].dims == dims)
      return TileDims(&tiles[number]);
  TileDims::Data &made = tiles.emplace_back();
  made.dims = dims;
  made.number = tiles.size() - 1;
  for (unsigned axes = 0; axes < problem.getReducedAxes().size(); ++axes) {
    std::optional<DimId> dim = problem.findReduced(dims, axes);
    made.along.push_back(dim.value_or(kUnitDim));
    if (dim && *dim != kUnitDim)
      made.reduced.push_back(axes);
  }
  numbers[hash].push_back(made.number);
  pairs.emplace_back();
  rests.emplace_back();
  return TileDims(&made);
}

/// Returns the axes of either value; nothing if they lack different factors of
/// one that both have.
static std::optional<Dims> combine(const SearchProblem &problem,
                                   ArrayRef<DimId> a, ArrayRef<DimId> b) {
  Dims result;
  while (!a.empty() || !b.empty()) {
    auto beginsBefore = [&](ArrayRef<DimId> x, ArrayRef<DimId> y) {
      return !x.empty() &&
             (y.empty() || problem.getParts(x.front()).front().axis <
                               problem.getParts(y.front()).front().axis);
    };
    bool takesA = !beginsBefore(b, a), takesB = !beginsBefore(a, b);
    if (takesA && takesB && a.front() != b.front())
      return std::nullopt;
    result.push_back(takesA ? a.front() : b.front());
    a = a.drop_front(takesA);
    b = b.drop_front(takesB);
  }
  return result;
}

/// Returns whether the result of an elementwise operator may have the axes of
/// both operands. Such results have no axes together that no value of the
/// program has: values with these are parts of products alone.
bool TileTable::areCommon(ArrayRef<DimId> both, ArrayRef<DimId> a,
                          ArrayRef<DimId> b) const {
  return both.size() <= std::max(a.size(), b.size()) ||
         problem.haveCommonValue(problem.getAxes(both));
}

TilePair TileTable::makePair(TileDims first, TileDims second) {
  TilePair pair;
  std::optional<Dims> both = combine(problem, first, second);
  if (!both)
    return pair;
  pair.dims = get(*both);
  pair.isCommon = areCommon(*both, first, second);
  if (first == second && first.size() == both->size())
    return pair;
  for (uint8_t axes : first->reduced)
    if (first->along[axes] == second->along[axes])
      pair.summed.push_back(axes);
  return pair;
}

const TilePair &TileTable::addPair(TileDims first, TileDims second) {
  // Making a pair may make tiles, and so move what is known of others.
  auto made = std::make_unique<TilePair>(makePair(first, second));
  auto &known = pairs[first->number];
  if (known.size() <= second->number)
    known.resize(second->number + 1);
  known[second->number] = std::move(made);
  return *known[second->number];
}

TileDims TileTable::without(TileDims tile, DimId removed) {
  for (const auto &[dim, rest] : rests[tile->number])
    if (dim == removed)
      return rest;
  Dims dims = tile->dims;
  llvm::erase_if(dims, [&](DimId dim) {
    return llvm::is_contained(problem.getParts(removed),
                              problem.getParts(dim).front());
  });
  TileDims rest = get(dims);
  rests[tile->number].push_back({removed, rest});
  return rest;
}
