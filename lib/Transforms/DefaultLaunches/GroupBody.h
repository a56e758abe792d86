//===- GroupBody.h - The block graph of a group -----------------*- C++ -*-===//
//
// Makes what a launch executes of the operators of a group: loads of a block's
// parts, the operators on them, and stores.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TRANSFORMS_DEFAULTLAUNCHES_GROUPBODY_H
#define MIRAGE_LIB_TRANSFORMS_DEFAULTLAUNCHES_GROUPBODY_H

#include "OperatorGroups.h"
#include "mlir/IR/IRMapping.h"

namespace mirage {

class GroupBody {
public:
  /// Builds at the end of the body of a launch whose grid is the tiling's.
  GroupBody(mlir::Block &body, const OperatorGroup &group,
            const GroupAxes &axes, const GroupTiling &tiling)
      : group(group), axes(axes), tiling(tiling),
        builder(mlir::OpBuilder::atBlockEnd(&body)) {}

  /// Says where the body has a value of the kernel graph: the whole of it, as
  /// an argument, or a block's part.
  void setArgument(mlir::Value value, mlir::Value argument) {
    arguments[value] = argument;
  }
  void setPart(mlir::Value value, mlir::Value part) { parts[value] = part; }

  /// Emits all operators but the product, and the stores of all outputs.
  void emit(llvm::ArrayRef<mlir::Value> outputs);

private:
  mlir::Value getPart(mlir::Value value);
  bool isInLoop(mlir::Value value) const;
  mlir::Value emitOperator(mlir::Operation *op);
  llvm::SetVector<mlir::Operation *> findLoop() const;
  void emitLoop(const llvm::SetVector<mlir::Operation *> &inLoop);
  mlir::Value createOperator(mlir::Location loc, OpKind kind,
                             const OpAttributes &attributes,
                             mlir::Value operand, mlir::Type type);
  /// The dimension of a value that each dimension of the grid divides.
  llvm::SmallVector<int64_t> getMap(mlir::Value value) const;

  const OperatorGroup &group;
  const GroupAxes &axes;
  const GroupTiling &tiling;
  mlir::OpBuilder builder;
  /// The number of the iteration, inside of a loop.
  mlir::Value iteration;
  llvm::DenseMap<mlir::Value, mlir::Value> arguments, parts;
};

} // namespace mirage

#endif // MIRAGE_LIB_TRANSFORMS_DEFAULTLAUNCHES_GROUPBODY_H
