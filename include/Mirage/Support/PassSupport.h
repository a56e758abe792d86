//===- PassSupport.h - What passes share ------------------------*- C++ -*-===//
//
// Declares how passes check their options, which name functions, targets or
// files, and how their remarks speak of functions.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SUPPORT_PASSSUPPORT_H
#define MIRAGE_SUPPORT_PASSSUPPORT_H

#include "Mirage/Semantics/Target.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/JSON.h"

namespace mirage {

/// A rule that an option must obey: "at least 1", say. `holds` is written so
/// that NaN fails it.
struct OptionRule {
  bool holds;
  llvm::StringRef option;
  std::string rule;
};

/// Emits an error for the first rule that does not hold. The error is at a
/// location and not at an operation, because the module would be printed with
/// an operation.
mlir::LogicalResult checkOptions(mlir::Location loc, llvm::StringRef pass,
                                 llvm::ArrayRef<OptionRule> rules);

/// Returns the module's function that option `function` names, with or without
/// @.
mlir::FailureOr<mlir::func::FuncOp> lookupFunction(mlir::ModuleOp module,
                                                   llvm::StringRef name);

/// Returns the preset that option `target` names. Without a name it is the
/// target that holds at the operation, and sm_90a if none does.
mlir::FailureOr<TargetDescription> findTarget(mlir::Operation *op,
                                              llvm::StringRef chip);

/// A file that an option names: no name stands for none, "-" for standard
/// output.
struct OptionFile {
  llvm::StringRef option, path;
  bool isWritten = true;
};

/// Fails if files cannot be written, or if two of them are one, so that nobody
/// waits for results that would be lost.
mlir::LogicalResult checkOptionFiles(mlir::Location loc,
                                     llvm::ArrayRef<OptionFile> files);

/// Reads the file that an option names.
mlir::FailureOr<llvm::json::Value> readOptionJSON(mlir::Location loc,
                                                  llvm::StringRef option,
                                                  llvm::StringRef path);

/// Writes the file that an option names. The old content stays until all is
/// written.
mlir::LogicalResult
writeOptionFile(mlir::Location loc, llvm::StringRef option,
                llvm::StringRef path,
                llvm::function_ref<void(llvm::raw_ostream &)> write);

/// Emits a remark of the category `pass`.
mlir::remark::RemarkOpts getRemarkOptions(llvm::StringRef pass,
                                          llvm::StringRef name,
                                          mlir::func::FuncOp function);

} // namespace mirage

#endif // MIRAGE_SUPPORT_PASSSUPPORT_H
