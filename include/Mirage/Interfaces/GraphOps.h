//===- GraphOps.h - What block and thread graphs share ----------*- C++ -*-===//
//
// Input iterators, output maps and graph-defined operators look and behave
// alike at block and at thread level. Here are their maps, their verification,
// and the tile arithmetic that the interpreter and lowerings share.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_INTERFACES_GRAPHOPS_H
#define MIRAGE_INTERFACES_GRAPHOPS_H

#include "Mirage/Semantics/OpAttributes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"

#include "Mirage/Interfaces/GraphDefinedOpInterface.h.inc"

namespace mirage {

/// Entries of imap, omap and fmap that are no tensor dimension.
enum MapEntry : int64_t {
  /// phi: the tensor is replicated over the grid dimension or loop.
  kReplica = -1,
  /// omap: the blocks' values are summed, or their maximum is taken.
  kReduceSum = -2,
  kReduceMax = -3,
  /// No entry was written for this grid dimension.
  kMissing = -4,
};

/// "x", "y" or "z".
llvm::StringRef getGridDimName(unsigned dim);

/// How an entry of a map is written: a number, "phi", "sum" or "max".
std::string getMapEntryName(int64_t entry);

/// One dimension of a tensor that a graph reads or writes in parts: which grid
/// dimension selects the part, then which loops select parts of it, outermost
/// first.
struct DimPartition {
  int64_t size = 0;
  std::optional<unsigned> gridDim;
  int64_t gridExtent = 1;
  /// Positions among the enclosing loops, and their extents.
  llvm::SmallVector<unsigned, 1> loops;
  llvm::SmallVector<int64_t, 1> loopExtents;

  /// Elements of the part.
  int64_t getTileSize() const;
};

/// How an input iterator cuts its source: one entry per dimension. The maps
/// have passed verification.
llvm::SmallVector<DimPartition, 4>
getPartition(ShapeRef source, llvm::ArrayRef<int64_t> imap,
             llvm::ArrayRef<int64_t> extents, llvm::ArrayRef<int64_t> fmap,
             llvm::ArrayRef<int64_t> loopExtents);

/// Offset of the part along one dimension, in any system of indices with add
/// and mulConstant (see Element.h). `point` is the block or thread, `loops` the
/// values of the enclosing loops.
template <typename Index, typename System>
Index getTileOffset(const DimPartition &dim, llvm::ArrayRef<Index> point,
                    llvm::ArrayRef<Index> loops, System &s) {
  Index offset = s.index(0);
  int64_t part = dim.size;
  if (dim.gridDim) {
    part /= dim.gridExtent;
    offset = s.mulConstant(point[*dim.gridDim], part);
  }
  for (auto [loop, extent] : llvm::zip(dim.loops, dim.loopExtents)) {
    part /= extent;
    offset = s.add(offset, s.mulConstant(loops[loop], part));
  }
  return offset;
}

/// Extents of the loops around `op` inside its graph, outermost first, and
/// their induction variables.
void getEnclosingLoops(mlir::Operation *op,
                       llvm::SmallVectorImpl<int64_t> &extents,
                       llvm::SmallVectorImpl<mlir::Value> &variables);

/// The graph-defined operator in whose body `op` stands, or null.
GraphDefinedOpInterface getGraph(mlir::Operation *op);

// Verification, shared by both levels. Constraint numbers are those of the
// operations' documentation.
llvm::LogicalResult verifyGraph(GraphDefinedOpInterface graph,
                                llvm::StringRef bodyDialect);
/// The body holds compute operators, iterators and loops of its dialect only.
llvm::LogicalResult verifyGraphBody(GraphDefinedOpInterface graph,
                                    llvm::StringRef bodyDialect,
                                    llvm::StringRef constraint);
/// Extents of the threads of a block: one to three, product at most 1024.
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
