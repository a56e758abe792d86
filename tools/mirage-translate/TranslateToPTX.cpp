//===- TranslateToPTX.cpp - mirage-translate --mirage-to-ptx --------------===//
//
// Reads a module that mirage-lower-to-nvvm made and writes kernels.ptx and
// manifest.json into a folder, or the PTX alone to stdout.
//
//===----------------------------------------------------------------------===//

#include "TranslateToPTX.h"
#include "Mirage/InitAllDialects.h"
#include "Mirage/InitUpstream.h"
#include "Mirage/Pipelines/Pipelines.h"
#include "Mirage/Target/PTX.h"
#include "mlir/IR/AsmState.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;

int mirage::translateToPTXMain(int argc, char **argv) {
  static llvm::cl::OptionCategory category("mirage-to-ptx options");
  static llvm::cl::opt<std::string> input(
      llvm::cl::Positional, llvm::cl::desc("<lowered .mlir file>"),
      llvm::cl::init("-"), llvm::cl::cat(category));
  static llvm::cl::opt<bool> mode(
      "mirage-to-ptx",
      llvm::cl::desc("Translate a module that mirage-lower-to-nvvm made"),
      llvm::cl::cat(category));
  static llvm::cl::opt<std::string> directory(
      "o",
      llvm::cl::desc("Folder for kernels.ptx and manifest.json; it is created. "
                     "Without it the PTX goes to stdout"),
      llvm::cl::value_desc("folder"), llvm::cl::cat(category));
  static llvm::cl::opt<std::string> entry(
      "entry",
      llvm::cl::desc("Function that is to be in the manifest; an error says "
                     "which of its operations are no kernels"),
      llvm::cl::value_desc("name"), llvm::cl::cat(category));
  llvm::InitLLVM init(argc, argv);
  llvm::cl::HideUnrelatedOptions(category);
  llvm::cl::ParseCommandLineOptions(argc, argv, "Mirage translation to PTX\n");
  auto fail = [&](const llvm::Twine &message) {
    llvm::WithColor::error(llvm::errs(), "mirage-translate") << message << "\n";
    return 1;
  };

  DialectRegistry registry;
  registerAllDialects(registry);
  registerUpstreamDialects(registry);
  registerPTXTarget(registry);
  MLIRContext context(registry);
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(input, &error);
  if (!buffer)
    return fail(error);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  SourceMgrDiagnosticHandler handler(sources, &context);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    return 1;
  if (!entry.empty() && failed(checkIsLowered(*module, entry)))
    return 1;
  FailureOr<PTXProgram> program = translateToPTX(*module);
  if (failed(program))
    return 1;
  if (directory.empty()) {
    llvm::outs() << program->ptx;
    return 0;
  }
  if (llvm::Error failure = writePTXProgram(*program, directory))
    return fail(llvm::toString(std::move(failure)));
  return 0;
}
