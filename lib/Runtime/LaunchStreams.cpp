//===- LaunchStreams.cpp - Which kernels run beside each other ------------===//

// Finds which kernels share bytes of which at least one writes some, puts them
// on streams in launch order, and checks an assignment for all such pairs.

#include "Mirage/Runtime/LaunchStreams.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mirage::runtime;
using llvm::createStringError;
using llvm::Twine;

namespace {
/// The bytes of a buffer: those from `begin` to `end` of one allocation.
struct Bytes {
  size_t allocation = 0;
  uint64_t begin = 0, end = 0;
  /// The buffer's position in the function's list.
  size_t position = 0;

  bool meet(const Bytes &other) const {
    return allocation == other.allocation && begin < other.end &&
           other.begin < end;
  }
};

/// The bytes that each kernel of a function reads, and those that it writes.
class Accesses {
public:
  explicit Accesses(const FunctionDescription &function);

  /// Returns bytes of `number` because of which it has to wait for the kernel
  /// `other` before it, or null if there are none.
  const Bytes *getConflict(size_t number, size_t other) const;

private:
  std::vector<llvm::SmallVector<Bytes>> reads, writes;
};
} // namespace

Accesses::Accesses(const FunctionDescription &function) {
  llvm::StringMap<Bytes> places;
  for (auto [position, buffer] : llvm::enumerate(function.buffers)) {
    // The memory that scratch shares is the allocation behind those of buffers.
    bool isPlaced = buffer.role == BufferRole::Scratch &&
                    !llvm::is_contained(function.results, buffer.name);
    uint64_t begin = isPlaced ? buffer.offset : 0;
    places[buffer.name] = {isPlaced ? function.buffers.size() : position, begin,
                           begin + buffer.bytes, position};
  }
  auto find = [&](const std::vector<std::string> &names) {
    llvm::SmallVector<Bytes> found;
    for (const std::string &name : names)
      found.push_back(places.lookup(name));
    return found;
  };
  for (const KernelDescription &kernel : function.kernels) {
    reads.push_back(find(kernel.reads));
    writes.push_back(find(kernel.writes));
  }
}

const Bytes *Accesses::getConflict(size_t number, size_t other) const {
  auto findMeeting = [](llvm::ArrayRef<Bytes> some,
                        llvm::ArrayRef<Bytes> others) -> const Bytes * {
    for (const Bytes &bytes : some)
      if (llvm::any_of(others, [&](const Bytes &b) { return b.meet(bytes); }))
        return &bytes;
    return nullptr;
  };
  for (const auto &[own, theirs] : {std::pair(&reads[number], &writes[other]),
                                    std::pair(&writes[number], &writes[other]),
                                    std::pair(&writes[number], &reads[other])})
    if (const Bytes *bytes = findMeeting(*own, *theirs))
      return bytes;
  return nullptr;
}

std::vector<llvm::SmallVector<size_t>>
mirage::runtime::getDependencies(const FunctionDescription &function) {
  Accesses accesses(function);
  size_t count = function.kernels.size();
  std::vector<llvm::SmallVector<size_t>> direct(count);
  std::vector<llvm::BitVector> before(count, llvm::BitVector(count));
  for (size_t number = 0; number < count; ++number) {
    for (size_t other = number; other-- > 0;) {
      if (before[number][other] || !accesses.getConflict(number, other))
        continue;
      direct[number].push_back(other);
      before[number] |= before[other];
      before[number].set(other);
    }
    std::reverse(direct[number].begin(), direct[number].end());
  }
  return direct;
}

namespace {
/// Puts kernels on streams, one after another in launch order.
class StreamPlanner {
public:
  StreamPlanner(FunctionDescription &function, unsigned mostStreams);
  void run();

private:
  /// Returns the stream for a kernel, given the kernels that have ended when it
  /// begins.
  size_t choose(size_t number, const llvm::BitVector &ended);
  /// Returns true if no kernel that is not on a stream yet, `number` the next,
  /// is to go on with what the last kernel of a stream has made.
  bool isFree(size_t stream, size_t number) const {
    std::optional<size_t> heir = heirs[last[stream]];
    return !heir || *heir < number;
  }

  FunctionDescription &function;
  const unsigned mostStreams;
  const std::vector<llvm::SmallVector<size_t>> direct;
  /// The length of the longest chain of kernels behind each.
  std::vector<size_t> behind;
  /// The kernel that follows each on its stream if it can.
  std::vector<std::optional<size_t>> heirs;
  /// The kernels that have ended when each begins.
  std::vector<llvm::BitVector> before;
  /// The last kernel of each stream.
  std::vector<size_t> last;
};
} // namespace

StreamPlanner::StreamPlanner(FunctionDescription &function,
                             unsigned mostStreams)
    : function(function), mostStreams(mostStreams),
      direct(getDependencies(function)), behind(direct.size()),
      heirs(direct.size()) {
  for (size_t number = direct.size(); number-- > 0;)
    for (size_t other : direct[number])
      behind[other] = std::max(behind[other], behind[number] + 1);
  for (auto [number, others] : llvm::enumerate(direct))
    for (size_t other : others)
      if (!heirs[other] || behind[number] > behind[*heirs[other]])
        heirs[other] = number;
}

size_t StreamPlanner::choose(size_t number, const llvm::BitVector &ended) {
  std::optional<size_t> followed, free, idle;
  for (size_t stream = 0; stream < last.size(); ++stream) {
    size_t kernel = last[stream];
    if (llvm::is_contained(direct[number], kernel) && heirs[kernel] == number &&
        (!followed || kernel > last[*followed]))
      followed = stream;
    if (!ended[kernel])
      continue;
    if (!free && isFree(stream, number))
      free = stream;
    if (!idle || behind[kernel] < behind[last[*idle]])
      idle = stream;
  }
  if (followed)
    return *followed;
  if (free)
    return *free;
  if (last.size() < mostStreams)
    return last.size();
  if (idle)
    return *idle;
  // All streams are in use: the one that has the least to do waits.
  return std::distance(last.begin(),
                       llvm::min_element(last, [&](size_t a, size_t b) {
                         return behind[a] < behind[b];
                       }));
}

void StreamPlanner::run() {
  size_t count = direct.size();
  for (size_t number = 0; number < count; ++number) {
    llvm::BitVector ended(count);
    for (size_t other : direct[number]) {
      ended |= before[other];
      ended.set(other);
    }
    size_t stream = choose(number, ended);
    llvm::BitVector done(count);
    if (stream == last.size()) {
      last.push_back(number);
    } else {
      done = before[last[stream]];
      done.set(last[stream]);
      last[stream] = number;
    }
    KernelDescription &kernel = function.kernels[number];
    kernel.stream = stream;
    kernel.after.clear();
    for (size_t other : direct[number])
      if (!done[other])
        kernel.after.push_back(other);
    before.push_back(ended |= done);
  }
}

void mirage::runtime::planStreams(FunctionDescription &function,
                                  unsigned mostStreams) {
  StreamPlanner(function, std::max(mostStreams, 1u)).run();
}

unsigned mirage::runtime::countStreams(const FunctionDescription &function) {
  uint32_t streams = 0;
  for (const KernelDescription &kernel : function.kernels)
    streams = std::max(streams, kernel.stream + 1);
  return streams;
}

bool mirage::runtime::isEarlyOnStream(const FunctionDescription &function,
                                      size_t number) {
  llvm::ArrayRef<KernelDescription> kernels = function.kernels;
  const KernelDescription &kernel = kernels[number];
  return kernel.waits && kernel.after.empty() &&
         llvm::any_of(kernels.take_front(number),
                      [&](const KernelDescription &other) {
                        return other.stream == kernel.stream;
                      });
}

llvm::Error mirage::runtime::verifyStreams(const FunctionDescription &function,
                                           const Twine &path) {
  Accesses accesses(function);
  size_t count = function.kernels.size();
  std::vector<llvm::BitVector> before(count, llvm::BitVector(count));
  std::vector<size_t> last;
  for (auto [number, kernel] : llvm::enumerate(function.kernels)) {
    std::string where = (path + ".kernels[" + Twine(number) + "]").str();
    auto follow = [&before, number = number](size_t other) {
      before[number] |= before[other];
      before[number].set(other);
    };
    if (kernel.stream > last.size())
      return createStringError("streams are numbered as they begin, so that "
                               "the next is " +
                               Twine(last.size()) + " at " + where + ".stream");
    if (kernel.stream == last.size())
      last.push_back(number);
    else
      follow(std::exchange(last[kernel.stream], number));
    for (auto [position, other] : llvm::enumerate(kernel.after)) {
      if (other >= number || function.kernels[other].stream == kernel.stream)
        return createStringError("kernels wait for earlier ones on other "
                                 "streams at " +
                                 where + ".after[" + Twine(position) + "]");
      follow(other);
    }
    for (size_t other = 0; other < number; ++other) {
      if (before[number][other])
        continue;
      if (const Bytes *bytes = accesses.getConflict(number, other))
        return createStringError(
            "kernel " + Twine(other) +
            " does not end before this one, though both have bytes of '" +
            function.buffers[bytes->position].name + "' at " + where +
            ".after");
    }
  }
  return llvm::Error::success();
}
