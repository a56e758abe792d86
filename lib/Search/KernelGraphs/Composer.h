//===- Composer.h - Puts kernel graphs together -----------------*- C++ -*-===//
//
// What composeKernelGraph() is made of: the pieces of a program and what is
// known of their costs (PieceCosts.cpp), and the searches for pieces and the
// choice of a composition (KernelGraphs.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_KERNELGRAPHS_COMPOSER_H
#define MIRAGE_LIB_SEARCH_KERNELGRAPHS_COMPOSER_H

#include "Mirage/MuGraph/CloneMuGraph.h"
#include "Mirage/Search/KernelGraphs/KernelGraphs.h"
#include "Mirage/Search/KernelGraphs/PieceCover.h"
#include "Mirage/Search/SearchClock.h"
#include "Mirage/Search/VerifyCandidate.h"
#include "Mirage/Support/WorkerPool.h"
#include <limits>

namespace mirage::search {

/// Puts together the kernel graph of one program, as composeKernelGraph() says.
class Composer {
public:
  Composer(const MuGraph &program, double known,
           const KernelGraphOptions &options, const KernelGraphControl &control)
      : program(eraseDeadNodes(program)), units(this->program), known(known),
        options(options), control(control),
        clock(options.search.deadline, control.stop),
        pool(options.search.threads),
        execution(pool, [this] { return clock.isGraceOver(); }) {}

  KernelGraphResult run();

private:
  static constexpr double kNever = std::numeric_limits<double>::infinity();
  /// Pieces that are searched for without a gain before the searches end.
  static constexpr unsigned kPatience = 8;
  /// The part of a deadline in which pieces of any number of operators are
  /// found, so that there is time to search for them. Seconds of a search that
  /// has no time: zero would be no deadline.
  static constexpr double kListing = 0.5, kInstant = 1e-3;

  using Price = PieceCover::Price;

  struct Piece {
    UnitSet units;
    double plain = 0, bound = 0;
    /// The time of its fastest direct launch, if it was asked for.
    std::optional<double> direct;
    /// The piece's place in result.pieces, once it was looked at.
    std::optional<unsigned> outcome;
    /// The piece must not be used: composing it was refused.
    bool isBanned = false;
  };

  void pricePlainUnits();
  UnitSet findUnsupported() const;
  double getBound(const UnitSet &piece) const;
  void addPieces();
  std::optional<unsigned> addPiece(UnitSet set);
  std::optional<unsigned> findPiece(const UnitSet &set);
  double getDirectTime(const UnitSet &set);
  void growGroups(const UnitSet &unsupported);
  bool canBeOne(const UnitSet &first, const UnitSet &second) const;
  void lookAtDirect(const PieceCover &cover);
  bool isSearched(const Piece &piece) const {
    return piece.outcome.has_value();
  }
  double getFoundCost(const Piece &piece) const;
  std::vector<Price> getPrices(bool isGuess) const;
  std::vector<Price> getKnownPrices() const;
  bool searchCheapest(const PieceCover &cover, bool isGuess);
  void look(const PieceCover &cover, unsigned number);
  std::optional<MuGraph> search(PieceOutcome &outcome, const MuGraph &piece,
                                const SearchTask &task, unsigned verified);
  bool replaceRefused(const PieceCover::Cover &cover);
  double getSlack(const PieceCover &cover, unsigned number) const;
  double getColdTime(const UnitSet &piece) const;
  void noteKnown(const PieceCover &cover);
  std::optional<unsigned> findEqual(const MuGraph &piece) const;
  void setCost(PieceOutcome &outcome, const MuGraph &graph) const;
  void choose(const PieceCover &cover);
  void noteEnd(const PieceCover &cover);
  SearchEnd getCut() const {
    return clock.wasInterrupted() ? SearchEnd::Interruption : SearchEnd::Time;
  }
  bool accept(const PieceCover::Cover &cover);

  /// The time below which a composition pays.
  double getTarget() const { return known * (1 - options.search.minGain); }

  const MuGraph program;
  ProgramUnits units;
  double known;
  const KernelGraphOptions &options;
  const KernelGraphControl &control;
  SearchClock clock;
  WorkerPool pool;
  /// Ends verification when a search that was cut has no time left.
  Execution execution;
  KernelGraphResult result;

  std::vector<double> plainCosts;
  std::vector<unsigned> plainKernels;
  double plainTotal = 0;
  unsigned maxKernels = 0;
  /// Microseconds of the cheapest program that is known, and of the cheapest
  /// one that is made of pieces.
  double bestKnown = 0, bestCover = 0;
  /// The number of pieces that may be searched for: some more than those after
  /// which the last gain was found.
  unsigned allowed = kPatience;
  /// As many pieces were searched for as the limits allow; as many without a
  /// gain.
  bool isLimited = false, endsForNoGain = false;
  std::vector<Piece> pieces;
  /// For each outcome the piece's program, and the best µGraph that was found.
  std::vector<MuGraph> programs;
  std::vector<std::optional<MuGraph>> found;
};

} // namespace mirage::search

#endif // MIRAGE_LIB_SEARCH_KERNELGRAPHS_COMPOSER_H
