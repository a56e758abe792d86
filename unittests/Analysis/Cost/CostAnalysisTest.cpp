//===- CostAnalysisTest.cpp - Costs of the examples -----------------------===//
//
// The examples' µGraphs are there because they are faster than their plain
// programs; the model must say so, and count what the examples' comments and
// the verifier count.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Cost/IR/CostAnalysis.h"
#include "Mirage/Analysis/SharedMemory.h"
#include "Mirage/Dialect/Block/IR/BlockDialect.h"
#include "Mirage/Dialect/Mirage/IR/MirageDialect.h"
#include "Mirage/Dialect/Thread/IR/ThreadDialect.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace mirage;

namespace {

class CostAnalysisTest : public testing::TestWithParam<const char *> {
protected:
  CostAnalysisTest() {
    context.loadDialect<func::FuncDialect, MirageDialect, kernel::KernelDialect,
                        block::BlockDialect, thread::ThreadDialect>();
  }

  OwningOpRef<ModuleOp> parse(llvm::StringRef folder, llvm::StringRef name) {
    return parseSourceFile<ModuleOp>(
        (MIRAGE_SOURCE_DIR "/" + folder + "/" + name + ".mlir").str(),
        &context);
  }

  MLIRContext context;
};

TEST_P(CostAnalysisTest, PrefersTheMuGraph) {
  OwningOpRef<ModuleOp> module = parse("examples", GetParam());
  ASSERT_TRUE(module);
  TargetDescription target = *getTargetPreset("sm_90a");
  auto estimate = [&](const std::string &name) {
    auto function = module->lookupSymbol<func::FuncOp>(name);
    return CostAnalysis(function).estimate(target);
  };
  ProgramCost plain = estimate(GetParam());
  ProgramCost muGraph = estimate(GetParam() + std::string("_mugraph"));
  EXPECT_LT(muGraph.microseconds, plain.microseconds);
  EXPECT_LT(muGraph.kernels.size(), plain.kernels.size());
}

/// Expects that the model counts the shared memory of a function's launches as
/// the verifier does.
void expectSharedMemoryOfVerifier(func::FuncOp function) {
  CostAnalysis analysis(function);
  ProgramCost cost = analysis.estimate(*getTargetPreset("sm_90a"));
  for (const ProgramCost::Kernel &kernel : cost.kernels) {
    auto launch = dyn_cast<kernel::LaunchOp>(analysis.getOperation(kernel));
    if (launch)
      EXPECT_EQ(kernel.summary.plannedBytes, planSharedMemory(launch).bytes)
          << function.getName().str();
  }
}

TEST_P(CostAnalysisTest, CountsTheSharedMemoryThatTheVerifierCounts) {
  OwningOpRef<ModuleOp> module = parse("examples", GetParam());
  ASSERT_TRUE(module);
  expectSharedMemoryOfVerifier(
      module->lookupSymbol<func::FuncOp>(GetParam() + std::string("_mugraph")));
}

using CostAnalysisOfChainsTest = CostAnalysisTest;

/// Files whose launches have chains of elementwise operators.
TEST_P(CostAnalysisOfChainsTest, CountsTheSharedMemoryThatTheVerifierCounts) {
  OwningOpRef<ModuleOp> module = parse("test/Device", GetParam());
  ASSERT_TRUE(module);
  for (auto function : module->getOps<func::FuncOp>())
    expectSharedMemoryOfVerifier(function);
}

INSTANTIATE_TEST_SUITE_P(Examples, CostAnalysisTest,
                         testing::Values("gqa", "gated_mlp", "lora",
                                         "rmsnorm_linear", "thread_graph"));
INSTANTIATE_TEST_SUITE_P(Chains, CostAnalysisOfChainsTest,
                         testing::Values("residual-tiles", "epilogues",
                                         "block-graphs", "parts", "merges"));

} // namespace
