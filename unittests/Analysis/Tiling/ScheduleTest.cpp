//===- ScheduleTest.cpp - Loops and statements of expressions -------------===//
//
// Tests the paper's examples of the memory-access optimization (figures 4 and
// 5), and which expressions make the same block.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Tiling/Schedule.h"
#include "ChainShapes.h"
#include "Mirage/Analysis/Tiling/TilingModel.h"
#include "gtest/gtest.h"
#include <map>
#include <set>

using namespace mirage::tiling;
using Kind = Statement::Kind;

namespace {

TilingExpression parse(llvm::StringRef text, unsigned products) {
  ParseError error;
  auto expression = parseTilingExpression(text, products + 2, error);
  EXPECT_TRUE(expression) << error.message;
  return *expression;
}

ScheduleProblem getProblem(unsigned products,
                           llvm::ArrayRef<Loop> unitLoops = {}) {
  ScheduleProblem problem;
  problem.products = products;
  problem.extents.assign(products + 2, 2);
  for (Loop loop : unitLoops)
    problem.extents[loop] = 1;
  return problem;
}

Schedule get(llvm::StringRef text, const ScheduleProblem &problem) {
  std::string error;
  auto result = schedule(parse(text, problem.products), problem, error);
  EXPECT_TRUE(result) << error;
  return *result;
}

std::string getError(llvm::StringRef text) {
  std::string error;
  EXPECT_FALSE(schedule(parse(text, 2), getProblem(2), error));
  return error;
}

TEST(Schedule, MovesMemoryStatementsToTheirRightmostRelatedLoop) {
  // Figure 4: in mhnk all statements begin in the innermost loop.
  EXPECT_EQ(toString(getInitialDAG(parse("mhnk", 2), 2)),
            "mhnk(L_A,L_B,C_C,L_D,C_E,S_E)");
  ScheduleDAG dag = get("mhnk", getProblem(2)).getDAG();
  EXPECT_EQ(toString(dag), "mh(n(k(L_A,L_B,C_C),L_D,C_E),S_E)");
  for (auto [from, to] : dag.dependences)
    EXPECT_LT(from, to);
  // This tiling is flat.
  EXPECT_EQ(toString(getInitialDAG(parse("mn(k,h)", 2), 2)),
            "mn(k(L_A,L_B,C_C),h(L_D,C_E,S_E))");
  // E is complete after n, and is stored there.
  EXPECT_EQ(toString(get("mn(k,h)", getProblem(2)).getDAG()),
            "m(n(k(L_A,L_B,C_C),h(L_D,C_E)),S_E)");
}

TEST(Schedule, DeletesLoopsOfOneIteration) {
  // Figure 5: with k = 1, A leaves n and h for m, and B leaves k for n.
  EXPECT_EQ(toString(get("mhnk", getProblem(2, {1})).getDAG()),
            "m(L_A,h(n(L_B,C_C,L_D,C_E),S_E))");
  EXPECT_EQ(toString(get("mn(k,h)", getProblem(2, {3})).getDAG()),
            "m(n(k(L_A,L_B,C_C),L_D,C_E),S_E)");
  EXPECT_EQ(toString(get("mn(k,h)", getProblem(2, {1, 2, 3})).getDAG()),
            "L_B,L_D,m(L_A,C_C,C_E,S_E)");
}

TEST(Schedule, VolumesAreThoseOfThePaper) {
  ChainShape shape = makeChainShape(1, {1024, 512, 1024, 512});
  llvm::SmallVector<int64_t, 4> tiles = {128, 64, 32, 256};
  double m = 8, k = 8, n = 32, h = 2;
  auto getBytes = [&](const ScheduleDAG &dag, Kind kind, char tensor,
                      llvm::ArrayRef<int64_t> tiles) {
    return getVolume(dag.get(kind, tensor), shape, tiles);
  };
  ScheduleDAG before = getInitialDAG(parse("mhnk", 2), 2),
              after = get("mhnk", getProblem(2)).getDAG();
  double tileE = 128 * 256 * 2;
  EXPECT_EQ(getBytes(before, Kind::Store, 'E', tiles), tileE * m * h * n * k);
  EXPECT_EQ(getBytes(after, Kind::Store, 'E', tiles), tileE * m * h);
  EXPECT_EQ(getBytes(after, Kind::Load, 'A', tiles),
            128 * 64 * 2 * m * h * n * k);
  EXPECT_EQ(getBytes(after, Kind::Load, 'B', tiles),
            64 * 32 * 2 * m * h * n * k);
  EXPECT_EQ(getBytes(after, Kind::Load, 'D', tiles), 32 * 256 * 2 * m * h * n);
  EXPECT_EQ(getBytes(after, Kind::Compute, 'C', tiles),
            2.0 * 128 * 64 * 32 * m * h * n * k);
  EXPECT_EQ(getBytes(after, Kind::Compute, 'E', tiles),
            2.0 * 128 * 32 * 256 * m * h * n);
  // With k = 1, L_A is made h n times less often.
  tiles[1] = 512;
  ScheduleDAG unit = get("mhnk", getProblem(2, {1})).getDAG();
  EXPECT_EQ(getBytes(before, Kind::Load, 'A', tiles),
            h * n * getBytes(unit, Kind::Load, 'A', tiles));
  EXPECT_EQ(getBytes(unit, Kind::Load, 'A', tiles), 128 * 512 * 2 * m);
}

std::map<std::string, unsigned> getClasses(unsigned products,
                                           bool normalized = false) {
  std::map<std::string, unsigned> classes;
  ScheduleProblem problem = getProblem(products);
  problem.normalized.resize(products);
  if (normalized)
    problem.normalized.set(0);
  for (const TilingExpression &expression : generateTilings(products)) {
    std::string error;
    auto result = schedule(expression, problem, error);
    EXPECT_TRUE(result) << toString(expression) << ": " << error;
    ++classes[toString(result->getExpression())];
    // The expression of a schedule has this schedule.
    auto again = schedule(result->getExpression(), problem, error);
    EXPECT_TRUE(again) << error;
    EXPECT_EQ(again->paths, result->paths);
    EXPECT_EQ(again->getGrid(), result->getGrid());
  }
  return classes;
}

TEST(Schedule, TwentySixExpressionsAreFiveSchedules) {
  EXPECT_EQ(getClasses(2), (std::map<std::string, unsigned>{{"mhnk", 4},
                                                            {"mhkn", 4},
                                                            {"mnhk", 4},
                                                            {"mn(k,h)", 6},
                                                            {"m(kn,h)", 8}}));
  // All exponentials of a row are relative to one maximum, whatever h.
  EXPECT_EQ(getClasses(2, /*normalized=*/true),
            (std::map<std::string, unsigned>{
                {"mhnk", 4}, {"mhkn", 4}, {"mn(k,h)", 10}, {"m(kn,h)", 8}}));
}

TEST(Schedule, KeepsTilesOfIntermediateResults) {
  auto keeps = [](const char *text) {
    return get(text, getProblem(2)).keepsIntermediateTiles();
  };
  EXPECT_FALSE(keeps("mhnk"));
  EXPECT_FALSE(keeps("mnhk"));
  EXPECT_FALSE(keeps("mn(k,h)"));
  EXPECT_TRUE(keeps("mhkn"));
  EXPECT_TRUE(keeps("mkhn"));
  // C has one tile and not several.
  EXPECT_FALSE(get("mhkn", getProblem(2, {2})).keepsIntermediateTiles());
}

TEST(Schedule, RepresentativesHaveRowsOutermost) {
  for (unsigned products : {1u, 2u, 3u, 4u}) {
    ScheduleProblem problem = getProblem(products);
    std::set<std::string> all, ofBlocks;
    std::string error;
    for (const auto &e : generateTilings(products))
      all.insert(toString(schedule(e, problem, error)->getExpression()));
    for (const auto &e : getTilingsOfBlocks(products))
      ofBlocks.insert(toString(schedule(e, problem, error)->getExpression()));
    EXPECT_EQ(all, ofBlocks) << products;
  }
}

TEST(Schedule, RefusesLoopsThatAreNotTheChains) {
  EXPECT_EQ(getError("mnk"),
            "loop h of product 2 has 2 iterations and is missing");
  EXPECT_EQ(getError("mn(h,k)"), "loop h of product 2 runs before loop k of "
                                 "product 1, whose result it needs");
  EXPECT_EQ(getError("n(mk,h)"),
            "loop m of product 2 does not run around its loop h");
  EXPECT_EQ(getError("nkh"),
            "loop m of product 1 has 2 iterations and is missing");
  // A result that is put together before may be in an earlier branch.
  EXPECT_EQ(toString(get("m(nk,h)", getProblem(2)).getExpression()), "m(nk,h)");
  EXPECT_EQ(getError("m(k,nh)"),
            "loop k of product 1 does not run around its loop n");
}

} // namespace
