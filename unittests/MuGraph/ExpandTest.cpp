//===- ExpandTest.cpp - Operators by their definitions --------------------===//
//
// Of every elementwise operator, with each kind of attribute that its
// definition distinguishes: the expanded graph has the operator's shapes, and
// computes the same.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Interpreter/RunMuGraph.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mirage;

namespace {

/// Positive numbers, which every operator takes.
TensorValue makeInput(ShapeRef shape, double first) {
  std::vector<double> values(elementCount(shape));
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = first + 0.25 * i;
  return TensorValue::create(ElementType::f64, Shape(shape), values,
                             Precision::F64);
}

void check(OpKind kind, const OpAttributes &attributes,
           llvm::ArrayRef<Shape> shapes) {
  MuGraph graph;
  llvm::SmallVector<MuValue> operands;
  llvm::SmallVector<TensorValue> inputs;
  for (const Shape &shape : shapes) {
    operands.push_back(graph.addArgument(0, shape, ElementType::f64));
    inputs.push_back(makeInput(shape, 0.5 + inputs.size()));
  }
  MuValue result =
      graph.addOperator(0, kind, attributes, operands, ElementType::f64);
  graph.setResults(0, {result});
  MuGraph expanded = expandToPrimitives(graph);
  MuValue other = expanded.getRegion().results[0];
  std::string name =
      getOpInfo(kind).mnemonic.str() + " " + std::to_string(attributes.scalar);
  ASSERT_EQ(expanded.getShape(other), graph.getShape(result)) << name;
  auto a = runMuGraph(graph, inputs, Precision::F64)[0].values(),
       b = runMuGraph(expanded, inputs, Precision::F64)[0].values();
  for (size_t i = 0; i < a.size(); ++i)
    EXPECT_NEAR(a[i], b[i], 0x1p-48 * (1 + std::fabs(a[i]))) << name;
}

TEST(Expand, KeepsShapesAndValues) {
  for (OpKind kind : {OpKind::Add, OpKind::Sub, OpKind::Mul, OpKind::Div,
                      OpKind::Max, OpKind::Min, OpKind::Compare}) {
    check(kind, {}, {Shape{3, 4}, Shape{3, 4}});
    check(kind, {}, {Shape{1, 4}, Shape{3, 1}});
  }
  check(OpKind::Select, {}, {Shape{3, 1}, Shape{1, 4}, Shape{3, 4}});
  for (OpKind kind :
       {OpKind::Abs, OpKind::Exp, OpKind::Exp2, OpKind::Log, OpKind::Sqrt,
        OpKind::Rsqrt, OpKind::Square, OpKind::Sigmoid, OpKind::Silu,
        OpKind::Mish, OpKind::Erf, OpKind::Relu, OpKind::Tanh})
    check(kind, {}, {Shape{3, 4}});
  for (GeluForm form : {GeluForm::Erf, GeluForm::Tanh}) {
    OpAttributes attributes;
    attributes.geluForm = form;
    check(OpKind::Gelu, attributes, {Shape{3, 4}});
  }
  OpAttributes clamp;
  clamp.lower = 1;
  clamp.upper = 2;
  check(OpKind::Clamp, clamp, {Shape{3, 4}});
}

TEST(Expand, KeepsPowers) {
  for (double scalar :
       {0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.0, 0.3, 17.0}) {
    OpAttributes attributes;
    attributes.scalar = scalar;
    for (const Shape &shape : {Shape{}, Shape{5}, Shape{3, 1, 4}}) {
      check(OpKind::Pow, attributes, {shape});
      check(OpKind::Scale, attributes, {shape});
    }
  }
}

} // namespace
