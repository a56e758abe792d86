//===- ExecutionStates.h - What of a program has run ------------*- C++ -*-===//
//
// An execution state of a program is a set of units that may have run at some
// moment: it has all units that its members depend on (Korch paper, definition
// before Theorem 3; elsewhere, an ideal). The convex sets of units, each of
// which can run as one kernel, are the differences of two execution states
// where one has the other (Theorem 3).
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_KERNELGRAPHS_EXECUTIONSTATES_H
#define MIRAGE_SEARCH_KERNELGRAPHS_EXECUTIONSTATES_H

#include "Mirage/Search/KernelGraphs/KernelOrchestration.h"

namespace mirage::search {

/// Returns all execution states of a program, those of fewer units first, or
/// nothing if there are more than the limit.
std::optional<std::vector<UnitSet>>
enumerateExecutionStates(const ProgramUnits &program, uint64_t limit);

/// Returns the sets of units that a kernel that computes `units` may write
/// (Korch paper, definition of a possible output set): those that no other one
/// of its units reads, without which it would compute what it doesn't need, and
/// any of `others`, which must be among its units. Sets of fewer units come
/// first; those of more than `limit` are left out, and counted.
std::vector<UnitSet> enumerateOutputs(const ProgramUnits &program,
                                      const UnitSet &units,
                                      const UnitSet &others, unsigned limit,
                                      uint64_t &tooMany);

struct KernelLimits {
  /// Execution states in all.
  uint64_t states = 4096;
  /// Units of a kernel, without reshapes.
  unsigned units = 12;
  /// Units that a kernel writes.
  unsigned outputs = 2;
  /// Kernels in all.
  uint64_t kernels = 16'384;
};

/// The kernels that a program may have.
struct KernelSpace {
  /// Those of fewer units come first.
  std::vector<KernelOrchestration::Kernel> kernels;
  /// The execution states, and the convex sets of units that are not empty.
  uint64_t states = 0, convexSets = 0;
  /// What is not among the kernels: convex sets that have too many units, and
  /// of the others those that do not hang together; kernels that write too many
  /// units; kernels beyond the limit of all.
  uint64_t tooLarge = 0, apart = 0, tooManyOutputs = 0, beyondLimit = 0;

  /// Returns whether these are all kernels that hang together.
  bool isComplete() const {
    return tooLarge == 0 && tooManyOutputs == 0 && beyondLimit == 0;
  }
};

/// Finds all kernels that a program may have by differences of execution
/// states, or nothing if there are too many states.
std::optional<KernelSpace> enumerateKernels(const ProgramUnits &program,
                                            const KernelLimits &limits);

} // namespace mirage::search

#endif // MIRAGE_SEARCH_KERNELGRAPHS_EXECUTIONSTATES_H
