//===- ParallelResults.h - Axes that results may share ----------*- C++ -*-===//
//
// Several results of one input often have axes of their own: the columns of
// queries, keys and values behind one norm. One grid can divide them together,
// so that a launch computes a part of each result, and computes again what all
// of them read. For this such axes are made one.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_PROBLEM_PARALLELRESULTS_H
#define MIRAGE_SEARCH_PROBLEM_PARALLELRESULTS_H

#include "Mirage/Search/Problem/ProgramViews.h"
#include "Mirage/Search/Problem/SearchProblem.h"

namespace mirage::search {

/// Returns groups of dimensions of the program's results that one grid may
/// divide together, though no operator combines them. A group has a dimension
/// of the first result, and of each other result the one in the same place
/// among those that neither have axes of the first result nor are summed, if it
/// is as large. Smaller ones could be runs of units, but a reshape would be a
/// kernel then. `problem` is that of the program, without such groups.
///
/// A value may have an axis twice if they are made one. Then
/// SearchProblem::create refuses the groups.
std::vector<AlikeDims> findParallelDims(const SearchProblem &problem,
                                        const MuGraph &program);

/// Returns whether a program multiplies some value with several matrices of
/// unlike widths.
bool hasUnlikeColumns(const MuGraph &program);

/// Returns groups of dimensions of a view's arguments that are columns of
/// products of one value, of unlike widths, each a run of few units: those of
/// queries, keys and values, which a grid may divide together by the columns of
/// a unit, as those of one tensor that has them all (getAlikeDims). Arguments
/// that are windows of one tensor alone are no group here.
std::vector<AlikeDims> findColumnUnits(const ProgramView &view);

} // namespace mirage::search

#endif // MIRAGE_SEARCH_PROBLEM_PARALLELRESULTS_H
