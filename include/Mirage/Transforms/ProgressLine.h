//===- ProgressLine.h - Where a search is, on stderr ------------*- C++ -*-===//
//
// Prints one line that is overwritten on a terminal. Elsewhere it prints a line
// every few seconds, so that logs stay short and those of short searches empty.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TRANSFORMS_PROGRESSLINE_H
#define MIRAGE_LIB_TRANSFORMS_PROGRESSLINE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace mirage {

class ProgressLine {
public:
  explicit ProgressLine(llvm::raw_ostream &os);
  /// Shows what `describe` says if a line is due so many seconds after the
  /// search began.
  void show(double seconds, llvm::function_ref<std::string()> describe);
  /// Removes the line from the terminal.
  void clear();

private:
  llvm::raw_ostream &os;
  bool isTerminal;
  /// Seconds of the search at which the next line is due.
  double due;
  size_t width = 0;
};

} // namespace mirage

#endif // MIRAGE_LIB_TRANSFORMS_PROGRESSLINE_H
