//===- ParallelResultsTest.cpp - Axes that results may share --------------===//
//
// Results of one input have an axis in common that one grid divides, where
// nothing says that they have not.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Problem/ParallelResults.h"
#include "../Programs.h"
#include "Mirage/Search/Superoptimizer.h"
#include "gtest/gtest.h"

using namespace mirage;
using namespace mirage::search;

namespace {

SearchProblem makeProblem(const MuGraph &program) {
  std::string reason;
  std::optional<unsigned> location;
  auto problem = SearchProblem::create(program, reason, location);
  EXPECT_TRUE(problem) << reason;
  return std::move(*problem);
}

/// The axes that all results of a program have, as the search sees it.
unsigned countCommonAxes(const MuGraph &program) {
  std::string reason;
  std::optional<unsigned> location;
  auto task = SearchTask::create(program, reason, location);
  EXPECT_TRUE(task) << reason;
  const SearchProblem &problem = task->views.front().problem;
  AxisSet common = AxisSet::getBelow(problem.getNumAxes());
  for (const TensorInfo &result : problem.getResults())
    common &= problem.getAxes(result.dims);
  return common.size();
}

/// Products of one matrix with so many columns.
MuGraph makeProducts(llvm::ArrayRef<int64_t> columns) {
  ProgramBuilder b;
  MuValue x = b.softmax(b.input({16, 32}));
  llvm::SmallVector<MuValue> results;
  for (int64_t count : columns)
    results.push_back(b.matmul(x, b.input({32, count})));
  return b.finish(results);
}

TEST(ParallelResults, ColumnsOfProductsAreOneAxis) {
  MuGraph program = makeProducts({48, 48, 48});
  SearchProblem problem = makeProblem(program);
  auto groups = findParallelDims(problem, program);
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].dims.size(), 3u);
  EXPECT_EQ(groups[0].unit, 48);
  EXPECT_EQ(countCommonAxes(program), 2u);
}

TEST(ParallelResults, OtherSizesAreNone) {
  for (int64_t count : {256, 17}) {
    MuGraph program = makeProducts({64, count});
    SearchProblem problem = makeProblem(program);
    EXPECT_TRUE(findParallelDims(problem, program).empty());
    EXPECT_EQ(countCommonAxes(program), 1u);
  }
}

TEST(ParallelResults, WhatIsSummedOrSharedIsDividedByNoOtherGrid) {
  ProgramBuilder b;
  MuValue x = b.input({16, 32}), w = b.input({32, 48}), v = b.input({48, 32});
  MuValue y = b.matmul(x, w);
  // The columns of y are summed; rows are those of both.
  MuGraph program = b.finish({y, b.matmul(y, v)});
  EXPECT_TRUE(findParallelDims(makeProblem(program), program).empty());
}

} // namespace
