//===- Interpreter.cpp - Executing functions on the CPU -------------------===//
//
// Makes a µGraph of the function, checks the inputs and runs it.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Interpreter/IR/Interpreter.h"
#include "Mirage/Interpreter/RunMuGraph.h"
#include "Mirage/MuGraph/IR/ImportMuGraph.h"

using namespace mlir;
using namespace mirage;

FailureOr<SmallVector<TensorValue>>
mirage::interpret(func::FuncOp function, ArrayRef<TensorValue> inputs,
                  const InterpreterOptions &options) {
  FailureOr<ImportedGraph> imported = importMuGraph(function);
  if (failed(imported))
    return failure();
  if (inputs.size() != function.getNumArguments())
    return function.emitError()
           << "@" << function.getName() << " takes "
           << function.getNumArguments() << " inputs, not " << inputs.size();
  for (auto [i, input, type] :
       llvm::enumerate(inputs, function.getArgumentTypes()))
    if (cast<RankedTensorType>(type).getShape() != input.shape())
      return function.emitError()
             << "@" << function.getName() << " takes " << type << " as input "
             << i << ", not a tensor of shape " << toString(input.shape());
  WorkerPool pool;
  Execution everyThread(pool);
  return runMuGraph(imported->graph, inputs, options.precision,
                    {.execution = &everyThread});
}
