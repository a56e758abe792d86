//===- StructuredOp.h - Loops and bodies of structured operations -*- C++ -*-=//
//
// Represents a structured operation as loops over an iteration space, tensors
// that are read and written at projected points of it, and a scalar graph. It
// comes from a linalg operation or from an elementwise one on tensors.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_CONVERSION_LINALGTOMIRAGE_STRUCTUREDOP_H
#define MIRAGE_LIB_CONVERSION_LINALGTOMIRAGE_STRUCTUREDOP_H

#include "Importer.h"
#include "ScalarGraph.h"

namespace mirage {

/// Holds the iteration dimensions that index those of a tensor. A dimension
/// that is read at index zero only has none.
using MapLabels = llvm::SmallVector<std::optional<unsigned>, 6>;

/// Returns the iteration dimensions that are there.
Labels getLabels(const MapLabels &labels);

/// Describes a tensor that the body reads.
struct StructuredOperand {
  mlir::Value tensor;
  MapLabels labels;
  /// The elements that are read of each dimension, in the order of the loop;
  /// the list is empty where every element is read.
  llvm::SmallVector<llvm::SmallVector<int64_t>> indices;
};

/// Describes a part of the iteration space: loop number i runs over starts[i]
/// and the ranges[i] - 1 numbers that follow.
struct Window {
  llvm::SmallVector<int64_t> starts, ranges;
};

/// Describes a tensor that is written.
struct StructuredResult {
  mlir::Value original;
  /// The tensor that it starts as, null where elements are only written.
  mlir::Value init;
  MapLabels labels;
  /// This is the number that the body yields, and its type.
  unsigned node = 0;
  mlir::FloatType type;
  /// True if the original holds elements of i1.
  bool isCondition = false;
  /// The operand number of the element read from `init`, where loops reduce.
  std::optional<unsigned> accumulator;
};

struct StructuredOp {
  StructuredOp(Window window, const llvm::SmallBitVector &reductions)
      : starts(window.starts), ranges(window.ranges), reductions(reductions),
        graph(window.ranges.size()) {}

  llvm::SmallVector<int64_t> starts, ranges;
  llvm::SmallBitVector reductions;
  llvm::SmallVector<StructuredOperand> operands;
  /// The results that have uses.
  llvm::SmallVector<StructuredResult> results;
  ScalarGraph graph;

  bool isReduction(unsigned dim) const { return reductions.test(dim); }
};

/// Translates a body; fails with the importer's reason. A body that branches on
/// a loop's index is translated in parts, windows that follow one another along
/// the loop `splitLoop`. There is none where there is one part.
mlir::LogicalResult readStructuredOp(Importer &importer,
                                     mlir::linalg::LinalgOp op,
                                     llvm::SmallVectorImpl<StructuredOp> &parts,
                                     std::optional<unsigned> &splitLoop);
mlir::FailureOr<StructuredOp> readElementwiseOp(Importer &importer,
                                                mlir::Operation *op);

/// Creates tensors of the values that nodes take over the iteration space.
class Emitter {
public:
  Emitter(Importer &importer, const StructuredOp &op, TensorBuilder &builder)
      : importer(importer), op(op), builder(builder) {}

  /// Returns the values of `node`, with one dimension for each of `order`,
  /// which has size one where the node doesn't depend on it.
  mlir::Value emit(unsigned node, llvm::ArrayRef<unsigned> order);

  /// Returns an operand brought into that form.
  mlir::Value align(const StructuredOperand &operand,
                    llvm::ArrayRef<unsigned> order);

  /// Returns the order in which the dimensions of `node` are read: those of the
  /// operand of the most dimensions, then the others.
  Labels getNaturalOrder(unsigned node);

  /// Brings a tensor of dimensions `labels` into the result's form.
  mlir::Value finish(const StructuredResult &result, mlir::Value value,
                     llvm::ArrayRef<unsigned> labels);

private:
  mlir::Value emitNode(unsigned node, llvm::ArrayRef<unsigned> order);
  mlir::Value alignTensor(mlir::Value tensor, const MapLabels &labels,
                          llvm::ArrayRef<unsigned> order);

  Importer &importer;
  const StructuredOp &op;
  TensorBuilder &builder;
  /// Tensors made for the order that they were last asked for.
  Labels cachedOrder;
  llvm::DenseMap<unsigned, mlir::Value> cache;
};

/// Describes acc = combiner(acc, value): what a result of a reduction
/// accumulates.
struct Accumulation {
  OpKind combiner;
  unsigned value;
  /// The types that the accumulation is computed in, and that it is rounded to.
  mlir::FloatType type;
};

/// Matches the node of a result that accumulates.
std::optional<Accumulation> matchAccumulation(ScalarGraph &graph,
                                              const StructuredResult &result);

/// Emits a sum of products as a matmul; returns a null value if it is not one.
/// The result has the dimensions `labels` and type `elementType`, if the
/// operands allow for that, or else the type that the sum is computed in.
mlir::Value emitContraction(Emitter &emitter, TensorBuilder &builder,
                            const StructuredOp &op,
                            const StructuredResult &result,
                            const Accumulation &accumulation,
                            mlir::Type elementType, Labels &labels);

} // namespace mirage

#endif // MIRAGE_LIB_CONVERSION_LINALGTOMIRAGE_STRUCTUREDOP_H
