//===- KernelOperators.cpp - Operators on tiles in registers --------------===//
//
// Runs the compute operators and products of a block whose values are tiles in
// registers.
//
//===----------------------------------------------------------------------===//

#include "KernelBlock.h"
#include "Mirage/Semantics/MatrixInstruction.h"

using namespace mlir;
using namespace mirage;

FailureOr<TileType> KernelBlock::getTileType(Operation *op, Type type) {
  auto tensor = cast<RankedTensorType>(type);
  auto layout = dyn_cast_or_null<thread::LayoutAttr>(tensor.getEncoding());
  std::optional<ElementType> element =
      convertElementType(tensor.getElementType());
  if (!layout || !element)
    return op->emitOpError()
           << "has a value of type " << type
           << ", which has no layout in registers or no type of floats";
  TileType result{*element, Shape(tensor.getShape()), layout.getLayout()};
  if (TileFault fault = checkLayout(result, getNumThreads()))
    return error(op) << *fault;
  return result;
}

LogicalResult KernelBlock::setTile(Operation *op, Value value,
                                   RegisterTile tile, const TileFault &fault) {
  if (fault)
    return error(op) << *fault;
  tiles[value] = std::make_shared<const RegisterTile>(std::move(tile));
  return success();
}

/// Returns the number that a splat constant has everywhere.
static FailureOr<double> getSplat(Operation *op) {
  auto elements = dyn_cast<DenseFPElementsAttr>(op->getAttr("value"));
  if (!elements || !elements.isSplat())
    return op->emitOpError("is no splat constant; load it from memory");
  return elements.getSplatValue<APFloat>().convertToDouble();
}

LogicalResult KernelBlock::run(ComputeOpInterface op) {
  OpKind kind = op.getOpKind();
  OpClass opClass = getOpInfo(kind).opClass;
  Value result = op->getResult(0);
  bool hasLayout = isa_and_nonnull<thread::LayoutAttr>(
      cast<RankedTensorType>(result.getType()).getEncoding());
  // A constant without registers is read where it is used.
  if (opClass == OpClass::Constant && !hasLayout)
    return getSplat(op);
  FailureOr<TileType> type = getTileType(op, result.getType());
  if (failed(type))
    return failure();
  RegisterTile tile(*type, getNumThreads());
  if (opClass == OpClass::Constant) {
    FailureOr<double> number = getSplat(op);
    if (failed(number))
      return failure();
    llvm::fill(tile.values, *number);
    return setTile(op, result, std::move(tile), std::nullopt);
  }

  SmallVector<TileOperand> operands;
  for (Value value : op->getOperands()) {
    auto tensor = cast<RankedTensorType>(value.getType());
    TileOperand &operand = operands.emplace_back();
    operand.tile = tiles.lookup(value).get();
    operand.shape = Shape(tensor.getShape());
    operand.element = *convertElementType(tensor.getElementType());
    if (operand.tile)
      continue;
    Operation *constant = value.getDefiningOp<thread::ConstantOp>();
    if (!constant || opClass != OpClass::Elementwise)
      return error(op) << "has an operand that is not in registers";
    operand.number = *getSplat(constant);
  }
  OpAttributes attrs = op.getOpAttributes();
  TileFault fault;
  if (opClass == OpClass::Elementwise)
    fault = runElementwise(kind, attrs, operands, tile);
  else if (kind == OpKind::Reduce)
    fault = runReduction(attrs, *operands.front().tile, tile);
  else if (kind == OpKind::Reshape || kind == OpKind::Transpose ||
           kind == OpKind::Slice ||
           (kind == OpKind::Pad &&
            llvm::all_of(attrs.offsets, [](int64_t low) { return low == 0; })))
    fault = runRelabeling(kind, attrs, *operands.front().tile, tile);
  else
    fault = "has no form on tiles in registers";
  return setTile(op, result, std::move(tile), fault);
}

LogicalResult KernelBlock::run(thread::IndexMaskOp op) {
  FailureOr<TileType> type = getTileType(op, op.getResult().getType());
  FailureOr<int64_t> base = getIndex(op, op.getBase());
  if (failed(type) || failed(base))
    return failure();
  RegisterTile tile(*type, getNumThreads());
  fillMask({*base, op.getCoefficients(), op.getFrom(), op.getBelow(),
            op.getInside().convertToDouble(),
            op.getOutside().convertToDouble()},
           tile);
  return setTile(op, op.getResult(), std::move(tile), std::nullopt);
}

LogicalResult KernelBlock::run(thread::ExchangeLanesOp op) {
  FailureOr<TileType> type = getTileType(op, op.getResult().getType());
  if (failed(type))
    return failure();
  auto operand = tiles.lookup(op.getTile());
  if (!operand)
    return error(op) << "has an operand that is not in registers";
  RegisterTile tile(*type, getNumThreads());
  TileFault fault = runExchange(*operand, tile);
  return setTile(op, op.getResult(), std::move(tile), fault);
}

LogicalResult KernelBlock::runProduct(Operation *op, const TileProduct &product,
                                      Value result, ProductFunction function) {
  FailureOr<TileType> type = getTileType(op, result.getType());
  if (failed(type))
    return failure();
  RegisterTile tile(*type, getNumThreads());
  TileFault fault = function(product, tile);
  return setTile(op, result, std::move(tile), fault);
}

/// Runs a product all of whose operands are in registers.
template <typename Op>
LogicalResult KernelBlock::runFragments(Op op, ProductFunction function) {
  auto lhs = tiles.lookup(op.getLhs()), rhs = tiles.lookup(op.getRhs()),
       accumulator = tiles.lookup(op.getAccumulator());
  if (!lhs || !rhs || !accumulator)
    return error(op) << "has an operand that is not in registers";
  return runProduct(
      op,
      {*lhs, *rhs, *accumulator, op.getTransposeLhs(), op.getTransposeRhs()},
      op.getResult(), function);
}

LogicalResult KernelBlock::run(thread::MmaFragmentOp op) {
  return runFragments(op, mirage::runProduct);
}

LogicalResult KernelBlock::run(thread::FmaFragmentOp op) {
  return runFragments(op, runMultiplyAdds);
}

FailureOr<std::shared_ptr<const RegisterTile>>
KernelBlock::readOperand(thread::WarpgroupMmaOp op, MatrixRole role) {
  bool isLhs = role == MatrixRole::Lhs;
  Value operand = isLhs ? op.getLhs() : Value(op.getRhs());
  auto type = dyn_cast<MemRefType>(operand.getType());
  if (!type)
    return tiles.lookup(operand);
  // The warps of a warpgroup read what they would have in registers for
  // mma.sync.
  Shape shape = op.getOperandShape(role);
  FailureOr<RegisterTile> tile =
      loadTile(op, operand, isLhs ? op.getLhsOffsets() : op.getRhsOffsets(),
               {*convertElementType(type.getElementType()), shape,
                op.getOperandLayout(role)},
               shape);
  if (failed(tile))
    return failure();
  return std::make_shared<const RegisterTile>(std::move(*tile));
}

FailureOr<std::shared_ptr<const RegisterTile>>
KernelBlock::addOnes(thread::WarpgroupMmaOp op, const RegisterTile &rhs) {
  const MemoryView &view = views[op.getOnes()];
  int64_t count = cast<MemRefType>(op.getOnes().getType()).getNumElements();
  for (int64_t index = 0; index < count; ++index) {
    FailureOr<double> element = readElement(op, view, index, /*thread=*/0);
    if (failed(element))
      return failure();
    if (*element != 1.0)
      return error(op) << "adds up rows by ones of which element " << index
                       << " is " << *element;
  }
  RegisterTile wide = rhs;
  int64_t columns = wide.type.shape.back();
  wide.type.shape.back() += WarpgroupInstruction::columnStep;
  unsigned rank = wide.type.shape.size();
  std::vector<int64_t> places =
      getThreadPlaces(wide.type.layout, rank, wide.numThreads);
  for (int64_t number = 0; number < wide.numRegisters; ++number) {
    int64_t offset = wide.type.layout.getOffsets(number, rank).back();
    for (int64_t thread = 0; thread < wide.numThreads; ++thread)
      if (places[(thread + 1) * rank - 1] + offset >= columns)
        wide.at(thread, number) = 1.0;
  }
  return std::make_shared<const RegisterTile>(std::move(wide));
}

LogicalResult KernelBlock::run(thread::WarpgroupMmaOp op) {
  auto accumulator = tiles.lookup(op.getAccumulator());
  auto lhs = readOperand(op, MatrixRole::Lhs),
       rhs = readOperand(op, MatrixRole::Rhs);
  if (failed(lhs) || failed(rhs))
    return failure();
  if (!*lhs || !accumulator)
    return error(op) << "has an operand that is not in registers";
  if (op.getWait())
    begunProducts[op] = {*lhs, *rhs};
  if (op.getOnes())
    rhs = addOnes(op, **rhs);
  if (failed(rhs))
    return failure();
  return runProduct(
      op,
      {**lhs, **rhs, *accumulator, op.getTransposeLhs(), op.getTransposeRhs()},
      op.getResult(), mirage::runProduct);
}

LogicalResult KernelBlock::run(thread::WarpgroupWaitOp op) {
  // Instructions may read their operands as late as here.
  thread::WarpgroupMmaOp product = op.getBeginning();
  auto [lhs, rhs] = begunProducts.lookup(product);
  for (auto [role, begun] :
       {std::pair(MatrixRole::Lhs, lhs), std::pair(MatrixRole::Rhs, rhs)}) {
    auto now = readOperand(product, role);
    if (failed(now))
      return failure();
    if (!(*now)->hasSameNumbers(*begun))
      return error(op) << "waits for a product of which an operand in memory "
                          "was overwritten meanwhile";
  }
  tiles[op.getResult()] = tiles.lookup(op.getProduct());
  return success();
}
