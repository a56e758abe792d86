//===- EqualValues.cpp - What two programs have in common -----------------===//
//
// Goes through both programs at once, value by value. Values of the functions'
// bodies whose normal forms have equal hashes are compared; if they are equal,
// both become one new input of all that follows. So the normal forms of large
// programs stay small where the programs are alike. Values that have no normal
// form, such as a comparison that asks whether a logarithm is infinite, are
// equal if the same operators make them of equal values.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/Proof/ValueProof.h"
#include <map>

using namespace mirage;
using namespace mirage::equivalence;

/// Small forms are the point; and a value may be visited often.
static ProofOptions withSmallForms(ProofOptions options) {
  options.maxTerms = std::min(options.maxTerms, 256u);
  options.maxParts = std::min(options.maxParts, 8u);
  options.maxSteps = std::min<uint64_t>(options.maxSteps, 100'000);
  return options;
}

namespace {
class EqualValues {
public:
  EqualValues(const MuGraph &lhs, const MuGraph &rhs, ConstantTables &tables,
              const ProofOptions &options)
      : limits(withSmallForms(options)), maxSteps(options.maxSteps),
        tables(tables), sides{Side(lhs), Side(rhs)} {}

  Cuts run();

private:
  /// A value that was visited.
  struct Visited {
    MuValue value;
    Signature signature;
    /// The number of what makes the value, in `makers`.
    unsigned maker = 0;
  };
  /// An operator, or with no node an input or what was cut.
  struct Maker {
    const MuNode *node;
    ElementType type;
    unsigned number;
    llvm::SmallVector<unsigned, 3> operands;

    bool operator==(const Maker &other) const;
  };
  struct Side {
    const MuGraph &graph;
    std::vector<MuValue> values;
    /// Values that have no equal yet, in order.
    std::vector<Visited> open;
    SymbolicEvaluation::Cuts cuts;
    /// The node that has the value as a result, and the result's number.
    llvm::DenseMap<MuValue, std::pair<const MuNode *, unsigned>> definitions;
    /// The makers of all values that were visited.
    llvm::DenseMap<MuValue, unsigned> makers;

    explicit Side(const MuGraph &graph) : graph(graph) {
      for (unsigned number : graph.getRegion().nodes) {
        const MuNode &node = graph.getNode(number);
        for (auto [i, result] : llvm::enumerate(node.results)) {
          values.push_back(result);
          definitions[result] = {&node, static_cast<unsigned>(i)};
        }
      }
    }
  };
  /// A value of which others are equals.
  struct Known {
    unsigned side;
    Visited visited;
  };

  void visit(unsigned side, MuValue value);
  bool joinKnown(unsigned side, const Visited &visited);
  bool joinOpen(unsigned side, const Visited &visited);
  /// Looks at open values again: those behind a new input have other normal
  /// forms.
  void refresh();
  Signature sign(unsigned side, MuValue value);
  unsigned getMaker(unsigned side, MuValue value);
  bool areEqual(unsigned a, const Visited &x, unsigned b, const Visited &y);
  void cut(unsigned side, const Visited &visited,
           const SymbolicEvaluation::Cut &cut, unsigned maker);

  /// The limits of each value.
  const ProofOptions limits;
  /// The steps of everything together.
  const uint64_t maxSteps;
  ProofWork work;
  /// So many of the last open values of each side are looked at again.
  static constexpr size_t kWindow = 32;

  ConstantTables &tables;
  Side sides[2];
  std::vector<Maker> makers;
  std::multimap<uint64_t, unsigned> makersByHash;
  /// The values that were cut, by the hash of the normal form and by the maker.
  std::multimap<uint64_t, Known> known;
  llvm::DenseMap<unsigned, Known> knownMakers;
  unsigned numCuts = 0;
  /// Normal forms that may still be made.
  unsigned budget = 0;
};
} // namespace

bool EqualValues::Maker::operator==(const Maker &other) const {
  if (type != other.type || number != other.number ||
      operands != other.operands || !node != !other.node)
    return false;
  return !node || (node->op == other.node->op &&
                   node->attributes == other.node->attributes);
}

unsigned EqualValues::getMaker(unsigned side, MuValue value) {
  Side &at = sides[side];
  auto found = at.makers.find(value);
  if (found != at.makers.end())
    return found->second;
  Maker maker{nullptr, at.graph.getValue(value).type, 0, {}};
  auto definition = at.definitions.find(value);
  if (definition == at.definitions.end()) {
    // Arguments have equal numbers in both programs.
    maker.number = llvm::find(at.graph.getRegion().arguments, value) -
                   at.graph.getRegion().arguments.begin();
  } else if (definition->second.first->kind == MuNode::Kind::Operator) {
    std::tie(maker.node, maker.number) = definition->second;
    for (MuValue operand : maker.node->operands)
      maker.operands.push_back(getMaker(side, operand));
  } else {
    // Launches are looked at as a whole only where they are cut.
    makers.push_back(maker);
    return at.makers[value] = makers.size() - 1;
  }
  uint64_t hash = mixHash(
      maker.node ? static_cast<uint64_t>(maker.node->op) : ~0, maker.number);
  for (unsigned operand : maker.operands)
    hash = mixHash(hash, operand);
  auto [begin, end] = makersByHash.equal_range(hash);
  for (const auto &[key, number] : llvm::make_range(begin, end))
    if (makers[number] == maker)
      return at.makers[value] = number;
  makersByHash.insert({hash, makers.size()});
  makers.push_back(std::move(maker));
  return at.makers[value] = makers.size() - 1;
}

Signature EqualValues::sign(unsigned side, MuValue value) {
  if (!budget || work.steps > maxSteps)
    return {};
  --budget;
  const Side &at = sides[side];
  Signature signature =
      getSignature({at.graph, value, at.cuts}, tables, limits, work);
  if (signature.hash)
    for (int64_t size : at.graph.getShape(value))
      signature.hash = mixHash(*signature.hash, size);
  return signature;
}

bool EqualValues::areEqual(unsigned a, const Visited &x, unsigned b,
                           const Visited &y) {
  if (x.signature.hasNoForm && y.signature.hasNoForm)
    return x.maker == y.maker;
  const Side &l = sides[a], &r = sides[b];
  return x.signature.hash && x.signature.hash == y.signature.hash &&
         work.steps <= maxSteps &&
         l.graph.getShape(x.value) == r.graph.getShape(y.value) &&
         proveEqual({l.graph, x.value, l.cuts}, {r.graph, y.value, r.cuts},
                    tables, limits, work)
                 .kind == ProofResult::Kind::Proved;
}

void EqualValues::cut(unsigned side, const Visited &visited,
                      const SymbolicEvaluation::Cut &cut, unsigned maker) {
  sides[side].cuts[visited.value] = cut;
  sides[side].makers[visited.value] = maker;
}

bool EqualValues::joinKnown(unsigned side, const Visited &visited) {
  const Known *equal = nullptr;
  if (visited.signature.hasNoForm) {
    auto found = knownMakers.find(visited.maker);
    if (found != knownMakers.end())
      equal = &found->second;
  } else if (visited.signature.hash) {
    auto [begin, end] = known.equal_range(*visited.signature.hash);
    for (const auto &[hash, other] : llvm::make_range(begin, end))
      if (areEqual(other.side, other.visited, side, visited)) {
        equal = &other;
        break;
      }
  }
  if (equal)
    cut(side, visited, sides[equal->side].cuts[equal->visited.value],
        equal->visited.maker);
  return equal;
}

/// Makes an input that both programs have.
static SymbolicEvaluation::Cut makeCut(TensorNumber tensor, const Signature &a,
                                       const Signature &b, bool isTruth) {
  if (a.hasNoForm)
    return {tensor, /*mayBeInfinite=*/!isTruth, /*hasPole=*/!isTruth};
  return {tensor, /*mayBeInfinite=*/false, a.hasPole || b.hasPole};
}

bool EqualValues::joinOpen(unsigned side, const Visited &visited) {
  std::vector<Visited> &open = sides[1 - side].open;
  work.steps += open.size() / 16;
  for (size_t i = open.size(); i-- > 0;) {
    Visited &other = open[i];
    if (!areEqual(1 - side, other, side, visited))
      continue;
    const MuNode *node = makers[visited.maker].node;
    SymbolicEvaluation::Cut input =
        makeCut(TensorNumber::getCommonValue(numCuts++), visited.signature,
                other.signature, node && node->op == OpKind::Compare);
    cut(side, visited, input, visited.maker);
    cut(1 - side, other, input, visited.maker);
    if (visited.signature.hash)
      known.insert({*visited.signature.hash, {side, visited}});
    knownMakers.insert({visited.maker, {side, visited}});
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
        if (!open[i].signature.hash)
          continue;
        changed = joinKnown(side, open[i]) || joinOpen(side, open[i]);
        if (changed)
          open.erase(open.begin() + i);
      }
    }
  }
}

void EqualValues::visit(unsigned side, MuValue value) {
  Visited visited{value, sign(side, value), getMaker(side, value)};
  // Nothing is known of other values, such as those that are an input.
  bool canJoin = visited.signature.hash || visited.signature.hasNoForm;
  if (canJoin && (joinKnown(side, visited) || joinOpen(side, visited)))
    refresh();
  else
    sides[side].open.push_back(std::move(visited));
}

Cuts EqualValues::run() {
  size_t count = std::max(sides[0].values.size(), sides[1].values.size());
  budget = 64 * count;
  for (size_t i = 0; i < count; ++i)
    for (unsigned side : {0, 1})
      if (i < sides[side].values.size())
        visit(side, sides[side].values[i]);
  // Results that are too large for a normal form may be made alike.
  llvm::ArrayRef<MuValue> left = sides[0].graph.getRegion().results,
                          right = sides[1].graph.getRegion().results;
  for (auto [l, r] : llvm::zip(left, right))
    if (!sides[0].cuts.contains(l) && !sides[1].cuts.contains(r) &&
        getMaker(0, l) == getMaker(1, r))
      sides[0].cuts[l] = sides[1].cuts[r] = {
          TensorNumber::getCommonValue(numCuts++), /*mayBeInfinite=*/true,
          /*hasPole=*/true};
  return {std::move(sides[0].cuts), std::move(sides[1].cuts), work};
}

Cuts equivalence::cutEqualValues(const MuGraph &lhs, const MuGraph &rhs,
                                 ConstantTables &tables,
                                 const ProofOptions &options) {
  return EqualValues(lhs, rhs, tables, options).run();
}
