//===- ShrinkTesting.h - What tests of shrunk pairs ask ---------*- C++ -*-===//
//
// Shrunk pairs are legal graphs, and their answer is that of the whole ones.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_UNITTESTS_MUGRAPH_SHRINKTESTING_H
#define MIRAGE_UNITTESTS_MUGRAPH_SHRINKTESTING_H

#include "Mirage/Analysis/Equivalence/Fields/RandomTests.h"
#include "Mirage/MuGraph/ShrinkPair.h"
#include "Mirage/Semantics/ShapeRules.h"
#include "gtest/gtest.h"

namespace mirage {

/// Returns whether the shapes of all operators are those that their rules give.
inline void expectLegal(const MuGraph &graph) {
  for (unsigned number = 0; number < graph.getNumNodes(); ++number) {
    const MuNode &node = graph.getNode(number);
    if (node.kind != MuNode::Kind::Operator)
      continue;
    llvm::SmallVector<Shape, 4> operands;
    for (MuValue operand : node.operands)
      operands.push_back(Shape(graph.getShape(operand)));
    llvm::SmallVector<Shape, 1> results;
    std::string error;
    ASSERT_TRUE(llvm::succeeded(
        inferShapes(node.op, node.attributes, operands, results, error)))
        << error;
    for (auto [result, shape] : llvm::zip(node.results, results))
      EXPECT_EQ(graph.getShape(result), ShapeRef(shape));
  }
}

inline equivalence::RandomTestResult::Kind compare(const MuGraph &lhs,
                                                   const MuGraph &rhs) {
  WorkerPool pool(1);
  Execution execution(pool);
  return equivalence::runRandomTests(lhs, rhs, {}, execution).kind;
}

} // namespace mirage

#endif // MIRAGE_UNITTESTS_MUGRAPH_SHRINKTESTING_H
