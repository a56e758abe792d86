//===- DescribeProgress.cpp - Where a search is, in words -----------------===//
//
// Writes what a reader wants to know first at the left, and leaves out at the
// right what no longer fits.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Transforms/DescribeProgress.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mirage;
using namespace mirage::search;

/// The columns of a line; a terminal's last column stays free.
static constexpr size_t kColumns = 79;
/// The columns of a function's name.
static constexpr size_t kNameColumns = 24;

/// Shortens a name in its middle: its end tells functions of one model apart.
static std::string shorten(llvm::StringRef name) {
  if (name.size() <= kNameColumns)
    return name.str();
  size_t end = (kNameColumns - 2) / 2;
  return (name.take_front(kNameColumns - 2 - end) + ".." + name.take_back(end))
      .str();
}

/// Prints a number in at most five characters: 999, 48.2k, 3.1M.
static std::string printCount(uint64_t number) {
  double value = static_cast<double>(number);
  for (const char *unit : {"", "k", "M", "G", "T"}) {
    if (value < 999.5)
      return llvm::formatv(*unit && value < 99.95 ? "{0:f1}{1}" : "{0:f0}{1}",
                           value, unit);
    value /= 1000;
  }
  return "many";
}

std::string mirage::describe(const SearchPlace &place,
                             const SearchProgress &progress) {
  std::string text = llvm::formatv("{0}/{1} @{2}", place.number, place.total,
                                   shorten(place.function));
  double best = place.originalMicroseconds;
  if (progress.bestMicroseconds > 0)
    best = std::min(best, progress.bestMicroseconds);
  text += llvm::formatv(": best {0:f2}/{1:f2} us, {2:f1} s", best,
                        place.originalMicroseconds, progress.seconds)
              .str();
  auto addIfFits = [&](const std::string &part) {
    bool fits = text.size() + part.size() <= kColumns;
    if (fits)
      text += part;
    return fits;
  };
  std::string phase = "; " + progress.phase.str();
  // Some phases have no parts that could be counted.
  if (progress.total == 0 ||
      !addIfFits(
          llvm::formatv("{0} {1}/{2}", phase, progress.done, progress.total)))
    addIfFits(phase);
  if (place.equal)
    addIfFits(llvm::formatv(", {0} equal", place.equal));
  // A search that has generated nothing has found nothing to speak of.
  uint64_t states = progress.statistics.generator.states;
  if (states || progress.candidates) {
    addIfFits(llvm::formatv(", {0} found", printCount(progress.candidates)));
    addIfFits(llvm::formatv(", {0} states", printCount(states)));
  }
  if (text.size() > kColumns)
    text.resize(kColumns);
  return text;
}

std::string mirage::describeTuning(llvm::StringRef function, size_t number,
                                   size_t total, double seconds, size_t ways) {
  return llvm::formatv(
      "{0}/{1} launches, {2:f1} s; {3}one of @{4}", number, total, seconds,
      ways ? llvm::formatv("{0} ways of ", ways).str() : "", shorten(function));
}

std::string mirage::describeStage(llvm::StringRef stage, size_t number,
                                  size_t total, double seconds) {
  return llvm::formatv("{0}/{1} {2}, {3:f1} s", number, total, stage, seconds);
}
