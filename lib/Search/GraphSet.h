//===- GraphSet.h - Graphs that are not the same ----------------*- C++ -*-===//
//
// Keeps one of all graphs that have the same nodes behind their results, in
// whatever order.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_GRAPHSET_H
#define MIRAGE_LIB_SEARCH_GRAPHSET_H

#include "Mirage/MuGraph/Comparison.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

namespace mirage::search {

class GraphSet {
public:
  /// Adds a graph. Returns false if one is there that is the same.
  bool insert(MuGraph graph) {
    std::vector<MuGraph> &alike = graphs[structuralHash(graph)];
    if (llvm::any_of(alike, [&](const MuGraph &other) {
          return areIsomorphic(other, graph);
        }))
      return false;
    alike.push_back(std::move(graph));
    return true;
  }

private:
  /// The graphs by their hashes.
  std::map<uint64_t, std::vector<MuGraph>> graphs;
};

} // namespace mirage::search

#endif // MIRAGE_LIB_SEARCH_GRAPHSET_H
