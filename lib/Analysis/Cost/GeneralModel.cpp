//===- GeneralModel.cpp - Time of one kernel of the general lowering ------===//
//
// CostModel::General adds the time of the work that the general lowering's
// threads have to that of starting a kernel.
//
//===----------------------------------------------------------------------===//

#include "GeneralModel.h"
#include "llvm/Support/MathExtras.h"

using namespace mirage;

KernelCost mirage::estimateGeneral(const KernelSummary &s,
                                   const TargetDescription &t) {
  KernelCost c;
  c.blocks = s.blocks;
  c.launch = (t.launchTime + t.startTime) / 1e3;
  c.sharedMemory = s.plannedBytes;
  c.occupancy = std::max<int64_t>(1, t.threadsPerSM / s.threads);
  if (s.plannedBytes)
    c.occupancy = std::clamp<int64_t>(t.sharedMemoryPerSM / s.plannedBytes, 1,
                                      c.occupancy);
  c.cudaCore = estimateGeneralWork(*s.general, s.blocks, c.occupancy, t);
  c.microseconds = c.launch + c.cudaCore;
  c.waves = llvm::divideCeil(s.blocks, t.multiprocessors * c.occupancy);
  c.bound = c.cudaCore > c.launch ? CostBound::CudaCore : CostBound::Launch;
  return c;
}
