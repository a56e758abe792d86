//===- RunMirage.cpp - Mirage's tools as a pass of IREE -------------------===//
//
// Writes the module to a file in generic syntax, which neighbouring versions of
// MLIR read alike, runs the tools on it, and reads what they have written.
//
//===----------------------------------------------------------------------===//

#include "RunMirage.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using mirage::iree::RunMirageOptions;

namespace {
class RunMirage : public PassWrapper<RunMirage, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RunMirage)

  RunMirage() = default;
  RunMirage(const RunMirage &other) : PassWrapper(other) {}
  explicit RunMirage(RunMirageOptions options) {
    tools = options.tools;
    optimize = options.optimize;
    lowering = options.lowering;
  }

  StringRef getArgument() const override { return "iree-mirage"; }
  StringRef getDescription() const override {
    return "Let Mirage optimize what it can of a module, and take its kernels";
  }

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
    for (const std::string &file : files)
      llvm::sys::fs::remove(file);
    files.clear();
  }

private:
  LogicalResult run();
  LogicalResult runTool(StringRef name, ArrayRef<StringRef> arguments);
  FailureOr<std::string> createFile(StringRef ending);

  Option<std::string> tools{
      *this, "tools",
      llvm::cl::desc("Folder of mirage-opt and mirage-translate; empty if they "
                     "are on PATH")};
  Option<std::string> optimize{*this, "optimize",
                               llvm::cl::desc("Options of mirage-optimize")};
  Option<std::string> lowering{
      *this, "lowering", llvm::cl::desc("Options of mirage-lower-to-nvvm")};
  /// The files that were made, which do not outlive the pass.
  SmallVector<std::string> files;
};
} // namespace

FailureOr<std::string> RunMirage::createFile(StringRef ending) {
  SmallString<128> path;
  if (std::error_code error =
          llvm::sys::fs::createTemporaryFile("mirage", ending, path)) {
    getOperation().emitError()
        << "Mirage needs a temporary file: " << error.message();
    return failure();
  }
  files.push_back(path.str().str());
  return files.back();
}

LogicalResult RunMirage::runTool(StringRef name,
                                 ArrayRef<StringRef> arguments) {
  SmallVector<StringRef, 1> folders;
  if (!tools.empty())
    folders.push_back(tools);
  llvm::ErrorOr<std::string> program =
      llvm::sys::findProgramByName(name, folders);
  if (!program)
    return getOperation().emitError()
           << "found no " << name << " "
           << (tools.empty() ? std::string("on PATH") : "in '" + tools + "'");
  FailureOr<std::string> log = createFile("log");
  if (failed(log))
    return failure();
  SmallVector<StringRef> command{*program};
  llvm::append_range(command, arguments);
  std::string problem;
  int status = llvm::sys::ExecuteAndWait(
      *program, command, /*Env=*/std::nullopt,
      {StringRef(""), StringRef(*log), StringRef(*log)}, /*SecondsToWait=*/0,
      /*MemoryLimit=*/0, &problem);
  auto text = llvm::MemoryBuffer::getFile(*log);
  StringRef said = text ? (*text)->getBuffer().trim() : StringRef(problem);
  if (status != 0)
    return getOperation().emitError()
           << name << " failed: " << (said.empty() ? StringRef(problem) : said);
  // Warnings, such as that of a deadline.
  if (!said.empty())
    llvm::errs() << said << "\n";
  return success();
}

LogicalResult RunMirage::run() {
  FailureOr<std::string> input = createFile("mlir"),
                         optimized = createFile("mlir"),
                         output = createFile("mlir");
  if (failed(input) || failed(optimized) || failed(output))
    return failure();
  {
    std::error_code error;
    llvm::raw_fd_ostream os(*input, error);
    if (error)
      return getOperation().emitError()
             << "cannot write '" << *input << "': " << error.message();
    getOperation()->print(
        os, OpPrintingFlags().printGenericOpForm().enableDebugInfo());
  }
  std::string optimizing =
      "--mirage-optimize=" + optimize + " interactive=false";
  std::string option = "--iree-lowering=" + lowering;
  SmallVector<StringRef> translating{"--mirage-to-iree", *optimized,
                                     "--allow-unregistered-dialect", "-o",
                                     *output};
  if (!lowering.empty())
    translating.push_back(option);
  if (failed(runTool("mirage-opt", {*input, "--allow-unregistered-dialect",
                                    optimizing, "-o", *optimized})) ||
      failed(runTool("mirage-translate", translating)))
    return failure();
  OwningOpRef<ModuleOp> result =
      parseSourceFile<ModuleOp>(*output, &getContext());
  if (!result)
    return getOperation().emitError("what mirage-translate has printed cannot "
                                    "be read");
  getOperation()->setAttrs((*result)->getAttrDictionary());
  getOperation().getBodyRegion().takeBody(result->getBodyRegion());
  return success();
}

std::unique_ptr<Pass>
mirage::iree::createRunMiragePass(RunMirageOptions options) {
  return std::make_unique<RunMirage>(std::move(options));
}

void mirage::iree::registerRunMiragePass() { PassRegistration<RunMirage>(); }
