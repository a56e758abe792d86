//===- Instantiate.h - Candidates with numbers ------------------*- C++ -*-===//
//
// Makes a µGraph of a candidate and the sizes chosen for its factors.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_LAUNCHES_INSTANTIATE_H
#define MIRAGE_SEARCH_LAUNCHES_INSTANTIATE_H

#include "Mirage/Search/Launches/LaunchGraph.h"

namespace mirage::search {

/// Blocks along each of a launch's grid axes, and iterations along each of the
/// axes of its loops (LaunchGraph::getLoopAxes).
struct LaunchSizes {
  llvm::SmallVector<int64_t, 3> grid;
  llvm::SmallVector<int64_t, 2> loops;
  bool operator==(const LaunchSizes &other) const {
    return grid == other.grid && loops == other.loops;
  }
};

/// A factor for which a number is to be chosen.
struct FactorChoice {
  unsigned launch = 0;
  bool isLoop = false;
  /// The place of its axis in LaunchGraph::gridAxes or
  /// LaunchGraph::getLoopAxes.
  unsigned position = 0;
  uint8_t axis = 0;
};
std::vector<FactorChoice> getFactors(const Candidate &candidate);

/// Returns the number of elements of an axis, given the sizes of earlier
/// launches: the splits of an axis are the blocks along it.
int64_t getAxisSize(const SearchProblem &problem, const Candidate &candidate,
                    llvm::ArrayRef<LaunchSizes> sizes, uint8_t axis);

/// Makes the µGraph of a candidate. Grid and loop extents must divide what they
/// cut. Matrices are multiplied in the program's type and accumulated in f32;
/// everything else is f32 (f64 if an input is), in which tensors between
/// kernels are stored, too.
MuGraph instantiate(const SearchProblem &problem, const Candidate &candidate,
                    llvm::ArrayRef<LaunchSizes> sizes);

/// Makes the µGraph of one launch of a candidate. The tensors that earlier
/// launches store are arguments behind the program's inputs. Of the launch's
/// results those are returned that the candidate returns.
MuGraph instantiateLaunch(const SearchProblem &problem,
                          const Candidate &candidate,
                          llvm::ArrayRef<LaunchSizes> sizes, unsigned launch);

/// The type in which all but products of matrices is computed.
ElementType getComputeType(const SearchProblem &problem);

/// The dimensions of the tensor in device memory that a value is stored to.
Dims getStoredDims(const SearchProblem &problem, const LaunchGraph &launch,
                   uint8_t value);

/// The layout of a tensor with these dimensions that passes between launches.
TensorLayout getStoredLayout(const SearchProblem &problem,
                             llvm::ArrayRef<DimId> dims);

} // namespace mirage::search

#endif // MIRAGE_SEARCH_LAUNCHES_INSTANTIATE_H
