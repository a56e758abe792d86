//===- BlockGeneratorTest.cpp - Enumerated block graphs -------------------===//
//
// Every graph once, whatever the order of its operators; legal at all sizes,
// and right at all sizes or at none.
//
//===----------------------------------------------------------------------===//

#include "../Enumeration.h"
#include "Mirage/Search/Sizes/ChooseSizes.h"
#include "Mirage/Semantics/ShapeRules.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "gtest/gtest.h"

using namespace mirage;
using namespace mirage::search;

namespace {

class BlockGeneration : public testing::TestWithParam<Goal> {
protected:
  Enumeration enumeration{GetParam().make};
};

TEST_P(BlockGeneration, EveryGraphOnce) {
  GeneratorLimits limits;
  limits.blockOperators = 4;
  limits.pruneRecomputation = false;
  Generated canonical = enumeration.generate(limits, {2, true});
  EXPECT_EQ(canonical.count, canonical.graphs.size());
  limits.canonicalOrder = false;
  Generated any = enumeration.generate(limits, {2, true});
  EXPECT_GE(any.count, canonical.count);
  EXPECT_EQ(any.graphs.size(), canonical.graphs.size());
  for (const auto &[text, graph] : any.graphs)
    EXPECT_TRUE(canonical.graphs.count(text)) << enumeration.print(graph);
}

/// Everything that a verifier of the IR would check without one.
void expectLegal(const MuGraph &graph, const MuGraph &program) {
  for (unsigned number = 0; number < graph.getNumNodes(); ++number) {
    const MuNode &node = graph.getNode(number);
    if (node.kind != MuNode::Kind::Operator)
      continue;
    auto operands = llvm::map_to_vector<3>(node.operands, [&](MuValue value) {
      return Shape(graph.getShape(value));
    });
    llvm::SmallVector<Shape, 1> results;
    std::string error;
    ASSERT_TRUE(llvm::succeeded(
        inferShapes(node.op, node.attributes, operands, results, error)))
        << error;
    EXPECT_EQ(results[0], Shape(graph.getShape(node.results[0])));
  }
  for (auto [result, wanted] :
       llvm::zip_equal(graph.getRegion().results, program.getRegion().results))
    EXPECT_EQ(graph.getShape(result), program.getShape(wanted));
}

TEST_P(BlockGeneration, SizesDecideNothing) {
  GeneratorLimits limits;
  limits.blockOperators = 4;
  SizedProgram third(GetParam().make, {30, 24, 36, 48, 18}, 2, 3);
  for (const auto &[text, graph] : enumeration.generate(limits, {2}).graphs) {
    const SizedProgram *sized[] = {&enumeration.small, &enumeration.large,
                                   &third};
    for (const SizedProgram *at : sized) {
      expectLegal(at->instantiate(graph), at->program);
      EXPECT_EQ(at->computes(graph), enumeration.small.computes(graph))
          << enumeration.print(graph);
    }
  }
}

/// What the rule of shared memory prunes fits at no size.
TEST_P(BlockGeneration, MemoryPrunesWhatNeverFits) {
  TargetDescription target = *getTargetPreset("sm_90a");
  target.sharedMemoryPerBlock = 1024;
  GeneratorLimits limits;
  limits.blockOperators = 4;
  Generated all = enumeration.generate(limits);
  limits.sharedMemory = target.sharedMemoryPerBlock;
  Generated pruned = enumeration.generate(limits);
  for (const auto &[text, graph] : all.graphs) {
    Candidate candidate;
    candidate.launches.push_back(graph);
    for (unsigned result = 0; result < graph.outputs.size(); ++result)
      candidate.results.push_back(enumeration.getProblem().getInputs().size() +
                                  result);
    EXPECT_TRUE(pruned.graphs.count(text) ||
                !chooseSizes(enumeration.getProblem(), candidate, target))
        << enumeration.print(graph);
  }
}

INSTANTIATE_TEST_SUITE_P(Goals, BlockGeneration, testing::ValuesIn(kGoals),
                         [](const testing::TestParamInfo<Goal> &info) {
                           return std::string(info.param.name);
                         });

} // namespace

namespace {

/// Returns whether some graph that is right has a loop and operators of all
/// these kinds.
bool hasLoopWith(MakeProgram make, unsigned operators,
                 llvm::ArrayRef<OperatorForm::Kind> kinds) {
  Enumeration enumeration(make);
  GeneratorLimits limits;
  limits.blockOperators = operators;
  bool found = false;
  for (const auto &[text, graph] : enumeration.generate(limits).graphs) {
    bool isCorrect = enumeration.isCorrect(graph);
    EXPECT_TRUE(isCorrect) << enumeration.print(graph);
    found |=
        isCorrect && llvm::all_of(kinds, [&](OperatorForm::Kind kind) {
          return llvm::any_of(graph.operators, [&](const BlockOperator &op) {
            return enumeration.getProblem().getForm(op.formId).kind == kind;
          });
        });
  }
  return found;
}

TEST(BlockGenerator, FindsNormsAfterProducts) {
  EXPECT_TRUE(hasLoopWith(
      [](AxisSizes s) {
        ProgramBuilder b;
        MuValue x = b.input({s[0], s[1]}), w = b.input({s[1], s[2]});
        MuValue root = b.sqrt(b.reduce(b.square(x), 1));
        return b.finish(b.matmul(b.div(x, root), w));
      },
      7, {OperatorForm::Kind::Accumulate}));
}

TEST(BlockGenerator, FindsRescaledSums) {
  EXPECT_TRUE(hasLoopWith(
      [](AxisSizes s) {
        ProgramBuilder b;
        MuValue x = b.input({s[0], s[1]}), v = b.input({s[1], s[2]});
        return b.finish(b.matmul(b.softmax(x), v));
      },
      8, {OperatorForm::Kind::Accumulate, OperatorForm::Kind::ReduceMax}));
}

} // namespace
