//===- ProgramPasses.h - A program in loops one after another ---*- C++ -*-===//
//
// A launch that follows the program in a loop over an axis may need several
// passes over the axis: a sum of the first one is what the elements of the
// second one are divided by. What is in tiles is computed again in each pass
// that needs it.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_LAUNCHES_PROGRAMPASSES_H
#define MIRAGE_LIB_SEARCH_LAUNCHES_PROGRAMPASSES_H

#include "Mirage/Search/Problem/SearchProblem.h"

namespace mirage::search {

/// A load, an operator or an accumulator of a launch that follows the program.
struct PlannedOperator {
  /// The argument that is loaded; nothing for other operators.
  std::optional<unsigned> argument = {};
  /// The loop that it stands in; nothing for the launch's body.
  std::optional<unsigned> pass = {};
  /// The operator of the program; null for loads and accumulators.
  const ProgramStep *step = nullptr;
  /// The accumulator; its operand is in a loop.
  std::optional<OperatorForm::Kind> accumulator = {};
  /// Operands, by their places among the planned operators.
  llvm::SmallVector<unsigned, 3> operands = {};
};

struct ProgramPasses {
  /// Each behind its operands.
  std::vector<PlannedOperator> operators;
  /// The operators that compute the program's results, all in the body.
  llvm::SmallVector<unsigned, 2> results;
  /// How many loops there are.
  unsigned numLoops = 0;
  /// Some sum over the loops' axis is taken of each iteration's tile, in a
  /// program that has products.
  bool sumsBesideProducts = false;
};

/// This says where sums over a loop's axis are taken: in each iteration, so
/// that the sums are added up, or once behind the loop, so that tiles are added
/// up. The first keeps less. In the second the warps that multiply do not wait
/// for one another in each iteration; without products the lowering sums so
/// anyway.
enum class SumPlace : uint8_t { InLoop, BehindLoop };

/// Returns the loops over an axis, or the launch without a loop, that compute
/// the program in `steps`. A maximum that is subtracted before an exponential
/// needs no pass of its own, since sums are rescaled.
ProgramPasses planPasses(const SearchProblem &problem,
                         llvm::ArrayRef<ProgramStep> steps,
                         std::optional<uint8_t> axis, SumPlace sums);

} // namespace mirage::search

#endif // MIRAGE_LIB_SEARCH_LAUNCHES_PROGRAMPASSES_H
