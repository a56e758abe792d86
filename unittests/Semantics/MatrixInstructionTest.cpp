//===- MatrixInstructionTest.cpp - Which products fill mma.sync -----------===//

#include "Mirage/Semantics/MatrixInstruction.h"
#include "Mirage/Semantics/ProductDims.h"
#include <gtest/gtest.h>

using namespace mirage;

namespace {

constexpr ElementType f16 = ElementType::f16, bf16 = ElementType::bf16,
                      f32 = ElementType::f32, f64 = ElementType::f64;

/// The contracted elements of the instruction for a product of m x k by k x n;
/// zero without an instruction.
int64_t getDepth(int64_t m, int64_t n, int64_t k, ElementType operands,
                 ElementType result, const OpAttributes &attributes = {}) {
  Shape lhs(3, 2), rhs(3, 2);
  lhs[getKeptDim(attributes, ProductOperand::Lhs, 3)] = m;
  lhs[getContractedDim(attributes, ProductOperand::Lhs, 3)] = k;
  rhs[getContractedDim(attributes, ProductOperand::Rhs, 3)] = k;
  rhs[getKeptDim(attributes, ProductOperand::Rhs, 3)] = n;
  auto instruction = getMatrixInstruction(OpKind::Matmul, attributes,
                                          {lhs, rhs}, operands, result);
  return instruction ? instruction->depth : 0;
}

TEST(ProductDims, FollowTranspositions) {
  OpAttributes attributes;
  EXPECT_EQ(getKeptDim(attributes, ProductOperand::Lhs, 3), 1u);
  EXPECT_EQ(getContractedDim(attributes, ProductOperand::Lhs, 3), 2u);
  EXPECT_EQ(getContractedDim(attributes, ProductOperand::Rhs, 3), 1u);
  EXPECT_EQ(getKeptDim(attributes, ProductOperand::Rhs, 3), 2u);
  attributes.transposeLhs = true;
  EXPECT_EQ(getKeptDim(attributes, ProductOperand::Lhs, 2), 1u);
  EXPECT_EQ(getContractedDim(attributes, ProductOperand::Lhs, 2), 0u);
  EXPECT_EQ(getContractedDim(attributes, ProductOperand::Rhs, 2), 0u);
  attributes.transposeRhs = true;
  EXPECT_EQ(getContractedDim(attributes, ProductOperand::Rhs, 2), 1u);
  EXPECT_EQ(getKeptDim(attributes, ProductOperand::Rhs, 2), 0u);
}

TEST(MatrixInstruction, NeedsWholeDepthsAndColumns) {
  for (unsigned bits = 0; bits < 4; ++bits) {
    OpAttributes attributes;
    attributes.transposeLhs = bits & 1;
    attributes.transposeRhs = bits & 2;
    EXPECT_EQ(getDepth(16, 8, 16, f16, f32, attributes), 16);
    // Rows are filled up with zeros.
    EXPECT_EQ(getDepth(3, 24, 48, f16, f16, attributes), 16);
    EXPECT_EQ(getDepth(16, 12, 16, f16, f32, attributes), 0);
    EXPECT_EQ(getDepth(16, 8, 24, f16, f32, attributes), 0);
  }
}

TEST(MatrixInstruction, NeedsTypes) {
  OpAttributes tf32;
  tf32.tf32 = true;
  EXPECT_EQ(getDepth(16, 8, 16, bf16, bf16), 16);
  EXPECT_EQ(getDepth(16, 8, 24, f32, f32, tf32), 8);
  EXPECT_EQ(getDepth(16, 8, 16, f32, f32), 0);
  EXPECT_EQ(getDepth(16, 8, 16, f64, f64, tf32), 0);
  // The instruction's results are f32, which only rounds to the operands' type.
  EXPECT_EQ(getDepth(16, 8, 16, bf16, f16), 0);
  EXPECT_EQ(getDepth(16, 8, 16, f16, f64), 0);
  EXPECT_EQ(getDepth(16, 8, 16, ElementType::f8E4M3FN, f32), 0);
}

TEST(MatrixInstruction, AddsProductsInF32Only) {
  llvm::SmallVector<Shape, 4> shapes = {{16, 32}, {16, 16}, {32, 8}, {16, 8}};
  auto get = [&](ElementType result) {
    return getMatrixInstruction(OpKind::ConcatMatmul, {}, shapes, f16, result);
  };
  EXPECT_TRUE(get(f32));
  EXPECT_FALSE(get(f16));
  // The second product contracts half of what fills an instruction.
  shapes[1] = {16, 8};
  shapes[3] = {8, 8};
  EXPECT_FALSE(get(f32));
}

TEST(MatrixInstruction, IsForProductsOnly) {
  EXPECT_FALSE(getMatrixInstruction(
      OpKind::Conv2d, {}, {{1, 16, 16, 16}, {16, 16, 1, 1}}, f16, f32));
  EXPECT_FALSE(
      getMatrixInstruction(OpKind::Add, {}, {{16, 16}, {16, 16}}, f16, f32));
}

TEST(TensorCores, TakeNarrowTypesAndTF32) {
  EXPECT_EQ(getTensorCoreTime(f16, false), 1);
  EXPECT_EQ(getTensorCoreTime(ElementType::f8E5M2, false), 1);
  EXPECT_EQ(getTensorCoreTime(f32, true), 2);
  EXPECT_FALSE(getTensorCoreTime(f32, false));
  EXPECT_FALSE(getTensorCoreTime(f64, true));
}

} // namespace
