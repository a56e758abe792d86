//===- RegisterTileTest.cpp - Operators on tiles in registers -------------===//
//
// What threads compute of their registers is what Element.h says of the tiles,
// for the layouts of matrix instructions; other layouts are faults.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Interpreter/Kernels/RegisterTile.h"
#include "Mirage/Semantics/OpAttributes.h"
#include "Mirage/Semantics/ShapeRules.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mirage;

namespace {

constexpr int64_t threads = 64;

/// A number for each element, small enough for f16.
double getNumber(ShapeRef at) {
  double number = 1;
  for (int64_t index : at)
    number = number * 1.5 + index;
  return std::fmod(number, 7) - 3;
}

/// Calls body(at, value) for each place of a tile that holds an element.
template <typename Body> void forElements(RegisterTile &tile, Body body) {
  size_t rank = tile.type.shape.size();
  std::vector<int64_t> places =
      getThreadPlaces(tile.type.layout, rank, threads);
  for (int64_t thread = 0; thread < threads; ++thread)
    for (int64_t i = 0; i < tile.numRegisters; ++i) {
      Shape at = tile.type.layout.getOffsets(i, rank);
      bool isInside = true;
      for (size_t dim = 0; dim < rank; ++dim) {
        at[dim] += places[thread * rank + dim];
        isInside &= at[dim] < tile.type.shape[dim];
      }
      if (isInside)
        body(at, tile.at(thread, i));
    }
}

RegisterTile makeTile(const TileType &type) {
  RegisterTile tile(type, threads);
  forElements(tile, [](ShapeRef at, double &value) { value = getNumber(at); });
  return tile;
}

TileOperand use(const RegisterTile &tile) {
  return {&tile, 0, tile.type.shape, tile.type.element};
}

/// Two warps share the rows.
RegisterLayout getAccumulator(ShapeRef shape) {
  return getMatrixLayout(MatrixRole::Accumulator, shape, {/*rows=*/2});
}

TEST(RegisterTile, ProductsAreThoseOfMatrices) {
  // The last rows of a 16 x 8 part do not exist.
  for (int64_t rows : {32, 20, 1})
    for (bool transposed : {false, true}) {
      Shape lhsShape = {rows, 48}, rhsShape = {48, 24}, shape = {rows, 24};
      WarpGrid warps = {/*rows=*/2};
      TileType lhs{ElementType::f16, lhsShape,
                   getMatrixLayout(MatrixRole::Lhs, lhsShape, warps)};
      TileType rhs{ElementType::f16, rhsShape,
                   getMatrixLayout(MatrixRole::Rhs, rhsShape, warps)};
      if (transposed) {
        rhs.shape = {24, 48};
        rhs.layout = rhs.layout.transpose({1, 0});
      }
      TileType sum{ElementType::f32, shape, getAccumulator(shape)};
      RegisterTile a = makeTile(lhs), b = makeTile(rhs), c = makeTile(sum),
                   result(sum, threads);
      EXPECT_EQ(runProduct({a, b, c, false, transposed}, result), std::nullopt);
      int64_t count = 0;
      forElements(result, [&](ShapeRef at, double value) {
        double expected = getNumber(at);
        for (int64_t k = 0; k < 48; ++k)
          expected +=
              getNumber({at[0], k}) *
              (transposed ? getNumber({at[1], k}) : getNumber({k, at[1]}));
        EXPECT_NEAR(value, expected, 1e-3);
        ++count;
      });
      EXPECT_GE(count, rows * 24);
    }
}

TEST(RegisterTile, LanesMultiplyWhatTheyHave) {
  for (int64_t rows : {32, 20, 1})
    for (bool transposed : {false, true}) {
      constexpr int64_t depth = 8;
      Shape lhsShape = {rows, depth}, rhsShape = {depth, 24},
            shape = {rows, 24};
      if (transposed) {
        std::swap(lhsShape[0], lhsShape[1]);
        std::swap(rhsShape[0], rhsShape[1]);
      }
      RegisterLayout layout = getLaneSumsLayout(shape, {/*rows=*/2});
      auto make = [&](MatrixRole role, const Shape &of) {
        return makeTile({ElementType::f32, of,
                         getLaneOperandLayout(role, layout, of, transposed)});
      };
      RegisterTile a = make(MatrixRole::Lhs, lhsShape),
                   b = make(MatrixRole::Rhs, rhsShape),
                   c = makeTile({ElementType::f32, shape, layout}),
                   result({ElementType::f32, shape, layout}, threads);
      EXPECT_EQ(runMultiplyAdds({a, b, c, transposed, transposed}, result),
                std::nullopt);
      forElements(result, [&](ShapeRef at, double value) {
        double expected = getNumber(at);
        for (int64_t k = 0; k < depth; ++k)
          expected += transposed
                          ? getNumber({k, at[0]}) * getNumber({at[1], k})
                          : getNumber({at[0], k}) * getNumber({k, at[1]});
        EXPECT_NEAR(value, expected, 1e-4);
      });
    }
  // Fragments of tensor cores have no whole rows.
  Shape square = {32, 32};
  RegisterTile tile =
      makeTile({ElementType::f32, square, getAccumulator(square)});
  RegisterTile result({ElementType::f32, square, getAccumulator(square)},
                      threads);
  EXPECT_EQ(runMultiplyAdds({tile, tile, tile, false, false}, result),
            "has a sum whose operands are in other lanes");
}

TEST(RegisterTile, RowsAreReducedOverLanes) {
  Shape shape = {32, 16}, reduced = {32, 1};
  RegisterTile tile =
      makeTile({ElementType::f32, shape, getAccumulator(shape)});
  for (bool keep : {true, false})
    for (ReduceKind kind :
         {ReduceKind::Sum, ReduceKind::Max, ReduceKind::Mean}) {
      OpAttributes attrs;
      attrs.dim = 1;
      attrs.keep = keep;
      attrs.reduceKind = kind;
      RegisterTile result({ElementType::f32, keep ? reduced : Shape{32},
                           getAccumulator(shape).withoutDim(1)},
                          threads);
      ASSERT_EQ(runReduction(attrs, tile, result), std::nullopt);
      forElements(result, [&](ShapeRef at, double value) {
        double sum = 0, max = -100;
        for (int64_t k = 0; k < 16; ++k) {
          sum += getNumber({at[0], k});
          max = std::max(max, getNumber({at[0], k}));
        }
        EXPECT_NEAR(value,
                    kind == ReduceKind::Max    ? max
                    : kind == ReduceKind::Mean ? sum / 16
                                               : sum,
                    1e-5);
      });
    }
  // Rows lie over warps and, of 24, beyond the end.
  OpAttributes attrs;
  attrs.keep = true;
  RegisterTile result({ElementType::f32, {1, 16}, getAccumulator({1, 16})},
                      threads);
  EXPECT_EQ(runReduction(attrs, tile, result), "reduces over several warps");
}

TEST(RegisterTile, OperandsAreInTheSameThreads) {
  Shape shape = {32, 16};
  TileType type{ElementType::f16, shape, getAccumulator(shape)};
  TileType rowType{ElementType::f32, {32, 1}, type.layout.withoutDim(1)};
  RegisterTile tile = makeTile(type), row = makeTile(rowType),
               result({ElementType::f16, shape, type.layout}, threads);
  ASSERT_EQ(runElementwise(OpKind::Sub, {}, {use(tile), use(row)}, result),
            std::nullopt);
  forElements(result, [&](ShapeRef at, double value) {
    EXPECT_EQ(value,
              roundTo(ElementType::f16, getNumber(at) - getNumber({at[0], 0})));
  });
  // A row that lies over lanes as if there were eight is in one of them only.
  TileType lanes = rowType;
  lanes.shape = {1, 16};
  lanes.layout = getAccumulator({1, 16});
  RegisterTile oneRow = makeTile(lanes);
  EXPECT_EQ(runElementwise(OpKind::Sub, {}, {use(tile), use(oneRow)}, result),
            "needs an element in lane 4 of warp 0 that is in another thread's "
            "registers");
  TileType other = type;
  other.layout = getVectorLayout(shape, 2, 8);
  RegisterTile elsewhere = makeTile(other);
  EXPECT_TRUE(
      runElementwise(OpKind::Add, {}, {use(tile), use(elsewhere)}, result));
}

TEST(RegisterTile, LayoutOperatorsMoveNothing) {
  Shape shape = {4, 8, 16};
  RegisterLayout layout =
      getMatrixLayout(MatrixRole::Accumulator, shape, {1, 1, 1, /*batch=*/2});
  layout.warps = {LayoutMode::replicated(2)};
  RegisterTile tile = makeTile({ElementType::f32, shape, layout});
  OpAttributes transpose;
  transpose.permutation = {2, 0, 1};
  RegisterTile turned(
      {ElementType::f32, {16, 4, 8}, layout.transpose({2, 0, 1})}, threads);
  ASSERT_EQ(runRelabeling(OpKind::Transpose, transpose, tile, turned),
            std::nullopt);
  forElements(turned, [](ShapeRef at, double value) {
    EXPECT_EQ(value, getNumber({at[1], at[2], at[0]}));
  });
  OpAttributes slice;
  slice.offsets = {2, 0, 0};
  slice.sizes = {2, 8, 16};
  slice.strides = {1, 1, 1};
  RegisterLayout half = layout;
  half.registers.back().size = 2;
  RegisterTile part({ElementType::f32, {2, 8, 16}, half}, threads);
  ASSERT_EQ(runRelabeling(OpKind::Slice, slice, tile, part), std::nullopt);
  forElements(part, [](ShapeRef at, double value) {
    EXPECT_EQ(value, getNumber({at[0] + 2, at[1], at[2]}));
  });
  // Another layout of the same registers is another tile.
  RegisterTile wrong({ElementType::f32, {16, 4, 8}, layout}, threads);
  wrong.type.layout =
      getMatrixLayout(MatrixRole::Accumulator, {16, 4, 8}, {1, 1, 2});
  wrong = RegisterTile(wrong.type, threads);
  EXPECT_TRUE(runRelabeling(OpKind::Transpose, transpose, tile, wrong));
}

TEST(RegisterTile, LayoutsHaveTheWarpsOfTheBlock) {
  TileType type{ElementType::f32, {32, 16}, getAccumulator({32, 16})};
  EXPECT_EQ(checkLayout(type, 64), std::nullopt);
  EXPECT_EQ(checkLayout(type, 128), "has a layout of 2 warps in a block of 4");
}

} // namespace
