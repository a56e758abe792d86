//===- LaunchInputs.h - What launches read that is no memory ----*- C++ -*-===//
//
// A launch that is measured by itself must be lowered as it is in its function.
// There the lowering knows more of its operands than their types: it computes
// masks of indices, has constants in the kernel's module, and reads slices,
// transposes, windows and parts where the tensors lie that they are of.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TRANSFORMS_TUNE_LAUNCHINPUTS_H
#define MIRAGE_LIB_TRANSFORMS_TUNE_LAUNCHINPUTS_H

#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"

namespace mirage {

class DeviceBuffers;

/// The operations that define what launches read.
class LaunchInputs {
public:
  /// Finds the operations of the launches' function that define what the
  /// launches read and that the lowering makes no memory of: constants, also
  /// under another shape, and layout operators that have no kernel. The
  /// operations must outlive this.
  explicit LaunchInputs(llvm::ArrayRef<kernel::LaunchOp> launches);

  bool empty() const { return definitions.empty(); }

  /// Lets a function whose arguments are those of getOuterOperands(launches)
  /// define them in the same way, of arguments of its own.
  void define(mlir::func::FuncOp function) const;

  /// Tells definitions from others, also constants of one type by their
  /// elements; empty without definitions.
  std::string describe() const;

private:
  /// Without a plan of the function's buffers, only constants are found.
  void collect(const DeviceBuffers *plan);
  bool areAllInPlace(llvm::ArrayRef<kernel::LaunchOp> launches) const;
  bool isDefined(mlir::Value value) const {
    return definitions.contains(value.getDefiningOp());
  }

  llvm::SmallVector<mlir::Value> operands;
  /// They stand behind those whose results they take.
  llvm::SetVector<mlir::Operation *> definitions;
};

} // namespace mirage

#endif // MIRAGE_LIB_TRANSFORMS_TUNE_LAUNCHINPUTS_H
