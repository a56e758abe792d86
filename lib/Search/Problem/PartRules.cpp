//===- PartRules.cpp - Which parts of operands parts of results need ------===//
//
// One rule for each class of operators, forward for the borders of
// concatenations and backward for windows.
//
//===----------------------------------------------------------------------===//

#include "PartRules.h"
#include "Mirage/MuGraph/CloneMuGraph.h"
#include "Mirage/Semantics/Composite.h"
#include "Mirage/Semantics/ProductDims.h"
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

static bool hasUnitStrides(const MuNode &node) {
  return llvm::all_of(node.attributes.strides,
                      [](int64_t stride) { return stride == 1; });
}

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

namespace {
/// Consecutive dimensions of a reshape's operand and result that have the same
/// elements, [first, last) each.
struct ReshapeGroup {
  size_t firstFrom = 0, lastFrom = 0, firstTo = 0, lastTo = 0;
};
} // namespace

/// Divides the dimensions of two shapes of as many elements into the smallest
/// groups that have the same elements.
static llvm::SmallVector<ReshapeGroup, 4> getGroups(ShapeRef from,
                                                    ShapeRef to) {
  llvm::SmallVector<ReshapeGroup, 4> groups;
  size_t i = 0, j = 0;
  while (i < from.size() || j < to.size()) {
    ReshapeGroup group = {i, i, j, j};
    int64_t left = i < from.size() ? from[i++] : 1,
            right = j < to.size() ? to[j++] : 1;
    while (left != right) {
      if (left < right && i < from.size())
        left *= from[i++];
      else if (j < to.size())
        right *= to[j++];
      else
        left *= from[i++];
    }
    group.lastFrom = i;
    group.lastTo = j;
    groups.push_back(group);
  }
  return groups;
}

/// Writes into `window` the elements [low, high) of the dimensions from `first`
/// to `last`; false if they are no box.
static bool setRange(ShapeRef shape, size_t first, size_t last, int64_t low,
                     int64_t high, TensorWindow &window) {
  int64_t inner = 1;
  for (size_t dim = first; dim < last; ++dim)
    inner *= shape[dim];
  for (size_t dim = first; dim < last; ++dim) {
    inner /= shape[dim];
    if (low % inner == 0 && high % inner == 0) {
      window.offsets[dim] = low / inner;
      window.sizes[dim] = (high - low) / inner;
      for (size_t rest = dim + 1; rest < last; ++rest) {
        window.offsets[rest] = 0;
        window.sizes[rest] = shape[rest];
      }
      return true;
    }
    int64_t index = low / inner;
    if ((high - 1) / inner != index)
      return false;
    window.offsets[dim] = index;
    window.sizes[dim] = 1;
    low -= index * inner;
    high -= index * inner;
  }
  return low == 0 && high == 1;
}

/// The elements [low, high) of the dimensions from `first` to `last` that a
/// window has; nothing if they are no such range.
static std::optional<std::pair<int64_t, int64_t>>
getRange(ShapeRef shape, size_t first, size_t last,
         const TensorWindow &window) {
  int64_t low = 0, count = 1;
  bool isPartial = false;
  for (size_t dim = first; dim < last; ++dim) {
    // Behind a dimension that has several elements all are whole.
    if (isPartial && window.sizes[dim] != shape[dim])
      return std::nullopt;
    isPartial |= window.sizes[dim] != 1;
    low = low * shape[dim] + window.offsets[dim];
    count *= window.sizes[dim];
  }
  return std::pair(low, low + count);
}

/// The window of a reshape's operand that has the elements of one of its
/// result.
static std::optional<TensorWindow> reshapeWindow(ShapeRef from, ShapeRef to,
                                                 const TensorWindow &window) {
  TensorWindow result = getWholeWindow(from);
  for (const ReshapeGroup &group : getGroups(from, to)) {
    bool isWhole = true;
    for (size_t dim = group.firstTo; dim < group.lastTo; ++dim)
      isWhole &= window.sizes[dim] == to[dim];
    if (isWhole)
      continue;
    auto range = getRange(to, group.firstTo, group.lastTo, window);
    if (!range || !setRange(from, group.firstFrom, group.lastFrom, range->first,
                            range->second, result))
      return std::nullopt;
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Borders
//===----------------------------------------------------------------------===//

PartRules::PartRules(const MuGraph &program) : program(program) {
  for (MuValue value = 0; value < program.getNumValues(); ++value)
    cuts.emplace_back(program.getShape(value).size());
  for (unsigned number : program.getRegion().nodes) {
    const MuNode &node = program.getNode(number);
    for (MuValue result : node.results)
      definitions[result] = &node;
    if (node.kind == MuNode::Kind::Operator)
      findCuts(node);
    else
      blocked = true;
  }
}

bool PartRules::hasCuts(MuValue value) const {
  return llvm::any_of(cuts[value],
                      [](const auto &positions) { return !positions.empty(); });
}

/// Adds positions, moved, that lie inside of a dimension.
void PartRules::addCuts(const std::set<int64_t> &from, MuValue to, size_t dim,
                        int64_t shift) {
  for (int64_t position : from)
    if (position + shift > 0 && position + shift < program.getShape(to)[dim])
      cuts[to][dim].insert(position + shift);
}

void PartRules::addCutsOfReshape(const MuNode &node) {
  MuValue from = node.operands[0], to = node.results[0];
  ShapeRef before = program.getShape(from), after = program.getShape(to);
  for (const ReshapeGroup &group : getGroups(before, after))
    for (size_t dim = group.firstFrom; dim < group.lastFrom; ++dim)
      for (int64_t position : cuts[from][dim]) {
        // What is before the border must be a range on both sides.
        TensorWindow head = getWholeWindow(before), moved;
        head.sizes[dim] = position;
        auto range = getRange(before, group.firstFrom, group.lastFrom, head);
        moved = getWholeWindow(after);
        if (!range || !setRange(after, group.firstTo, group.lastTo,
                                range->first, range->second, moved)) {
          blocked = true;
          continue;
        }
        for (size_t other = group.firstTo; other < group.lastTo; ++other)
          if (moved.sizes[other] != after[other])
            cuts[to][other].insert(moved.sizes[other]);
      }
}

/// Borders of groups stay borders; others are inside of a sum.
void PartRules::addCutsOfGroups(const std::set<int64_t> &from,
                                const MuNode &node, size_t dim) {
  for (int64_t position : from) {
    blocked |= position % node.attributes.group != 0;
    addCuts({position / node.attributes.group}, node.results[0], dim);
  }
}

llvm::SmallVector<size_t, 2> PartRules::getReducedDims(const MuNode &node,
                                                       size_t rank) {
  switch (node.op) {
  case OpKind::Softmax:
  case OpKind::LogSoftmax:
  case OpKind::Variance:
    return {static_cast<size_t>(node.attributes.dim)};
  case OpKind::RmsNorm:
  case OpKind::LayerNorm:
    return {rank - 1};
  default:
    return {};
  }
}

void PartRules::findCuts(const MuNode &node) {
  const OpAttributes &attributes = node.attributes;
  MuValue result = node.results[0];
  auto isAnyCut = [&] {
    return llvm::any_of(node.operands,
                        [&](MuValue operand) { return hasCuts(operand); });
  };
  auto addSame = [&](MuValue operand) {
    for (size_t dim = 0; dim < cuts[result].size(); ++dim)
      addCuts(cuts[operand][dim], result, dim);
  };
  if (isElementwise(node.op) || node.op == OpKind::Broadcast) {
    llvm::for_each(node.operands, addSame);
    return;
  }
  size_t rank = cuts[result].size();
  switch (node.op) {
  case OpKind::Transpose:
    for (auto [dim, from] : llvm::enumerate(attributes.permutation))
      addCuts(cuts[node.operands[0]][from], result, dim);
    return;
  case OpKind::Reshape:
    return addCutsOfReshape(node);
  case OpKind::Slice:
    if (!hasUnitStrides(node)) {
      blocked |= isAnyCut();
      return;
    }
    for (size_t dim = 0; dim < rank; ++dim)
      addCuts(cuts[node.operands[0]][dim], result, dim,
              -attributes.offsets[dim]);
    return;
  case OpKind::Split:
    for (auto [number, part] : llvm::enumerate(node.results))
      for (size_t dim = 0; dim < rank; ++dim) {
        int64_t offset = 0;
        if (static_cast<int64_t>(dim) == attributes.dim)
          offset = static_cast<int64_t>(number) * program.getShape(part)[dim];
        addCuts(cuts[node.operands[0]][dim], part, dim, -offset);
      }
    return;
  case OpKind::Concat: {
    int64_t offset = 0;
    for (MuValue operand : node.operands) {
      for (size_t dim = 0; dim < rank; ++dim) {
        bool isAlong = static_cast<int64_t>(dim) == attributes.dim;
        addCuts(cuts[operand][dim], result, dim, isAlong ? offset : 0);
      }
      offset += program.getShape(operand)[attributes.dim];
      addCuts({offset}, result, attributes.dim);
    }
    return;
  }
  case OpKind::Pad:
    for (size_t dim = 0; dim < rank; ++dim) {
      int64_t low = attributes.offsets[dim];
      addCuts(cuts[node.operands[0]][dim], result, dim, low);
      addCuts({low, program.getShape(result)[dim] - attributes.sizes[dim]},
              result, dim);
    }
    return;
  case OpKind::Reduce: {
    auto reduced = static_cast<size_t>(attributes.dim);
    for (size_t dim = 0, to = 0; dim < cuts[node.operands[0]].size(); ++dim) {
      const std::set<int64_t> &own = cuts[node.operands[0]][dim];
      if (dim != reduced)
        addCuts(own, result, to++);
      else if (attributes.group)
        addCutsOfGroups(own, node, to++);
      else
        to += attributes.keep;
    }
    return;
  }
  case OpKind::Matmul: {
    MuValue lhs = node.operands[0], rhs = node.operands[1];
    for (size_t dim = 0; dim + 2 < rank; ++dim)
      for (MuValue operand : node.operands)
        addCuts(cuts[operand][dim], result, dim);
    addCuts(cuts[lhs][getKeptDim(attributes, ProductOperand::Lhs, rank)],
            result, rank - 2);
    addCuts(cuts[rhs][getKeptDim(attributes, ProductOperand::Rhs, rank)],
            result, rank - 1);
    return;
  }
  case OpKind::Softmax:
  case OpKind::LogSoftmax:
  case OpKind::RmsNorm:
  case OpKind::LayerNorm:
    for (size_t dim : getReducedDims(node, rank))
      blocked |= !cuts[node.operands[0]][dim].empty();
    for (MuValue parameter : ArrayRef(node.operands).drop_front())
      blocked |= hasCuts(parameter);
    return addSame(node.operands[0]);
  default:
    blocked |= isAnyCut();
    return;
  }
}

MuGraph mirage::search::expandCutComposites(const MuGraph &program) {
  PartRules rules(program);
  struct Builder {
    MuGraph &graph;
    ElementType type;
    unsigned location;
    MuValue apply(OpKind kind, const OpAttributes &attributes,
                  ArrayRef<MuValue> operands) {
      return graph.addOperator(0, kind, attributes, operands, type, location);
    }
  };
  MuGraph result;
  llvm::DenseMap<MuValue, MuValue> values;
  for (MuValue argument : program.getRegion().arguments)
    values[argument] = result.addArgument(0, program.getShape(argument),
                                          program.getValue(argument).type);
  auto map = [&](ArrayRef<MuValue> list) {
    llvm::SmallVector<MuValue> mapped;
    for (MuValue value : list)
      mapped.push_back(values.lookup(value));
    return mapped;
  };
  for (unsigned number : program.getRegion().nodes) {
    const MuNode &node = program.getNode(number);
    bool isCut = false;
    if (node.kind == MuNode::Kind::Operator && isComposite(node.op))
      for (size_t dim : PartRules::getReducedDims(
               node, program.getShape(node.operands[0]).size()))
        isCut |= !rules.getCuts(node.operands[0], dim).empty();
    if (isCut) {
      Builder builder{result, program.getValue(node.results[0]).type,
                      node.location};
      values[node.results[0]] = buildComposite<MuValue>(
          node.op, node.attributes, Shape(program.getShape(node.operands[0])),
          map(node.operands), builder);
      continue;
    }
    for (auto [old, copy] :
         llvm::zip(node.results,
                   cloneNode(result, 0, program, number, map(node.operands))))
      values[old] = copy;
  }
  result.setResults(0, map(program.getRegion().results));
  return result;
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

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

/// Whether a window of a padded tensor, in which borders end, is outside of
/// what was padded.
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

/// Whether a term of a sum is zero because an operand is padded with zeros.
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

std::optional<Terms> PartRules::findTerms(const MuNode &node,
                                          const TensorWindow &window) const {
  const OpAttributes &attributes = node.attributes;
  ShapeRef shape = program.getShape(node.results[0]);
  bool isWhole = window == getWholeWindow(shape);
  size_t rank = shape.size();
  auto getWhole = [&](MuValue operand) {
    return getWholeWindow(program.getShape(operand));
  };
  // The same part of an operand, that may be broadcast.
  auto getSame = [&](MuValue operand) {
    TensorWindow part = getWhole(operand);
    for (size_t dim = 0; dim < part.sizes.size(); ++dim)
      if (part.sizes[dim] != 1 || shape[dim] == 1) {
        part.offsets[dim] = window.offsets[dim];
        part.sizes[dim] = window.sizes[dim];
      }
    return part;
  };
  OperandWindows term;
  if (isElementwise(node.op) || node.op == OpKind::Broadcast) {
    for (MuValue operand : node.operands)
      term.push_back(getSame(operand));
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
  case OpKind::Reduce: {
    TensorWindow part = getWhole(node.operands[0]);
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
    Terms terms;
    if (attributes.group)
      return Terms{OperandWindows{part}};
    for (TensorWindow &own : cutWindow(part, attributes.dim,
                                       cuts[node.operands[0]][attributes.dim]))
      terms.push_back({own});
    return terms;
  }
  case OpKind::Matmul: {
    size_t lhsK = getContractedDim(attributes, ProductOperand::Lhs, rank),
           rhsK = getContractedDim(attributes, ProductOperand::Rhs, rank);
    TensorWindow lhs = getSame(node.operands[0]),
                 rhs = getSame(node.operands[1]);
    auto set = [&](TensorWindow &part, ProductOperand operand, MuValue value,
                   size_t from, size_t summed) {
      size_t kept = getKeptDim(attributes, operand, rank);
      part.offsets[kept] = window.offsets[from];
      part.sizes[kept] = window.sizes[from];
      part.offsets[summed] = 0;
      part.sizes[summed] = program.getShape(value)[summed];
    };
    set(lhs, ProductOperand::Lhs, node.operands[0], rank - 2, lhsK);
    set(rhs, ProductOperand::Rhs, node.operands[1], rank - 1, rhsK);
    std::set<int64_t> borders = cuts[node.operands[0]][lhsK];
    borders.insert(cuts[node.operands[1]][rhsK].begin(),
                   cuts[node.operands[1]][rhsK].end());
    Terms terms;
    for (auto [left, right] : llvm::zip_equal(cutWindow(lhs, lhsK, borders),
                                              cutWindow(rhs, rhsK, borders)))
      terms.push_back({left, right});
    return terms;
  }
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
