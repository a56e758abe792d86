//===- ProgramPieces.h - Parts of a program as programs ---------*- C++ -*-===//
//
// A program of kernel operators is cut into pieces: convex sets of its nodes,
// each a program of its own that something else can take the place of. Convex
// means that no path leaves the piece and comes back, so that it can run at
// once.
//
// Constants are in no piece: each has its own copies of those it needs.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_KERNELGRAPHS_PROGRAMPIECES_H
#define MIRAGE_SEARCH_KERNELGRAPHS_PROGRAMPIECES_H

#include "Mirage/MuGraph/MuGraph.h"
#include "llvm/ADT/SmallBitVector.h"

namespace mirage::search {

/// A set of units.
using UnitSet = llvm::SmallBitVector;

/// The nodes of a function's body as a graph.
class ProgramUnits {
public:
  explicit ProgramUnits(const MuGraph &program);

  const MuGraph &getProgram() const { return program; }
  /// Nodes that are no constants, in order: the units, which are numbered by
  /// their place here.
  llvm::ArrayRef<unsigned> getNodes() const { return nodes; }
  unsigned size() const { return nodes.size(); }
  const MuNode &getNode(unsigned unit) const {
    return program.getNode(nodes[unit]);
  }
  /// Units whose results a unit reads, and all that it depends on.
  const UnitSet &getOperands(unsigned unit) const { return operands[unit]; }
  const UnitSet &getAncestors(unsigned unit) const { return ancestors[unit]; }

  /// The smallest convex set with these units.
  UnitSet getConvexHull(const UnitSet &units) const;

  struct Limits {
    /// Units of a piece that are no reshapes, and pieces.
    unsigned units = 12;
    unsigned pieces = 4096;
  };
  /// All convex sets without `excluded` units that hang together, by values
  /// that pass from one unit to another or are read by both, small ones first:
  /// a limit of pieces leaves out large ones. There are always those that lie
  /// next to each other in the program's order.
  std::vector<UnitSet> enumeratePieces(const UnitSet &excluded,
                                       const Limits &limits) const;

  /// A piece as a program.
  struct Piece {
    MuGraph program;
    /// The values of the whole program that its inputs and results are.
    llvm::SmallVector<MuValue> inputs, results;
  };
  /// The units must be operators.
  Piece extract(const UnitSet &units) const;

  struct Replacement {
    UnitSet units;
    /// Has inputs and results of the piece.
    const MuGraph *graph;
  };
  /// The program with µGraphs in place of pieces, which must be disjoint and in
  /// no cycle.
  MuGraph replace(llvm::ArrayRef<Replacement> replacements) const;

private:
  /// Values that a piece reads and does not compute, without constants, and
  /// those that are read outside of it.
  void findBoundary(const UnitSet &units,
                    llvm::SmallVectorImpl<MuValue> &inputs,
                    llvm::SmallVectorImpl<MuValue> &results) const;
  bool isConnected(const UnitSet &units) const;
  unsigned countWork(const UnitSet &units) const;

  const MuGraph &program;
  std::vector<unsigned> nodes;
  /// By value: its unit; that of arguments and constants is size().
  std::vector<unsigned> unitOf;
  std::vector<bool> isConstant;
  std::vector<UnitSet> operands, ancestors, neighbours;
};

} // namespace mirage::search

#endif // MIRAGE_SEARCH_KERNELGRAPHS_PROGRAMPIECES_H
