//===- ParallelResults.cpp - Axes that results may share ------------------===//
//
// Compares the dimensions of the first result with those of each other one, in
// their order.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Problem/ParallelResults.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace mirage;
using namespace mirage::search;

namespace {

class ParallelDims {
public:
  ParallelDims(const SearchProblem &problem, const MuGraph &program)
      : problem(problem), program(program) {}

  std::vector<AlikeDims> find() {
    size_t numResults = problem.getResults().size();
    for (size_t other = 1; other < numResults; ++other)
      match(other);
    std::vector<AlikeDims> groups;
    for (const auto &[dim, others] : matched)
      groups.push_back(makeGroup(dim, others));
    return groups;
  }

private:
  /// A result's number, and a dimension of it.
  using ResultDim = std::pair<size_t, size_t>;

  AxisSet getAxes(ResultDim place) const {
    AxisSet axes;
    for (uint8_t axis : problem.getResults()[place.first].layout[place.second])
      axes.insert(axis);
    return axes;
  }
  int64_t getSize(ResultDim place) const {
    MuValue value = program.getRegion().results[place.first];
    return program.getShape(value)[place.second];
  }

  /// Returns the dimensions of a result that a grid may divide and that have no
  /// axis of another result.
  llvm::SmallVector<ResultDim, 4> getOwnDims(size_t result,
                                             size_t other) const {
    AxisSet others = problem.getAxes(problem.getResults()[other].dims);
    AxisSet parts = problem.getPartAxes();
    llvm::SmallVector<ResultDim, 4> own;
    size_t rank = problem.getResults()[result].layout.size();
    for (size_t dim = 0; dim < rank; ++dim) {
      AxisSet axes = getAxes({result, dim});
      bool isDivisible = llvm::all_of(axes, [&](uint8_t axis) {
        return !problem.isSummed(axis) && !parts.contains(axis) &&
               !others.contains(axis);
      });
      if (!axes.empty() && isDivisible)
        own.push_back({result, dim});
    }
    return own;
  }

  void match(size_t other) {
    for (auto [mine, theirs] :
         llvm::zip(getOwnDims(0, other), getOwnDims(other, 0)))
      if (getSize(mine) == getSize(theirs))
        matched[mine].push_back(theirs);
  }

  AlikeDims makeGroup(ResultDim first, llvm::ArrayRef<ResultDim> others) const {
    AlikeDims group;
    auto add = [&](ResultDim place) {
      group.dims.push_back({program.getRegion().results[place.first],
                            static_cast<unsigned>(place.second)});
    };
    add(first);
    group.unit = getSize(first);
    llvm::for_each(others, add);
    return group;
  }

  const SearchProblem &problem;
  const MuGraph &program;
  /// The dimensions of other results that fit to one of the first result.
  std::map<ResultDim, llvm::SmallVector<ResultDim, 2>> matched;
};

} // namespace

std::vector<AlikeDims>
mirage::search::findParallelDims(const SearchProblem &problem,
                                 const MuGraph &program) {
  return ParallelDims(problem, program).find();
}
