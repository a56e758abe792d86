//===- PieceCover.h - The cheapest way to put pieces together ---*- C++ -*-===//
//
// A cover makes a program of pieces and of units that stay alone: each unit is
// in one piece or stays, and there is no cycle between them. The cheapest cover
// has the least sum of costs.
//
// Pieces that form no cycle can run one after another, and after each of them
// what has run is an ideal: a set of units that has all ancestors of its
// members. So the cheapest cover is a shortest path from the empty ideal to the
// whole program, whose steps are pieces and units. That is exact. Programs with
// too many ideals are cut in their own order only: ideals are then the
// beginnings of the program's list of units.
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
  PieceCover(const ProgramUnits &program, llvm::ArrayRef<UnitSet> pieces,
             const Limits &limits);
  PieceCover(const ProgramUnits &program, llvm::ArrayRef<UnitSet> pieces)
      : PieceCover(program, pieces, Limits()) {}

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
    /// The pieces, in an order in which they can run. All other units stay.
    llvm::SmallVector<unsigned> pieces;
  };
  /// Finds the cheapest cover with at most so many kernels. Which one of
  /// equally cheap covers it is depends on the order of pieces alone.
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
  bool addIdeals(const ProgramUnits &program, const Limits &limits);
  void addPrefixes(const ProgramUnits &program);
  bool addSteps(const ProgramUnits &program, llvm::ArrayRef<UnitSet> pieces,
                unsigned limit);

  bool exact = true;
  /// Ideals, smaller ones first.
  std::vector<UnitSet> ideals;
  /// The steps from each ideal.
  std::vector<std::vector<Step>> steps;
};

} // namespace mirage::search

#endif // MIRAGE_SEARCH_KERNELGRAPHS_PIECECOVER_H
