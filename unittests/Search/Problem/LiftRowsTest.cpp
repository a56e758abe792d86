//===- LiftRowsTest.cpp - What rows have in common behind products --------===//
//
// Programs with quotients and terms of rows behind products and sums compute
// the same, as random tests over finite fields tell, and launches that follow
// them have one loop over the rows.
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

TEST(LiftRows, ProgramsComputeTheSame) {
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
  {
    // Weighted sums of differences from two numbers of a row, once the other
    // way round.
    ProgramBuilder b;
    MuValue x = b.input({4, 8}), t = b.input({4, 8}), r = b.input({4, 1});
    MuValue d = b.sub(b.sub(x, b.reduce(x, 1)), r);
    programs.push_back(
        b.finish({b.reduce(b.mul(d, t), 1),
                  b.reduce(b.mul(t, b.sub(r, b.scale(d, 3))), 1)}));
  }
  {
    // Sums without weights, and of columns; factors of a difference.
    ProgramBuilder b;
    MuValue x = b.input({4, 8}), r = b.input({4, 1}), c = b.input({1, 8});
    MuValue d = b.mul(b.add(x, r), r);
    programs.push_back(b.finish({b.reduce(d, 1), b.reduce(b.add(x, c), 0),
                                 b.reduce(b.mul(b.sub(x, r), c), 1)}));
  }
  {
    // Weights that have a divisor and a scale themselves.
    ProgramBuilder b;
    MuValue x = b.input({4, 8}), y = b.input({4, 8}), r = b.input({4, 1});
    MuValue weights = b.scale(b.div(x, b.reduce(x, 1)), -2);
    MuValue own = b.div(y, b.reduce(y, 1));
    programs.push_back(b.finish({b.reduce(b.mul(weights, b.sub(y, r)), 1),
                                 b.reduce(b.mul(own, b.sub(x, r)), 1)}));
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

TEST(LiftRows, QuotientsAlongASumStay) {
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

TEST(LiftRows, SquaresOfDifferencesStay) {
  // A variance is much smaller than the sum of squares may be.
  ProgramBuilder b;
  MuValue x = b.input({4, 8});
  MuValue d = b.sub(x, b.scale(b.reduce(x, 1), 1.0 / 8));
  EXPECT_FALSE(SearchProblem::createLifted(b.finish(b.reduce(b.mul(d, d), 1))));
}

/// Returns the largest number of sums that one loop of a proved candidate has,
/// among launches that follow the program.
unsigned countSumsOfOneLoop(const MuGraph &program) {
  std::string reason;
  std::optional<unsigned> location;
  auto task = SearchTask::create(program, reason, location);
  EXPECT_TRUE(task) << reason;
  if (!task)
    return 0;
  EXPECT_TRUE(task->views.back().isDirectOnly);
  SearchOptions options;
  options.target = *getTargetPreset("sm_90a");
  options.directOnly = true;
  options.threads = 1;
  options.best = 16;
  size_t most = 0;
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
          if (loop.kind == MuNode::Kind::Loop)
            most = std::max(most, loop.results.size());
        }
  }
  return most;
}

TEST(LiftRows, LaunchesHaveOneLoopOverTheRows) {
  // Two softmax are subtracted from each other, and multiplied with values.
  ProgramBuilder b;
  MuValue v = b.input({512, 64});
  auto weights = [&] {
    return b.softmax(b.matmul(b.input({256, 32}), b.input({32, 512})));
  };
  MuValue first = weights();
  MuGraph program =
      b.finish(b.matmul(b.sub(first, b.scale(weights(), 0.75)), v));
  // Two sums and two products.
  EXPECT_GE(countSumsOfOneLoop(program), 4u);
}

TEST(LiftRows, CrossEntropyHasOneLoop) {
  // Rows are larger than shared memory. The maximum, the sum of exponentials,
  // that of weights and the weighted one.
  ProgramBuilder b;
  MuValue x = b.input({64, 100000}), t = b.input({64, 100000});
  OpAttributes rows;
  rows.dim = 1;
  MuValue logits = b.op(OpKind::LogSoftmax, {x}, rows);
  EXPECT_EQ(countSumsOfOneLoop(b.finish(b.reduce(b.mul(logits, t), 1))), 4u);
}

} // namespace
