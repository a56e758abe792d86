//===- Mirage-C/Registration.h - Mirage's dialects and passes -----*- C -*-===//
//
// Declares how a C program makes Mirage's dialects, passes and translations
// known. An MLIR context takes dialects from a registry; passes are known to
// the whole process.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_C_REGISTRATION_H
#define MIRAGE_C_REGISTRATION_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The handles of the four dialects, for mlirDialectHandleRegisterDialect and
/// mlirDialectHandleLoadDialect: mirage, mirage_kernel, mirage_block and
/// mirage_thread.
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Mirage, mirage);
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(MirageKernel, mirage_kernel);
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(MirageBlock, mirage_block);
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(MirageThread, mirage_thread);

/// Adds Mirage's dialects, the operations that it gives the transform dialect,
/// and the interfaces by which upstream's passes lower what Mirage leaves to
/// them.
MLIR_CAPI_EXPORTED void mirageRegisterAllDialects(MlirDialectRegistry registry);

/// Adds the dialects of upstream that programs for Mirage are written in (func,
/// arith, math, tensor, linalg, tosa, ...) and that it lowers to. A program
/// that calls mlirRegisterAllDialects has no use for it.
MLIR_CAPI_EXPORTED void
mirageRegisterUpstreamDialects(MlirDialectRegistry registry);

/// Adds what mirageTranslateToPTX and mirageTranslateToIREE need: translations
/// to LLVM IR and the NVVM target.
MLIR_CAPI_EXPORTED void
mirageRegisterAllTranslations(MlirDialectRegistry registry);

/// Makes Mirage's passes and pipelines known under their names, for
/// mirageRunPipeline and mlirParsePassPipeline. Further calls change nothing.
/// Calls from several threads are safe.
MLIR_CAPI_EXPORTED void mirageRegisterAllPasses(void);

/// Makes the passes of upstream known that Mirage's own pipelines go through,
/// and the general ones (canonicalize, cse, inline, ...). A program that calls
/// mlirRegisterAllPasses has no use for it.
MLIR_CAPI_EXPORTED void mirageRegisterUpstreamPasses(void);

#ifdef __cplusplus
}
#endif

#endif // MIRAGE_C_REGISTRATION_H
