//===- TilingExpressionTest.cpp - Parsing, printing, generating -----------===//
//
// Reads and writes texts, tests what is said about wrong ones, and holds the
// expressions of chains against an enumeration of all trees.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Tiling/TilingExpression.h"
#include "ChainShapes.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <set>

using namespace mirage::tiling;

namespace {

std::string getError(llvm::StringRef text, unsigned loops = 4) {
  ParseError error;
  EXPECT_FALSE(parseTilingExpression(text, loops, error)) << text.str();
  return std::to_string(error.column) + ": " + error.message;
}

TEST(TilingExpression, ParsesWhatItPrints) {
  for (const char *text : {"", "mhnk", "mn(k,h)", "m(kn,h)", "m(k,n,h)",
                           "m(n(k,h),pq)", "(m,k)", "q"}) {
    ParseError error;
    auto expression = parseTilingExpression(text, 6, error);
    ASSERT_TRUE(expression) << text << ": " << error.message;
    EXPECT_EQ(toString(*expression), text);
  }
}

TEST(TilingExpression, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(getError("mxn"),
            "2: expected one of the loops m, k, n or h, found 'x'");
  EXPECT_EQ(getError("mq"),
            "2: expected one of the loops m, k, n or h, found 'q'");
  EXPECT_EQ(getError("mn(k,n)"),
            "6: expected each loop once, 'n' for the first time, found 'n'");
  EXPECT_EQ(getError("mn(k,)"), "6: expected a loop, found ')'");
  EXPECT_EQ(getError("mn(,h)"), "4: expected a loop, found ','");
  EXPECT_EQ(getError("mn(k)"),
            "5: expected ',' and what runs after it, found ')'");
  EXPECT_EQ(getError("mn(k,h"), "7: expected ',' or ')', found the end");
  EXPECT_EQ(getError("mn(k,h)k"), "8: expected the end, found 'k'");
  EXPECT_EQ(getError("mn,k"), "3: expected the end, found ','");
  EXPECT_EQ(getError("m n"), "2: expected the end, found ' '");
  EXPECT_EQ(getError("MN"),
            "1: expected one of the loops m, k, n or h, found 'M'");
}

TEST(TilingExpression, ParsesTiles) {
  ParseError error;
  auto tiles = parseTiles("n:64,m:128", 4, error);
  ASSERT_TRUE(tiles) << error.message;
  EXPECT_EQ(*tiles, (llvm::SmallVector<int64_t, 6>{128, 0, 64, 0}));
  auto getTilesError = [&](llvm::StringRef text) {
    EXPECT_FALSE(parseTiles(text, 4, error)) << text.str();
    return std::to_string(error.column) + ": " + error.message;
  };
  EXPECT_EQ(getTilesError(""),
            "1: expected one of the loops m, k, n or h, found the end");
  EXPECT_EQ(getTilesError("m:16,m:32"),
            "6: expected each loop once, 'm' for the first time, found 'm'");
  EXPECT_EQ(getTilesError("m=16"),
            "2: expected ':' and the elements of a tile, found '='");
  EXPECT_EQ(getTilesError("m:0"),
            "3: expected a positive number of 64 bits, found '0'");
  EXPECT_EQ(getTilesError("m:-4"),
            "3: expected a positive number of 64 bits, found '-'");
  EXPECT_EQ(getTilesError("m:99999999999999999999"),
            "3: expected a positive number of 64 bits, found '9'");
  EXPECT_EQ(getTilesError("m:16;n:2"), "5: expected ',' or the end, found ';'");
}

TEST(TilingExpression, TwoProductsHaveTwentySix) {
  // Section III-A: 4! deep tilings, and mn(k,h) and nm(k,h).
  std::vector<TilingExpression> tilings = generateTilings(2);
  EXPECT_EQ(tilings.size(), 26u);
  EXPECT_EQ(llvm::count_if(tilings, [](const auto &t) { return t.isDeep(); }),
            24);
  std::set<std::string> flat;
  for (const TilingExpression &tiling : tilings)
    if (!tiling.isDeep())
      flat.insert(toString(tiling));
  EXPECT_EQ(flat, (std::set<std::string>{"mn(k,h)", "nm(k,h)"}));
  EXPECT_EQ(generateTilings(1).size(), 6u);
  EXPECT_EQ(getTilingsOfBlocks(2).size(), 7u);
}

/// All trees over a set of loops. A tree is a root loop nest with ordered
/// branches.
std::vector<TilingExpression> getTrees(unsigned loops, bool mayBranch) {
  std::vector<TilingExpression> trees;
  if (!loops)
    return {{}};
  for (unsigned first = 0; first < maxLoops; ++first)
    if (loops & (1u << first))
      for (TilingExpression tree : getTrees(loops & ~(1u << first), true)) {
        tree.loops.insert(tree.loops.begin(), first);
        trees.push_back(tree);
      }
  if (!mayBranch)
    return trees;
  // The first branch takes a subset, the others the rest.
  for (unsigned head = (loops - 1) & loops; head; head = (head - 1) & loops)
    for (const TilingExpression &first : getTrees(head, false))
      for (const TilingExpression &rest : getTrees(loops & ~head, true)) {
        TilingExpression tree;
        tree.branches.push_back(first);
        if (rest.loops.empty())
          tree.branches.insert(tree.branches.end(), rest.branches.begin(),
                               rest.branches.end());
        else
          tree.branches.push_back(rest);
        trees.push_back(tree);
      }
  return trees;
}

void collectPaths(const TilingExpression &e, std::vector<Loop> path,
                  std::vector<std::vector<Loop>> &leaves) {
  path.insert(path.end(), e.loops.begin(), e.loops.end());
  if (e.branches.empty())
    leaves.push_back(path);
  for (const TilingExpression &branch : e.branches)
    collectPaths(branch, path, leaves);
}

/// Returns whether each product's loops are on the way to one leaf; consecutive
/// leaves have products in order; every leaf has a product that needs its last
/// loop.
bool isTiling(const TilingExpression &tree, unsigned products) {
  std::vector<std::vector<Loop>> leaves;
  collectPaths(tree, {}, leaves);
  size_t last = 0;
  std::vector<bool> isUsed(leaves.size(), leaves.size() == 1);
  for (unsigned product = 0; product < products; ++product) {
    auto holds = [&](const std::vector<Loop> &leaf) {
      return llvm::is_contained(leaf, rowLoop) &&
             llvm::is_contained(leaf, getContractedLoop(product)) &&
             llvm::is_contained(leaf, getColumnLoop(product));
    };
    // The products before a branch may share it with others: take the first
    // leaf that holds it from the last one on.
    size_t leaf = last;
    while (leaf < leaves.size() && !holds(leaves[leaf]))
      ++leaf;
    if (leaf == leaves.size())
      return false;
    last = leaf;
  }
  // Loops of a branch belong to products of consecutive parts: no product has
  // loops of its own in two branches, and branches follow the chain.
  std::vector<std::pair<unsigned, unsigned>> spans;
  for (const auto &leaf : leaves) {
    unsigned first = ~0u, end = 0;
    for (unsigned product = 0; product < products; ++product)
      if (isRelated(leaf.back(), product) && leaf.back() != rowLoop) {
        first = std::min(first, product);
        end = std::max(end, product);
      }
    spans.emplace_back(first, end);
  }
  return llvm::is_sorted(spans);
}

TEST(TilingExpression, ThreeProductsHaveAllTreesThatHoldThem) {
  std::set<std::string> expected, generated;
  for (const TilingExpression &tree : getTrees(0b11111, true))
    if (isTiling(tree, 3))
      expected.insert(toString(tree));
  for (const TilingExpression &tiling : generateTilings(3))
    EXPECT_TRUE(generated.insert(toString(tiling)).second) << toString(tiling);
  EXPECT_EQ(generated, expected);
  EXPECT_TRUE(generated.count("mnh(k,p)"));
  EXPECT_TRUE(generated.count("mn(k,hp)"));
}

} // namespace
