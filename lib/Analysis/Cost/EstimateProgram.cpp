//===- EstimateProgram.cpp - Time of programs, and its lower bound --------===//

#include "KernelVariants.h"
#include "Mirage/Analysis/Cost/CostModel.h"
#include "llvm/Support/MathExtras.h"

using namespace mirage;

llvm::StringRef mirage::stringifyCostModel(CostModel model) {
  switch (model) {
  case CostModel::Mirage:
    return "mirage";
  case CostModel::Published:
    return "published";
  case CostModel::General:
    return "general";
  }
  llvm_unreachable("not a model");
}

llvm::StringRef mirage::stringifyCostBound(CostBound bound) {
  switch (bound) {
  case CostBound::HBM:
    return "hbm";
  case CostBound::L2:
    return "l2";
  case CostBound::Tensor:
    return "tensor";
  case CostBound::CudaCore:
    return "cuda_core";
  case CostBound::Special:
    return "special";
  case CostBound::Shared:
    return "shared";
  case CostBound::Latency:
    return "latency";
  case CostBound::Launch:
    return "launch";
  }
  llvm_unreachable("not a bound");
}

ProgramCost mirage::estimateProgram(const MuGraph &graph,
                                    const TargetDescription &target,
                                    CostModel model,
                                    const PlacedNodes *placed) {
  ProgramCost program;
  for (auto &[node, summary] : summarize(graph, placed)) {
    if (model == CostModel::General &&
        graph.getNode(node).kind == MuNode::Kind::Graph)
      summary.general = countGeneralWork(graph, graph.getNode(node));
    KernelCost cost = estimateKernel(summary, target, model);
    program.microseconds += cost.microseconds;
    program.kernels.push_back({node, summary, cost, {node}});
  }
  return program;
}

double mirage::getTrafficBound(int64_t blocks, double bytes,
                               const TargetDescription &t, bool mayKeepTiles) {
  double launch = (t.launchTime + t.startTime - t.hbmLatency +
                   std::min(t.hbmLatency, t.l2Latency)) /
                  1e3;
  // The blocks of a cluster may share what one block does.
  int64_t most = t.clusterPerClock ? mostSharingBlocks : 1;
  double share =
      blocks < t.multiprocessors
          ? 1.0 / std::min<int64_t>(t.multiprocessors, blocks * most)
      : mayKeepTiles
          ? 1.0 / static_cast<double>(t.multiprocessors)
          : static_cast<double>(llvm::divideCeil(blocks, t.multiprocessors)) /
                blocks;
  auto orSM = [&](int64_t bandwidth) {
    return static_cast<double>(bandwidth ? bandwidth : t.smBandwidth) * 1e3;
  };
  double ofSM = std::max(orSM(t.smCopyBandwidth), orSM(t.smBulkBandwidth));
  return launch + bytes * std::max(1 / (t.l2Bandwidth * 1e3), share / ofSM);
}

double mirage::lowerBound(double compulsoryBytes, double tensorFlops,
                          double exponentials,
                          const TargetDescription &target) {
  // No program takes less than one launch with every unit alone at its peak.
  double launch = (target.launchTime + target.startTime - target.hbmLatency +
                   std::min(target.hbmLatency, target.l2Latency)) /
                  1e3;
  double bandwidth =
      std::max(target.hbmBandwidth, target.hbmWriteBandwidth) * 1e3;
  double peak =
      std::max(target.tensorThroughput, target.mmaSyncThroughput) * 1e6;
  double special = static_cast<double>(target.specialPerClock) * target.clock *
                   target.multiprocessors;
  return launch + std::max({compulsoryBytes / bandwidth, tensorFlops / peak,
                            exponentials / special});
}
