//===- Superoptimizer.cpp - The best verified µGraph of a program ---------===//
//
// The phases of a search: candidates of one launch, of two, sizes for all of
// them, then verification in the order of their cost. The best candidate of one
// launch is verified before those of two are generated, so that a search which
// is cut has something to show.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Superoptimizer.h"
#include "GraphSet.h"
#include "Mirage/Analysis/Cost/CostModel.h"
#include "Mirage/Search/CompareJoined.h"
#include "Mirage/Search/KernelGraphs/KernelGenerator.h"
#include "Mirage/Search/OrientProducts.h"
#include "Mirage/Search/SearchClock.h"
#include "Mirage/Search/Sizes/LaunchTable.h"
#include "Mirage/Search/SortCandidates.h"
#include "Mirage/Search/VerifyCandidate.h"
#include <cmath>

using namespace mirage;
using namespace mirage::equivalence;
using namespace mirage::search;

/// Returns options with the limits of the target.
static SearchOptions limitByTarget(SearchOptions options) {
  options.limits.sharedMemory = options.target.sharedMemoryPerBlock;
  llvm::copy(largestGrid, options.limits.grid.begin());
  return options;
}

class ProgramSearch::Impl {
public:
  Impl(const SearchTask &task, const SearchOptions &given,
       const SearchControl &control)
      : task(task), options(limitByTarget(given)), control(control),
        clock(options.deadline, control.stop), pool(options.threads),
        execution(pool, [this] { return clock.isGraceOver(); }),
        sorter(getSortingPolicy(options), execution),
        acceptor(getAcceptingPolicy(options), execution), joined(task.program) {
    for (auto [number, view] : llvm::enumerate(task.views)) {
      edges.push_back(0);
      for (const auto &edge : {view.view.before, view.view.after})
        if (edge)
          edges.back() += estimateProgram(*edge, options.target).microseconds;
      edges.back() +=
          estimateProgram(getCopies(view.view), options.target).microseconds;
      tables.push_back(std::make_unique<LaunchTable>(view.problem));
      generators.push_back(std::make_unique<KernelGenerator>(
          view.problem, options, pool, [this] { return clock.isOver(); },
          [this](const SearchProgress &progress) {
            report(progress, /*isGenerating=*/true);
          },
          control.state, number, statistics));
    }
    bound = findBound();
  }

  /// Generates candidates with more states in each phase.
  void raise(uint64_t states) {
    bool isFirst = !std::exchange(isStarted, true);
    lastPhase = clock.getSeconds();
    // Nothing is generated where nothing could pay.
    if (!canGain(options.paying) || clock.isOver())
      return;
    if (isFirst)
      addDirect();
    if (options.directOnly)
      return;
    for (auto &generator : generators)
      generator->setStates(states);
    for (unsigned view = 0; view < task.views.size(); ++view)
      if (!task.views[view].isDirectOnly)
        for (auto &found : {generators[view]->generateSingle(),
                            generators[view]->generateLoops()})
          addSized(view, found, /*mayExchange=*/true);
    // This one only bounds the time of pairs; what is returned is verified
    // last.
    verify(1, 0);
    addPairs();
    verify(1, 0);
  }

  bool canBeRaised() {
    return isStarted && !options.directOnly && !clock.isOver() &&
           canGain(getTarget()) &&
           llvm::any_of(llvm::zip_equal(task.views, generators),
                        [](const auto &pair) {
                          const auto &[view, generator] = pair;
                          return !view.isDirectOnly && generator->needsStates();
                        });
  }

  SearchResult finish(bool isWorthless) {
    lastPhase = clock.getSeconds();
    double chosen = getBest();
    verify(options.best, options.verified);
    // Those that were set aside for one that is refused in the end are not
    // worse than what remains.
    if (numSetAside > 0 && getBest() > chosen) {
      takeBack(numSetAside);
      verify(options.best, options.verified);
    }
    // Without a candidate that was refused in the end, slower pairs are of use.
    for (double last = lastBound; getTarget() > last && !clock.isOver();
         last = lastBound) {
      addPairs();
      verify(options.best, options.verified);
    }
    SearchResult result;
    result.bound = bound;
    for (const JudgedCandidate &candidate : judged)
      result.cheapest = std::min(result.cheapest, candidate.microseconds);
    llvm::copy_if(
        judged, std::back_inserter(result.judged),
        [](const JudgedCandidate &candidate) { return candidate.isJudged; });
    result.statistics = statistics;
    result.end = getEnd(isWorthless);
    return result;
  }

  /// Returns the microseconds of the cheapest candidate that is accepted so
  /// far, infinity if there is none.
  double getBest() const {
    const JudgedCandidate *best = findBest();
    return best ? best->microseconds : std::numeric_limits<double>::infinity();
  }

  /// Returns that candidate; null if there is none.
  const JudgedCandidate *findBest() const {
    const JudgedCandidate *best = nullptr;
    for (const JudgedCandidate &candidate : judged)
      if (candidate.isAccepted() &&
          (!best || candidate.microseconds < best->microseconds))
        best = &candidate;
    return best;
  }

  std::vector<MuGraph> getNextGraphs(size_t most, double microseconds) const {
    const JudgedCandidate *best = findBest();
    std::vector<MuGraph> graphs;
    // They are in the order in which they are judged.
    for (const JudgedCandidate &candidate : judged)
      if (graphs.size() < most && &candidate != best && !candidate.setAside &&
          !candidate.isRepeated &&
          (!candidate.isJudged || candidate.isAccepted()) &&
          candidate.microseconds < microseconds)
        graphs.push_back(instantiate(task, candidate));
    return graphs;
  }

  void setBestAside() {
    const JudgedCandidate *best = findBest();
    if (!best)
      return;
    ++numSetAside;
    for (JudgedCandidate &candidate : judged)
      if (!candidate.setAside && areAlike(candidate, *best))
        candidate.setAside = numSetAside;
    lastPhase = clock.getSeconds();
    verify(1, 0);
  }

  void takeBack(unsigned count) {
    numSetAside -= count;
    for (JudgedCandidate &candidate : judged)
      if (candidate.setAside > numSetAside)
        candidate.setAside = 0;
  }

  const SearchTask &getTask() const { return task; }

  double getBound() const { return bound; }

  uint64_t getWork() const {
    return statistics.generator.states + kWorkOfJudgement * judgements +
           kWorkOfSizes * sized;
  }

private:
  /// Adds launches that follow the program, and pairs of them where two could
  /// be faster than the fastest one.
  void addDirect() {
    for (unsigned view = 0; view < task.views.size(); ++view)
      addSized(view, generators[view]->generateDirect(), /*mayExchange=*/true);
    double launch = static_cast<double>(options.target.launchTime) * 1e-3;
    double cheapest = options.paying;
    for (const JudgedCandidate &candidate : judged)
      cheapest = std::min(cheapest, candidate.microseconds);
    for (unsigned view = 0; view < task.views.size(); ++view)
      if (options.kernels > 1 && !clock.isOver() &&
          generators[view]->getProgramBound() + launch < cheapest - edges[view])
        addSized(view, generators[view]->generateSplit(), /*mayExchange=*/true);
  }

  /// Adds candidates of two launches that are faster than what is accepted.
  void addPairs() {
    // A second kernel takes at least its launch.
    double launch = static_cast<double>(options.target.launchTime) * 1e-3;
    double bound = lastBound = getTarget();
    if (options.directOnly)
      return;
    for (unsigned view = 0; view < task.views.size(); ++view)
      if (options.kernels > 1 && !task.views[view].isDirectOnly &&
          generators[view]->getProgramBound() + launch < bound - edges[view] &&
          !clock.isOver())
        addSized(view, generators[view]->generatePairs(bound - edges[view]));
  }

  /// Returns the microseconds below which a candidate is of use.
  double getTarget() const { return std::min(getBest(), options.paying); }

  /// Returns whether the lower bound allows something faster.
  bool canGain(double microseconds) const {
    return bound < microseconds * (1 - options.minGain);
  }

  /// Returns the microseconds that any candidate takes at least.
  double findBound() const {
    double bound = std::numeric_limits<double>::infinity();
    for (unsigned view = 0; view < task.views.size(); ++view)
      bound =
          std::min(bound, generators[view]->getProgramBound() + edges[view]);
    return bound;
  }

  SearchEnd getEnd(bool isWorthless) {
    if (clock.isOver())
      return clock.wasInterrupted() ? SearchEnd::Interruption : SearchEnd::Time;
    if (!canGain(getTarget()))
      return SearchEnd::Bound;
    SearchEnd end =
        options.directOnly ? SearchEnd::Operators : SearchEnd::Exhausted;
    for (const auto &generator : generators) {
      end = std::max(end, generator->getLimit());
      if (generator->needsStates())
        end =
            std::max(end, isWorthless ? SearchEnd::NoGain : SearchEnd::States);
    }
    return end;
  }

  void endPhase(double &seconds) {
    seconds += clock.getSeconds() - lastPhase;
    lastPhase = clock.getSeconds();
  }

  void report(SearchProgress progress, bool isGenerating) {
    if (!control.report)
      return;
    progress.seconds = clock.getSeconds();
    progress.bestMicroseconds = bestMicroseconds;
    progress.statistics = statistics;
    progress.generateSeconds = statistics.generateSeconds;
    if (isGenerating)
      progress.generateSeconds += progress.seconds - lastPhase;
    control.report(progress);
  }

  /// How sizes of a view's candidates are chosen, whatever they take.
  SizeSearchOptions getSizing(unsigned view) const {
    SizeSearchOptions sizing;
    sizing.seed = options.seed;
    sizing.isOver = isSizingOver;
    sizing.table = tables[view].get();
    return sizing;
  }

  /// Returns the microseconds above which a candidate can be neither the
  /// cheapest nor one that is oriented: those of the cheapest one that was not
  /// refused or set aside, and what it may gain by exchanging operands.
  double getSlow() const {
    double cheapest = std::numeric_limits<double>::infinity();
    for (const JudgedCandidate &candidate : judged)
      if (!candidate.isExchanged &&
          (candidate.isJudged ? candidate.isAccepted() : !candidate.setAside))
        cheapest = std::min(cheapest, candidate.microseconds);
    return cheapest * kOrientable;
  }

  /// Returns the microseconds above which no exchange makes a candidate pay.
  double getUseless() const {
    return options.keepsSlow ? std::numeric_limits<double>::infinity()
                             : options.paying * kOrientable;
  }

  /// Chooses sizes for candidates and keeps those that fit. Candidates that are
  /// slow beside what is known are postponed: most points of theirs need no
  /// evaluation to see that. The candidates before, in groups of one size, say
  /// what is slow, so that the number of threads decides nothing. Pairs of
  /// launches are too many to exchange the operands of all slow ones.
  void addSized(unsigned view, llvm::ArrayRef<Candidate> candidates,
                bool mayExchange = false) {
    endPhase(statistics.generateSeconds);
    sized += candidates.size();
    while (!candidates.empty()) {
      size_t size = std::min(candidates.size(), kSizedTogether);
      addSized(view, candidates.take_front(size), getSlow(), mayExchange);
      candidates = candidates.drop_front(size);
    }
    endPhase(statistics.chooseSeconds);
  }

  /// Adds the candidates that take no more than `slow`, and postpones the
  /// others, which are tried with exchanged operands if they may be.
  void addSized(unsigned view, llvm::ArrayRef<Candidate> candidates,
                double slow, bool mayExchange) {
    SizeSearchOptions sizing = getSizing(view);
    double useless = getUseless();
    sizing.limit = std::min(slow, useless) - edges[view];
    auto chosen = chooseAll(view, candidates, sizing);
    std::vector<Candidate> others;
    for (auto [candidate, sizes] : llvm::zip_equal(candidates, chosen)) {
      if (sizes && *sizes)
        add(view, candidate, **sizes).mayExchange = mayExchange;
      else if (sizes && slow < useless)
        postponed.push_back({view, candidate, slow});
      else if (sizes)
        ++statistics.tooLarge;
      if (mayExchange && sizes && !*sizes)
        others.push_back(candidate);
    }
    statistics.postponed = postponed.size();
    addExchanged(view, std::move(others));
  }

  /// Adds candidates with all products exchanged, unless that is slow, too.
  void addExchanged(unsigned view, std::vector<Candidate> exchanged) {
    llvm::erase_if(exchanged, [&](Candidate &candidate) {
      return !exchangeProducts(task.views[view].problem, candidate);
    });
    SizeSearchOptions sizing = getSizing(view);
    sizing.limit = std::min(getSlow(), getUseless()) - edges[view];
    for (auto [candidate, sizes] :
         llvm::zip_equal(exchanged, chooseAll(view, exchanged, sizing)))
      if (sizes && *sizes)
        add(view, candidate, **sizes).isExchanged = true;
  }

  /// Exchanges the operands of candidates that others found later make slow.
  void exchangeSlow() {
    double slow = getSlow();
    std::map<unsigned, std::vector<Candidate>> ofViews;
    for (JudgedCandidate &candidate : judged)
      if (candidate.microseconds > slow &&
          std::exchange(candidate.mayExchange, false))
        ofViews[candidate.view].push_back(candidate.candidate);
    for (auto &[view, candidates] : ofViews)
      addExchanged(view, std::move(candidates));
  }

  /// Chooses sizes for all candidates; those that have none have nothing, and
  /// those for which there was no time not even that.
  std::vector<std::optional<std::optional<ChosenSizes>>>
  chooseAll(unsigned view, llvm::ArrayRef<Candidate> candidates,
            const SizeSearchOptions &sizing) {
    std::vector<std::optional<std::optional<ChosenSizes>>> chosen(
        candidates.size());
    pool.forEach(candidates.size(), [&](int64_t i) {
      if (!clock.isOverSince(kSizing))
        chosen[i] = chooseSizes(task.views[view].problem, candidates[i],
                                options.target, sizing);
    });
    return chosen;
  }

  JudgedCandidate &add(unsigned view, const Candidate &candidate,
                       const ChosenSizes &chosen) {
    ++statistics.candidates;
    JudgedCandidate &added = judged.emplace_back();
    added.view = view;
    added.candidate = candidate;
    added.candidate.joinsProducts = chosen.joinsProducts;
    added.sizes = chosen.sizes;
    added.microseconds = chosen.microseconds + edges[view];
    return added;
  }

  /// Chooses sizes for the candidates that were postponed and may be faster
  /// than that, in microseconds. Returns whether there were any.
  bool resumePostponed(double microseconds) {
    std::vector<Postponed> resumed, others;
    for (Postponed &entry : postponed)
      (entry.least > microseconds ? others : resumed)
          .push_back(std::move(entry));
    postponed = std::move(others);
    if (resumed.empty())
      return false;
    endPhase(statistics.verifySeconds);
    for (unsigned view = 0; view < task.views.size(); ++view) {
      std::vector<Candidate> own;
      for (const Postponed &entry : resumed)
        if (entry.view == view)
          own.push_back(entry.candidate);
      addSized(view, own, std::numeric_limits<double>::infinity(),
               /*mayExchange=*/false);
    }
    endPhase(statistics.chooseSeconds);
    return true;
  }

  /// Exchanges the operands of products in candidates that may be the cheapest.
  void orientProducts() {
    exchangeSlow();
    double cheapest = std::numeric_limits<double>::infinity(), first = cheapest;
    for (const JudgedCandidate &candidate : judged) {
      cheapest = std::min(cheapest, candidate.microseconds);
      if (!candidate.isExchanged)
        first = std::min(first, candidate.microseconds);
    }
    pool.forEach(judged.size(), [&](int64_t i) {
      JudgedCandidate &candidate = judged[i];
      if (!candidate.isJudged && !candidate.isOriented &&
          candidate.microseconds <=
              (candidate.isExchanged ? cheapest : first) * kOrientable)
        orientCandidate(task.views[candidate.view].problem, options.target,
                        getSizing(candidate.view), edges[candidate.view],
                        kResolution, candidate);
    });
    endPhase(statistics.chooseSeconds);
  }

  /// Judges candidates that pay, in the order of their cost, until so many are
  /// accepted; if the search was cut, until one is. The first `verified` of
  /// them have passed all questions.
  void verify(uint64_t wanted, unsigned verified) {
    orientProducts();
    sortByCost(task, kResolution, judged);
    uint64_t accepted = 0;
    for (size_t number = 0; number <= judged.size(); ++number) {
      if (accepted >= wanted || (accepted && clock.isOver()) ||
          clock.isGraceOver())
        break;
      bool isEnd = number == judged.size();
      double next = isEnd ? std::numeric_limits<double>::infinity()
                          : judged[number].microseconds;
      // What was postponed may come before.
      if (resumePostponed(std::min(next, options.paying)))
        return verify(wanted, verified);
      if (isEnd)
        break;
      JudgedCandidate &candidate = judged[number];
      if (candidate.microseconds > options.paying || candidate.setAside ||
          isRepeated(candidate))
        continue;
      if (!candidate.isJudged)
        judge(candidate, sorter);
      if (candidate.isAccepted() && !candidate.isVerified &&
          accepted < verified)
        judge(candidate, acceptor);
      accepted += candidate.isAccepted();
      SearchProgress progress;
      progress.phase = "verification";
      progress.done = number + 1;
      progress.total = judged.size();
      progress.candidates = statistics.candidates;
      report(progress, /*isGenerating=*/false);
    }
    endPhase(statistics.verifySeconds);
  }

  /// Returns whether a candidate that was not judged has the graph of one that
  /// was or is.
  bool isRepeated(JudgedCandidate &candidate) {
    if (!candidate.isJudged && !candidate.isRepeated &&
        !graphs.insert(instantiate(task, candidate))) {
      candidate.isRepeated = true;
      ++statistics.repeated;
    }
    return candidate.isRepeated;
  }

  /// Asks the questions of the sorter about a candidate, or of the acceptor all
  /// there are.
  void judge(JudgedCandidate &candidate, equivalence::GraphComparer &comparer) {
    if (candidate.isJudged)
      --count(candidate.verdict);
    equivalence::ComparisonAnswer answer =
        joined.compare(comparer, instantiate(task, candidate));
    sorter.learnFrom(answer);
    candidate.verdict = getVerdict(std::move(answer));
    candidate.isJudged = true;
    candidate.isVerified = &comparer == &acceptor && candidate.isAccepted();
    ++count(candidate.verdict);
    ++judgements;
    double best = getBest();
    bestMicroseconds = std::isfinite(best) ? best : 0;
  }

  /// Returns the number of candidates with such a verdict.
  uint64_t &count(const Verdict &verdict) {
    if (verdict.isAccepted())
      return statistics.verified;
    if (!verdict.isStable)
      return statistics.unstable;
    return verdict.equivalence == equivalence::Equivalence::Refuted
               ? statistics.refuted
               : statistics.unknown;
  }

  /// The part of a time below which differences say nothing.
  static constexpr double kResolution = 0.005;
  /// Seconds after a cut in which sizes are chosen; the rest of the time is for
  /// verification.
  static constexpr double kSizing = 1;
  /// The states that are generated in the time that a candidate takes to be
  /// judged, about.
  static constexpr uint64_t kWorkOfJudgement = 100'000;
  /// The same for its sizes to be chosen.
  static constexpr uint64_t kWorkOfSizes = 3'000;
  /// How much a candidate may gain by exchanging operands, about.
  static constexpr double kOrientable = 1.1;
  /// So many candidates have their sizes chosen before the next ones are
  /// compared with them.
  static constexpr size_t kSizedTogether = 32;

  /// A candidate that takes `least` microseconds at least at any sizes, or fits
  /// the target at none.
  struct Postponed {
    unsigned view;
    Candidate candidate;
    double least;
  };

  const SearchTask &task;
  const SearchOptions options;
  const SearchControl control;
  SearchClock clock;
  WorkerPool pool;
  /// Ends verification when a search that was cut has no time left.
  Execution execution;
  equivalence::GraphComparer sorter, acceptor;
  JoinedComparer joined;
  SearchStatistics statistics;
  std::vector<std::unique_ptr<KernelGenerator>> generators;
  /// What is known of the launches of each view's candidates.
  std::vector<std::unique_ptr<LaunchTable>> tables;
  /// Microseconds of the operators before and after each view, and of copies.
  std::vector<double> edges;
  std::function<bool()> isSizingOver = [this] {
    return clock.isOverSince(kSizing);
  };
  /// All candidates that fit the target, but for those that are postponed.
  std::vector<JudgedCandidate> judged;
  std::vector<Postponed> postponed;
  /// The graphs of those that were judged.
  GraphSet graphs;
  uint64_t judgements = 0, sized = 0;
  unsigned numSetAside = 0;
  bool isStarted = false;
  double bound = 0;
  /// The time of the best kernels so far, for progress; zero if there are none
  /// yet.
  double bestMicroseconds = 0;
  double lastPhase = 0;
  /// The microseconds that bounded pairs the last time.
  double lastBound = 0;
};

ProgramSearch::ProgramSearch(const SearchTask &task,
                             const SearchOptions &options,
                             const SearchControl &control)
    : impl(std::make_unique<Impl>(task, options, control)) {}

ProgramSearch::~ProgramSearch() = default;

void ProgramSearch::raise(uint64_t states) { impl->raise(states); }

bool ProgramSearch::canBeRaised() { return impl->canBeRaised(); }

double ProgramSearch::getBest() const { return impl->getBest(); }

double ProgramSearch::getBound() const { return impl->getBound(); }

std::optional<MuGraph> ProgramSearch::getBestGraph() const {
  const JudgedCandidate *best = impl->findBest();
  return best ? std::optional(instantiate(impl->getTask(), *best))
              : std::nullopt;
}

std::vector<MuGraph> ProgramSearch::getNextGraphs(size_t most,
                                                  double microseconds) const {
  return impl->getNextGraphs(most, microseconds);
}

void ProgramSearch::setBestAside() { impl->setBestAside(); }

void ProgramSearch::takeBack(unsigned count) { impl->takeBack(count); }

uint64_t ProgramSearch::getWork() const { return impl->getWork(); }

SearchResult ProgramSearch::finish(bool isWorthless) {
  return impl->finish(isWorthless);
}
