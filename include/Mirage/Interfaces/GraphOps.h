//===- GraphOps.h - What block and thread graphs share ----------*- C++ -*-===//
//
// Input iterators, output maps and graph-defined operators look and behave
// alike at block and at thread level. Their verification and assembly are
// declared here; TileMaps.h says what their maps mean.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_INTERFACES_GRAPHOPS_H
#define MIRAGE_INTERFACES_GRAPHOPS_H

#include "Mirage/Semantics/TileMaps.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"

#include "Mirage/Interfaces/GraphDefinedOpInterface.h.inc"

namespace mirage {

/// Returns the extents of the loops around `op` inside its graph, outermost
/// first, and their induction variables.
void getEnclosingLoops(mlir::Operation *op,
                       llvm::SmallVectorImpl<int64_t> &extents,
                       llvm::SmallVectorImpl<mlir::Value> &variables);

/// Returns the graph-defined operator in whose body `op` stands, or null.
GraphDefinedOpInterface getGraph(mlir::Operation *op);

// Verification, which both levels share. Constraint numbers are those of the
// operations' documentation.
llvm::LogicalResult verifyGraph(GraphDefinedOpInterface graph,
                                llvm::StringRef bodyDialect);
/// Checks that the body holds only compute operators, iterators and loops of
/// its dialect.
llvm::LogicalResult verifyGraphBody(GraphDefinedOpInterface graph,
                                    llvm::StringRef bodyDialect,
                                    llvm::StringRef constraint);
/// Checks the extents of the threads of a block: one to three of them, with a
/// product of at most 1024.
llvm::LogicalResult verifyThreads(mlir::Operation *op,
                                  llvm::ArrayRef<int64_t> threads,
                                  llvm::StringRef constraint);
llvm::LogicalResult verifyLoad(mlir::Operation *op,
                               llvm::ArrayRef<int64_t> imap,
                               llvm::ArrayRef<int64_t> fmap,
                               mlir::ValueRange loops);
llvm::LogicalResult verifyStore(mlir::Operation *op,
                                llvm::ArrayRef<int64_t> omap);

// Assembly of maps: (x -> 0, y -> phi), of fmaps: (%i -> 1), and of
// graph-defined operators.
mlir::ParseResult parseGridMap(mlir::OpAsmParser &parser,
                               mlir::DenseI64ArrayAttr &map);
void printGridMap(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                  mlir::DenseI64ArrayAttr map);
mlir::ParseResult
parseLoopMap(mlir::OpAsmParser &parser,
             llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &loops,
             mlir::DenseI64ArrayAttr &map);
void printLoopMap(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                  mlir::OperandRange loops, mlir::DenseI64ArrayAttr map);
mlir::ParseResult parseGraph(mlir::OpAsmParser &parser,
                             mlir::OperationState &state,
                             llvm::StringRef keyword,
                             llvm::StringRef attribute);
void printGraph(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                llvm::ArrayRef<int64_t> extents, llvm::StringRef keyword,
                llvm::StringRef attribute);

} // namespace mirage

#endif // MIRAGE_INTERFACES_GRAPHOPS_H
