//===- LoweredPricerTest.cpp - What the lowering makes of programs --------===//
//
// Asks of which operators each kernel of a program is made.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Transforms/LoweredPricer.h"
#include "Mirage/Dialect/Block/IR/BlockDialect.h"
#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "Mirage/Dialect/Mirage/IR/MirageDialect.h"
#include "Mirage/Dialect/Thread/IR/ThreadDialect.h"
#include "Mirage/MuGraph/IR/ImportMuGraph.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace mirage;

namespace {

/// Two products, each followed by a residual, and the second residual is what
/// the first product was added to.
constexpr const char *twoResiduals = R"mlir(
func.func @f(%x: tensor<256x128xf16>, %v: tensor<128x256xf16>,
             %r: tensor<256x256xf16>, %w: tensor<256x256xf16>)
    -> tensor<256x256xf16> {
  %0 = mirage_kernel.matmul %x, %v : (tensor<256x128xf16>, tensor<128x256xf16>) -> tensor<256x256xf16>
  %1 = mirage_kernel.add %0, %r : (tensor<256x256xf16>, tensor<256x256xf16>) -> tensor<256x256xf16>
  %2 = mirage_kernel.matmul %1, %w : (tensor<256x256xf16>, tensor<256x256xf16>) -> tensor<256x256xf16>
  %3 = mirage_kernel.add %2, %1 : (tensor<256x256xf16>, tensor<256x256xf16>) -> tensor<256x256xf16>
  return %3 : tensor<256x256xf16>
}
)mlir";

TEST(LoweredPricer, KernelsAreMadeOfWhatTheyCompute) {
  MLIRContext context;
  context.loadDialect<func::FuncDialect, MirageDialect, kernel::KernelDialect,
                      block::BlockDialect, thread::ThreadDialect>();
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(twoResiduals, &context);
  ASSERT_TRUE(module);
  FailureOr<ImportedGraph> imported =
      importMuGraph(module->lookupSymbol<func::FuncOp>("f"));
  ASSERT_TRUE(succeeded(imported));
  LoweredPricer pricer(&context, *getTargetPreset("sm_90a"),
                       /*kernels=*/nullptr);
  ProgramCost cost = pricer.estimate(imported->graph);
  const std::vector<unsigned> &nodes = imported->graph.getRegion().nodes;
  ASSERT_EQ(nodes.size(), 4u);
  ASSERT_EQ(cost.kernels.size(), 2u);
  // The second kernel loads what the first one computes, and computes nothing
  // of it.
  EXPECT_EQ(llvm::ArrayRef<unsigned>(cost.kernels[0].nodes),
            llvm::ArrayRef<unsigned>(nodes).take_front(2));
  EXPECT_EQ(llvm::ArrayRef<unsigned>(cost.kernels[1].nodes),
            llvm::ArrayRef<unsigned>(nodes).take_back(2));
}

} // namespace
