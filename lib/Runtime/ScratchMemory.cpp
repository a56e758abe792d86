//===- ScratchMemory.cpp - Where scratch buffers lie ----------------------===//

// Places buffers one after another, each at the lowest offset that is free
// while it is alive. Which order is best depends on the function, so a few are
// tried, and then the buffers that end last come first, again and again.
//
// Where kernels may run beside each other, buffers share bytes only if the
// kernels of one depend on those of the other anyway: a launcher that keeps to
// bytes then keeps to nothing but data.

#include "Mirage/Runtime/ScratchMemory.h"
#include "llvm/ADT/BitVector.h"
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

/// Returns for each kernel those that have to end before it begins, directly or
/// through others: it reads or writes what they write, or writes what they
/// read.
static std::vector<llvm::BitVector>
getPredecessors(const FunctionDescription &function) {
  size_t count = function.kernels.size();
  std::vector<llvm::BitVector> before(count, llvm::BitVector(count));
  llvm::StringMap<llvm::SmallVector<size_t>> readers, writers;
  for (auto [number, kernel] : llvm::enumerate(function.kernels)) {
    auto follow = [&](llvm::ArrayRef<size_t> others) {
      for (size_t other : others)
        if (!before[number][other]) {
          before[number] |= before[other];
          before[number].set(other);
        }
    };
    for (const std::string &name : kernel.reads)
      follow(writers.lookup(name));
    for (const std::string &name : kernel.writes) {
      follow(writers.lookup(name));
      follow(readers.lookup(name));
    }
    for (const std::string &name : kernel.reads)
      readers[name].push_back(number);
    for (const std::string &name : kernel.writes)
      writers[name].push_back(number);
  }
  return before;
}

namespace {
/// A scratch buffer that is to be placed.
struct Block {
  size_t position;
  uint64_t bytes;
  Lifetime lifetime;
  /// Its number among the blocks in the order of buffers.
  size_t number;
  uint64_t offset = 0;

  size_t getLength() const { return lifetime.last - lifetime.first + 1; }
};

/// This says for each block, by its number, which others may not share bytes
/// with it.
using Overlaps = std::vector<llvm::BitVector>;
} // namespace

static std::vector<Block> getBlocks(const FunctionDescription &function) {
  std::vector<Block> blocks;
  for (auto [position, lifetime] :
       llvm::enumerate(getScratchLifetimes(function)))
    if (lifetime)
      blocks.push_back(
          {position,
           llvm::alignTo(function.buffers[position].bytes, kScratchAlignment),
           *lifetime, blocks.size()});
  return blocks;
}

/// Returns all pairs of blocks of which neither ends before the other begins.
static Overlaps
getOverlaps(llvm::ArrayRef<Block> blocks,
            llvm::function_ref<bool(const Block &, const Block &)> endsBefore) {
  Overlaps overlaps(blocks.size(), llvm::BitVector(blocks.size()));
  for (const Block &a : blocks)
    for (const Block &b : blocks)
      overlaps[a.number][b.number] = !endsBefore(a, b) && !endsBefore(b, a);
  return overlaps;
}

/// Returns what may not share bytes where kernels run one after another.
static Overlaps getOverlapsInOrder(llvm::ArrayRef<Block> blocks) {
  return getOverlaps(blocks, [](const Block &a, const Block &b) {
    return a.lifetime.last < b.lifetime.first;
  });
}

/// Returns what may not share bytes where kernels run as soon as those that
/// they depend on have ended: all but blocks of which the kernels of one come
/// before those of the other in any order.
static Overlaps getOverlapsOfAnyOrder(const FunctionDescription &function,
                                      llvm::ArrayRef<Block> blocks) {
  size_t count = function.kernels.size();
  std::vector<llvm::BitVector> before = getPredecessors(function);
  llvm::StringMap<size_t> numbers;
  for (const Block &block : blocks)
    numbers[function.buffers[block.position].name] = block.number;
  // The kernels that have a block, and those that come before all of these.
  std::vector<llvm::BitVector> users(blocks.size(), llvm::BitVector(count));
  std::vector<llvm::BitVector> earlier(blocks.size(),
                                       llvm::BitVector(count, true));
  for (auto [kernel, description] : llvm::enumerate(function.kernels))
    for (const auto *names : {&description.reads, &description.writes})
      for (const std::string &name : *names)
        if (auto found = numbers.find(name); found != numbers.end()) {
          users[found->second].set(kernel);
          earlier[found->second] &= before[kernel];
        }
  auto endsBefore = [&](const Block &a, const Block &b) {
    // BitVector::test says whether one has what the other lacks.
    return a.lifetime.last < count && !users[a.number].test(earlier[b.number]);
  };
  return getOverlaps(blocks, endsBefore);
}

/// Returns what may not share bytes where kernels run in steps, each in the one
/// behind the last of those that it depends on. Then kernels wait for others
/// because of bytes, but never for one of their own step or a later one, so
/// that no chain of kernels gets longer.
static Overlaps getOverlapsOfSteps(const FunctionDescription &function,
                                   llvm::ArrayRef<Block> blocks) {
  std::vector<llvm::BitVector> before = getPredecessors(function);
  std::vector<size_t> steps;
  for (const llvm::BitVector &others : before) {
    size_t &step = steps.emplace_back(0);
    for (unsigned other : others.set_bits())
      step = std::max(step, steps[other] + 1);
  }
  llvm::StringMap<size_t> numbers;
  for (const Block &block : blocks)
    numbers[function.buffers[block.position].name] = block.number;
  std::vector<Lifetime> lifetimes(blocks.size(),
                                  Lifetime{function.kernels.size(), 0});
  for (auto [step, description] : llvm::zip_equal(steps, function.kernels))
    for (const auto *names : {&description.reads, &description.writes})
      for (const std::string &name : *names)
        if (auto found = numbers.find(name); found != numbers.end()) {
          Lifetime &lifetime = lifetimes[found->second];
          lifetime.first = std::min(lifetime.first, step);
          lifetime.last = std::max(lifetime.last, step);
        }
  // Those that run one after another have to be right, too.
  auto endsBefore = [&](const Block &a, const Block &b) {
    return a.lifetime.last < b.lifetime.first &&
           lifetimes[a.number].last < lifetimes[b.number].first;
  };
  return getOverlaps(blocks, endsBefore);
}

/// Places blocks in their order, and returns the bytes that they need.
static uint64_t place(std::vector<Block> &blocks, const Overlaps &overlaps) {
  uint64_t total = 0;
  // Those that are placed, by their offsets.
  std::vector<const Block *> placed;
  for (Block &block : blocks) {
    uint64_t offset = 0;
    for (const Block *other : placed) {
      if (!overlaps[block.number][other->number])
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

/// Returns the most bytes that are alive at one kernel.
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
  /// No order of blocks that may share bytes so needs less than `least`.
  Planner(std::vector<Block> blocks, const Overlaps &overlaps, uint64_t least)
      : blocks(std::move(blocks)), overlaps(overlaps), least(least) {}

  /// Tries the orders, and returns the bytes that the best one needs.
  uint64_t run();
  llvm::ArrayRef<Block> getBest() const { return best; }

private:
  template <typename Key> void trySorted(Key getKey);
  void improve();

  const std::vector<Block> blocks;
  const Overlaps &overlaps;
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
  uint64_t needed = place(ordered, overlaps);
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
    end = place(current, overlaps);
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
  std::vector<Block> blocks = getBlocks(function);
  uint64_t least = getInUse(blocks, function.kernels.size());
  auto plan = [&](const Overlaps &overlaps, double most) {
    Planner planner(blocks, overlaps, least);
    uint64_t bytes = planner.run();
    if (static_cast<double>(bytes) > most * static_cast<double>(least))
      return false;
    function.scratchBytes = bytes;
    for (const Block &block : planner.getBest())
      function.buffers[block.position].offset = block.offset;
    return true;
  };
  if (!plan(getOverlapsOfAnyOrder(function, blocks), kMostScratch) &&
      !plan(getOverlapsOfSteps(function, blocks), kMostScratch))
    plan(getOverlapsInOrder(blocks), std::numeric_limits<double>::infinity());
}
