//===- ConstantBody.h - Bodies of constants and loop indices ----*- C++ -*-===//
//
// Iotas, masks and tables are written as structured operations on linalg.index
// and constants. Their values are known: they are folded point by point of the
// iteration space.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_CONVERSION_LINALGTOMIRAGE_CONSTANTBODY_H
#define MIRAGE_LIB_CONVERSION_LINALGTOMIRAGE_CONSTANTBODY_H

#include "Importer.h"
#include "llvm/ADT/SmallBitVector.h"

namespace mirage {

class ConstantBody {
public:
  /// The largest number of points evaluated for one value.
  static constexpr int64_t mostPoints = int64_t(1) << 24;

  ConstantBody(Importer &importer, mlir::linalg::LinalgOp op)
      : importer(importer), op(op) {}

  /// Returns true if the value of the body comes from indices of loops or from
  /// tensors of integers, perhaps among other things.
  bool hasIntegers(mlir::Value value);

  /// Returns the loops that a value known at compile time depends on, or
  /// nothing for values that are not known.
  std::optional<llvm::SmallBitVector> getLoops(mlir::Value value);

  /// Returns the values of a known one, for the loops `order` in row-major
  /// order. Loop i runs from starts[i] over ranges[i] numbers. The result is
  /// empty, with the importer's reason, if they cannot be folded.
  llvm::SmallVector<mlir::Attribute> evaluate(mlir::Value value,
                                              llvm::ArrayRef<unsigned> order,
                                              llvm::ArrayRef<int64_t> starts,
                                              llvm::ArrayRef<int64_t> ranges);

private:
  /// A value that is computed at a point, and how many loops there are from the
  /// outermost one to the innermost one that it depends on.
  struct Step {
    mlir::Value value;
    size_t depth = 0;
    /// The value itself, if it is a constant.
    mlir::Attribute constant;
    /// The steps of what the value is computed of.
    llvm::SmallVector<unsigned, 3> inputs;
    /// The numbers of a loop's index that were asked for.
    std::vector<mlir::Attribute> indices;
    /// What the value's operation was folded for last, and to what: the masks
    /// of neighbouring points are mostly equal.
    llvm::SmallVector<mlir::Attribute, 3> operands;
    mlir::Attribute folded;
  };
  /// What is known at a point, by steps.
  using Attributes = llvm::SmallVector<mlir::Attribute, 8>;

  std::optional<llvm::SmallBitVector> findLoops(mlir::Value value);
  /// Returns the values that `value` needs, operands before results.
  std::vector<Step> getSteps(mlir::Value value, llvm::ArrayRef<unsigned> order);
  /// Returns a value at the point `at`, given those of its operands, or null if
  /// it does not fold.
  mlir::Attribute compute(Step &step, llvm::ArrayRef<int64_t> at,
                          const Attributes &known);

  /// The steps of the values that are being evaluated.
  llvm::DenseMap<mlir::Value, unsigned> numbers;

  Importer &importer;
  mlir::linalg::LinalgOp op;
  llvm::DenseMap<mlir::Value, bool> integers;
  llvm::DenseMap<mlir::Value, std::optional<llvm::SmallBitVector>> loops;
};

} // namespace mirage

#endif // MIRAGE_LIB_CONVERSION_LINALGTOMIRAGE_CONSTANTBODY_H
