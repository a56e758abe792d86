//===- BlockOperators.cpp - What operators make of symbolic tiles ---------===//
//
// Has the rules by which a value's dimensions, phase and maximum follow from
// those of the operands. What they refuse is no graph, or none of the search's
// space (docs/Search.md).
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Launches/BlockGenerator.h"
#include "Mirage/Semantics/ProductDims.h"
#include "llvm/ADT/STLExtras.h"

using namespace mirage;
using namespace mirage::search;
using Kind = OperatorForm::Kind;
using Role = AbstractValue::Role;

/// Returns the phase in which an operator can combine two values: inside of a
/// loop nothing can be used from behind it or from other loops.
std::optional<Phase> BlockGenerator::join(Phase a, Phase b) const {
  if (a.region == b.region)
    return Phase{a.region, std::max(a.step, b.step)};
  // The way goes up from the inner region to the loop that stands in the outer
  // one.
  if (a.region > b.region)
    std::swap(a, b);
  for (RegionId region = b.region; region != kBody;) {
    Phase after = graph.getPhaseAfter(region - 1);
    if (after.region == a.region)
      return a.step < after.step ? std::optional(b) : std::nullopt;
    region = after.region;
  }
  return std::nullopt;
}

/// The region that computes a maximum; nothing for tensors.
std::optional<RegionId> BlockGenerator::getShiftRegion(Shift shift) const {
  if (!shift || shift.isTensor())
    return std::nullopt;
  RegionId region = values[shift.getValue()].phase.region;
  return shift.isValue() ? region : graph.loops[region - 1].parent;
}

/// Returns whether the maximum differs along a dimension of values relative to
/// it.
bool BlockGenerator::varies(Shift shift, size_t dim) const {
  for (const Value &value : values)
    if (value.value.role == Role::Shift && value.shift == shift)
      return dim < value.dims.size() && value.dims[dim] != kUnitDim;
  return false;
}

std::optional<BlockGenerator::Value>
BlockGenerator::apply(const BlockOperator &op, DimId &extent) const {
  const OperatorForm &form = problem.getForm(op.form);
  unsigned first = op.first, second = op.second, dim = op.dim;
  extent = kUnitDim;
  switch (form.kind) {
  case Kind::Unary:
    return applyUnary(form, first);
  case Kind::Binary:
    return applyBinary(form, first, second);
  case Kind::Ternary:
    return applyTernary(op);
  case Kind::Matmul:
    return applyMatmul(form, first, second, extent);
  case Kind::Composite:
    return applyComposite(form, first, dim);
  case Kind::ReduceSum:
  case Kind::ReduceMax:
  case Kind::ReducePlainMax:
    return applyReduction(form, first, dim, extent);
  case Kind::SubtractShift:
    return applySubtractShift(first, second);
  case Kind::Transpose:
  case Kind::Reshape:
    return applyLayout(form, first);
  case Kind::Accumulate:
  case Kind::AccumulateMax:
  case Kind::AccumulatePlainMax:
  case Kind::AccumulateConcat:
    return applyAccumulate(form, first, dim);
  }
  llvm_unreachable("unknown kind");
}

std::optional<BlockGenerator::Value>
BlockGenerator::applyUnary(const OperatorForm &form, unsigned number) const {
  const Value &x = values[number];
  bool isExponential = form.op == OpKind::Exp || form.op == OpKind::Exp2;
  if (x.value.role == Role::ShiftDifference)
    return isExponential ? std::optional(x) : std::nullopt;
  if (x.value.role != Role::Plain)
    return std::nullopt;
  if (isExponential) {
    // Without a maximum only the program's own exponentials are taken: of
    // others no one has said that they are in range.
    if (!x.isShifted && (x.shift || !oracle.isPlainArgument(x.value)))
      return std::nullopt;
    Value result = x;
    result.isShifted = false;
    return result;
  }
  if (x.isShifted)
    return std::nullopt;
  bool isLinear = form.constants.empty()
                      ? getOpInfo(form.op).linearity == Linearity::All
                      : form.op == OpKind::Mul ||
                            (form.op == OpKind::Div && form.isConstant(1));
  if (x.shift && !isLinear)
    return std::nullopt;
  return x;
}

static std::optional<Dims> broadcast(llvm::ArrayRef<DimId> a,
                                     llvm::ArrayRef<DimId> b) {
  if (a.size() != b.size())
    return std::nullopt;
  for (auto [dim, other] : llvm::zip(a, b))
    if (dim != kUnitDim && other != kUnitDim && other != dim)
      return std::nullopt;
  Dims result(a);
  for (auto [dim, other] : llvm::zip(result, b))
    if (dim == kUnitDim)
      dim = other;
  return result;
}

/// The maximum that the result of a binary operator is relative to; nothing if
/// the operator cannot be applied to values that are relative to these.
static std::optional<Shift> combineShifts(OpKind op, Shift x, Shift y) {
  switch (op) {
  case OpKind::Add:
  case OpKind::Sub:
    return x == y ? std::optional(x) : std::nullopt;
  case OpKind::Mul:
    if (x && y)
      return std::nullopt;
    return x ? x : y;
  case OpKind::Div:
    if (!y)
      return x;
    return x == y ? std::optional(Shift()) : std::nullopt;
  default:
    return x || y ? std::nullopt : std::optional(Shift());
  }
}

std::optional<BlockGenerator::Value>
BlockGenerator::applyBinary(const OperatorForm &form, unsigned first,
                            unsigned second) const {
  const Value &x = values[first], &y = values[second];
  // x * x is a square, if there are any; other operators make a constant of it.
  if (x.isShifted || y.isShifted || x.value.role == Role::Shift ||
      y.value.role == Role::Shift ||
      (first == second && (form.op != OpKind::Mul || problem.hasSquares())))
    return std::nullopt;
  std::optional<Phase> phase = join(x.phase, y.phase);
  std::optional<Dims> dims = broadcast(x.dims, y.dims);
  if (!phase || !dims)
    return std::nullopt;
  Value result;
  result.phase = *phase;
  result.varying = x.varying | y.varying;
  result.dims = std::move(*dims);
  if (x.value.role == Role::Rescaling || y.value.role == Role::Rescaling) {
    // A value relative to one maximum becomes one relative to another.
    const Value &factor = x.value.role == Role::Rescaling ? x : y;
    const Value &value = x.value.role == Role::Rescaling ? y : x;
    if (form.op != OpKind::Mul || value.value.role != Role::Plain ||
        value.shift != factor.shift || result.dims != value.dims)
      return std::nullopt;
    result.shift = factor.shiftTo;
    return result;
  }
  if (x.value.role != Role::Plain || y.value.role != Role::Plain)
    return std::nullopt;
  std::optional<Shift> shift = combineShifts(form.op, x.shift, y.shift);
  if (!shift)
    return std::nullopt;
  result.shift = *shift;
  return result;
}

std::optional<BlockGenerator::Value>
BlockGenerator::applyTernary(const BlockOperator &op) const {
  const Value *x = &values[op.first];
  Value result;
  result.phase = x->phase;
  result.dims = x->dims;
  for (const Value *y : {x, &values[op.second], &values[op.third]}) {
    std::optional<Phase> phase = join(result.phase, y->phase);
    std::optional<Dims> dims = broadcast(result.dims, y->dims);
    if (!phase || !dims || y->value.role != Role::Plain || y->isShifted ||
        y->shift)
      return std::nullopt;
    result.phase = *phase;
    result.dims = std::move(*dims);
    result.varying |= y->varying;
  }
  return result;
}

std::optional<BlockGenerator::Value>
BlockGenerator::applyMatmul(const OperatorForm &form, unsigned first,
                            unsigned second, DimId &extent) const {
  const Value &x = values[first], &y = values[second];
  size_t rank = x.dims.size();
  if (rank < 2 || y.dims.size() != rank || x.value.role != Role::Plain ||
      y.value.role != Role::Plain || x.isShifted || y.isShifted ||
      (x.shift && y.shift))
    return std::nullopt;
  std::optional<Phase> phase = join(x.phase, y.phase);
  if (!phase)
    return std::nullopt;
  size_t m = getKeptDim(form.attributes, ProductOperand::Lhs, rank);
  size_t kLhs = getContractedDim(form.attributes, ProductOperand::Lhs, rank);
  size_t n = getKeptDim(form.attributes, ProductOperand::Rhs, rank);
  size_t kRhs = getContractedDim(form.attributes, ProductOperand::Rhs, rank);
  extent = x.dims[kLhs];
  if (extent == kUnitDim || extent != y.dims[kRhs])
    return std::nullopt;
  std::optional<Dims> dims = broadcast(llvm::ArrayRef(x.dims).drop_back(2),
                                       llvm::ArrayRef(y.dims).drop_back(2));
  if (!dims || varies(x.shift, kLhs) || varies(y.shift, kRhs))
    return std::nullopt;
  Value result;
  result.phase = *phase;
  result.varying = x.varying | y.varying;
  result.dims = std::move(*dims);
  result.dims.push_back(x.dims[m]);
  result.dims.push_back(y.dims[n]);
  result.shift = x.shift ? x.shift : y.shift;
  return result;
}

std::optional<BlockGenerator::Value>
BlockGenerator::applyComposite(const OperatorForm &form, unsigned number,
                               unsigned dim) const {
  const Value &x = values[number];
  bool isNorm = form.op == OpKind::RmsNorm || form.op == OpKind::LayerNorm;
  if (x.value.role != Role::Plain || x.isShifted || x.shift ||
      dim >= x.dims.size() || x.dims[dim] != form.along ||
      (isNorm && dim + 1 != x.dims.size()))
    return std::nullopt;
  return x;
}

std::optional<BlockGenerator::Value>
BlockGenerator::applyReduction(const OperatorForm &form, unsigned number,
                               unsigned dim, DimId &extent) const {
  const Value &x = values[number];
  if (dim >= x.dims.size() || x.dims[dim] == kUnitDim || x.isShifted)
    return std::nullopt;
  llvm::ArrayRef<AxisPart> parts = problem.getParts(x.dims[dim]);
  bool isSplit = problem.isSplitAxis(parts.front().axis);
  if (form.kind == Kind::ReduceMax) {
    bool isShiftAxis = llvm::all_of(parts, [&](const AxisPart &part) {
      return problem.isSplitAxis(part.axis)
                 ? problem.isShiftAxis(problem.getSplitOf(part.axis))
                 : problem.isShiftAxis(part.axis);
    });
    bool isMaximum = x.value.role == Role::Shift && isSplit;
    // The maximum of maxima is taken over splits alone: a dimension is reduced
    // once.
    if (!isShiftAxis ||
        (!isMaximum && (x.value.role != Role::Plain || x.shift || isSplit)))
      return std::nullopt;
    Value result = x;
    result.dims[dim] = kUnitDim;
    result.shift = Shift::ofValue(values.size());
    return result;
  }
  if (form.kind == Kind::ReducePlainMax && x.shift)
    return std::nullopt;
  if (x.value.role != Role::Plain || isSplit != form.splitsOnly ||
      varies(x.shift, dim))
    return std::nullopt;
  // Dimensions of the maximum would not fit any more.
  if (!form.attributes.keep && x.shift && !form.splitsOnly)
    return std::nullopt;
  extent = x.dims[dim];
  Value result = x;
  if (form.attributes.keep)
    result.dims[dim] = kUnitDim;
  else
    result.dims.erase(result.dims.begin() + dim);
  return result;
}

std::optional<BlockGenerator::Value>
BlockGenerator::applySubtractShift(unsigned first, unsigned second) const {
  const Value &x = values[first], &max = values[second];
  if (max.value.role != Role::Shift || second < graph.loads.size())
    return std::nullopt;
  // Only the maximum of the value itself is subtracted.
  const BlockOperator &def = graph.operators[second - graph.loads.size()];
  if (problem.getForm(def.form).kind != Kind::ReduceMax || def.first != first)
    return std::nullopt;
  Value result = x;
  if (x.value.role == Role::Shift) {
    result.shiftTo = max.shift;
    return result;
  }
  result.isShifted = true;
  result.shift = max.shift;
  return result;
}

std::optional<BlockGenerator::Value>
BlockGenerator::applyLayout(const OperatorForm &form, unsigned number) const {
  const Value &x = values[number];
  if (x.value.role != Role::Plain || x.isShifted || x.shift)
    return std::nullopt;
  Value result = x;
  if (form.kind == Kind::Transpose) {
    llvm::ArrayRef<int64_t> permutation = form.attributes.permutation;
    if (permutation.size() != x.dims.size())
      return std::nullopt;
    for (auto [dim, from] : llvm::enumerate(permutation))
      result.dims[dim] = x.dims[from];
    return result;
  }
  // The axes stay the same, in the same order, grouped as the program groups
  // them.
  if (form.fromAxes.size() != x.dims.size())
    return std::nullopt;
  llvm::SmallVector<AxisPart, 6> parts;
  for (auto [dim, axes] : llvm::zip(x.dims, form.fromAxes)) {
    llvm::ArrayRef<AxisPart> own = problem.getParts(dim);
    if (own.size() != axes.size())
      return std::nullopt;
    for (auto [part, axis] : llvm::zip(own, axes)) {
      if (part.axis != axis)
        return std::nullopt;
      parts.push_back(part);
    }
  }
  result.dims.clear();
  llvm::ArrayRef<AxisPart> rest = parts;
  for (llvm::ArrayRef<unsigned> axes : form.toAxes) {
    std::optional<DimId> dim = problem.findDim(rest.take_front(axes.size()));
    if (!dim)
      return std::nullopt;
    result.dims.push_back(*dim);
    rest = rest.drop_front(axes.size());
  }
  return result;
}

/// The dimensions of a concatenation of a loop's tiles along a dimension, if
/// the loop cuts that one and no other. Others would be put together from
/// different iterations.
std::optional<Dims> BlockGenerator::concatenate(const Dims &tile, unsigned dim,
                                                unsigned loop) const {
  auto isCut = [&](DimId id) {
    return (problem.getRemoved(id) & kLoop) &&
           problem.getParts(id).front().axis == graph.loops[loop].axis;
  };
  if (dim >= tile.size() || !isCut(tile[dim]) ||
      llvm::count_if(tile, isCut) > 1)
    return std::nullopt;
  Dims whole = tile;
  whole[dim] =
      *problem.withRemoved(tile[dim], problem.getRemoved(tile[dim]) & ~kLoop);
  return whole;
}

std::optional<BlockGenerator::Value>
BlockGenerator::applyAccumulate(const OperatorForm &form, unsigned number,
                                unsigned dim) const {
  const Value &x = values[number];
  if (x.phase.region == kBody || x.isShifted)
    return std::nullopt;
  unsigned loop = x.phase.region - 1;
  Phase after = graph.getPhaseAfter(loop);
  LoopSet varying = x.varying;
  varying.erase(loop);
  // What is the same in every iteration of the loop around belongs to a loop
  // that runs before that one.
  if (RegionId around = after.region;
      around != kBody && !varying.contains(around - 1))
    return std::nullopt;
  // The value is relative to this iteration's maximum, and its sum is rescaled,
  // or to one that the loop leaves alone.
  std::optional<RegionId> shiftRegion = getShiftRegion(x.shift);
  bool isRescaled = shiftRegion == x.phase.region;
  if (x.shift && (!shiftRegion || (isRescaled && !x.shift.isValue())))
    return std::nullopt;
  Value result = x;
  result.phase = after;
  result.varying = varying;
  switch (form.kind) {
  case Kind::Accumulate:
    if (x.value.role != Role::Plain)
      return std::nullopt;
    if (isRescaled) {
      if (values[x.shift.getValue()].dims.size() != x.dims.size())
        return std::nullopt;
      result.shift = x.shift.overIterations();
    }
    return result;
  case Kind::AccumulateMax:
    if (x.value.role != Role::Shift || !isRescaled)
      return std::nullopt;
    result.shift = x.shift.overIterations();
    return result;
  case Kind::AccumulatePlainMax:
    if (x.value.role != Role::Plain || x.shift)
      return std::nullopt;
    return result;
  case Kind::AccumulateConcat: {
    // A load can be loaded whole.
    if (x.value.role != Role::Plain || isRescaled ||
        number < graph.loads.size())
      return std::nullopt;
    std::optional<Dims> whole = concatenate(x.dims, dim, loop);
    if (!whole)
      return std::nullopt;
    result.dims = std::move(*whole);
    return result;
  }
  default:
    llvm_unreachable("not an accumulator");
  }
}
