//===- RandomPrograms.h - Programs to be made of pieces ---------*- C++ -*-===//
//
// Makes random programs, and says by definition what sets of their units are
// convex and hang together.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_UNITTESTS_SEARCH_KERNELGRAPHS_RANDOMPROGRAMS_H
#define MIRAGE_UNITTESTS_SEARCH_KERNELGRAPHS_RANDOMPROGRAMS_H

#include "../Programs.h"
#include "Mirage/Search/KernelGraphs/ProgramPieces.h"
#include <random>

namespace mirage::search {

inline unsigned draw(std::mt19937_64 &random, unsigned count) {
  return static_cast<unsigned>(random() % count);
}

/// A program of so many operators on square matrices, all of whose values that
/// no operator reads are results.
inline MuGraph makeRandomProgram(std::mt19937_64 &random, unsigned operators,
                                 int64_t size = 8) {
  ProgramBuilder b;
  std::vector<MuValue> values = {b.input({size, size}), b.input({size, size}),
                                 b.input({size, size})};
  std::vector<bool> isRead(values.size(), true);
  for (unsigned i = 0; i < operators; ++i) {
    // Mostly what is new, so that there are chains.
    auto pick = [&] {
      unsigned recent = draw(random, 3) ? 3 : values.size();
      unsigned value = values.size() - 1 -
                       draw(random, std::min<unsigned>(recent, values.size()));
      isRead[value] = true;
      return values[value];
    };
    MuValue x = pick();
    switch (draw(random, 5)) {
    case 0:
      values.push_back(b.add(x, pick()));
      break;
    case 1:
      values.push_back(b.mul(x, pick()));
      break;
    case 2:
      values.push_back(b.matmul(x, pick()));
      break;
    case 3:
      values.push_back(b.silu(x));
      break;
    default:
      values.push_back(b.square(x));
    }
    isRead.push_back(false);
  }
  llvm::SmallVector<MuValue> results;
  for (size_t i = 0; i < values.size(); ++i)
    if (!isRead[i])
      results.push_back(values[i]);
  return b.finish(results);
}

inline UnitSet getSet(const ProgramUnits &units, uint64_t bits) {
  UnitSet set(units.size());
  for (unsigned unit = 0; unit < units.size(); ++unit)
    if (bits >> unit & 1)
      set.set(unit);
  return set;
}

/// For each unit all that it depends on.
inline std::vector<UnitSet> getAncestors(const ProgramUnits &units) {
  std::vector<UnitSet> ancestors;
  for (unsigned unit = 0; unit < units.size(); ++unit) {
    UnitSet &own = ancestors.emplace_back(units.getOperands(unit));
    for (unsigned operand : units.getOperands(unit).set_bits())
      own |= ancestors[operand];
  }
  return ancestors;
}

/// Returns whether a set is convex by the definition: no path leaves it and
/// comes back.
inline bool isConvex(const ProgramUnits &units, const UnitSet &set) {
  std::vector<UnitSet> ancestors = getAncestors(units);
  for (unsigned middle = 0; middle < units.size(); ++middle) {
    if (set[middle])
      continue;
    bool isBehind = ancestors[middle].anyCommon(set), isBefore = false;
    for (unsigned unit : set.set_bits())
      isBefore |= ancestors[unit][middle];
    if (isBehind && isBefore)
      return false;
  }
  return true;
}

inline bool shareValue(const MuNode &a, const MuNode &b) {
  auto touches = [](const MuNode &node, MuValue value) {
    return llvm::is_contained(node.operands, value) ||
           llvm::is_contained(node.results, value);
  };
  return llvm::any_of(a.operands,
                      [&](MuValue value) { return touches(b, value); }) ||
         llvm::any_of(b.operands,
                      [&](MuValue value) { return touches(a, value); });
}

inline bool isConnected(const ProgramUnits &units, const UnitSet &set) {
  UnitSet reached(units.size());
  reached.set(set.find_first());
  for (bool grows = true; grows;) {
    grows = false;
    for (unsigned unit : set.set_bits())
      for (unsigned other : set.set_bits())
        if (reached[unit] && !reached[other] &&
            shareValue(units.getNode(unit), units.getNode(other))) {
          reached.set(other);
          grows = true;
        }
  }
  return reached == set;
}

} // namespace mirage::search

#endif // MIRAGE_UNITTESTS_SEARCH_KERNELGRAPHS_RANDOMPROGRAMS_H
