//===- IndexSetTest.cpp - Sets of small numbers in one word ---------------===//
//
// Sets are held against std::set, and subsets against plain enumeration.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Support/IndexSet.h"
#include "gtest/gtest.h"
#include <set>
#include <vector>

using namespace mirage;

namespace {

using Set = IndexSet<struct TestTag>;
using SmallSet = IndexSet<struct TestTag, uint8_t>;

template <typename T> T getSet(uint64_t bits) {
  T set;
  for (unsigned index = 0; index < T::kEnd; ++index)
    if (bits >> index & 1)
      set.insert(index);
  return set;
}

TEST(IndexSet, AgreesWithStandardSets) {
  for (unsigned a = 0; a < 256; ++a)
    for (unsigned b = 0; b < 256; ++b) {
      auto x = getSet<SmallSet>(a), y = getSet<SmallSet>(b);
      EXPECT_EQ((x | y).getBits(), a | b);
      EXPECT_EQ((x & y).getBits(), a & b);
      EXPECT_EQ((x - y).getBits(), a & ~b);
      EXPECT_EQ(x < y, a < b);
      EXPECT_EQ(x == y, a == b);
      EXPECT_EQ(x.intersects(y), (a & b) != 0);
      EXPECT_EQ(x.isSubsetOf(y), (a & ~b) == 0);
      std::set<unsigned> members;
      for (unsigned index = 0; index < 8; ++index)
        if (a >> index & 1)
          members.insert(index);
      EXPECT_EQ(x.size(), members.size());
      EXPECT_EQ(x.empty(), members.empty());
      EXPECT_TRUE(
          std::equal(x.begin(), x.end(), members.begin(), members.end()));
      for (unsigned index = 0; index < 10; ++index)
        EXPECT_EQ(x.contains(index), members.count(index) != 0);
    }
}

TEST(IndexSet, KeepsAllBitsOfItsWord) {
  EXPECT_TRUE(Set::getBelow(0).empty());
  EXPECT_EQ(Set::getBelow(64).getBits(), ~uint64_t(0));
  EXPECT_EQ(SmallSet::getBelow(3), SmallSet({0, 1, 2}));
  SmallSet set = SmallSet::getBelow(8);
  set.erase(7);
  EXPECT_EQ(set, SmallSet::getBelow(7));
}

template <typename T> void expectPlainSubsets(uint64_t bits) {
  auto set = getSet<T>(bits);
  for (unsigned most : {0u, 1u, 2u, 3u, 20u}) {
    std::vector<T> expected, found;
    for (uint64_t subset = 0; subset <= bits; ++subset)
      if (getSet<T>(subset).isSubsetOf(set) && getSet<T>(subset).size() <= most)
        expected.push_back(getSet<T>(subset));
    set.forEachSubset(most, [&](T subset) {
      found.push_back(subset);
      return true;
    });
    EXPECT_EQ(found.size(), expected.size());
    EXPECT_TRUE(found == expected);
  }
}

TEST(IndexSet, SubsetsAreThoseOfPlainEnumeration) {
  for (uint64_t bits : {0u, 1u, 0b101101u, 0xffu})
    expectPlainSubsets<SmallSet>(bits);
  for (uint64_t bits : {0u, 1u, 0b101101u, 0xffu, 0xf0f1u})
    expectPlainSubsets<Set>(bits);
}

/// 2^64 subsets, of which few are small: others are not looked at.
TEST(IndexSet, SubsetsOfManyMembers) {
  uint64_t count = 0;
  Set all = Set::getBelow(64);
  all.forEachSubset(3, [&](Set) { return ++count, true; });
  EXPECT_EQ(count, 1u + 64 + 64 * 63 / 2 + 64 * 63 * 62 / 6);
  count = 0;
  all.forEachSubset(64, [&](Set) { return ++count < 10; });
  EXPECT_EQ(count, 10u);
}

} // namespace
