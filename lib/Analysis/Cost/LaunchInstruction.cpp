//===- LaunchInstruction.cpp - How a launch multiplies --------------------===//
//
// Says by which instruction the lowering computes a launch's products, and what
// follows of that for the warps that do.
//
//===----------------------------------------------------------------------===//

#include "LaunchSummarizer.h"
#include "Mirage/Semantics/ShapeRules.h"
#include "OperatorWork.h"

using namespace mirage;

/// Returns the most iterations of a loop that the lowering makes a loop of.
int64_t LaunchSummarizer::countLoopIterations() const {
  int64_t iterations = 1;
  for (unsigned number : graph.getRegion(launch.body).nodes)
    if (const MuNode &node = graph.getNode(number);
        node.kind == MuNode::Kind::Loop && !dissolved.contains(&node))
      iterations = std::max(iterations, node.extents[0]);
  return iterations;
}

/// Says whether the lowering computes the products by wgmma, and what follows
/// of that.
void LaunchSummarizer::findInstruction() {
  tiles.setInstruction(rowsStayTogether, summary);
  // A thread of two warpgroups has 96 sums and more, which no tile has whose
  // terms are kept beside its sums.
  constexpr int64_t manySums = 256 * 96;
  int64_t sums = 0;
  for (MuValue product : products)
    if (isAccumulatedInPlace(product))
      sums += elementCount(graph.getShape(product));
  summary.fillsRegisters = !rowsStayTogether && sums > manySums;
  summary.fillsPairs = tiles.fillPairs();
  summary.computesOperands = (operandsComputed > 0 || mixesOperands) &&
                             !rowsStayTogether && !summary.fillsPairs;
  summary.copiesInPieces = 2 * bytesInPieces > summary.streamedBytes;
  if (summary.computesOperands)
    summary.dependentSteps +=
        mixedOperandSteps * operandsComputed * summary.blocks;
  findGroupStage();
  if (rowsStayTogether && !summary.fillsWarpgroups)
    summary.rowWarps = tiles.countRowWarps(countLoopIterations());
  summary.isChain =
      rowsStayTogether &&
      llvm::all_of(graph.getRegion(launch.body).nodes, [&](unsigned number) {
        const MuNode &node = graph.getNode(number);
        return node.kind != MuNode::Kind::Loop || node.extents[0] == 1;
      });
}

/// Finds what one warpgroup has in a stage. The lowering lets iterations of
/// attention grow to twice its columns while another warp loads.
void LaunchSummarizer::findGroupStage() {
  constexpr int64_t widest = 128;
  int64_t iterations = countLoopIterations();
  if (!rowsStayTogether || !summary.fillsWarpgroups || summary.fillsPairs ||
      iterations == 1 || loopElements == 0)
    return;
  int64_t growth = std::clamp<int64_t>(widest / loopElements, 1, iterations);
  summary.groupStageBytes = static_cast<int64_t>(multipliedBytes) * growth;
}
