//===- JoinedProductsTest.cpp - Sums of products as one product -----------===//
//
// Candidates with concat_matmul compute what they do without, and are no slower
// by the cost model.
//
//===----------------------------------------------------------------------===//

#include "../Programs.h"
#include "Mirage/Analysis/Cost/CostModel.h"
#include "Mirage/Analysis/Equivalence/Proof/Proof.h"
#include "Mirage/Search/Superoptimizer.h"
#include "gtest/gtest.h"

using namespace mirage;
using namespace mirage::equivalence;
using namespace mirage::search;

namespace {

unsigned count(const MuGraph &graph, OpKind kind) {
  unsigned found = 0;
  for (unsigned node = 0; node < graph.getNumNodes(); ++node)
    found += graph.getNode(node).kind == MuNode::Kind::Operator &&
             graph.getNode(node).op == kind;
  return found;
}

unsigned countAccumulators(const MuGraph &graph) {
  unsigned found = 0;
  for (unsigned node = 0; node < graph.getNumNodes(); ++node)
    found += graph.getNode(node).kind == MuNode::Kind::Accumulate;
  return found;
}

struct Seen {
  unsigned joined = 0, behindLoop = 0, apart = 0;
};

/// Judges candidates for the program, and compares those that are joined with
/// themselves.
Seen compare(const MuGraph &program) {
  Seen seen;
  std::string reason;
  std::optional<unsigned> location;
  auto task = SearchTask::create(program, reason, location);
  EXPECT_TRUE(task.has_value()) << reason;
  SearchOptions options;
  options.target = *getTargetPreset("sm_90a");
  options.limits.blockOperators = 6;
  options.gridDims = 2;
  options.kernels = 1;
  options.best = 24;
  options.threads = 1;
  SearchResult result = superoptimize(*task, options);
  for (const JudgedCandidate &judged : result.judged) {
    if (!judged.candidate.joinsProducts) {
      ++seen.apart;
      continue;
    }
    EXPECT_EQ(judged.verdict.equivalence, equivalence::Equivalence::Proved)
        << judged.verdict.reason;
    JudgedCandidate apart = judged;
    apart.candidate.joinsProducts = false;
    MuGraph one = instantiate(*task, judged), two = instantiate(*task, apart);
    unsigned joined = count(one, OpKind::ConcatMatmul);
    // Products of which one is made with its operands exchanged stay apart.
    if (joined == 0) {
      ++seen.apart;
      continue;
    }
    EXPECT_EQ(count(two, OpKind::ConcatMatmul), 0u);
    EXPECT_EQ(count(one, OpKind::Matmul) + 2 * joined,
              count(two, OpKind::Matmul));
    EXPECT_EQ(count(one, OpKind::Add) + joined, count(two, OpKind::Add));
    seen.behindLoop += countAccumulators(one) < countAccumulators(two);
    ++seen.joined;
    EXPECT_EQ(proveEquivalence(one, two).kind, ProofResult::Kind::Proved)
        << toString(one) << toString(two);
  }
  return seen;
}

TEST(JoinedProducts, SumOfTwoProducts) {
  ProgramBuilder b;
  MuValue x = b.input({64, 256}), w = b.input({256, 64}),
          y = b.input({64, 256}), z = b.input({256, 64});
  Seen seen = compare(b.finish(b.add(b.matmul(x, w), b.matmul(y, z))));
  EXPECT_GE(seen.joined, 1u);
}

TEST(JoinedProducts, LowRankAdapter) {
  Seen seen = compare(makeLowRank({64, 256, 512, 16}));
  EXPECT_GE(seen.joined, 1u);
}

/// Behind a loop over the axis that both sum: the sums become one.
TEST(JoinedProducts, SumsOfOneLoop) {
  ProgramBuilder b;
  MuValue x = b.input({64, 8192}), w = b.input({8192, 64}),
          z = b.input({8192, 64});
  Seen seen = compare(b.finish(b.add(b.matmul(x, w), b.matmul(x, z))));
  EXPECT_GE(seen.joined, 1u);
  EXPECT_GE(seen.behindLoop, 1u);
}

/// Products that something else reads stay, as do transposed ones.
TEST(JoinedProducts, WhatStays) {
  ProgramBuilder b;
  MuValue x = b.input({64, 256}), w = b.input({256, 64}),
          z = b.input({256, 64});
  MuValue p = b.matmul(x, w);
  Seen seen = compare(b.finish({b.add(p, b.matmul(x, z)), p}));
  EXPECT_EQ(seen.joined, 0u);
  EXPECT_GE(seen.apart, 1u);
}

} // namespace
