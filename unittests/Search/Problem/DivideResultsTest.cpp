//===- DivideResultsTest.cpp - Results of unlike widths in equal parts ----===//
//
// Results that differ in one dimension alone are concatenations of equal parts
// of themselves, compute what they did, and are one launch.
//
//===----------------------------------------------------------------------===//

#include "../Agreement.h"
#include "../Programs.h"
#include "Mirage/Search/Problem/ProgramViews.h"
#include "Mirage/Search/Superoptimizer.h"
#include "gtest/gtest.h"

using namespace mirage;
using namespace mirage::search;

namespace {

/// Products of one normalized matrix with so many columns.
MuGraph makeProducts(llvm::ArrayRef<int64_t> columns) {
  ProgramBuilder b;
  MuValue x = b.op(OpKind::RmsNorm, {b.input({16, 64})});
  llvm::SmallVector<MuValue> results;
  for (int64_t count : columns)
    results.push_back(b.matmul(x, b.input({64, count})));
  return b.finish(results);
}

/// The sizes of the parts of all results along their second dimension.
llvm::SmallVector<int64_t> getParts(const MuGraph &program) {
  std::optional<ProgramView> divided = divideResults(getWholeView(program));
  if (!divided)
    return {};
  EXPECT_TRUE(agree(program, divided->program));
  std::optional<ProgramView> view = separateParts(*divided);
  if (!view)
    return {};
  EXPECT_TRUE(agree(program, applyView(program, *view, view->program)));
  llvm::SmallVector<int64_t> sizes;
  for (const ViewResult &result : view->results)
    for (const Shape &part : result.parts)
      sizes.push_back(part[1]);
  return sizes;
}

TEST(DivideResults, PartsOfGreatestCommonDivisor) {
  using Sizes = llvm::SmallVector<int64_t>;
  EXPECT_EQ(getParts(makeProducts({96, 32, 32})), Sizes(5, 32));
  EXPECT_EQ(getParts(makeProducts({48, 32})), Sizes(5, 16));
}

TEST(DivideResults, EqualOnesAndTooManyStay) {
  for (llvm::SmallVector<int64_t> columns :
       {llvm::SmallVector<int64_t>{32, 32}, {32}, {33, 32}, {256, 32}})
    EXPECT_FALSE(divideResults(getWholeView(makeProducts(columns))));
}

TEST(DivideResults, OneDimensionAlone) {
  ProgramBuilder b;
  MuValue x = b.input({16, 64});
  MuGraph program = b.finish({b.matmul(x, b.input({64, 32})), b.reduce(x, 1)});
  EXPECT_TRUE(getParts(program).empty());
}

/// One launch has all products of a norm, whatever their columns are.
TEST(DivideResults, OneLaunchHasAll) {
  MuGraph program = makeProducts({96, 32, 32});
  std::string reason;
  std::optional<unsigned> location;
  auto task = SearchTask::create(program, reason, location);
  ASSERT_TRUE(task) << reason;
  // Columns that have units in common may be as fast.
  llvm::erase_if(task->views, [](const SearchTask::View &view) {
    return view.problem.getResults().size() != 5;
  });
  ASSERT_FALSE(task->views.empty());
  SearchOptions options;
  options.target = *getTargetPreset("sm_90a");
  options.threads = 1;
  options.directOnly = true;
  SearchResult result = superoptimize(*task, options);
  ASSERT_TRUE(result.getBest());
  MuGraph best = instantiate(*task, *result.getBest());
  unsigned launches = 0;
  for (unsigned number : best.getRegion().nodes)
    launches += best.getNode(number).kind == MuNode::Kind::Graph;
  EXPECT_EQ(launches, 1u);
  EXPECT_TRUE(agree(program, best));
}

} // namespace
