//===- mirage-translate.cpp - Translations to and from MLIR ---------------===//
//
// Runs mlir-translate with Mirage's dialects and translations. --mirage-to-ptx
// writes a folder instead of a stream, so it is a mode of its own
// (TranslateToPTX.cpp). The static tool has this mode alone: upstream's
// translations would make it several times as large.
//
//===----------------------------------------------------------------------===//

#include "ToolSupport.h"
#include "TranslateToPTX.h"
#ifndef MIRAGE_STATIC
#include "Mirage/InitAllTranslations.h"
#include "mlir/InitAllTranslations.h"
#include "mlir/Support/LogicalResult.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#endif

int main(int argc, char **argv) {
  mirage::setUpTool();
#ifdef MIRAGE_STATIC
  return mirage::translateToPTXMain(argc, argv);
#else
  for (int i = 1; i < argc; ++i)
    if (llvm::StringRef(argv[i]).ltrim('-') == "mirage-to-ptx")
      return mirage::translateToPTXMain(argc, argv);
  mlir::registerAllTranslations();
  mirage::registerAllTranslations();
  return mlir::failed(
      mlir::mlirTranslateMain(argc, argv, "Mirage translation tool"));
#endif
}
