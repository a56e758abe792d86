//===- Configurations.h - Grids, loops and loads of a launch ----*- C++ -*-===//
//
// The symbolic choices before a block graph's operators: which axes the grid
// and the loops divide, and by which factors each loaded tensor is cut. This is
// what imap and fmap say.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_LAUNCHES_CONFIGURATIONS_H
#define MIRAGE_SEARCH_LAUNCHES_CONFIGURATIONS_H

#include "Mirage/Search/Launches/LaunchGraph.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mirage::search {

/// Limits what enumerations take together: they end after a number of steps,
/// which is the same in every run, or when somebody asks them to.
class EnumerationBudget {
public:
  EnumerationBudget(uint64_t steps, llvm::function_ref<bool()> isOver)
      : left(steps), isOver(isOver) {}

  /// Takes steps. Returns false once there are none left.
  bool step(uint64_t steps = 1) {
    left -= std::min(left, steps);
    sinceAsked += steps;
    if (left && isOver && sinceAsked >= kAsked) {
      sinceAsked = 0;
      ended = isOver();
      left = ended ? 0 : left;
    }
    return left != 0;
  }
  bool isSpent() const { return left == 0; }
  /// Returns whether steps ran out, though nobody asked to end.
  bool isLimited() const { return left == 0 && !ended; }

private:
  static constexpr uint64_t kAsked = 1024;
  uint64_t left, sinceAsked = 0;
  bool ended = false;
  llvm::function_ref<bool()> isOver;
};

struct ConfigurationLimits {
  unsigned gridDims = 3;
  /// Tensors may be loaded a second time, cut differently or in another loop.
  bool secondLoads = true;
  /// The number of loops, at least and at most.
  unsigned minLoops = 0, maxLoops = 1;
  /// Bytes that a tile can have; zero for any number.
  int64_t sharedMemory = 0;
  /// At most so many configurations are made, the first ones: programs with
  /// many inputs have millions.
  size_t configurations = 200'000;
};

/// Is given a configuration, which is gone afterwards, and returns whether it
/// wants more.
using ConfigurationVisitor = llvm::function_ref<bool(const LaunchGraph &)>;

/// Visits all configurations of launches that load exactly these tensors, in a
/// fixed order; the first ones, if the budget does not suffice.
/// `isLast`: the launch computes the program's results, so its grid divides no
/// axis that they lack.
///
/// Some configurations are not made, because another one does the same with no
/// more work:
///  - grid dimensions and loops that divide nothing that is loaded;
///  - loads that fit into shared memory at no size;
///  - grids that differ in the order of their dimensions;
///  - loops whose iterations load the same;
///  - of two loops, those over an axis that is never summed over; of three all
///    but one inside of another;
///  - loads that leave whole an axis which other loads divide, if the axis is
///    never summed over (it could never meet the divided one) or never a
///    result's (unless the tensor is loaded twice).
void visitConfigurations(const SearchProblem &problem,
                         llvm::ArrayRef<TensorInfo> tensors,
                         llvm::ArrayRef<uint8_t> loaded, bool isLast,
                         const ConfigurationLimits &limits,
                         EnumerationBudget &budget, ConfigurationVisitor visit);

/// Returns what visitConfigurations() visits.
std::vector<LaunchGraph> enumerateConfigurations(
    const SearchProblem &problem, llvm::ArrayRef<TensorInfo> tensors,
    llvm::ArrayRef<uint8_t> loaded, bool isLast,
    const ConfigurationLimits &limits, EnumerationBudget &budget);

} // namespace mirage::search

#endif // MIRAGE_SEARCH_LAUNCHES_CONFIGURATIONS_H
