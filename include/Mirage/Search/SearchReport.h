//===- SearchReport.h - What a search did, for people and tools -*- C++ -*-===//
//
// The counts of a search by name, its results as JSON, and as a table.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_SEARCHREPORT_H
#define MIRAGE_SEARCH_SEARCHREPORT_H

#include "Mirage/Search/KernelGraphs/KernelGraphs.h"
#include "llvm/Support/JSON.h"

namespace mirage::search {

/// How often something was done, or a rule ended something.
struct RuleCount {
  /// As in JSON: lower case, with underscores.
  llvm::StringLiteral rule;
  /// What is counted, in a few words.
  llvm::StringLiteral meaning;
  uint64_t count = 0;
};

/// What was generated, in the order in which it is, and how far.
llvm::SmallVector<RuleCount>
getGeneratedCounts(const SearchStatistics &statistics);

/// Every rule by which the generator prunes prefixes and kernels, also those
/// that pruned nothing.
llvm::SmallVector<RuleCount>
getPrunedCounts(const SearchStatistics &statistics);

/// What became of candidates.
llvm::SmallVector<RuleCount>
getVerdictCounts(const SearchStatistics &statistics);

/// What was done with pieces of the program.
llvm::SmallVector<RuleCount> getPieceCounts(const KernelGraphResult &result);

/// What became of a piece, in a word: unsupported, nothing, found, or used in
/// the kernel graph that was chosen.
llvm::StringRef getOutcome(const PieceOutcome &piece);

/// Counts, seconds of the phases, and what became of each candidate that was
/// judged, cheapest first.
llvm::json::Object toJSON(const SearchResult &result);

/// Counts, and each piece that was looked at.
llvm::json::Object toJSON(const KernelGraphResult &result);

/// The same counts and seconds, aligned, a line each.
void printTable(const SearchResult &result, llvm::raw_ostream &os);
void printTable(const KernelGraphResult &result, llvm::raw_ostream &os);

} // namespace mirage::search

#endif // MIRAGE_SEARCH_SEARCHREPORT_H
