//===- KernelControl.cpp - Scalars and control flow of a block ------------===//
//
// Computes scalars by the folders of their operations, and runs loops and
// branches.
//
//===----------------------------------------------------------------------===//

#include "KernelBlock.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mirage;

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

void KernelBlock::setIndex(Value value, int64_t number) {
  scalars[value] = {IntegerAttr::get(value.getType(), number)};
}

/// Returns a scalar that all threads must have in common.
FailureOr<int64_t> KernelBlock::getIndex(Operation *op, Value value) {
  auto found = scalars.find(value);
  if (found == scalars.end())
    return error(op) << "has an index of which the interpreter knows no value";
  if (found->second.size() != 1)
    return error(op) << "has an index that differs between the threads that "
                        "execute it together";
  return cast<IntegerAttr>(found->second.front()).getInt();
}

/// Returns the results of an operation for one thread.
FailureOr<KernelBlock::Scalar> KernelBlock::fold(Operation *op,
                                                 unsigned thread) {
  auto of = [&](Value value) {
    const Scalar &scalar = scalars.find(value)->second;
    return scalar[scalar.size() == 1 ? 0 : thread];
  };
  SmallVector<Attribute> operands = llvm::map_to_vector(op->getOperands(), of);
  SmallVector<OpFoldResult> folded;
  if (failed(op->fold(operands, folded)) ||
      folded.size() != op->getNumResults())
    return op->emitOpError("has no value that the interpreter can compute");
  Scalar results;
  for (OpFoldResult result : folded) {
    auto value = dyn_cast<Value>(result);
    results.push_back(value ? of(value) : cast<Attribute>(result));
  }
  return results;
}

LogicalResult KernelBlock::runScalar(Operation *op) {
  size_t count = 1;
  for (Value operand : op->getOperands()) {
    auto found = scalars.find(operand);
    if (found == scalars.end())
      return op->emitOpError("has an operand that is no scalar");
    count = std::max(count, found->second.size());
  }
  SmallVector<Scalar> results(op->getNumResults());
  for (size_t thread = 0; thread < count; ++thread) {
    FailureOr<Scalar> folded = fold(op, thread);
    if (failed(folded))
      return failure();
    for (auto [result, value] : llvm::zip(results, *folded))
      result.push_back(value);
  }
  for (auto [value, result] : llvm::zip(op->getResults(), results)) {
    if (llvm::all_equal(result))
      result.truncate(1);
    scalars[value] = std::move(result);
  }
  return success();
}

LogicalResult KernelBlock::run(gpu::ThreadIdOp op) {
  if (op.getDimension() != gpu::Dimension::x) {
    setIndex(op, 0);
    return success();
  }
  Scalar numbers;
  for (int64_t thread = 0; thread < launch.threads; ++thread)
    numbers.push_back(IntegerAttr::get(op.getType(), thread));
  scalars[op] = std::move(numbers);
  return success();
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// Gives values those of others, all at once.
void KernelBlock::assign(ValueRange targets, ValueRange sources) {
  SmallVector<std::shared_ptr<const RegisterTile>> newTiles;
  SmallVector<Scalar> newScalars;
  for (Value source : sources) {
    newTiles.push_back(tiles.lookup(source));
    newScalars.push_back(scalars.lookup(source));
  }
  for (auto [target, tile, scalar] : llvm::zip(targets, newTiles, newScalars)) {
    if (tile)
      tiles[target] = tile;
    else
      scalars[target] = scalar;
  }
}

LogicalResult KernelBlock::run(scf::ForOp loop) {
  FailureOr<int64_t> lower = getIndex(loop, loop.getLowerBound());
  FailureOr<int64_t> upper = getIndex(loop, loop.getUpperBound());
  FailureOr<int64_t> step = getIndex(loop, loop.getStep());
  if (failed(lower) || failed(upper) || failed(step))
    return failure();
  if (*step <= 0)
    return error(loop) << "has a step of " << *step;
  assign(loop.getRegionIterArgs(), loop.getInitArgs());
  for (int64_t i = *lower; i < *upper; i += *step) {
    setIndex(loop.getInductionVar(), i);
    if (failed(runOperations(*loop.getBody())))
      return failure();
    assign(loop.getRegionIterArgs(),
           loop.getBody()->getTerminator()->getOperands());
  }
  assign(loop.getResults(), loop.getRegionIterArgs());
  return success();
}

LogicalResult KernelBlock::run(scf::IfOp choice) {
  auto condition = scalars.find(choice.getCondition());
  if (condition == scalars.end())
    return error(choice) << "has a condition that is no scalar";
  if (condition->second.size() != 1)
    return runDivergent(choice, condition->second);
  bool holds = cast<IntegerAttr>(condition->second.front()).getValue() != 0;
  Region &region = holds ? choice.getThenRegion() : choice.getElseRegion();
  if (region.empty())
    return success();
  if (failed(runOperations(region.front())))
    return failure();
  assign(choice.getResults(), region.front().getTerminator()->getOperands());
  return success();
}

/// Runs both branches; they may compute nothing but scalars, of which each
/// thread takes those of its own branch.
LogicalResult KernelBlock::runDivergent(scf::IfOp choice,
                                        const Scalar &condition) {
  Scalar conditions = condition;
  for (Region *region : {&choice.getThenRegion(), &choice.getElseRegion()}) {
    if (region->empty())
      continue;
    for (Operation &op : region->front().without_terminator()) {
      if (!isa_and_nonnull<arith::ArithDialect>(op.getDialect())) {
        InFlightDiagnostic diagnostic = error(&op);
        diagnostic << "is executed by a part of the block's threads only, "
                      "which waits for the others forever";
        diagnostic.attachNote(choice.getLoc())
            << "the condition differs between threads";
        return diagnostic;
      }
      if (failed(runScalar(&op)))
        return failure();
    }
  }
  for (auto [i, result] : llvm::enumerate(choice.getResults())) {
    Scalar chosen;
    for (auto [thread, holds] : llvm::enumerate(conditions)) {
      Region &region = cast<IntegerAttr>(holds).getValue() != 0
                           ? choice.getThenRegion()
                           : choice.getElseRegion();
      const Scalar &values =
          scalars[region.front().getTerminator()->getOperand(i)];
      chosen.push_back(values[values.size() == 1 ? 0 : thread]);
    }
    scalars[result] = std::move(chosen);
  }
  return success();
}
