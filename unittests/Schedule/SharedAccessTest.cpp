//===- SharedAccessTest.cpp - How copies and ldmatrix use banks -----------===//

#include "Mirage/Schedule/SharedAccess.h"
#include "Mirage/Schedule/LayoutCosts.h"
#include "Mirage/Schedule/RowLayout.h"
#include "gtest/gtest.h"

using namespace mirage;

namespace {

/// Returns the access of one warp to the left operand of a product with 16 x 64
/// elements, whose rows lie so.
WarpAccess getOperandAccess(const RowLayout &rows, bool isTransposed = false) {
  Shape shape{1, 16, 64};
  WarpGrid grid;
  RegisterLayout layout =
      getMatrixLayout(MatrixRole::Lhs, shape, grid, /*warpDim=*/0);
  if (isTransposed) {
    layout = layout.transpose({0, 2, 1});
    shape = {1, 64, 16};
  }
  MemoryLayout memory = placeRows(rows, shape, 1, {}).memory;
  EXPECT_TRUE(isMatrixFragment(layout, shape, memory));
  return getMatrixAccess(layout, shape, memory);
}

TEST(SharedAccess, EightRowsOfAMatrixComeTogether) {
  // 16 x 64 elements are 16 matrices, four of which one instruction loads.
  EXPECT_EQ(getOperandAccess(RowLayout::dense()).instructions, 4);
  // Rows of 128 bytes begin in the same bank; gaps and chunks spread them.
  EXPECT_EQ(getOperandAccess(RowLayout::dense()).turns, 16 * 8);
  EXPECT_EQ(getOperandAccess(RowLayout::gaps(8)).turns, 16);
  EXPECT_EQ(getOperandAccess(RowLayout::gaps(32)).turns, 16 * 4);
  EXPECT_EQ(getOperandAccess(RowLayout::chunks(64)).turns, 16);
  EXPECT_EQ(getOperandAccess(RowLayout::chunks(32)).turns, 16);
  EXPECT_EQ(getOperandAccess(RowLayout::chunks(16)).turns, 16);
}

TEST(SharedAccess, TransposedRowsAreThoseInMemory) {
  // Rows of 32 bytes: those of eight begin in four places.
  EXPECT_EQ(getOperandAccess(RowLayout::dense(), true).turns, 16 * 2);
  EXPECT_EQ(getOperandAccess(RowLayout::gaps(8), true).turns, 16);
  EXPECT_EQ(getOperandAccess(RowLayout::chunks(16), true).turns, 16);
}

TEST(SharedAccess, LimitedAccessesMoveFewerNeighbours) {
  Shape shape{1, 8, 256};
  RegisterLayout layout = getVectorLayout(shape, 1, 8);
  MemoryLayout memory = placeRows(RowLayout::dense(), shape, 1, {}).memory;
  WarpAccess whole = getWarpAccess(layout, shape, memory, 2),
             limited = getLimitedAccess(layout, shape, memory, 2, 2);
  EXPECT_EQ(whole.bytes, 16);
  EXPECT_EQ(limited.bytes, 4);
  EXPECT_EQ(limited.instructions, 4 * whole.instructions);
}

/// Counts the turns of loads of single elements by hand: those of a column, of
/// which the lanes of a warp have one row each.
TEST(SharedAccess, ColumnsTakeAsManyTurnsAsRowsShareABank) {
  Shape shape{1, 32, 64};
  RegisterLayout columns({{64, 2, 1}}, {{32, 1, 1}}, {});
  for (int64_t gap : {0, 2, 4, 8}) {
    MemoryLayout memory = placeRows(RowLayout::gaps(gap), shape, 1, {}).memory;
    int64_t most = 0;
    for (int64_t bank = 0; bank < 32; ++bank) {
      int64_t rows = 0;
      for (int64_t row = 0; row < 32; ++row)
        rows += row * (64 + gap) / 2 % 32 == bank;
      most = std::max(most, rows);
    }
    // Single elements are moved, as a limit says.
    EXPECT_EQ(getLimitedAccess(columns, shape, memory, 2, 1).turns, 64 * most)
        << gap;
  }
}

TEST(SharedAccess, CopiesAndReadersAreWeighed) {
  LayoutCosts costs(/*warps=*/4);
  Shape shape{64, 64};
  StoredTile source{shape, 2, getRows(shape, 2, false), /*isDevice=*/true};
  auto bring = [&](const RowLayout &rows, int64_t length) {
    StoredTile target{shape, 2, placeRows(rows, shape, 1, {}).memory, false};
    return costs.getCopy(source, target, getSpreadVectorLayout(shape, 4, 8),
                         length);
  };
  // A gap of 4 bytes lets copies move 4 bytes, which costs more instructions.
  EXPECT_EQ(bring(RowLayout::dense(), 8), bring(RowLayout::gaps(8), 8));
  EXPECT_GT(bring(RowLayout::gaps(2), 2), bring(RowLayout::gaps(8), 8));
  // Swizzled places cost nothing by themselves.
  EXPECT_EQ(bring(RowLayout::chunks(64), 8), bring(RowLayout::dense(), 8));
  StoredTile wide{shape, 2,
                  placeRows(RowLayout::chunks(64), shape, 1, {}).memory, false},
      narrow{shape, 2, placeRows(RowLayout::chunks(16), shape, 1, {}).memory,
             false};
  EXPECT_EQ(LayoutCosts::getBulkCopy(narrow),
            4 * LayoutCosts::getBulkCopy(wide));
}

} // namespace
