//===- ExportMuGraph.h - IR from µGraphs ------------------------*- C++ -*-===//
//
// Writes a MuGraph as operations of Mirage's dialects: the inverse of
// importMuGraph.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_MUGRAPH_IR_EXPORTMUGRAPH_H
#define MIRAGE_MUGRAPH_IR_EXPORTMUGRAPH_H

#include "Mirage/MuGraph/MuGraph.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mirage {

/// Builds the graph's operations at the insertion point, the function's at
/// kernel level, and returns its results. `inputs` are its arguments, in order.
///
/// The three dialects must be loaded: a pass declares that it depends on them.
/// The operations are verified. A graph of which there is no IR is an error at
/// `loc` that names the node, and leaves nothing behind.
mlir::FailureOr<llvm::SmallVector<mlir::Value>>
exportMuGraph(const MuGraph &graph, mlir::ValueRange inputs,
              mlir::OpBuilder &builder, mlir::Location loc);

/// The same as the body of a function, which is built at the insertion point.
mlir::FailureOr<mlir::func::FuncOp> exportFunction(const MuGraph &graph,
                                                   llvm::StringRef name,
                                                   mlir::OpBuilder &builder,
                                                   mlir::Location loc);

} // namespace mirage

#endif // MIRAGE_MUGRAPH_IR_EXPORTMUGRAPH_H
