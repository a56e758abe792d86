//===- TestSupport.h - Programs of tests ------------------------*- C++ -*-===//
//
// A module parsed from text that can be run, and its diagnostics.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_UNITTESTS_INTERPRETER_TESTSUPPORT_H
#define MIRAGE_UNITTESTS_INTERPRETER_TESTSUPPORT_H

#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "Mirage/Dialect/Thread/IR/ThreadDialect.h"
#include "Mirage/Interpreter/IR/Interpreter.h"
#include "Mirage/MuGraph/IR/ImportMuGraph.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

namespace mirage {

class TestProgram {
public:
  explicit TestProgram(llvm::StringRef text)
      : context(makeRegistry()),
        handler(&context, [this](mlir::Diagnostic &diagnostic) {
          errors += diagnostic.str() + "\n";
        }) {
    context.printOpOnDiagnostic(false);
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module) << errors;
  }

  mlir::func::FuncOp find(llvm::StringRef name) {
    return module ? module->lookupSymbol<mlir::func::FuncOp>(name) : nullptr;
  }

  /// The results of a function, or nothing if there is an error.
  llvm::SmallVector<TensorValue> run(llvm::StringRef name,
                                     llvm::ArrayRef<std::vector<double>> inputs,
                                     Precision precision = Precision::Storage) {
    mlir::func::FuncOp function = find(name);
    if (!function)
      return {};
    llvm::SmallVector<TensorValue> values;
    for (auto [type, input] :
         llvm::zip_equal(function.getArgumentTypes(), inputs)) {
      std::string error;
      auto known = importType(type, error);
      values.push_back(
          TensorValue::create(known->type, known->shape, input, precision));
    }
    InterpreterOptions options;
    options.precision = precision;
    auto results = interpret(function, values, options);
    if (mlir::failed(results))
      return {};
    return std::move(*results);
  }

  /// What was diagnosed since the last call, a line each.
  std::string takeErrors() { return std::exchange(errors, {}); }

private:
  static mlir::DialectRegistry makeRegistry() {
    mlir::DialectRegistry registry;
    registry.insert<MirageDialect, kernel::KernelDialect, block::BlockDialect,
                    thread::ThreadDialect, mlir::arith::ArithDialect,
                    mlir::func::FuncDialect, mlir::math::MathDialect,
                    mlir::tensor::TensorDialect>();
    return registry;
  }

  std::string errors;
  mlir::MLIRContext context;
  mlir::ScopedDiagnosticHandler handler;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

} // namespace mirage

#endif // MIRAGE_UNITTESTS_INTERPRETER_TESTSUPPORT_H
