//===- KernelGraphs.h - Kernel graphs of several pieces ---------*- C++ -*-===//
//
// The layer above superoptimize(): kernel graphs of pre-defined and
// graph-defined operators (Mirage paper, section 4.1). A program is cut into
// convex pieces; a piece is replaced by the best verified µGraph that a search
// for it alone finds, or its operators stay pre-defined kernels, which is what
// operators always do that the search cannot take. The cheapest way to put
// pieces together, by the cost model, is taken. Knows no IR. Results do not
// depend on the number of threads.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_KERNELGRAPHS_KERNELGRAPHS_H
#define MIRAGE_SEARCH_KERNELGRAPHS_KERNELGRAPHS_H

#include "Mirage/Search/KernelGraphs/ProgramPieces.h"
#include "Mirage/Search/Superoptimizer.h"

namespace mirage::search {

struct KernelGraphOptions {
  /// Of searches for pieces. The deadline is that of all of them together.
  SearchOptions search;
  /// Kernels, pre-defined ones among them; a program that has more may keep as
  /// many.
  unsigned kernelOperators = 5;
  /// Different pieces that are searched for, and the states of each phase of
  /// such a search.
  unsigned pieces = 4;
  uint64_t pieceStates = 300'000;
  /// The part of the time that a replacement, of a piece or of the program,
  /// must gain at least.
  double minGain = 0.01;
};

/// What became of a piece that was looked at.
struct PieceOutcome {
  UnitSet units;
  /// Its operators by name, and MuNode::location of the first.
  std::string operators;
  unsigned location = 0;
  /// The first outcome with an equal program, if there is one; its search is
  /// this one's.
  std::optional<unsigned> equalTo;
  /// Why the search cannot take it. Then the rest but `plain` says nothing.
  std::string unsupported;
  /// Microseconds in the program: of its own kernels, the least that any could
  /// take, and of the best verified µGraph, infinite if there is none.
  double plain = 0, bound = 0, microseconds = 0;
  unsigned launches = 0;
  Verdict verdict = Verdict::Unknown;
  double log2Error = 0;
  SearchStatistics statistics;
  bool wasCut = false;
  /// It is part of the kernel graph that was chosen.
  bool isUsed = false;
};

/// A program made of verified pieces and pre-defined kernels.
struct KernelGraph {
  MuGraph graph;
  double microseconds = 0;
  unsigned kernels = 0;
  /// Proved or Equivalent, with the probability of overlooking a difference.
  Verdict verdict = Verdict::Unknown;
  double log2Error = 0;
  /// It was proved, or tested, as a whole. Otherwise it is right because its
  /// pieces are (docs/Search.md).
  bool isVerifiedWhole = false;
};

struct KernelGraphResult {
  std::vector<PieceOutcome> pieces;
  /// The cheapest if it pays.
  std::optional<KernelGraph> best;
  /// Convex pieces, and those that were not searched for as no µGraph of theirs
  /// could pay.
  uint64_t enumerated = 0, prunedCost = 0;
  /// Searched for; of these, as many as the limit allows.
  uint64_t searched = 0;
  bool wasCut = false, isLimited = false;
  /// All ways to cut the program were looked at, not only those along its own
  /// order.
  bool isExact = true;
  /// Compositions that were not accepted as wholes, with what was wrong.
  std::vector<std::string> rejected;
};

struct KernelGraphControl {
  std::function<void(const SearchProgress &)> report;
  const std::atomic<bool> *stop = nullptr;
  /// The state of the search for a piece, if it is to be kept: what an earlier
  /// one has generated, to be added to.
  std::function<SearchState *(const MuGraph &piece, const SearchOptions &)>
      getState;
};

/// Puts together a kernel graph that is faster than `known` microseconds by the
/// least gain. Pieces are all but the whole program, for which superoptimize()
/// searches.
KernelGraphResult composeKernelGraph(const MuGraph &program, double known,
                                     const KernelGraphOptions &options,
                                     const KernelGraphControl &control = {});

} // namespace mirage::search

#endif // MIRAGE_SEARCH_KERNELGRAPHS_KERNELGRAPHS_H
