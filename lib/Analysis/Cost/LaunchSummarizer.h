//===- LaunchSummarizer.h - Counts of a launch ------------------*- C++ -*-===//
//
// Walks a block graph once and adds up what KernelSummary holds.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_ANALYSIS_COST_LAUNCHSUMMARIZER_H
#define MIRAGE_LIB_ANALYSIS_COST_LAUNCHSUMMARIZER_H

#include "Mirage/Analysis/Cost/ProductTiles.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace mirage {

class Footprint;

/// How many barriers it costs that the warps of a product compute an operand of
/// it in each iteration, store it, and wait for each other. Attention of 12
/// heads of 384 x 64, which adds a bias to keys and values of f32 in its loop
/// of 24 keys, takes 10 microseconds longer than what is counted besides.
inline constexpr double mixedOperandSteps = 22;

class LaunchSummarizer {
public:
  /// `inOrders` are the arguments of the launch's body parts of which lie with
  /// their last two dimensions exchanged. All blocks count as those of the
  /// order that takes longer.
  LaunchSummarizer(const MuGraph &graph, const MuNode &launch,
                   llvm::SmallDenseSet<MuValue, 2> inOrders = {})
      : graph(graph), launch(launch), inOrders(std::move(inOrders)) {}

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
    /// It is computed in iterations, also of what is there before the loop: no
    /// warps that only load prepare it.
    bool isMixed = false;
    /// The tile lies with its last two dimensions exchanged.
    bool isTransposed = false;
    /// How often a block has read the tile into registers.
    double reads = 0;
  };

  void visitRegion(unsigned region);
  void visitLoad(const MuNode &node);
  void visitStore(const MuNode &node);
  void visitOperator(const MuNode &node);
  void visitThreadGraph(const MuNode &node);
  void visitLoop(const MuNode &node);
  /// Notes a load of a loop, and the first one of the same tiles, where an
  /// earlier loop has that.
  void noteReload(const MuNode &load, double bytes, double times);
  void addReloads();
  void addWork(const MuNode &node, double times, bool tensorCores,
               unsigned depth);
  void addThreadWork(unsigned region, double times, unsigned depth);

  /// How often a block computes a value that depends on so many loops.
  double getTimes(unsigned depth) const;
  unsigned getDepth(const MuNode &node) const;
  /// Counts that an operator needs the value in registers.
  void readIntoRegisters(MuValue value, double times);
  /// Counts an operand of a product that is computed in a loop, and not made of
  /// another product.
  void noteComputedOperand(MuValue value);
  /// Counts that a product reads the value from shared memory.
  void readByProduct(MuValue value, double bytes, double times);
  void addTraffic(double bytesPerBlock);
  void measureMemory(const Footprint &footprint);
  bool isAccumulatedInPlace(MuValue value) const;
  std::optional<double> getAccumulatedBytes(const MuNode &loop,
                                            const Footprint &footprint) const;
  void findSharedLoops(const Footprint &footprint);
  bool isDivisible(const MuNode &loop, size_t dim) const;
  int64_t getMostDividing(const MuNode &loop) const;
  bool keepsScores(const MuNode &node) const;
  void followProducts(const MuNode &node);
  void findInstruction();
  void findGroupStage();
  int64_t countLoopIterations() const;

  const MuGraph &graph;
  const MuNode &launch;
  llvm::SmallDenseSet<MuValue, 2> inOrders;
  KernelSummary summary;
  /// A load of one of the launch's loops, and the place of the first one of the
  /// same tiles among them, where an earlier loop has that.
  struct LoopLoad {
    const MuNode *load;
    size_t loop;
    int64_t extent;
    double bytes, times;
    std::optional<size_t> first;
  };
  llvm::SmallVector<LoopLoad, 8> loopLoads;
  llvm::DenseMap<MuValue, Value> values;
  llvm::DenseMap<MuValue, unsigned> uses;
  /// The results of products, and those of them that are summed over
  /// iterations.
  llvm::SmallDenseSet<MuValue, 4> products, summed;
  llvm::SmallVector<int64_t, 2> loops;
  /// What is computed of products element by element. Where a product or a
  /// reduction takes it, rows belong to as few warps as can have them.
  llvm::SmallDenseSet<MuValue, 8> fromProducts;
  bool rowsStayTogether = false;
  /// The loop that is visited adds up relative to a running maximum, as
  /// attention does over keys.
  bool isOfKeys = false;
  /// How often a block computes an operand of a product in a loop, of what is
  /// loaded in it.
  double operandsComputed = 0;
  /// It also computes one of what there is before the loop.
  bool mixesOperands = false;
  /// The bytes of the tiles of one iteration that products read as they are
  /// loaded, and the most elements along a dimension that a loop divides.
  double multipliedBytes = 0;
  int64_t loopElements = 0;
  llvm::SmallDenseSet<MuValue, 4> multipliedLoads;
  /// So many bytes do loops load whose rows are no whole chunks of wgmma.
  double bytesInPieces = 0;
  /// The loops that the lowering makes no loops of.
  llvm::SmallPtrSet<const MuNode *, 4> dissolved;
  ProductTiles tiles;
};

} // namespace mirage

#endif // MIRAGE_LIB_ANALYSIS_COST_LAUNCHSUMMARIZER_H
