//===- EquivalenceAnalysis.cpp - Do two functions compute the same --------===//
//
// Reads functions as µGraphs, compares these, and finds the operations that
// answers speak of.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/IR/EquivalenceAnalysis.h"
#include "Mirage/MuGraph/IR/ImportMuGraph.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::equivalence;

/// Reads a function as a µGraph. Errors become the answer's reason.
static std::optional<ImportedGraph> import(func::FuncOp function,
                                           EquivalenceAnswer &answer) {
  Operation *culprit = nullptr;
  std::string message;
  // The error is at the operation, whose location alone a diagnostic keeps.
  ScopedDiagnosticHandler handler(
      function.getContext(), [&](Diagnostic &diagnostic) {
        if (message.empty()) {
          message = diagnostic.str();
          function->getParentOfType<ModuleOp>().walk([&](Operation *op) {
            if (!culprit && op->getLoc() == diagnostic.getLocation())
              culprit = op;
          });
        }
        return success();
      });
  FailureOr<ImportedGraph> graph = importMuGraph(function);
  if (succeeded(graph))
    return std::move(*graph);
  answer.reason = message;
  answer.operation = culprit ? culprit : function.getOperation();
  return std::nullopt;
}

/// Returns whether results have equal shapes and arguments equal types.
/// Functions may differ in the element types of results: a candidate that is
/// rounded elsewhere still computes the same.
static bool canBeCompared(func::FuncOp lhs, func::FuncOp rhs) {
  auto haveEqualShapes = [](auto pair) {
    auto a = dyn_cast<RankedTensorType>(std::get<0>(pair));
    auto b = dyn_cast<RankedTensorType>(std::get<1>(pair));
    return a && b && a.getShape() == b.getShape();
  };
  if (lhs.getFunctionType() == rhs.getFunctionType())
    return true;
  TypeRange left = lhs.getResultTypes(), right = rhs.getResultTypes();
  return lhs.getArgumentTypes() == rhs.getArgumentTypes() &&
         left.size() == right.size() &&
         llvm::all_of(lhs.getArgumentTypes(),
                      llvm::IsaPred<RankedTensorType>) &&
         llvm::all_of(llvm::zip(left, right), haveEqualShapes);
}

static EquivalenceAnswer compareFunctions(func::FuncOp lhs, func::FuncOp rhs,
                                          const EquivalenceOptions &options) {
  EquivalenceAnswer answer;
  if (!canBeCompared(lhs, rhs)) {
    answer.reason =
        llvm::formatv("the functions have different types, {0} and {1}",
                      lhs.getFunctionType(), rhs.getFunctionType());
    answer.operation = rhs;
    return answer;
  }
  auto left = import(lhs, answer);
  if (!left)
    return answer;
  auto right = import(rhs, answer);
  if (!right)
    return answer;
  WorkerPool pool(options.threads);
  Execution execution(pool);
  static_cast<ComparisonAnswer &>(answer) =
      compareGraphs(left->graph, right->graph, options.policy, execution);
  if (const std::optional<Culprit> &culprit = answer.culprit) {
    const ImportedGraph &program = culprit->isInRhs ? *right : *left;
    answer.operation = culprit->location
                           ? program.operations[*culprit->location]
                           : (culprit->isInRhs ? rhs : lhs).getOperation();
  }
  return answer;
}

const EquivalenceAnswer &
EquivalenceAnalysis::compare(func::FuncOp lhs, func::FuncOp rhs,
                             const EquivalenceOptions &options) {
  std::list<KnownAnswer> &known = answers[{lhs, rhs}];
  for (const KnownAnswer &earlier : known)
    if (earlier.policy == options.policy)
      return earlier.answer;
  known.push_back({options.policy, compareFunctions(lhs, rhs, options)});
  return known.back().answer;
}
