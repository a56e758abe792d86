//===- Support.h - What the C programs of the tests share ---------*- C -*-===//
//
// A context with Mirage's dialects that prints its diagnostics, and functions
// that read and print modules.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TEST_CAPI_SUPPORT_H
#define MIRAGE_TEST_CAPI_SUPPORT_H

#include "Mirage-C/Registration.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/Diagnostics.h"
#include "mlir-c/IR.h"
#include <stdio.h>
#include <stdlib.h>

static inline void printPart(MlirStringRef part, void *stream) {
  fwrite(part.data, 1, part.length, (FILE *)stream);
}

/// Prints "diagnostic: error at <location>: <text>". It takes the diagnostic,
/// so that MLIR does not print it as well.
static inline MlirLogicalResult printDiagnostic(MlirDiagnostic diagnostic,
                                                void *userData) {
  (void)userData;
  MlirDiagnosticSeverity severity = mlirDiagnosticGetSeverity(diagnostic);
  printf("diagnostic: %s at ", severity == MlirDiagnosticError     ? "error"
                               : severity == MlirDiagnosticWarning ? "warning"
                                                                   : "other");
  mlirLocationPrint(mlirDiagnosticGetLocation(diagnostic), printPart, stdout);
  printf(": ");
  mlirDiagnosticPrint(diagnostic, printPart, stdout);
  printf("\n");
  return mlirLogicalResultSuccess();
}

static inline MlirContext createContext(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mirageRegisterAllDialects(registry);
  mirageRegisterUpstreamDialects(registry);
  mirageRegisterAllTranslations(registry);
  MlirContext context =
      mlirContextCreateWithRegistry(registry, /*threadingEnabled=*/true);
  mlirDialectRegistryDestroy(registry);
  mlirContextAttachDiagnosticHandler(context, printDiagnostic, NULL, NULL);
  return context;
}

static inline MlirModule parseModule(MlirContext context, const char *text) {
  MlirModule module =
      mlirModuleCreateParse(context, mlirStringRefCreateFromCString(text));
  if (mlirModuleIsNull(module)) {
    printf("the module was not parsed\n");
    exit(1);
  }
  return module;
}

static inline MlirStringRef text(const char *string) {
  return mlirStringRefCreateFromCString(string);
}

static inline const char *describe(MlirLogicalResult result) {
  return mlirLogicalResultIsSuccess(result) ? "success" : "failure";
}

#endif // MIRAGE_TEST_CAPI_SUPPORT_H
