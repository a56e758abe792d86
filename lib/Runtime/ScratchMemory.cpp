//===- ScratchMemory.cpp - Where scratch buffers lie ----------------------===//

// Places buffers one after another, each at the lowest offset that is free
// while it is alive. Which order is best depends on the function, so a few are
// tried, and then the buffers that end last come first, again and again.

#include "Mirage/Runtime/ScratchMemory.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"

using namespace mirage::runtime;

std::vector<std::optional<Lifetime>>
mirage::runtime::getScratchLifetimes(const FunctionDescription &function) {
  std::vector<std::optional<Lifetime>> lifetimes(function.buffers.size());
  llvm::StringMap<size_t> positions;
  for (auto [position, buffer] : llvm::enumerate(function.buffers))
    if (buffer.role == BufferRole::Scratch)
      positions[buffer.name] = position;
  auto use = [&](const std::string &name, size_t kernel) {
    auto found = positions.find(name);
    if (found == positions.end())
      return;
    std::optional<Lifetime> &lifetime = lifetimes[found->second];
    lifetime = Lifetime{lifetime ? lifetime->first : kernel, kernel};
  };
  for (auto [number, kernel] : llvm::enumerate(function.kernels))
    for (const auto *names : {&kernel.reads, &kernel.writes})
      for (const std::string &name : *names)
        use(name, number);
  for (const std::string &name : function.results)
    use(name, function.kernels.size());
  return lifetimes;
}

namespace {
/// A scratch buffer that is to be placed.
struct Block {
  size_t position;
  uint64_t bytes;
  Lifetime lifetime;
  uint64_t offset = 0;

  size_t getLength() const { return lifetime.last - lifetime.first + 1; }
};
} // namespace

static std::vector<Block> getBlocks(const FunctionDescription &function) {
  std::vector<Block> blocks;
  for (auto [position, lifetime] :
       llvm::enumerate(getScratchLifetimes(function)))
    if (lifetime)
      blocks.push_back(
          {position,
           llvm::alignTo(function.buffers[position].bytes, kScratchAlignment),
           *lifetime});
  return blocks;
}

/// Places blocks in their order, and returns the bytes that they need.
static uint64_t place(std::vector<Block> &blocks) {
  uint64_t total = 0;
  // Those that are placed, by their offsets.
  std::vector<const Block *> placed;
  for (Block &block : blocks) {
    uint64_t offset = 0;
    for (const Block *other : placed) {
      if (!other->lifetime.overlaps(block.lifetime))
        continue;
      if (offset + block.bytes <= other->offset)
        break;
      offset = std::max(offset, other->offset + other->bytes);
    }
    block.offset = offset;
    total = std::max(total, offset + block.bytes);
    placed.insert(llvm::upper_bound(placed, &block,
                                    [](const Block *a, const Block *b) {
                                      return a->offset < b->offset;
                                    }),
                  &block);
  }
  return total;
}

static uint64_t getInUse(llvm::ArrayRef<Block> blocks, size_t numKernels) {
  // What begins and ends to be alive at each kernel.
  std::vector<uint64_t> begun(numKernels + 2), ended(numKernels + 2);
  for (const Block &block : blocks) {
    begun[block.lifetime.first] += block.bytes;
    ended[block.lifetime.last + 1] += block.bytes;
  }
  uint64_t alive = 0, most = 0;
  for (auto [more, less] : llvm::zip(begun, ended)) {
    alive += more - less;
    most = std::max(most, alive);
  }
  return most;
}

namespace {
/// Looks for the order of blocks that needs the fewest bytes.
class Planner {
public:
  Planner(std::vector<Block> blocks, size_t numKernels)
      : blocks(std::move(blocks)), least(getInUse(this->blocks, numKernels)) {}

  /// Tries the orders, and returns the bytes that the best one needs.
  uint64_t run();
  llvm::ArrayRef<Block> getBest() const { return best; }

private:
  template <typename Key> void trySorted(Key getKey);
  void improve();

  const std::vector<Block> blocks;
  /// What no order needs less than.
  const uint64_t least;
  std::vector<Block> best;
  uint64_t bytes = std::numeric_limits<uint64_t>::max();
};
} // namespace

/// Tries the order in which the keys fall.
template <typename Key> void Planner::trySorted(Key getKey) {
  if (bytes == least)
    return;
  std::vector<Block> ordered = blocks;
  llvm::sort(ordered, [&](const Block &a, const Block &b) {
    auto left = getKey(a), right = getKey(b);
    return left != right ? left > right : a.position < b.position;
  });
  uint64_t needed = place(ordered);
  if (needed >= bytes)
    return;
  bytes = needed;
  best = std::move(ordered);
}

/// Lets the blocks that end where the memory ends be placed before all others.
void Planner::improve() {
  // Placing takes time by the square of the blocks.
  constexpr uint64_t mostSteps = 100'000'000, mostTries = 200;
  std::vector<Block> current = best;
  uint64_t steps = std::max<uint64_t>(1, current.size() * current.size());
  uint64_t tries = std::min(mostTries, mostSteps / steps), end = bytes;
  for (uint64_t i = 0; i < tries && bytes > least; ++i) {
    std::vector<Block> next;
    for (bool isLast : {true, false})
      for (const Block &block : current)
        if ((block.offset + block.bytes == end) == isLast)
          next.push_back(block);
    current = std::move(next);
    end = place(current);
    if (end >= bytes)
      continue;
    bytes = end;
    best = current;
  }
}

uint64_t Planner::run() {
  // Larger ones first, those that are alive for longer first, those of most
  // bytes over time first, and the earlier ones first.
  trySorted([](const Block &b) { return std::pair(b.bytes, b.getLength()); });
  trySorted([](const Block &b) { return std::pair(b.getLength(), b.bytes); });
  trySorted([](const Block &b) {
    return static_cast<double>(b.bytes) * static_cast<double>(b.getLength());
  });
  trySorted([](const Block &b) {
    return std::pair(~static_cast<uint64_t>(b.lifetime.first), b.bytes);
  });
  improve();
  return bytes;
}

void mirage::runtime::planScratch(FunctionDescription &function) {
  Planner planner(getBlocks(function), function.kernels.size());
  function.scratchBytes = planner.run();
  for (const Block &block : planner.getBest())
    function.buffers[block.position].offset = block.offset;
}
