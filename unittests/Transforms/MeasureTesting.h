//===- MeasureTesting.h - Passes that measure, without a GPU ----*- C++ -*-===//
//
// Runs a pass on a program in a context whose timer is a test's own.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_UNITTESTS_TRANSFORMS_MEASURETESTING_H
#define MIRAGE_UNITTESTS_TRANSFORMS_MEASURETESTING_H

#include "Mirage/Dialect/Block/IR/BlockDialect.h"
#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "Mirage/Dialect/Mirage/IR/MirageDialect.h"
#include "Mirage/Dialect/Thread/IR/ThreadDialect.h"
#include "Mirage/Measurement/GraphTimer.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

namespace mirage {

/// Runs a pass on a program, with the timers of `Interface` if there is a
/// device. Returns its errors; `visit` is shown the module where there are
/// none.
template <typename Interface>
std::string runMeasuringPass(llvm::StringRef program, bool hasDevice,
                             std::unique_ptr<mlir::Pass> pass,
                             llvm::function_ref<void(mlir::ModuleOp)> visit) {
  mlir::DialectRegistry registry;
  registry.insert<MirageDialect, kernel::KernelDialect, block::BlockDialect,
                  thread::ThreadDialect, mlir::func::FuncDialect>();
  if (hasDevice)
    registry.addExtension(+[](mlir::MLIRContext *, MirageDialect *dialect) {
      dialect->addInterfaces<Interface>();
    });
  mlir::MLIRContext context(registry);
  std::string errors;
  mlir::ScopedDiagnosticHandler handler(
      &context,
      [&](mlir::Diagnostic &diagnostic) { errors += diagnostic.str(); });
  auto module = mlir::parseSourceString<mlir::ModuleOp>(program, &context);
  if (!module)
    return errors;
  mlir::PassManager manager(&context);
  manager.addPass(std::move(pass));
  if (mlir::succeeded(manager.run(*module)))
    visit(*module);
  return errors;
}

} // namespace mirage

#endif // MIRAGE_UNITTESTS_TRANSFORMS_MEASURETESTING_H
