//===- GenerateTilings.cpp - All tiling expressions of a chain ------------===//
//
// Loops are placed from the outside in. Each step nests one more loop around
// all products that are left, or divides them into parts that have no unplaced
// loop in common.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Tiling/TilingExpression.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mirage::tiling;

static LoopSet getLoops(unsigned first, unsigned last) {
  LoopSet loops{rowLoop};
  for (unsigned product = first; product <= last; ++product)
    loops |= LoopSet{getContractedLoop(product), getColumnLoop(product)};
  return loops;
}

using Expressions = std::vector<TilingExpression>;

/// The expressions of products `first` to `last` with these loops unplaced.
/// Expressions that begin with branches are among them only if `mayDivide`:
/// else a division into three parts would be found twice.
static Expressions generate(unsigned first, unsigned last, LoopSet loops,
                            bool mayDivide) {
  if (loops.empty())
    return {{}};
  Expressions result;
  for (Loop loop : loops)
    for (TilingExpression &inner :
         generate(first, last, loops - LoopSet{loop}, true)) {
      inner.loops.insert(inner.loops.begin(), loop);
      result.push_back(std::move(inner));
    }
  for (unsigned split = first; mayDivide && split < last; ++split) {
    LoopSet left = loops & getLoops(first, split),
            right = loops & getLoops(split + 1, last);
    if (left.empty() || right.empty() || left.intersects(right))
      continue;
    Expressions tails = generate(split + 1, last, right, true);
    for (const TilingExpression &head : generate(first, split, left, false))
      for (const TilingExpression &tail : tails) {
        TilingExpression expression;
        expression.branches.push_back(head);
        if (tail.loops.empty())
          llvm::append_range(expression.branches, tail.branches);
        else
          expression.branches.push_back(tail);
        result.push_back(std::move(expression));
      }
  }
  // A product without unplaced loops may belong to the part before or after.
  llvm::StringSet<> seen;
  llvm::erase_if(result, [&](const TilingExpression &expression) {
    return !seen.insert(toString(expression)).second;
  });
  return result;
}

std::vector<TilingExpression>
mirage::tiling::generateTilings(unsigned products) {
  Expressions expressions =
      generate(0, products - 1, getLoops(0, products - 1), true);
  Expressions result;
  for (bool isDeep : {true, false})
    llvm::copy_if(expressions, std::back_inserter(result),
                  [&](const TilingExpression &expression) {
                    return expression.isDeep() == isDeep;
                  });
  return result;
}
