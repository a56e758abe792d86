//===- GroupLaunch.cpp - The launch of a group ----------------------------===//
//
// Emits the body of a launch, in the program or, to ask how much shared memory
// it takes, in a module that is thrown away.
//
//===----------------------------------------------------------------------===//

#include "GroupLaunch.h"
#include "Depthwise.h"
#include "GroupBody.h"
#include "Mirage/Analysis/SharedMemory.h"
#include "Mirage/Dialect/Block/IR/BlockDialect.h"
#include "Mirage/Interfaces/ComputeOpSupport.h"
#include "Mirage/Semantics/ProductDims.h"
#include "PadToTiles.h"
#include "ProductTiles.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace mirage;

/// Returns a value under another shape of as many elements.
static Value reshape(OpBuilder &builder, Location loc, Value value,
                     ShapeRef shape) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getShape() == ArrayRef<int64_t>(shape))
    return value;
  OpAttributes attrs;
  attrs.resultShape.assign(shape.begin(), shape.end());
  return createComputeOp(builder, loc, Level::Block, OpKind::Reshape, attrs,
                         value, type.getElementType())
      ->getResult(0);
}

/// Emits the loop that accumulates a block's part of a product, and returns
/// that part. Rows of several matrices are those of one product there.
static Value buildProduct(Block &body, const OperatorGroup &group,
                          const GroupAxes &axes, const GroupTiling &tiling) {
  auto op = cast<kernel::MatmulOp>(group.product);
  const ProductTile &tile = group.tile;
  Location loc = op.getLoc();
  auto lhs = cast<RankedTensorType>(body.getArgument(0).getType());
  auto result = cast<RankedTensorType>(op.getResult().getType());
  int64_t rank = result.getRank(), outer = rank - 2, inner = rank - 1;
  bool joinsMatrices = tile.matrices > 1;
  auto depthDim = static_cast<int64_t>(
      getContractedDim(op.getTransposeLhs(), ProductOperand::Lhs, rank));
  int64_t trips = lhs.getDimSize(depthDim) / tile.depth;
  OpBuilder builder = OpBuilder::atBlockEnd(&body);
  Type sumElement = builder.getF32Type();
  Shape partShape(rank, 1), sumShape = {tile.getNumRows(), tile.columns};
  if (joinsMatrices)
    partShape[outer - 1] = tile.matrices;
  partShape[outer] = tile.rows;
  partShape[inner] = tile.columns;
  auto sumType =
      RankedTensorType::get(joinsMatrices ? sumShape : partShape, sumElement);
  auto loop = block::ForOp::create(builder, loc, TypeRange(sumType), trips);
  Block &loopBody = loop.getBody().emplaceBlock();
  Value variable = loopBody.addArgument(builder.getIndexType(), loc);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&loopBody);
    auto load = [&](unsigned number, ProductOperand operand, bool transposed) {
      auto type = cast<RankedTensorType>(body.getArgument(number).getType());
      bool isLhs = operand == ProductOperand::Lhs;
      auto contracted =
          static_cast<int64_t>(getContractedDim(transposed, operand, rank));
      auto kept = static_cast<int64_t>(getKeptDim(transposed, operand, rank));
      SmallVector<int64_t> imap(tiling.grid.size(), kReplica);
      Shape shape(type.getShape());
      for (int64_t dim = 0; dim < outer; ++dim)
        if (shape[dim] > 1)
          shape[dim] = dim == outer - 1 ? tile.matrices : 1;
      shape[kept] = isLhs ? tile.rows : tile.columns;
      shape[contracted] = tile.depth;
      for (auto [entry, axis] : llvm::zip(imap, tiling.gridAxes)) {
        std::optional<int64_t> dim;
        if (axis)
          dim = axes.findDim(op.getResult(), *axis);
        if (!dim)
          continue;
        if (*dim >= outer) {
          if ((*dim == outer) == isLhs)
            entry = kept;
        } else if (type.getDimSize(*dim) > 1) {
          entry = *dim;
        }
      }
      Value part = block::LoadOp::create(
          builder, loc, RankedTensorType::get(shape, type.getElementType()),
          body.getArgument(number), imap, variable,
          ArrayRef<int64_t>{contracted});
      if (!joinsMatrices)
        return part;
      Shape matrix(ShapeRef(shape).take_back(2));
      if (isLhs)
        matrix.front() *= tile.matrices;
      return reshape(builder, loc, part, matrix);
    };
    Value a = load(0, ProductOperand::Lhs, op.getTransposeLhs());
    Value b = load(1, ProductOperand::Rhs, op.getTransposeRhs());
    OpAttributes attrs;
    attrs.transposeLhs = op.getTransposeLhs();
    attrs.transposeRhs = op.getTransposeRhs();
    Value product = createComputeOp(builder, loc, Level::Block, OpKind::Matmul,
                                    attrs, {a, b}, sumElement)
                        ->getResult(0);
    Value sum = block::AccumulateOp::create(
        builder, loc, sumType, product, /*shift=*/Value(), AccumulateKind::Sum,
        /*dim=*/IntegerAttr());
    block::YieldOp::create(builder, loc, sum);
  }
  Value value = reshape(builder, loc, loop.getResult(0), partShape);
  if (result.getElementType() == sumElement)
    return value;
  OpAttributes attrs;
  attrs.resultType = convertElementType(result.getElementType());
  return createComputeOp(builder, loc, Level::Block, OpKind::Cast, attrs, value,
                         result.getElementType())
      ->getResult(0);
}

/// Emits the launch of a group on what it reads: the operands of its product,
/// and its inputs.
static kernel::LaunchOp emitLaunch(OpBuilder &builder,
                                   const OperatorGroup &group,
                                   const GroupAxes &axes,
                                   const GroupTiling &tiling,
                                   ValueRange operands) {
  Operation *root = group.product;
  Location loc = root ? root->getLoc() : group.ops.back()->getLoc();
  SmallVector<Value> outputs = group.getOutputs();
  llvm::SetVector<Value> inputs = group.getInputs();
  SmallVector<Type> results;
  for (Value output : outputs)
    results.push_back(tiling.getPaddedType(output, axes));
  auto launch =
      kernel::LaunchOp::create(builder, loc, results, operands,
                               builder.getDenseI64ArrayAttr(tiling.grid));
  Block &body = launch.getBody().emplaceBlock();
  for (Value operand : operands)
    body.addArgument(operand.getType(), loc);
  GroupBody graph(body, group, axes, tiling);
  if (root)
    graph.setPart(root->getResult(0),
                  isa<kernel::Conv2dOp>(root)
                      ? buildDepthwise(body, group, axes, tiling)
                      : buildProduct(body, group, axes, tiling));
  for (auto [input, argument] :
       llvm::zip_equal(inputs, body.getArguments().take_back(inputs.size())))
    graph.setArgument(input, argument);
  graph.emit(outputs);
  return launch;
}

void mirage::createLaunch(const OperatorGroup &group, const GroupAxes &axes,
                          const GroupTiling &tiling) {
  OpBuilder builder(group.ops.back());
  SmallVector<Value> operands;
  if (auto convolution = dyn_cast_or_null<kernel::Conv2dOp>(group.product))
    llvm::append_range(
        operands, createDepthwiseOperands(builder, convolution, group.tile));
  if (auto product = dyn_cast_or_null<kernel::MatmulOp>(group.product)) {
    operands.push_back(
        createPad(builder, product.getLhs(),
                  getPaddedOperand(product, group.tile, ProductOperand::Lhs)));
    operands.push_back(
        createPad(builder, product.getRhs(),
                  getPaddedOperand(product, group.tile, ProductOperand::Rhs)));
  }
  for (Value input : group.getInputs())
    operands.push_back(
        createPad(builder, input, tiling.getPaddedType(input, axes)));
  SmallVector<Value> outputs = group.getOutputs();
  kernel::LaunchOp launch = emitLaunch(builder, group, axes, tiling, operands);
  for (auto [output, result] : llvm::zip(outputs, launch.getResults())) {
    Value whole =
        createSlice(builder, result, cast<RankedTensorType>(output.getType()));
    output.replaceUsesWithIf(
        whole, [&](OpOperand &use) { return !group.contains(use.getOwner()); });
  }
  for (Operation *op : llvm::reverse(group.ops)) {
    SmallVector<Value> taken(op->getOperands());
    op->erase();
    for (Value operand : taken)
      if (isSplat(operand) && operand.use_empty())
        operand.getDefiningOp()->erase();
  }
}

int64_t mirage::planGroupMemory(const OperatorGroup &group,
                                const GroupAxes &axes,
                                const GroupTiling &tiling) {
  auto product = cast<kernel::MatmulOp>(group.product);
  SmallVector<Type> types = {
      getPaddedOperand(product, group.tile, ProductOperand::Lhs),
      getPaddedOperand(product, group.tile, ProductOperand::Rhs)};
  for (Value input : group.getInputs())
    types.push_back(tiling.getPaddedType(input, axes));
  OwningOpRef<ModuleOp> module = ModuleOp::create(product.getLoc());
  OpBuilder builder(module->getBodyRegion());
  auto function =
      func::FuncOp::create(builder, product.getLoc(), "trial",
                           builder.getFunctionType(types, TypeRange()));
  Block *entry = function.addEntryBlock();
  builder.setInsertionPointToEnd(entry);
  return planSharedMemory(
             emitLaunch(builder, group, axes, tiling, entry->getArguments()))
      .bytes;
}
