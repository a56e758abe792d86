//===- DimPieces.cpp - Dimensions cut between their axes ------------------===//
//
// Follows the axes along which values repeat their elements or are
// concatenated, and cuts what reshapes join.
//
//===----------------------------------------------------------------------===//

#include "DimPieces.h"
#include "llvm/ADT/STLExtras.h"

using namespace mirage;
using namespace mirage::search;
using llvm::ArrayRef;
using llvm::BitVector;

BitVector DimPieces::getAxes(ArrayRef<unsigned> dim) const {
  BitVector set(axes.sizes.size());
  for (unsigned axis : dim)
    set.set(axis);
  return set;
}

void DimPieces::findConcatenated() {
  for (unsigned number : program.getRegion().nodes) {
    const MuNode &node = program.getNode(number);
    if (node.op != OpKind::Concat)
      continue;
    ArrayRef<unsigned> dim = axes.dims[node.results[0]][node.attributes.dim];
    if (!dim.empty())
      concatenated.set(dim.front());
  }
}

void DimPieces::findCuts() {
  for (unsigned number : program.getRegion().nodes) {
    const MuNode &node = program.getNode(number);
    if (node.operands.empty())
      continue;
    findRepeated(node);
    if (node.op == OpKind::Reshape)
      findCuts(node.results[0]);
  }
}

/// Finds the axes along which the result of an operator repeats its elements.
void DimPieces::findRepeated(const MuNode &node) {
  MuValue value = node.results[0];
  BitVector &own = repeated[value];
  if (node.op == OpKind::Broadcast) {
    ShapeRef before = program.getShape(node.operands[0]);
    own = repeated[node.operands[0]];
    for (auto [dim, size] : llvm::enumerate(before))
      if (size == 1)
        own |= getAxes(axes.dims[value][dim]);
  } else if (isElementwise(node.op)) {
    own.set();
    for (MuValue operand : node.operands) {
      // An operand repeats its elements along axes that it has not.
      BitVector same(axes.sizes.size(), true);
      for (ArrayRef<unsigned> dim : axes.dims[operand])
        same.reset(getAxes(dim));
      own &= same |= repeated[operand];
    }
  } else if (node.op == OpKind::Transpose || node.op == OpKind::Reshape) {
    own = repeated[node.operands[0]];
  }
}

/// Cuts the dimensions of a reshape's result between axes that are repeated and
/// others, and outside of concatenated dimensions.
void DimPieces::findCuts(MuValue reshaped) {
  const BitVector &own = repeated[reshaped];
  for (ArrayRef<unsigned> dim : axes.dims[reshaped]) {
    std::vector<size_t> sizes;
    for (auto [position, axis] : llvm::enumerate(dim)) {
      bool isPart = position > 0 && concatenated[axis];
      partCuts |= isPart;
      if (position == 0 || isPart || own[axis] != own[dim[position - 1]])
        sizes.push_back(0);
      ++sizes.back();
    }
    if (sizes.size() > 1)
      cuts.try_emplace(dim.vec(), sizes);
  }
}

/// Returns whether the dimensions of operands are those of the result, in some
/// order.
static bool keepsDims(const MuNode &node) {
  switch (node.op) {
  case OpKind::Matmul:
  case OpKind::Attention:
  case OpKind::Broadcast:
  case OpKind::Transpose:
  case OpKind::Softmax:
  case OpKind::LogSoftmax:
    return true;
  case OpKind::Reduce:
    return node.attributes.keep;
  default:
    return isElementwise(node.op);
  }
}

/// Cuts all dimensions that have the axes of a cut, and those of size one that
/// stand for them.
void DimPieces::cutDims() {
  for (MuValue value = 0; value < program.getNumValues(); ++value)
    for (auto [dim, size] : llvm::enumerate(program.getShape(value))) {
      ArrayRef<unsigned> own = axes.dims[value][dim];
      Sizes &parts = pieces[value].emplace_back();
      auto cut = cuts.find(own.vec());
      if (cut == cuts.end()) {
        parts.push_back(size);
        continue;
      }
      size_t next = 0;
      for (size_t count : cut->second) {
        parts.push_back(1);
        for (; count; --count)
          parts.back() *= axes.sizes[own[next++]];
      }
    }
  for (unsigned number : llvm::reverse(program.getRegion().nodes)) {
    const MuNode &node = program.getNode(number);
    if (!keepsDims(node))
      continue;
    for (MuValue operand : node.operands)
      for (size_t dim = 0; dim < pieces[operand].size(); ++dim) {
        Sizes &own = pieces[operand][dim];
        size_t after = dim;
        if (node.op == OpKind::Transpose)
          after = llvm::find(node.attributes.permutation,
                             static_cast<int64_t>(dim)) -
                  node.attributes.permutation.begin();
        size_t wanted = pieces[node.results[0]][after].size();
        if (program.getShape(operand)[dim] == 1 && own.size() < wanted)
          own.assign(wanted, 1);
      }
  }
}

Shape DimPieces::getShape(MuValue value) const {
  Shape shape;
  for (const Sizes &dim : pieces[value])
    shape.append(dim.begin(), dim.end());
  return shape;
}

int64_t DimPieces::getPlace(MuValue value, int64_t dim) const {
  int64_t place = 0;
  for (const Sizes &before :
       ArrayRef(pieces[value]).take_front(static_cast<size_t>(dim)))
    place += static_cast<int64_t>(before.size());
  return place;
}
