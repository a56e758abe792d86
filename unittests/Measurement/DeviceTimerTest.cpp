//===- DeviceTimerTest.cpp - Times of graphs on a fake GPU ----------------===//
//
// Lowers tilings of a chain to PTX for real; each test decides what its kernel
// does on the device.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Measurement/DeviceTimer.h"
#include "../Runtime/FakeCuda.h"
#include "../Runtime/TestSupport.h"
#include "../Search/Tiling/RandomChains.h"
#include "Mirage/Analysis/Tiling/ApplyTiling.h"
#include "gtest/gtest.h"

using namespace mirage;
using namespace mirage::runtime;
using namespace mirage::tiling;

namespace {

constexpr const char *kernelName = "candidate_0_launch";
constexpr size_t resultBytes = 32 * 32 * 2;

class DeviceTimerTest : public testing::Test {
protected:
  void SetUp() override {
    FakeCuda::instance().reset();
    options.target = *getTargetPreset("sm_90a");
    setResult(0);
  }
  void TearDown() override {
    timer.reset();
    EXPECT_EQ(FakeCuda::instance().liveObjects(), 0);
  }

  /// Makes the kernel write this byte all over its result from now on.
  void setResult(char byte) {
    FakeCuda::instance().kernels[kernelName] = {
        4, [byte](llvm::ArrayRef<char *> parameters) {
          std::fill_n(parameters[3], resultBytes, byte);
        }};
  }

  llvm::Error open() {
    auto driver = CudaDriver::create(fakeCudaFunctions());
    if (!driver)
      return driver.takeError();
    TimingOptions timing;
    timing.repeats = 3;
    timing.rotateBytes = 0;
    auto made = makeDeviceTimer(std::move(*driver), options, timing);
    if (!made)
      return made.takeError();
    timer = std::move(*made);
    return llvm::Error::success();
  }

  /// Returns the time of the chain with tiles of so many rows.
  llvm::Expected<GraphTime> time(int64_t rows) {
    if (!timer)
      if (llvm::Error error = open())
        return std::move(error);
    Chain chain = makeChain(1, {32, 16, 32, 32}, false);
    std::string error;
    std::optional<MuGraph> graph = applyTiling(
        chain, {generateTilings(2).front(), {rows, 16, 32, 32}}, error);
    EXPECT_TRUE(graph) << error;
    return timer->time(*graph, "");
  }

  GraphTimerOptions options;
  std::unique_ptr<GraphTimer> timer;
};

TEST_F(DeviceTimerTest, TimesWhatItLowered) {
  for (int64_t rows : {16, 32}) {
    llvm::Expected<GraphTime> found = time(rows);
    ASSERT_TRUE(bool(found)) << errorText(found.takeError());
    EXPECT_FALSE(found->isRejected()) << found->rejection;
    EXPECT_GT(found->microseconds, 0);
  }
  EXPECT_EQ(timer->getDevice(), "Fake GPU (sm_90)");
}

TEST_F(DeviceTimerTest, WhatNoKernelWroteIsAnError) {
  FakeCuda::instance().kernels[kernelName].run =
      [](llvm::ArrayRef<char *> parameters) {
        std::fill_n(parameters[3], resultBytes - 4, 0);
      };
  EXPECT_EQ(errorText(time(16)), "no kernel wrote element 1022 of result 0");
}

TEST_F(DeviceTimerTest, HoldsResultsToTheFirst) {
  options.isExact = true;
  ASSERT_TRUE(bool(time(16)));
  ASSERT_TRUE(bool(time(32)));
  setResult(0x40); // 0x4040 is 2.125 in f16.
  EXPECT_EQ(errorText(time(32)),
            "element 0 of result 0 is 2.125, but that of the tiling that was "
            "timed first is 0");
}

TEST_F(DeviceTimerTest, RoundedResultsMayDiffer) {
  ASSERT_TRUE(bool(time(16)));
  setResult(0x40);
  EXPECT_TRUE(bool(time(32)));
}

TEST_F(DeviceTimerTest, WhatDoesNotFitIsNoCandidate) {
  FakeCuda::instance().kernels[kernelName].maxThreads = 16;
  llvm::Expected<GraphTime> found = time(16);
  ASSERT_TRUE(bool(found)) << errorText(found.takeError());
  EXPECT_EQ(found->rejection,
            "kernel 'candidate_0_launch': a block has 32 threads, but with 32 "
            "registers each (or by its .maxntid) the kernel can have 16");
}

TEST_F(DeviceTimerTest, WhatDoesNotLowerIsNoCandidate) {
  options.target.sharedMemoryPerBlock = 1024;
  llvm::Expected<GraphTime> found = time(16);
  ASSERT_TRUE(bool(found)) << errorText(found.takeError());
  EXPECT_TRUE(contains(found->rejection, "it does not lower: "));
  EXPECT_TRUE(contains(found->rejection, "but the target sm_90a has 1024 "
                                         "(launch_c6"));
}

TEST_F(DeviceTimerTest, ErrorsOfTheDriverAreErrors) {
  FakeCuda::instance().faultAtLaunch = true;
  EXPECT_TRUE(contains(errorText(time(16)), "kernel 'candidate_0_launch': "
                                            "cuStreamSynchronize failed"));
}

TEST_F(DeviceTimerTest, OfTheTargetsComputeCapability) {
  options.target = *getTargetPreset("sm_80");
  EXPECT_EQ(errorText(open()),
            "Fake GPU is sm_90, and kernels for sm_80 are to be measured");
}

} // namespace
