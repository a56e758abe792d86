//===- LineOrdersTest.cpp - Orders in which tensors may be stored ---------===//

// Holds the orders that are listed against all orders of the dimensions of
// random tensors, by which elements lie in one line.

#include "Mirage/Search/KernelGraphs/LineOrders.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <random>
#include <set>

using namespace mirage;
using namespace mirage::search;

namespace {

using Order = llvm::SmallVector<int64_t>;

/// Returns the sets of elements, by their numbers in the given order, that lie
/// in one line each where the tensor is stored in `order`.
std::set<std::set<int64_t>> getLines(ShapeRef shape, unsigned elementBytes,
                                     llvm::ArrayRef<int64_t> order) {
  std::map<int64_t, std::set<int64_t>> lines;
  int64_t count = elementCount(shape);
  for (int64_t element = 0; element < count; ++element) {
    llvm::SmallVector<int64_t> index(shape.size());
    int64_t rest = element, place = 0;
    for (size_t dim = shape.size(); dim-- > 0; rest /= shape[dim])
      index[dim] = rest % shape[dim];
    for (int64_t dim : order)
      place = place * shape[dim] + index[dim];
    lines[place * elementBytes / kLineBytes].insert(element);
  }
  std::set<std::set<int64_t>> result;
  for (auto &[line, elements] : lines)
    result.insert(std::move(elements));
  return result;
}

TEST(LineOrders, AllThatDifferInLines) {
  std::mt19937 random(1);
  unsigned fewer = 0;
  for (unsigned number = 0; number < 200; ++number) {
    llvm::SmallVector<int64_t> shape;
    int64_t count = 1;
    for (unsigned rank = 1 + random() % 4; shape.size() < rank;) {
      int64_t size = std::array<int64_t, 6>{1, 2, 4, 8, 16, 128}[random() % 6];
      if (count * size <= 4096)
        count *= size;
      else
        size = 1;
      shape.push_back(size);
    }
    unsigned bytes = 1u << random() % 3;
    std::vector<Order> orders = findOrdersOfLines(shape, bytes);
    Order given(shape.size());
    std::iota(given.begin(), given.end(), 0);
    std::set<std::set<std::set<int64_t>>> listed = {
        getLines(shape, bytes, given)};
    for (const Order &order : orders) {
      ASSERT_TRUE(std::is_permutation(order.begin(), order.end(), given.begin(),
                                      given.end()));
      listed.insert(getLines(shape, bytes, order));
    }
    Order order = given;
    size_t all = 0;
    do {
      ++all;
      ASSERT_TRUE(listed.count(getLines(shape, bytes, order)));
    } while (std::next_permutation(order.begin(), order.end()));
    fewer += orders.size() + 1 < all;
    // None is listed twice, and neither is the given one.
    std::set<Order> different(orders.begin(), orders.end());
    EXPECT_EQ(different.size(), orders.size());
  }
  EXPECT_GT(fewer, 50u);
}

TEST(LineOrders, RowsOfLinesStayInOrder) {
  // Rows of 64 elements of two bytes are whole lines.
  EXPECT_EQ(findOrdersOfLines({4, 8, 64}, 2),
            (std::vector<Order>{{0, 2, 1}, {2, 0, 1}, {1, 2, 0}, {2, 1, 0}}));
  EXPECT_EQ(findOrdersOfLines({64, 64}, 2), (std::vector<Order>{{1, 0}}));
  EXPECT_TRUE(findOrdersOfLines({1, 64, 1}, 2).empty());
}

} // namespace
