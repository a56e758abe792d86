//===- RegisterLayoutTest.cpp - How a tile lies in registers --------------===//
//
// Compares layouts with the fragments that the PTX ISA prints, and their
// operations with what they mean place by place.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Schedule/RegisterLayout.h"
#include "Mirage/Semantics/ShapeRules.h"
#include "gtest/gtest.h"
#include <map>

using namespace mirage;

namespace {

/// Adds what the digits of a number move an element by.
void addDigits(int64_t number, llvm::ArrayRef<LayoutMode> modes, Shape &at) {
  for (const LayoutMode &mode : modes) {
    if (!mode.isReplicated())
      at[*mode.dim] += number % mode.size * mode.stride;
    number /= mode.size;
  }
}

/// The element at a place, by the definition.
Shape getElement(const RegisterLayout &layout, unsigned rank, int64_t number,
                 int64_t lane, int64_t warp) {
  Shape at(rank, 0);
  addDigits(number, layout.registers, at);
  addDigits(lane, layout.lanes, at);
  addDigits(warp, layout.warps, at);
  return at;
}

template <typename Body>
void forPlaces(const RegisterLayout &layout, Body body) {
  for (int64_t warp = 0; warp < layout.getNumWarps(); ++warp)
    for (int64_t lane = 0; lane < RegisterLayout::kWarpSize; ++lane)
      for (int64_t number = 0; number < layout.getNumRegisters(); ++number)
        body(number, lane, warp);
}

bool isInside(ShapeRef at, ShapeRef shape) {
  for (auto [index, size] : llvm::zip(at, shape))
    if (index >= size)
      return false;
  return true;
}

/// How many places hold each element.
std::map<std::vector<int64_t>, int> countPlaces(const RegisterLayout &layout,
                                                ShapeRef shape) {
  std::map<std::vector<int64_t>, int> count;
  forPlaces(layout, [&](int64_t number, int64_t lane, int64_t warp) {
    Shape at = getElement(layout, shape.size(), number, lane, warp);
    if (isInside(at, shape))
      ++count[{at.begin(), at.end()}];
  });
  return count;
}

// PTX ISA, "Matrix Fragments for mma.m16n8k16 with floating point type".
TEST(RegisterLayout, FragmentsAreThoseOfThePTXISA) {
  RegisterLayout a = getMatrixLayout(MatrixRole::Lhs, {16, 16}, {});
  RegisterLayout b = getMatrixLayout(MatrixRole::Rhs, {16, 8}, {});
  RegisterLayout c = getMatrixLayout(MatrixRole::Accumulator, {16, 8}, {});
  ASSERT_EQ(a.getNumRegisters(), 8);
  ASSERT_EQ(b.getNumRegisters(), 4);
  ASSERT_EQ(c.getNumRegisters(), 4);
  for (int64_t lane = 0; lane < 32; ++lane) {
    int64_t group = lane >> 2, place = lane % 4;
    for (int64_t i = 0; i < 8; ++i) {
      int64_t row = i < 2 || (i >= 4 && i < 6) ? group : group + 8;
      int64_t column = place * 2 + (i & 1) + (i >= 4 ? 8 : 0);
      EXPECT_EQ(getElement(a, 2, i, lane, 0), Shape({row, column}));
    }
    for (int64_t i = 0; i < 4; ++i) {
      int64_t row = place * 2 + (i & 1) + (i >= 2 ? 8 : 0);
      EXPECT_EQ(getElement(b, 2, i, lane, 0), Shape({row, group}));
      EXPECT_EQ(getElement(c, 2, i, lane, 0),
                Shape({i < 2 ? group : group + 8, place * 2 + (i & 1)}));
    }
  }
}

TEST(RegisterLayout, LanesHaveWhatTheirSumsMultiply) {
  // Warps share rows and columns evenly or not, and there may be a batch.
  for (const WarpGrid &warps : {WarpGrid{1, 1, 1, 1}, WarpGrid{2, 2, 1, 1},
                                WarpGrid{4, 1, 1, 2}, WarpGrid{3, 2, 1, 1}})
    for (Shape shape :
         {Shape{1, 64, 48}, Shape{2, 16, 16}, Shape{1, 77, 50}, Shape{2, 5, 3}})
      for (bool transposed : {false, true}) {
        constexpr int64_t depth = 4;
        RegisterLayout sums = getLaneSumsLayout(shape, warps, 0);
        EXPECT_EQ(sums.findFault(shape), std::nullopt);
        Shape lhsShape = {shape[0], shape[1], depth},
              rhsShape = {1, depth, shape[2]};
        if (transposed) {
          std::swap(lhsShape[1], lhsShape[2]);
          std::swap(rhsShape[1], rhsShape[2]);
        }
        RegisterLayout lhs = getLaneOperandLayout(MatrixRole::Lhs, sums,
                                                  lhsShape, transposed),
                       rhs = getLaneOperandLayout(MatrixRole::Rhs, sums,
                                                  rhsShape, transposed);
        EXPECT_EQ(lhs.findFault(lhsShape), std::nullopt);
        EXPECT_EQ(rhs.findFault(rhsShape), std::nullopt);
        forPlaces(sums, [&](int64_t number, int64_t lane, int64_t warp) {
          Shape sum = getElement(sums, 3, number, lane, warp);
          auto hasElement = [&](const RegisterLayout &layout, Shape wanted) {
            if (transposed)
              std::swap(wanted[1], wanted[2]);
            for (int64_t i = 0; i < layout.getNumRegisters(); ++i)
              if (getElement(layout, 3, i, lane, warp) == wanted)
                return true;
            return false;
          };
          for (int64_t k = 0; k < depth; ++k) {
            EXPECT_TRUE(hasElement(lhs, {sum[0], sum[1], k}));
            EXPECT_TRUE(hasElement(rhs, {0, k, sum[2]}));
          }
        });
      }
}

TEST(RegisterLayout, AccumulatorsAreLeftOperands) {
  for (int64_t columns : {16, 32, 80, 128}) {
    Shape shape = {1, 64, columns};
    WarpGrid warps{/*rows=*/4};
    EXPECT_TRUE(
        getMatrixLayout(MatrixRole::Accumulator, shape, warps)
            .agreesWith(getMatrixLayout(MatrixRole::Lhs, shape, warps)));
  }
}

TEST(RegisterLayout, EveryElementHasAPlace) {
  for (const WarpGrid &warps : {WarpGrid{1, 1, 1, 1}, WarpGrid{4, 1, 1, 1},
                                WarpGrid{2, 3, 1, 2}, WarpGrid{1, 2, 2, 4}})
    for (Shape shape : {Shape{2, 208, 72}, Shape{2, 64, 48}, Shape{4, 16, 64},
                        Shape{1, 5, 24}, Shape{2, 13, 16}, Shape{1, 96, 8}})
      for (MatrixRole role :
           {MatrixRole::Lhs, MatrixRole::Rhs, MatrixRole::Accumulator}) {
        RegisterLayout layout = getMatrixLayout(role, shape, warps, 0);
        EXPECT_EQ(layout.getNumWarps(), warps.getNumWarps());
        EXPECT_EQ(layout.findFault(shape), std::nullopt);
        EXPECT_EQ(static_cast<int64_t>(countPlaces(layout, shape).size()),
                  shape[0] * shape[1] * shape[2]);
      }
  for (Shape shape : {Shape{64, 64}, Shape{1, 4096}, Shape{48, 24}, Shape{7, 3},
                      Shape{1}, Shape{16, 2, 256, 16}})
    for (int64_t warps : {1, 3, 8}) {
      RegisterLayout layout = getVectorLayout(shape, warps, 8);
      EXPECT_EQ(layout.getNumWarps(), warps);
      EXPECT_EQ(layout.findFault(shape), std::nullopt);
      for (int64_t dim = 0; dim < static_cast<int64_t>(shape.size()); ++dim)
        EXPECT_FALSE(layout.overhangs(shape, dim));
    }
}

/// Every element of the shape is in a thread, and no thread has another one's.
static void expectEachInOneThread(const RegisterLayout &layout,
                                  ShapeRef shape) {
  EXPECT_EQ(layout.getNumWarps(), 4);
  EXPECT_EQ(layout.findFault(shape), std::nullopt);
  std::map<std::vector<int64_t>, int> places;
  forPlaces(layout, [&](int64_t number, int64_t lane, int64_t warp) {
    Shape at = getElement(layout, shape.size(), number, lane, warp);
    bool isInside = true;
    for (auto [index, size] : llvm::zip(at, shape))
      isInside &= index < size;
    if (isInside)
      ++places[std::vector<int64_t>(at.begin(), at.end())];
  });
  EXPECT_EQ(static_cast<int64_t>(places.size()), elementCount(shape));
  for (const auto &[at, count] : places)
    EXPECT_EQ(count, 1);
}

TEST(RegisterLayout, SpreadVectorsAreOfOneThread) {
  for (Shape shape : {Shape{17, 64}, {1, 17, 320}, {197, 256}, {3, 5, 8}}) {
    RegisterLayout layout = getSpreadVectorLayout(shape, /*warps=*/4, 8);
    expectEachInOneThread(layout, shape);
    int64_t last = static_cast<int64_t>(shape.size()) - 1;
    EXPECT_FALSE(layout.overhangs(shape, last));
  }
}

TEST(RegisterLayout, LanesAndWarpsSpreadAlongDimensionsOfTheirOwn) {
  // Eight lanes have the rows' first parts and four go along a row, of which no
  // warp has several runs then: warps go along the rows.
  RegisterLayout image = getSpreadVectorLayout({56, 56}, /*warps=*/4, 8);
  expectEachInOneThread(image, {56, 56});
  EXPECT_FALSE(image.variesOverWarps(1));
  EXPECT_EQ(image.getNumRegisters(), 8 * 2 * 2);
  // Single elements, of rows and columns that neither lanes nor warps divide.
  RegisterLayout scalars = getSpreadVectorLayout({58, 55}, /*warps=*/4, 1);
  expectEachInOneThread(scalars, {58, 55});
}

TEST(RegisterLayout, WarpsHaveRows) {
  Shape shape{8, 1280};
  std::optional<RegisterLayout> layout = getRowLayout(shape, /*warps=*/4, 4);
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->findFault(shape), std::nullopt);
  EXPECT_FALSE(layout->variesOverWarps(1));
  EXPECT_TRUE(layout->variesOverWarps(0));
  EXPECT_TRUE(getVectorLayout(shape, 4, 4).variesOverWarps(1));
  EXPECT_EQ(layout->getNumRegisters(), 8 * 1280 / 128);
  EXPECT_EQ(getRowLayout({2, 1280}, /*warps=*/4, 4), std::nullopt);
}

TEST(RegisterLayout, FaultsAreFound) {
  RegisterLayout fewLanes({{4, 0, 1}}, {{16, 1, 1}}, {});
  EXPECT_TRUE(fewLanes.findFault({4, 16}));
  RegisterLayout gap({{4, 0, 2}}, {{32, 1, 1}}, {});
  EXPECT_TRUE(gap.findFault({8, 32}));
  RegisterLayout twice({{4, 1, 1}}, {{32, 1, 1}}, {});
  EXPECT_TRUE(twice.findFault({1, 32}));
  RegisterLayout small({{4, 0, 1}}, {{32, 1, 1}}, {});
  EXPECT_TRUE(small.findFault({8, 32}));
  EXPECT_FALSE(small.findFault({4, 32}));
  RegisterLayout elsewhere({{4, 2, 1}}, {{32, 1, 1}}, {});
  EXPECT_TRUE(elsewhere.findFault({4, 32}));
}

TEST(RegisterLayout, RegistersAreFoundByTheirOffsets) {
  for (const RegisterLayout &layout :
       {getMatrixLayout(MatrixRole::Lhs, {2, 64, 48}, {2, 1, 1, 1}),
        getVectorLayout({16, 96}, 4, 4)}) {
    for (int64_t i = 0; i < layout.getNumRegisters(); ++i)
      EXPECT_EQ(layout.findRegister(layout.getOffsets(i, 3)), i);
    EXPECT_EQ(layout.findRegister({0, 0, 4096}), std::nullopt);
  }
}

TEST(RegisterLayout, ReducedDimensionsAreReplicated) {
  Shape shape = {1, 64, 64};
  RegisterLayout layout = getMatrixLayout(MatrixRole::Accumulator, shape,
                                          {/*rows=*/2, /*columns=*/2});
  RegisterLayout rows = layout.withoutDim(2);
  EXPECT_EQ(rows.findFault({1, 64, 1}), std::nullopt);
  // Each thread has the rows of its elements.
  forPlaces(layout, [&](int64_t number, int64_t lane, int64_t warp) {
    Shape at = getElement(layout, 3, number, lane, warp);
    Shape offsets = layout.getOffsets(number, 3);
    offsets[2] = at[2] = 0;
    std::optional<int64_t> place = rows.findRegister(offsets);
    ASSERT_TRUE(place);
    EXPECT_EQ(getElement(rows, 3, *place, lane, warp), at);
  });
}

int64_t linearize(ShapeRef at, ShapeRef sizes) {
  int64_t linear = 0;
  for (auto [index, size] : llvm::zip(at, sizes))
    linear = linear * size + index;
  return linear;
}

TEST(RegisterLayout, TransposesAndReshapesMoveNothing) {
  Shape shape = {2, 64, 48};
  RegisterLayout layout = getMatrixLayout(MatrixRole::Accumulator, shape,
                                          {/*rows=*/4, 1, 1, /*batch=*/2}, 0);
  RegisterLayout transposed = layout.transpose({2, 0, 1});
  forPlaces(layout, [&](int64_t number, int64_t lane, int64_t warp) {
    Shape at = getElement(layout, 3, number, lane, warp);
    EXPECT_EQ(getElement(transposed, 3, number, lane, warp),
              Shape({at[2], at[0], at[1]}));
  });
  for (Shape to : {Shape{128, 48}, Shape{2, 4, 16, 48}, Shape{1, 2, 64, 1, 48},
                   Shape{2, 8, 8, 6, 8}, Shape{6144}}) {
    std::optional<RegisterLayout> reshaped = layout.reshape(shape, to);
    ASSERT_TRUE(reshaped);
    EXPECT_EQ(reshaped->findFault(to), std::nullopt);
    ASSERT_EQ(reshaped->getNumRegisters(), layout.getNumRegisters());
    forPlaces(layout, [&](int64_t number, int64_t lane, int64_t warp) {
      EXPECT_EQ(
          linearize(getElement(*reshaped, to.size(), number, lane, warp), to),
          linearize(getElement(layout, 3, number, lane, warp), shape));
    });
  }
  // Twelve rows of sixteen places: the last four would become other elements.
  RegisterLayout padded =
      getMatrixLayout(MatrixRole::Accumulator, {2, 12, 48}, {});
  EXPECT_FALSE(padded.reshape({2, 12, 48}, {24, 48}));
  // They stay beyond the end where the rows stay a dimension.
  std::optional<RegisterLayout> apart =
      padded.reshape({2, 12, 48}, {1, 2, 1, 12, 6, 8});
  ASSERT_TRUE(apart);
  EXPECT_EQ(apart->findFault({1, 2, 1, 12, 6, 8}), std::nullopt);
  EXPECT_EQ(apart->getReach(3), 15);
  EXPECT_EQ(apart->getReach(1), 1);
}

TEST(RegisterLayout, PlacesBeyondOneRowStayBeyond) {
  // Three products of one row, and of one row and column: fragments have places
  // for more.
  auto isInside = [](ShapeRef at, ShapeRef shape) {
    return llvm::all_of(llvm::zip(at, shape), [](auto pair) {
      return std::get<0>(pair) < std::get<1>(pair);
    });
  };
  for (Shape shape : {Shape{1, 3, 1, 16}, Shape{1, 3, 1, 1}, Shape{3, 16, 1}}) {
    RegisterLayout layout =
        getMatrixLayout(MatrixRole::Accumulator, shape, {/*rows=*/1, 2});
    for (Shape to : {Shape{3, 1, 16}, Shape{3, 16}, Shape{3, 1, 1}, Shape{3},
                     Shape{3, 16, 1}, Shape{1, 48, 1}, Shape{16, 3}}) {
      if (elementCount(to) != elementCount(shape))
        continue;
      std::optional<RegisterLayout> reshaped = layout.reshape(shape, to);
      ASSERT_TRUE(reshaped || to == Shape({1, 48, 1}) || to == Shape({16, 3}));
      if (!reshaped)
        continue;
      EXPECT_EQ(reshaped->findFault(to), std::nullopt);
      ASSERT_EQ(reshaped->getNumRegisters(), layout.getNumRegisters());
      forPlaces(layout, [&](int64_t number, int64_t lane, int64_t warp) {
        Shape from = getElement(layout, shape.size(), number, lane, warp);
        Shape at = getElement(*reshaped, to.size(), number, lane, warp);
        ASSERT_EQ(isInside(at, to), isInside(from, shape));
        if (isInside(at, to))
          EXPECT_EQ(linearize(at, to), linearize(from, shape));
      });
    }
  }
}

} // namespace
