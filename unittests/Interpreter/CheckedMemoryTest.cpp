//===- CheckedMemoryTest.cpp - Accesses that a GPU may exchange -----------===//
//
// Accesses that barriers order are no faults, and those that nothing orders
// are, by whichever thread and in whichever order the test makes them.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Interpreter/Kernels/CheckedMemory.h"
#include "gtest/gtest.h"

using namespace mirage;

namespace {

class CheckedMemoryTest : public ::testing::Test {
protected:
  CheckedMemoryTest() {
    order.beginKernel();
    beginBlock();
  }

  /// Begins a block that is in no cluster.
  void beginBlock() {
    order.beginCluster();
    order.enterBlock();
  }
  bool write(int64_t byte, uint32_t thread) {
    return memory.write(byte, {'a', 'b'}, {thread, 0});
  }
  bool read(int64_t byte, uint32_t thread) {
    char to[2];
    return memory.read(byte, 2, {thread, 0}, to);
  }
  MemoryFault::Kind fault() const { return memory.getFault().kind; }

  static constexpr uint32_t together = Accessor::kTogether;
  AccessOrder order;
  CheckedMemory memory{64, /*unit=*/1, order};
};

TEST_F(CheckedMemoryTest, AThreadSeesItsOwnWrites) {
  EXPECT_TRUE(write(4, 7));
  EXPECT_TRUE(read(4, 7));
  EXPECT_TRUE(write(4, 7));
}

TEST_F(CheckedMemoryTest, OtherThreadsNeedABarrier) {
  EXPECT_TRUE(write(4, 7));
  EXPECT_FALSE(read(4, 8));
  EXPECT_EQ(fault(), MemoryFault::ReadsUnordered);
  EXPECT_EQ(memory.getFault().byte, 4);
  EXPECT_EQ(memory.getFault().other.thread, 7u);
  EXPECT_FALSE(write(5, 8));
  EXPECT_EQ(fault(), MemoryFault::OverwritesUnordered);
  EXPECT_EQ(memory.getFault().byte, 5);
  order.passBarrier();
  EXPECT_TRUE(read(4, 8));
  EXPECT_TRUE(read(4, 9));
  EXPECT_FALSE(write(4, 8)) << "thread 9 may not have read";
  EXPECT_EQ(fault(), MemoryFault::OverwritesUnread);
  order.passBarrier();
  EXPECT_TRUE(write(4, 8));
}

TEST_F(CheckedMemoryTest, AWarpThatReadsTogetherNeedsABarrierAfterAnyThread) {
  EXPECT_TRUE(write(0, 3));
  EXPECT_FALSE(read(0, together));
  order.passBarrier();
  EXPECT_TRUE(read(0, together));
  EXPECT_TRUE(read(0, together));
  EXPECT_FALSE(write(0, 3));
  EXPECT_EQ(fault(), MemoryFault::OverwritesUnread);
}

TEST_F(CheckedMemoryTest, BarriersOfAClusterOrderItsBlocks) {
  order.beginCluster();
  order.enterBlock();
  EXPECT_TRUE(write(4, 7));
  // A barrier of the first block says nothing of the second one.
  order.passBarrier();
  order.enterBlock();
  EXPECT_FALSE(read(4, 7));
  EXPECT_EQ(fault(), MemoryFault::ReadsUnordered);
  EXPECT_TRUE(memory.getFault().isOfOtherBlock);
  order.passClusterBarrier();
  order.enterBlock();
  EXPECT_TRUE(read(4, 8));
  order.enterBlock();
  EXPECT_TRUE(read(4, 9));
  EXPECT_FALSE(write(4, 9)) << "the first block may not have read";
  EXPECT_EQ(fault(), MemoryFault::OverwritesUnread);
  // Blocks of other clusters are not ordered by it.
  order.beginCluster();
  order.enterBlock();
  EXPECT_FALSE(read(4, 7));
  EXPECT_EQ(fault(), MemoryFault::ReadsUnordered);
}

TEST_F(CheckedMemoryTest, WhatNobodyWroteHasNoValue) {
  EXPECT_FALSE(read(0, 0));
  EXPECT_EQ(fault(), MemoryFault::ReadsUninitialized);
  EXPECT_TRUE(write(0, 0));
  EXPECT_FALSE(read(1, 0)) << "the second byte is the last that was written";
  EXPECT_EQ(memory.getFault().byte, 2);
  EXPECT_EQ(memory.findUninitialized(), 2);
  EXPECT_FALSE(read(63, 0));
  EXPECT_EQ(fault(), MemoryFault::OutOfBounds);
  EXPECT_FALSE(write(-1, 0));
  EXPECT_EQ(fault(), MemoryFault::OutOfBounds);
}

TEST_F(CheckedMemoryTest, CopiesArriveWhereTheyAreAwaited) {
  EXPECT_TRUE(write(0, 1));
  order.passBarrier();
  EXPECT_TRUE(read(0, 1));
  EXPECT_FALSE(memory.beginCopy(0, 2, {together, 0}))
      << "the read may happen after the copy";
  EXPECT_EQ(fault(), MemoryFault::OverwritesUnread);
  order.passBarrier();
  EXPECT_TRUE(memory.beginCopy(0, 2, {together, 0}));
  order.passBarrier();
  EXPECT_FALSE(read(0, 1));
  EXPECT_EQ(fault(), MemoryFault::ReadsPending);
  EXPECT_FALSE(write(1, 1));
  EXPECT_EQ(fault(), MemoryFault::OverwritesPending);
  EXPECT_FALSE(memory.beginCopy(1, 2, {together, 0}));
  memory.endCopy(0, {'x', 'y'}, {together, 0});
  EXPECT_FALSE(read(0, 1)) << "another thread's copy is not visible yet";
  EXPECT_EQ(fault(), MemoryFault::ReadsUnordered);
  order.passBarrier();
  char to[2];
  EXPECT_TRUE(memory.read(0, 2, {1, 0}, to));
  EXPECT_EQ(to[0], 'x');
  EXPECT_EQ(to[1], 'y');
}

TEST_F(CheckedMemoryTest, BlocksOfAKernelAreNotOrdered) {
  EXPECT_TRUE(write(0, 1));
  EXPECT_TRUE(write(8, 1));
  order.passBarrier();
  EXPECT_TRUE(read(8, 1));
  beginBlock();
  EXPECT_FALSE(read(0, 1));
  EXPECT_EQ(fault(), MemoryFault::ReadsUnordered);
  EXPECT_TRUE(memory.getFault().isOfOtherBlock);
  EXPECT_FALSE(write(0, 1));
  order.beginKernel();
  beginBlock();
  EXPECT_TRUE(read(0, 1));
  EXPECT_TRUE(read(8, 1));
  beginBlock();
  // This block reads it, too, which must not hide that the other one did.
  EXPECT_TRUE(read(8, 1));
  order.passBarrier();
  EXPECT_FALSE(write(8, 1));
  EXPECT_EQ(fault(), MemoryFault::OverwritesUnread);
  EXPECT_TRUE(memory.getFault().isOfOtherBlock);
}

TEST_F(CheckedMemoryTest, InputsAreReadOnly) {
  CheckedMemory input(std::vector<char>{'a', 'b', 'c', 'd'}, order);
  char to[2];
  EXPECT_TRUE(input.read(2, 2, {5, 0}, to));
  EXPECT_EQ(to[1], 'd');
  EXPECT_FALSE(input.write(0, {'x'}, {5, 0}));
  EXPECT_EQ(input.getFault().kind, MemoryFault::WritesConstant);
  EXPECT_FALSE(input.read(3, 2, {5, 0}, to));
}

TEST_F(CheckedMemoryTest, FaultsAreSentences) {
  write(4, 37);
  read(4, 8);
  EXPECT_EQ(memory.getFault().describe("shared"),
            "reads byte 4 of shared memory, which lane 5 of warp 1 wrote, and "
            "there is no barrier between");
}

class LoaderTest : public CheckedMemoryTest {
protected:
  LoaderTest() { order.setKnowledge(&knowledge); }

  bool load(int64_t byte) {
    return memory.write(byte, {'a', 'b'}, {Accessor::kTogether, 0, ~0u, true});
  }
  bool readBy(unsigned warp) {
    char to[2];
    return memory.read(4, 2, {Accessor::kTogether, 0, 1u << warp}, to);
  }

  LoaderKnowledge knowledge{/*warps=*/3};
};

TEST_F(LoaderTest, WarpsMustAwaitWhatIsLoaded) {
  EXPECT_TRUE(load(4));
  uint32_t published = order.passTime();
  EXPECT_FALSE(readBy(0));
  EXPECT_EQ(fault(), MemoryFault::ReadsUnordered);
  EXPECT_TRUE(memory.getFault().isOfLoader);
  knowledge.awaited(0, published);
  EXPECT_TRUE(readBy(0));
  EXPECT_FALSE(readBy(1)) << "warp 1 has not waited";
  knowledge.passBarrier();
  EXPECT_TRUE(readBy(1)) << "warp 0 has told it at the barrier";
}

TEST_F(LoaderTest, ThreadsOfTheLoaderMeetAtItsBarrier) {
  auto ofThread = [](uint32_t thread) {
    return Accessor{thread, 0, ~0u, true};
  };
  char to[2];
  EXPECT_TRUE(load(4));
  EXPECT_FALSE(memory.read(4, 2, ofThread(0), to))
      << "which thread copied the bytes is not known";
  knowledge.passLoaderBarrier(order.passTime());
  EXPECT_TRUE(memory.read(4, 2, ofThread(0), to));
  EXPECT_TRUE(memory.write(4, {'c', 'd'}, ofThread(0)))
      << "a thread overwrites what it has read itself";
  EXPECT_FALSE(memory.read(4, 2, ofThread(1), to));
  EXPECT_EQ(fault(), MemoryFault::ReadsUnordered);
  knowledge.passLoaderBarrier(order.passTime());
  EXPECT_TRUE(memory.read(4, 2, ofThread(1), to));
}

TEST_F(LoaderTest, TheLoaderMustHearFromAllWarpsThatRead) {
  EXPECT_TRUE(load(4));
  uint32_t published = order.passTime();
  for (unsigned warp : {0, 1}) {
    knowledge.awaited(warp, published);
    EXPECT_TRUE(readBy(warp));
  }
  uint32_t released = order.passTime();
  EXPECT_FALSE(load(4));
  EXPECT_EQ(fault(), MemoryFault::OverwritesUnordered)
      << "the loader's threads have not heard of each other";
  knowledge.acquired(0, released, published);
  EXPECT_FALSE(load(4)) << "warp 1 may still read";
  EXPECT_EQ(fault(), MemoryFault::OverwritesUnread);
  knowledge.acquired(1, released, published);
  EXPECT_TRUE(load(4));
}

TEST_F(LoaderTest, ReadsAfterARelease) {
  EXPECT_TRUE(load(4));
  knowledge.awaited(0, order.passTime());
  uint32_t released = order.passTime();
  EXPECT_TRUE(readBy(0));
  knowledge.acquired(0, released, knowledge.getPublished(0));
  EXPECT_FALSE(load(4)) << "the stage was released before it was read";
}

} // namespace
