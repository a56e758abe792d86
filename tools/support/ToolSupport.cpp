//===- ToolSupport.cpp - What every tool of Mirage sets up ----------------===//
//
// Implements the version that --version prints, what a crash asks its user to
// attach, and the option that writes it.
//
//===----------------------------------------------------------------------===//

#include "ToolSupport.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/raw_ostream.h"
#ifdef __GLIBC__
#include <malloc.h>
#endif

/// The text that is printed above the stack trace of a crash.
static constexpr const char bugReport[] =
    "This is a bug in Mirage or in the MLIR below it. Please report it and "
    "attach:\n"
    "  1. the input file and the whole command line,\n"
    "  2. the output of --version,\n"
    "  3. everything printed below,\n"
    "  4. if a pass crashed, the file that the option\n"
    "     --mlir-pass-pipeline-crash-reproducer=reproducer.mlir writes.\n";

/// Keeps memory that was freed. Programs with masks are run in floating point
/// with tensors of tens of megabytes, each of which would be mapped anew, page
/// by page: that is a quarter of the time that verification of them takes.
static void keepFreedMemory() {
#ifdef __GLIBC__
  constexpr int most = 1 << 30;
  mallopt(M_MMAP_THRESHOLD, most);
  mallopt(M_TRIM_THRESHOLD, most);
#endif
}

void mirage::setUpTool() {
  keepFreedMemory();
  llvm::cl::AddExtraVersionPrinter([](llvm::raw_ostream &os) {
    os << "Mirage " MIRAGE_VERSION " (LLVM " LLVM_VERSION_STRING ")\n";
  });
  llvm::setBugReportMsg(bugReport);
}

void mirage::addPassOptions(llvm::cl::OptionCategory &category) {
  mlir::registerPassManagerCLOptions();
  llvm::cl::getRegisteredOptions()
      .find("mlir-pass-pipeline-crash-reproducer")
      ->second->addCategory(category);
}

void mirage::applyPassOptions(mlir::PassManager &manager) {
  // It can fail only where the options are not registered.
  (void)mlir::applyPassManagerCLOptions(manager);
}
