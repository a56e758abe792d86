//===- ResumeFile.h - States of searches in a file --------------*- C++ -*-===//
//
// Keeps the file that option `resume` names: for each function, by its name,
// what the searches for it and for its pieces have generated.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TRANSFORMS_SUPEROPTIMIZE_RESUMEFILE_H
#define MIRAGE_LIB_TRANSFORMS_SUPEROPTIMIZE_RESUMEFILE_H

#include "Mirage/Search/SearchState.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mirage {

class ResumeFile {
public:
  /// An empty path stands for no file: then everything here does nothing.
  explicit ResumeFile(llvm::StringRef path) : path(path) {}

  bool isInUse() const { return !path.empty(); }
  /// Reads the file. It is no error if there is no file yet.
  mlir::LogicalResult read(mlir::Location loc);
  mlir::LogicalResult write(mlir::Location loc);

  /// Returns the state of the search for a function, or for what `entry` names
  /// of it; it is empty if the file has none. A state of another program or
  /// other options is an error at the function.
  mlir::FailureOr<search::SearchState> take(mlir::func::FuncOp function,
                                            const search::SearchState::Key &key,
                                            llvm::StringRef entry = "");
  void put(mlir::func::FuncOp function, const search::SearchState::Key &key,
           const search::SearchState &state, llvm::StringRef entry = "");

private:
  std::string path;
  llvm::json::Object states;
};

} // namespace mirage

#endif // MIRAGE_LIB_TRANSFORMS_SUPEROPTIMIZE_RESUMEFILE_H
