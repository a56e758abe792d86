//===- optimize.cpp - A compiler that uses Mirage -------------------------===//
//
//   optimize FILE
//
// reads a program of linalg or tosa, searches for faster kernels, and prints
// what it has become.
//
//===----------------------------------------------------------------------===//

#include "Mirage/InitAllDialects.h"
#include "Mirage/InitAllPasses.h"
#include "Mirage/InitUpstream.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

int main(int argc, char **argv) {
  if (argc != 2) {
    llvm::errs() << "usage: optimize FILE\n";
    return 2;
  }
  mlir::DialectRegistry registry;
  mirage::registerAllDialects(registry);
  mirage::registerUpstreamDialects(registry);
  mirage::registerAllPasses();
  mlir::MLIRContext context(registry);
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(argv[1], &context);
  if (!module)
    return 1;

  mlir::PassManager manager(&context);
  mirage::OptimizeOptions options;
  options.kernels = 1;
  options.interactive = false;
  mirage::buildOptimizePipeline(manager, options);
  if (mlir::failed(manager.run(*module)))
    return 1;
  module->print(llvm::outs());
  return 0;
}
