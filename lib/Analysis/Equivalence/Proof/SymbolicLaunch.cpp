//===- SymbolicLaunch.cpp - Launches, loops, loads and stores -------------===//
//
// Elements of what graphs and loops result in follow from elements inside their
// bodies.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/Proof/SymbolicEvaluation.h"
#include "SymbolicSystem.h"
#include "llvm/ADT/Twine.h"

using namespace mirage;
using namespace mirage::equivalence;
using llvm::ArrayRef;

Polynomial SymbolicEvaluation::evaluateLoad(const MuNode &node,
                                            ArrayRef<IndexForm> at,
                                            const Scope *scope) {
  // The loops around the load, outermost first, and the graph around them.
  Indices loops;
  const Scope *around = scope;
  for (; around->parent; around = around->parent) {
    const MuNode &owner = graph.getNode(owners[around->region]);
    if (owner.kind == MuNode::Kind::Graph)
      break;
    loops.insert(loops.begin(), around->indices.front());
  }
  System system{{*this, algebra, node, 0, scope}};
  Indices from;
  for (auto [dim, index] : llvm::zip_equal(node.partition, at)) {
    bool isLegal = !dim.gridDim || *dim.gridDim < around->indices.size();
    for (unsigned loop : dim.loops)
      isLegal &= loop < loops.size();
    if (!isLegal) {
      algebra.fail("a load's map has no graph or loop around it");
      return {};
    }
    from.push_back(algebra.indices.add(
        index, getTileOffset<IndexForm>(dim, around->indices, loops, system)));
  }
  return evaluate(node.operands[0], from, scope);
}

/// The node in `region` of the given kind that defines `value`.
static const MuNode *findNode(const MuGraph &graph, unsigned region,
                              MuValue value, MuNode::Kind kind) {
  for (unsigned number : graph.getRegion(region).nodes) {
    const MuNode &node = graph.getNode(number);
    if (node.kind == kind && llvm::is_contained(node.results, value))
      return &node;
  }
  return nullptr;
}

SymbolicEvaluation::Indices
SymbolicEvaluation::broadcastTo(ShapeRef shape, ArrayRef<IndexForm> at) {
  if (shape.size() != at.size()) {
    algebra.fail("a shift of another rank");
    return {};
  }
  Indices indices(at.begin(), at.end());
  for (auto [index, size] : llvm::zip(indices, shape))
    if (size == 1)
      index = algebra.indices.constant(0);
  return indices;
}

Polynomial
SymbolicEvaluation::sumRescaledParts(llvm::MutableArrayRef<Part> parts) {
  std::vector<Alternative> shifts;
  for (const Part &part : parts)
    shifts.push_back(
        {{part.variables.begin(), part.variables.end()}, part.shift});
  Polynomial largest = algebra.max(std::move(shifts));
  for (Part &part : parts)
    part.value = algebra.multiply(
        part.value, algebra.exp(algebra.sub(part.shift, largest)));
  return sumParts(parts);
}

Polynomial SymbolicEvaluation::evaluateLoop(unsigned number, unsigned result,
                                            ArrayRef<IndexForm> at,
                                            const Scope *scope) {
  const MuNode &loop = graph.getNode(number);
  const MuNode *accumulate =
      findNode(graph, loop.body, graph.getRegion(loop.body).results[result],
               MuNode::Kind::Accumulate);
  if (!accumulate) {
    algebra.fail("a loop's result is no accumulation");
    return {};
  }
  MuValue value = accumulate->operands[0];
  Indices inside(at.begin(), at.end());
  auto evaluateInside = [&](MuValue inner, ArrayRef<IndexForm> indices,
                            ArrayRef<IndexForm> iteration) {
    Scope body{loop.body, iteration, scope};
    return evaluate(inner, indices, &body);
  };

  if (accumulate->accumulate == AccumulateKind::Concat) {
    int64_t tile = graph.getShape(value)[accumulate->dim];
    if (graph.getShape(loop.results[result])[accumulate->dim] !=
        tile * loop.extents[0]) {
      algebra.fail("iterations do not fill the concatenation");
      return {};
    }
    auto division = divide(at[accumulate->dim], tile);
    inside[accumulate->dim] = division.remainder;
    return evaluateInside(value, inside, division.quotient);
  }

  bool isRescaled = accumulate->accumulate == AccumulateKind::RescaledSum;
  if (mode == Mode::Exponent && accumulate->accumulate == AccumulateKind::Max &&
      loop.extents[0] > 1)
    return makeUnknown(loop.results[result],
                       graph.getShape(loop.results[result]), at, scope);
  Indices atShift;
  if (isRescaled)
    atShift = broadcastTo(graph.getShape(accumulate->operands[1]), inside);
  if (algebra.isStopped())
    return {};
  auto parts = evaluateParts(
      number, loop.extents[0], [&](ArrayRef<IndexForm> point, Part &part) {
        part.value = evaluateInside(value, inside, point);
        if (!isRescaled)
          return;
        if (mode == Mode::Walk)
          collectShifts(*accumulate, atShift, scope, [&] {
            return evaluateInside(accumulate->operands[1], atShift, point);
          });
        else
          part.shift = evaluateInside(accumulate->operands[1], atShift, point);
      });
  if (accumulate->accumulate == AccumulateKind::Max)
    return maxParts(parts);
  if (!isRescaled || mode == Mode::Walk)
    return sumParts(parts);
  return sumRescaledParts(parts);
}

Polynomial SymbolicEvaluation::evaluateGraph(unsigned number, unsigned result,
                                             ArrayRef<IndexForm> at,
                                             const Scope *scope) {
  const MuNode &launch = graph.getNode(number);
  const MuNode *store =
      findNode(graph, launch.body, graph.getRegion(launch.body).results[result],
               MuNode::Kind::Store);
  if (!store || store->omap.size() != launch.extents.size()) {
    algebra.fail("a graph's result is no store");
    return {};
  }
  MuValue value = store->operands[0];
  ShapeRef tile = graph.getShape(value);
  Indices inside(at.begin(), at.end());
  // The points that wrote the element: at some indices of the grid, or at all
  // of the dimensions that are reduced.
  llvm::SmallVector<std::optional<IndexForm>, 3> known(launch.extents.size());
  llvm::SmallVector<int64_t, 3> reduced;
  bool isSum = false, isMax = false;
  llvm::SmallVector<int64_t, 3> stored;
  for (auto [i, entry] : llvm::enumerate(store->omap)) {
    if (entry >= 0) {
      if (llvm::is_contained(stored, entry)) {
        algebra.fail("two grid dimensions are stored along one dimension");
        return {};
      }
      stored.push_back(entry);
      if (graph.getShape(launch.results[result])[entry] !=
          tile[entry] * launch.extents[i]) {
        algebra.fail("blocks do not fill the result");
        return {};
      }
      auto division = divide(at[entry], tile[entry]);
      known[i] = division.quotient;
      inside[entry] = division.remainder;
    } else if (launch.extents[i] == 1) {
      known[i] = algebra.indices.constant(0);
    } else if (entry == kReduceSum || entry == kReduceMax) {
      (entry == kReduceSum ? isSum : isMax) = true;
      reduced.push_back(launch.extents[i]);
    } else {
      algebra.fail("several blocks store the same elements");
      return {};
    }
  }
  if (isSum && isMax) {
    algebra.fail("a store reduces in two ways");
    return {};
  }
  if (mode == Mode::Exponent && isMax) {
    MuValue unknown = launch.results[result];
    return makeUnknown(unknown, graph.getShape(unknown), at, scope);
  }
  auto parts = evaluateParts(
      number, reduced, [&](ArrayRef<IndexForm> point, Part &part) {
        Indices indices;
        for (const std::optional<IndexForm> &index : known) {
          indices.push_back(index ? *index : point.front());
          if (!index)
            point = point.drop_front();
        }
        Scope body{launch.body, indices, scope};
        part.value = evaluate(value, inside, &body);
      });
  return isMax ? maxParts(parts) : sumParts(parts);
}
