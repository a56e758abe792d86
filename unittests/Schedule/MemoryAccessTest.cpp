//===- MemoryAccessTest.cpp - How many elements an access moves -----------===//

#include "Mirage/Schedule/MemoryAccess.h"
#include <gtest/gtest.h>

using namespace mirage;

namespace {

/// The elements of 16 bits that an access moves of rows of 64 elements, of
/// which `runUnit` divides what is there.
BoxCopy getCopy(int64_t runUnit, bool async) {
  Shape sizes{16, 64};
  BoxMemory source{sizes, {{64, 1}}}, target{sizes, {{72, 1}}};
  return getBoxCopy(sizes, source, target, /*elementBytes=*/2, /*threads=*/128,
                    async, runUnit);
}

TEST(MemoryAccess, CopiesMoveSixteenBytes) {
  EXPECT_EQ(getCopy(0, true).length, 8);
  EXPECT_TRUE(getCopy(0, true).layout);
  EXPECT_EQ(getCopy(0, false).length, 8);
}

TEST(MemoryAccess, CopiesMoveWhatGapsLeaveAligned) {
  Shape sizes{16, 64};
  for (auto [gap, length] : {std::pair(0, 8), {1, 1}, {2, 2}, {4, 4}, {8, 8}})
    for (bool async : {false, true}) {
      BoxCopy copy = getBoxCopy(sizes, {sizes, {{64, 1}}},
                                {sizes, {{64 + gap, 1}}}, /*elementBytes=*/2,
                                /*threads=*/128, async, /*runUnit=*/0);
      EXPECT_EQ(copy.length, length) << gap;
      EXPECT_EQ(copy.layout.has_value(), async && length > 1) << gap;
    }
}

TEST(MemoryAccess, ThreadsShareRowsUnevenly) {
  // 86 rows of eight accesses of 128 threads: six each, of which some lie
  // beyond the end.
  Shape sizes{86, 64};
  BoxCopy copy = getBoxCopy(sizes, {sizes, {{64, 1}}}, {sizes, {{72, 1}}},
                            /*elementBytes=*/2, /*threads=*/128,
                            /*async=*/true, /*runUnit=*/0);
  ASSERT_TRUE(copy.layout);
  EXPECT_EQ(copy.length, 8);
  EXPECT_EQ(copy.layout->getNumRegisters(), 6 * 8);
  EXPECT_EQ(copy.layout->findFault(sizes), std::nullopt);
}

TEST(MemoryAccess, PaddedCopiesMoveWhatIsThereAsAWhole) {
  EXPECT_EQ(getCopy(40, true).length, 8);
  EXPECT_EQ(getCopy(60, true).length, 4);
  EXPECT_EQ(getCopy(60, false).length, 4);
  EXPECT_EQ(getCopy(50, true).length, 2);
  // cp.async moves four bytes and more.
  EXPECT_EQ(getCopy(33, true).length, 1);
  EXPECT_FALSE(getCopy(33, true).layout);
}

/// Returns true if rows of `shape`, which lie `stride` elements apart, come in
/// runs of 16 bytes that an access cannot move.
bool comeInRuns(ShapeRef shape, int64_t stride, int64_t elementBytes,
                int64_t runUnit = 0) {
  return comesInUnalignedRuns(
      getSpreadVectorLayout(shape, /*warps=*/4, 16 / elementBytes), shape,
      {{stride, 1}}, elementBytes, runUnit);
}

TEST(MemoryAccess, UnalignedRowsComeInRuns) {
  EXPECT_TRUE(comeInRuns({64, 64}, 4095, 2));
  EXPECT_TRUE(comeInRuns({17, 64}, 4095, 2));
  EXPECT_TRUE(comeInRuns({64, 64}, 261, 1));
  // Rows that are aligned, but of which a part of a run is there.
  EXPECT_TRUE(comeInRuns({64, 64}, 4096, 2, 33));
  // An access moves 16 bytes of these.
  EXPECT_FALSE(comeInRuns({64, 64}, 4096, 2));
  EXPECT_FALSE(comeInRuns({64, 64}, 4096, 2, 40));
  // A row is no number of runs.
  EXPECT_FALSE(comeInRuns({64, 60}, 4095, 2));
  EXPECT_FALSE(comeInRuns({64, 64}, 4095, 4));
  // Neighbours are elsewhere.
  EXPECT_FALSE(comesInUnalignedRuns(getSpreadVectorLayout({64, 64}, 4, 8),
                                    {64, 64}, {{4095, 2}}, 2, 0));
}

/// The turns of the banks where one warp loads runs of `vector` numbers of f32,
/// of 16 rows that lie `stride` apart.
int64_t getTurns(int64_t vector, int64_t stride, int64_t columns = 64) {
  Shape shape{16, columns};
  return getWarpAccess(getVectorLayout(shape, /*warps=*/1, vector), shape,
                       {{stride, 1}}, /*elementBytes=*/4)
      .turns;
}

TEST(MemoryAccess, TurnsOfBanks) {
  // 1,024 numbers of 4 bytes take 32 turns where no two lanes meet in a bank.
  EXPECT_EQ(getTurns(4, 64), 32);
  EXPECT_EQ(getTurns(1, 64), 32);
  // Eight lanes that load 16 bytes of every 32 meet in half of the banks.
  EXPECT_EQ(getTurns(8, 64), 64);
  // Lanes of one row each, eight at a time, whose rows begin in one bank, or in
  // different ones.
  EXPECT_EQ(getTurns(4, 32, 4), 32);
  EXPECT_EQ(getTurns(4, 36, 4), 4);
  // Lanes that load the same element take one turn.
  Shape shape{1, 4};
  WarpAccess access =
      getWarpAccess(getVectorLayout(shape, /*warps=*/1, 4), shape, {{4, 1}},
                    /*elementBytes=*/4);
  EXPECT_EQ(access.instructions, 1);
  EXPECT_EQ(access.bytes, 16);
  EXPECT_EQ(access.turns, 4);
  EXPECT_EQ(access.sectors, 1);
}

/// Four lanes read neighbours of a row, also where they do not share it evenly,
/// and each access is made once.
TEST(MemoryAccess, FourLanesShareARow) {
  for (int64_t columns : {24, 40, 48, 80, 96, 112, 128}) {
    Shape sizes{64, columns};
    BoxCopy copy = getBoxCopy(sizes, {sizes, {{columns, 1}}},
                              {sizes, {{columns, 1}}}, /*elementBytes=*/2,
                              /*threads=*/128, /*async=*/true);
    ASSERT_TRUE(copy.layout) << columns;
    EXPECT_EQ(copy.length, 8) << columns;
    int64_t run = copy.length;
    for (const LayoutMode &mode : copy.layout->lanes)
      if (mode.dim == 1 && mode.stride == run)
        run *= mode.size;
    EXPECT_GE(run, 32) << columns;
    EXPECT_EQ(copy.layout->findFault({64, copy.layout->getReach(1) + 1}),
              std::nullopt)
        << columns;
    EXPECT_GE(copy.layout->getReach(1), columns - 1);
    EXPECT_LE(copy.layout->getReach(1), columns + 24);
  }
}

} // namespace
