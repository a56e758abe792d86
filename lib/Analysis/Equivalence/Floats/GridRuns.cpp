//===- GridRuns.cpp - Magnitudes times structures -------------------------===//
//
// Runs a pair at small sizes on a grid of inputs: powers of two as the size of
// one argument alone, or of all of them, times structures that an argument has
// (zero rows, columns and tiles, a single row, one sign, masks). Estimates know
// typical elements; what a candidate loses where most elements are zero, or in
// elements that are much smaller than typical ones, is left to these runs.
//
//===----------------------------------------------------------------------===//

#include "FloatCheck.h"
#include "SizeGrid.h"
#include "llvm/ADT/Sequence.h"
#include <set>

using namespace mirage;
using namespace mirage::equivalence;
using llvm::SmallVector;

/// The powers in the order in which they are run: a grid that is cut by its
/// work has coarse steps.
static constexpr int kPowers[] = {0,  -12, 12, -24, 6, -6,  -18,
                                  15, -9,  9,  -3,  3, -15, -21};
/// Inputs on which a candidate errs so much of what is allowed are drawn more
/// often: whether an element is hit that shows more is chance.
static constexpr double kNear = 0.25;
static constexpr unsigned kMostDraws = 8;
/// What a run of a small program costs besides its operations, in operations.
static constexpr double kRunWork = 1e5;
/// Arguments that have structures; programs with more have too many.
static constexpr unsigned kMostArguments = 64;

/// Returns whether sums have one term that is not zero.
static bool isSingle(const InputKind &kind) {
  using Kind = Pattern::Kind;
  return kind.special && (kind.special->pattern.kind == Kind::AllButOne ||
                          kind.special->pattern.kind == Kind::AllLinesButOne);
}

/// Returns whether a program is expected to be far from overflowing. Where it
/// is not, a candidate may overflow a little earlier, and where it does, which
/// elements do is chance.
static bool hasRoom(const MuGraph &program, const InputKind &kind) {
  return llvm::all_of(
      estimateResults(program, kind.sizes, kOriginalHeadroom),
      [](const ResultEstimate &of) { return std::isfinite(of.error); });
}

std::vector<FloatCheck::Structure> FloatCheck::getStructures() const {
  using Kind = Pattern::Kind;
  using Others = Special::Others;
  llvm::ArrayRef<MuValue> arguments = small.lhs->getRegion().arguments;
  unsigned count = arguments.size();
  InputKind normal{"grid", 1, 0, 0};
  normal.positive = getArguments(&ArgumentTraits::isPositive);
  normal.zeros = base.zeros;
  normal.ones = base.ones;
  std::vector<Structure> structures;
  auto add = [&](std::optional<unsigned> argument) -> InputKind & {
    return structures.emplace_back(Structure{normal, argument}).kind;
  };
  // Dense, and of one sign.
  auto addDense = [&](std::optional<unsigned> argument) {
    ArgumentSet signs(count, !argument);
    if (argument)
      signs.set(*argument);
    add(argument);
    add(argument).positive |= signs;
    if (signs.reset(normal.positive).any())
      add(argument).negative = signs;
  };
  auto addSpecial = [&](std::optional<unsigned> argument, double number,
                        Others others, Pattern pattern) {
    Special special;
    auto of =
        argument ? llvm::seq(*argument, *argument + 1) : llvm::seq(0u, count);
    special.elements.push_back({{of.begin(), of.end()}, number, others});
    special.pattern = pattern;
    InputKind &kind = add(argument);
    kind.special = std::move(special);
    kind.keepsInfinities = std::isinf(number);
  };
  auto addZeros = [&](std::optional<unsigned> argument, Pattern pattern) {
    addSpecial(argument, 0, Others::Normal, pattern);
  };
  addDense(std::nullopt);
  addZeros(std::nullopt, {Kind::Halves, 0, 0});
  for (unsigned i = 0; i < std::min(count, kMostArguments); ++i) {
    addDense(i);
    ShapeRef shape = small.lhs->getShape(arguments[i]);
    int64_t elements = elementCount(shape);
    for (size_t dim = shape.size(); dim-- > 0 && dim + 2 >= shape.size();) {
      unsigned along = dim;
      if (shape[dim] == 1)
        continue;
      addZeros(i, {Kind::AllButOne, along, 0});
      if (shape[dim] == elements)
        continue;
      addZeros(i, {Kind::Lines, along, 0});
      addZeros(i, {Kind::AllLinesButOne, along, 0});
    }
    if (elements == 1)
      continue;
    addZeros(i, {Kind::Halves, 0, 0});
    addSpecial(i, 0, Others::One, {Kind::Halves, 0, 0});
    if (traits[i].isSummand && !traits[i].isFactor)
      addSpecial(i, -HUGE_VAL, Others::Normal, {Kind::Halves, 0, 0});
  }
  return structures;
}

void FloatCheck::runGrid() {
  llvm::ArrayRef<MuValue> arguments = small.lhs->getRegion().arguments;
  auto getType = [&](unsigned argument) {
    return small.lhs->getValue(arguments[argument]).type;
  };
  double work = 2 * (estimateWork(*small.lhs) + estimateWork(*small.rhs));
  auto most = static_cast<int64_t>(options.gridWork / (kRunWork + work));
  std::vector<Structure> structures = getStructures();
  // Narrow types have some sizes in the place of several.
  std::set<std::string> known;
  auto runOn = [&](InputKind kind) {
    if (!goesOn() || most <= 0 || !known.insert(kind.getKey()).second ||
        !hasRoom(*small.lhs, kind))
      return;
    do {
      --most;
      greatestShare = 0;
      run(kind, small);
    } while (greatestShare >= kNear && ++kind.draw < kMostDraws && most > 0 &&
             goesOn());
  };
  for (int power : kPowers)
    for (const auto &[structure, argument] : structures) {
      InputKind kind = structure;
      kind.sizes.resize(arguments.size());
      if (argument)
        kind.sizes[*argument].isSingle = isSingle(kind);
      if (argument) {
        kind.sizes[*argument].deviation =
            getSizeAlone(getType(*argument), power);
        runOn(kind);
      }
      if (argument && arguments.size() == 1)
        continue;
      for (unsigned i = 0; i < arguments.size(); ++i)
        kind.sizes[i].deviation = arguments.size() == 1
                                      ? getSizeAlone(getType(i), power)
                                      : getSizeTogether(getType(i), power, 2);
      runOn(kind);
    }
}
