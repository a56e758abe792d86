//===- SlowPiecesTest.cpp - Pieces that are slow by their kernels ---------===//
//
// A composition that takes too long by the instructions of its kernels loses
// the pieces that are the reason, and keeps the others. Parts of what it loses
// are searched for.
//
//===----------------------------------------------------------------------===//

#include "../Programs.h"
#include "Mirage/Analysis/Cost/CostModel.h"
#include "Mirage/Search/KernelGraphs/KernelGraphs.h"
#include "gtest/gtest.h"
#include <set>

using namespace mirage;
using namespace mirage::search;

namespace {

/// Prices programs by the model, and says that a kernel of the program takes a
/// microsecond by its instructions, but `slow` of them where it is a launch
/// with an exponential.
class SlowExponentials : public ProgramPricer {
public:
  SlowExponentials(const TargetDescription &target, double slow)
      : ProgramPricer(target), slow(slow) {}

  ProgramCost estimate(const MuGraph &program) override {
    return estimateProgram(program, target);
  }

  std::optional<double> estimateIssued(const MuGraph &program) override {
    const auto &kernels = program.getRegion().nodes;
    double microseconds = kernels.size();
    for (unsigned node = 0; node < program.getNumNodes(); ++node)
      if (program.getNode(node).op == OpKind::Exp &&
          program.getNode(node).kind == MuNode::Kind::Operator &&
          !llvm::is_contained(kernels, node))
        microseconds += slow - 1;
    return microseconds;
  }

private:
  double slow;
};

/// Says that a launch takes a hundred microseconds by its instructions where it
/// has both a silu and an exponential, and that any other kernel takes one.
class SlowTogether : public ProgramPricer {
public:
  using ProgramPricer::ProgramPricer;

  ProgramCost estimate(const MuGraph &program) override {
    return estimateProgram(program, target);
  }

  std::optional<double> estimateIssued(const MuGraph &program) override {
    double microseconds = 0;
    for (unsigned kernel : program.getRegion().nodes)
      microseconds += has(program, kernel, OpKind::Silu) &&
                              has(program, kernel, OpKind::Exp)
                          ? 100
                          : 1;
    return microseconds;
  }

private:
  /// Returns whether a node is such an operator, or has one in its body.
  static bool has(const MuGraph &program, unsigned number, OpKind kind) {
    const MuNode &node = program.getNode(number);
    if (!node.hasBody())
      return node.kind == MuNode::Kind::Operator && node.op == kind;
    return llvm::any_of(
        program.getRegion(node.body).nodes,
        [&](unsigned inside) { return has(program, inside, kind); });
  }
};

SearchOptions getSearchOptions() {
  SearchOptions options;
  options.target = *getTargetPreset("sm_90a");
  options.limits.blockOperators = 5;
  options.gridDims = 2;
  options.kernels = 1;
  options.threads = 1;
  return options;
}

/// Returns whether launches have an exponential, and whether they have a silu.
std::pair<bool, bool> findLaunched(double slow) {
  // The chains have nothing in common, so that no launch has both.
  ProgramBuilder b;
  MuValue x = b.input({64, 256}), y = b.input({128, 96});
  MuGraph program =
      b.finish({b.square(b.silu(b.square(x))), b.square(b.exp(b.square(y)))});
  KernelGraphOptions options;
  options.search = getSearchOptions();
  options.effort = 100'000;
  SlowExponentials pricer(options.search.target, slow);
  options.pricer = &pricer;
  double plain = pricer.estimate(program).microseconds;
  KernelGraphResult result = composeKernelGraph(program, plain, options);
  EXPECT_TRUE(result.best.has_value());
  std::pair<bool, bool> launched;
  for (const PieceOutcome &piece : result.pieces)
    if (piece.isUsed) {
      launched.first |= llvm::is_contained(piece.operators, OpKind::Exp);
      launched.second |= llvm::is_contained(piece.operators, OpKind::Silu);
    }
  return launched;
}

TEST(SlowPieces, AreLeftOutOfCompositions) {
  EXPECT_EQ(findLaunched(/*slow=*/1), std::pair(true, true));
  EXPECT_EQ(findLaunched(/*slow=*/100), std::pair(false, true));
}

/// The program takes three kernels for the chain, so that a launch in their
/// place may take as many microseconds.
TEST(SlowPieces, StayWhereTheWholeIsFaster) {
  EXPECT_EQ(findLaunched(/*slow=*/3), std::pair(true, true));
}

/// All of the first chain in one launch promises most, so that its parts are
/// not searched for before that launch is left out.
TEST(SlowPieces, LeaveTheirPartsToOtherSearches) {
  ProgramBuilder b;
  MuValue x = b.input({64, 256}), y = b.input({128, 96});
  MuGraph program =
      b.finish({b.square(b.exp(b.square(b.silu(b.square(x))))), b.square(y)});
  KernelGraphOptions options;
  options.search = getSearchOptions();
  options.effort = 100'000;
  SlowTogether pricer(options.search.target);
  options.pricer = &pricer;
  double plain = pricer.estimate(program).microseconds;
  KernelGraphResult result = composeKernelGraph(program, plain, options);
  ASSERT_TRUE(result.best.has_value());
  // A launch for each part of the chain, and the other square.
  EXPECT_EQ(result.best->kernels, 3u);
  EXPECT_EQ(pricer.estimateIssued(result.best->graph), 3);
}

/// Says by the instructions of kernels what the model says, and keeps what it
/// was asked, and what it was told before.
class Listener : public ProgramPricer {
public:
  using ProgramPricer::ProgramPricer;

  ProgramCost estimate(const MuGraph &program) override {
    return estimateProgram(program, target);
  }
  std::optional<double> estimateIssued(const MuGraph &program) override {
    if (!prepared.count(toString(program)))
      unprepared.insert(toString(program));
    asked.insert(toString(program));
    return estimate(program).microseconds;
  }
  void prepareIssued(llvm::ArrayRef<const MuGraph *> programs,
                     WorkerPool &pool) override {
    for (const MuGraph *program : programs)
      prepared.insert(toString(*program));
  }

  std::set<std::string> asked, prepared, unprepared;
};

/// The pricer is told about the original and about all candidates for the whole
/// but the first before it is asked for what their kernels take.
TEST(KernelsOfWhole, AreToldBeforeTheyAreAskedFor) {
  ProgramBuilder b;
  MuValue x = b.input({64, 256});
  MuGraph program = b.finish(
      {b.matmul(b.silu(b.matmul(x, b.input({256, 64}))), b.input({64, 256}))});
  KernelGraphOptions options;
  options.search = getSearchOptions();
  options.search.limits.blockOperators = 8;
  options.pieces = false;
  Listener pricer(options.search.target);
  options.pricer = &pricer;
  std::string reason;
  std::optional<unsigned> location;
  std::optional<SearchTask> task =
      SearchTask::create(program, reason, location);
  ASSERT_TRUE(task.has_value()) << reason;
  ProgramSearch whole(*task, options.search);
  SearchResult ofWhole;
  KernelGraphControl control;
  control.whole = &whole;
  control.wholeResult = &ofWhole;
  double plain = pricer.estimate(program).microseconds;
  composeKernelGraph(program, plain, options, control);
  EXPECT_GE(pricer.asked.size(), 3u);
  EXPECT_EQ(pricer.unprepared.size(), 1u);
  EXPECT_TRUE(pricer.prepared.count(toString(program)));
}

} // namespace
