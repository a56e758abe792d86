//===- RetileTest.cpp - Other tiles of the same launches ------------------===//
//
// Retilings are legal, compute the same, and have the same tensors.
//
//===----------------------------------------------------------------------===//

#include "Mirage/MuGraph/Retile.h"
#include "ShrinkTesting.h"
#include <map>
#include <set>

using namespace mirage;
using namespace mirage::equivalence;

namespace {

constexpr ElementType f32 = ElementType::f32;

/// What is summed in an iteration, or averaged over.
enum class Reduction { Sum, Mean, MeanOfRows };

/// Rows of x times w, and a row's sum or mean of x added to them.
MuGraph makeGraph(Reduction reduction) {
  MuGraph graph;
  MuValue x = graph.addArgument(0, {16, 24}, f32);
  MuValue w = graph.addArgument(0, {24, 8}, f32);
  unsigned body = graph.addRegion(), loop = graph.addRegion();
  MuValue xa = graph.addArgument(body, {16, 24}, f32);
  MuValue wa = graph.addArgument(body, {24, 8}, f32);
  MuValue xt = graph.addLoad(loop, xa, {0, kReplica}, {4, 2}, {1}, {6});
  MuValue wt = graph.addLoad(loop, wa, {kReplica, 1}, {4, 2}, {0}, {6});
  MuValue product = graph.addOperator(loop, OpKind::Matmul, {}, {xt, wt}, f32);
  OpAttributes rows;
  rows.dim = 1;
  rows.keep = true;
  rows.reduceKind =
      reduction == Reduction::Mean ? ReduceKind::Mean : ReduceKind::Sum;
  MuValue sums = graph.addOperator(loop, OpKind::Reduce, rows, {xt}, f32);
  graph.setResults(loop,
                   {graph.addAccumulate(loop, AccumulateKind::Sum, product, 6),
                    graph.addAccumulate(loop, AccumulateKind::Sum, sums, 6)});
  auto results = graph.addLoop(body, 6, loop);
  MuValue all =
      graph.addOperator(body, OpKind::Add, {}, {results[0], results[1]}, f32);
  if (reduction == Reduction::MeanOfRows) {
    rows.dim = 0;
    rows.reduceKind = ReduceKind::Mean;
    MuValue mean = graph.addOperator(body, OpKind::Reduce, rows, {all}, f32);
    all = graph.addOperator(body, OpKind::Sub, {}, {all, mean}, f32);
  }
  graph.setResults(body, {graph.addStore(body, all, {0, 1}, {4, 2})});
  graph.setResults(0, graph.addGraph(0, {x, w}, {4, 2}, body));
  return graph;
}

/// All programs that moves lead to, by what they are described as.
std::map<std::string, MuGraph> findAll(const MuGraph &graph) {
  std::map<std::string, MuGraph> found;
  std::vector<MuGraph> left = {graph};
  while (!left.empty()) {
    MuGraph next = std::move(left.back());
    left.pop_back();
    if (!found.emplace(describeTilings(next), next).second)
      continue;
    for (MuGraph &retiling : getRetilings(next))
      left.push_back(std::move(retiling));
  }
  return found;
}

TEST(Retile, MovesFactors) {
  MuGraph graph = makeGraph(Reduction::Sum);
  EXPECT_EQ(describeTilings(graph), "grid 4x2 loop 6");
  std::set<std::string> found;
  for (const MuGraph &retiling : getRetilings(graph))
    found.insert(describeTilings(retiling));
  // Factors move from the grid to tiles of 4 and back, and between the loop and
  // tiles of 4.
  EXPECT_EQ(found, (std::set<std::string>{"grid 2x2 loop 6", "grid 8x2 loop 6",
                                          "grid 4x1 loop 6", "grid 4x4 loop 6",
                                          "grid 4x2 loop 2", "grid 4x2 loop 3",
                                          "grid 4x2 loop 12"}));
}

TEST(Retile, ComputesTheSame) {
  for (Reduction reduction :
       {Reduction::Sum, Reduction::Mean, Reduction::MeanOfRows}) {
    MuGraph graph = makeGraph(reduction);
    auto all = findAll(graph);
    EXPECT_GT(all.size(), 8u);
    for (const auto &[text, retiling] : all) {
      expectLegal(retiling);
      EXPECT_EQ(compare(graph, retiling), RandomTestResult::Kind::Agree)
          << text;
      for (auto [before, now] : llvm::zip(graph.getRegion().arguments,
                                          retiling.getRegion().arguments))
        EXPECT_EQ(graph.getShape(before), retiling.getShape(now));
    }
  }
}

/// Tiles of one row become larger, but not what a reduction leaves.
TEST(Retile, EnlargesOnes) {
  MuGraph graph;
  MuValue x = graph.addArgument(0, {8, 6}, f32);
  unsigned body = graph.addRegion();
  MuValue xa = graph.addArgument(body, {8, 6}, f32);
  MuValue row = graph.addLoad(body, xa, {0, kReplica}, {8, 1});
  OpAttributes columns;
  columns.dim = 1;
  columns.keep = true;
  MuValue sum = graph.addOperator(body, OpKind::Reduce, columns, {row}, f32);
  MuValue part = graph.addOperator(body, OpKind::Div, {}, {row, sum}, f32);
  graph.setResults(body, {graph.addStore(body, part, {0, 1}, {8, 1})});
  graph.setResults(0, graph.addGraph(0, {x}, {8, 1}, body));
  auto all = findAll(graph);
  std::set<std::string> found;
  for (const auto &[text, retiling] : all) {
    expectLegal(retiling);
    EXPECT_EQ(compare(graph, retiling), RandomTestResult::Kind::Agree) << text;
    found.insert(text);
  }
  EXPECT_EQ(found, (std::set<std::string>{"grid 8x1", "grid 4x1", "grid 2x1",
                                          "grid 1x1"}));
}

/// A mean is taken over what a tile has, so that tiles keep their sizes there.
TEST(Retile, KeepsMeans) {
  for (const auto &[text, retiling] : findAll(makeGraph(Reduction::Mean)))
    EXPECT_TRUE(llvm::StringRef(text).ends_with("loop 6")) << text;
  for (const auto &[text, retiling] : findAll(makeGraph(Reduction::MeanOfRows)))
    EXPECT_TRUE(llvm::StringRef(text).starts_with("grid 4x")) << text;
}

/// A product in f16 of which iterations are summed in f32 stays as long as it
/// is: a longer one may overflow.
TEST(Retile, KeepsNarrowSums) {
  for (bool isNarrow : {false, true}) {
    MuGraph graph;
    constexpr ElementType f16 = ElementType::f16;
    MuValue x = graph.addArgument(0, {8, 12}, f16);
    MuValue y = graph.addArgument(0, {12, 4}, f16);
    unsigned body = graph.addRegion(), loop = graph.addRegion();
    MuValue xa = graph.addArgument(body, {8, 12}, f16);
    MuValue ya = graph.addArgument(body, {12, 4}, f16);
    MuValue lhs = graph.addLoad(loop, xa, {0}, {2}, {1}, {6});
    MuValue rhs = graph.addLoad(loop, ya, {kReplica}, {2}, {0}, {6});
    MuValue product = graph.addOperator(loop, OpKind::Matmul, {}, {lhs, rhs},
                                        isNarrow ? f16 : f32);
    MuNode sum;
    sum.kind = MuNode::Kind::Accumulate;
    sum.operands = {product};
    sum.results = {graph.addValue({4, 4}, f32)};
    MuValue total = sum.results[0];
    graph.addNode(loop, sum);
    graph.setResults(loop, {total});
    MuValue whole = graph.addLoop(body, 6, loop).front();
    graph.setResults(body, {graph.addStore(body, whole, {0}, {2})});
    graph.setResults(0, graph.addGraph(0, {x, y}, {2}, body));
    auto all = findAll(graph);
    EXPECT_EQ(
        llvm::all_of(all,
                     [](const auto &entry) {
                       return llvm::StringRef(entry.first).ends_with("loop 6");
                     }),
        isNarrow);
    EXPECT_GT(all.size(), 1u);
  }
}

} // namespace
