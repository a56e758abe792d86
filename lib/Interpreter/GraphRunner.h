//===- GraphRunner.h - Runs block and thread graphs -------------*- C++ -*-===//
//
// Executes graph-defined operators: launches with their block graphs, and the
// thread graphs in these. Preparation finds what cannot be executed and reads
// every operation's attributes once; running cannot fail.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_INTERPRETER_GRAPHRUNNER_H
#define MIRAGE_LIB_INTERPRETER_GRAPHRUNNER_H

#include "Mirage/Dialect/Block/IR/BlockDialect.h"
#include "Mirage/Interfaces/GraphOps.h"
#include "Mirage/Interpreter/TensorValue.h"

namespace mirage {

/// Values are shared between blocks and never change.
using SharedValue = std::shared_ptr<const TensorValue>;

/// The operator that a compute operation of a program stands for.
struct Operator {
  OpKind kind;
  OpAttributes attributes;
  /// Element type of the results.
  ElementType type;
  /// The result's shape where the operation drops dimensions of size one.
  std::optional<Shape> resultShape;
};

class GraphRunner {
public:
  explicit GraphRunner(Precision precision) : precision(precision) {}

  /// Must succeed once for a graph before it is run. Fails with an error at
  /// the operation that cannot be executed.
  mlir::LogicalResult prepare(GraphDefinedOpInterface graph);

  llvm::SmallVector<SharedValue> run(GraphDefinedOpInterface graph,
                                     llvm::ArrayRef<SharedValue> inputs) const;

private:
  class Point;
  class Output;
  struct Load {
    llvm::SmallVector<DimPartition, 4> partition;
    Shape tile;
  };

  Precision precision;
  llvm::DenseMap<mlir::Operation *, Operator> operators;
  llvm::DenseMap<mlir::Operation *, Load> loads;
};

/// The operator of a compute operation, or an error at it.
mlir::FailureOr<Operator> getOperator(mlir::Operation *op);

/// Emits "the interpreter does not execute 'x.y'" at `op`.
mlir::InFlightDiagnostic emitNotExecuted(mlir::Operation *op);

/// Fails with an error at `op` if the interpreter cannot hold its operands or
/// results.
mlir::LogicalResult checkTypes(mlir::Operation *op);

} // namespace mirage

#endif // MIRAGE_LIB_INTERPRETER_GRAPHRUNNER_H
