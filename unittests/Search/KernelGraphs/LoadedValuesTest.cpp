//===- LoadedValuesTest.cpp - What a call computes ------------------------===//
//
// Takes what constants alone decide out of programs, and puts values of
// programs into classes that are computed of different constants.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/KernelGraphs/LoadedValues.h"
#include "Mirage/Analysis/Equivalence/CompareGraphs.h"
#include "Mirage/Search/KernelGraphs/ValueClasses.h"
#include "RandomPrograms.h"
#include "gtest/gtest.h"

using namespace mirage;
using namespace mirage::search;

namespace {

/// Products with two weights, apart or as one. An operator reads the second
/// weight as well, transposed.
MuGraph makeProducts(bool isMerged) {
  ProgramBuilder b;
  MuValue x = b.input({8, 16}), u = b.input({16, 4}), v = b.input({16, 4});
  MuValue p, q;
  if (isMerged) {
    MuValue both = b.matmul(x, b.concat({u, v}, 1));
    p = b.slice(both, {0, 0}, {8, 4}, {1, 1});
    q = b.slice(both, {0, 4}, {8, 4}, {1, 1});
  } else {
    p = b.matmul(x, u);
    q = b.matmul(x, v);
  }
  return b.finish({b.mul(b.silu(p), q), b.exp(b.transpose(v, {1, 0}))});
}

llvm::BitVector getConstants(const MuGraph &program,
                             llvm::ArrayRef<unsigned> places) {
  llvm::BitVector constants(program.getRegion().arguments.size());
  for (unsigned place : places)
    constants.set(place);
  return constants;
}

std::vector<OpKind> getOperators(const MuGraph &graph) {
  std::vector<OpKind> kinds;
  for (unsigned number : graph.getRegion().nodes)
    kinds.push_back(graph.getNode(number).op);
  return kinds;
}

TEST(LoadedValues, AreArguments) {
  MuGraph program = makeProducts(/*isMerged=*/true);
  auto called = separateLoaded(program, getConstants(program, {1, 2}));
  ASSERT_TRUE(called);
  // The concatenation, and the exponential that is returned. The transpose
  // belongs to what is loaded.
  EXPECT_EQ(getOperators(called->graph),
            (std::vector<OpKind>{OpKind::Matmul, OpKind::Slice, OpKind::Slice,
                                 OpKind::Silu, OpKind::Mul}));
  EXPECT_EQ(called->graph.getRegion().arguments.size(), 5u);
  for (unsigned number : called->graph.getRegion().nodes)
    EXPECT_EQ(called->graph.getNode(number).op,
              program.getNode(called->nodes[number]).op);
  // One argument of both is computed in each call, or all are.
  auto part = separateLoaded(program, getConstants(program, {2}));
  ASSERT_TRUE(part);
  EXPECT_EQ(part->graph.getRegion().arguments.size(), 4u);
  EXPECT_FALSE(separateLoaded(program, getConstants(program, {1})));
  EXPECT_FALSE(separateLoaded(program, {}));
}

TEST(LoadedValues, AreOfOtherConstants) {
  auto areEqual = [](const MuGraph &lhs, const MuGraph &rhs) {
    equivalence::ComparisonPolicy policy;
    policy.test = policy.checkFloats = policy.compareParts = false;
    WorkerPool pool(1);
    Execution execution(pool);
    return equivalence::compareGraphs(lhs, rhs, policy, execution).isEqual();
  };
  MuGraph apart = makeProducts(false), merged = makeProducts(true);
  ProgramUnits first(apart), second(merged);
  for (bool isConstant : {false, true}) {
    ValueClasses classes(isConstant ? getConstants(apart, {1, 2})
                                    : llvm::BitVector());
    std::vector<unsigned> known = classes.add(first, areEqual).classes;
    ValueClasses::Added added = classes.add(second, areEqual);
    // A slice is a product of fewer weights than what it is a part of.
    for (unsigned unit = 0; unit < second.size(); ++unit)
      if (second.getNode(unit).op == OpKind::Slice)
        EXPECT_EQ(llvm::is_contained(known, added.classes[unit]), isConstant);
  }
}

} // namespace
