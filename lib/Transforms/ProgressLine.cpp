//===- ProgressLine.cpp - Where a search is, on stderr --------------------===//
//
// Decides when the line is due, and overwrites it.
//
//===----------------------------------------------------------------------===//

#include "ProgressLine.h"
#include "llvm/Support/Process.h"

using namespace mirage;

/// Seconds between lines.
static constexpr double kOnTerminal = 0.2, kInLog = 5;

ProgressLine::ProgressLine(llvm::raw_ostream &os)
    : os(os), isTerminal(os.is_displayed()),
      due(isTerminal ? kOnTerminal : kInLog) {}

void ProgressLine::clear() {
  if (width)
    os << "\r" << std::string(width, ' ') << "\r";
  width = 0;
}

void ProgressLine::show(double seconds,
                        llvm::function_ref<std::string()> describe) {
  if (seconds < due)
    return;
  due = seconds + (isTerminal ? kOnTerminal : kInLog);
  std::string text = describe();
  if (!isTerminal) {
    os << text << "\n";
    return;
  }
  // A line that wraps could not be overwritten.
  if (unsigned columns = llvm::sys::Process::StandardErrColumns())
    text.resize(std::min<size_t>(text.size(), columns - 1));
  os << "\r" << text;
  if (text.size() < width)
    os << std::string(width - text.size(), ' ');
  width = text.size();
}
