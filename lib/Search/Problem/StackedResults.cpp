//===- StackedResults.cpp - Results that one store writes -----------------===//
//
// Asks of each concatenation where the axis of its parts stands among the axes
// of a part.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Problem/StackedResults.h"
#include "Mirage/Search/Launches/TileLayouts.h"
#include "Mirage/Semantics/Windows.h"
#include "llvm/ADT/STLExtras.h"
#include <functional>
#include <numeric>

using namespace mirage;
using namespace mirage::search;
using llvm::ArrayRef;

bool ViewResult::isInPlace(ElementType type) const {
  int64_t offset = 0;
  for (const Shape &part : parts) {
    if (!isJoinedAt(offset, dim, part, type))
      return false;
    offset += part.empty() ? 0 : part[dim];
  }
  return true;
}

static int64_t multiply(ArrayRef<int64_t> sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t(1),
                         std::multiplies<>());
}

/// The place of the parts' axis among the axes of a part; nothing if it would
/// stand inside of an axis, or if the parts differ.
static std::optional<unsigned> findPlace(const ViewResult &joined,
                                         const SearchProblem &problem,
                                         ArrayRef<TensorInfo> parts) {
  AxisList axes = flatten(parts.front().layout);
  if (!llvm::all_equal(joined.parts) ||
      llvm::any_of(parts, [&](const TensorInfo &part) {
        return flatten(part.layout) != axes;
      }))
    return std::nullopt;
  int64_t wanted =
      multiply(ArrayRef(joined.parts.front()).drop_front(joined.dim));
  int64_t inner = 1;
  unsigned place = axes.size();
  while (inner < wanted && place > 0)
    inner *= problem.getAxisSize(axes[--place]);
  return inner == wanted ? std::optional(place) : std::nullopt;
}

void mirage::search::stackResults(ProgramView &view, SearchProblem &problem) {
  std::vector<StackedResults> stacks;
  ArrayRef<TensorInfo> results = problem.getResults();
  unsigned first = 0;
  for (ViewResult &joined : view.results) {
    unsigned count = joined.parts.size();
    if (count > 1 && !joined.isInPlace(results[first].type))
      if (std::optional<unsigned> place =
              findPlace(joined, problem, results.slice(first, count))) {
        joined.isStacked = true;
        stacks.push_back({first, count, *place});
      }
    first += count;
  }
  problem.setStackedResults(std::move(stacks));
}
