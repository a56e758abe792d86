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

class CostOfAttentionTest : public CostAnalysisTest {};

/// Attention of 2,048 queries, eight heads for each of four groups, with so
/// many queries of all heads of a group a block.
std::string makeAttention(int64_t queries, int64_t width) {
  std::string text = R"(
module {
  func.func @f(%q: tensor<4x8x2048xDxf16>, %k: tensor<4x2048xDxf16>, %v: tensor<4x2048xDxf16>, %m: tensor<4x1x2048x2048xf16>) -> tensor<4x8x2048xDxf16> {
    %0 = mirage_kernel.launch grid(x = 4, y = GRID) (%qa = %q : tensor<4x8x2048xDxf16>, %ka = %k : tensor<4x2048xDxf16>, %va = %v : tensor<4x2048xDxf16>, %ma = %m : tensor<4x1x2048x2048xf16>) -> tensor<4x8x2048xDxf16> {
      %ql = mirage_block.load %qa imap(x -> 0, y -> 2) : tensor<4x8x2048xDxf16> to tensor<1x8xQxDxf16>
      %qr = mirage_block.reshape %ql : tensor<1x8xQxDxf16> to tensor<1xROWSxDxf16>
      %r:2 = mirage_block.for %i = 0 to 32 -> (tensor<1x8xQx1xf32>, tensor<1xROWSxDxf32>) {
        %kl = mirage_block.load %ka imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<4x2048xDxf16> to tensor<1x64xDxf16>
        %vl = mirage_block.load %va imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<4x2048xDxf16> to tensor<1x64xDxf16>
        %ml = mirage_block.load %ma imap(x -> 0, y -> 2) fmap(%i -> 3) : tensor<4x1x2048x2048xf16> to tensor<1x1xQx64xf16>
        %s = mirage_block.matmul %qr, %kl transpose_rhs : (tensor<1xROWSxDxf16>, tensor<1x64xDxf16>) -> tensor<1xROWSx64xf32>
        %sr = mirage_block.reshape %s : tensor<1xROWSx64xf32> to tensor<1x8xQx64xf32>
        %mc = mirage_block.cast %ml : tensor<1x1xQx64xf16> to tensor<1x1xQx64xf32>
        %a = mirage_block.add %sr, %mc : (tensor<1x8xQx64xf32>, tensor<1x1xQx64xf32>) -> tensor<1x8xQx64xf32>
        %top = mirage_block.reduce max %a dim(3) keep : (tensor<1x8xQx64xf32>) -> tensor<1x8xQx1xf32>
        %d = mirage_block.sub %a, %top : (tensor<1x8xQx64xf32>, tensor<1x8xQx1xf32>) -> tensor<1x8xQx64xf32>
        %e = mirage_block.exp %d : (tensor<1x8xQx64xf32>) -> tensor<1x8xQx64xf32>
        %n = mirage_block.reduce sum %e dim(3) keep : (tensor<1x8xQx64xf32>) -> tensor<1x8xQx1xf32>
        %er = mirage_block.reshape %e : tensor<1x8xQx64xf32> to tensor<1xROWSx64xf32>
        %ec = mirage_block.cast %er : tensor<1xROWSx64xf32> to tensor<1xROWSx64xf16>
        %p = mirage_block.matmul %ec, %vl : (tensor<1xROWSx64xf16>, tensor<1x64xDxf16>) -> tensor<1xROWSxDxf32>
        %x = mirage_block.accumulate rescaled_sum %n shift %top : (tensor<1x8xQx1xf32>, tensor<1x8xQx1xf32>) -> tensor<1x8xQx1xf32>
        %tr = mirage_block.reshape %top : tensor<1x8xQx1xf32> to tensor<1xROWSx1xf32>
        %y = mirage_block.accumulate rescaled_sum %p shift %tr : (tensor<1xROWSxDxf32>, tensor<1xROWSx1xf32>) -> tensor<1xROWSxDxf32>
        mirage_block.yield %x, %y : tensor<1x8xQx1xf32>, tensor<1xROWSxDxf32>
      }
      %xr = mirage_block.reshape %r#0 : tensor<1x8xQx1xf32> to tensor<1xROWSx1xf32>
      %z = mirage_block.div %r#1, %xr : (tensor<1xROWSxDxf32>, tensor<1xROWSx1xf32>) -> tensor<1xROWSxDxf32>
      %zr = mirage_block.reshape %z : tensor<1xROWSxDxf32> to tensor<1x8xQxDxf32>
      %zc = mirage_block.cast %zr : tensor<1x8xQxDxf32> to tensor<1x8xQxDxf16>
      %o = mirage_block.store %zc omap(x -> 0, y -> 2) : tensor<1x8xQxDxf16> to tensor<4x8x2048xDxf16>
      mirage_block.yield %o : tensor<4x8x2048xDxf16>
    }
    return %0 : tensor<4x8x2048xDxf16>
  }
})";
  auto replace = [&](llvm::StringRef name, int64_t number) {
    for (size_t at = text.find(name); at != std::string::npos;
         at = text.find(name))
      text.replace(at, name.size(), std::to_string(number));
  };
  replace("GRID", 2048 / queries);
  replace("ROWS", 8 * queries);
  replace("Q", queries);
  replace("D", width);
  return text;
}

/// What becomes of scores behind a reshape is attention as well, and one
/// warpgroup that has a multiprocessor alone overlaps nothing.
TEST_F(CostOfAttentionTest, PrefersRowsThatOverlap) {
  TargetDescription target = *getTargetPreset("sm_90a");
  auto estimate = [&](int64_t queries, int64_t width) {
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(makeAttention(queries, width), &context);
    EXPECT_TRUE(module);
    return CostAnalysis(*module->getOps<func::FuncOp>().begin())
        .estimate(target)
        .kernels.front();
  };
  ProgramCost::Kernel one = estimate(8, 128), two = estimate(16, 128);
  for (const ProgramCost::Kernel *kernel : {&one, &two}) {
    EXPECT_TRUE(kernel->summary.fillsWarpgroups);
    EXPECT_FALSE(kernel->summary.multipliesAlone);
  }
  // Keys and values of 128 a stage, as wide as iterations become.
  EXPECT_EQ(one.summary.groupStageBytes, 2 * 128 * 128 * 2);
  EXPECT_EQ(two.summary.groupStageBytes, 0);
  EXPECT_GT(one.cost.microseconds, 1.2 * two.cost.microseconds);
  // Nothing overlaps.
  EXPECT_GE(one.cost.microseconds,
            one.cost.tensor + one.cost.cudaCore + one.cost.special);
  EXPECT_LT(two.cost.microseconds,
            two.cost.tensor + two.cost.cudaCore + two.cost.special);

  // Two groups have room for narrower keys and values, and where they would
  // have none, blocks beside one another.
  ProgramCost::Kernel narrow = estimate(8, 64);
  EXPECT_EQ(narrow.summary.groupStageBytes, 2 * 128 * 64 * 2);
  KernelSummary unknown = narrow.summary;
  unknown.groupStageBytes = 0;
  EXPECT_EQ(narrow.cost.microseconds,
            estimateKernel(unknown, target).microseconds);
  unknown = one.summary;
  unknown.groupStageBytes = 0;
  EXPECT_GT(one.cost.microseconds,
            estimateKernel(unknown, target).microseconds);
}

} // namespace
