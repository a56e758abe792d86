//===- LoweredPricer.cpp - What the lowering makes of programs ------------===//
//
// Writes a program as a function whose operations have their nodes as
// locations, which operations that take their place keep, and prices what the
// passes make of it.
//
//===----------------------------------------------------------------------===//

#include "LoweredPricer.h"
#include "Mirage/Analysis/Cost/IR/CostAnalysis.h"
#include "Mirage/Dialect/Mirage/IR/MirageDialect.h"
#include "Mirage/MuGraph/IR/ExportMuGraph.h"
#include "Mirage/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mirage;

/// The file of the locations whose lines are nodes.
static constexpr StringLiteral nodesFile = "nodes of a program";

/// Gives the operations of a function's body their nodes as locations. Returns
/// failure if an operation is no node.
static LogicalResult locateNodes(func::FuncOp function,
                                 const MuGraph &program) {
  auto operations = function.getBody().front().without_terminator();
  ArrayRef<unsigned> nodes = program.getRegion().nodes;
  if (static_cast<size_t>(llvm::range_size(operations)) != nodes.size())
    return failure();
  auto file = StringAttr::get(function.getContext(), nodesFile);
  for (auto [operation, number] : llvm::zip(operations, nodes)) {
    Location loc = FileLineColLoc::get(file, number, /*column=*/0);
    operation.walk([&](Operation *op) { op->setLoc(loc); });
  }
  return success();
}

/// Returns the nodes that an operation computes.
static SmallVector<unsigned, 1> getNodes(Operation *operation,
                                         const MuGraph &program) {
  llvm::SmallSetVector<unsigned, 8> found;
  operation->walk([&](Operation *op) {
    op->getLoc()->walk([&](Location loc) {
      if (auto node = dyn_cast<FileLineColLoc>(loc);
          node && node.getFilename() == nodesFile &&
          program.getNode(node.getLine()).op != OpKind::Constant)
        found.insert(node.getLine());
      return WalkResult::advance();
    });
  });
  SmallVector<unsigned, 1> nodes(found.begin(), found.end());
  llvm::sort(nodes);
  return nodes;
}

static std::optional<ProgramCost> price(const MuGraph &program,
                                        MLIRContext *context,
                                        const TargetDescription &target) {
  // What the passes say is for those who run them.
  ScopedDiagnosticHandler silence(context, [](Diagnostic &) {});
  Location loc = UnknownLoc::get(context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  (*module)->setAttr(MirageDialect::getTargetAttrName(),
                     TargetAttr::get(context, target));
  OpBuilder builder(module->getBodyRegion());
  FailureOr<func::FuncOp> function =
      exportFunction(program, "program", builder, loc);
  if (failed(function) || failed(locateNodes(*function, program)))
    return std::nullopt;
  PassManager manager(context);
  buildLaunchesPipeline(manager, /*fuse=*/true);
  if (failed(manager.run(*module)))
    return std::nullopt;
  CostAnalysis analysis(*function);
  if (!analysis.isValid())
    return std::nullopt;
  ProgramCost cost = analysis.estimate(target);
  for (ProgramCost::Kernel &kernel : cost.kernels) {
    kernel.nodes = getNodes(analysis.getOperation(kernel), program);
    if (kernel.nodes.empty())
      return std::nullopt;
    kernel.node = kernel.nodes.back();
  }
  return cost;
}

ProgramCost LoweredPricer::estimate(const MuGraph &program) {
  auto [found, isNew] = known.try_emplace(toString(program));
  if (isNew)
    found->second = price(program, context, target)
                        .value_or(estimateProgram(program, target));
  return found->second;
}
