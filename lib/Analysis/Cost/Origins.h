//===- Origins.h - Where tensors come from and go to ------------*- C++ -*-===//
//
// A kernel's place in its function decides which tensors are in L2, which are
// part of the code, and which no kernel makes.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_ANALYSIS_COST_ORIGINS_H
#define MIRAGE_LIB_ANALYSIS_COST_ORIGINS_H

#include "Mirage/Analysis/Cost/CostModel.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace mirage {

/// Returns the bytes that an operator loads of each operand, as a library runs
/// it. For attention they are those of the tensors.
llvm::SmallVector<double, 4> getOperatorLoads(const MuGraph &graph,
                                              const MuNode &node);

/// Knows where the tensors of a function come from and go to.
class Origins {
public:
  /// `placed` are the nodes that need no kernel, if it is known where the
  /// tensors lie.
  explicit Origins(const MuGraph &graph, const PlacedNodes *placed = nullptr);

  std::optional<KernelSummary> summarize(const MuNode &node) const;

  /// Returns the tensor whose bytes the value is a view of.
  MuValue getBase(MuValue value) const {
    auto view = views.find(value);
    return view == views.end() ? value : view->second;
  }
  /// Returns true for inputs and constants, which no kernel puts into L2.
  bool isCold(MuValue base) const { return cold.contains(base); }
  /// Returns true for constants that are part of the code.
  bool isImmediate(MuValue base) const { return immediates.contains(base); }
  /// Returns true for results of the function.
  bool isResult(MuValue base) const { return results.contains(base); }

private:
  /// Returns whether the region, or a loop in it, loads parts of the argument.
  bool isLoaded(MuValue argument, unsigned region) const;
  /// Returns true for a reshape, or a transpose of dimensions of size one, that
  /// reads the same bytes under another shape; one that makes a result of an
  /// input copies. Slices that launches read
  /// alone are windows of a tensor, which they read where it stands, and
  /// concatenations of what launches write are written as one tensor.
  bool isView(const MuNode &node) const;
  bool isWholeView(unsigned number) const;
  bool isClippedPad(const MuNode &node) const;
  bool isClippedResult(const MuNode &node) const;
  std::optional<unsigned>
  findPlacedWindow(unsigned number,
                   const llvm::DenseMap<MuValue, unsigned> &makers) const;
  void findWindows();
  bool isWindowOfLaunches(const MuNode &slice) const;
  void findJoined();
  bool isJoinOfLaunches(const MuNode &concat) const;
  std::optional<int64_t> findPartSize(const MuNode &concat) const;
  bool isExchanged(MuValue value) const;
  const MuNode *findMaker(MuValue value) const;
  bool loadsPartsAlone(MuValue argument, unsigned region, int64_t dim,
                       int64_t size, bool mayLoop) const;
  bool isReadInParts(const MuNode &concat) const;
  void findInParts();
  void findExchanged();
  bool isStoredInParts(const MuNode &slice) const;

  const MuGraph &graph;
  const PlacedNodes *placed;
  llvm::DenseMap<MuValue, MuValue> views;
  /// The sets of inputs and dense constants, of constants that are part of the
  /// code, and of results.
  llvm::SmallDenseSet<MuValue, 8> cold, immediates, results;
  /// The results of slices and concatenations that no kernel makes.
  llvm::SmallDenseSet<MuValue, 8> windows, joined;
  /// The results of pads and of slices whose bytes are those of their operand:
  /// launches leave out what is behind the end. The plan of buffers knows them
  /// where there is one.
  llvm::SmallDenseSet<MuValue, 4> clipped;
  /// Concatenations of parts of arguments that launches read where they lie,
  /// and those of which some parts' last two dimensions are exchanged.
  llvm::SmallDenseSet<MuValue, 4> inParts, inOrders;
  /// What transposes make of arguments for such concatenations alone.
  llvm::SmallDenseSet<MuValue, 4> exchanged;
};

} // namespace mirage

#endif // MIRAGE_LIB_ANALYSIS_COST_ORIGINS_H
