//===- CostAnalysis.h - Estimated time of a function ------------*- C++ -*-===//
//
// The cost model on IR: an analysis of a function that any pass can ask for by
// getAnalysis<CostAnalysis>().
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ANALYSIS_COST_IR_COSTANALYSIS_H
#define MIRAGE_ANALYSIS_COST_IR_COSTANALYSIS_H

#include "Mirage/Analysis/Cost/CostModel.h"
#include "Mirage/MuGraph/IR/ImportMuGraph.h"

namespace mirage {

class CostAnalysis {
public:
  /// Emits an error at an operation that no µGraph can be made of.
  explicit CostAnalysis(mlir::func::FuncOp function)
      : function(function), imported(importMuGraph(function)) {}

  bool isValid() const { return succeeded(imported); }

  /// The analysis must be valid. Operators that need no kernel, because their
  /// tensors lie in those of others, take no time.
  ProgramCost estimate(const TargetDescription &target,
                       CostModel model = CostModel::Mirage) const;

  /// The same with elementwise operators, casts and layouts fused.
  ProgramCost estimateFused(const TargetDescription &target,
                            CostModel model = CostModel::Mirage) const {
    return estimateFusedProgram(imported->graph, target, model);
  }

  /// The operation of one of the program's kernels.
  mlir::Operation *getOperation(const ProgramCost::Kernel &kernel) const {
    return imported->operations[getNode(kernel).location];
  }

  const MuNode &getNode(const ProgramCost::Kernel &kernel) const {
    return imported->graph.getNode(kernel.node);
  }

private:
  std::optional<PlacedNodes> findPlaced(CostModel model) const;

  mlir::func::FuncOp function;
  mlir::FailureOr<ImportedGraph> imported;
};

} // namespace mirage

#endif // MIRAGE_ANALYSIS_COST_IR_COSTANALYSIS_H
