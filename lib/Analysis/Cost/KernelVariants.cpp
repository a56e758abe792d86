//===- KernelVariants.cpp - A launch executed otherwise -------------------===//
//
// Changes the counts of a launch.
//
//===----------------------------------------------------------------------===//

#include "KernelVariants.h"
#include <algorithm>

using namespace mirage;

// So many iterations over 64 keys each are not overlapped by others where
// blocks of a cluster share the keys of attention: each has few, two of them
// are one of the lowering, and the copy engine is asked for all at the
// beginning. By five of four, gqa and qknorm at batch 1 in one launch were 8.5
// and 8.8 microseconds, and took 7.1 and 7.9; in two launches they were 8.0 and
// 8.1, and took 8.1 and 8.5.
static constexpr double serialSharedIterations = 2;

KernelSummary mirage::shareIterations(const KernelSummary &summary,
                                      int64_t clusterBlocks) {
  KernelSummary s = summary;
  s.blocks *= clusterBlocks;
  s.iterations /= clusterBlocks;
  for (LoopSummary &loop : s.loops) {
    loop.iterations = std::max<int64_t>(1, loop.iterations / clusterBlocks);
    loop.streamedBytes /= static_cast<double>(clusterBlocks);
    loop.reloadedBytes /= static_cast<double>(clusterBlocks);
  }
  // Tiles that all iterations need are loaded by each of the blocks.
  double resident = summary.loadedBytes - summary.streamedBytes;
  s.loadedBytes += (clusterBlocks - 1) * resident;
  s.reloads.iterations /= clusterBlocks;
  s.reloads.keptBytes /= static_cast<double>(clusterBlocks);
  s.mergedBlocks = clusterBlocks;
  s.mergedBytes = summary.accumulatedBytes;
  if (s.exponentials > 0 && !s.multipliesAlone)
    s.serialIterations = std::min(s.serialIterations, serialSharedIterations);
  return s;
}

KernelSummary mirage::keepTiles(const KernelSummary &summary) {
  KernelSummary s = summary;
  const ReloadSummary &reloads = summary.reloads;
  s.loadedBytes -= reloads.bytes;
  s.streamedBytes -= reloads.bytes;
  s.sharedTraffic -= reloads.bytes;
  s.skippedBytes -= reloads.skippedBytes;
  s.residentBytes += static_cast<int64_t>(reloads.keptBytes);
  s.stageBytes -= static_cast<int64_t>(reloads.stageBytes);
  s.loadingLoops = std::max<int64_t>(1, s.loadingLoops - reloads.loops);
  s.idleIterations = std::min(reloads.iterations, s.iterations - 1);
  for (LoopSummary &loop : s.loops)
    loop.streamedBytes -= loop.reloadedBytes;
  s.reloads = {};
  s.mergesInWaves = s.mergedBlocks > 1;
  return s;
}
