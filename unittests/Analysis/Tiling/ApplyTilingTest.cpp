//===- ApplyTilingTest.cpp - Chains and tilings as block graphs -----------===//
//
// An applied tiling computes what the chain does, and is found again in the
// block graph.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Tiling/ApplyTiling.h"
#include "../../Search/MaskedScores.h"
#include "../../Search/Tiling/RandomChains.h"
#include "Mirage/Analysis/Equivalence/Fields/RandomTests.h"
#include "Mirage/Analysis/Equivalence/Proof/Proof.h"
#include "gtest/gtest.h"
#include <cstdlib>

using namespace mirage;
using namespace mirage::equivalence;
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

Verdict verify(const MuGraph &program, const MuGraph &applied,
               const Execution &execution, std::string &reason) {
  if (proveEquivalence(program, applied).kind == ProofResult::Kind::Proved)
    return Verdict::Proved;
  RandomTestOptions options;
  RandomTestResult result =
      runRandomTests(program, applied, options, execution);
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
  Execution execution(pool);
  RandomChains random(1);
  unsigned verdicts[3] = {}, withLoops = 0;
  for (unsigned i = 0; i < count; ++i) {
    Chain chain = read(random.drawProgram());
    Tiling tiling = drawTiling(chain.shape, random);
    std::string error;
    std::optional<MuGraph> applied = applyTiling(chain, tiling, error);
    ASSERT_TRUE(applied) << toString(tiling) << ": " << error;
    std::string reason;
    Verdict verdict = verify(chain.program, *applied, execution, reason);
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

/// All expressions of two products, with tiles of the rows of scores of every
/// power of two, on rows in which whole such tiles are -inf.
void expectMaskedTiles(const Chain &chain,
                       llvm::ArrayRef<MaskedReference> references) {
  auto half = [](int64_t size) { return size % 2 ? size : size / 2; };
  const auto &sizes = chain.shape.sizes;
  unsigned withPartialRows = 0;
  for (const TilingExpression &expression : generateTilings(2))
    for (int64_t tile = 1; tile <= sizes[2]; tile *= 2) {
      Tiling tiling{expression,
                    {half(sizes[0]), half(sizes[1]), tile, half(sizes[3])}};
      std::string error;
      std::optional<MuGraph> applied = applyTiling(chain, tiling, error);
      // Some expressions need all columns in one tile.
      if (!applied)
        continue;
      withPartialRows += tile < sizes[2];
      for (const MaskedReference &reference : references)
        reference.expectSame(*applied, toString(tiling));
      if (testing::Test::HasFailure())
        return;
    }
  EXPECT_GT(withPartialRows, 20u);
}

TEST(ApplyTiling, TilesMayBeMasked) {
  constexpr int64_t keys = 16, columns = 4;
  constexpr ElementType f32 = ElementType::f32;
  auto masks = getMasks(keys);
  auto rows = static_cast<int64_t>(masks.size());
  // The first operand is a unit matrix: the second has the scores' logarithms.
  ChainProgram p({}, f32);
  MuValue a = p.input(rows, rows), b = p.input(rows, keys),
          d = p.input(keys, columns);
  MuValue scores = p.op(OpKind::Relu, {p.op(OpKind::Matmul, {a, b}, f32)}, f32);
  MuValue weights = p.softmax(p.op(OpKind::Log, {scores}, f32));
  Chain chain = read(p.finish(p.op(OpKind::Matmul, {weights, d}, f32)));
  TensorValue visible = drawTensor(f32, {rows, keys}, 1);
  MaskedReference reference(
      chain.program,
      {makeTensor(f32, {rows, rows},
                  [&](int64_t i) { return i / rows == i % rows; }),
       makeTensor(f32, {rows, keys},
                  [&](int64_t i) {
                    return masks[i / keys][i % keys] ? -1 : visible.value(i);
                  }),
       drawTensor(f32, {keys, columns}, 2)},
      keys, /*terms=*/1, /*largest=*/1.4);
  EXPECT_EQ(reference.countNumbers(), (rows - 1) * columns);
  expectMaskedTiles(chain, reference);
}

TEST(ApplyTiling, InputsMayBeInfinite) {
  constexpr int64_t keys = 16, columns = 4, rows = 2, inner = 2;
  constexpr ElementType f32 = ElementType::f32;
  auto masks = getMasks(keys);
  auto batch = static_cast<int64_t>(masks.size());
  ChainProgram p({batch}, f32);
  MuValue q = p.input(rows, inner), k = p.input(inner, keys),
          v = p.input(keys, columns);
  MuValue weights = p.softmax(p.op(OpKind::Matmul, {q, k}, f32));
  Chain chain = read(p.finish(p.op(OpKind::Matmul, {weights, v}, f32)));
  TensorValue visible = drawTensor(f32, {batch, inner, keys}, 1);
  MaskedReference reference(
      chain.program,
      {drawTensor(f32, {batch, rows, inner}, 2),
       makeTensor(f32, {batch, inner, keys},
                  [&](int64_t i) {
                    return masks[i / (inner * keys)][i % keys]
                               ? -kInfinity
                               : visible.value(i);
                  }),
       drawTensor(f32, {batch, keys, columns}, 3)},
      keys, inner, inner * 1.25 * 1.25);
  EXPECT_EQ(reference.countNumbers(), (batch - 1) * rows * columns);
  expectMaskedTiles(chain, reference);
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
