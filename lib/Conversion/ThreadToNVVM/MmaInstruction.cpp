//===- MmaInstruction.cpp - One mma.sync ----------------------------------===//
//
// Emits mma.sync for operands of one element type.
//
//===----------------------------------------------------------------------===//

#include "MmaInstruction.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mirage;

Type MmaInstruction::getRegisterType() const {
  return element.isF16() ? Type(VectorType::get(2, element))
                         : Type(builder.getI32Type());
}

Value MmaInstruction::emit(ArrayRef<Value> lhs, ArrayRef<Value> rhs,
                           ValueRange sums) {
  Type f32 = builder.getF32Type();
  auto result = LLVM::LLVMStructType::getLiteral(builder.getContext(),
                                                 {f32, f32, f32, f32});
  NVVM::MMATypes type = element.isF32()   ? NVVM::MMATypes::tf32
                        : element.isF16() ? NVVM::MMATypes::f16
                                          : NVVM::MMATypes::bf16;
  return NVVM::MmaOp::create(
      builder, loc, result, lhs, rhs, sums,
      ArrayRef<int64_t>{MatrixInstruction::rows, MatrixInstruction::columns,
                        depth},
      std::nullopt, std::nullopt, std::array<NVVM::MMATypes, 2>{type, type},
      std::array<NVVM::MMALayout, 2>{NVVM::MMALayout::row,
                                     NVVM::MMALayout::col});
}
