//===- OnlineSoftmaxTest.cpp - Attention in many forms --------------------===//
//
// Graphs of softmax(scale * q k) v have too many operators to be enumerated
// without pruning. So they are written down here, with every choice that does
// not change the result: what the loops go over, where the scale and the
// division stand, whether sums are reduced before they are accumulated. Each is
// right, and nothing in it may be pruned. And each is right where whole tiles
// of the keys are masked.
//
//===----------------------------------------------------------------------===//

#include "../Enumeration.h"
#include "../MaskedScores.h"

using namespace mirage;
using namespace mirage::search;
using Kind = OperatorForm::Kind;

namespace {

MuGraph makeAttention(AxisSizes s) {
  ProgramBuilder b;
  MuValue q = b.input({s[0], s[1]}), k = b.input({s[1], s[2]}),
          v = b.input({s[2], s[3]});
  return b.finish(b.matmul(b.softmax(b.scale(b.matmul(q, k), 0.25)), v));
}

struct Choices {
  /// The loops over the axes rows, inner, keys and columns, with their parents.
  llvm::SmallVector<LoopChoice, 2> loops;
  bool gridOverRows = false;
  bool scalesQueries = false;
  bool accumulatesFirst = false;
  bool dividesFirst = false;
};

/// A block graph operator by operator.
class Writer {
public:
  Writer(const SearchProblem &problem, const Choices &choices)
      : problem(problem), choices(choices) {
    graph.loops = choices.loops;
    if (choices.gridOverRows)
      graph.gridAxes.push_back(getAxis(0, 0));
  }

  LaunchGraph run() {
    unsigned q = load(0), k = load(1), v = load(2);
    if (choices.scalesQueries)
      q = add(Kind::Unary, OpKind::Scale, q);
    unsigned scores =
        leave(add(Kind::Matmul, OpKind::Matmul, q, k, kInner), kInner);
    if (!choices.scalesQueries)
      scores = add(Kind::Unary, OpKind::Scale, scores);
    unsigned max = add(Kind::ReduceMax, OpKind::Reduce, scores, 0, kKeys);
    unsigned numerators =
        add(Kind::Unary, OpKind::Exp,
            add(Kind::SubtractShift, OpKind::Sub, scores, max));
    unsigned denominators = numerators;
    if (choices.accumulatesFirst)
      denominators = leave(denominators, kKeys);
    denominators = add(Kind::ReduceSum, OpKind::Reduce, denominators, 0, kKeys);
    if (!choices.accumulatesFirst)
      denominators = leave(denominators, kKeys);
    if (choices.dividesFirst)
      numerators = add(Kind::Binary, OpKind::Div, numerators, denominators);
    unsigned result = add(Kind::Matmul, OpKind::Matmul, numerators, v, kKeys);
    result = leave(result, kColumns, Kind::AccumulateConcat);
    result = leave(result, kKeys);
    if (!choices.dividesFirst)
      result = add(Kind::Binary, OpKind::Div, result, denominators);
    graph.outputs.push_back(result);
    return graph;
  }

  enum Axis { kRows, kInner, kKeys, kColumns };

  /// The axis of a dimension of an input.
  uint8_t getAxis(unsigned input, unsigned dim) const {
    return problem.getInputs()[input].layout[dim].front();
  }
  static uint8_t getAxis(const SearchProblem &problem, Axis axis) {
    Writer writer(problem, {});
    switch (axis) {
    case kRows:
      return writer.getAxis(0, 0);
    case kInner:
      return writer.getAxis(0, 1);
    case kKeys:
      return writer.getAxis(1, 1);
    case kColumns:
      return writer.getAxis(2, 1);
    }
    llvm_unreachable("no axis");
  }

private:
  /// Adds a load that is cut by every loop over one of its axes.
  unsigned load(unsigned input) {
    LoadChoice load{static_cast<uint8_t>(input),
                    problem.getInputs()[input].dims};
    for (DimId &dim : load.dims) {
      uint8_t axis = problem.getParts(dim)[0].axis;
      FactorSet removed;
      for (auto [number, loop] : llvm::enumerate(graph.loops))
        if (loop.axis == axis) {
          removed.insert(kLoop);
          load.region = std::max(load.region, RegionId::ofLoop(number));
        }
      if (llvm::is_contained(graph.gridAxes, axis))
        removed.insert(kGrid);
      dim = *problem.withRemoved(dim, removed);
    }
    graph.loads.push_back(load);
    return graph.loads.size() - 1;
  }

  unsigned add(Kind kind, OpKind op, unsigned first, unsigned second = 0,
               std::optional<Axis> reduced = std::nullopt) {
    for (auto [number, form] : llvm::enumerate(problem.getForms()))
      if (form.kind == kind && form.op == op && !form.splitsOnly) {
        graph.operators.push_back({static_cast<FormId>(number),
                                   static_cast<uint8_t>(first),
                                   static_cast<uint8_t>(second)});
        if (reduced)
          graph.operators.back().reduced =
              *problem.findReduced(getAxis(problem, *reduced));
        return graph.loads.size() + graph.operators.size() - 1;
      }
    ADD_FAILURE() << "no form of " << getOpInfo(op).mnemonic.str();
    return 0;
  }

  /// Accumulates in the loop over an axis, if there is one.
  unsigned leave(unsigned value, Axis axis, Kind kind = Kind::Accumulate) {
    for (const LoopChoice &loop : graph.loops)
      if (loop.axis == getAxis(problem, axis))
        return add(kind, OpKind::Add, value);
    return value;
  }

  const SearchProblem &problem;
  const Choices &choices;
  LaunchGraph graph;
};

/// Attention at small sizes, with keys that are -inf.
class MaskedAttention {
public:
  explicit MaskedAttention(int64_t loop)
      : sized(makeAttention, {2, 4, keys, 4}, 2, loop) {
    constexpr ElementType f32 = ElementType::f32;
    TensorValue visible = drawTensor(f32, {4, keys}, 1);
    for (const std::vector<bool> &mask : getMasks(keys))
      references.emplace_back(
          sized.program,
          std::vector<TensorValue>{drawTensor(f32, {2, 4}, 2),
                                   makeTensor(f32, {4, keys},
                                              [&](int64_t i) {
                                                return mask[i % keys]
                                                           ? -kInfinity
                                                           : visible.value(i);
                                              }),
                                   drawTensor(f32, {keys, 4}, 3)},
          keys, /*terms=*/4, /*largest=*/4 * 1.25 * 1.25);
  }
  void expectRight(const LaunchGraph &graph) const {
    MuGraph own = sized.instantiate(graph);
    for (const MaskedReference &reference : references)
      reference.expectSame(own, toString(own));
  }

private:
  static constexpr int64_t keys = 16;
  SizedProgram sized;
  std::vector<MaskedReference> references;
};

TEST(OnlineSoftmax, NothingRightIsPruned) {
  MaskedAttention halves(2), quarters(4);
  Enumeration enumeration(makeAttention);
  const SearchProblem &problem = enumeration.getProblem();
  auto axis = [&](Writer::Axis which) {
    return Writer::getAxis(problem, which);
  };
  uint8_t inner = axis(Writer::kInner), keys = axis(Writer::kKeys),
          columns = axis(Writer::kColumns);
  llvm::SmallVector<LoopChoice, 2> trees[] = {
      {},
      {{inner, kBody}},
      {{keys, kBody}},
      {{keys, kBody}, {inner, RegionId::ofLoop(0)}},
      {{inner, kBody}, {columns, kBody}},
      {{keys, kBody}, {columns, RegionId::ofLoop(0)}},
      {{keys, kBody},
       {inner, RegionId::ofLoop(0)},
       {columns, RegionId::ofLoop(0)}},
  };
  GeneratorLimits limits;
  limits.canonicalPlacement = false;
  GeneratorStatistics statistics;
  ExpressionOracle oracle(problem, Prune::NormalForm);
  std::vector<KernelTensor> tensors;
  for (auto [number, input] : llvm::enumerate(problem.getInputs()))
    tensors.push_back({input, oracle.getInput(number).value, 0, {}});
  BlockGenerator generator(problem, oracle, tensors, limits, statistics);
  for (const auto &tree : trees) {
    bool hasKeyLoop = llvm::any_of(
        tree, [&](const LoopChoice &loop) { return loop.axis == keys; });
    for (unsigned bits = 0; bits < 16; ++bits) {
      Choices choices{tree, (bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0,
                      (bits & 8) != 0};
      // The sum is known only after the loop.
      if ((choices.dividesFirst && hasKeyLoop) ||
          (choices.accumulatesFirst && !hasKeyLoop))
        continue;
      LaunchGraph graph = Writer(problem, choices).run();
      std::optional<unsigned> rejected = generator.findRejected(graph);
      ASSERT_FALSE(rejected) << "operator " << *rejected << " of\n"
                             << enumeration.print(graph);
      EXPECT_TRUE(enumeration.isCorrect(generator.describe(graph)))
          << enumeration.print(graph);
      halves.expectRight(generator.describe(graph));
      quarters.expectRight(generator.describe(graph));
      ASSERT_FALSE(HasFailure()) << enumeration.print(graph);
    }
  }
}

} // namespace
