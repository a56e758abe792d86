//===- SearchProblem.h - What to search for, and with what ------*- C++ -*-===//
//
// A program made ready for the search: its composite operators taken apart,
// its index space (Axes.h), and the operators that candidates are made of.
//
// Sizes are symbolic. An axis is divided among the blocks of a grid dimension
// and the iterations of a loop, axis = grid * loop * tile, and how large these
// factors are is chosen after the structure. A dimension of a tile is an axis
// without the factors that select the tile. Two dimensions are equal if they
// are the same axis without the same factors: candidates combine what the
// program combines, not what happens to have equal sizes.
//
// Values have axes and no positions. Where a value has no axis that another
// one has, it is the same all along that axis. So operators that only move
// elements, split dimensions or merge them, or repeat elements along new ones,
// are no operators here; a µGraph gets its layouts in the end (TileLayouts.h).
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_PROBLEM_SEARCHPROBLEM_H
#define MIRAGE_SEARCH_PROBLEM_SEARCHPROBLEM_H

#include "Mirage/MuGraph/Axes.h"
#include "Mirage/Search/Expressions/AbstractEvaluation.h"
#include "Mirage/Search/Expressions/AxisBinding.h"
#include "Mirage/Search/Problem/AxisSet.h"
#include "Mirage/Support/IndexSet.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include <array>
#include <map>

namespace mirage::search {

/// The factors of an axis that a tile's dimension may lack.
enum Factor : uint8_t { kGrid, kLoop };
using FactorSet = IndexSet<struct FactorTag, uint8_t>;
/// Both factors.
inline constexpr FactorSet kAllFactors = {kGrid, kLoop};

struct AxisPart {
  uint8_t axis = 0;
  /// The factors that select the tile, which its dimension lacks.
  FactorSet removed;

  bool operator==(const AxisPart &other) const = default;
};

/// The number of a dimension. A dimension is one axis that may lack factors, or
/// a sequence of several that are summed together.
using DimId = uint16_t;
/// No axis at all.
inline constexpr DimId kUnitDim = 0;
/// The axes of a value, one in each dimension, in the order of their numbers.
using Dims = llvm::SmallVector<DimId, 4>;

/// A tensor's dimensions as device memory has them: each is a sequence of axes,
/// outermost first, and has size one if there are none.
using TensorLayout = llvm::SmallVector<llvm::SmallVector<uint8_t, 1>, 4>;

/// A tensor in device memory.
struct TensorInfo {
  Dims dims;
  ElementType type = ElementType::f32;
  /// The layout is known of the program's inputs and results; it is empty for
  /// other tensors.
  TensorLayout layout = {};
};

/// Number of an operator form (SearchProblem::getForms).
using FormId = uint8_t;

/// An operator as candidates use it.
struct OperatorForm {
  enum class Kind : uint8_t {
    /// Elementwise operators on one value, two, or three. Their other operands
    /// are `constants`.
    Unary,
    Binary,
    Ternary,
    /// Products of matrices: a contraction over axes that both operands have,
    /// and that the result has not. Other axes that both have are those of a
    /// batch.
    Matmul,
    /// Softmax or a norm along axes that the tile has whole.
    Composite,
    /// Sum over some axes.
    ReduceSum,
    /// Maximum over some axes, to be subtracted before an exponential.
    ReduceMax,
    /// Maximum over some axes that is a value like others.
    ReducePlainMax,
    /// Subtraction of such a maximum, or of two from each other.
    SubtractShift,
    /// Addition of such a maximum to the logarithm of a sum relative to it: the
    /// logarithm of the sum of exponentials.
    AddShift,
    /// The value at one place of an axis that the tile has whole.
    Part,
    /// Accumulators of the loop: a sum, which is rescaled where the value is
    /// relative to a maximum; a maximum to be subtracted; a maximum that is a
    /// value like others; and a concatenation.
    Accumulate,
    AccumulateMax,
    AccumulatePlainMax,
    AccumulateConcat,
  };
  Kind kind = Kind::Unary;
  OpKind op = OpKind::Add;
  OpAttributes attributes;
  /// Operands that are constants, by their positions, ascending.
  llvm::SmallVector<std::pair<unsigned, double>, 1> constants;
  /// The sum is only taken of splits (ReduceSum).
  bool splitsOnly = false;
  /// The program has the operator within norms only.
  bool isOfNorm = false;
  /// The axes of a composite operator, and what it means for one operand; the
  /// axis of a part, and its place there.
  DimId along = kUnitDim;
  uint8_t place = 0;
  std::shared_ptr<const MuGraph> definition;

  bool operator==(const OperatorForm &other) const = default;

  /// Returns whether the operand is a constant.
  bool isConstant(unsigned operand) const {
    return llvm::any_of(constants, [&](const auto &constant) {
      return constant.first == operand;
    });
  }
  /// Returns whether the operator is elementwise: it computes each element of
  /// those at the same place, or of broadcast ones.
  bool isOfElements() const {
    return kind == Kind::Unary || kind == Kind::Binary ||
           kind == Kind::Ternary || kind == Kind::SubtractShift ||
           kind == Kind::AddShift;
  }
  bool isAccumulator() const {
    return kind == Kind::Accumulate || kind == Kind::AccumulateMax ||
           kind == Kind::AccumulatePlainMax || kind == Kind::AccumulateConcat;
  }
  /// Returns whether the operator sums over axes or takes maxima over them.
  bool isReducing() const {
    return kind == Kind::Matmul || kind == Kind::ReduceSum ||
           kind == Kind::ReduceMax || kind == Kind::ReducePlainMax;
  }
  /// Returns whether the operands can be exchanged.
  bool isCommutative() const {
    return kind == Kind::Matmul ||
           (kind == Kind::Binary && (op == OpKind::Add || op == OpKind::Mul ||
                                     op == OpKind::Max || op == OpKind::Min));
  }
  /// How many values the operator is applied to.
  unsigned getNumOperands() const {
    switch (kind) {
    case Kind::Ternary:
      return 3;
    case Kind::Binary:
    case Kind::Matmul:
    case Kind::SubtractShift:
    case Kind::AddShift:
      return 2;
    default:
      return 1;
    }
  }
};

/// An operator of the program, as candidates apply it. Operands are values of
/// the program that are no constants, and no other views of values.
struct ProgramStep {
  FormId formId = 0;
  llvm::SmallVector<MuValue, 3> operands;
  MuValue result = 0;
  /// The axes over which it sums or takes maxima: a number of
  /// SearchProblem::getReducedAxes.
  uint8_t reduced = 0;
};

/// Results with the same axes that a launch stores as one tensor.
struct StackedResults {
  /// The number of the first of them, and how many there are.
  unsigned first = 0, count = 1;
  /// Before which of the results' axes, in the order in which their layouts
  /// have them, the tensor has a dimension with a place for each result.
  unsigned place = 0;
};

class SearchProblem {
public:
  /// Fails with what keeps the program from being searched for, and the number
  /// (MuNode::location) of the operator if it is one; otherwise `location`
  /// stays as it was. Dimensions of the program's arguments in `alike` are the
  /// same axes even if no operator says so.
  static std::optional<SearchProblem>
  create(const MuGraph &program, std::string &reason,
         std::optional<unsigned> &location,
         llvm::ArrayRef<AlikeDims> alike = {});

  /// The same for the program with quotients of rows behind products and sums
  /// over the rows; nothing if it has none. Launches that follow the program
  /// then compute all sums over a row in one loop.
  static std::optional<SearchProblem>
  createLifted(const MuGraph &program, llvm::ArrayRef<AlikeDims> alike = {});

  /// The program without composite operators, means, and casts.
  const MuGraph &getProgram() const { return program; }
  unsigned getNumAxes() const { return axes.sizes.size(); }
  int64_t getAxisSize(unsigned axis) const { return axes.sizes[axis]; }

  // Axes of splits are numbered behind the program's own. Others than this
  // class need not know how.
  /// The axis of the splits that a first kernel leaves of an axis: its blocks
  /// along that axis.
  uint8_t getSplitAxis(uint8_t axis) const { return getNumAxes() + axis; }
  bool isSplitAxis(uint8_t axis) const { return axis >= getNumAxes(); }
  /// The axis whose splits a split axis has.
  uint8_t getSplitOf(uint8_t axis) const { return axis - getNumAxes(); }

  llvm::ArrayRef<TensorInfo> getInputs() const { return inputs; }
  llvm::ArrayRef<TensorInfo> getResults() const { return results; }
  llvm::ArrayRef<OperatorForm> getForms() const { return forms; }
  /// The program's operators, in its order; with its composite operators taken
  /// apart, or as they are where candidates can have them so. Both are the same
  /// where there are none.
  llvm::ArrayRef<ProgramStep> getSteps(bool wholeComposites = false) const {
    return wholeComposites ? wholeSteps : steps;
  }
  /// The value that a value of the program is another view of, or the value
  /// itself: a step's result, or an argument.
  MuValue getStepValue(MuValue value) const;
  /// The input that a result is a copy of, by their numbers; nothing if the
  /// result is computed.
  std::optional<uint8_t> getCopiedInput(unsigned result) const;
  /// The results that are stored together (StackedResults.h).
  llvm::ArrayRef<StackedResults> getStackedResults() const { return stacked; }
  void setStackedResults(std::vector<StackedResults> stacks) {
    stacked = std::move(stacks);
  }
  /// The axes of which each block of a launch has one place: what inputs have
  /// at the places along them are tensors of their own.
  AxisSet getSeparateAxes() const { return separateAxes; }
  void setSeparateAxes(AxisSet axes) { separateAxes = axes; }
  const OperatorForm &getForm(FormId formId) const { return forms[formId]; }

  /// Returns whether the program takes maxima over the axis that it subtracts
  /// before exponentials.
  bool isShiftAxis(unsigned axis) const { return shiftAxes.contains(axis); }
  /// The places along an axis at which the program takes a value's part.
  llvm::ArrayRef<uint8_t> getPlaces(uint8_t axis) const {
    auto known = places.find(axis);
    return known == places.end() ? llvm::ArrayRef<uint8_t>()
                                 : llvm::ArrayRef<uint8_t>(known->second);
  }
  /// The axes that have such places.
  AxisSet getPartAxes() const {
    AxisSet axes;
    for (const auto &entry : places)
      axes.insert(entry.first);
    return axes;
  }
  /// Returns whether the program sums over the axis.
  bool isSummed(unsigned axis) const {
    return isSplitAxis(axis) || summedAxes.contains(axis);
  }
  /// The most values that one operator of a candidate is applied to.
  unsigned getMaxOperands() const {
    unsigned most = 1;
    for (const OperatorForm &form : forms)
      most = std::max(most, form.getNumOperands());
    return most;
  }
  /// Returns whether the program adds maxima to logarithms of sums relative to
  /// them.
  bool hasLogarithms() const {
    return llvm::any_of(forms, [](const OperatorForm &form) {
      return form.kind == OperatorForm::Kind::AddShift;
    });
  }
  bool hasSquares() const {
    return llvm::any_of(forms, [](const OperatorForm &form) {
      return form.op == OpKind::Square;
    });
  }
  /// Returns whether there are norms that may be taken apart.
  bool hasNorms() const {
    return llvm::any_of(forms,
                        [](const OperatorForm &form) { return form.isOfNorm; });
  }
  /// The sequences of axes that operators reduce together: those of the
  /// program's reductions and products, and single splits.
  llvm::ArrayRef<llvm::SmallVector<uint8_t, 2>> getReducedAxes() const {
    return reducedAxes;
  }
  /// The place of an axis that is reduced alone among these sequences; nothing
  /// if it is not.
  std::optional<uint8_t> findReduced(uint8_t axis) const;
  /// Returns what a value with these dimensions has of the axes that operators
  /// reduce together, as one dimension; nothing if it has not all of them.
  std::optional<DimId> findReduced(llvm::ArrayRef<DimId> dims,
                                   unsigned reduced) const;
  /// Returns whether the program has a value with all of these axes. Splits
  /// count as the axes that they are of.
  bool haveCommonValue(AxisSet axes) const {
    return llvm::any_of(valueAxes,
                        [&](AxisSet own) { return axes.isSubsetOf(own); });
  }
  /// Returns whether some value of the program has the axis before the other
  /// one in its layout.
  bool isBefore(uint8_t axis, uint8_t other) const {
    return order.contains({axis, other});
  }
  /// The type in which the program multiplies matrices.
  ElementType getProductType() const { return productType; }
  /// Returns whether different values of the program, and of candidates, have
  /// different expressions or shapes.
  bool hasDistinctValues() const { return distinctValues; }

  /// The axes that a dimension consists of.
  llvm::ArrayRef<AxisPart> getParts(DimId dim) const { return dims[dim]; }
  /// The dimension with other factors removed from its first axis.
  std::optional<DimId> withRemoved(DimId dim, FactorSet removed) const {
    return dimTraits[dim].withRemoved[removed.getBits()];
  }
  FactorSet getRemoved(DimId dim) const {
    return dims[dim].empty() ? FactorSet() : dims[dim].front().removed;
  }
  std::optional<DimId> findDim(llvm::ArrayRef<AxisPart> parts) const;
  /// The dimension that is one whole axis.
  DimId getWholeAxis(uint8_t axis) const;

  /// How many elements a dimension has at least, with one for each axis of
  /// which some factor is removed and for splits.
  int64_t getSmallestSize(DimId dim) const {
    return dimTraits[dim].smallestSize;
  }

  /// How many elements a dimension has, as a product of unknowns. The factors
  /// of different axes are different, so that sums over different axes are told
  /// apart, and parts of sums fit together.
  SymbolicExtent getExtent(DimId dim) const;
  /// How many blocks or iterations an axis is divided among.
  SymbolicExtent getFactor(uint8_t axis, Factor factor) const;
  /// What is known of the unknowns: the factors of an axis make its size.
  ExtentConstraints getConstraints() const;

  /// The result of an operator that sums over `summed`, if over anything.
  AbstractValue apply(const MuNode &node,
                      llvm::ArrayRef<AbstractValue> operands,
                      std::optional<DimId> summed, AbstractEvaluator &evaluator,
                      AxisBinding &binding) const;
  /// The maximum over a dimension, or over the iterations of a loop along an
  /// axis, as a value.
  AbstractValue applyMaximum(const AbstractValue &operand, AxisSet axes,
                             AbstractEvaluator &evaluator,
                             AxisBinding &binding) const;
  /// The result of a composite operator.
  AbstractValue applyComposite(const OperatorForm &form,
                               const AbstractValue &operand,
                               AbstractEvaluator &evaluator,
                               AxisBinding &binding) const;
  /// The axes of which an extent has some factor.
  AxisSet getAxes(const SymbolicExtent &extent) const;
  /// The axes of which an extent has all factors.
  AxisSet getWholeAxes(const SymbolicExtent &extent) const;

  /// The expressions of the program's results in the evaluator's context.
  llvm::SmallVector<const Expression *, 2>
  getGoals(AbstractEvaluator &evaluator, AxisBinding &binding) const;
  /// The expressions of what the program takes exponentials of without a
  /// maximum subtracted.
  llvm::SmallVector<const Expression *, 2>
  getPlainArguments(AbstractEvaluator &evaluator, AxisBinding &binding) const;
  AbstractValue getInput(unsigned input, AxisBinding &binding) const;
  /// The axes of a dimension. Splits count as the axes that they are of.
  AxisSet getAxes(DimId dim) const;
  AxisSet getAxes(llvm::ArrayRef<DimId> dims) const;
  /// The axis itself, or the one that it is a split of.
  uint8_t getUnsplit(uint8_t axis) const {
    return isSplitAxis(axis) ? getSplitOf(axis) : axis;
  }

private:
  SearchProblem() = default;
  bool analyze(const std::vector<bool> &isOfNorm,
               llvm::ArrayRef<AlikeDims> alike, std::string &reason,
               std::optional<unsigned> &location);
  bool addForms(const MuNode &node, bool isOfNorm, std::string &reason);
  bool addElementwiseForm(const MuNode &node, OperatorForm form,
                          std::string &reason);
  FormId addForm(OperatorForm form);
  void addStep(const MuNode &node, OperatorForm form);
  static std::optional<SearchProblem> create(const MuGraph &program,
                                             std::string &reason,
                                             std::optional<unsigned> &location,
                                             llvm::ArrayRef<AlikeDims> alike,
                                             bool liftsRows);
  void addComposite(const MuGraph &from, const MuNode &node, MuValue operand,
                    MuValue result);
  MuValue getUnweighted(const MuNode &node, MuValue result) const;
  void findWholeSteps();
  unsigned addReduced(llvm::ArrayRef<unsigned> axes);
  TensorLayout getLayout(MuValue value) const;
  DimId getWhole(llvm::ArrayRef<unsigned> axes) const;
  void addClosure(bool ofNorms);
  std::optional<llvm::ArrayRef<unsigned>> getReduced(const MuNode &node) const;
  bool findValueAxes(std::string &reason);
  void findReducedAxes();
  /// The axis and the place of a slice that takes one place of one axis.
  std::optional<std::pair<uint8_t, uint8_t>> getPart(const MuNode &node) const;
  const MuNode *getDefinition(MuValue value) const;
  MuValue getBase(MuValue value) const;
  static bool isMaximum(const MuNode &node);
  bool isShiftMaximum(const MuNode &node) const;
  bool isLogarithmOf(MuValue value, MuValue maximum) const;
  bool isPlainMaximum(const MuNode &node) const;
  void internDims();
  std::vector<AbstractValue> evaluate(AbstractEvaluator &evaluator,
                                      AxisBinding &binding) const;
  /// What a search asks of a dimension for each of its states.
  struct DimTraits {
    int64_t smallestSize = 1;
    /// The dimensions with other factors removed, by the sets' bits.
    std::array<std::optional<DimId>, 4> withRemoved;
  };
  DimTraits describe(llvm::ArrayRef<AxisPart> parts) const;
  DimId intern(llvm::ArrayRef<AxisPart> parts);
  void internFactors(llvm::SmallVectorImpl<AxisPart> &parts, size_t count);
  Dims getDims(MuValue value) const;

  MuGraph program;
  Axes axes;
  std::vector<TensorInfo> inputs, results;
  std::vector<StackedResults> stacked;
  AxisSet separateAxes;
  std::vector<OperatorForm> forms;
  std::vector<ProgramStep> steps, wholeSteps;
  /// The program's composite operators without weights, as steps.
  std::vector<ProgramStep> compositeSteps;
  std::vector<llvm::SmallVector<uint8_t, 2>> reducedAxes;
  /// The axes of each value, and which of them come before which.
  std::vector<AxisSet> valueAxes;
  llvm::DenseSet<std::pair<unsigned, unsigned>> order;
  std::vector<llvm::SmallVector<AxisPart, 2>> dims;
  std::vector<DimTraits> dimTraits;
  ElementType productType = ElementType::f32;
  AxisSet shiftAxes, summedAxes;
  std::map<uint8_t, llvm::SmallVector<uint8_t, 2>> places;
  llvm::SmallVector<MuValue, 2> plainArguments;
  bool distinctValues = true;
};

} // namespace mirage::search

#endif // MIRAGE_SEARCH_PROBLEM_SEARCHPROBLEM_H
