//===- BlockOperators.cpp - What operators make of symbolic tiles ---------===//
//
// The rules by which a value's dimensions, phase and maximum follow from those
// of the operands. What they refuse is no graph, or none of the search's space
// (docs/Search.md).
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Launches/BlockGenerator.h"
#include "Mirage/Semantics/ProductDims.h"
#include "llvm/ADT/STLExtras.h"

using namespace mirage;
using namespace mirage::search;
using Form = OperatorForm::Form;
using Role = AbstractValue::Role;

/// When an operator can combine two values: inside of a loop, nothing from
/// behind it or from other loops.
std::optional<Phase> BlockGenerator::join(Phase a, Phase b) const {
  if (a.region == b.region)
    return Phase{a.region, std::max(a.step, b.step)};
  // Up from the inner one to the loop that stands in the outer one's region.
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

/// Where a maximum of the block graph is; nothing for tensors.
std::optional<RegionId> BlockGenerator::getShiftRegion(int16_t shift) const {
  if (shift < 0 || shift >= kTensorToken)
    return std::nullopt;
  RegionId region = values[shift % kAfterLoopToken].phase.region;
  return shift < kAfterLoopToken ? region : graph.loops[region - 1].parent;
}

/// Whether the maximum differs along a dimension of values relative to it.
bool BlockGenerator::varies(int16_t shift, size_t dim) const {
  for (const Value &value : values)
    if (value.value.role == Role::Shift && value.shift == shift)
      return dim < value.dims.size() && value.dims[dim] != kUnitDim;
  return false;
}

std::optional<BlockGenerator::Value>
BlockGenerator::apply(const BlockOperator &op, DimId &extent) const {
  const OperatorForm &form = problem.getForms()[op.form];
  unsigned first = op.first, second = op.second, dim = op.dim;
  extent = kUnitDim;
  switch (form.form) {
  case Form::Unary:
    return applyUnary(form, first);
  case Form::Binary:
    return applyBinary(form, first, second);
  case Form::Ternary:
    return applyTernary(op);
  case Form::Matmul:
    return applyMatmul(form, first, second, extent);
  case Form::Composite:
    return applyComposite(form, first, dim);
  case Form::ReduceSum:
  case Form::ReduceMax:
  case Form::ReducePlainMax:
    return applyReduction(form, first, dim, extent);
  case Form::SubtractShift:
    return applySubtractShift(first, second);
  case Form::Transpose:
  case Form::Reshape:
    return applyLayout(form, first);
  case Form::Accumulate:
  case Form::AccumulateMax:
  case Form::AccumulatePlainMax:
  case Form::AccumulateConcat:
    return applyAccumulate(form, first, dim);
  }
  llvm_unreachable("unknown form");
}

std::optional<BlockGenerator::Value>
BlockGenerator::applyUnary(const OperatorForm &form, unsigned number) const {
  const Value &x = values[number];
  bool isExponential = form.kind == OpKind::Exp || form.kind == OpKind::Exp2;
  if (x.value.role == Role::ShiftDifference)
    return isExponential ? std::optional(x) : std::nullopt;
  if (x.value.role != Role::Plain)
    return std::nullopt;
  if (isExponential) {
    // Without a maximum only what the program does: of other exponentials no
    // one has said that they are in range.
    if (!x.isShifted && (x.shift >= 0 || !oracle.isPlainArgument(x.value)))
      return std::nullopt;
    Value result = x;
    result.isShifted = false;
    return result;
  }
  if (x.isShifted)
    return std::nullopt;
  bool isLinear = form.constants.empty()
                      ? getOpInfo(form.kind).linearity == Linearity::All
                      : form.kind == OpKind::Mul ||
                            (form.kind == OpKind::Div && form.isConstant(1));
  if (x.shift >= 0 && !isLinear)
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

std::optional<BlockGenerator::Value>
BlockGenerator::applyBinary(const OperatorForm &form, unsigned first,
                            unsigned second) const {
  const Value &x = values[first], &y = values[second];
  // x * x is a square, if there are any; other operators make a constant of it.
  if (x.isShifted || y.isShifted || x.value.role == Role::Shift ||
      y.value.role == Role::Shift ||
      (first == second && (form.kind != OpKind::Mul || problem.hasSquares())))
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
    if (form.kind != OpKind::Mul || value.value.role != Role::Plain ||
        value.shift != factor.shift || result.dims != value.dims)
      return std::nullopt;
    result.shift = factor.shiftTo;
    return result;
  }
  if (x.value.role != Role::Plain || y.value.role != Role::Plain)
    return std::nullopt;
  switch (form.kind) {
  case OpKind::Add:
  case OpKind::Sub:
    if (x.shift != y.shift)
      return std::nullopt;
    result.shift = x.shift;
    break;
  case OpKind::Mul:
    if (x.shift >= 0 && y.shift >= 0)
      return std::nullopt;
    result.shift = std::max(x.shift, y.shift);
    break;
  case OpKind::Div:
    if (y.shift >= 0 && x.shift != y.shift)
      return std::nullopt;
    result.shift = y.shift >= 0 ? -1 : x.shift;
    break;
  default:
    if (x.shift >= 0 || y.shift >= 0)
      return std::nullopt;
  }
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
        y->shift >= 0)
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
      (x.shift >= 0 && y.shift >= 0))
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
  result.shift = std::max(x.shift, y.shift);
  return result;
}

std::optional<BlockGenerator::Value>
BlockGenerator::applyComposite(const OperatorForm &form, unsigned number,
                               unsigned dim) const {
  const Value &x = values[number];
  bool isNorm = form.kind == OpKind::RmsNorm || form.kind == OpKind::LayerNorm;
  if (x.value.role != Role::Plain || x.isShifted || x.shift >= 0 ||
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
  if (form.form == Form::ReduceMax) {
    bool isShiftAxis = llvm::all_of(parts, [&](const AxisPart &part) {
      return problem.isSplitAxis(part.axis)
                 ? problem.isShiftAxis(problem.getSplitOf(part.axis))
                 : problem.isShiftAxis(part.axis);
    });
    bool isMaximum = x.value.role == Role::Shift && isSplit;
    if (!isShiftAxis || (!isMaximum && (x.value.role != Role::Plain ||
                                        x.shift >= 0 || isSplit)))
      return std::nullopt;
    // Reduced once: the maximum of maxima is taken over splits alone.
    Value result = x;
    result.dims[dim] = kUnitDim;
    result.shift = static_cast<int16_t>(values.size());
    return result;
  }
  if (form.form == Form::ReducePlainMax && x.shift >= 0)
    return std::nullopt;
  if (x.value.role != Role::Plain || isSplit != form.splitsOnly ||
      varies(x.shift, dim))
    return std::nullopt;
  // Dimensions of the maximum would not fit any more.
  if (!form.attributes.keep && x.shift >= 0 && !form.splitsOnly)
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
  // Only the maximum of the value itself.
  const BlockOperator &def = graph.operators[second - graph.loads.size()];
  if (problem.getForms()[def.form].form != Form::ReduceMax ||
      def.first != first)
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
  if (x.value.role != Role::Plain || x.isShifted || x.shift >= 0)
    return std::nullopt;
  Value result = x;
  if (form.form == Form::Transpose) {
    llvm::ArrayRef<int64_t> permutation = form.attributes.permutation;
    if (permutation.size() != x.dims.size())
      return std::nullopt;
    for (auto [dim, from] : llvm::enumerate(permutation))
      result.dims[dim] = x.dims[from];
    return result;
  }
  // The same axes in the same order, grouped as the program groups them.
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

std::optional<BlockGenerator::Value>
BlockGenerator::applyAccumulate(const OperatorForm &form, unsigned number,
                                unsigned dim) const {
  const Value &x = values[number];
  if (x.phase.region == kBody || x.isShifted)
    return std::nullopt;
  unsigned loop = x.phase.region - 1;
  Phase after = graph.getPhaseAfter(loop);
  uint8_t varying = x.varying & ~(1u << loop);
  // What is the same in every iteration of the loop around is for a loop before
  // that one.
  if (RegionId around = after.region;
      around != kBody && !(varying >> (around - 1) & 1))
    return std::nullopt;
  // Relative to this iteration's maximum, or to one that the loop leaves alone.
  std::optional<RegionId> shiftRegion = getShiftRegion(x.shift);
  bool isRescaled = shiftRegion == x.phase.region;
  if (x.shift >= 0 &&
      (!shiftRegion || (isRescaled && x.shift >= kAfterLoopToken)))
    return std::nullopt;
  Value result = x;
  result.phase = after;
  result.varying = varying;
  switch (form.form) {
  case Form::Accumulate:
    if (x.value.role != Role::Plain)
      return std::nullopt;
    if (isRescaled) {
      if (values[x.shift].dims.size() != x.dims.size())
        return std::nullopt;
      result.shift = static_cast<int16_t>(x.shift + kAfterLoopToken);
    }
    return result;
  case Form::AccumulateMax:
    if (x.value.role != Role::Shift || !isRescaled)
      return std::nullopt;
    result.shift = static_cast<int16_t>(x.shift + kAfterLoopToken);
    return result;
  case Form::AccumulatePlainMax:
    if (x.value.role != Role::Plain || x.shift >= 0)
      return std::nullopt;
    return result;
  case Form::AccumulateConcat: {
    auto isCut = [&](DimId id) {
      return (problem.getRemoved(id) & kLoop) &&
             problem.getParts(id).front().axis == graph.loops[loop].axis;
    };
    // What is only loaded can be loaded whole.
    if (x.value.role != Role::Plain || isRescaled ||
        number < graph.loads.size() || dim >= x.dims.size() ||
        !isCut(x.dims[dim]))
      return std::nullopt;
    // Along the loop's axis alone; other dimensions would be put together from
    // different iterations.
    for (auto [other, id] : llvm::enumerate(x.dims))
      if (other != dim && isCut(id))
        return std::nullopt;
    result.dims[dim] = *problem.withRemoved(
        x.dims[dim], problem.getRemoved(x.dims[dim]) & ~kLoop);
    return result;
  }
  default:
    llvm_unreachable("not an accumulator");
  }
}

bool BlockGenerator::isResult(const Value &value, unsigned result) const {
  if (value.value.role != Role::Plain || value.shift >= 0 || value.isShifted ||
      value.phase.region != kBody ||
      (limits.compareResults && value.form != oracle.getGoals()[result]))
    return false;
  llvm::ArrayRef<DimId> whole = problem.getResults()[result].dims;
  if (whole.size() != value.dims.size())
    return false;
  uint32_t divided = 0;
  for (auto [dim, id] : llvm::zip(whole, value.dims)) {
    if (problem.withRemoved(dim, problem.getRemoved(id)) != id ||
        (problem.getRemoved(id) & kLoop))
      return false;
    if (problem.getRemoved(id) & kGrid) {
      uint32_t bit = 1u << problem.getParts(id).front().axis;
      // Blocks on a diagonal only.
      if (divided & bit)
        return false;
      divided |= bit;
    }
  }
  return llvm::all_of(graph.gridAxes, [&](uint8_t axis) {
    return axis < 32 && (divided >> axis & 1);
  });
}

/// A value as a tensor that the next kernel loads.
std::optional<KernelTensor> BlockGenerator::getOutput(unsigned number) const {
  const Value &value = values[number];
  if (number < graph.loads.size() || value.phase.region != kBody ||
      value.isShifted ||
      (value.value.role != Role::Plain && value.value.role != Role::Shift))
    return std::nullopt;
  KernelTensor tensor;
  tensor.value = value.value;
  tensor.form = value.form;
  uint64_t divided = 0;
  Dims dims;
  for (DimId id : value.dims) {
    if (problem.getRemoved(id) & kLoop)
      return std::nullopt;
    if (problem.getRemoved(id) & kGrid) {
      uint64_t bit = uint64_t(1) << problem.getParts(id).front().axis;
      if (divided & bit)
        return std::nullopt;
      divided |= bit;
    }
    dims.push_back(*problem.withRemoved(id, 0));
  }
  for (uint8_t axis : graph.gridAxes)
    if (!(divided >> axis & 1)) {
      // Blocks that compute the same store it many times.
      if (problem.isSplitAxis(axis) || !(value.divided >> axis & 1))
        return std::nullopt;
      tensor.info.dims.push_back(
          problem.getWholeAxis(problem.getSplitAxis(axis)));
    }
  tensor.info.dims.append(dims);
  return tensor;
}
