//===- Schedule.cpp - From expressions to loops around products -----------===//
//
// Paths of loops are read off the expression and shortened until each product
// is only in loops that it needs or that its consumer shares.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Tiling/Schedule.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mirage::tiling;
using llvm::ArrayRef;

namespace {

/// A loop of an expression, with the path of the loops around it and itself,
/// and its place among all loops in the order of the text.
struct PlacedLoop {
  LoopPath path;
  unsigned order = 0;
};

class Scheduler {
public:
  Scheduler(const TilingExpression &expression, const ScheduleProblem &problem)
      : expression(expression), problem(problem), placed(maxLoops) {
    LoopPath path;
    place(expression, path);
  }

  bool readPaths(Schedule &result, std::string &error);
  void bindBlocks(Schedule &result);
  void shorten(Schedule &result);

private:
  bool isLive(Loop loop) const { return problem.extents[loop] > 1; }

  void place(const TilingExpression &e, LoopPath path) {
    for (Loop loop : e.loops) {
      if (!isLive(loop))
        continue;
      path.push_back(loop);
      placed[loop] = {path, ++numPlaced};
    }
    for (const TilingExpression &branch : e.branches)
      place(branch, path);
  }

  bool failOnMissing(Loop loop, unsigned product, std::string &error) const;
  bool shortenOnce(Schedule &result);

  const TilingExpression &expression;
  const ScheduleProblem &problem;
  std::vector<PlacedLoop> placed;
  unsigned numPlaced = 0;
};

} // namespace

static unsigned getCommonDepth(const LoopPath &a, const LoopPath &b) {
  return llvm::mismatch(a, b).first - a.begin();
}

static std::string describe(Loop loop, unsigned product) {
  return llvm::formatv("loop {0} of product {1}", getLoopName(loop),
                       product + 1);
}

bool Scheduler::failOnMissing(Loop loop, unsigned product,
                              std::string &error) const {
  error = llvm::formatv("{0} has {1} iterations and is missing",
                        describe(loop, product), problem.extents[loop]);
  return false;
}

bool Scheduler::readPaths(Schedule &result, std::string &error) {
  for (unsigned product = 0; product < problem.products; ++product) {
    const Loop loops[] = {getContractedLoop(product), getColumnLoop(product)};
    LoopPath path;
    unsigned order = 0;
    for (Loop loop : loops) {
      if (!isLive(loop))
        continue;
      if (placed[loop].path.empty())
        return failOnMissing(loop, product, error);
      if (placed[loop].order < order)
        continue;
      order = placed[loop].order;
      path = placed[loop].path;
    }
    for (Loop loop : loops) {
      if (!isLive(loop) || llvm::is_contained(path, loop))
        continue;
      // Only an operand can be put together before its product begins.
      if (product && loop == getContractedLoop(product) &&
          llvm::is_contained(result.paths.back(), loop))
        continue;
      error = llvm::formatv("{0} does not run around its loop {1}",
                            describe(loop, product), getLoopName(path.back()));
      return false;
    }
    if (isLive(rowLoop)) {
      const LoopPath &rows = placed[rowLoop].path;
      if (rows.empty())
        return failOnMissing(rowLoop, product, error);
      unsigned depth = getCommonDepth(rows, path);
      if (depth < rows.size() && depth < path.size()) {
        error =
            llvm::formatv("{0} does not run around its loop {1}",
                          describe(rowLoop, product), getLoopName(path.back()));
        return false;
      }
    }
    if (product) {
      const LoopPath &before = result.paths.back();
      unsigned depth = getCommonDepth(before, path);
      if (depth < before.size() && depth < path.size() &&
          placed[path[depth]].order < placed[before[depth]].order) {
        error = llvm::formatv("{0} runs before {1}, whose result it needs",
                              describe(path[depth], product),
                              describe(before[depth], product - 1));
        return false;
      }
    }
    result.paths.push_back(path);
  }
  return true;
}

void Scheduler::bindBlocks(Schedule &result) {
  result.bindsRows = isLive(rowLoop);
  for (LoopPath &path : result.paths)
    llvm::erase(path, rowLoop);
  Loop columns = result.getLastColumns();
  if (!problem.bindsColumns || !isLive(columns))
    return;
  auto isOther = [&](Loop loop) { return loop != rowLoop && isLive(loop); };
  const auto *first = llvm::find_if(expression.loops, isOther);
  if (first == expression.loops.end() || *first != columns)
    return;
  result.bindsColumns = true;
  for (LoopPath &path : result.paths)
    llvm::erase(path, columns);
}

bool Scheduler::shortenOnce(Schedule &result) {
  bool changed = false;
  auto erase = [&](LoopPath &path, unsigned from, auto predicate) {
    auto *end = std::remove_if(path.begin() + from, path.end(), predicate);
    changed |= end != path.end();
    path.erase(end, path.end());
  };
  for (unsigned product = 0; product < problem.products; ++product) {
    LoopPath &path = result.paths[product];
    auto isUnrelated = [&](Loop loop) { return !isRelated(loop, product); };
    if (product + 1 == problem.products) {
      erase(path, 0, isUnrelated);
      continue;
    }
    erase(path, result.getSharedDepth(product), isUnrelated);
    if (product < problem.normalized.size() && problem.normalized[product]) {
      auto *columns = llvm::find(path, getColumnLoop(product));
      if (columns != path.end())
        erase(path, columns - path.begin(), isUnrelated);
    }
    erase(result.paths[product + 1], result.getSharedDepth(product),
          [&](Loop loop) { return loop == getColumnLoop(product); });
  }
  return changed;
}

void Scheduler::shorten(Schedule &result) {
  // A product leaves the loops that earlier products sum over.
  for (auto [product, path] : llvm::enumerate(result.paths))
    llvm::erase_if(path, [&, product = product](Loop loop) {
      return loop < getContractedLoop(product);
    });
  // Paths only become shorter.
  while (shortenOnce(result)) {
  }
}

std::optional<Schedule>
mirage::tiling::schedule(const TilingExpression &expression,
                         const ScheduleProblem &problem, std::string &error) {
  TilingExpression current = expression;
  while (true) {
    Schedule next;
    next.products = problem.products;
    Scheduler scheduler(current, problem);
    if (!scheduler.readPaths(next, error))
      return std::nullopt;
    scheduler.bindBlocks(next);
    scheduler.shorten(next);
    // What is left may be an expression in which products share more.
    TilingExpression left = next.getExpression();
    bool isDone = left == current;
    if (isDone)
      return next;
    current = std::move(left);
  }
}

LoopPath Schedule::getGrid() const {
  LoopPath grid;
  if (bindsRows)
    grid.push_back(rowLoop);
  if (bindsColumns)
    grid.push_back(getLastColumns());
  return grid;
}

unsigned Schedule::getSharedDepth(unsigned product) const {
  return getCommonDepth(paths[product], paths[product + 1]);
}

bool Schedule::keepsIntermediateTiles() const {
  for (unsigned product = 0; product + 1 < products; ++product)
    if (llvm::is_contained(
            ArrayRef(paths[product]).drop_front(getSharedDepth(product)),
            getColumnLoop(product)))
      return true;
  return false;
}

/// The expression of the loops of these products' paths from `depth` on.
static TilingExpression join(ArrayRef<LoopPath> paths, unsigned depth) {
  std::vector<TilingExpression> parts;
  for (size_t begin = 0, end; begin < paths.size(); begin = end) {
    end = begin + 1;
    if (paths[begin].size() <= depth)
      continue;
    Loop loop = paths[begin][depth];
    while (end < paths.size() && paths[end].size() > depth &&
           paths[end][depth] == loop)
      ++end;
    TilingExpression part = join(paths.slice(begin, end - begin), depth + 1);
    part.loops.insert(part.loops.begin(), loop);
    parts.push_back(std::move(part));
  }
  if (parts.size() == 1)
    return std::move(parts.front());
  TilingExpression expression;
  expression.branches = std::move(parts);
  return expression;
}

TilingExpression Schedule::getBlockExpression() const { return join(paths, 0); }

TilingExpression Schedule::getExpression() const {
  TilingExpression expression = getBlockExpression();
  LoopPath grid = getGrid();
  expression.loops.insert(expression.loops.begin(), grid.begin(), grid.end());
  return expression;
}
