//===- Comparison.cpp - Equality of µGraphs -------------------------------===//
//
// Graphs are compared in two ways: in order, node after node; and from the
// results backwards, where each value has one counterpart at most.
//
//===----------------------------------------------------------------------===//

#include "Mirage/MuGraph/Comparison.h"
#include "Mirage/MuGraph/ValueOrigins.h"
#include "NodeContents.h"
#include "llvm/ADT/DenseMap.h"

using namespace mirage;

//===----------------------------------------------------------------------===//
// In order
//===----------------------------------------------------------------------===//

namespace {
class InOrder {
public:
  InOrder(const MuGraph &lhs, const MuGraph &rhs) : lhs(lhs), rhs(rhs) {}

  bool compareRegions(unsigned a, unsigned b) {
    const MuRegion &left = lhs.getRegion(a), &right = rhs.getRegion(b);
    if (!define(left.arguments, right.arguments) ||
        left.nodes.size() != right.nodes.size())
      return false;
    for (auto [x, y] : llvm::zip(left.nodes, right.nodes))
      if (!compareNodes(lhs.getNode(x), rhs.getNode(y)))
        return false;
    return use(left.results, right.results);
  }

private:
  bool compareNodes(const MuNode &a, const MuNode &b) {
    return getContents(lhs, a) == getContents(rhs, b) &&
           use(a.operands, b.operands) &&
           (!a.hasBody() || compareRegions(a.body, b.body)) &&
           define(a.results, b.results);
  }
  bool define(llvm::ArrayRef<MuValue> a, llvm::ArrayRef<MuValue> b) {
    if (a.size() != b.size())
      return false;
    for (auto [x, y] : llvm::zip(a, b)) {
      if (getContents(lhs.getValue(x)) != getContents(rhs.getValue(y)))
        return false;
      counterparts[x] = y;
    }
    return true;
  }
  bool use(llvm::ArrayRef<MuValue> a, llvm::ArrayRef<MuValue> b) const {
    return llvm::equal(a, b, [&](MuValue x, MuValue y) {
      auto known = counterparts.find(x);
      return known != counterparts.end() && known->second == y;
    });
  }

  const MuGraph &lhs, &rhs;
  llvm::DenseMap<MuValue, MuValue> counterparts;
};
} // namespace

bool mirage::areIdentical(const MuGraph &lhs, const MuGraph &rhs) {
  return InOrder(lhs, rhs).compareRegions(0, 0);
}

//===----------------------------------------------------------------------===//
// From the results
//===----------------------------------------------------------------------===//

namespace {
/// A one-to-one map that grows.
struct Pairs {
  llvm::DenseMap<unsigned, unsigned> forward, backward;

  /// Returns whether the two are or can become a pair.
  bool unite(unsigned a, unsigned b) {
    return forward.try_emplace(a, b).first->second == b &&
           backward.try_emplace(b, a).first->second == a;
  }
};

class FromResults {
public:
  FromResults(const MuGraph &lhs, const MuGraph &rhs)
      : lhs(lhs), rhs(rhs), origins{ValueOrigins(lhs), ValueOrigins(rhs)} {}

  bool run() {
    const MuRegion &a = lhs.getRegion(), &b = rhs.getRegion();
    // Arguments that nothing needs are part of the signature.
    return a.arguments.size() == b.arguments.size() &&
           llvm::all_of(llvm::zip(a.arguments, b.arguments),
                        [&](auto pair) {
                          return haveSameType(std::get<0>(pair),
                                              std::get<1>(pair));
                        }) &&
           matchAll(a.results, b.results);
  }

private:
  bool haveSameType(MuValue a, MuValue b) const {
    return getContents(lhs.getValue(a)) == getContents(rhs.getValue(b));
  }
  bool matchAll(llvm::ArrayRef<MuValue> a, llvm::ArrayRef<MuValue> b) {
    return llvm::equal(a, b, [&](MuValue x, MuValue y) { return match(x, y); });
  }
  bool match(MuValue a, MuValue b) {
    bool isKnown = values.forward.contains(a);
    if (!values.unite(a, b))
      return false;
    return isKnown || (haveSameType(a, b) && matchOrigins(a, b));
  }
  bool matchOrigins(MuValue a, MuValue b) {
    const ValueOrigin &x = origins[0][a], &y = origins[1][b];
    unsigned ownerX = origins[0].getOwner(x.region),
             ownerY = origins[1].getOwner(y.region);
    bool isInFunction = ownerX == ~0u;
    if (x.isArgument != y.isArgument || isInFunction != (ownerY == ~0u) ||
        (!isInFunction && !nodes.unite(ownerX, ownerY)))
      return false;
    if (x.isArgument)
      return isInFunction ? x.position == y.position
                          : match(lhs.getNode(ownerX).operands[x.position],
                                  rhs.getNode(ownerY).operands[y.position]);
    bool isKnown = nodes.forward.contains(x.node);
    const MuNode &left = lhs.getNode(x.node), &right = rhs.getNode(y.node);
    if (!nodes.unite(x.node, y.node))
      return false;
    if (!isKnown && getContents(lhs, left) != getContents(rhs, right))
      return false;
    // What a graph needs of its operands shows at its arguments.
    if (left.hasBody())
      return match(lhs.getRegion(left.body).results[x.position],
                   rhs.getRegion(right.body).results[y.position]);
    return x.position == y.position &&
           (isKnown || matchAll(left.operands, right.operands));
  }

  const MuGraph &lhs, &rhs;
  ValueOrigins origins[2];
  Pairs values, nodes;
};
} // namespace

bool mirage::areIsomorphic(const MuGraph &lhs, const MuGraph &rhs) {
  return FromResults(lhs, rhs).run();
}

//===----------------------------------------------------------------------===//
// Hash
//===----------------------------------------------------------------------===//

namespace {
class Hasher {
public:
  explicit Hasher(const MuGraph &graph) : graph(graph), origins(graph) {}

  uint64_t run() {
    uint64_t hash = 0;
    for (MuValue argument : graph.getRegion().arguments)
      hash = mix(hash, getContents(graph.getValue(argument)));
    for (MuValue result : graph.getRegion().results)
      hash = mix(hash, get(result));
    // Nodes that compute the same are told from one by their number.
    return mix(hash, known.size());
  }

private:
  /// The finalizer of SplitMix64.
  static uint64_t mix(uint64_t hash, uint64_t word) {
    uint64_t z = (hash ^ word) + 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  static uint64_t mix(uint64_t hash, const Words &words) {
    for (uint64_t word : words)
      hash = mix(hash, word);
    return mix(hash, words.size());
  }

  uint64_t get(MuValue value) {
    auto entry = known.find(value);
    if (entry != known.end())
      return entry->second;
    uint64_t hash = compute(value);
    known[value] = hash;
    return hash;
  }
  uint64_t compute(MuValue value) {
    const ValueOrigin &origin = origins[value];
    uint64_t hash = mix(origin.isArgument, getContents(graph.getValue(value)));
    if (origin.isArgument) {
      if (origin.region == 0)
        return mix(hash, origin.position);
      return mix(hash,
                 get(graph.getNode(origin.node).operands[origin.position]));
    }
    const MuNode &node = graph.getNode(origin.node);
    hash = mix(hash, getContents(graph, node));
    if (node.hasBody())
      return mix(hash,
                 get(graph.getRegion(node.body).results[origin.position]));
    hash = mix(hash, origin.position);
    for (MuValue operand : node.operands)
      hash = mix(hash, get(operand));
    return hash;
  }

  const MuGraph &graph;
  ValueOrigins origins;
  llvm::DenseMap<MuValue, uint64_t> known;
};
} // namespace

uint64_t mirage::structuralHash(const MuGraph &graph) {
  return Hasher(graph).run();
}
