//===- StackedResultsTest.cpp - Results that one store writes -------------===//
//
// Launches that put parts together in the block compute the program, for parts
// of one element and of several, before some axes or before all.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Problem/StackedResults.h"
#include "../Programs.h"
#include "Mirage/Analysis/Equivalence/Proof/Proof.h"
#include "Mirage/Search/Superoptimizer.h"
#include "gtest/gtest.h"

using namespace mirage;
using namespace mirage::search;

namespace {

SearchTask makeTask(const MuGraph &program) {
  std::string reason;
  std::optional<unsigned> location;
  auto task = SearchTask::create(program, reason, location);
  EXPECT_TRUE(task) << reason;
  return std::move(*task);
}

/// The number of tensors that are made of several results each.
unsigned countStacks(const MuGraph &program) {
  unsigned count = 0;
  for (const SearchTask::View &view : makeTask(program).views)
    count += view.problem.getStackedResults().size();
  return count;
}

unsigned count(const MuGraph &graph, OpKind kind, bool inLaunches) {
  unsigned count = 0;
  for (unsigned region = 0; region < graph.getNumRegions(); ++region)
    for (unsigned number : graph.getRegion(region).nodes)
      count += (region != 0) == inLaunches &&
               graph.getNode(number).kind == MuNode::Kind::Operator &&
               graph.getNode(number).op == kind;
  return count;
}

/// Two sums and differences of rows of pairs, put together along a dimension.
MuGraph makeParts(ShapeRef shape, int64_t dim) {
  ProgramBuilder b;
  MuValue x = b.input(shape), y = b.input(shape);
  return b.finish(b.concat({b.sub(b.square(x), y), b.add(b.exp(y), x)}, dim));
}

TEST(StackedResults, PartsThatAreNotInPlaceAreStacked) {
  // Rows of three numbers begin at no multiples of 16 bytes.
  EXPECT_EQ(countStacks(makeParts({4, 6, 3}, 2)), 1u);
  EXPECT_EQ(countStacks(makeParts({4, 6, 1}, 2)), 1u);
  EXPECT_EQ(countStacks(makeParts({7}, 0)), 1u);
  EXPECT_EQ(countStacks(makeParts({4, 6, 8}, 2)), 0u);
  // Rows stay whole.
  EXPECT_EQ(countStacks(makeParts({4, 5, 3}, 1)), 0u);
  // Parts of other sizes have no axis in common.
  ProgramBuilder b;
  MuValue x = b.input({4, 3}), y = b.input({4, 2});
  EXPECT_EQ(countStacks(b.finish(b.concat({b.exp(x), b.square(y)}, 1))), 0u);
}

TEST(StackedResults, LaunchesComputeTheProgram) {
  const std::pair<Shape, int64_t> cases[] = {
      {{4, 6, 1}, 2}, {{4, 6, 3}, 2}, {{3, 5}, 1}, {{7}, 0}};
  for (const auto &[shape, dim] : cases) {
    MuGraph program = makeParts(shape, dim);
    SearchTask task = makeTask(program);
    SearchOptions options;
    options.target = *getTargetPreset("sm_90a");
    options.directOnly = true;
    options.threads = 1;
    options.best = 4;
    SearchResult result = superoptimize(task, options);
    unsigned accepted = 0;
    for (const JudgedCandidate &candidate : result.judged) {
      MuGraph graph = instantiate(task, candidate);
      EXPECT_EQ(count(graph, OpKind::Concat, /*inLaunches=*/false), 0u);
      EXPECT_EQ(count(graph, OpKind::Concat, /*inLaunches=*/true), 1u);
      EXPECT_EQ(equivalence::proveEquivalence(program, graph, {}).kind,
                equivalence::ProofResult::Kind::Proved);
      accepted += candidate.isAccepted();
    }
    EXPECT_GT(accepted, 0u);
  }
}

} // namespace
