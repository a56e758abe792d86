//===- Superoptimizer.h - The best verified µGraph of a program -*- C++ -*-===//
//
// The search from a program to its best candidates: kernel graphs of one or two
// launches (Mirage paper, section 4), sizes by the cost model, and verification
// (section 5). Knows no IR. Results do not depend on the number of threads.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_SUPEROPTIMIZER_H
#define MIRAGE_SEARCH_SUPEROPTIMIZER_H

#include "Mirage/Analysis/Equivalence/CompareGraphs.h"
#include "Mirage/Search/Launches/BlockGenerator.h"
#include "Mirage/Search/Problem/ProgramViews.h"
#include "Mirage/Search/SearchEnd.h"
#include "Mirage/Search/SearchState.h"
#include "Mirage/Search/Sizes/ChooseSizes.h"
#include <atomic>
#include <functional>

namespace mirage::search {

struct SearchOptions {
  TargetDescription target;
  GeneratorLimits limits;
  /// Graph-defined kernels of a candidate, at most: one or two.
  unsigned kernels = 2;
  unsigned gridDims = 3;
  /// Loops of a launch, inside of each other or not; at most three.
  unsigned loops = 3;
  /// Loops of a launch that follows the program, one after another over one
  /// axis.
  unsigned passes = 3;
  /// Only launches that have the program's operators as they are count as
  /// candidates (DirectLaunches.h).
  bool directOnly = false;
  /// The number of states that each phase may visit, about: graphs of more and
  /// more operators are generated while the next number is likely to fit.
  /// superoptimize() starts with `firstStates` and raises them, up to `states`,
  /// while the last raise found something faster by the least gain and the
  /// lower bound allows something faster.
  uint64_t states = 4'000'000, firstStates = 300'000;
  /// Accepted candidates to find, and how many of these, the cheapest ones, are
  /// verified with all work. What is not verified is not returned.
  unsigned best = 8, verified = 1;
  /// Microseconds above which a candidate is not worth to be judged. Without
  /// `keepsSlow` candidates that are slower at their best sizes are forgotten.
  double paying = std::numeric_limits<double>::infinity();
  bool keepsSlow = true;
  /// The part of the time that a faster program gains at least: the cost model
  /// cannot tell smaller differences.
  double minGain = 0.01;
  /// Zero stands for as many as the machine has.
  unsigned threads = 0;
  uint64_t seed = 0;
  /// Different programs are accepted with a probability of at most
  /// 2^-errorBits.
  double errorBits = 40;
  /// Seconds after which nothing more is generated; zero for no deadline. The
  /// best that was generated before is still verified, in ten seconds if
  /// possible.
  double deadline = 0;
};

/// What became of a complete candidate.
struct Verdict {
  /// What is known of it by the laws of exact arithmetic. Unknown where it is
  /// not accepted in floating point.
  equivalence::Equivalence equivalence = equivalence::Equivalence::Unknown;
  /// Its errors in floating point are not too large, as far as is known.
  bool isStable = true;
  /// Why it is not accepted; log2 of the tests' error if they accept it.
  std::string reason;
  double log2Error = 0;

  /// Returns whether it is proved or equivalent by random tests, and
  /// numerically stable.
  bool isAccepted() const {
    return isStable && (equivalence == equivalence::Equivalence::Proved ||
                        equivalence == equivalence::Equivalence::Equivalent);
  }
  /// Returns "proved", "equivalent", "refuted", "unstable" or "unknown".
  llvm::StringRef getName() const;
};

/// A program to search for.
struct SearchTask {
  /// Operators that the search has no form for stay before or after what is
  /// searched for. Fails if that leaves nothing, with the first such operator
  /// as reason, as SearchProblem::create does; the location is set only then,
  /// and only if the reason is one operator.
  static std::optional<SearchTask> create(const MuGraph &program,
                                          std::string &reason,
                                          std::optional<unsigned> &location);

  MuGraph program;
  struct View {
    ProgramView view;
    SearchProblem problem;
    /// Only launches that are the program itself are made of it, since other
    /// views have the same candidates otherwise.
    bool isDirectOnly = false;
  };
  /// Views of the program; candidates of all of them compete.
  std::vector<View> views;
};

struct JudgedCandidate {
  /// The task's view that it is a candidate of.
  unsigned view = 0;
  Candidate candidate;
  std::vector<LaunchSizes> sizes;
  double microseconds = 0;
  bool isJudged = false;
  /// Another candidate that was judged has the same graph, so that this one is
  /// not judged.
  bool isRepeated = false;
  /// Exchanging the operands of its products was tried.
  bool isOriented = false;
  /// All products have their operands exchanged, since the same candidate is
  /// slow without. What it takes does not say which others are slow.
  bool isExchanged = false;
  /// The same with exchanged operands is looked at if this one turns out to be
  /// slow beside others that are found later.
  bool mayExchange = false;
  Verdict verdict;
  /// It has passed all that mirage-verify-equivalence asks.
  bool isVerified = false;

  /// If it is not zero, the candidate was the best one, or is like that one, and
  /// is not asked for: the number counts those that were set aside.
  unsigned setAside = 0;

  bool isAccepted() const { return verdict.isAccepted() && !setAside; }
};

struct SearchStatistics {
  GeneratorStatistics generator;
  /// Candidates with different expressions, loads or operators that fit the
  /// target; first kernels of two; and different sets of tensors that these
  /// leave.
  uint64_t candidates = 0, firstKernels = 0, interfaces = 0;
  uint64_t prunedCost = 0, prunedGrid = 0, tooLarge = 0;
  /// Candidates that take a tenth more than the cheapest at any sizes, or fit
  /// the target at none: which of both was not asked.
  uint64_t postponed = 0;
  /// Candidates that were not judged since the graph of another one that was is
  /// the same.
  uint64_t repeated = 0;
  /// The numbers of block operators up to which all graphs were generated: for
  /// candidates of one kernel with at most one loop, with more loops, and for
  /// the first kernels of two. What follows on a first kernel may have been
  /// cut.
  unsigned singleOperators = 0, loopOperators = 0, firstOperators = 0;
  /// The limit of block operators.
  unsigned mostOperators = 0;
  uint64_t cutInterfaces = 0;
  uint64_t refuted = 0, unstable = 0, unknown = 0, verified = 0;
  double generateSeconds = 0, chooseSeconds = 0, verifySeconds = 0;
};

struct SearchResult {
  /// The candidates that were judged, cheapest first. Where candidates of two
  /// launches are cheaper, there may be some of one launch behind them.
  std::vector<JudgedCandidate> judged;
  SearchStatistics statistics;
  /// What ended the search.
  SearchEnd end = SearchEnd::Exhausted;
  /// The microseconds that any program of the space takes at least, and those
  /// of the cheapest candidate by the cost model, judged or not; infinite if
  /// there is none.
  double bound = 0, cheapest = std::numeric_limits<double>::infinity();

  /// Returns whether the deadline or an interruption ended the search.
  bool wasCut() const { return end >= SearchEnd::Time; }

  /// Returns the cheapest candidate that was verified, if there is one.
  const JudgedCandidate *getBest() const {
    for (const JudgedCandidate &candidate : judged)
      if (candidate.isVerified)
        return &candidate;
    return nullptr;
  }
};

/// Says how far a search is, for whoever watches it.
struct SearchProgress {
  llvm::StringRef phase;
  uint64_t done = 0, total = 0;
  SearchStatistics statistics;
  /// Candidates found so far, whether they fit the target or not.
  uint64_t candidates = 0;
  /// The time of the best program that is known, also while a piece of it is
  /// searched for.
  double bestMicroseconds = 0;
  /// Seconds in all, and those in which states were generated.
  double seconds = 0, generateSeconds = 0;
};

struct SearchControl {
  /// Called from time to time, from one thread at a time.
  std::function<void(const SearchProgress &)> report;
  /// Ends the search early when it becomes true.
  const std::atomic<bool> *stop = nullptr;
  /// The state of an earlier search for the same program. This search goes on
  /// from there, and adds to it.
  SearchState *state = nullptr;
};

/// How many times the states of a phase the next raise gives it.
inline constexpr uint64_t kRaise = 4;

/// The search for one program, whose states are raised by whoever decides what
/// is worth to be searched for. The task must outlive it.
class ProgramSearch {
public:
  ProgramSearch(const SearchTask &task, const SearchOptions &options,
                const SearchControl &control = {});
  ~ProgramSearch();

  /// Generates candidates with about so many states in each phase, more than
  /// before, and sorts out the cheapest that is right. The first call looks at
  /// direct launches, too. What was generated before is not generated again.
  void raise(uint64_t states);
  /// Returns whether more states would make more graphs, and the lower bound
  /// allows one that is faster than the best by the least gain.
  bool canBeRaised();
  /// Returns the microseconds of the cheapest candidate that was sorted out as
  /// right so far, infinity if there is none; and those that any takes at
  /// least.
  double getBest() const;
  double getBound() const;
  /// Returns the µGraph of that candidate; nothing if there is none.
  std::optional<MuGraph> getBestGraph() const;
  /// Returns the µGraphs of up to `most` candidates that would probably be the
  /// best, one after another, if that one was set aside again and again. They
  /// take less than `microseconds`, and not all of them are judged.
  std::vector<MuGraph> getNextGraphs(size_t most, double microseconds) const;
  /// Lets that candidate and those that are alike (SortCandidates.h) count as
  /// refused, and judges others until one is accepted.
  void setBestAside();
  /// Lets the last `count` candidates that were set aside count again.
  void takeBack(unsigned count);
  /// Returns the work that was done so far, in states: the states themselves,
  /// and what candidates took to be judged. It depends on neither threads nor
  /// machine, unless a deadline was met.
  uint64_t getWork() const;
  /// Verifies the best candidates with all work, and says what ended the
  /// search. `isWorthless`: the last raise found nothing faster, which ended
  /// it.
  SearchResult finish(bool isWorthless = false);

private:
  class Impl;
  std::unique_ptr<Impl> impl;
};

/// Searches for a program alone, with more and more states.
SearchResult superoptimize(const SearchTask &task, const SearchOptions &options,
                           const SearchControl &control = {});

/// Makes a µGraph of the task's program from a candidate.
MuGraph instantiate(const SearchTask &task, const JudgedCandidate &candidate);

} // namespace mirage::search

#endif // MIRAGE_SEARCH_SUPEROPTIMIZER_H
