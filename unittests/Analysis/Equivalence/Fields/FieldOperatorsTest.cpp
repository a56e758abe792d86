//===- FieldOperatorsTest.cpp - Operators on residues ---------------------===//
//
// The strided loops and products, of every unit, against the path through
// Element.h.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/Fields/FieldOperators.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "gtest/gtest.h"

using namespace mirage;
using namespace mirage::equivalence;

namespace {

FieldTensor draw(const FieldModel &model, Plane plane, unsigned number,
                 ShapeRef shape) {
  FieldTensor tensor{Shape(shape)};
  for (int64_t i = 0; i < tensor.size(); ++i)
    tensor.data[i] = model.getInput(plane, number, i);
  return tensor;
}

class FieldOperators : public ::testing::Test {
protected:
  void check(OpKind kind, const OpAttributes &attributes,
             llvm::ArrayRef<Shape> shapes) {
    FieldModel model(11, 1);
    WorkerPool pool(2);
    Execution execution(pool);
    for (Plane plane : {kPlaneP, kPlaneQ}) {
      if (kind == OpKind::Exp && plane == kPlaneQ)
        continue;
      Plane from = kind == OpKind::Exp ? kPlaneQ : plane;
      llvm::SmallVector<FieldTensor, 3> operands;
      for (auto [i, shape] : llvm::enumerate(shapes))
        operands.push_back(draw(model, from, i, shape));
      for (bool isCondition : {false, true}) {
        FieldContext generic{model, plane, execution, true};
        auto b = evaluateInField(generic, kind, attributes, operands, 0,
                                 ElementType::f32, isCondition);
        for (FieldUnit unit : {FieldUnit::Scalar, getFieldUnit()}) {
          FieldContext fast{model, plane, execution, false, unit};
          auto a = evaluateInField(fast, kind, attributes, operands, 0,
                                   ElementType::f32, isCondition);
          ASSERT_TRUE(a && b);
          ASSERT_EQ(a->shape, b->shape);
          for (int64_t i = 0; i < a->size(); ++i)
            ASSERT_EQ(a->data[i], b->data[i]) << i;
        }
      }
    }
  }
};

TEST_F(FieldOperators, Elementwise) {
  for (OpKind kind : {OpKind::Add, OpKind::Sub, OpKind::Mul, OpKind::Div,
                      OpKind::Max, OpKind::Min, OpKind::Compare})
    for (const Shape &rhs : {Shape{3, 4, 5}, Shape{3, 1, 5}, Shape{1, 4, 1},
                             Shape{3, 4, 1}, Shape{1, 1, 1}}) {
      check(kind, {}, {Shape{3, 4, 5}, rhs});
      check(kind, {}, {rhs, Shape{3, 4, 5}});
    }
  check(OpKind::Add, {}, {Shape{}, Shape{}});
  check(OpKind::Mul, {}, {Shape{70, 1, 300}, Shape{70, 2, 1}});
}

TEST_F(FieldOperators, Functions) {
  OpAttributes pow;
  pow.scalar = 0.3;
  check(OpKind::Pow, pow, {Shape{2, 7}});
  for (OpKind kind : {OpKind::Exp, OpKind::Log, OpKind::Sqrt, OpKind::Sigmoid,
                      OpKind::Erf, OpKind::Tanh})
    check(kind, {}, {Shape{40, 300}});
  check(OpKind::Select, {}, {Shape{4, 1}, Shape{4, 6}, Shape{1, 6}});
}

TEST_F(FieldOperators, Layouts) {
  OpAttributes transpose, slice, split, reshape, broadcast, repeat;
  transpose.permutation = {2, 0, 1};
  check(OpKind::Transpose, transpose, {Shape{3, 4, 5}});
  slice.offsets = {1, 0, 2};
  slice.sizes = {2, 2, 1};
  slice.strides = {1, 2, 3};
  check(OpKind::Slice, slice, {Shape{3, 4, 5}});
  split.dim = 1;
  split.parts = 2;
  check(OpKind::Split, split, {Shape{3, 4, 5}});
  reshape.resultShape = {6, 10};
  check(OpKind::Reshape, reshape, {Shape{3, 4, 5}});
  broadcast.resultShape = {3, 4, 5};
  check(OpKind::Broadcast, broadcast, {Shape{3, 1, 5}});
  check(OpKind::Broadcast, broadcast, {Shape{1, 4, 1}});
  repeat.repeats = {2, 1, 3};
  check(OpKind::Repeat, repeat, {Shape{3, 4, 5}});
}

TEST_F(FieldOperators, Reductions) {
  for (int64_t dim = 0; dim < 3; ++dim)
    for (ReduceKind kind : {ReduceKind::Sum, ReduceKind::Max})
      for (bool keep : {false, true})
        for (int64_t group : {0, 2}) {
          OpAttributes attributes;
          attributes.dim = dim;
          attributes.reduceKind = kind;
          attributes.keep = keep && !group;
          attributes.group = group;
          check(OpKind::Reduce, attributes, {Shape{4, 6, 8}});
        }
}

TEST_F(FieldOperators, Products) {
  for (bool transposeLhs : {false, true})
    for (bool transposeRhs : {false, true}) {
      OpAttributes attributes;
      attributes.transposeLhs = transposeLhs;
      attributes.transposeRhs = transposeRhs;
      // Odd sizes, and more terms than one reduction takes.
      for (auto [m, k, n] : {std::tuple<int64_t, int64_t, int64_t>{3, 70, 5},
                             {1, 1, 1},
                             {70, 3, 130},
                             {5, 1100, 19},
                             {2, 33, 2}}) {
        Shape lhs = transposeLhs ? Shape{2, k, m} : Shape{2, m, k};
        Shape rhs = transposeRhs ? Shape{1, n, k} : Shape{1, k, n};
        check(OpKind::Matmul, attributes, {lhs, rhs});
      }
    }
}

TEST_F(FieldOperators, Convolutions) {
  for (int64_t groups : {1, 2, 6})
    for (bool isPadded : {false, true}) {
      OpAttributes attributes;
      attributes.convGroups = groups;
      attributes.convStrides = {2, 1};
      attributes.convDilations = {1, 2};
      attributes.convPadding = {0, 0, 0, 0};
      if (isPadded)
        attributes.convPadding = {1, 2, 3, 0};
      attributes.convLayout = ConvLayout::NCHW;
      check(OpKind::Conv2d, attributes,
            {Shape{2, 6, 9, 11}, Shape{12, 6 / groups, 3, 2}});
      attributes.convLayout = ConvLayout::NHWC;
      check(OpKind::Conv2d, attributes,
            {Shape{2, 9, 11, 6}, Shape{3, 2, 6 / groups, 12}});
    }
  // The rows of the result are computed in several parts.
  OpAttributes attributes;
  attributes.convLayout = ConvLayout::NHWC;
  attributes.convStrides = attributes.convDilations = {1, 1};
  attributes.convPadding = {4, 4, 4, 4};
  check(OpKind::Conv2d, attributes, {Shape{1, 40, 40, 40}, Shape{9, 9, 40, 1}});
}

TEST_F(FieldOperators, DivisionByZeroIsSeen) {
  FieldModel model(1, 0);
  WorkerPool pool(1);
  Execution execution(pool);
  FieldTensor x = draw(model, kPlaneP, 0, {3, 5}),
              y = draw(model, kPlaneP, 1, {3, 5});
  y.data[7] = 0;
  for (bool generic : {false, true})
    EXPECT_FALSE(evaluateInField({model, kPlaneP, execution, generic},
                                 OpKind::Div, {}, {x, y}, 0, ElementType::f32,
                                 false));
}

} // namespace
