//===- SearchReport.cpp - What a search did, for people and tools ---------===//
//
// Names the counts of SearchStatistics and lists them.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/SearchReport.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mirage;
using namespace mirage::search;

llvm::SmallVector<RuleCount>
mirage::search::getPrunedCounts(const SearchStatistics &statistics) {
  const GeneratorStatistics &generator = statistics.generator;
  return {
      {"expression", "prefixes that are no subexpression of a result",
       generator.prunedExpression},
      {"dead_end",
       "prefixes with values that too few operators are left to use",
       generator.prunedDeadEnd},
      {"recomputation", "prefixes that compute what was computed already",
       generator.prunedRecomputation},
      {"order", "prefixes that scale before what is linear",
       generator.prunedOrder},
      {"memory", "values that fit into shared memory at no size",
       generator.prunedMemory},
      {"sizes", "prefixes that fit the target at no sizes, by Z3",
       generator.prunedSizes},
      {"grid", "grids and loads that leave a block without what results need",
       statistics.prunedGrid},
      {"cost", "first kernels that cannot lead to a faster program",
       statistics.prunedCost},
      {"too_large", "candidates that fit the target at no size",
       statistics.tooLarge},
      {"slow",
       "candidates that take a tenth more than the cheapest, or fit "
       "the target at no size",
       statistics.postponed},
      {"repeated", "candidates with the graph of another one",
       statistics.repeated},
  };
}

llvm::SmallVector<RuleCount>
mirage::search::getVerdictCounts(const SearchStatistics &statistics) {
  return {
      {"accepted", "proved, or equivalent by tests, and stable",
       statistics.verified},
      {"refuted", "compute something else", statistics.refuted},
      {"unstable", "err too much in floating point", statistics.unstable},
      {"unknown", "could not be decided", statistics.unknown},
  };
}

llvm::SmallVector<RuleCount>
mirage::search::getGeneratedCounts(const SearchStatistics &statistics) {
  return {
      {"configurations", "grids, loops and loads of launches",
       statistics.generator.configurations},
      {"states", "prefixes of block graphs", statistics.generator.states},
      {"complete", "block graphs that compute a result",
       statistics.generator.complete},
      {"first_kernels", "kernels that others can follow",
       statistics.firstKernels},
      {"interfaces", "sets of tensors that they leave", statistics.interfaces},
      {"candidates", "programs with sizes", statistics.candidates},
      {"single_operators", "of graphs of one kernel, all that were generated",
       statistics.singleOperators},
      {"loop_operators",
       "of graphs with several loops, all that were generated",
       statistics.loopOperators},
      {"first_operators", "of graphs of first kernels, all that were generated",
       statistics.firstOperators},
      {"cut_interfaces", "sets of tensors not all continuations of which were",
       statistics.cutInterfaces},
  };
}

static llvm::json::Object toJSON(llvm::ArrayRef<RuleCount> counts) {
  llvm::json::Object object;
  for (const RuleCount &count : counts)
    object[count.rule] = count.count;
  return object;
}

llvm::StringRef mirage::search::stringifySearchEnd(SearchEnd end) {
  switch (end) {
  case SearchEnd::Bound:
    return "bound";
  case SearchEnd::Exhausted:
    return "exhausted";
  case SearchEnd::Operators:
    return "operators";
  case SearchEnd::NoGain:
    return "no-gain";
  case SearchEnd::Pieces:
    return "pieces";
  case SearchEnd::Configurations:
    return "configurations";
  case SearchEnd::States:
    return "states";
  case SearchEnd::Effort:
    return "effort";
  case SearchEnd::Time:
    return "time";
  case SearchEnd::Interruption:
    return "interruption";
  }
  llvm_unreachable("unknown end");
}

llvm::json::Object mirage::search::toJSON(const SearchResult &result) {
  const SearchStatistics &statistics = result.statistics;
  llvm::json::Object object = ::toJSON(getGeneratedCounts(statistics));
  object["pruned"] = ::toJSON(getPrunedCounts(statistics));
  object["verdicts"] = ::toJSON(getVerdictCounts(statistics));
  object["seconds"] =
      llvm::json::Object{{"generate", statistics.generateSeconds},
                         {"choose_sizes", statistics.chooseSeconds},
                         {"verify", statistics.verifySeconds}};
  object["end"] = stringifySearchEnd(result.end);
  object["bound_microseconds"] = result.bound;
  if (std::isfinite(result.cheapest))
    object["cheapest_microseconds"] = result.cheapest;
  object["was_cut"] = result.wasCut();
  llvm::json::Array judged;
  for (const JudgedCandidate &candidate : result.judged) {
    llvm::json::Object entry{{"microseconds", candidate.microseconds},
                             {"launches", candidate.candidate.launches.size()},
                             {"verdict", candidate.verdict.getName()},
                             {"verified", candidate.isVerified}};
    const Verdict &verdict = candidate.verdict;
    if (!verdict.reason.empty())
      entry["reason"] = verdict.reason;
    if (verdict.equivalence == equivalence::Equivalence::Equivalent)
      entry["log2_error"] = verdict.log2Error;
    judged.push_back(std::move(entry));
  }
  object["judged"] = std::move(judged);
  return object;
}

void mirage::search::printTable(const SearchResult &result,
                                llvm::raw_ostream &os) {
  const SearchStatistics &statistics = result.statistics;
  auto print = [&](llvm::StringRef title, llvm::ArrayRef<RuleCount> counts) {
    os << title << "\n";
    for (const RuleCount &count : counts)
      os << llvm::formatv("  {0,-16}{1,12}  {2}\n", count.rule, count.count,
                          count.meaning);
  };
  print("generated", getGeneratedCounts(statistics));
  print("pruned", getPrunedCounts(statistics));
  print("judged", getVerdictCounts(statistics));
  os << llvm::formatv("seconds\n  {0,-16}{1,12:f2}\n  {2,-16}{3,12:f2}\n"
                      "  {4,-16}{5,12:f2}\n",
                      "generate", statistics.generateSeconds, "choose_sizes",
                      statistics.chooseSeconds, "verify",
                      statistics.verifySeconds);
}
