//===- ApplyTiling.cpp - Block graphs from tilings ------------------------===//
//
// Builds products in order. Loops are opened on the way into the next product
// and closed, with accumulators for what leaves them, on the way out.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Tiling/ApplyTiling.h"
#include "Mirage/MuGraph/FiniteShift.h"
#include "Mirage/MuGraph/ValueOrigins.h"
#include "Mirage/Semantics/ProductDims.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mirage;
using namespace mirage::tiling;
using llvm::ArrayRef;

namespace {

/// A grid dimension, which divides rows or columns of the result, or a batch.
struct GridDim {
  std::optional<Loop> loop;
  unsigned batch = 0;
  int64_t extent = 1;
};

struct OpenLoop {
  Loop loop;
  int64_t extent;
  unsigned region;
};

/// The loops that cut the two last dimensions of a tensor.
struct Matrix {
  Loop rows, columns;
  bool transposed = false;
};

class ChainBuilder {
public:
  ChainBuilder(const Chain &chain, const Schedule &schedule,
               ArrayRef<int64_t> tiles)
      : chain(chain), schedule(schedule), tiles(tiles), origins(chain.program) {
  }

  MuGraph run();

private:
  void setGrid();
  unsigned getRegion() const {
    return open.empty() ? body : open.back().region;
  }
  bool isOpen(Loop loop) const {
    return llvm::any_of(open,
                        [&](const OpenLoop &o) { return o.loop == loop; });
  }
  int64_t getExtent(Loop loop) const {
    return chain.shape.sizes[loop] / tiles[loop];
  }

  MuValue load(MuValue input, Matrix matrix);
  MuValue add(OpKind op, ArrayRef<MuValue> operands, ElementType type,
              const OpAttributes &attributes = {}) {
    return graph.addOperator(getRegion(), op, attributes, operands, type);
  }
  MuValue cast(MuValue operand, ElementType type);
  MuValue reduce(MuValue operand, ReduceKind kind);
  /// Applies an operator of the program to the chain's value.
  void addOperator(unsigned node);

  void multiply(unsigned product);
  void finish(unsigned product);
  void normalize(unsigned product);
  void closeLoop(unsigned product);
  void store();

  const Chain &chain;
  const Schedule &schedule;
  ArrayRef<int64_t> tiles;
  ValueOrigins origins;
  MuGraph graph;
  unsigned body = 0;
  llvm::SmallVector<GridDim, 3> dims;
  llvm::SmallVector<int64_t, 3> grid;
  llvm::DenseMap<MuValue, MuValue> arguments;
  llvm::SmallVector<MuValue, 4> operands;

  llvm::SmallVector<OpenLoop, 4> open;
  /// The value of the chain so far.
  MuValue value = 0;
  /// Says whether the value is a product's sum over all of its contraction,
  /// with what follows the product.
  bool isFinished = false;
  /// In the loop that the next product sums over, the maximum that its tile is
  /// relative to, and the tile's sums of rows. After the loop, the rows' sums.
  std::optional<MuValue> shift, denominators;
};

} // namespace

void ChainBuilder::setGrid() {
  dims.push_back({rowLoop, 0, getExtent(rowLoop)});
  if (schedule.bindsColumns)
    dims.push_back(
        {schedule.getLastColumns(), 0, getExtent(schedule.getLastColumns())});
  for (auto [i, size] : llvm::enumerate(chain.batch))
    if (size > 1)
      dims.push_back({std::nullopt, static_cast<unsigned>(i), size});
  for (const GridDim &dim : dims)
    grid.push_back(dim.extent);
}

MuValue ChainBuilder::load(MuValue input, Matrix matrix) {
  ShapeRef shape = chain.program.getShape(input);
  // Rows and columns are those of a left operand.
  auto getDim = [&](Loop loop) -> int64_t {
    if (loop == matrix.rows)
      return getKeptDim(matrix.transposed, ProductOperand::Lhs, shape.size());
    if (loop == matrix.columns)
      return getContractedDim(matrix.transposed, ProductOperand::Lhs,
                              shape.size());
    return kReplica;
  };
  auto imap = llvm::map_to_vector<3>(dims, [&](const GridDim &dim) -> int64_t {
    if (dim.loop)
      return getDim(*dim.loop);
    return shape[dim.batch] > 1 ? static_cast<int64_t>(dim.batch) : kReplica;
  });
  // The load stands at its rightmost related loop.
  size_t depth = open.size();
  while (depth && getDim(open[depth - 1].loop) == kReplica)
    --depth;
  llvm::SmallVector<int64_t, 4> fmap, extents;
  for (const OpenLoop &loop : ArrayRef(open).take_front(depth)) {
    fmap.push_back(getDim(loop.loop));
    extents.push_back(loop.extent);
  }
  auto [argument, isNew] = arguments.try_emplace(input);
  if (isNew) {
    operands.push_back(input);
    argument->second =
        graph.addArgument(body, shape, chain.program.getValue(input).type);
  }
  return graph.addLoad(depth ? open[depth - 1].region : body, argument->second,
                       imap, grid, fmap, extents);
}

MuValue ChainBuilder::cast(MuValue operand, ElementType type) {
  if (graph.getValue(operand).type == type)
    return operand;
  OpAttributes attributes;
  attributes.resultType = type;
  return add(OpKind::Cast, {operand}, type, attributes);
}

MuValue ChainBuilder::reduce(MuValue operand, ReduceKind kind) {
  OpAttributes attributes;
  attributes.reduceKind = kind;
  attributes.dim = static_cast<int64_t>(graph.getShape(operand).size()) - 1;
  attributes.keep = true;
  return add(OpKind::Reduce, {operand}, graph.getValue(operand).type,
             attributes);
}

void ChainBuilder::addOperator(unsigned number) {
  const MuNode &node = chain.program.getNode(number);
  llvm::SmallVector<MuValue, 2> values;
  for (MuValue operand : node.operands) {
    const MuNode *constant =
        origins[operand].isArgument
            ? nullptr
            : &chain.program.getNode(origins[operand].node);
    bool isConstant = constant && constant->kind == MuNode::Kind::Operator &&
                      constant->op == OpKind::Constant;
    if (!isConstant) {
      values.push_back(value);
      continue;
    }
    // The constant is the same number everywhere, and one element here.
    OpAttributes attributes = constant->attributes;
    attributes.resultShape.assign(graph.getShape(value).size(), 1);
    values.push_back(add(OpKind::Constant, {},
                         chain.program.getValue(operand).type, attributes));
  }
  value = add(node.op, values, chain.program.getValue(node.results[0]).type,
              node.attributes);
}

/// Sums are kept in f32, or in f64.
static ElementType getSumType(ElementType type) {
  return type == ElementType::f64 ? type : ElementType::f32;
}

void ChainBuilder::multiply(unsigned number) {
  const ChainProduct &product = chain.products[number];
  Loop contracted = getContractedLoop(number), columns = getColumnLoop(number);
  OpAttributes attributes;
  attributes.tf32 = product.tf32;
  attributes.transposeRhs = product.transposeRhs;
  if (number == 0) {
    attributes.transposeLhs = chain.transposeLhs;
    value = load(chain.lhs, {rowLoop, contracted, chain.transposeLhs});
  }
  MuValue rhs = load(product.rhs, {contracted, columns, product.transposeRhs});
  MuValue result = chain.program.getNode(product.node).results[0];
  value = add(OpKind::Matmul, {value, rhs},
              getSumType(chain.program.getValue(result).type), attributes);
  isFinished = false;
}

void ChainBuilder::finish(unsigned number) {
  if (isFinished || isOpen(getContractedLoop(number)))
    return;
  isFinished = true;
  const ChainProduct &product = chain.products[number];
  if (denominators)
    value =
        add(OpKind::Div, {value, *denominators}, graph.getValue(value).type);
  denominators.reset();
  MuValue result = chain.program.getNode(product.node).results[0];
  value = cast(value, chain.program.getValue(result).type);
  for (unsigned node : product.operators)
    addOperator(node);
}

/// Computes the softmax before the next product, of whole rows, or of this
/// iteration's part of them relative to its own maximum.
void ChainBuilder::normalize(unsigned number) {
  const ChainProduct &product = chain.products[number];
  if (!product.softmax)
    return;
  if (isOpen(getColumnLoop(number))) {
    ElementType type = getSumType(graph.getValue(value).type);
    value = cast(value, type);
    shift = addFiniteShift(graph, getRegion(), reduce(value, ReduceKind::Max));
    value = add(OpKind::Exp, {add(OpKind::Sub, {value, *shift}, type)}, type);
    denominators = reduce(value, ReduceKind::Sum);
  } else {
    addOperator(*product.softmax);
  }
  for (unsigned node : product.afterSoftmax)
    addOperator(node);
}

void ChainBuilder::closeLoop(unsigned product) {
  OpenLoop loop = open.pop_back_val();
  llvm::SmallVector<MuValue, 2> results;
  auto sum = [&](MuValue part) {
    AccumulateKind kind =
        shift ? AccumulateKind::RescaledSum : AccumulateKind::Sum;
    results.push_back(
        graph.addAccumulate(loop.region, kind, part, loop.extent, shift));
  };
  if (loop.loop == getContractedLoop(product)) {
    sum(value);
    if (shift)
      sum(*denominators);
    shift.reset();
  } else {
    auto last = static_cast<int64_t>(graph.getShape(value).size()) - 1;
    results.push_back(graph.addAccumulate(loop.region, AccumulateKind::Concat,
                                          value, loop.extent, std::nullopt,
                                          last));
  }
  graph.setResults(loop.region, results);
  auto values = graph.addLoop(getRegion(), loop.extent, loop.region);
  value = values[0];
  if (values.size() > 1)
    denominators = values[1];
  finish(product);
}

void ChainBuilder::store() {
  auto rank = static_cast<int64_t>(graph.getShape(value).size());
  auto omap = llvm::map_to_vector<3>(dims, [&](const GridDim &dim) -> int64_t {
    if (!dim.loop)
      return dim.batch;
    return rank - (*dim.loop == rowLoop ? 2 : 1);
  });
  MuValue stored = graph.addStore(body, value, omap, grid);
  graph.setResults(body, {stored});
}

MuGraph ChainBuilder::run() {
  const MuGraph &program = chain.program;
  llvm::DenseMap<MuValue, MuValue> inputs;
  for (MuValue input : program.getRegion().arguments)
    inputs[input] = graph.addArgument(0, program.getShape(input),
                                      program.getValue(input).type);
  body = graph.addRegion();
  setGrid();
  unsigned products = chain.products.size();
  for (unsigned product = 0; product < products; ++product) {
    if (product) {
      while (open.size() > schedule.getSharedDepth(product - 1))
        closeLoop(product - 1);
      normalize(product - 1);
    }
    const LoopPath &path = schedule.paths[product];
    for (Loop loop : ArrayRef(path).drop_front(open.size()))
      open.push_back({loop, getExtent(loop), graph.addRegion()});
    multiply(product);
    finish(product);
  }
  while (!open.empty())
    closeLoop(products - 1);
  store();
  auto launchInputs = llvm::map_to_vector<4>(
      operands, [&](MuValue input) { return inputs.lookup(input); });
  graph.setResults(0, graph.addGraph(0, launchInputs, grid, body));
  return std::move(graph);
}

std::optional<Schedule> mirage::tiling::getSchedule(const ChainShape &shape,
                                                    const Tiling &tiling,
                                                    std::string &error) {
  for (auto [loop, size] : llvm::enumerate(shape.sizes)) {
    int64_t tile = tiling.tiles[loop];
    if (tile > 0 && size % tile == 0)
      continue;
    error = llvm::formatv("tile {0}:{1} does not divide the {2} elements along "
                          "{0}",
                          getLoopName(loop), tile, size);
    return std::nullopt;
  }
  return schedule(tiling.expression, shape.getScheduleProblem(tiling.tiles),
                  error);
}

std::optional<MuGraph> mirage::tiling::applyTiling(const Chain &chain,
                                                   const Tiling &tiling,
                                                   std::string &error) {
  std::optional<Schedule> schedule = getSchedule(chain.shape, tiling, error);
  if (!schedule)
    return std::nullopt;
  return applySchedule(chain, *schedule, tiling.tiles);
}

MuGraph mirage::tiling::applySchedule(const Chain &chain,
                                      const Schedule &schedule,
                                      ArrayRef<int64_t> tiles) {
  return ChainBuilder(chain, schedule, tiles).run();
}
