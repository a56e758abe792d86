//===- ScheduledReductions.cpp - Reductions of a scheduled launch ---------===//
//
// Emits reductions of tiles in registers: of what a thread has, over lanes and
// over warps. Where a loop accumulates what it reduces, lanes and warps keep
// their own parts until the loop has ended.
//
//===----------------------------------------------------------------------===//

#include "ScheduledLaunch.h"
#include <limits>

using namespace mlir;
using namespace mirage;

/// Reduces along a dimension that is not spread over warps, and keeps it.
Value ScheduledLaunchBuilder::reduce(Location loc, Value operand, int64_t dim,
                                     ReduceKind kind, Type element) {
  OpAttributes attrs;
  attrs.dim = dim;
  attrs.keep = true;
  attrs.reduceKind = kind;
  return createOperator(loc, OpKind::Reduce, attrs, operand, element,
                        getLayoutOf(operand).withoutDim(dim));
}

/// Reduces parts of a dimension that the warps have: each warp reduces its own,
/// and the parts meet in shared memory. `split` is the fragment's shape with
/// three dimensions in the place of the reduced one: what each warp has of each
/// part comes before and behind the number of the part.
Value ScheduledLaunchBuilder::reduceInParts(Location loc, Value fragment,
                                            const Shape &split,
                                            const RegisterLayout &layout,
                                            int64_t dim, ReduceKind kind,
                                            Type element) {
  Type source = cast<RankedTensorType>(fragment.getType()).getElementType();
  OpAttributes reshape;
  reshape.resultShape = split;
  Value partial =
      createOperator(loc, OpKind::Reshape, reshape, fragment, source, layout);
  Tile tile;
  tile.shape = split;
  for (int64_t own : {dim, dim + 2}) {
    if (tile.shape[own] > 1)
      partial = reduce(loc, partial, own, kind, element);
    tile.shape[own] = 1;
  }
  if (source != element && tile.shape == split)
    partial = createOperator(loc, OpKind::Cast, {}, partial, element,
                             getLayoutOf(partial));
  tile.element = element;
  tile.fragments.push_back(partial);
  storeToShared(loc, tile, RowPlacement::Dense);
  int64_t part = dim + 1;
  RegisterLayout all = getLayoutOf(partial).withoutDim(part);
  all.registers.push_back({split[part], part, 1});
  Value loaded = loadTile(loc, tile, all);
  Value reduced = reduce(loc, loaded, part, kind, element);
  Shape before = tile.shape;
  before[part] = 1;
  Shape joined = before;
  joined.erase(joined.begin() + dim, joined.begin() + dim + 2);
  reshape.resultShape = joined;
  return createOperator(loc, OpKind::Reshape, reshape, reduced, element,
                        *getLayoutOf(reduced).reshape(before, joined));
}

/// Reduces along a dimension that is spread over warps, and keeps it.
Value ScheduledLaunchBuilder::reduceOverWarps(Location loc, Tile &source,
                                              Value fragment, int64_t dim,
                                              ReduceKind kind, Type element) {
  const RegisterLayout &layout = getLayoutOf(fragment);
  const LayoutMode *ofWarps = nullptr;
  for (const LayoutMode &mode : layout.warps)
    if (mode.dim == dim)
      ofWarps = ofWarps ? nullptr : &mode;
  Shape whole(cast<RankedTensorType>(fragment.getType()).getShape());
  if (ofWarps && whole[dim] % (ofWarps->size * ofWarps->stride) == 0) {
    Shape split = whole;
    split[dim] = ofWarps->stride;
    split.insert(split.begin() + dim,
                 {whole[dim] / ofWarps->size / ofWarps->stride, ofWarps->size});
    std::optional<RegisterLayout> parts = layout.reshape(whole, split);
    if (parts && !parts->variesOverWarps(dim) &&
        !parts->variesOverWarps(dim + 2))
      return reduceInParts(loc, fragment, split, *parts, dim, kind, element);
  }
  // The warps have no parts of the dimension at regular distances; each element
  // goes through shared memory to a place where one warp has all.
  if (!source.buffer)
    storeToShared(loc, source, RowPlacement::Chunked);
  RegisterLayout inOneWarp = getVectorLayout(source.shape, 1, 4);
  inOneWarp.warps = {LayoutMode::replicated(schedule.getNumWarps())};
  return reduce(loc, loadTile(loc, source, inOneWarp), dim, kind, element);
}

bool mirage::isOnlyAccumulated(ComputeOpInterface reduction) {
  Value result = reduction->getResult(0);
  if (!result.hasOneUse() || !getElementTypeOrSelf(result.getType()).isF32())
    return false;
  OpAttributes attrs = reduction.getOpAttributes();
  if (!attrs.keep || attrs.group)
    return false;
  Operation *user = *result.user_begin();
  if (auto next = dyn_cast<ComputeOpInterface>(user))
    return next.getOpKind() == OpKind::Reduce &&
           next.getOpAttributes().reduceKind == attrs.reduceKind &&
           isOnlyAccumulated(next);
  auto accumulate = dyn_cast<block::AccumulateOp>(user);
  if (!accumulate || accumulate.getValue() != result)
    return false;
  if (attrs.reduceKind == ReduceKind::Max)
    return accumulate.getKind() == AccumulateKind::Max;
  return attrs.reduceKind == ReduceKind::Sum &&
         (accumulate.getKind() == AccumulateKind::Sum ||
          accumulate.getKind() == AccumulateKind::RescaledSum);
}

namespace {
/// Describes a digit of the indices along a dimension.
struct IndexDigit {
  LayoutMode mode;
  bool isInRegisters;
};
} // namespace

/// Returns the digits of the indices along a dimension of a tile, the largest
/// step first, or nothing where places do not count its elements one by one.
static llvm::SmallVector<IndexDigit, 4> getDigits(const RegisterLayout &layout,
                                                  ShapeRef shape, int64_t dim) {
  llvm::SmallVector<IndexDigit, 4> digits;
  auto add = [&](const LayoutModes &modes, bool isInRegisters) {
    for (const LayoutMode &mode : modes)
      if (mode.dim == dim && mode.size > 1)
        digits.push_back({mode, isInRegisters});
  };
  add(layout.registers, true);
  add(layout.lanes, false);
  add(layout.warps, false);
  llvm::sort(digits, [](const IndexDigit &a, const IndexDigit &b) {
    return a.mode.stride > b.mode.stride;
  });
  int64_t step = shape[dim];
  for (const IndexDigit &digit : digits) {
    if (digit.mode.size * digit.mode.stride != step)
      return {};
    step = digit.mode.stride;
  }
  return step == 1 ? digits : llvm::SmallVector<IndexDigit, 4>();
}

/// Reduces what each lane has of a tile where a loop accumulates what its
/// iterations reduce. What lanes and warps have is reduced once, after the
/// loop, instead of in each iteration.
bool ScheduledLaunchBuilder::reduceInLanes(ComputeOpInterface op,
                                           Value fragment) {
  OpAttributes attrs = addGroupDim(op.getOpKind(), op.getOpAttributes(), {});
  Value result = op->getResult(0);
  Type element = cast<RankedTensorType>(result.getType()).getElementType();
  if (!isOnlyAccumulated(op))
    return false;
  const RegisterLayout &layout = getLayoutOf(fragment);
  auto type = cast<RankedTensorType>(fragment.getType());
  Shape shape(type.getShape());
  int64_t dim = attrs.dim;
  auto digits = getDigits(layout, shape, dim);
  // The dimension becomes one for each digit.
  OpAttributes reshape;
  reshape.resultShape = shape;
  reshape.resultShape.erase(reshape.resultShape.begin() + dim);
  int64_t ofOthers = 1;
  for (auto [number, digit] : llvm::enumerate(digits)) {
    reshape.resultShape.insert(reshape.resultShape.begin() + dim + number,
                               digit.mode.size);
    if (!digit.isInRegisters)
      ofOthers *= digit.mode.size;
  }
  if (ofOthers == 1)
    return false;
  Shape split = reshape.resultShape;
  std::optional<RegisterLayout> splitLayout = layout.reshape(shape, split);
  if (!splitLayout)
    return false;
  for (auto [number, digit] : llvm::enumerate(digits))
    if (digit.isInRegisters && (splitLayout->variesOverLanes(dim + number) ||
                                splitLayout->variesOverWarps(dim + number)))
      return false;
  Location loc = op.getLoc();
  Value parts = createOperator(loc, OpKind::Reshape, reshape, fragment,
                               type.getElementType(), *splitLayout);
  for (auto [number, digit] : llvm::enumerate(digits)) {
    if (!digit.isInRegisters)
      continue;
    parts = reduce(loc, parts, dim + number, attrs.reduceKind, element);
    split[dim + number] = 1;
  }
  if (getElementTypeOrSelf(parts.getType()) != element)
    parts = createOperator(loc, OpKind::Cast, {}, parts, element,
                           getLayoutOf(parts));
  reshape.resultShape = shape;
  reshape.resultShape[dim] = ofOthers;
  std::optional<RegisterLayout> joined =
      getLayoutOf(parts).reshape(split, reshape.resultShape);
  if (!joined)
    return false;
  Tile tile;
  tile.element = element;
  tile.shape = reshape.resultShape;
  tile.partsDims = tiles[op->getOperand(0)].partsDims;
  tile.partsDims.push_back(dim);
  tile.fragments.push_back(
      createOperator(loc, OpKind::Reshape, reshape, parts, element, *joined));
  tiles[result] = std::move(tile);
  return true;
}

/// Reduces what lanes and warps have kept of what a loop accumulated.
Value ScheduledLaunchBuilder::reduceParts(Location loc, Value parts,
                                          ArrayRef<int64_t> dims,
                                          ReduceKind kind) {
  for (int64_t dim : dims) {
    auto type = cast<RankedTensorType>(parts.getType());
    Tile tile;
    tile.shape = Shape(type.getShape());
    tile.element = type.getElementType();
    tile.fragments.push_back(parts);
    parts = getLayoutOf(parts).variesOverWarps(dim)
                ? reduceOverWarps(loc, tile, parts, dim, kind, tile.element)
                : reduce(loc, parts, dim, kind, tile.element);
  }
  return parts;
}

void ScheduledLaunchBuilder::convertReduction(ComputeOpInterface op) {
  std::optional<RegisterLayout> wanted = getWantedLayout(op);
  if (!wanted && convertMaximumOfScaled(op))
    return;
  Location loc = op.getLoc();
  Value operand = op->getOperand(0);
  if (wanted)
    (void)getFragment(operand, *wanted);
  Tile &source = tiles[operand];
  OpAttributes attrs = addGroupDim(op.getOpKind(), op.getOpAttributes(), {});
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Type element = type.getElementType();
  Value fragment =
      wanted ? getFragment(operand, *wanted) : getAnyFragment(operand);
  int64_t dim = attrs.dim, size = source.shape[dim];
  ReduceKind kind =
      attrs.reduceKind == ReduceKind::Mean ? ReduceKind::Sum : attrs.reduceKind;
  // Places beyond the end must not take part.
  fragment = fillBeyond(
      fragment, dim,
      kind == ReduceKind::Max ? -std::numeric_limits<double>::infinity() : 0.0);
  if (reduceInLanes(op, fragment))
    return;

  Shape shape = source.shape;
  shape[dim] = 1;
  Value result =
      getLayoutOf(fragment).variesOverWarps(dim)
          ? reduceOverWarps(loc, source, fragment, dim, kind, element)
          : reduce(loc, fragment, dim, kind, element);
  if (attrs.reduceKind == ReduceKind::Mean) {
    OpAttributes scale;
    scale.scalar = 1.0 / size;
    result = createOperator(loc, OpKind::Scale, scale, result, element,
                            getLayoutOf(result));
  }
  if (!attrs.keep) {
    Shape dropped = shape;
    dropped.erase(dropped.begin() + dim);
    OpAttributes reshape;
    reshape.resultShape = dropped;
    result = createOperator(loc, OpKind::Reshape, reshape, result, element,
                            *getLayoutOf(result).reshape(shape, dropped));
    shape = dropped;
  }
  Tile tile;
  tile.shape = shape;
  tile.element = element;
  tile.partsDims = tiles[operand].partsDims;
  tile.fragments.push_back(result);
  tiles[op->getResult(0)] = std::move(tile);
}
