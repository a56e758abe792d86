//===- ComputeRuns.cpp - Thread graphs on runs of elements ----------------===//
//
// Emits mirage_thread.compute by tiles of elements (ElementTile.h). Operators
// that only move elements move vectors, by way of Element.h like single
// elements: only what a value is differs. All others compute the elements of a
// run one by one, of which vectors are made again.
//
//===----------------------------------------------------------------------===//

#include "ComputeState.h"
#include "KernelEmitter.h"
#include "Mirage/Semantics/Element.h"

using namespace mlir;
using namespace mirage;

static Value getLane(OpBuilder &builder, Location loc, Value run,
                     int64_t lane) {
  return LLVM::ExtractElementOp::create(
      builder, loc, run,
      LLVM::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(lane)));
}

static Value makeRun(OpBuilder &builder, Location loc, ArrayRef<Value> lanes) {
  auto type = VectorType::get(static_cast<int64_t>(lanes.size()),
                              lanes.front().getType());
  Value run = LLVM::UndefOp::create(builder, loc, type);
  for (auto [lane, value] : llvm::enumerate(lanes))
    run = LLVM::InsertElementOp::create(
        builder, loc, run, value,
        LLVM::ConstantOp::create(builder, loc,
                                 builder.getI32IntegerAttr(lane)));
  return run;
}

static Type getElementType(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getElementType();
}

Value KernelEmitter::evaluateRunOf(Operation *op, OpResult tensor,
                                   ArrayRef<Value> at, int64_t dim,
                                   int64_t width, ComputeState &state) {
  auto compute = cast<ComputeOpInterface>(op);
  SmallVector<Shape, 4> shapes = compute.getOperandShapes();
  auto getSource = [&](unsigned operand) {
    return thread::getRunSource(compute, tensor.getResultNumber(), operand, dim,
                                width);
  };
  auto evaluateOne = [&](unsigned operand, ArrayRef<Value> from, IRSystem &s) {
    return convert(evaluate(op->getOperand(operand), from, state),
                   s.computeType, s);
  };
  auto evaluateOperand = [&](unsigned operand, ArrayRef<Value> from) {
    return evaluateRun(op->getOperand(operand), from, getSource(operand).dim,
                       width, state);
  };
  OpAttributes attributes = compute.getOpAttributes();
  Type elementType = getElementType(tensor);
  if (isLayout(compute.getOpKind())) {
    IRSystem s(builder, state.loc, indexType,
               VectorType::get(width, getStorageType(elementType)));
    s.reader = [&](unsigned operand, ArrayRef<Value> from) -> Value {
      if (getSource(operand).kind == thread::RunSource::Run)
        return evaluateOperand(operand, from);
      IRSystem single(builder, state.loc, indexType,
                      getComputeType(elementType));
      Value stored =
          encode(evaluateOne(operand, from, single), elementType, single);
      return makeRun(builder, state.loc, SmallVector<Value>(width, stored));
    };
    return evaluateElement<IRSystem>(compute.getOpKind(), attributes, shapes,
                                     tensor.getResultNumber(), at, s);
  }
  // Runs of the operands, or the one element that all of a run read.
  IRSystem s(builder, state.loc, indexType, getOperatorComputeType(op));
  SmallVector<Value> runs;
  for (unsigned operand = 0; operand < op->getNumOperands(); ++operand) {
    SmallVector<Value> from(at);
    for (auto [index, size] : llvm::zip(from, shapes[operand]))
      if (size == 1)
        index = s.index(0);
    runs.push_back(getSource(operand).kind == thread::RunSource::Run
                       ? evaluateOperand(operand, from)
                       : evaluateOne(operand, from, s));
  }
  SmallVector<Value> lanes;
  for (int64_t lane = 0; lane < width; ++lane) {
    s.reader = [&](unsigned operand, ArrayRef<Value>) -> Value {
      if (!isa<VectorType>(runs[operand].getType()))
        return runs[operand];
      Value stored = getLane(builder, state.loc, runs[operand], lane);
      return convert(decode(stored, getElementType(op->getOperand(operand)), s),
                     s.computeType, s);
    };
    Value value =
        evaluateElement<IRSystem>(compute.getOpKind(), attributes, shapes,
                                  tensor.getResultNumber(), at, s);
    lanes.push_back(encode(value, elementType, s));
  }
  return makeRun(builder, state.loc, lanes);
}

Value KernelEmitter::evaluateRun(Value tensor, ArrayRef<Value> at, int64_t dim,
                                 int64_t width, ComputeState &state) {
  Type elementType = getElementType(tensor);
  IRSystem s(builder, state.loc, indexType, getComputeType(elementType));
  if (auto argument = dyn_cast<BlockArgument>(tensor)) {
    Value buffer = state.op.getIns()[argument.getArgNumber()];
    Type type = VectorType::get(width, getStorageType(elementType));
    int64_t bytes = width * elementType.getIntOrFloatBitWidth() / 8;
    return LLVM::LoadOp::create(builder, state.loc, type,
                                getAddress(buffer, at, s), bytes);
  }
  if (thread::movesRuns(tensor, dim, width))
    return evaluateRunOf(tensor.getDefiningOp(), cast<OpResult>(tensor), at,
                         dim, width, state);
  SmallVector<Value> lanes;
  for (int64_t lane = 0; lane < width; ++lane) {
    SmallVector<Value> of(at);
    of[dim] = s.addConstant(at[dim], lane);
    lanes.push_back(encode(evaluate(tensor, of, state), elementType, s));
  }
  return makeRun(builder, state.loc, lanes);
}

Value KernelEmitter::evaluateNeighbours(Value tensor, ArrayRef<Value> at,
                                        int64_t count, ComputeState &state) {
  auto type = cast<RankedTensorType>(tensor.getType());
  IRSystem s(builder, state.loc, indexType,
             getComputeType(type.getElementType()));
  int64_t outermost = 0;
  while (outermost + 1 < type.getRank() && type.getDimSize(outermost) == 1)
    ++outermost;
  SmallVector<Value> lanes, from(at);
  for (int64_t lane = 0; lane < count; ++lane) {
    lanes.push_back(
        encode(evaluate(tensor, from, state), type.getElementType(), s));
    // The next element may be the first one of the next row, and so on.
    Value isNext;
    for (int64_t dim = type.getRank(); dim-- > 0;) {
      Value step = isNext
                       ? LLVM::ZExtOp::create(builder, s.loc, indexType, isNext)
                             .getResult()
                       : s.index(1);
      from[dim] = s.addIndex(from[dim], step);
      if (dim == outermost)
        break;
      isNext = LLVM::ICmpOp::create(builder, s.loc, LLVM::ICmpPredicate::eq,
                                    from[dim], s.index(type.getDimSize(dim)));
      from[dim] =
          LLVM::SelectOp::create(builder, s.loc, isNext, s.index(0), from[dim]);
    }
  }
  return makeRun(builder, s.loc, lanes);
}

void KernelEmitter::emitTiles(thread::ComputeOp op, Value value, Value buffer,
                              const thread::ElementTile &tile) {
  ComputeState state(op);
  auto type = cast<MemRefType>(buffer.getType());
  Type elementType = type.getElementType();
  ArrayRef<int64_t> shape = type.getShape();
  int64_t bytes = elementType.getIntOrFloatBitWidth() / 8;
  IRSystem s(builder, op.getLoc(), indexType, getComputeType(elementType));
  if (tile.getCount() == 1)
    return forThread(type.getNumElements(), op.getGrid(), s, [&](Value linear) {
      SmallVector<Value> at = delinearize(linear, shape, s);
      storeElement(evaluate(value, at, state), buffer, at, s);
    });
  int64_t rank = type.getRank();
  int64_t dim = tile.getRunDim(rank), width = tile.getWidth();
  forThread(
      type.getNumElements() / tile.getCount(), /*grid=*/true, s,
      [&](Value number) {
        SmallVector<Value> at =
            thread::getTileStart(number, tile, shape, bytes, s);
        auto store = [&](Value run, ArrayRef<Value> from) {
          int64_t count = cast<VectorType>(run.getType()).getNumElements();
          LLVM::StoreOp::create(builder, s.loc, run,
                                getAddress(buffer, from, s), count * bytes);
        };
        if (tile.crossesRows)
          return store(evaluateNeighbours(value, at, width, state), at);
        if (tile.rows == 1)
          return store(evaluateRun(value, at, dim, width, state), at);
        SmallVector<Value> runs;
        for (int64_t column = 0; column < tile.columns; ++column) {
          SmallVector<Value> from(at);
          from[rank - 1] = s.addConstant(at[rank - 1], column);
          runs.push_back(evaluateRun(value, from, dim, width, state));
        }
        for (int64_t row = 0; row < tile.rows; ++row) {
          SmallVector<Value> lanes, to(at);
          for (Value run : runs)
            lanes.push_back(getLane(builder, s.loc, run, row));
          to[dim] = s.addConstant(at[dim], row);
          store(makeRun(builder, s.loc, lanes), to);
        }
      });
}
