//===- OperatorEmitter.h - Operators as linalg on tensors -------*- C++ -*-===//
//
// Emits operators of the semantics table, of any level, as operations of
// linalg, tensor, arith and math: named operations of linalg where they say the
// same, linalg.generic elsewhere. Floats narrower than f32 are storage: what is
// computed from them is computed in f32 and rounded at the result, as the
// interpreter and the kernels do.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_CONVERSION_MIRAGETOLINALG_OPERATOREMITTER_H
#define MIRAGE_LIB_CONVERSION_MIRAGETOLINALG_OPERATOREMITTER_H

#include "MathSystem.h"
#include "Mirage/Interfaces/ComputeOpSupport.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mirage {

class OperatorEmitter {
public:
  using Value = mlir::Value;
  using Values = llvm::SmallVector<Value, 1>;
  /// Computes one element from elements of f32 or f64.
  using ElementBody =
      llvm::function_ref<Value(MathSystem &, llvm::ArrayRef<Value>)>;

  OperatorEmitter(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  /// Returns the results of an operator applied to `operands`, of element type
  /// `elementType`. Attributes and operands must have passed verification.
  Values emit(OpKind kind, const OpAttributes &attrs,
              llvm::ArrayRef<Value> operands, mlir::Type elementType);

  // Elementwise.cpp
  /// Returns a tensor of `type`, each element computed from those of `inputs`,
  /// whose dimensions of size one stand for any size.
  Value map(llvm::ArrayRef<Value> inputs, mlir::RankedTensorType type,
            mlir::Type computeType, ElementBody body);
  /// Does the same, where the body's first argument is the old element of
  /// `target`, which the result replaces.
  Value update(Value target, llvm::ArrayRef<Value> inputs,
               mlir::Type computeType, ElementBody body);
  Value cast(Value tensor, mlir::Type elementType);
  Value empty(llvm::ArrayRef<int64_t> shape, mlir::Type elementType);
  Value fill(llvm::ArrayRef<int64_t> shape, mlir::Type elementType,
             double value);
  /// Does the same with the initial value of a maximum: minus infinity, or the
  /// lowest number of a type that has no infinity.
  Value fillLowest(llvm::ArrayRef<int64_t> shape, mlir::FloatType elementType);
  /// Returns f64 where one of the types is f64, else f32.
  mlir::Type getComputeType(mlir::TypeRange elementTypes);

  // Layout.cpp
  Value reshape(Value tensor, llvm::ArrayRef<int64_t> shape);
  /// Returns `tensor` without the dimensions of size one for which `isDropped`
  /// holds.
  Value dropDims(Value tensor, llvm::function_ref<bool(size_t)> isDropped);

private:
  Value elementwise(OpKind kind, const OpAttributes &attrs,
                    llvm::ArrayRef<Value> operands, mlir::Type elementType);
  Value composite(OpKind kind, const OpAttributes &attrs,
                  llvm::ArrayRef<Value> operands, mlir::Type elementType);
  Value constant(const OpAttributes &attrs, mlir::Type elementType);
  Value generic(llvm::ArrayRef<Value> inputs, Value target, bool readsTarget,
                mlir::Type computeType, ElementBody body);

  // Layout.cpp
  Value repeat(Value input, llvm::ArrayRef<int64_t> times);
  Value broadcast(Value input, llvm::ArrayRef<int64_t> shape);
  Value transpose(Value input, llvm::ArrayRef<int64_t> permutation);
  Value slice(Value input, llvm::ArrayRef<int64_t> offsets,
              llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> strides);
  Values split(Value input, const OpAttributes &attrs);
  Value concat(llvm::ArrayRef<Value> inputs, int64_t dim);
  Value pad(Value input, llvm::ArrayRef<int64_t> low,
            llvm::ArrayRef<int64_t> high, double value);

  // Contractions.cpp
  Value reduce(const OpAttributes &attrs, Value input, mlir::Type elementType);
  Value matmul(const OpAttributes &attrs, llvm::ArrayRef<Value> operands,
               mlir::Type elementType);
  Value product(const OpAttributes &attrs, Value lhs, Value rhs, Value target);
  Value roundToTF32(Value input);

  // Convolution.cpp
  Value conv2d(const OpAttributes &attrs, Value input, Value filter,
               mlir::Type elementType);
  Value groupedConv2d(const OpAttributes &attrs, Value input, Value filter,
                      Value target);

  mlir::OpBuilder &builder;
  mlir::Location loc;
};

/// Shape and element type of a ranked tensor.
llvm::ArrayRef<int64_t> getShape(mlir::Value tensor);
mlir::FloatType getElementType(mlir::Value tensor);

} // namespace mirage

#endif // MIRAGE_LIB_CONVERSION_MIRAGETOLINALG_OPERATOREMITTER_H
