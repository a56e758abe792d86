//===- StoredOrders.cpp - Intermediate tensors in other orders ------------===//
//
// A tensor between two kernels may be stored in any order of its dimensions. A
// kernel that writes it otherwise is another candidate, and so is one that
// reads it: rows may be longer, or what one thread reads may lie together. What
// matters is which elements lie in one line of memory: orders that differ in
// dimensions whose steps are whole lines are one. So each order is a value of
// its own, the tensor transposed, which some kernels write and others read in
// place of the tensor (Korch, section 4.2, leaves layouts as future work). What
// ties the two sides is what ties all kernels of the binary program: a value
// that is read is written by some kernel.
//
// Each order makes a program, an alternative like those that rules make: the
// tensor is transposed, and transposed back where it is read. Its pieces are
// those that were searched for in the program, with a transpose behind what
// they compute or before what they read; launches store and load in any order.
// What an order takes or gains is what the cost model says of the launches that
// are found.
//
//===----------------------------------------------------------------------===//

#include "Composer.h"
#include "Mirage/Search/KernelGraphs/LineOrders.h"
#include "Mirage/Search/KernelGraphs/ValueClasses.h"
#include "Mirage/Semantics/ShapeRules.h"

using namespace mirage;
using namespace mirage::search;

std::vector<llvm::SmallVector<int64_t>>
mirage::search::findOrdersOfLines(ShapeRef shape, unsigned elementBytes) {
  llvm::SmallVector<int64_t> ones, dims;
  for (auto [dim, size] : llvm::enumerate(shape))
    (size == 1 ? ones : dims).push_back(dim);
  std::vector<llvm::SmallVector<int64_t>> orders;
  // The dimensions that were chosen so far, the innermost one first.
  llvm::SmallVector<int64_t> inner;
  auto choose = [&](auto &&self, int64_t bytes) -> void {
    if (bytes >= kLineBytes || inner.size() == dims.size()) {
      llvm::SmallVector<int64_t> order(ones);
      for (int64_t dim : dims)
        if (!llvm::is_contained(inner, dim))
          order.push_back(dim);
      llvm::append_range(order, llvm::reverse(inner));
      if (!llvm::equal(llvm::ArrayRef(order).drop_front(ones.size()), dims))
        orders.push_back(std::move(order));
      return;
    }
    for (int64_t dim : llvm::reverse(dims)) {
      if (llvm::is_contained(inner, dim))
        continue;
      inner.push_back(dim);
      self(self, bytes * shape[dim]);
      inner.pop_back();
    }
  };
  choose(choose, elementBytes);
  return orders;
}

/// Returns the tensors between kernels of the cheapest program that is known,
/// each with the permutations by which other elements lie in a line, up to a
/// limit of orders. Those that move one dimension to the end and leave the
/// others as they are come first, and the largest tensors first among them.
std::vector<Composer::StoredOrder>
Composer::findStoredOrders(const PieceCover &cover) {
  std::vector<StoredOrder> orders;
  std::optional<PieceCover::Cover> best = findBest(cover);
  if (!best)
    return orders;
  // Operators that stay are lowered as the program has them.
  UnitSet between(units.size());
  for (unsigned number : best->pieces)
    if (const Piece &piece = pieces[number]; !piece.fused) {
      between |= piece.outputs;
      between |= units.getInputs(piece.units);
    }
  between.reset(units.getResults());
  for (unsigned unit : between.set_bits()) {
    const MuNode &node = units.getNode(unit);
    if (node.results.size() != 1 || units.isView(unit))
      continue;
    MuValue value = node.results[0];
    for (llvm::SmallVector<int64_t> &permutation : findOrdersOfLines(
             program.getShape(value), byteSize(program.getValue(value).type))) {
      StoredOrder order;
      order.unit = unit;
      order.permutation.assign(permutation.begin(), permutation.end());
      orders.push_back(std::move(order));
    }
  }
  auto movesOneDimension = [](const StoredOrder &order) {
    return llvm::is_sorted(llvm::ArrayRef(order.permutation).drop_back());
  };
  auto getBytes = [&](const StoredOrder &order) {
    MuValue value = units.getNode(order.unit).results[0];
    return elementCount(program.getShape(value)) *
           byteSize(program.getValue(value).type);
  };
  llvm::sort(orders, [&](const StoredOrder &a, const StoredOrder &b) {
    auto getKey = [&](const StoredOrder &order) {
      return std::tuple(!movesOneDimension(order), -getBytes(order), order.unit,
                        order.permutation);
    };
    return getKey(a) < getKey(b);
  });
  if (orders.size() > options.orders) {
    result.ordersLeftOut = orders.size() - options.orders;
    orders.resize(options.orders);
  }
  return orders;
}

/// Makes the program that stores a tensor in another order, and says which of
/// its units are the program's, and which transpose.
MuGraph Composer::storeOtherwise(StoredOrder &order) const {
  MuGraph graph;
  llvm::DenseMap<MuValue, MuValue> values;
  for (MuValue argument : program.getRegion().arguments)
    values[argument] = graph.addArgument(0, program.getShape(argument),
                                         program.getValue(argument).type);
  OpAttributes there, back;
  there.permutation.assign(order.permutation.begin(), order.permutation.end());
  back.permutation.resize(order.permutation.size());
  for (auto [place, dim] : llvm::enumerate(order.permutation))
    back.permutation[dim] = place;
  MuValue value = units.getNode(order.unit).results[0];
  ElementType type = program.getValue(value).type;
  std::optional<MuValue> stored;
  unsigned numUnits = 0, unit = 0;
  order.unitOf.clear();
  for (unsigned number : program.getRegion().nodes) {
    const MuNode &node = program.getNode(number);
    bool isUnit = unit < units.size() && units.getNodes()[unit] == number;
    std::optional<MuValue> read;
    llvm::SmallVector<MuValue> operands;
    for (MuValue operand : node.operands) {
      if (operand != value) {
        operands.push_back(values.lookup(operand));
        continue;
      }
      if (!read) {
        read = graph.addOperator(0, OpKind::Transpose, back, {*stored}, type,
                                 node.location);
        order.readers[unit] = numUnits++;
      }
      operands.push_back(*read);
    }
    for (auto [own, copy] : llvm::zip_equal(
             node.results, cloneNode(graph, 0, program, number, operands)))
      values[own] = copy;
    if (!isUnit)
      continue;
    order.unitOf.push_back(numUnits++);
    if (unit++ == order.unit) {
      stored = graph.addOperator(0, OpKind::Transpose, there,
                                 {values.lookup(value)}, type, node.location);
      order.stored = numUnits++;
    }
  }
  llvm::SmallVector<MuValue> results;
  for (MuValue own : program.getRegion().results)
    results.push_back(values.lookup(own));
  graph.setResults(0, results);
  return graph;
}

/// Lists the pieces of a program that stores a tensor in another order: those
/// that were searched for in the program `from`, and write or read the tensor.
void Composer::listReordered(const Composer &from, const StoredOrder &order) {
  auto map = [&](const UnitSet &set) {
    UnitSet mapped(units.size());
    for (unsigned unit : set.set_bits())
      mapped.set(order.unitOf[unit]);
    return mapped;
  };
  for (const Piece &other : from.pieces) {
    if (other.fused || !from.isSearched(other) ||
        !from.result.pieces[*other.outcome].unsupported.empty())
      continue;
    bool writes = other.outputs[order.unit], isRead = false;
    Piece piece;
    piece.units = map(other.units);
    piece.outputs = map(other.outputs);
    if (writes) {
      piece.units.set(order.stored);
      piece.outputs.reset(order.unitOf[order.unit]);
      piece.outputs.set(order.stored);
    }
    for (auto [reader, transpose] : order.readers)
      if (other.units[reader]) {
        // What is computed inside is read inside, in whatever order.
        piece.units.set(transpose);
        if (other.units[order.unit])
          piece.units.set(order.stored);
        isRead = true;
      }
    if (!writes && (!isRead || other.units[order.unit]))
      continue;
    piece.plain = other.plain;
    piece.bound = other.bound;
    piece.floor = other.floor;
    piece.unmoved = std::min(from.getFoundCost(other), other.plain);
    piece.readsMoved = !writes;
    piece.isOverlapping = true;
    pieces.push_back(std::move(piece));
  }
}

/// Adds a program for each order of a tensor between kernels.
void Composer::addStoredOrders(const PieceCover &cover, ValueClasses &classes) {
  for (StoredOrder &order : findStoredOrders(cover)) {
    if (clock.isOver())
      return;
    auto alternative = std::make_unique<Alternative>(options);
    alternative->graph = storeOtherwise(order);
    limitTime(*alternative);
    alternative->composer.reset(new Composer(alternative->graph, bestKnown,
                                             alternative->options,
                                             alternative->control, AsItIs()));
    Composer &composer = *alternative->composer;
    std::map<unsigned, unsigned> same;
    for (auto [reader, transpose] : order.readers)
      same[transpose] = order.unitOf[order.unit];
    ValueClasses::Added added = classes.add(composer.units, nullptr, same);
    composer.classOf = std::move(added.classes);
    composer.ownUnits = std::move(added.isNew);
    composer.known = composer.bestKnown = composer.bestAtGain = bestKnown;
    composer.pricePlainUnits();
    composer.maxKernels = maxKernels;
    composer.noteShares(std::nullopt);
    composer.listReordered(*this, order);
    alternatives.push_back(std::move(alternative));
  }
}
