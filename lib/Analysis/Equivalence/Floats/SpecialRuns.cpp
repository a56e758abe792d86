//===- SpecialRuns.cpp - Runs on special numbers --------------------------===//
//
// Runs a pair on inputs of which some elements are numbers at which operators
// change, in all the patterns that matter, and on unequal arguments.
//
//===----------------------------------------------------------------------===//

#include "FloatCheck.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SetVector.h"

using namespace mirage;
using namespace mirage::equivalence;
using llvm::ArrayRef;
using llvm::SmallVector;

bool FloatCheck::runPattern(const Special &special, const FloatPair &pair,
                            bool areLarge) {
  unsigned results = lhs.getRegion().results.size();
  InputKind kind = getSpecialInputs(special, areLarge);
  kind.positive = getArguments(&ArgumentTraits::isPositive);
  kind.keepsInfinities = special.isInfinite() &&
                         llvm::none_of(special.elements, [&](const auto &e) {
                           return llvm::any_of(e.arguments, [&](unsigned i) {
                             return traits[i].isFactor;
                           });
                         });
  kind.zeros = base.zeros;
  kind.ones = base.ones;
  measured = 0;
  auto runMore = [&] {
    if (goesOn())
      run(kind, pair);
  };
  using Others = Special::Others;
  bool isMask = llvm::any_of(special.elements, [](const auto &elements) {
    return elements.others == Others::One || elements.others == Others::Zero;
  });
  ArgumentSet compared = getArguments(&ArgumentTraits::isCompared);
  for (const Special::Elements &elements : special.elements)
    for (unsigned argument : elements.arguments)
      compared.reset(argument);
  // Beside ones, and between zeros and ones.
  if (isMask) {
    kind.ones |= compared;
    runMore();
    if (compared.any()) {
      kind.ones.reset(compared);
      kind.halves = compared;
      runMore();
    }
  } else {
    runMore();
  }
  // The original may be no number for other arguments than the special ones.
  if (measured < results) {
    kind.positive = ArgumentSet(traits.size(), true);
    runMore();
  }
  ArgumentSet underRoot = getArguments(&ArgumentTraits::isUnderRoot);
  if (measured < results && underRoot.any()) {
    kind.fractions = underRoot;
    runMore();
  }
  return measured > 0;
}

/// One huge element in each line of an argument, which all else is small
/// beside.
std::vector<Special> FloatCheck::getOutliers() const {
  std::vector<Special> outliers;
  for (auto [number, value] : llvm::enumerate(lhs.getRegion().arguments)) {
    ElementType type = lhs.getValue(value).type;
    for (double huge : getHugeNumbers(type)) {
      // The number is at most half of what the type holds, so that the original
      // has room to add to it.
      double outlying = std::min(getLargestPower(type), huge) / 2;
      Special &outlier = outliers.emplace_back();
      outlier.isOutlier = true;
      outlier.elements.push_back(
          {{static_cast<unsigned>(number)}, outlying, Special::Others::Normal});
    }
  }
  return outliers;
}

/// Returns patterns for special numbers, in the order in which they matter.
static SmallVector<Pattern> choosePatterns(const MuGraph &graph,
                                           const Special &special,
                                           ArrayRef<int64_t> sizes) {
  using Kind = Pattern::Kind;
  // Tensors of different shapes have these in common.
  if (special.elements.size() == 1 && special.elements[0].arguments.size() > 1)
    return {{Kind::All, 0, 0}, {Kind::Halves, 0, 0}, {Kind::OtherHalves, 0, 0}};
  unsigned argument = special.elements[0].arguments[0];
  ShapeRef shape = graph.getShape(graph.getRegion().arguments[argument]);
  if (special.isOutlier) {
    SmallVector<Pattern> lines;
    for (unsigned dim : llvm::reverse(llvm::seq<unsigned>(0, shape.size())))
      if (shape[dim] > 1)
        lines.push_back({Kind::One, dim, 0});
    return lines;
  }
  auto patterns = getPatterns(shape, sizes, special.onlyLines);
  if (special.elements.size() == 1)
    return patterns;
  // The other argument's shape decides, too, where lines are.
  MuValue other = graph.getRegion().arguments[special.elements[1].arguments[0]];
  llvm::erase_if(patterns, [&](const Pattern &pattern) {
    return pattern.block || pattern.dim >= graph.getShape(other).size();
  });
  return patterns;
}

/// Adds numbers at which an operator of the candidate changes, and none of the
/// original: poles, maxima and comparisons that are new.
void FloatCheck::addCandidateSpecials(std::vector<Special> &specials) const {
  auto covers = [](const Special &a, const Special &b) {
    return a.elements == b.elements && (!a.onlyLines || b.onlyLines);
  };
  for (auto [candidate, original] : llvm::zip(findArgumentTraits(rhs), traits))
    for (Special &special : candidate.specials) {
      // What is not added to scores is no mask, and has no infinities.
      bool isMask = original.isSummand && !original.isFactor;
      if (special.isInfinite() && !isMask)
        continue;
      if (llvm::none_of(specials, [&](const Special &known) {
            return covers(known, special);
          }))
        specials.push_back(std::move(special));
    }
}

void FloatCheck::runSpecial() {
  for (InputKind kind : getUnequalInputs(lhs, options.extremes)) {
    kind.zeros = base.zeros;
    kind.ones = base.ones;
    if (goesOn())
      run(kind, small);
  }
  std::vector<Special> specials;
  if (options.extremes)
    specials = getOutliers();
  for (const ArgumentTraits &argument : traits)
    llvm::append_range(specials, argument.specials);
  llvm::append_range(specials, findJointSpecials(traits));
  addCandidateSpecials(specials);
  llvm::SmallSetVector<int64_t, 8> sizes;
  for (const MuGraph *graph : {small.lhs, small.rhs})
    for (MuValue value = 0; value < graph->getNumValues(); ++value)
      sizes.insert_range(graph->getShape(value));
  double work = 2 * (estimateWork(*small.lhs) + estimateWork(*small.rhs));
  // The first patterns are those that matter most.
  constexpr double manyPatterns = 8;
  double most = std::max(
      1.0, options.specialWork /
               std::max(1.0, work * static_cast<double>(specials.size())));
  // Numbers that the original has no use for say so soon.
  constexpr unsigned mostSilent = 6;
  for (Special &special : specials) {
    auto patterns = choosePatterns(*small.lhs, special, sizes.getArrayRef());
    unsigned silent = 0;
    for (auto [i, pattern] : llvm::enumerate(
             ArrayRef(patterns).take_front(static_cast<size_t>(most)))) {
      special.pattern = pattern;
      if (!goesOn() || silent == mostSilent)
        break;
      silent = runPattern(special, small, /*areLarge=*/false) ? 0 : silent + 1;
      // What is hidden may be far greater than what is not.
      if (i < 2 && most >= manyPatterns && !special.isOutlier && goesOn())
        runPattern(special, small, /*areLarge=*/true);
    }
  }
}
