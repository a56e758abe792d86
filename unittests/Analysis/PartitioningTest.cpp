//===- PartitioningTest.cpp - Cutting a program into subprograms ----------===//

#include "Mirage/Analysis/Partitioning.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <map>
#include <random>
#include <set>

using namespace mirage;

namespace {

using Parts = std::vector<std::optional<unsigned>>;

PartitionNode input(int64_t bytes) {
  PartitionNode node;
  node.fixed = true;
  node.size = 0;
  node.bytes = bytes;
  return node;
}

PartitionNode compute(std::initializer_list<unsigned> operands, int64_t bytes,
                      unsigned exponentials = 0) {
  PartitionNode node;
  node.operands = operands;
  node.bytes = bytes;
  node.exponentials = exponentials;
  return node;
}

/// Returns how many bytes cross: the sum over the parts of the bytes that they
/// read and write, each value counted once a part.
int64_t getCrossingBytes(const std::vector<PartitionNode> &nodes,
                         const Parts &parts) {
  std::set<std::pair<unsigned, unsigned>> reads;
  std::set<unsigned> writes;
  for (auto [i, node] : llvm::enumerate(nodes)) {
    if (parts[i] && node.isOutput)
      writes.insert(i);
    for (unsigned operand : node.operands) {
      if (parts[operand] == parts[i] && parts[i])
        continue;
      if (parts[i])
        reads.insert({*parts[i], operand});
      if (parts[operand])
        writes.insert(operand);
    }
  }
  int64_t bytes = 0;
  for (auto [part, node] : reads)
    bytes += nodes[node].bytes;
  for (unsigned node : writes)
    bytes += nodes[node].bytes;
  return bytes;
}

/// Returns whether parts hold what they may and can run one after another, with
/// the fixed nodes between them.
bool isLegal(const std::vector<PartitionNode> &nodes, const Parts &parts,
             unsigned maxSize) {
  std::map<unsigned, unsigned> size;
  std::vector<unsigned> exponentials(nodes.size());
  // Units: parts, and every other node alone.
  std::vector<unsigned> unit(nodes.size());
  for (size_t i = 0; i < nodes.size(); ++i) {
    unit[i] = parts[i] ? 1000 + *parts[i] : i;
    if (!parts[i])
      continue;
    if (nodes[i].fixed)
      return false;
    size[*parts[i]] += nodes[i].size;
    for (unsigned operand : nodes[i].operands)
      if (parts[operand] == parts[i])
        exponentials[i] = std::max(exponentials[i], exponentials[operand]);
    exponentials[i] += nodes[i].exponentials;
    if (exponentials[i] > 1)
      return false;
  }
  for (auto [part, total] : size)
    if (total > maxSize)
      return false;
  // Repeatedly remove units that nothing remaining is needed for.
  std::set<unsigned> remaining(unit.begin(), unit.end());
  while (!remaining.empty()) {
    bool removed = false;
    for (unsigned candidate : std::set<unsigned>(remaining)) {
      bool ready = true;
      for (size_t i = 0; i < nodes.size(); ++i)
        if (unit[i] == candidate)
          for (unsigned operand : nodes[i].operands)
            ready &=
                unit[operand] == candidate || !remaining.count(unit[operand]);
      if (ready) {
        remaining.erase(candidate);
        removed = true;
      }
    }
    if (!removed)
      return false;
  }
  return true;
}

TEST(Partitioning, KeepsAProgramWhole) {
  std::vector<PartitionNode> nodes = {input(100), compute({0}, 10),
                                      compute({1}, 10), compute({0, 2}, 10)};
  nodes[3].isOutput = true;
  Parts parts = partitionGraph(nodes, {});
  EXPECT_FALSE(parts[0]);
  EXPECT_EQ(parts[1], parts[2]);
  EXPECT_EQ(parts[2], parts[3]);
  EXPECT_EQ(getCrossingBytes(nodes, parts), 110);
}

TEST(Partitioning, CutsWhereLeastCrosses) {
  // A chain with results of 50, 5, 50 and 50 bytes, two nodes a part.
  std::vector<PartitionNode> nodes = {input(8), compute({0}, 50),
                                      compute({1}, 5), compute({2}, 50),
                                      compute({3}, 50)};
  nodes[4].isOutput = true;
  PartitionLimits limits;
  limits.maxSize = 2;
  Parts parts = partitionGraph(nodes, {}, limits);
  EXPECT_EQ(parts[1], parts[2]);
  EXPECT_EQ(parts[3], parts[4]);
  EXPECT_NE(parts[2], parts[3]);
}

TEST(Partitioning, AllowsOneExponentialOnAPath) {
  // Two in a row are parted where the 4 bytes are, two side by side are not.
  std::vector<PartitionNode> nodes = {input(8), compute({0}, 50, 1),
                                      compute({1}, 4), compute({2}, 50),
                                      compute({3}, 50, 1)};
  nodes[4].isOutput = true;
  Parts parts = partitionGraph(nodes, {});
  EXPECT_EQ(parts[1], parts[2]);
  EXPECT_EQ(parts[3], parts[4]);
  EXPECT_NE(parts[2], parts[3]);

  std::vector<PartitionNode> sideBySide = {
      input(8), compute({0}, 50, 1), compute({0}, 50, 1), compute({1, 2}, 8)};
  parts = partitionGraph(sideBySide, {});
  EXPECT_EQ(parts[1], parts[2]);
  EXPECT_EQ(parts[2], parts[3]);
}

TEST(Partitioning, DoesNotPassAroundFixedNodes) {
  // 1 -> 2 (fixed) -> 3, and 1 -> 3: 1 and 3 together would need 2 between.
  std::vector<PartitionNode> nodes = {input(8), compute({0}, 50),
                                      compute({1}, 1), compute({1, 2}, 50)};
  nodes[2].fixed = true;
  Parts parts = partitionGraph(nodes, {});
  EXPECT_TRUE(parts[1] && parts[3]);
  EXPECT_NE(parts[1], parts[3]);
  // Without the way from 1 they may share a part.
  nodes[2].operands = {0};
  parts = partitionGraph(nodes, {});
  EXPECT_EQ(parts[1], parts[3]);
}

TEST(Partitioning, KeepsSetsTogetherWithWhatIsBetween) {
  std::vector<PartitionNode> nodes = {input(8), compute({0}, 50, 1),
                                      compute({1}, 1), compute({2}, 1),
                                      compute({1, 3}, 50)};
  PartitionLimits limits;
  limits.maxSize = 2;
  Parts parts = partitionGraph(nodes, {{1, 4}}, limits);
  for (unsigned node : {2, 3, 4})
    EXPECT_EQ(parts[node], parts[1]);
  // Not where a fixed node is between.
  nodes[2].fixed = true;
  parts = partitionGraph(nodes, {{1, 4}}, limits);
  EXPECT_FALSE(parts[1] || parts[4]);
}

TEST(Partitioning, PartsWhatHasNothingInCommon) {
  std::vector<PartitionNode> nodes = {input(8), input(8), compute({0}, 4),
                                      compute({1}, 4)};
  Parts parts = partitionGraph(nodes, {});
  EXPECT_NE(parts[2], parts[3]);
  // Readers of one value stay together: it is read once.
  nodes[3].operands = {0};
  parts = partitionGraph(nodes, {});
  EXPECT_EQ(parts[2], parts[3]);
}

std::vector<PartitionNode> randomGraph(std::mt19937 &generator, unsigned size,
                                       bool isChain) {
  std::vector<PartitionNode> nodes = {input(1 + generator() % 40),
                                      input(1 + generator() % 40)};
  for (unsigned i = 2; i < size; ++i) {
    PartitionNode node;
    if (isChain)
      node.operands = {i == 2 ? 0 : i - 1};
    else
      for (unsigned k = 0; k <= generator() % 2; ++k)
        if (unsigned operand = generator() % i;
            !llvm::is_contained(node.operands, operand))
          node.operands.push_back(operand);
    node.bytes = 1 + generator() % 40;
    node.exponentials = generator() % 4 == 0;
    node.fixed = generator() % 6 == 0;
    node.isOutput = i + 1 == size || generator() % 6 == 0;
    nodes.push_back(std::move(node));
  }
  return nodes;
}

/// The least cost of all legal partitions, by trying each.
int64_t getLeastCost(const std::vector<PartitionNode> &nodes,
                     unsigned maxSize) {
  int64_t least = std::numeric_limits<int64_t>::max();
  Parts parts(nodes.size());
  auto place = [&](auto &self, unsigned node, unsigned numParts) -> void {
    if (node == nodes.size()) {
      if (isLegal(nodes, parts, maxSize))
        least = std::min(least, getCrossingBytes(nodes, parts));
      return;
    }
    if (nodes[node].fixed)
      return self(self, node + 1, numParts);
    for (unsigned part = 0; part <= numParts; ++part) {
      parts[node] = part;
      self(self, node + 1, std::max(numParts, part + 1));
    }
    parts[node].reset();
  };
  place(place, 0, 0);
  return least;
}

TEST(Partitioning, CutsEqualLayersAtEqualPlaces) {
  // A chain of six layers of four nodes, one of them an exponential, between a
  // node before and one behind them. As many bytes cross wherever it is cut,
  // and no part has more than five nodes.
  constexpr unsigned layers = 6;
  std::vector<PartitionNode> nodes = {input(8)};
  auto add = [&](uint64_t kind, unsigned exponentials) {
    nodes.push_back(
        compute({static_cast<unsigned>(nodes.size() - 1)}, 8, exponentials));
    nodes.back().kind = kind;
  };
  add(5, 0);
  for (unsigned layer = 0; layer < layers; ++layer)
    for (unsigned kind = 1; kind <= 4; ++kind)
      add(kind, kind == 2);
  add(6, 0);
  nodes.back().isOutput = true;
  PartitionLimits limits;
  limits.maxSize = 5;
  Parts parts = partitionGraph(nodes, {}, limits);
  std::map<unsigned, std::vector<uint64_t>> kinds;
  for (auto [node, part] : llvm::zip(nodes, parts))
    if (part)
      kinds[*part].push_back(node.kind);
  EXPECT_EQ(kinds.size(), layers);
  std::map<std::vector<uint64_t>, unsigned> counts;
  for (const auto &[part, list] : kinds)
    ++counts[list];
  EXPECT_EQ(counts.size(), 3u);
  EXPECT_EQ(counts[std::vector<uint64_t>({1, 2, 3, 4})], layers - 2);
}

TEST(Partitioning, IsBestForChains) {
  std::mt19937 generator(3);
  PartitionLimits limits;
  limits.maxSize = 3;
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<PartitionNode> nodes = randomGraph(generator, 8, true);
    Parts parts = partitionGraph(nodes, {}, limits);
    ASSERT_TRUE(isLegal(nodes, parts, limits.maxSize));
    EXPECT_EQ(getCrossingBytes(nodes, parts),
              getLeastCost(nodes, limits.maxSize));
  }
}

TEST(Partitioning, IsLegalAndNearlyBestForAnyGraph) {
  std::mt19937 generator(5);
  PartitionLimits limits;
  limits.maxSize = 3;
  unsigned best = 0, trials = 200;
  for (unsigned trial = 0; trial < trials; ++trial) {
    std::vector<PartitionNode> nodes = randomGraph(generator, 8, false);
    Parts parts = partitionGraph(nodes, {}, limits);
    ASSERT_TRUE(isLegal(nodes, parts, limits.maxSize));
    for (size_t i = 0; i < nodes.size(); ++i)
      EXPECT_EQ(parts[i].has_value(), !nodes[i].fixed);
    int64_t cost = getCrossingBytes(nodes, parts);
    int64_t least = getLeastCost(nodes, limits.maxSize);
    EXPECT_GE(cost, least);
    best += cost == least;
  }
  // Sixteen orders at two times are tried of all that there are.
  EXPECT_GE(best, trials * 9 / 10);
}

TEST(Partitioning, IsLegalForLargeGraphs) {
  std::mt19937 generator(11);
  std::vector<PartitionNode> nodes = randomGraph(generator, 400, false);
  EXPECT_TRUE(
      isLegal(nodes, partitionGraph(nodes, {}), PartitionLimits().maxSize));
}

} // namespace
