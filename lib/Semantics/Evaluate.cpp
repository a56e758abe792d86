//===- Evaluate.cpp - Operators on tensors of floats ----------------------===//
//
// Instantiates the meaning of operators (Element.h, Composite.h) with float and
// double, in parallel over result elements; every element is computed by one
// thread in a fixed order, so results don't depend on the number of threads.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Semantics/Evaluate.h"
#include "Mirage/Semantics/Composite.h"
#include "Mirage/Semantics/Element.h"
#include "llvm/Support/Parallel.h"

using namespace mirage;
using llvm::ArrayRef;

namespace {

/// The system of Element.h that computes with numbers.
template <typename T> struct FloatSystem {
  using Value = T;
  using Index = int64_t;
  using Condition = bool;

  ArrayRef<const Tensor<T> *> operands;
  const OpAttributes &attrs;
  bool emulateTF32;

  T constant(double v) { return static_cast<T>(v); }
  T add(T a, T b) { return a + b; }
  T sub(T a, T b) { return a - b; }
  T mul(T a, T b) { return a * b; }
  T div(T a, T b) { return a / b; }
  // Maximum and minimum propagate NaN, as arith.maximumf does.
  T max(T a, T b) { return a != a || a > b ? a : b; }
  T min(T a, T b) { return a != a || a < b ? a : b; }
  T exp(T a) { return std::exp(a); }
  T exp2(T a) { return std::exp2(a); }
  T log(T a) { return std::log(a); }
  T sqrt(T a) { return std::sqrt(a); }
  T rsqrt(T a) { return T(1) / std::sqrt(a); }
  T erf(T a) { return std::erf(a); }
  T tanh(T a) { return std::tanh(a); }
  T pow(T a, double e) { return std::pow(a, static_cast<T>(e)); }
  T roundToTF32(T a) {
    return emulateTF32 ? static_cast<T>(mirage::roundToTF32(a)) : a;
  }

  int64_t linearize(ShapeRef shape, ArrayRef<int64_t> at) {
    int64_t linear = 0;
    for (auto [size, index] : llvm::zip(shape, at))
      linear = linear * size + index;
    return linear;
  }
  T read(unsigned operand, ArrayRef<int64_t> at) {
    const Tensor<T> &tensor = *operands[operand];
    return tensor.data[linearize(tensor.shape, at)];
  }
  T element(ArrayRef<int64_t> at) {
    return static_cast<T>((*attrs.values)[linearize(attrs.resultShape, at)]);
  }

  int64_t index(int64_t i) { return i; }
  int64_t add(int64_t a, int64_t b) { return a + b; }
  int64_t addConstant(int64_t a, int64_t c) { return a + c; }
  int64_t mulConstant(int64_t a, int64_t c) { return a * c; }
  int64_t divConstant(int64_t a, int64_t c) { return a / c; }
  int64_t remConstant(int64_t a, int64_t c) { return a % c; }
  bool inRange(int64_t i, int64_t lower, int64_t upper) {
    return lower <= i && i < upper;
  }
  bool both(bool a, bool b) { return a && b; }
  template <typename Then, typename Else>
  T select(bool condition, Then then, Else otherwise) {
    return condition ? then() : otherwise();
  }

  template <typename Body>
  T reduce(ArrayRef<int64_t> extents, T initial, Body body) {
    T accumulator = initial;
    llvm::SmallVector<int64_t, 3> at(extents.size(), 0);
    while (true) {
      accumulator = body(ArrayRef<int64_t>(at), accumulator);
      size_t dim = extents.size();
      while (dim > 0 && ++at[dim - 1] == extents[dim - 1])
        at[--dim] = 0;
      if (dim == 0)
        return accumulator;
    }
  }
};

/// Calls body(begin, end) on pieces of [0, count), in parallel.
template <typename Body>
void forChunks(int64_t count, int64_t work, Body body) {
  constexpr int64_t workPerChunk = 1 << 15;
  int64_t chunk =
      std::max<int64_t>(1, workPerChunk / std::max<int64_t>(1, work));
  if (count <= chunk)
    return body(0, count);
  llvm::parallelFor(0, (count + chunk - 1) / chunk, [&](size_t i) {
    int64_t begin = static_cast<int64_t>(i) * chunk;
    body(begin, std::min(count, begin + chunk));
  });
}

template <typename T>
void evaluateGeneric(OpKind kind, ArrayRef<Shape> shapes, unsigned number,
                     FloatSystem<T> system, Tensor<T> &result) {
  forChunks(result.data.size(), 64, [&](int64_t begin, int64_t end) {
    FloatSystem<T> s = system;
    llvm::SmallVector<int64_t, 4> at(result.shape.size());
    for (int64_t i = begin; i < end; ++i) {
      int64_t rest = i;
      for (size_t dim = at.size(); dim-- > 0; rest /= result.shape[dim])
        at[dim] = rest % result.shape[dim];
      result.data[i] =
          evaluateElement<FloatSystem<T>>(kind, s.attrs, shapes, number, at, s);
    }
  });
}

template <typename T>
void evaluateEqualShapes(OpKind kind, FloatSystem<T> system,
                         Tensor<T> &result) {
  forChunks(result.data.size(), 4, [&](int64_t begin, int64_t end) {
    FloatSystem<T> s = system;
    llvm::SmallVector<T, 2> args(s.operands.size());
    for (int64_t i = begin; i < end; ++i) {
      for (auto [arg, operand] : llvm::zip(args, s.operands))
        arg = operand->data[i];
      result.data[i] = evaluateScalar<FloatSystem<T>>(kind, s.attrs, args, s);
    }
  });
}

/// Copies the matrices of `in` transposed.
template <typename T> Tensor<T> transposeMatrices(const Tensor<T> &in) {
  Tensor<T> out(in.shape);
  std::swap(out.shape.rbegin()[0], out.shape.rbegin()[1]);
  int64_t rows = in.shape.rbegin()[1], columns = in.shape.rbegin()[0];
  forChunks(in.data.size() / columns, columns, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      int64_t batch = row / rows, r = row % rows;
      for (int64_t c = 0; c < columns; ++c)
        out.data[(batch * columns + c) * rows + r] = in.data[row * columns + c];
    }
  });
  return out;
}

/// Adds lhs x rhs to result, row by row: each element adds its products in the
/// order of the contracted dimension, like Element.h.
template <typename T>
void accumulateProduct(const Tensor<T> &lhs, const Tensor<T> &rhs,
                       Tensor<T> &result) {
  size_t batchRank = result.shape.size() - 2;
  int64_t rows = result.shape[batchRank], columns = result.shape.back(),
          depth = lhs.shape.back();
  forChunks(result.data.size() / columns, columns * depth,
            [&](int64_t begin, int64_t end) {
              for (int64_t row = begin; row < end; ++row) {
                int64_t rest = row / rows, lhsBatch = 0, rhsBatch = 0,
                        lhsStride = 1, rhsStride = 1;
                for (size_t dim = batchRank; dim-- > 0;) {
                  int64_t at = rest % result.shape[dim];
                  rest /= result.shape[dim];
                  if (lhs.shape[dim] != 1)
                    lhsBatch += at * lhsStride;
                  if (rhs.shape[dim] != 1)
                    rhsBatch += at * rhsStride;
                  lhsStride *= lhs.shape[dim];
                  rhsStride *= rhs.shape[dim];
                }
                const T *a = &lhs.data[(lhsBatch * rows + row % rows) * depth];
                const T *b = &rhs.data[rhsBatch * depth * columns];
                T *c = &result.data[row * columns];
                for (int64_t k = 0; k < depth; ++k)
                  for (int64_t j = 0; j < columns; ++j)
                    c[j] += a[k] * b[k * columns + j];
              }
            });
}

template <typename T>
void evaluateProduct(const OpAttributes &attrs, const Tensor<T> &lhs,
                     const Tensor<T> &rhs, bool tf32, Tensor<T> &result) {
  Tensor<T> left, right;
  const Tensor<T> *a = &lhs, *b = &rhs;
  auto own = [](const Tensor<T> *&use, Tensor<T> &copy, Tensor<T> value) {
    copy = std::move(value);
    use = &copy;
  };
  if (attrs.transposeLhs)
    own(a, left, transposeMatrices(*a));
  if (attrs.transposeRhs)
    own(b, right, transposeMatrices(*b));
  if (tf32) {
    own(a, left, *a);
    own(b, right, *b);
    for (Tensor<T> *operand : {&left, &right})
      for (T &value : operand->data)
        value = static_cast<T>(roundToTF32(value));
  }
  accumulateProduct(*a, *b, result);
}

/// The builder of Composite.h that computes at once.
template <typename T> struct EvaluatingBuilder {
  const EvaluateOptions &options;
  std::vector<std::unique_ptr<Tensor<T>>> &owned;

  const Tensor<T> *apply(OpKind kind, const OpAttributes &attrs,
                         ArrayRef<const Tensor<T> *> operands) {
    auto results = evaluate<T>(kind, attrs, operands, options);
    owned.push_back(std::make_unique<Tensor<T>>(std::move(results.front())));
    return owned.back().get();
  }
};

} // namespace

template <typename T>
llvm::SmallVector<Tensor<T>, 1>
mirage::evaluate(OpKind kind, const OpAttributes &attrs,
                 ArrayRef<const Tensor<T> *> operands,
                 const EvaluateOptions &options) {
  llvm::SmallVector<Shape, 4> shapes;
  for (const Tensor<T> *operand : operands)
    shapes.push_back(operand->shape);
  if (isComposite(kind)) {
    std::vector<std::unique_ptr<Tensor<T>>> owned;
    const Tensor<T> *result = buildComposite<const Tensor<T> *>(
        kind, attrs, shapes[0], operands, EvaluatingBuilder<T>{options, owned});
    return {*result};
  }

  llvm::SmallVector<Shape, 1> resultShapes;
  std::string error;
  if (llvm::failed(inferShapes(kind, attrs, shapes, resultShapes, error)))
    llvm_unreachable("shapes are checked before evaluation");
  FloatSystem<T> system{operands, attrs, options.emulateTF32};
  llvm::SmallVector<Tensor<T>, 1> results;
  for (unsigned number = 0; number < resultShapes.size(); ++number) {
    const Shape &shape = resultShapes[number];
    Tensor<T> &result = results.emplace_back(shape);
    bool tf32 = attrs.tf32 && options.emulateTF32;
    if (options.onlyGeneric)
      evaluateGeneric(kind, shapes, number, system, result);
    else if (kind == OpKind::Matmul)
      evaluateProduct(attrs, *operands[0], *operands[1], tf32, result);
    else if (kind == OpKind::ConcatMatmul) {
      evaluateProduct(attrs, *operands[0], *operands[2], tf32, result);
      evaluateProduct(attrs, *operands[1], *operands[3], tf32, result);
    } else if (kind == OpKind::Reshape)
      result.data = operands[0]->data;
    else if (isElementwise(kind) &&
             llvm::all_of(shapes, [&](const Shape &s) { return s == shape; }))
      evaluateEqualShapes(kind, system, result);
    else
      evaluateGeneric(kind, shapes, number, system, result);
  }
  return results;
}

template llvm::SmallVector<Tensor<float>, 1>
mirage::evaluate(OpKind, const OpAttributes &, ArrayRef<const Tensor<float> *>,
                 const EvaluateOptions &);
template llvm::SmallVector<Tensor<double>, 1>
mirage::evaluate(OpKind, const OpAttributes &, ArrayRef<const Tensor<double> *>,
                 const EvaluateOptions &);
