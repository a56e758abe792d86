//===- ComputeOpSupport.h - Compute operators in IR -------------*- C++ -*-===//
//
// Declares what compute operators of all levels share: reading and writing the
// plain attributes of the semantics table, type inference, verification,
// folding, and construction of an operator by kind and level.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_INTERFACES_COMPUTEOPSUPPORT_H
#define MIRAGE_INTERFACES_COMPUTEOPSUPPORT_H

#include "Mirage/Semantics/Cost.h"
#include "Mirage/Semantics/ShapeRules.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"

namespace mirage {

/// The level a compute operator belongs to.
enum class Level : uint8_t { Kernel, Block, Thread };

/// Returns "mirage_kernel", "mirage_block" or "mirage_thread".
llvm::StringRef getDialectName(Level level);

/// Returns the level of an operator of one of the three dialects.
std::optional<Level> getLevel(mlir::Operation *op);

/// Reads an operator's attributes by their names in ComputeOps.td.
OpAttributes readOpAttributes(mlir::Operation *op);
OpAttributes readOpAttributes(OpKind kind, mlir::DictionaryAttr attributes,
                              unsigned numOperands,
                              mlir::TypeRange resultTypes);

/// Does the inverse: returns the inherent attributes of an operator with
/// `attributes`.
mlir::NamedAttrList writeOpAttributes(mlir::MLIRContext *context, OpKind kind,
                                      const OpAttributes &attributes,
                                      unsigned numOperands,
                                      mlir::Type elementType);

/// Creates a compute operator. Result shapes follow from the shape rule; the
/// element type is `elementType`, or that of the first operand where null.
/// Operands and attributes must satisfy the operator's constraints.
mlir::Operation *createComputeOp(mlir::OpBuilder &builder, mlir::Location loc,
                                 Level level, OpKind kind,
                                 const OpAttributes &attributes,
                                 mlir::ValueRange operands,
                                 mlir::Type elementType = {});

/// Implements MuGraphOpInterface for an operator of the table: it is that
/// operator of mirage_kernel.
llvm::SmallVector<mlir::Value> buildRow(mlir::Operation *op, OpKind kind,
                                        mlir::OpBuilder &builder);

/// Returns the shapes of ranked tensor types.
llvm::SmallVector<Shape, 4> getShapes(mlir::TypeRange types);

/// Returns the bytes of ranked tensors of static shape, and of one of them.
int64_t getBytes(mlir::TypeRange types);
int64_t getBytes(mlir::Type type);

/// Returns the storage type of a floating-point IR type, if Mirage stores it.
std::optional<ElementType> convertElementType(mlir::Type type);
mlir::Type convertElementType(mlir::MLIRContext *context, ElementType type);

/// Implements InferTypeOpInterface: errors name the constraint broken.
llvm::LogicalResult
inferComputeTypes(llvm::StringRef name, OpKind kind, mlir::MLIRContext *context,
                  std::optional<mlir::Location> location,
                  mlir::ValueRange operands, mlir::DictionaryAttr attributes,
                  llvm::SmallVectorImpl<mlir::Type> &results);

/// Verifies the constraints that all compute operators share (op_c1 to op_c5)
/// and the operator's own (its shape rule).
llvm::LogicalResult verifyComputeOp(mlir::Operation *op);

/// Verifies constraints op_c1 and op_c2 for one type: static shape, positive
/// sizes, and a size in bytes below 2^63.
llvm::LogicalResult verifyTensorType(mlir::Operation *op, mlir::Type type,
                                     llvm::StringRef what);

/// Implements ReifyRankedShapedTypeOpInterface.
llvm::LogicalResult
reifyComputeShapes(mlir::Operation *op, mlir::OpBuilder &builder,
                   mlir::ReifiedRankedShapedTypeDims &shapes);

/// Folds identities and operators of constants. `operands` are the constants
/// among the operands.
llvm::LogicalResult
foldComputeOp(mlir::Operation *op, llvm::ArrayRef<mlir::Attribute> operands,
              llvm::SmallVectorImpl<mlir::OpFoldResult> &results);

/// Rewrites that canonicalization applies to compute operators of all levels.
void populateComputeCanonicalizations(mlir::RewritePatternSet &patterns,
                                      llvm::StringRef dialect);

} // namespace mirage

#endif // MIRAGE_INTERFACES_COMPUTEOPSUPPORT_H
