//===- TileDimsTest.cpp - Dimensions of tiles, told apart once ------------===//
//
// What a table says of tiles and of pairs of them, beside the problem's own
// rules.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Problem/TileDims.h"
#include "../Programs.h"
#include "gtest/gtest.h"

using namespace mirage;
using namespace mirage::search;

namespace {

SearchProblem makeProblem() {
  ProgramBuilder b;
  MuValue x = b.input({16, 32}), w = b.input({32, 64}), y = b.input({16, 64});
  std::string reason;
  std::optional<unsigned> location;
  auto problem = SearchProblem::create(b.finish(b.add(b.matmul(x, w), y)),
                                       reason, location);
  if (!problem)
    llvm::report_fatal_error(reason.c_str());
  return std::move(*problem);
}

/// The dimensions of inputs, whole and without a factor of one dimension.
std::vector<Dims> listDims(const SearchProblem &problem) {
  std::vector<Dims> list;
  for (const TensorInfo &input : problem.getInputs()) {
    list.push_back(input.dims);
    for (unsigned position = 0; position < input.dims.size(); ++position)
      for (Factor factor : {kGrid, kLoop})
        if (auto cut = problem.withRemoved(input.dims[position], {factor})) {
          list.push_back(input.dims);
          list.back()[position] = *cut;
        }
  }
  return list;
}

TEST(TileDims, EqualTilesAreOne) {
  SearchProblem problem = makeProblem();
  TileTable table(problem);
  std::vector<Dims> list = listDims(problem);
  EXPECT_GT(list.size(), problem.getInputs().size());
  for (const Dims &a : list)
    for (const Dims &b : list)
      EXPECT_EQ(table.get(a) == table.get(b), a == b);
  for (const Dims &dims : list)
    EXPECT_EQ(table.get(dims)->dims, dims);
}

TEST(TileDims, PairsHaveTheAxesOfBoth) {
  SearchProblem problem = makeProblem();
  TileTable table(problem);
  std::vector<Dims> list = listDims(problem);
  unsigned products = 0, unlike = 0;
  for (const Dims &a : list)
    for (const Dims &b : list) {
      const TilePair &pair = table.getPair(table.get(a), table.get(b));
      const TilePair &other = table.getPair(table.get(b), table.get(a));
      ASSERT_EQ(pair.dims, other.dims);
      EXPECT_EQ(pair.isCommon, other.isCommon);
      EXPECT_EQ(pair.summed, other.summed);
      // Pairs lack different factors of an axis, or have all axes of both.
      if (!pair.dims) {
        ++unlike;
        EXPECT_TRUE(pair.summed.empty() && !pair.isCommon);
        EXPECT_TRUE(problem.getAxes(a).intersects(problem.getAxes(b)));
        continue;
      }
      EXPECT_EQ(problem.getAxes(*pair.dims),
                problem.getAxes(a) | problem.getAxes(b));
      for (uint8_t axes : pair.summed) {
        ++products;
        DimId summed = *problem.findReduced(a, axes);
        EXPECT_EQ(problem.findReduced(b, axes), summed);
        EXPECT_FALSE(problem.getAxes(a) == problem.getAxes(b));
        TileDims rest = table.without(*pair.dims, summed);
        EXPECT_EQ(problem.getAxes(rest) | problem.getAxes(summed),
                  problem.getAxes(*pair.dims));
        EXPECT_EQ(rest.size() + 1, pair.dims->size());
      }
    }
  EXPECT_GT(products, 0u);
  EXPECT_GT(unlike, 0u);
}

} // namespace
