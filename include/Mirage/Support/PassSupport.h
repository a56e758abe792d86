//===- PassSupport.h - What passes share ------------------------*- C++ -*-===//
//
// Options that are checked, that name a function, a target or a file, and the
// remarks of passes that speak of functions.
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

/// What an option must be: "at least 1", say. `holds` is written so that NaN
/// fails it.
struct OptionRule {
  bool holds;
  llvm::StringRef option;
  std::string rule;
};

/// An error for the first rule that does not hold. It is at a location and not
/// at an operation, with which the module would be printed.
mlir::LogicalResult checkOptions(mlir::Location loc, llvm::StringRef pass,
                                 llvm::ArrayRef<OptionRule> rules);

/// The module's function that option `function` names, with or without @.
mlir::FailureOr<mlir::func::FuncOp> lookupFunction(mlir::ModuleOp module,
                                                   llvm::StringRef name);

/// The preset that option `target` names; without one the target that holds at
/// the operation, and sm_90a if none does.
mlir::FailureOr<TargetDescription> findTarget(mlir::Operation *op,
                                              llvm::StringRef chip);

/// A file that an option names; no name for none, "-" for standard output.
struct OptionFile {
  llvm::StringRef option, path;
  bool isWritten = true;
};

/// Fails if files cannot be written, or two of them are one, so that nobody
/// waits for what would be lost.
mlir::LogicalResult checkOptionFiles(mlir::Location loc,
                                     llvm::ArrayRef<OptionFile> files);

/// Reads the file that an option names.
mlir::FailureOr<llvm::json::Value> readOptionJSON(mlir::Location loc,
                                                  llvm::StringRef option,
                                                  llvm::StringRef path);

/// Writes the file that an option names. What was there stays until all is
/// written.
mlir::LogicalResult
writeOptionFile(mlir::Location loc, llvm::StringRef option,
                llvm::StringRef path,
                llvm::function_ref<void(llvm::raw_ostream &)> write);

/// Of the category `pass`.
mlir::remark::RemarkOpts getRemarkOptions(llvm::StringRef pass,
                                          llvm::StringRef name,
                                          mlir::func::FuncOp function);

} // namespace mirage

#endif // MIRAGE_SUPPORT_PASSSUPPORT_H
