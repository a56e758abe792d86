//===- NodeContents.cpp - All that a node says ----------------------------===//
//
// Writes nodes as words. Lists are preceded by their lengths, so that different
// contents are different words.
//
//===----------------------------------------------------------------------===//

#include "NodeContents.h"
#include "llvm/ADT/bit.h"

using namespace mirage;

namespace {
struct WordWriter {
  Words words;

  template <typename T>
    requires(std::is_integral_v<T> || std::is_enum_v<T>)
  void add(T value) {
    words.push_back(static_cast<uint64_t>(value));
  }
  // NaN equals itself, and zeros differ.
  void add(double value) { words.push_back(llvm::bit_cast<uint64_t>(value)); }
  void add(llvm::ArrayRef<int64_t> list) {
    add(list.size());
    words.append(list.begin(), list.end());
  }
  /// Adds values. The same value everywhere is one value.
  void add(const std::shared_ptr<const std::vector<double>> &values) {
    llvm::ArrayRef<double> list;
    if (values)
      list = *values;
    auto isFirst = [&](double value) {
      return llvm::bit_cast<uint64_t>(value) ==
             llvm::bit_cast<uint64_t>(list.front());
    };
    if (llvm::all_of(list, isFirst))
      list = list.take_front(1);
    add(list.size());
    for (double value : list)
      add(value);
  }
  void add(const MuGraph::Value &value) {
    add(value.type);
    add(ShapeRef(value.shape));
  }
  void add(const DimPartition &dim) {
    add(dim.size);
    add(dim.gridDim.has_value());
    add(dim.gridDim.value_or(0));
    add(dim.gridExtent);
    add(dim.loops.size());
    for (unsigned loop : dim.loops)
      add(loop);
    add(llvm::ArrayRef<int64_t>(dim.loopExtents));
  }
};
} // namespace

Words mirage::getContents(const MuGraph::Value &value) {
  WordWriter writer;
  writer.add(value);
  return std::move(writer.words);
}

Words mirage::getContents(const MuGraph &graph, const MuNode &node) {
  WordWriter writer;
  writer.add(node.kind);
  if (node.hasBody()) {
    writer.add(llvm::ArrayRef<int64_t>(node.extents));
    return std::move(writer.words);
  }
  writer.add(node.operands.size());
  writer.add(node.results.size());
  for (MuValue result : node.results)
    writer.add(graph.getValue(result));
  switch (node.kind) {
  case MuNode::Kind::Operator:
    writer.add(node.op);
    visitAttributes(node.attributes, [&](llvm::StringRef, const auto &value,
                                         const auto &) { writer.add(value); });
    break;
  case MuNode::Kind::Load:
    for (const DimPartition &dim : node.partition)
      writer.add(dim);
    break;
  case MuNode::Kind::Accumulate:
    writer.add(node.accumulate);
    // Others have no dimension.
    writer.add(node.accumulate == AccumulateKind::Concat ? node.dim : 0);
    break;
  case MuNode::Kind::Store:
    writer.add(llvm::ArrayRef<int64_t>(node.omap));
    break;
  case MuNode::Kind::Graph:
  case MuNode::Kind::Loop:
    break;
  }
  return std::move(writer.words);
}
