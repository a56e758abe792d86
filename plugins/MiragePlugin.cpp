//===- MiragePlugin.cpp - Mirage for a stock mlir-opt ---------------------===//
//
// Defines the entry points that mlir-opt looks up in a shared object:
//
//   mlir-opt --load-dialect-plugin=MiragePlugin.so --pass-pipeline='…' x.mlir
//
// loads dialects and passes, --load-pass-plugin passes alone.
//
//===----------------------------------------------------------------------===//

#include "Mirage/InitAllDialects.h"
#include "Mirage/InitAllExtensions.h"
#include "Mirage/InitAllPasses.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

/// A pass must be registered once, whichever of the two options came first.
static void registerPassesOnce() {
  static const bool registered = (mirage::registerAllPasses(), true);
  (void)registered;
}

static void registerDialectsAndPasses(mlir::DialectRegistry *registry) {
  mirage::registerAllDialects(*registry);
  mirage::registerAllExtensions(*registry);
  registerPassesOnce();
}

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Mirage", MIRAGE_VERSION,
          registerDialectsAndPasses};
}

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Mirage", MIRAGE_VERSION,
          registerPassesOnce};
}
