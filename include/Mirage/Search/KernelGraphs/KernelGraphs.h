//===- KernelGraphs.h - Kernel graphs of several pieces ---------*- C++ -*-===//
//
// The layer above superoptimize(): kernel graphs of pre-defined and
// graph-defined operators (Mirage paper, section 4.1). A program is cut into
// convex pieces, which may overlap; a piece is replaced by the best verified
// µGraph that a search for it alone finds, or its operators stay pre-defined
// kernels, which is what operators always do that the search cannot take. The
// cheapest way to put pieces together, by the cost model, is taken. Knows no
// IR. Results do not depend on the number of threads.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_KERNELGRAPHS_KERNELGRAPHS_H
#define MIRAGE_SEARCH_KERNELGRAPHS_KERNELGRAPHS_H

#include "Mirage/Search/KernelGraphs/ProgramPieces.h"
#include "Mirage/Search/KernelGraphs/ProgramPricer.h"
#include "Mirage/Search/Superoptimizer.h"

namespace mirage::search {

struct KernelGraphOptions {
  /// Options of the searches for the whole and for pieces, but for the numbers
  /// of states. Their deadline is that of all searches together.
  SearchOptions search;
  /// The most kernels, pre-defined ones among them; a program that has more may
  /// keep as many.
  unsigned kernelOperators = 5;
  /// Pieces are searched for, and not the whole alone.
  bool pieces = true;
  /// The most orders of dimensions in which tensors between kernels may be
  /// stored beside the program's.
  unsigned orders = 4;
  /// Says what programs take. Without one, each operator is a kernel of a
  /// library.
  ProgramPricer *pricer = nullptr;
  /// The work of all searches for a program of few operators together: states,
  /// and what it takes to begin a search, to choose sizes and to judge
  /// candidates, in states. A program of n operators has n^3 / 2000 times as
  /// much besides. The searches go on while they find faster programs.
  uint64_t effort = kDefaultEffort;
  static constexpr uint64_t kDefaultEffort = 2'000'000;
  static constexpr uint64_t kUnlimited = std::numeric_limits<uint64_t>::max();
};

/// Says what became of a piece that was looked at.
struct PieceOutcome {
  /// What the piece computes, and what it writes.
  UnitSet units, outputs;
  /// The piece's operators in the program's order, without constants, and
  /// MuNode::location of the first.
  llvm::SmallVector<OpKind> operators;
  unsigned location = 0;
  /// The first outcome with an equal program, if there is one. There was one
  /// search for both.
  std::optional<unsigned> equalTo;
  /// The reason why the search cannot take the piece. If there is one, nothing
  /// else but `plain` is known.
  std::string unsupported;
  /// Microseconds in the program: of the piece's own kernels; the least that
  /// any kernels could take; and of the best verified µGraph, infinite if there
  /// is none.
  double plain = 0, bound = 0, microseconds = 0;
  /// Microseconds above which a µGraph of the piece alone was not worth to be
  /// verified: no program with it is faster than what was known.
  double paying = 0;
  /// The states that each phase of the last search for the piece had.
  uint64_t states = 0;
  unsigned launches = 0;
  Verdict verdict;
  SearchStatistics statistics;
  /// What ended the search for the piece.
  SearchEnd end = SearchEnd::Exhausted;
  /// All questions were asked about the piece alone. Otherwise they are asked
  /// about what it is part of.
  bool isVerified = false;
  /// The piece is part of the kernel graph that was chosen.
  bool isUsed = false;
  /// The piece is one of an alternative of the program, whose units these are.
  bool isOfAlternative = false;

  /// Returns whether there was a search for the piece, and not for an equal
  /// one, that had fewer states than it takes to make all graphs.
  bool lacksStates() const {
    return !equalTo && unsupported.empty() &&
           (end == SearchEnd::NoGain || end == SearchEnd::Configurations ||
            end == SearchEnd::States);
  }
};

/// A program made of verified pieces and pre-defined kernels.
struct KernelGraph {
  MuGraph graph;
  /// Its time as KernelGraphOptions::pricer says.
  double microseconds = 0;
  unsigned kernels = 0;
  /// The verdict on the graph as a whole: an acceptance, with the probability
  /// of overlooking a difference.
  Verdict verdict;
};

struct KernelGraphResult {
  std::vector<PieceOutcome> pieces;
  /// The cheapest kernel graph, if it pays.
  std::optional<KernelGraph> best;
  /// The number of convex pieces, and of those that were not searched for
  /// because no µGraph of theirs could pay.
  uint64_t enumerated = 0, prunedCost = 0;
  /// The sets of units that are no pieces because of the limits of these.
  ProgramUnits::LeftOut leftOut;
  /// The number of pieces that leave out some of what is read of them, so that
  /// others compute it again, and of those that a limit has left out, whether
  /// they could pay or not.
  uint64_t overlapping = 0, overlappingLeftOut = 0;
  /// How often pieces that may overlap were chosen by a binary program, and how
  /// often its limits were reached, so that there may be a cheaper choice; and
  /// how many microseconds cheaper it may be, at most, in any of these cases.
  uint64_t orchestrations = 0, openOrchestrations = 0;
  double largestGap = 0;
  /// The number of alternatives that compute something that the program does
  /// not, and those of which the kernel graph that was chosen has kernels, by
  /// their places.
  uint64_t alternatives = 0;
  llvm::SmallVector<unsigned> usedAlternatives;
  /// The number of orders in which tensors between kernels may be stored
  /// besides their own, of those that a limit has left out, and of those that
  /// the kernel graph that was chosen has.
  uint64_t orders = 0, ordersLeftOut = 0, usedOrders = 0;
  /// The number of pieces that were searched for, and of those for which there
  /// was another search with more states.
  uint64_t searched = 0, raised = 0;
  /// The work of all searches, and how much they may do, as
  /// KernelGraphOptions::effort counts it.
  uint64_t work = 0, mostWork = 0;
  /// What ended the searches. Where it was no limit of pieces, it is what ended
  /// that of one of them.
  SearchEnd end = SearchEnd::Bound;
  /// The microseconds that the program takes at least, as far as is known of
  /// its pieces: the cheapest kernel graph if each piece took the least that
  /// its kernels could, unless its search left nothing. Where some pieces were
  /// left out, it is no more than what one kernel for all takes at least.
  /// Infinite if there are no pieces.
  double bound = std::numeric_limits<double>::infinity();

  /// Returns whether the deadline or an interruption ended the searches.
  bool wasCut() const { return end >= SearchEnd::Time; }
  /// True if all ways to cut the program were looked at, not only those along
  /// some orders of it (PieceCover.h).
  bool isExact = true;
  /// Returns whether there may be programs of pieces that are none here, or
  /// that were put together in no way.
  bool leavesPieces() const {
    return !isExact || leftOut.tooLarge || leftOut.notGrown ||
           overlappingLeftOut;
  }
  /// What was wrong with each composition that was not accepted as a whole.
  std::vector<std::string> rejected;
};

/// A program with the arguments of another one that computes the same results.
struct AlternativeProgram {
  MuGraph graph;
  /// What is added to places of its nodes (MuNode::location) where they are
  /// reported beside those of the other program.
  unsigned firstLocation = 0;
};

struct KernelGraphControl {
  /// The search for the program as a whole, which has not begun, or null. It
  /// takes its part of the work; finish() is called by composeKernelGraph.
  ProgramSearch *whole = nullptr;
  /// Gets what the search for the whole led to.
  SearchResult *wholeResult = nullptr;
  /// Kernels of these may take the place of the program's. They are compared
  /// with it as part of what is composed, and must live until then.
  llvm::ArrayRef<AlternativeProgram> alternatives;
  /// The arguments that are the same in each call, by their places. What an
  /// alternative computes of these alone is computed when the program is loaded
  /// (LoadedValues.h).
  llvm::BitVector constants;
  std::function<void(const SearchProgress &)> report;
  const std::atomic<bool> *stop = nullptr;
  /// Returns the state of the search for a piece, which an earlier search has
  /// filled and this one adds to; null if none is kept.
  std::function<SearchState *(const MuGraph &piece, const SearchOptions &)>
      getState;
};

/// Searches for the program as a whole and for its pieces, what promises most
/// first, and puts together a kernel graph that is faster than the best of the
/// whole and than `known` microseconds, the time of the program as it is, by
/// the least gain. The whole is no piece.
KernelGraphResult composeKernelGraph(const MuGraph &program, double known,
                                     const KernelGraphOptions &options,
                                     const KernelGraphControl &control = {});

} // namespace mirage::search

#endif // MIRAGE_SEARCH_KERNELGRAPHS_KERNELGRAPHS_H
