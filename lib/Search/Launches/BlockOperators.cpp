//===- BlockOperators.cpp - What operators make of symbolic tiles ---------===//
//
// Has the rules by which a value's dimensions, phase and maximum follow from
// those of the operands. What they refuse is no graph, or none of the search's
// space (docs/Search.md).
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Launches/BlockGenerator.h"
#include "llvm/ADT/STLExtras.h"

using namespace mirage;
using namespace mirage::search;
using Kind = OperatorForm::Kind;
using Role = AbstractValue::Role;

/// Returns the same for values of different regions.
std::optional<Phase> BlockGenerator::joinRegions(Phase a, Phase b) const {
  // The way goes up from the inner region to the loop that stands in the outer
  // one.
  if (a.region > b.region)
    std::swap(a, b);
  for (RegionId region = b.region; !region.isBody();) {
    Phase after = graph.getPhaseAfter(region.getLoop());
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
  return shift.isValue() ? region : graph.getParent(region);
}

/// Returns whether the maximum differs along an axis of values relative to it.
bool BlockGenerator::varies(Shift shift, AxisPart along) const {
  auto isAlong = [&](DimId dim) {
    return problem.getParts(dim).front().axis == along.axis;
  };
  for (const Value &value : values)
    if (value.value.role == Role::Shift && value.shift == shift)
      return llvm::any_of(value.dims, isAlong);
  return false;
}

bool BlockGenerator::varies(Shift shift, DimId along) const {
  return llvm::any_of(problem.getParts(along), [&](const AxisPart &part) {
    return varies(shift, part);
  });
}

std::optional<BlockGenerator::Value>
BlockGenerator::apply(const BlockOperator &op, DimId &extent) const {
  const OperatorForm &form = problem.getForm(op.formId);
  unsigned first = op.first, second = op.second;
  extent = kUnitDim;
  switch (form.kind) {
  case Kind::Unary:
    return applyUnary(form, first);
  case Kind::Binary:
    return applyBinary(form, first, second);
  case Kind::Ternary:
    return applyTernary(op);
  case Kind::Matmul:
    return applyMatmul(first, second, op.reduced, extent);
  case Kind::Composite:
    return applyComposite(form, first);
  case Kind::ReduceSum:
  case Kind::ReduceMax:
  case Kind::ReducePlainMax:
    return applyReduction(form, first, op.reduced, extent);
  case Kind::SubtractShift:
    return applySubtractShift(first, second);
  case Kind::AddShift:
    return applyAddShift(first, second);
  case Kind::Part:
    return applyPart(form, first);
  case Kind::Accumulate:
  case Kind::AccumulateMax:
  case Kind::AccumulatePlainMax:
  case Kind::AccumulateConcat:
    return applyAccumulate(form, first);
  }
  llvm_unreachable("unknown kind");
}

std::optional<BlockGenerator::Value>
BlockGenerator::applyUnary(const OperatorForm &form, unsigned number) const {
  const Value &x = values[number];
  bool isExponential = form.op == OpKind::Exp || form.op == OpKind::Exp2;
  if (x.value.role == Role::ShiftDifference)
    return isExponential ? std::optional(x) : std::nullopt;
  if (x.value.role != Role::Plain || x.isLogarithm)
    return std::nullopt;
  if (form.op == OpKind::Log && x.shift && !x.isShifted &&
      problem.hasLogarithms()) {
    Value result = x;
    result.isShifted = result.isLogarithm = true;
    return result;
  }
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

/// Returns the axes of the result of an elementwise operator.
std::optional<TileDims> BlockGenerator::broadcast(TileDims a,
                                                  TileDims b) const {
  const TilePair &pair = tiles.getPair(a, b);
  return pair.isCommon ? pair.dims : std::nullopt;
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
  std::optional<TileDims> dims = broadcast(x.dims, y.dims);
  if (!phase || !dims)
    return std::nullopt;
  Value result;
  result.phase = *phase;
  result.varying = x.varying | y.varying;
  result.dims = *dims;
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
    std::optional<TileDims> dims = broadcast(result.dims, y->dims);
    if (!phase || !dims || y->value.role != Role::Plain || y->isShifted ||
        y->shift)
      return std::nullopt;
    result.phase = *phase;
    result.dims = *dims;
    result.varying |= y->varying;
  }
  return result;
}

std::optional<BlockGenerator::Value>
BlockGenerator::applyMatmul(unsigned first, unsigned second, unsigned reduced,
                            DimId &extent) const {
  const Value &x = values[first], &y = values[second];
  if (x.value.role != Role::Plain || y.value.role != Role::Plain ||
      x.isShifted || y.isShifted || (x.shift && y.shift))
    return std::nullopt;
  const TilePair &pair = tiles.getPair(x.dims, y.dims);
  if (!llvm::is_contained(pair.summed, reduced))
    return std::nullopt;
  extent = x.dims->along[reduced];
  std::optional<Phase> phase = join(x.phase, y.phase);
  if (!phase || varies(x.shift, extent) || varies(y.shift, extent))
    return std::nullopt;
  Value result;
  result.phase = *phase;
  result.varying = x.varying | y.varying;
  result.dims = tiles.without(*pair.dims, extent);
  result.shift = x.shift ? x.shift : y.shift;
  return result;
}

std::optional<BlockGenerator::Value>
BlockGenerator::applyComposite(const OperatorForm &form,
                               unsigned number) const {
  const Value &x = values[number];
  bool hasAll =
      llvm::all_of(problem.getParts(form.along), [&](const AxisPart &part) {
        return llvm::is_contained(x.dims, problem.getWholeAxis(part.axis));
      });
  if (x.value.role != Role::Plain || x.isShifted || x.shift || !hasAll)
    return std::nullopt;
  return x;
}

std::optional<BlockGenerator::Value>
BlockGenerator::applyPart(const OperatorForm &form, unsigned number) const {
  const Value &x = values[number];
  if (x.value.role != Role::Plain || x.isShifted || x.shift ||
      !llvm::is_contained(x.dims, form.along))
    return std::nullopt;
  Value result = x;
  Dims dims = x.dims->dims;
  llvm::erase(dims, form.along);
  result.dims = tiles.get(dims);
  return result;
}

std::optional<BlockGenerator::Value>
BlockGenerator::applyReduction(const OperatorForm &form, unsigned number,
                               unsigned reduced, DimId &extent) const {
  const Value &x = values[number];
  DimId along = x.dims->along[reduced];
  if (along == kUnitDim || x.isShifted)
    return std::nullopt;
  llvm::ArrayRef<AxisPart> parts = problem.getParts(along);
  bool isSplit = problem.isSplitAxis(parts.front().axis);
  Value result = x;
  result.dims = tiles.without(x.dims, along);
  if (form.kind == Kind::ReduceMax) {
    bool isShiftAxis = llvm::all_of(parts, [&](const AxisPart &part) {
      return problem.isShiftAxis(problem.getUnsplit(part.axis));
    });
    bool isMaximum = x.value.role == Role::Shift && isSplit;
    // The maximum of maxima is taken over splits alone: a dimension is reduced
    // once.
    if (!isShiftAxis ||
        (!isMaximum && (x.value.role != Role::Plain || x.shift || isSplit)))
      return std::nullopt;
    result.shift = Shift::ofValue(values.size());
    return result;
  }
  if (form.kind == Kind::ReducePlainMax && x.shift)
    return std::nullopt;
  if (x.value.role != Role::Plain || isSplit != form.splitsOnly ||
      varies(x.shift, along))
    return std::nullopt;
  extent = along;
  return result;
}

/// Returns whether an operator takes the largest of maxima that an earlier
/// launch has left of parts of the value. The enumeration has no such values,
/// since it would compute again what the earlier launch has computed.
bool BlockGenerator::isMaximumOfParts(const BlockOperator &op,
                                      unsigned value) const {
  if (isEnumerating || op.first >= graph.loads.size())
    return false;
  const Value &parts = values[op.first], &own = values[value];
  uint8_t axis = problem.getReducedAxes()[op.reduced].front();
  return parts.value.role == Role::Shift && problem.isSplitAxis(axis) &&
         own.value.role == Role::Plain &&
         own.value.expression == parts.value.expression &&
         problem.getAxes(own.dims) == problem.getAxes(parts.dims);
}

/// Returns whether a maximum is that of the value, or that of all iterations of
/// an earlier loop that computed the same value.
bool BlockGenerator::isMaximumOf(unsigned number, unsigned value) const {
  const BlockOperator *def = &graph.operators[number - graph.loads.size()];
  bool isOfLoop = problem.getForm(def->formId).kind == Kind::AccumulateMax;
  if (isOfLoop)
    def = &graph.operators[def->first - graph.loads.size()];
  if (problem.getForm(def->formId).kind != Kind::ReduceMax)
    return false;
  if (!isOfLoop)
    return def->first == value || isMaximumOfParts(*def, value);
  const Value &elements = values[def->first], &own = values[value];
  return own.dims == elements.dims && own.value.role == elements.value.role &&
         own.value.expression == elements.value.expression &&
         own.phase.region != elements.phase.region;
}

std::optional<BlockGenerator::Value>
BlockGenerator::applySubtractShift(unsigned first, unsigned second) const {
  const Value &x = values[first], &max = values[second];
  if (max.value.role != Role::Shift || second < graph.loads.size())
    return std::nullopt;
  if (!isMaximumOf(second, first))
    return std::nullopt;
  std::optional<Phase> phase = join(x.phase, max.phase);
  if (!phase)
    return std::nullopt;
  Value result = x;
  result.phase = *phase;
  result.varying |= max.varying;
  if (x.value.role == Role::Shift) {
    result.shiftTo = max.shift;
    return result;
  }
  result.isShifted = true;
  result.shift = max.shift;
  return result;
}

std::optional<BlockGenerator::Value>
BlockGenerator::applyAddShift(unsigned first, unsigned second) const {
  const Value &x = values[first], &max = values[second];
  if (!x.isLogarithm || max.value.role != Role::Shift || x.shift != max.shift)
    return std::nullopt;
  std::optional<Phase> phase = join(x.phase, max.phase);
  std::optional<TileDims> dims = broadcast(x.dims, max.dims);
  if (!phase || !dims)
    return std::nullopt;
  Value result;
  result.phase = *phase;
  result.dims = *dims;
  result.varying = x.varying | max.varying;
  return result;
}

/// The dimensions of a concatenation of a loop's tiles, if the loop cuts one of
/// them.
std::optional<TileDims> BlockGenerator::concatenate(TileDims tile,
                                                    unsigned loop) const {
  Dims whole = tile->dims;
  for (DimId &dim : whole) {
    FactorSet removed = problem.getRemoved(dim);
    if (!removed.contains(kLoop) ||
        problem.getParts(dim).front().axis != graph.loops[loop].axis)
      continue;
    dim = *problem.withRemoved(dim, removed - FactorSet({kLoop}));
    return tiles.get(whole);
  }
  return std::nullopt;
}

std::optional<BlockGenerator::Value>
BlockGenerator::applyAccumulate(const OperatorForm &form,
                                unsigned number) const {
  const Value &x = values[number];
  if (x.phase.region.isBody() || x.isShifted)
    return std::nullopt;
  unsigned loop = x.phase.region.getLoop();
  Phase after = graph.getPhaseAfter(loop);
  LoopSet varying = x.varying;
  varying.erase(loop);
  // What is the same in every iteration of the loop around belongs to a loop
  // that runs before that one.
  if (RegionId around = after.region;
      !around.isBody() && !varying.contains(around.getLoop()))
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
    if (isRescaled)
      result.shift = x.shift.overIterations();
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
    std::optional<TileDims> whole = concatenate(x.dims, loop);
    if (!whole)
      return std::nullopt;
    result.dims = *whole;
    return result;
  }
  default:
    llvm_unreachable("not an accumulator");
  }
}
