//===- IREEPass.cpp - The pass of IREE's plugin in a stock mlir-opt -------===//
//
// The plugin for IREE is built with IREE. Its pass needs MLIR alone, so that it
// can be tried here: mlir-opt --load-pass-plugin=IREEPass.so.
//
//===----------------------------------------------------------------------===//

#include "../../plugins/iree/RunMirage.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "IREEPass", "1",
          mirage::iree::registerRunMiragePass};
}
