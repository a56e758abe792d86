//===- ShrinkTesting.h - What tests of shrunk pairs ask ---------*- C++ -*-===//
//
// Shrunk pairs are legal graphs, and their answer is that of the whole ones.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_UNITTESTS_MUGRAPH_SHRINKTESTING_H
#define MIRAGE_UNITTESTS_MUGRAPH_SHRINKTESTING_H

#include "Mirage/Analysis/Equivalence/Fields/RandomTests.h"
#include "Mirage/MuGraph/CheckShapes.h"
#include "Mirage/MuGraph/ShrinkPair.h"
#include "Mirage/Semantics/ShapeRules.h"
#include "gtest/gtest.h"

namespace mirage {

/// Expects that the shapes of all operators are those that their rules give.
inline void expectLegal(const MuGraph &graph) {
  std::string error;
  EXPECT_TRUE(llvm::succeeded(checkShapes(graph, error))) << error;
}

inline equivalence::RandomTestResult::Kind compare(const MuGraph &lhs,
                                                   const MuGraph &rhs) {
  WorkerPool pool(1);
  Execution execution(pool);
  return equivalence::runRandomTests(lhs, rhs, {}, execution).kind;
}

} // namespace mirage

#endif // MIRAGE_UNITTESTS_MUGRAPH_SHRINKTESTING_H
