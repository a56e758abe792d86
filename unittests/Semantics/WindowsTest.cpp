//===- WindowsTest.cpp - Parts of tensors under other shapes --------------===//

#include "Mirage/Semantics/Windows.h"
#include "Mirage/Semantics/ShapeRules.h"
#include <gtest/gtest.h>
#include <numeric>

using namespace mirage;

namespace {

/// The places in the dense tensor of the elements of a part, in the part's
/// row-major order.
std::vector<int64_t> getPlaces(const TensorPart &part, ShapeRef sizes) {
  std::vector<int64_t> places(elementCount(sizes));
  for (size_t i = 0; i < places.size(); ++i) {
    int64_t rest = i, stride = 1;
    for (size_t dim = sizes.size(); dim-- > 0;) {
      int64_t at = rest % sizes[dim];
      places[i] += (at + part.offsets[dim]) * stride;
      rest /= sizes[dim];
      stride *= part.whole[dim];
    }
  }
  return places;
}

/// Expects that a part of another shape has the same elements.
void expectSamePlaces(const TensorPart &part, ShapeRef sizes, ShapeRef shape) {
  std::optional<TensorPart> other = reshapePart(part, sizes, shape);
  ASSERT_TRUE(other) << toString(sizes) << " as " << toString(shape);
  ASSERT_EQ(other->whole.size(), shape.size());
  ASSERT_EQ(other->offsets.size(), shape.size());
  for (auto [whole, offset, size] :
       llvm::zip(other->whole, other->offsets, shape))
    EXPECT_LE(offset + size, whole);
  EXPECT_EQ(getPlaces(*other, shape), getPlaces(part, sizes))
      << toString(sizes) << " as " << toString(shape);
}

TEST(Windows, PartsKeepTheirElementsUnderOtherShapes) {
  // Heads beside each other, taken apart and put together.
  expectSamePlaces({{8, 64}, {0, 32}}, {8, 16}, {8, 2, 8});
  expectSamePlaces({{8, 8, 8}, {0, 4, 0}}, {8, 2, 8}, {8, 16});
  expectSamePlaces({{8, 8, 8}, {0, 4, 0}}, {8, 2, 8}, {2, 4, 1, 2, 8});
  // Rows.
  expectSamePlaces({{8, 64}, {2, 0}}, {4, 64}, {256});
  expectSamePlaces({{8, 64}, {2, 0}}, {4, 64}, {2, 128});
  expectSamePlaces({{8, 64}, {3, 0}}, {1, 64}, {64});
  expectSamePlaces({{8, 64}, {3, 8}}, {1, 16}, {4, 4});
  // Dimensions of size one.
  expectSamePlaces({{64}, {4}}, {8}, {1, 8});
  expectSamePlaces({{64}, {4}}, {8}, {8, 1});
  expectSamePlaces({{64}, {4}}, {1}, {1, 1});
  expectSamePlaces({{8, 4}, {0, 3}}, {8, 1}, {8, 1});
  expectSamePlaces({{8, 1}, {3, 0}}, {2, 1}, {2});
  expectSamePlaces({{8, 4}, {0, 3}}, {8, 1}, {2, 4, 1});
}

TEST(Windows, PartsWithGapsHaveNoOtherShape) {
  // Neighbouring rows have a gap between them.
  EXPECT_FALSE(reshapePart({{8, 64}, {0, 0}}, {8, 32}, {256}));
  EXPECT_FALSE(reshapePart({{8, 4}, {0, 3}}, {8, 1}, {8}));
  // The part does not begin at a row of the new shape.
  EXPECT_FALSE(reshapePart({{64}, {4}}, {16}, {2, 8}));
  EXPECT_FALSE(reshapePart({{60}, {8}}, {16}, {2, 8}));
  EXPECT_FALSE(reshapePart({{8}, {3}}, {1}, {}));
}

TEST(Windows, WholeTensorsTakeAnyShape) {
  std::optional<TensorPart> part = reshapePart({{8, 3}, {}}, {8, 3}, {4, 6});
  ASSERT_TRUE(part);
  EXPECT_EQ(part->whole, Shape({4, 6}));
  EXPECT_TRUE(part->offsets.empty());
}

TEST(Windows, TransposesOfOnesKeepTheOrder) {
  OpAttributes attributes;
  attributes.permutation = {2, 0, 1};
  EXPECT_TRUE(keepsOrder(OpKind::Transpose, attributes, {4, 8, 1}));
  EXPECT_FALSE(keepsOrder(OpKind::Transpose, attributes, {4, 8, 2}));
  EXPECT_TRUE(keepsOrder(OpKind::Reshape, {}, {4, 8, 2}));
  EXPECT_FALSE(keepsOrder(OpKind::Broadcast, {}, {1}));
}

} // namespace
