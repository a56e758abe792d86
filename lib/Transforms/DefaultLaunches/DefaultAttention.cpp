//===- DefaultAttention.cpp - Launches of attention -----------------------===//
//
// Replaces attention in kernel graphs by launches that never store scores; see
// Passes.td. The sums over the keys are rescaled whenever a larger score is met
// (Dao et al., FlashAttention, section 3.1; Milakov and Gimelshein, Online
// normalizer calculation for softmax).
//
//===----------------------------------------------------------------------===//

#include "JoinQueries.h"
#include "Mirage/Analysis/SharedMemory.h"
#include "Mirage/Dialect/Block/IR/BlockDialect.h"
#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "Mirage/Interfaces/ComputeOpSupport.h"
#include "Mirage/Interfaces/MatrixTypes.h"
#include "Mirage/Support/PassSupport.h"
#include "Mirage/Transforms/Passes.h"
#include "PadToTiles.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"

namespace mirage {
#define GEN_PASS_DEF_DEFAULTATTENTION
#include "Mirage/Transforms/Passes.h.inc"
} // namespace mirage

using namespace mlir;
using namespace mirage;

static RankedTensorType getTensor(Value value) {
  return cast<RankedTensorType>(value.getType());
}

namespace {
/// Makes the launch of one attention: the first dimensions of the grid divide
/// the batch dimensions into single matrices, the last one the queries.
class AttentionLaunch {
public:
  AttentionLaunch(kernel::AttentionOp op, const TargetDescription &target)
      : op(op), target(target), builder(op), loc(op.getLoc()),
        rank(getTensor(op->getOperand(0)).getRank()) {}

  /// Returns the result, or null where no launch can compute it.
  Value create();

private:
  enum Operand : unsigned { Queries, Keys, Values, Mask };

  bool setUp();
  bool chooseKeyTile(int64_t most);
  Value create(int64_t rows, int64_t mostKeys);
  int64_t getSize(Operand operand, int64_t dim) const {
    return getTensor(inputs[operand]).getDimSize(dim);
  }
  bool hasMask() const { return inputs.size() > Mask; }
  Value load(Operand operand, Value variable);
  Value compute(OpKind kind, const OpAttributes &attributes,
                ValueRange operands, Type element = {});
  Value convert(Value value, Type element);
  Value getScores(Value queries, Value variable);
  std::pair<Value, Value> getTerms(Value scores, Value shift, Value variable);
  Value reduce(ReduceKind kind, Value value);
  void buildBody();

  kernel::AttentionOp op;
  const TargetDescription &target;
  OpBuilder builder;
  Location loc;
  int64_t rank;
  /// The operands, without conversions to f32 but for the mask.
  SmallVector<Value> inputs;
  /// The sizes of a block's part of the queries, and of an iteration's keys.
  int64_t queryTile = 0, keyTile = 0;
  SmallVector<int64_t> grid;
  /// The batch dimension that each dimension of the grid but the last divides.
  SmallVector<int64_t> batchDims;
  Block *body = nullptr;
  Type f32 = builder.getF32Type();
};
} // namespace

/// Finds the batch dimensions. Returns false where no launch computes attention
/// of these types and dimensions.
bool AttentionLaunch::setUp() {
  // What was converted to f32 has the same elements before.
  inputs.assign(op->operand_begin(), op->operand_end());
  for (Operand operand : {Queries, Keys, Values})
    if (auto cast = inputs[operand].getDefiningOp<kernel::CastOp>();
        cast && getTensor(inputs[operand]).getElementType().isF32())
      inputs[operand] = cast->getOperand(0);
  Type element = getTensor(inputs[Queries]).getElementType();
  if (!getProductStep(element) ||
      !isMatrixResult(element, getTensor(op.getResult()).getElementType()) ||
      getTensor(inputs[Keys]).getElementType() != element ||
      getTensor(inputs[Values]).getElementType() != element)
    return false;
  for (int64_t dim = 0; dim < rank - 2; ++dim)
    if (getTensor(op.getResult()).getDimSize(dim) > 1)
      batchDims.push_back(dim);
  // The last dimension of the grid is that of the queries.
  return batchDims.size() < std::size(largestGrid);
}

/// Keys cannot be padded, since zeros are scores like others. Few of them are
/// one iteration.
bool AttentionLaunch::chooseKeyTile(int64_t most) {
  constexpr int64_t fewest = 32;
  int64_t keys = getSize(Keys, rank - 2);
  keyTile = keys;
  if (keys <= 2 * most)
    return true;
  keyTile = most;
  while (keyTile >= fewest && keys % keyTile)
    --keyTile;
  return keyTile >= fewest;
}

/// Loads a block's part of an operand, of the keys' dimension that of an
/// iteration.
Value AttentionLaunch::load(Operand operand, Value variable) {
  Value argument = body->getArgument(operand);
  Shape shape(getTensor(argument).getShape());
  SmallVector<int64_t> imap;
  for (int64_t dim : batchDims) {
    imap.push_back(shape[dim] > 1 ? dim : kReplica);
    shape[dim] = 1;
  }
  bool hasQueries = operand == Queries || operand == Mask;
  int64_t queryDim = rank - 2, keyDim = operand == Mask ? rank - 1 : rank - 2;
  imap.push_back(kReplica);
  if (hasQueries && shape[queryDim] > 1) {
    imap.back() = queryDim;
    shape[queryDim] = queryTile;
  }
  SmallVector<Value> loops;
  SmallVector<int64_t> fmap;
  if (variable) {
    loops.push_back(variable);
    fmap.push_back(kReplica);
    if (operand != Queries && shape[keyDim] > 1) {
      fmap.back() = keyDim;
      shape[keyDim] = keyTile;
    }
  }
  return block::LoadOp::create(
      builder, loc,
      RankedTensorType::get(shape, getTensor(argument).getElementType()),
      argument, imap, loops, fmap);
}

Value AttentionLaunch::compute(OpKind kind, const OpAttributes &attributes,
                               ValueRange operands, Type element) {
  return createComputeOp(builder, loc, Level::Block, kind, attributes, operands,
                         element)
      ->getResult(0);
}

Value AttentionLaunch::convert(Value value, Type element) {
  if (getTensor(value).getElementType() == element)
    return value;
  OpAttributes attributes;
  attributes.resultType = convertElementType(element);
  return compute(OpKind::Cast, attributes, value, element);
}

Value AttentionLaunch::reduce(ReduceKind kind, Value value) {
  OpAttributes attributes;
  attributes.dim = rank - 1;
  attributes.keep = true;
  attributes.reduceKind = kind;
  return compute(OpKind::Reduce, attributes, value, f32);
}

/// Returns the scaled and masked scores of the keys of an iteration.
Value AttentionLaunch::getScores(Value queries, Value variable) {
  OpAttributes product;
  product.transposeRhs = true;
  Value scores =
      compute(OpKind::Matmul, product, {queries, load(Keys, variable)}, f32);
  OpAttributes scale;
  scale.scalar = cast<ComputeOpInterface>(*op).getOpAttributes().scalar;
  scores = compute(OpKind::Scale, scale, scores, f32);
  if (hasMask())
    scores = compute(OpKind::Add, {},
                     {scores, convert(load(Mask, variable), f32)}, f32);
  return scores;
}

/// Returns the sum of exp(scores - shift), and its product with the values. The
/// weights are of f32, as attention's definition has them (CompositeOps.td),
/// and tensor cores multiply 16 bits: beside values of 16 bits, a weight is the
/// sum of what its rounding leaves of it, and of the rounded rest.
std::pair<Value, Value> AttentionLaunch::getTerms(Value scores, Value shift,
                                                  Value variable) {
  Value weights = compute(OpKind::Exp, {},
                          compute(OpKind::Sub, {}, {scores, shift}, f32), f32);
  Value sum = reduce(ReduceKind::Sum, weights);
  Value values = load(Values, variable);
  Type element = getTensor(values).getElementType();
  if (element.isF32())
    return {sum, compute(OpKind::Matmul, {}, {weights, values}, f32)};
  Value high = convert(weights, element);
  Value low = convert(
      compute(OpKind::Sub, {}, {weights, convert(high, f32)}, f32), element);
  Value product =
      compute(OpKind::ConcatMatmul, {}, {high, low, values, values}, f32);
  return {sum, product};
}

void AttentionLaunch::buildBody() {
  Value queries = load(Queries, {});
  int64_t trips = getSize(Keys, rank - 2) / keyTile;
  Value sum, product;
  if (trips == 1) {
    Value scores = getScores(queries, {});
    std::tie(sum, product) =
        getTerms(scores, reduce(ReduceKind::Max, scores), {});
  } else {
    Shape shape(rank, 1);
    shape[rank - 2] = queryTile;
    auto sumType = RankedTensorType::get(shape, f32);
    shape[rank - 1] = getSize(Values, rank - 1);
    auto productType = RankedTensorType::get(shape, f32);
    auto loop = block::ForOp::create(builder, loc,
                                     TypeRange{sumType, productType}, trips);
    OpBuilder::InsertionGuard guard(builder);
    Block &iteration = loop.getBody().emplaceBlock();
    Value variable = iteration.addArgument(builder.getIndexType(), loc);
    builder.setInsertionPointToStart(&iteration);
    Value scores = getScores(queries, variable);
    // Where all keys of an iteration are masked, their largest score is -inf,
    // from which no other one can be subtracted.
    Value lowest = block::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(
            RankedTensorType::get(Shape(rank, 1), f32),
            APFloat::getLargest(APFloat::IEEEsingle(), /*Negative=*/true)));
    Value shift = compute(OpKind::Max, {},
                          {reduce(ReduceKind::Max, scores), lowest}, f32);
    auto [partSum, partProduct] = getTerms(scores, shift, variable);
    auto accumulate = [&](RankedTensorType type, Value value) -> Value {
      return block::AccumulateOp::create(builder, loc, type, value, shift,
                                         AccumulateKind::RescaledSum,
                                         /*dim=*/IntegerAttr());
    };
    Value sums[] = {accumulate(sumType, partSum),
                    accumulate(productType, partProduct)};
    block::YieldOp::create(builder, loc, sums);
    sum = loop.getResult(0);
    product = loop.getResult(1);
  }
  auto result = getTensor(op.getResult());
  Value quotient = convert(compute(OpKind::Div, {}, {product, sum}, f32),
                           result.getElementType());
  SmallVector<int64_t> omap(batchDims);
  omap.push_back(rank - 2);
  Shape padded(result.getShape());
  padded[rank - 2] = queryTile * grid.back();
  Value store = block::StoreOp::create(
      builder, loc, RankedTensorType::get(padded, result.getElementType()),
      quotient, omap);
  block::YieldOp::create(builder, loc, store);
}

/// Returns the bytes of the tiles that a block loads, of one iteration of each
/// loop.
static int64_t countLoadedBytes(kernel::LaunchOp launch) {
  int64_t bytes = 0;
  launch.getBody().walk([&](block::LoadOp load) {
    auto tile = cast<RankedTensorType>(load.getResult().getType());
    bytes += tile.getNumElements() * tile.getElementTypeBitWidth() / 8;
  });
  return bytes;
}

/// Makes a launch whose blocks have at most so many rows, and whose iterations
/// at most so many keys. Returns null if there is none.
Value AttentionLaunch::create(int64_t rows, int64_t mostKeys) {
  if (!chooseKeyTile(mostKeys))
    return {};
  auto result = getTensor(op.getResult());
  queryTile = std::min(rows, getSize(Queries, rank - 2));
  grid.clear();
  for (int64_t dim : batchDims)
    grid.push_back(result.getDimSize(dim));
  grid.push_back(static_cast<int64_t>(
      llvm::divideCeil(getSize(Queries, rank - 2), queryTile)));
  for (auto [extent, most] : llvm::zip(grid, largestGrid))
    if (extent > most)
      return {};
  auto pad = [&](RankedTensorType type) {
    Shape shape(type.getShape());
    if (shape[rank - 2] > 1)
      shape[rank - 2] = queryTile * grid.back();
    return RankedTensorType::get(shape, type.getElementType());
  };
  SmallVector<Value> operands(inputs);
  SmallVector<Operation *> pads;
  for (Operand operand : {Queries, Mask}) {
    if (operand == Mask && !hasMask())
      continue;
    Value padded = createPad(builder, operands[operand],
                             pad(getTensor(operands[operand])));
    if (padded != operands[operand])
      pads.push_back(padded.getDefiningOp());
    operands[operand] = padded;
  }
  auto launch =
      kernel::LaunchOp::create(builder, loc, TypeRange(pad(result)), operands,
                               builder.getDenseI64ArrayAttr(grid));
  body = &launch.getBody().emplaceBlock();
  for (Value operand : operands)
    body->addArgument(operand.getType(), loc);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(body);
    buildBody();
  }
  // A launch is legal before it has a schedule (launch_c6). With one, a block
  // has all that it loads outside of loops at once, and an iteration's tiles.
  if (planSharedMemory(launch).bytes > target.sharedMemoryPerBlock ||
      countLoadedBytes(launch) > target.sharedMemoryPerBlock) {
    launch->erase();
    for (Operation *padding : pads)
      padding->erase();
    return {};
  }
  return createSlice(builder, launch.getResult(0), result);
}

Value AttentionLaunch::create() {
  if (!setUp())
    return {};
  // Two warpgroups have 128 rows, if there are enough of these tiles for the
  // multiprocessors. What has no room gets smaller tiles.
  constexpr int64_t warpgroupRows = WarpgroupInstruction::rows;
  int64_t blocks = static_cast<int64_t>(
      llvm::divideCeil(getSize(Queries, rank - 2), 2 * warpgroupRows));
  for (int64_t dim : batchDims)
    blocks *= getTensor(op.getResult()).getDimSize(dim);
  SmallVector<int64_t> rows;
  if (blocks >= target.multiprocessors)
    rows.push_back(2 * warpgroupRows);
  rows.push_back(warpgroupRows);
  for (int64_t tileRows : rows)
    for (int64_t mostKeys : {128, 64, 32})
      if (Value result = create(tileRows, mostKeys))
        return result;
  return {};
}

namespace {
struct DefaultAttention
    : public mirage::impl::DefaultAttentionBase<DefaultAttention> {
  void runOnOperation() override {
    SmallVector<kernel::AttentionOp> all;
    getOperation()->walk([&](kernel::AttentionOp op) { all.push_back(op); });
    for (kernel::AttentionOp op : all) {
      FailureOr<TargetDescription> target = findTarget(op, "");
      if (failed(target))
        return signalPassFailure();
      llvm::SetVector<Value> given(op->operand_begin(), op->operand_end());
      op = joinQueries(op);
      if (Value result = AttentionLaunch(op, *target).create()) {
        op.getResult().replaceAllUsesWith(result);
        given.insert(op->operand_begin(), op->operand_end());
        op.erase();
      }
      for (Value operand : given)
        if (auto cast = operand.getDefiningOp<kernel::CastOp>();
            cast && operand.use_empty())
          cast.erase();
    }
  }
};
} // namespace
