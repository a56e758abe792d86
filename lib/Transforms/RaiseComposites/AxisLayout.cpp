//===- AxisLayout.cpp - Axes that tensors of a computation share ----------===//
//
// Follows axes across reshapes and transposes, and makes the operators that
// bring the axes of a tensor into a given order.
//
//===----------------------------------------------------------------------===//

#include "AxisLayout.h"
#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "Mirage/Interfaces/ComputeOpSupport.h"

using namespace mlir;
using namespace mirage;

static ArrayRef<int64_t> getShapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

AxisDim AxisTable::add(int64_t size) {
  if (size == 1)
    return {};
  axes.push_back({size, {}});
  return {static_cast<Axis>(axes.size() - 1)};
}

AxisDim AxisTable::expand(ArrayRef<Axis> dim) const {
  AxisDim result;
  for (Axis axis : dim) {
    if (axes[axis].parts.empty())
      result.push_back(axis);
    else
      llvm::append_range(result, expand(axes[axis].parts));
  }
  return result;
}

AxisDim AxisTable::expandAll(ArrayRef<AxisDim> layout) const {
  AxisDim result;
  for (const AxisDim &dim : layout)
    llvm::append_range(result, expand(dim));
  return result;
}

bool AxisTable::meets(ArrayRef<Axis> dim, ArrayRef<AxisDim> layout) const {
  AxisDim all = expandAll(layout);
  return llvm::any_of(expand(dim),
                      [&](Axis axis) { return llvm::is_contained(all, axis); });
}

int64_t AxisTable::getSize(ArrayRef<Axis> dim) const {
  int64_t size = 1;
  for (Axis axis : dim)
    size *= axes[axis].size;
  return size;
}

std::optional<AxisLayout> AxisTable::reshape(ArrayRef<AxisDim> layout,
                                             ArrayRef<int64_t> shape,
                                             bool maySplit) {
  AxisDim pending = expandAll(layout);
  auto next = pending.begin();
  AxisLayout result;
  for (int64_t rest : shape) {
    AxisDim &dim = result.emplace_back();
    while (rest > 1) {
      if (next == pending.end())
        return std::nullopt;
      int64_t size = axes[*next].size;
      if (rest % size == 0) {
        rest /= size;
        dim.push_back(*next++);
        continue;
      }
      if (size % rest != 0 || !maySplit)
        return std::nullopt;
      Axis outer = add(rest).front(), inner = add(size / rest).front();
      axes[*next].parts = {outer, inner};
      dim.push_back(outer);
      *next = inner;
      rest = 1;
    }
  }
  if (next != pending.end())
    return std::nullopt;
  return result;
}

bool AxisTable::goBack(AxisView &view, bool maySplit) {
  if (auto op = view.value.getDefiningOp<kernel::ReshapeOp>()) {
    auto layout = reshape(view.layout, getShapeOf(op.getInput()), maySplit);
    if (!layout)
      return false;
    view = {op.getInput(), *layout};
    return true;
  }
  if (auto op = view.value.getDefiningOp<kernel::TransposeOp>()) {
    AxisLayout layout(view.layout.size());
    for (auto [dim, from] :
         llvm::zip(view.layout, readOpAttributes(op).permutation))
      layout[from] = dim;
    view = {op.getInput(), layout};
    return true;
  }
  return false;
}

bool AxisTable::goForward(AxisView &view, Operation *op, bool maySplit) {
  if (isa<kernel::ReshapeOp>(op)) {
    auto layout = reshape(view.layout, getShapeOf(op->getResult(0)), maySplit);
    if (!layout)
      return false;
    view = {op->getResult(0), *layout};
    return true;
  }
  if (isa<kernel::TransposeOp>(op)) {
    AxisLayout layout;
    for (int64_t from : readOpAttributes(op).permutation)
      layout.push_back(view.layout[from]);
    view = {op->getResult(0), layout};
    return true;
  }
  return false;
}

bool AxisTable::canArrange(const AxisView &view,
                           ArrayRef<AxisDim> target) const {
  AxisDim present = expandAll(view.layout);
  size_t found = 0;
  for (const AxisDim &dim : target) {
    AxisDim wanted = expand(dim);
    size_t count = llvm::count_if(
        wanted, [&](Axis axis) { return llvm::is_contained(present, axis); });
    if (count != 0 && count != wanted.size())
      return false;
    found += count;
  }
  return found == present.size();
}

/// Returns the order of dimensions in which their axes, one dimension after the
/// other, are those of `wanted`, or nothing if dimensions would have to be cut.
static std::optional<SmallVector<int64_t, 4>> findOrder(ArrayRef<AxisDim> dims,
                                                        ArrayRef<Axis> wanted) {
  SmallVector<int64_t, 4> order =
      llvm::to_vector<4>(llvm::seq<int64_t>(dims.size()));
  auto matches = [&] {
    AxisDim axes;
    for (int64_t dim : order)
      llvm::append_range(axes, dims[dim]);
    return ArrayRef<Axis>(axes) == wanted;
  };
  if (matches())
    return order;
  auto position = [&](int64_t dim) {
    return dims[dim].empty() ? wanted.begin()
                             : llvm::find(wanted, dims[dim].front());
  };
  llvm::sort(order, [&](int64_t a, int64_t b) {
    return std::pair(position(a), a) < std::pair(position(b), b);
  });
  if (!matches())
    return std::nullopt;
  return order;
}

Value AxisTable::arrange(OpBuilder &builder, Location loc, AxisView view,
                         ArrayRef<AxisDim> target) const {
  auto create = [&](OpKind kind, const OpAttributes &attrs) {
    return createComputeOp(builder, loc, Level::Kernel, kind, attrs, view.value)
        ->getResult(0);
  };
  auto reshape = [&](ArrayRef<int64_t> shape) {
    OpAttributes attrs;
    attrs.resultShape.assign(shape.begin(), shape.end());
    return getShapeOf(view.value) == shape ? view.value
                                           : create(OpKind::Reshape, attrs);
  };
  AxisDim present = expandAll(view.layout);
  AxisLayout dims, targetDims;
  SmallVector<int64_t> shape;
  for (const AxisDim &dim : view.layout)
    dims.push_back(expand(dim));
  for (const AxisDim &dim : target) {
    AxisDim &axesOfDim = targetDims.emplace_back(expand(dim));
    llvm::erase_if(axesOfDim, [&](Axis axis) {
      return !llvm::is_contained(present, axis);
    });
    shape.push_back(getSize(axesOfDim));
  }
  AxisDim wanted = expandAll(targetDims);

  auto order = findOrder(dims, wanted);
  if (!order) {
    SmallVector<int64_t> sizes;
    if (auto origin = findOrder(targetDims, present)) {
      // These are the target's dimensions in another order.
      order.emplace(origin->size());
      for (auto [position, dim] : llvm::enumerate(*origin)) {
        sizes.push_back(shape[dim]);
        (*order)[dim] = position;
      }
    } else {
      // Each axis gets a dimension.
      dims.clear();
      for (Axis axis : present) {
        dims.push_back({axis});
        sizes.push_back(axes[axis].size);
      }
      order = findOrder(dims, wanted);
    }
    view.value = reshape(sizes);
  }
  if (!llvm::is_sorted(*order)) {
    OpAttributes attrs;
    attrs.permutation.assign(order->begin(), order->end());
    view.value = create(OpKind::Transpose, attrs);
  }
  return reshape(shape);
}
