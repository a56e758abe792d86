//===- FloatDifference.cpp - Inputs that show a difference ----------------===//
//
// Finds an element of two programs' results in which float64 shows that they
// differ, beyond what rounding can account for.
//
//===----------------------------------------------------------------------===//

#include "FloatRuns.h"
#include "Mirage/Analysis/Equivalence/Floats/FloatingPoint.h"

using namespace mirage;
using namespace mirage::equivalence;

/// The element in which results differ most clearly, in units of what rounding
/// accounts for.
static std::optional<FloatDifference> findDifference(const TensorValue &a,
                                                     const TensorValue &b) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double clearest = 1;
  std::optional<FloatDifference> difference;
  for (int64_t i = 0; i < a.size() && clearest < infinity; ++i) {
    double delta = std::fabs(a.value(i) - b.value(i)),
           bound = a.error(i) + b.error(i);
    if (!(delta > clearest * bound))
      continue;
    clearest = bound > 0 ? delta / bound : infinity;
    Shape index(a.shape().size());
    int64_t linear = i;
    for (size_t dim = index.size(); dim-- > 0; linear /= a.shape()[dim])
      index[dim] = linear % a.shape()[dim];
    difference.emplace();
    difference->index = index;
    difference->lhs = a.value(i);
    difference->rhs = b.value(i);
  }
  return difference;
}

static std::optional<FloatDifference>
findFloatDifference(const FloatPair &pair, uint64_t seed,
                    const Execution &execution) {
  NormalNumbers normals(seed);
  for (const InputKind &kind : getInputKinds().take_front(2)) {
    auto inputs = drawInputs(*pair.lhs, normals, kind, execution);
    RunOptions run = {.execution = &execution};
    auto left = runMuGraph(*pair.lhs, inputs, Precision::F64Bound, run);
    auto right = runMuGraph(*pair.rhs, inputs, Precision::F64Bound, run);
    if (execution.isOver())
      return std::nullopt;
    for (auto [number, a] : llvm::enumerate(left))
      if (auto difference = findDifference(a, right[number])) {
        difference->result = number;
        difference->inputs = kind.name;
        difference->isShrunk = pair.isShrunk;
        return difference;
      }
  }
  return std::nullopt;
}

std::optional<FloatDifference>
equivalence::findFloatDifference(const MuGraph &lhs, const MuGraph &rhs,
                                 const FloatingPointOptions &options,
                                 bool isExample, const Execution &execution) {
  // Bounds cost some ten times as much as numbers.
  double work = options.work / 10;
  FloatPair shortened(lhs, rhs, work, FloatPair::Sums::Shorten);
  if (!shortened.isShrunk || !shortened.mayDependOnSizes())
    if (auto difference =
            ::findFloatDifference(shortened, options.seed, execution))
      return difference;
  if (isExample || !shortened.isShrunk || execution.isOver())
    return std::nullopt;
  return ::findFloatDifference(FloatPair(lhs, rhs, work, FloatPair::Sums::Keep),
                               options.seed, execution);
}
