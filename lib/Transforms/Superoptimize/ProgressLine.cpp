//===- ProgressLine.cpp - Where a search is, on stderr --------------------===//
//
// Text of a search's progress, and when it is due.
//
//===----------------------------------------------------------------------===//

#include "ProgressLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"

using namespace mirage;
using namespace mirage::search;

/// Seconds between lines.
static constexpr double kOnTerminal = 0.2, kInLog = 5;

std::string mirage::describe(llvm::StringRef function,
                             const SearchProgress &progress) {
  const GeneratorStatistics &counts = progress.generator;
  std::string text;
  llvm::raw_string_ostream os(text);
  double rate = static_cast<double>(counts.states) /
                std::max(progress.generateSeconds, 1e-3);
  os << llvm::formatv("@{0}: {1} {2}/{3}, {4} states ({5:f0}/s)", function,
                      progress.phase, progress.done, progress.total,
                      counts.states, rate);
  std::pair<const char *, uint64_t> rules[] = {
      {"expression", counts.prunedExpression},
      {"dead end", counts.prunedDeadEnd},
      {"recomputation", counts.prunedRecomputation},
      {"order", counts.prunedOrder},
      {"memory", counts.prunedMemory},
      {"sizes", counts.prunedSizes},
      {"cost", progress.prunedCost},
      {"too large", progress.tooLarge}};
  const char *separator = ", pruned by ";
  for (auto [rule, count] : rules)
    if (count)
      os << std::exchange(separator, ", ") << rule << " " << count;
  os << llvm::formatv("; {0} candidates, {1} verified", progress.candidates,
                      progress.verified);
  if (progress.bestMicroseconds > 0)
    os << llvm::formatv(", best {0:f2} us", progress.bestMicroseconds);
  os << llvm::formatv("; {0:f1} s", progress.seconds);
  return text;
}

ProgressLine::ProgressLine(llvm::StringRef function, llvm::raw_ostream &os)
    : function(function.str()), os(os), isTerminal(os.is_displayed()),
      due(isTerminal ? kOnTerminal : kInLog) {}

void ProgressLine::clear() {
  if (width)
    os << "\r" << std::string(width, ' ') << "\r";
  width = 0;
}

void ProgressLine::show(const SearchProgress &progress) {
  if (progress.seconds < due)
    return;
  due = progress.seconds + (isTerminal ? kOnTerminal : kInLog);
  std::string text = describe(function, progress);
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
