//===- ShrinkConstantsTest.cpp - Constants of smaller programs ------------===//
//
// Constants with an element for each index keep those of some indices, the same
// ones in both programs.
//
//===----------------------------------------------------------------------===//

#include "ShrinkTesting.h"

using namespace mirage;
using namespace mirage::equivalence;

namespace {

constexpr ElementType f32 = ElementType::f32;

/// The number of index (i, j) of a constant whose elements are all different.
double getElement(int64_t i, int64_t j) {
  return static_cast<double>(4096 * i + j) + 0.5;
}

MuValue addTable(MuGraph &graph, int64_t rows, int64_t columns,
                 double factor = 1) {
  std::vector<double> values;
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      values.push_back(factor * getElement(i, j));
  OpAttributes constant;
  constant.resultShape = {rows, columns};
  constant.values =
      std::make_shared<const std::vector<double>>(std::move(values));
  return graph.addOperator(0, OpKind::Constant, constant, {}, f32);
}

/// A sum of 64 x 1024 numbers with a constant, as a whole or by tiles.
MuGraph makeSum(bool isTiled, double factor = 1) {
  MuGraph graph;
  MuValue x = graph.addArgument(0, {64, 1024}, f32),
          table = addTable(graph, 64, 1024, factor);
  if (!isTiled) {
    graph.setResults(0,
                     {graph.addOperator(0, OpKind::Add, {}, {x, table}, f32)});
    return graph;
  }
  unsigned body = graph.addRegion();
  MuValue xa = graph.addArgument(body, {64, 1024}, f32),
          ta = graph.addArgument(body, {64, 1024}, f32),
          xt = graph.addLoad(body, xa, {0, 1}, {8, 16}),
          tt = graph.addLoad(body, ta, {0, 1}, {8, 16}),
          sum = graph.addOperator(body, OpKind::Add, {}, {xt, tt}, f32);
  graph.setResults(body, {graph.addStore(body, sum, {0, 1}, {8, 16})});
  graph.setResults(0, graph.addGraph(0, {x, table}, {8, 16}, body));
  return graph;
}

const MuNode &findConstant(const MuGraph &graph) {
  for (unsigned number = 0; number < graph.getNumNodes(); ++number)
    if (const MuNode &node = graph.getNode(number);
        node.kind == MuNode::Kind::Operator && node.op == OpKind::Constant)
      return node;
  llvm_unreachable("there is a constant");
}

TEST(ShrinkConstants, ConstantsKeepSomeElements) {
  ShrunkPair pair = shrinkPair(makeSum(false), makeSum(true));
  EXPECT_FALSE(pair.mayDependOnSizes);
  EXPECT_EQ(compare(pair.lhs, pair.rhs), RandomTestResult::Kind::Agree);
  const OpAttributes &left = findConstant(pair.lhs).attributes,
                     &right = findConstant(pair.rhs).attributes;
  EXPECT_EQ(left.resultShape, right.resultShape);
  EXPECT_EQ(*left.values, *right.values);
  EXPECT_LT(left.resultShape[0], 64);
  EXPECT_LT(left.resultShape[1], 1024);
  // The first and the last element of the first and the last tile are there.
  for (int64_t i : {0, 7, 56, 63})
    for (int64_t j : {0, 63, 960, 1023})
      EXPECT_TRUE(llvm::is_contained(*left.values, getElement(i, j)));
  // A constant that only one program has may be made of all elements of
  // another.
  ShrunkPair other = shrinkPair(makeSum(false), makeSum(true, 2));
  EXPECT_EQ(other.lhs.getShape(0), ShapeRef({64, 1024}));
  EXPECT_EQ(compare(other.lhs, other.rhs), RandomTestResult::Kind::Differ);
}

TEST(ShrinkConstants, ConstantsKeepAllElementsIfAsked) {
  ShrinkOptions options;
  options.keepConstants = true;
  ShrunkPair pair = shrinkPair(makeSum(false), makeSum(true), options);
  EXPECT_EQ(pair.lhs.getShape(0), ShapeRef({64, 1024}));
}

TEST(ShrinkConstants, ConstantsThatAreReducedAlone) {
  // Another program may have the maximum of each row as a number.
  auto make = [](bool isAlone) {
    MuGraph graph;
    MuValue x = graph.addArgument(0, {64, 1024}, f32),
            table = addTable(graph, 64, 1024);
    OpAttributes reduce;
    reduce.dim = 1;
    reduce.keep = true;
    reduce.reduceKind = ReduceKind::Max;
    auto add = [&](MuValue a, MuValue b) {
      return graph.addOperator(0, OpKind::Add, {}, {a, b}, f32);
    };
    auto maximize = [&](MuValue a) {
      return graph.addOperator(0, OpKind::Reduce, reduce, {a}, f32);
    };
    graph.setResults(
        0, {isAlone ? add(maximize(table), x) : maximize(add(table, x))});
    return graph;
  };
  MuGraph alone = make(true), together = make(false);
  ShrunkPair kept = shrinkPair(alone, alone),
             changed = shrinkPair(together, together);
  EXPECT_EQ(findConstant(kept.lhs).attributes.resultShape[1], 1024);
  EXPECT_LT(findConstant(kept.lhs).attributes.resultShape[0], 64);
  EXPECT_FALSE(kept.mayDependOnSizes);
  EXPECT_LT(changed.lhs.getShape(0)[1], 1024);
  EXPECT_TRUE(changed.mayDependOnSizes);
}

TEST(ShrinkConstants, ConstantsOfFactorsInAnotherOrderKeepAllElements) {
  // 768 is 16 * 48 and 12 * 64, so that its factors are no digits of indices.
  auto make = [](int64_t outer) {
    MuGraph graph;
    MuValue x = graph.addArgument(0, {10, 768}, f32),
            table = addTable(graph, 10, 768),
            sum = graph.addOperator(0, OpKind::Add, {}, {x, table}, f32);
    for (Shape shape : {Shape{10, outer, 768 / outer}, Shape{10, 768}}) {
      OpAttributes reshape;
      reshape.resultShape = shape;
      sum = graph.addOperator(0, OpKind::Reshape, reshape, {sum}, f32);
    }
    graph.setResults(0, {sum});
    return graph;
  };
  EXPECT_EQ(shrinkPair(make(16), make(12)).lhs.getShape(0)[1], 768);
  EXPECT_LT(shrinkPair(make(16), make(32)).lhs.getShape(0)[1], 768);
}

} // namespace
