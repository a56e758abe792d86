//===- ShapeRules.cpp - Result shapes and their constraints ---------------===//
//
// Implements one function per operator or family. Constraint numbers are those
// of the operators' documentation (ComputeOps.td).
//
//===----------------------------------------------------------------------===//

#include "Mirage/Semantics/ShapeRules.h"
#include "Mirage/Semantics/ProductDims.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mirage;
using llvm::ArrayRef;
using llvm::failure;
using llvm::formatv;
using llvm::LogicalResult;
using llvm::SmallVectorImpl;
using llvm::success;

std::optional<int64_t> mirage::checkedElementCount(ShapeRef shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    if (llvm::MulOverflow(count, size, count))
      return std::nullopt;
  return count;
}

std::string mirage::toString(ShapeRef shape) {
  if (shape.empty())
    return "scalar";
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(shape, os, "x");
  return text;
}

std::optional<Shape> mirage::broadcastShapes(ArrayRef<Shape> shapes) {
  Shape result = shapes.front();
  for (const Shape &shape : shapes.drop_front()) {
    if (shape.size() != result.size())
      return std::nullopt;
    for (auto [size, other] : llvm::zip(result, shape)) {
      if (size == 1)
        size = other;
      else if (other != 1 && other != size)
        return std::nullopt;
    }
  }
  return result;
}

namespace {
/// The state shared by the shape rules: operands in, results or an error out.
struct Rule {
  OpKind kind;
  const OpAttributes &attrs;
  ArrayRef<Shape> operands;
  SmallVectorImpl<Shape> &results;
  std::string &error;

  LogicalResult fail(unsigned constraint, const llvm::Twine &message) {
    error = (message + " (" + getOpInfo(kind).mnemonic + "_c" +
             llvm::Twine(constraint) + ")")
                .str();
    return failure();
  }
  LogicalResult done(Shape shape) {
    results.push_back(std::move(shape));
    return success();
  }
  /// Checks constraint 1 of every operator with a `dim` attribute.
  LogicalResult checkDim(size_t rank) {
    if (attrs.dim >= 0 && attrs.dim < static_cast<int64_t>(rank))
      return success();
    return fail(1, formatv("dimension {0} is outside of a tensor of rank {1}",
                           attrs.dim, rank));
  }

  LogicalResult elementwise();
  LogicalResult repeat();
  LogicalResult broadcast();
  LogicalResult reshape();
  LogicalResult transpose();
  LogicalResult slice();
  LogicalResult split();
  LogicalResult concat();
  LogicalResult pad();
  LogicalResult reduce();
  LogicalResult matmul();
  LogicalResult concatMatmul();
  LogicalResult conv2d();
  LogicalResult softmax();
  LogicalResult variance();
  LogicalResult norm();
  LogicalResult channelNorm();
  LogicalResult attention();

private:
  LogicalResult checkEpsilon(unsigned constraint);
  LogicalResult matmulShape(const Shape &lhs, const Shape &rhs, Shape &result);
};
} // namespace

LogicalResult Rule::elementwise() {
  if (kind == OpKind::Clamp && !(attrs.lower <= attrs.upper))
    return fail(1, formatv("lower bound {0:e} is not at most upper bound {1:e}",
                           attrs.lower, attrs.upper));
  std::optional<Shape> shape = broadcastShapes(operands);
  if (!shape)
    return fail(1, formatv("operand shapes {0:$[ and ]} are neither equal nor "
                           "broadcast by sizes of one",
                           llvm::map_range(operands, [](const Shape &shape) {
                             return toString(shape);
                           })));
  return done(*shape);
}

LogicalResult Rule::repeat() {
  const Shape &in = operands[0];
  if (attrs.repeats.size() != in.size())
    return fail(1, formatv("{0} repeats for a tensor of rank {1}",
                           attrs.repeats.size(), in.size()));
  Shape out;
  for (auto [size, times] : llvm::zip(in, attrs.repeats)) {
    int64_t product;
    if (times < 1)
      return fail(2, formatv("repeat of {0} is not positive", times));
    if (llvm::MulOverflow(size, times, product))
      return fail(3, "result size exceeds 64 bits");
    out.push_back(product);
  }
  return done(out);
}

LogicalResult Rule::broadcast() {
  const Shape &in = operands[0], &out = attrs.resultShape;
  if (in.size() != out.size())
    return fail(1, formatv("operand of rank {0} and result of rank {1}",
                           in.size(), out.size()));
  for (size_t i = 0; i < in.size(); ++i)
    if (in[i] != 1 && in[i] != out[i])
      return fail(2, formatv("dimension {0} of size {1} cannot become {2}", i,
                             in[i], out[i]));
  return done(out);
}

LogicalResult Rule::reshape() {
  std::optional<int64_t> in = checkedElementCount(operands[0]);
  std::optional<int64_t> out = checkedElementCount(attrs.resultShape);
  if (!in || !out || *in != *out)
    return fail(1, formatv("{0} and {1} hold different numbers of elements",
                           toString(operands[0]), toString(attrs.resultShape)));
  return done(attrs.resultShape);
}

LogicalResult Rule::transpose() {
  const Shape &in = operands[0];
  llvm::SmallBitVector seen(in.size());
  bool valid = attrs.permutation.size() == in.size();
  Shape out;
  for (int64_t dim : attrs.permutation) {
    if (!valid || dim < 0 || dim >= static_cast<int64_t>(in.size()) ||
        seen.test(dim)) {
      valid = false;
      break;
    }
    seen.set(dim);
    out.push_back(in[dim]);
  }
  if (!valid)
    return fail(1, formatv("[{0:$[, ]}] is no permutation of {1} dimensions",
                           llvm::make_range(attrs.permutation.begin(),
                                            attrs.permutation.end()),
                           in.size()));
  return done(out);
}

LogicalResult Rule::slice() {
  const Shape &in = operands[0];
  if (attrs.offsets.size() != in.size() || attrs.sizes.size() != in.size() ||
      attrs.strides.size() != in.size())
    return fail(1, formatv("offsets, sizes and strides must each have {0} "
                           "entries, one per dimension",
                           in.size()));
  for (size_t i = 0; i < in.size(); ++i) {
    int64_t offset = attrs.offsets[i], size = attrs.sizes[i],
            stride = attrs.strides[i], last;
    if (offset < 0 || size < 1 || stride < 1)
      return fail(2, formatv("dimension {0} has offset {1}, size {2}, stride "
                             "{3}; the first must not be negative, the others "
                             "must be positive",
                             i, offset, size, stride));
    if (llvm::MulOverflow(size - 1, stride, last) ||
        llvm::AddOverflow(last, offset, last) || last >= in[i])
      return fail(3, formatv("the slice of dimension {0} ends outside of its "
                             "{1} elements",
                             i, in[i]));
  }
  return done(Shape(attrs.sizes));
}

LogicalResult Rule::split() {
  const Shape &in = operands[0];
  if (llvm::failed(checkDim(in.size())))
    return failure();
  if (attrs.parts < 1 || in[attrs.dim] % attrs.parts)
    return fail(2, formatv("dimension {0} of size {1} is not divided by {2} "
                           "parts",
                           attrs.dim, in[attrs.dim], attrs.parts));
  Shape part = in;
  part[attrs.dim] /= attrs.parts;
  results.append(attrs.parts, part);
  return success();
}

LogicalResult Rule::concat() {
  Shape out = operands[0];
  if (llvm::failed(checkDim(out.size())))
    return failure();
  for (const Shape &in : operands.drop_front()) {
    bool fits = in.size() == out.size();
    for (size_t i = 0; fits && i < in.size(); ++i)
      fits = static_cast<int64_t>(i) == attrs.dim || in[i] == out[i];
    if (!fits)
      return fail(2, formatv("{0} and {1} differ outside of dimension {2}",
                             toString(operands[0]), toString(in), attrs.dim));
    if (llvm::AddOverflow(out[attrs.dim], in[attrs.dim], out[attrs.dim]))
      return fail(3, "result size exceeds 64 bits");
  }
  return done(out);
}

LogicalResult Rule::pad() {
  const Shape &in = operands[0];
  if (attrs.offsets.size() != in.size() || attrs.sizes.size() != in.size())
    return fail(1, formatv("low and high must each have {0} entries, one per "
                           "dimension",
                           in.size()));
  Shape out;
  for (size_t i = 0; i < in.size(); ++i) {
    int64_t size;
    if (attrs.offsets[i] < 0 || attrs.sizes[i] < 0)
      return fail(2, formatv("padding of dimension {0} is negative", i));
    if (llvm::AddOverflow(in[i], attrs.offsets[i], size) ||
        llvm::AddOverflow(size, attrs.sizes[i], size))
      return fail(3, "result size exceeds 64 bits");
    out.push_back(size);
  }
  return done(out);
}

LogicalResult Rule::reduce() {
  Shape out = operands[0];
  if (llvm::failed(checkDim(out.size())))
    return failure();
  int64_t &size = out[attrs.dim];
  if (attrs.group < 0)
    return fail(2, "the group must be positive");
  if (attrs.group && size % attrs.group)
    return fail(2, formatv("groups of {0} do not divide dimension {1} of size "
                           "{2}",
                           attrs.group, attrs.dim, size));
  if (attrs.group && attrs.keep)
    return fail(3, "a grouped reduction always keeps its dimension; 'keep' "
                   "belongs to reductions of a whole dimension");
  if (attrs.group)
    size /= attrs.group;
  else if (attrs.keep)
    size = 1;
  else
    out.erase(out.begin() + attrs.dim);
  return done(out);
}

LogicalResult Rule::matmulShape(const Shape &lhs, const Shape &rhs,
                                Shape &result) {
  if (lhs.size() < 2 || lhs.size() != rhs.size())
    return fail(1, formatv("operands of ranks {0} and {1}; both must have the "
                           "same rank of at least two",
                           lhs.size(), rhs.size()));
  size_t rank = lhs.size();
  int64_t rows = lhs[getKeptDim(attrs, ProductOperand::Lhs, rank)];
  int64_t columns = rhs[getKeptDim(attrs, ProductOperand::Rhs, rank)];
  int64_t lhsK = lhs[getContractedDim(attrs, ProductOperand::Lhs, rank)];
  int64_t rhsK = rhs[getContractedDim(attrs, ProductOperand::Rhs, rank)];
  if (lhsK != rhsK)
    return fail(2, formatv("lhs contracts {0} elements, rhs {1}", lhsK, rhsK));
  result.clear();
  for (size_t i = 0; i + 2 < rank; ++i) {
    if (lhs[i] != rhs[i] && lhs[i] != 1 && rhs[i] != 1)
      return fail(3, formatv("batch dimension {0} is {1} in lhs and {2} in rhs",
                             i, lhs[i], rhs[i]));
    result.push_back(lhs[i] == 1 ? rhs[i] : lhs[i]);
  }
  result.push_back(rows);
  result.push_back(columns);
  return success();
}

LogicalResult Rule::matmul() {
  Shape out;
  if (llvm::failed(matmulShape(operands[0], operands[1], out)))
    return failure();
  return done(out);
}

LogicalResult Rule::concatMatmul() {
  Shape first, second;
  if (llvm::failed(matmulShape(operands[0], operands[2], first)) ||
      llvm::failed(matmulShape(operands[1], operands[3], second)))
    return failure();
  if (first != second)
    return fail(4, formatv("the products have shapes {0} and {1}",
                           toString(first), toString(second)));
  return done(first);
}

LogicalResult Rule::conv2d() {
  const Shape &in = operands[0], &filter = operands[1];
  if (in.size() != 4 || filter.size() != 4)
    return fail(1, formatv("input of rank {0} and filter of rank {1}; both "
                           "must be four",
                           in.size(), filter.size()));
  auto positive = [](int64_t v) { return v > 0; };
  if (attrs.convStrides.size() != 2 || attrs.convDilations.size() != 2 ||
      attrs.convPadding.size() != 4 ||
      !llvm::all_of(attrs.convStrides, positive) ||
      !llvm::all_of(attrs.convDilations, positive) ||
      !llvm::all_of(attrs.convPadding, [](int64_t v) { return v >= 0; }))
    return fail(2, "needs two positive strides, two positive dilations and "
                   "four paddings that are not negative");
  bool nchw = attrs.convLayout == ConvLayout::NCHW;
  int64_t channels = in[nchw ? 1 : 3], outChannels = filter[nchw ? 0 : 3],
          groupChannels = filter[nchw ? 1 : 2], groups = attrs.convGroups;
  if (groups < 1 || channels % groups || outChannels % groups)
    return fail(3, formatv("{0} groups do not divide {1} input and {2} output "
                           "channels",
                           groups, channels, outChannels));
  if (groupChannels != channels / groups)
    return fail(4, formatv("the filter reads {0} channels, each group has {1}",
                           groupChannels, channels / groups));
  Shape spatial;
  for (int i = 0; i < 2; ++i) {
    int64_t size = in[(nchw ? 2 : 1) + i], taps = filter[(nchw ? 2 : 0) + i];
    int64_t padded, reach;
    if (llvm::AddOverflow(size, attrs.convPadding[2 * i], padded) ||
        llvm::AddOverflow(padded, attrs.convPadding[2 * i + 1], padded) ||
        llvm::MulOverflow(taps - 1, attrs.convDilations[i], reach) ||
        reach >= padded)
      return fail(5, formatv("the filter of {0} taps does not fit into spatial "
                             "dimension {1} of size {2} with its padding",
                             taps, i, size));
    spatial.push_back((padded - reach - 1) / attrs.convStrides[i] + 1);
  }
  if (nchw)
    return done({in[0], outChannels, spatial[0], spatial[1]});
  return done({in[0], spatial[0], spatial[1], outChannels});
}

LogicalResult Rule::checkEpsilon(unsigned constraint) {
  if (attrs.scalar >= 0)
    return success();
  return fail(constraint, formatv("epsilon is {0:e}, but must not be negative",
                                  attrs.scalar));
}

LogicalResult Rule::softmax() {
  if (llvm::failed(checkDim(operands[0].size())))
    return failure();
  return done(operands[0]);
}

LogicalResult Rule::variance() {
  Shape out = operands[0];
  if (llvm::failed(checkDim(out.size())))
    return failure();
  int64_t &size = out[attrs.dim];
  if (!(attrs.scalar >= 0 && attrs.scalar < static_cast<double>(size)))
    return fail(2, formatv("correction {0} is not at least zero and less than "
                           "the {1} elements of dimension {2}",
                           attrs.scalar, size, attrs.dim));
  if (attrs.keep)
    size = 1;
  else
    out.erase(out.begin() + attrs.dim);
  return done(out);
}

/// rms_norm and layer_norm over the last dimension.
LogicalResult Rule::norm() {
  const Shape &in = operands[0];
  if (in.empty())
    return fail(1, "the operand has no dimension to normalize");
  for (const Shape &weight : operands.drop_front())
    if (weight.size() != 1 || weight[0] != in.back())
      return fail(
          2, formatv("{0} must have shape {1}, not {2}",
                     kind == OpKind::LayerNorm ? "weight and bias" : "weight",
                     in.back(), toString(weight)));
  if (llvm::failed(checkEpsilon(3)))
    return failure();
  return done(in);
}

/// group_norm, instance_norm and batch_norm: dimension 1 holds the channels.
LogicalResult Rule::channelNorm() {
  const Shape &in = operands[0];
  bool isBatchNorm = kind == OpKind::BatchNorm;
  size_t least = isBatchNorm ? 2 : 3;
  if (in.size() < least)
    return fail(1, formatv("the operand has rank {0}, but at least {1} "
                           "dimensions are needed",
                           in.size(), least));
  for (const Shape &perChannel : operands.drop_front())
    if (perChannel.size() != 1 || perChannel[0] != in[1])
      return fail(2, formatv("{0} must have shape {1}, one element per "
                             "channel, not {2}",
                             isBatchNorm ? "mean, variance, weight and bias"
                                         : "weight and bias",
                             in[1], toString(perChannel)));
  if (llvm::failed(checkEpsilon(3)))
    return failure();
  if (kind == OpKind::GroupNorm && (attrs.groups < 1 || in[1] % attrs.groups))
    return fail(4, formatv("{0} groups do not divide {1} channels",
                           attrs.groups, in[1]));
  return done(in);
}

LogicalResult Rule::attention() {
  const Shape &q = operands[0], &k = operands[1], &v = operands[2];
  size_t rank = q.size();
  if (rank < 2 || k.size() != rank || v.size() != rank)
    return fail(1, formatv("queries, keys and values have ranks {0}, {1} and "
                           "{2}; they must have one rank of at least two",
                           rank, k.size(), v.size()));
  if (q.back() != k.back())
    return fail(
        2, formatv("queries have {0} elements, keys {1}", q.back(), k.back()));
  if (k[rank - 2] != v[rank - 2])
    return fail(3, formatv("there are {0} keys and {1} values", k[rank - 2],
                           v[rank - 2]));
  auto getBatch = [](const Shape &shape) {
    return Shape(ArrayRef(shape).drop_back(2));
  };
  std::optional<Shape> scores = broadcastShapes({getBatch(q), getBatch(k)});
  std::optional<Shape> out;
  if (scores)
    out = broadcastShapes({*scores, getBatch(v)});
  if (!out)
    return fail(4, formatv("the batch dimensions of {0}, {1} and {2} are "
                           "neither equal nor one",
                           toString(q), toString(k), toString(v)));
  scores->append({q[rank - 2], k[rank - 2]});
  if (operands.size() > 3) {
    const Shape &mask = operands[3];
    if (broadcastShapes({*scores, mask}) != scores)
      return fail(5, formatv("the mask of shape {0} is not broadcast to the "
                             "scores' {1} by sizes of one",
                             toString(mask), toString(*scores)));
  }
  out->append({q[rank - 2], v.back()});
  return done(*out);
}

LogicalResult mirage::inferShapes(OpKind kind, const OpAttributes &attributes,
                                  ArrayRef<Shape> operands,
                                  SmallVectorImpl<Shape> &results,
                                  std::string &error) {
  const OpInfo &info = getOpInfo(kind);
  if (operands.size() < info.minOperands ||
      operands.size() > info.maxOperands) {
    error = formatv("has {0} operands, {1} takes at least {2} ({1}_c1)",
                    operands.size(), info.mnemonic, info.minOperands);
    return failure();
  }
  Rule rule{kind, attributes, operands, results, error};
  switch (kind) {
  case OpKind::Constant:
    return rule.done(attributes.resultShape);
  case OpKind::Repeat:
    return rule.repeat();
  case OpKind::Broadcast:
    return rule.broadcast();
  case OpKind::Reshape:
    return rule.reshape();
  case OpKind::Transpose:
    return rule.transpose();
  case OpKind::Slice:
    return rule.slice();
  case OpKind::Split:
    return rule.split();
  case OpKind::Concat:
    return rule.concat();
  case OpKind::Pad:
    return rule.pad();
  case OpKind::Reduce:
    return rule.reduce();
  case OpKind::Matmul:
    return rule.matmul();
  case OpKind::ConcatMatmul:
    return rule.concatMatmul();
  case OpKind::Conv2d:
    return rule.conv2d();
  case OpKind::RmsNorm:
  case OpKind::LayerNorm:
    return rule.norm();
  case OpKind::GroupNorm:
  case OpKind::InstanceNorm:
  case OpKind::BatchNorm:
    return rule.channelNorm();
  case OpKind::Variance:
    return rule.variance();
  case OpKind::Softmax:
  case OpKind::LogSoftmax:
    return rule.softmax();
  case OpKind::Attention:
    return rule.attention();
#define MIRAGE_ELEMENTWISE_OP(Kind, ...) case OpKind::Kind:
#include "Mirage/Semantics/OpKinds.def"
    return rule.elementwise();
  }
  llvm_unreachable("unknown operator");
}
