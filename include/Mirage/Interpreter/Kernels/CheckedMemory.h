//===- CheckedMemory.h - Memory that knows its accesses ---------*- C++ -*-===//
//
// Memory of a kernel that is run on the CPU: bytes, and for each of them who
// wrote and who read it last. An access that a GPU may execute before another
// one, although its value depends on that one, is a fault, whatever order the
// run happens to have.
//
// Accesses are ordered by barriers, and those of warps that only load also by
// the rings of stages that they fill. What the threads of a block do between
// two barriers, which is called an interval here, happens in any order, except
// that a thread's own accesses happen in program order; so do blocks of a
// kernel, and kernels happen one after another (PTX ISA, "Memory Consistency
// Model"). A barrier of a cluster orders what its blocks did before it and do
// after it.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_INTERPRETER_KERNELS_CHECKEDMEMORY_H
#define MIRAGE_INTERPRETER_KERNELS_CHECKEDMEMORY_H

#include "Mirage/Semantics/ElementType.h"
#include "llvm/ADT/ArrayRef.h"
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace mirage {

/// Who accesses memory, and by which operation of the kernel.
struct Accessor {
  /// A warp or a block that accesses memory together: which of its threads does
  /// is not known, so its accesses are ordered with no thread's.
  static constexpr uint32_t kTogether = ~uint32_t(0);
  /// Several blocks.
  static constexpr uint32_t kSeveralBlocks = kTogether - 1;

  /// The number of the thread in its block, or among the loader's.
  uint32_t thread = kTogether;
  /// A number by which the caller knows the operation.
  uint32_t site = 0;
  /// A bit for each warp that may be the one, of those that do not only load.
  uint32_t warps = ~uint32_t(0);
  /// True for the warps that only load.
  bool isLoader = false;
};

/// What the warps of a block that only load and the others know of each other.
/// Times are those of AccessOrder. Who publishes a stage passes on all that the
/// loader did before, and who releases one, what a warp did.
class LoaderKnowledge {
public:
  explicit LoaderKnowledge(unsigned warps = 0)
      : ofLoader(warps, 0), byLoader(warps, 0) {}

  /// The warp has waited for what the loader published at a time.
  void awaited(unsigned warp, uint32_t published) {
    ofLoader[warp] = std::max(ofLoader[warp], published);
  }
  /// The loader has waited for what the warp released at a time, when it had
  /// seen what the loader published at another.
  void acquired(unsigned warp, uint32_t released, uint32_t published) {
    byLoader[warp] = std::max(byLoader[warp], released);
    ofItself = std::max(ofItself, published);
  }
  /// A barrier of all warps but the loader's.
  void passBarrier() {
    if (!ofLoader.empty())
      std::fill(ofLoader.begin(), ofLoader.end(),
                *std::max_element(ofLoader.begin(), ofLoader.end()));
  }
  /// A barrier of the loader's warps, which passes on what they did until then.
  void passLoaderBarrier(uint32_t until) { ofItself = until; }
  /// The loader's warps have waited for what they published to themselves at a
  /// time.
  void received(uint32_t published) {
    ofItself = std::max(ofItself, published);
  }
  uint32_t getPublished(unsigned warp) const { return ofLoader[warp]; }

  /// Returns true if an access at a time, one of the two being the loader's,
  /// happens before the present one.
  bool isOrdered(const Accessor &earlier, uint32_t time,
                 const Accessor &present) const;

private:
  /// What each warp knows of the loader, what the loader knows of each warp,
  /// and what all threads of the loader know of the others of them.
  std::vector<uint32_t> ofLoader, byLoader;
  uint32_t ofItself = 0;
};

/// Numbers the intervals of a run and says which of them are ordered.
///
/// A cluster's blocks are run in turns, each up to the cluster's next barrier:
/// beginCluster, then for each turn enterBlock for each block in the same
/// order, and passClusterBarrier between the turns.
class AccessOrder {
public:
  void beginKernel() {
    firstOfKernel = firstOfCluster = firstOfTurn = firstOfBlock = ++present;
  }
  void beginCluster() { firstOfCluster = firstOfTurn = ++present; }
  void enterBlock() { firstOfBlock = ++present; }
  void passClusterBarrier() { firstOfTurn = ++present; }
  void passBarrier() { ++present; }
  /// Ends a moment, for a stage that is published or released; returns it.
  uint32_t passTime() { return time++; }
  uint32_t getTime() const { return time; }
  /// Sets what the warps of the present block know of its loader.
  void setKnowledge(const LoaderKnowledge *ofBlock) { knowledge = ofBlock; }
  const LoaderKnowledge *getKnowledge() const { return knowledge; }

  uint32_t getPresent() const { return present; }
  bool isOfThisKernel(uint32_t interval) const {
    return interval >= firstOfKernel;
  }
  /// Returns true if the interval is another block's of this kernel, and no
  /// barrier of a cluster stands between.
  bool isOfUnorderedBlock(uint32_t interval) const {
    return isOfThisKernel(interval) &&
           (interval < firstOfCluster ||
            (interval >= firstOfTurn && interval < firstOfBlock));
  }

private:
  /// Interval zero is what was before the first kernel.
  uint32_t present = 0, firstOfKernel = 0, firstOfCluster = 0, firstOfTurn = 0,
           firstOfBlock = 0;
  uint32_t time = 1;
  const LoaderKnowledge *knowledge = nullptr;
};

/// What is wrong with an access.
struct MemoryFault {
  enum Kind : uint8_t {
    /// The access reaches beyond the memory.
    OutOfBounds,
    /// The access reads what nobody wrote.
    ReadsUninitialized,
    /// The access reads, or overwrites, what another thread wrote and no
    /// barrier made visible.
    ReadsUnordered,
    OverwritesUnordered,
    /// The access overwrites what another thread may not have read yet.
    OverwritesUnread,
    /// The access touches what an asynchronous copy is on its way to.
    ReadsPending,
    OverwritesPending,
    /// The access writes what the kernel may only read.
    WritesConstant,
  };

  Kind kind = OutOfBounds;
  /// The first byte that is concerned.
  int64_t byte = 0;
  /// The other access, where there is one.
  Accessor other;
  bool isOfOtherBlock = false;
  /// One of the two is an access of a warp that only loads.
  bool isOfLoader = false;

  bool hasOther() const {
    return kind >= ReadsUnordered && kind <= OverwritesPending;
  }
  /// Returns the fault in words, as the predicate of a sentence whose subject
  /// is the operation; `memory` is the name of the memory.
  std::string describe(llvm::StringRef memory) const;
};

class CheckedMemory {
public:
  /// Memory of `bytes` bytes, of which nothing is initialized. Accesses are
  /// remembered for each `unit` bytes: the size of the elements, or one where
  /// elements of different sizes use the same bytes.
  CheckedMemory(int64_t bytes, unsigned unit, const AccessOrder &order);
  /// Memory that holds these bytes and may only be read.
  CheckedMemory(std::vector<char> bytes, const AccessOrder &order)
      : order(order), bytes(std::move(bytes)), isConstant(true) {}

  int64_t size() const { return bytes.size(); }
  llvm::ArrayRef<char> getBytes() const { return bytes; }
  /// Returns the first byte that nobody wrote, or -1.
  int64_t findUninitialized() const;

  // The functions below return false at a fault, which getFault then tells.

  /// Reads `size` bytes from `byte` on.
  bool read(int64_t byte, unsigned size, Accessor who, char *to);
  bool write(int64_t byte, llvm::ArrayRef<char> from, Accessor who);
  /// Begins an asynchronous copy to these bytes, and ends it. Until then, they
  /// have no value.
  bool beginCopy(int64_t byte, unsigned size, Accessor who);
  void endCopy(int64_t byte, llvm::ArrayRef<char> from, Accessor who);

  const MemoryFault &getFault() const { return fault; }

private:
  struct Access {
    uint32_t interval = 0;
    Accessor who;
    uint32_t time = 0;
  };
  struct State {
    Access write, read;
    bool isWritten = false, isPending = false;
  };

  bool fail(MemoryFault::Kind kind, int64_t byte, const Access *other = nullptr,
            bool isOfLoader = false);
  bool isInside(int64_t byte, unsigned size);
  bool isUnordered(const Access &other, Accessor who) const;
  bool checkWrite(State &state, int64_t byte, Accessor who);

  const AccessOrder &order;
  std::vector<char> bytes;
  std::vector<State> states;
  unsigned unit = 1;
  bool isConstant = false;
  MemoryFault fault;
};

} // namespace mirage

#endif // MIRAGE_INTERPRETER_KERNELS_CHECKEDMEMORY_H
