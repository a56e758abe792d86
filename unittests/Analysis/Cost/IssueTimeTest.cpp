//===- IssueTimeTest.cpp - Time of the instructions of kernels ------------===//

#include "Mirage/Analysis/Cost/IR/IssueTime.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace mirage;

namespace {

class IssueTime : public testing::Test {
protected:
  IssueTime() {
    context.loadDialect<arith::ArithDialect, func::FuncDialect, gpu::GPUDialect,
                        LLVM::LLVMDialect, memref::MemRefDialect,
                        scf::SCFDialect>();
  }

  /// Counts the launches of a program whose kernel @k has this body.
  std::optional<std::vector<IssuedLaunch>> count(llvm::StringRef body,
                                                 llvm::StringRef host) {
    std::string text = llvm::formatv(R"(
      module attributes {{gpu.container_module} {{
        gpu.module @kernels {{
          llvm.func @k(%p: !llvm.ptr<7>) attributes {{gpu.kernel} {{
            {0}
            llvm.return
          }
        }
        func.func @main(%x: memref<4xf32>, %n: index) {{
          %one = arith.constant 1 : index
          %blocks = arith.constant 264 : index
          %threads = arith.constant 128 : index
          %a = memref.alloc() : memref<4xf32>
          {1}
          return
        }
      })",
                                     body, host);
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    return module ? countInstructions(*module) : std::nullopt;
  }

  static constexpr llvm::StringLiteral launch =
      "gpu.launch_func @kernels::@k blocks in (%blocks, %one, %one) "
      "threads in (%threads, %one, %one) args(%x : memref<4xf32>)\n";

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

TEST_F(IssueTime, MultipliesByIterations) {
  auto launches = count(R"(
    %zero = arith.constant 0 : index
    %two = arith.constant 2 : index
    %ten = arith.constant 10 : index
    scf.for %i = %zero to %ten step %two {
      %v = llvm.load %p : !llvm.ptr<7> -> vector<4xf32>
      %e = arith.addf %v, %v : vector<4xf32>
    })",
                        launch);
  ASSERT_TRUE(launches.has_value());
  ASSERT_EQ(launches->size(), 1u);
  const IssuedLaunch &issued = launches->front();
  EXPECT_EQ(issued.kernel, "k");
  EXPECT_EQ(issued.blocks, 264);
  EXPECT_EQ(issued.threads, 128);
  // A return, and five times a load, a sum, the counter and the branch.
  EXPECT_EQ(issued.work.instructions, 1 + 5 * 4);
  EXPECT_EQ(issued.work.clusterBytes, 5 * 16);
}

TEST_F(IssueTime, TakesTheLongerBranch) {
  auto launches = count(R"(
    %yes = arith.constant true
    scf.if %yes {
      %u = llvm.load %p : !llvm.ptr<7> -> f32
      %e = arith.addf %u, %u : f32
    } else {
      %u = llvm.load %p : !llvm.ptr<7> -> f32
    })",
                        launch);
  ASSERT_TRUE(launches.has_value());
  EXPECT_EQ(launches->front().work.instructions, 1 + 0.5 + 2);
}

TEST_F(IssueTime, RefusesUnknownSizes) {
  EXPECT_FALSE(count("", "gpu.launch_func @kernels::@k blocks in (%n, %one, "
                         "%one) threads in (%one, %one, %one) "
                         "args(%x : memref<4xf32>)\n"));
  EXPECT_FALSE(count(R"(
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %pointer = llvm.ptrtoint %p : !llvm.ptr<7> to i64
    %end = arith.index_cast %pointer : i64 to index
    scf.for %i = %zero to %end step %one {
    })",
                     launch));
}

TEST_F(IssueTime, OverlapsWhatDoesNotWait) {
  std::string onBuffer = launch.str();
  onBuffer.replace(onBuffer.find("%x"), 2, "%a");
  auto apart = count("", (launch + launch).str());
  auto chained = count("", onBuffer + onBuffer);
  ASSERT_TRUE(apart.has_value() && chained.has_value());
  EXPECT_TRUE((*apart)[1].dependences.empty());
  ASSERT_EQ((*chained)[1].dependences.size(), 1u);
  EXPECT_EQ((*chained)[1].dependences.front(), 0u);
  TargetDescription target = *getTargetPreset("sm_90a");
  double few = estimateIssued(*apart, {}, target);
  EXPECT_LT(few, estimateIssued(*chained, {}, target));
  // The model's time counts but for what starting takes.
  EXPECT_EQ(estimateIssued(*apart, {1.0, 1.0}, target), few);
  EXPECT_GT(estimateIssued(*apart, {10.0, 1.0}, target), few + 5);
}

TEST_F(IssueTime, GrowsWithWarpsAndBlocks) {
  TargetDescription target = *getTargetPreset("sm_90a");
  IssuedLaunch launch;
  launch.blocks = 132;
  launch.threads = 32;
  launch.work.instructions = 1000;
  double alone = launch.getTime(target);
  // Four schedulers have a warp each.
  launch.threads = 128;
  EXPECT_EQ(launch.getTime(target), alone);
  launch.threads = 1024;
  EXPECT_GT(launch.getTime(target), alone);
  launch.threads = 128;
  launch.work.clusterBytes = 4096;
  EXPECT_GT(launch.getTime(target), alone);
}

} // namespace
