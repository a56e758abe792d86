//===- Oracle.cpp - Whether µGraphs compute the same ----------------------===//
//
// Draws inputs and compares results. Inputs are of several sorts, so that
// different elements are the maximum, that differences of scale show, that
// functions are defined which are not for negative numbers, and that others are
// far from where they are nearly constant.
//
//===----------------------------------------------------------------------===//

#include "Oracle.h"
#include "ElementSystem.h"
#include "Evaluator.h"
#include <array>
#include <cmath>
#include <random>

using namespace mirage;
using namespace mirage::mutate;

/// Returns true if an operator and its constants take fractions to fractions.
static bool isRational(const MuGraph &graph, const MuNode &node) {
  auto isFraction = [&](double value) {
    ExactConstant constant = getExactConstant(
        value, node.op == OpKind::Scale ? getAttributeType(value)
                                        : graph.getValue(node.results[0]).type);
    return !constant.ln2 && constant.radicand == 1 && !constant.sqrtPi;
  };
  switch (node.op) {
  case OpKind::Exp:
  case OpKind::Exp2:
  case OpKind::Log:
  case OpKind::Sqrt:
  case OpKind::Rsqrt:
  case OpKind::Silu:
  case OpKind::Sigmoid:
  case OpKind::Gelu:
  case OpKind::Mish:
  case OpKind::Tanh:
  case OpKind::Erf:
  case OpKind::Pow:
  case OpKind::RmsNorm:
  case OpKind::LayerNorm:
  case OpKind::GroupNorm:
  case OpKind::InstanceNorm:
  case OpKind::BatchNorm:
  case OpKind::Softmax:
  case OpKind::LogSoftmax:
  case OpKind::Attention:
    return false;
  case OpKind::Constant:
    return llvm::all_of(*node.attributes.values, isFraction);
  case OpKind::Scale:
  case OpKind::Pad:
    return isFraction(node.attributes.scalar);
  case OpKind::Add:
  case OpKind::Sub:
  case OpKind::Mul:
  case OpKind::Div:
  case OpKind::Max:
  case OpKind::Min:
  case OpKind::Compare:
  case OpKind::Select:
  case OpKind::Abs:
  case OpKind::Square:
  case OpKind::Relu:
  case OpKind::Clamp:
  case OpKind::Cast:
  case OpKind::Repeat:
  case OpKind::Broadcast:
  case OpKind::Reshape:
  case OpKind::Transpose:
  case OpKind::Slice:
  case OpKind::Split:
  case OpKind::Concat:
  case OpKind::Reduce:
#define MIRAGE_CONTRACTION_OP(Kind, ...) case OpKind::Kind:
#include "Mirage/Semantics/OpKinds.def"
  case OpKind::Variance:
    return true;
  }
  llvm_unreachable("unknown operator");
}

/// Returns true if a graph takes fractions to fractions.
static bool isRational(const MuGraph &graph) {
  for (unsigned number = 0; number < graph.getNumNodes(); ++number) {
    const MuNode &node = graph.getNode(number);
    if (node.kind == MuNode::Kind::Accumulate &&
        node.accumulate == AccumulateKind::RescaledSum)
      return false;
    if (node.kind == MuNode::Kind::Operator && !isRational(graph, node))
      return false;
  }
  return true;
}

/// Returns true if an operator takes one element here and another there.
static bool hasPieces(const MuNode &node) {
  switch (node.op) {
  case OpKind::Max:
  case OpKind::Min:
  case OpKind::Compare:
  case OpKind::Select:
  case OpKind::Abs:
  case OpKind::Relu:
  case OpKind::Clamp:
    return true;
  case OpKind::Reduce:
    return node.attributes.reduceKind == ReduceKind::Max;
  case OpKind::Add:
  case OpKind::Sub:
  case OpKind::Mul:
  case OpKind::Div:
  case OpKind::Exp:
  case OpKind::Exp2:
  case OpKind::Log:
  case OpKind::Sqrt:
  case OpKind::Rsqrt:
  case OpKind::Square:
  case OpKind::Silu:
  case OpKind::Sigmoid:
  case OpKind::Gelu:
  case OpKind::Mish:
  case OpKind::Tanh:
  case OpKind::Erf:
  case OpKind::Scale:
  case OpKind::Pow:
  case OpKind::Cast:
  case OpKind::Constant:
#define MIRAGE_LAYOUT_OP(Kind, ...) case OpKind::Kind:
#include "Mirage/Semantics/OpKinds.def"
#define MIRAGE_CONTRACTION_OP(Kind, ...) case OpKind::Kind:
#include "Mirage/Semantics/OpKinds.def"
#define MIRAGE_COMPOSITE_OP(Kind, ...) case OpKind::Kind:
#include "Mirage/Semantics/OpKinds.def"
    return false;
  }
  llvm_unreachable("unknown operator");
}

static bool hasPieces(const MuGraph &graph) {
  for (unsigned number = 0; number < graph.getNumNodes(); ++number) {
    const MuNode &node = graph.getNode(number);
    if (node.kind == MuNode::Kind::Operator && hasPieces(node))
      return true;
  }
  return false;
}

template <typename Number, typename Draw>
static std::vector<std::vector<Number>> drawInputs(const MuGraph &graph,
                                                   Draw draw) {
  std::vector<std::vector<Number>> inputs;
  for (MuValue argument : graph.getRegion().arguments) {
    auto &numbers = inputs.emplace_back();
    for (int64_t i = 0; i < elementCount(graph.getShape(argument)); ++i)
      numbers.push_back(draw());
  }
  return inputs;
}

Oracle::Oracle(const MuGraph &lhs, uint64_t seed) : lhs(lhs) {
  // This is not std::uniform_real_distribution, which libraries define
  // differently.
  std::mt19937_64 random(seed);
  auto uniform = [&] { return std::ldexp(double(random() >> 11), -53); };
  auto centered = [&] { return Real(3 * uniform() - 1.5); };
  // Returns magnitudes from 2^-5 to 2^2.
  auto spread = [&] {
    double magnitude = std::exp2(7 * uniform() - 5);
    return Real(random() & 1 ? magnitude : -magnitude);
  };
  auto positive = [&] { return Real(0.1 + 2 * uniform()); };
  auto small = [&] { return Real(0.4 * uniform() - 0.2); };
  // An element of a function that is put together from pieces may be in the
  // same piece many times.
  unsigned rounds = hasPieces(lhs) ? 12 : 1;
  for (unsigned round = 0; round < rounds; ++round) {
    addSample(reals, drawInputs<Real>(lhs, centered));
    addSample(reals, drawInputs<Real>(lhs, spread));
    addSample(reals, drawInputs<Real>(lhs, positive));
    addSample(reals, drawInputs<Real>(lhs, small));
  }
  if (!isRational(lhs))
    return;
  for (unsigned round = 0; round < 3 * rounds; ++round) {
    int64_t denominator = std::array{1, 3, 4}[round % 3];
    addSample(rationals, drawInputs<Rational>(lhs, [&] {
                int64_t numerator = 1 + static_cast<int64_t>(random() % 50);
                return Rational(random() & 1 ? numerator : -numerator,
                                denominator);
              }));
  }
}

template <typename Number>
void Oracle::addSample(std::vector<Sample<Number>> &samples,
                       std::vector<std::vector<Number>> inputs) {
  Sample<Number> sample{std::move(inputs), {}};
  Evaluator<Number> evaluator(lhs, sample.inputs);
  for (auto [number, result] : llvm::enumerate(lhs.getRegion().results)) {
    auto &numbers = sample.results.emplace_back();
    for (int64_t i = 0; i < elementCount(lhs.getShape(result)); ++i)
      numbers.push_back(evaluator.getResult(number, i));
  }
  samples.push_back(std::move(sample));
}

OracleAnswer Oracle::compare(const MuGraph &rhs) const {
  if (!rationals.empty() && isRational(rhs))
    return compare(rationals, rhs);
  return compare(reals, rhs);
}

template <typename Number>
OracleAnswer Oracle::compare(const std::vector<Sample<Number>> &samples,
                             const MuGraph &rhs) const {
  // The facts that are known of an element.
  struct Seen {
    bool sharp = false, undefined = true;
  };
  std::vector<std::vector<Seen>> seen;
  for (const auto &numbers : samples.front().results)
    seen.emplace_back(numbers.size());
  auto getPlace = [](size_t result, size_t element) {
    return "result " + std::to_string(result) + ", element " +
           std::to_string(element);
  };
  for (auto [which, sample] : llvm::enumerate(samples)) {
    Evaluator<Number> evaluator(rhs, sample.inputs);
    for (auto [result, numbers] : llvm::enumerate(sample.results))
      for (auto [i, a] : llvm::enumerate(numbers)) {
        Number b = evaluator.getResult(result, static_cast<int64_t>(i));
        if (Number::differ(a, b))
          return {OracleAnswer::Kind::Different,
                  "input " + std::to_string(which) + ", " +
                      getPlace(result, i) + ": " + a.toString() + " and " +
                      b.toString()};
        seen[result][i].sharp |= Number::areSharp(a, b);
        seen[result][i].undefined &= !a.isUnknown() && b.isUnknown();
      }
  }
  OracleAnswer answer{OracleAnswer::Kind::Equal, {}};
  for (auto [result, elements] : llvm::enumerate(seen))
    for (auto [i, element] : llvm::enumerate(elements)) {
      if (element.undefined)
        return {OracleAnswer::Kind::Undefined, getPlace(result, i)};
      if (!element.sharp)
        answer.kind = OracleAnswer::Kind::Unknown;
    }
  return answer;
}
