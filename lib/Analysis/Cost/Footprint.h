//===- Footprint.h - Tensors of a block alive at once -----------*- C++ -*-===//
//
// Live intervals of a launch's tensors, numbered as Analysis/SharedMemory.cpp
// numbers operations, but without placing them.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_ANALYSIS_COST_FOOTPRINT_H
#define MIRAGE_LIB_ANALYSIS_COST_FOOTPRINT_H

#include "Mirage/MuGraph/MuGraph.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>

namespace mirage {

class Footprint {
public:
  /// Reads the body of a launch.
  Footprint(const MuGraph &graph, unsigned body);

  /// Bytes alive at the worst moment among the tensors that `isIncluded`
  /// accepts, each rounded up to `alignment`. In place, a result may take the
  /// bytes of an operand that dies with it.
  int64_t getPeak(llvm::function_ref<bool(MuValue)> isIncluded,
                  bool inPlace = false, int64_t alignment = 1) const;

  /// Bytes of the plan of shared memory that Analysis/SharedMemory.h makes, by
  /// which the verifier accepts or refuses the launch (launch_c6).
  int64_t getPlannedBytes() const;

  /// Returns whether the value is a constant of equal elements that only
  /// elementwise operators use, so that it has no storage.
  bool isImmediate(MuValue value) const { return immediates.contains(value); }

  /// Returns whether each iteration of the loop stores its tile of the result,
  /// as getStoredByIterations() in Analysis/SharedMemory.h finds.
  bool isStoredByIterations(const MuNode &loop, unsigned result) const;

private:
  struct Interval {
    MuValue value;
    int64_t bytes;
    /// The first and last position at which the value is alive. An operator
    /// takes two positions, a loop those around its body's.
    int64_t begin, end;
    /// The positions at which the value has been computed, and at which its
    /// last user has begun.
    int64_t written, read;
    /// The last position at which the value is alive where chains are computed
    /// as a whole.
    int64_t plannedEnd;
    /// The plan of shared memory has no place for the value: it is a product
    /// whose terms are added to a sum at once, or what reads it computes it.
    bool isWithoutPlace = false;
    /// The interval whose place the value takes in the plan.
    std::optional<size_t> overwritten = std::nullopt;
  };

  void number(unsigned region);
  void countUses(unsigned region);
  bool keepsPlaces(const MuNode &node) const;
  void findChains(unsigned region);
  unsigned getChainEnd(unsigned number) const;
  std::optional<size_t> findOverwritten(unsigned number, unsigned region) const;
  void addInterval(Interval interval, unsigned number, unsigned region);
  void findUses(unsigned region, llvm::SmallVectorImpl<unsigned> &around);
  void findIntervals(unsigned region);
  bool isAddedInPlace(const MuNode &node, unsigned region) const;
  int64_t getBytes(MuValue value) const;

  const MuGraph &graph;
  llvm::DenseMap<unsigned, std::pair<int64_t, int64_t>> positions;
  int64_t next = 0;
  /// The nesting of values' definitions, and the last use of each.
  llvm::DenseMap<MuValue, unsigned> depths;
  llvm::DenseMap<MuValue, std::pair<int64_t, int64_t>> lastUses;
  /// How often nodes read a value, and the last of these nodes.
  llvm::DenseMap<MuValue, unsigned> useCounts, readers;
  /// The nodes and the regions of values' definitions.
  llvm::DenseMap<MuValue, std::pair<unsigned, unsigned>> definitions;
  llvm::DenseMap<unsigned, unsigned> regions;
  /// Operators that the one that reads their result computes (computedByUser in
  /// Analysis/SharedMemory.h), and until when values live with that.
  llvm::DenseSet<unsigned> computedByUser;
  llvm::DenseMap<MuValue, int64_t> plannedUses;
  llvm::DenseMap<MuValue, bool> candidates;
  /// Values that others than stores of each block's own part read.
  llvm::SmallDenseSet<MuValue, 16> readInBlock;
  llvm::SmallDenseSet<MuValue, 4> immediates;
  llvm::SmallVector<Interval, 16> intervals;
  /// The intervals of values that have a place in the plan.
  llvm::DenseMap<MuValue, size_t> intervalOf;
};

} // namespace mirage

#endif // MIRAGE_LIB_ANALYSIS_COST_FOOTPRINT_H
