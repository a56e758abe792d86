//===- mirage-lsp-server.cpp - Editor support -----------------------------===//
//
// Runs the language server of MLIR with Mirage's dialects: an editor that
// speaks to it shows definitions, uses and diagnostics in .mlir files.
//
//===----------------------------------------------------------------------===//

#include "Mirage/InitAllDialects.h"
#include "Mirage/InitAllExtensions.h"
#include "ToolSupport.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Support/LogicalResult.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  mirage::setUpTool();
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mirage::registerAllDialects(registry);
  mirage::registerAllExtensions(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
