//===- RandomChains.h - Programs that are chains ----------------*- C++ -*-===//
//
// Makes chains of given shapes, and random ones.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_UNITTESTS_SEARCH_TILING_RANDOMCHAINS_H
#define MIRAGE_UNITTESTS_SEARCH_TILING_RANDOMCHAINS_H

#include "Mirage/Analysis/Tiling/Chain.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/ErrorHandling.h"
#include <random>

namespace mirage::tiling {

/// Builds a chain operator by operator.
class ChainProgram {
public:
  explicit ChainProgram(Shape batch, ElementType type = ElementType::f16)
      : batch(std::move(batch)), type(type) {}

  MuValue input(int64_t rows, int64_t columns) {
    Shape shape = batch;
    shape.append({rows, columns});
    return graph.addArgument(0, shape, type);
  }
  MuValue op(OpKind kind, llvm::ArrayRef<MuValue> operands, ElementType result,
             const OpAttributes &attributes = {}) {
    return graph.addOperator(0, kind, attributes, operands, result);
  }
  MuValue cast(MuValue value, ElementType result) {
    OpAttributes attributes;
    attributes.resultType = result;
    return op(OpKind::Cast, {value}, result, attributes);
  }
  MuValue softmax(MuValue value) {
    OpAttributes attributes;
    attributes.dim = static_cast<int64_t>(batch.size()) + 1;
    return op(OpKind::Softmax, {value}, ElementType::f32, attributes);
  }
  MuValue scale(MuValue value, double factor) {
    OpAttributes attributes;
    attributes.scalar = factor;
    return op(OpKind::Scale, {value}, graph.getValue(value).type, attributes);
  }
  MuValue constant(MuValue like, double number) {
    OpAttributes attributes;
    attributes.resultShape.assign(graph.getShape(like).begin(),
                                  graph.getShape(like).end());
    attributes.values = std::make_shared<const std::vector<double>>(1, number);
    return op(OpKind::Constant, {}, graph.getValue(like).type, attributes);
  }
  MuGraph finish(MuValue result) {
    graph.setResults(0, {result});
    return std::move(graph);
  }

  Shape batch;
  ElementType type;
  MuGraph graph;
};

inline Chain read(const MuGraph &program) {
  std::string error;
  std::optional<unsigned> location;
  std::optional<Chain> chain = readChain(program, error, location);
  if (!chain)
    llvm::report_fatal_error(llvm::Twine("no chain: ") + error);
  return std::move(*chain);
}

/// (A B) D, or softmax(A B) D, as in the benchmarks: sizes are m, k, n, h.
inline Chain makeChain(int64_t batch, llvm::ArrayRef<int64_t> sizes,
                       bool hasSoftmax) {
  ChainProgram p({batch});
  MuValue value = p.input(sizes[0], sizes[1]);
  MuValue b = p.input(sizes[1], sizes[2]), d = p.input(sizes[2], sizes[3]);
  value = p.op(OpKind::Matmul, {value, b}, ElementType::f32);
  if (hasSoftmax)
    value = p.softmax(value);
  value = p.cast(value, ElementType::f16);
  value = p.op(OpKind::Matmul, {value, d}, ElementType::f32);
  return read(p.finish(p.cast(value, ElementType::f16)));
}

class RandomChains {
public:
  explicit RandomChains(uint64_t seed) : random(seed) {}

  uint64_t draw(uint64_t bound) { return random() % bound; }

  MuGraph drawProgram() {
    // These sizes have several divisors.
    static const int64_t choices[] = {1, 2, 3, 4, 6, 8, 12};
    auto size = [&] { return choices[draw(std::size(choices))]; };
    Shape batch;
    for (uint64_t i = draw(3); i; --i)
      batch.push_back(1 + draw(3));
    ChainProgram p(batch, draw(3) ? ElementType::f16 : ElementType::f32);
    int64_t rows = size(), contracted = size();
    OpAttributes attributes;
    attributes.transposeLhs = draw(4) == 0;
    MuValue value = attributes.transposeLhs ? p.input(contracted, rows)
                                            : p.input(rows, contracted);
    unsigned products = 1 + draw(4);
    for (unsigned product = 0; product < products; ++product) {
      int64_t columns = size();
      attributes.transposeRhs = draw(3) == 0;
      MuValue rhs = attributes.transposeRhs ? p.input(columns, contracted)
                                            : p.input(contracted, columns);
      ElementType result = draw(4) ? ElementType::f32 : p.type;
      value = p.op(OpKind::Matmul, {value, rhs}, result, attributes);
      value = drawOperators(p, value, product + 1 < products);
      attributes.transposeLhs = false;
      contracted = columns;
    }
    if (p.graph.getValue(value).type != p.type)
      value = p.cast(value, p.type);
    return p.finish(value);
  }

private:
  MuValue drawOperators(ChainProgram &p, MuValue value, bool isBetween) {
    ElementType type = p.graph.getValue(value).type;
    for (uint64_t i = draw(3); i; --i)
      switch (draw(5)) {
      case 0:
        value = p.op(OpKind::Relu, {value}, type);
        break;
      case 1:
        value = p.op(OpKind::Square, {value}, type);
        break;
      case 2:
        value = p.op(OpKind::Add, {p.constant(value, 0.5), value}, type);
        break;
      case 3:
        value = p.op(OpKind::Sub, {value, p.constant(value, 2)}, type);
        break;
      default:
        value = p.scale(value, 0.25);
      }
    if (!isBetween)
      return value;
    if (draw(3) == 0) {
      value = p.softmax(value);
      if (draw(2))
        value = p.scale(value, 3);
    }
    if (p.graph.getValue(value).type != p.type)
      value = p.cast(value, p.type);
    return value;
  }

  std::mt19937_64 random;
};

} // namespace mirage::tiling

#endif // MIRAGE_UNITTESTS_SEARCH_TILING_RANDOMCHAINS_H
