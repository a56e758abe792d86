//===- Superoptimizer.cpp - The best verified µGraph of a program ---------===//
//
// The phases of a search: candidates of one launch, of two, sizes for all of
// them, then verification in the order of their cost.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Superoptimizer.h"
#include "KernelGenerator.h"
#include "Mirage/Analysis/Cost/CostModel.h"
#include "VerifyCandidate.h"
#include <chrono>

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
            [this](const SearchProgress &progress) { report(progress); }) {}

  SearchResult run() {
    std::vector<Candidate> candidates = generator.generateSingle();
    endPhase(generator.getStatistics().generateSeconds);
    addSized(candidates);
    endPhase(generator.getStatistics().chooseSeconds);
    double best = std::numeric_limits<double>::infinity();
    for (const JudgedCandidate &candidate : result.judged)
      best = std::min(best, candidate.microseconds);
    // A second kernel takes at least its launch.
    double launch = static_cast<double>(options.target.launchTime) * 1e-3;
    if (options.kernels > 1 && getProgramBound() + launch < best) {
      candidates = generator.generatePairs(best);
      endPhase(generator.getStatistics().generateSeconds);
      addSized(candidates);
      endPhase(generator.getStatistics().chooseSeconds);
    }
    sortByCost();
    verify();
    endPhase(generator.getStatistics().verifySeconds);
    result.statistics = generator.getStatistics();
    result.wasCut = wasCut;
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

  bool isOver() {
    if ((control.stop && *control.stop) ||
        (options.deadline > 0 && getSeconds() > options.deadline))
      wasCut = true;
    return wasCut;
  }

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
    std::vector<std::optional<ChosenSizes>> chosen(candidates.size());
    pool.forEach(candidates.size(), [&](int64_t i) {
      if (!isOver())
        chosen[i] = chooseSizes(problem, candidates[i], options.target);
    });
    SearchStatistics &statistics = generator.getStatistics();
    for (auto [candidate, sizes] : llvm::zip(candidates, chosen)) {
      if (!sizes) {
        ++statistics.tooLarge;
        continue;
      }
      ++statistics.candidates;
      JudgedCandidate &judged = result.judged.emplace_back();
      judged.candidate = candidate;
      judged.sizes = sizes->sizes;
      judged.microseconds = sizes->microseconds;
    }
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

  void verify() {
    SearchStatistics &statistics = generator.getStatistics();
    size_t number = 0;
    for (; number < result.judged.size(); ++number) {
      if (statistics.verified >= options.best || isOver())
        break;
      JudgedCandidate &judged = result.judged[number];
      verifyCandidate(program,
                      instantiate(problem, judged.candidate, judged.sizes),
                      options, pool, judged);
      switch (judged.verdict) {
      case Verdict::Proved:
      case Verdict::Equivalent:
        if (!statistics.verified++)
          bestMicroseconds = judged.microseconds;
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
      SearchProgress progress;
      progress.phase = "verification";
      progress.done = number + 1;
      progress.total = result.judged.size();
      progress.states = statistics.generator.states;
      progress.candidates = statistics.candidates;
      report(progress);
    }
    result.judged.resize(number);
  }

  const MuGraph &program;
  const SearchProblem &problem;
  const SearchOptions &options;
  const SearchControl &control;
  WorkerPool pool;
  KernelGenerator generator;
  SearchResult result;
  std::atomic<bool> wasCut = false;
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
