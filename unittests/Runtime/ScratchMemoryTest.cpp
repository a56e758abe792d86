//===- ScratchMemoryTest.cpp - Where scratch buffers lie ------------------===//

// Tests lifetimes and plans by hand, the checks of a plan, and random functions
// by their bytes: each byte remembers for which buffer it was written last, and
// must still be of the buffer that a kernel reads.

#include "Mirage/Runtime/ScratchMemory.h"
#include "TestSupport.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "gtest/gtest.h"
#include <random>

using namespace mirage::runtime;

namespace {

/// A function with scratch buffers of these sizes, named by their numbers.
FunctionDescription createFunction(llvm::ArrayRef<uint64_t> sizes) {
  FunctionDescription function;
  function.name = "f";
  for (uint64_t bytes : sizes) {
    BufferDescription &buffer = function.buffers.emplace_back();
    buffer.name = std::to_string(function.buffers.size() - 1);
    buffer.shape = {static_cast<int64_t>(bytes)};
    buffer.type = ElementType::f8E5M2;
    buffer.bytes = bytes;
  }
  return function;
}

void addKernel(FunctionDescription &function, std::vector<std::string> reads,
               std::vector<std::string> writes) {
  KernelDescription &kernel = function.kernels.emplace_back();
  kernel.name = "k";
  kernel.arguments = reads;
  kernel.arguments.insert(kernel.arguments.end(), writes.begin(), writes.end());
  kernel.reads = std::move(reads);
  kernel.writes = std::move(writes);
}

/// Returns the bytes of the scratch buffers that are alive at the same time, at
/// the kernel where these are most, each as large as kScratchAlignment demands.
/// No plan needs less.
uint64_t getScratchInUse(const FunctionDescription &function) {
  std::vector<std::optional<Lifetime>> lifetimes =
      getScratchLifetimes(function);
  uint64_t most = 0;
  // A result lives until after the last kernel.
  for (size_t kernel = 0; kernel <= function.kernels.size(); ++kernel) {
    uint64_t alive = 0;
    for (auto [buffer, lifetime] : llvm::zip(function.buffers, lifetimes))
      if (lifetime && lifetime->overlaps({kernel, kernel}))
        alive += llvm::alignTo(buffer.bytes, kScratchAlignment);
    most = std::max(most, alive);
  }
  return most;
}

TEST(ScratchMemory, Lifetimes) {
  FunctionDescription function = createFunction({1, 1, 1, 1});
  function.buffers[1].role = BufferRole::Output;
  addKernel(function, {}, {"0", "1"});
  addKernel(function, {"0"}, {"2"});
  addKernel(function, {"0"}, {"1"});
  function.results = {"2"};
  std::vector<std::optional<Lifetime>> lifetimes =
      getScratchLifetimes(function);
  ASSERT_TRUE(lifetimes[0] && lifetimes[2]);
  EXPECT_EQ(lifetimes[0]->first, 0u);
  EXPECT_EQ(lifetimes[0]->last, 2u);
  EXPECT_FALSE(lifetimes[1]);
  EXPECT_EQ(lifetimes[2]->first, 1u);
  EXPECT_EQ(lifetimes[2]->last, 3u) << "results live to the end";
  EXPECT_FALSE(lifetimes[3]) << "no kernel has it";
}

TEST(ScratchMemory, AChainTakesTwoBuffers) {
  FunctionDescription function = createFunction({1000, 1000, 1000, 1000, 1000});
  addKernel(function, {}, {"0"});
  for (unsigned i = 1; i < 5; ++i)
    addKernel(function, {std::to_string(i - 1)}, {std::to_string(i)});
  planScratch(function);
  EXPECT_EQ(function.scratchBytes, 2 * 1024u);
  EXPECT_EQ(getScratchInUse(function), 2 * 1024u);
  EXPECT_EQ(errorText(verify(function)), "");
}

/// Says whether no byte is of both buffers.
bool areApart(const FunctionDescription &function, size_t one, size_t other) {
  const BufferDescription &a = function.buffers[one],
                          &b = function.buffers[other];
  return a.offset + a.bytes <= b.offset || b.offset + b.bytes <= a.offset;
}

/// Two chains of three kernels behind one that writes buffer 0, which reads
/// buffer 8 of so many bytes, and one that joins them. Their buffers are 1 to 3
/// and 4 to 6.
FunctionDescription createChains(uint64_t first) {
  FunctionDescription function =
      createFunction({1024, 1024, 1024, 1024, 1024, 1024, 1024, 1024, first});
  addKernel(function, {}, {"8"});
  addKernel(function, {"8"}, {"0"});
  for (std::string begin : {"1", "4"}) {
    std::string last = "0";
    for (unsigned i = 0; i < 3; ++i) {
      std::string next = std::to_string(std::stoi(begin) + i);
      addKernel(function, {last}, {next});
      last = next;
    }
  }
  addKernel(function, {"3", "6"}, {"7"});
  return function;
}

TEST(ScratchMemory, ChainsDoNotWaitForBytes) {
  FunctionDescription function = createChains(16384);
  planScratch(function);
  EXPECT_EQ(function.scratchBytes, getScratchInUse(function));
  for (size_t one : {1, 2, 3})
    for (size_t other : {4, 5, 6})
      EXPECT_TRUE(areApart(function, one, other)) << one << " and " << other;
  // Beside each other they would need 4,096 bytes where 3,072 are enough.
  function = createChains(1024);
  planScratch(function);
  EXPECT_EQ(function.scratchBytes, 3 * 1024u);
}

TEST(ScratchMemory, KernelsRunInSteps) {
  // A chain of buffers 0 to 6, from which a kernel that writes much branches at
  // the second and at the fifth. The two depend on each other in no way, but
  // one is done where the other begins.
  FunctionDescription function = createFunction(
      {256, 256, 256, 256, 256, 256, 256, 65536, 256, 65536, 256, 256});
  addKernel(function, {}, {"0"});
  addKernel(function, {"0"}, {"1"});
  addKernel(function, {"1"}, {"7"});
  addKernel(function, {"7"}, {"8"});
  for (unsigned i = 1; i < 5; ++i)
    addKernel(function, {std::to_string(i)}, {std::to_string(i + 1)});
  addKernel(function, {"5"}, {"9"});
  addKernel(function, {"9"}, {"10"});
  addKernel(function, {"5"}, {"6"});
  addKernel(function, {"6", "8", "10"}, {"11"});
  planScratch(function);
  EXPECT_EQ(errorText(verify(function)), "");
  EXPECT_FALSE(areApart(function, 7, 9));
  // They run in the same steps.
  EXPECT_TRUE(areApart(function, 7, 2));
  EXPECT_TRUE(areApart(function, 9, 6));
  EXPECT_LE(function.scratchBytes, 1.05 * getScratchInUse(function));
}

TEST(ScratchMemory, NothingTakesNothing) {
  FunctionDescription function = createFunction({});
  planScratch(function);
  EXPECT_EQ(function.scratchBytes, 0u);
  EXPECT_EQ(errorText(verify(function)), "");
}

TEST(ScratchMemory, RefusesWrongPlans) {
  FunctionDescription function = createFunction({300, 300});
  addKernel(function, {}, {"0"});
  addKernel(function, {"0"}, {"1"});
  function.buffers[1].offset = 512;
  function.scratchBytes = 812;
  EXPECT_EQ(errorText(verify(function)), "");
  function.scratchBytes = 811;
  EXPECT_EQ(errorText(verify(function)),
            "'1' ends beyond the 811 bytes of scratch memory at "
            "function.buffers[1].offset");
  function.scratchBytes = 2000;
  function.buffers[1].offset = 256;
  EXPECT_EQ(errorText(verify(function)),
            "'1' lies in bytes of '0', which is alive at the same time at "
            "function.buffers[1].offset");
  std::swap(function.buffers[0].offset, function.buffers[1].offset);
  EXPECT_EQ(errorText(verify(function)),
            "'1' lies in bytes of '0', which is alive at the same time at "
            "function.buffers[1].offset");
  function.buffers[0].offset = 128;
  EXPECT_EQ(errorText(verify(function)),
            "scratch must begin at a multiple of 256 bytes at "
            "function.buffers[0].offset");
}

TEST(ScratchMemory, RandomFunctionsReadWhatWasWritten) {
  std::mt19937 random(1);
  auto draw = [&](unsigned below) { return random() % below; };
  unsigned shared = 0;
  double worst = 1;
  for (unsigned number = 0; number < 500; ++number) {
    unsigned count = 1 + draw(20);
    std::vector<uint64_t> sizes(count);
    for (uint64_t &size : sizes)
      size = std::array<uint64_t, 5>{0, 16, 256, 300, 5000}[draw(5)];
    FunctionDescription function = createFunction(sizes);
    for (unsigned i = 0; i < count; ++i) {
      std::vector<std::string> reads;
      for (unsigned j = 0; j < i; ++j)
        if (draw(i - j + 2) == 0)
          reads.push_back(std::to_string(j));
      addKernel(function, reads, {std::to_string(i)});
    }
    if (draw(2))
      function.results = {std::to_string(count - 1)};
    planScratch(function);
    ASSERT_EQ(errorText(verify(function)), "");

    std::vector<const BufferDescription *> owners(function.scratchBytes);
    auto forEachByte = [&](const std::string &name, auto visit) {
      const BufferDescription *buffer = function.findBuffer(name);
      for (uint64_t i = 0; i < buffer->bytes; ++i)
        visit(owners[buffer->offset + i], buffer);
    };
    auto expectOwned = [&](const std::string &name) {
      forEachByte(name, [](const auto *owner, const auto *buffer) {
        ASSERT_EQ(owner, buffer);
      });
    };
    uint64_t all = 0;
    for (const KernelDescription &kernel : function.kernels) {
      for (const std::string &name : kernel.writes)
        forEachByte(name,
                    [](auto *&owner, const auto *buffer) { owner = buffer; });
      // Neither has what is written taken the place of what is read.
      for (const std::string &name : kernel.reads)
        expectOwned(name);
    }
    for (const std::string &name : function.results)
      expectOwned(name);
    for (const BufferDescription &buffer : function.buffers)
      all += buffer.bytes;
    shared += function.scratchBytes < all;
    uint64_t inUse = getScratchInUse(function);
    ASSERT_GE(function.scratchBytes, inUse);
    if (inUse)
      worst = std::max(worst, static_cast<double>(function.scratchBytes) /
                                  static_cast<double>(inUse));
  }
  EXPECT_GT(shared, 100u);
  // No plan needs less than what is alive at once; some need more.
  EXPECT_LE(worst, 1.05);
}

} // namespace
