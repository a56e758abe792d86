//===- BlockGenerator.h - Block graphs, one operator at a time --*- C++ -*-===//
//
// Generates the block graphs of one launch (Mirage paper, section 4.2,
// Algorithm 1). A graph is extended by one operator at a time in the order of
// ranks (larger operand, other operand, operator): every graph has exactly one
// such order, so no graph is made twice. A prefix dies if the new value's
// abstract expression is no subexpression of a goal, or if not all of its
// values can be used with the operators that are left.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_LAUNCHES_BLOCKGENERATOR_H
#define MIRAGE_SEARCH_LAUNCHES_BLOCKGENERATOR_H

#include "Mirage/Search/Expressions/ExpressionOracle.h"
#include "Mirage/Search/Launches/LaunchGraph.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/bit.h"
#include <array>

namespace mirage::search {

struct GeneratorLimits {
  /// Operators of a block graph, accumulators among them; loads, stores and
  /// casts do not count.
  unsigned blockOperators = 11;
  /// Outputs of a kernel that others follow.
  unsigned outputs = 3;
  /// States of one configuration, at most; zero for any number.
  uint64_t states = 0;
  /// Bytes that a block's tensors can have; zero for any number.
  int64_t sharedMemory = 0;
  /// Blocks along grid dimensions x, y and z; zero for any number. Z3 decides
  /// whether prefixes have sizes within these limits.
  std::array<int64_t, 3> grid = {0, 0, 0};
  /// Take norms as wholes, and leave out the operators that only they have.
  bool wholeNorms = false;
  /// Prune by abstract expressions.
  Prune prune = Prune::NormalForm;
  /// Extend in the order of ranks; without, every order is tried.
  bool canonicalOrder = true;
  /// Only constant factors that come last, and products that are not transposed
  /// against the program's.
  bool canonicalPlacement = true;
  /// No second value with the expression and shape of another.
  bool pruneRecomputation = true;
  /// Take only values with a goal's expression for results; without, any value
  /// of a result's shape, and tests decide. For tests of the pruning.
  bool compareResults = true;
};

/// What became of the prefixes of block graphs.
struct GeneratorStatistics {
  /// Prefixes with legal shapes.
  uint64_t states = 0;
  /// Prefixes that died, by rule.
  uint64_t prunedExpression = 0, prunedDeadEnd = 0, prunedRecomputation = 0,
           prunedOrder = 0, prunedMemory = 0, prunedSizes = 0;
  /// Graphs that compute the goals by their abstract expressions.
  uint64_t complete = 0;
  /// Launches' grids, loops and loads; and those that the limit of states or an
  /// interruption ended.
  uint64_t configurations = 0, cut = 0;

  void operator+=(const GeneratorStatistics &other);
};

/// A tensor that a launch may load.
struct KernelTensor {
  TensorInfo info;
  /// Its expression in the generator's context, and the number of its normal
  /// form.
  AbstractValue value;
  unsigned form = 0;
  /// The tensor of maxima that this one is relative to; its own number for
  /// these maxima.
  std::optional<uint8_t> shift;
  /// Whether a kernel has computed it.
  bool isComputed = false;
};

class LaunchExtents;

class BlockGenerator {
public:
  /// Called with every complete launch. `outputs` describe the stored values.
  using Sink = llvm::function_ref<void(const LaunchGraph &graph,
                                       llvm::ArrayRef<KernelTensor> outputs)>;

  BlockGenerator(const SearchProblem &problem, ExpressionOracle &oracle,
                 llvm::ArrayRef<KernelTensor> tensors,
                 const GeneratorLimits &limits, GeneratorStatistics &statistics,
                 llvm::function_ref<bool()> isOver = nullptr);
  ~BlockGenerator();

  /// Launches that compute the program's results, outputs in their order, with
  /// the grid, loop and loads of `start`.
  void generateLast(const LaunchGraph &start, Sink sink);
  /// Launches whose outputs others can use.
  void generateFirst(const LaunchGraph &start, Sink sink);
  /// The first operator of a launch that some rule but the order refuses; their
  /// number if the outputs are not the results; nothing if generateLast finds
  /// the launch.
  std::optional<unsigned> findRejected(const LaunchGraph &launch);
  /// The launch that findRejected has accepted, with its values.
  LaunchGraph describe(const LaunchGraph &launch);
  /// The tensors that a launch of generateFirst leaves.
  std::vector<KernelTensor> replay(const LaunchGraph &launch);

private:
  /// Tokens name maxima: values of the block graph by their numbers, maxima
  /// over all iterations of such values, tensors in device memory.
  enum Token : int16_t { kAfterLoopToken = 64, kTensorToken = 128 };

  struct Value {
    AbstractValue value;
    unsigned form = 0;
    Dims dims;
    Phase phase;
    /// Loops, as bits, whose iterations compute different values.
    uint8_t varying = 0;
    /// The maximum that the value is relative to, by its token; for a
    /// difference of maxima and its exponential the one that it leads to, too.
    int16_t shift = -1, shiftTo = -1;
    /// s - max s: only for an exponential.
    bool isShifted = false;
    bool hasSum = false;
    /// Multiplied by a constant: what is linear comes before.
    bool isScaled = false;
    /// Axes along which blocks compute different values, as bits.
    uint64_t divided = 0;
    /// A tensor of an earlier kernel that could have computed more.
    bool isFinished = false;
    uint8_t uses = 0;
  };

  /// An operator that a graph may be extended by, and its result.
  struct Extension {
    BlockOperator op;
    Value result;
  };

  void loadTensors(const LaunchGraph &from);
  void start(const LaunchGraph &from);
  void append(const BlockOperator &op, const Value &result);
  void removeLast();
  void findExtensions(unsigned a);
  void considerOperator(const BlockOperator &op);
  void extend(unsigned first);
  bool isUsed(const BlockOperator &op) const;
  bool isOutOfOrder(const OperatorForm &form, const BlockOperator &op,
                    const Value &result) const;
  bool emit();
  void countState();
  bool isTooLarge(const Dims &dims, int64_t elementSize) const;
  void limitSizes();
  bool hasSizes();
  std::optional<Value> apply(const BlockOperator &op, DimId &extent) const;
  std::optional<Value> applyUnary(const OperatorForm &form,
                                  unsigned number) const;
  std::optional<Value> applyBinary(const OperatorForm &form, unsigned first,
                                   unsigned second) const;
  std::optional<Value> applyTernary(const BlockOperator &op) const;
  std::optional<Value> applyMatmul(const OperatorForm &form, unsigned first,
                                   unsigned second, DimId &extent) const;
  std::optional<Value> applyComposite(const OperatorForm &form, unsigned number,
                                      unsigned dim) const;
  std::optional<Value> applyReduction(const OperatorForm &form, unsigned number,
                                      unsigned dim, DimId &extent) const;
  std::optional<Value> applySubtractShift(unsigned first,
                                          unsigned second) const;
  std::optional<Value> applyLayout(const OperatorForm &form,
                                   unsigned number) const;
  std::optional<Value> applyAccumulate(const OperatorForm &form,
                                       unsigned number, unsigned dim) const;
  bool varies(int16_t shift, size_t dim) const;
  std::optional<Phase> join(Phase a, Phase b) const;
  unsigned getDepth(const Value &value) const {
    return llvm::popcount(graph.getLoopsAround(value.phase.region));
  }
  std::optional<RegionId> getShiftRegion(int16_t shift) const;
  /// The loop whose body computes a value.
  const LoopChoice &getLoop(unsigned value) const {
    return graph.loops[values[value].phase.region - 1];
  }
  bool areLoopsOrdered() const;
  bool isRecomputation(const Value &value) const;
  bool canUseAll() const;
  void describeValues();
  bool emitLast();
  void emitFirst();
  bool isResult(const Value &value, unsigned result) const;
  std::optional<KernelTensor> getOutput(unsigned number) const;

  const SearchProblem &problem;
  ExpressionOracle &oracle;
  llvm::ArrayRef<KernelTensor> tensors;
  const GeneratorLimits &limits;
  GeneratorStatistics &statistics;
  /// Asked from time to time.
  llvm::function_ref<bool()> isOver;
  /// Of one operator.
  unsigned maxOperands;
  /// Forms that may be used, by the number of their operands.
  std::array<llvm::SmallVector<unsigned, 8>, 4> formsByOperands;
  uint64_t firstState = 0;
  bool isCut = false;

  LaunchGraph graph;
  /// If Z3 decides whether there are sizes.
  std::unique_ptr<LaunchExtents> extents;
  std::vector<Value> values;
  /// By rank; those of smaller graphs first.
  std::vector<Extension> extensions;
  bool isLast = true;
  std::optional<Sink> sink;
};

} // namespace mirage::search

#endif // MIRAGE_SEARCH_LAUNCHES_BLOCKGENERATOR_H
