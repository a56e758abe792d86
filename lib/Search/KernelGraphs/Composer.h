//===- Composer.h - Puts kernel graphs together -----------------*- C++ -*-===//
//
// composeKernelGraph() is made of the pieces of a program and what is known of
// their costs (PieceCosts.cpp), the groups of operators that direct launches
// compute (DirectGroups.cpp), and of the searches for pieces and the choice of
// a composition (KernelGraphs.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_KERNELGRAPHS_COMPOSER_H
#define MIRAGE_LIB_SEARCH_KERNELGRAPHS_COMPOSER_H

#include "Mirage/Analysis/Cost/CostModel.h"
#include "Mirage/MuGraph/CloneMuGraph.h"
#include "Mirage/Search/KernelGraphs/KernelGraphs.h"
#include "Mirage/Search/KernelGraphs/KernelOrchestration.h"
#include "Mirage/Search/KernelGraphs/LoadedValues.h"
#include "Mirage/Search/KernelGraphs/PieceCover.h"
#include "Mirage/Search/Problem/CanonicalProgram.h"
#include "Mirage/Search/Problem/CountOperators.h"
#include "Mirage/Search/SearchClock.h"
#include "Mirage/Search/VerifyCandidate.h"
#include "Mirage/Support/WorkerPool.h"
#include "llvm/ADT/DenseSet.h"
#include <map>
#include <memory>
#include <mutex>

namespace mirage::search {

/// Views one behind the other that exchange dimensions of a value.
struct OrderedView {
  UnitSet units;
  /// The unit that reads the last of them.
  unsigned reader;
  /// The unit that computes the value, if nothing else reads it.
  std::optional<unsigned> source;
};

class ValueClasses;

/// Puts together the kernel graph of one program, as composeKernelGraph() says.
class Composer {
public:
  Composer(const MuGraph &program, double known,
           const KernelGraphOptions &options, const KernelGraphControl &control)
      : numOperators(countOperators(program)), original(program),
        program(eraseDeadNodes(copyViews(canonicalizeProgram(program)))),
        units(this->program), known(known), options(options), control(control),
        clock(options.search.deadline, control.stop),
        pool(options.search.threads),
        execution(pool, [this] { return isVerificationOver(); }),
        acceptor(getComposingPolicy(options.search), execution) {}

  KernelGraphResult run();

private:
  /// Says that a program has the form already of which pieces are made.
  struct AsItIs {};
  Composer(const MuGraph &program, double known,
           const KernelGraphOptions &options, const KernelGraphControl &control,
           AsItIs)
      : numOperators(countOperators(program)), original(program),
        program(program), units(this->program), known(known), options(options),
        control(control), clock(options.search.deadline, control.stop),
        pool(options.search.threads),
        execution(pool, [this] { return isVerificationOver(); }),
        acceptor(getComposingPolicy(options.search), execution) {}

  static constexpr double kNever = std::numeric_limits<double>::infinity();
  /// States of each phase of the first search for a piece, and for the whole.
  static constexpr uint64_t kPieceStates = 150'000, kWholeStates = 300'000;
  /// The states of a search that looks at direct launches alone.
  static constexpr uint64_t kDirectOnly = 0;
  /// The work that the beginning of a search takes, in states, about.
  static constexpr uint64_t kWorkOfSearch = 100'000, kWorkOfLook = 10'000;
  /// The pieces of a program of n operators may take n^3 / 2000 of `effort`,
  /// beside the search for the whole, which may take it once: there is a cube
  /// of choices of where a piece begins and ends and what of the rest it leaves
  /// out. So 19 operators of attention with norms, and 45 of a transformer's
  /// layer, have about as much as they have use for.
  static constexpr double kOperatorsOfWork = 2000;
  /// Phases of a search that each visit as many states, about.
  static constexpr uint64_t kPhases = 4;
  /// The part of all work that the search for the whole may take, and that
  /// searches for pieces may take after the last gain.
  static constexpr double kPartOfWhole = 0.75, kPatience = 0.5;
  /// Searches for pieces that are done whatever work they take, if they promise
  /// a gain.
  static constexpr unsigned kFewestSearches = 8;
  /// The part of all work, besides, that searches for overlapping pieces may
  /// take, and the most of these pieces.
  static constexpr double kPartOfOverlapping = 0.25;
  static constexpr uint64_t kMostOverlapping = 4096;
  /// The part of all work, besides, that searches for pieces of alternatives
  /// may take, and the compositions with some of these that are tried, at most.
  static constexpr double kPartOfAlternatives = 0.25;
  static constexpr unsigned kMostRefused = 4;
  /// The part of all work, besides, that searches with moved views may take.
  static constexpr double kPartOfMoved = 0.25;
  /// Operators of pieces that have moved views although there was no search for
  /// them with the views where they were.
  static constexpr unsigned kSmall = 3;
  /// The iterations of the simplex method that one choice among them may take,
  /// and as how many rows of one iteration a state counts: 32 choices with
  /// 4,110 rows took 28 seconds and about 50,000 iterations, which is the time
  /// of 84 million states.
  static constexpr uint64_t kMostIterations = 20'000, kIterationsOfState = 2;
  /// The part of a deadline that pieces have at least.
  static constexpr double kPartOfPieces = 0.4;
  /// How often guesses become bolder, each time by a half of what kernels take
  /// beyond their lower bounds; then the bounds count.
  static constexpr unsigned kBoldest = 3;
  /// Of the least gain of the program the part that a search for pieces has to
  /// promise: several of them may gain as much together.
  static constexpr double kLeastPromise = 0.1;
  /// So many raises of the whole one after another find nothing faster before
  /// no other one is tried.
  static constexpr unsigned kUselessRaises = 2;
  /// Searches that have failed for a half of what is hoped for to be left.
  static constexpr double kDoubted = 4;
  /// The part of a deadline in which pieces of any number of operators are
  /// found, so that there is time to search for them. Seconds of a search that
  /// has no time: zero would be no deadline.
  static constexpr double kListing = 0.5, kInstant = 1e-3;

  struct Piece {
    /// What it computes, and what it writes.
    UnitSet units, outputs;
    double plain = 0, bound = 0;
    /// The time that it takes at least if all of its products are taken as they
    /// are. Sums of products may need fewer, so that this only says what is
    /// likely.
    double floor = 0;
    /// The time of its fastest direct launch, if it was asked for.
    std::optional<double> direct;
    /// The time of its operators as they are executed together, if the piece
    /// stands for these, and in how many kernels. It is known then and not
    /// searched for, and nothing replaces it.
    std::optional<double> fused;
    unsigned fusedKernels = 1;
    /// The piece's place in result.pieces, once it was looked at.
    std::optional<unsigned> outcome;
    /// The piece must not be used: composing it was refused.
    bool isBanned = false;
    /// If the piece has views at the other side than another one, the time of
    /// that one, and whether it reads what was viewed (MovedViews.cpp).
    std::optional<double> unmoved;
    bool readsMoved = false;
    /// The piece does not write all that is read of it: other kernels compute
    /// some of its units, too.
    bool isOverlapping = false;
  };

  /// A tensor between kernels that is stored in another order, and where the
  /// program that does so has what.
  struct StoredOrder {
    /// The unit that computes the tensor.
    unsigned unit = 0;
    /// The dimension of the tensor that each stored one is.
    llvm::SmallVector<int64_t, 4> permutation;
    /// The unit of that program that each of the program's is, that which
    /// transposes the tensor, and for each unit of the program that reads it,
    /// that which transposes it back.
    std::vector<unsigned> unitOf;
    unsigned stored = 0;
    std::map<unsigned, unsigned> readers;
  };
  /// A program that computes the same, and what its search needs.
  struct Alternative {
    explicit Alternative(const KernelGraphOptions &options)
        : options(options) {}

    KernelGraphOptions options;
    KernelGraphControl control;
    std::unique_ptr<Composer> composer;
    /// Its place in KernelGraphControl::alternatives; nothing if it is `graph`,
    /// which stores a tensor in another order.
    std::optional<unsigned> place;
    MuGraph graph;
  };
  /// A kernel of one of several programs: a piece, or a unit alone.
  struct AnyKernel {
    Composer *composer;
    std::optional<unsigned> piece;
    unsigned unit;
    /// What it reads, computes and writes, by classes of values; moved to the
    /// choice among all kernels.
    KernelOrchestration::Kernel kernel;
    bool isRefused = false;
  };

  void listOwnPieces(const UnitSet &own, double best, unsigned mostKernels);
  void addAlternatives(const PieceCover &cover);
  void limitTime(Alternative &alternative) const;
  std::vector<StoredOrder> findStoredOrders(const PieceCover &cover);
  MuGraph storeOtherwise(StoredOrder &order) const;
  void listReordered(const Composer &from, const StoredOrder &order);
  void addStoredOrders(const PieceCover &cover, ValueClasses &classes);
  static UnitSet getSingle(const Composer &composer, unsigned unit);
  void addKernels(Composer &composer, const UnitSet &alone,
                  unsigned numClasses);
  std::vector<PieceCover::Price>
  getPricesOfAll(std::optional<unsigned> boldness) const;
  std::optional<KernelOrchestration::Plan>
  planAmongAll(llvm::ArrayRef<PieceCover::Price> prices, double below);
  double getBoundAmongAll(const PieceCover::Prices &own) const;
  void searchAlternatives(const PieceCover &cover);
  std::optional<MuGraph>
  composeOfAll(const KernelOrchestration::Plan &plan) const;
  void noteUsed(const KernelOrchestration::Plan &plan);
  void reportAlternatives();
  void chooseAmongAll(const PieceCover &cover);
  KernelGraph verifyGraph(MuGraph graph, const ProgramCost &cost);
  void show(llvm::StringRef phase, uint64_t done = 0, uint64_t total = 0) const;
  bool isVerificationOver();
  void pricePlainUnits();
  using Price = llvm::function_ref<ProgramCost(const MuGraph &)>;
  ProgramCost priceCalled(const MuGraph &graph, Price price) const;
  ProgramCost estimate(const MuGraph &graph) const;
  ProgramCost estimateLibrary(const MuGraph &graph) const;
  UnitSet getUnits(const ProgramCost::Kernel &kernel) const;
  UnitSet findUnsupported() const;
  bool isInMemory(MuValue value) const;
  double getBound(const UnitSet &piece, const UnitSet &outputs) const;
  double getProductsTime(const UnitSet &piece) const;
  void addPieces();
  std::optional<unsigned> addPiece(UnitSet set);
  std::optional<unsigned> findPiece(const UnitSet &set);
  double findDirectTime(const ProgramUnits::Piece &piece, const UnitSet &set,
                        unsigned passes, double partOfTime,
                        uint64_t &work) const;
  double getDirectTime(const UnitSet &set);
  bool lacksLaunch(const UnitSet &set);
  std::vector<UnitSet> getParts(const ProgramCost::Kernel &kernel) const;
  void growGroups(const UnitSet &unsupported);
  void addFusedPieces();
  std::vector<OrderedView> findOrderedViews() const;
  std::optional<PieceCover> addMovedViews(const PieceCover &cover);
  double guessMovedTime(const Piece &piece, unsigned boldness) const;
  void searchMovedViews(const PieceCover &wider);
  void addOverlappingPieces();
  std::optional<PieceCover::Cover> orchestrate(const PieceCover::Prices &prices,
                                               double below);
  KernelOrchestration::Answer
  solveOrchestration(const PieceCover::Prices &prices,
                     KernelOrchestration::Options limits) const;
  double getOrchestrationBound(const PieceCover::Prices &prices) const;
  std::optional<PieceCover::Cover> findBest(const PieceCover &cover);
  void lookAtOverlapping(const PieceCover &cover, unsigned number,
                         uint64_t states);
  void lookAtDirectOverlapping(const PieceCover &cover, uint64_t lastWork);
  void searchOverlapping(const PieceCover &cover);
  bool readsFrom(const UnitSet &reader, const UnitSet &set) const;
  bool canBeOne(const UnitSet &first, const UnitSet &second) const;
  void lookAtDirect(const PieceCover &cover);
  bool isSearched(const Piece &piece) const {
    return piece.outcome.has_value();
  }
  bool isKnown(const Piece &piece) const {
    return piece.fused || isSearched(piece);
  }
  double getKnownCost(const Piece &piece) const {
    return piece.fused ? *piece.fused : getFoundCost(piece);
  }
  double getFoundCost(const Piece &piece) const;
  double getDoubt(const Piece &piece) const;
  double getPresent(const Piece &piece) const;
  void noteShares(const std::optional<PieceCover::Cover> &best);
  void noteOutcome(const UnitSet &piece, bool isGain);
  double guessTime(const Piece &piece, unsigned boldness) const;
  double guessTimeOfWhole(unsigned boldness) const;
  PieceCover::Prices getPrices(unsigned boldness) const;
  PieceCover::Prices getBoundPrices() const;
  PieceCover::Prices getKnownPrices() const;
  bool canBeRaised(const Piece &piece) const;
  bool hasWorkFor(uint64_t states) const;
  bool hasWorkForWhole(uint64_t states) const;
  uint64_t getWorkOfPieces() const { return result.work - workOfWhole; }
  uint64_t getWorkLeft() const;
  uint64_t getNextStates(const Piece &piece) const;
  std::optional<unsigned> findPromising(const PieceCover::Cover &cover,
                                        unsigned boldness) const;
  bool searchMostPromising(const PieceCover &cover, unsigned boldness);
  void raiseWhole();
  std::optional<double> estimateIssued(const MuGraph &graph);
  void prepareIssued(size_t most, double microseconds);
  bool isSlowByKernels(std::optional<double> issued);
  double getBestOfWhole();
  void look(const PieceCover &cover, unsigned number,
            uint64_t states = kPieceStates);
  void raise(const PieceCover &cover, unsigned number);
  void propagate(unsigned number);
  std::optional<MuGraph> search(PieceOutcome &outcome, const MuGraph &piece,
                                const SearchTask &task, unsigned verified);
  bool replaceRefused(const PieceCover::Cover &cover);
  double getSlack(const PieceCover &cover, unsigned number) const;
  double getColdTime(const UnitSet &piece) const;
  void noteKnown(const PieceCover &cover);
  void noteGain(double microseconds);
  std::optional<unsigned> findEqual(const MuGraph &piece) const;
  void setCost(PieceOutcome &outcome, const MuGraph &graph) const;
  void choose(const PieceCover &cover);
  void searchAll(const PieceCover &cover);
  void searchOn(const PieceCover &cover);
  void finishWhole();
  SearchEnd nameLimit(SearchEnd end) const;
  double getBoundOfAny() const;
  void noteOrchestration(const KernelOrchestration::Answer &answer,
                         double below);
  void noteEnd(const PieceCover &cover);
  SearchEnd getCut() const {
    return clock.wasInterrupted() ? SearchEnd::Interruption : SearchEnd::Time;
  }
  bool banSlowPieces(llvm::ArrayRef<unsigned> replaced);
  MuGraph compose(llvm::ArrayRef<unsigned> replaced) const;
  KernelGraph verify(llvm::ArrayRef<unsigned> replaced);
  llvm::SmallVector<unsigned> getReplaced(const PieceCover::Cover &cover) const;
  bool accept(llvm::ArrayRef<unsigned> replaced);
  unsigned findRefused(llvm::ArrayRef<unsigned> replaced);

  /// The time below which a composition pays.
  double getTarget() const { return known * (1 - options.search.minGain); }

  /// How many operators the program has, however it is written.
  double numOperators;
  /// The program as it is written, with which compositions are compared, and in
  /// the form of which pieces are made.
  const MuGraph &original;
  const MuGraph program;
  ProgramUnits units;
  double known;
  const KernelGraphOptions &options;
  const KernelGraphControl &control;
  SearchClock clock;
  WorkerPool pool;
  /// Ends verification when a search that was cut has no time left.
  Execution execution;
  /// The thread that shows how far the search is holds it; others do not wait.
  std::mutex showing;
  /// Judges compositions, which are all candidates of one program.
  equivalence::GraphComparer acceptor;
  /// Its answers, by the compositions as text: some are asked about again,
  /// since compositions have beginnings in common.
  std::map<std::string, Verdict> verdicts;
  /// The pieces of the composition whose beginnings are asked about.
  size_t composed = 0;
  KernelGraphResult result;

  /// What units take as they are executed alone, and as kernels of a library.
  std::vector<double> plainCosts, libraryCosts;
  std::vector<unsigned> plainKernels, libraryKernels;
  double plainTotal = 0;
  unsigned maxKernels = 0;
  /// Microseconds of the cheapest program that is known.
  double bestKnown = 0;
  /// How many searches for pieces with each unit have found nothing since the
  /// last one that has.
  std::vector<unsigned> failures;
  /// The part of each unit in the time of the best program that is known.
  std::vector<double> shares;
  /// The work that was done for pieces when the last gain was found, the time
  /// of the best program then, and the work of the whole.
  uint64_t workAtGain = 0, workOfWhole = 0;
  double bestAtGain = 0;
  /// States of each phase of the last search for the whole, and how many of its
  /// last raises have found nothing faster.
  uint64_t statesOfWhole = 0;
  unsigned uselessRaises = 0;
  /// Microseconds of the cheapest candidate for the whole when its kernels were
  /// looked at last, and those below which a composition may be faster than the
  /// one that was chosen by its kernels.
  double cheapestOfWhole = std::numeric_limits<double>::infinity(),
         bestOfWhole = std::numeric_limits<double>::infinity();
  /// How many candidates were set aside for that one.
  unsigned asideOfWhole = 0;
  /// The original's time by the instructions of its kernels, once it was asked
  /// for.
  std::optional<std::optional<double>> issuedOriginal;
  /// An outcome is here if it was asked about, and is true if what was found
  /// for it takes longer by its instructions than the piece's operators.
  llvm::DenseMap<unsigned, bool> slowPieces;
  /// The work did not suffice for something that promised a gain.
  mutable bool isLimited = false;
  std::vector<Piece> pieces;
  /// Chooses among kernels of single units, which come first, and pieces. There
  /// is none if no pieces overlap.
  std::optional<KernelOrchestration> orchestration;
  /// The classes of equal values that units compute, if there are other
  /// programs; and of an alternative, the units of which some are in each of
  /// its pieces.
  std::vector<unsigned> classOf;
  std::optional<UnitSet> ownUnits;
  /// The constant arguments of which an alternative, or a program with kernels
  /// of some, has computed what it could when it was loaded; else none. And the
  /// values of an alternative that are computed then.
  llvm::BitVector constants;
  llvm::DenseSet<MuValue> loadedValues;
  /// The program's alternatives, the kernels of all programs, and the choice
  /// among these.
  std::vector<std::unique_ptr<Alternative>> alternatives;
  std::vector<AnyKernel> anyKernels;
  std::optional<KernelOrchestration> amongPrograms;
  /// What growGroups() has made one of, and what it left.
  std::vector<UnitSet> groups;
  /// These are, for each outcome, the piece's program, and the best µGraph that
  /// was found.
  std::vector<MuGraph> programs;
  std::vector<std::optional<MuGraph>> found;
};

} // namespace mirage::search

#endif // MIRAGE_LIB_SEARCH_KERNELGRAPHS_COMPOSER_H
