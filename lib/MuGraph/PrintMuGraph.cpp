//===- PrintMuGraph.cpp - µGraphs as text ---------------------------------===//
//
// One line for each node:
//
//   graph(%0: 64x32xf16) {
//     %6: 64x1xf32 = graph [4] (%1 = %0) {
//       %4: 16x1xf32 = loop 8 {
//         %2: 16x4xf16 = load %1 [x, i0]
//         %3: 16x1xf32 = reduce %2 dim = 1, keep
//         …
//
//===----------------------------------------------------------------------===//

#include "Mirage/MuGraph/MuGraph.h"
#include "NodeContents.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace mirage;
using llvm::ArrayRef;

namespace {
class Printer {
public:
  Printer(const MuGraph &graph, llvm::raw_ostream &os) : graph(graph), os(os) {}

  void print() {
    os << "graph(";
    printTyped(graph.getRegion().arguments);
    os << ") ";
    printBody(0, 0);
    os << "\n";
  }

private:
  void printUses(ArrayRef<MuValue> values) {
    llvm::interleaveComma(values, os,
                          [&](MuValue value) { os << "%" << value; });
  }
  void printTyped(ArrayRef<MuValue> values) {
    llvm::interleaveComma(values, os, [&](MuValue number) {
      const MuGraph::Value &value = graph.getValue(number);
      os << "%" << number << ": ";
      for (int64_t size : value.shape)
        os << size << "x";
      os << runtime::stringifyElementType(value.type);
    });
  }
  /// `{`, the nodes, and `} results`.
  void printBody(unsigned region, unsigned depth) {
    os << "{\n";
    for (unsigned number : graph.getRegion(region).nodes) {
      os.indent(2 * depth + 2);
      printNode(graph.getNode(number), depth + 1);
      os << "\n";
    }
    os.indent(2 * depth) << "}";
    if (!graph.getRegion(region).results.empty())
      os << " ";
    printUses(graph.getRegion(region).results);
  }
  void printNode(const MuNode &node, unsigned depth);
  void printPart(const DimPartition &dim);

  // Attributes' values.
  template <typename T>
    requires std::is_enum_v<T>
  void printValue(T value) {
    os << stringifyEnum(value);
  }
  void printValue(int64_t value) { os << value; }
  void printValue(double value) { os << llvm::format("%g", value); }
  void printValue(ArrayRef<int64_t> list) {
    os << "[";
    llvm::interleaveComma(list, os);
    os << "]";
  }
  void printValue(const std::shared_ptr<const std::vector<double>> &values) {
    // The first tell which constant it is.
    constexpr size_t most = 8;
    os << "[";
    ArrayRef<double> list = *values;
    llvm::interleaveComma(list.take_front(most), os,
                          [&](double value) { printValue(value); });
    os << (list.size() > most ? ", …]" : "]");
  }

  const MuGraph &graph;
  llvm::raw_ostream &os;
};
} // namespace

void Printer::printPart(const DimPartition &dim) {
  if (!dim.gridDim && dim.loops.empty())
    os << "-";
  if (dim.gridDim)
    os << getGridDimName(*dim.gridDim);
  for (unsigned loop : dim.loops)
    os << "i" << loop;
}

void Printer::printNode(const MuNode &node, unsigned depth) {
  printTyped(node.results);
  os << (node.results.empty() ? "" : " = ") << node.getName();
  switch (node.kind) {
  case MuNode::Kind::Graph:
    os << " ";
    printValue(ArrayRef<int64_t>(node.extents));
    os << " (";
    llvm::interleaveComma(
        llvm::zip(graph.getRegion(node.body).arguments, node.operands), os,
        [&](auto pair) {
          os << "%" << std::get<0>(pair) << " = %" << std::get<1>(pair);
        });
    os << ") ";
    return printBody(node.body, depth);
  case MuNode::Kind::Loop:
    os << " " << node.extents.front() << " ";
    return printBody(node.body, depth);
  case MuNode::Kind::Operator: {
    os << (node.operands.empty() ? "" : " ");
    printUses(node.operands);
    bool isFirst = true;
    visitAttributes(
        node.attributes,
        [&](llvm::StringRef name, const auto &value, const auto &normal) {
          if (value == normal)
            return;
          os << (std::exchange(isFirst, false) ? " " : ", ") << name;
          if constexpr (!std::is_same_v<std::decay_t<decltype(value)>, bool>) {
            os << " = ";
            printValue(value);
          }
        });
    return;
  }
  case MuNode::Kind::Load:
    os << " ";
    printUses(node.operands);
    os << " [";
    llvm::interleaveComma(node.partition, os,
                          [&](const DimPartition &dim) { printPart(dim); });
    os << "]";
    return;
  case MuNode::Kind::Accumulate:
    os << " ";
    printValue(node.accumulate);
    os << " ";
    printUses(node.operands);
    if (node.accumulate == AccumulateKind::Concat)
      os << " dim = " << node.dim;
    return;
  case MuNode::Kind::Store:
    os << " ";
    printUses(node.operands);
    os << " [";
    llvm::interleaveComma(node.omap, os,
                          [&](int64_t entry) { os << getMapEntryName(entry); });
    os << "]";
    return;
  }
}

std::string mirage::toString(const MuGraph &graph) {
  std::string text;
  llvm::raw_string_ostream os(text);
  Printer(graph, os).print();
  return text;
}
