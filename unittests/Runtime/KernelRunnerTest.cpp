//===- KernelRunnerTest.cpp - Running functions on a fake GPU -------------===//

// Tests the runner on FakeCuda: data flow, poison, guards, errors, limits,
// timing, and that every driver object is destroyed in each of these cases.

#include "Mirage/Runtime/KernelRunner.h"
#include "FakeCuda.h"
#include "Mirage/Runtime/LaunchStreams.h"
#include "TestSupport.h"
#include "gtest/gtest.h"

using namespace mirage::runtime;

namespace {

class KernelRunnerTest : public testing::Test {
protected:
  void SetUp() override {
    fake().reset();
    function.name = "f";
    function.buffers = {
        {"x", BufferRole::Input, 0, {4}, ElementType::f8E5M2, 4},
        {"t", BufferRole::Scratch, 0, {4}, ElementType::f8E5M2, 4},
        {"y", BufferRole::Output, 0, {4}, ElementType::f8E5M2, 4}};
    function.kernels = {kernel("increment", {"x", "t"}),
                        kernel("double", {"t", "y"})};
    function.scratchBytes = 4;
    function.results = {"y", "x"};
    fake().kernels["increment"] = {2, [](llvm::ArrayRef<char *> p) {
                                     for (int i = 0; i < 4; ++i)
                                       p[1][i] = p[0][i] + 1;
                                   }};
    fake().kernels["double"] = {2, [](llvm::ArrayRef<char *> p) {
                                  for (int i = 0; i < 4; ++i)
                                    p[1][i] = 2 * p[0][i];
                                }};
  }

  void TearDown() override { EXPECT_EQ(fake().liveObjects(), 0); }

  static FakeCuda &fake() { return FakeCuda::instance(); }

  static KernelDescription kernel(const char *name,
                                  std::vector<std::string> arguments) {
    KernelDescription kernel;
    kernel.name = name;
    kernel.block = {128, 1, 1};
    kernel.arguments = std::move(arguments);
    return kernel;
  }

  llvm::Expected<RunResult>
  run(std::optional<TimingOptions> timing = std::nullopt,
      llvm::StringRef ptx = "good") {
    llvm::Expected<std::unique_ptr<CudaDriver>> driver =
        CudaDriver::create(fakeCudaFunctions());
    if (!driver)
      return driver.takeError();
    std::vector<char> x = {1, 2, 3, 4};
    return runFunction(**driver, function, ptx, {llvm::ArrayRef(x)}, timing);
  }

  FunctionDescription function;
};

TEST_F(KernelRunnerTest, RunsKernelsInOrder) {
  llvm::Expected<RunResult> result = run();
  ASSERT_TRUE(bool(result)) << errorText(result.takeError());
  ASSERT_EQ(result->results.size(), 2u);
  EXPECT_EQ(result->results[0], (std::vector<char>{4, 6, 8, 10}));
  EXPECT_EQ(result->results[1], (std::vector<char>{1, 2, 3, 4}));
  EXPECT_EQ(result->compilerLog, "ptxas info: fine");
  EXPECT_FALSE(result->timing.has_value());
}

TEST_F(KernelRunnerTest, TensorMapsAreOfTheLaunchsBuffers) {
  TensorMapDescription map;
  map.buffer = "x";
  map.type = ElementType::bf16;
  map.shape = {1, 2};
  map.strides = {16, 2};
  map.box = {1, 32};
  function.kernels[0].tensorMaps = {map};
  FakeKernel &increment = fake().kernels["increment"];
  // The fake takes the first eight bytes of each parameter.
  increment.parameters = 3;
  auto run = increment.run;
  bool isOfX = true;
  increment.run = [&](llvm::ArrayRef<char *> p) {
    isOfX &= p[2] == p[0];
    run(p);
  };
  llvm::Expected<RunResult> result = this->run(TimingOptions());
  ASSERT_TRUE(bool(result)) << errorText(result.takeError());
  EXPECT_EQ(result->results[0], (std::vector<char>{4, 6, 8, 10}));
  EXPECT_TRUE(isOfX);
}

TEST_F(KernelRunnerTest, ReportsWhatKernelsUse) {
  fake().kernels["double"].registers = 168;
  fake().kernels["double"].localBytes = 16;
  fake().kernels["double"].staticSharedBytes = 1024;
  function.kernels[1].sharedMemoryBytes = 200000;
  llvm::Expected<RunResult> result = run();
  ASSERT_TRUE(bool(result)) << errorText(result.takeError());
  ASSERT_EQ(result->kernels.size(), 2u);
  EXPECT_EQ(result->kernels[1].name, "double");
  EXPECT_EQ(result->kernels[1].registers, 168);
  EXPECT_EQ(result->kernels[1].localBytes, 16);
  EXPECT_EQ(result->kernels[1].staticSharedBytes, 1024);
  EXPECT_EQ(result->kernels[1].dynamicSharedBytes, 200000u);
}

TEST_F(KernelRunnerTest, AnEntryCanBeLaunchedTwice) {
  function.kernels[0].sharedMemoryBytes = 100000;
  function.kernels.push_back(kernel("increment", {"x", "y"}));
  function.kernels[2].sharedMemoryBytes = 60000;
  llvm::Expected<RunResult> result = run();
  ASSERT_TRUE(bool(result)) << errorText(result.takeError());
  EXPECT_EQ(result->results[0], (std::vector<char>{2, 3, 4, 5}));
}

TEST_F(KernelRunnerTest, AFunctionNeedsNoKernels) {
  function.kernels.clear();
  function.results = {"x", "y"};
  llvm::Expected<RunResult> result = run(std::nullopt, "bad");
  ASSERT_TRUE(bool(result)) << errorText(result.takeError());
  EXPECT_EQ(result->results[0], (std::vector<char>{1, 2, 3, 4}));
  EXPECT_EQ(errorText(run(TimingOptions())),
            "function 'f' launches no kernel, so there is nothing to time");
}

TEST_F(KernelRunnerTest, WhatIsNotWrittenIsPoisoned) {
  function.kernels.pop_back();
  function.results = {"y"};
  llvm::Expected<RunResult> result = run();
  ASSERT_TRUE(bool(result)) << errorText(result.takeError());
  EXPECT_EQ(result->results[0], std::vector<char>(4, '\xFF'));
}

TEST_F(KernelRunnerTest, OverwrittenGuardsNameTheBuffer) {
  fake().kernels["double"].run = [](llvm::ArrayRef<char *> p) { p[1][6] = 0; };
  EXPECT_EQ(errorText(run()),
            "a kernel wrote out of bounds: the guard after buffer 'y' (4 "
            "bytes) is overwritten 2 bytes past its end");
  fake().kernels["double"].run = [](llvm::ArrayRef<char *> p) { p[0][-1] = 0; };
  EXPECT_EQ(errorText(run()),
            "a kernel wrote out of bounds: the guard before buffer 't' (4 "
            "bytes) is overwritten 1 bytes before its start");
}

TEST_F(KernelRunnerTest, ErrorsNameTheKernel) {
  function.kernels[0].name = "missing";
  EXPECT_EQ(errorText(run()), "cuModuleGetFunction of 'missing' failed: "
                              "CUDA_ERROR_NOT_FOUND (some text)");
  function.kernels[0].name = "increment";
  EXPECT_EQ(errorText(run(std::nullopt, "bad")),
            "cuModuleLoadDataEx failed: CUDA_ERROR_INVALID_PTX (some text)\n"
            "ptxas error: line 1");
  fake().faultAtLaunch = true;
  EXPECT_EQ(errorText(run()), "kernel 'increment': cuStreamSynchronize failed: "
                              "CUDA_ERROR_ILLEGAL_ADDRESS (some text)");
}

TEST_F(KernelRunnerTest, RefusesWhatTheDeviceCannotDo) {
  fake().kernels["double"].maxThreads = 64;
  EXPECT_TRUE(contains(errorText(run()), "kernel 'double': a block has 128 "
                                         "threads, but with 32 registers"));
  fake().kernels["double"].maxThreads = 1024;
  fake().kernels["double"].staticSharedBytes = 4096;
  function.kernels[1].sharedMemoryBytes = 230000;
  EXPECT_TRUE(contains(errorText(run()),
                       "kernel 'double': a block needs 4096 static and 230000 "
                       "dynamic bytes of shared memory; Fake GPU has 232448"));
}

TEST_F(KernelRunnerTest, RefusesInputsThatDoNotMatch) {
  function.buffers[0].shape = {5};
  EXPECT_TRUE(contains(errorText(run()), "at function.buffers[0].bytes"));
  function.buffers[0].bytes = 5;
  EXPECT_EQ(errorText(run()),
            "input 0 ('x') of function 'f' has 5 bytes, 4 are given");
  function.buffers[1].role = BufferRole::Input;
  function.buffers[1].index = 1;
  EXPECT_EQ(errorText(run()), "function 'f' takes 2 inputs, 1 are given");
}

TEST_F(KernelRunnerTest, LaunchesClusters) {
  function.kernels[1].grid = {16, 2, 1};
  function.kernels[1].cluster = {8, 2, 1};
  llvm::Expected<RunResult> result = run();
  ASSERT_TRUE(bool(result)) << errorText(result.takeError());
  EXPECT_EQ(fake().lastCluster, (std::array<unsigned, 3>{8, 2, 1}));
}

TEST_F(KernelRunnerTest, TimesReplaysOverRotatingCopies) {
  TimingOptions options;
  options.warmup = 2;
  options.repeats = 4;
  options.rotateBytes = 40;
  llvm::Expected<RunResult> result = run(options);
  ASSERT_TRUE(bool(result)) << errorText(result.takeError());
  ASSERT_TRUE(result->timing.has_value());
  // Eight bytes of input and output a copy: five copies, and the next multiple
  // of five runs from sixteen on.
  EXPECT_EQ(result->timing->rotatedBytes, 40u);
  EXPECT_EQ(result->timing->runsPerReplay, 20u);
  // Intervals of 1, 2, 3 and 4 milliseconds.
  EXPECT_DOUBLE_EQ(result->timing->medianMicroseconds, 2500.0 / 20);
  EXPECT_DOUBLE_EQ(result->timing->minMicroseconds, 1000.0 / 20);
  // Two kernels, once and then in six replays.
  EXPECT_EQ(fake().runs, 2u * (1 + 6 * 20));
  // Five copies of x and one shared t.
  EXPECT_EQ(fake().firstArguments.size(), 6u);
}

/// The function with a second increment of x, beside the first, and a sum.
void addBranch(FunctionDescription &function, FakeCuda &fake) {
  function.buffers.push_back(
      {"u", BufferRole::Scratch, 0, {4}, ElementType::f8E5M2, 4, 256});
  function.scratchBytes = 260;
  function.kernels[1] = function.kernels[0];
  function.kernels[1].arguments = {"x", "u"};
  function.kernels.push_back(function.kernels[0]);
  function.kernels[2].name = "sum";
  function.kernels[2].arguments = {"t", "u", "y"};
  for (KernelDescription &kernel : function.kernels) {
    kernel.reads = kernel.arguments;
    kernel.writes = {kernel.reads.back()};
    kernel.reads.pop_back();
  }
  fake.kernels["sum"] = {3, [](llvm::ArrayRef<char *> p) {
                           for (int i = 0; i < 4; ++i)
                             p[2][i] = p[0][i] + p[1][i];
                         }};
}

TEST_F(KernelRunnerTest, IndependentKernelsAreOnStreams) {
  addBranch(function, fake());
  planStreams(function);
  llvm::Expected<RunResult> result = run();
  ASSERT_TRUE(bool(result)) << errorText(result.takeError());
  EXPECT_EQ(result->results[0], (std::vector<char>{4, 6, 8, 10}));
  EXPECT_EQ(fake().graphStreams, 2u);
  EXPECT_EQ(fake().runs, 2u * 3);
  // An event that is missing is refused before anything runs.
  function.kernels[2].after.clear();
  EXPECT_TRUE(contains(errorText(run()), "does not end before this one"));
  EXPECT_EQ(fake().runs, 2u * 3);
}

TEST_F(KernelRunnerTest, TimesBothWaysAndTakesTheFaster) {
  addBranch(function, fake());
  planStreams(function);
  TimingOptions options;
  options.repeats = 4;
  options.rotateBytes = 40;
  llvm::Expected<RunResult> result = run(options);
  ASSERT_TRUE(bool(result)) << errorText(result.takeError());
  ASSERT_TRUE(result->timing && result->slowerTiming);
  // Each interval takes a millisecond more than the one before it, so that what
  // is timed first is faster: kernels one after another.
  EXPECT_EQ(result->timing->streams, 1u);
  EXPECT_EQ(result->slowerTiming->streams, 2u);
  EXPECT_LT(result->timing->medianMicroseconds,
            result->slowerTiming->medianMicroseconds);
  EXPECT_EQ(result->slowerTiming->runsPerReplay, 20u);
  EXPECT_EQ(result->slowerTiming->rotatedBytes, 40u);
}

TEST_F(KernelRunnerTest, ScratchIsSharedWhereKernelsRunAsALauncherRunsThem) {
  function.buffers.push_back(
      {"u", BufferRole::Scratch, 0, {4}, ElementType::f8E5M2, 4, 256});
  // The second buffer behind t is written where t is dead.
  function.buffers.push_back(
      {"v", BufferRole::Scratch, 0, {4}, ElementType::f8E5M2, 4, 0});
  function.scratchBytes = 260;
  function.kernels.clear();
  for (auto [from, to] : {std::pair("x", "t"), std::pair("t", "u"),
                          std::pair("u", "v"), std::pair("v", "y")}) {
    KernelDescription &next =
        function.kernels.emplace_back(kernel("increment", {from, to}));
    next.reads = {from};
    next.writes = {to};
  }
  std::vector<char *> written;
  auto increment = fake().kernels["increment"].run;
  fake().kernels["increment"].run = [&](llvm::ArrayRef<char *> p) {
    written.push_back(p[1]);
    increment(p);
  };
  llvm::Expected<RunResult> result = run();
  ASSERT_TRUE(bool(result)) << errorText(result.takeError());
  EXPECT_EQ(result->results[0], (std::vector<char>{5, 6, 7, 8}));
  ASSERT_EQ(written.size(), 8u);
  EXPECT_NE(written[0], written[2]);
  EXPECT_EQ(written[4], written[6]);
  EXPECT_EQ(written[5], written[4] + 256);
}

TEST_F(KernelRunnerTest, LimitsAndRefusesTimingOptions) {
  TimingOptions options;
  options.repeats = 1;
  options.warmup = 0;
  llvm::Expected<RunResult> result = run(options);
  ASSERT_TRUE(bool(result)) << errorText(result.takeError());
  EXPECT_EQ(result->timing->rotatedBytes, 1024u * 8);
  options.rotateBytes = 0;
  result = run(options);
  ASSERT_TRUE(bool(result)) << errorText(result.takeError());
  EXPECT_EQ(result->timing->rotatedBytes, 8u);
  options.repeats = 0;
  EXPECT_EQ(errorText(run(options)),
            "timing needs at least one repeat and no negative warm-up");
}

} // namespace
