//===- FieldEvaluation.h - µGraphs in finite fields -------------*- C++ -*-===//
//
// Evaluates a µGraph of primitives in one random model (see FieldModel.h), as
// it is written: every block and every iteration, exactly.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ANALYSIS_EQUIVALENCE_FIELDS_FIELDEVALUATION_H
#define MIRAGE_ANALYSIS_EQUIVALENCE_FIELDS_FIELDEVALUATION_H

#include "Mirage/Analysis/Equivalence/Fields/FieldModel.h"
#include "Mirage/Analysis/Equivalence/Fields/FieldTensor.h"
#include "Mirage/MuGraph/MuGraph.h"
#include <string>

namespace mirage::equivalence {

/// A node at which a graph leaves what can be decided, and why.
struct GraphProblem {
  /// MuNode::location.
  unsigned location = 0;
  std::string message;
};

/// A graph with what evaluation must know: which residues of which values are
/// needed. Outside of exponentials these are residues in Z_p, inside in Z_q.
class FieldPlan {
public:
  /// `graph` is one of primitives (expandToPrimitives) and must outlive the
  /// plan. getProblem tells if it is outside of the fragment Lax: where the
  /// result of an exponential is needed inside another.
  explicit FieldPlan(const MuGraph &graph);

  const std::optional<GraphProblem> &getProblem() const { return problem; }
  const MuGraph &getGraph() const { return *graph; }

  /// Whether residues of `value` in this plane are needed.
  bool needs(MuValue value, unsigned plane) const {
    return needed[value] >> plane & 1;
  }
  /// Functions in the graph that random tests take for unknown functions, by
  /// their mnemonics, sorted; among them "infinity".
  llvm::ArrayRef<std::string> getUnknownFunctions() const { return functions; }
  bool hasExponential() const { return exponential; }
  /// Whether all elements are zero or one: a comparison's result.
  bool isCondition(MuValue value) const { return conditions[value]; }
  /// Of a comparison's or a choice's result: what is compared, by a choice with
  /// zero.
  ComparedAs getComparedAs(MuValue result) const {
    return compared.empty() ? ComparedAs::Numbers : compared[result];
  }
  /// Values that no later node of the function's body needs than this node.
  llvm::ArrayRef<MuValue> getLastUses(unsigned node) const {
    return lastUses[node];
  }

private:
  void visitRegion(unsigned region);
  void visitOperator(const MuNode &node);
  void need(MuValue value, unsigned planes) { needed[value] |= planes; }
  void findConditions(unsigned region);
  void findComparisons();

  const MuGraph *graph;
  std::vector<uint8_t> needed;
  std::vector<bool> conditions;
  /// Empty without comparisons and choices.
  std::vector<ComparedAs> compared;
  std::vector<llvm::SmallVector<MuValue, 2>> lastUses;
  std::vector<std::string> functions;
  bool exponential = false;
  std::optional<GraphProblem> problem;
};

/// The results' residues in Z_p for the model's inputs, or the node that
/// divided by zero. The plan must have no problem. `isOver` is asked between
/// nodes; if it says yes there are no results.
struct FieldResults {
  std::vector<FieldTensor> tensors;
  std::optional<unsigned> dividedByZero;
  bool wasStopped = false;
};
FieldResults evaluateInField(const FieldPlan &plan, const FieldModel &model,
                             llvm::ArrayRef<FieldTensor> inputs,
                             WorkerPool &pool,
                             llvm::function_ref<bool()> isOver = nullptr);

/// Draws the inputs that `plans`, whose graphs have the same inputs, need: two
/// for each, in Z_p and in Z_q, empty where not needed.
std::vector<FieldTensor> drawInputs(llvm::ArrayRef<const FieldPlan *> plans,
                                    const FieldModel &model, WorkerPool &pool);

} // namespace mirage::equivalence

#endif // MIRAGE_ANALYSIS_EQUIVALENCE_FIELDS_FIELDEVALUATION_H
