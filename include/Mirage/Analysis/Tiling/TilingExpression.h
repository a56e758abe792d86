//===- TilingExpression.h - Loop structures of fused chains -----*- C++ -*-===//
//
// Tiling expressions of MCFuser (section III-A): the loops over tiles of a
// chain of products, nested (`mhnk`: deep tiling) and one after another
// (`mn(k,h)`: flat tiling).
//
// A chain of p products A B1 B2 ... Bp has p + 2 loops: m over the rows of A,
// k over its columns, n over those of the first product, h over those of the
// second, and so on. Loops are numbered in this order.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ANALYSIS_TILING_TILINGEXPRESSION_H
#define MIRAGE_ANALYSIS_TILING_TILINGEXPRESSION_H

#include "Mirage/Support/IndexSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace mirage::tiling {

using Loop = unsigned;

/// The number of loops of the longest chain that has names for all of them.
constexpr unsigned maxLoops = 26;

using LoopSet = IndexSet<struct LoopTag, uint32_t>;
static_assert(maxLoops <= LoopSet::kEnd);

/// The names of loops in their order are m, k, n, h, p, q, ...
char getLoopName(Loop loop);
std::optional<Loop> getLoop(char name);

/// The loops of product j (from 0): rows, contracted dimension, columns.
constexpr Loop rowLoop = 0;
inline Loop getContractedLoop(unsigned product) { return product + 1; }
inline Loop getColumnLoop(unsigned product) { return product + 2; }
inline bool isRelated(Loop loop, unsigned product) {
  return loop == rowLoop || loop == getContractedLoop(product) ||
         loop == getColumnLoop(product);
}

/// `loops` from the outermost to the innermost and, inside of them, `branches`
/// that run one after another: none, or at least two, none of them empty.
struct TilingExpression {
  llvm::SmallVector<Loop, 6> loops;
  std::vector<TilingExpression> branches;

  bool isDeep() const { return branches.empty(); }
  bool empty() const { return loops.empty() && branches.empty(); }
  bool contains(Loop loop) const;
  bool operator==(const TilingExpression &other) const {
    return loops == other.loops && branches == other.branches;
  }
};

/// The expression in the paper's notation: `mn(k,h)`.
std::string toString(const TilingExpression &expression);

/// What is wrong with a text, and where: columns count from 1.
struct ParseError {
  unsigned column = 0;
  std::string message;
};

/// Reads an expression of a chain with `numLoops` loops. No loop may occur
/// twice, and not all loops need to occur.
std::optional<TilingExpression> parseTilingExpression(llvm::StringRef text,
                                                      unsigned numLoops,
                                                      ParseError &error);

/// Reads `m:128,n:64` in any order: for each loop the elements of its tile,
/// zero for those that the text does not name.
std::optional<llvm::SmallVector<int64_t, 6>>
parseTiles(llvm::StringRef text, unsigned numLoops, ParseError &error);

/// All expressions of a chain of `products` products: first the deep ones,
/// which are all permutations, then the flat ones. Where the loops that are not
/// yet placed belong to consecutive parts of the chain that share none of them,
/// the parts' loops may follow each other. Two products have 24 + 2.
std::vector<TilingExpression> generateTilings(unsigned products);

} // namespace mirage::tiling

#endif // MIRAGE_ANALYSIS_TILING_TILINGEXPRESSION_H
