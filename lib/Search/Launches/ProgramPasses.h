//===- ProgramPasses.h - A program in loops one after another ---*- C++ -*-===//
//
// A launch that follows the program in a loop over an axis may need several
// passes over the axis: a sum of the first one is what the elements of the
// second one are divided by. What is in tiles is computed again in each pass
// that needs it.
//
// If the results have too few parts for all multiprocessors, two launches
// follow the program: the blocks of the first one divide an axis that is
// summed, and the second one merges what they leave.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_LAUNCHES_PROGRAMPASSES_H
#define MIRAGE_LIB_SEARCH_LAUNCHES_PROGRAMPASSES_H

#include "Mirage/Search/Problem/SearchProblem.h"

namespace mirage::search {

/// An operator's form, and the axes over which it sums or takes maxima: a
/// number of SearchProblem::getReducedAxes.
struct PlannedForm {
  FormId formId = 0;
  uint8_t reduced = 0;
};

/// A load, an operator or an accumulator of a launch that follows the program.
struct PlannedOperator {
  /// The tensor that is loaded: one of the program's arguments or, in a second
  /// launch, what the first one has stored, numbered behind the arguments.
  /// Nothing for other operators.
  std::optional<unsigned> tensor = {};
  /// The loop that it stands in; nothing for the launch's body.
  std::optional<unsigned> pass = {};
  /// The operator; nothing for loads and accumulators.
  std::optional<PlannedForm> form = {};
  /// The accumulator; its operand is in a loop.
  std::optional<OperatorForm::Kind> accumulator = {};
  /// Operands, by their places among the planned operators.
  llvm::SmallVector<unsigned, 3> operands = {};
};

struct ProgramPasses {
  /// Each behind its operands.
  std::vector<PlannedOperator> operators;
  /// The operators that compute what the launch stores, all in the body.
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

/// What two launches compute of a program if the blocks of the first one divide
/// an axis that the program sums: sums and maxima over each block's part of the
/// axis first, all else then.
struct SplitProgram {
  /// What the first launch stores: what it has reduced over the axis, and
  /// products and sums over other axes that the second launch reads for each
  /// place of the axis, so that it does not compute them again.
  llvm::SmallVector<MuValue, 4> stored;
  /// Some of these have the axis, and are no sums over it.
  bool storesTiles = false;
  /// The axes that either launch's grid may divide: what it stores has them,
  /// and it does not reduce over them. The axis itself is none of the first.
  AxisSet firstGrid, secondGrid;
  /// The axes that operators of the first launch reduce.
  AxisSet firstReduced;
};

/// Returns how two launches compute the program in `steps` with an axis that
/// blocks divide. Returns nothing if nothing is reduced over it, or if what is
/// reduced depends on something else that is.
std::optional<SplitProgram> splitProgram(const SearchProblem &problem,
                                         llvm::ArrayRef<ProgramStep> steps,
                                         uint8_t axis);

/// A tensor that the first of two launches stores and the second one loads.
struct StoredPart {
  /// What it is of the program, or its parts, one for each block along the
  /// axis. Nothing if it is a maximum that is there for others.
  std::optional<MuValue> value;
  /// The tensor has a dimension for the blocks along the axis.
  bool isSplit = false;
  /// Its elements are maxima.
  bool isMaximum = false;
  /// The maxima that its elements are relative to, by their place.
  std::optional<unsigned> maximum;
};

/// Returns the first launch, with at most one loop, over an axis.
ProgramPasses planFirst(const SearchProblem &problem,
                        llvm::ArrayRef<ProgramStep> steps,
                        const SplitProgram &split, std::optional<uint8_t> axis,
                        SumPlace sums);

/// Returns the second launch, which merges parts along an axis, and has one
/// loop over that or none; nothing if no operator of the search merges them.
std::optional<ProgramPasses>
planSecond(const SearchProblem &problem, llvm::ArrayRef<ProgramStep> steps,
           uint8_t axis, llvm::ArrayRef<StoredPart> parts, bool hasLoop);

} // namespace mirage::search

#endif // MIRAGE_LIB_SEARCH_LAUNCHES_PROGRAMPASSES_H
