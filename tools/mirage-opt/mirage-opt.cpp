//===- mirage-opt.cpp - The optimizer driver ------------------------------===//
//
// Runs mlir-opt with Mirage's dialects and passes. The static build knows the
// part of MLIR that Mirage's own pipelines need. Any other build knows all of
// it, and the passes that tests use.
//
//===----------------------------------------------------------------------===//

#include "Mirage/InitAllDialects.h"
#include "Mirage/InitAllPasses.h"
#include "Mirage/Measurement/DeviceTimer.h"
#include "Mirage/Transforms/ProgressLine.h"
#include "ToolSupport.h"
#ifdef MIRAGE_STATIC
#include "Mirage/InitUpstream.h"
#else
#include "Mirage/InitAllExtensions.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#endif
#ifdef MIRAGE_HAS_TEST_PASSES
#include "TestPasses.h"
#endif
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

static void registerUpstream(mlir::DialectRegistry &registry) {
#ifdef MIRAGE_STATIC
  mirage::registerUpstreamDialects(registry);
  mirage::registerUpstreamPasses();
#else
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mirage::registerAllExtensions(registry);
  mlir::registerAllPasses();
#endif
#ifdef MIRAGE_HAS_TEST_PASSES
  mirage::registerTestPasses();
#endif
}

int main(int argc, char **argv) {
  mirage::setUpTool();
  mlir::DialectRegistry registry;
  registerUpstream(registry);
  mirage::registerAllDialects(registry);
  mirage::registerAllPasses();
  mirage::registerDeviceTimer(registry);
  mirage::StageProgress::setStream(&llvm::errs());
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Mirage optimizer driver\n", registry));
}
