//===- PieceCover.h - The cheapest way to put pieces together ---*- C++ -*-===//
//
// A cover makes a program of pieces and of units that stay alone: each unit is
// in one piece or stays, and there is no cycle between them. The cheapest cover
// has the least sum of costs.
//
// Pieces that form no cycle can run one after another, and after each of them
// what has run is an ideal: a set of units that has all ancestors of its
// members (an execution state, ExecutionStates.h). So the cheapest cover is a
// shortest path from the empty ideal to the whole program, whose steps are
// pieces and units. That is exact. Of programs with too many ideals those alone
// are looked at that are made of beginnings of two orders: the program's own,
// the depth-first one, and one in which groups of units stay together. So a
// path can first take what lies together in one of them, then in another.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_KERNELGRAPHS_PIECECOVER_H
#define MIRAGE_SEARCH_KERNELGRAPHS_PIECECOVER_H

#include "Mirage/Search/KernelGraphs/ProgramPieces.h"

namespace mirage::search {

class PieceCover {
public:
  struct Limits {
    /// Ideals in all.
    unsigned ideals = 4096;
    /// Pairs of an ideal and a piece that can follow it.
    unsigned steps = 400'000;
  };
  /// The groups are disjoint sets that are likely to be pieces of a good cover.
  PieceCover(const ProgramUnits &program, llvm::ArrayRef<UnitSet> pieces,
             llvm::ArrayRef<UnitSet> groups, const Limits &limits);
  PieceCover(const ProgramUnits &program, llvm::ArrayRef<UnitSet> pieces,
             llvm::ArrayRef<UnitSet> groups = {})
      : PieceCover(program, pieces, groups, Limits()) {}

  /// Returns whether all covers are looked at.
  bool isExact() const { return exact; }

  struct Price {
    /// Infinite for a piece that must not be used.
    double cost = 0;
    unsigned kernels = 0;
  };
  /// The prices of all units that may stay, and of all pieces.
  struct Prices {
    std::vector<Price> units, pieces;
  };
  struct Cover {
    double cost = 0;
    unsigned kernels = 0;
    /// The pieces, in an order in which they can run. All other units stay.
    llvm::SmallVector<unsigned> pieces;
  };
  /// Finds the cheapest cover with at most so many kernels, of equally cheap
  /// ones one with the fewest. Which one of these it is depends on the order of
  /// pieces alone.
  std::optional<Cover> find(const Prices &prices, unsigned maxKernels) const;

private:
  /// A unit that stays, or a piece.
  struct Member {
    bool isPiece = false;
    unsigned number = 0;
  };
  struct Step {
    Member member;
    unsigned to;
  };
  std::optional<Cover> findPath(const Prices &prices, size_t width) const;
  void addBeginnings(const ProgramUnits &program,
                     llvm::ArrayRef<UnitSet> groups, unsigned limit);
  bool addSteps(const ProgramUnits &program, llvm::ArrayRef<UnitSet> pieces,
                unsigned limit);

  bool exact = false;
  /// Ideals, smaller ones first.
  std::vector<UnitSet> ideals;
  /// The steps from each ideal.
  std::vector<std::vector<Step>> steps;
};

} // namespace mirage::search

#endif // MIRAGE_SEARCH_KERNELGRAPHS_PIECECOVER_H
