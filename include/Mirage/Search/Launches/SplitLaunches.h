//===- SplitLaunches.h - The program itself in two launches -----*- C++ -*-===//
//
// A direct launch (DirectLaunches.h) has no more blocks than its results have
// parts, of which there are few where results are rows that are summed: losses,
// norms of few rows, attention of few queries. Two launches have more: the
// blocks of the first one divide an axis that is summed, too, and the second
// one merges what they leave. Like direct launches these follow the program,
// whatever the number of its operators.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_LAUNCHES_SPLITLAUNCHES_H
#define MIRAGE_SEARCH_LAUNCHES_SPLITLAUNCHES_H

#include "Mirage/Search/Launches/BlockGenerator.h"

namespace mirage::search {

/// What limits the launches: how many axes a grid divides, and how many loops
/// there are one after another.
struct SplitLimits {
  unsigned gridDims = 3;
  unsigned loops = 1;
};

/// Called with two launches. The first one leaves `stored`, which are numbered
/// behind the program's inputs.
using SplitConsumer =
    llvm::function_ref<void(const LaunchGraph &first, const LaunchGraph &second,
                            llvm::ArrayRef<KernelTensor> stored)>;

/// Generates pairs of launches that follow the program, for each axis that it
/// reduces, each grid, and each loop of the first launch: none, one over the
/// same axis, or one over another that this launch reduces. The second one has
/// no loop, or one over the axis. `tensors` are the program's inputs. `limits`
/// say how much shared memory there is.
void generateSplitLaunches(const SearchProblem &problem,
                           ExpressionOracle &oracle,
                           llvm::ArrayRef<KernelTensor> tensors,
                           const GeneratorLimits &limits, SplitLimits split,
                           GeneratorStatistics &statistics,
                           llvm::function_ref<bool()> isOver,
                           SplitConsumer consumer);

} // namespace mirage::search

#endif // MIRAGE_SEARCH_LAUNCHES_SPLITLAUNCHES_H
