//===- SizeSearches.cpp - Ways to choose candidates' sizes ----------------===//
//
// Generates the candidates of the only function of a file and chooses sizes for
// each of them in several ways. Prints a line of JSON for each candidate. See
// sizes.py.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Dialect/Block/IR/BlockDialect.h"
#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "Mirage/Dialect/Thread/IR/ThreadDialect.h"
#include "Mirage/MuGraph/IR/ImportMuGraph.h"
#include "Mirage/Search/KernelGraphs/KernelGenerator.h"
#include "Mirage/Search/Sizes/SizeSearch.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <random>
#include <time.h>

using namespace mirage;
using namespace mirage::search;

static double getThreadTime() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) +
         static_cast<double>(time.tv_nsec) / 1e9;
}

namespace {
class Comparison {
public:
  Comparison(const SearchProblem &problem, const TargetDescription &target,
             uint64_t most)
      : problem(problem), target(target), most(most) {}

  void compare(const Candidate &candidate) {
    llvm::json::Object line;
    line["launches"] = static_cast<int64_t>(candidate.launches.size());
    auto add = [&](llvm::StringRef name,
                   llvm::function_ref<void(SizeSearch &)> run) {
      double begin = getThreadTime();
      SizeSearch search(problem, candidate, target);
      run(search);
      double seconds = getThreadTime() - begin;
      llvm::json::Object entry{
          {"evaluations",
           static_cast<int64_t>(search.getCosts().getNumEvaluations())},
          {"bounds", static_cast<int64_t>(search.getCosts().getNumBounds())},
          {"seconds", seconds}};
      if (search.fits())
        entry["microseconds"] = search.getMicroseconds();
      line[name.str()] = std::move(entry);
    };
    PointSearchOptions random;
    random.exhaustive = 0;
    add("descent", [](SizeSearch &s) { s.descend(/*useBounds=*/false); });
    add("bounded descent", [](SizeSearch &s) { s.descend(); });
    for (bool useBounds : {false, true}) {
      std::string name = useBounds ? "bounded algorithm 1" : "algorithm 1";
      add(name, [&](SizeSearch &s) { s.evolve(random, useBounds); });
      add(name + ", descent", [&](SizeSearch &s) {
        s.evolve(random, useBounds);
        s.refine();
      });
    }
    add("descent, bounded algorithm 1, descent", [&](SizeSearch &s) {
      s.descend();
      s.evolve(random, /*useBounds=*/true);
      s.refine();
    });
    bool isWhole = false;
    add("exhaustive", [&](SizeSearch &s) { isWhole = s.exhaust(most); });
    if (!isWhole)
      line.erase("exhaustive");
    addTightness(candidate, line);
    llvm::outs() << llvm::json::Value(std::move(line)) << "\n";
  }

  /// True if some bound was above the time.
  bool isWrong = false;

private:
  /// Bounds over times at random points, of launches that fit.
  void addTightness(const Candidate &candidate, llvm::json::Object &line) {
    constexpr unsigned points = 20;
    SizeCosts costs(problem, candidate, target);
    const SizeFactors &factors = costs.getFactors();
    Divisors divisors;
    double sum = 0;
    int64_t count = 0;
    for (unsigned i = 0; i < points; ++i) {
      Point point;
      while (point.size() < factors.get().size()) {
        llvm::ArrayRef<int64_t> choices =
            divisors.get(factors.getRoom(point.size(), point));
        point.push_back(choices[random() % choices.size()]);
      }
      for (unsigned launch = 0; launch < candidate.launches.size(); ++launch) {
        double time = costs.getLaunchCost(launch, point);
        double bound = costs.getLaunchBound(launch, point);
        isWrong |= bound > time;
        if (!std::isfinite(time))
          continue;
        sum += bound / time;
        ++count;
      }
    }
    line["tightness"] = llvm::json::Object{{"sum", sum}, {"count", count}};
  }

  const SearchProblem &problem;
  const TargetDescription &target;
  uint64_t most;
  std::mt19937_64 random;
};
} // namespace

int main(int argc, char **argv) {
  if (argc != 3) {
    llvm::errs() << "usage: mirage-size-searches FILE POINTS\n";
    return 2;
  }
  mlir::MLIRContext context;
  context.loadDialect<MirageDialect, kernel::KernelDialect, block::BlockDialect,
                      thread::ThreadDialect, mlir::func::FuncDialect>();
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(argv[1], &context);
  if (!module)
    return 1;
  auto functions = module->getOps<mlir::func::FuncOp>();
  auto imported = importMuGraph(*functions.begin());
  if (failed(imported))
    return 1;
  std::string reason;
  std::optional<unsigned> location;
  std::optional<SearchTask> task =
      SearchTask::create(imported->graph, reason, location);
  if (!task) {
    llvm::errs() << reason << "\n";
    return 1;
  }
  SearchOptions options;
  options.target = *getTargetPreset("sm_90a");
  options.limits.sharedMemory = options.target.sharedMemoryPerBlock;
  WorkerPool pool(options.threads);
  SearchStatistics statistics;
  double best = std::numeric_limits<double>::infinity();
  bool isWrong = false;
  std::vector<std::unique_ptr<KernelGenerator>> generators;
  auto compareAll = [&](unsigned view, llvm::ArrayRef<Candidate> candidates) {
    const SearchProblem &problem = task->views[view].problem;
    Comparison comparison(problem, options.target, std::stoull(argv[2]));
    for (const Candidate &candidate : candidates) {
      comparison.compare(candidate);
      if (auto chosen = chooseSizes(problem, candidate, options.target))
        best = std::min(best, chosen->microseconds);
    }
    isWrong |= comparison.isWrong;
  };
  for (unsigned view = 0; view < task->views.size(); ++view) {
    generators.push_back(std::make_unique<KernelGenerator>(
        task->views[view].problem, options, pool, [] { return false; },
        [](const SearchProgress &) {}, nullptr, view, statistics));
    compareAll(view, generators[view]->generateSingle());
    compareAll(view, generators[view]->generateLoops());
  }
  for (unsigned view = 0; view < task->views.size(); ++view)
    compareAll(view, generators[view]->generatePairs(best));
  if (isWrong)
    llvm::errs() << "a bound is above the time\n";
  return isWrong;
}
