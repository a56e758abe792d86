//===- ImportMuGraph.h - µGraphs from IR ------------------------*- C++ -*-===//
//
// Reads a function of Mirage's operations, with the arith, tensor and calls
// around them, into a MuGraph.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_MUGRAPH_IMPORTMUGRAPH_H
#define MIRAGE_MUGRAPH_IMPORTMUGRAPH_H

#include "Mirage/MuGraph/MuGraph.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mirage {

struct ImportedGraph {
  MuGraph graph;
  /// MuNode::location is a position in this list.
  std::vector<mlir::Operation *> operations;
};

/// Arguments and results are those of the function, in order; calls are
/// inlined. What the interpreter would not execute fails with an error at the
/// operation.
mlir::FailureOr<ImportedGraph> importMuGraph(mlir::func::FuncOp function);

} // namespace mirage

#endif // MIRAGE_MUGRAPH_IMPORTMUGRAPH_H
