//===- LaneExchangeTest.cpp - Elements that lanes exchange ----------------===//
//
// Follows each element through an exchange, place by place.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Schedule/LaneExchange.h"
#include "gtest/gtest.h"

using namespace mirage;

namespace {

/// The element at a place, by the definition.
Shape getElement(const RegisterLayout &layout, unsigned rank, int64_t number,
                 int64_t lane) {
  Shape at = layout.getOffsets(number, rank);
  for (const LayoutMode &mode : layout.lanes) {
    if (!mode.isReplicated())
      at[*mode.dim] += lane % mode.size * mode.stride;
    lane /= mode.size;
  }
  return at;
}

/// Compares what an exchange does with what the second layout says.
void expectExchange(const RegisterLayout &from, const RegisterLayout &to,
                    unsigned rank) {
  std::optional<LaneExchange> exchange = findLaneExchange(from, to);
  ASSERT_TRUE(exchange);
  int64_t size = exchange->size;
  ASSERT_EQ(static_cast<int64_t>(exchange->from.size()),
            from.getNumRegisters());
  for (int64_t lane = 0; lane < RegisterLayout::kWarpSize; ++lane) {
    int64_t digit = lane / exchange->distance % size;
    for (size_t place = 0; place < exchange->from.size(); ++place) {
      int64_t other = static_cast<int64_t>(place) % size;
      int64_t receiver = lane + (other - digit) * exchange->distance;
      EXPECT_EQ(
          getElement(from, rank, exchange->from[place], lane),
          getElement(to, rank, exchange->to[place - other + digit], receiver));
    }
  }
}

TEST(LaneExchangeTest, SumsOfMatrixInstructions) {
  for (int64_t columns : {32, 64, 128, 160})
    for (int64_t rows : {16, 64}) {
      Shape shape{rows, columns};
      RegisterLayout layout =
          getMatrixLayout(MatrixRole::Accumulator, shape, {/*rows=*/1, 1});
      std::optional<RegisterLayout> gathered = gatherNeighbours(layout, 1, 8);
      ASSERT_TRUE(gathered);
      EXPECT_EQ(gathered->findFault(shape), std::nullopt);
      EXPECT_EQ(gathered->registers.front(), (LayoutMode{8, 1, 1}));
      expectExchange(layout, *gathered, 2);
      // The exchange is its own inverse.
      expectExchange(*gathered, layout, 2);
    }
}

/// Parts of eight columns that four lanes cannot have as many of each: pairs
/// exchange, also rows.
TEST(LaneExchangeTest, StepsOfPairs) {
  for (int64_t columns : {16, 24, 40, 48, 80, 112, 128})
    for (int64_t rows : {16, 64}) {
      Shape shape{rows, columns};
      RegisterLayout layout =
          getMatrixLayout(MatrixRole::Accumulator, shape, {/*rows=*/1, 1});
      auto steps = gatherInSteps(layout, 1, 8);
      // Two rows and an odd number of parts have one digit of two values.
      bool isHalf = rows == 16 && columns % 16 != 0;
      EXPECT_EQ(steps.size(), columns % 32 == 0 || isHalf ? 1u : 2u) << columns;
      for (const RegisterLayout &next : steps) {
        EXPECT_EQ(next.findFault(shape), std::nullopt);
        expectExchange(layout, next, 2);
        expectExchange(next, layout, 2);
        layout = next;
      }
      EXPECT_EQ(layout.registers.front(), (LayoutMode{isHalf ? 4 : 8, 1, 1}));
    }
}

/// Lanes may have something for one step and nothing for the next one.
TEST(LaneExchangeTest, AsManyStepsAsThereAre) {
  RegisterLayout rows({{2, 1, 1}, {2, 0, 8}}, {{4, 1, 2}, {8, 0, 1}}, {});
  auto steps = gatherInSteps(rows, 1, 8);
  ASSERT_EQ(steps.size(), 1u);
  EXPECT_EQ(steps[0].registers, (LayoutModes{{4, 1, 1}}));
  expectExchange(rows, steps[0], 2);
  // One element has nothing to exchange.
  RegisterLayout single({}, {{4, 1, 1}, {8, 0, 1}}, {});
  EXPECT_TRUE(gatherInSteps(single, 1, 8).empty());
}

TEST(LaneExchangeTest, OtherDimensionsAndSizes) {
  // Transposed sums, whose neighbours are rows.
  RegisterLayout rows({{2, 0, 1}, {4, 0, 8}}, {{4, 0, 2}, {8, 1, 1}}, {});
  std::optional<RegisterLayout> gathered = gatherNeighbours(rows, 0, 8);
  ASSERT_TRUE(gathered);
  expectExchange(rows, *gathered, 2);
  // Lanes of one element each.
  RegisterLayout single({{8, 0, 4}}, {{4, 0, 1}, {8, 1, 1}}, {});
  gathered = gatherNeighbours(single, 0, 4);
  ASSERT_TRUE(gathered);
  EXPECT_EQ(gathered->registers.front(), (LayoutMode{4, 0, 1}));
  expectExchange(single, *gathered, 2);
}

TEST(LaneExchangeTest, NoExchange) {
  RegisterLayout sums =
      getMatrixLayout(MatrixRole::Accumulator, {16, 24}, {/*rows=*/1, 1});
  // Three parts of eight columns are no four.
  EXPECT_EQ(gatherNeighbours(sums, 1, 8), std::nullopt);
  EXPECT_EQ(gatherNeighbours(sums, 1, 4), std::nullopt);
  EXPECT_EQ(gatherNeighbours(sums, 0, 8), std::nullopt);
  // A layout and itself, and one of other warps.
  EXPECT_FALSE(findLaneExchange(sums, sums));
  RegisterLayout a({{4, 0, 4}}, {{4, 0, 1}, {8, 1, 1}}, {{2, 1, 8}});
  RegisterLayout b({{4, 0, 1}}, {{4, 0, 4}, {8, 1, 1}}, {{2, 1, 16}});
  EXPECT_FALSE(findLaneExchange(a, b));
  // Three lanes.
  RegisterLayout c({{3, 0, 3}}, {{3, 0, 1}, {8, 1, 1}}, {});
  RegisterLayout d({{3, 0, 1}}, {{3, 0, 3}, {8, 1, 1}}, {});
  EXPECT_FALSE(findLaneExchange(c, d));
}

} // namespace
