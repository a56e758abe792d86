//===- RegisterTranslation.cpp - mirage-translate --mirage-to-iree --------===//
//
// Registers the translation, which prints the module that translateToIREE makes
// in generic syntax: neighbouring versions of IREE differ in the custom one.
//
//===----------------------------------------------------------------------===//

#include "Mirage/InitAllDialects.h"
#include "Mirage/InitUpstream.h"
#include "Mirage/Target/IREE.h"
#include "Mirage/Target/PTX.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/CommandLine.h"

using namespace mlir;
using namespace mirage;

void mirage::registerToIREETranslation() {
  static llvm::cl::opt<std::string> lowering(
      "iree-lowering",
      llvm::cl::desc("Options of mirage-lower-to-nvvm for --mirage-to-iree, "
                     "such as \"schedule=false\""),
      llvm::cl::init(""));
  static TranslateFromMLIRRegistration registration(
      "mirage-to-iree",
      "Print an optimized module for iree-compile: Mirage's functions "
      "dispatch kernels of PTX",
      [](ModuleOp module, llvm::raw_ostream &os) -> LogicalResult {
        LowerToNVVMOptions options;
        setIREEDefaults(options);
        if (failed(options.parseFromString(lowering)))
          return module.emitError("option iree-lowering is not understood");
        if (failed(translateToIREE(module, options)))
          return failure();
        OpPrintingFlags flags;
        module->print(os, flags.printGenericOpForm());
        os << '\n';
        return success();
      },
      [](DialectRegistry &registry) {
        registerAllDialects(registry);
        registerUpstreamDialects(registry);
        registerPTXTarget(registry);
      });
}
