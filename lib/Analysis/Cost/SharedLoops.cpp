//===- SharedLoops.cpp - Loops that blocks of a cluster share -------------===//
//
// Finds how many iterations of a launch's loops the blocks of a cluster may
// share, and how many of them may divide what they merge then.
//
//===----------------------------------------------------------------------===//

#include "Footprint.h"
#include "LaunchSummarizer.h"
#include "Mirage/Semantics/ShapeRules.h"
#include "OperatorWork.h"
#include <numeric>

using namespace mirage;

/// Returns the bytes of what a block accumulates over the iterations of a loop,
/// and nothing if blocks cannot share these: it has loops of its own, or puts
/// tiles together that the block reads.
std::optional<double>
LaunchSummarizer::getAccumulatedBytes(const MuNode &loop,
                                      const Footprint &footprint) const {
  double bytes = 0;
  const MuRegion &body = graph.getRegion(loop.body);
  for (unsigned number : body.nodes) {
    const MuNode &node = graph.getNode(number);
    if (node.kind == MuNode::Kind::Loop)
      return std::nullopt;
    if (node.kind != MuNode::Kind::Accumulate)
      continue;
    if (node.accumulate == AccumulateKind::Concat) {
      auto result = llvm::find(body.results, node.results[0]);
      if (!footprint.isStoredByIterations(loop, result - body.results.begin()))
        return std::nullopt;
      continue;
    }
    bytes += getBytes(graph, node.results[0]);
    if (node.accumulate == AccumulateKind::RescaledSum)
      bytes += getBytes(graph, node.operands[1]);
  }
  return bytes;
}

/// Returns the dimension of a node's result that is divided where those of its
/// operands are, as the lowering follows them (ScheduledDivision.cpp); nothing
/// if it cannot be computed of parts.
static std::optional<size_t> getDividedDim(const MuGraph &graph,
                                           const MuNode &node, size_t dim) {
  OpClass opClass = getOpInfo(node.op).opClass;
  if (opClass == OpClass::Elementwise)
    return dim;
  if (opClass == OpClass::Reduction)
    return node.attributes.keep &&
                   node.attributes.dim != static_cast<int64_t>(dim)
               ? std::optional(dim)
               : std::nullopt;
  if (node.op == OpKind::Transpose)
    return llvm::find(node.attributes.permutation, static_cast<int64_t>(dim)) -
           node.attributes.permutation.begin();
  if (node.op != OpKind::Reshape)
    return std::nullopt;
  ShapeRef from = graph.getShape(node.operands[0]),
           to = graph.getShape(node.results[0]);
  int64_t inner = elementCount(from.drop_front(dim + 1)), stride = 1;
  for (size_t result = to.size(); result-- > 0; stride *= to[result])
    if (stride == inner && to[result] == from[dim])
      return result;
  return std::nullopt;
}

/// Says whether blocks may divide a dimension of what a loop accumulates, and
/// each go on with its part.
bool LaunchSummarizer::isDivisible(const MuNode &loop, size_t dim) const {
  llvm::SmallDenseMap<MuValue, size_t, 8> divided;
  for (MuValue result : loop.results)
    if (graph.getShape(result)[dim] > 1)
      divided[result] = dim;
  bool isBehind = false;
  for (unsigned number : graph.getRegion(launch.body).nodes) {
    const MuNode &node = graph.getNode(number);
    if (!std::exchange(isBehind, isBehind || &node == &loop))
      continue;
    if (node.kind == MuNode::Kind::Loop)
      return false;
    std::optional<size_t> of;
    for (MuValue operand : node.operands) {
      auto found = divided.find(operand);
      if (found == divided.end())
        continue;
      if (of && *of != found->second)
        return false;
      of = found->second;
    }
    if (!of || node.kind == MuNode::Kind::Store)
      continue;
    // Thread graphs are of elementwise operators.
    if (node.kind == MuNode::Kind::Operator)
      of = getDividedDim(graph, node, *of);
    if (!of)
      return false;
    for (MuValue result : node.results)
      divided[result] = *of;
  }
  return true;
}

int64_t LaunchSummarizer::getMostDividing(const MuNode &loop) const {
  constexpr int64_t mostSharing = 8;
  size_t rank = graph.getShape(loop.results[0]).size();
  int64_t most = 1;
  for (size_t dim = 0; dim < rank; ++dim) {
    int64_t size = 1;
    for (MuValue result : loop.results) {
      ShapeRef shape = graph.getShape(result);
      if (shape.size() != rank ||
          (shape[dim] > 1 && size > 1 && shape[dim] != size))
        return 1;
      size = std::max(size, shape[dim]);
    }
    int64_t parts = std::gcd(size, mostSharing);
    if (parts > most && isDivisible(loop, dim))
      most = parts;
  }
  return most;
}

/// Finds how many iterations of each of its loops the blocks of a cluster may
/// share, one loop after another.
void LaunchSummarizer::findSharedLoops(const Footprint &footprint) {
  int64_t shared = 0, merging = 0;
  double bytes = 0;
  for (unsigned number : graph.getRegion(launch.body).nodes) {
    const MuNode &node = graph.getNode(number);
    if (node.kind != MuNode::Kind::Loop)
      continue;
    std::optional<double> ofLoop = getAccumulatedBytes(node, footprint);
    if (!ofLoop)
      return;
    // The lowering makes no loop of a single iteration.
    if (node.extents[0] == 1)
      continue;
    shared = std::gcd(shared, node.extents[0]);
    merging += *ofLoop > 0;
    if (*ofLoop > 0)
      summary.mostDividing =
          std::min(summary.mostDividing, getMostDividing(node));
    bytes += *ofLoop;
  }
  // A larger grid does what blocks that merge nothing would share.
  if (merging == 0)
    return;
  summary.sharedIterations = shared;
  summary.mergingLoops = merging;
  summary.accumulatedBytes = bytes;
}
