//===- MmaInstruction.h - One mma.sync --------------------------*- C++ -*-===//
//
// Emits mma.sync for operands of one element type (PTX ISA, "Warp Level Matrix
// Multiply-Accumulate Instructions").
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_CONVERSION_THREADTONVVM_MMAINSTRUCTION_H
#define MIRAGE_LIB_CONVERSION_THREADTONVVM_MMAINSTRUCTION_H

#include "Mirage/Interfaces/MatrixTypes.h"

namespace mirage {

class MmaInstruction {
public:
  MmaInstruction(mlir::OpBuilder &builder, mlir::Location loc,
                 mlir::Type element)
      : builder(builder), loc(loc), element(element),
        depth(getMatrixInstruction(element)->depth) {}

  /// Returns the number of contracted elements of one instruction.
  int64_t getDepth() const { return depth; }
  /// Returns the number of operand elements in a register of 32 bits.
  int64_t getPack() const { return element.isF32() ? 1 : 2; }
  /// Returns the type of a register that holds operand elements.
  mlir::Type getRegisterType() const;
  /// Emits the instruction for four registers of the left operand, two of the
  /// right one and four sums. Returns a struct of four f32.
  mlir::Value emit(llvm::ArrayRef<mlir::Value> lhs,
                   llvm::ArrayRef<mlir::Value> rhs, mlir::ValueRange sums);

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Type element;
  int64_t depth;
};

} // namespace mirage

#endif // MIRAGE_LIB_CONVERSION_THREADTONVVM_MMAINSTRUCTION_H
