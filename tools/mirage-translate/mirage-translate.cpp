//===- mirage-translate.cpp - Translations to and from MLIR ---------------===//
//
// mlir-translate with Mirage's dialects and translations.
//
//===----------------------------------------------------------------------===//

#include "Mirage/InitAllTranslations.h"
#include "ToolSupport.h"
#include "mlir/InitAllTranslations.h"
#include "mlir/Support/LogicalResult.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"

int main(int argc, char **argv) {
  mirage::setUpTool();
  mlir::registerAllTranslations();
  mirage::registerAllTranslations();
  return mlir::failed(
      mlir::mlirTranslateMain(argc, argv, "Mirage translation tool"));
}
