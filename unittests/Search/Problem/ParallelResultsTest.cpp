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

/// The most axes that all results of a program have in a view of it.
unsigned countMostCommonAxes(const MuGraph &program) {
  std::string reason;
  std::optional<unsigned> location;
  auto task = SearchTask::create(program, reason, location);
  EXPECT_TRUE(task) << reason;
  unsigned most = 0;
  for (const SearchTask::View &view : task->views) {
    if (!view.view.results.empty())
      continue;
    AxisSet common = AxisSet::getBelow(view.problem.getNumAxes());
    for (const TensorInfo &result : view.problem.getResults())
      common &= view.problem.getAxes(result.dims);
    most = std::max<unsigned>(most, common.size());
  }
  return most;
}

TEST(ColumnUnits, UnlikeWidthsAreRunsOfUnits) {
  MuGraph program = makeProducts({64, 256, 128});
  EXPECT_TRUE(hasUnlikeColumns(program));
  auto groups = findColumnUnits(getWholeView(program));
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].dims.size(), 3u);
  EXPECT_EQ(groups[0].unit, 64);
  EXPECT_EQ(countCommonAxes(program), 1u);
  EXPECT_EQ(countMostCommonAxes(program), 2u);
}

TEST(ColumnUnits, WidthsWithoutUnitsAreNone) {
  // Equal ones have an axis in common anyhow, 17 and 64 have no unit, and of
  // 1,152 columns there are more units than a tile has.
  EXPECT_FALSE(hasUnlikeColumns(makeProducts({64, 64})));
  for (int64_t count : {17, 1152})
    EXPECT_TRUE(
        findColumnUnits(getWholeView(makeProducts({64, count}))).empty());
}

TEST(ColumnUnits, OfOneValueAlone) {
  ProgramBuilder b;
  MuValue x = b.softmax(b.input({16, 32})), y = b.softmax(b.input({16, 32}));
  MuValue p = b.matmul(x, b.input({32, 64})),
          q = b.matmul(y, b.input({32, 256}));
  EXPECT_FALSE(hasUnlikeColumns(b.finish({p, q})));
}

TEST(ColumnUnits, ViewsOfOneValueAreThatValue) {
  // Each product reads the value through a reshape of its own, and one weight
  // is stored transposed.
  ProgramBuilder b;
  MuValue x = b.softmax(b.input({16, 2, 16}));
  MuValue p = b.matmul(b.reshape(x, {16, 32}), b.input({32, 64})),
          q = b.matmul(b.reshape(x, {16, 32}),
                       b.transpose(b.input({192, 32}), {1, 0}));
  auto groups = findColumnUnits(getWholeView(b.finish({p, q})));
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].unit, 64);
  EXPECT_EQ(groups[0].dims[1].second, 0u);
}

TEST(ColumnUnits, WindowsOfOneTensorAreAlikeAnyhow) {
  MuGraph program = makeProducts({64, 192});
  ProgramView view = getWholeView(program);
  for (unsigned number : {1, 2}) {
    ViewInput &input = view.inputs[number];
    input.number = 1;
    input.whole = {32, 256};
    input.window = TensorWindow{
        {0, number == 1 ? 0 : 64},
        Shape(program.getShape(program.getRegion().arguments[number]))};
  }
  EXPECT_TRUE(findColumnUnits(view).empty());
  EXPECT_EQ(getAlikeDims(view).size(), 2u);
}

} // namespace
