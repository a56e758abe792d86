//===- mirage-reduce.cpp - Small programs with the same bug ---------------===//
//
// The tool runs mlir-reduce with Mirage's dialects and passes, and with the
// pass of its own name, which makes a program smaller as long as a test finds
// it interesting.
//
//===----------------------------------------------------------------------===//

#include "Mirage/InitAllDialects.h"
#include "Mirage/InitAllPasses.h"
#include "Mirage/Reduce/Passes.h"
#include "ToolSupport.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"

int main(int argc, char **argv) {
  mirage::setUpTool();
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllPasses();
  mirage::registerAllDialects(registry);
  mirage::registerAllPasses();
  mirage::registerMirageReducePasses();
  mlir::MLIRContext context(registry);
  return mlir::failed(mlir::mlirReduceMain(argc, argv, context));
}
