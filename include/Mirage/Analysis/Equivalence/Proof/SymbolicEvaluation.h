//===- SymbolicEvaluation.h - Elements of a graph's values ------*- C++ -*-===//
//
// Evaluates one element of a value at symbolic indices. Operators mean what
// Element.h says, computed over the algebra; launches, loops, loads and stores
// replace indices: a store asks for the block that wrote the element, a load
// adds the tile's offset, reductions and accumulations sum over a variable.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ANALYSIS_EQUIVALENCE_PROOF_SYMBOLICEVALUATION_H
#define MIRAGE_ANALYSIS_EQUIVALENCE_PROOF_SYMBOLICEVALUATION_H

#include "Mirage/Analysis/Equivalence/Algebra/Algebra.h"
#include "Mirage/Analysis/Equivalence/ValueFacts.h"
#include "Mirage/Semantics/IndexBand.h"
#include <map>

namespace mirage::equivalence {

/// The tables hold what is found out once about the programs of a proof:
/// numbers for constant tensors, equal for equal contents, and facts.
class ConstantTables {
public:
  TensorNumber getNumber(const OpAttributes &attributes, ElementType type);
  /// The contents of a table; nothing if the tensor is no constant.
  llvm::ArrayRef<double> getValues(TensorNumber tensor) const;
  /// How a constant's elements follow from their indices, in each dimension the
  /// step from one to the next, if they are integers that do.
  struct Steps {
    int64_t first = 0;
    llvm::SmallVector<int64_t, 4> steps;
  };
  const std::optional<Steps> &getSteps(const OpAttributes &attributes);
  /// How a constant's elements follow from their indices, if they are two
  /// numbers of which one stands in a band.
  const std::optional<IndexBand> &getBand(const OpAttributes &attributes);
  /// Returns the facts of a graph that lives as long as the tables.
  const std::vector<ValueFacts> &getFacts(const MuGraph &graph);

private:
  std::map<const MuGraph *, std::vector<ValueFacts>> facts;
  /// The steps and bands of constants, by their numbers and the shape that
  /// these have.
  using ShapedConstant =
      std::pair<const std::vector<double> *, std::vector<int64_t>>;
  std::map<ShapedConstant, std::optional<Steps>> steps;
  std::map<ShapedConstant, std::optional<IndexBand>> bands;
  std::vector<
      std::pair<std::shared_ptr<const std::vector<double>>, ElementType>>
      tables;
};

/// Returns whether indices of everything in the program are far from overflow.
bool hasModerateSizes(const MuGraph &graph);

class SymbolicEvaluation {
public:
  /// `graph` has only primitive operators.
  SymbolicEvaluation(const MuGraph &graph, Algebra &algebra,
                     ConstantTables &tables, unsigned maxParts);

  /// A value of the function's body that is read like an input.
  struct Cut {
    TensorNumber tensor;
    /// These flags have the meaning that they have for an atom.
    bool mayBeInfinite = false, hasPole = false;

    bool operator==(const Cut &other) const = default;
  };
  using Cuts = llvm::DenseMap<MuValue, Cut>;
  void setCuts(const Cuts &numbers) { cuts = &numbers; }

  /// An element of a value of the function's body, as it is defined.
  Polynomial evaluateDefinition(MuValue value, llvm::ArrayRef<IndexForm> at);
  /// An element of a result of the program.
  Polynomial evaluateResult(unsigned number, llvm::ArrayRef<IndexForm> at);

  /// Visits what an element of a result depends on and evaluates nothing but
  /// the arguments of exponentials, which are appended to `to`. Nothing is used
  /// but the laws of a field: functions of one number are unknown functions,
  /// and results of others unknown numbers, reads of unknown values of
  /// `program`, one element for each element that the program computes.
  void collectExponents(unsigned number, llvm::ArrayRef<IndexForm> at,
                        TensorNumber::Program program,
                        std::vector<Polynomial> &to);

  /// The location of the node at which the algebra stopped.
  std::optional<unsigned> getFailedLocation() const { return failedLocation; }

private:
  struct Indexing;
  struct System;
  struct Walk;
  using Indices = llvm::SmallVector<IndexForm, 4>;

  /// The indices of a point of a graph, or of an iteration.
  struct Scope {
    unsigned region;
    llvm::ArrayRef<IndexForm> indices;
    const Scope *parent;
  };
  /// A definition says where a value comes from.
  struct Definition {
    unsigned region = 0;
    /// None for an argument.
    std::optional<unsigned> node;
    unsigned number = 0;
  };
  /// A range of points of a reduction, in which every condition has one
  /// answer.
  struct Part {
    llvm::SmallVector<Variable, 3> variables;
    Polynomial value, shift;
  };

  void enterRegion(unsigned region);
  Polynomial evaluate(MuValue value, llvm::ArrayRef<IndexForm> at,
                      const Scope *scope);
  Polynomial evaluateArgument(const Definition &definition,
                              llvm::ArrayRef<IndexForm> at, const Scope *scope);
  Polynomial evaluateNode(unsigned number, unsigned result,
                          llvm::ArrayRef<IndexForm> at, const Scope *scope);
  Polynomial evaluateLoad(const MuNode &node, llvm::ArrayRef<IndexForm> at,
                          const Scope *scope);
  Polynomial evaluateLoop(unsigned number, unsigned result,
                          llvm::ArrayRef<IndexForm> at, const Scope *scope);
  Polynomial evaluateGraph(unsigned number, unsigned result,
                           llvm::ArrayRef<IndexForm> at, const Scope *scope);

  // Exponents.cpp
  enum class Mode : uint8_t { Evaluate, Walk, Exponent };
  Polynomial walkOperator(unsigned number, unsigned result,
                          llvm::ArrayRef<IndexForm> at, const Scope *scope);
  /// Fails if the operator may not be in an exponent.
  bool isUnknownFunction(const MuNode &node);
  Polynomial evaluateUnknown(const MuNode &node, unsigned result,
                             llvm::ArrayRef<IndexForm> at, const Scope *scope);
  Polynomial makeUnknown(MuValue value, ShapeRef shape,
                         llvm::ArrayRef<IndexForm> at, const Scope *scope);
  /// The exponents exp(shift - largest shift) of a rescaled sum.
  void collectShifts(const MuNode &accumulate, llvm::ArrayRef<IndexForm> at,
                     const Scope *scope,
                     llvm::function_ref<Polynomial()> evaluateShift);

  /// Evaluates all points of a reduction that node `number` makes.
  llvm::SmallVector<Part, 1>
  evaluateParts(unsigned number, llvm::ArrayRef<int64_t> extents,
                llvm::function_ref<void(llvm::ArrayRef<IndexForm>, Part &)>
                    evaluatePoint);
  Polynomial sumParts(llvm::ArrayRef<Part> parts);
  /// Sums parts whose values are scaled to the largest shift of all iterations.
  Polynomial sumRescaledParts(llvm::MutableArrayRef<Part> parts);
  /// Returns where a tensor of this shape is read that broadcasts to elements
  /// `at`.
  Indices broadcastTo(ShapeRef shape, llvm::ArrayRef<IndexForm> at);
  /// The largest number of the type of what a node compares.
  std::optional<Rational> getLargest(const MuNode &node) const;
  Polynomial maxParts(llvm::ArrayRef<Part> parts,
                      std::optional<Rational> largest = std::nullopt);
  /// The variable for a range of an index over which a node reduces.
  Variable getVariable(unsigned node, unsigned dim, int64_t first,
                       int64_t extent);
  IndexForm linearize(llvm::ArrayRef<IndexForm> at, ShapeRef shape);
  /// Quotient and remainder; asks for a split where they are no forms.
  IndexArithmetic::Division divide(const IndexForm &index, int64_t divisor);

  const MuGraph &graph;
  Algebra &algebra;
  ConstantTables &tables;
  unsigned maxNumParts;
  Mode mode = Mode::Evaluate;
  std::vector<Polynomial> *exponents = nullptr;
  /// The program that the graph is, for its unknown values.
  TensorNumber::Program program = TensorNumber::Program::Lhs;
  const Cuts *cuts = nullptr;
  unsigned depth = 0;
  std::optional<unsigned> failedLocation;
  std::vector<Definition> definitions;
  /// The node that contains a region.
  llvm::DenseMap<unsigned, unsigned> owners;
  std::map<std::tuple<unsigned, unsigned, int64_t, int64_t>, Variable>
      reductionVariables;
  std::map<std::vector<int64_t>, Polynomial> evaluated;
};

} // namespace mirage::equivalence

#endif // MIRAGE_ANALYSIS_EQUIVALENCE_PROOF_SYMBOLICEVALUATION_H
