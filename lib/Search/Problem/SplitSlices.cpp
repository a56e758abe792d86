//===- SplitSlices.cpp - Slices as parts of an axis -----------------------===//
//
// Weights that are multiplied with one tensor are often stored in one matrix,
// and the product is sliced. Such slices are equal parts of a dimension: it is
// the axis of the parts and the axis inside of a part, and a slice is the value
// at one place of the former. Slices that take every n-th element are the same
// with the two axes exchanged.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Problem/ProgramViews.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace mirage;
using namespace mirage::search;

namespace {
/// A slice that takes one of several equal parts of a dimension, or one of so
/// many neighbours.
struct PartOfDim {
  size_t dim = 0;
  int64_t parts = 1, index = 0, size = 1;
  bool takesNeighbours = false;
};

class SliceSplitter {
public:
  /// Splits slices of neighbours, or those of consecutive elements.
  SliceSplitter(const ProgramView &from, bool takesNeighbours)
      : from(from.program), view(getSurroundings(from)),
        takesNeighbours(takesNeighbours) {}

  std::optional<ProgramView> run() {
    bool changes = false;
    for (MuValue argument : from.getRegion().arguments)
      values[argument] = view.program.addArgument(
          0, Shape(from.getShape(argument)), from.getValue(argument).type);
    for (unsigned number : from.getRegion().nodes) {
      const MuNode &node = from.getNode(number);
      if (node.kind != MuNode::Kind::Operator)
        return std::nullopt;
      location = node.location;
      changes |= copy(node);
    }
    if (!changes)
      return std::nullopt;
    llvm::SmallVector<MuValue> results;
    for (MuValue result : from.getRegion().results)
      results.push_back(values.lookup(result));
    view.program.setResults(0, results);
    return std::move(view);
  }

private:
  /// The most parts of a dimension: a tile has all of them.
  static constexpr int64_t kMostParts = 8;

  /// Returns what a slice takes of a dimension if that is one of several
  /// neighbours of each, and all of all other dimensions.
  std::optional<PartOfDim> findNeighbours(const MuNode &node) const {
    ShapeRef shape = from.getShape(node.operands[0]);
    const OpAttributes &slice = node.attributes;
    std::optional<PartOfDim> part;
    for (auto [dim, size] : llvm::enumerate(slice.sizes)) {
      if (size == shape[dim])
        continue;
      int64_t stride = slice.strides[dim], offset = slice.offsets[dim];
      if (part || stride == 1 || stride > kMostParts || offset >= stride ||
          size * stride != shape[dim])
        return std::nullopt;
      part = {dim, stride, offset, size, /*takesNeighbours=*/true};
    }
    return part;
  }

  std::optional<PartOfDim> findPart(const MuNode &node) const {
    if (takesNeighbours)
      return findNeighbours(node);
    ShapeRef shape = from.getShape(node.operands[0]);
    std::optional<PartOfDim> part;
    for (auto [dim, size] : llvm::enumerate(node.attributes.sizes)) {
      if (node.attributes.strides[dim] != 1)
        return std::nullopt;
      if (size == shape[dim])
        continue;
      int64_t offset = node.attributes.offsets[dim];
      if (part || size == 1 || shape[dim] % size || offset % size ||
          shape[dim] / size > kMostParts)
        return std::nullopt;
      part = {dim, shape[dim] / size, offset / size, size};
    }
    return part;
  }

  MuValue add(OpKind kind, const OpAttributes &attributes, MuValue operand) {
    return view.program.addOperator(0, kind, attributes, {operand},
                                    view.program.getValue(operand).type,
                                    location);
  }
  MuValue reshape(MuValue value, Shape shape) {
    OpAttributes attributes;
    attributes.resultShape = std::move(shape);
    return add(OpKind::Reshape, attributes, value);
  }

  /// The value at one place of the parts' axis.
  MuValue takePart(MuValue value, const PartOfDim &part) {
    Shape result(view.program.getShape(value));
    result[part.dim] = part.size;
    Shape split = result;
    size_t place = part.takesNeighbours ? part.dim + 1 : part.dim;
    split.insert(split.begin() + static_cast<ptrdiff_t>(place), part.parts);
    OpAttributes slice;
    slice.offsets.assign(split.size(), 0);
    slice.strides.assign(split.size(), 1);
    slice.sizes.assign(split.begin(), split.end());
    slice.offsets[place] = part.index;
    slice.sizes[place] = 1;
    value = add(OpKind::Slice, slice, reshape(value, std::move(split)));
    return reshape(value, std::move(result));
  }

  /// Returns whether the node is written otherwise.
  bool copy(const MuNode &node) {
    if (node.op == OpKind::Slice)
      if (std::optional<PartOfDim> part = findPart(node)) {
        values[node.results[0]] =
            takePart(values.lookup(node.operands[0]), *part);
        return true;
      }
    if (node.op == OpKind::Split && !takesNeighbours) {
      auto dim = static_cast<size_t>(node.attributes.dim);
      int64_t parts = node.attributes.parts,
              size = from.getShape(node.operands[0])[dim] / parts;
      if (parts <= kMostParts) {
        for (auto [index, result] : llvm::enumerate(node.results))
          values[result] =
              takePart(values.lookup(node.operands[0]),
                       {dim, parts, static_cast<int64_t>(index), size});
        return true;
      }
    }
    MuNode copied = node;
    for (MuValue &operand : copied.operands)
      operand = values.lookup(operand);
    for (MuValue &result : copied.results) {
      const MuGraph::Value &value = from.getValue(result);
      result = values[result] = view.program.addValue(value.shape, value.type);
    }
    view.program.addNode(0, std::move(copied));
    return false;
  }

  const MuGraph &from;
  ProgramView view;
  bool takesNeighbours;
  llvm::DenseMap<MuValue, MuValue> values;
  unsigned location = 0;
};
} // namespace

std::optional<ProgramView>
mirage::search::splitSlices(const ProgramView &view) {
  return SliceSplitter(view, /*takesNeighbours=*/false).run();
}

std::optional<ProgramView>
mirage::search::splitStrides(const ProgramView &view) {
  return SliceSplitter(view, /*takesNeighbours=*/true).run();
}
