//===- ElementTile.cpp - Elements that a thread computes together ---------===//
//
// Follows a run from a result of a computation to its operands. Each operator
// says by its attributes and shapes alone what a run of its result reads.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Dialect/Thread/IR/ElementTile.h"
#include "Mirage/Interfaces/ComputeOpSupport.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::thread;

/// An instruction moves so many bytes.
static constexpr int64_t mostBytes = 16;
/// So many threads have a tile each before tiles have several elements: 256 on
/// each of 128 multiprocessors. Fewer of them do not have enough on its way.
static constexpr int64_t leastThreads = 1 << 15;

static ShapeRef getShape(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getShape();
}

static int64_t getElementBytes(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getElementTypeBitWidth() / 8;
}

/// Returns how far apart neighbours along a dimension are, in elements.
static int64_t getStride(ShapeRef shape, int64_t dim) {
  return elementCount(shape.drop_front(dim + 1));
}

/// Returns what a reshape reads for a run: a run along the dimension whose
/// neighbours are as far apart, if its size is a multiple, too.
static RunSource getReshapeSource(Value operand, ShapeRef out, int64_t dim,
                                  int64_t width) {
  ShapeRef in = getShape(operand);
  int64_t stride = getStride(out, dim);
  for (size_t i = 0; i < in.size(); ++i)
    if (getStride(in, i) == stride && in[i] % width == 0)
      return {RunSource::Run, static_cast<int64_t>(i)};
  return {};
}

RunSource thread::getRunSource(ComputeOpInterface op, unsigned result,
                               unsigned operand, int64_t dim, int64_t width) {
  OpKind kind = op.getOpKind();
  OpClass opClass = getOpInfo(kind).opClass;
  ShapeRef out = getShape(op->getResult(result));
  ShapeRef in = getShape(op->getOperand(operand));
  RunSource same{RunSource::Same, 0}, run{RunSource::Run, dim}, apart;
  auto isMultiple = [&](int64_t size) { return size % width == 0; };
  if (opClass == OpClass::Elementwise || kind == OpKind::Broadcast)
    return in[dim] == out[dim] ? run : same;
  if (opClass != OpClass::Layout)
    return apart;
  OpAttributes attrs = op.getOpAttributes();
  switch (kind) {
  case OpKind::Repeat:
    return in[dim] == 1 ? same : isMultiple(in[dim]) ? run : apart;
  case OpKind::Reshape:
    return getReshapeSource(op->getOperand(operand), out, dim, width);
  case OpKind::Transpose:
    return {RunSource::Run, attrs.permutation[dim]};
  case OpKind::Slice:
    return attrs.strides[dim] == 1 && isMultiple(attrs.offsets[dim]) &&
                   isMultiple(in[dim])
               ? run
               : apart;
  case OpKind::Split:
    return attrs.dim != dim || isMultiple(in[dim]) ? run : apart;
  case OpKind::Concat:
    return attrs.dim != dim ||
                   llvm::all_of(op->getOperands(),
                                [&](Value part) {
                                  return isMultiple(getShape(part)[dim]);
                                })
               ? run
               : apart;
  case OpKind::Pad:
    return isMultiple(attrs.offsets[dim]) && isMultiple(in[dim]) ? run : apart;
  default:
    return apart;
  }
}

bool thread::movesRuns(Value tensor, int64_t dim, int64_t width) {
  auto op = tensor.getDefiningOp<ComputeOpInterface>();
  if (!op || op.getOpKind() == OpKind::Constant)
    return false;
  unsigned number = cast<OpResult>(tensor).getResultNumber();
  return llvm::all_of(
      llvm::seq<unsigned>(0, op->getNumOperands()), [&](unsigned operand) {
        return getRunSource(op, number, operand, dim, width).kind !=
               RunSource::Apart;
      });
}

namespace {
/// Follows runs of one width.
class RunFinder {
public:
  explicit RunFinder(int64_t width) : width(width) {}

  /// Returns true if the runs of a tensor along a dimension are made of runs of
  /// the arguments.
  bool find(Value tensor, int64_t dim) {
    auto [known, isNew] = found.try_emplace({tensor, dim}, false);
    if (!isNew)
      return known->second;
    bool result = look(tensor, dim);
    return found[{tensor, dim}] = result;
  }

private:
  bool look(Value tensor, int64_t dim) {
    ShapeRef shape = getShape(tensor);
    if (shape[dim] % width)
      return false;
    auto definition = tensor.getDefiningOp<ComputeOpInterface>();
    if (!definition)
      return isa<BlockArgument>(tensor) && getStride(shape, dim) == 1 &&
             width * getElementBytes(tensor) <= mostBytes;
    OpKind kind = definition.getOpKind();
    // What a pad fills with is not encoded in 8 bits.
    if (kind == OpKind::Pad && getElementBytes(tensor) == 1)
      return false;
    // Elements of constants, and of few channels that are filled up to more,
    // are taken one by one: of the latter there are not many.
    if (!movesRuns(tensor, dim, width))
      return kind == OpKind::Constant || kind == OpKind::Pad;
    unsigned number = cast<OpResult>(tensor).getResultNumber();
    return llvm::all_of(definition->getOpOperands(), [&](OpOperand &operand) {
      RunSource source = getRunSource(definition, number,
                                      operand.getOperandNumber(), dim, width);
      return source.kind == RunSource::Same || find(operand.get(), source.dim);
    });
  }

  int64_t width;
  DenseMap<std::pair<Value, int64_t>, bool> found;
};
} // namespace

/// Returns the largest power of two that divides a size and whose elements an
/// instruction can move.
static int64_t getMostElements(int64_t size, int64_t bytes) {
  int64_t count = 1;
  while (size % (2 * count) == 0 && 2 * count * bytes <= mostBytes)
    count *= 2;
  return count;
}

/// Returns the largest width by which all results have runs along a dimension;
/// one where they have none.
static int64_t getWidth(OperandRange results, int64_t dim, int64_t most) {
  for (int64_t width = most; width > 1; width /= 2) {
    RunFinder finder(width);
    if (llvm::all_of(results,
                     [&](Value result) { return finder.find(result, dim); }))
      return width;
  }
  return 1;
}

/// Returns true if each element of the results is made of at most one element
/// of each operator's operands, and results lie in memory without gaps.
static bool mayCrossRows(ComputeOp op) {
  bool isDense = llvm::all_of(op.getOuts(), [](Value buffer) {
    return cast<MemRefType>(buffer.getType()).getLayout().isIdentity();
  });
  return isDense &&
         llvm::all_of(
             op.getBody().front().without_terminator(), [](Operation &inner) {
               auto compute = dyn_cast<ComputeOpInterface>(inner);
               if (!compute)
                 return false;
               OpKind kind = compute.getOpKind();
               OpClass opClass = getOpInfo(kind).opClass;
               return opClass == OpClass::Elementwise ||
                      opClass == OpClass::Layout || kind == OpKind::Broadcast;
             });
}

ElementTile thread::getElementTile(ComputeOp op) {
  ElementTile tile;
  OperandRange results = op.getBody().front().getTerminator()->getOperands();
  if (!op.getGrid() || !op.getThreads().empty() || results.empty())
    return tile;
  ShapeRef shape = getShape(results.front());
  int64_t last = static_cast<int64_t>(shape.size()) - 1;
  if (last < 0 || llvm::any_of(results, [&](Value result) {
        return getShape(result) != shape;
      }))
    return tile;
  int64_t bytes = 1;
  for (Value result : results)
    bytes = std::max(bytes, getElementBytes(result));
  int64_t columns = getMostElements(shape[last], bytes);
  tile.columns = getWidth(results, last, columns);
  // The operands may lie in memory in another order. A thread then reads a run
  // for each of its columns, and exchanges rows and columns.
  for (int64_t dim = 0; dim < last && tile.columns == 1; ++dim)
    if (int64_t rows =
            getWidth(results, dim, getMostElements(shape[dim], bytes));
        rows > 1)
      tile = {columns, rows, dim, /*crossesRows=*/false};
  if (tile.getCount() == 1 && mayCrossRows(op))
    tile = {getMostElements(elementCount(shape), bytes), /*rows=*/1,
            /*rowDim=*/0, /*crossesRows=*/true};
  // Smaller tiles leave more threads one.
  auto isTooLarge = [&, elements = elementCount(shape)] {
    return elements / tile.getCount() < leastThreads;
  };
  for (int64_t *size : {&tile.columns, &tile.rows})
    while (*size > 1 && isTooLarge())
      *size /= 2;
  return tile;
}
