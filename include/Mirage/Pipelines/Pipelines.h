//===- Pipelines.h - Named sequences of passes ------------------*- C++ -*-===//
//
// Declares the pipelines that users run by name.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_PIPELINES_PIPELINES_H
#define MIRAGE_PIPELINES_PIPELINES_H

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace mirage {

struct LowerToNVVMOptions
    : public mlir::PassPipelineOptions<LowerToNVVMOptions> {
  Option<std::string> chip{
      *this, "chip",
      llvm::cl::desc("Target of modules that name none: sm_80 or sm_90a"),
      llvm::cl::init("sm_90a")};
  Option<int64_t> threads{*this, "threads",
                          llvm::cl::desc("Threads of every block"),
                          llvm::cl::init(256)};
  Option<int> optLevel{
      *this, "opt-level",
      llvm::cl::desc("Optimization level of the NVPTX backend"),
      llvm::cl::init(3)};
};

struct ImportOptions : public mlir::PassPipelineOptions<ImportOptions> {
  Option<bool> assumeAssertions{
      *this, "assume-assertions",
      llvm::cl::desc("Take assertions in bodies as given and drop them"),
      llvm::cl::init(false)};
};

/// mirage-lower-to-nvvm: kernel graphs to gpu.module of llvm.func kernels with
/// an NVVM target, and host functions that launch them.
void buildLowerToNVVMPipeline(mlir::OpPassManager &manager,
                              const LowerToNVVMOptions &options);

/// mirage-import-linalg: what converts of linalg, tensor and arith on tensors
/// to mirage_kernel operators; the rest stays.
void buildImportLinalgPipeline(mlir::OpPassManager &manager,
                               const ImportOptions &options);

/// mirage-import-tosa: the same for TOSA, by way of linalg.
void buildImportTosaPipeline(mlir::OpPassManager &manager,
                             const ImportOptions &options);

/// The interfaces by which upstream's convert-to-llvm lowers what the pipeline
/// leaves to it. mlir-opt registers them itself.
void registerLoweringInterfaces(mlir::DialectRegistry &registry);

void registerPipelines();

} // namespace mirage

#endif // MIRAGE_PIPELINES_PIPELINES_H
