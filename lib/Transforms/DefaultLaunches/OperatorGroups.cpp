//===- OperatorGroups.cpp - Operators that one launch executes ------------===//
//
// Finds groups in the order of the block: an operator joins the groups of all
// that it takes, or of some of them, if a launch can execute them together.
//
//===----------------------------------------------------------------------===//

#include "OperatorGroups.h"
#include "Mirage/Interfaces/ComputeOpSupport.h"

using namespace mlir;
using namespace mirage;

static ArrayRef<int64_t> getShapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

bool mirage::isSplat(Value value) {
  auto constant = value.getDefiningOp<kernel::ConstantOp>();
  return constant && constant.getValue().isSplat();
}

SmallVector<Value> OperatorGroup::getOutputs() const {
  SmallVector<Value> outputs;
  for (Operation *op : ops)
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(),
                       [&](Operation *user) { return !contains(user); }))
        outputs.push_back(result);
  return outputs;
}

llvm::SetVector<Value> OperatorGroup::getInputs() const {
  llvm::SetVector<Value> inputs;
  for (Operation *op : ops)
    if (op != product)
      for (Value operand : op->getOperands())
        if (!contains(operand.getDefiningOp()) && !isSplat(operand))
          inputs.insert(operand);
  return inputs;
}

//===----------------------------------------------------------------------===//
// Axes
//===----------------------------------------------------------------------===//

SmallVector<int64_t> mirage::getLongDims(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> dims;
  for (auto [dim, size] : llvm::enumerate(shape))
    if (size > 1)
      dims.push_back(static_cast<int64_t>(dim));
  return dims;
}

/// Calls `join` for the dimensions of an operator's operand and result that are
/// one axis.
static void
joinDims(ComputeOpInterface op, unsigned operand,
         llvm::function_ref<void(int64_t ofOperand, int64_t ofResult)> join) {
  ArrayRef<int64_t> from = getShapeOf(op->getOperand(operand));
  auto rank = static_cast<int64_t>(from.size());
  OpAttributes attrs = op.getOpAttributes();
  switch (op.getOpKind()) {
  case OpKind::Reduce:
    for (int64_t dim = 0, result = 0; dim < rank; ++dim) {
      if (dim != attrs.dim)
        join(dim, result);
      if (dim != attrs.dim || attrs.keep)
        ++result;
    }
    return;
  case OpKind::Transpose:
    for (auto [result, dim] : llvm::enumerate(attrs.permutation))
      join(dim, static_cast<int64_t>(result));
    return;
  case OpKind::Reshape:
    for (auto [dim, result] : llvm::zip(
             getLongDims(from), getLongDims(getShapeOf(op->getResult(0)))))
      join(dim, result);
    return;
  default:
    // Elementwise operators, whose operands have the rank of the result.
    for (int64_t dim = 0; dim < rank; ++dim)
      join(dim, dim);
  }
}

GroupAxes::GroupAxes(const OperatorGroup &group) {
  SmallVector<int64_t> sizeOf;
  auto add = [&](Value value) {
    if (!first.try_emplace(value, sizeOf.size()).second)
      return;
    llvm::append_range(sizeOf, getShapeOf(value));
  };
  for (Operation *op : group.ops) {
    if (op != group.product)
      llvm::for_each(op->getOperands(), add);
    llvm::for_each(op->getResults(), add);
  }
  classes.grow(sizeOf.size());
  SmallVector<unsigned> reducedDims;
  for (Operation *op : group.ops) {
    if (op == group.product)
      continue;
    auto compute = cast<ComputeOpInterface>(op);
    unsigned result = first.lookup(op->getResult(0));
    for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
      unsigned from = first.lookup(operand);
      joinDims(compute, number, [&](int64_t ofOperand, int64_t ofResult) {
        // A dimension of size one stands for any size.
        if (sizeOf[from + ofOperand] > 1)
          classes.join(from + ofOperand, result + ofResult);
      });
      if (compute.getOpKind() == OpKind::Reduce)
        reducedDims.push_back(from + compute.getOpAttributes().dim);
    }
  }
  classes.compress();
  SmallVector<std::optional<unsigned>> ofClass(classes.getNumClasses());
  for (auto [number, size] : llvm::enumerate(sizeOf)) {
    std::optional<unsigned> &axis = ofClass[classes[number]];
    if (size > 1 && !axis) {
      axis = sizes.size();
      sizes.push_back(size);
    }
    axes.push_back(axis);
  }
  reduced.assign(sizes.size(), false);
  for (unsigned dim : reducedDims)
    if (axes[dim])
      reduced[*axes[dim]] = true;
}

std::optional<unsigned> GroupAxes::find(Value value, int64_t dim) const {
  if (getShapeOf(value)[dim] == 1)
    return std::nullopt;
  auto found = first.find(value);
  return found == first.end() ? std::nullopt : axes[found->second + dim];
}

std::optional<int64_t> GroupAxes::findDim(Value value, unsigned axis) const {
  for (int64_t dim : getLongDims(getShapeOf(value)))
    if (find(value, dim) == axis)
      return dim;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Finding groups
//===----------------------------------------------------------------------===//

/// Returns true if blocks compute an operator beside others in registers.
static bool isFusible(Operation *op) {
  auto compute = dyn_cast<ComputeOpInterface>(op);
  if (!compute || op->getNumResults() != 1)
    return false;
  for (Type type :
       llvm::concat<const Type>(llvm::to_vector(op->getOperandTypes()),
                                llvm::to_vector(op->getResultTypes()))) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || tensor.getRank() == 0 ||
        !(tensor.getElementType().isF16() || tensor.getElementType().isBF16() ||
          tensor.getElementType().isF32()))
      return false;
  }
  OpAttributes attrs = compute.getOpAttributes();
  switch (compute.getOpKind()) {
  case OpKind::Reduce:
    return attrs.group == 0;
  case OpKind::Reshape: {
    // Nothing but dimensions of size one come and go.
    auto getLong = [](Value value) {
      SmallVector<int64_t> sizes;
      for (int64_t dim : getLongDims(getShapeOf(value)))
        sizes.push_back(getShapeOf(value)[dim]);
      return sizes;
    };
    return getLong(op->getOperand(0)) == getLong(op->getResult(0));
  }
  case OpKind::Transpose:
    // Elements that are neighbours stay so.
    return attrs.permutation.back() + 1 ==
           static_cast<int64_t>(attrs.permutation.size());
  default:
    return getOpInfo(compute.getOpKind()).opClass == OpClass::Elementwise;
  }
}

namespace {
class GroupFinder {
public:
  GroupFinder(Block &block, const DenseMap<Operation *, ProductTile> &products,
              const TargetDescription &target)
      : block(block), products(products), target(target) {}

  SmallVector<OperatorGroup> find();

private:
  bool join(Operation *op, ArrayRef<unsigned> parts);
  bool joinWithUsers(unsigned group);
  bool isClosed(const OperatorGroup &group);

  /// A group whose operators are numerous needs many registers, and its kernel
  /// is one that no other group has.
  static constexpr size_t mostOperators = 32;

  Block &block;
  const DenseMap<Operation *, ProductTile> &products;
  const TargetDescription &target;
  std::vector<OperatorGroup> groups;
  DenseMap<Operation *, unsigned> groupOf;
};
} // namespace

/// Returns true if nothing that a group takes from outside depends on what it
/// computes.
bool GroupFinder::isClosed(const OperatorGroup &group) {
  Operation *begin = group.ops.front();
  SmallVector<Operation *> worklist;
  llvm::DenseSet<Operation *> seen;
  // Another group computes nothing before all that it takes is there.
  auto add = [&](Operation *op) {
    auto found = groupOf.find(op);
    ArrayRef<Operation *> together =
        found == groupOf.end() ? ArrayRef(op) : groups[found->second].ops;
    // What stands before the group cannot depend on it.
    if (begin->isBeforeInBlock(together.back()))
      for (Operation *other : together)
        if (seen.insert(other).second)
          worklist.push_back(other);
  };
  auto addSources = [&](Operation *op) {
    for (Value operand : op->getOperands())
      if (Operation *source = operand.getDefiningOp();
          source && !group.contains(source))
        add(source);
  };
  llvm::for_each(group.ops, addSources);
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val();
    if (llvm::any_of(op->getOperands(), [&](Value operand) {
          return group.contains(operand.getDefiningOp());
        }))
      return false;
    addSources(op);
  }
  return true;
}

/// Makes these groups and the operator, if there is one, one group, if a launch
/// can execute it.
bool GroupFinder::join(Operation *op, ArrayRef<unsigned> parts) {
  OperatorGroup joined;
  for (unsigned part : parts) {
    if (groups[part].product) {
      if (joined.product)
        return false;
      joined.product = groups[part].product;
      joined.tile = groups[part].tile;
    }
    llvm::append_range(joined.ops, groups[part].ops);
  }
  if (op)
    joined.ops.push_back(op);
  if (joined.ops.size() > mostOperators)
    return false;
  llvm::sort(joined.ops,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  // A block computes the product before anything else.
  if (joined.product &&
      llvm::any_of(joined.product->getOperands(), [&](Value operand) {
        return joined.contains(operand.getDefiningOp());
      }))
    return false;
  if (!isClosed(joined) || !chooseTiling(joined, GroupAxes(joined), target))
    return false;
  for (unsigned part : parts.drop_front())
    groups[part] = {};
  for (Operation *member : joined.ops)
    groupOf[member] = parts.front();
  groups[parts.front()] = std::move(joined);
  return true;
}

/// Makes a product's group and one that takes what it computes one group, if a
/// launch can execute it.
bool GroupFinder::joinWithUsers(unsigned group) {
  for (Value output : groups[group].getOutputs())
    for (Operation *user : output.getUsers()) {
      auto found = groupOf.find(user);
      if (found != groupOf.end() && found->second != group &&
          !groups[found->second].product &&
          join(/*op=*/nullptr, {group, found->second}))
        return true;
    }
  return false;
}

SmallVector<OperatorGroup> GroupFinder::find() {
  for (Operation &op : block) {
    auto product = products.find(&op);
    bool isProduct = product != products.end();
    if (!isProduct && !isFusible(&op))
      continue;
    SmallVector<unsigned> sources;
    if (!isProduct)
      for (Value operand : op.getOperands())
        if (auto found = groupOf.find(operand.getDefiningOp());
            found != groupOf.end() &&
            !llvm::is_contained(sources, found->second))
          sources.push_back(found->second);
    // The latest group's results are the warmest.
    llvm::sort(sources, std::greater<unsigned>());
    bool isJoined = sources.size() > 1 && join(&op, sources);
    for (size_t i = 0; !isJoined && i < sources.size(); ++i)
      isJoined = join(&op, sources[i]);
    if (isJoined)
      continue;
    OperatorGroup alone;
    alone.ops.push_back(&op);
    if (isProduct) {
      alone.product = &op;
      alone.tile = product->second;
    }
    if (!chooseTiling(alone, GroupAxes(alone), target))
      continue;
    groupOf[&op] = groups.size();
    groups.push_back(std::move(alone));
  }
  // What several operators take is an output of a group until the last of them
  // has joined, and may keep the first one from joining: the factors of a norm
  // that a product is followed by have none of its rows.
  for (unsigned group = 0; group < groups.size(); ++group)
    while (groups[group].product && joinWithUsers(group)) {
    }
  SmallVector<OperatorGroup> found;
  for (OperatorGroup &group : groups)
    // What moves nothing needs no launch of its own.
    if (llvm::any_of(group.ops, [](Operation *op) {
          return getOpInfo(cast<ComputeOpInterface>(op).getOpKind()).opClass !=
                 OpClass::Layout;
        }))
      found.push_back(std::move(group));
  return found;
}

SmallVector<OperatorGroup>
mirage::findGroups(Block &block,
                   const DenseMap<Operation *, ProductTile> &products,
                   const TargetDescription &target) {
  return GroupFinder(block, products, target).find();
}
