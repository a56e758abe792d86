//===- ApplyTilingTest.cpp - Chains and tilings as block graphs -----------===//
//
// An applied tiling computes what the chain does, and is found again in the
// block graph.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Tiling/ApplyTiling.h"
#include "Mirage/Analysis/Equivalence/Proof.h"
#include "Mirage/Analysis/Equivalence/RandomTests.h"
#include "RandomChains.h"
#include "gtest/gtest.h"
#include <cstdlib>

using namespace mirage;
using namespace mirage::tiling;

namespace {

Tiling parse(llvm::StringRef text, llvm::ArrayRef<int64_t> tiles) {
  ParseError error;
  auto expression = parseTilingExpression(text, tiles.size(), error);
  EXPECT_TRUE(expression) << error.message;
  return {*expression, {tiles.begin(), tiles.end()}};
}

std::string getError(const MuGraph &program) {
  std::string error;
  std::optional<unsigned> location;
  EXPECT_FALSE(readChain(program, error, location));
  return error;
}

enum class Verdict { Proved, Equivalent, Other };

Verdict verify(const MuGraph &program, const MuGraph &applied, WorkerPool &pool,
               std::string &reason) {
  if (proveEquivalence(program, applied).kind == ProofResult::Kind::Proved)
    return Verdict::Proved;
  RandomTestOptions options;
  RandomTestResult result = runRandomTests(program, applied, options, pool);
  reason = result.kind == RandomTestResult::Kind::Differ
               ? "they differ"
               : "undecided: " + result.problem + result.error.whyDependent;
  return result.kind == RandomTestResult::Kind::Agree &&
                 result.getLog2Error() <= -options.errorBits
             ? Verdict::Equivalent
             : Verdict::Other;
}

/// A random expression of the chain and random divisors.
Tiling drawTiling(const ChainShape &shape, RandomChains &random) {
  // Generating all expressions takes long for four products.
  static std::vector<TilingExpression> expressions[5];
  auto &all = expressions[shape.getNumProducts()];
  if (all.empty())
    all = generateTilings(shape.getNumProducts());
  Tiling tiling{all[random.draw(all.size())], {}};
  for (int64_t size : shape.sizes) {
    llvm::SmallVector<int64_t> divisors;
    for (int64_t d = 1; d <= size; ++d)
      if (size % d == 0)
        divisors.push_back(d);
    tiling.tiles.push_back(divisors[random.draw(divisors.size())]);
  }
  return tiling;
}

TEST(ApplyTiling, AlwaysVerifies) {
  const char *asked = std::getenv("MIRAGE_TILING_CHAINS");
  unsigned count = asked ? std::atoi(asked) : 500;
  WorkerPool pool(2);
  RandomChains random(1);
  unsigned verdicts[3] = {}, withLoops = 0;
  for (unsigned i = 0; i < count; ++i) {
    Chain chain = read(random.drawProgram());
    Tiling tiling = drawTiling(chain.shape, random);
    std::string error;
    std::optional<MuGraph> applied = applyTiling(chain, tiling, error);
    ASSERT_TRUE(applied) << toString(tiling) << ": " << error;
    std::string reason;
    Verdict verdict = verify(chain.program, *applied, pool, reason);
    ++verdicts[static_cast<unsigned>(verdict)];
    EXPECT_NE(verdict, Verdict::Other)
        << i << ": " << toString(tiling) << ": " << reason << "\n"
        << toString(chain.program) << toString(*applied);

    std::optional<Schedule> schedule = getSchedule(chain.shape, tiling, error);
    withLoops += !schedule->getBlockExpression().empty();
    std::optional<Tiling> found = findTiling(*applied, error);
    ASSERT_TRUE(found) << toString(tiling) << error << toString(*applied);
    EXPECT_EQ(toString(*found),
              toString(Tiling{schedule->getExpression(), tiling.tiles}))
        << toString(*applied);
  }
  EXPECT_GT(withLoops, count / 2);
  RecordProperty("proved", verdicts[0]);
  RecordProperty("equivalent", verdicts[1]);
}

TEST(ApplyTiling, PutsLoopsWhereTheExpressionSays) {
  Chain chain = makeChain(1, {64, 32, 64, 64}, false);
  std::string error;
  std::optional<MuGraph> graph =
      applyTiling(chain, parse("mn(k,h)", {16, 16, 16, 32}), error);
  ASSERT_TRUE(graph) << error;
  const MuNode &launch = graph->getNode(graph->getRegion().nodes[0]);
  EXPECT_EQ(launch.extents, (llvm::SmallVector<int64_t, 3>{4}));
  llvm::SmallVector<const MuNode *> loops;
  for (unsigned node : graph->getRegion(launch.body).nodes)
    if (graph->getNode(node).kind == MuNode::Kind::Loop)
      loops.push_back(&graph->getNode(node));
  ASSERT_EQ(loops.size(), 1u);
  EXPECT_EQ(loops[0]->extents[0], 4);
  llvm::SmallVector<int64_t> inner;
  for (unsigned node : graph->getRegion(loops[0]->body).nodes)
    if (graph->getNode(node).kind == MuNode::Kind::Loop)
      inner.push_back(graph->getNode(node).extents[0]);
  EXPECT_EQ(inner, (llvm::SmallVector<int64_t>{2, 2}));
}

TEST(ApplyTiling, RefusesTilesThatDoNotDivide) {
  Chain chain = makeChain(1, {64, 32, 64, 64}, false);
  std::string error;
  EXPECT_FALSE(applyTiling(chain, parse("mhnk", {16, 16, 48, 32}), error));
  EXPECT_EQ(error, "tile n:48 does not divide the 64 elements along n");
  EXPECT_FALSE(applyTiling(chain, parse("mhnk", {16, 0, 16, 32}), error));
  EXPECT_EQ(error, "tile k:0 does not divide the 32 elements along k");
}

TEST(ReadChain, SaysWhatIsNoChain) {
  {
    ChainProgram p({});
    MuValue a = p.input(4, 4), b = p.input(4, 4);
    MuValue ab = p.op(OpKind::Matmul, {a, b}, ElementType::f32);
    EXPECT_EQ(getError(p.finish(p.op(OpKind::Add, {ab, ab}, ElementType::f32))),
              "'add' has 2 operands that are not the same number everywhere; "
              "an operator of a chain has one, the result before it");
  }
  {
    ChainProgram p({});
    MuValue a = p.input(4, 4), b = p.input(4, 4);
    MuValue ab = p.op(OpKind::Matmul, {a, b}, ElementType::f32);
    EXPECT_EQ(getError(p.finish(p.softmax(ab))),
              "softmax stands after the last product; in a chain it stands "
              "between products");
  }
  {
    ChainProgram p({});
    MuValue a = p.input(4, 4), b = p.input(4, 4);
    MuValue ab = p.op(OpKind::Matmul, {a, b}, ElementType::f16);
    EXPECT_EQ(
        getError(p.finish(p.op(OpKind::Matmul, {a, ab}, ElementType::f32))),
        "the right operand of a chain's product is an input, and this is a "
        "result");
  }
  {
    ChainProgram p({});
    MuValue a = p.input(4, 4), b = p.input(4, 4);
    MuValue relu = p.op(OpKind::Relu, {a}, ElementType::f16);
    EXPECT_EQ(
        getError(p.finish(p.op(OpKind::Matmul, {relu, b}, ElementType::f32))),
        "there are operators before the first product");
  }
  {
    ChainProgram p({});
    EXPECT_EQ(getError(p.finish(p.input(4, 4))), "there is no product");
  }
  {
    ChainProgram p({});
    MuValue a = p.input(4, 4), b = p.input(4, 4), d = p.input(4, 4);
    MuValue s = p.softmax(p.op(OpKind::Matmul, {a, b}, ElementType::f32));
    MuValue relu = p.op(OpKind::Relu, {s}, ElementType::f32);
    EXPECT_EQ(
        getError(p.finish(p.op(OpKind::Matmul, {relu, d}, ElementType::f32))),
        "'relu' follows softmax, whose denominators are divided by after the "
        "next product: only casts and scales may stand before that");
  }
}

TEST(FindTiling, SaysWhyThereIsNone) {
  Chain chain = makeChain(1, {64, 32, 64, 64}, false);
  std::string error;
  EXPECT_FALSE(findTiling(chain.program, error));
  EXPECT_EQ(error, "the function is not one launch");
}

} // namespace
