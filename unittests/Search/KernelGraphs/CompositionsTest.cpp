//===- CompositionsTest.cpp - Compositions of pieces ----------------------===//
//
// Whole programs are put together of pieces, and asked about as a whole.
//
//===----------------------------------------------------------------------===//

#include "../Programs.h"
#include "Mirage/Analysis/Cost/CostModel.h"
#include "Mirage/Search/KernelGraphs/KernelGraphs.h"
#include "Mirage/Search/SearchReport.h"
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

} // namespace
