//===- ProgramViews.h - Programs under views of their tensors ---*- C++ -*-===//
//
// A view of a program computes the same up to reshapes of inputs and results,
// which cost nothing, and gives the search more to choose from.
//
//  - Candidates need not repeat the reshapes at the edges of a program: the
//    program inside of them is searched for.
//  - Heads that share keys and values are rows: where a batch dimension stands
//    before the rows of queries and has one set of keys, both become one
//    dimension, whose tiles fill the tensor cores (Mirage paper, figure 4c).
//  - Keys and values that the program repeats for each of their heads are not
//    repeated first.
//  - Operators that candidates cannot have (slices, convolutions, dense
//    constants) may stay where they are, as the kernels that they are, before
//    or after the part that is searched for.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_PROBLEM_PROGRAMVIEWS_H
#define MIRAGE_SEARCH_PROBLEM_PROGRAMVIEWS_H

#include "Mirage/MuGraph/MuGraph.h"
#include <memory>

namespace mirage::search {

/// A program that computes what another does on reshaped inputs, up to reshapes
/// of the results.
struct ProgramView {
  MuGraph program;
  /// For each input of the view the number of the other program's input, or,
  /// from the number of these on, that of a result of `before`.
  llvm::SmallVector<unsigned, 4> inputs;
  /// The operators of the other program that run before and after the view, if
  /// there are any. `before` takes the program's inputs; `after` takes the
  /// view's results, the program's inputs, and the results of `before`.
  std::shared_ptr<const MuGraph> before, after;
};

/// The whole program as a view of itself.
ProgramView getWholeView(const MuGraph &program);

/// The largest part of the program that has none of the nodes `kept`, with the
/// rest before and after it; nothing if no such part computes anything. Large
/// is what reads and writes many elements.
std::optional<ProgramView> cutEdges(const MuGraph &program,
                                    llvm::ArrayRef<unsigned> kept);

/// Whether results are arguments or constants, of any type, for which there is
/// nothing to search. Nodes that cast them are added to `kept`, for cutEdges.
bool findCopiedResults(const MuGraph &program,
                       llvm::SmallVectorImpl<unsigned> &kept);

/// The view with dimensions split where parts of them repeat elements, so that
/// operators broadcast these parts on their own; nothing if there are none, or
/// an operator does not allow it.
std::optional<ProgramView> removeRepeats(const ProgramView &view);

/// The view without the reshapes of its inputs and before its results.
ProgramView peelReshapes(const ProgramView &view);

/// The view with operands computed again, of inputs of their own, where a
/// tensor has one axis twice: rows of x multiplied with rows of x. Nothing if
/// there are no such tensors, or copies don't help.
std::optional<ProgramView> separateAxes(const ProgramView &view);

/// The view with slices that are one of several equal parts of a dimension
/// written as one place along an axis of the parts; nothing if there are none.
std::optional<ProgramView> splitSlices(const ProgramView &view);

/// A µGraph of a view as one of the program.
MuGraph applyView(const MuGraph &program, const ProgramView &view,
                  const MuGraph &graph);

} // namespace mirage::search

#endif // MIRAGE_SEARCH_PROBLEM_PROGRAMVIEWS_H
