//===- ImportMuGraph.h - µGraphs from IR ------------------------*- C++ -*-===//
//
// Reads a function of Mirage's operations, with the arith, tensor and calls
// around them, into a MuGraph.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_MUGRAPH_IR_IMPORTMUGRAPH_H
#define MIRAGE_MUGRAPH_IR_IMPORTMUGRAPH_H

#include "Mirage/MuGraph/MuGraph.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mirage {

struct ImportedGraph {
  MuGraph graph;
  /// MuNode::location is a position in this list.
  std::vector<mlir::Operation *> operations;
};

/// Arguments and results are those of the function, in order; calls are
/// inlined. What no µGraph can be made of is an error at the operation; it says
/// that the interpreter does not execute it.
mlir::FailureOr<ImportedGraph> importMuGraph(mlir::func::FuncOp function);

/// The same, silently: the first error becomes `reason`, and `loc` its place.
/// That a function has no body is one.
mlir::FailureOr<ImportedGraph> importMuGraph(mlir::func::FuncOp function,
                                             std::string &reason,
                                             mlir::Location &loc);

/// The value that a tensor is: ranked, static, floating-point, not empty, at
/// most 2^31 elements. The error says what is wrong with `type`.
mlir::FailureOr<MuGraph::Value> importType(mlir::Type type, std::string &error);

} // namespace mirage

#endif // MIRAGE_MUGRAPH_IR_IMPORTMUGRAPH_H
