//===- KernelCompute.cpp - Computations on buffers ------------------------===//
//
// Runs mirage_thread.compute: each thread computes every n-th element of the
// outputs, or its fragments of them, from elements in memory.
//
//===----------------------------------------------------------------------===//

#include "KernelBlock.h"
#include "Mirage/Dialect/Thread/IR/ElementTile.h"
#include "Mirage/Semantics/Arithmetic.h"
#include "Mirage/Semantics/Element.h"
#include "Mirage/Semantics/IntegerIndices.h"
#include "Mirage/Semantics/TileMaps.h"
#include <map>

using namespace mlir;
using namespace mirage;

namespace {
/// A system of Element.h whose operands are elsewhere.
template <typename T> struct ElementSystem : Arithmetic<T>, IntegerIndices<T> {
  using Arithmetic<T>::add;
  using IntegerIndices<T>::add;

  std::function<double(unsigned, ArrayRef<int64_t>)> reader;
  std::function<double(ArrayRef<int64_t>)> constantReader;

  explicit ElementSystem(const EvaluateOptions &options)
      : Arithmetic<T>(options) {}

  T read(unsigned operand, ArrayRef<int64_t> at) {
    return static_cast<T>(reader(operand, at));
  }
  T element(ArrayRef<int64_t> at) { return static_cast<T>(constantReader(at)); }
};
} // namespace

namespace mirage {
/// The computation of one thread. After an error values have no meaning.
class ElementComputation {
public:
  ElementComputation(KernelBlock &block, thread::ComputeOp op, uint32_t thread)
      : block(block), op(op), thread(thread) {}

  /// Computes the thread's tiles of an output, `step` apart.
  LogicalResult computeTiles(Value value, const MemoryView &output,
                             const thread::ElementTile &tile, int64_t first,
                             int64_t step);
  /// Computes the fragments of the thread of this number in the extents of the
  /// computation, which may have more threads than the block, and stores them.
  LogicalResult computeFragments(int64_t number);

private:
  double evaluate(Value tensor, ShapeRef at);
  /// Returns a run of a tensor of the body. Of an argument it reads neighbours
  /// in memory, as the instruction does that moves them, so that what is said
  /// of runs is not taken for granted.
  SmallVector<double> evaluateRun(Value tensor, ShapeRef at, int64_t dim,
                                  int64_t width);
  LogicalResult computeElement(Value value, const MemoryView &output,
                               ShapeRef at);
  LogicalResult computeTile(Value value, const MemoryView &output,
                            const thread::ElementTile &tile, ShapeRef at);
  double evaluateArgument(BlockArgument argument, ShapeRef at);
  using Reader = llvm::function_ref<double(unsigned, ArrayRef<int64_t>)>;
  template <typename T>
  double evaluateOperator(ComputeOpInterface compute, unsigned result,
                          ShapeRef at, Reader read);
  /// Returns an element of an operator's result, rounded to its type, by what
  /// is read of the operands.
  double evaluateWith(ComputeOpInterface compute, unsigned result, ShapeRef at,
                      Reader read);
  static int64_t getLinear(ShapeRef shape, ShapeRef at);
  static Shape getAt(ShapeRef shape, int64_t linear);
  static int64_t getPosition(const MemoryView &view, ShapeRef at);

  KernelBlock &block;
  thread::ComputeOp op;
  uint32_t thread;
  Shape point;
  bool hasFailed = false;
  std::map<std::pair<void *, int64_t>, double> known;
  /// Runs by their tensors, first elements and dimensions.
  std::map<std::tuple<void *, int64_t, int64_t>, SmallVector<double>> knownRuns;
};
} // namespace mirage

int64_t ElementComputation::getLinear(ShapeRef shape, ShapeRef at) {
  int64_t linear = 0;
  for (auto [size, index] : llvm::zip(shape, at))
    linear = linear * size + index;
  return linear;
}

Shape ElementComputation::getAt(ShapeRef shape, int64_t linear) {
  Shape at(shape.size());
  for (size_t dim = at.size(); dim-- > 0; linear /= shape[dim])
    at[dim] = linear % shape[dim];
  return at;
}

int64_t ElementComputation::getPosition(const MemoryView &view, ShapeRef at) {
  int64_t position = 0;
  for (auto [stride, index] : llvm::zip(view.layout.strides, at))
    position += stride * index;
  return position;
}

double ElementComputation::evaluateArgument(BlockArgument argument,
                                            ShapeRef at) {
  if (hasFailed)
    return 0;
  const MemoryView &view = block.views[op.getIns()[argument.getArgNumber()]];
  FailureOr<double> value =
      block.readElement(op, view, getPosition(view, at), thread);
  hasFailed = failed(value);
  return hasFailed ? 0 : *value;
}

template <typename T>
double ElementComputation::evaluateOperator(ComputeOpInterface compute,
                                            unsigned result, ShapeRef at,
                                            Reader read) {
  OpAttributes attrs = compute.getOpAttributes();
  EvaluateOptions options;
  options.emulateTF32 = attrs.tf32;
  ElementSystem<T> system(options);
  system.reader = read;
  system.constantReader = [&](ArrayRef<int64_t> from) {
    return (*attrs.values)[getLinear(attrs.resultShape, from)];
  };
  SmallVector<Shape, 4> shapes = compute.getOperandShapes();
  return evaluateElement<ElementSystem<T>>(compute.getOpKind(), attrs, shapes,
                                           result, at, system);
}

static ElementType getElementType(Value tensor) {
  return *convertElementType(
      cast<RankedTensorType>(tensor.getType()).getElementType());
}

double ElementComputation::evaluateWith(ComputeOpInterface compute,
                                        unsigned result, ShapeRef at,
                                        Reader read) {
  auto isDouble = [](Value of) {
    return getElementType(of) == ElementType::f64;
  };
  double value = llvm::any_of(compute->getOperands(), isDouble) ||
                         llvm::any_of(compute->getResults(), isDouble)
                     ? evaluateOperator<double>(compute, result, at, read)
                     : evaluateOperator<float>(compute, result, at, read);
  return roundTo(getElementType(compute->getResult(result)), value);
}

/// Returns one element of a tensor of the body, rounded to its type.
double ElementComputation::evaluate(Value tensor, ShapeRef at) {
  if (auto argument = dyn_cast<BlockArgument>(tensor))
    return evaluateArgument(argument, at);
  auto shape = cast<RankedTensorType>(tensor.getType()).getShape();
  std::pair key(tensor.getAsOpaquePointer(), getLinear(shape, at));
  if (auto found = known.find(key); found != known.end())
    return found->second;
  Operation *definition = tensor.getDefiningOp();
  double value;
  if (auto load = dyn_cast<thread::LoadOp>(definition)) {
    auto source = cast<RankedTensorType>(load.getSource().getType());
    IntegerIndices<int64_t> numbers;
    Shape from;
    for (auto [index, dim] :
         llvm::zip(at, getPartition(source.getShape(), load.getImap(),
                                    op.getThreads(), {}, {})))
      from.push_back(getTileOffset<int64_t>(dim, point, {}, numbers) + index);
    value = evaluate(load.getSource(), from);
  } else {
    auto compute = cast<ComputeOpInterface>(definition);
    value = evaluateWith(compute, cast<OpResult>(tensor).getResultNumber(), at,
                         [&](unsigned operand, ArrayRef<int64_t> from) {
                           return evaluate(compute->getOperand(operand), from);
                         });
  }
  known[key] = value;
  return value;
}

SmallVector<double> ElementComputation::evaluateRun(Value tensor, ShapeRef at,
                                                    int64_t dim,
                                                    int64_t width) {
  SmallVector<double> run(width);
  if (auto argument = dyn_cast<BlockArgument>(tensor)) {
    const MemoryView &view = block.views[op.getIns()[argument.getArgNumber()]];
    int64_t first = getPosition(view, at);
    if (first % width) {
      block.error(op) << "reads " << width << " elements together from element "
                      << first << " on, which is no multiple";
      hasFailed = true;
    }
    for (int64_t lane = 0; lane < width && !hasFailed; ++lane) {
      FailureOr<double> value =
          block.readElement(op, view, first + lane, thread);
      hasFailed = failed(value);
      run[lane] = hasFailed ? 0 : *value;
    }
    return run;
  }
  auto shape = cast<RankedTensorType>(tensor.getType()).getShape();
  std::tuple key(tensor.getAsOpaquePointer(), getLinear(shape, at), dim);
  if (auto found = knownRuns.find(key); found != knownRuns.end())
    return found->second;
  auto compute = tensor.getDefiningOp<ComputeOpInterface>();
  bool moves = thread::movesRuns(tensor, dim, width);
  for (int64_t lane = 0; lane < width; ++lane) {
    Shape of(at);
    if (!moves) {
      of[dim] += lane;
      run[lane] = evaluate(tensor, of);
      continue;
    }
    // The indices are those of the first element for all.
    unsigned result = cast<OpResult>(tensor).getResultNumber();
    auto read = [&](unsigned operand, ArrayRef<int64_t> from) {
      Value value = compute->getOperand(operand);
      thread::RunSource source =
          thread::getRunSource(compute, result, operand, dim, width);
      return source.kind == thread::RunSource::Run
                 ? evaluateRun(value, from, source.dim, width)[lane]
                 : evaluate(value, from);
    };
    run[lane] = evaluateWith(compute, result, at, read);
  }
  return knownRuns[key] = run;
}

LogicalResult ElementComputation::computeElement(Value value,
                                                 const MemoryView &output,
                                                 ShapeRef at) {
  known.clear();
  double element = evaluate(value, at);
  return failure(hasFailed ||
                 failed(block.writeElement(op, output, getPosition(output, at),
                                           element, thread)));
}

LogicalResult ElementComputation::computeTile(Value value,
                                              const MemoryView &output,
                                              const thread::ElementTile &tile,
                                              ShapeRef at) {
  known.clear();
  knownRuns.clear();
  int64_t rank = static_cast<int64_t>(at.size());
  int64_t dim = tile.getRunDim(rank), width = tile.getWidth();
  int64_t runs = tile.rows > 1 ? tile.columns : 1;
  for (int64_t i = 0; i < runs; ++i) {
    Shape from(at);
    if (runs > 1)
      from[rank - 1] += i;
    for (auto [lane, element] :
         llvm::enumerate(evaluateRun(value, from, dim, width))) {
      Shape to(from);
      to[dim] += static_cast<int64_t>(lane);
      if (hasFailed ||
          failed(block.writeElement(op, output, getPosition(output, to),
                                    element, thread)))
        return failure();
    }
  }
  return success();
}

LogicalResult ElementComputation::computeTiles(Value value,
                                               const MemoryView &output,
                                               const thread::ElementTile &tile,
                                               int64_t first, int64_t step) {
  IntegerIndices<int64_t> numbers;
  int64_t bytes =
      cast<RankedTensorType>(value.getType()).getElementTypeBitWidth() / 8;
  for (int64_t number = first, e = elementCount(output.shape) / tile.getCount();
       number < e; number += step) {
    if (tile.crossesRows) {
      for (int64_t lane = 0; lane < tile.columns; ++lane)
        if (failed(computeElement(
                value, output,
                getAt(output.shape, number * tile.columns + lane))))
          return failure();
      continue;
    }
    if (tile.getCount() > 1) {
      if (failed(computeTile(value, output, tile,
                             thread::getTileStart(number, tile, output.shape,
                                                  bytes, numbers))))
        return failure();
      continue;
    }
    if (failed(computeElement(value, output, getAt(output.shape, number))))
      return failure();
  }
  return success();
}

LogicalResult ElementComputation::computeFragments(int64_t number) {
  for (int64_t extent : op.getThreads()) {
    point.push_back(number % extent);
    number /= extent;
  }
  Operation *yield = op.getBody().front().getTerminator();
  for (auto [result, buffer] : llvm::zip(yield->getOperands(), op.getOuts())) {
    auto store = result.getDefiningOp<thread::StoreOp>();
    if (!store)
      return block.error(op) << "yields a value that no thread stores";
    const MemoryView &output = block.views[buffer];
    Shape shape(cast<RankedTensorType>(store.getValue().getType()).getShape());
    for (int64_t linear = 0, e = elementCount(shape); linear < e; ++linear) {
      Shape at = getAt(shape, linear);
      double element = evaluate(store.getValue(), at);
      for (auto [dim, entry] : llvm::enumerate(store.getOmap()))
        if (entry >= 0)
          at[entry] += point[dim] * shape[entry];
      if (hasFailed ||
          failed(block.writeElement(op, output, getPosition(output, at),
                                    element, thread)))
        return failure();
    }
  }
  return success();
}

LogicalResult KernelBlock::run(thread::ComputeOp op) {
  if (!op.getThreads().empty()) {
    int64_t count = elementCount(op.getThreads());
    for (int64_t number = 0; number < count; ++number)
      if (failed(ElementComputation(*this, op, number % launch.threads)
                     .computeFragments(number)))
        return failure();
    return success();
  }
  int64_t firstBlock = 0, blocks = 1;
  if (op.getGrid()) {
    firstBlock = id.front();
    blocks = elementCount(launch.grid);
  }
  thread::ElementTile tile = thread::getElementTile(op);
  Operation *yield = op.getBody().front().getTerminator();
  for (auto [value, buffer] : llvm::zip(yield->getOperands(), op.getOuts()))
    for (int64_t thread = 0; thread < launch.threads; ++thread)
      if (failed(ElementComputation(*this, op, thread)
                     .computeTiles(value, views[buffer], tile,
                                   firstBlock * launch.threads + thread,
                                   blocks * launch.threads)))
        return failure();
  return success();
}
