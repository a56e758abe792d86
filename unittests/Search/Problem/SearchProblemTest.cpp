//===- SearchProblemTest.cpp - What a program is searched with ------------===//
//
// Operators of a program are one only if they compute the same: a difference in
// any attribute tells them apart. Constants are the numbers that casts make of
// them.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Problem/SearchProblem.h"
#include "../Programs.h"
#include "Mirage/Analysis/Equivalence/Fields/RandomTests.h"
#include "Mirage/MuGraph/CloneMuGraph.h"
#include "gtest/gtest.h"
#include <array>
#include <random>

using namespace mirage;
using namespace mirage::search;

namespace {

SearchProblem makeProblem(const MuGraph &program) {
  std::string reason;
  std::optional<unsigned> location;
  auto problem = SearchProblem::create(program, reason, location);
  if (!problem)
    llvm::report_fatal_error(reason.c_str());
  return std::move(*problem);
}

unsigned countNodes(const MuGraph &graph, OpKind kind) {
  return llvm::count_if(graph.getRegion().nodes, [&](unsigned number) {
    return graph.getNode(number).op == kind;
  });
}

TEST(SearchProblem, KeepsProductsOfDifferentPrecision) {
  ProgramBuilder b;
  MuValue x = b.input({16, 32}), w = b.input({32, 64});
  OpAttributes tf32;
  tf32.tf32 = true;
  MuValue exact = b.matmul(x, w), again = b.matmul(x, w);
  MuValue rounded = b.op(OpKind::Matmul, {x, w}, tf32);
  SearchProblem problem =
      makeProblem(b.finish(b.sub(b.add(exact, again), rounded)));
  EXPECT_EQ(countNodes(problem.getProgram(), OpKind::Matmul), 2u);
  for (bool isRounded : {false, true})
    EXPECT_EQ(llvm::count_if(problem.getForms(),
                             [&](const OperatorForm &form) {
                               return form.op == OpKind::Matmul &&
                                      form.attributes.tf32 == isRounded;
                             }),
              1)
        << isRounded;
}

TEST(SearchProblem, ResultsOfOperatorsTellNoFormsApart) {
  // Programs of IR have the shape and the type of the result in the attributes
  // of every operator.
  auto countForms = [](bool hasResults) {
    ProgramBuilder b;
    MuValue x = b.input({16, 32}), y = b.input({16, 1});
    auto square = [&](MuValue value, Shape shape, ElementType type) {
      OpAttributes attributes;
      if (hasResults) {
        attributes.resultShape = std::move(shape);
        attributes.resultType = type;
      }
      return b.op(OpKind::Square, {value}, attributes);
    };
    MuValue sum = b.add(square(x, {16, 32}, ElementType::f16),
                        square(y, {16, 1}, ElementType::f32));
    return makeProblem(b.finish(sum)).getForms().size();
  };
  EXPECT_EQ(countForms(true), countForms(false));
}

TEST(SearchProblem, MergesConstantsOfEqualElements) {
  ProgramBuilder b;
  MuValue x = b.input({2, 2});
  auto makeConstant = [&](std::vector<double> values) {
    OpAttributes attributes;
    attributes.resultShape = {2, 2};
    attributes.values =
        std::make_shared<const std::vector<double>>(std::move(values));
    return b.op(OpKind::Constant, {}, attributes);
  };
  MuValue three = makeConstant({3}), same = makeConstant({3, 3, 3, 3}),
          four = makeConstant({4});
  SearchProblem problem = makeProblem(
      b.finish(b.mul(b.mul(b.mul(x, three), b.exp(b.mul(x, same))), four)));
  EXPECT_EQ(countNodes(problem.getProgram(), OpKind::Constant), 2u);
}

/// A constant that is cast is the rounded one, also if it is moved before.
TEST(SearchProblem, ConstantsAreRoundedByCasts) {
  for (bool isMoved : {false, true}) {
    MuGraph program;
    MuValue x = program.addArgument(0, {8, 16}, ElementType::f16);
    OpAttributes tenth, shape, narrow;
    tenth.resultShape = isMoved ? Shape{1} : Shape{1, 1};
    tenth.values = std::make_shared<const std::vector<double>>(1, 0.1f);
    shape.resultShape = {1, 1};
    narrow.resultType = ElementType::f16;
    MuValue factor =
        program.addOperator(0, OpKind::Constant, tenth, {}, ElementType::f32);
    if (isMoved)
      factor = program.addOperator(0, OpKind::Reshape, shape, {factor},
                                   ElementType::f32);
    factor = program.addOperator(0, OpKind::Cast, narrow, {factor},
                                 ElementType::f16);
    program.setResults(0, {program.addOperator(0, OpKind::Mul, {}, {x, factor},
                                               ElementType::f16)});
    SearchProblem problem = makeProblem(program);
    const OperatorForm *form =
        llvm::find_if(problem.getForms(), [](const OperatorForm &other) {
          return other.op == OpKind::Mul && !other.constants.empty();
        });
    ASSERT_NE(form, problem.getForms().end());
    EXPECT_EQ(form->constants.front().second, roundTo(ElementType::f16, 0.1f));
  }
}

/// Returns whether random tests in finite fields tell no difference.
bool agree(const MuGraph &a, const MuGraph &b) {
  WorkerPool pool(1);
  Execution execution(pool);
  equivalence::RandomTestOptions options;
  options.errorBits = 1;
  options.minTests = options.maxTests = 1;
  return equivalence::runRandomTests(a, b, options, execution).kind ==
         equivalence::RandomTestResult::Kind::Agree;
}

/// A mask that is divided by a scale before it is added is one that is added
/// behind the scale.
TEST(SearchProblem, ScalesOfSumsAreScalesOfTheirTerms) {
  auto make = [](bool isScaledLast) {
    ProgramBuilder b;
    MuValue x = b.input({16, 32}), w = b.input({32, 64}),
            mask = b.input({16, 64});
    MuValue scores = b.matmul(x, w);
    MuValue masked =
        isScaledLast
            ? b.scale(b.add(scores, b.div(mask, b.constant(0.3, 2))), 0.3)
            : b.add(b.scale(scores, 0.3), mask);
    return b.finish(b.softmax(masked));
  };
  MuGraph last = make(true);
  SearchProblem problem = makeProblem(last);
  EXPECT_EQ(toString(problem.getProgram()),
            toString(makeProblem(make(false)).getProgram()));
  EXPECT_TRUE(agree(last, problem.getProgram()));
  // A sum that something else reads stays, and one of which no term gains.
  ProgramBuilder b;
  MuValue x = b.input({16, 32}), y = b.input({16, 32});
  MuValue read = b.add(x, b.scale(y, 4)), plain = b.add(x, y);
  MuGraph both = b.finish({b.scale(read, 0.25), read, b.scale(plain, 0.25)});
  EXPECT_EQ(countNodes(makeProblem(both).getProgram(), OpKind::Scale), 3u);
}

/// Random sums of multiples compute the same, with no more operators.
TEST(SearchProblem, ScalesAreDistributedRightly) {
  std::mt19937_64 random(1);
  unsigned changed = 0;
  for (unsigned trial = 0; trial < 600; ++trial) {
    ProgramBuilder b;
    llvm::SmallVector<MuValue> values = {b.input({8, 16}), b.input({8, 1}),
                                         b.input({1, 16})};
    unsigned operators = 0;
    auto any = [&] { return values[random() % values.size()]; };
    for (; operators < 10; ++operators) {
      double factor = std::array{0.25, 0.5, 2.0, 3.0}[random() % 4];
      // Most values are read once.
      MuValue last = random() % 4 ? values.back() : any();
      switch (random() % 4) {
      case 0:
        values.push_back(b.add(last, any()));
        break;
      case 1:
        values.push_back(b.sub(any(), last));
        break;
      case 2:
        values.push_back(b.scale(last, factor));
        break;
      default:
        values.push_back(b.div(last, b.constant(factor, 2)));
      }
    }
    MuValue whole = b.add(values.back(), values[0]);
    MuGraph program = b.finish(random() % 2 ? whole : b.scale(whole, 4));
    SearchProblem problem = makeProblem(program);
    EXPECT_TRUE(agree(program, problem.getProgram()))
        << toString(program) << toString(problem.getProgram());
    auto countSums = [](const MuGraph &graph) {
      return countNodes(graph, OpKind::Add) + countNodes(graph, OpKind::Sub) +
             countNodes(graph, OpKind::Scale) + countNodes(graph, OpKind::Div);
    };
    unsigned before = countSums(eraseDeadNodes(program)),
             after = countSums(eraseDeadNodes(problem.getProgram()));
    EXPECT_LE(after, before);
    changed += after < before;
  }
  EXPECT_GT(changed, 20u);
}

/// Products of what was cast without loss are those of what was cast, whatever
/// the type of the results.
TEST(SearchProblem, ProductsHaveTheTypeOfWhatWasCast) {
  auto getType = [](ElementType narrow, bool isComputed) {
    MuGraph program;
    MuValue x = program.addArgument(0, {16, 32}, narrow),
            w = program.addArgument(0, {32, 64}, narrow);
    OpAttributes wide;
    wide.resultType = ElementType::f32;
    auto cast = [&](MuValue value) {
      return program.addOperator(0, OpKind::Cast, wide, {value},
                                 ElementType::f32);
    };
    MuValue left = cast(x);
    if (isComputed)
      left = program.addOperator(0, OpKind::Exp, {}, {left}, ElementType::f32);
    program.setResults(
        0, {program.addOperator(0, OpKind::Matmul, {}, {left, cast(w)},
                                ElementType::f32)});
    return makeProblem(program).getProductType();
  };
  EXPECT_EQ(getType(ElementType::f16, false), ElementType::f16);
  EXPECT_EQ(getType(ElementType::bf16, false), ElementType::bf16);
  EXPECT_EQ(getType(ElementType::f16, true), ElementType::f32);
  // No instruction multiplies 8-bit floats as the lowering has them.
  EXPECT_EQ(getType(ElementType::f8E4M3FN, false), ElementType::f32);
}

} // namespace
