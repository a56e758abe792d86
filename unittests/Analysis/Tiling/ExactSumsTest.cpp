//===- ExactSumsTest.cpp - Chains whose results are known exactly ---------===//
//
// Where a chain is said to have exact sums, the interpreter finds the same
// results in f64 and with every rounding, for all tilings.
//
//===----------------------------------------------------------------------===//

#include "../../Search/Tiling/RandomChains.h"
#include "ChainShapes.h"
#include "Mirage/Analysis/Tiling/ApplyTiling.h"
#include "Mirage/Interpreter/RunMuGraph.h"
#include "gtest/gtest.h"

using namespace mirage;
using namespace mirage::tiling;

namespace {

llvm::SmallVector<TensorValue> drawSigns(const MuGraph &graph,
                                         RandomChains &random) {
  llvm::SmallVector<TensorValue> inputs;
  for (MuValue argument : graph.getRegion().arguments) {
    const MuGraph::Value &type = graph.getValue(argument);
    int64_t size = 1;
    for (int64_t extent : type.shape)
      size *= extent;
    std::vector<double> values(size);
    for (double &value : values)
      value = static_cast<double>(random.draw(3)) - 1;
    inputs.push_back(
        TensorValue::create(type.type, type.shape, values, Precision::Storage));
  }
  return inputs;
}

Tiling drawTiling(const ChainShape &shape, RandomChains &random) {
  std::vector<TilingExpression> all =
      getTilingsOfBlocks(shape.getNumProducts());
  Tiling tiling{all[random.draw(all.size())], {}};
  for (int64_t size : shape.sizes) {
    int64_t tile = 1 + random.draw(size);
    while (size % tile)
      --tile;
    tiling.tiles.push_back(tile);
  }
  return tiling;
}

TEST(ExactSums, ResultsOfAllTilingsAreEqual) {
  RandomChains random(7);
  unsigned exact = 0;
  for (unsigned i = 0; i < 400; ++i) {
    Chain chain = read(random.drawProgram());
    if (!hasExactSums(chain))
      continue;
    ++exact;
    auto inputs = drawSigns(chain.program, random);
    auto expected = runMuGraph(chain.program, inputs, Precision::Storage);
    for (unsigned j = 0; j < 4; ++j) {
      Tiling tiling = drawTiling(chain.shape, random);
      std::string error;
      std::optional<MuGraph> graph = applyTiling(chain, tiling, error);
      ASSERT_TRUE(graph) << error;
      auto results = runMuGraph(*graph, inputs, Precision::Storage);
      EXPECT_EQ(results[0].values(), expected[0].values())
          << toString(tiling) << "\n"
          << toString(chain.program);
    }
  }
  EXPECT_GT(exact, 40u);
}

TEST(ExactSums, RoundingsThatDependOnTheOrderAreNone) {
  EXPECT_TRUE(hasExactSums(makeChain(1, {64, 1024, 1024, 64}, false)));
  EXPECT_FALSE(hasExactSums(makeChain(1, {64, 2048, 4096, 64}, false)));
  EXPECT_FALSE(hasExactSums(makeChain(1, {64, 64, 64, 64}, true)));
  // These sums are stored in f16.
  for (int64_t contracted : {2048, 4096}) {
    ChainProgram p({});
    MuValue a = p.input(4, contracted), b = p.input(contracted, 4);
    Chain chain =
        read(p.finish(p.op(OpKind::Matmul, {a, b}, ElementType::f16)));
    EXPECT_EQ(hasExactSums(chain), contracted == 2048);
  }
}

} // namespace
