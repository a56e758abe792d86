//===- Executables.h - Kernels as IREE's executables ------------*- C++ -*-===//
//
// Declares what makes hal.executable.source operations of a program's PTX and
// of the launches that its functions need.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TARGET_IREE_EXECUTABLES_H
#define MIRAGE_LIB_TARGET_IREE_EXECUTABLES_H

#include "Mirage/Runtime/Manifest.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringSet.h"

namespace mirage::iree {

/// What a kernel may do with a buffer that is bound to one of its parameters.
enum class Binding { ReadOnly, ReadWrite };

/// Gives symbols of a module names that no other one has.
class UniqueNames {
public:
  explicit UniqueNames(mlir::ModuleOp module);

  /// Returns `stem` with all but letters, digits and underscores replaced, and
  /// with a number behind it if there is such a name already.
  std::string get(llvm::StringRef stem);

private:
  llvm::StringSet<> used;
};

/// The executables of one PTX file. There is one, unless an entry is launched
/// in different ways: an export is named after the entry and has one grid,
/// block and layout, so each further way takes another executable with the same
/// PTX.
class Executables {
public:
  /// `stem` begins the names, which are chosen as executables are needed.
  Executables(UniqueNames &names, llvm::StringRef stem, llvm::StringRef ptx)
      : names(names), stem(stem), ptx(ptx) {}

  /// Returns the export that launches the kernel as described. `kernel` must
  /// outlive this.
  mlir::SymbolRefAttr getExport(const runtime::KernelDescription &kernel,
                                llvm::ArrayRef<Binding> bindings,
                                mlir::Location loc);

  /// Makes the operations, before the others of the module.
  void emit(mlir::ModuleOp module) const;

private:
  struct Export {
    const runtime::KernelDescription *kernel;
    llvm::SmallVector<Binding> bindings;
    mlir::Location loc;

    /// Returns true if a launch can use this export.
    bool launches(const runtime::KernelDescription &other,
                  llvm::ArrayRef<Binding> otherBindings) const;
  };
  struct Executable {
    std::string name;
    std::vector<Export> exports;
  };
  void emit(const Executable &executable, mlir::OpBuilder &builder) const;

  UniqueNames &names;
  std::string stem;
  llvm::StringRef ptx;
  std::vector<Executable> executables;
};

/// Creates an operation of a dialect that the context does not know. Its
/// attributes are properties in generic syntax.
mlir::Operation *createUnknown(mlir::OpBuilder &builder, mlir::Location loc,
                               llvm::StringRef name, mlir::TypeRange results,
                               mlir::ValueRange operands,
                               llvm::ArrayRef<mlir::NamedAttribute> properties,
                               unsigned numRegions = 0);

} // namespace mirage::iree

#endif // MIRAGE_LIB_TARGET_IREE_EXECUTABLES_H
