//===- Footprint.cpp - Tensors of a block alive at once -------------------===//
//
// A value used in a loop but defined before it lives to the loop's end, and a
// loop's results, being the accumulators, from its beginning.
//
//===----------------------------------------------------------------------===//

#include "Footprint.h"
#include "Mirage/Semantics/PlaceTensors.h"
#include "Mirage/Semantics/ShapeRules.h"
#include "Mirage/Semantics/TileMaps.h"
#include "llvm/Support/MathExtras.h"

using namespace mirage;

Footprint::Footprint(const MuGraph &graph, unsigned body) : graph(graph) {
  number(body);
  llvm::SmallVector<unsigned> around;
  findUses(body, around);
  for (auto [value, isImmediate] : candidates)
    if (isImmediate)
      immediates.insert(value);
  findIntervals(body);
}

int64_t Footprint::getBytes(MuValue value) const {
  return elementCount(graph.getShape(value)) *
         byteSize(graph.getValue(value).type);
}

void Footprint::number(unsigned region) {
  for (unsigned number : graph.getRegion(region).nodes) {
    int64_t begin = next++;
    const MuNode &node = graph.getNode(number);
    if (node.kind == MuNode::Kind::Loop)
      this->number(node.body);
    positions[number] = {begin, next++};
  }
}

void Footprint::findUses(unsigned region,
                         llvm::SmallVectorImpl<unsigned> &around) {
  for (unsigned number : graph.getRegion(region).nodes) {
    const MuNode &node = graph.getNode(number);
    around.push_back(number);
    bool isProduct = node.op == OpKind::Matmul ||
                     node.op == OpKind::ConcatMatmul ||
                     node.kind != MuNode::Kind::Operator;
    for (MuValue operand : node.operands) {
      // Arguments of the launch are in device memory.
      auto depth = depths.find(operand);
      if (depth == depths.end())
        continue;
      auto [begin, end] = positions.lookup(around[depth->second]);
      ++useCounts[operand];
      if (node.kind != MuNode::Kind::Store ||
          llvm::any_of(node.omap, [](int64_t entry) {
            return entry == kReduceSum || entry == kReduceMax;
          }))
        readInBlock.insert(operand);
      auto &last = lastUses[operand];
      // A loop reads until its end.
      bool isInLoop = depth->second + 1 < around.size();
      last.first = std::max(last.first, end);
      last.second = std::max(last.second, isInLoop ? end : begin);
      auto candidate = candidates.find(operand);
      if (isProduct && candidate != candidates.end())
        candidate->second = false;
    }
    if (node.kind == MuNode::Kind::Loop)
      findUses(node.body, around);
    around.pop_back();
    for (MuValue result : node.results)
      depths[result] = around.size();
    if (node.kind == MuNode::Kind::Operator && node.op == OpKind::Constant)
      candidates[node.results[0]] = node.attributes.values->size() == 1;
  }
}

/// Returns what getSumInPlace() in Analysis/SharedMemory.h does.
bool Footprint::isAddedInPlace(const MuNode &node, unsigned region) const {
  if (node.kind != MuNode::Kind::Operator ||
      (node.op != OpKind::Matmul && node.op != OpKind::ConcatMatmul) ||
      useCounts.lookup(node.results[0]) != 1)
    return false;
  MuValue product = node.results[0];
  return llvm::any_of(graph.getRegion(region).nodes, [&](unsigned number) {
    const MuNode &user = graph.getNode(number);
    return user.kind == MuNode::Kind::Accumulate &&
           user.accumulate == AccumulateKind::Sum &&
           user.operands[0] == product &&
           graph.getValue(user.results[0]).type == graph.getValue(product).type;
  });
}

bool Footprint::isStoredByIterations(const MuNode &loop,
                                     unsigned result) const {
  MuValue value = loop.results[result];
  if (!useCounts.contains(value) || readInBlock.contains(value))
    return false;
  MuValue inner = graph.getRegion(loop.body).results[result];
  return llvm::any_of(graph.getRegion(loop.body).nodes, [&](unsigned number) {
    const MuNode &node = graph.getNode(number);
    return node.kind == MuNode::Kind::Accumulate &&
           node.accumulate == AccumulateKind::Concat &&
           node.results[0] == inner;
  });
}

void Footprint::findIntervals(unsigned region) {
  for (unsigned number : graph.getRegion(region).nodes) {
    const MuNode &node = graph.getNode(number);
    bool isLoop = node.kind == MuNode::Kind::Loop;
    if (isLoop)
      findIntervals(node.body);
    // Accumulators live in the loop's results, stores in device memory.
    if (node.kind == MuNode::Kind::Accumulate ||
        node.kind == MuNode::Kind::Store)
      continue;
    auto [begin, end] = positions.lookup(number);
    for (auto [i, result] : llvm::enumerate(node.results)) {
      if (immediates.contains(result) ||
          (isLoop && isStoredByIterations(node, i)))
        continue;
      auto use = lastUses.lookup(result);
      intervals.push_back({result, getBytes(result), begin,
                           std::max(end, use.first), isLoop ? begin : end,
                           std::max(end, use.second),
                           isAddedInPlace(node, region)});
      if (!isLoop)
        continue;
      // A rescaled sum keeps the running maximum, in the shift's type.
      MuValue inner = graph.getRegion(node.body).results[i];
      for (unsigned member : graph.getRegion(node.body).nodes) {
        const MuNode &accumulate = graph.getNode(member);
        if (accumulate.kind == MuNode::Kind::Accumulate &&
            accumulate.operands.size() > 1 && accumulate.results[0] == inner)
          intervals.push_back({result, getBytes(accumulate.operands[1]), begin,
                               end, begin, end});
      }
    }
  }
}

int64_t Footprint::getPeak(llvm::function_ref<bool(MuValue)> isIncluded,
                           bool inPlace, int64_t alignment) const {
  int64_t peak = 0;
  auto getRange = [&](const Interval &interval) {
    return inPlace ? std::make_pair(interval.written, interval.read)
                   : std::make_pair(interval.begin, interval.end);
  };
  // The worst moment is where some interval begins.
  for (const Interval &start : intervals) {
    if (!isIncluded(start.value))
      continue;
    int64_t moment = getRange(start).first, bytes = 0;
    for (const Interval &interval : intervals) {
      auto [begin, end] = getRange(interval);
      if (begin <= moment && moment <= end && isIncluded(interval.value))
        bytes += llvm::alignTo(interval.bytes, alignment);
    }
    peak = std::max(peak, bytes);
  }
  return peak;
}

int64_t Footprint::getPlannedBytes() const {
  llvm::SmallVector<PlacedTensor, 16> tensors;
  for (const Interval &interval : intervals)
    if (!interval.isAddedInPlace)
      tensors.push_back({interval.bytes, interval.begin, interval.end});
  return placeTensors(tensors, sharedMemoryAlignment);
}
