//===- IndexMasks.cpp - Masks that are computed of indices ----------------===//
//
// Follows tiles of masks through elementwise operators, and what an iteration
// computes of them.
//
//===----------------------------------------------------------------------===//

#include "IndexMasks.h"
#include "Mirage/Analysis/SharedMemory.h"
#include "Mirage/Interfaces/ComputeOpSupport.h"
#include "Mirage/Semantics/UniformValues.h"
#include "ScheduledLaunch.h"

using namespace mlir;
using namespace mirage;

kernel::ConstantOp mirage::getConstant(Value value) {
  while (auto reshape = value.getDefiningOp<kernel::ReshapeOp>())
    value = reshape->getOperand(0);
  return value.getDefiningOp<kernel::ConstantOp>();
}

/// Returns the band that a constant is, if it is one. Under another shape its
/// elements have the same order.
static std::optional<IndexBand> findBand(Value constant) {
  auto shape = cast<RankedTensorType>(constant.getType()).getShape();
  kernel::ConstantOp op = getConstant(constant);
  if (!op)
    return std::nullopt;
  auto elements = dyn_cast<DenseFPElementsAttr>(op->getAttr("value"));
  if (!elements || elements.isSplat())
    return std::nullopt;
  auto values = elements.getValues<APFloat>();
  return findIndexBand(
      shape, elements.getRawData(),
      elements.getElementType().getIntOrFloatBitWidth() / 8,
      [&](int64_t position) { return values[position].convertToDouble(); });
}

/// Returns true if a reshape only adds or drops dimensions of size one.
static bool keepsDims(ComputeOpInterface op) {
  auto getDims = [](Value value) {
    return llvm::to_vector(llvm::make_filter_range(
        cast<RankedTensorType>(value.getType()).getShape(),
        [](int64_t size) { return size != 1; }));
  };
  return op.getOpKind() == OpKind::Reshape &&
         getDims(op->getOperand(0)) == getDims(op->getResult(0));
}

/// Returns true if all users of a mask's tile take it element by element, also
/// with other dimensions of size one.
static bool hasElementwiseUsers(Value value) {
  return llvm::all_of(value.getUsers(), [](Operation *user) {
    auto compute = dyn_cast<ComputeOpInterface>(user);
    if (!compute)
      return false;
    if (keepsDims(compute))
      return hasElementwiseUsers(user->getResult(0));
    return getOpInfo(compute.getOpKind()).opClass == OpClass::Elementwise;
  });
}

/// Lets a mask be inside where most operators have nothing to do: factors are
/// one there, and what is added is zero.
static void chooseSide(IndexBand &band, block::LoadOp load) {
  bool isFactor = llvm::any_of(load->getUsers(), llvm::IsaPred<block::MulOp>);
  if ((std::fabs(band.inside) < std::fabs(band.outside)) == isFactor)
    band.exchangeSides();
}

IndexMasks::IndexMasks(kernel::LaunchOp launch) : launch(launch) {
  for (auto [operand, argument] :
       llvm::zip(launch->getOperands(), launch.getBody().getArguments())) {
    if (llvm::none_of(argument.getUsers(), llvm::IsaPred<block::LoadOp>))
      continue;
    std::optional<IndexBand> band = findBand(operand);
    if (!band)
      continue;
    for (Operation *user : argument.getUsers())
      if (auto load = dyn_cast<block::LoadOp>(user);
          load && hasElementwiseUsers(load)) {
        chooseSide(*band, load);
        loads[load] = *band;
      }
  }
}

bool IndexMasks::replaces(unsigned operand) const {
  Value argument = kernel::LaunchOp(launch).getBody().getArgument(operand);
  return llvm::all_of(argument.getUsers(), [&](Operation *user) {
    auto load = dyn_cast<block::LoadOp>(user);
    return load && (load->use_empty() || isComputed(load));
  });
}

std::optional<IndexMask> IndexMasks::find(Value value) const {
  if (auto load = value.getDefiningOp<block::LoadOp>()) {
    auto found = loads.find(load);
    if (found == loads.end())
      return std::nullopt;
    return IndexMask{load, found->second};
  }
  auto op = value.getDefiningOp<ComputeOpInterface>();
  if (!op || op->getNumOperands() != 1 ||
      (getOpInfo(op.getOpKind()).opClass != OpClass::Elementwise &&
       !keepsDims(op)) ||
      !hasElementwiseUsers(value))
    return std::nullopt;
  std::optional<IndexMask> mask = find(op->getOperand(0));
  if (!mask)
    return std::nullopt;
  if (op.getOpKind() == OpKind::Reshape) {
    // The dimensions that are left follow one another as before.
    auto from = cast<RankedTensorType>(op->getOperand(0).getType()).getShape();
    SmallVector<int64_t> left;
    for (auto [size, coefficient] : llvm::zip(from, mask->band.coefficients))
      if (size != 1)
        left.push_back(coefficient);
    mask->band.coefficients.clear();
    size_t next = 0;
    for (int64_t size : cast<RankedTensorType>(value.getType()).getShape())
      mask->band.coefficients.push_back(size == 1 ? 0 : left[next++]);
    return mask;
  }
  ElementType type = *convertElementType(getElementTypeOrSelf(value.getType()));
  for (double *number : {&mask->band.inside, &mask->band.outside})
    *number = *getUniformResult(op.getOpKind(), op.getOpAttributes(),
                                UniformValue(*number), type);
  return mask;
}

MaskPlace::MaskPlace(const IndexMask &mask) {
  block::LoadOp load = mask.load;
  SmallVector<int64_t> extents;
  SmallVector<Value> variables;
  getEnclosingLoops(load, extents, variables);
  ArrayRef<int64_t> grid = load->getParentOfType<kernel::LaunchOp>().getGrid();
  ofBlock.assign(grid.size(), 0);
  auto source = cast<RankedTensorType>(load.getSource().getType());
  auto tile = cast<RankedTensorType>(load.getResult().getType());
  for (auto [dim, coefficient, size] :
       llvm::zip(getPartition(source.getShape(), load.getImap(), grid,
                              load.getFmap(), extents),
                 mask.band.coefficients, tile.getShape())) {
    int64_t part = dim.size;
    if (dim.gridDim) {
      part /= dim.gridExtent;
      ofBlock[*dim.gridDim] += coefficient * part;
    }
    for (int64_t extent : dim.loopExtents) {
      part /= extent;
      ofIteration += coefficient * part;
    }
    (coefficient < 0 ? least : largest) += coefficient * (size - 1);
  }
}

IterationBounds::IterationBounds(const IndexBand &band,
                                 const MaskPlace &place) {
  int64_t step = place.ofIteration;
  if (step == 0)
    return;
  // The sum of a tile's first element is at least `least` and at most `most`,
  // where the tile has an element inside.
  std::optional<int64_t> least, most;
  if (band.lower > band.least)
    least = band.lower - place.largest;
  if (band.upper <= band.largest)
    most = band.upper - 1 - place.least;
  // Sums grow with the iterations, or they fall.
  if (step < 0) {
    std::swap(least, most);
    for (std::optional<int64_t> *bound : {&least, &most})
      if (*bound)
        **bound = -**bound;
    step = -step;
  }
  int64_t sign = place.ofIteration < 0 ? 1 : -1;
  if (least)
    begin = IterationBound{sign, *least + step - 1, step};
  if (most)
    end = IterationBound{sign, *most + step, step};
}

/// Returns true if an iteration of a loop adds nothing to what it accumulates,
/// where all elements of a load's tile are one number.
static bool isEmptiedBy(block::ForOp loop, block::LoadOp load, double number) {
  DenseMap<Value, double> known;
  known[load.getResult()] = number;
  auto get = [&](Value value) -> UniformValue {
    if (auto constant = value.getDefiningOp<block::ConstantOp>()) {
      auto elements = dyn_cast<DenseFPElementsAttr>(constant.getValue());
      return elements && elements.isSplat()
                 ? UniformValue(
                       elements.getSplatValue<APFloat>().convertToDouble())
                 : std::nullopt;
    }
    auto found = known.find(value);
    return found == known.end() ? std::nullopt : UniformValue(found->second);
  };
  for (Operation &op : loop.getBody().front().without_terminator()) {
    if (auto accumulate = dyn_cast<block::AccumulateOp>(op)) {
      Value shift = accumulate.getShift();
      if (!isNeutral(accumulate.getKind(), get(accumulate.getValue()),
                     shift ? get(shift) : std::nullopt))
        return false;
      continue;
    }
    auto compute = dyn_cast<ComputeOpInterface>(op);
    if (!compute || op.getNumResults() != 1 || isa<block::ConstantOp>(op) ||
        getOpInfo(compute.getOpKind()).opClass == OpClass::Composite)
      continue;
    Value result = op.getResult(0);
    if (UniformValue value = getUniformResult(
            compute.getOpKind(), compute.getOpAttributes(),
            llvm::map_to_vector(op.getOperands(), get),
            *convertElementType(getElementTypeOrSelf(result.getType()))))
      known[result] = *value;
  }
  return true;
}

SmallVector<IndexMask> IndexMasks::findEmptyingMasks(block::ForOp loop) const {
  SmallVector<IndexMask> masks;
  loop.getBody().walk([&](block::LoadOp load) {
    auto found = loads.find(load);
    if (found == loads.end() || !dependsOnLoop(load))
      return;
    IndexBand band = found->second;
    if (isEmptiedBy(loop, load, band.outside) ||
        (band.exchangeSides() && isEmptiedBy(loop, load, band.outside)))
      masks.push_back({load, std::move(band)});
  });
  return masks;
}

bool mirage::computesMasks(kernel::LaunchOp launch) {
  auto schedule =
      launch->getAttrOfType<ScheduleAttr>(MirageDialect::getScheduleAttrName());
  return schedule && schedule.getIndexMasks();
}

/// Returns true if a number stays what it is when it is scaled by a positive
/// one.
static bool survivesScaling(double number) {
  return number == 0 || std::isinf(number);
}

void mirage::moveMasksBeforeScales(kernel::LaunchOp launch) {
  IndexMasks masks(launch);
  if (masks.empty())
    return;
  SmallVector<block::AddOp> sums;
  launch.getBody().walk([&](block::AddOp sum) { sums.push_back(sum); });
  for (block::AddOp sum : sums)
    for (unsigned scaled : {0, 1}) {
      // The scale may have another shape, which other operators gave it.
      Value value = sum->getOperand(scaled);
      SmallVector<block::ReshapeOp> reshapes;
      while (auto reshape = value.getDefiningOp<block::ReshapeOp>()) {
        if (!reshape->hasOneUse())
          break;
        reshapes.push_back(reshape);
        value = reshape->getOperand(0);
      }
      auto scale = value.getDefiningOp<block::ScaleOp>();
      std::optional<IndexMask> mask = masks.find(sum->getOperand(1 - scaled));
      Type element = getElementTypeOrSelf(sum.getType());
      if (!scale || !scale->hasOneUse() || !mask ||
          !survivesScaling(mask->band.inside) ||
          !survivesScaling(mask->band.outside) ||
          sum->getOperand(scaled).getType() != sum.getType() ||
          scale->getOperand(0).getType() != scale.getType() ||
          !(cast<ComputeOpInterface>(*scale).getOpAttributes().scalar > 0))
        continue;
      // What is scaled takes the place of the scale, and the scale the sum's.
      OpBuilder builder(sum);
      auto create = [&](Location loc, OpKind kind, const OpAttributes &attrs,
                        ValueRange operands) {
        return createComputeOp(builder, loc, Level::Block, kind, attrs,
                               operands, element)
            ->getResult(0);
      };
      Value unscaled = scale->getOperand(0);
      for (block::ReshapeOp reshape : llvm::reverse(reshapes))
        unscaled = create(reshape.getLoc(), OpKind::Reshape,
                          cast<ComputeOpInterface>(*reshape).getOpAttributes(),
                          unscaled);
      Value masked = create(sum.getLoc(), OpKind::Add, {},
                            {unscaled, sum->getOperand(1 - scaled)});
      Value moved =
          create(scale.getLoc(), OpKind::Scale,
                 cast<ComputeOpInterface>(*scale).getOpAttributes(), masked);
      sum.getResult().replaceAllUsesWith(moved);
      sum->erase();
      for (block::ReshapeOp reshape : reshapes)
        reshape->erase();
      scale->erase();
      break;
    }
}
