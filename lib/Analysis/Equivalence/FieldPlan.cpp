//===- FieldPlan.cpp - Which residues an evaluation needs -----------------===//
//
// Goes backwards from the results, of which the residues in Z_p are needed. An
// exponential asks for its argument's residues in Z_q, other operators for
// those of the plane in which their result is needed.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/FieldPlan.h"
#include "Mirage/Analysis/Equivalence/ValueFacts.h"
#include "Mirage/MuGraph/ExpandedKind.h"
#include "Mirage/MuGraph/ForwardAnalysis.h"
#include "Mirage/Semantics/ExactConstant.h"
#include <cmath>
#include <set>

using namespace mirage;
using namespace mirage::equivalence;

static constexpr unsigned kNeedsP = 1 << kPlaneP, kNeedsQ = 1 << kPlaneQ;

static const char *const kNestedExponential =
    "outside Lax: the exponential's result is needed inside of another "
    "exponential";

FieldPlan::FieldPlan(const MuGraph &graph)
    : graph(&graph), needed(graph.getNumValues(), 0),
      conditions(graph.getNumValues(), false), lastUses(graph.getNumNodes()) {
  for (MuValue result : graph.getRegion().results)
    need(result, kNeedsP);
  visitRegion(0);
  findConditions();
  findComparisons();
  findLastUses();
  std::set<std::string> names(functions.begin(), functions.end());
  functions.assign(names.begin(), names.end());
}

void FieldPlan::findLastUses() {
  std::vector<bool> used(graph->getNumValues(), false);
  for (MuValue result : graph->getRegion().results)
    used[result] = true;
  for (unsigned number : llvm::reverse(graph->getRegion().nodes)) {
    const MuNode &node = graph->getNode(number);
    auto use = [&](MuValue value) {
      if (!used[value])
        lastUses[number].push_back(value);
      used[value] = true;
    };
    // Results that nobody uses go at once.
    llvm::for_each(node.results, use);
    llvm::for_each(node.operands, use);
  }
}

void FieldPlan::visitRegion(unsigned region) {
  for (unsigned number : llvm::reverse(graph->getRegion(region).nodes)) {
    const MuNode &node = graph->getNode(number);
    unsigned planes = 0;
    for (MuValue result : node.results)
      planes |= needed[result];
    if (!planes)
      continue;
    switch (node.kind) {
    case MuNode::Kind::Operator:
      visitOperator(node);
      break;
    case MuNode::Kind::Graph:
    case MuNode::Kind::Loop: {
      const MuRegion &body = graph->getRegion(node.body);
      for (auto [result, inner] : llvm::zip(node.results, body.results))
        need(inner, needed[result]);
      visitRegion(node.body);
      for (auto [operand, argument] : llvm::zip(node.operands, body.arguments))
        need(operand, needed[argument]);
      break;
    }
    case MuNode::Kind::Store:
      if (llvm::is_contained(node.omap, kReduceMax))
        functions.push_back("max");
      need(node.operands[0], planes);
      break;
    case MuNode::Kind::Load:
      need(node.operands[0], planes);
      break;
    case MuNode::Kind::Accumulate:
      need(node.operands[0], planes);
      if (node.accumulate == AccumulateKind::Max)
        functions.push_back("max");
      if (node.accumulate == AccumulateKind::RescaledSum) {
        exponential = true;
        functions.push_back("max");
        if (planes & kNeedsQ && !problem)
          problem = {node.location, kNestedExponential};
        need(node.operands[1], kNeedsQ);
      }
      break;
    }
  }
}

void FieldPlan::visitOperator(const MuNode &node) {
  unsigned planes = 0;
  for (MuValue result : node.results)
    planes |= needed[result];
  auto addFunction = [&](llvm::StringRef name) {
    functions.push_back(name.str());
  };
  switch (getExpandedKind(node.op)) {
  case ExpandedKind::Exp:
    exponential = true;
    if (planes & kNeedsQ && !problem)
      problem = {node.location, kNestedExponential};
    need(node.operands[0], kNeedsQ);
    return;
  case ExpandedKind::Max:
  case ExpandedKind::Min:
  case ExpandedKind::Compare:
  case ExpandedKind::Select:
  case ExpandedKind::Log:
  case ExpandedKind::Sqrt:
  case ExpandedKind::Sigmoid:
  case ExpandedKind::Erf:
  case ExpandedKind::Tanh:
  case ExpandedKind::Pow:
    addFunction(getOpInfo(node.op).mnemonic);
    break;
  case ExpandedKind::Reduce:
    if (node.attributes.reduceKind == ReduceKind::Max)
      addFunction("max");
    break;
  case ExpandedKind::Constant:
    for (double value : *node.attributes.values) {
      if (std::isnan(value) && !problem)
        problem = {node.location, "a constant is no number"};
      if (std::isnan(value))
        continue;
      // Named numbers have laws that tests don't know, such as exp(ln 2) = 2;
      // and one program may hold as an exact number of a wider type what the
      // other holds as a rounding.
      ExactConstant exact =
          getExactConstant(value, graph->getValue(node.results[0]).type);
      if (exact.infinity)
        addFunction("infinity");
      if (exact.isNamed())
        addFunction("named constants");
    }
    break;
  case ExpandedKind::Pad:
    if (std::isinf(node.attributes.scalar))
      addFunction("infinity");
    break;
  case ExpandedKind::Add:
  case ExpandedKind::Sub:
  case ExpandedKind::Mul:
  case ExpandedKind::Div:
  case ExpandedKind::Layout:
  case ExpandedKind::Matmul:
  case ExpandedKind::Conv2d:
    break;
  }
  for (MuValue operand : node.operands)
    need(operand, planes);
}

namespace {
/// A value is a condition if all its elements are zero or one.
struct Truth {
  bool isCondition = false;
};

class ConditionAnalysis final : public ForwardAnalysis<Truth> {
public:
  explicit ConditionAnalysis(const MuGraph &graph) : ForwardAnalysis(graph) {
    run();
  }

private:
  Truth visitOperator(const MuNode &node) override;
  Truth visitAccumulate(const MuNode &node) override {
    return {node.accumulate == AccumulateKind::Concat && areConditions(node)};
  }
  Truth visitStore(const MuNode &node) override {
    return {!llvm::is_contained(node.omap, kReduceSum) &&
            !llvm::is_contained(node.omap, kReduceMax) && areConditions(node)};
  }

  bool areConditions(const MuNode &node) const {
    return !node.operands.empty() &&
           llvm::all_of(node.operands,
                        [&](MuValue v) { return get(v).isCondition; });
  }
};
} // namespace

Truth ConditionAnalysis::visitOperator(const MuNode &node) {
  auto isZeroOrOne = [](double value) { return value == 0 || value == 1; };
  switch (getExpandedKind(node.op)) {
  case ExpandedKind::Compare:
    return {true};
  case ExpandedKind::Constant:
    return {llvm::all_of(*node.attributes.values, isZeroOrOne)};
  case ExpandedKind::Pad:
    return {isZeroOrOne(node.attributes.scalar) && areConditions(node)};
  case ExpandedKind::Layout:
  case ExpandedKind::Mul:
    return {areConditions(node)};
  case ExpandedKind::Add:
  case ExpandedKind::Sub:
  case ExpandedKind::Div:
  case ExpandedKind::Max:
  case ExpandedKind::Min:
  case ExpandedKind::Select:
  case ExpandedKind::Exp:
  case ExpandedKind::Log:
  case ExpandedKind::Sqrt:
  case ExpandedKind::Sigmoid:
  case ExpandedKind::Erf:
  case ExpandedKind::Tanh:
  case ExpandedKind::Pow:
  case ExpandedKind::Reduce:
  case ExpandedKind::Matmul:
  case ExpandedKind::Conv2d:
    return {false};
  }
  llvm_unreachable("not an operator of an expanded program");
}

void FieldPlan::findConditions() {
  ConditionAnalysis analysis(*graph);
  for (MuValue value = 0; value < graph->getNumValues(); ++value)
    conditions[value] = analysis.get(value).isCondition;
}

void FieldPlan::findComparisons() {
  auto compares = [](const MuNode &node) {
    return node.kind == MuNode::Kind::Operator &&
           (node.op == OpKind::Compare || node.op == OpKind::Select);
  };
  std::vector<ValueFacts> facts;
  for (unsigned number = 0; number < graph->getNumNodes(); ++number) {
    const MuNode &node = graph->getNode(number);
    if (!compares(node))
      continue;
    if (facts.empty()) {
      facts = findFacts(*graph);
      compared.assign(graph->getNumValues(), ComparedAs::Numbers);
    }
    llvm::ArrayRef<MuValue> sides(node.operands);
    if (node.op == OpKind::Select)
      sides = sides.take_front(1);
    ComparedAs &as = compared[node.results[0]];
    if (llvm::any_of(sides, [&](MuValue v) { return facts[v].mayBeUndefined; }))
      as = ComparedAs::Undefined;
    else if (llvm::all_of(sides,
                          [&](MuValue v) { return facts[v].isSmallInteger(); }))
      as = ComparedAs::Integers;
  }
}
