//===- Proof.cpp - Proofs that two programs compute the same --------------===//
//
// Proves outputs one by one; where normal forms become too large, again without
// what both programs have in common.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/Proof/Proof.h"
#include "Mirage/Analysis/Equivalence/Proof/ValueProof.h"

using namespace mirage;
using namespace mirage::equivalence;

/// Returns whether two lists of values have equal shapes.
static bool haveEqualShapes(const MuGraph &lhs, llvm::ArrayRef<MuValue> a,
                            const MuGraph &rhs, llvm::ArrayRef<MuValue> b) {
  if (a.size() != b.size())
    return false;
  for (auto [x, y] : llvm::zip(a, b))
    if (lhs.getShape(x) != rhs.getShape(y))
      return false;
  return true;
}

/// Returns whether two values were found to be equal.
static bool haveOneCut(const Cuts &cuts, MuValue l, MuValue r) {
  auto left = cuts.left.find(l), right = cuts.right.find(r);
  return left != cuts.left.end() && right != cuts.right.end() &&
         left->second.tensor == right->second.tensor;
}

/// Returns whether all constants that are taken for others were written down in
/// the program; operators may stand for expressions with such constants (exp2).
static bool hasOnlyWritten(const MuGraph &expanded, const MuGraph &program) {
  return countNamedConstants(expanded) <= countNamedConstants(program);
}

/// Returns whether an operator takes parts of tensors, or makes tensors of
/// parts, that are no tiles of equal size.
static bool cutsRanges(const MuGraph &graph) {
  for (unsigned number = 0; number < graph.getNumNodes(); ++number) {
    const MuNode &node = graph.getNode(number);
    if (node.kind == MuNode::Kind::Operator &&
        llvm::is_contained(
            {OpKind::Slice, OpKind::Split, OpKind::Concat, OpKind::Pad},
            node.op))
      return true;
  }
  return false;
}

/// Returns whether a value has cases: an operator takes a maximum, compares or
/// chooses. The maximum of a softmax cancels, and is none of these.
static bool hasCases(const MuGraph &program) {
  for (unsigned number = 0; number < program.getNumNodes(); ++number) {
    const MuNode &node = program.getNode(number);
    if (node.kind == MuNode::Kind::Operator &&
        (llvm::is_contained({OpKind::Max, OpKind::Min, OpKind::Abs,
                             OpKind::Relu, OpKind::Clamp, OpKind::Compare,
                             OpKind::Select, OpKind::Mish},
                            node.op) ||
         (node.op == OpKind::Reduce &&
          node.attributes.reduceKind == ReduceKind::Max)))
      return true;
  }
  return false;
}

static ProofResult prove(const MuGraph &lhs, const MuGraph &rhs,
                         const MuGraph &left, const MuGraph &right,
                         const ProofOptions &options, ProofWork &work);

ProofResult equivalence::proveEquivalence(const MuGraph &lhs,
                                          const MuGraph &rhs,
                                          const ProofOptions &options) {
  ProofResult result;
  const MuRegion &a = lhs.getRegion(), &b = rhs.getRegion();
  if (!haveEqualShapes(lhs, a.arguments, rhs, b.arguments) ||
      !haveEqualShapes(lhs, a.results, rhs, b.results)) {
    result.reason = "the programs' inputs or outputs differ in number or shape";
    return result;
  }
  ExpandOptions expand{/*sigmoid=*/true, /*tanh=*/true};
  MuGraph left = expandToPrimitives(lhs, expand);
  MuGraph right = expandToPrimitives(rhs, expand);
  if (!hasModerateSizes(left) || !hasModerateSizes(right)) {
    result.reason = "a tensor is empty or has more than 2^40 elements";
    return result;
  }
  std::vector<std::string> named = getNamedConstants(lhs);
  for (std::string &name : getNamedConstants(rhs))
    if (!llvm::is_contained(named, name))
      named.push_back(std::move(name));
  ProofWork work;
  // Attempts that keep sums together have a part of the steps besides: where
  // they find no proof, the others may do all that they could do without.
  ProofOptions keeping = options, multiplying = options;
  multiplying.longestFactor = std::numeric_limits<unsigned>::max();
  keeping.maxSteps /= 4;
  keeping.maxTotalSteps /= 4;
  ProofWork workOfKeeping;
  auto attempt = [&](bool literalConstants, bool joinRanges, bool piecewise) {
    auto attemptWith = [&](ProofOptions rest, ProofWork &spent) {
      rest.maxTotalSteps -= std::min(rest.maxTotalSteps, spent.steps);
      rest.literalConstants |= literalConstants;
      rest.joinRanges |= joinRanges;
      rest.piecewise |= piecewise;
      ProofWork own;
      ProofResult one = prove(lhs, rhs, left, right, rest, own);
      spent.steps += own.steps;
      if (!literalConstants)
        one.named = named;
      bool isComplete = !own.hasKeptSums &&
                        own.steps < std::min(rest.maxSteps, rest.maxTotalSteps);
      return std::make_pair(std::move(one), isComplete);
    };
    auto [one, isComplete] = attemptWith(keeping, workOfKeeping);
    // Without sums that were kept, and within its steps, the other attempt
    // would be the same.
    if (one.kind == ProofResult::Kind::Proved || isComplete)
      return std::move(one);
    return attemptWith(multiplying, work).first;
  };
  bool canBeLiteral =
      !named.empty() && hasOnlyWritten(left, lhs) && hasOnlyWritten(right, rhs);
  // What costs less comes first.
  bool canJoin = cutsRanges(left) || cutsRanges(right);
  bool canDivide = hasCases(lhs) || hasCases(rhs);
  enum class Laws { Least, OfRanges, OfCases };
  for (Laws laws : {Laws::Least, Laws::OfRanges, Laws::OfCases}) {
    bool joinRanges = laws != Laws::Least && canJoin;
    bool piecewise = laws == Laws::OfCases;
    if ((laws == Laws::OfRanges && !canJoin) || (piecewise && !canDivide))
      continue;
    // First with constants as they are.
    for (bool literal : {true, false}) {
      if (literal && !canBeLiteral)
        continue;
      ProofResult one = attempt(literal, joinRanges, piecewise);
      bool isProved = one.kind == ProofResult::Kind::Proved;
      // Tiles that have no common refinement divide sums, too.
      canJoin |= llvm::any_of(one.outputs, [](const ProofResult::Output &own) {
        return own.hasRanges;
      });
      // If all attempts fail, the simplest one says why.
      if (isProved || (!literal && !joinRanges && !piecewise))
        result = std::move(one);
      if (isProved)
        break;
    }
    if (result.kind == ProofResult::Kind::Proved)
      break;
  }
  result.steps = work.steps + workOfKeeping.steps;
  return result;
}

static ProofResult prove(const MuGraph &lhs, const MuGraph &rhs,
                         const MuGraph &left, const MuGraph &right,
                         const ProofOptions &options, ProofWork &work) {
  ProofResult result;
  const MuRegion &a = lhs.getRegion();
  result.kind = ProofResult::Kind::Proved;
  // An output may take what is left of the steps for everything together.
  auto getOptions = [&] {
    ProofOptions limited = options;
    limited.maxSteps = std::min(
        options.maxSteps,
        options.maxTotalSteps - std::min(options.maxTotalSteps, work.steps));
    return limited;
  };
  const SymbolicEvaluation::Cuts none;
  std::optional<Cuts> cuts;
  ConstantTables cutTables;
  for (unsigned i = 0; i < a.results.size(); ++i) {
    MuValue l = left.getRegion().results[i], r = right.getRegion().results[i];
    ConstantTables tables;
    ProofResult::Output output = proveEqual({left, l, none}, {right, r, none},
                                            tables, getOptions(), work);
    if (output.kind == ProofResult::Kind::Unknown) {
      if (!cuts) {
        cuts = cutEqualValues(left, right, cutTables, getOptions());
        work.steps += cuts->work.steps;
        work.hasKeptSums |= cuts->work.hasKeptSums;
      }
      ProofResult::Output rest;
      if (haveOneCut(*cuts, l, r))
        rest.kind = ProofResult::Kind::Proved;
      else
        rest = proveEqual({left, l, cuts->left}, {right, r, cuts->right},
                          cutTables, getOptions(), work);
      if (rest.kind == ProofResult::Kind::Proved)
        output = rest;
    }
    if (output.kind != ProofResult::Kind::Proved &&
        result.kind != ProofResult::Kind::Different)
      result.kind = output.kind;
    result.outputs.push_back(std::move(output));
  }
  return result;
}
