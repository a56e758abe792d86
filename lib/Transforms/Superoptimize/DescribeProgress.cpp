//===- DescribeProgress.cpp - Where a search is, in words -----------------===//
//
// Phase, states, what was pruned by which rule, and what was found.
//
//===----------------------------------------------------------------------===//

#include "DescribeProgress.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mirage;
using namespace mirage::search;

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
