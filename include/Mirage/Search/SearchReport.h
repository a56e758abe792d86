//===- SearchReport.h - What a search did, for people and tools -*- C++ -*-===//
//
// A report has the counts of a search by name, and its results as JSON and as a
// table.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_SEARCHREPORT_H
#define MIRAGE_SEARCH_SEARCHREPORT_H

#include "Mirage/Search/KernelGraphs/KernelGraphs.h"
#include "llvm/Support/JSON.h"

namespace mirage::search {

/// Counts how often something was done, or how often a rule ended something.
struct RuleCount {
  /// The key in JSON: lower case, with underscores.
  llvm::StringLiteral rule;
  /// A few words that say what is counted.
  llvm::StringLiteral meaning;
  uint64_t count = 0;
};

/// Returns the counts of what was generated, in the order in which it is, and
/// the numbers of operators up to which it was.
llvm::SmallVector<RuleCount>
getGeneratedCounts(const SearchStatistics &statistics);

/// Returns how often each rule pruned a prefix or a kernel. Rules that pruned
/// nothing are listed, too.
llvm::SmallVector<RuleCount>
getPrunedCounts(const SearchStatistics &statistics);

/// Returns how many candidates had each verdict.
llvm::SmallVector<RuleCount>
getVerdictCounts(const SearchStatistics &statistics);

/// Returns the counts of what was done with pieces of the program.
llvm::SmallVector<RuleCount> getPieceCounts(const KernelGraphResult &result);

/// Returns a word for what became of a piece: "unsupported", "nothing",
/// "found", or "used" if it is part of the kernel graph that was chosen.
llvm::StringRef getOutcome(const PieceOutcome &piece);

/// Returns the names of a piece's operators with commas between them.
std::string listOperators(const PieceOutcome &piece);

/// Returns counts, seconds of the phases, and the verdict of each candidate
/// that was judged, cheapest first.
llvm::json::Object toJSON(const SearchResult &result);

/// Returns counts, and each piece that was looked at.
llvm::json::Object toJSON(const KernelGraphResult &result);

/// Prints the same counts and seconds, aligned, each on a line.
void printTable(const SearchResult &result, llvm::raw_ostream &os);
void printTable(const KernelGraphResult &result, llvm::raw_ostream &os);

} // namespace mirage::search

#endif // MIRAGE_SEARCH_SEARCHREPORT_H
