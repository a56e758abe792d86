//===- GraphBuilder.h - Shorthand for building µGraphs in tests -*- C++ -*-===//

#ifndef MIRAGE_UNITTESTS_GRAPHBUILDER_H
#define MIRAGE_UNITTESTS_GRAPHBUILDER_H

#include "Mirage/MuGraph/MuGraph.h"

namespace mirage {

/// Appends nodes to one region of a graph; all values are f32.
class RegionBuilder {
public:
  using List = std::initializer_list<int64_t>;

  explicit RegionBuilder(MuGraph &graph, unsigned region = 0)
      : graph(graph), region(region) {}

  MuValue argument(ShapeRef shape) {
    return graph.addArgument(region, shape, ElementType::f32);
  }
  MuValue op(OpKind kind, llvm::ArrayRef<MuValue> operands,
             const OpAttributes &attributes = {}) {
    return graph.addOperator(region, kind, attributes, operands,
                             ElementType::f32, ++locations);
  }
  MuValue add(MuValue a, MuValue b) { return op(OpKind::Add, {a, b}); }
  MuValue sub(MuValue a, MuValue b) { return op(OpKind::Sub, {a, b}); }
  MuValue mul(MuValue a, MuValue b) { return op(OpKind::Mul, {a, b}); }
  MuValue div(MuValue a, MuValue b) { return op(OpKind::Div, {a, b}); }
  MuValue exp(MuValue a) { return op(OpKind::Exp, {a}); }
  MuValue sqrt(MuValue a) { return op(OpKind::Sqrt, {a}); }
  MuValue square(MuValue a) { return op(OpKind::Square, {a}); }
  MuValue silu(MuValue a) { return op(OpKind::Silu, {a}); }
  MuValue matmul(MuValue a, MuValue b, bool transposeLhs = false,
                 bool transposeRhs = false) {
    OpAttributes attributes;
    attributes.transposeLhs = transposeLhs;
    attributes.transposeRhs = transposeRhs;
    return op(OpKind::Matmul, {a, b}, attributes);
  }
  MuValue reduce(ReduceKind kind, MuValue a, int64_t dim, bool keep = true,
                 int64_t group = 0) {
    OpAttributes attributes;
    attributes.reduceKind = kind;
    attributes.dim = dim;
    attributes.keep = keep;
    attributes.group = group;
    return op(OpKind::Reduce, {a}, attributes);
  }
  MuValue sum(MuValue a, int64_t dim, bool keep = true, int64_t group = 0) {
    return reduce(ReduceKind::Sum, a, dim, keep, group);
  }
  MuValue max(MuValue a, int64_t dim, bool keep = true) {
    return reduce(ReduceKind::Max, a, dim, keep);
  }
  MuValue softmax(MuValue a, int64_t dim) {
    OpAttributes attributes;
    attributes.dim = dim;
    return op(OpKind::Softmax, {a}, attributes);
  }
  MuValue constant(double value, size_t rank) {
    OpAttributes attributes;
    attributes.resultShape.assign(rank, 1);
    attributes.values = std::make_shared<const std::vector<double>>(1, value);
    return op(OpKind::Constant, {}, attributes);
  }
  MuValue scale(MuValue a, double factor) {
    OpAttributes attributes;
    attributes.scalar = factor;
    return op(OpKind::Scale, {a}, attributes);
  }
  MuValue reshape(MuValue a, List shape) {
    OpAttributes attributes;
    attributes.resultShape.assign(shape.begin(), shape.end());
    return op(OpKind::Reshape, {a}, attributes);
  }
  MuValue transpose(MuValue a, List permutation) {
    OpAttributes attributes;
    attributes.permutation.assign(permutation.begin(), permutation.end());
    return op(OpKind::Transpose, {a}, attributes);
  }
  MuValue slice(MuValue a, List offsets, List sizes, List strides) {
    OpAttributes attributes;
    attributes.offsets.assign(offsets.begin(), offsets.end());
    attributes.sizes.assign(sizes.begin(), sizes.end());
    attributes.strides.assign(strides.begin(), strides.end());
    return op(OpKind::Slice, {a}, attributes);
  }
  MuValue pad(MuValue a, List low, List high, double value = 0) {
    OpAttributes attributes;
    attributes.offsets.assign(low.begin(), low.end());
    attributes.sizes.assign(high.begin(), high.end());
    attributes.scalar = value;
    return op(OpKind::Pad, {a}, attributes);
  }
  MuValue concat(std::initializer_list<MuValue> operands, int64_t dim) {
    OpAttributes attributes;
    attributes.dim = dim;
    return op(OpKind::Concat, operands, attributes);
  }
  MuValue load(MuValue source, List imap, List grid, List fmap = {},
               List loops = {}) {
    return graph.addLoad(region, source, imap, grid, fmap, loops);
  }
  MuValue store(MuValue value, List omap, List grid) {
    return graph.addStore(region, value, omap, grid);
  }
  MuValue accumulate(AccumulateKind kind, MuValue value, int64_t extent,
                     std::optional<MuValue> shift = std::nullopt,
                     int64_t dim = 0) {
    return graph.addAccumulate(region, kind, value, extent, shift, dim);
  }
  void results(llvm::ArrayRef<MuValue> values) {
    graph.setResults(region, values);
  }
  RegionBuilder body() { return RegionBuilder(graph, graph.addRegion()); }
  llvm::SmallVector<MuValue> loop(int64_t extent, const RegionBuilder &body) {
    return graph.addLoop(region, extent, body.region);
  }
  llvm::SmallVector<MuValue> launch(std::initializer_list<MuValue> operands,
                                    List extents, const RegionBuilder &body) {
    return graph.addGraph(region, operands, extents, body.region);
  }
  Shape shape(MuValue value) const { return Shape(graph.getShape(value)); }

  MuGraph &graph;
  unsigned region;
  unsigned locations = 0;
};

/// A graph under construction.
struct GraphBuilder : MuGraph, RegionBuilder {
  GraphBuilder() : RegionBuilder(static_cast<MuGraph &>(*this)) {}
  GraphBuilder(const GraphBuilder &) = delete;

  /// The graph, with these results.
  MuGraph finish(llvm::ArrayRef<MuValue> values) {
    results(values);
    return std::move(graph);
  }
};

} // namespace mirage

#endif // MIRAGE_UNITTESTS_GRAPHBUILDER_H
