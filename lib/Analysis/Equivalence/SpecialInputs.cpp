//===- SpecialInputs.cpp - Inputs at which operators change ---------------===//
//
// Follows elements of an argument to the operators at which they may change
// what happens.
//
//===----------------------------------------------------------------------===//

#include "SpecialInputs.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace mirage;
using namespace mirage::equivalence;
using llvm::SmallVector;

namespace {
/// Follows one argument through a program of primitive operators.
class Follow {
public:
  Follow(const MuGraph &graph, unsigned number)
      : graph(graph), from(graph.getRegion().arguments[number]),
        states(graph.getNumValues()), constants(graph.getNumValues()),
        positive(graph.getNumValues()) {
    for (MuValue argument : graph.getRegion().arguments)
      states[argument] = kOther;
    states[from] = kItself | kElement | kSigned | kLow;
    visit(0);
  }

  ArgumentTraits take(unsigned number, ElementType type);

private:
  /// What a value's elements have to do with the argument's.
  enum State : uint8_t {
    /// They are elements of it.
    kItself = 1,
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
    traits.isUnderRoot |= states[value] & (kElement | kSum);
  }
  void judgeInfinities(MuValue value) { infinities |= states[value] & kBoth; }
  uint8_t getState(const MuNode &node) const;
  uint8_t getInfinities(const MuNode &node) const;
  bool isSigned(const MuNode &node) const;
  bool isPositive(const MuNode &node) const;
  void pass(MuValue from, MuValue to) {
    states[to] |= states[from];
    positive[to] = positive[from];
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
  /// Values that are positive whatever the arguments are.
  std::vector<bool> positive;
  ArgumentTraits traits;
  /// kLow and kHigh of what exponentials and maxima are taken of.
  uint8_t infinities = 0;
  /// Whether it is multiplied, or summed, and so no mask that is only added.
  bool isFactor = false;
  /// Whether single elements, or sums of them, decide something or are a pole.
  bool decides = false, decidesBySum = false;
  /// What elements themselves, or functions of them, are compared with.
  std::vector<double> compared, comparedBehind;
};
} // namespace

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
  case OpKind::Scale: {
    double factor = node.attributes.scalar;
    return factor == 0 ? 0 : times(all, factor > 0 ? 1 : -1);
  }
  case OpKind::Mul:
    return (of(0) ? times(of(0), getSign(node.operands[1])) : 0) |
           (of(1) ? times(of(1), getSign(node.operands[0])) : 0);
  case OpKind::Div:
    return of(0) ? times(of(0), getSign(node.operands[1])) : 0;
  case OpKind::Select:
    return of(1) | of(2);
  case OpKind::Abs:
  case OpKind::Square:
  case OpKind::Pow:
    return kBoth;
  case OpKind::Matmul:
  case OpKind::ConcatMatmul:
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
  if (isLayout(node.op) || node.op == OpKind::Cast)
    return llvm::any_of(node.operands,
                        [&](MuValue v) { return states[v] & kSigned; });
  switch (node.op) {
  case OpKind::Scale:
    return node.attributes.scalar > 0 && of(0);
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

bool Follow::isPositive(const MuNode &node) const {
  auto all = [&] {
    return llvm::all_of(node.operands, [&](MuValue v) { return positive[v]; });
  };
  switch (node.op) {
  case OpKind::Constant:
    return llvm::all_of(*node.attributes.values,
                        [](double x) { return x > 0; });
  case OpKind::Exp:
  case OpKind::Sigmoid:
    return true;
  case OpKind::Max:
    return positive[node.operands[0]] || positive[node.operands[1]];
  case OpKind::Scale:
    return node.attributes.scalar > 0 && all();
  case OpKind::Add:
  case OpKind::Mul:
  case OpKind::Div:
  case OpKind::Min:
  case OpKind::Sqrt:
  case OpKind::Pow:
  case OpKind::Square:
  case OpKind::Abs:
  case OpKind::Reduce:
  case OpKind::Matmul:
  case OpKind::Cast:
    return all();
  case OpKind::Pad:
    return node.attributes.scalar > 0 && all();
  default:
    return isLayout(node.op) && all();
  }
}

uint8_t Follow::getState(const MuNode &node) const {
  uint8_t all = 0;
  for (MuValue operand : node.operands)
    all |= states[operand];
  uint8_t state = getInfinities(node) | (isSigned(node) ? kSigned : 0);
  if (isLayout(node.op) || node.op == OpKind::Cast)
    return state | (all & (kItself | kElement | kSum | kOther));
  if (isElementwise(node.op))
    return state | (all & (kElement | kSum | kOther));
  return state | (all & (kElement | kSum) ? kSum : 0) | (all & kOther);
}

void Follow::judgeChange(MuValue value) {
  decides |= states[value] & kElement;
  decidesBySum |= states[value] & kSum;
}

void Follow::judgePole(MuValue value) {
  if (positive[value])
    return;
  judgeChange(value);
  traits.isDivided |= states[value] & (kElement | kSum);
}

void Follow::judgeComparison(const MuNode &node) {
  for (unsigned i : {0, 1}) {
    MuValue operand = node.operands[i], other = node.operands[1 - i];
    uint8_t state = states[operand];
    if (!(state & (kElement | kSum)))
      continue;
    judgeChange(operand);
    traits.isCompared |= (state | states[other]) & kOther;
    double number = constants[other].value_or(0);
    if (std::isfinite(number) && state & kElement)
      (state & kItself ? compared : comparedBehind).push_back(number);
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
  case OpKind::ConcatMatmul:
  case OpKind::Conv2d:
  case OpKind::Square:
    isFactor |= hasInfinities(node);
    return;
  case OpKind::Mul:
    for (unsigned i : {0, 1})
      isFactor |=
          !getSign(node.operands[1 - i]) && states[node.operands[i]] & kBoth;
    return;
  case OpKind::Compare:
    return judgeComparison(node);
  case OpKind::Select:
    traits.isCompared |=
        states[first] & (kElement | kSum) && states[first] & kOther;
    return judgeChange(first);
  case OpKind::Div:
    if (!positive[node.operands[1]])
      traits.isDivided |= states[first] & (kElement | kSum);
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
  } else if (node.op == OpKind::Cast ||
             (isLayout(node.op) && node.op != OpKind::Pad)) {
    number = constants[node.operands[0]];
    for (MuValue operand : node.operands)
      if (constants[operand] != number)
        number.reset();
  }
  uint8_t state = 0;
  if (!node.operands.empty()) {
    judge(node);
    state = getState(node);
  }
  for (MuValue result : node.results) {
    states[result] = state;
    constants[result] = number;
    positive[result] = isPositive(node);
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
          (state & (kBoth | kOther)) | (state & (kElement | kSum) ? kSum : 0);
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

/// Numbers on all sides of the given ones, and these.
static std::vector<double> getSides(std::vector<double> numbers) {
  llvm::sort(numbers);
  numbers.erase(llvm::unique(numbers), numbers.end());
  std::vector<double> sides = numbers;
  if (numbers.empty())
    return sides;
  sides.push_back(numbers.front() - (1 + std::fabs(numbers.front())));
  sides.push_back(numbers.back() + (1 + std::fabs(numbers.back())));
  for (size_t i = 1; i < numbers.size(); ++i)
    sides.push_back((numbers[i - 1] + numbers[i]) / 2);
  return sides;
}

ArgumentTraits Follow::take(unsigned number, ElementType type) {
  using Others = Special::Others;
  if (number >= 64)
    return std::move(traits);
  auto add = [&](double special, Others others, bool onlyLines = false) {
    // A type may have no infinities, or no number that is so large.
    if (std::isinf(special) == std::isinf(roundTo(type, special)) &&
        llvm::none_of(traits.specials, [&](const Special &other) {
          return other.number == special && other.others == others;
        }))
      traits.specials.push_back(
          {uint64_t(1) << number, special, others, onlyLines, {}});
  };
  double lowest = -std::ldexp(1.0, 1023);
  while (std::isinf(roundTo(type, lowest)))
    lowest /= 2;
  for (int sign : {1, -1}) {
    if (!(infinities & (sign > 0 ? kLow : kHigh)))
      continue;
    add(-sign * HUGE_VAL, Others::Normal);
    // The lowest finite number is what many masks have in its place: the power
    // of two and as much again but for rounding.
    double most = lowest, step = lowest / 2;
    while (roundTo(type, most + step) == most + step &&
           std::isfinite(most + step)) {
      most += step;
      step /= 2;
    }
    if (!isFactor)
      add(sign * most, Others::Normal);
  }
  if (decides) {
    // Masks of zeros and ones, whatever is made of them.
    add(0, Others::One);
    add(1, Others::Zero);
    add(0, Others::Normal);
    if (traits.isPositive)
      add(0, Others::Positive);
    for (double side : getSides(compared))
      add(side, Others::Normal);
    // With either sign: it may have been subtracted from something.
    for (double side : getSides(comparedBehind))
      for (int sign : {1, -1})
        add(sign * side, Others::Normal);
  } else if (decidesBySum) {
    add(0, Others::Normal, /*onlyLines=*/true);
  }
  return std::move(traits);
}

SmallVector<ArgumentTraits>
mirage::equivalence::findArgumentTraits(const MuGraph &program) {
  MuGraph graph = expandToPrimitives(program);
  SmallVector<ArgumentTraits> arguments;
  for (auto [i, argument] : llvm::enumerate(graph.getRegion().arguments))
    arguments.push_back(
        Follow(graph, i).take(i, graph.getValue(argument).type));
  return arguments;
}
