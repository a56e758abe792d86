//===- BodyReader.h - Bodies of structured operations -----------*- C++ -*-===//
//
// Translates scalar values into nodes of a scalar graph, beginning at what a
// body yields.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_CONVERSION_LINALGTOMIRAGE_BODYREADER_H
#define MIRAGE_LIB_CONVERSION_LINALGTOMIRAGE_BODYREADER_H

#include "ConstantBody.h"
#include "StructuredOp.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace mirage {

class BodyReader {
public:
  /// `linalg` is null for an elementwise operation on tensors, whose operands
  /// must have been entered into `nodes`.
  BodyReader(Importer &importer, StructuredOp &op,
             mlir::linalg::LinalgOp linalg)
      : importer(importer), op(op), linalg(linalg), body(importer, linalg) {}

  /// Returns the node of a value of the body, or of a scalar outside of it.
  mlir::FailureOr<unsigned> read(mlir::Value value);
  mlir::FailureOr<unsigned> readOperation(mlir::Operation *definition);
  /// Returns the node of the element read from an operand of the linalg
  /// operation.
  mlir::FailureOr<unsigned> readOperand(unsigned number);
  /// Returns the labels that an indexing map gives the dimensions of a tensor.
  mlir::FailureOr<MapLabels> readMap(mlir::AffineMap map,
                                     mlir::ShapedType type);
  unsigned addOperand(StructuredOperand operand);

  llvm::DenseMap<mlir::Value, unsigned> nodes;
  /// The loop, and the first number of it, from which on the body takes
  /// another branch: why it could not be read as a whole.
  std::optional<std::pair<unsigned, int64_t>> split;

private:
  mlir::FailureOr<unsigned> readNew(mlir::Value value);
  /// Reads a value known at compile time for each point of the loops `loops`.
  mlir::FailureOr<unsigned> readTable(mlir::Value value,
                                      const llvm::SmallBitVector &loops);
  /// Reads an element of a tensor at indices that are known.
  mlir::FailureOr<unsigned> readExtract(mlir::tensor::ExtractOp extract);
  /// Reads a branch whose condition is known.
  mlir::FailureOr<unsigned> readBranch(mlir::OpResult result);
  mlir::LogicalResult refuseUnknown(mlir::Operation *definition);
  /// Checks that the operation takes and gives numbers of the table, or
  /// conditions.
  mlir::LogicalResult checkOperation(mlir::Operation *definition);
  mlir::FailureOr<llvm::SmallVector<unsigned, 3>>
  readOperands(mlir::Operation *definition);
  /// Reads an operation whose result is a number.
  mlir::FailureOr<unsigned> readNumber(mlir::Operation *definition,
                                       llvm::ArrayRef<unsigned> args);
  /// Reads an operation that stands for several operators of the table, or for
  /// a power.
  mlir::FailureOr<unsigned> readFormula(mlir::Operation *definition,
                                        llvm::ArrayRef<unsigned> args,
                                        mlir::FloatType type);
  mlir::FailureOr<unsigned> readPower(mlir::math::PowFOp power, unsigned base,
                                      unsigned exponent);
  mlir::FailureOr<unsigned> readPower(mlir::math::FPowIOp power, unsigned base);
  mlir::FailureOr<unsigned> readConditionAsNumber(mlir::Operation *definition);
  /// Reads an operation whose result is of type i1.
  mlir::FailureOr<unsigned> readCondition(mlir::Operation *definition,
                                          llvm::ArrayRef<unsigned> args);
  unsigned readComparison(mlir::arith::CmpFPredicate predicate, unsigned lhs,
                          unsigned rhs);

  Importer &importer;
  StructuredOp &op;
  mlir::linalg::LinalgOp linalg;
  ConstantBody body;
};

/// Prints a type, attribute or map.
template <typename T> std::string toText(T value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

/// Returns the number nearest to an attribute's.
double toDouble(mlir::FloatAttr number);

} // namespace mirage

#endif // MIRAGE_LIB_CONVERSION_LINALGTOMIRAGE_BODYREADER_H
