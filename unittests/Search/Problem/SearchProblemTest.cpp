//===- SearchProblemTest.cpp - What a program is searched with ------------===//
//
// Operators of a program are one only if they compute the same: a difference in
// any attribute tells them apart. Constants are the numbers that casts make of
// them.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Problem/SearchProblem.h"
#include "../Programs.h"
#include "gtest/gtest.h"

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

} // namespace
