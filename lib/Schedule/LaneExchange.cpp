//===- LaneExchange.cpp - Elements that lanes exchange --------------------===//
//
// Finds which digits of two layouts are exchanged.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Schedule/LaneExchange.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mirage;

/// Returns the number of dimensions that a layout speaks of.
static unsigned countDims(const RegisterLayout &layout) {
  int64_t count = 0;
  for (const LayoutMode &mode : llvm::concat<const LayoutMode>(
           layout.registers, layout.lanes, layout.warps))
    if (mode.dim)
      count = std::max(count, *mode.dim + 1);
  return count;
}

std::optional<LaneExchange> mirage::findLaneExchange(const RegisterLayout &from,
                                                     const RegisterLayout &to) {
  if (from.warps != to.warps || from.lanes.size() != to.lanes.size() ||
      from.getNumRegisters() != to.getNumRegisters())
    return std::nullopt;
  std::optional<size_t> place;
  LaneExchange exchange;
  for (size_t i = 0; i < from.lanes.size(); ++i) {
    if (from.lanes[i] == to.lanes[i]) {
      if (!place)
        exchange.distance *= from.lanes[i].size;
      continue;
    }
    if (place)
      return std::nullopt;
    place = i;
  }
  if (!place)
    return std::nullopt;
  const LayoutMode &before = from.lanes[*place], &after = to.lanes[*place];
  exchange.size = before.size;
  if (before.size != after.size || !llvm::isPowerOf2_64(before.size) ||
      before.isReplicated() || after.isReplicated())
    return std::nullopt;
  // A register's digit is what its lanes' becomes.
  unsigned rank = std::max(countDims(from), countDims(to));
  for (int64_t number = 0; number < from.getNumRegisters(); ++number) {
    Shape first = from.getOffsets(number, rank);
    int64_t digit = first[*after.dim] / after.stride % exchange.size;
    if (digit != 0)
      continue;
    for (int64_t i = 0; i < exchange.size; ++i) {
      Shape sent = first, received = first;
      sent[*after.dim] += i * after.stride;
      received[*before.dim] += i * before.stride;
      std::optional<int64_t> source = from.findRegister(sent),
                             target = to.findRegister(received);
      if (!source || !target)
        return std::nullopt;
      exchange.from.push_back(*source);
      exchange.to.push_back(*target);
    }
  }
  // Each register is in one group.
  for (const std::vector<int64_t> &numbers : {exchange.from, exchange.to}) {
    std::vector<int64_t> sorted = numbers;
    llvm::sort(sorted);
    if (static_cast<int64_t>(sorted.size()) != from.getNumRegisters())
      return std::nullopt;
    for (auto [i, number] : llvm::enumerate(sorted))
      if (number != static_cast<int64_t>(i))
        return std::nullopt;
  }
  return exchange;
}

std::optional<RegisterLayout>
mirage::gatherNeighbours(const RegisterLayout &layout, int64_t dim,
                         int64_t count) {
  int64_t own = 1;
  if (!layout.registers.empty() && layout.registers.front().dim == dim &&
      layout.registers.front().stride == 1)
    own = layout.registers.front().size;
  for (const LayoutMode &lane : layout.lanes) {
    if (lane.dim != dim || lane.stride != own || own * lane.size != count)
      continue;
    for (const LayoutMode &registers : layout.registers) {
      if (registers.dim != dim || registers.stride != count ||
          registers.size % lane.size)
        continue;
      RegisterLayout gathered = layout;
      gathered.lanes[&lane - layout.lanes.begin()].stride = count;
      LayoutMode &rest =
          gathered.registers[&registers - layout.registers.begin()];
      rest.size /= lane.size;
      rest.stride *= lane.size;
      auto behind = gathered.registers.begin() + (own > 1 ? 1 : 0);
      gathered.registers.insert(behind, {lane.size, dim, own});
      gathered =
          RegisterLayout(gathered.registers, gathered.lanes, gathered.warps);
      if (findLaneExchange(layout, gathered))
        return gathered;
    }
  }
  return std::nullopt;
}
