//===- Import.cpp - The pipelines mirage-import-linalg and -tosa ----------===//
//
// Builds the pipelines that take tensor programs of upstream dialects to
// mirage_kernel operators, each stage a pass of its own.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Conversion/Passes.h"
#include "Mirage/Pipelines/Pipelines.h"
#include "Mirage/Transforms/Passes.h"
#include "mlir/Conversion/TosaToArith/TosaToArith.h"
#include "mlir/Conversion/TosaToLinalg/TosaToLinalg.h"
#include "mlir/Conversion/TosaToTensor/TosaToTensor.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tosa/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mirage;

void mirage::buildImportLinalgPipeline(OpPassManager &manager,
                                       const ImportOptions &options) {
  ConvertLinalgToMirageOptions conversion;
  conversion.assumeAssertions = options.assumeAssertions;
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  manager.addPass(createConvertLinalgToMirage(conversion));
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  manager.addPass(createRaiseComposites());
  manager.addPass(createCanonicalizerPass());
}

void mirage::buildImportTosaPipeline(OpPassManager &manager,
                                     const ImportOptions &options) {
  // These are the passes of upstream's own tosa-to-linalg-pipeline, without
  // checks against profiles of the specification.
  OpPassManager &functions = manager.nest<func::FuncOp>();
  functions.addPass(tosa::createTosaInferShapesPass());
  functions.addPass(tosa::createTosaMakeBroadcastablePass());
  functions.addPass(tosa::createTosaToLinalgNamed());
  functions.addPass(createCanonicalizerPass());
  functions.addPass(tosa::createTosaLayerwiseConstantFoldPass());
  functions.addPass(tosa::createTosaMakeBroadcastablePass());
  functions.addPass(tosa::createTosaToLinalg());
  functions.addPass(createTosaToArithPass());
  functions.addPass(createTosaToTensorPass());
  buildImportLinalgPipeline(manager, options);
}
