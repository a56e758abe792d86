//===- PluginRegistration.cpp - Mirage as a plugin of IREE's compiler -----===//
//
// Lets iree-compile --iree-plugin=mirage run Mirage on a program as it came,
// before IREE converts it.
//
//===----------------------------------------------------------------------===//

#include "RunMirage.h"
#include "iree/compiler/PluginAPI/Client.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mlir::iree_compiler;

namespace {
struct MirageOptions : mirage::iree::RunMirageOptions {
  void bindOptions(OptionsBinder &binder) {
    static llvm::cl::OptionCategory category("Mirage");
    binder.opt<std::string>(
        "iree-mirage-tools", tools, llvm::cl::cat(category),
        llvm::cl::desc("Folder of mirage-opt and mirage-translate; empty if "
                       "they are on PATH"));
    binder.opt<std::string>("iree-mirage-optimize", optimize,
                            llvm::cl::cat(category),
                            llvm::cl::desc("Options of mirage-optimize"));
    binder.opt<std::string>("iree-mirage-lowering", lowering,
                            llvm::cl::cat(category),
                            llvm::cl::desc("Options of mirage-lower-to-nvvm"));
  }
};

struct MirageSession : PluginSession<MirageSession, MirageOptions> {
  static void registerPasses() { mirage::iree::registerRunMiragePass(); }

  void extendInputConversionPreprocessingPassPipeline(
      OpPassManager &manager, InputDialectOptions::Type) override {
    manager.addPass(mirage::iree::createRunMiragePass(getOptions()));
  }
};
} // namespace

IREE_DEFINE_COMPILER_OPTION_FLAGS(MirageOptions);

extern "C" bool
iree_register_compiler_plugin_mirage(PluginRegistrar *registrar) {
  registrar->registerPlugin<MirageSession>("mirage");
  return true;
}
