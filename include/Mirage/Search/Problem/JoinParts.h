//===- JoinParts.h - Slices and concatenations in one order -----*- C++ -*-===//
//
// What takes elements of one tensor to other places, dimension by dimension, as
// reflected and repeated borders do, is written in many ways: one concatenation
// for each dimension, or nine parts of an image, each put together of slices of
// slices.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_PROBLEM_JOINPARTS_H
#define MIRAGE_SEARCH_PROBLEM_JOINPARTS_H

#include "Mirage/MuGraph/MuGraph.h"

namespace mirage::search {

/// Returns a program with the same arguments and results in which what slices
/// and concatenations make of one value, at places that depend on each
/// dimension by itself, is one slice, and then one concatenation of slices for
/// each dimension that is not in its order, from the first to the last. What
/// something else than slices and concatenations reads is such a value of its
/// own, and stays as it is written where that would take more operands than the
/// slices and concatenations that make it. Elements only move. A program that
/// has launches, or would not have fewer operators, is returned as it is.
MuGraph joinParts(const MuGraph &program);

} // namespace mirage::search

#endif // MIRAGE_SEARCH_PROBLEM_JOINPARTS_H
