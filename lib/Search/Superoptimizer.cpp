//===- Superoptimizer.cpp - The best verified µGraph of a program ---------===//
//
// The phases of a search: candidates of one launch, of two, sizes for all of
// them, then verification in the order of their cost. The best candidate of one
// launch is verified before those of two are generated, so that a search which
// is cut has something to show.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Superoptimizer.h"
#include "KernelGenerator.h"
#include "Mirage/Analysis/Cost/CostModel.h"
#include "VerifyCandidate.h"
#include <chrono>
#include <cmath>

using namespace mirage;
using namespace mirage::search;

namespace {

class Search {
public:
  Search(const MuGraph &program, const SearchProblem &problem,
         const SearchOptions &options, const SearchControl &control)
      : program(program), problem(problem), options(options), control(control),
        pool(options.threads),
        generator(
            problem, options, pool, [this] { return isOver(); },
            [this](const SearchProgress &progress) { report(progress); },
            control.state) {}

  SearchResult run() {
    addSized(generator.generateSingle());
    verify(1);
    double best = bestMicroseconds > 0
                      ? bestMicroseconds
                      : std::numeric_limits<double>::infinity();
    // A second kernel takes at least its launch.
    double launch = static_cast<double>(options.target.launchTime) * 1e-3;
    if (options.kernels > 1 && getProgramBound() + launch < best && !isOver())
      addSized(generator.generatePairs(best));
    verify(options.best);
    llvm::erase_if(result.judged, [](const JudgedCandidate &candidate) {
      return !candidate.isJudged;
    });
    result.statistics = generator.getStatistics();
    result.wasCut = isOver();
    return std::move(result);
  }

private:
  double getSeconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                         begin)
        .count();
  }

  void endPhase(double &seconds) {
    seconds += getSeconds() - lastPhase;
    lastPhase = getSeconds();
  }

  /// Whether nothing more is to be generated.
  bool isOver() {
    if (std::isfinite(cutSeconds))
      return true;
    if (!(control.stop && *control.stop) &&
        !(options.deadline > 0 && getSeconds() > options.deadline))
      return false;
    double never = std::numeric_limits<double>::infinity();
    cutSeconds.compare_exchange_strong(never, getSeconds());
    return true;
  }

  /// Whether a search that was cut has no time left to make something of what
  /// was generated.
  bool isGraceOver() { return isOver() && getSeconds() > cutSeconds + kGrace; }

  void report(SearchProgress progress) {
    if (!control.report)
      return;
    progress.seconds = getSeconds();
    progress.bestMicroseconds = bestMicroseconds;
    progress.verified = generator.getStatistics().verified;
    control.report(progress);
  }

  /// Microseconds of any kernels that compute the program.
  double getProgramBound() const {
    double bytes = 0;
    for (const auto &list : {problem.getInputs(), problem.getResults()})
      for (const TensorInfo &tensor : list) {
        double size = static_cast<double>(byteSize(tensor.type));
        for (DimId dim : tensor.dims)
          for (const AxisPart &part : problem.getParts(dim))
            size *= static_cast<double>(problem.getAxisSize(part.axis));
        bytes += size;
      }
    return lowerBound(bytes, 0, 0, options.target);
  }

  /// Chooses sizes for candidates and keeps those that fit.
  void addSized(llvm::ArrayRef<Candidate> candidates) {
    SearchStatistics &statistics = generator.getStatistics();
    endPhase(statistics.generateSeconds);
    std::vector<std::optional<ChosenSizes>> chosen(candidates.size());
    std::atomic<uint64_t> skipped = 0;
    pool.forEach(candidates.size(), [&](int64_t i) {
      if (isGraceOver())
        ++skipped;
      else
        chosen[i] = chooseSizes(problem, candidates[i], options.target);
    });
    for (auto [candidate, sizes] : llvm::zip(candidates, chosen)) {
      if (!sizes)
        continue;
      JudgedCandidate &judged = result.judged.emplace_back();
      judged.candidate = candidate;
      judged.sizes = sizes->sizes;
      judged.microseconds = sizes->microseconds;
    }
    uint64_t fitting = result.judged.size() - statistics.candidates;
    statistics.candidates += fitting;
    statistics.tooLarge += candidates.size() - skipped - fitting;
    endPhase(statistics.chooseSeconds);
  }

  /// Cheapest first; of equal ones those that were found first.
  void sortByCost() {
    std::vector<std::pair<double, size_t>> order;
    for (auto [number, candidate] : llvm::enumerate(result.judged))
      order.push_back({candidate.microseconds, number});
    llvm::sort(order);
    std::vector<JudgedCandidate> sorted;
    for (auto [cost, number] : order)
      sorted.push_back(std::move(result.judged[number]));
    result.judged = std::move(sorted);
  }

  /// Judges candidates in the order of their cost until so many are accepted;
  /// if the search was cut, until one is.
  void verify(uint64_t wanted) {
    sortByCost();
    uint64_t accepted = 0;
    for (auto [number, candidate] : llvm::enumerate(result.judged)) {
      if (accepted >= wanted || (accepted && isOver()) || isGraceOver())
        break;
      if (!candidate.isJudged)
        judge(candidate);
      accepted += candidate.isAccepted();
      SearchStatistics &statistics = generator.getStatistics();
      SearchProgress progress;
      progress.phase = "verification";
      progress.done = number + 1;
      progress.total = result.judged.size();
      progress.generator = statistics.generator;
      progress.candidates = statistics.candidates;
      report(progress);
    }
    endPhase(generator.getStatistics().verifySeconds);
  }

  void judge(JudgedCandidate &judged) {
    verifyCandidate(program,
                    instantiate(problem, judged.candidate, judged.sizes),
                    options, pool, judged);
    judged.isJudged = true;
    SearchStatistics &statistics = generator.getStatistics();
    switch (judged.verdict) {
    case Verdict::Proved:
    case Verdict::Equivalent:
      ++statistics.verified;
      bestMicroseconds = bestMicroseconds > 0
                             ? std::min(bestMicroseconds, judged.microseconds)
                             : judged.microseconds;
      break;
    case Verdict::Refuted:
      ++statistics.refuted;
      break;
    case Verdict::Unstable:
      ++statistics.unstable;
      break;
    case Verdict::Unknown:
      ++statistics.unknown;
      break;
    }
  }

  /// Seconds after a cut in which what was generated before is made something
  /// of.
  static constexpr double kGrace = 10;

  const MuGraph &program;
  const SearchProblem &problem;
  const SearchOptions &options;
  const SearchControl &control;
  WorkerPool pool;
  KernelGenerator generator;
  SearchResult result;
  /// When the search was cut.
  std::atomic<double> cutSeconds = std::numeric_limits<double>::infinity();
  double bestMicroseconds = 0;
  std::chrono::steady_clock::time_point begin =
      std::chrono::steady_clock::now();
  double lastPhase = 0;
};

} // namespace

SearchResult mirage::search::superoptimize(const MuGraph &program,
                                           const SearchProblem &problem,
                                           const SearchOptions &options,
                                           const SearchControl &control) {
  return Search(program, problem, options, control).run();
}
