//===- JoinRows.cpp - Rows of several dimensions become rows of one -------===//
//
// Lets everything between two products have one dimension of rows where the
// products have one: scores of heads and queries, to which a mask without heads
// is added, are scores of rows again as soon as the mask is added. Then the
// maxima, the exponentials and their sums have the shape that the next product
// takes, and all rescaled sums are relative to one shift.
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"
#include "Mirage/Dialect/Block/IR/BlockDialect.h"
#include "Mirage/Interfaces/ComputeOpSupport.h"
#include "ScheduledLaunch.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mirage;

static ArrayRef<int64_t> getShape(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

namespace {
/// The dimensions from `begin` to before `end` of tiles with so many, which
/// become one.
struct JoinedDims {
  int64_t begin, end, rank;
  Shape sizes;

  /// Returns the dimensions that a reshape joins, if that is all it does.
  static std::optional<JoinedDims> find(block::ReshapeOp reshape);
  /// Returns true if a tile has all of the dimensions, or one element along
  /// each of them.
  bool admits(Value value) const;
  Shape join(ArrayRef<int64_t> shape) const;
  Type join(Type type) const {
    auto tensor = cast<RankedTensorType>(type);
    return tensor.clone(join(tensor.getShape()));
  }
};

/// The values of a launch that get joined rows together.
class RowJoiner {
public:
  explicit RowJoiner(JoinedDims dims) : dims(std::move(dims)) {}

  /// Collects what is connected with a value element by element, or by
  /// reductions and sums that keep its rows.
  void collect(Value value);
  bool contains(Value value) const { return values.contains(value); }
  void join();

private:
  /// Returns true if an operation computes the same with joined rows.
  bool canJoin(Operation *op) const;
  void add(Operation *op);
  Value getJoined(Value value);

  JoinedDims dims;
  llvm::SetVector<Value> values;
  llvm::SetVector<Operation *> operations;
  /// Values that keep their rows, as they are with joined rows.
  llvm::DenseMap<Value, Value> reshaped;
};
} // namespace

std::optional<JoinedDims> JoinedDims::find(block::ReshapeOp reshape) {
  ArrayRef<int64_t> from = getShape(reshape->getOperand(0)),
                    to = getShape(reshape->getResult(0));
  if (from.size() <= to.size() || to.size() < 2)
    return std::nullopt;
  // The dimensions behind the joined one stay, columns among them, and so do
  // those before it.
  size_t begin = 0, behind = 0;
  while (behind + 1 < to.size() && from.rbegin()[behind] == to.rbegin()[behind])
    ++behind;
  while (begin + behind + 1 < to.size() && from[begin] == to[begin])
    ++begin;
  if (begin + behind + 1 != to.size() || behind == 0)
    return std::nullopt;
  return JoinedDims{static_cast<int64_t>(begin),
                    static_cast<int64_t>(from.size() - behind),
                    static_cast<int64_t>(from.size()),
                    Shape(from.slice(begin, from.size() - behind - begin))};
}

bool JoinedDims::admits(Value value) const {
  ArrayRef<int64_t> shape = getShape(value);
  if (static_cast<int64_t>(shape.size()) != rank)
    return false;
  ArrayRef<int64_t> joined = shape.slice(begin, end - begin);
  return joined == ArrayRef<int64_t>(sizes) ||
         llvm::all_of(joined, [](int64_t size) { return size == 1; });
}

Shape JoinedDims::join(ArrayRef<int64_t> shape) const {
  Shape joined(shape.take_front(begin));
  joined.push_back(elementCount(shape.slice(begin, end - begin)));
  joined.append(shape.begin() + end, shape.end());
  return joined;
}

/// Returns true if a tile is loaded, or follows element by element from such
/// tiles alone: masks stay what they are, so that they can be computed of
/// indices.
static bool isLoaded(Value value) {
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<block::LoadOp>(op))
    return true;
  auto compute = dyn_cast_or_null<ComputeOpInterface>(op);
  if (!compute)
    return false;
  OpClass opClass = getOpInfo(compute.getOpKind()).opClass;
  return (opClass == OpClass::Elementwise || opClass == OpClass::Layout) &&
         op->getNumOperands() > 0 &&
         llvm::all_of(op->getOperands(),
                      [](Value operand) { return isLoaded(operand); });
}

static bool isSplat(Value value) {
  auto constant = value.getDefiningOp<block::ConstantOp>();
  return constant && isa<SplatElementsAttr>(constant.getValue());
}

bool RowJoiner::canJoin(Operation *op) const {
  if (auto accumulate = dyn_cast<block::AccumulateOp>(op)) {
    if (accumulate.getKind() == AccumulateKind::Concat)
      return false;
  } else {
    auto compute = dyn_cast<ComputeOpInterface>(op);
    if (!compute || op->getNumResults() != 1)
      return false;
    OpAttributes attrs = compute.getOpAttributes();
    bool keepsRows =
        getOpInfo(compute.getOpKind()).opClass == OpClass::Elementwise ||
        (isa<block::ReduceOp>(op) && attrs.keep && !attrs.group &&
         (attrs.dim < dims.begin || attrs.dim >= dims.end));
    if (!keepsRows)
      return false;
  }
  return dims.admits(op->getResult(0)) &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return dims.admits(operand) && !isLoaded(operand) &&
                  (!isa_and_nonnull<block::ConstantOp>(
                       operand.getDefiningOp()) ||
                   isSplat(operand));
         });
}

void RowJoiner::add(Operation *op) {
  if (!canJoin(op) || !operations.insert(op))
    return;
  values.insert(op->getResult(0));
}

void RowJoiner::collect(Value value) {
  if (Operation *op = value.getDefiningOp())
    add(op);
  // The list grows.
  for (size_t i = 0; i < values.size(); ++i) {
    Value value = values[i];
    Operation *op = value.getDefiningOp();
    if (auto loop = dyn_cast<block::ForOp>(op)) {
      unsigned number = cast<OpResult>(value).getResultNumber();
      op = loop.getBody()
               .front()
               .getTerminator()
               ->getOperand(number)
               .getDefiningOp();
    }
    for (Value operand : op->getOperands()) {
      if (auto loop = operand.getDefiningOp<block::ForOp>()) {
        unsigned number = cast<OpResult>(operand).getResultNumber();
        add(loop.getBody()
                .front()
                .getTerminator()
                ->getOperand(number)
                .getDefiningOp());
      } else if (Operation *definition = operand.getDefiningOp()) {
        add(definition);
      }
    }
    for (Operation *user : value.getUsers()) {
      if (isa<block::YieldOp>(user)) {
        // What a loop yields is what it accumulates.
        auto loop = cast<block::ForOp>(user->getParentOp());
        for (auto [yielded, result] :
             llvm::zip(user->getOperands(), loop.getResults()))
          if (yielded == value)
            values.insert(result);
      } else {
        add(user);
      }
    }
  }
}

/// Returns a value with joined rows that keeps its own.
Value RowJoiner::getJoined(Value value) {
  if (Value known = reshaped.lookup(value))
    return known;
  Type type = dims.join(value.getType());
  Value joined;
  // It may have had such rows before.
  if (auto reshape = value.getDefiningOp<block::ReshapeOp>();
      reshape && reshape->getOperand(0).getType() == type)
    joined = reshape->getOperand(0);
  OpBuilder builder(value.getContext());
  builder.setInsertionPointAfterValue(value);
  auto tensor = cast<RankedTensorType>(type);
  if (auto constant = value.getDefiningOp<block::ConstantOp>())
    joined =
        block::ConstantOp::create(
            builder, constant.getLoc(),
            cast<DenseElementsAttr>(constant.getValue()).resizeSplat(tensor))
            ->getResult(0);
  if (!joined) {
    OpAttributes attrs;
    attrs.resultShape = Shape(tensor.getShape());
    joined =
        createComputeOp(builder, value.getLoc(), Level::Block, OpKind::Reshape,
                        attrs, value, tensor.getElementType())
            ->getResult(0);
  }
  return reshaped[value] = joined;
}

void RowJoiner::join() {
  for (Operation *op : operations)
    for (OpOperand &operand : op->getOpOperands())
      if (!contains(operand.get()))
        operand.set(getJoined(operand.get()));
  for (Value value : values) {
    auto before = cast<RankedTensorType>(value.getType());
    value.setType(dims.join(before));
    // Others get it with the rows that it had.
    Value split;
    for (OpOperand &use : llvm::make_early_inc_range(value.getUses())) {
      Operation *user = use.getOwner();
      if (operations.contains(user) || isa<block::YieldOp>(user))
        continue;
      auto reshape = dyn_cast<block::ReshapeOp>(user);
      if (reshape && reshape->getResult(0).getType() == value.getType()) {
        reshape->getResult(0).replaceAllUsesWith(value);
        reshape->erase();
        continue;
      }
      if (!split) {
        OpBuilder builder(value.getContext());
        builder.setInsertionPointAfterValue(value);
        OpAttributes attrs;
        attrs.resultShape = Shape(before.getShape());
        split = createComputeOp(builder, value.getLoc(), Level::Block,
                                OpKind::Reshape, attrs, value,
                                before.getElementType())
                    ->getResult(0);
      }
      use.set(split);
    }
  }
  for (Operation *op : operations)
    if (auto reduce = dyn_cast<block::ReduceOp>(op))
      if (static_cast<int64_t>(reduce.getDim()) >= dims.end)
        reduce.setDim(reduce.getDim() - (dims.end - dims.begin - 1));
}

void mirage::joinRows(kernel::LaunchOp launch) {
  // The shift of a sum is the maximum with joined rows, to which exponentials
  // are relative with the rows that they have.
  auto find = [&]() -> block::ReshapeOp {
    block::ReshapeOp found;
    launch.getBody().walk([&](block::AccumulateOp accumulate) {
      if (!accumulate.getShift())
        return WalkResult::advance();
      auto reshape = accumulate.getShift().getDefiningOp<block::ReshapeOp>();
      if (!reshape || !JoinedDims::find(reshape))
        return WalkResult::advance();
      found = reshape;
      return WalkResult::interrupt();
    });
    return found;
  };
  while (block::ReshapeOp reshape = find()) {
    Value shift = reshape->getOperand(0);
    RowJoiner joiner(*JoinedDims::find(reshape));
    joiner.collect(shift);
    // It may be none that joins.
    if (!joiner.contains(shift))
      return;
    joiner.join();
  }
}
