//===- Partitioning.cpp - Cutting a program into subprograms --------------===//
//
// Nodes that must stay together become groups, groups get an order, and an
// order is cut by dynamic programming; see Partitioning.h.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Partitioning.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PriorityQueue.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StableHashing.h"
#include <random>

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;

/// Orders tried beside that of the program and a depth-first one.
static constexpr unsigned kRandomOrders = 14;
/// Kinds of intervals of which it is tried how often they can be parts.
static constexpr size_t kMostSignatures = 16;

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
/// The bytes that cross, and how many parts there are: among cuts of equal
/// bytes, the one with fewer parts.
using Cost = std::pair<int64_t, unsigned>;
static constexpr Cost kNever = {std::numeric_limits<int64_t>::max(), 0};

static Cost operator+(Cost a, Cost b) {
  return {a.first + b.first, a.second + b.second};
}

/// Groups of an order that may be a part, from `begin` to before `end`.
struct Interval {
  size_t begin, end;
  Cost cost;
  /// The same for intervals that compute the same.
  uint64_t signature = 0;
};

/// Consecutive groups without a fixed one, and what parts they may be cut in,
/// in the order in which these begin.
struct Run {
  SmallVector<unsigned> order;
  std::vector<Interval> intervals;

  /// The least cost of a cut of the first groups, for each number of them.
  std::vector<Cost> getLeastBefore() const;
  /// The same of all groups from one on.
  std::vector<Cost> getLeastAfter() const;
  Cost getLeast() const { return getLeastBefore().back(); }
  /// Leaves only intervals that are in some cut of the least cost.
  void keepCheapest();
  /// Returns the intervals of a cut for which the sum of `value` is greatest,
  /// and this sum.
  template <typename Value>
  std::pair<Value, std::vector<Interval>>
  cut(llvm::function_ref<Value(const Interval &)> value) const;
};

/// Orders the groups and cuts orders.
struct Partitioner {
  ArrayRef<PartitionNode> nodes;
  const PartitionLimits &limits;
  std::vector<Group> groups;

  /// Consecutive groups that form parts.
  using Intervals = std::vector<SmallVector<unsigned>>;

  /// The phase of each group: fixed groups of a phase need nothing of its other
  /// groups, and those need no fixed group of a later phase. Either as early as
  /// possible or as late.
  std::vector<unsigned> getPhases(bool late);

  /// A topological order by phase, fixed groups first, then by priority.
  std::vector<unsigned> getOrder(ArrayRef<unsigned> phases,
                                 ArrayRef<unsigned> priorities);

  /// Position of each group in a depth-first walk from the last ones.
  std::vector<unsigned> getDepthFirstPriorities();

  /// Returns what groups without fixed ones among them may be cut in.
  Run makeRun(ArrayRef<unsigned> order);

  /// Returns the runs of groups between fixed ones.
  std::vector<Run> makeRuns(ArrayRef<unsigned> order);

  /// What the part computes, whatever it computes it of.
  uint64_t getSignature(ArrayRef<unsigned> part);

  /// Cuts runs at the least cost, and such that equal parts are many.
  Intervals cut(std::vector<Run> runs);

  /// Pieces of a part that share neither values nor what they read.
  std::vector<SmallVector<unsigned>> getComponents(ArrayRef<unsigned> part);
};
} // namespace

namespace {
/// Counts what a part reads and writes while groups of a topological order are
/// added to its end, in time that the groups' operands take.
class PartCounter {
public:
  PartCounter(ArrayRef<PartitionNode> nodes, ArrayRef<Group> groups)
      : nodes(nodes), groups(groups) {}

  void add(unsigned group);
  /// Returns the bytes read and written by the part.
  int64_t getBytes() const { return bytes; }
  /// Returns the most exponentials on a path within the part.
  unsigned getExponentials() const { return exponentials; }

private:
  ArrayRef<PartitionNode> nodes;
  ArrayRef<Group> groups;
  int64_t bytes = 0;
  unsigned exponentials = 0;
  /// The most exponentials on a path to each node of the part.
  llvm::DenseMap<unsigned, unsigned> onPath;
  /// Says of a node of the part how many groups beyond the part use it.
  llvm::DenseMap<unsigned, unsigned> usersBeyond;
  llvm::DenseSet<unsigned> read;
};
} // namespace

void PartCounter::add(unsigned group) {
  llvm::DenseSet<unsigned> used;
  for (unsigned member : groups[group].members) {
    unsigned before = 0;
    for (unsigned operand : nodes[member].operands) {
      if (auto found = onPath.find(operand); found != onPath.end()) {
        before = std::max(before, found->second);
        used.insert(operand);
      } else if (read.insert(operand).second) {
        bytes += nodes[operand].bytes;
      }
    }
    onPath[member] = before + nodes[member].exponentials;
    exponentials = std::max(exponentials, onPath[member]);
  }
  for (unsigned node : used)
    if (auto found = usersBeyond.find(node); found != usersBeyond.end() &&
                                             --found->second == 0 &&
                                             !nodes[node].isOutput)
      bytes -= nodes[node].bytes;
  // Groups are added in a topological order, so that no user of this group is
  // in the part yet.
  for (unsigned user : groups[group].users) {
    llvm::DenseSet<unsigned> taken;
    for (unsigned member : groups[user].members)
      taken.insert(nodes[member].operands.begin(),
                   nodes[member].operands.end());
    for (unsigned member : groups[group].members)
      if (taken.contains(member))
        ++usersBeyond[member];
  }
  for (unsigned member : groups[group].members)
    if (nodes[member].isOutput || usersBeyond.contains(member))
      bytes += nodes[member].bytes;
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

Run Partitioner::makeRun(ArrayRef<unsigned> order) {
  Run run;
  run.order.assign(order.begin(), order.end());
  for (size_t begin = 0; begin < order.size(); ++begin) {
    unsigned size = 0;
    PartCounter part(nodes, groups);
    for (size_t end = begin + 1; end <= order.size(); ++end) {
      size += groups[order[end - 1]].size;
      part.add(order[end - 1]);
      bool isOne = end == begin + 1;
      if (!isOne && (size > limits.maxSize || part.getExponentials() > 1))
        break;
      run.intervals.push_back({begin, end, {part.getBytes(), 1}});
    }
  }
  return run;
}

std::vector<Run> Partitioner::makeRuns(ArrayRef<unsigned> order) {
  std::vector<Run> runs;
  SmallVector<unsigned> free;
  auto endRun = [&] {
    if (!free.empty())
      runs.push_back(makeRun(free));
    free.clear();
  };
  for (unsigned group : order) {
    if (groups[group].fixed)
      endRun();
    else
      free.push_back(group);
  }
  endRun();
  return runs;
}

std::vector<Cost> Run::getLeastBefore() const {
  std::vector<Cost> least(order.size() + 1, kNever);
  least[0] = {0, 0};
  for (const Interval &interval : intervals)
    least[interval.end] =
        std::min(least[interval.end], least[interval.begin] + interval.cost);
  return least;
}

std::vector<Cost> Run::getLeastAfter() const {
  std::vector<Cost> least(order.size() + 1, kNever);
  least.back() = {0, 0};
  for (const Interval &interval : llvm::reverse(intervals))
    least[interval.begin] =
        std::min(least[interval.begin], least[interval.end] + interval.cost);
  return least;
}

void Run::keepCheapest() {
  std::vector<Cost> before = getLeastBefore(), after = getLeastAfter();
  llvm::erase_if(intervals, [&](const Interval &interval) {
    return before[interval.begin] + interval.cost + after[interval.end] >
           before.back();
  });
}

template <typename Value>
std::pair<Value, std::vector<Interval>>
Run::cut(llvm::function_ref<Value(const Interval &)> value) const {
  std::vector<std::optional<Value>> best(order.size() + 1);
  std::vector<const Interval *> last(order.size() + 1);
  best[0] = Value();
  for (const Interval &interval : intervals) {
    Value sum = *best[interval.begin] + value(interval);
    if (best[interval.end] && !(sum > *best[interval.end]))
      continue;
    best[interval.end] = sum;
    last[interval.end] = &interval;
  }
  std::vector<Interval> found;
  for (size_t end = order.size(); end > 0; end = last[end]->begin)
    found.push_back(*last[end]);
  std::reverse(found.begin(), found.end());
  return {*best.back(), std::move(found)};
}

uint64_t Partitioner::getSignature(ArrayRef<unsigned> part) {
  SmallVector<unsigned> members;
  for (unsigned group : part)
    llvm::append_range(members, groups[group].members);
  llvm::sort(members);
  // Results of the part, and what it reads, count in the order in which they
  // occur.
  llvm::DenseMap<unsigned, unsigned> numbers;
  SmallVector<llvm::stable_hash> parts;
  for (unsigned member : members)
    numbers.try_emplace(member, numbers.size());
  for (unsigned member : members) {
    parts.push_back(nodes[member].kind);
    parts.push_back(nodes[member].isOutput);
    for (unsigned operand : nodes[member].operands)
      parts.push_back(
          numbers.try_emplace(operand, numbers.size()).first->second);
  }
  return llvm::stable_hash_combine(parts);
}

Partitioner::Intervals Partitioner::cut(std::vector<Run> runs) {
  // How often a kind of interval occurs in cuts of the least cost.
  llvm::MapVector<uint64_t, unsigned> frequencies;
  for (Run &run : runs) {
    run.keepCheapest();
    for (Interval &interval : run.intervals) {
      interval.signature = getSignature(ArrayRef(run.order).slice(
          interval.begin, interval.end - interval.begin));
      ++frequencies[interval.signature];
    }
  }
  // The most frequent first, and of equally frequent ones the first.
  SmallVector<unsigned> frequent =
      llvm::to_vector(llvm::seq<unsigned>(0, frequencies.size()));
  auto getFrequency = [&](unsigned number) {
    return frequencies.begin()[number].second;
  };
  llvm::sort(frequent, [&](unsigned a, unsigned b) {
    return getFrequency(a) != getFrequency(b)
               ? getFrequency(a) > getFrequency(b)
               : a < b;
  });
  frequent.truncate(std::min(frequent.size(), kMostSignatures));
  // The kind of part that is repeated most often.
  unsigned most = 0;
  uint64_t repeated = 0;
  for (unsigned number : frequent) {
    uint64_t signature = frequencies.begin()[number].first;
    unsigned count = 0;
    for (const Run &run : runs)
      count += run.cut<unsigned>([&](const Interval &interval) -> unsigned {
                    return interval.signature == signature;
                  })
                   .first;
    if (count > most) {
      most = count;
      repeated = signature;
    }
  }
  Intervals found;
  for (const Run &run : runs) {
    auto value = [&](const Interval &interval) -> Cost {
      return {interval.signature == repeated,
              frequencies.lookup(interval.signature)};
    };
    for (const Interval &interval : run.cut<Cost>(value).second)
      found.emplace_back(ArrayRef(run.order).slice(
          interval.begin, interval.end - interval.begin));
  }
  return found;
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
  std::vector<Run> best;
  int64_t bestBytes = std::numeric_limits<int64_t>::max();
  for (bool late : {false, true}) {
    std::vector<unsigned> phases = partitioner.getPhases(late);
    for (const std::vector<unsigned> &priorities : orders) {
      std::vector<Run> runs =
          partitioner.makeRuns(partitioner.getOrder(phases, priorities));
      int64_t bytes = 0;
      for (const Run &run : runs)
        bytes += run.getLeast().first;
      if (bytes < bestBytes) {
        bestBytes = bytes;
        best = std::move(runs);
      }
    }
  }

  std::vector<std::optional<unsigned>> parts(nodes.size());
  unsigned next = 0;
  for (const SmallVector<unsigned> &interval : partitioner.cut(std::move(best)))
    for (const SmallVector<unsigned> &component :
         partitioner.getComponents(interval)) {
      for (unsigned group : component)
        for (unsigned member : groups[group].members)
          parts[member] = next;
      ++next;
    }
  return parts;
}
