//===- IRSystem.h - The semantics' numbers as IR ----------------*- C++ -*-===//
//
// Declares the system with which Element.h emits code: values are scalars of
// f32 or f64, indices are integers of the kernel's index type. See Element.h
// for what each function means.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_CONVERSION_THREADTONVVM_IRSYSTEM_H
#define MIRAGE_LIB_CONVERSION_THREADTONVVM_IRSYSTEM_H

#include "../ArithSystem.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include <functional>

namespace mirage {

class IRSystem : public ArithSystem {
public:
  using Index = mlir::Value;
  using Condition = mlir::Value;

  mlir::Type indexType;
  /// The values that read and element return, in computeType.
  std::function<Value(unsigned, llvm::ArrayRef<Value>)> reader;
  std::function<Value(llvm::ArrayRef<Value>)> constantReader;

  IRSystem(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type indexType,
           mlir::Type computeType)
      : ArithSystem(builder, loc, computeType,
                    mlir::arith::FastMathFlags::contract),
        indexType(indexType) {}

  // These functions compute values, beside or in place of those of ArithSystem;
  // addition serves indices too.
  Value add(Value a, Value b);
  Value div(Value a, Value b);
  Value exp(Value a);
  Value exp2(Value a);
  Value log(Value a);
  Value sqrt(Value a);
  Value rsqrt(Value a);
  Value erf(Value a);
  Value tanh(Value a);
  /// Returns 1 / (1 + exp(-a)).
  Value sigmoid(Value a);
  Value pow(Value a, double exponent);
  Value roundToTF32(Value a);
  /// Returns exp(from - to), and one where they are equal, infinite or not.
  Value rescale(Value from, Value to);

  Value read(unsigned operand, llvm::ArrayRef<Value> at) {
    return reader(operand, at);
  }
  Value element(llvm::ArrayRef<Value> at) { return constantReader(at); }

  // These functions compute indices.
  Index index(int64_t value);
  Index addIndex(Index a, Index b);
  Index addConstant(Index a, int64_t c);
  Index mulConstant(Index a, int64_t c);
  Index divConstant(Index a, int64_t c);
  Index remConstant(Index a, int64_t c);
  Condition inRange(Index i, int64_t lower, int64_t upper);
  Condition both(Condition a, Condition b);

  /// Computes one value where the condition holds, or else another.
  template <typename Then, typename Else>
  Value select(Condition condition, Then then, Else otherwise) {
    auto op = mlir::scf::IfOp::create(builder, loc, computeType, condition,
                                      /*withElseRegion=*/true);
    fill(op.getThenRegion().front(), then);
    fill(op.getElseRegion().front(), otherwise);
    return op.getResult(0);
  }

  /// Emits loops over `extents` that carry an accumulator.
  template <typename Body>
  Value reduce(llvm::ArrayRef<int64_t> extents, Value initial, Body body) {
    llvm::SmallVector<Value, 3> at;
    return reduceFrom(extents, initial, at, body);
  }

  /// Emits a loop `from` to `to` by `step` of the index type, without results.
  void forEach(Value from, Value to, Value step,
               llvm::function_ref<void(Value)> body);

private:
  template <typename Body> void fill(mlir::Block &block, Body body) {
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&block);
    mlir::Value value = body();
    mlir::scf::YieldOp::create(builder, loc, value);
  }

  template <typename Body>
  Value reduceFrom(llvm::ArrayRef<int64_t> extents, Value accumulator,
                   llvm::SmallVectorImpl<Value> &at, Body body) {
    if (extents.empty())
      return body(llvm::ArrayRef<Value>(at), accumulator);
    auto loop =
        mlir::scf::ForOp::create(builder, loc, index(0), index(extents.front()),
                                 index(1), mlir::ValueRange(accumulator));
    at.push_back(loop.getInductionVar());
    fill(*loop.getBody(), [&] {
      return reduceFrom(extents.drop_front(), loop.getRegionIterArg(0), at,
                        body);
    });
    at.pop_back();
    return loop.getResult(0);
  }
};

} // namespace mirage

#endif // MIRAGE_LIB_CONVERSION_THREADTONVVM_IRSYSTEM_H
