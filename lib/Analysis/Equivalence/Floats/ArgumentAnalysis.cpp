//===- ArgumentAnalysis.cpp - What becomes of one argument ----------------===//
//
// One rule for each kind of node: what a result has to do with the argument,
// and what an operator makes of special elements.
//
//===----------------------------------------------------------------------===//

#include "ArgumentAnalysis.h"
#include "Mirage/MuGraph/ExpandedKind.h"

using namespace mirage;
using namespace mirage::equivalence;
using enum Dependence::Flag;

static constexpr uint8_t kBoth = Dependence::kBoth;
static constexpr uint8_t kDepends = Dependence::kDepends;

ArgumentAnalysis::ArgumentAnalysis(const MuGraph &graph,
                                   llvm::ArrayRef<ValueFacts> facts,
                                   unsigned argument)
    : ForwardAnalysis(graph), facts(facts) {
  llvm::ArrayRef<MuValue> arguments = graph.getRegion().arguments;
  for (MuValue other : arguments)
    set(other, {kOther});
  set(arguments[argument], {kElement | kSigned | kLow, {true, 1}});
  run();
}

//===----------------------------------------------------------------------===//
// What a result has to do with the argument
//===----------------------------------------------------------------------===//

/// The different finite numbers among others, in their order, and how often
/// each is there; nothing if they are more than a few, or zeros of both signs.
static std::optional<llvm::SmallVector<std::pair<double, size_t>, 8>>
countNumbers(llvm::ArrayRef<double> values) {
  constexpr size_t most = 8;
  llvm::SmallVector<std::pair<double, size_t>, 8> counts;
  size_t last = 0;
  for (double value : values) {
    if (!std::isfinite(value))
      continue;
    if (last == counts.size() || counts[last].first != value) {
      last = llvm::find_if(counts,
                           [&](const auto &c) { return c.first == value; }) -
             counts.begin();
      if (last == most)
        return std::nullopt;
      if (last == counts.size())
        counts.push_back({value, 0});
    }
    if (std::signbit(counts[last].first) != std::signbit(value))
      return std::nullopt;
    ++counts[last].second;
  }
  llvm::sort(counts);
  return counts;
}

/// The least, the middle and the greatest of a constant's finite numbers.
static Affine getNumbers(const OpAttributes &attributes) {
  // Masks have millions of elements, and few different ones.
  if (auto counts = countNumbers(*attributes.values)) {
    if (counts->empty())
      return {};
    size_t all = 0, before = 0;
    for (const auto &[value, count] : *counts)
      all += count;
    const auto *middle = counts->begin();
    for (; before + middle->second <= all / 2; ++middle)
      before += middle->second;
    return {true, 0, counts->front().first, middle->first,
            counts->back().first};
  }
  std::vector<double> values;
  llvm::copy_if(*attributes.values, std::back_inserter(values),
                [](double value) { return std::isfinite(value); });
  if (values.empty())
    return {};
  auto middle = values.begin() + values.size() / 2;
  std::nth_element(values.begin(), middle, values.end());
  return {true, 0, *std::min_element(values.begin(), middle + 1), *middle,
          *std::max_element(middle, values.end())};
}

Affine ArgumentAnalysis::getAffine(const MuNode &node) const {
  auto of = [&](unsigned i) { return operand(node, i).affine; };
  auto depends = [&](MuValue v) { return get(v).has(kDepends); };
  auto isNumber = [&](unsigned i) {
    return operand(node, i).constant && of(i).low == of(i).high;
  };
  switch (getExpandedKind(node.op)) {
  case ExpandedKind::Constant:
    return getNumbers(node.attributes);
  case ExpandedKind::Add:
    return of(0) + of(1);
  case ExpandedKind::Sub:
    return of(0) + of(1) * -1;
  case ExpandedKind::Mul:
    for (unsigned i : {0, 1})
      if (isNumber(i))
        return of(1 - i) * of(i).middle;
    break;
  case ExpandedKind::Div:
    if (isNumber(1) && of(1).middle != 0)
      return of(0) * (1 / of(1).middle);
    break;
  case ExpandedKind::Pad:
  case ExpandedKind::Layout: {
    const auto *first = llvm::find_if(node.operands, depends);
    return get(first == node.operands.end() ? node.operands[0] : *first).affine;
  }
  case ExpandedKind::Max:
  case ExpandedKind::Min:
  case ExpandedKind::Compare:
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
    break;
  }
  Affine other;
  other.isKnown = llvm::none_of(node.operands, depends);
  return other;
}

std::optional<double> ArgumentAnalysis::getConstant(const MuNode &node) const {
  if (node.op == OpKind::Constant) {
    llvm::ArrayRef<double> values = *node.attributes.values;
    bool haveOneSign = llvm::all_of(values, [&](double x) {
      return (x > 0) == (values[0] > 0) && (x < 0) == (values[0] < 0);
    });
    return haveOneSign ? std::optional(values[0]) : std::nullopt;
  }
  if (!isLayout(node.op) || node.op == OpKind::Pad)
    return std::nullopt;
  std::optional<double> number = operand(node, 0).constant;
  for (MuValue value : node.operands)
    if (get(value).constant != number)
      number.reset();
  return number;
}

/// Says what is -inf where a value is +inf.
static uint8_t exchange(uint8_t infinities) {
  return (infinities & kLow ? kHigh : 0) | (infinities & kHigh ? kLow : 0);
}

/// Says what infinities become by a factor of this sign; if the sign is
/// unknown, either becomes either.
static uint8_t multiply(uint8_t infinities, int sign) {
  return sign > 0 ? infinities : sign < 0 ? exchange(infinities) : kBoth;
}

uint8_t ArgumentAnalysis::getInfinities(const MuNode &node) const {
  auto of = [&](unsigned i) -> uint8_t {
    return operand(node, i).flags & kBoth;
  };
  uint8_t all = 0;
  for (unsigned i = 0; i < node.operands.size(); ++i)
    all |= of(i);
  if (!all)
    return 0;
  switch (getExpandedKind(node.op)) {
  case ExpandedKind::Sub:
    // A maximum that is subtracted makes NaN of an infinity.
    return of(0) ? of(0) : multiply(of(1), -1);
  case ExpandedKind::Mul:
    return (of(0) ? multiply(of(0), operand(node, 1).getSign()) : 0) |
           (of(1) ? multiply(of(1), operand(node, 0).getSign()) : 0);
  case ExpandedKind::Div:
    return of(0) ? multiply(of(0), operand(node, 1).getSign()) : 0;
  case ExpandedKind::Select:
    return of(1) | of(2);
  case ExpandedKind::Pow:
    return kBoth;
  case ExpandedKind::Matmul:
  case ExpandedKind::Conv2d:
  case ExpandedKind::Compare:
  case ExpandedKind::Exp:
  case ExpandedKind::Sigmoid:
  case ExpandedKind::Tanh:
  case ExpandedKind::Erf:
    return 0;
  case ExpandedKind::Add:
  case ExpandedKind::Max:
  case ExpandedKind::Min:
  case ExpandedKind::Log:
  case ExpandedKind::Sqrt:
  case ExpandedKind::Constant:
  case ExpandedKind::Pad:
  case ExpandedKind::Layout:
  case ExpandedKind::Reduce:
    return all;
  }
  llvm_unreachable("not an operator of an expanded program");
}

bool ArgumentAnalysis::isSigned(const MuNode &node) const {
  auto of = [&](unsigned i) { return operand(node, i).has(kSigned); };
  auto isConstant = [&](unsigned i) {
    return operand(node, i).constant.has_value();
  };
  auto isPositive = [&](unsigned i) { return operand(node, i).getSign() > 0; };
  switch (getExpandedKind(node.op)) {
  case ExpandedKind::Sqrt:
    return of(0);
  case ExpandedKind::Add:
    return (of(0) && isConstant(1)) || (of(1) && isConstant(0));
  case ExpandedKind::Mul:
    return (of(0) && isPositive(1)) || (of(1) && isPositive(0));
  case ExpandedKind::Div:
    return of(0) && isPositive(1);
  case ExpandedKind::Pad:
  case ExpandedKind::Layout:
    return llvm::any_of(node.operands,
                        [&](MuValue v) { return get(v).has(kSigned); });
  case ExpandedKind::Sub:
  case ExpandedKind::Max:
  case ExpandedKind::Min:
  case ExpandedKind::Compare:
  case ExpandedKind::Select:
  case ExpandedKind::Exp:
  case ExpandedKind::Log:
  case ExpandedKind::Sigmoid:
  case ExpandedKind::Erf:
  case ExpandedKind::Tanh:
  case ExpandedKind::Pow:
  case ExpandedKind::Constant:
  case ExpandedKind::Reduce:
  case ExpandedKind::Matmul:
  case ExpandedKind::Conv2d:
    return false;
  }
  llvm_unreachable("not an operator of an expanded program");
}

uint8_t ArgumentAnalysis::getFlags(const MuNode &node) const {
  if (node.operands.empty())
    return 0;
  uint8_t all = 0;
  for (MuValue value : node.operands)
    all |= get(value).flags;
  uint8_t flags = getInfinities(node) | (isSigned(node) ? kSigned : 0);
  if (isLayout(node.op))
    return flags | (all & (kDepends | kOther | kAdded));
  if (node.op == OpKind::Add || node.op == OpKind::Sub)
    for (unsigned i : {0, 1}) {
      const Dependence &other = operand(node, 1 - i);
      if (operand(node, i).has(kBoth) && !other.has(kDepends) &&
          !other.constant)
        flags |= kAdded;
    }
  if (isElementwise(node.op))
    return flags | (all & (kDepends | kOther | kAdded));
  return flags | (all & kDepends ? kSum : 0) | (all & (kOther | kAdded));
}

Dependence ArgumentAnalysis::visitOperator(const MuNode &node) {
  if (!node.operands.empty())
    judge(node);
  return {getFlags(node), getAffine(node), getConstant(node)};
}

Dependence ArgumentAnalysis::visitAccumulate(const MuNode &node) {
  if (node.accumulate == AccumulateKind::Max)
    judgeInfinities(node.operands[0]);
  if (node.operands.size() > 1)
    judgeInfinities(node.operands[1]);
  Dependence result = operand(node, 0);
  if (node.accumulate != AccumulateKind::Concat) {
    result.flags = (result.flags & (kBoth | kOther | kAdded)) |
                   (result.has(kDepends) ? kSum : 0);
    result.affine.isKnown = !result.has(kSum);
  }
  return result;
}

Dependence ArgumentAnalysis::visitStore(const MuNode &node) {
  if (llvm::is_contained(node.omap, kReduceMax))
    judgeInfinities(node.operands[0]);
  return operand(node, 0);
}

//===----------------------------------------------------------------------===//
// What an operator makes of special elements
//===----------------------------------------------------------------------===//

void ArgumentAnalysis::judgeRoot(MuValue value) {
  uses.traits.isPositive |= get(value).has(kSigned);
  uses.traits.isUnderRoot |= get(value).has(kDepends);
}

void ArgumentAnalysis::judgeInfinities(MuValue value) {
  const Dependence &from = get(value);
  uses.infinities |= from.flags & kBoth;
  uses.isAdded |= from.has(kBoth) && from.has(kAdded);
}

void ArgumentAnalysis::judgeChange(MuValue value) {
  uses.decides |= get(value).has(kElement);
  uses.decidesBySum |= get(value).has(kSum);
}

void ArgumentAnalysis::judgePole(MuValue value) {
  if (facts[value].isNonZero)
    return;
  judgeChange(value);
  const Dependence &from = get(value);
  uses.traits.isDivided |= from.has(kDepends);
  uses.traits.isCompared |= from.has(kDepends) && from.has(kOther);
  const Affine &a = from.affine;
  if (a.isKnown && a.factor != 0)
    for (double offset : {a.low, a.middle, a.high})
      uses.poles.push_back(-offset / a.factor);
}

void ArgumentAnalysis::judgeProduct(const MuNode &node) {
  for (unsigned i : {0, 1}) {
    const Dependence &from = operand(node, i), &factor = operand(node, 1 - i);
    // Before it is added, its size would be another.
    bool isLarge =
        !from.has(kAdded) && std::fabs(factor.constant.value_or(0)) > 1;
    uses.isFactor |= (!factor.getSign() || isLarge) && from.has(kBoth);
  }
}

void ArgumentAnalysis::judgeComparison(const MuNode &node) {
  for (unsigned i : {0, 1}) {
    const Dependence &side = operand(node, i), &other = operand(node, 1 - i);
    if (!side.has(kDepends))
      continue;
    judgeChange(node.operands[i]);
    uses.traits.isCompared |= side.has(kOther) || other.has(kOther);
    if (other.constant && std::isinf(*other.constant))
      uses.infinities |= kBoth;
    const Affine &a = side.affine, &b = other.affine;
    double factor = a.factor - b.factor;
    if (a.isKnown && b.isKnown && factor != 0)
      for (double offset :
           {b.low - a.high, b.middle - a.middle, b.high - a.low})
        uses.sides.push_back(offset / factor);
    if (!a.isKnown || !b.isKnown)
      for (double number : {b.low, b.middle, b.high})
        (side.has(kElement) ? uses.comparedBehind : uses.comparedSums)
            .push_back(number);
  }
}

void ArgumentAnalysis::judgeChoice(const MuNode &node) {
  const Dependence &condition = operand(node, 0);
  uses.traits.isCompared |= condition.has(kDepends) && condition.has(kOther);
  for (unsigned i : {1, 2}) {
    const Affine &a = operand(node, i).affine;
    uses.traits.isChosen |= a.isKnown && a.factor != 0;
  }
  judgeChange(node.operands[0]);
}

void ArgumentAnalysis::judge(const MuNode &node) {
  MuValue first = node.operands[0];
  auto hasInfinities = [&] {
    return llvm::any_of(node.operands,
                        [&](MuValue v) { return get(v).has(kBoth); });
  };
  switch (getExpandedKind(node.op)) {
  case ExpandedKind::Exp:
    return judgeInfinities(first);
  case ExpandedKind::Max:
  case ExpandedKind::Min:
    judgeInfinities(first);
    return judgeInfinities(node.operands[1]);
  case ExpandedKind::Reduce:
    if (node.attributes.reduceKind == ReduceKind::Max)
      return judgeInfinities(first);
    [[fallthrough]];
  case ExpandedKind::Matmul:
  case ExpandedKind::Conv2d:
    uses.isFactor |= hasInfinities();
    return;
  case ExpandedKind::Add:
  case ExpandedKind::Sub:
    uses.traits.isSummand |= getFlags(node) & kAdded;
    return;
  case ExpandedKind::Mul:
    return judgeProduct(node);
  case ExpandedKind::Compare:
    return judgeComparison(node);
  case ExpandedKind::Select:
    return judgeChoice(node);
  case ExpandedKind::Div:
    if (!facts[node.operands[1]].isNonZero)
      uses.traits.isDivided |= get(first).has(kDepends);
    return judgePole(node.operands[1]);
  case ExpandedKind::Sqrt:
    return judgeRoot(first);
  case ExpandedKind::Pow:
    uses.isFactor |= hasInfinities();
    judgeRoot(first);
    if (node.attributes.scalar < 0)
      judgePole(first);
    return;
  case ExpandedKind::Log:
    judgeRoot(first);
    return judgePole(first);
  case ExpandedKind::Sigmoid:
  case ExpandedKind::Erf:
  case ExpandedKind::Tanh:
  case ExpandedKind::Constant:
  case ExpandedKind::Pad:
  case ExpandedKind::Layout:
    return;
  }
}
