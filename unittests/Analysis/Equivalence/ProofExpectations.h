//===- ProofExpectations.h - What a pair of programs must prove -*- C++ -*-===//
//
// Pairs of programs, built and asked about, and programs that several tests
// compare with.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_UNITTESTS_ANALYSIS_EQUIVALENCE_PROOFEXPECTATIONS_H
#define MIRAGE_UNITTESTS_ANALYSIS_EQUIVALENCE_PROOFEXPECTATIONS_H

#include "../../GraphBuilder.h"
#include "Mirage/Analysis/Equivalence/Proof/Proof.h"
#include "gtest/gtest.h"

namespace mirage::equivalence {

using Kind = ProofResult::Kind;
using Build = llvm::function_ref<void(GraphBuilder &)>;

inline ProofResult prove(Build lhs, Build rhs,
                         const ProofOptions &options = {}) {
  GraphBuilder a, b;
  lhs(a);
  rhs(b);
  return proveEquivalence(a, b, options);
}

inline void expectProved(Build lhs, Build rhs) {
  ProofResult result = prove(lhs, rhs);
  EXPECT_EQ(result.kind, Kind::Proved) << result.reason;
  for (const ProofResult::Output &output : result.outputs)
    EXPECT_EQ(output.kind, Kind::Proved) << output.reason;
}

inline void expectDifferent(Build lhs, Build rhs) {
  ProofResult result = prove(lhs, rhs);
  EXPECT_EQ(result.kind, Kind::Different)
      << (result.outputs.empty() ? result.reason : result.outputs[0].reason);
}

inline void expectNotProved(Build lhs, Build rhs) {
  EXPECT_NE(prove(lhs, rhs).kind, Kind::Proved);
}

inline void buildMatmul(GraphBuilder &g) {
  MuValue a = g.argument({64, 256}), b = g.argument({256, 96});
  g.results({g.matmul(a, b)});
}

inline void buildAttention(GraphBuilder &g) {
  MuValue q = g.argument({2, 256, 64}), k = g.argument({2, 64, 4096}),
          v = g.argument({2, 4096, 64});
  g.results({g.matmul(g.softmax(g.matmul(q, k), 2), v)});
}

} // namespace mirage::equivalence

#endif // MIRAGE_UNITTESTS_ANALYSIS_EQUIVALENCE_PROOFEXPECTATIONS_H
