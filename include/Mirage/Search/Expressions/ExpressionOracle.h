//===- ExpressionOracle.h - What is pruned by expressions -------*- C++ -*-===//
//
// Decides which prefixes of block graphs are pruned by their abstract
// expressions (Mirage paper, section 4.3): those with a value whose expression
// is no subexpression of anything equal to a goal. docs/Search.md, "Pruning by
// expressions with bound axes", has the argument.
//
// The oracle computes the expression of each operator's result
// (AbstractEvaluation.h) with the axes that it sums over (AxisBinding.h), and
// compares it with the goals by normal forms (NormalForm.h). If the search is
// to prune by sizes as well, it asks Z3 through ContainmentSolver.h.
//
// An oracle belongs to one thread. It keeps all answers.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_EXPRESSIONS_EXPRESSIONORACLE_H
#define MIRAGE_SEARCH_EXPRESSIONS_EXPRESSIONORACLE_H

#include "Mirage/Search/Expressions/ContainmentSolver.h"
#include "Mirage/Search/Problem/TileDims.h"
#include <deque>

namespace mirage::search {

/// What decides which prefixes are pruned by their expressions: nothing, normal
/// forms, Z3 with unknown extents, or normal forms first and then Z3.
enum class Prune : uint8_t { None, NormalForm, SMT, Both };
/// The value for "none", "normal-form", "smt" or "both"; nothing for another
/// text.
std::optional<Prune> parsePrune(llvm::StringRef text);

class ExpressionOracle {
public:
  ExpressionOracle(const SearchProblem &problem, Prune prune);

  /// What is known of an operator's result.
  struct Answer {
    AbstractValue value;
    /// The number of its normal form.
    NormalForms::Polynomial normalForm = NormalForms::kZero;
    /// Says whether it may be part of a goal. A prefix with another value is
    /// pruned.
    bool isContained = false;
    /// Says whether its expression sums something.
    bool hasSum = false;
  };
  /// The result of an operator. `extent` is the dimension that is summed over.
  const Answer &apply(FormId formId, llvm::ArrayRef<AbstractValue> values,
                      DimId extent);
  /// The result of an accumulator over the iterations of loops along an axis.
  const Answer &accumulate(FormId formId, const AbstractValue &value,
                           uint8_t axis);
  const Answer &getInput(unsigned input);

  /// Returns whether the oracle asks a solver about sizes.
  bool hasSolver() const { return solver != nullptr; }
  /// Returns whether there are extents for which the value is part of a goal
  /// and the constraints hold. The answer is no only if there is a proof.
  bool isContained(const AbstractValue &value,
                   const ExtentConstraints &constraints) {
    return isContained(value.expression, constraints);
  }
  /// Returns whether there are extents for which the constraints hold, and some
  /// of them. The answer is no only if there is a proof.
  bool canHold(const ExtentConstraints &constraints, ExtentValues &found) {
    return solver->solve(constraints, found) != SolverAnswer::No;
  }
  /// Returns whether the value is part of a goal for all extents.
  bool isAlwaysContained(const AbstractValue &value);

  /// Returns whether a goal has this exponential.
  bool canExponentiate(const AbstractValue &value);
  /// Returns whether the program takes an exponential of the value as it is,
  /// without a maximum subtracted.
  bool isPlainArgument(const AbstractValue &value) {
    return llvm::is_contained(plainArguments,
                              normalForms.get(value.expression));
  }
  llvm::ArrayRef<unsigned> getGoals() const { return goals; }
  /// What is known of the dimensions of tiles, whoever asks.
  TileTable &getTiles() { return tiles; }
  /// How many answers it keeps.
  size_t getNumAnswers() const { return answers.size(); }
  /// Returns how often Z3 was asked, and how often it did not know.
  SolverStatistics getSolverStatistics() const {
    return solver ? solver->getStatistics() : SolverStatistics();
  }

private:
  /// A question is an operator with its first operand, and the other operands.
  using QuestionKey = std::pair<uint64_t, std::pair<uint64_t, uint64_t>>;

  Answer judge(AbstractValue value);
  const Answer *find(const QuestionKey &key) const;
  const Answer &keep(const QuestionKey &key, Answer answer);
  using Test = llvm::function_ref<bool(const Expression *, AxisSet)>;
  bool anyWay(const Expression *expression, Test test);
  bool anyPart(const Expression *expression, AxisSet axes,
               llvm::function_ref<bool(const Expression *)> test);
  bool anySum(const Expression *expression, Test test);
  bool isContained(const Expression *expression,
                   const ExtentConstraints &constraints);
  bool isNormalFormContained(unsigned part, AxisSet summedAxes);
  AxisSet getBound(unsigned monomial, bool isInside) const;
  AxisSet getSummedAxes(const Expression *expression);
  bool hasSum(const Expression *expression);

  const SearchProblem &problem;
  Prune prune;
  ExpressionContext context;
  AbstractEvaluator evaluator;
  AxisBinding binding;
  NormalForms normalForms;
  /// Exists if the search prunes by sizes, too.
  std::unique_ptr<ContainmentSolver> solver;
  ExtentConstraints constraints;
  /// Numbers of normal forms.
  llvm::SmallVector<unsigned, 2> goals, plainArguments;
  llvm::DenseSet<unsigned> denominators;
  /// The axes that the goals bind by sums, in arguments, and in denominators.
  AxisSet summed, inArguments, inDenominators;
  /// The number of each question's answer. A search looks up most of its
  /// questions in this table, which no cache holds, so its entries are small.
  llvm::DenseMap<QuestionKey, uint32_t> questions;
  std::deque<Answer> answers;
  std::vector<Answer> inputs;
  TileTable tiles;
  llvm::DenseMap<const Expression *, bool> exponentials, sums, always;
};

} // namespace mirage::search

#endif // MIRAGE_SEARCH_EXPRESSIONS_EXPRESSIONORACLE_H
