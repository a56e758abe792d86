//===- KernelGenerator.cpp - Kernel graphs of one or two launches ---------===//
//
// Distributes configurations and interfaces among threads, and collects what
// they find in a fixed order.
//
//===----------------------------------------------------------------------===//

#include "KernelGenerator.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace mirage;
using namespace mirage::search;
using llvm::ArrayRef;

KernelGenerator::KernelGenerator(
    const SearchProblem &problem, const SearchOptions &options,
    WorkerPool &pool, std::function<bool()> isOver,
    std::function<void(const SearchProgress &)> tick)
    : problem(problem), options(options), pool(pool), isOver(std::move(isOver)),
      tick(std::move(tick)), oracles(problem, options.limits.pruneExpressions) {}

std::vector<KernelTensor>
KernelGenerator::getTensors(ExpressionOracle &oracle) const {
  std::vector<KernelTensor> tensors;
  for (auto [number, input] : llvm::enumerate(problem.getInputs())) {
    KernelTensor &tensor = tensors.emplace_back();
    tensor.info = input;
    tensor.value = oracle.getInput(number).value;
  }
  return tensors;
}

static std::vector<TensorInfo> getInfos(ArrayRef<KernelTensor> tensors) {
  std::vector<TensorInfo> infos;
  for (const KernelTensor &tensor : tensors)
    infos.push_back(tensor.info);
  return infos;
}

static llvm::SmallVector<uint8_t> getMembers(uint64_t set) {
  llvm::SmallVector<uint8_t> members;
  for (; set; set &= set - 1)
    members.push_back(llvm::countr_zero(set));
  return members;
}

void KernelGenerator::finish(llvm::StringRef phase, uint64_t total,
                             const GeneratorStatistics &own, uint64_t found) {
  std::lock_guard<std::mutex> lock(mutex);
  statistics.generator += own;
  candidates += found;
  SearchProgress progress;
  progress.phase = phase;
  progress.done = ++done;
  progress.total = total;
  progress.generator = statistics.generator;
  progress.candidates = candidates;
  tick(progress);
}

std::vector<Candidate> KernelGenerator::generateSingle() {
  ConfigurationLimits limits;
  limits.gridDims = options.gridDims;
  std::vector<TensorInfo> inputs = problem.getInputs().vec();
  uint64_t all = (uint64_t(1) << inputs.size()) - 1;
  std::vector<LaunchGraph> starts = enumerateConfigurations(
      problem, inputs, getMembers(all), /*isLast=*/true, limits);
  std::vector<std::vector<Candidate>> found(starts.size());
  done = 0;
  pool.forEach(starts.size(), [&](int64_t i) {
    if (isOver())
      return;
    std::unique_ptr<ExpressionOracle> oracle = oracles.take();
    std::vector<KernelTensor> tensors = getTensors(*oracle);
    GeneratorStatistics own;
    BlockGenerator generator(problem, *oracle, tensors, options.limits, own);
    generator.generateLast(starts[i], [&](const LaunchGraph &launch, auto) {
      Candidate &candidate = found[i].emplace_back();
      candidate.launches.push_back(launch);
      for (unsigned result = 0; result < launch.outputs.size(); ++result)
        candidate.results.push_back(tensors.size() + result);
    });
    oracles.giveBack(std::move(oracle));
    finish("one kernel", starts.size(), own, found[i].size());
  });
  std::vector<Candidate> candidates;
  for (std::vector<Candidate> &list : found)
    llvm::append_range(candidates, list);
  return candidates;
}

/// Two launches, and each tensor between them written and read once.
double
KernelGenerator::getTrafficBound(const LaunchGraph &first,
                                 ArrayRef<KernelTensor> outputs) const {
  double elements = 0;
  for (const KernelTensor &tensor : outputs) {
    double size = 1;
    for (DimId dim : tensor.info.dims)
      for (const AxisPart &part : problem.getParts(dim))
        if (!problem.isSplitAxis(part.axis))
          size *= static_cast<double>(problem.getAxisSize(part.axis));
    elements += size;
  }
  const TargetDescription &target = options.target;
  double traffic = 2 * 4 * elements / static_cast<double>(target.l2Bandwidth);
  return (2 * static_cast<double>(target.launchTime) + traffic) * 1e-3;
}

using InterfaceKey = std::vector<uint64_t>;

/// What a launch leaves, by numbers of an oracle.
static InterfaceKey getKey(ArrayRef<KernelTensor> outputs) {
  InterfaceKey key;
  for (const KernelTensor &tensor : outputs) {
    key.push_back(tensor.form);
    key.push_back(static_cast<uint64_t>(tensor.value.role) << 8 |
                  tensor.shift.value_or(0xff));
    for (DimId dim : tensor.info.dims)
      key.push_back(dim);
    key.push_back(~uint64_t(0));
  }
  return key;
}

/// Of the launches that leave the same tensors, those with the fewest operators.
std::vector<KernelGenerator::Interface>
KernelGenerator::mergeEqual(ArrayRef<Interface> interfaces) {
  std::unique_ptr<ExpressionOracle> oracle = oracles.take();
  std::vector<KernelTensor> tensors = getTensors(*oracle);
  GeneratorStatistics replayed;
  BlockGenerator generator(problem, *oracle, tensors, options.limits, replayed);
  std::map<InterfaceKey, size_t> numbers;
  std::vector<Interface> merged;
  for (const Interface &interface : interfaces) {
    const LaunchGraph &first = interface.firsts.front();
    InterfaceKey key = getKey(generator.replay(first));
    key.push_back(interface.loaded);
    auto [entry, isNew] = numbers.try_emplace(key, merged.size());
    if (isNew) {
      merged.push_back(interface);
      continue;
    }
    merged[entry->second].firsts.push_back(first);
  }
  oracles.giveBack(std::move(oracle));
  return merged;
}

/// Keeps the cheapest of the launches with the fewest operators, each at its
/// own best sizes.
void KernelGenerator::chooseFirsts(Interface &interface) const {
  static constexpr unsigned kTried = 8, kKept = 2;
  std::vector<std::pair<size_t, size_t>> order;
  for (auto [number, launch] : llvm::enumerate(interface.firsts))
    order.push_back({launch.operators.size(), number});
  llvm::sort(order);
  std::vector<std::pair<double, size_t>> costs;
  for (auto [size, number] : ArrayRef(order).take_front(kTried)) {
    Candidate alone;
    alone.isPartial = true;
    alone.launches.push_back(interface.firsts[number]);
    for (unsigned i = 0; i < alone.launches[0].outputs.size(); ++i)
      alone.results.push_back(problem.getInputs().size() + i);
    if (auto chosen = chooseSizes(problem, alone, options.target))
      costs.push_back({chosen->microseconds, number});
  }
  llvm::sort(costs);
  llvm::SmallVector<LaunchGraph, 1> kept;
  for (auto [cost, number] : ArrayRef(costs).take_front(kKept))
    kept.push_back(interface.firsts[number]);
  interface.cost = costs.empty() ? std::numeric_limits<double>::infinity()
                                 : costs.front().first;
  interface.firsts = std::move(kept);
}

std::vector<KernelGenerator::Interface>
KernelGenerator::generateInterfaces(double bestMicroseconds) {
  ConfigurationLimits limits;
  limits.gridDims = options.gridDims;
  limits.secondLoads = false;
  std::vector<TensorInfo> inputs = problem.getInputs().vec();
  uint64_t all = (uint64_t(1) << inputs.size()) - 1;
  std::vector<Interface> starts;
  for (uint64_t loaded = 1; loaded <= all; ++loaded)
    for (LaunchGraph &start :
         enumerateConfigurations(problem, inputs, getMembers(loaded),
                                 /*isLast=*/false, limits))
      starts.push_back({{std::move(start)}, loaded});

  std::vector<std::vector<Interface>> found(starts.size());
  std::vector<uint64_t> numPruned(starts.size());
  done = 0;
  pool.forEach(starts.size(), [&](int64_t i) {
    if (isOver())
      return;
    std::unique_ptr<ExpressionOracle> oracle = oracles.take();
    std::vector<KernelTensor> tensors = getTensors(*oracle);
    GeneratorStatistics own;
    std::map<InterfaceKey, size_t> known;
    BlockGenerator generator(problem, *oracle, tensors, options.limits, own);
    generator.generateFirst(
        starts[i].firsts.front(),
        [&](const LaunchGraph &launch, ArrayRef<KernelTensor> outputs) {
          if (getTrafficBound(launch, outputs) >= bestMicroseconds) {
            ++numPruned[i];
            return;
          }
          auto [entry, isNew] =
              known.try_emplace(getKey(outputs), found[i].size());
          if (isNew)
            found[i].push_back({{launch}, starts[i].loaded});
          else if (launch.operators.size() <
                   found[i][entry->second].firsts.front().operators.size())
            found[i][entry->second].firsts.front() = launch;
        });
    oracles.giveBack(std::move(oracle));
    finish("first of two kernels", starts.size(), own, 0);
  });

  std::vector<Interface> interfaces;
  for (auto [list, pruned] : llvm::zip(found, numPruned)) {
    statistics.firstKernels += list.size();
    statistics.prunedCost += pruned;
    llvm::append_range(interfaces, list);
  }
  interfaces = mergeEqual(interfaces);
  pool.forEach(interfaces.size(),
               [&](int64_t i) { chooseFirsts(interfaces[i]); });
  llvm::erase_if(interfaces, [&](const Interface &interface) {
    // The second launch takes no less than a launch takes.
    bool isSlow = interface.cost +
                      static_cast<double>(options.target.launchTime) * 1e-3 >=
                  bestMicroseconds;
    statistics.prunedCost += isSlow;
    return isSlow;
  });
  statistics.interfaces = interfaces.size();
  return interfaces;
}

void KernelGenerator::generateSeconds(const Interface &interface,
                                      ExpressionOracle &oracle,
                                      GeneratorStatistics &own,
                                      std::vector<Candidate> &found) const {
  ConfigurationLimits limits;
  limits.gridDims = options.gridDims;
  limits.secondLoads = false;
  std::vector<KernelTensor> tensors = getTensors(oracle);
  size_t numInputs = tensors.size();
  uint64_t all = (uint64_t(1) << numInputs) - 1;
  {
    GeneratorStatistics replayed;
    BlockGenerator generator(problem, oracle, tensors, options.limits,
                             replayed);
    for (KernelTensor &output : generator.replay(interface.firsts.front())) {
      if (output.shift)
        *output.shift += numInputs;
      output.isComputed = true;
      tensors.push_back(output);
    }
  }
  uint64_t outputs = ((uint64_t(1) << tensors.size()) - 1) & ~all;
  std::vector<TensorInfo> infos = getInfos(tensors);
  BlockGenerator generator(problem, oracle, tensors, options.limits, own);
  // What the first launch did not load; and more of the inputs only if nothing
  // is found without.
  std::vector<uint64_t> loads;
  for (uint64_t more = 0; more <= all; ++more)
    if ((more & ~interface.loaded) == (all & ~interface.loaded))
      loads.push_back(more);
  llvm::sort(loads, [](uint64_t a, uint64_t b) {
    return std::make_pair(llvm::popcount(a), a) <
           std::make_pair(llvm::popcount(b), b);
  });
  int needed = 64;
  for (uint64_t more : loads) {
    if (llvm::popcount(more) > needed)
      break;
    for (const LaunchGraph &start :
         enumerateConfigurations(problem, infos, getMembers(more | outputs),
                                 /*isLast=*/true, limits))
      generator.generateLast(start, [&](const LaunchGraph &launch, auto) {
        needed = llvm::popcount(more);
        for (const LaunchGraph &first : interface.firsts) {
          Candidate &candidate = found.emplace_back();
          candidate.launches = {first, launch};
          for (unsigned result = 0; result < launch.outputs.size(); ++result)
            candidate.results.push_back(tensors.size() + result);
        }
      });
  }
}

std::vector<Candidate>
KernelGenerator::generatePairs(double bestMicroseconds) {
  std::vector<Interface> interfaces = generateInterfaces(bestMicroseconds);
  std::vector<std::vector<Candidate>> found(interfaces.size());
  done = 0;
  pool.forEach(interfaces.size(), [&](int64_t i) {
    if (isOver())
      return;
    std::unique_ptr<ExpressionOracle> oracle = oracles.take();
    GeneratorStatistics own;
    generateSeconds(interfaces[i], *oracle, own, found[i]);
    oracles.giveBack(std::move(oracle));
    finish("second of two kernels", interfaces.size(), own, found[i].size());
  });
  std::vector<Candidate> candidates;
  for (std::vector<Candidate> &list : found)
    llvm::append_range(candidates, list);
  return candidates;
}
