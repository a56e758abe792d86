//===- SpecialInputs.cpp - Inputs at which operators change ---------------===//
//
// Follows elements of an argument to the operators at which they may change
// what happens.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/Floats/SpecialInputs.h"
#include "Mirage/Analysis/Equivalence/ValueFacts.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace mirage;
using namespace mirage::equivalence;
using llvm::SmallVector;

namespace {
/// Follows one argument through a program of primitive operators.
class Follow {
public:
  Follow(const MuGraph &graph, llvm::ArrayRef<ValueFacts> facts,
         unsigned number)
      : graph(graph), from(graph.getRegion().arguments[number]),
        states(graph.getNumValues()), constants(graph.getNumValues()),
        facts(facts), affine(graph.getNumValues()) {
    for (MuValue argument : graph.getRegion().arguments)
      states[argument] = kOther;
    states[from] = kElement | kSigned | kLow;
    affine[from].factor = 1;
    visit(0);
  }

  ArgumentTraits take(unsigned number, ElementType type);

private:
  /// What a value's elements have to do with the argument's.
  enum State : uint8_t {
    /// They have been added to something that does not depend on it.
    kAdded = 1,
    /// Each depends on some element of it, by functions of elements.
    kElement = 2,
    /// They depend on sums or products of matrices.
    kSum = 4,
    /// -inf where an element is -inf, and where one is +inf.
    kLow = 8,
    kHigh = 16,
    /// They depend on another argument.
    kOther = 32,
    /// They have the sign of its elements, or are above by a constant.
    kSigned = 64,
  };
  static constexpr uint8_t kBoth = kLow | kHigh;
  static constexpr uint8_t kDepends = kElement | kSum;

  /// A value as factor * element + offset, from some of its offsets. Other
  /// arguments are taken for zero.
  struct Affine {
    bool isKnown = true;
    double factor = 0;
    double low = 0, middle = 0, high = 0;

    Affine operator+(const Affine &other) const {
      return {isKnown && other.isKnown, factor + other.factor, low + other.low,
              middle + other.middle, high + other.high};
    }
    Affine operator*(double number) const {
      return {isKnown, factor * number, std::min(low * number, high * number),
              middle * number, std::max(low * number, high * number)};
    }
  };

  void visit(unsigned region);
  void visit(const MuNode &node);
  void visitOperator(const MuNode &node);
  void judge(const MuNode &node);
  void judgeComparison(const MuNode &node);
  /// An operator changes where the value is zero, or on one side of something.
  void judgeChange(MuValue value);
  /// An operator has no value where this one is zero.
  void judgePole(MuValue value);
  bool hasInfinities(const MuNode &node) const {
    return llvm::any_of(node.operands,
                        [&](MuValue v) { return states[v] & kBoth; });
  }
  void judgeRoot(MuValue value) {
    traits.isPositive |= states[value] & kSigned;
    traits.isUnderRoot |= states[value] & kDepends;
  }
  void judgeInfinities(MuValue value) {
    infinities |= states[value] & kBoth;
    if (states[value] & kBoth)
      isAdded |= states[value] & kAdded;
  }
  Affine getAffine(const MuNode &node) const;
  uint8_t getState(const MuNode &node) const;
  uint8_t getInfinities(const MuNode &node) const;
  bool isSigned(const MuNode &node) const;
  void pass(MuValue from, MuValue to) {
    states[to] |= states[from];
    affine[to] = affine[from];
    if (constants[from])
      constants[to] = constants[from];
  }
  /// The sign of a finite constant: -1 or 1, and zero for all else.
  int getSign(MuValue value) const {
    if (!constants[value] || !std::isfinite(*constants[value]))
      return 0;
    return *constants[value] > 0 ? 1 : *constants[value] < 0 ? -1 : 0;
  }

  const MuGraph &graph;
  MuValue from;
  std::vector<uint8_t> states;
  /// Of values with elements of one sign and about one size: the first.
  std::vector<std::optional<double>> constants;
  /// What is known whatever numbers the arguments are.
  llvm::ArrayRef<ValueFacts> facts;
  std::vector<Affine> affine;
  ArgumentTraits traits;
  /// kLow and kHigh of what exponentials and maxima are taken of.
  uint8_t infinities = 0;
  /// Whether it is multiplied, or summed, and so no mask that is only added;
  /// and whether it is added to anything.
  bool isFactor = false, isAdded = false;
  /// Whether single elements, or sums of them, decide something or are a pole.
  bool decides = false, decidesBySum = false;
  /// At which elements something changes on their sides, or has a pole; and
  /// what functions of elements, or sums, are compared with.
  std::vector<double> sides, poles, comparedBehind, comparedSums;
};
} // namespace

/// What is finite of a constant, sorted.
static std::vector<double> getFinite(const OpAttributes &attributes) {
  std::vector<double> values;
  for (double value : *attributes.values)
    if (std::isfinite(value))
      values.push_back(value);
  llvm::sort(values);
  return values;
}

Follow::Affine Follow::getAffine(const MuNode &node) const {
  auto of = [&](unsigned i) { return affine[node.operands[i]]; };
  auto depends = [&](MuValue v) { return (states[v] & kDepends) != 0; };
  auto isNumber = [&](unsigned i) {
    return constants[node.operands[i]] && of(i).low == of(i).high;
  };
  switch (node.op) {
  case OpKind::Constant: {
    std::vector<double> values = getFinite(node.attributes);
    if (values.empty())
      return {};
    return {true, 0, values.front(), values[values.size() / 2], values.back()};
  }
  case OpKind::Add:
    return of(0) + of(1);
  case OpKind::Sub:
    return of(0) + of(1) * -1;
  case OpKind::Mul:
    for (unsigned i : {0, 1})
      if (isNumber(i))
        return of(1 - i) * of(i).middle;
    break;
  case OpKind::Div:
    if (isNumber(1) && of(1).middle != 0)
      return of(0) * (1 / of(1).middle);
    break;
  default:
    if (isLayout(node.op)) {
      const auto *first = llvm::find_if(node.operands, depends);
      return affine[first == node.operands.end() ? node.operands[0] : *first];
    }
  }
  Affine other;
  other.isKnown = llvm::none_of(node.operands, depends);
  return other;
}

/// What is -inf where a value is +inf.
static uint8_t exchange(uint8_t infinities, uint8_t low, uint8_t high) {
  return (infinities & low ? high : 0) | (infinities & high ? low : 0);
}

uint8_t Follow::getInfinities(const MuNode &node) const {
  auto of = [&](unsigned i) -> uint8_t {
    return states[node.operands[i]] & kBoth;
  };
  uint8_t all = 0;
  for (unsigned i = 0; i < node.operands.size(); ++i)
    all |= of(i);
  if (!all)
    return 0;
  // By a factor of unknown sign either infinity becomes either.
  auto times = [&](uint8_t infinities, int sign) -> uint8_t {
    return sign > 0   ? infinities
           : sign < 0 ? exchange(infinities, kLow, kHigh)
                      : kBoth;
  };
  switch (node.op) {
  case OpKind::Sub:
    // A maximum that is subtracted makes NaN of an infinity.
    return of(0) ? of(0) : times(of(1), -1);
  case OpKind::Mul:
    return (of(0) ? times(of(0), getSign(node.operands[1])) : 0) |
           (of(1) ? times(of(1), getSign(node.operands[0])) : 0);
  case OpKind::Div:
    return of(0) ? times(of(0), getSign(node.operands[1])) : 0;
  case OpKind::Select:
    return of(1) | of(2);
  case OpKind::Pow:
    return kBoth;
  case OpKind::Matmul:
  case OpKind::Conv2d:
  case OpKind::Compare:
  case OpKind::Exp:
  case OpKind::Sigmoid:
  case OpKind::Tanh:
  case OpKind::Erf:
    return 0;
  default:
    return all;
  }
}

bool Follow::isSigned(const MuNode &node) const {
  auto of = [&](unsigned i) {
    return (states[node.operands[i]] & kSigned) != 0;
  };
  if (isLayout(node.op))
    return llvm::any_of(node.operands,
                        [&](MuValue v) { return states[v] & kSigned; });
  switch (node.op) {
  case OpKind::Sqrt:
    return of(0);
  case OpKind::Add:
    return (of(0) && constants[node.operands[1]]) ||
           (of(1) && constants[node.operands[0]]);
  case OpKind::Mul:
    return (of(0) && getSign(node.operands[1]) > 0) ||
           (of(1) && getSign(node.operands[0]) > 0);
  case OpKind::Div:
    return of(0) && getSign(node.operands[1]) > 0;
  default:
    return false;
  }
}

uint8_t Follow::getState(const MuNode &node) const {
  uint8_t all = 0;
  for (MuValue operand : node.operands)
    all |= states[operand];
  uint8_t state = getInfinities(node) | (isSigned(node) ? kSigned : 0);
  if (isLayout(node.op))
    return state | (all & (kDepends | kOther | kAdded));
  if (node.op == OpKind::Add || node.op == OpKind::Sub)
    for (unsigned i : {0, 1}) {
      MuValue other = node.operands[1 - i];
      if (states[node.operands[i]] & kBoth && !(states[other] & kDepends) &&
          !constants[other])
        state |= kAdded;
    }
  if (isElementwise(node.op))
    return state | (all & (kDepends | kOther | kAdded));
  return state | (all & kDepends ? kSum : 0) | (all & (kOther | kAdded));
}

void Follow::judgeChange(MuValue value) {
  decides |= states[value] & kElement;
  decidesBySum |= states[value] & kSum;
}

void Follow::judgePole(MuValue value) {
  if (facts[value].isNonZero)
    return;
  judgeChange(value);
  traits.isDivided |= states[value] & kDepends;
  traits.isCompared |= states[value] & kDepends && states[value] & kOther;
  const Affine &a = affine[value];
  if (a.isKnown && a.factor != 0)
    for (double offset : {a.low, a.middle, a.high})
      poles.push_back(-offset / a.factor);
}

void Follow::judgeComparison(const MuNode &node) {
  for (unsigned i : {0, 1}) {
    MuValue operand = node.operands[i], other = node.operands[1 - i];
    uint8_t state = states[operand];
    if (!(state & kDepends))
      continue;
    judgeChange(operand);
    traits.isCompared |= (state | states[other]) & kOther;
    if (constants[other] && std::isinf(*constants[other]))
      infinities |= kBoth;
    const Affine &a = affine[operand], &b = affine[other];
    double factor = a.factor - b.factor;
    if (a.isKnown && b.isKnown && factor != 0)
      for (double offset :
           {b.low - a.high, b.middle - a.middle, b.high - a.low})
        sides.push_back(offset / factor);
    if (!a.isKnown || !b.isKnown)
      for (double number : {b.low, b.middle, b.high})
        (state & kElement ? comparedBehind : comparedSums).push_back(number);
  }
}

/// Notes where an operator makes something else of special elements.
void Follow::judge(const MuNode &node) {
  MuValue first = node.operands[0];
  switch (node.op) {
  case OpKind::Exp:
    return judgeInfinities(first);
  case OpKind::Max:
  case OpKind::Min:
    judgeInfinities(first);
    return judgeInfinities(node.operands[1]);
  case OpKind::Reduce:
    if (node.attributes.reduceKind == ReduceKind::Max)
      return judgeInfinities(first);
    [[fallthrough]];
  case OpKind::Matmul:
  case OpKind::Conv2d:
    isFactor |= hasInfinities(node);
    return;
  case OpKind::Mul:
    for (unsigned i : {0, 1}) {
      uint8_t state = states[node.operands[i]];
      MuValue factor = node.operands[1 - i];
      // Before it is added, its size would be another.
      bool isLarge =
          !(state & kAdded) && std::fabs(constants[factor].value_or(0)) > 1;
      isFactor |= (!getSign(factor) || isLarge) && state & kBoth;
    }
    return;
  case OpKind::Compare:
    return judgeComparison(node);
  case OpKind::Select:
    traits.isCompared |= states[first] & kDepends && states[first] & kOther;
    for (unsigned i : {1, 2}) {
      const Affine &a = affine[node.operands[i]];
      traits.isChosen |= a.isKnown && a.factor != 0;
    }
    return judgeChange(first);
  case OpKind::Div:
    if (!facts[node.operands[1]].isNonZero)
      traits.isDivided |= states[first] & kDepends;
    return judgePole(node.operands[1]);
  case OpKind::Sqrt:
    return judgeRoot(first);
  case OpKind::Pow:
    isFactor |= hasInfinities(node);
    judgeRoot(first);
    if (node.attributes.scalar < 0)
      judgePole(first);
    return;
  case OpKind::Log:
    judgeRoot(first);
    return judgePole(first);
  default:
    return;
  }
}

void Follow::visitOperator(const MuNode &node) {
  std::optional<double> number;
  if (node.op == OpKind::Constant) {
    llvm::ArrayRef<double> values = *node.attributes.values;
    if (llvm::all_of(values, [&](double x) {
          return (x > 0) == (values[0] > 0) && (x < 0) == (values[0] < 0);
        }))
      number = values[0];
  } else if (isLayout(node.op) && node.op != OpKind::Pad) {
    number = constants[node.operands[0]];
    for (MuValue operand : node.operands)
      if (constants[operand] != number)
        number.reset();
  }
  uint8_t state = 0;
  Affine value = getAffine(node);
  if (!node.operands.empty()) {
    judge(node);
    state = getState(node);
  }
  for (MuValue result : node.results) {
    states[result] = state;
    affine[result] = value;
    constants[result] = number;
  }
}

void Follow::visit(const MuNode &node) {
  switch (node.kind) {
  case MuNode::Kind::Operator:
    visitOperator(node);
    break;
  case MuNode::Kind::Graph:
    for (auto [operand, argument] :
         llvm::zip(node.operands, graph.getRegion(node.body).arguments))
      pass(operand, argument);
    [[fallthrough]];
  case MuNode::Kind::Loop:
    visit(node.body);
    for (auto [inner, result] :
         llvm::zip(graph.getRegion(node.body).results, node.results))
      pass(inner, result);
    break;
  case MuNode::Kind::Accumulate:
    if (node.accumulate == AccumulateKind::Max)
      judgeInfinities(node.operands[0]);
    if (node.operands.size() > 1)
      judgeInfinities(node.operands[1]);
    pass(node.operands[0], node.results[0]);
    if (node.accumulate != AccumulateKind::Concat) {
      uint8_t &state = states[node.results[0]];
      state =
          (state & (kBoth | kOther | kAdded)) | (state & kDepends ? kSum : 0);
      affine[node.results[0]].isKnown = !(state & kSum);
    }
    break;
  case MuNode::Kind::Store:
    if (llvm::is_contained(node.omap, kReduceMax))
      judgeInfinities(node.operands[0]);
    [[fallthrough]];
  case MuNode::Kind::Load:
    pass(node.operands[0], node.results[0]);
    break;
  }
}

void Follow::visit(unsigned region) {
  for (unsigned number : graph.getRegion(region).nodes)
    visit(graph.getNode(number));
}

/// Numbers on all sides of the given ones, and these, or some of very many.
static std::vector<double> getSides(std::vector<double> numbers) {
  constexpr size_t most = 8;
  llvm::sort(numbers);
  numbers.erase(llvm::unique(numbers), numbers.end());
  if (numbers.size() > most) {
    std::vector<double> some;
    for (size_t i = 0; i < most; ++i)
      some.push_back(numbers[i * (numbers.size() - 1) / (most - 1)]);
    numbers = std::move(some);
  }
  std::vector<double> sides = numbers;
  if (numbers.empty())
    return sides;
  sides.push_back(numbers.front() - (1 + std::fabs(numbers.front())));
  sides.push_back(numbers.back() + (1 + std::fabs(numbers.back())));
  for (size_t i = 1; i < numbers.size(); ++i)
    sides.push_back((numbers[i - 1] + numbers[i]) / 2);
  return sides;
}

/// The largest finite number.
static double getLargest(ElementType type) {
  double largest = std::ldexp(1.0, 1023);
  while (std::isinf(roundTo(type, largest)))
    largest /= 2;
  for (double step = largest / 2;
       std::isfinite(largest + step) &&
       roundTo(type, largest + step) == largest + step;
       step /= 2)
    largest += step;
  return largest;
}

ArgumentTraits Follow::take(unsigned number, ElementType type) {
  using Others = Special::Others;
  auto add = [&](double special, Others others, bool onlyLines = false) {
    // A type may have no infinities, or no number that is so large.
    if (std::isinf(special) == std::isinf(roundTo(type, special)) &&
        llvm::none_of(traits.specials, [&](const Special &other) {
          return other.elements[0].number == special &&
                 other.elements[0].others == others;
        }))
      traits.specials.push_back({{{{number}, special, others}}, onlyLines, {}});
  };
  for (int sign : {1, -1}) {
    if (!(infinities & (sign > 0 ? kLow : kHigh)))
      continue;
    add(-sign * HUGE_VAL, Others::Normal);
    // What many masks have in its place.
    if (isAdded && !isFactor)
      add(-sign * getLargest(type), Others::Normal);
  }
  traits.isMask = decides;
  if (decides || decidesBySum) {
    // Masks of zeros and ones, whatever is made of them.
    add(0, Others::One, !decides);
    add(1, Others::Zero, !decides);
    add(0, Others::Normal, !decides);
    if (traits.isPositive)
      add(0, Others::Positive, !decides);
  }
  for (double side : getSides(sides))
    add(side, Others::Normal);
  for (double pole : poles)
    add(pole, Others::Normal);
  // With either sign: it may have been subtracted from something.
  for (double side : getSides(comparedBehind))
    for (int sign : {1, -1})
      add(sign * side, Others::Normal);
  for (double side : getSides(comparedSums))
    for (int sign : {1, -1})
      add(sign * side, Others::Normal, /*onlyLines=*/true);
  return std::move(traits);
}

std::vector<ArgumentTraits>
equivalence::findArgumentTraits(const MuGraph &program) {
  MuGraph graph = expandToPrimitives(program);
  std::vector<ValueFacts> facts = findFacts(graph);
  std::vector<ArgumentTraits> arguments;
  for (auto [i, argument] : llvm::enumerate(graph.getRegion().arguments))
    arguments.push_back(
        Follow(graph, facts, i).take(i, graph.getValue(argument).type));
  return arguments;
}

std::vector<Special>
equivalence::findJointSpecials(llvm::ArrayRef<ArgumentTraits> traits) {
  using Others = Special::Others;
  std::vector<Special> specials;
  SmallVector<unsigned, 1> divided;
  for (unsigned i = 0; i < traits.size(); ++i)
    if (traits[i].isDivided)
      divided.push_back(i);
  if (divided.size() > 1)
    specials.push_back(
        {{{divided, 0, Others::Normal}}, /*onlyLines=*/false, {}});
  for (unsigned i = 0; i < traits.size(); ++i) {
    SmallVector<double, 2> infinities;
    for (const Special &special : traits[i].specials)
      if (std::isinf(special.elements[0].number))
        infinities.push_back(special.elements[0].number);
    if (infinities.empty() && traits[i].isChosen)
      infinities.push_back(HUGE_VAL);
    for (unsigned j = 0; j < traits.size(); ++j)
      for (double infinity : infinities)
        if (i != j && traits[j].isMask)
          for (bool isHiddenByZero : {false, true})
            specials.push_back({{{{i}, infinity, Others::Normal},
                                 {{j},
                                  isHiddenByZero ? 0.0 : 1.0,
                                  isHiddenByZero ? Others::One : Others::Zero}},
                                /*onlyLines=*/false,
                                {}});
  }
  return specials;
}
