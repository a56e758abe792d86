//===- PublishedModel.cpp - Time of one kernel as MCFuser estimates it ----===//
//
// CostModel::Published adds up the times that bytes and flops take at the peaks
// of device memory and of tensor cores. The sum is longer where there are fewer
// blocks (MCFuser, equations 2 to 5).
//
//===----------------------------------------------------------------------===//

#include "PublishedModel.h"
#include "llvm/Support/MathExtras.h"

using namespace mirage;

static double getPublishedMemoryTime(double bytes, const TargetDescription &t) {
  return bytes / (t.hbmBandwidth * 1e3);
}

static double getPublishedComputeTime(double flops,
                                      const TargetDescription &t) {
  return flops / (t.tensorThroughput * 1e6);
}

/// Estimates by equations 2 to 5 of MCFuser.
double mirage::estimatePublished(double bytes, double flops, double blocks,
                                 const TargetDescription &target) {
  double multiprocessors = target.multiprocessors;
  return (getPublishedMemoryTime(bytes, target) +
          getPublishedComputeTime(flops, target)) *
         (blocks + multiprocessors) / blocks;
}

KernelCost mirage::estimatePublished(const KernelSummary &s,
                                     const TargetDescription &t) {
  KernelCost c;
  double bytes = s.loadedBytes + s.storedBytes;
  c.blocks = s.blocks;
  c.hbm = getPublishedMemoryTime(bytes, t);
  c.tensor = getPublishedComputeTime(s.getFlops(), t);
  c.microseconds = estimatePublished(bytes, s.getFlops(), s.blocks, t);
  c.sharedMemory = s.footprintBytes;
  c.occupancy = 1;
  c.waves = llvm::divideCeil(s.blocks, t.multiprocessors);
  c.bound = c.hbm >= c.tensor ? CostBound::HBM : CostBound::Tensor;
  return c;
}
