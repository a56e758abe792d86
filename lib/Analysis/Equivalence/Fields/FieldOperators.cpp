//===- FieldOperators.cpp - Primitives on tensors of residues -------------===//
//
// Operators that are strided loops or products are computed as such, all others
// element by element through Element.h.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/Fields/FieldOperators.h"
#include "Mirage/MuGraph/ExpandedKind.h"
#include "Mirage/Semantics/Element.h"
#include "Mirage/Semantics/IntegerIndices.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include <atomic>

using namespace mirage;
using namespace mirage::equivalence;
using llvm::ArrayRef;

static int64_t linearize(ShapeRef shape, ArrayRef<int64_t> at) {
  int64_t linear = 0;
  for (auto [size, index] : llvm::zip(shape, at))
    linear = linear * size + index;
  return linear;
}

namespace {

/// The system of Element.h that computes with residues.
struct FieldSystem : IntegerIndices<uint64_t> {
  using Value = uint64_t;
  using IntegerIndices<uint64_t>::add;

  const FieldContext &context;
  const OpAttributes &attributes;
  ArrayRef<FieldTensor> operands;
  ElementType type;
  bool isCondition;
  ComparedAs comparedAs;
  bool dividedByZero = false;

  FieldSystem(const FieldContext &context, const OpAttributes &attributes,
              ArrayRef<FieldTensor> operands, ElementType type,
              bool isCondition, ComparedAs comparedAs)
      : context(context), attributes(attributes), operands(operands),
        type(type), isCondition(isCondition), comparedAs(comparedAs) {}

  const PrimeField &field() { return context.field(); }

  uint64_t constant(double value) {
    return context.model.getConstant(context.plane,
                                     getExactConstant(value, type));
  }
  uint64_t add(uint64_t a, uint64_t b) { return field().add(a, b); }
  uint64_t sub(uint64_t a, uint64_t b) { return field().sub(a, b); }
  uint64_t mul(uint64_t a, uint64_t b) { return field().mul(a, b); }
  uint64_t div(uint64_t a, uint64_t b) {
    if (!b) {
      dividedByZero = true;
      return 0;
    }
    return field().mul(a, field().invert(b));
  }
  uint64_t max(uint64_t a, uint64_t b) {
    return context.model.combine(context.plane, true, a, b);
  }
  uint64_t min(uint64_t a, uint64_t b) {
    return context.model.combine(context.plane, false, a, b);
  }
  uint64_t compare(CompareKind kind, uint64_t a, uint64_t b) {
    return context.model.compare(context.plane, kind, a, b, comparedAs);
  }
  uint64_t choose(uint64_t condition, uint64_t a, uint64_t b) {
    if (!isCondition)
      condition = context.model.isNonZero(context.plane, condition, comparedAs);
    return add(mul(condition, sub(a, b)), b);
  }
  uint64_t exp(uint64_t a) { return context.model.exp(a); }
  uint64_t apply(OpKind kind, uint64_t a) {
    return context.model.apply(context.plane, kind, 0, a);
  }
  uint64_t log(uint64_t a) { return apply(OpKind::Log, a); }
  uint64_t sqrt(uint64_t a) { return apply(OpKind::Sqrt, a); }
  uint64_t erf(uint64_t a) { return apply(OpKind::Erf, a); }
  uint64_t tanh(uint64_t a) { return apply(OpKind::Tanh, a); }
  uint64_t sigmoid(uint64_t a) { return apply(OpKind::Sigmoid, a); }
  uint64_t pow(uint64_t a, double exponent) {
    return context.model.apply(context.plane, OpKind::Pow, exponent, a);
  }
  // No primitives.
  uint64_t exp2(uint64_t) { llvm_unreachable("exp2 has been expanded"); }
  uint64_t rsqrt(uint64_t) { llvm_unreachable("rsqrt has been expanded"); }
  uint64_t roundToTF32(uint64_t a) { return a; }

  uint64_t read(unsigned operand, ArrayRef<int64_t> at) {
    const FieldTensor &tensor = operands[operand];
    return tensor.data[linearize(tensor.shape, at)];
  }
  uint64_t element(ArrayRef<int64_t> at) {
    return constant(
        (*attributes.values)[linearize(attributes.resultShape, at)]);
  }
};
} // namespace

static std::optional<FieldTensor>
evaluateGeneric(const FieldSystem &system, OpKind kind, ArrayRef<Shape> shapes,
                unsigned number, ShapeRef shape) {
  FieldTensor result{Shape(shape)};
  std::atomic<bool> dividedByZero = false;
  constexpr int64_t kChunk = 1 << 10;
  int64_t count = result.size();
  system.context.execution.forEach(
      (count + kChunk - 1) / kChunk, [&](int64_t c) {
        FieldSystem s = system;
        int64_t end = std::min(count, (c + 1) * kChunk);
        llvm::SmallVector<int64_t, 4> at(shape.size());
        for (int64_t i = c * kChunk; i < end; ++i) {
          int64_t rest = i;
          for (size_t dim = at.size(); dim-- > 0; rest /= shape[dim])
            at[dim] = rest % shape[dim];
          result.data[i] = evaluateElement<FieldSystem>(kind, s.attributes,
                                                        shapes, number, at, s);
        }
        if (s.dividedByZero)
          dividedByZero = true;
      });
  if (dividedByZero)
    return std::nullopt;
  return result;
}

static FieldTensor evaluateConstant(const FieldContext &context,
                                    const OpAttributes &attributes,
                                    ElementType type) {
  FieldTensor result(attributes.resultShape);
  const std::vector<double> &values = *attributes.values;
  int64_t count = result.size();
  uint64_t residue = 0;
  for (int64_t i = 0; i < count; ++i) {
    if (i == 0 || (values.size() > 1 && values[i] != values[i - 1]))
      residue = context.model.getConstant(context.plane,
                                          getExactConstant(values[i], type));
    result.data[i] = residue;
  }
  return result;
}

/// Sums or group sums along one dimension.
static FieldTensor reduce(const FieldContext &context,
                          const OpAttributes &attributes, const FieldTensor &in,
                          ShapeRef shape) {
  FieldTensor result{Shape(shape)};
  int64_t size = in.shape[attributes.dim], inner = 1;
  for (int64_t extent : ShapeRef(in.shape).drop_front(attributes.dim + 1))
    inner *= extent;
  int64_t extent = attributes.group ? attributes.group : size;
  bool isMax = attributes.reduceKind == ReduceKind::Max;
  const PrimeField &field = context.field();
  const uint64_t *x = in.data.get();
  uint64_t *out = result.data.get();
  // Consecutive results along `inner` read consecutive elements.
  int64_t blocks = result.size() / inner;
  int64_t perTask =
      std::max<int64_t>(1, (1 << 14) / std::max<int64_t>(1, inner * extent));
  context.execution.forEach(
      (blocks + perTask - 1) / perTask, [&](int64_t task) {
        int64_t end = std::min(blocks, (task + 1) * perTask);
        for (int64_t block = task * perTask; block < end; ++block) {
          uint64_t *to = out + block * inner;
          std::fill_n(to, inner, 0);
          for (int64_t k = 0; k < extent; ++k) {
            const uint64_t *from = x + (block * extent + k) * inner;
            for (int64_t i = 0; i < inner; ++i)
              to[i] = field.add(to[i], isMax ? context.model.toGroup(
                                                   context.plane, true, from[i])
                                             : from[i]);
          }
          if (isMax)
            for (int64_t i = 0; i < inner; ++i)
              to[i] = context.model.fromGroup(context.plane, true, to[i]);
        }
      });
  return result;
}

/// Layout operators that are strided views.
static std::optional<FieldTensor>
evaluateView(const FieldContext &context, OpKind kind,
             const OpAttributes &attributes, const FieldTensor &in,
             unsigned result, ShapeRef shape) {
  Shape strides(in.shape.size());
  int64_t stride = 1, offset = 0;
  for (size_t dim = strides.size(); dim-- > 0; stride *= in.shape[dim])
    strides[dim] = stride;
  switch (kind) {
  case OpKind::Reshape: {
    FieldTensor same = in;
    same.shape = Shape(shape);
    return same;
  }
  case OpKind::Transpose: {
    Shape permuted;
    for (int64_t dim : attributes.permutation)
      permuted.push_back(strides[dim]);
    strides = permuted;
    break;
  }
  case OpKind::Broadcast:
    strides = getBroadcastStrides(in.shape);
    break;
  case OpKind::Slice:
    for (size_t dim = 0; dim < strides.size(); ++dim) {
      offset += attributes.offsets[dim] * strides[dim];
      strides[dim] *= attributes.strides[dim];
    }
    break;
  case OpKind::Split:
    offset = in.shape[attributes.dim] / attributes.parts * result *
             strides[attributes.dim];
    break;
  default:
    return std::nullopt;
  }
  return view(context.execution, in, shape, strides, offset);
}

/// Strided loops, or nothing for operators that have none.
static std::optional<FieldTensor>
evaluateElementwise(const FieldContext &context, OpKind kind,
                    const OpAttributes &attributes,
                    ArrayRef<FieldTensor> operands, ShapeRef shape,
                    bool isCondition, ComparedAs comparedAs) {
  const FieldModel &model = context.model;
  Plane plane = context.plane;
  PrimeField field = context.field();
  const Execution &execution = context.execution;
  FieldUnit unit = context.unit;
  switch (getExpandedKind(kind)) {
  case ExpandedKind::Add:
    return zipElements(execution, operands[0], operands[1], shape,
                       [=](uint64_t a, uint64_t b) { return field.add(a, b); });
  case ExpandedKind::Sub:
    return zipElements(execution, operands[0], operands[1], shape,
                       [=](uint64_t a, uint64_t b) { return field.sub(a, b); });
  case ExpandedKind::Mul:
    return multiplyElements(execution, field, operands[0], operands[1], shape,
                            unit);
  case ExpandedKind::Div: {
    FieldTensor inverse;
    if (!invert(execution, field, operands[1], inverse))
      return std::nullopt;
    return multiplyElements(execution, field, operands[0], inverse, shape,
                            unit);
  }
  case ExpandedKind::Max:
  case ExpandedKind::Min: {
    bool isMax = kind == OpKind::Max;
    return zipElements(execution, operands[0], operands[1], shape,
                       [=, &model](uint64_t a, uint64_t b) {
                         return model.combine(plane, isMax, a, b);
                       });
  }
  case ExpandedKind::Compare:
    return zipElements(execution, operands[0], operands[1], shape,
                       [=, &model](uint64_t a, uint64_t b) {
                         return model.compare(plane, attributes.compareKind, a,
                                              b, comparedAs);
                       });
  case ExpandedKind::Select: {
    FieldTensor condition = operands[0];
    if (!isCondition)
      condition = mapElements(execution, condition, [=, &model](uint64_t x) {
        return model.isNonZero(plane, x, comparedAs);
      });
    FieldTensor difference =
        zipElements(execution, operands[1], operands[2], shape,
                    [=](uint64_t a, uint64_t b) { return field.sub(a, b); });
    difference =
        multiplyElements(execution, field, condition, difference, shape, unit);
    return zipElements(execution, difference, operands[2], shape,
                       [=](uint64_t a, uint64_t b) { return field.add(a, b); });
  }
  case ExpandedKind::Exp:
    return mapChunks(execution, operands[0],
                     [=, &model](const uint64_t *in, uint64_t *out, int64_t n) {
                       model.exp(in, n, out, unit);
                     });
  case ExpandedKind::Log:
  case ExpandedKind::Sqrt:
  case ExpandedKind::Sigmoid:
  case ExpandedKind::Erf:
  case ExpandedKind::Tanh:
    return mapElements(execution, operands[0], [=, &model](uint64_t x) {
      return model.apply(plane, kind, 0, x);
    });
  case ExpandedKind::Pow:
    return mapElements(execution, operands[0], [=, &model](uint64_t x) {
      return model.apply(plane, kind, attributes.scalar, x);
    });
  case ExpandedKind::Constant:
  case ExpandedKind::Pad:
  case ExpandedKind::Layout:
  case ExpandedKind::Reduce:
  case ExpandedKind::Matmul:
  case ExpandedKind::Conv2d:
    break;
  }
  llvm_unreachable("not an elementwise operator of an expanded program");
}

std::optional<FieldTensor> equivalence::evaluateInField(
    const FieldContext &context, OpKind kind, const OpAttributes &attributes,
    ArrayRef<FieldTensor> operands, unsigned number, ElementType type,
    bool isCondition, ComparedAs comparedAs) {
  auto shapes = llvm::map_to_vector<4>(
      operands, [](const FieldTensor &tensor) { return tensor.shape; });
  llvm::SmallVector<Shape, 1> results;
  std::string error;
  if (llvm::failed(inferShapes(kind, attributes, shapes, results, error)))
    llvm_unreachable("shapes are checked when a graph is built");
  const Shape &shape = results[number];
  FieldSystem system(context, attributes, operands, type, isCondition,
                     comparedAs);
  if (context.onlyGeneric)
    return evaluateGeneric(system, kind, shapes, number, shape);
  if (kind == OpKind::Constant)
    return evaluateConstant(context, attributes, type);
  if (kind == OpKind::Reduce)
    return reduce(context, attributes, operands[0], shape);
  if (kind == OpKind::Matmul)
    return multiply(context.execution, context.field(), operands[0],
                    operands[1], attributes.transposeLhs,
                    attributes.transposeRhs, shape, context.unit);
  if (kind == OpKind::Conv2d)
    return convolve(context.execution, context.field(), attributes, operands[0],
                    operands[1], shape, context.unit);
  if (isElementwise(kind))
    return evaluateElementwise(context, kind, attributes, operands, shape,
                               isCondition, comparedAs);
  if (isLayout(kind))
    if (auto result =
            evaluateView(context, kind, attributes, operands[0], number, shape))
      return result;
  return evaluateGeneric(system, kind, shapes, number, shape);
}
