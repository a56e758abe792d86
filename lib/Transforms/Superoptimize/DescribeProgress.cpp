//===- DescribeProgress.cpp - Where a search is, in words -----------------===//
//
// Writes the phase, the states, what was pruned by which rule, and what was
// found.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Transforms/DescribeProgress.h"
#include "Mirage/Search/SearchReport.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mirage;
using namespace mirage::search;

std::string mirage::describe(const SearchPlace &place,
                             const SearchProgress &progress) {
  const SearchStatistics &statistics = progress.statistics;
  uint64_t states = statistics.generator.states;
  std::string text;
  llvm::raw_string_ostream os(text);
  double rate =
      static_cast<double>(states) / std::max(progress.generateSeconds, 1e-3);
  os << llvm::formatv("{0}/{1} @{2}", place.number, place.total,
                      place.function);
  if (place.equal)
    os << llvm::formatv(" (+{0} equal)", place.equal);
  os << llvm::formatv(": {0} {1}/{2}, {3} states ({4:f0}/s)", progress.phase,
                      progress.done, progress.total, states, rate);
  const char *separator = ", pruned by ";
  for (const RuleCount &rule : getPrunedCounts(statistics))
    if (rule.count) {
      std::string name = rule.rule.str();
      std::replace(name.begin(), name.end(), '_', ' ');
      os << std::exchange(separator, ", ") << name << " " << rule.count;
    }
  os << llvm::formatv("; {0} candidates, {1} verified", progress.candidates,
                      statistics.verified);
  if (progress.bestMicroseconds > 0)
    os << llvm::formatv(", best {0:f2} us", progress.bestMicroseconds);
  os << llvm::formatv("; {0:f1} s", progress.seconds);
  return text;
}
