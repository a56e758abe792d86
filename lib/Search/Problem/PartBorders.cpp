//===- PartBorders.cpp - Where the borders of concatenations are ----------===//
//
// Follows the borders of concatenations forward through a program, with one
// rule for each class of operators, and takes composite operators apart that a
// border runs through.
//
//===----------------------------------------------------------------------===//

#include "Mirage/MuGraph/CloneMuGraph.h"
#include "Mirage/Semantics/Composite.h"
#include "Mirage/Semantics/ProductDims.h"
#include "PartRules.h"
#include "ReshapedWindows.h"
#include "llvm/ADT/STLExtras.h"

using namespace mirage;
using namespace mirage::search;
using llvm::ArrayRef;

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
  for (const ReshapeGroup &group : getReshapeGroups(before, after))
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

/// What takes a window of a tensor, or makes a tensor of windows, moves borders
/// by the window's place. Concatenations and padding add their own.
void PartRules::addCutsOfWindow(const MuNode &node) {
  const OpAttributes &attributes = node.attributes;
  MuValue result = node.results[0];
  size_t rank = cuts[result].size();
  int64_t offset = 0;
  switch (node.op) {
  case OpKind::Slice:
    if (!hasUnitStrides(node)) {
      blocked |= hasCuts(node.operands[0]);
      return;
    }
    for (size_t dim = 0; dim < rank; ++dim)
      addCuts(cuts[node.operands[0]][dim], result, dim,
              -attributes.offsets[dim]);
    return;
  case OpKind::Split:
    for (MuValue part : node.results) {
      for (size_t dim = 0; dim < rank; ++dim) {
        bool isAlong = static_cast<int64_t>(dim) == attributes.dim;
        addCuts(cuts[node.operands[0]][dim], part, dim, isAlong ? -offset : 0);
      }
      offset += program.getShape(part)[attributes.dim];
    }
    return;
  case OpKind::Concat:
    for (MuValue operand : node.operands) {
      for (size_t dim = 0; dim < rank; ++dim) {
        bool isAlong = static_cast<int64_t>(dim) == attributes.dim;
        addCuts(cuts[operand][dim], result, dim, isAlong ? offset : 0);
      }
      offset += program.getShape(operand)[attributes.dim];
      addCuts({offset}, result, attributes.dim);
    }
    return;
  case OpKind::Pad:
    for (size_t dim = 0; dim < rank; ++dim) {
      int64_t low = attributes.offsets[dim];
      addCuts(cuts[node.operands[0]][dim], result, dim, low);
      addCuts({low, program.getShape(result)[dim] - attributes.sizes[dim]},
              result, dim);
    }
    return;
  default:
    llvm_unreachable("an operator that takes or makes windows");
  }
}

/// Borders in a dimension that is summed over are borders of nothing more.
void PartRules::addCutsOfReduction(const MuNode &node) {
  const OpAttributes &attributes = node.attributes;
  MuValue from = node.operands[0], result = node.results[0];
  auto reduced = static_cast<size_t>(attributes.dim);
  for (size_t dim = 0, to = 0; dim < cuts[from].size(); ++dim) {
    if (dim != reduced)
      addCuts(cuts[from][dim], result, to++);
    else if (attributes.group)
      addCutsOfGroups(cuts[from][dim], node, to++);
    else
      to += attributes.keep;
  }
}

void PartRules::addCutsOfProduct(const MuNode &node) {
  MuValue lhs = node.operands[0], rhs = node.operands[1],
          result = node.results[0];
  size_t rank = cuts[result].size();
  for (size_t dim = 0; dim + 2 < rank; ++dim)
    for (MuValue operand : node.operands)
      addCuts(cuts[operand][dim], result, dim);
  addCuts(cuts[lhs][getKeptDim(node.attributes, ProductOperand::Lhs, rank)],
          result, rank - 2);
  addCuts(cuts[rhs][getKeptDim(node.attributes, ProductOperand::Rhs, rank)],
          result, rank - 1);
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
  case OpKind::Split:
  case OpKind::Concat:
  case OpKind::Pad:
    return addCutsOfWindow(node);
  case OpKind::Reduce:
    return addCutsOfReduction(node);
  case OpKind::Matmul:
    return addCutsOfProduct(node);
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
