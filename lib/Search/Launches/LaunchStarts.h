//===- LaunchStarts.h - Grids, loops and loads of a launch ------*- C++ -*-===//
//
// A launch that follows the program divides all that it loads along the axes of
// its grid and its loop, wherever a tensor has them.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_LAUNCHES_LAUNCHSTARTS_H
#define MIRAGE_LIB_SEARCH_LAUNCHES_LAUNCHSTARTS_H

#include "Mirage/Search/Launches/LaunchGraph.h"

namespace mirage::search {

/// A tensor that a launch may load: its number among those of the kernel graph,
/// and its dimensions.
using NumberedTensor = std::pair<uint8_t, Dims>;

/// Returns the arguments that the program's operators read, or that results are
/// copies of.
llvm::SmallVector<NumberedTensor> getReadInputs(const SearchProblem &problem);

/// Makes the launch with this grid and loop, and with the loads that they
/// divide; nothing if the loop divides nothing.
std::optional<LaunchGraph> makeStart(const SearchProblem &problem,
                                     llvm::ArrayRef<NumberedTensor> tensors,
                                     AxisSet grid, std::optional<uint8_t> loop);

} // namespace mirage::search

#endif // MIRAGE_LIB_SEARCH_LAUNCHES_LAUNCHSTARTS_H
