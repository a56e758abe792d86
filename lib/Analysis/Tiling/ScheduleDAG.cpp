//===- ScheduleDAG.cpp - Statements and the loops around them -------------===//
//
// Places Load, Compute and Store statements, as they are before the
// memory-access optimization and after it.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Tiling/Schedule.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace mirage::tiling;
using llvm::ArrayRef;
using Kind = Statement::Kind;

std::string Statement::getName() const {
  const char *kinds = "LCS";
  return std::string{kinds[static_cast<unsigned>(kind)], '_', tensor};
}

const Statement &ScheduleDAG::get(Kind kind, char tensor) const {
  for (const Statement &statement : statements)
    if (statement.kind == kind && statement.tensor == tensor)
      return statement;
  llvm_unreachable("no such statement");
}

/// The statements L_A, then L_B and C_C for each product, then the store, with
/// their dependences and no loops around them.
static ScheduleDAG getStatements(unsigned products) {
  ScheduleDAG dag;
  auto add = [&](Kind kind, unsigned product, char tensor,
                 ArrayRef<Loop> related) {
    dag.statements.push_back(
        {kind, product, tensor, {related.begin(), related.end()}, {}});
    return static_cast<unsigned>(dag.statements.size() - 1);
  };
  unsigned operand = add(Kind::Load, 0, 'A', {rowLoop, getContractedLoop(0)});
  for (unsigned product = 0; product < products; ++product) {
    Loop contracted = getContractedLoop(product),
         columns = getColumnLoop(product);
    unsigned rhs =
        add(Kind::Load, product, getRhsName(product), {contracted, columns});
    unsigned compute = add(Kind::Compute, product, getResultName(product),
                           {rowLoop, contracted, columns});
    dag.dependences.emplace_back(operand, compute);
    dag.dependences.emplace_back(rhs, compute);
    operand = compute;
  }
  unsigned store = add(Kind::Store, products - 1, getResultName(products - 1),
                       {rowLoop, getColumnLoop(products - 1)});
  dag.dependences.emplace_back(operand, store);
  return dag;
}

static void findInnermost(const TilingExpression &expression, LoopPath path,
                          std::vector<LoopPath> &leaves) {
  path.append(expression.loops.begin(), expression.loops.end());
  if (expression.branches.empty())
    leaves.push_back(path);
  for (const TilingExpression &branch : expression.branches)
    findInnermost(branch, path, leaves);
}

ScheduleDAG mirage::tiling::getInitialDAG(const TilingExpression &expression,
                                          unsigned products) {
  std::vector<LoopPath> leaves;
  findInnermost(expression, {}, leaves);
  ScheduleDAG dag = getStatements(products);
  for (Statement &statement : dag.statements) {
    // A statement stands in the last branch that has most of its product's
    // loops.
    size_t most = 0;
    for (const LoopPath &leaf : leaves) {
      size_t count = llvm::count_if(
          leaf, [&](Loop loop) { return isRelated(loop, statement.product); });
      if (count < most)
        continue;
      most = count;
      statement.loops = leaf;
    }
  }
  return dag;
}

/// The path up to its rightmost loop that the statement is related to.
static LoopPath cutToRelated(ArrayRef<Loop> path, const Statement &statement) {
  while (!path.empty() && !llvm::is_contained(statement.related, path.back()))
    path = path.drop_back();
  return {path.begin(), path.end()};
}

/// Orders statements. Those outside of a loop stand before it if statements in
/// the loop need them.
static void sortStatements(ScheduleDAG &dag) {
  std::vector<unsigned> order;
  for (unsigned i = 0; i < dag.statements.size(); ++i) {
    const Statement &statement = dag.statements[i];
    auto startsInside = [&](unsigned other) {
      const LoopPath &loops = dag.statements[other].loops;
      return loops.size() > statement.loops.size() &&
             std::equal(statement.loops.begin(), statement.loops.end(),
                        loops.begin());
    };
    auto at = order.end();
    // Loads have no dependences on others, so they may move to the front of the
    // loops of their own product that they left.
    if (statement.kind == Kind::Load) {
      const LoopPath &own =
          dag.get(Kind::Compute, getResultName(statement.product)).loops;
      size_t depth = statement.loops.size();
      while (at != order.begin() && own.size() > depth &&
             startsInside(*std::prev(at)) &&
             dag.statements[*std::prev(at)].loops[depth] == own[depth])
        --at;
    }
    order.insert(at, i);
  }
  std::vector<unsigned> places(order.size());
  std::vector<Statement> sorted;
  for (unsigned i : order) {
    places[i] = sorted.size();
    sorted.push_back(dag.statements[i]);
  }
  dag.statements = std::move(sorted);
  for (auto &[from, to] : dag.dependences) {
    from = places[from];
    to = places[to];
  }
}

ScheduleDAG Schedule::getDAG() const {
  ScheduleDAG dag = getStatements(products);
  LoopPath grid = getGrid();
  for (Statement &statement : dag.statements) {
    LoopPath path = grid;
    llvm::append_range(path, paths[statement.product]);
    // A result is stored when it is complete.
    if (statement.kind == Kind::Store)
      path.erase(llvm::find(path, getContractedLoop(statement.product)),
                 path.end());
    statement.loops =
        statement.kind == Kind::Compute ? path : cutToRelated(path, statement);
  }
  sortStatements(dag);
  return dag;
}

static std::string print(ArrayRef<Statement> statements, size_t depth) {
  std::string text;
  for (size_t begin = 0, end; begin < statements.size(); begin = end) {
    if (!text.empty())
      text += ",";
    end = begin + 1;
    const LoopPath &loops = statements[begin].loops;
    if (loops.size() <= depth) {
      text += statements[begin].getName();
      continue;
    }
    auto isSame = [&](const Statement &other) {
      return other.loops.size() > depth && other.loops[depth] == loops[depth];
    };
    while (end < statements.size() && isSame(statements[end]))
      ++end;
    ArrayRef<Statement> inside = statements.slice(begin, end - begin);
    std::string body = print(inside, depth + 1);
    // Nested loops are written `mh(...)` and not `m(h(...))`.
    bool isNest = llvm::all_of(inside, [&](const Statement &other) {
      return other.loops.size() > depth + 1 && loops.size() > depth + 1 &&
             other.loops[depth + 1] == loops[depth + 1];
    });
    text += getLoopName(loops[depth]);
    text += isNest ? body : "(" + body + ")";
  }
  return text;
}

std::string mirage::tiling::toString(const ScheduleDAG &dag) {
  return print(dag.statements, 0);
}
