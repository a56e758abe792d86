//===- IssueTimeTest.cpp - Time of the instructions of kernels ------------===//

#include "Mirage/Analysis/Cost/IR/IssueTime.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
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
                        NVVM::NVVMDialect, scf::SCFDialect>();
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
  EXPECT_EQ(issued.work.longest, 1 + 5 * 4);
  EXPECT_EQ(issued.work.code, 1 + 4);
  EXPECT_EQ(issued.work.all, 4 * (1 + 5 * 4));
  EXPECT_EQ(issued.work.clusterAccesses, 5 * 128);
}

TEST_F(IssueTime, TakesMaximaAsTheyAre) {
  auto launches = count(R"(
    %v = llvm.load %p : !llvm.ptr<7> -> f16
    %wide = llvm.fpext %v : f16 to f32
    %m = arith.maximumf %wide, %wide : f32
    %n = llvm.fptrunc %m : f32 to f16
    %w = llvm.fpext %n : f16 to f32
    %s = arith.addf %w, %w : f32)",
                        launch);
  ASSERT_TRUE(launches.has_value());
  // A load, a maximum, a conversion for the sum, the sum, and the return.
  EXPECT_EQ(launches->front().work.longest, 5);
}

TEST_F(IssueTime, TakesTheLongerBranch) {
  auto launches = count(R"(
    %bit = llvm.load %p : !llvm.ptr<7> -> i1
    scf.if %bit {
      %u = llvm.load %p : !llvm.ptr<7> -> f32
      %e = arith.addf %u, %u : f32
    } else {
      %u = llvm.load %p : !llvm.ptr<7> -> f32
    })",
                        launch);
  ASSERT_TRUE(launches.has_value());
  EXPECT_EQ(launches->front().work.longest, 1 + 1 + 0.5 + 2);
}

TEST_F(IssueTime, CountsWhatEachWarpExecutes) {
  // One warp of four executes two sums more, one of another four, and all
  // threads one more.
  auto launches = count(R"(
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %v = llvm.load %p : !llvm.ptr<7> -> f32
    %warp = arith.constant 32 : i32
    %number = arith.divui %tid, %warp : i32
    %two = arith.constant 2 : i32
    %is = arith.cmpi eq, %number, %two : i32
    scf.if %is {
      %a = arith.addf %v, %v : f32
      %b = arith.addf %a, %a : f32
    }
    %last = llvm.mlir.constant(96 : i32) : i32
    %isLast = llvm.icmp "uge" %tid, %last : i32
    llvm.cond_br %isLast, ^loader, ^workers
  ^loader:
    %c = arith.addf %v, %v : f32
    %d = arith.addf %c, %c : f32
    %e = arith.addf %d, %d : f32
    %f = arith.addf %e, %e : f32
    llvm.br ^end
  ^workers:
    llvm.br ^end
  ^end:
    %g = arith.addf %v, %v : f32)",
                        launch);
  ASSERT_TRUE(launches.has_value());
  // The thread's number, a load, a division, two comparisons, two branches, a
  // sum and the return; the division counts four.
  double common = 1 + 1 + 4 + 1 + 0.5 + 1 + 1 + 1 + 1 + 1;
  EXPECT_EQ(launches->front().work.longest, common + 4);
  EXPECT_EQ(launches->front().work.all, 4 * common + 4 + 2);
  EXPECT_TRUE(launches->front().work.hasRoles);
}

TEST_F(IssueTime, CountsBothWaysOfOneWarp) {
  auto launches = count(R"(
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %zero = arith.constant 0 : i32
    %v = llvm.load %p : !llvm.ptr<7> -> f32
    %isFirst = arith.cmpi eq, %tid, %zero : i32
    scf.if %isFirst {
      %a = arith.addf %v, %v : f32
      %b = arith.addf %a, %a : f32
    } else {
      %c = arith.addf %v, %v : f32
    })",
                        launch);
  ASSERT_TRUE(launches.has_value());
  double common = 1 + 1 + 1 + 0.5 + 1;
  EXPECT_EQ(launches->front().work.longest, common + 3);
  EXPECT_EQ(launches->front().work.all, 4 * common + 3 + 3 * 1);
  EXPECT_FALSE(launches->front().work.hasRoles);
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

TEST_F(IssueTime, CountsTheMostIterationsThatAMaskLeaves) {
  // The first blocks have few iterations, and all have one at least; of 132
  // blocks that stay, some have one turn more.
  auto launches = count(R"(
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %seven = arith.constant 7 : index
    %eight = arith.constant 8 : index
    %block = nvvm.read.ptx.sreg.ctaid.x : i32
    %number = arith.index_cast %block : i32 to index
    %end = arith.minui %number, %eight : index
    %trips = arith.maxsi %end, %one : index
    %is = arith.cmpi ult, %number, %seven : index
    %turns = arith.select %is, %one, %zero : index
    scf.for %i = %zero to %trips step %one {
      %v = llvm.load %p : !llvm.ptr<7> -> f32
    }
    scf.for %i = %zero to %turns step %one {
      %v = llvm.load %p : !llvm.ptr<7> -> f32
    })",
                        launch);
  ASSERT_TRUE(launches.has_value());
  // The block's number, four operations, the return, and nine iterations.
  EXPECT_EQ(launches->front().work.longest, 6 + 9 * 3);
}

/// Attention of a block, as far as one warpgroup waits: a product of scores,
/// `numbers` additions, and a product of values, in eight iterations.
std::string makeAttention(bool isDeferred, int numbers) {
  auto statement = [](llvm::StringRef text) {
    return "llvm.inline_asm has_side_effects \"" + text.str() +
           "\", \"\" : () -> ()\n";
  };
  std::string product = "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 "
                        "x; wgmma.mma_async.sync.aligned.m64n64k16 y; "
                        "wgmma.commit_group.sync.aligned; ";
  auto wait = [](int others) {
    return "wgmma.wait_group.sync.aligned " + std::to_string(others) + ";";
  };
  std::string body = R"(
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %eight = arith.constant 8 : index
    %v = llvm.load %p : !llvm.ptr<7> -> f32
    scf.for %i = %zero to %eight step %one {
  )";
  body += statement(isDeferred ? product : product + wait(0));
  if (isDeferred)
    body += statement(product) + statement(wait(1));
  for (int i = 0; i < numbers; ++i)
    body += "%e" + std::to_string(i) + " = arith.addf %v, %v : f32\n";
  body += statement(isDeferred ? wait(0) : product + wait(0));
  return body + "}\n";
}

TEST_F(IssueTime, WaitsForProductsThatNothingOverlaps) {
  // A product takes 64 and 32 clocks.
  auto apart = count(makeAttention(/*isDeferred=*/false, 100), launch);
  ASSERT_TRUE(apart.has_value());
  const BlockWork &work = apart->front().work;
  EXPECT_EQ(work.waitedClocks, 8 * 2 * 96);
  EXPECT_GT(work.chainClocks, work.waitedClocks + 8 * 100);

  // The second product runs while the additions are made, all of it or as much
  // of it as these take.
  auto deferred = count(makeAttention(/*isDeferred=*/true, 100), launch);
  auto few = count(makeAttention(/*isDeferred=*/true, 10), launch);
  ASSERT_TRUE(deferred.has_value() && few.has_value());
  double hidden = deferred->front().work.waitedClocks;
  EXPECT_LE(hidden, 8 * 96);
  EXPECT_GT(hidden, 8 * 90);
  EXPECT_GT(few->front().work.waitedClocks, hidden + 8 * 60);
  EXPECT_LT(few->front().work.waitedClocks, work.waitedClocks);

  // What waits for nothing has no such chain.
  auto without = count("", launch);
  ASSERT_TRUE(without.has_value());
  EXPECT_EQ(without->front().getChainTime(*getTargetPreset("sm_90a")), 0);
}

TEST_F(IssueTime, TakesNoLessThanBlocksThatWaitOneAfterAnother) {
  TargetDescription target = *getTargetPreset("sm_90a");
  IssuedLaunch launch;
  launch.blocks = 4 * target.multiprocessors;
  launch.threads = 160;
  launch.work.hasRoles = true;
  launch.work.longest = 1000;
  launch.work.all = 4 * 1000;
  launch.work.waitedClocks = 50000;
  launch.work.chainClocks = 52000;
  auto estimate = [&](double modelled) {
    std::vector<ModelledTime> times = {{2.7, modelled, true}};
    return estimateIssued(launch, times, target, false);
  };
  double clocks = static_cast<double>(target.clock);
  // Four blocks of a multiprocessor wait at the same time, or one after
  // another where each takes its shared memory.
  launch.sharedBytes = 40000;
  EXPECT_DOUBLE_EQ(launch.getChainTime(target), 52000 / clocks);
  double beside = estimate(1);
  launch.sharedBytes = 200000;
  EXPECT_DOUBLE_EQ(launch.getChainTime(target), 4 * 52000 / clocks);
  EXPECT_NEAR(estimate(1) - beside, 3 * 52000 / clocks, 1e-6);
  // The model may know of more that takes long.
  EXPECT_NEAR(estimate(1000) - estimate(900), 100, 1e-6);
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
  using Times = std::vector<ModelledTime>;
  Times start = {{2, 0}, {2, 0}}, work = {{2, 8}, {2, 8}};
  EXPECT_LT(estimateIssued(*apart, work, target, false),
            estimateIssued(*chained, work, target, false));
  // Branches of a graph take longer to begin and to end.
  double few = estimateIssued(*apart, start, target, false);
  EXPECT_GT(few, estimateIssued(*chained, start, target, false));
  // The longer branch counts.
  EXPECT_GT(estimateIssued(*apart, Times{{2, 8}, {2, 0}}, target, false),
            few + 5);
  EXPECT_EQ(estimateIssued(*apart, Times{{2, 8}, {2, 0}}, target, false),
            estimateIssued(*apart, work, target, false));
  // Merging counts, and that a kernel multiplies.
  EXPECT_GT(estimateIssued(*apart, Times{{4, 0}, {2, 0}}, target, false), few);
  EXPECT_GT(estimateIssued(*apart, Times{{2, 0, true}, {2, 0}}, target, false),
            few);
  // Other kernels than there are launches are shared by these.
  EXPECT_EQ(estimateIssued(*apart, Times{{4, 0}}, target, false), few);
}

TEST_F(IssueTime, FetchesCodeAmongOtherKernels) {
  TargetDescription target = *getTargetPreset("sm_90a");
  // Two kernels that issue as many instructions, one of them in a loop.
  IssuedLaunch straight, loop;
  for (IssuedLaunch *launch : {&straight, &loop}) {
    launch->blocks = 100;
    launch->threads = 128;
    launch->work.longest = 3000;
    launch->work.all = 4 * 3000;
  }
  straight.work.code = 3000;
  loop.work.code = 300;
  std::vector<ModelledTime> work = {{2.7, 1}};
  auto estimate = [&](const IssuedLaunch &launch, bool isAmongMany) {
    return estimateIssued(launch, work, target, isAmongMany);
  };
  // A kernel that follows itself has its code.
  EXPECT_EQ(estimate(straight, false), estimate(loop, false));
  // The code that the loop does not have is 48 KB, which takes several
  // microseconds.
  EXPECT_GT(estimate(straight, true), estimate(loop, true) + 5);
  EXPECT_LT(estimate(loop, true), estimate(loop, false));
}

TEST_F(IssueTime, GrowsWithWarpsAndBlocks) {
  TargetDescription target = *getTargetPreset("sm_90a");
  IssuedLaunch launch;
  auto setWarps = [&](int64_t warps) {
    launch.threads = 32 * warps;
    launch.work.all = 1000 * static_cast<double>(warps);
  };
  launch.blocks = 132;
  launch.work.longest = 1000;
  setWarps(1);
  double alone = launch.getTime(target);
  // Four schedulers have a warp each.
  setWarps(4);
  EXPECT_EQ(launch.getTime(target), alone);
  setWarps(32);
  EXPECT_GT(launch.getTime(target), alone);
  // Other warps of the block may have nothing to do.
  launch.work.all = 1000;
  EXPECT_EQ(launch.getTime(target), alone);
  setWarps(4);
  launch.work.clusterAccesses = 4096;
  EXPECT_GT(launch.getTime(target), alone);
}

} // namespace
