//===- PartRules.cpp - Which parts of operands parts of results need ------===//
//
// One rule for each class of operators says which windows of the operands give
// a window of the result. PartBorders.cpp finds the borders between windows.
//
//===----------------------------------------------------------------------===//

#include "PartRules.h"
#include "Mirage/Semantics/ProductDims.h"
#include "ReshapedWindows.h"
#include "SimplifyProgram.h"
#include "llvm/ADT/STLExtras.h"

using namespace mirage;
using namespace mirage::search;
using llvm::ArrayRef;
using Terms = llvm::SmallVector<OperandWindows, 1>;

TensorWindow mirage::search::getWholeWindow(ShapeRef shape) {
  return {Shape(shape.size(), 0), Shape(shape)};
}

bool mirage::search::overlap(const TensorWindow &a, const TensorWindow &b) {
  for (size_t dim = 0; dim < a.sizes.size(); ++dim)
    if (a.offsets[dim] + a.sizes[dim] <= b.offsets[dim] ||
        b.offsets[dim] + b.sizes[dim] <= a.offsets[dim])
      return false;
  return true;
}

bool mirage::search::isInside(const TensorWindow &inner,
                              const TensorWindow &outer) {
  for (size_t dim = 0; dim < inner.sizes.size(); ++dim)
    if (inner.offsets[dim] < outer.offsets[dim] ||
        inner.offsets[dim] + inner.sizes[dim] >
            outer.offsets[dim] + outer.sizes[dim])
      return false;
  return true;
}

bool mirage::search::hasUnitStrides(const MuNode &node) {
  return llvm::all_of(node.attributes.strides,
                      [](int64_t stride) { return stride == 1; });
}

std::optional<TensorWindow>
PartRules::getSegment(MuValue value, const TensorWindow &window) const {
  ShapeRef shape = program.getShape(value);
  TensorWindow segment = getWholeWindow(shape);
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    int64_t low = 0, high = shape[dim];
    for (int64_t border : cuts[value][dim]) {
      if (border <= window.offsets[dim])
        low = border;
      else if (border < window.offsets[dim] + window.sizes[dim])
        return std::nullopt;
      else
        high = std::min(high, border);
    }
    segment.offsets[dim] = low;
    segment.sizes[dim] = high - low;
  }
  return segment;
}

/// Returns whether a window of a padded tensor, in which borders end, is
/// outside of what was padded.
static bool isPadding(const MuNode &node, const TensorWindow &window,
                      ShapeRef inner) {
  for (size_t dim = 0; dim < inner.size(); ++dim) {
    int64_t low = node.attributes.offsets[dim];
    if (window.offsets[dim] < low || window.offsets[dim] >= low + inner[dim])
      return true;
  }
  return false;
}

bool PartRules::isPadding(const MuNode &node,
                          const TensorWindow &window) const {
  return ::isPadding(node, window, program.getShape(node.operands[0]));
}

/// Returns whether a term of a sum is zero because an operand is padded with
/// zeros.
bool PartRules::isZero(const MuNode &node, const OperandWindows &term) const {
  return llvm::any_of(llvm::zip(node.operands, term), [&](auto operand) {
    MuValue value = std::get<0>(operand);
    TensorWindow window = std::get<1>(operand);
    resolve(value, window);
    const MuNode *definition = getDefinition(value);
    return definition && definition->op == OpKind::Pad &&
           definition->attributes.scalar == 0;
  });
}

void PartRules::resolve(MuValue &value, TensorWindow &window) const {
  while (const MuNode *node = getDefinition(value)) {
    if (node->op == OpKind::Slice && hasUnitStrides(*node)) {
      for (auto [offset, own] :
           llvm::zip(window.offsets, node->attributes.offsets))
        offset += own;
    } else if (node->op == OpKind::Split) {
      window.offsets[node->attributes.dim] +=
          (llvm::find(node->results, value) - node->results.begin()) *
          program.getShape(value)[node->attributes.dim];
    } else if (node->op == OpKind::Concat) {
      int64_t &offset = window.offsets[node->attributes.dim];
      const MuValue *part = node->operands.begin();
      while (offset >= program.getShape(*part)[node->attributes.dim])
        offset -= program.getShape(*part++)[node->attributes.dim];
      value = *part;
      continue;
    } else if (node->op == OpKind::Pad && !isPadding(*node, window)) {
      for (auto [offset, low] :
           llvm::zip(window.offsets, node->attributes.offsets))
        offset -= low;
    } else {
      return;
    }
    value = node->operands[0];
  }
}

/// The parts of a window between borders along a dimension.
llvm::SmallVector<TensorWindow, 1>
PartRules::cutWindow(TensorWindow window, size_t dim,
                     const std::set<int64_t> &borders) const {
  llvm::SmallVector<TensorWindow, 1> parts;
  int64_t end = window.offsets[dim] + window.sizes[dim];
  for (int64_t border : borders) {
    int64_t begin = window.offsets[dim];
    if (border <= begin || border >= end)
      continue;
    window.sizes[dim] = border - begin;
    parts.push_back(window);
    window.offsets[dim] = border;
  }
  window.sizes[dim] = end - window.offsets[dim];
  parts.push_back(window);
  return parts;
}

std::optional<Terms> PartRules::getTerms(const MuNode &node,
                                         const TensorWindow &window) const {
  std::optional<Terms> terms = findTerms(node, window);
  if (!terms)
    return std::nullopt;
  for (const OperandWindows &term : *terms)
    for (auto [operand, part] : llvm::zip(node.operands, term))
      if (!getSegment(operand, part))
        return std::nullopt;
  bool isSum = node.op == OpKind::Matmul ||
               (node.op == OpKind::Reduce &&
                node.attributes.reduceKind != ReduceKind::Max);
  if (isSum && terms->size() > 1)
    llvm::erase_if(
        *terms, [&](const OperandWindows &term) { return isZero(node, term); });
  if (terms->empty())
    return std::nullopt;
  return terms;
}

/// The same part of an operand, which may be broadcast.
TensorWindow PartRules::getSameWindow(MuValue operand, ShapeRef shape,
                                      const TensorWindow &window) const {
  TensorWindow part = getWholeWindow(program.getShape(operand));
  for (size_t dim = 0; dim < part.sizes.size(); ++dim)
    if (part.sizes[dim] != 1 || shape[dim] == 1) {
      part.offsets[dim] = window.offsets[dim];
      part.sizes[dim] = window.sizes[dim];
    }
  return part;
}

/// A reduction has a term for each part of what it reduces over.
Terms PartRules::findTermsOfReduction(const MuNode &node,
                                      const TensorWindow &window) const {
  const OpAttributes &attributes = node.attributes;
  MuValue operand = node.operands[0];
  TensorWindow part = getWholeWindow(program.getShape(operand));
  for (size_t dim = 0, from = 0; dim < part.sizes.size(); ++dim) {
    bool isReduced = static_cast<int64_t>(dim) == attributes.dim;
    if (isReduced && !attributes.group) {
      from += attributes.keep;
      continue;
    }
    int64_t group = isReduced ? attributes.group : 1;
    part.offsets[dim] = window.offsets[from] * group;
    part.sizes[dim] = window.sizes[from++] * group;
  }
  if (attributes.group)
    return {OperandWindows{part}};
  Terms terms;
  for (TensorWindow &own :
       cutWindow(part, attributes.dim, cuts[operand][attributes.dim]))
    terms.push_back({own});
  return terms;
}

/// A product has a term for each part of the contracted dimension, in which
/// both operands have borders.
Terms PartRules::findTermsOfProduct(const MuNode &node,
                                    const TensorWindow &window) const {
  const OpAttributes &attributes = node.attributes;
  ShapeRef shape = program.getShape(node.results[0]);
  size_t rank = shape.size();
  auto getPart = [&](ProductOperand operand, MuValue value, size_t from) {
    TensorWindow part = getSameWindow(value, shape, window);
    size_t kept = getKeptDim(attributes, operand, rank),
           summed = getContractedDim(attributes, operand, rank);
    part.offsets[kept] = window.offsets[from];
    part.sizes[kept] = window.sizes[from];
    part.offsets[summed] = 0;
    part.sizes[summed] = program.getShape(value)[summed];
    return part;
  };
  MuValue lhs = node.operands[0], rhs = node.operands[1];
  size_t lhsK = getContractedDim(attributes, ProductOperand::Lhs, rank),
         rhsK = getContractedDim(attributes, ProductOperand::Rhs, rank);
  std::set<int64_t> borders = cuts[lhs][lhsK];
  borders.insert(cuts[rhs][rhsK].begin(), cuts[rhs][rhsK].end());
  Terms terms;
  for (auto [left, right] :
       llvm::zip_equal(cutWindow(getPart(ProductOperand::Lhs, lhs, rank - 2),
                                 lhsK, borders),
                       cutWindow(getPart(ProductOperand::Rhs, rhs, rank - 1),
                                 rhsK, borders)))
    terms.push_back({left, right});
  return terms;
}

std::optional<Terms> PartRules::findTerms(const MuNode &node,
                                          const TensorWindow &window) const {
  const OpAttributes &attributes = node.attributes;
  ShapeRef shape = program.getShape(node.results[0]);
  bool isWhole = window == getWholeWindow(shape);
  size_t rank = shape.size();
  auto getWhole = [&](MuValue operand) {
    return getWholeWindow(program.getShape(operand));
  };
  OperandWindows term;
  if (isElementwise(node.op) || node.op == OpKind::Broadcast) {
    for (MuValue operand : node.operands)
      term.push_back(getSameWindow(operand, shape, window));
    return Terms{term};
  }
  switch (node.op) {
  case OpKind::Constant:
    if (!isWhole && !getSplat(node))
      return std::nullopt;
    return Terms{term};
  case OpKind::Pad:
    // A constant.
    return Terms{term};
  case OpKind::Transpose:
    term.push_back(getWhole(node.operands[0]));
    for (auto [dim, from] : llvm::enumerate(attributes.permutation)) {
      term[0].offsets[from] = window.offsets[dim];
      term[0].sizes[from] = window.sizes[dim];
    }
    return Terms{term};
  case OpKind::Reshape: {
    auto part =
        reshapeWindow(program.getShape(node.operands[0]), shape, window);
    if (!part)
      return std::nullopt;
    return Terms{OperandWindows{*part}};
  }
  case OpKind::Reduce:
    return findTermsOfReduction(node, window);
  case OpKind::Matmul:
    return findTermsOfProduct(node, window);
  case OpKind::Softmax:
  case OpKind::LogSoftmax:
  case OpKind::RmsNorm:
  case OpKind::LayerNorm:
    for (size_t dim : getReducedDims(node, rank))
      if (window.sizes[dim] != shape[dim])
        return std::nullopt;
    term.push_back(window);
    for (MuValue parameter : ArrayRef(node.operands).drop_front())
      term.push_back(getWhole(parameter));
    return Terms{term};
  default:
    break;
  }
  if (!isWhole)
    return std::nullopt;
  for (MuValue operand : node.operands)
    term.push_back(getWhole(operand));
  return Terms{term};
}
