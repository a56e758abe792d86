//===- SizeCosts.cpp - Time of a candidate at some sizes ------------------===//
//
// Builds, summarizes and estimates single launches.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Sizes/SizeCosts.h"
#include "Mirage/Analysis/Cost/CostModel.h"
#include "Mirage/Semantics/ShapeRules.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace mirage;
using namespace mirage::search;
using llvm::ArrayRef;

static constexpr double infinite = std::numeric_limits<double>::infinity();

SizeCosts::SizeCosts(const SearchProblem &problem, const Candidate &candidate,
                     const TargetDescription &target)
    : problem(problem), candidate(candidate), target(target),
      factors(problem, candidate), costs(candidate.launches.size()) {
  for (unsigned launch = 0; launch < candidate.launches.size(); ++launch)
    launches.emplace_back(problem, candidate, factors, launch);
}

Point SizeCosts::getKey(unsigned launch, ArrayRef<int64_t> sizes) const {
  Point key;
  if (launch > 0)
    for (unsigned factor : factors.getShared())
      key.push_back(sizes[factor]);
  unsigned begin = factors.getBegin(launch);
  llvm::append_range(key,
                     sizes.slice(begin, factors.getBegin(launch + 1) - begin));
  return key;
}

double SizeCosts::estimate(const KernelSummary &summary) const {
  for (auto [extent, largest] : llvm::zip_equal(summary.grid, largestGrid))
    if (extent > largest)
      return infinite;
  // The verifier counts as many (launch_c6).
  if (summary.plannedBytes > target.sharedMemoryPerBlock)
    return infinite;
  return estimateKernel(summary, target).microseconds;
}

KernelSummary mirage::search::summarizeLaunch(const SearchProblem &problem,
                                              const Candidate &candidate,
                                              ArrayRef<LaunchSizes> sizes,
                                              unsigned launch) {
  MuGraph graph = instantiateLaunch(problem, candidate, sizes, launch);
  KernelSummary summary = std::move(summarize(graph).front().summary);
  // Tensors that earlier launches stored are not as cold as the program's
  // inputs.
  llvm::SmallDenseSet<unsigned, 4> seen;
  for (const LoadChoice &load : candidate.launches[launch].loads) {
    if (load.tensor < problem.getInputs().size() ||
        !seen.insert(load.tensor).second)
      continue;
    MuValue tensor = graph.getRegion().arguments[load.tensor];
    summary.hotDistinctBytes +=
        static_cast<double>(elementCount(graph.getShape(tensor))) *
        byteSize(graph.getValue(tensor).type);
  }
  return summary;
}

double SizeCosts::evaluate(unsigned launch, ArrayRef<int64_t> sizes) {
  ++evaluations;
  return estimate(
      summarizeLaunch(problem, candidate, factors.getSizes(sizes), launch));
}

double SizeCosts::getLaunchCost(unsigned launch, ArrayRef<int64_t> sizes) {
  auto [entry, isNew] = costs[launch].try_emplace(getKey(launch, sizes));
  if (isNew)
    entry->second = evaluate(launch, sizes);
  return entry->second;
}

double SizeCosts::getLaunchBound(unsigned launch, ArrayRef<int64_t> sizes,
                                 double limit) {
  ++bounds;
  const LaunchBound &own = launches[launch];
  double ofTraffic = getTrafficBound(
      own.getBlocks(sizes), own.getTraffic(sizes), target, own.mayKeepTiles());
  if (ofTraffic >= limit)
    return ofTraffic;
  return estimate(launches[launch].get(sizes, target.sharedMemoryPerBlock));
}

double SizeCosts::getCost(ArrayRef<int64_t> sizes) {
  double cost = 0;
  for (unsigned launch = 0; launch < launches.size(); ++launch)
    cost += getLaunchCost(launch, sizes);
  return cost;
}

double SizeCosts::getBound(ArrayRef<int64_t> sizes) {
  double bound = 0;
  for (unsigned launch = 0; launch < launches.size(); ++launch)
    bound += getLaunchBound(launch, sizes);
  return bound;
}
