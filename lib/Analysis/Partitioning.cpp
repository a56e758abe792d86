//===- Partitioning.cpp - Cutting a program into subprograms --------------===//
//
// Nodes that must stay together become groups, groups get an order, and an
// order is cut by dynamic programming; see Partitioning.h.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Partitioning.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/PriorityQueue.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include <random>

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;

/// Orders tried beside that of the program and a depth-first one.
static constexpr unsigned kRandomOrders = 14;

namespace {
/// Nodes that share a part, in increasing order.
struct Group {
  SmallVector<unsigned> members;
  llvm::SetVector<unsigned> operands, users;
  unsigned exponentials = 0, size = 0;
  bool fixed = false;
};

/// A graph for LLVM's search of strongly connected components. The node before
/// the first is the entry.
struct SearchNode {
  SmallVector<SearchNode *> successors;
  unsigned number = 0;
};
} // namespace

template <> struct llvm::GraphTraits<SearchNode *> {
  using NodeRef = SearchNode *;
  using ChildIteratorType = SmallVector<SearchNode *>::iterator;
  static NodeRef getEntryNode(SearchNode *node) { return node; }
  static ChildIteratorType child_begin(NodeRef node) {
    return node->successors.begin();
  }
  static ChildIteratorType child_end(NodeRef node) {
    return node->successors.end();
  }
};

/// The most exponentials on a path within the members, which are sorted.
static unsigned countExponentials(ArrayRef<PartitionNode> nodes,
                                  ArrayRef<unsigned> members) {
  llvm::DenseMap<unsigned, unsigned> onPath;
  unsigned most = 0;
  for (unsigned member : members) {
    unsigned before = 0;
    for (unsigned operand : nodes[member].operands)
      before = std::max(before, onPath.lookup(operand));
    onPath[member] = before + nodes[member].exponentials;
    most = std::max(most, onPath[member]);
  }
  return most;
}

/// Groups in a topological order: sets that must not be cut with all that lies
/// between their nodes, and single nodes.
static std::vector<Group> makeGroups(ArrayRef<PartitionNode> nodes,
                                     ArrayRef<SmallVector<unsigned>> uncut) {
  llvm::IntEqClasses classes(nodes.size());
  for (const SmallVector<unsigned> &set : uncut)
    for (unsigned member : set)
      classes.join(set.front(), member);
  classes.compress();

  // A path that leaves a class and comes back is a cycle of classes.
  std::vector<SearchNode> search(classes.getNumClasses() + 1);
  for (auto [i, node] : llvm::enumerate(search)) {
    node.number = i;
    if (i > 0)
      search[0].successors.push_back(&node);
  }
  for (auto [i, node] : llvm::enumerate(nodes))
    for (unsigned operand : node.operands)
      search[classes[operand] + 1].successors.push_back(
          &search[classes[i] + 1]);
  std::vector<SmallVector<unsigned>> inClass(classes.getNumClasses());
  for (unsigned i = 0; i < nodes.size(); ++i)
    inClass[classes[i]].push_back(i);

  std::vector<Group> groups;
  for (auto it = llvm::scc_begin(&search[0]); !it.isAtEnd(); ++it) {
    Group group;
    for (SearchNode *node : *it)
      if (node->number > 0)
        llvm::append_range(group.members, inClass[node->number - 1]);
    if (group.members.empty())
      continue;
    llvm::sort(group.members);
    for (unsigned member : group.members) {
      group.fixed |= nodes[member].fixed;
      group.size += nodes[member].size;
    }
    group.exponentials = countExponentials(nodes, group.members);
    groups.push_back(std::move(group));
  }
  std::reverse(groups.begin(), groups.end());

  std::vector<unsigned> groupOf(nodes.size());
  for (auto [i, group] : llvm::enumerate(groups))
    for (unsigned member : group.members)
      groupOf[member] = i;
  for (auto [i, node] : llvm::enumerate(nodes))
    for (unsigned operand : node.operands)
      if (groupOf[operand] != groupOf[i]) {
        groups[groupOf[i]].operands.insert(groupOf[operand]);
        groups[groupOf[operand]].users.insert(groupOf[i]);
      }
  return groups;
}

namespace {
/// Orders the groups and cuts orders.
struct Partitioner {
  ArrayRef<PartitionNode> nodes;
  const PartitionLimits &limits;
  std::vector<Group> groups;

  /// Consecutive groups that form parts.
  using Intervals = std::vector<SmallVector<unsigned>>;

  /// Bytes read and written by a part.
  int64_t getCost(ArrayRef<unsigned> part);

  /// The phase of each group: fixed groups of a phase need nothing of its other
  /// groups, and those need no fixed group of a later phase. Either as early as
  /// possible or as late.
  std::vector<unsigned> getPhases(bool late);

  /// A topological order by phase, fixed groups first, then by priority.
  std::vector<unsigned> getOrder(ArrayRef<unsigned> phases,
                                 ArrayRef<unsigned> priorities);

  /// Position of each group in a depth-first walk from the last ones.
  std::vector<unsigned> getDepthFirstPriorities();

  /// Cuts groups without fixed ones among them at the least cost.
  int64_t cut(ArrayRef<unsigned> order, Intervals &intervals);

  /// Pieces of a part that share neither values nor what they read.
  std::vector<SmallVector<unsigned>> getComponents(ArrayRef<unsigned> part);
};
} // namespace

int64_t Partitioner::getCost(ArrayRef<unsigned> part) {
  llvm::DenseSet<unsigned> inside, read;
  for (unsigned group : part)
    inside.insert_range(groups[group].members);
  int64_t bytes = 0;
  for (unsigned group : part)
    for (unsigned member : groups[group].members)
      for (unsigned operand : nodes[member].operands)
        if (!inside.contains(operand) && read.insert(operand).second)
          bytes += nodes[operand].bytes;
  llvm::DenseSet<unsigned> written;
  for (unsigned group : part) {
    for (unsigned member : groups[group].members)
      if (nodes[member].isOutput)
        written.insert(member);
    for (unsigned user : groups[group].users) {
      if (llvm::is_contained(part, user))
        continue;
      for (unsigned member : groups[user].members)
        for (unsigned operand : nodes[member].operands)
          if (inside.contains(operand))
            written.insert(operand);
    }
  }
  for (unsigned node : written)
    bytes += nodes[node].bytes;
  return bytes;
}

std::vector<unsigned> Partitioner::getPhases(bool late) {
  std::vector<unsigned> phases(groups.size(), 0);
  for (auto [i, group] : llvm::enumerate(groups))
    for (unsigned operand : group.operands)
      phases[i] = std::max(
          phases[i], phases[operand] + (group.fixed && !groups[operand].fixed));
  if (!late)
    return phases;
  // Only what parts may hold moves, to the first phase that needs it.
  for (size_t i = groups.size(); i-- > 0;) {
    if (groups[i].fixed || groups[i].users.empty())
      continue;
    unsigned latest = ~0u;
    for (unsigned user : groups[i].users)
      latest = std::min(latest, phases[user] - (groups[user].fixed ? 1 : 0));
    phases[i] = latest;
  }
  return phases;
}

std::vector<unsigned> Partitioner::getOrder(ArrayRef<unsigned> phases,
                                            ArrayRef<unsigned> priorities) {
  auto isLater = [&](unsigned a, unsigned b) {
    auto key = [&](unsigned group) {
      return std::make_tuple(phases[group], !groups[group].fixed,
                             priorities[group]);
    };
    return key(a) > key(b);
  };
  std::vector<unsigned> missing, order;
  llvm::PriorityQueue<unsigned, std::vector<unsigned>, decltype(isLater)> ready(
      isLater);
  for (auto [i, group] : llvm::enumerate(groups)) {
    missing.push_back(group.operands.size());
    if (group.operands.empty())
      ready.push(i);
  }
  while (!ready.empty()) {
    unsigned next = ready.top();
    ready.pop();
    order.push_back(next);
    for (unsigned user : groups[next].users)
      if (--missing[user] == 0)
        ready.push(user);
  }
  return order;
}

std::vector<unsigned> Partitioner::getDepthFirstPriorities() {
  std::vector<unsigned> priorities(groups.size(), ~0u);
  unsigned next = 0;
  auto visit = [&](auto &self, unsigned group) -> void {
    if (priorities[group] != ~0u)
      return;
    priorities[group] = 0;
    for (unsigned operand : groups[group].operands)
      self(self, operand);
    priorities[group] = next++;
  };
  for (size_t i = groups.size(); i-- > 0;)
    if (groups[i].users.empty())
      visit(visit, i);
  return priorities;
}

int64_t Partitioner::cut(ArrayRef<unsigned> order, Intervals &intervals) {
  struct Best {
    int64_t bytes = std::numeric_limits<int64_t>::max();
    /// Among cuts of equal cost, the one with fewer parts.
    unsigned numParts = 0;
    size_t begin = 0;
  };
  std::vector<Best> best(order.size() + 1);
  best[0].bytes = 0;
  for (size_t begin = 0; begin < order.size(); ++begin) {
    unsigned size = 0;
    SmallVector<unsigned> members;
    for (size_t end = begin + 1; end <= order.size(); ++end) {
      const Group &group = groups[order[end - 1]];
      size += group.size;
      llvm::append_range(members, group.members);
      llvm::sort(members);
      bool isOne = end == begin + 1;
      if (!isOne &&
          (size > limits.maxSize || countExponentials(nodes, members) > 1))
        break;
      int64_t bytes =
          best[begin].bytes + getCost(order.slice(begin, end - begin));
      unsigned numParts = best[begin].numParts + 1;
      if (std::tie(bytes, numParts) <
          std::tie(best[end].bytes, best[end].numParts))
        best[end] = {bytes, numParts, begin};
    }
  }
  Intervals found;
  for (size_t end = order.size(); end > 0; end = best[end].begin)
    found.push_back(SmallVector<unsigned>(
        order.slice(best[end].begin, end - best[end].begin)));
  intervals.insert(intervals.end(), found.rbegin(), found.rend());
  return best.back().bytes;
}

std::vector<SmallVector<unsigned>>
Partitioner::getComponents(ArrayRef<unsigned> part) {
  llvm::IntEqClasses classes(part.size());
  llvm::DenseMap<unsigned, unsigned> firstReader;
  for (auto [i, group] : llvm::enumerate(part)) {
    for (unsigned member : groups[group].members) {
      firstReader.try_emplace(member, i);
      for (unsigned operand : nodes[member].operands)
        classes.join(i, firstReader.try_emplace(operand, i).first->second);
    }
  }
  classes.compress();
  std::vector<SmallVector<unsigned>> components(classes.getNumClasses());
  for (auto [i, group] : llvm::enumerate(part))
    components[classes[i]].push_back(group);
  return components;
}

std::vector<std::optional<unsigned>>
mirage::partitionGraph(ArrayRef<PartitionNode> nodes,
                       ArrayRef<SmallVector<unsigned>> uncut,
                       const PartitionLimits &limits) {
  Partitioner partitioner{nodes, limits, makeGroups(nodes, uncut)};
  std::vector<Group> &groups = partitioner.groups;
  for (Group &group : groups)
    group.fixed |= group.exponentials > 1;

  std::vector<unsigned> programOrder(groups.size());
  for (auto [i, group] : llvm::enumerate(groups))
    programOrder[i] = group.members.front();
  std::vector<std::vector<unsigned>> orders = {
      programOrder, partitioner.getDepthFirstPriorities()};
  // Others at random, the same in every run.
  std::mt19937 generator(1);
  for (unsigned i = 0; i < kRandomOrders; ++i) {
    std::vector<unsigned> &order = orders.emplace_back(groups.size());
    for (unsigned &priority : order)
      priority = generator();
  }
  Partitioner::Intervals best;
  int64_t bestBytes = std::numeric_limits<int64_t>::max();
  for (bool late : {false, true}) {
    std::vector<unsigned> phases = partitioner.getPhases(late);
    for (const std::vector<unsigned> &priorities : orders) {
      Partitioner::Intervals intervals;
      int64_t bytes = 0;
      SmallVector<unsigned> run;
      auto cutRun = [&] {
        bytes += partitioner.cut(run, intervals);
        run.clear();
      };
      for (unsigned group : partitioner.getOrder(phases, priorities)) {
        if (groups[group].fixed)
          cutRun();
        else
          run.push_back(group);
      }
      cutRun();
      if (bytes < bestBytes) {
        bestBytes = bytes;
        best = std::move(intervals);
      }
    }
  }

  std::vector<std::optional<unsigned>> parts(nodes.size());
  unsigned next = 0;
  for (const SmallVector<unsigned> &interval : best)
    for (const SmallVector<unsigned> &component :
         partitioner.getComponents(interval)) {
      for (unsigned group : component)
        for (unsigned member : groups[group].members)
          parts[member] = next;
      ++next;
    }
  return parts;
}
