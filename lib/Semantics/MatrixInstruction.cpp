//===- MatrixInstruction.cpp - Which products tensor cores compute --------===//
//
// The types that tensor cores multiply, and the products that fill mma.sync.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Semantics/MatrixInstruction.h"
#include "Mirage/Semantics/ProductDims.h"
#include "llvm/Support/MathExtras.h"

using namespace mirage;

std::optional<double> mirage::getTensorCoreTime(ElementType operands,
                                                bool tf32) {
  switch (operands) {
  case ElementType::f16:
  case ElementType::bf16:
  case ElementType::f8E4M3FN:
  case ElementType::f8E5M2:
    return 1;
  case ElementType::f32:
    return tf32 ? std::optional<double>(2) : std::nullopt;
  case ElementType::f64:
    return std::nullopt;
  }
  llvm_unreachable("not an element type");
}

bool mirage::hasWgmma(llvm::StringRef chip) { return chip == "sm_90a"; }

bool mirage::fillsWarpgroups(int64_t numRows, int64_t numWarps) {
  if (numWarps % WarpgroupInstruction::warps)
    return false;
  auto whole = static_cast<int64_t>(
      llvm::alignTo(numRows, MatrixInstruction::rows * numWarps));
  return 4 * (whole - numRows) <= whole;
}

std::optional<MatrixInstruction>
mirage::getMatrixInstruction(ElementType operands, bool tf32) {
  switch (operands) {
  case ElementType::f16:
  case ElementType::bf16:
    return MatrixInstruction{16};
  case ElementType::f32:
    return tf32 ? std::optional(MatrixInstruction{8}) : std::nullopt;
  case ElementType::f8E4M3FN:
  case ElementType::f8E5M2:
  case ElementType::f64:
    return std::nullopt;
  }
  llvm_unreachable("not an element type");
}

std::optional<MatrixInstruction>
mirage::getFragmentInstruction(ElementType operands) {
  return getMatrixInstruction(operands, /*tf32=*/false);
}

std::optional<int64_t> mirage::getProductStep(ElementType operands) {
  if (auto instruction = getFragmentInstruction(operands))
    return instruction->depth;
  return operands == ElementType::f32 ? std::optional<int64_t>(4)
                                      : std::nullopt;
}

bool mirage::isMatrixResult(ElementType operands, ElementType result) {
  return result == ElementType::f32 || result == operands;
}

std::optional<MatrixInstruction>
mirage::getMatrixInstruction(OpKind kind, const OpAttributes &attributes,
                             llvm::ArrayRef<Shape> operands,
                             ElementType operandType, ElementType resultType) {
  std::optional<MatrixInstruction> instruction =
      getMatrixInstruction(operandType, attributes.tf32);
  if (!instruction)
    return std::nullopt;
  auto fits = [&](const Shape &lhs, const Shape &rhs) {
    int64_t depth =
        lhs[getContractedDim(attributes, ProductOperand::Lhs, lhs.size())];
    int64_t columns =
        rhs[getKeptDim(attributes, ProductOperand::Rhs, rhs.size())];
    return depth % instruction->depth == 0 &&
           columns % MatrixInstruction::columns == 0;
  };
  switch (kind) {
  case OpKind::Matmul:
    if (isMatrixResult(operandType, resultType) &&
        fits(operands[0], operands[1]))
      return instruction;
    return std::nullopt;
  case OpKind::ConcatMatmul:
    // Two products in one accumulation, which only an f32 result keeps exactly.
    if (resultType == ElementType::f32 && fits(operands[0], operands[2]) &&
        fits(operands[1], operands[3]))
      return instruction;
    return std::nullopt;
  case OpKind::Conv2d:
#define MIRAGE_CONTRACTION_OP(...)
#define MIRAGE_OP(Kind, ...) case OpKind::Kind:
#include "Mirage/Semantics/OpKinds.def"
    return std::nullopt;
  }
  llvm_unreachable("unknown operator");
}
