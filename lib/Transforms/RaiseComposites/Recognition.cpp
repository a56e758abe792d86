//===- Recognition.cpp - Which operator a cone computes -------------------===//
//
// Proposes operators that a cone may compute and compares them with it. The
// comparison is of numbers in f64 with error bounds, where the cone's constants
// err by what their type rounds off and all else is exact but for f64's own
// rounding. So forms of gelu that differ in the third digit, or epsilons of
// 1e-5 and 1e-6, are told apart, and spellings are not.
//
//===----------------------------------------------------------------------===//

#include "Recognition.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace mirage;

namespace {
/// The facts about a cone that are known before any number is computed.
struct Summary {
  /// The possible inputs of the operator: a leaf of the result's type, or a
  /// leaf as a layout operator of the cone gives it that type.
  SmallVector<Value, 2> inputs;
  SmallVector<Value> vectors;
  Shape shape;
  /// The numbers that the cone has, and those of them that scales multiply
  /// with.
  SmallVector<double> constants, factors;
  llvm::SmallSet<OpKind, 16> kinds;
  /// The number of operators other than casts and constants.
  unsigned numOperators = 0;

  bool has(OpKind kind) const { return kinds.contains(kind); }
  bool hasAny(std::initializer_list<OpKind> list) const {
    return llvm::any_of(list, [&](OpKind kind) { return has(kind); });
  }
};

/// The numbers for the elements of a variable: `offset` plus up to `spread` to
/// either side.
struct Sample {
  double offset, spread;
};
} // namespace

/// Returns a number uniform on [-1, 1), by the finalizer of SplitMix64 (Steele,
/// Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
static double hashToUnit(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  x ^= x >> 31;
  return static_cast<double>(static_cast<int64_t>(x)) * 0x1p-63;
}

static Shape getShape(Value value) {
  return Shape(cast<RankedTensorType>(value.getType()).getShape());
}

/// The input is the one leaf of the result's shape and type, or the one that is
/// no vector and is transposed or reshaped to it; other leaves are vectors
/// along one dimension.
static std::optional<Summary> summarize(const Cone &cone) {
  Summary summary;
  Value input;
  Type resultType = cone.getResult().getType();
  Type elementType = cast<RankedTensorType>(resultType).getElementType();
  summary.shape = getShape(cone.getResult());
  for (Value leaf : cone.leaves) {
    auto type = cast<RankedTensorType>(leaf.getType());
    if (type.getElementType() != elementType)
      return std::nullopt;
    if (type == resultType ||
        llvm::count_if(type.getShape(), [](int64_t n) { return n != 1; }) > 1) {
      if (input)
        return std::nullopt;
      input = leaf;
      continue;
    }
    summary.vectors.push_back(leaf);
  }
  if (!input || summary.vectors.size() > 2)
    return std::nullopt;
  if (input.getType() == resultType)
    summary.inputs.push_back(input);
  for (Operation *op : cone.operators) {
    OpKind kind = cast<ComputeOpInterface>(op).getOpKind();
    if ((kind == OpKind::Transpose || kind == OpKind::Reshape) &&
        op->getOperand(0) == input && op->getResult(0).getType() == resultType)
      summary.inputs.push_back(op->getResult(0));
  }
  if (summary.inputs.empty())
    return std::nullopt;
  for (Operation *op : cone.operators) {
    OpKind kind = cast<ComputeOpInterface>(op).getOpKind();
    if (kind == OpKind::Constant) {
      summary.constants.push_back(*getSplatValue(op->getResult(0)));
      continue;
    }
    if (kind == OpKind::Scale || kind == OpKind::Clamp) {
      OpAttributes attrs = readOpAttributes(op);
      if (kind == OpKind::Scale) {
        summary.constants.push_back(attrs.scalar);
        if (!llvm::is_contained(summary.factors, attrs.scalar))
          summary.factors.push_back(attrs.scalar);
      } else {
        summary.constants.append({attrs.lower, attrs.upper});
      }
    }
    summary.kinds.insert(kind);
    summary.numOperators += kind != OpKind::Cast;
  }
  return summary;
}

/// Says if two numbers differ, or agree as far as is known, or if nothing is
/// known.
enum class Agreement { Differ, Agree, Undecided };

static Agreement compare(Bounded a, Bounded b) {
  double error = a.error + b.error;
  // This holds also where the number is NaN.
  if (!(error < std::numeric_limits<double>::infinity()))
    return Agreement::Undecided;
  double difference = std::fabs(a.value - b.value);
  if (!(difference <= error))
    return Agreement::Differ;
  // A bound that is loose says little. Numbers below 1e-30 are those of
  // exponentials far out, where both are as good as zero.
  double magnitude = std::max(std::fabs(a.value), std::fabs(b.value));
  return error <= 0x1p-8 * magnitude + 1e-30 ? Agreement::Agree
                                             : Agreement::Undecided;
}

namespace {
/// Counts agreements; decides when all samples have been seen.
struct Verdict {
  unsigned agreed = 0, undecided = 0;
  bool differs = false;

  void add(Agreement agreement) {
    differs |= agreement == Agreement::Differ;
    agreed += agreement == Agreement::Agree;
    undecided += agreement == Agreement::Undecided;
  }
  bool isPositive() const { return !differs && agreed > undecided; }
};
} // namespace

/// Points at which functions of one variable are compared: both signs of
/// numbers from 1e-6 to 1e6, and around the cone's constants, where a function
/// that is put together from pieces may change.
static SmallVector<double> getPoints(const Summary &summary) {
  SmallVector<double> points = {0.0};
  for (int i = -96; i <= 96; ++i)
    points.push_back(std::pow(10.0, i / 16.0));
  for (double constant : summary.constants)
    for (double factor : {0.5, 0.99, 1.01, 2.0})
      if (std::isfinite(constant * factor))
        points.push_back(std::fabs(constant * factor));
  size_t count = points.size();
  for (size_t i = 0; i < count; ++i)
    points.push_back(-points[i]);
  return points;
}

static std::optional<Recognized> recognizeFunction(const Cone &cone,
                                                   const Summary &summary) {
  // A maximum with zero is the whole of relu; the other functions take several
  // operators.
  if (summary.numOperators < 2 && !summary.hasAny({OpKind::Max}))
    return std::nullopt;
  Value input = cone.leaves.front();
  if (input != summary.inputs.front())
    return std::nullopt;
  ConeGraph computed(cone);
  SmallVector<double> points = getPoints(summary);
  // Recomputing one element for each point would forget the others.
  ElementGraph &graph = computed.graph;
  int64_t numElements = elementCount(summary.shape);
  auto agrees = [&](ElementGraph::Node node) {
    // A function in pieces may be known on one side of zero only, or far out.
    Verdict negative, positive, moderatelyNegative, moderatelyPositive;
    for (auto [number, point] : llvm::enumerate(points)) {
      // The elements may be anywhere: a function of each element reads no other
      // one.
      double position = (hashToUnit(number) + 1) / 2;
      auto element =
          static_cast<int64_t>(position * static_cast<double>(numElements));
      bool readsOthers = false;
      graph.setSource(computed.leaves[0], [&, point = point](int64_t index) {
        readsOthers |= index != element;
        return point;
      });
      Agreement agreement = compare(graph.evaluate(computed.result, element),
                                    graph.evaluate(node, element));
      if (agreement == Agreement::Differ || readsOthers)
        return false;
      bool isNegative = std::signbit(point);
      (isNegative ? negative : positive).add(agreement);
      if (std::fabs(point) >= 1e-2 && std::fabs(point) <= 16)
        (isNegative ? moderatelyNegative : moderatelyPositive).add(agreement);
    }
    return negative.isPositive() && positive.isPositive() &&
           moderatelyNegative.isPositive() && moderatelyPositive.isPositive();
  };
  auto propose = [&](OpKind kind,
                     GeluForm form =
                         GeluForm::Erf) -> std::optional<Recognized> {
    Recognized candidate{kind, {}, {input}};
    candidate.attributes.geluForm = form;
    if (!agrees(graph.apply(kind, candidate.attributes, computed.leaves)))
      return std::nullopt;
    return candidate;
  };
  for (OpKind kind :
       {OpKind::Relu, OpKind::Sigmoid, OpKind::Silu, OpKind::Mish})
    if (auto found = propose(kind))
      return found;
  for (GeluForm form : {GeluForm::Erf, GeluForm::Tanh})
    if (auto found = propose(OpKind::Gelu, form))
      return found;
  return std::nullopt;
}

namespace {
/// Compares a cone that reduces with operators that do.
struct RowRecognizer {
  const Cone &cone;
  const Summary &summary;
  /// The input, which is one of those of the summary.
  Value input;
  ConeGraph computed;
  int64_t numElements;

  RowRecognizer(const Cone &cone, const Summary &summary, Value input)
      : cone(cone), summary(summary), input(input), computed(cone),
        numElements(elementCount(summary.shape)) {}

  /// Returns the position at which the numbers of a sample and a leaf begin.
  static uint64_t seedOf(uint64_t sample, uint64_t leaf) {
    return (sample * 8 + leaf) << 40;
  }

  /// Compares the cone with `candidate`, at a few elements for every sample.
  bool agrees(const Recognized &candidate, ArrayRef<Sample> samples) {
    SmallVector<ElementGraph::Node> operands;
    for (auto [i, operand] : llvm::enumerate(candidate.operands)) {
      ElementGraph::Node node = computed.nodes.lookup(operand);
      if (i > 0) {
        OpAttributes flat;
        flat.resultShape.assign(1, elementCount(getShape(operand)));
        node = computed.graph.apply(OpKind::Reshape, flat, {node});
      }
      operands.push_back(node);
    }
    if (candidate.factor != 1) {
      OpAttributes scale;
      scale.scalar = candidate.factor;
      operands.front() =
          computed.graph.apply(OpKind::Scale, scale, {operands.front()});
    }
    ElementGraph::Node node =
        computed.graph.apply(candidate.kind, candidate.attributes, operands);
    Verdict verdict;
    for (auto [number, sample] : llvm::enumerate(samples)) {
      for (auto [i, leaf] : llvm::enumerate(cone.leaves)) {
        // Vectors are weights: numbers around one.
        bool isVector = llvm::is_contained(summary.vectors, leaf);
        Sample s = isVector ? Sample{1.0, 0.75} : sample;
        uint64_t seed = seedOf(number, i);
        computed.graph.setSource(computed.leaves[i], [=](int64_t element) {
          return s.offset + s.spread * hashToUnit(seed + element);
        });
      }
      // The elements are at random places: those at equal distances may all lie
      // on a diagonal.
      for (uint64_t part = 0; part < 6; ++part) {
        double position = (hashToUnit(seedOf(number, 7) + part) + 1) / 2;
        auto element = static_cast<int64_t>(position * numElements);
        verdict.add(compare(computed.graph.evaluate(computed.result, element),
                            computed.graph.evaluate(node, element)));
        if (verdict.differs)
          return false;
      }
    }
    return verdict.isPositive();
  }

  std::optional<Recognized> recognizeSoftmax() {
    if (!summary.vectors.empty())
      return std::nullopt;
    // The scores of one row are close, far apart, and far from zero.
    static constexpr Sample samples[] = {{0, 1}, {3, 20}, {-40, 0.125}};
    Recognized candidate{summary.has(OpKind::Log) ? OpKind::LogSoftmax
                                                  : OpKind::Softmax,
                         {},
                         {input}};
    // Scales may stand behind the maximum.
    SmallVector<double> factors = {1};
    factors.append(summary.factors);
    int64_t rank = summary.shape.size();
    for (int64_t dim = rank - 1; dim >= 0; --dim) {
      if (summary.shape[dim] == 1)
        continue;
      candidate.attributes.dim = dim;
      for (double factor : factors) {
        candidate.factor = factor;
        if (agrees(candidate, samples))
          return candidate;
      }
    }
    return std::nullopt;
  }

  /// Tries a norm of this kind with vectors of `channels` elements, for every
  /// epsilon that the cone's constants suggest: one of them, or one divided by
  /// the number of elements where the cone adds it to a sum. Inputs are as
  /// small as makes that epsilon matter, and of ordinary size.
  std::optional<Recognized> recognizeNorm(Recognized candidate,
                                          int64_t channels, int64_t rowSize) {
    for (Value vector : summary.vectors)
      if (elementCount(getShape(vector)) != channels)
        return std::nullopt;
    SmallVector<double> epsilons;
    for (double constant : summary.constants)
      if (constant > 0 && std::isfinite(constant))
        epsilons.append({constant, constant / static_cast<double>(rowSize)});
    epsilons.push_back(0);
    for (double epsilon : epsilons) {
      if (epsilon >= 1)
        continue;
      candidate.attributes.scalar = epsilon;
      double root = epsilon > 0 ? std::sqrt(epsilon) : 1e-3;
      Sample samples[] = {{0.25, 1}, {-4, 3}, {root / 4, root}};
      if (agrees(candidate, samples))
        return candidate;
    }
    return std::nullopt;
  }

  std::optional<Recognized> recognizeNorms() {
    const Shape &shape = summary.shape;
    int64_t last = shape.back();
    size_t numVectors = summary.vectors.size();
    // The values decide which vector is the weight and which the bias.
    auto forOperands = [&](OpKind kind, int64_t channels, int64_t rowSize,
                           int64_t groups) -> std::optional<Recognized> {
      bool mayHaveBias = kind != OpKind::RmsNorm;
      for (unsigned choice = 0; choice < 2; ++choice) {
        Recognized candidate{kind, {}, {input}};
        OpAttributes &attrs = candidate.attributes;
        attrs.groups = groups;
        attrs.hasWeight = numVectors == 2 || (numVectors == 1 && choice == 0);
        attrs.hasBias = numVectors == 2 || (numVectors == 1 && choice == 1);
        if (attrs.hasBias && !mayHaveBias)
          continue;
        llvm::append_range(candidate.operands, summary.vectors);
        if (numVectors == 2 && choice == 1)
          std::swap(candidate.operands[1], candidate.operands[2]);
        if (auto found = recognizeNorm(candidate, channels, rowSize))
          return found;
        if (numVectors == 0)
          break;
      }
      return std::nullopt;
    };
    for (OpKind kind : {OpKind::RmsNorm, OpKind::LayerNorm})
      if (auto found = forOperands(kind, last, last, 1))
        return found;
    if (shape.size() < 3)
      return std::nullopt;
    int64_t channels = shape[1], perImage = numElements / shape[0];
    if (auto found = forOperands(OpKind::InstanceNorm, channels,
                                 perImage / channels, channels))
      return found;
    for (int64_t groups = 1; groups < channels; ++groups)
      if (channels % groups == 0)
        if (auto found = forOperands(OpKind::GroupNorm, channels,
                                     perImage / groups, groups))
          return found;
    return std::nullopt;
  }
};
} // namespace

std::optional<Recognized> mirage::recognize(const Cone &cone) {
  std::optional<Summary> summary = summarize(cone);
  if (!summary)
    return std::nullopt;
  if (!summary->hasAny({OpKind::Reduce, OpKind::LogSoftmax})) {
    if (!summary->vectors.empty())
      return std::nullopt;
    return recognizeFunction(cone, *summary);
  }
  // A function in pieces may differ where no sample is; only functions of one
  // variable are sampled densely enough.
  if (summary->hasAny({OpKind::Max, OpKind::Min, OpKind::Clamp, OpKind::Abs,
                       OpKind::Relu, OpKind::Compare, OpKind::Select}))
    return std::nullopt;
  for (Value input : summary->inputs) {
    RowRecognizer recognizer(cone, *summary, input);
    std::optional<Recognized> found;
    if (summary->hasAny({OpKind::Exp, OpKind::Exp2}))
      found = recognizer.recognizeSoftmax();
    else if (summary->hasAny({OpKind::Sqrt, OpKind::Rsqrt, OpKind::Pow}))
      found = recognizer.recognizeNorms();
    if (found)
      return found;
  }
  return std::nullopt;
}
