//===- ProgramPieces.h - Parts of a program as programs ---------*- C++ -*-===//
//
// A program of kernel operators is cut into pieces: convex sets of its nodes,
// each a program of its own that something else can take the place of. Convex
// means that no path leaves the piece and comes back, so that it can run at
// once.
//
// Pieces may overlap: a unit of several pieces is computed in each of them. So
// a piece has outputs, which are those of its units that it writes; what else
// of it is read outside is computed there again, or written by another piece.
//
// Constants are in no piece: each has its own copies of those it needs.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_KERNELGRAPHS_PROGRAMPIECES_H
#define MIRAGE_SEARCH_KERNELGRAPHS_PROGRAMPIECES_H

#include "Mirage/MuGraph/MuGraph.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SmallBitVector.h"

namespace mirage::search {

/// A set of units.
using UnitSet = llvm::SmallBitVector;

/// Returns which nodes of a program are views, by their numbers: those that
/// reshape, transpose, cast to a wider type, or cut a part that launches read
/// where it stands, and those that broadcast a value, if all that reads them,
/// by other views too, takes a size of one for any, so that launches read each
/// element once.
llvm::BitVector findViews(const MuGraph &program);

/// Returns the program with a view of its own for each reader of a view.
/// Readers in different pieces then read what was viewed.
MuGraph copyViews(const MuGraph &program);

/// The nodes of a function's body as a graph.
class ProgramUnits {
public:
  explicit ProgramUnits(const MuGraph &program);

  const MuGraph &getProgram() const { return program; }
  /// The units: nodes that are no constants, in order. Their numbers are their
  /// places here.
  llvm::ArrayRef<unsigned> getNodes() const { return nodes; }
  unsigned size() const { return nodes.size(); }
  const MuNode &getNode(unsigned unit) const {
    return program.getNode(nodes[unit]);
  }
  /// The units whose results a unit reads.
  const UnitSet &getOperands(unsigned unit) const { return operands[unit]; }
  /// The units that compute the program's results.
  UnitSet getResults() const;
  /// The units outside of a set whose results units of the set read.
  UnitSet getInputs(const UnitSet &units) const;
  /// Those of some units that are read outside of the set, or compute results.
  UnitSet getBoundary(const UnitSet &units) const;

  /// The smallest convex set with these units.
  UnitSet getConvexHull(const UnitSet &units) const;

  /// Returns whether the units hang together: by values that pass from one to
  /// another or are read by both.
  bool isConnected(const UnitSet &units) const;
  /// Returns whether a unit is a view (findViews).
  bool isView(unsigned unit) const { return views[nodes[unit]]; }
  /// Returns how many of the units are no views.
  unsigned countWork(const UnitSet &units) const;
  /// Returns the units with the views that they read, and with those that lead
  /// to results of the program alone, of what nothing else reads. Loads and
  /// stores have any order, so that no piece has a reason to leave views to
  /// others.
  UnitSet withViews(UnitSet units) const;
  /// Returns the units without the views that none of them reads. Such a view
  /// belongs to what reads it, which has it as well (withViews), unless that is
  /// one of the units `excluded`, which are in no piece: then the view stays,
  /// since a launch stores its result in any order.
  UnitSet withoutLooseViews(UnitSet units, const UnitSet &excluded) const;
  /// Returns the units in an order in which they can run: all that a unit needs
  /// stands right before it, as far as it did not stand there for another one.
  /// So branches of a program lie one after another, however they are written.
  std::vector<unsigned> getDepthFirstOrder() const;
  /// Returns the units in an order in which they can run, and in which those of
  /// each of these disjoint sets stand one after another unless that makes a
  /// cycle; of several orders the one that is nearest to the program's.
  std::vector<unsigned> getOrder(llvm::ArrayRef<UnitSet> sets) const;

  struct Limits {
    /// Units of a piece that countWork counts.
    unsigned units = 12;
    /// Pieces in all.
    unsigned pieces = 4096;
  };
  /// Counts what the limits leave out.
  struct LeftOut {
    /// The sets of too many units that are one of the others and a unit beside
    /// it, with what lies between. Larger ones still are not counted, nor is
    /// the whole.
    uint64_t tooLarge = 0;
    /// The sets that were not grown, since there were as many as there may be.
    uint64_t notGrown = 0;
  };
  /// Returns all convex sets without `excluded` units that hang together, by
  /// values that pass from one unit to another or are read by both, and that
  /// have their views (withViews). Small sets
  /// come first, so that a limit of pieces leaves out large ones; sets of units
  /// that lie next to each other in the program's order, or in the depth-first
  /// one, are never left out.
  std::vector<UnitSet> enumeratePieces(const UnitSet &excluded,
                                       const Limits &limits,
                                       LeftOut *leftOut = nullptr) const;

  /// A piece as a program.
  struct Piece {
    MuGraph program;
    /// The values of the whole program that its inputs and results are.
    llvm::SmallVector<MuValue> inputs, results;
  };
  /// Makes a program of some units, which must be operators. Its results are
  /// those of the outputs, which are some of the units.
  Piece extract(const UnitSet &units, const UnitSet &outputs) const;
  /// The same with all that is read outside.
  Piece extract(const UnitSet &units) const {
    return extract(units, getBoundary(units));
  }

  struct Replacement {
    UnitSet units, outputs;
    /// A µGraph with the inputs and results of the piece.
    const MuGraph *graph;
  };
  /// Returns the program with µGraphs in place of pieces. Other units stay as
  /// far as something needs them, and so do units of pieces that are no
  /// outputs. Where pieces are in a cycle, some of their units stay, too.
  MuGraph replace(llvm::ArrayRef<Replacement> replacements) const;
  /// Returns the units that stay if pieces are in no cycle.
  UnitSet getRemaining(llvm::ArrayRef<Replacement> replacements) const;

private:
  /// Finds the values that a piece reads and does not compute, without
  /// constants, and those of its outputs: what is read outside of the piece, or
  /// all values of an output of which nothing is.
  void findBoundary(const UnitSet &units, const UnitSet &outputs,
                    llvm::SmallVectorImpl<MuValue> &inputs,
                    llvm::SmallVectorImpl<MuValue> &results) const;
  /// Returns whether some units can run at once when others have run.
  bool canRun(const UnitSet &together, const UnitSet &done) const {
    return getInputs(together).subsetOf(done);
  }

  bool isReadByViewsOfResults(unsigned unit) const;

  const MuGraph &program;
  /// The nodes that are views.
  llvm::BitVector views;
  std::vector<unsigned> nodes;
  /// The unit of each value; size() for arguments and constants.
  std::vector<unsigned> unitOf;
  std::vector<bool> isConstant;
  /// The number of units that read each value.
  std::vector<unsigned> numReaders;
  /// These are, for each unit, those whose results it reads, all that it
  /// depends on, and those that it hangs together with.
  std::vector<UnitSet> operands, ancestors, neighbours;
  /// The views that lead to results of the program alone.
  UnitSet leadsToResult;
};

} // namespace mirage::search

#endif // MIRAGE_SEARCH_KERNELGRAPHS_PROGRAMPIECES_H
