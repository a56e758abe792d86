//===- KernelGraphReport.cpp - What became of pieces ----------------------===//
//
// Writes counts of a composition and a line for each piece, as JSON and as a
// table.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/KernelGraphs/KernelGraphs.h"
#include "Mirage/Search/SearchReport.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mirage;
using namespace mirage::search;

llvm::SmallVector<RuleCount>
mirage::search::getPieceCounts(const KernelGraphResult &result) {
  uint64_t unsupported = 0, equal = 0, states = 0, ofAlternatives = 0;
  uint64_t limited = 0;
  for (const PieceOutcome &piece : result.pieces) {
    equal += piece.equalTo.has_value();
    unsupported += !piece.equalTo && !piece.unsupported.empty();
    states += piece.statistics.generator.states;
    ofAlternatives += piece.isOfAlternative;
    limited += piece.lacksStates();
  }
  return {
      {"convex", "parts of the program that hang together", result.enumerated},
      {"unpayable", "of these, too small for any kernel to pay",
       result.prunedCost},
      {"pieces_too_large", "larger by an operator, which no piece is",
       result.leftOut.tooLarge},
      {"pieces_not_grown", "too many to look at what is larger than these",
       result.leftOut.notGrown},
      {"overlapping", "that leave some of what is read of them to others",
       result.overlapping},
      {"overlapping_left_out", "and more, which the limit leaves out",
       result.overlappingLeftOut},
      {"searched", "for which there was a search", result.searched},
      {"raised", "and another one with more states", result.raised},
      {"limited", "that had fewer states than it takes to make all graphs",
       limited},
      {"equal", "that equal another one", equal},
      {"not_supported", "that the search cannot take", unsupported},
      {"piece_states", "prefixes of block graphs, of all pieces", states},
      {"alternatives",
       "other programs of the same, whose pieces are among these",
       result.alternatives},
      {"of_alternatives", "pieces of these that were looked at",
       ofAlternatives},
      {"orders", "other orders of tensors between pieces", result.orders},
      {"orders_left_out", "and more, which the limit leaves out",
       result.ordersLeftOut},
      {"orders_used", "of the orders, that the composition has",
       result.usedOrders},
      {"orchestrations", "choices among pieces that may overlap",
       result.orchestrations},
      {"open", "of these, that may not be the cheapest",
       result.openOrchestrations},
      {"rejected", "compositions that were not accepted as wholes",
       result.rejected.size()},
  };
}

llvm::StringRef mirage::search::getOutcome(const PieceOutcome &piece) {
  if (!piece.unsupported.empty())
    return "unsupported";
  if (piece.isUsed)
    return "used";
  return std::isfinite(piece.microseconds) ? "found" : "nothing";
}

std::string mirage::search::listOperators(const PieceOutcome &piece) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(piece.operators, os,
                        [&](OpKind op) { os << getOpInfo(op).mnemonic; });
  return text;
}

llvm::json::Object mirage::search::toJSON(const KernelGraphResult &result) {
  llvm::json::Object object;
  for (const RuleCount &count : getPieceCounts(result))
    object[count.rule] = count.count;
  llvm::json::Array pieces;
  for (const PieceOutcome &piece : result.pieces) {
    llvm::json::Object entry{{"operators", listOperators(piece)},
                             {"outcome", getOutcome(piece)},
                             {"original_microseconds", piece.plain},
                             {"bound_microseconds", piece.bound}};
    if (!piece.unsupported.empty())
      entry["reason"] = piece.unsupported;
    if (piece.equalTo)
      entry["equal_to"] = *piece.equalTo;
    if (piece.isOfAlternative)
      entry["of_alternative"] = true;
    if (std::isfinite(piece.microseconds)) {
      entry["microseconds"] = piece.microseconds;
      entry["verdict"] = piece.verdict.getName();
      entry["launches"] = piece.launches;
    }
    if (piece.unsupported.empty())
      entry["end"] = stringifySearchEnd(piece.end);
    entry["states"] = piece.statistics.generator.states;
    pieces.push_back(std::move(entry));
  }
  object["pieces"] = std::move(pieces);
  object["work"] = result.work;
  object["is_exact"] = result.isExact;
  if (result.openOrchestrations && std::isfinite(result.largestGap))
    object["largest_gap_microseconds"] = result.largestGap;
  if (result.alternatives)
    object["used_alternatives"] = llvm::json::Array(result.usedAlternatives);
  object["end"] = stringifySearchEnd(result.end);
  if (std::isfinite(result.bound))
    object["bound_microseconds"] = result.bound;
  llvm::json::Array rejected;
  for (const std::string &reason : result.rejected)
    rejected.push_back(reason);
  object["rejections"] = std::move(rejected);
  if (result.best) {
    object["microseconds"] = result.best->microseconds;
    object["kernels"] = result.best->kernels;
    object["verdict"] = result.best->verdict.getName();
  }
  return object;
}

void mirage::search::printTable(const KernelGraphResult &result,
                                llvm::raw_ostream &os) {
  os << "pieces\n";
  for (const RuleCount &count : getPieceCounts(result))
    os << llvm::formatv("  {0,-16}{1,12}  {2}\n", count.rule, count.count,
                        count.meaning);
  for (const PieceOutcome &piece : result.pieces) {
    os << llvm::formatv("  {0,-12}{1,8:f2} us", getOutcome(piece), piece.plain);
    if (std::isfinite(piece.microseconds))
      os << llvm::formatv(" -> {0:f2} us", piece.microseconds);
    os << "  " << listOperators(piece) << "\n";
  }
}
