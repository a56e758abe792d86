//===- JoinPartsTest.cpp - Slices and concatenations in one order ---------===//
//
// What is moved dimension by dimension has one form, however it is put together
// of parts, and other programs stay as they are.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Problem/JoinParts.h"
#include "../Agreement.h"
#include "../Programs.h"
#include "Mirage/MuGraph/CloneMuGraph.h"
#include "Mirage/MuGraph/Comparison.h"
#include "gtest/gtest.h"
#include <random>

using namespace mirage;
using namespace mirage::search;

namespace {

class Parts : public ProgramBuilder {
public:
  MuValue slice(MuValue value, ShapeRef offsets, ShapeRef sizes) {
    OpAttributes part;
    part.offsets.assign(offsets.begin(), offsets.end());
    part.sizes.assign(sizes.begin(), sizes.end());
    part.strides.assign(sizes.size(), 1);
    return graph.addOperator(0, OpKind::Slice, part, {value}, ElementType::f32);
  }
  MuValue concat(llvm::ArrayRef<MuValue> operands, int64_t dim) {
    OpAttributes attributes;
    attributes.dim = dim;
    return graph.addOperator(0, OpKind::Concat, attributes, operands,
                             ElementType::f32);
  }
  /// Returns a part of a value along one dimension.
  MuValue take(MuValue value, int64_t dim, int64_t offset, int64_t size) {
    Shape offsets(getShape(value).size(), 0), sizes = getShape(value);
    offsets[dim] = offset;
    sizes[dim] = size;
    return slice(value, offsets, sizes);
  }
  /// Returns two neighbours along a dimension in the other order.
  MuValue exchange(MuValue value, int64_t dim) {
    return concat({take(value, dim, 1, 1), take(value, dim, 0, 1)}, dim);
  }
  /// Returns an image with a reflected border, two wide, along a dimension.
  MuValue reflect(MuValue value, int64_t dim) {
    int64_t size = getShape(value)[dim];
    return concat({take(value, dim, 2, 1), take(value, dim, 1, 1), value,
                   take(value, dim, size - 2, 1),
                   take(value, dim, size - 3, 1)},
                  dim);
  }
  Shape getShape(MuValue value) const { return Shape(graph.getShape(value)); }
  size_t getSize() const { return graph.getNumNodes(); }
};

/// The form of a program, which computes the same and is its own.
MuGraph join(const MuGraph &program) {
  MuGraph joined = joinParts(program);
  EXPECT_TRUE(agree(program, joined)) << toString(program) << toString(joined);
  EXPECT_TRUE(areIdentical(joinParts(joined), joined)) << toString(joined);
  return joined;
}

TEST(JoinParts, BordersOfNinePartsAreThoseOfTwoDimensions) {
  Parts nine;
  MuValue x = nine.exp(nine.input({3, 7, 8}));
  auto corner = [&](int64_t row, int64_t column) {
    return nine.exchange(
        nine.exchange(nine.slice(x, {0, row, column}, {3, 2, 2}), 1), 2);
  };
  auto row = [&](int64_t begin) {
    return nine.concat({corner(begin, 1),
                        nine.exchange(nine.take(x, 1, begin, 2), 1),
                        corner(begin, 5)},
                       2);
  };
  MuValue middle = nine.concat({nine.exchange(nine.take(x, 2, 1, 2), 2), x,
                                nine.exchange(nine.take(x, 2, 5, 2), 2)},
                               2);
  MuGraph ofNine = nine.finish(nine.concat({row(1), middle, row(4)}, 1));
  Parts two;
  MuGraph ofTwo =
      two.finish(two.reflect(two.reflect(two.exp(two.input({3, 7, 8})), 1), 2));
  EXPECT_EQ(ofTwo.getNumNodes(), 11u);
  EXPECT_TRUE(areIdentical(join(ofNine), ofTwo)) << toString(join(ofNine));
  EXPECT_TRUE(areIdentical(join(ofTwo), ofTwo));
}

TEST(JoinParts, ASliceOfAConcatenationIsASlice) {
  Parts b;
  MuValue x = b.input({4, 8});
  MuGraph joined = join(b.finish(b.exp(
      b.take(b.concat({b.take(x, 1, 4, 4), b.take(x, 1, 0, 4)}, 1), 1, 5, 2))));
  Parts plain;
  EXPECT_TRUE(areIdentical(joined, plain.finish(plain.exp(plain.take(
                                       plain.input({4, 8}), 1, 1, 2)))))
      << toString(joined);
}

TEST(JoinParts, PartsThatAreReadStay) {
  // The slice is read as a whole as well.
  Parts b;
  MuValue x = b.input({4, 8}), left = b.take(x, 1, 0, 6);
  MuGraph program = b.finish(
      b.mul(b.exp(left),
            b.concat({b.take(left, 1, 3, 3), b.take(left, 1, 0, 3)}, 1)));
  EXPECT_TRUE(areIdentical(join(program), program));
}

TEST(JoinParts, PlacesThatDependOnAnotherDimensionStay) {
  // The second row is turned by another distance than the first.
  Parts b;
  MuValue x = b.input({2, 6});
  auto turn = [&](int64_t row, int64_t distance) {
    MuValue own = b.take(x, 0, row, 1);
    return b.concat(
        {b.take(own, 1, distance, 6 - distance), b.take(own, 1, 0, distance)},
        1);
  };
  MuGraph program = b.finish(b.concat({turn(0, 1), turn(1, 2)}, 0));
  EXPECT_TRUE(areIdentical(join(program), program));
}

TEST(JoinParts, AnImageOfManyPartsIsTurned) {
  // Each of 16 rows is turned by itself, element by element.
  Parts rows;
  MuValue x = rows.exp(rows.input({16, 16}));
  auto turn = [](Parts &b, MuValue value, int64_t dim) {
    std::vector<MuValue> parts;
    for (int64_t place = 15; place >= 0; --place)
      parts.push_back(b.take(value, dim, place, 1));
    return b.concat(parts, dim);
  };
  std::vector<MuValue> turned;
  for (int64_t row = 15; row >= 0; --row)
    turned.push_back(turn(rows, rows.take(x, 0, row, 1), 1));
  MuGraph ofRows = rows.finish(rows.concat(turned, 0));
  Parts image;
  MuGraph ofImage = image.finish(
      turn(image, turn(image, image.exp(image.input({16, 16})), 0), 1));
  EXPECT_TRUE(areIdentical(join(ofRows), ofImage)) << toString(join(ofRows));
}

TEST(JoinParts, RepetitionsOfRepetitionsStay) {
  // One concatenation would have 2^30 operands.
  Parts b;
  MuValue value = b.input({2, 1});
  for (int step = 0; step < 30; ++step)
    value = b.concat({value, value}, 1);
  MuGraph program = b.finish(b.take(value, 0, 1, 1));
  MuGraph joined = joinParts(program);
  size_t most = 0;
  for (unsigned number : joined.getRegion().nodes)
    most = std::max(most, joined.getNode(number).operands.size());
  EXPECT_LE(most, 4u);
  EXPECT_TRUE(areIdentical(joinParts(joined), joined));
}

TEST(JoinParts, RandomMovesStayTheSame) {
  unsigned changed = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 engine(seed);
    auto draw = [&](int64_t low, int64_t high) {
      return std::uniform_int_distribution<int64_t>(low, high)(engine);
    };
    Parts b;
    std::vector<MuValue> values = {b.exp(b.input({3, 4})), b.input({3, 4})};
    for (int step = 0; step < 12; ++step) {
      MuValue value = values[draw(0, static_cast<int64_t>(values.size()) - 1)];
      int64_t dim = draw(0, 1), extent = b.getShape(value)[dim];
      int64_t offset = draw(0, extent - 1);
      if (draw(0, 1)) {
        values.push_back(b.take(value, dim, offset, draw(1, extent - offset)));
        continue;
      }
      std::vector<MuValue> parts = {value};
      for (MuValue other : values) {
        Shape shape = b.getShape(other);
        if (shape[1 - dim] == b.getShape(value)[1 - dim] && draw(0, 2) == 0 &&
            parts.size() < 3 && shape[dim] < 20)
          parts.push_back(other);
      }
      if (parts.size() > 1)
        values.push_back(b.concat(parts, dim));
    }
    MuGraph program = eraseDeadNodes(b.finish({values.back()}));
    MuGraph joined = join(program);
    EXPECT_LE(joined.getNumNodes(), program.getNumNodes());
    changed += joined.getNumNodes() < program.getNumNodes();
  }
  EXPECT_GT(changed, 20u);
}

} // namespace
