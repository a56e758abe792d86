//===- FieldPlan.h - Which residues of a graph are needed -------*- C++ -*-===//
//
// Says, before a graph of primitives is evaluated in finite fields, what the
// evaluation must know of its values, and whether it is possible at all.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ANALYSIS_EQUIVALENCE_FIELDPLAN_H
#define MIRAGE_ANALYSIS_EQUIVALENCE_FIELDPLAN_H

#include "Mirage/MuGraph/MuGraph.h"
#include <optional>
#include <string>

namespace mirage::equivalence {

/// The plane says which residues a computation works on.
enum Plane : unsigned { kPlaneP = 0, kPlaneQ = 1 };

/// This says what is known of both sides of a comparison, whatever the inputs
/// are.
enum class ComparedAs : uint8_t {
  /// They have values.
  Numbers,
  /// They are integers below kSmallIntegers in magnitude, made of constants. A
  /// residue alone does not tell: 2^63 is a small number modulo some primes.
  Integers,
  /// They may have none, as a quotient by zero.
  Undefined,
};

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

  /// Residues of `value` in this plane are needed.
  bool needs(MuValue value, unsigned plane) const {
    return needed[value] >> plane & 1;
  }
  /// Functions in the graph that random tests take for unknown functions, by
  /// their mnemonics, sorted; among them "infinity".
  llvm::ArrayRef<std::string> getUnknownFunctions() const { return functions; }
  bool hasExponential() const { return exponential; }
  /// All elements are zero or one, as those of a comparison's result.
  bool isCondition(MuValue value) const { return conditions[value]; }
  /// Returns what is compared where `result` is that of a comparison, or of a
  /// choice, which compares with zero.
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
  void findConditions();
  void findComparisons();
  void findLastUses();

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

} // namespace mirage::equivalence

#endif // MIRAGE_ANALYSIS_EQUIVALENCE_FIELDPLAN_H
