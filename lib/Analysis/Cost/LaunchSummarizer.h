//===- LaunchSummarizer.h - Counts of a launch ------------------*- C++ -*-===//
//
// Walks a block graph once and adds up what KernelSummary holds.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_ANALYSIS_COST_LAUNCHSUMMARIZER_H
#define MIRAGE_LIB_ANALYSIS_COST_LAUNCHSUMMARIZER_H

#include "Mirage/Analysis/Cost/KernelSummary.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace mirage {

class LaunchSummarizer {
public:
  LaunchSummarizer(const MuGraph &graph, const MuNode &launch)
      : graph(graph), launch(launch) {}

  /// All but what depends on other kernels: distinct and hot bytes.
  KernelSummary run();

private:
  enum class Place : uint8_t { Shared, Register, Immediate };
  struct Value {
    Place place;
    /// Loops whose iterations it differs in, of those around it: it is
    /// computed once for each iteration of the outermost `depth`.
    unsigned depth;
    bool isLoad = false;
    /// Times that its tile has been read into registers in a block.
    double reads = 0;
  };

  /// Returns the iterations that the region runs one after another.
  int64_t visitRegion(unsigned region);
  void visitLoad(const MuNode &node);
  void visitStore(const MuNode &node);
  void visitOperator(const MuNode &node);
  void visitThreadGraph(const MuNode &node);
  int64_t visitLoop(const MuNode &node);
  void addThreadWork(unsigned region, double times);

  /// How often a block computes what depends on so many loops.
  double getTimes(unsigned depth) const;
  unsigned getDepth(const MuNode &node) const;
  /// An operator has the value in registers.
  void readIntoRegisters(MuValue value, double times);
  /// A product reads the value from shared memory.
  void readByProduct(MuValue value, double bytes, double times);
  void addTraffic(double bytesPerBlock);
  void measureMemory();
  bool isAccumulatedInPlace(MuValue value) const;

  const MuGraph &graph;
  const MuNode &launch;
  KernelSummary summary;
  llvm::DenseMap<MuValue, Value> values;
  llvm::DenseMap<MuValue, unsigned> uses;
  /// Results of products, and those of them that are summed over iterations.
  llvm::SmallDenseSet<MuValue, 4> products, summed;
  llvm::SmallVector<int64_t, 2> loops;
};

} // namespace mirage

#endif // MIRAGE_LIB_ANALYSIS_COST_LAUNCHSUMMARIZER_H
