//===- LayoutCostsTest.cpp - What layouts of registers cost ---------------===//

#include "Mirage/Schedule/LayoutCosts.h"
#include "gtest/gtest.h"

using namespace mirage;

namespace {

TEST(LayoutCosts, ThreadsThatComputeTheSameCost) {
  LayoutCosts costs(/*warps=*/4);
  Shape shape{1, 4, 256};
  // 1,024 elements are eight registers of 128 threads: 32 instructions of
  // warps.
  RegisterLayout shared = getVectorLayout(shape, 4, 4);
  EXPECT_EQ(costs.getElementwise(shared, 1, 0), 8);
  EXPECT_EQ(costs.getElementwise(shared, 0, 1), 8 * 9);
  RegisterLayout replicated = getVectorLayout(shape, 1, 4);
  replicated.warps = {LayoutMode::replicated(4)};
  EXPECT_EQ(costs.getElementwise(replicated, 1, 0), 32);
}

TEST(LayoutCosts, RowsOfWarpsNeedNoBarrier) {
  LayoutCosts costs(/*warps=*/4);
  Shape shape{1, 8, 1024};
  RegisterLayout across = getVectorLayout(shape, 4, 8),
                 along = *getRowLayout(shape, 4, 8);
  EXPECT_TRUE(across.variesOverWarps(2));
  EXPECT_LT(costs.getReduction(2, along, /*ofThreads=*/false) +
                LayoutCosts::getBarrier(),
            costs.getReduction(2, across, /*ofThreads=*/false));
  EXPECT_EQ(costs.getReduction(2, along, /*ofThreads=*/true),
            costs.getReduction(2, across, /*ofThreads=*/true));
}

TEST(LayoutCosts, AccessesAreTurnsOrSectors) {
  LayoutCosts costs(/*warps=*/1);
  Shape shape{1, 16, 64};
  StoredTile tile{shape, 4, getRows(shape, 4, /*hasGaps=*/false), false};
  RegisterLayout four = getVectorLayout(shape, 1, 4),
                 eight = getVectorLayout(shape, 1, 8);
  // Eight instructions and 32 turns, and twice the turns where lanes have eight
  // neighbours.
  EXPECT_EQ(costs.getAccess(tile, four), 2 + 32);
  EXPECT_EQ(costs.getAccess(tile, eight), 2 + 64);
  // 4,096 bytes are 128 sectors; of every two instructions both touch the same
  // ones where lanes have 32 bytes.
  tile.isDevice = true;
  EXPECT_EQ(costs.getAccess(tile, four), 2 + 64);
  EXPECT_EQ(costs.getAccess(tile, eight), 2 + 128);
}

TEST(LayoutCosts, RowsHaveGapsWhereTheyWouldBeginInOneBank) {
  EXPECT_EQ(getRows({8, 64}, 2, true).strides, (Shape{72, 1}));
  EXPECT_EQ(getRows({8, 64}, 2, false).strides, (Shape{64, 1}));
  EXPECT_EQ(getRows({8, 8}, 2, true).strides, (Shape{8, 1}));
}

} // namespace
