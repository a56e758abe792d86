//===- ProgramNumbers.cpp - Numbers that may stand for sizes --------------===//
//
// Collects a program's constants and attributes, and compares them with what a
// program computes of a size.
//
//===----------------------------------------------------------------------===//

#include "ProgramNumbers.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <limits>

using namespace mirage;

void mirage::collectConstants(
    const MuGraph &graph, const llvm::SmallPtrSetImpl<const void *> &leftOut,
    std::vector<double> &constants) {
  auto add = [&](double value) {
    double size = std::fabs(value);
    bool isLimit = size == std::numeric_limits<float>::max() ||
                   size == std::numeric_limits<double>::max();
    bool isRepeated = !constants.empty() && constants.back() == size;
    if (std::isfinite(value) && value != 0 && size != 1 && !isLimit &&
        !isRepeated)
      constants.push_back(size);
  };
  for (unsigned number = 0; number < graph.getNumNodes(); ++number) {
    const MuNode &node = graph.getNode(number);
    if (node.kind != MuNode::Kind::Operator)
      continue;
    if (node.op == OpKind::Constant &&
        !leftOut.contains(node.attributes.values.get()))
      llvm::for_each(*node.attributes.values, add);
    // A factor, an exponent, a padding value, an epsilon, a correction.
    add(node.attributes.scalar);
    add(node.attributes.lower);
    add(node.attributes.upper);
  }
  llvm::sort(constants);
  constants.erase(llvm::unique(constants), constants.end());
}

llvm::SmallPtrSet<const void *, 8> mirage::findElements(const MuGraph &graph) {
  llvm::SmallPtrSet<const void *, 8> elements;
  for (unsigned number = 0; number < graph.getNumNodes(); ++number)
    if (const MuNode &node = graph.getNode(number); node.attributes.values)
      elements.insert(node.attributes.values.get());
  return elements;
}

std::array<double, 4> mirage::getNumbersOf(double count) {
  return {count, 1 / count, std::sqrt(count), 1 / std::sqrt(count)};
}

std::optional<unsigned> mirage::findNumberOf(double count, double constant) {
  for (auto [which, number] : llvm::enumerate(getNumbersOf(count)))
    if (std::fabs(constant / number - 1) <= 0x1p-11)
      return which;
  return std::nullopt;
}
