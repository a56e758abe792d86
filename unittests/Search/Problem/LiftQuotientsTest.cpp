//===- LiftQuotientsTest.cpp - Quotients of rows behind products ----------===//
//
// Programs with quotients behind products compute the same, as random tests
// over finite fields tell, and launches that follow them have one loop over the
// rows.
//
//===----------------------------------------------------------------------===//

#include "../Agreement.h"
#include "../Programs.h"
#include "Mirage/Analysis/Equivalence/Proof/Proof.h"
#include "Mirage/Search/Problem/SearchProblem.h"
#include "Mirage/Search/Superoptimizer.h"
#include "gtest/gtest.h"

using namespace mirage;
using namespace mirage::equivalence;
using namespace mirage::search;

namespace {

/// Returns whether some operator reads what a product or a sum has computed,
/// and divides it.
bool dividesProducts(const MuGraph &graph) {
  auto isContracted = [&](MuValue value) {
    return llvm::any_of(graph.getRegion().nodes, [&](unsigned number) {
      const MuNode &node = graph.getNode(number);
      return node.results[0] == value && node.op == OpKind::Matmul;
    });
  };
  return llvm::any_of(graph.getRegion().nodes, [&](unsigned number) {
    const MuNode &node = graph.getNode(number);
    return node.op == OpKind::Div && isContracted(node.operands[0]);
  });
}

TEST(LiftQuotients, ProgramsComputeTheSame) {
  std::vector<MuGraph> programs;
  {
    // Rows of a left operand, as attention has them.
    ProgramBuilder b;
    MuValue s = b.matmul(b.input({4, 6}), b.input({6, 8}));
    programs.push_back(b.finish(b.matmul(b.softmax(s), b.input({8, 3}))));
  }
  {
    // Columns of a right operand, and a left operand the other way round.
    ProgramBuilder b;
    MuValue x = b.input({8, 5}), v = b.input({8, 3});
    programs.push_back(b.finish(
        b.matmul(b.div(x, b.RegionBuilder::sum(x, 0)), v, true, false)));
  }
  {
    ProgramBuilder b;
    MuValue x = b.input({8, 5}), v = b.input({3, 8});
    programs.push_back(
        b.finish(b.matmul(v, b.div(x, b.RegionBuilder::sum(x, 0)))));
  }
  {
    // A difference of two, one of which is scaled.
    ProgramBuilder b;
    MuValue s = b.matmul(b.input({4, 6}), b.input({6, 8}));
    MuValue t = b.matmul(b.input({4, 6}), b.input({6, 8}));
    MuValue p = b.sub(b.softmax(s), b.scale(b.softmax(t), 0.75));
    programs.push_back(b.finish(b.matmul(p, b.input({8, 3}))));
  }
  {
    // The negative one first, and a sum behind a factor.
    ProgramBuilder b;
    MuValue x = b.input({4, 8}), y = b.input({4, 8}), r = b.input({4, 1});
    MuValue p = b.add(b.scale(b.div(x, b.reduce(x, 1)), -2), b.mul(r, y));
    programs.push_back(
        b.finish({b.matmul(p, b.input({8, 3})), b.reduce(b.mul(y, r), 1)}));
  }
  for (const MuGraph &program : programs) {
    std::optional<SearchProblem> problem = SearchProblem::createLifted(program);
    ASSERT_TRUE(problem) << toString(program);
    EXPECT_TRUE(agree(program, problem->getProgram()))
        << toString(program) << toString(problem->getProgram());
  }
  EXPECT_TRUE(dividesProducts(
      SearchProblem::createLifted(programs.front())->getProgram()));
}

TEST(LiftQuotients, QuotientsAlongASumStay) {
  // The divisor varies along what is summed, or nothing is summed.
  ProgramBuilder b;
  MuValue x = b.input({4, 8});
  EXPECT_FALSE(SearchProblem::createLifted(b.finish(
      b.matmul(b.div(x, b.RegionBuilder::sum(x, 0)), b.input({8, 3})))));
  ProgramBuilder c;
  MuValue y = c.input({4, 8});
  EXPECT_FALSE(
      SearchProblem::createLifted(c.finish(c.exp(c.div(y, c.reduce(y, 1))))));
}

TEST(LiftQuotients, LaunchesHaveOneLoopOverTheRows) {
  // Two softmax are subtracted from each other, and multiplied with values.
  ProgramBuilder b;
  MuValue v = b.input({512, 64});
  auto weights = [&] {
    return b.softmax(b.matmul(b.input({256, 32}), b.input({32, 512})));
  };
  MuValue first = weights();
  MuGraph program =
      b.finish(b.matmul(b.sub(first, b.scale(weights(), 0.75)), v));
  std::string reason;
  std::optional<unsigned> location;
  auto task = SearchTask::create(program, reason, location);
  ASSERT_TRUE(task) << reason;
  ASSERT_TRUE(task->views.back().isDirectOnly);
  SearchOptions options;
  options.target = *getTargetPreset("sm_90a");
  options.directOnly = true;
  options.threads = 1;
  options.best = 16;
  unsigned looped = 0;
  for (const JudgedCandidate &candidate :
       superoptimize(*task, options).judged) {
    MuGraph graph = instantiate(*task, candidate);
    EXPECT_EQ(proveEquivalence(program, graph, {}).kind,
              ProofResult::Kind::Proved);
    for (unsigned number : graph.getRegion().nodes)
      if (graph.getNode(number).kind == MuNode::Kind::Graph)
        for (unsigned inner :
             graph.getRegion(graph.getNode(number).body).nodes) {
          const MuNode &loop = graph.getNode(inner);
          // Two sums and two products.
          looped += loop.kind == MuNode::Kind::Loop && loop.results.size() >= 4;
        }
  }
  EXPECT_GT(looped, 0u);
}

} // namespace
