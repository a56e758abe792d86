//===- TensorBuilder.h - Creating kernel operators ---------------*- C++
//-*-===//
//
// Creates mirage_kernel operators at one place of the program and leaves out
// those that would change nothing. Dimensions of tensors are often labelled by
// the iteration dimensions of the structured operation that they stem from.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_CONVERSION_LINALGTOMIRAGE_TENSORBUILDER_H
#define MIRAGE_LIB_CONVERSION_LINALGTOMIRAGE_TENSORBUILDER_H

#include "Mirage/Interfaces/ComputeOpSupport.h"

namespace mirage {

/// Holds iteration dimensions, one for each dimension of a tensor.
using Labels = llvm::SmallVector<unsigned, 6>;

/// Returns true if sums and products of elements of `narrow` may have results
/// of `wide`.
bool mayAccumulateIn(mlir::Type wide, mlir::Type narrow);

/// Numbers start, start + stride, …
struct Slice {
  int64_t start, size, stride;
};

/// Returns numbers in sequence as slices one after another.
llvm::SmallVector<Slice> splitIntoSlices(llvm::ArrayRef<int64_t> numbers);

class TensorBuilder {
public:
  TensorBuilder(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  mlir::Value apply(OpKind kind, const OpAttributes &attrs,
                    mlir::ValueRange operands, mlir::Type elementType = {});
  mlir::Value cast(mlir::Value value, mlir::Type elementType);
  mlir::Value scale(mlir::Value value, double factor);
  mlir::Value constant(mlir::DenseFPElementsAttr elements);
  /// Returns a constant of one value, rounded to `elementType`.
  mlir::Value splat(mlir::Type elementType, ShapeRef shape, double value);
  mlir::Value reshape(mlir::Value value, ShapeRef shape);
  mlir::Value transpose(mlir::Value value, llvm::ArrayRef<int64_t> permutation);
  mlir::Value broadcast(mlir::Value value, ShapeRef shape);
  mlir::Value slice(mlir::Value value, llvm::ArrayRef<int64_t> offsets,
                    llvm::ArrayRef<int64_t> sizes,
                    llvm::ArrayRef<int64_t> strides);

  /// Exchanges dimensions so that their labels `from` become `to`, the same
  /// labels in another order. Only dimensions of sizes beyond one cost a
  /// transpose.
  mlir::Value arrange(mlir::Value value, llvm::ArrayRef<unsigned> from,
                      llvm::ArrayRef<unsigned> to);

  /// Reduces the dimensions whose label `isReduced` names, neighbours by one
  /// operator. `labels` lose them. A sum over several operators is kept in
  /// `f32` where elements are narrower, and the result has the type
  /// `elementType` or, where that is null, that of `value`.
  mlir::Value reduce(mlir::Value value, Labels &labels,
                     llvm::function_ref<bool(unsigned)> isReduced,
                     ReduceKind kind, mlir::Type elementType = {});

  static mlir::RankedTensorType getType(mlir::Value value) {
    return llvm::cast<mlir::RankedTensorType>(value.getType());
  }
  static Shape getShape(mlir::Value value) {
    return Shape(getType(value).getShape());
  }

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
};

} // namespace mirage

#endif // MIRAGE_LIB_CONVERSION_LINALGTOMIRAGE_TENSORBUILDER_H
