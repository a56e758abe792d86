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

/// Returns the digits of two values each that the lanes' numbers have, where
/// modes have as many values as a power of two.
static LayoutModes splitIntoBits(const LayoutModes &lanes) {
  LayoutModes bits;
  for (const LayoutMode &mode : lanes) {
    if (!llvm::isPowerOf2_64(mode.size)) {
      bits.push_back(mode);
      continue;
    }
    for (int64_t step = 1; step < mode.size; step *= 2)
      bits.push_back({2, mode.dim, mode.stride * step});
  }
  return bits;
}

/// Returns the one mode that neighbouring digits are together, if they are.
static std::optional<LayoutMode> joinBits(llvm::ArrayRef<LayoutMode> bits) {
  LayoutMode joined = bits.front();
  for (const LayoutMode &bit : bits.drop_front()) {
    if (bit.dim != joined.dim || bit.stride != joined.stride * joined.size)
      return std::nullopt;
    joined.size *= bit.size;
  }
  return joined;
}

std::optional<LaneExchange> mirage::findLaneExchange(const RegisterLayout &from,
                                                     const RegisterLayout &to) {
  LayoutModes bitsFrom = splitIntoBits(from.lanes),
              bitsTo = splitIntoBits(to.lanes);
  if (from.warps != to.warps || bitsFrom.size() != bitsTo.size() ||
      from.getNumRegisters() != to.getNumRegisters())
    return std::nullopt;
  // The digits that differ are neighbours.
  size_t begin = 0, end = bitsFrom.size();
  while (begin < end && bitsFrom[begin] == bitsTo[begin])
    ++begin;
  while (end > begin && bitsFrom[end - 1] == bitsTo[end - 1])
    --end;
  if (begin == end)
    return std::nullopt;
  std::optional<LayoutMode> joinedFrom =
                                joinBits(llvm::ArrayRef(bitsFrom).slice(
                                    begin, end - begin)),
                            joinedTo = joinBits(llvm::ArrayRef(bitsTo).slice(
                                begin, end - begin));
  if (!joinedFrom || !joinedTo)
    return std::nullopt;
  const LayoutMode &before = *joinedFrom, &after = *joinedTo;
  LaneExchange exchange;
  exchange.size = before.size;
  for (size_t bit = 0; bit < begin; ++bit)
    exchange.distance *= bitsFrom[bit].size;
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

/// Returns the layout behind an exchange of one digit of two lanes with one of
/// the registers, by which each lane has twice as many neighbours.
static std::optional<RegisterLayout> gatherPairs(const RegisterLayout &layout,
                                                 int64_t dim, int64_t own) {
  auto lane = llvm::find_if(layout.lanes, [&](const LayoutMode &mode) {
    return mode.dim == dim && mode.stride == own && mode.size % 2 == 0;
  });
  if (lane == layout.lanes.end())
    return std::nullopt;
  for (const LayoutMode &registers : layout.registers) {
    bool isRun = registers.dim == dim && registers.stride < own;
    if (isRun || registers.isReplicated() || registers.size % 2)
      continue;
    LayoutModes lanes(layout.lanes), others(layout.registers);
    LayoutMode &from = lanes[lane - layout.lanes.begin()];
    LayoutMode &rest = others[&registers - layout.registers.begin()];
    LayoutMode half{from.size / 2, dim, own * 2};
    from = {2, registers.dim, registers.stride};
    lanes.insert(lanes.begin() + (lane - layout.lanes.begin()) + 1, half);
    rest.size /= 2;
    rest.stride *= 2;
    others.insert(others.begin() + (own > 1 ? 1 : 0), {2, dim, own});
    RegisterLayout gathered(others, lanes, layout.warps);
    if (findLaneExchange(layout, gathered))
      return gathered;
  }
  return std::nullopt;
}

llvm::SmallVector<RegisterLayout, 1>
mirage::gatherInSteps(const RegisterLayout &layout, int64_t dim,
                      int64_t count) {
  if (std::optional<RegisterLayout> gathered =
          gatherNeighbours(layout, dim, count))
    return {*gathered};
  llvm::SmallVector<RegisterLayout, 1> steps;
  RegisterLayout current = layout;
  int64_t own = 1;
  if (!layout.registers.empty() && layout.registers.front().dim == dim &&
      layout.registers.front().stride == 1)
    own = layout.registers.front().size;
  for (; own < count; own *= 2) {
    std::optional<RegisterLayout> next = gatherPairs(current, dim, own);
    if (!next)
      break;
    current = *next;
    steps.push_back(std::move(*next));
  }
  return steps;
}
