//===- ProgressLine.h - Where a search is, on stderr ------------*- C++ -*-===//
//
// One line that is overwritten on a terminal; elsewhere a line every few
// seconds, so that logs stay short and those of short searches empty.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TRANSFORMS_SUPEROPTIMIZE_PROGRESSLINE_H
#define MIRAGE_LIB_TRANSFORMS_SUPEROPTIMIZE_PROGRESSLINE_H

#include "Mirage/Search/Superoptimizer.h"
#include "llvm/Support/raw_ostream.h"

namespace mirage {

class ProgressLine {
public:
  ProgressLine(llvm::StringRef function, llvm::raw_ostream &os);
  void show(const search::SearchProgress &progress);
  /// Removes the line from the terminal.
  void clear();

private:
  std::string function;
  llvm::raw_ostream &os;
  bool isTerminal;
  /// Seconds of the search at which the next line is due.
  double due;
  size_t width = 0;
};

/// "@f: one kernel 12/80, 48210 states (96420/s), ...".
std::string describe(llvm::StringRef function,
                     const search::SearchProgress &progress);

} // namespace mirage

#endif // MIRAGE_LIB_TRANSFORMS_SUPEROPTIMIZE_PROGRESSLINE_H
