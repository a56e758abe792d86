//===- PTX.h - Lowered modules to PTX and a manifest ------------*- C++ -*-===//
//
// Declares the last step of the lowering: the NVPTX backend makes PTX of a
// module's kernels, and the host functions become a manifest that says how to
// launch them.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TARGET_PTX_H
#define MIRAGE_TARGET_PTX_H

#include "Mirage/Runtime/Manifest.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

namespace mirage {

struct PTXProgram {
  std::string ptx;
  runtime::Manifest manifest;
};

/// Translates a module that mirage-lower-to-nvvm made, and changes it. Errors
/// are diagnostics at the module's operations. One of them is a kernel that
/// refers to a function which the PTX does not define.
mlir::FailureOr<PTXProgram> translateToPTX(mlir::ModuleOp module);

/// Lowers a copy of the module with only the function `entry` and what it
/// calls, since other functions may have no lowering. Errors are at what cannot
/// be lowered. `setUp` may add to the pass manager what a tool's command line
/// asks for. Launches are tuned by their instructions (mirage-tune-launches)
/// unless they are to stay as they are, as for who measures them.
mlir::FailureOr<PTXProgram>
lowerToPTX(mlir::ModuleOp module, llvm::StringRef entry,
           llvm::function_ref<void(mlir::PassManager &)> setUp = nullptr,
           bool tunesLaunches = true);

/// Writes kernels.ptx and manifest.json into `directory`, which is created.
llvm::Error writePTXProgram(const PTXProgram &program,
                            llvm::StringRef directory);

/// Registers what translateToPTX needs: translations to LLVM IR, the NVVM
/// target, and LLVM's NVPTX backend.
void registerPTXTarget(mlir::DialectRegistry &registry);

} // namespace mirage

#endif // MIRAGE_TARGET_PTX_H
