//===- Retile.cpp - Other tiles of the same launches ----------------------===//
//
// Every size is a product of extents (Extents.h), which grids, loops, tiles and
// tensors share. A factor may move between two extents if each size that is
// kept has both or neither.
//
//===----------------------------------------------------------------------===//

#include "Mirage/MuGraph/Retile.h"
#include "GraphResizer.h"
#include "Mirage/MuGraph/CheckShapes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <set>

using namespace mirage;
using llvm::ArrayRef;

namespace {
class Retiler : private GraphResizer {
public:
  explicit Retiler(const MuGraph &graph) : sizes(graph, extents) {
    findKeptSizes();
    findMovable();
  }

  std::vector<MuGraph> run();

private:
  void findKeptSizes();
  void findMovable();

  int64_t getValue(ArrayRef<ExtentId> size) const override {
    int64_t value = 1;
    for (ExtentId leaf : extents.resolve(size)) {
      int64_t own = extents.getValue(leaf);
      value *= leaf == smaller  ? own / factor
               : leaf == larger ? own * factor
                                : own;
    }
    return value;
  }
  /// Constants that have more than one element keep their shapes.
  void rewriteConstant(const DimensionSizes &of, MuNode &node) const override {
    node.attributes.resultShape = getShape(of, node.results[0]);
  }

  Extents extents{Extents::Refinement::InOrder, Extents::Ones::AreExtents};
  DimensionSizes sizes;
  /// How often each extent is a factor of each size that is kept: those of
  /// tensors, and those on which results depend.
  std::map<ExtentId, std::map<unsigned, unsigned>> ofKept;
  /// The extents that divide launches, and all that may change.
  llvm::SetVector<ExtentId> dividing, movable;
  /// The move that is made.
  ExtentId smaller = 0, larger = 0;
  int64_t factor = 1;
};
} // namespace

void Retiler::findKeptSizes() {
  unsigned number = 0;
  auto keep = [&](const Size &size) {
    for (ExtentId leaf : extents.resolve(size))
      ++ofKept[leaf][number];
    ++number;
  };
  const MuRegion &body = sizes.graph.getRegion();
  llvm::SetVector<MuValue> tensors(body.arguments.begin(),
                                   body.arguments.end());
  tensors.insert(body.results.begin(), body.results.end());
  for (unsigned number : body.nodes) {
    const MuNode &node = sizes.graph.getNode(number);
    // What launches leave to launches has as many parts as these make of it.
    if (node.kind == MuNode::Kind::Graph)
      continue;
    tensors.insert(node.operands.begin(), node.operands.end());
    tensors.insert(node.results.begin(), node.results.end());
  }
  for (unsigned node : sizes.constants) {
    const auto &results = sizes.graph.getNode(node).results;
    tensors.insert(results.begin(), results.end());
  }
  for (MuValue tensor : tensors)
    llvm::for_each(sizes.sizes[tensor], keep);
  llvm::for_each(sizes.counted, keep);
  llvm::for_each(sizes.narrowSums, keep);
  for (const DimensionSizes::Padding &padding : sizes.paddings) {
    keep(padding.padded);
    keep(padding.inner);
  }
}

void Retiler::findMovable() {
  const MuGraph &graph = sizes.graph;
  auto add = [&](auto &to, const Size &size) {
    for (ExtentId leaf : extents.resolve(size))
      if (!extents.isFixed(leaf) && ofKept.count(leaf))
        to.insert(leaf);
  };
  for (unsigned number = 0; number < graph.getNumNodes(); ++number)
    if (graph.getNode(number).kind == MuNode::Kind::Graph ||
        graph.getNode(number).kind == MuNode::Kind::Loop)
      for (const Size &size : sizes.ofNodes[number])
        add(dividing, size);
  for (MuValue value = 0; value < graph.getNumValues(); ++value)
    for (const Size &size : sizes.sizes[value])
      add(movable, size);
  for (ExtentId leaf : dividing)
    movable.insert(leaf);
}

/// Returns whether operators have the shapes that their rules say. An extent of
/// one may be what a reduction leaves, which has no other size.
static bool isLegal(const MuGraph &graph) {
  std::string error;
  return llvm::succeeded(checkShapes(graph, error));
}

std::vector<MuGraph> Retiler::run() {
  std::vector<MuGraph> found;
  std::set<std::string> known;
  for (ExtentId from : movable)
    for (ExtentId to : movable) {
      bool divides = dividing.contains(from) || dividing.contains(to);
      if (from == to || !divides || ofKept.at(from) != ofKept.at(to))
        continue;
      int64_t rest = extents.getValue(from);
      for (int64_t prime = 2; rest > 1; ++prime) {
        if (rest % prime)
          continue;
        while (rest % prime == 0)
          rest /= prime;
        smaller = from;
        larger = to;
        factor = prime;
        MuGraph graph = rewrite(sizes);
        if (isLegal(graph) && known.insert(toString(graph)).second)
          found.push_back(std::move(graph));
      }
    }
  return found;
}

std::vector<MuGraph> mirage::getRetilings(const MuGraph &graph) {
  return Retiler(graph).run();
}

std::string mirage::describeTilings(const MuGraph &graph) {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto visit = [&](auto &&self, unsigned region) -> void {
    for (unsigned number : graph.getRegion(region).nodes) {
      const MuNode &node = graph.getNode(number);
      bool isGraph = node.kind == MuNode::Kind::Graph;
      if (!isGraph && node.kind != MuNode::Kind::Loop)
        continue;
      if (isGraph)
        os << (text.empty() ? "" : "; ") << "grid "
           << (node.extents.empty() ? "1" : "");
      else
        os << " loop ";
      llvm::interleave(node.extents, os, "x");
      self(self, node.body);
    }
  };
  visit(visit, 0);
  return text;
}
