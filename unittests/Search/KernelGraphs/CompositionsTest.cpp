//===- CompositionsTest.cpp - Compositions of pieces ----------------------===//
//
// Whole programs are put together of pieces, and asked about as a whole.
//
//===----------------------------------------------------------------------===//

#include "../Programs.h"
#include "Mirage/Analysis/Cost/CostModel.h"
#include "Mirage/Search/KernelGraphs/KernelGraphs.h"
#include "Mirage/Search/SearchReport.h"
#include "RandomPrograms.h"
#include "gtest/gtest.h"

using namespace mirage;
using namespace mirage::search;

namespace {

/// Who waits sees which composition is asked about, and how much of it.
TEST(Compositions, AreReported) {
  ProgramBuilder b;
  MuValue x = b.input({64, 256}), y = b.input({64, 256});
  MuGraph program = b.finish(llvm::SmallVector<MuValue>(
      {b.square(b.silu(x)), b.square(b.exp(b.silu(y)))}));
  KernelGraphOptions options;
  options.search.target = *getTargetPreset("sm_90a");
  options.search.kernels = 1;
  options.search.threads = 1;
  unsigned reports = 0, reportsOfPieces = 0;
  double plain = estimateProgram(program, options.search.target).microseconds;
  double ofPieces = plain;
  KernelGraphControl control;
  control.report = [&](const SearchProgress &progress) {
    // Times are those of the program, not of the piece that is searched for.
    if (progress.phase.starts_with("piece")) {
      ++reportsOfPieces;
      ofPieces = std::min(ofPieces, progress.bestMicroseconds);
    }
    if (!progress.phase.starts_with("composition"))
      return;
    ++reports;
    EXPECT_EQ(progress.phase, "composition 1: pieces");
    EXPECT_GE(progress.done, 1u);
    EXPECT_EQ(progress.done, progress.total);
  };
  KernelGraphResult result =
      composeKernelGraph(program, plain, options, control);
  ASSERT_TRUE(result.best.has_value());
  EXPECT_EQ(reports, 1u);
  EXPECT_GE(reportsOfPieces, 1u);
  EXPECT_GE(ofPieces, result.best->microseconds);
}

/// The end of the searches says that pieces were left out because of their
/// size, and the bound is one of programs with any pieces then.
TEST(Compositions, SayThatPiecesWereLeftOut) {
  std::mt19937_64 random(9);
  for (unsigned operators : {5u, 16u}) {
    MuGraph program = makeRandomProgram(random, operators, 64);
    KernelGraphOptions options;
    options.search.target = *getTargetPreset("sm_90a");
    options.search.limits.blockOperators = 5;
    options.search.kernels = 1;
    options.search.threads = 1;
    options.effort = 1000;
    double plain = estimateProgram(program, options.search.target).microseconds;
    KernelGraphResult result = composeKernelGraph(program, plain, options);
    EXPECT_EQ(result.leavesPieces(), operators > 12) << toString(program);
    if (!result.leavesPieces())
      continue;
    EXPECT_GT(result.leftOut.tooLarge, 0u);
    EXPECT_GE(result.end, SearchEnd::Pieces);
    EXPECT_LT(result.bound, result.best ? result.best->microseconds : plain);
  }
}

/// No more kernels than the limit, unless the program has more.
TEST(Compositions, LimitOfKernels) {
  ProgramBuilder b;
  MuValue x = b.input({64, 256});
  MuGraph program = b.finish(b.square(b.silu(b.square(x))));
  KernelGraphOptions options;
  options.search.target = *getTargetPreset("sm_90a");
  options.search.limits.blockOperators = 5;
  options.search.gridDims = 2;
  options.search.kernels = options.search.threads = 1;
  options.effort = 100'000;
  options.kernelOperators = 1;
  double plain = estimateProgram(program, options.search.target).microseconds;
  KernelGraphResult result = composeKernelGraph(program, plain, options);
  ASSERT_TRUE(result.best.has_value());
  EXPECT_LE(result.best->kernels, 3u);
}

} // namespace
