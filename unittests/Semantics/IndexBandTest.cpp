//===- IndexBandTest.cpp - Constants of two numbers made of indices -------===//

#include "Mirage/Semantics/IndexBand.h"
#include "gtest/gtest.h"

using namespace mirage;

/// Returns the band that a matrix of rows by columns is whose elements `get`
/// returns, among other dimensions of size one.
template <typename Get>
static std::optional<IndexBand> find(ShapeRef shape, int64_t rows,
                                     int64_t columns, Get get) {
  std::vector<float> elements;
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      elements.push_back(get(i, j));
  llvm::ArrayRef<char> bytes(reinterpret_cast<const char *>(elements.data()),
                             elements.size() * sizeof(float));
  return findIndexBand(shape, bytes, sizeof(float),
                       [&](int64_t i) { return elements[i]; });
}

/// Checks that a band has the elements that `get` returns.
template <typename Get>
static void expectElements(const IndexBand &band, int64_t rows, int64_t columns,
                           Get get) {
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j) {
      int64_t sum = j - i;
      bool isInside = band.lower <= sum && sum < band.upper;
      EXPECT_EQ(isInside ? band.inside : band.outside, get(i, j))
          << i << ", " << j;
    }
}

TEST(IndexBand, FindsBandsOfAllOffsetsAndWidths) {
  constexpr int64_t rows = 5, columns = 7;
  unsigned found = 0;
  for (int64_t lower = -rows; lower <= columns; ++lower)
    for (int64_t upper = lower + 1; upper <= columns + 1; ++upper) {
      auto get = [&](int64_t i, int64_t j) {
        return lower <= j - i && j - i < upper ? 2.0f : -3.0f;
      };
      std::optional<IndexBand> band =
          find({1, rows, 1, columns}, rows, columns, get);
      // Where one side is empty, there is one number only.
      bool hasInside = lower <= columns - 1 && upper > 1 - rows;
      bool hasOutside = lower > 1 - rows || upper < columns;
      ASSERT_EQ(band.has_value(), hasInside && hasOutside)
          << lower << ", " << upper;
      if (!band)
        continue;
      ++found;
      EXPECT_EQ(band->coefficients,
                (llvm::SmallVector<int64_t, 4>{0, -1, 0, 1}));
      EXPECT_EQ(band->least, 1 - rows);
      EXPECT_EQ(band->largest, columns - 1);
      expectElements(*band, rows, columns, get);
      if (band->exchangeSides())
        expectElements(*band, rows, columns, get);
    }
  EXPECT_GT(found, 50u);
}

TEST(IndexBand, FindsARangeOfColumns) {
  auto get = [](int64_t, int64_t j) { return j < 3 ? 0.0f : 1.0f; };
  std::optional<IndexBand> band = find({1, 8}, 1, 8, get);
  ASSERT_TRUE(band);
  EXPECT_EQ(band->coefficients, (llvm::SmallVector<int64_t, 4>{0, 1}));
  expectElements(*band, 1, 8, get);
}

TEST(IndexBand, ExchangesSidesOnlyWhereBothAreRanges) {
  auto window = find({8, 8}, 8, 8, [](int64_t i, int64_t j) {
    return i - j >= 0 && i - j < 3 ? 1.0f : 0.0f;
  });
  ASSERT_TRUE(window);
  EXPECT_FALSE(window->exchangeSides());
}

TEST(IndexBand, RefusesOtherConstants) {
  // One number, three numbers, stripes, and rows that move by two columns.
  auto one = [](int64_t, int64_t) { return 1.0f; };
  auto three = [](int64_t i, int64_t j) {
    return j < i ? 0.0f : j == i ? 1.0f : 2.0f;
  };
  auto stripes = [](int64_t i, int64_t j) { return (j - i) % 2 ? 1.0f : 0.0f; };
  auto steep = [](int64_t i, int64_t j) { return j <= 2 * i ? 0.0f : 1.0f; };
  auto notAtTheEnd = [](int64_t i, int64_t j) {
    return i == 5 && j == 5 ? 7.0f : j <= i ? 0.0f : 1.0f;
  };
  EXPECT_FALSE(find({6, 6}, 6, 6, one));
  EXPECT_FALSE(find({6, 6}, 6, 6, three));
  EXPECT_FALSE(find({6, 6}, 6, 6, stripes));
  EXPECT_FALSE(find({6, 6}, 6, 6, steep));
  EXPECT_FALSE(find({6, 6}, 6, 6, notAtTheEnd));
  // Three dimensions of more than one element.
  EXPECT_FALSE(find({2, 3, 6}, 6, 6,
                    [](int64_t i, int64_t j) { return j <= i ? 0.0f : 1.0f; }));
}
