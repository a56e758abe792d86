//===- RowLayoutTest.cpp - How rows of a tile lie in shared memory --------===//

#include "Mirage/Schedule/RowLayout.h"
#include "Mirage/Semantics/ShapeRules.h"
#include "gtest/gtest.h"
#include <set>

using namespace mirage;

namespace {

TEST(RowLayout, TextsNameLayouts) {
  for (const RowLayout &rows :
       {RowLayout::dense(), RowLayout::gaps(1), RowLayout::gaps(64),
        RowLayout::chunks(16), RowLayout::chunks(32), RowLayout::chunks(64)})
    EXPECT_EQ(RowLayout::parse(rows.str()), rows) << rows.str();
  EXPECT_EQ(RowLayout::gaps(8).str(), "gaps of 8");
  for (const char *text :
       {"", "Dense", "dense ", "gaps of", "gaps of ", "gaps of 0", "gaps of 65",
        "gaps of -8", "gaps of 8 ", "chunks of 8", "chunks of 128", "chunks of",
        "swizzled"})
    EXPECT_EQ(RowLayout::parse(text), std::nullopt) << text;
}

/// Calls `visit` for the place of each element of a tile.
void forEachPlace(const PlacedRows &placed, ShapeRef shape,
                  llvm::function_ref<void(int64_t)> visit) {
  Shape index(shape.size(), 0);
  while (true) {
    int64_t distance = 0;
    for (size_t dim = 0; dim < shape.size(); ++dim)
      distance += placed.memory.getDistance(dim, index[dim]);
    visit(placed.memory.getPlace(distance));
    size_t dim = shape.size();
    while (dim-- > 0 && ++index[dim] == shape[dim])
      index[dim] = 0;
    if (dim > shape.size())
      return;
  }
}

TEST(RowLayout, EachElementHasAPlaceOfItsOwn) {
  for (const Shape &shape :
       {Shape{2, 1, 16, 64}, Shape{1, 5, 48}, Shape{3, 1, 1, 24},
        Shape{1, 7, 80}, Shape{4, 2, 3, 96}})
    for (bool fillsChunks : {false, true}) {
      RowSteps steps;
      steps.fillsChunks = fillsChunks;
      bool hasChunks = false;
      for (const RowLayout &rows :
           listRowLayouts(RowLayout::dense(), shape, 2, steps)) {
        hasChunks |= rows.chunk != 0;
        PlacedRows placed = placeRows(rows, shape, 1, steps);
        std::set<int64_t> places;
        forEachPlace(placed, shape, [&](int64_t place) {
          EXPECT_GE(place, 0);
          EXPECT_LT(place, placed.elements);
          EXPECT_TRUE(places.insert(place).second)
              << rows.str() << " place " << place;
        });
        EXPECT_EQ(static_cast<int64_t>(places.size()), elementCount(shape));
      }
      EXPECT_EQ(hasChunks, shape.back() % 16 == 0 || fillsChunks);
    }
}

TEST(RowLayout, ChunksHaveElementsOfSixteenBits) {
  RowSteps steps;
  EXPECT_TRUE(canLieIn(RowLayout::chunks(64), {1, 8, 48}, 2, steps));
  EXPECT_FALSE(canLieIn(RowLayout::chunks(64), {1, 8, 48}, 4, steps));
  EXPECT_FALSE(canLieIn(RowLayout::chunks(16), {1, 8, 24}, 2, steps));
  EXPECT_FALSE(canLieIn(RowLayout::chunks(16), {32}, 2, steps));
  EXPECT_TRUE(canLieIn(RowLayout::gaps(1), {32}, 4, steps));
}

TEST(RowLayout, TheRuleIsFirst) {
  auto layouts = listRowLayouts(RowLayout::gaps(8), {1, 16, 64}, 2, {});
  EXPECT_EQ(layouts.front(), RowLayout::gaps(8));
  // Dense, gaps of 4, 8 and 16 bytes, and chunks of three widths.
  EXPECT_EQ(layouts.size(), 7u);
  // No gap of 4 bytes lies between elements of 8, and these have no chunks.
  EXPECT_EQ(listRowLayouts(RowLayout::dense(), {1, 16, 64}, 8, {}).size(), 3u);
}

TEST(RowLayout, GapsLetEightRowsBeginInOtherBanks) {
  for (int64_t columns : {16, 64, 72, 80, 128}) {
    int64_t gap = getGap({1, 8, columns}, 2);
    std::set<int64_t> banks;
    for (int64_t row = 0; row < 8; ++row)
      banks.insert(row * (columns + gap) * 2 / 16 % 8);
    EXPECT_EQ(banks.size(), 8u) << columns;
  }
  EXPECT_EQ(getGap({1, 8, 72}, 2), 0);
  EXPECT_EQ(getGap({64}, 2), 0);
}

} // namespace
