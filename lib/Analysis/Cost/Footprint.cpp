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
  countUses(body);
  findChains(body);
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

void Footprint::countUses(unsigned region) {
  for (unsigned number : graph.getRegion(region).nodes) {
    const MuNode &node = graph.getNode(number);
    regions[number] = region;
    for (MuValue operand : node.operands)
      // Arguments of the launch are in device memory.
      if (definitions.contains(operand)) {
        ++useCounts[operand];
        readers[operand] = number;
      }
    if (node.kind == MuNode::Kind::Loop)
      countUses(node.body);
    for (MuValue result : node.results)
      definitions[result] = {number, region};
  }
}

bool Footprint::keepsPlaces(const MuNode &node) const {
  return node.kind == MuNode::Kind::Operator && node.results.size() == 1 &&
         (isElementwise(node.op) || node.op == OpKind::Reshape);
}

/// Finds chains as findChains() in Analysis/SharedMemory.cpp does.
void Footprint::findChains(unsigned region) {
  constexpr unsigned longestChain = 64;
  llvm::DenseMap<unsigned, unsigned> lengths;
  auto getSize = [&](const MuNode &node) {
    return elementCount(graph.getShape(node.results[0]));
  };
  for (unsigned number : graph.getRegion(region).nodes) {
    const MuNode &node = graph.getNode(number);
    if (node.kind == MuNode::Kind::Loop)
      findChains(node.body);
    if (!keepsPlaces(node))
      continue;
    unsigned length = 1;
    for (MuValue operand : node.operands)
      if (auto source = definitions.find(operand);
          source != definitions.end() &&
          computedByUser.contains(source->second.first))
        length = std::max(length, lengths.lookup(source->second.first) + 1);
    lengths[number] = length;
    MuValue result = node.results[0];
    if (useCounts.lookup(result) != 1 || length >= longestChain)
      continue;
    unsigned reader = readers.lookup(result);
    const MuNode &user = graph.getNode(reader);
    if (regions.lookup(reader) == region && keepsPlaces(user) &&
        getSize(user) == getSize(node))
      computedByUser.insert(number);
  }
}

/// Returns the node that computes a node's result, and all that reads it up to
/// the end of their chain.
unsigned Footprint::getChainEnd(unsigned number) const {
  while (computedByUser.contains(number))
    number = readers.lookup(graph.getNode(number).results[0]);
  return number;
}

/// Returns what findOverwritten() in Analysis/SharedMemory.cpp does.
std::optional<size_t> Footprint::findOverwritten(unsigned number,
                                                 unsigned region) const {
  const MuNode &node = graph.getNode(number);
  if (!keepsPlaces(node))
    return std::nullopt;
  MuValue result = node.results[0];
  llvm::SmallVector<unsigned> chain{number};
  while (!chain.empty())
    for (MuValue operand : graph.getNode(chain.pop_back_val()).operands) {
      auto source = definitions.find(operand);
      if (source != definitions.end() &&
          computedByUser.contains(source->second.first)) {
        chain.push_back(source->second.first);
        continue;
      }
      auto found = intervalOf.find(operand);
      if (found != intervalOf.end() && source->second.second == region &&
          elementCount(graph.getShape(operand)) ==
              elementCount(graph.getShape(result)) &&
          getBytes(operand) == getBytes(result) &&
          plannedUses.lookup(operand) <= positions.lookup(number).second)
        return found->second;
    }
  return std::nullopt;
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
      bool isInLoop = depth->second + 1 < around.size();
      int64_t plannedEnd =
          isInLoop ? end : positions.lookup(getChainEnd(number)).second;
      plannedUses[operand] = std::max(plannedUses[operand], plannedEnd);
      if (node.kind != MuNode::Kind::Store ||
          llvm::any_of(node.omap, [](int64_t entry) {
            return entry == kReduceSum || entry == kReduceMax;
          }))
        readInBlock.insert(operand);
      auto &last = lastUses[operand];
      // A loop reads until its end.
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

/// Adds the interval of a result. Several results may overwrite one another in
/// turn; the place is that of the first of them, which lives on.
void Footprint::addInterval(Interval interval, unsigned number,
                            unsigned region) {
  if (!interval.isWithoutPlace) {
    interval.overwritten = findOverwritten(number, region);
    if (interval.overwritten) {
      if (intervals[*interval.overwritten].overwritten)
        interval.overwritten = intervals[*interval.overwritten].overwritten;
      intervals[*interval.overwritten].plannedEnd = interval.plannedEnd;
    }
    intervalOf[interval.value] = intervals.size();
  }
  intervals.push_back(interval);
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
      addInterval(
          {result, getBytes(result), begin, std::max(end, use.first),
           isLoop ? begin : end, std::max(end, use.second),
           std::max(end, plannedUses.lookup(result)),
           isAddedInPlace(node, region) || computedByUser.contains(number)},
          number, region);
      if (!isLoop)
        continue;
      // A rescaled sum keeps the running maximum, in the shift's type.
      MuValue inner = graph.getRegion(node.body).results[i];
      for (unsigned member : graph.getRegion(node.body).nodes) {
        const MuNode &accumulate = graph.getNode(member);
        if (accumulate.kind == MuNode::Kind::Accumulate &&
            accumulate.operands.size() > 1 && accumulate.results[0] == inner)
          intervals.push_back({result, getBytes(accumulate.operands[1]), begin,
                               end, begin, end, end});
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
    if (!interval.isWithoutPlace && !interval.overwritten)
      tensors.push_back({interval.bytes, interval.begin, interval.plannedEnd});
  return placeTensors(tensors, sharedMemoryAlignment);
}
