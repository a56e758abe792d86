//===- StackAlikeResultsTest.cpp - Results that differ in their inputs ----===//
//
// Views with stacked inputs compute their programs, as random tests over finite
// fields tell, and launches that are found for them read one tensor of a stack
// at a time. Products of which slices are used are such results.
//
//===----------------------------------------------------------------------===//

#include "../Agreement.h"
#include "../Programs.h"
#include "Mirage/Analysis/Cost/CostModel.h"
#include "Mirage/Analysis/Equivalence/Proof/Proof.h"
#include "Mirage/Search/Problem/ProgramViews.h"
#include "Mirage/Search/Problem/SplitProducts.h"
#include "Mirage/Search/Superoptimizer.h"
#include "gtest/gtest.h"

using namespace mirage;
using namespace mirage::equivalence;
using namespace mirage::search;

namespace {

unsigned count(const MuGraph &graph, OpKind kind) {
  return llvm::count_if(graph.getRegion().nodes, [&](unsigned number) {
    return graph.getNode(number).kind == MuNode::Kind::Operator &&
           graph.getNode(number).op == kind;
  });
}

/// Makes results of one input, each with a weight of its own.
using MakeResult =
    llvm::function_ref<MuValue(ProgramBuilder &, MuValue, MuValue, unsigned)>;

MuGraph makeProgram(ShapeRef input, ShapeRef weight, unsigned results,
                    MakeResult make) {
  ProgramBuilder b;
  MuValue x = b.input(input);
  llvm::SmallVector<MuValue> made;
  for (unsigned number = 0; number < results; ++number)
    made.push_back(make(b, x, b.input(weight), number));
  return b.finish(made);
}

MuGraph makeProjections() {
  return makeProgram({4, 6}, {6, 8}, 3,
                     [](ProgramBuilder &b, MuValue x, MuValue w, unsigned) {
                       return b.matmul(b.div(x, b.reduce(x, 1)), w);
                     });
}

TEST(StackAlikeResults, ViewsComputeTheProgram) {
  std::vector<MuGraph> programs;
  programs.push_back(makeProjections());
  // Heads in front, and weights the other way round.
  programs.push_back(makeProgram(
      {4, 6}, {8, 6}, 2, [](ProgramBuilder &b, MuValue x, MuValue w, unsigned) {
        MuValue y = b.matmul(b.softmax(x), w, false, true);
        return b.RegionBuilder::transpose(b.reshape(y, {4, 2, 4}), {1, 0, 2});
      }));
  // Batches, with sums and softmax along dimensions.
  programs.push_back(makeProgram(
      {2, 4, 6}, {2, 6, 8}, 2,
      [](ProgramBuilder &b, MuValue x, MuValue w, unsigned) {
        MuValue y = b.RegionBuilder::softmax(b.matmul(b.square(x), w), 1);
        return b.RegionBuilder::reduce(ReduceKind::Sum, y, 2);
      }));
  // Elementwise operators take what all have in common.
  programs.push_back(makeProgram(
      {5, 6}, {5, 6}, 4, [](ProgramBuilder &b, MuValue x, MuValue w, unsigned) {
        return b.add(b.scale(b.mul(x, w), 3), b.square(x));
      }));
  for (const MuGraph &program : programs) {
    std::optional<ProgramView> view = stackAlikeResults(getWholeView(program));
    ASSERT_TRUE(view) << toString(program);
    EXPECT_EQ(view->program.getRegion().results.size(), 1u);
    EXPECT_EQ(view->numStacked, program.getRegion().results.size());
    EXPECT_TRUE(agree(program, applyView(program, *view, view->program)))
        << toString(program) << toString(view->program);
    ProgramView peeled = peelReshapes(*view);
    EXPECT_TRUE(agree(program, applyView(program, peeled, peeled.program)));
  }
}

TEST(StackAlikeResults, WindowsOfOneTensorAreStacked) {
  // Columns of a weight are parts of their own, and matrices of a batch are the
  // batch.
  for (bool isBatch : {false, true}) {
    ProgramBuilder b;
    MuValue x = b.input({4, 6});
    MuValue w = b.input(isBatch ? Shape{3, 6, 8} : Shape{6, 24});
    llvm::SmallVector<MuValue> results;
    for (int64_t i = 0; i < 3; ++i) {
      MuValue part = isBatch ? b.slice(w, {i, 0, 0}, {1, 6, 8}, {1, 1, 1})
                             : b.slice(w, {0, 8 * i}, {6, 8}, {1, 1});
      results.push_back(b.matmul(x, b.reshape(part, {6, 8})));
    }
    MuGraph program = b.finish(results);
    std::optional<ProgramView> parts = separateParts(getWholeView(program));
    ASSERT_TRUE(parts);
    std::optional<ProgramView> view = stackAlikeResults(peelReshapes(*parts));
    ASSERT_TRUE(view);
    MuGraph whole = applyView(program, *view, view->program);
    EXPECT_TRUE(agree(program, whole));
    EXPECT_EQ(count(whole, OpKind::Concat), isBatch ? 0u : 1u);
  }
}

TEST(StackAlikeResults, OtherResultsStay) {
  auto isStacked = [](const MuGraph &program) {
    return stackAlikeResults(getWholeView(program)).has_value();
  };
  // Results of other operators, attributes, and shapes.
  EXPECT_FALSE(isStacked(
      makeProgram({4, 6}, {6, 8}, 2,
                  [](ProgramBuilder &b, MuValue x, MuValue w, unsigned i) {
                    MuValue y = b.matmul(x, w);
                    return i ? b.exp(y) : b.square(y);
                  })));
  EXPECT_FALSE(isStacked(
      makeProgram({4, 6}, {6, 8}, 2,
                  [](ProgramBuilder &b, MuValue x, MuValue w, unsigned i) {
                    return b.scale(b.matmul(x, w), i + 1);
                  })));
  ProgramBuilder b;
  MuValue x = b.input({4, 6});
  EXPECT_FALSE(isStacked(
      b.finish({b.matmul(x, b.input({6, 8})), b.matmul(x, b.input({6, 4}))})));
  // One result, and results that are equal.
  EXPECT_FALSE(isStacked(makeProgram({4, 6}, {6, 8}, 1,
                                     [](ProgramBuilder &b, MuValue x, MuValue w,
                                        unsigned) { return b.matmul(x, w); })));
  EXPECT_FALSE(isStacked(makeProgram({4, 6}, {6, 8}, 2,
                                     [](ProgramBuilder &b, MuValue x, MuValue,
                                        unsigned) { return b.exp(x); })));
  // A norm's weights have no dimension in front.
  EXPECT_FALSE(isStacked(makeProgram(
      {4, 6}, {6}, 2, [](ProgramBuilder &b, MuValue x, MuValue w, unsigned) {
        OpAttributes norm;
        norm.hasWeight = true;
        norm.scalar = 1e-5;
        return b.op(OpKind::RmsNorm, {x, w}, norm);
      })));
}

/// Calls `visit` with each load of an argument in a region and in its loops.
void forEachLoad(const MuGraph &graph, unsigned region, MuValue argument,
                 llvm::function_ref<void(const MuNode &)> visit) {
  for (unsigned number : graph.getRegion(region).nodes) {
    const MuNode &node = graph.getNode(number);
    if (node.kind == MuNode::Kind::Loop)
      forEachLoad(graph, node.body, argument, visit);
    if (node.kind == MuNode::Kind::Load && node.operands[0] == argument)
      visit(node);
  }
}

TEST(StackAlikeResults, BlocksReadOneTensorOfAStack) {
  MuGraph program =
      makeProgram({64, 64}, {64, 64}, 3,
                  [](ProgramBuilder &b, MuValue x, MuValue w, unsigned) {
                    return b.matmul(b.div(x, b.reduce(x, 1)), w);
                  });
  std::string reason;
  std::optional<unsigned> location;
  auto task = SearchTask::create(program, reason, location);
  ASSERT_TRUE(task) << reason;
  EXPECT_EQ(llvm::count_if(task->views,
                           [](const SearchTask::View &view) {
                             return view.problem.getSeparateAxes().size() == 1;
                           }),
            1);
  SearchOptions options;
  options.target = *getTargetPreset("sm_90a");
  options.directOnly = true;
  options.threads = 1;
  options.best = 8;
  unsigned stacks = 0;
  for (const JudgedCandidate &candidate :
       superoptimize(*task, options).judged) {
    MuGraph graph = instantiate(*task, candidate);
    EXPECT_EQ(proveEquivalence(program, graph, {}).kind,
              ProofResult::Kind::Proved);
    for (unsigned number : graph.getRegion().nodes) {
      const MuNode &node = graph.getNode(number);
      if (node.kind != MuNode::Kind::Graph)
        continue;
      for (auto [operand, argument] : llvm::zip_equal(
               node.operands, graph.getRegion(node.body).arguments)) {
        if (graph.getShape(operand).size() != 3)
          continue;
        forEachLoad(graph, node.body, argument, [&](const MuNode &load) {
          EXPECT_EQ(graph.getShape(load.results[0]).front(), 1);
          ++stacks;
        });
      }
    }
    // Neither the stack nor its slices are kernels.
    EXPECT_EQ(estimateProgram(graph, options.target).kernels.size(), 1u)
        << toString(graph);
  }
  EXPECT_GT(stacks, 0u);
}

//===----------------------------------------------------------------------===//
// Products of which slices are used
//===----------------------------------------------------------------------===//

TEST(SplitProducts, SlicesBecomeProducts) {
  // Columns of a weight, matrices of a batch, and heads behind a reshape and a
  // transpose.
  for (unsigned form = 0; form < 3; ++form) {
    ProgramBuilder b;
    MuValue x = b.input({4, 8});
    llvm::SmallVector<MuValue> results;
    if (form == 1) {
      MuValue y =
          b.matmul(b.reshape(b.square(x), {1, 4, 8}), b.input({2, 8, 16}));
      for (int64_t i = 0; i < 2; ++i)
        results.push_back(
            b.square(b.slice(y, {i, 0, 0}, {1, 4, 16}, {1, 1, 1})));
    } else {
      MuValue y = b.matmul(b.square(x), b.input({8, 32}));
      for (int64_t i = 0; i < 2; ++i)
        results.push_back(b.square(
            form == 0 ? b.slice(y, {0, 16 * i}, {4, 16}, {1, 1})
                      : b.slice(b.RegionBuilder::transpose(
                                    b.reshape(y, {4, 2, 2, 8}), {1, 2, 0, 3}),
                                {i, 0, 0, 0}, {1, 2, 4, 8}, {1, 1, 1, 1})));
    }
    MuGraph program = b.finish(results), split = splitProducts(program);
    EXPECT_EQ(count(split, OpKind::Matmul), 2u) << toString(split);
    EXPECT_TRUE(agree(program, split)) << toString(split);
  }
}

TEST(SplitProducts, OtherProductsStay) {
  auto isSplit = [](const MuGraph &program) {
    return count(splitProducts(program), OpKind::Matmul) > 1;
  };
  auto make = [](llvm::ArrayRef<std::pair<int64_t, int64_t>> columns,
                 bool isUsedWhole, bool isComputed) {
    ProgramBuilder b;
    MuValue x = b.input({4, 8}), w = b.input({8, 32});
    MuValue y = b.matmul(x, isComputed ? b.exp(w) : w);
    llvm::SmallVector<MuValue> results;
    for (auto [begin, size] : columns)
      results.push_back(b.exp(b.slice(y, {0, begin}, {4, size}, {1, 1})));
    if (isUsedWhole)
      results.push_back(b.square(y));
    return b.finish(results);
  };
  EXPECT_TRUE(isSplit(make({{0, 16}, {16, 16}}, false, false)));
  // Parts have elements in common, or are not read in place.
  EXPECT_FALSE(isSplit(make({{0, 16}, {12, 16}}, false, false)));
  EXPECT_FALSE(isSplit(make({{0, 15}, {15, 17}}, false, false)));
  // More than slices is used, or the weight is computed.
  EXPECT_FALSE(isSplit(make({{0, 16}, {16, 16}}, true, false)));
  EXPECT_FALSE(isSplit(make({{0, 16}, {16, 16}}, false, true)));
}

} // namespace
