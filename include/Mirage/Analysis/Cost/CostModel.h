//===- CostModel.h - Estimated time of kernels and programs -----*- C++ -*-===//
//
// Analytical models of what a kernel of a µGraph takes on a GPU, warm,
// inside a CUDA graph, with inputs in device memory. All device numbers come
// from the target. docs/performance/cost-model.md holds them against
// measurements.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ANALYSIS_COST_COSTMODEL_H
#define MIRAGE_ANALYSIS_COST_COSTMODEL_H

#include "Mirage/Analysis/Cost/KernelSummary.h"
#include "Mirage/Semantics/Target.h"

namespace mirage {

enum class CostModel : uint8_t {
  /// Overlapping memory and arithmetic, limits of single SMs, waves, occupancy,
  /// latency of loops, launches.
  Mirage,
  /// MCFuser, equations 2 to 5: t = (t_mem + t_comp) * alpha, with t_mem the
  /// bytes that all blocks load and store over the bandwidth of device memory,
  /// t_comp all flops over the peak of the tensor cores, and alpha =
  /// (N_block + N_SM) / N_block. It has no launches and no exponentials.
  Published,
  /// What the general lowering takes today for launches (GeneralLowering.h), by
  /// the summary's counts of it. Pre-defined operators as by Mirage.
  General,
};

/// The part of a kernel that takes longest.
enum class CostBound : uint8_t {
  HBM,
  L2,
  Tensor,
  CudaCore,
  Special,
  Shared,
  Latency,
  Launch,
};
/// Returns the name that options have for the model.
llvm::StringRef stringifyCostModel(CostModel model);

llvm::StringRef stringifyCostBound(CostBound bound);

/// Times in microseconds.
struct KernelCost {
  double microseconds = 0;
  /// The time that each unit would take alone. `l2` is the longer of the times
  /// of all SMs' traffic and of the busiest SM's; `latency` is that of the
  /// iterations' loads; `launch` is what does not depend on the work, with the
  /// merging of blocks.
  double hbm = 0, l2 = 0, tensor = 0, cudaCore = 0, special = 0, shared = 0,
         latency = 0, launch = 0;
  int64_t blocks = 0;
  /// Blocks resident on one SM at once, and rounds of resident blocks.
  int64_t occupancy = 0;
  int64_t waves = 0;
  /// The blocks of a cluster that execute what one block of the grid is in the
  /// block graph, and share the iterations of its loop.
  int64_t clusterBlocks = 1;
  /// This is true if the tiles stay in shared memory that later loops load
  /// again.
  bool keepsTiles = false;
  /// Tiles in flight, and the shared memory of a block with them, in bytes.
  int64_t stages = 1;
  int64_t sharedMemory = 0;
  CostBound bound = CostBound::Launch;
};

/// The time of one kernel. It is infinite if no tile of the kernel fits into
/// shared memory. Where CostModel::Mirage puts it at no less than `limit`
/// microseconds, the answer may be any cost between the limit and that.
KernelCost
estimateKernel(const KernelSummary &summary, const TargetDescription &target,
               CostModel model = CostModel::Mirage,
               double limit = std::numeric_limits<double>::infinity());

/// The microseconds by CostModel::Published of blocks that load and store
/// `bytes` and compute `flops` together.
double estimatePublished(double bytes, double flops, double blocks,
                         const TargetDescription &target);

struct ProgramCost {
  struct Kernel {
    unsigned node;
    KernelSummary summary;
    KernelCost cost;
    /// All nodes that the kernel computes, in the program's order.
    llvm::SmallVector<unsigned, 1> nodes;
  };
  double microseconds = 0;
  std::vector<Kernel> kernels;
};

/// The time of a program, whose kernels run one after another. `placed` are the
/// nodes that need none, if it is known where the tensors lie.
ProgramCost estimateProgram(const MuGraph &graph,
                            const TargetDescription &target,
                            CostModel model = CostModel::Mirage,
                            const PlacedNodes *placed = nullptr);

/// The time of a program whose elementwise operators, casts and layout
/// operators are part of the kernel that makes or reads their values, where
/// that is faster: as any compiler would run it. Kernels are named by the other
/// operator in them, or by the last one. No more than the time of
/// estimateProgram.
ProgramCost estimateFusedProgram(const MuGraph &graph,
                                 const TargetDescription &target,
                                 CostModel model = CostModel::Mirage);

/// Returns microseconds that a launch of so many blocks takes at least that
/// loads and stores so many bytes in all. Blocks that keep tiles may share what
/// each does with others, however many there are.
double getTrafficBound(int64_t blocks, double bytes,
                       const TargetDescription &target,
                       bool mayKeepTiles = false);

/// Microseconds below which CostModel::Mirage puts no program of at least one
/// kernel that touches `compulsoryBytes` of inputs and outputs and computes
/// `tensorFlops` and `exponentials`.
double lowerBound(double compulsoryBytes, double tensorFlops,
                  double exponentials, const TargetDescription &target);

} // namespace mirage

#endif // MIRAGE_ANALYSIS_COST_COSTMODEL_H
