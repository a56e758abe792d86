//===- PointSearchTest.cpp - Algorithm 1 with rules -----------------------===//
//
// Coordinates whose choices depend on those before them. Without such rules,
// see SearchTilingTest.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Sizes/PointSearch.h"
#include "gtest/gtest.h"
#include <cmath>
#include <functional>
#include <set>

using namespace mirage::search;
using llvm::ArrayRef;

namespace {

/// Three factors of a number, of which no rule is broken by a mutation.
class Factors : public testing::Test {
protected:
  static constexpr int64_t kSize = 5040;
  std::vector<int64_t> list;
  PointSpace getSpace() { return {3, 0, getChoices}; }
  std::function<ArrayRef<int64_t>(ArrayRef<int64_t>)> getChoices =
      [this](ArrayRef<int64_t> before) {
        int64_t room = kSize;
        for (int64_t factor : before)
          room /= factor;
        list.clear();
        for (int64_t divisor = 1; divisor <= room; ++divisor)
          if (room % divisor == 0)
            list.push_back(divisor);
        return ArrayRef(list);
      };
  static bool isLegal(ArrayRef<int64_t> point) {
    return point.size() == 3 && kSize % (point[0] * point[1] * point[2]) == 0;
  }
  /// Least at 12, 10, 7, or at the nearest point.
  static double getTime(ArrayRef<int64_t> point) {
    double time = 1;
    int64_t wanted[] = {12, 10, 7};
    for (unsigned i = 0; i < 3; ++i)
      time += std::abs(std::log2(static_cast<double>(point[i]) / wanted[i]));
    return time;
  }
};

TEST_F(Factors, VisitsEveryPointOnce) {
  std::set<Point> points;
  EXPECT_TRUE(visitPoints(getSpace(), 1'000'000, [&](ArrayRef<int64_t> point) {
    EXPECT_TRUE(isLegal(point));
    EXPECT_TRUE(points.insert(Point(point)).second);
  }));
  // 2^4 is three factors and a rest in 35 ways, 3^2 in 10, 5 and 7 in 4.
  EXPECT_EQ(points.size(), 35u * 10 * 4 * 4);
  EXPECT_TRUE(visitPoints(getSpace(), 5600, [](ArrayRef<int64_t>) {}));
  EXPECT_FALSE(visitPoints(getSpace(), 5599, [](ArrayRef<int64_t>) {}));
}

TEST_F(Factors, MutationsKeepTheRules) {
  PointSearchOptions options;
  options.exhaustive = 0;
  for (uint64_t seed = 0; seed < 5; ++seed) {
    options.seed = seed;
    auto time = [](ArrayRef<int64_t> point) {
      EXPECT_TRUE(isLegal(point));
      return getTime(point);
    };
    auto first = searchPoints(getSpace(), time, time, options),
         second = searchPoints(getSpace(), time, time, options);
    ASSERT_TRUE(first && second);
    EXPECT_FALSE(first->wasExhaustive);
    EXPECT_EQ(first->best, second->best);
    EXPECT_EQ(first->estimated, second->estimated);
    EXPECT_EQ(first->microseconds, getTime(first->best));
    // A random point takes 7 on average.
    EXPECT_LT(first->microseconds, 2);
  }
}

TEST_F(Factors, SearchesSmallSpacesWhole) {
  PointSearchOptions options;
  options.exhaustive = 5600;
  auto result = searchPoints(getSpace(), getTime, getTime, options);
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->wasExhaustive);
  EXPECT_EQ(result->estimated, 5600u);
  EXPECT_EQ(result->best, Point({12, 10, 7}));
}

TEST_F(Factors, NoCoordinates) {
  PointSpace space{0, 0, getChoices};
  auto time = [](ArrayRef<int64_t>) { return 3.0; };
  for (uint64_t exhaustive : {0, 1}) {
    PointSearchOptions options;
    options.exhaustive = exhaustive;
    auto result = searchPoints(space, time, time, options);
    ASSERT_TRUE(result);
    EXPECT_TRUE(result->best.empty());
    EXPECT_EQ(result->microseconds, 3.0);
  }
}

} // namespace
