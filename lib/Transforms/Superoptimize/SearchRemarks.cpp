//===- SearchRemarks.cpp - A search's decisions as remarks ----------------===//
//
// Emits the remarks. Those on candidates stand at the function, because the
// operators of candidates have no place in the program.
//
//===----------------------------------------------------------------------===//

#include "SearchRemarks.h"
#include "Mirage/Search/SearchReport.h"
#include "Mirage/Support/PassSupport.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace mirage;
using namespace mirage::search;

/// Prints extents of grids, without dimensions of one block, and of loops:
/// "grid 96x4 loop 4x2, grid 8 loop 1".
static std::string describeSizes(const JudgedCandidate &candidate) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(
      candidate.sizes, os,
      [&](const LaunchSizes &sizes) {
        SmallVector<int64_t> grid;
        llvm::copy_if(sizes.grid, std::back_inserter(grid),
                      [](int64_t extent) { return extent > 1; });
        os << "grid ";
        if (grid.empty())
          os << 1;
        llvm::interleave(grid, os, "x");
        os << " loop ";
        if (sizes.loops.empty())
          os << 1;
        llvm::interleave(sizes.loops, os, "x");
      },
      ", ");
  return text;
}

static void remarkOnCandidate(func::FuncOp function, size_t number,
                              const JudgedCandidate &candidate) {
  auto options =
      getRemarkOptions(kDetailsCategory, candidate.verdict.getName(), function);
  remark::detail::InFlightRemark out =
      candidate.isAccepted() ? remark::passed(function.getLoc(), options)
                             : remark::failed(function.getLoc(), options);
  out << llvm::formatv("candidate {0}", number).str()
      << remark::metric("microseconds",
                        llvm::formatv("{0:f3}", candidate.microseconds).str())
      << remark::metric("launches", candidate.sizes.size())
      << remark::metric("sizes", describeSizes(candidate));
  const Verdict &verdict = candidate.verdict;
  if (verdict.equivalence == equivalence::Equivalence::Equivalent)
    out << remark::metric("log2Error",
                          llvm::formatv("{0:f1}", verdict.log2Error).str());
  if (candidate.setAside)
    out << remark::reason("the instructions of its kernels make it slower than "
                          "the program or another candidate");
  else if (!verdict.reason.empty())
    out << remark::reason("{0}", verdict.reason);
}

void mirage::remarkOnStay(func::FuncOp function, Location loc,
                          StringRef reason) {
  remark::missed(loc, getRemarkOptions(kCategory, "unsupported", function))
      << llvm::formatv("@{0} stays as it is: {1}.", function.getName(), reason)
             .str();
}

void mirage::remarkOnSearch(func::FuncOp function, const SearchResult &result) {
  for (auto [number, candidate] : llvm::enumerate(result.judged))
    remarkOnCandidate(function, number, candidate);
  {
    auto out = remark::analysis(
        function.getLoc(),
        getRemarkOptions(kDetailsCategory, "generated", function));
    for (const RuleCount &count : getGeneratedCounts(result.statistics))
      out << remark::metric(count.rule, count.count);
  }
  for (const RuleCount &count : getPrunedCounts(result.statistics))
    remark::analysis(function.getLoc(),
                     getRemarkOptions(kDetailsCategory, count.rule, function))
        << count.meaning << remark::metric("pruned", count.count);
  remark::analysis(function.getLoc(),
                   getRemarkOptions(kDetailsCategory, "end", function))
      << stringifySearchEnd(result.end)
      << remark::metric("boundMicroseconds",
                        llvm::formatv("{0:f3}", result.bound).str());
}

static remark::detail::InFlightRemark
startRemark(Location loc, func::FuncOp function, const PieceOutcome &piece) {
  remark::RemarkOpts options =
      getRemarkOptions(kDetailsCategory, "piece", function);
  if (piece.isUsed)
    return remark::passed(loc, options);
  if (!piece.unsupported.empty())
    return remark::missed(loc, options);
  return remark::analysis(loc, options);
}

void mirage::remarkOnPieces(func::FuncOp function, const SearchSubject &subject,
                            const KernelGraphResult &result) {
  auto print = [](double microseconds) {
    return llvm::formatv("{0:f3}", microseconds).str();
  };
  for (const PieceOutcome &piece : result.pieces) {
    auto out = startRemark(subject.locations[piece.location], function, piece);
    out << getOutcome(piece)
        << remark::metric("operators", listOperators(piece))
        << remark::metric("originalMicroseconds", print(piece.plain));
    if (!piece.unsupported.empty())
      out << remark::reason("{0}", piece.unsupported);
    if (std::isfinite(piece.microseconds))
      out << remark::metric("microseconds", print(piece.microseconds))
          << remark::metric("verdict", piece.verdict.getName())
          << remark::metric("launches", piece.launches);
  }
  for (const std::string &reason : result.rejected)
    remark::failed(function.getLoc(),
                   getRemarkOptions(kDetailsCategory, "composition", function))
        << "put together, verified pieces were not accepted"
        << remark::reason("{0}", reason);
  if (result.enumerated) {
    auto out = remark::analysis(
        function.getLoc(),
        getRemarkOptions(kDetailsCategory, "pieces", function));
    for (const RuleCount &count : getPieceCounts(result))
      out << remark::metric(count.rule, count.count);
    if (result.openOrchestrations)
      out << remark::metric("largestGapMicroseconds", print(result.largestGap));
  }
}

void mirage::remarkOnAlternatives(func::FuncOp function,
                                  const SearchSubject &subject,
                                  const KernelGraphResult &result) {
  const AlternativeGraphs &made = subject.alternatives;
  for (auto [place, rules] : llvm::enumerate(made.rules)) {
    bool isUsed = llvm::is_contained(result.usedAlternatives, place);
    auto options = getRemarkOptions(kDetailsCategory, "alternative", function);
    auto out = isUsed ? remark::passed(function.getLoc(), options)
                      : remark::missed(function.getLoc(), options);
    out << llvm::formatv("{0}: {1}", rules,
                         isUsed ? "some of its kernels are taken"
                                : "none of its kernels is taken")
               .str();
  }
  if (made.isCut)
    remark::missed(function.getLoc(),
                   getRemarkOptions(kDetailsCategory, "alternatives", function))
        << llvm::formatv("Rules make more than {0} other graph{1} of @{2}; "
                         "option alternatives says how many are looked at.",
                         made.rules.size(), made.rules.size() == 1 ? "" : "s",
                         function.getName())
               .str();
  if (result.ordersLeftOut)
    remark::missed(function.getLoc(),
                   getRemarkOptions(kDetailsCategory, "orders", function))
        << llvm::formatv("Tensors between kernels of @{0} could be stored in "
                         "{1} more order{2} of dimensions than were looked at; "
                         "option orders says how many are.",
                         function.getName(), result.ordersLeftOut,
                         result.ordersLeftOut == 1 ? "" : "s")
               .str();
}
