//===- EqualValues.cpp - What two programs have in common -----------------===//
//
// Goes through both programs at once, value by value. Values of the functions'
// bodies whose normal forms have equal hashes are compared; if they are equal,
// both become one new input of all that follows. So the normal forms of large
// programs stay small where the programs are alike.
//
//===----------------------------------------------------------------------===//

#include "ValueProof.h"
#include <map>

using namespace mirage;
using namespace mirage::equivalence;

/// Beyond the numbers of inputs and constants.
static constexpr unsigned kFirstCut = 1u << 24;

namespace {
class EqualValues {
public:
  EqualValues(const MuGraph &lhs, const MuGraph &rhs, ConstantTables &tables,
              const ProofOptions &options)
      : limits{std::min(options.maxTerms, 256u), std::min(options.maxParts, 8u),
               std::min<uint64_t>(options.maxSteps, 100'000),
               options.literalConstants, options.joinRanges},
        maxSteps(options.maxSteps), tables(tables),
        sides{Side(lhs), Side(rhs)} {}

  Cuts run();

private:
  /// A value that was visited.
  struct Visited {
    MuValue value;
    std::optional<uint64_t> signature;
  };
  struct Side {
    const MuGraph &graph;
    std::vector<MuValue> values;
    /// Values that have no equal yet, in order.
    std::vector<Visited> open;
    SymbolicEvaluation::Cuts cuts;

    explicit Side(const MuGraph &graph) : graph(graph) {
      for (unsigned number : graph.getRegion().nodes)
        llvm::append_range(values, graph.getNode(number).results);
    }
  };
  /// A value of which others are equals, and the number of the input.
  struct Known {
    unsigned side;
    MuValue value;
    unsigned number;
  };

  void visit(unsigned side, MuValue value);
  bool joinKnown(unsigned side, const Visited &visited);
  bool joinOpen(unsigned side, const Visited &visited);
  /// Values behind a new input have other normal forms.
  void refresh();
  std::optional<uint64_t> sign(unsigned side, MuValue value);
  bool areEqual(unsigned a, MuValue x, unsigned b, MuValue y);

  /// Small forms are the point; and a value may be visited often.
  const ProofOptions limits;
  /// Of everything together.
  const uint64_t maxSteps;
  uint64_t steps = 0;
  /// Of open values of each side, the last ones that are looked at again.
  static constexpr size_t kWindow = 32;

  ConstantTables &tables;
  Side sides[2];
  std::multimap<uint64_t, Known> known;
  unsigned numCuts = 0;
  /// Normal forms that may still be made.
  unsigned budget = 0;
};
} // namespace

std::optional<uint64_t> EqualValues::sign(unsigned side, MuValue value) {
  if (!budget || steps > maxSteps)
    return std::nullopt;
  --budget;
  const Side &at = sides[side];
  auto signature =
      getSignature({at.graph, value, at.cuts}, tables, limits, steps);
  if (!signature)
    return std::nullopt;
  for (int64_t size : at.graph.getShape(value))
    signature = mixHash(*signature, size);
  return signature;
}

bool EqualValues::areEqual(unsigned a, MuValue x, unsigned b, MuValue y) {
  const Side &l = sides[a], &r = sides[b];
  return steps <= maxSteps && l.graph.getShape(x) == r.graph.getShape(y) &&
         proveEqual({l.graph, x, l.cuts}, {r.graph, y, r.cuts}, tables, limits,
                    steps)
                 .kind == ProofResult::Kind::Proved;
}

bool EqualValues::joinKnown(unsigned side, const Visited &visited) {
  auto [begin, end] = known.equal_range(*visited.signature);
  for (const auto &[signature, other] : llvm::make_range(begin, end))
    if (areEqual(other.side, other.value, side, visited.value)) {
      sides[side].cuts[visited.value] = other.number;
      return true;
    }
  return false;
}

bool EqualValues::joinOpen(unsigned side, const Visited &visited) {
  std::vector<Visited> &open = sides[1 - side].open;
  steps += open.size() / 16;
  for (size_t i = open.size(); i-- > 0;)
    if (open[i].signature == visited.signature &&
        areEqual(1 - side, open[i].value, side, visited.value)) {
      unsigned number = kFirstCut + numCuts++;
      sides[side].cuts[visited.value] = number;
      sides[1 - side].cuts[open[i].value] = number;
      known.insert({*visited.signature, {side, visited.value, number}});
      open.erase(open.begin() + i);
      return true;
    }
  return false;
}

void EqualValues::refresh() {
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned side : {0, 1}) {
      std::vector<Visited> &open = sides[side].open;
      size_t first = open.size() - std::min(open.size(), kWindow);
      for (size_t i = first; i < open.size() && !changed; ++i) {
        open[i].signature = sign(side, open[i].value);
        if (!open[i].signature)
          continue;
        changed = joinKnown(side, open[i]) || joinOpen(side, open[i]);
        if (changed)
          open.erase(open.begin() + i);
      }
    }
  }
}

void EqualValues::visit(unsigned side, MuValue value) {
  Visited visited{value, sign(side, value)};
  if (visited.signature &&
      (joinKnown(side, visited) || joinOpen(side, visited)))
    refresh();
  else
    sides[side].open.push_back(visited);
}

Cuts EqualValues::run() {
  size_t count = std::max(sides[0].values.size(), sides[1].values.size());
  budget = 64 * count;
  for (size_t i = 0; i < count; ++i)
    for (unsigned side : {0, 1})
      if (i < sides[side].values.size())
        visit(side, sides[side].values[i]);
  return {std::move(sides[0].cuts), std::move(sides[1].cuts), steps};
}

Cuts mirage::equivalence::cutEqualValues(const MuGraph &lhs, const MuGraph &rhs,
                                         ConstantTables &tables,
                                         const ProofOptions &options) {
  return EqualValues(lhs, rhs, tables, options).run();
}
