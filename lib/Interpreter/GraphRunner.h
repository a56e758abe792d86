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
#include "Mirage/Interpreter/Operators.h"
#include "Mirage/Interpreter/TensorValue.h"

namespace mirage {

/// Values are shared between blocks and never change.
using SharedValue = std::shared_ptr<const TensorValue>;

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

} // namespace mirage

#endif // MIRAGE_LIB_INTERPRETER_GRAPHRUNNER_H
