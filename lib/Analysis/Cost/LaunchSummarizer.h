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

  /// The launch's counts, without those that depend on other kernels: distinct
  /// and hot bytes.
  KernelSummary run();

private:
  enum class Place : uint8_t { Shared, Register, Immediate };
  struct Value {
    Place place;
    /// The number of loops around the value in whose iterations it differs: it
    /// is computed once for each iteration of the outermost `depth`.
    unsigned depth;
    bool isLoad = false;
    /// How often a block has read the tile into registers.
    double reads = 0;
  };

  /// Returns the iterations that the region runs one after another.
  int64_t visitRegion(unsigned region);
  void visitLoad(const MuNode &node);
  void visitStore(const MuNode &node);
  void visitOperator(const MuNode &node);
  void visitThreadGraph(const MuNode &node);
  int64_t visitLoop(const MuNode &node);
  void addWork(const MuNode &node, double times, bool tensorCores,
               unsigned depth);
  void addThreadWork(unsigned region, double times, unsigned depth);

  /// How often a block computes a value that depends on so many loops.
  double getTimes(unsigned depth) const;
  unsigned getDepth(const MuNode &node) const;
  /// Counts that an operator needs the value in registers.
  void readIntoRegisters(MuValue value, double times);
  /// Counts that a product reads the value from shared memory.
  void readByProduct(MuValue value, double bytes, double times);
  void addTraffic(double bytesPerBlock);
  void measureMemory();
  bool isAccumulatedInPlace(MuValue value) const;
  void findSharedLoop();

  const MuGraph &graph;
  const MuNode &launch;
  KernelSummary summary;
  llvm::DenseMap<MuValue, Value> values;
  llvm::DenseMap<MuValue, unsigned> uses;
  /// The results of products, and those of them that are summed over
  /// iterations.
  llvm::SmallDenseSet<MuValue, 4> products, summed;
  llvm::SmallVector<int64_t, 2> loops;
};

} // namespace mirage

#endif // MIRAGE_LIB_ANALYSIS_COST_LAUNCHSUMMARIZER_H
