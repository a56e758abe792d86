//===- Retile.h - Other tiles of the same launches --------------*- C++ -*-===//
//
// How launches divide their work is a choice of numbers: the extents of their
// grids and loops. This lists the programs that differ from one in one of
// these choices and have the same tensors.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_MUGRAPH_RETILE_H
#define MIRAGE_MUGRAPH_RETILE_H

#include "Mirage/MuGraph/MuGraph.h"

namespace mirage {

/// Returns the programs that move one prime factor from a grid dimension, a
/// loop or a tile to another of these that divides the same dimensions of
/// tensors: twice as many blocks whose tiles have half the rows, say. Arguments
/// and results of the function, and what its operators read and write, keep
/// their shapes, so that each program computes what the graph computes, but for
/// the order of sums. What launches alone leave to one another need not: a
/// launch may leave half as many sums of parts that are twice as long. Sizes
/// over which a mean is taken or equal numbers are summed stay what they are,
/// and so do those of sums in less than 32 bits, which might overflow if they
/// were longer, those that have padding or of which parts are cut, and constants
/// with an element for each index.
std::vector<MuGraph> getRetilings(const MuGraph &graph);

/// Says how a program's launches divide their work: "grid 4x6 loop 24", one
/// launch behind the other. Programs that are retilings of one another and have
/// the same text are equal.
std::string describeTilings(const MuGraph &graph);

} // namespace mirage

#endif // MIRAGE_MUGRAPH_RETILE_H
