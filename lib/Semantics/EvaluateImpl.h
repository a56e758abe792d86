//===- EvaluateImpl.h - Operators on tensors of any numbers -----*- C++ -*-===//
//
// Instantiates the meaning of operators (Element.h, Composite.h) with tensors
// of numbers, in parallel over result elements; every element is computed by
// one thread in a fixed order, so results don't depend on the number of
// threads. Evaluate.cpp instantiates it for floats, ErrorBound.cpp for numbers
// with error bounds.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEMANTICS_EVALUATEIMPL_H
#define MIRAGE_LIB_SEMANTICS_EVALUATEIMPL_H

#include "Mirage/Semantics/Composite.h"
#include "Mirage/Semantics/Cost.h"
#include "Mirage/Semantics/Element.h"
#include "NumberSystem.h"

namespace mirage::detail {

using llvm::ArrayRef;

/// The system of Element.h that computes with numbers in tensors.
template <typename T> struct TensorSystem : NumberSystem<T> {
  ArrayRef<const Tensor<T> *> operands;
  const OpAttributes &attrs;
  const EvaluateOptions &options;

  TensorSystem(ArrayRef<const Tensor<T> *> operands, const OpAttributes &attrs,
               const EvaluateOptions &options)
      : NumberSystem<T>(options), operands(operands), attrs(attrs),
        options(options) {}

  T read(unsigned operand, ArrayRef<int64_t> at) {
    const Tensor<T> &tensor = *operands[operand];
    return tensor.data[linearize(tensor.shape, at)];
  }
  T element(ArrayRef<int64_t> at) {
    return this->constant((*attrs.values)[linearize(attrs.resultShape, at)]);
  }
};

/// Calls body(begin, end) on pieces of [0, count), in parallel, where each
/// number takes `work` operations, about.
template <typename Body>
void forChunks(const EvaluateOptions &options, int64_t count, int64_t work,
               Body body) {
  constexpr int64_t workPerChunk = 1 << 15;
  int64_t chunk =
      std::max<int64_t>(1, workPerChunk / std::max<int64_t>(1, work));
  if (count <= chunk)
    return body(0, count);
  Execution calling;
  const Execution &execution = options.execution ? *options.execution : calling;
  execution.forEach((count + chunk - 1) / chunk, [&](int64_t i) {
    int64_t begin = i * chunk;
    body(begin, std::min(count, begin + chunk));
  });
}

/// Work per result element for forChunks.
inline int64_t estimateWork(OpKind kind, const OpAttributes &attrs,
                            ArrayRef<Shape> shapes, ShapeRef result) {
  OpCounts counts = countOp(kind, attrs, shapes);
  return 64 * std::max<int64_t>(1, counts.flops / elementCount(result));
}

template <typename T>
void evaluateGeneric(OpKind kind, ArrayRef<Shape> shapes, unsigned number,
                     TensorSystem<T> system, Tensor<T> &result) {
  int64_t work = estimateWork(kind, system.attrs, shapes, result.shape);
  forChunks(system.options, result.data.size(), work,
            [&](int64_t begin, int64_t end) {
              TensorSystem<T> s = system;
              llvm::SmallVector<int64_t, 4> at(result.shape.size());
              for (int64_t i = begin; i < end; ++i) {
                int64_t rest = i;
                for (size_t dim = at.size(); dim-- > 0;
                     rest /= result.shape[dim])
                  at[dim] = rest % result.shape[dim];
                result.data[i] = evaluateElement<TensorSystem<T>>(
                    kind, s.attrs, shapes, number, at, s);
              }
            });
}

template <typename T>
void evaluateEqualShapes(OpKind kind, TensorSystem<T> system,
                         Tensor<T> &result) {
  forChunks(system.options, result.data.size(), 4,
            [&](int64_t begin, int64_t end) {
              TensorSystem<T> s = system;
              llvm::SmallVector<T, 2> args(s.operands.size());
              for (int64_t i = begin; i < end; ++i) {
                for (auto [arg, operand] : llvm::zip(args, s.operands))
                  arg = operand->data[i];
                result.data[i] =
                    evaluateScalar<TensorSystem<T>>(kind, s.attrs, args, s);
              }
            });
}

/// Says where an operator reads the elements of an operand: at `offset`, and
/// `strides` farther for each step along a dimension of the result.
struct StridedView {
  int64_t offset = 0;
  llvm::SmallVector<int64_t, 4> strides;
};

inline llvm::SmallVector<int64_t, 4> getStrides(ShapeRef shape) {
  llvm::SmallVector<int64_t, 4> strides(shape.size());
  int64_t stride = 1;
  for (size_t dim = shape.size(); dim-- > 0; stride *= shape[dim])
    strides[dim] = stride;
  return strides;
}

/// Returns how an elementwise operator, or one that only moves elements, reads
/// its operands; nothing if that is no matter of strides.
inline std::optional<llvm::SmallVector<StridedView, 3>>
getViews(OpKind kind, const OpAttributes &attrs, ArrayRef<Shape> shapes,
         unsigned result) {
  llvm::SmallVector<StridedView, 3> views;
  for (const Shape &shape : shapes)
    views.push_back({0, getStrides(shape)});
  if (isElementwise(kind) || kind == OpKind::Broadcast) {
    for (auto [view, shape] : llvm::zip(views, shapes))
      for (auto [stride, size] : llvm::zip(view.strides, shape))
        if (size == 1)
          stride = 0;
    return views;
  }
  switch (kind) {
  case OpKind::Transpose: {
    StridedView from = views[0];
    for (auto [dim, source] : llvm::enumerate(attrs.permutation))
      views[0].strides[dim] = from.strides[source];
    return views;
  }
  case OpKind::Slice:
    for (auto [dim, stride] : llvm::enumerate(views[0].strides)) {
      views[0].offset += attrs.offsets[dim] * stride;
      stride *= attrs.strides[dim];
    }
    return views;
  case OpKind::Split:
    views[0].offset = shapes[0][attrs.dim] / attrs.parts * result *
                      views[0].strides[attrs.dim];
    return views;
  default:
    return std::nullopt;
  }
}

/// Computes a result row by row from operands that are read by strides.
template <typename T>
void evaluateStrided(OpKind kind, ArrayRef<StridedView> views,
                     TensorSystem<T> system, Tensor<T> &result) {
  int64_t columns = result.shape.empty() ? 1 : result.shape.back();
  bool computes = isElementwise(kind);
  forChunks(system.options, result.data.size() / columns, 4 * columns,
            [&](int64_t begin, int64_t end) {
              TensorSystem<T> s = system;
              llvm::SmallVector<T, 3> args(views.size());
              llvm::SmallVector<const T *, 3> from(views.size());
              llvm::SmallVector<int64_t, 3> steps(views.size());
              for (int64_t row = begin; row < end; ++row) {
                auto at = delinearize(result.shape, row * columns);
                for (auto [i, view] : llvm::enumerate(views)) {
                  int64_t offset = view.offset;
                  for (auto [index, stride] : llvm::zip(at, view.strides))
                    offset += index * stride;
                  from[i] = s.operands[i]->data.data() + offset;
                  steps[i] = at.empty() ? 0 : view.strides.back();
                }
                T *to = &result.data[row * columns];
                if (!computes) {
                  for (int64_t j = 0; j < columns; ++j)
                    to[j] = from[0][j * steps[0]];
                  continue;
                }
                for (int64_t j = 0; j < columns; ++j) {
                  for (size_t i = 0; i < args.size(); ++i)
                    args[i] = from[i][j * steps[i]];
                  to[j] =
                      evaluateScalar<TensorSystem<T>>(kind, s.attrs, args, s);
                }
              }
            });
}

/// Copies a tensor row by row to where it begins in a larger one.
template <typename T>
void copyInto(const Tensor<T> &from, ArrayRef<int64_t> begin,
              const EvaluateOptions &options, Tensor<T> &to) {
  int64_t columns = from.shape.empty() ? 1 : from.shape.back();
  forChunks(options, from.data.size() / columns, 4 * columns,
            [&](int64_t first, int64_t last) {
              for (int64_t row = first; row < last; ++row) {
                auto at = delinearize(from.shape, row * columns);
                for (auto [index, offset] : llvm::zip(at, begin))
                  index += offset;
                std::copy_n(&from.data[row * columns], columns,
                            &to.data[linearize(to.shape, at)]);
              }
            });
}

template <typename T>
void evaluateConcat(TensorSystem<T> system, Tensor<T> &result) {
  llvm::SmallVector<int64_t, 4> begin(result.shape.size());
  for (const Tensor<T> *operand : system.operands) {
    copyInto(*operand, begin, system.options, result);
    begin[system.attrs.dim] += operand->shape[system.attrs.dim];
  }
}

template <typename T>
void evaluatePad(TensorSystem<T> system, Tensor<T> &result) {
  std::fill(result.data.begin(), result.data.end(),
            system.constant(system.attrs.scalar));
  copyInto(*system.operands[0], system.attrs.offsets, system.options, result);
}

/// Sums in the order of Element.h, all elements behind the reduced dimension
/// together.
template <typename T>
void evaluateReduction(const Tensor<T> &in, TensorSystem<T> system,
                       Tensor<T> &result) {
  const OpAttributes &attrs = system.attrs;
  int64_t size = in.shape[attrs.dim], extent = attrs.group ? attrs.group : size,
          inner = elementCount(ShapeRef(in.shape).drop_front(attrs.dim + 1));
  bool isMax = attrs.reduceKind == ReduceKind::Max;
  forChunks(
      system.options, result.data.size() / inner, extent * inner,
      [&](int64_t begin, int64_t end) {
        TensorSystem<T> s = system;
        T initial =
            s.constant(isMax ? -std::numeric_limits<double>::infinity() : 0.0);
        for (int64_t line = begin; line < end; ++line) {
          const T *from = &in.data[line * extent * inner];
          T *to = &result.data[line * inner];
          std::fill_n(to, inner, s.beginSum(initial));
          for (int64_t k = 0; k < extent; ++k, from += inner)
            for (int64_t j = 0; j < inner; ++j)
              to[j] = isMax ? s.max(to[j], from[j]) : s.addTerm(to[j], from[j]);
          for (int64_t j = 0; j < inner; ++j)
            to[j] = s.endSum(to[j]);
          if (attrs.reduceKind != ReduceKind::Mean)
            continue;
          T count = s.constant(static_cast<double>(extent));
          for (int64_t j = 0; j < inner; ++j)
            to[j] = s.div(to[j], count);
        }
      });
}

/// Copies the matrices of `in` transposed.
template <typename T>
Tensor<T> transposeMatrices(const Tensor<T> &in,
                            const EvaluateOptions &options) {
  Tensor<T> out(in.shape);
  std::swap(out.shape.rbegin()[0], out.shape.rbegin()[1]);
  int64_t rows = in.shape.rbegin()[1], columns = in.shape.rbegin()[0];
  forChunks(options, in.data.size() / columns, columns,
            [&](int64_t begin, int64_t end) {
              for (int64_t row = begin; row < end; ++row) {
                int64_t batch = row / rows, r = row % rows;
                for (int64_t c = 0; c < columns; ++c)
                  out.data[(batch * columns + c) * rows + r] =
                      in.data[row * columns + c];
              }
            });
  return out;
}

/// Offset of the matrix that row `row` of a product's result needs of an
/// operand, in matrices: batch dimensions of size one stay at zero.
inline int64_t getBatch(int64_t batch, ShapeRef result, ShapeRef operand) {
  int64_t offset = 0, stride = 1;
  for (size_t dim = result.size() - 2; dim-- > 0; batch /= result[dim]) {
    if (operand[dim] != 1)
      offset += batch % result[dim] * stride;
    stride *= operand[dim];
  }
  return offset;
}

/// Adds lhs x rhs to result, row by row: each element adds its products in the
/// order of the contracted dimension, like Element.h.
template <typename T>
void accumulateProduct(const Tensor<T> &lhs, const Tensor<T> &rhs,
                       TensorSystem<T> system, Tensor<T> &result) {
  int64_t rows = result.shape.rbegin()[1], columns = result.shape.back(),
          depth = lhs.shape.back();
  forChunks(system.options, result.data.size() / columns, columns * depth,
            [&](int64_t begin, int64_t end) {
              TensorSystem<T> s = system;
              for (int64_t row = begin; row < end; ++row) {
                int64_t lhsBatch =
                    getBatch(row / rows, result.shape, lhs.shape);
                int64_t rhsBatch =
                    getBatch(row / rows, result.shape, rhs.shape);
                const T *a = &lhs.data[(lhsBatch * rows + row % rows) * depth];
                const T *b = &rhs.data[rhsBatch * depth * columns];
                T *c = &result.data[row * columns];
                for (int64_t k = 0; k < depth; ++k)
                  for (int64_t j = 0; j < columns; ++j)
                    c[j] = s.addTerm(c[j], s.mul(a[k], b[k * columns + j]));
                for (int64_t j = 0; j < columns; ++j)
                  c[j] = s.endSum(c[j]);
              }
            });
}

template <typename T>
void evaluateProduct(const Tensor<T> &lhs, const Tensor<T> &rhs,
                     TensorSystem<T> s, Tensor<T> &result) {
  Tensor<T> left, right;
  const Tensor<T> *a = &lhs, *b = &rhs;
  auto own = [](const Tensor<T> *&use, Tensor<T> &copy, Tensor<T> value) {
    copy = std::move(value);
    use = &copy;
  };
  if (s.attrs.transposeLhs)
    own(a, left, transposeMatrices(*a, s.options));
  if (s.attrs.transposeRhs)
    own(b, right, transposeMatrices(*b, s.options));
  if (s.attrs.tf32) {
    own(a, left, *a);
    own(b, right, *b);
    for (Tensor<T> *operand : {&left, &right})
      for (T &value : operand->data)
        value = s.roundToTF32(value);
  }
  accumulateProduct(*a, *b, s, result);
}

/// Numbers of a convolution, whatever the order of its dimensions.
struct ConvolutionShape {
  ConvolutionShape(const OpAttributes &attrs, ShapeRef in, ShapeRef filter,
                   ShapeRef result)
      : attrs(attrs), isChannelsFirst(attrs.convLayout == ConvLayout::NCHW),
        inChannels(in[getChannelDim()]), outChannels(result[getChannelDim()]),
        groupIn(filter[isChannelsFirst ? 1 : 2]),
        groupOut(outChannels / attrs.convGroups) {
    for (unsigned i = 0; i < 2; ++i) {
      inSize[i] = in[isChannelsFirst ? 2 + i : 1 + i];
      outSize[i] = result[isChannelsFirst ? 2 + i : 1 + i];
      filterSize[i] = filter[isChannelsFirst ? 2 + i : i];
    }
  }

  unsigned getChannelDim() const { return isChannelsFirst ? 1 : 3; }
  int64_t getDepth() const { return groupIn * filterSize[0] * filterSize[1]; }

  /// Offsets of one channel at row 0 and column 0, and from position to
  /// position, in a tensor of images of `size` with `channels`.
  int64_t getStart(int64_t image, int64_t channel, ArrayRef<int64_t> size,
                   int64_t channels) const {
    int64_t positions = size[0] * size[1];
    return image * positions * channels +
           channel * (isChannelsFirst ? positions : 1);
  }
  int64_t getStep(int64_t channels) const {
    return isChannelsFirst ? 1 : channels;
  }
  int64_t getFilterOffset(int64_t out, int64_t in, int64_t row,
                          int64_t column) const {
    return isChannelsFirst
               ? ((out * groupIn + in) * filterSize[0] + row) * filterSize[1] +
                     column
               : ((row * filterSize[1] + column) * groupIn + in) * outChannels +
                     out;
  }

  const OpAttributes &attrs;
  bool isChannelsFirst;
  int64_t inChannels, outChannels, groupIn, groupOut;
  std::array<int64_t, 2> inSize, outSize, filterSize;
};

/// Returns the filter as [group, channel, row, column, the group's result
/// channels], so that the latter lie beside each other.
template <typename T>
std::vector<T> packFilter(const ConvolutionShape &shape,
                          const Tensor<T> &filter) {
  std::vector<T> packed;
  packed.reserve(filter.data.size());
  for (int64_t group = 0; group < shape.attrs.convGroups; ++group)
    for (int64_t in = 0; in < shape.groupIn; ++in)
      for (int64_t row = 0; row < shape.filterSize[0]; ++row)
        for (int64_t column = 0; column < shape.filterSize[1]; ++column)
          for (int64_t out = 0; out < shape.groupOut; ++out)
            packed.push_back(filter.data[shape.getFilterOffset(
                group * shape.groupOut + out, in, row, column)]);
  return packed;
}

/// Sums in the order of Element.h, all result channels of a group together;
/// what is read beside the image is left out.
template <typename T>
void evaluateConvolution(const Tensor<T> &input, const Tensor<T> &filter,
                         TensorSystem<T> system, Tensor<T> &result) {
  const OpAttributes &attrs = system.attrs;
  ConvolutionShape shape(attrs, input.shape, filter.shape, result.shape);
  std::vector<T> packed = packFilter(shape, filter);
  int64_t positions = shape.outSize[0] * shape.outSize[1],
          count = input.shape[0] * positions * attrs.convGroups;
  auto getPlace = [&](unsigned dim, int64_t out, int64_t tap) {
    return out * attrs.convStrides[dim] + tap * attrs.convDilations[dim] -
           attrs.convPadding[2 * dim];
  };
  auto run = [&](int64_t begin, int64_t end) {
    TensorSystem<T> s = system;
    std::vector<T> sums(shape.groupOut);
    for (int64_t i = begin; i < end; ++i) {
      int64_t group = i % attrs.convGroups,
              position = i / attrs.convGroups % positions,
              image = i / attrs.convGroups / positions;
      const T *taps = &packed[group * shape.getDepth() * shape.groupOut];
      std::fill(sums.begin(), sums.end(), s.beginSum(s.constant(0.0)));
      for (int64_t in = 0; in < shape.groupIn; ++in) {
        const T *image0 = &input.data[shape.getStart(
            image, group * shape.groupIn + in, shape.inSize, shape.inChannels)];
        for (int64_t row = 0; row < shape.filterSize[0]; ++row)
          for (int64_t column = 0; column < shape.filterSize[1];
               ++column, taps += shape.groupOut) {
            int64_t y = getPlace(0, position / shape.outSize[1], row),
                    x = getPlace(1, position % shape.outSize[1], column);
            if (y < 0 || y >= shape.inSize[0] || x < 0 || x >= shape.inSize[1])
              continue;
            const T &value = image0[(y * shape.inSize[1] + x) *
                                    shape.getStep(shape.inChannels)];
            for (int64_t out = 0; out < shape.groupOut; ++out)
              sums[out] = s.addTerm(sums[out], s.mul(value, taps[out]));
          }
      }
      int64_t step = shape.getStep(shape.outChannels);
      for (int64_t out = 0; out < shape.groupOut; ++out)
        result.data[shape.getStart(image, group * shape.groupOut + out,
                                   shape.outSize, shape.outChannels) +
                    position * step] = s.endSum(sums[out]);
    }
  };
  forChunks(system.options, count, shape.getDepth() * shape.groupOut, run);
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

} // namespace mirage::detail

template <typename T>
llvm::SmallVector<mirage::Tensor<T>, 1>
mirage::evaluate(OpKind kind, const OpAttributes &attrs,
                 llvm::ArrayRef<const Tensor<T> *> operands,
                 const EvaluateOptions &options) {
  using namespace detail;
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
  TensorSystem<T> system(operands, attrs, options);
  llvm::SmallVector<Tensor<T>, 1> results;
  for (unsigned number = 0; number < resultShapes.size(); ++number) {
    const Shape &shape = resultShapes[number];
    Tensor<T> &result = results.emplace_back(shape);
    if (options.onlyGeneric)
      evaluateGeneric(kind, shapes, number, system, result);
    else if (kind == OpKind::Matmul)
      evaluateProduct(*operands[0], *operands[1], system, result);
    else if (kind == OpKind::ConcatMatmul) {
      evaluateProduct(*operands[0], *operands[2], system, result);
      evaluateProduct(*operands[1], *operands[3], system, result);
    } else if (kind == OpKind::Conv2d)
      evaluateConvolution(*operands[0], *operands[1], system, result);
    else if (kind == OpKind::Reshape)
      result.data = operands[0]->data;
    else if (kind == OpKind::Concat)
      evaluateConcat(system, result);
    else if (kind == OpKind::Pad)
      evaluatePad(system, result);
    else if (kind == OpKind::Reduce)
      evaluateReduction(*operands[0], system, result);
    else if (isElementwise(kind) &&
             llvm::all_of(shapes, [&](const Shape &s) { return s == shape; }))
      evaluateEqualShapes(kind, system, result);
    else if (auto views = getViews(kind, attrs, shapes, number))
      evaluateStrided(kind, *views, system, result);
    else
      evaluateGeneric(kind, shapes, number, system, result);
  }
  return results;
}

#endif // MIRAGE_LIB_SEMANTICS_EVALUATEIMPL_H
