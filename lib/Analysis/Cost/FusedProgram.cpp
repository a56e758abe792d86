//===- FusedProgram.cpp - Time of a program after plain fusion ------------===//
//
// Makes groups of operators, each a kernel: elementwise operators, casts and
// layout operators join the kernel that makes or reads their values, as
// compilers that know no more than that do. A group
// has at most one other operator, the anchor. What an anchor loads several
// times is computed as often there. Two groups become one where that is faster
// by the model, so that the program is never slower than with a kernel for each
// operator.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Cost/CostModel.h"
#include "Mirage/Semantics/ShapeRules.h"
#include "OperatorWork.h"
#include "Origins.h"
#include "llvm/ADT/MapVector.h"

using namespace mirage;

namespace {

struct Group {
  /// The nodes in program order.
  std::vector<unsigned> nodes;
  /// The operator that is no elementwise or layout operator, if there is one.
  std::optional<unsigned> anchor;
  KernelSummary summary;
  KernelCost cost;
};

class FusedProgram {
public:
  FusedProgram(const MuGraph &graph, const TargetDescription &target,
               CostModel model);

  ProgramCost run();

private:
  /// How often a group computes a value, and how often it loads what the value
  /// is made of.
  struct Factors {
    double computed = 0, loaded = 0;
  };

  bool isInside(const Group &group, unsigned node) const {
    return llvm::is_contained(group.nodes, node);
  }
  bool isFixed(const Group &group) const;
  bool canFuse(const Group &before, const Group &after) const;
  bool hasOtherPath(unsigned before, unsigned after) const;
  bool isUsedOutside(unsigned node,
                     llvm::function_ref<bool(unsigned)> isMeant) const;
  bool isUsedOutside(const Group &group, unsigned node) const {
    return isUsedOutside(node,
                         [&](unsigned user) { return isInside(group, user); });
  }
  KernelSummary summarizeGroup(const Group &group) const;
  llvm::DenseMap<unsigned, Factors> getFactors(const Group &group) const;
  bool tryMerge(unsigned before, unsigned after);

  const MuGraph &graph;
  const TargetDescription &target;
  CostModel model;
  Origins origins;
  /// The groups; merged ones are empty.
  std::vector<Group> groups;
  /// The group of each node that is a kernel.
  llvm::DenseMap<unsigned, unsigned> groupOf;
  /// The node that makes a tensor, and those that read it.
  llvm::DenseMap<MuValue, unsigned> maker;
  llvm::MapVector<MuValue, llvm::SmallVector<unsigned, 2>> readers;
  /// The summary of each kernel alone.
  llvm::DenseMap<unsigned, KernelSummary> alone;
};

} // namespace

static bool isLight(const MuNode &node) {
  return node.kind == MuNode::Kind::Operator &&
         (isElementwise(node.op) || isLayout(node.op));
}

/// Returns true for operators that take tensors apart or put them together.
/// What a product computes of a row is in registers of several warps, so that
/// none of them has the elements that such an operator brings together.
static bool movesParts(const MuNode &node) {
  return llvm::is_contained(
      {OpKind::Slice, OpKind::Split, OpKind::Concat, OpKind::Pad}, node.op);
}

FusedProgram::FusedProgram(const MuGraph &graph,
                           const TargetDescription &target, CostModel model)
    : graph(graph), target(target), model(model), origins(graph) {
  for (const ProgramCost::Kernel &kernel :
       estimateProgram(graph, target, model).kernels) {
    const MuNode &node = graph.getNode(kernel.node);
    alone[kernel.node] = kernel.summary;
    groupOf[kernel.node] = groups.size();
    Group &group = groups.emplace_back();
    group.nodes.push_back(kernel.node);
    if (!isLight(node))
      group.anchor = kernel.node;
    group.summary = kernel.summary;
    group.cost = kernel.cost;
    for (MuValue result : node.results)
      maker[result] = kernel.node;
    llvm::SmallDenseSet<MuValue, 4> seen;
    for (MuValue operand : node.operands)
      if (seen.insert(origins.getBase(operand)).second)
        readers[origins.getBase(operand)].push_back(kernel.node);
  }
}

/// Returns true for groups that stay as they are, such as launches, whose
/// graphs say what is in them.
bool FusedProgram::isFixed(const Group &group) const {
  return llvm::any_of(group.nodes, [&](unsigned number) {
    return graph.getNode(number).kind != MuNode::Kind::Operator;
  });
}

/// Returns whether a node's result is the function's, or is read by a node that
/// is not meant.
bool FusedProgram::isUsedOutside(
    unsigned node, llvm::function_ref<bool(unsigned)> isMeant) const {
  return llvm::any_of(graph.getNode(node).results, [&](MuValue result) {
    auto users = readers.find(result);
    return origins.isResult(result) ||
           (users != readers.end() && !llvm::all_of(users->second, isMeant));
  });
}

/// Returns whether something between two groups needs the first and is needed
/// by the second: then they cannot be one kernel.
bool FusedProgram::hasOtherPath(unsigned before, unsigned after) const {
  llvm::SmallDenseSet<unsigned> seen;
  llvm::SmallVector<unsigned> worklist;
  auto visit = [&](unsigned group) {
    for (unsigned node : groups[group].nodes)
      for (MuValue operand : graph.getNode(node).operands)
        if (auto made = maker.find(origins.getBase(operand));
            made != maker.end() && seen.insert(groupOf.at(made->second)).second)
          worklist.push_back(groupOf.at(made->second));
  };
  seen.insert(before);
  seen.insert(after);
  visit(after);
  while (!worklist.empty()) {
    unsigned group = worklist.pop_back_val();
    for (unsigned node : groups[group].nodes)
      for (MuValue operand : graph.getNode(node).operands)
        if (auto made = maker.find(origins.getBase(operand));
            made != maker.end() && groupOf.at(made->second) == before)
          return true;
    visit(group);
  }
  return false;
}

/// Returns whether the second group can be computed where the first one is, or
/// the first one where the second one reads it.
bool FusedProgram::canFuse(const Group &before, const Group &after) const {
  if (isFixed(before) || isFixed(after) || (before.anchor && after.anchor))
    return false;
  auto count = [&](unsigned node) {
    return elementCount(graph.getShape(graph.getNode(node).results[0]));
  };
  // A kernel has the anchor's results in registers, one after another: what
  // spreads them over more elements needs all of a row first.
  if (before.anchor) {
    bool isProduct = !getProducts(graph, graph.getNode(*before.anchor)).empty();
    return llvm::all_of(after.nodes, [&](unsigned node) {
      return count(node) <= count(*before.anchor) &&
             !(isProduct && movesParts(graph.getNode(node)));
    });
  }
  if (!after.anchor)
    return true;
  const MuNode &anchor = graph.getNode(*after.anchor);
  if (anchor.op == OpKind::Attention)
    return false;
  // A product reads its operands once for each of its tiles, so that nothing is
  // written on the way to it. A reduction reads its operand in order.
  if (getProducts(graph, anchor).empty())
    return true;
  auto isIn = [&](unsigned user) {
    return isInside(before, user) || isInside(after, user);
  };
  return llvm::none_of(
      before.nodes, [&](unsigned node) { return isUsedOutside(node, isIn); });
}

llvm::DenseMap<unsigned, FusedProgram::Factors>
FusedProgram::getFactors(const Group &group) const {
  llvm::DenseMap<unsigned, Factors> factors;
  for (unsigned number : llvm::reverse(group.nodes)) {
    const MuNode &node = graph.getNode(number);
    Factors own;
    if (number == group.anchor || isUsedOutside(group, number))
      own = {1, 1};
    for (MuValue result : node.results) {
      auto users = readers.find(result);
      if (users == readers.end())
        continue;
      double bytes = getBytes(graph, result),
             elements = elementCount(graph.getShape(result));
      for (unsigned user : users->second) {
        if (!isInside(group, user))
          continue;
        const MuNode &reader = graph.getNode(user);
        Factors theirs = factors.lookup(user);
        auto loads = getOperatorLoads(graph, reader);
        for (auto [i, operand] : llvm::enumerate(reader.operands)) {
          if (origins.getBase(operand) != result)
            continue;
          double reads = loads[i] / bytes;
          own.loaded = std::max(own.loaded, theirs.loaded * reads);
          if (user != group.anchor)
            reads = elementCount(graph.getShape(reader.results[0])) / elements;
          own.computed = std::max(own.computed, theirs.computed * reads);
        }
      }
    }
    // The anchor's own results are computed once.
    factors[number] = number == group.anchor ? Factors{1, 1} : own;
  }
  return factors;
}

/// Returns what the group moves and computes as one kernel: values that only
/// the group needs are not moved.
KernelSummary FusedProgram::summarizeGroup(const Group &group) const {
  llvm::DenseMap<unsigned, Factors> factors = getFactors(group);
  KernelSummary s = alone.at(group.anchor.value_or(group.nodes.front()));
  double anchorLoads = group.anchor ? s.loadedBytes : 0;
  for (double *sum :
       {&s.loadedBytes, &s.distinctBytes, &s.storedBytes, &s.hotDistinctBytes,
        &s.hotStoredBytes, &s.tensorFlops, &s.wgmmaFlops, &s.mmaSyncFlops,
        &s.otherFlops, &s.scalarInstructions, &s.exponentials, &s.sharedTraffic,
        &s.dependentSteps})
    *sum = 0;
  // Operators without an anchor read a tensor once for all of them.
  llvm::MapVector<MuValue, double> loads;
  llvm::MapVector<MuValue, double> touched;
  for (unsigned number : group.nodes) {
    const MuNode &node = graph.getNode(number);
    const KernelSummary &own = alone.at(number);
    double times = factors.at(number).computed;
    s.tensorFlops += own.tensorFlops * times;
    s.wgmmaFlops += own.wgmmaFlops * times;
    s.mmaSyncFlops += own.mmaSyncFlops * times;
    s.otherFlops += own.otherFlops * times;
    s.scalarInstructions += own.scalarInstructions * times;
    s.exponentials += own.exponentials * times;
    s.sharedTraffic += own.sharedTraffic;
    s.dependentSteps += own.dependentSteps;
    if (!s.isLaunch && own.blocks > s.blocks) {
      s.blocks = own.blocks;
      s.grid = own.grid;
    }
    auto bytes = getOperatorLoads(graph, node);
    for (auto [i, operand] : llvm::enumerate(node.operands)) {
      MuValue base = origins.getBase(operand);
      if (origins.isImmediate(base))
        continue;
      auto made = maker.find(base);
      if (made != maker.end() && isInside(group, made->second)) {
        if (number == group.anchor)
          anchorLoads -= bytes[i];
        continue;
      }
      double &most = touched[base];
      most = std::max(most, node.op == OpKind::Slice ? bytes[i]
                                                     : getBytes(graph, base));
      if (number != group.anchor)
        loads[base] =
            std::max(loads[base], bytes[i] * factors.at(number).loaded);
    }
    for (MuValue result : node.results) {
      if (!isUsedOutside(group, number))
        continue;
      s.storedBytes += getBytes(graph, result);
      if (!origins.isResult(result))
        s.hotStoredBytes += getBytes(graph, result);
    }
  }
  s.loadedBytes = anchorLoads;
  for (auto [base, bytes] : loads)
    s.loadedBytes += bytes;
  for (auto [base, bytes] : touched) {
    s.distinctBytes += bytes;
    if (!origins.isCold(base))
      s.hotDistinctBytes += bytes;
  }
  return s;
}

/// Makes one group of two, of which the second reads the first, if it can be
/// one kernel, and a faster one.
bool FusedProgram::tryMerge(unsigned before, unsigned after) {
  if (before == after || !canFuse(groups[before], groups[after]) ||
      hasOtherPath(before, after))
    return false;
  Group merged;
  std::merge(groups[before].nodes.begin(), groups[before].nodes.end(),
             groups[after].nodes.begin(), groups[after].nodes.end(),
             std::back_inserter(merged.nodes));
  merged.anchor =
      groups[before].anchor ? groups[before].anchor : groups[after].anchor;
  merged.summary = summarizeGroup(merged);
  merged.cost = estimateKernel(merged.summary, target, model);
  if (merged.cost.microseconds >=
      groups[before].cost.microseconds + groups[after].cost.microseconds)
    return false;
  for (unsigned node : groups[after].nodes)
    groupOf[node] = before;
  groups[before] = std::move(merged);
  groups[after] = Group();
  return true;
}

ProgramCost FusedProgram::run() {
  bool hasChanged = true;
  while (hasChanged) {
    hasChanged = false;
    for (const auto &[value, users] : readers) {
      auto made = maker.find(value);
      if (made == maker.end())
        continue;
      for (unsigned user : users)
        hasChanged |= tryMerge(groupOf.at(made->second), groupOf.at(user));
    }
  }
  ProgramCost program;
  for (const Group &group : groups) {
    if (group.nodes.empty())
      continue;
    program.microseconds += group.cost.microseconds;
    program.kernels.push_back(
        {group.anchor.value_or(group.nodes.back()), group.summary, group.cost,
         llvm::SmallVector<unsigned, 1>(group.nodes.begin(),
                                        group.nodes.end())});
  }
  return program;
}

ProgramCost mirage::estimateFusedProgram(const MuGraph &graph,
                                         const TargetDescription &target,
                                         CostModel model) {
  return FusedProgram(graph, target, model).run();
}
