//===- SpecialInputs.cpp - Inputs at which operators change ---------------===//
//
// Follows elements of an argument, as they are, as zeros, and as infinities,
// to the operators that make something else of them.
//
//===----------------------------------------------------------------------===//

#include "SpecialInputs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mirage;
using namespace mirage::equivalence;
using llvm::SmallVector;

bool Pattern::contains(ShapeRef shape, int64_t element, Random random) const {
  if (kind == Kind::Halves) {
    bool isInPart = true;
    int64_t rest = element;
    for (size_t i = shape.size(); i-- > 0; rest /= shape[i])
      isInPart ^= rest % shape[i] >= (shape[i] + 1) / 2;
    return isInPart || random(element, 1) % 8 == 0;
  }
  int64_t stride = 1;
  for (int64_t extent : shape.drop_front(dim + 1))
    stride *= extent;
  int64_t place = element / stride % shape[dim],
          line = element / (stride * shape[dim]) * stride + element % stride;
  uint64_t word = random(line, 2);
  if (kind == Kind::WholeLines && line > 0 && word & 1)
    return true;
  bool isKept = static_cast<int64_t>((word >> 8) % shape[dim]) == place;
  // One element in 2, 4, 8 or 16 of every other line.
  if (word & 2)
    isKept |= random(element, 3) % (uint64_t(2) << (word >> 2 & 3)) == 0;
  return !isKept;
}

std::string Pattern::getName() const {
  switch (kind) {
  case Kind::Halves:
    return "halves";
  case Kind::Lines:
    return llvm::formatv("lines of dimension {0}", dim);
  case Kind::WholeLines:
    return llvm::formatv("whole lines of dimension {0}", dim);
  }
  llvm_unreachable("unknown pattern");
}

namespace {
/// Follows one argument through a program of primitive operators.
class Follow {
public:
  Follow(const MuGraph &graph, unsigned number)
      : graph(graph), from(graph.getRegion().arguments[number]),
        states(graph.getNumValues()), constants(graph.getNumValues()) {
    for (MuValue argument : graph.getRegion().arguments)
      states[argument] = kOther;
    states[from] = kItself | kSigned | kZero | kLow;
    visit(0);
  }

  ArgumentTraits take() { return std::move(traits); }

  /// A special number that was met.
  struct Met {
    double number;
    Special::Others others;
    bool isPole;
  };
  llvm::ArrayRef<Met> getMet() const { return met; }

private:
  /// What a value's elements are, where the argument's are something.
  enum State : uint8_t {
    /// Elements of the argument.
    kItself = 1,
    /// Of its sign, or above by a constant.
    kSigned = 2,
    /// Zero where it is.
    kZero = 4,
    /// -inf where it is -inf, and where it is +inf.
    kLow = 8,
    kHigh = 16,
    /// Elements of another argument.
    kOther = 32,
  };

  void visit(unsigned region);
  void visit(const MuNode &node);
  void visitOperator(const MuNode &node);
  void judge(const MuNode &node);
  void judgeComparison(const MuNode &node);
  uint8_t getState(const MuNode &node) const;
  uint8_t getInfinities(const MuNode &node) const;
  void add(double number, Special::Others others, bool isPole = false) {
    if (met.size() < kMost && llvm::none_of(met, [&](const Met &other) {
          return other.number == number && other.others == others;
        }))
      met.push_back({number, others, isPole});
  }
  void pass(MuValue from, MuValue to) {
    states[to] |= states[from];
    if (constants[from])
      constants[to] = constants[from];
  }
  bool isPositive(MuValue value) const {
    return constants[value] && *constants[value] > 0 &&
           std::isfinite(*constants[value]);
  }
  bool isNegative(MuValue value) const {
    return constants[value] && *constants[value] < 0 &&
           std::isfinite(*constants[value]);
  }

  static constexpr size_t kMost = 8;
  const MuGraph &graph;
  MuValue from;
  std::vector<uint8_t> states;
  /// Of values with elements of one sign and about one size: the first.
  std::vector<std::optional<double>> constants;
  ArgumentTraits traits;
  SmallVector<Met, 4> met;
};
} // namespace

/// What is -inf where a value is +inf.
static uint8_t negate(uint8_t infinities, uint8_t low, uint8_t high) {
  return (infinities & low ? high : 0) | (infinities & high ? low : 0);
}

uint8_t Follow::getInfinities(const MuNode &node) const {
  constexpr uint8_t both = kLow | kHigh;
  auto of = [&](unsigned i) -> uint8_t {
    return states[node.operands[i]] & both;
  };
  uint8_t all = 0;
  for (unsigned i = 0; i < node.operands.size(); ++i)
    all |= of(i);
  switch (node.op) {
  case OpKind::Add:
  case OpKind::Min:
  case OpKind::Max:
  case OpKind::Cast:
  case OpKind::Reduce:
    return all;
  case OpKind::Sub:
    // A maximum that is subtracted makes NaN of an infinity.
    return of(0) ? of(0) : negate(of(1), kLow, kHigh);
  case OpKind::Scale:
    if (node.attributes.scalar == 0)
      return 0;
    return node.attributes.scalar > 0 ? all : negate(all, kLow, kHigh);
  case OpKind::Mul:
  case OpKind::Div: {
    uint8_t result = 0;
    for (unsigned i : {0, 1}) {
      if (node.op == OpKind::Div && i == 1)
        continue;
      MuValue factor = node.operands[1 - i];
      if (isPositive(factor))
        result |= of(i);
      else if (isNegative(factor))
        result |= negate(of(i), kLow, kHigh);
    }
    return result;
  }
  case OpKind::Select:
    return of(1) | of(2);
  default:
    return isLayout(node.op) ? all : 0;
  }
}

/// All but infinities.
uint8_t Follow::getState(const MuNode &node) const {
  uint8_t first = states[node.operands[0]];
  if (isLayout(node.op) || node.op == OpKind::Cast) {
    uint8_t all = 0;
    for (MuValue operand : node.operands)
      all |= states[operand];
    return all & (kItself | kSigned | kZero | kOther);
  }
  switch (node.op) {
  case OpKind::Scale:
    return (node.attributes.scalar > 0 ? first & kSigned : 0) | (first & kZero);
  case OpKind::Sqrt:
    return first & (kSigned | kZero);
  case OpKind::Pow:
    return node.attributes.scalar > 0 ? first & kZero : 0;
  case OpKind::Reduce:
    return first & kZero;
  case OpKind::Add:
    for (unsigned i : {0, 1})
      if (constants[node.operands[1 - i]])
        return states[node.operands[i]] & kSigned;
    return 0;
  case OpKind::Max:
    for (unsigned i : {0, 1})
      if (constants[node.operands[1 - i]] == 0.0)
        return states[node.operands[i]] & kZero;
    return 0;
  case OpKind::Mul:
    if (node.operands[0] == node.operands[1])
      return first & kZero;
    for (unsigned i : {0, 1})
      if (isPositive(node.operands[1 - i]))
        return states[node.operands[i]] & (kSigned | kZero);
    return 0;
  case OpKind::Div:
    return isPositive(node.operands[1]) ? first & (kSigned | kZero) : 0;
  default:
    return 0;
  }
}

void Follow::judgeComparison(const MuNode &node) {
  for (unsigned i : {0, 1}) {
    uint8_t state = states[node.operands[i]];
    MuValue other = node.operands[1 - i];
    if (!(state & (kItself | kZero)))
      continue;
    if (std::optional<double> c = constants[other]) {
      add(0, Special::Others::Normal);
      if (!(state & kItself) || !std::isfinite(*c))
        continue;
      double step = 1 + std::fabs(*c);
      for (double number : {*c, *c - step, *c + step})
        add(number, Special::Others::Normal);
      continue;
    }
    add(0, Special::Others::One);
    traits.isCompared |= states[other] & kOther;
  }
}

/// Notes where an operator makes something else of special elements.
void Follow::judge(const MuNode &node) {
  auto state = [&](unsigned i) { return states[node.operands[i]]; };
  uint8_t first = state(0);
  auto addInfinities = [&](uint8_t states) {
    if (states & kLow)
      add(-HUGE_VAL, Special::Others::Normal);
    if (states & kHigh)
      add(HUGE_VAL, Special::Others::Normal);
  };
  switch (node.op) {
  case OpKind::Exp:
    return addInfinities(first);
  case OpKind::Max:
    return addInfinities(first | state(1));
  case OpKind::Reduce:
    if (node.attributes.reduceKind == ReduceKind::Max)
      addInfinities(first);
    return;
  case OpKind::Compare:
    return judgeComparison(node);
  case OpKind::Select:
    if (first & (kItself | kZero))
      add(0, Special::Others::One);
    return;
  case OpKind::Div:
    if (state(1) & kZero)
      add(0, Special::Others::Normal, /*isPole=*/true);
    return;
  case OpKind::Sqrt:
    traits.isPositive |= first & kSigned;
    return;
  case OpKind::Pow:
    traits.isPositive |= first & kSigned;
    if (node.attributes.scalar < 0 && first & kZero)
      add(0, Special::Others::Positive, /*isPole=*/true);
    return;
  case OpKind::Log:
    traits.isPositive |= first & kSigned;
    if (first & kZero)
      add(0, Special::Others::Positive);
    return;
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
    state = getState(node) | getInfinities(node);
  }
  for (MuValue result : node.results) {
    states[result] = state;
    constants[result] = number;
  }
}

void Follow::visit(const MuNode &node) {
  auto addMaximum = [&](MuValue value) {
    if (states[value] & kLow)
      add(-HUGE_VAL, Special::Others::Normal);
    if (states[value] & kHigh)
      add(HUGE_VAL, Special::Others::Normal);
  };
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
      addMaximum(node.operands[0]);
    if (node.operands.size() > 1)
      addMaximum(node.operands[1]);
    pass(node.operands[0], node.results[0]);
    if (node.accumulate != AccumulateKind::Concat)
      states[node.results[0]] &= kZero | kLow | kHigh;
    break;
  case MuNode::Kind::Store:
    if (llvm::is_contained(node.omap, kReduceMax))
      addMaximum(node.operands[0]);
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

SmallVector<ArgumentTraits>
mirage::equivalence::findArgumentTraits(const MuGraph &program) {
  MuGraph graph = expandToPrimitives(program);
  SmallVector<ArgumentTraits> arguments;
  for (auto [i, argument] : llvm::enumerate(graph.getRegion().arguments)) {
    ElementType type = graph.getValue(argument).type;
    Follow follow(graph, i);
    ArgumentTraits traits = follow.take();
    for (const Follow::Met &met : follow.getMet())
      // A type may have no infinities, or no number that is so large.
      if (std::isinf(met.number) == std::isinf(roundTo(type, met.number)))
        traits.specials.push_back(
            {static_cast<unsigned>(i), met.number, met.others, met.isPole});
    arguments.push_back(std::move(traits));
  }
  return arguments;
}
