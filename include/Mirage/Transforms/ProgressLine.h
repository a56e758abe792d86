//===- ProgressLine.h - Where a compilation is, on stderr -------*- C++ -*-===//
//
// Prints one line that is overwritten on a terminal. Elsewhere it prints a line
// every few seconds, so that logs stay short and those of short searches empty.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TRANSFORMS_PROGRESSLINE_H
#define MIRAGE_TRANSFORMS_PROGRESSLINE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <optional>
#include <string>

namespace mirage {

class ProgressLine {
public:
  explicit ProgressLine(llvm::raw_ostream &os);
  ~ProgressLine();
  ProgressLine(const ProgressLine &) = delete;
  ProgressLine &operator=(const ProgressLine &) = delete;

  /// Shows what `describe` says if a line is due so many seconds after the
  /// search began.
  void show(double seconds, llvm::function_ref<std::string()> describe);
  /// Removes the line from the terminal.
  void clear();

  /// Returns true if there is any line in the process.
  static bool isAnyThere();

private:
  llvm::raw_ostream &os;
  bool isTerminal;
  /// Seconds of the search at which the next line is due.
  double due;
  size_t width = 0;
};

/// Says how far a stage of the lowering is: "12/80 launches scheduled, 1.2 s".
/// It says nothing unless the tool has asked for it, since others keep stderr
/// to themselves, nor while a line of another one is there, which lowers
/// kernels to price them.
class StageProgress {
public:
  /// The stage has `total` parts, which `stage` names.
  StageProgress(llvm::StringRef stage, size_t total);
  ~StageProgress();

  /// Says that the next part begins.
  void next();
  /// Does so for a part that begins so many seconds after the stage.
  void next(double seconds);

  /// Lets the stages of the process write to `os`, or to nothing if it is null.
  static void setStream(llvm::raw_ostream *os);

private:
  std::string stage;
  size_t number = 0, total;
  std::chrono::steady_clock::time_point begin;
  std::optional<ProgressLine> line;
};

} // namespace mirage

#endif // MIRAGE_TRANSFORMS_PROGRESSLINE_H
