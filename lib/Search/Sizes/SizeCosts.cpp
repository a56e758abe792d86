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
#include <cmath>

using namespace mirage;
using namespace mirage::search;
using llvm::ArrayRef;

static constexpr double infinite = std::numeric_limits<double>::infinity();

SizeCosts::SizeCosts(const SearchProblem &problem, const Candidate &candidate,
                     const TargetDescription &target, LaunchTable *table)
    : problem(problem), candidate(candidate), target(target),
      factors(problem, candidate), own(problem), table(table ? *table : own) {
  for (unsigned launch = 0; launch < candidate.launches.size(); ++launch)
    launches.push_back(this->table.getLaunch(candidate, launch));
}

/// Returns the numbers of the shared factors that a launch depends on.
Point SizeCosts::getShared(unsigned launch, ArrayRef<int64_t> sizes) const {
  Point shared;
  if (launch > 0)
    for (unsigned factor : factors.getShared())
      shared.push_back(sizes[factor]);
  return shared;
}

Point SizeCosts::getKey(unsigned launch, ArrayRef<int64_t> sizes) const {
  Point key = getShared(launch, sizes);
  unsigned begin = factors.getBegin(launch);
  llvm::append_range(key,
                     sizes.slice(begin, factors.getBegin(launch + 1) - begin));
  return key;
}

double SizeCosts::estimate(const KernelSummary &summary, double limit) const {
  for (auto [extent, largest] : llvm::zip_equal(summary.grid, largestGrid))
    if (extent > largest)
      return infinite;
  // The verifier counts as many (launch_c6).
  if (summary.plannedBytes > target.sharedMemoryPerBlock)
    return infinite;
  return estimateKernel(summary, target, CostModel::Mirage, limit).microseconds;
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
  return launches[launch]->getCost(getKey(launch, sizes),
                                   [&] { return evaluate(launch, sizes); });
}

std::shared_ptr<TimedPoints>
SizeCosts::getPoints(unsigned launch, ArrayRef<int64_t> prefix, uint64_t most) {
  Point shared = getShared(launch, prefix);
  if (std::shared_ptr<TimedPoints> known = launches[launch]->findPoints(shared))
    return known->getPoints().size() <= most ? known : nullptr;
  std::shared_ptr<const PointList> points =
      table.getPoints().get(factors, launch, prefix, most);
  if (!points)
    return nullptr;
  auto timed = std::make_shared<TimedPoints>(points);
  return table.reserve(points->size())
             ? launches[launch]->keepPoints(shared, std::move(timed))
             : timed;
}

double SizeCosts::getLaunchBound(unsigned launch, ArrayRef<int64_t> sizes,
                                 double limit) {
  ++bounds;
  const LaunchBound &bound = launches[launch]->getBound();
  double ofTraffic =
      getTrafficBound(bound.getBlocks(sizes), bound.getTraffic(sizes), target,
                      bound.mayKeepTiles());
  if (ofTraffic >= limit)
    return ofTraffic;
  return estimate(bound.get(sizes, target.sharedMemoryPerBlock), limit);
}

double SizeCosts::getLaunchBound(unsigned launch, ArrayRef<int64_t> prefix,
                                 TimedPoints &points, size_t number,
                                 double limit) {
  double known = points.getKnown(number);
  if (known > 0 || -known >= limit)
    return std::abs(known);
  Point sizes(prefix);
  llvm::append_range(sizes, points.getPoints()[number]);
  double bound = getLaunchBound(launch, sizes, limit);
  points.setKnown(number, bound < limit ? bound : -bound);
  return bound;
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
