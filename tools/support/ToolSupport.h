//===- ToolSupport.h - What every tool of Mirage sets up --------*- C++ -*-===//
//
// Declares the version that --version prints, what a crash asks its user to
// attach, and the option that writes it.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TOOLS_SUPPORT_TOOLSUPPORT_H
#define MIRAGE_TOOLS_SUPPORT_TOOLSUPPORT_H

namespace llvm::cl {
class OptionCategory;
} // namespace llvm::cl
namespace mlir {
class PassManager;
} // namespace mlir

namespace mirage {

/// Has to be called first in main(): adds "Mirage <version> (LLVM <version>)"
/// to the output of --version and replaces LLVM's request for bug reports by
/// Mirage's.
void setUpTool();

/// Adds MLIR's options for pass managers, the crash reproducer among them, to
/// the tool's own of `category`. For tools that run pipelines of their own, and
/// have to be called before options are parsed.
void addPassOptions(llvm::cl::OptionCategory &category);

/// Sets the pass manager up as these options say.
void applyPassOptions(mlir::PassManager &manager);

} // namespace mirage

#endif // MIRAGE_TOOLS_SUPPORT_TOOLSUPPORT_H
