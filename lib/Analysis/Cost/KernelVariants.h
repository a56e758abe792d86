//===- KernelVariants.h - A launch executed otherwise -----------*- C++ -*-===//
//
// Says what becomes of a launch's counts where a schedule lets blocks share
// iterations, or keeps tiles in shared memory.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_ANALYSIS_COST_KERNELVARIANTS_H
#define MIRAGE_LIB_ANALYSIS_COST_KERNELVARIANTS_H

#include "Mirage/Analysis/Cost/KernelSummary.h"

namespace mirage {

/// The most blocks of a cluster that share iterations: only clusters of up to 8
/// blocks are portable.
inline constexpr int64_t mostSharingBlocks = 8;

/// The kernel whose loops' iterations are shared by the blocks of clusters.
KernelSummary shareIterations(const KernelSummary &summary,
                              int64_t clusterBlocks);

/// The kernel whose later loops find in shared memory what earlier ones have
/// loaded.
KernelSummary keepTiles(const KernelSummary &summary);

} // namespace mirage

#endif // MIRAGE_LIB_ANALYSIS_COST_KERNELVARIANTS_H
