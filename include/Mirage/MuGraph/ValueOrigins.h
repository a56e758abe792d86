//===- ValueOrigins.h - Where values of a µGraph come from ------*- C++ -*-===//
//
// The node or the argument that each value is, and the node whose body each
// region is.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_MUGRAPH_VALUEORIGINS_H
#define MIRAGE_MUGRAPH_VALUEORIGINS_H

#include "Mirage/MuGraph/MuGraph.h"

namespace mirage {

struct ValueOrigin {
  unsigned region = 0;
  /// The node that has the value as a result; for an argument, the node that
  /// has the region as its body.
  unsigned node = ~0u;
  /// Among the node's results or the region's arguments.
  unsigned position = 0;
  bool isArgument = false;
};

class ValueOrigins {
public:
  explicit ValueOrigins(const MuGraph &graph)
      : origins(graph.getNumValues()), owners(graph.getNumRegions(), ~0u) {
    visit(graph, 0);
  }

  const ValueOrigin &operator[](MuValue value) const { return origins[value]; }
  /// The node whose body a region is; ~0u for the function's.
  unsigned getOwner(unsigned region) const { return owners[region]; }

private:
  void visit(const MuGraph &graph, unsigned region) {
    const MuRegion &body = graph.getRegion(region);
    for (auto [i, argument] : llvm::enumerate(body.arguments))
      origins[argument] = {region, owners[region], static_cast<unsigned>(i),
                           true};
    for (unsigned number : body.nodes) {
      const MuNode &node = graph.getNode(number);
      for (auto [i, result] : llvm::enumerate(node.results))
        origins[result] = {region, number, static_cast<unsigned>(i), false};
      if (!node.hasBody())
        continue;
      owners[node.body] = number;
      visit(graph, node.body);
    }
  }

  std::vector<ValueOrigin> origins;
  std::vector<unsigned> owners;
};

} // namespace mirage

#endif // MIRAGE_MUGRAPH_VALUEORIGINS_H
