//===- GraphEvaluator.h - Runs µGraphs in double, for tests -----*- C++ -*-===//
//
// Executes a graph point by point and iteration by iteration, as the
// interpreter does programs in IR.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_UNITTESTS_ANALYSIS_EQUIVALENCE_GRAPHEVALUATOR_H
#define MIRAGE_UNITTESTS_ANALYSIS_EQUIVALENCE_GRAPHEVALUATOR_H

#include "Mirage/MuGraph/MuGraph.h"
#include "Mirage/Semantics/Evaluate.h"
#include <cmath>
#include <map>

namespace mirage::equivalence {

class GraphEvaluator {
public:
  using Values = std::map<MuValue, Tensor<double>>;

  explicit GraphEvaluator(const MuGraph &graph) : graph(graph) {}

  std::vector<Tensor<double>> run(llvm::ArrayRef<Tensor<double>> inputs) {
    Values values;
    for (auto [argument, input] :
         llvm::zip_equal(graph.getRegion().arguments, inputs))
      values[argument] = input;
    runRegion(0, values, {}, {});
    std::vector<Tensor<double>> results;
    for (MuValue result : graph.getRegion().results)
      results.push_back(values[result]);
    return results;
  }

  /// Returns whether nothing overflowed or was undefined, also on the way.
  bool isFinite() const { return finite; }

private:
  struct IndexSystem {
    int64_t index(int64_t i) { return i; }
    int64_t add(int64_t a, int64_t b) { return a + b; }
    int64_t mulConstant(int64_t a, int64_t c) { return a * c; }
  };
  using Indices = llvm::SmallVector<int64_t, 4>;

  /// Calls fn(indices) in row-major order.
  template <typename Fn> static void forEachIndex(ShapeRef shape, Fn fn) {
    for (int64_t i = 0, n = elementCount(shape); i < n; ++i) {
      Indices at(shape.size());
      int64_t rest = i;
      for (size_t d = shape.size(); d-- > 0; rest /= shape[d])
        at[d] = rest % shape[d];
      fn(at);
    }
  }
  static double &at(Tensor<double> &tensor, llvm::ArrayRef<int64_t> indices) {
    int64_t linear = 0;
    for (auto [index, size] : llvm::zip_equal(indices, tensor.shape))
      linear = linear * size + index;
    return tensor.data[linear];
  }
  Tensor<double> makeTensor(MuValue value) {
    Tensor<double> tensor{Shape(graph.getShape(value))};
    std::fill(tensor.data.begin(), tensor.data.end(), std::nan(""));
    return tensor;
  }

  void runRegion(unsigned region, Values &values, Indices point,
                 Indices loops) {
    for (unsigned number : graph.getRegion(region).nodes)
      runNode(graph.getNode(number), values, point, loops);
  }

  void runNode(const MuNode &node, Values &values, const Indices &point,
               const Indices &loops) {
    switch (node.kind) {
    case MuNode::Kind::Operator: {
      llvm::SmallVector<const Tensor<double> *> operands;
      for (MuValue operand : node.operands)
        operands.push_back(&values[operand]);
      auto results = evaluate<double>(node.op, node.attributes, operands);
      for (auto [value, result] : llvm::zip_equal(node.results, results)) {
        for (double x : result.data)
          finite &= std::fabs(x) < 1e12;
        values[value] = result;
      }
      return;
    }
    case MuNode::Kind::Load: {
      IndexSystem system;
      Tensor<double> tile = makeTensor(node.results[0]);
      forEachIndex(tile.shape, [&](Indices to) {
        Indices from = to;
        for (auto [index, dim] : llvm::zip_equal(from, node.partition))
          index += getTileOffset<int64_t>(dim, point, loops, system);
        at(tile, to) = at(values[node.operands[0]], from);
      });
      values[node.results[0]] = std::move(tile);
      return;
    }
    case MuNode::Kind::Graph:
      return runGraph(node, values);
    case MuNode::Kind::Loop:
      return runLoop(node, values, point, loops);
    case MuNode::Kind::Accumulate:
    case MuNode::Kind::Store:
      return;
    }
  }

  const MuNode &findNode(unsigned region, MuValue value) {
    for (unsigned number : graph.getRegion(region).nodes)
      if (llvm::is_contained(graph.getNode(number).results, value))
        return graph.getNode(number);
    llvm_unreachable("no such node");
  }

  void runLoop(const MuNode &loop, Values &values, const Indices &point,
               const Indices &loops) {
    const MuRegion &body = graph.getRegion(loop.body);
    std::vector<Tensor<double>> totals(body.results.size()), shifts = totals;
    for (int64_t i = 0; i < loop.extents[0]; ++i) {
      Indices inner = loops;
      inner.push_back(i);
      runRegion(loop.body, values, point, inner);
      for (auto [k, result] : llvm::enumerate(body.results)) {
        const MuNode &node = findNode(loop.body, result);
        Tensor<double> &value = values[node.operands[0]];
        Tensor<double> *shift =
            node.operands.size() > 1 ? &values[node.operands[1]] : nullptr;
        if (node.accumulate == AccumulateKind::Concat) {
          if (i == 0)
            totals[k] = makeTensor(loop.results[k]);
          forEachIndex(value.shape, [&](Indices from) {
            Indices to = from;
            to[node.dim] += i * value.shape[node.dim];
            at(totals[k], to) = at(value, from);
          });
          continue;
        }
        if (i == 0) {
          totals[k] = value;
          if (shift)
            shifts[k] = *shift;
          continue;
        }
        forEachIndex(value.shape, [&](Indices index) {
          double &total = at(totals[k], index), x = at(value, index);
          if (node.accumulate == AccumulateKind::Max) {
            total = std::max(total, x);
          } else if (!shift) {
            total += x;
          } else {
            Indices row = index;
            for (auto [r, size] : llvm::zip_equal(row, shift->shape))
              r = size == 1 ? 0 : r;
            double from = at(shifts[k], row), term = at(*shift, row);
            double largest = std::max(from, term);
            total =
                total * std::exp(from - largest) + x * std::exp(term - largest);
          }
        });
        if (shift)
          for (auto [a, b] : llvm::zip_equal(shifts[k].data, shift->data))
            a = std::max(a, b);
      }
    }
    for (auto [result, total] : llvm::zip_equal(loop.results, totals))
      values[result] = std::move(total);
  }

  void runGraph(const MuNode &launch, Values &values) {
    const MuRegion &body = graph.getRegion(launch.body);
    for (MuValue result : launch.results)
      values[result] = makeTensor(result);
    forEachIndex(launch.extents, [&](Indices point) {
      Values inner;
      for (auto [argument, operand] :
           llvm::zip_equal(body.arguments, launch.operands))
        inner[argument] = values[operand];
      runRegion(launch.body, inner, point, {});
      for (auto [k, result] : llvm::enumerate(body.results)) {
        const MuNode &node = findNode(launch.body, result);
        Tensor<double> &tile = inner[node.operands[0]];
        Tensor<double> &target = values[launch.results[k]];
        forEachIndex(tile.shape, [&](Indices from) {
          Indices to = from;
          bool isMax = false;
          for (auto [entry, index] : llvm::zip_equal(node.omap, point)) {
            if (entry >= 0)
              to[entry] += index * tile.shape[entry];
            isMax |= entry == kReduceMax;
          }
          double &cell = at(target, to), x = at(tile, from);
          cell = std::isnan(cell) ? x : isMax ? std::max(cell, x) : cell + x;
        });
      }
    });
  }

  const MuGraph &graph;
  bool finite = true;
};

} // namespace mirage::equivalence

#endif // MIRAGE_UNITTESTS_ANALYSIS_EQUIVALENCE_GRAPHEVALUATOR_H
