//===- RegisterPipelines.cpp - Names of the pipelines ---------------------===//
//
// Registers every pipeline under the name that tools know it by.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Pipelines/Pipelines.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace mirage;

void mirage::registerPipelines() {
  PassPipelineRegistration<LowerToLaunchesOptions>(
      "mirage-lower-to-launches",
      "Put launches in the place of pre-defined operators, as the lowering "
      "does",
      buildLowerToLaunchesPipeline);
  PassPipelineRegistration<LowerToThreadOptions>(
      "mirage-lower-to-thread",
      "Lower kernel graphs to kernels with explicit memory and host functions",
      buildLowerToThreadPipeline);
  PassPipelineRegistration<LowerToNVVMOptions>(
      "mirage-lower-to-nvvm",
      "Lower kernel graphs to NVVM kernels and host functions",
      buildLowerToNVVMPipeline);
  PassPipelineRegistration<ImportOptions>(
      "mirage-import-linalg",
      "Convert linalg, tensor and arith on tensors to kernel operators",
      buildImportLinalgPipeline);
  PassPipelineRegistration<ImportOptions>("mirage-import-tosa",
                                          "Convert TOSA to kernel operators",
                                          buildImportTosaPipeline);
  PassPipelineRegistration<OptimizeOptions>(
      "mirage-optimize",
      "Replace what programs of linalg, TOSA or kernel operators do by faster "
      "verified kernels",
      buildOptimizePipeline);
}
