//===- ScratchMemory.h - Where scratch buffers lie --------------*- C++ -*-===//

// Plans the one allocation that a function's scratch buffers lie in. Kernels of
// one stream run one after another, so that buffers may share bytes if no
// kernel has both: the one that is written later begins where the other has
// ended. Kernels on several streams may run beside each other, as long as no
// one shares bytes with what it does not wait for.

#ifndef MIRAGE_RUNTIME_SCRATCHMEMORY_H
#define MIRAGE_RUNTIME_SCRATCHMEMORY_H

#include "Mirage/Runtime/Manifest.h"

namespace mirage::runtime {

/// The kernels, by their numbers, between which a buffer is alive: from the
/// first to the last that reads or writes it.
struct Lifetime {
  size_t first = 0, last = 0;

  bool overlaps(const Lifetime &other) const {
    return first <= other.last && other.first <= last;
  }
};

/// Returns the lifetimes of a function's scratch buffers, parallel to its
/// buffers; nothing for others, and for scratch that no kernel has. A result
/// lives until after the last kernel.
std::vector<std::optional<Lifetime>>
getScratchLifetimes(const FunctionDescription &function);

/// The most bytes of a plan by which kernels may run beside each other,
/// relative to the most that are alive at one kernel where they run one after
/// another.
constexpr double kMostScratch = 1.05;

/// Sets the offsets of a function's scratch buffers and the bytes that they
/// need together. Buffers that are alive at the same time lie apart. Others
/// share bytes, by the first of these rules that takes no more than
/// kMostScratch:
///
/// 1. One is dead before the other one is written in any order of the kernels
///    that data allow, so that no kernel waits for another because of bytes.
/// 2. It is so where each kernel runs in the step behind those that it depends
///    on, so that no chain of kernels that wait for each other gets longer.
/// 3. It is so where kernels run one after another, whatever that takes.
void planScratch(FunctionDescription &function);

} // namespace mirage::runtime

#endif // MIRAGE_RUNTIME_SCRATCHMEMORY_H
