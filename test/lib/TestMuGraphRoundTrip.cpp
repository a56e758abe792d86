//===- TestMuGraphRoundTrip.cpp - IR to µGraphs and back ------------------===//
//
// Replaces each function by what the export makes of its import. It is an error
// if importing the new function gives another graph, or if it is another
// function although the old one consisted of Mirage's operations. Functions of
// which there is no graph stay, with a remark. With `levels`, graphs of nothing
// but operators are also tried inside of a block graph and of a thread graph.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Dialect/Thread/IR/ThreadDialect.h"
#include "Mirage/Interfaces/ComputeOpSupport.h"
#include "Mirage/MuGraph/CloneMuGraph.h"
#include "Mirage/MuGraph/Comparison.h"
#include "Mirage/MuGraph/IR/ExportMuGraph.h"
#include "Mirage/MuGraph/IR/ImportMuGraph.h"
#include "TestPasses.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace mirage;

/// Returns true if all operations are of the levels' dialects, so that the
/// export must give back the same.
static bool isPlain(func::FuncOp function) {
  return !function.getBody()
              .walk([](Operation *op) {
                return getLevel(op) || isa<func::ReturnOp>(op)
                           ? WalkResult::advance()
                           : WalkResult::interrupt();
              })
              .wasInterrupted();
}

/// The import takes epsilons as numbers of the type that the norm is computed
/// in.
static void roundEpsilons(func::FuncOp function) {
  function.walk([](Operation *op) {
    auto epsilon = op->getAttrOfType<FloatAttr>("epsilon");
    if (!epsilon || getElementTypeOrSelf(op->getResult(0).getType()).isF64())
      return;
    double rounded = static_cast<float>(epsilon.getValueAsDouble());
    op->setAttr("epsilon", FloatAttr::get(epsilon.getType(), rounded));
  });
}

/// Returns the program as a graph-defined operator of one block that is one
/// thread, so that its operators are those of `level`.
static MuGraph lowerTo(Level level, const MuGraph &graph) {
  if (level == Level::Kernel)
    return graph;
  MuGraph inner =
      lowerTo(level == Level::Thread ? Level::Block : Level::Kernel, graph);
  MuGraph outer;
  unsigned body = outer.addRegion();
  SmallVector<MuValue> operands, parts, stores;
  for (MuValue argument : inner.getRegion().arguments) {
    ShapeRef shape = inner.getShape(argument);
    ElementType type = inner.getValue(argument).type;
    operands.push_back(outer.addArgument(0, shape, type));
    MuValue whole = outer.addArgument(body, shape, type);
    parts.push_back(outer.addLoad(body, whole, {kReplica}, {1}));
  }
  for (MuValue result : cloneInto(outer, body, inner, parts))
    stores.push_back(outer.addStore(body, result, {kReplica}, {1}));
  outer.setResults(body, stores);
  outer.setResults(0, outer.addGraph(0, operands, {1}, body));
  return outer;
}

/// Returns the function that the graph is exported to, before `function`, if it
/// is imported as the same graph.
static FailureOr<func::FuncOp> exportAgain(const MuGraph &graph,
                                           func::FuncOp function) {
  OpBuilder builder(function);
  FailureOr<func::FuncOp> exported =
      exportFunction(graph, function.getName(), builder, function.getLoc());
  if (failed(exported))
    return failure();
  FailureOr<ImportedGraph> again = importMuGraph(*exported);
  if (failed(again))
    return failure();
  if (!areIdentical(graph, again->graph) ||
      !areIsomorphic(graph, again->graph) ||
      structuralHash(graph) != structuralHash(again->graph))
    return function.emitError("exported and imported again, this\n")
           << toString(graph) << "is this\n"
           << toString(again->graph);
  return exported;
}

namespace {
class TestMuGraphRoundTrip
    : public PassWrapper<TestMuGraphRoundTrip, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestMuGraphRoundTrip)
  TestMuGraphRoundTrip() = default;
  TestMuGraphRoundTrip(const TestMuGraphRoundTrip &other)
      : PassWrapper(other) {}
  StringRef getArgument() const override { return "test-mugraph-round-trip"; }
  StringRef getDescription() const override {
    return "Replace functions by what their µGraphs are exported to";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<kernel::KernelDialect, block::BlockDialect,
                    thread::ThreadDialect>();
  }
  void runOnOperation() override {
    for (func::FuncOp function :
         llvm::to_vector(getOperation().getOps<func::FuncOp>()))
      if (failed(roundTrip(function)))
        return signalPassFailure();
  }

private:
  LogicalResult roundTrip(func::FuncOp function);

  Option<bool> levels{*this, "levels",
                      llvm::cl::desc("Also try operators at other levels")};
};
} // namespace

LogicalResult TestMuGraphRoundTrip::roundTrip(func::FuncOp function) {
  FailureOr<ImportedGraph> imported = failure();
  {
    ScopedDiagnosticHandler ignored(function.getContext(),
                                    [](Diagnostic &) { return success(); });
    imported = importMuGraph(function);
  }
  if (failed(imported)) {
    function.emitRemark() << "@" << function.getName() << " is no µGraph";
    return success();
  }
  const MuGraph &graph = imported->graph;
  if (levels && graph.getNumRegions() == 1)
    for (Level level : {Level::Block, Level::Thread}) {
      FailureOr<func::FuncOp> lowered =
          exportAgain(lowerTo(level, graph), function);
      if (failed(lowered))
        return failure();
      lowered->erase();
    }
  FailureOr<func::FuncOp> exported = exportAgain(graph, function);
  if (failed(exported))
    return failure();
  if (isPlain(function)) {
    roundEpsilons(function);
    if (!OperationEquivalence::isRegionEquivalentTo(
            &function.getBody(), &exported->getBody(),
            OperationEquivalence::IgnoreLocations |
                OperationEquivalence::IgnoreDiscardableAttrs))
      return function.emitError("exported as another function: ") << **exported;
  }
  exported->setVisibility(function.getVisibility());
  function.erase();
  return success();
}

void mirage::registerTestPasses() {
  PassRegistration<TestMuGraphRoundTrip>();
  registerKernelTimesPass();
  registerOutlineKernelsPass();
  registerPlantedBugPass();
}
