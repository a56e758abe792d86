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
#include "Mirage/Search/Problem/AxisSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <array>

namespace mirage::search {

struct ProgramPasses;

/// Limits of GeneratorLimits::blockOperators: that of small programs, and the
/// largest.
inline constexpr unsigned kUsualBlockOperators = 11, kMostBlockOperators = 32;

struct GeneratorLimits {
  /// The most operators of a block graph, accumulators among them; loads,
  /// stores and casts do not count. Zero, which is for searches alone, stands
  /// for getUsualBlockOperators.
  unsigned blockOperators = kUsualBlockOperators;
  /// The most outputs of a kernel that others follow.
  unsigned outputs = 3;
  /// The most states of one configuration; zero for any number.
  uint64_t states = 0;
  /// The most bytes that a block's tensors can have; zero for any number.
  int64_t sharedMemory = 0;
  /// The most blocks along grid dimensions x, y and z; zero for any number. Z3
  /// decides whether prefixes have sizes within these limits.
  std::array<int64_t, 3> grid = {0, 0, 0};
  /// Norms are taken as wholes, and the operators that only norms have are left
  /// out.
  bool wholeNorms = false;
  /// The engines that prune by abstract expressions.
  Prune prune = Prune::NormalForm;
  /// Graphs are extended in the order of ranks. Otherwise every order is tried.
  bool canonicalOrder = true;
  // These rules leave out graphs that others stand for. What they leave out is
  // seen by a generator that has none of them.
  /// Constant factors come last, and no product is transposed against the
  /// program's.
  bool canonicalPlacement = true;
  /// No second value has the expression and the shape of another.
  bool pruneRecomputation = true;
  /// Results have a goal's expression. Otherwise any value of a result's shape
  /// is taken for one, and tests decide; this is for tests of the pruning.
  bool compareResults = true;
};

/// Counts what became of the prefixes of block graphs.
struct GeneratorStatistics {
  /// The number of prefixes with legal shapes.
  uint64_t states = 0;
  /// The numbers of prefixes that each rule pruned.
  uint64_t prunedExpression = 0, prunedDeadEnd = 0, prunedRecomputation = 0,
           prunedOrder = 0, prunedMemory = 0, prunedSizes = 0;
  /// The number of graphs that compute the goals by their abstract expressions.
  uint64_t complete = 0;
  /// The number of choices of grids, loops and loads; and of those that the
  /// limit of states or an interruption ended; and of those with a prefix that
  /// lacked operators, so that larger limits may lead to more graphs.
  uint64_t configurations = 0, cut = 0, lacking = 0;

  void operator+=(const GeneratorStatistics &other);
};

/// A tensor that a launch may load.
struct KernelTensor {
  TensorInfo info;
  /// Its expression in the generator's context, and the number of its normal
  /// form.
  AbstractValue value;
  NormalForms::Polynomial normalForm = NormalForms::kZero;
  /// The tensor of maxima that this one is relative to. Such maxima are
  /// relative to themselves.
  Shift shift;
  /// A kernel has computed the tensor.
  bool isComputed = false;
};

class LaunchExtents;

class BlockGenerator {
public:
  /// Called with every complete launch. `outputs` describe the stored values,
  /// which are numbered behind the tensors that the launch could load.
  using Sink = llvm::function_ref<void(const LaunchGraph &graph,
                                       llvm::ArrayRef<KernelTensor> outputs)>;

  BlockGenerator(const SearchProblem &problem, ExpressionOracle &oracle,
                 llvm::ArrayRef<KernelTensor> tensors,
                 const GeneratorLimits &limits, GeneratorStatistics &statistics,
                 llvm::function_ref<bool()> isOver = nullptr);
  ~BlockGenerator();

  /// Generates launches with the grid, loops and loads of `start` that compute
  /// the program's results; their outputs are in the order of the results.
  void generateLast(const LaunchGraph &start, Sink sink);
  /// Generates launches with the grid, loops and loads of `start` whose outputs
  /// others can use.
  void generateFirst(const LaunchGraph &start, Sink sink);
  /// Generates the launch with the grid of `start` that has the program's
  /// operators, as far as there is one, in loops over the axis of `start`, if
  /// it has one: one after another, as many as it takes, but not more than
  /// `loops`. It has as many operators as it takes.
  void generateDirect(const LaunchGraph &start, bool wholeComposites,
                      unsigned loops, Sink sink);
  /// Generates the launch with the grid and the loads of `start` that has the
  /// operators of a plan and computes the program's results, unless it has more
  /// than `loops` loops.
  void generateLast(const LaunchGraph &start, const ProgramPasses &plan,
                    unsigned loops, Sink sink);
  /// The same of a first launch, which stores the results of the plan and the
  /// maxima that these are relative to, in this order.
  void generateFirst(const LaunchGraph &start, const ProgramPasses &plan,
                     unsigned loops, Sink sink);
  /// Returns the first operator of a launch that some rule but the order of
  /// ranks refuses; the number of operators if the outputs are not the results;
  /// nothing if generateLast finds the launch.
  std::optional<unsigned> findRejected(const LaunchGraph &launch);
  /// Returns a launch that findRejected accepts, with its values.
  LaunchGraph describe(const LaunchGraph &launch);
  /// Returns the tensors that a launch of generateFirst leaves, numbered behind
  /// those that it could load.
  std::vector<KernelTensor> replay(const LaunchGraph &launch);

private:
  struct Value {
    AbstractValue value;
    /// The number of the expression's normal form; kZero for loads, whose
    /// normal forms nobody asks for.
    NormalForms::Polynomial normalForm = NormalForms::kZero;
    TileDims dims;
    Phase phase;
    /// The loops whose iterations compute different values.
    LoopSet varying;
    /// The maximum that the value is relative to. A difference of maxima, and
    /// its exponential, lead from that one to another.
    Shift shift, shiftTo;
    /// The value is s - max s, of which only an exponential can be taken.
    bool isShifted = false;
    /// The value is the logarithm of one relative to a maximum, to which only
    /// this maximum can be added.
    bool isLogarithm = false;
    bool hasSum = false;
    /// The value is multiplied by a constant: linear operators come before.
    bool isScaled = false;
    /// The axes along which blocks compute different values.
    AxisSet divided;
    /// The value is a tensor of an earlier kernel, which could have computed
    /// more.
    bool isFinished = false;
    uint8_t uses = 0;
  };

  /// Values that are stored, and the tensors that they become.
  struct StoredValues {
    llvm::SmallVector<uint8_t, 4> values;
    llvm::SmallVector<KernelTensor, 4> tensors;
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
  bool appendDirect(const BlockOperator &op);
  bool accumulateDirect(OperatorForm::Kind kind, unsigned value);
  bool generatePlanned(const LaunchGraph &start, const ProgramPasses &plan,
                       unsigned loops);
  bool followPlan(const ProgramPasses &plan);
  std::vector<BlockOperator>
  getRankedOperators(std::vector<uint8_t> &numbers) const;
  void findExtensions(unsigned a);
  void considerOperator(const BlockOperator &op);
  bool isInVain(const BlockOperator &op, const Value &result);
  bool canBeStored(const Value &value) const;
  bool isForEarlierKernel(const BlockOperator &op) const;
  const ExpressionOracle::Answer *askOracle(const BlockOperator &op,
                                            DimId extent);
  void describeResult(const BlockOperator &op,
                      const ExpressionOracle::Answer &answer,
                      Value &result) const;
  void extend(unsigned first);
  bool isUsed(const BlockOperator &op) const;
  bool isOutOfOrder(const OperatorForm &form, const BlockOperator &op) const;
  bool emit();
  void countState();
  bool isTooLarge(const OperatorForm &form, const Value &value) const;
  void limitSizes();
  bool hasSizes();
  std::optional<Value> apply(const BlockOperator &op, DimId &extent) const;
  std::optional<Value> applyUnary(const OperatorForm &form,
                                  unsigned number) const;
  std::optional<Value> applyBinary(const OperatorForm &form, unsigned first,
                                   unsigned second) const;
  std::optional<Value> applyTernary(const BlockOperator &op) const;
  std::optional<Value> applyMatmul(unsigned first, unsigned second,
                                   unsigned reduced, DimId &extent) const;
  std::optional<Value> applyComposite(const OperatorForm &form,
                                      unsigned number) const;
  std::optional<Value> applyPart(const OperatorForm &form,
                                 unsigned number) const;
  std::optional<Value> applyReduction(const OperatorForm &form, unsigned number,
                                      unsigned reduced, DimId &extent) const;
  bool isMaximumOf(unsigned number, unsigned value) const;
  bool isMaximumOfParts(const BlockOperator &op, unsigned value) const;
  std::optional<Value> applySubtractShift(unsigned first,
                                          unsigned second) const;
  std::optional<Value> applyAddShift(unsigned first, unsigned second) const;
  std::optional<Value> applyAccumulate(const OperatorForm &form,
                                       unsigned number) const;
  std::optional<TileDims> broadcast(TileDims a, TileDims b) const;
  std::optional<TileDims> concatenate(TileDims tile, unsigned loop) const;
  bool varies(Shift shift, AxisPart along) const;
  bool varies(Shift shift, DimId along) const;
  /// Returns the phase in which an operator can combine two values: inside of a
  /// loop nothing can be used from behind it or from other loops.
  std::optional<Phase> join(Phase a, Phase b) const {
    if (a.region == b.region)
      return Phase{a.region, std::max(a.step, b.step)};
    return joinRegions(a, b);
  }
  std::optional<Phase> joinRegions(Phase a, Phase b) const;
  unsigned getDepth(const Value &value) const {
    return depths[value.phase.region.getNumber()];
  }
  std::optional<RegionId> getShiftRegion(Shift shift) const;
  /// The loop whose body computes a value.
  const LoopChoice &getLoop(unsigned value) const {
    return graph.loops[values[value].phase.region.getLoop()];
  }
  bool areLoopsOrdered() const;
  bool isRecomputation(const Value &value) const;
  std::optional<unsigned> countSpare() const;
  void describeValues();
  bool emitLast();
  bool areOthersUsed(llvm::ArrayRef<uint8_t> outputs) const;
  void emitResults(llvm::ArrayRef<uint8_t> outputs);
  void emitChoices(llvm::SmallVectorImpl<uint8_t> &outputs);
  void emitFirst();
  std::optional<unsigned> findResult(unsigned result) const;
  bool isResult(unsigned number, unsigned result) const;
  bool isDividedAsResult(const Value &value, unsigned result) const;
  bool store(unsigned number, StoredValues &stored) const;
  bool storeMaxima(StoredValues &stored) const;
  bool isWorthStoring(const StoredValues &stored, unsigned position) const;
  std::optional<KernelTensor> getOutput(unsigned number) const;

  const SearchProblem &problem;
  ExpressionOracle &oracle;
  TileTable &tiles;
  llvm::ArrayRef<KernelTensor> tensors;
  const GeneratorLimits &limits;
  GeneratorStatistics &statistics;
  /// Asked from time to time whether to end.
  llvm::function_ref<bool()> isOver;
  /// The most operands that one operator has.
  unsigned maxOperands;
  /// The operator forms that may be used, by the number of their operands.
  std::array<llvm::SmallVector<FormId, 8>, 4> formsByOperands;
  /// What two values are to each other: they lack the same of the axes that
  /// both have, they do not, or one of them is a maximum.
  enum PairKind { Common, Apart, OfMaxima };
  /// The forms of two operands that may be applied to such values.
  std::array<llvm::SmallVector<FormId, 8>, 3> formsOfPairs;
  /// The input that each result of the program is a copy of, if it is one.
  llvm::SmallVector<std::optional<uint8_t>, 2> copiedInputs;
  uint64_t firstState = 0;
  bool isCut = false;
  /// A prefix of this configuration was complete for no number of operators
  /// that was left for it.
  bool lacksOperators = false;
  /// Operators are considered for graphs that have limited numbers of them, and
  /// so many could be added to the present one beyond those that it needs.
  bool isEnumerating = false;
  unsigned spare = 0;

  LaunchGraph graph;
  /// The limits of sizes as constraints; null if Z3 is not asked for sizes.
  std::unique_ptr<LaunchExtents> extents;
  std::vector<Value> values;
  /// How many loops are around each region, with the one that it is the body
  /// of.
  llvm::SmallVector<unsigned, 4> depths;
  /// Some load is a tensor of an earlier kernel, which could have computed
  /// more.
  bool hasFinished = false;
  /// The extensions in the order of ranks, those of smaller graphs first.
  std::vector<Extension> extensions;
  bool isLast = true;
  std::optional<Sink> sink;
};

} // namespace mirage::search

#endif // MIRAGE_SEARCH_LAUNCHES_BLOCKGENERATOR_H
