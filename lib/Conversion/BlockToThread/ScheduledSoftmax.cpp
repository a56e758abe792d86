//===- ScheduledSoftmax.cpp - Exponentials, maxima and sums of rows -------===//
//
// Emits what a softmax is made of with fewer instructions than its operators by
// themselves would need, where that gives the same numbers or as good ones.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Semantics/ProductDims.h"
#include "ScheduledLaunch.h"
#include <cmath>

using namespace mlir;
using namespace mirage;

Value ScheduledLaunchBuilder::scale(Location loc, Value operand,
                                    double factor) {
  OpAttributes attrs;
  attrs.scalar = factor;
  return createOperator(
      loc, OpKind::Scale, attrs, operand,
      cast<RankedTensorType>(operand.getType()).getElementType(),
      getLayoutOf(operand));
}

namespace {
/// What is known of the finite elements of a tile.
struct Magnitude {
  /// No element is larger.
  double largest;
  /// True if an element that is as large as this has the error of a rounding.
  bool isRounded;
};
} // namespace

/// Returns how large the elements of a value can be, where f16 or the numbers
/// of a mask that is computed of indices bound them. Lower bounds of maxima do
/// not count.
static std::optional<Magnitude>
getMagnitude(Value value, const std::optional<IndexMasks> &masks,
             unsigned steps = 16) {
  constexpr double largestF16 = 65504;
  if (auto mask = masks ? masks->find(value) : std::nullopt) {
    double largest = 0;
    for (double number : {mask->band.inside, mask->band.outside})
      if (std::isfinite(number))
        largest = std::max(largest, std::fabs(number));
    return Magnitude{largest, false};
  }
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getElementType().isF16())
    return Magnitude{largestF16, false};
  auto op = value.getDefiningOp<ComputeOpInterface>();
  if (!op || !type.getElementType().isF32() || steps == 0)
    return std::nullopt;
  auto of = [&](unsigned operand) {
    return getMagnitude(op->getOperand(operand), masks, steps - 1);
  };
  OpAttributes attrs = op.getOpAttributes();
  switch (op.getOpKind()) {
  case OpKind::Matmul:
  case OpKind::ConcatMatmul: {
    double largest = 0;
    for (Value lhs : op->getOperands().take_front(op->getNumOperands() / 2)) {
      auto of = cast<RankedTensorType>(lhs.getType());
      if (!of.getElementType().isF16())
        return std::nullopt;
      largest += largestF16 * largestF16 *
                 static_cast<double>(of.getDimSize(getContractedDim(
                     attrs, ProductOperand::Lhs, of.getRank())));
    }
    return Magnitude{largest, true};
  }
  case OpKind::Scale:
    if (std::optional<Magnitude> operand = of(0))
      return Magnitude{std::fabs(attrs.scalar) * operand->largest, true};
    return std::nullopt;
  case OpKind::Reduce:
    return attrs.reduceKind == ReduceKind::Max ? of(0) : std::nullopt;
  case OpKind::Cast:
  case OpKind::Reshape:
    return of(0);
  case OpKind::Add: {
    std::optional<Magnitude> lhs = of(0), rhs = of(1);
    if (!lhs || !rhs)
      return std::nullopt;
    return Magnitude{lhs->largest + rhs->largest, true};
  }
  case OpKind::Max: {
    std::optional<Magnitude> lhs = of(0), rhs = of(1);
    for (unsigned i : {0, 1})
      if (isa_and_nonnull<block::ConstantOp>(op->getOperand(i).getDefiningOp()))
        return i ? lhs : rhs;
    if (!lhs || !rhs)
      return std::nullopt;
    return Magnitude{std::max(lhs->largest, rhs->largest),
                     lhs->isRounded && rhs->isRounded};
  }
  default:
    return std::nullopt;
  }
}

/// Emits exp(a x - m), m being a maximum of rows, as one multiply-add and 2^y
/// for each element: 2^(x (a log2 e) - m log2 e). The product of m is rounded,
/// which changes the result no more than the error that m has anyway; it does
/// not overflow, but for the lower bound of a row that is masked.
bool ScheduledLaunchBuilder::convertExpOfDifference(ComputeOpInterface op) {
  auto difference = op->getOperand(0).getDefiningOp<block::SubOp>();
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (op.getOpKind() != OpKind::Exp || !difference ||
      !type.getElementType().isF32())
    return false;
  Value minuend = difference.getLhs(), maximum = difference.getRhs();
  auto isOf = [&](Value value, bool whole) {
    auto of = cast<RankedTensorType>(value.getType());
    return tiles.contains(value) && of.getElementType().isF32() &&
           (of.getShape() == type.getShape()) == whole;
  };
  constexpr double log2e = 1.44269504088896340736;
  constexpr double largestF32 = std::numeric_limits<float>::max();
  if (!isOf(minuend, true) || !isOf(maximum, false))
    return false;
  std::optional<Magnitude> magnitude = getMagnitude(maximum, masks);
  std::optional<Magnitude> ofMinuend = getMagnitude(minuend, masks);
  if (!magnitude || !ofMinuend || !magnitude->isRounded ||
      (magnitude->largest + ofMinuend->largest) * log2e > largestF32)
    return false;
  double factor = log2e;
  if (auto scaled = minuend.getDefiningOp<block::ScaleOp>();
      scaled && isOf(scaled->getOperand(0), true) &&
      !tiles[scaled->getOperand(0)].fragments.empty()) {
    minuend = scaled->getOperand(0);
    factor *= cast<ComputeOpInterface>(*scaled).getOpAttributes().scalar;
  }
  if (tiles[minuend].fragments.empty())
    return false;
  Location loc = op.getLoc();
  Value fragment = tiles[minuend].fragments.front();
  const RegisterLayout &layout = getLayoutOf(fragment);
  Value limit = getFragment(maximum, layout.project(tiles[maximum].shape));
  limit = createOperator(
      loc, OpKind::Max, {},
      {scale(loc, limit, log2e),
       constant(loc, -largestF32, Shape(tiles[maximum].shape.size(), 1),
                type.getElementType())},
      type.getElementType(), getLayoutOf(limit));
  Value exponent = createOperator(loc, OpKind::Sub, {},
                                  {scale(loc, fragment, factor), limit},
                                  type.getElementType(), layout);
  Tile &tile = tiles[op->getResult(0)];
  tile.element = type.getElementType();
  tile.shape = tiles[minuend].shape;
  tile.fragments.push_back(createOperator(loc, OpKind::Exp2, {}, exponent,
                                          type.getElementType(), layout));
  return true;
}

/// Emits the maximum of scaled rows as the maximum, scaled: it is the same
/// number, since rounding is monotonic, and fewer are multiplied.
bool ScheduledLaunchBuilder::convertMaximumOfScaled(ComputeOpInterface op) {
  OpAttributes attrs = addGroupDim(op.getOpKind(), op.getOpAttributes(), {});
  auto scaled = op->getOperand(0).getDefiningOp<block::ScaleOp>();
  if (attrs.reduceKind != ReduceKind::Max || !attrs.keep || !scaled)
    return false;
  double factor = cast<ComputeOpInterface>(*scaled).getOpAttributes().scalar;
  Value operand = scaled->getOperand(0);
  if (!(factor > 0) || !tiles.contains(operand) ||
      tiles[operand].fragments.empty() ||
      tiles[operand].element !=
          cast<RankedTensorType>(op->getResult(0).getType()).getElementType())
    return false;
  const Tile &source = tiles[operand];
  Value fragment = source.fragments.front();
  const RegisterLayout &layout = getLayoutOf(fragment);
  if (layout.variesOverWarps(attrs.dim))
    return false;
  Location loc = op.getLoc();
  fragment =
      fillBeyond(fragment, attrs.dim, -std::numeric_limits<double>::infinity());
  Tile tile;
  tile.element = source.element;
  tile.shape = source.shape;
  tile.shape[attrs.dim] = 1;
  tile.fragments.push_back(scale(
      loc, reduce(loc, fragment, attrs.dim, ReduceKind::Max, source.element),
      factor));
  tiles[op->getResult(0)] = std::move(tile);
  return true;
}

/// Emits the quotients of rows by one number each as products by its
/// reciprocal, which differ by less than 2^-22 times themselves. Rows and
/// numbers of extreme magnitude are scaled by a power of two first, so that no
/// reciprocal overflows or is subnormal.
bool ScheduledLaunchBuilder::convertQuotientOfRows(ComputeOpInterface op) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (op.getOpKind() != OpKind::Div || !type.getElementType().isF32())
    return false;
  Value dividend = op->getOperand(0), divisor = op->getOperand(1);
  for (Value operand : {dividend, divisor})
    if (!tiles.contains(operand) || tiles[operand].fragments.empty() ||
        !cast<RankedTensorType>(operand.getType()).getElementType().isF32())
      return false;
  Value rows = tiles[dividend].fragments.front();
  const RegisterLayout &layout = getLayoutOf(rows);
  const Shape &shape = tiles[dividend].shape, &ofRows = tiles[divisor].shape;
  RegisterLayout wanted = layout.project(ofRows);
  if (getTileShape(op->getResult(0), shape.front()) != shape ||
      wanted.getNumRegisters() * 4 > layout.getNumRegisters())
    return false;
  Location loc = op.getLoc();
  Type element = type.getElementType();
  Value number = getFragment(divisor, wanted);
  auto create = [&](OpKind kind, ArrayRef<Value> operands,
                    const RegisterLayout &of, const OpAttributes &attrs = {}) {
    return createOperator(loc, kind, attrs, operands, element, of);
  };
  auto splat = [&](double value) {
    return constant(loc, value, Shape(ofRows.size(), 1), element);
  };
  auto isBeyond = [&](double bound, CompareKind kind) {
    OpAttributes attrs;
    attrs.compareKind = kind;
    return create(OpKind::Compare,
                  {create(OpKind::Abs, {number}, wanted), splat(bound)}, wanted,
                  attrs);
  };
  constexpr double large = 0x1p96, step = 0x1p64;
  Value orOne = create(
      OpKind::Select,
      {isBeyond(1 / large, CompareKind::LT), splat(step), splat(1.0)}, wanted);
  Value factor = create(
      OpKind::Select,
      {isBeyond(large, CompareKind::GT), splat(1 / step), orOne}, wanted);
  Value reciprocal = create(
      OpKind::Div, {splat(1.0), create(OpKind::Mul, {number, factor}, wanted)},
      wanted);
  Tile tile;
  tile.element = element;
  tile.shape = shape;
  tile.fragments.push_back(create(
      OpKind::Mul, {create(OpKind::Mul, {rows, factor}, layout), reciprocal},
      layout));
  tiles[op->getResult(0)] = std::move(tile);
  return true;
}
