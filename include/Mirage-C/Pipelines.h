//===- Mirage-C/Pipelines.h - Pipelines and translations ----------*- C -*-===//
//
// Declares how a C program runs pipelines of passes on a module, and makes
// PTX or a module for IREE's compiler of what they leave.
//
// Every function here reports what is wrong to the handlers of the module's
// context (mlirContextAttachDiagnosticHandler), at the operation that is the
// reason, and returns failure. A null module is a failure without a
// diagnostic, since it has no context.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_C_PIPELINES_H
#define MIRAGE_C_PIPELINES_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Runs a pipeline on the module. The text is that of `mirage-opt
/// --pass-pipeline`, such as "builtin.module(mirage-optimize{kernels=1})"; its
/// anchor is builtin.module. Passes must be registered
/// (mirageRegisterAllPasses). A text that is no pipeline is an error at the
/// module. After a failure the module is valid, but may be changed.
MLIR_CAPI_EXPORTED MlirLogicalResult mirageRunPipeline(MlirModule module,
                                                       MlirStringRef pipeline);

/// Makes PTX of a module that the pipeline mirage-lower-to-nvvm made. `ptx` is
/// called with parts of the PTX, `manifest` with parts of the manifest in JSON,
/// which says how its kernels are launched; each with `userData`, and neither
/// unless all is well. The module stays as it is. Its context must know what
/// mirageRegisterAllTranslations adds.
MLIR_CAPI_EXPORTED MlirLogicalResult
mirageTranslateToPTX(MlirModule module, MlirStringCallback ptx,
                     MlirStringCallback manifest, void *userData);

/// Makes a module for iree-compile of one that mirage-optimize made, and calls
/// `callback` with parts of its text and `userData`, unless something is wrong.
/// `lowering` are options of mirage-lower-to-nvvm, such as "schedule=false", or
/// empty. The module stays as it is. Its context must know what
/// mirageRegisterAllTranslations adds.
MLIR_CAPI_EXPORTED MlirLogicalResult
mirageTranslateToIREE(MlirModule module, MlirStringRef lowering,
                      MlirStringCallback callback, void *userData);

#ifdef __cplusplus
}
#endif

#endif // MIRAGE_C_PIPELINES_H
