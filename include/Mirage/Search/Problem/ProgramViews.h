//===- ProgramViews.h - Programs under views of their tensors ---*- C++ -*-===//
//
// A view of a program computes the same up to reshapes of inputs and results,
// which cost nothing, and gives the search more to choose from.
//
//  - Candidates need not repeat the reshapes at the edges of a program: the
//    program inside of them is searched for.
//  - Heads that share keys and values are rows: where a batch dimension stands
//    before the rows of queries and has one set of keys, both are one dimension
//    of a tile, which fills the tensor cores (Mirage paper, figure 4c).
//  - Keys and values that the program repeats for each of their heads are not
//    repeated first.
//  - Slices are windows of inputs, and concatenations are results in parts:
//    what is between has neither.
//  - Results that are computed alike, of different inputs, are one result of
//    stacked inputs.
//  - Dimensions that stand beside each other in all tensors are one: two of a
//    batch, or heads and their queries. It takes one dimension of a grid.
//  - Rows that nothing divides have zeros behind them, up to a multiple of a
//    tile, and the results' rows behind the others are dropped, or hidden.
//  - Operators that candidates cannot have (slices, convolutions, dense
//    constants) may stay where they are, as the kernels that they are, before
//    or after the part that is searched for.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_PROBLEM_PROGRAMVIEWS_H
#define MIRAGE_SEARCH_PROBLEM_PROGRAMVIEWS_H

#include "Mirage/MuGraph/Axes.h"
#include <memory>
#include <tuple>

namespace mirage::search {

/// A box of a tensor's elements: along each dimension `sizes` elements from
/// `offsets` on.
struct TensorWindow {
  Shape offsets, sizes;

  bool operator==(const TensorWindow &other) const {
    return offsets == other.offsets && sizes == other.sizes;
  }
  bool operator<(const TensorWindow &other) const {
    return std::tie(offsets, sizes) < std::tie(other.offsets, other.sizes);
  }
};

/// What an input of a view is.
struct ViewInput {
  /// The number of the other program's input, or, from the number of these on,
  /// that of a result of `before`.
  unsigned number = 0;
  /// The shape of that tensor, and the one that it has with zeros behind its
  /// elements, if the view reads it so. A launch reads nothing there.
  Shape unpadded = {}, padded = {};
  /// The part of the tensor that the view reads, if it is not all, and the
  /// shape of the whole tensor. A launch reads it where it stands.
  std::optional<TensorWindow> window = std::nullopt;
  Shape whole = {};
  /// If there are any, the view's input is a stack of these, along a dimension
  /// in front of theirs. Each block of a launch reads one of them where it
  /// stands.
  std::vector<ViewInput> stack = {};
  /// If the view reads the tensor with its last two dimensions exchanged, this
  /// is the shape before that. Only parts of a stack are so, which a launch
  /// reads in two orders (TensorParts.h).
  Shape unexchanged = {};
};

/// What a result of the other program is: the concatenation of results of the
/// view along a dimension, which have these shapes. Launches write the parts
/// where they belong.
struct ViewResult {
  llvm::SmallVector<Shape, 2> parts;
  int64_t dim = 0;
  /// Launches store all parts as one tensor (StackedResults.h), so that a
  /// µGraph of the view has one result for them.
  bool isStacked = false;

  /// Returns whether launches can write all parts of this type in place.
  bool isInPlace(ElementType type) const;
};

/// A program that computes what another does on reshaped inputs, up to reshapes
/// of the results.
struct ProgramView {
  MuGraph program;
  llvm::SmallVector<ViewInput, 4> inputs;
  /// The other program's results, of which each takes as many results of the
  /// view as it has parts. Where the list is empty, they are the view's, one by
  /// one.
  llvm::SmallVector<ViewResult, 2> results;
  /// If there are any, the shapes of these results without padding and with it.
  /// The other program's results are reshapes of what is without. A launch
  /// stores nothing behind it.
  llvm::SmallVector<Shape, 2> unpadded, padded;
  /// The view sums over the parts of a concatenation, and so has more operators
  /// than the program.
  bool sumsOverParts = false;
  /// If it is not zero, the view has one result, and so many results are what
  /// stands at each place along its first dimension.
  size_t numStacked = 0;
  /// The operators of the other program that run before and after the view, if
  /// there are any. `before` takes the program's inputs; `after` takes the
  /// view's results, the program's inputs, and the results of `before`.
  std::shared_ptr<const MuGraph> before, after;
};

/// The whole program as a view of itself.
ProgramView getWholeView(const MuGraph &program);

/// A view with the inputs and results of another one, and what runs before and
/// after it, whose program is still empty.
ProgramView getSurroundings(const ProgramView &view);

/// The largest part of the program that has none of the nodes `kept`, with the
/// rest before and after it; nothing if no such part computes anything. Large
/// is what reads and writes many elements.
std::optional<ProgramView> cutEdges(const MuGraph &program,
                                    llvm::ArrayRef<unsigned> kept);

/// Returns whether results are arguments of any type, or constants of any type,
/// shape and order, for which there is nothing to search. Nodes that make the
/// results of them are added to `kept`, for cutEdges.
bool findCopiedResults(const MuGraph &program,
                       llvm::SmallVectorImpl<unsigned> &kept);

/// The view with dimensions split where parts of them repeat elements, so that
/// operators broadcast these parts on their own, or so that neighbours which
/// are concatenated have a dimension of their own; nothing if there are none,
/// or an operator does not allow it.
std::optional<ProgramView> removeRepeats(const ProgramView &view);

/// The view without the reshapes of its inputs and before its results.
ProgramView peelReshapes(const ProgramView &view);

/// The view of the program `outer` with rows and columns of products that are
/// no multiples of the smallest tile padded to multiples of a larger one;
/// nothing if there are none. Each element of the results takes elements of one
/// of them alone, or sums over all of them where those behind the end are zero;
/// a softmax gets a mask that hides these, computed before the view. At most a
/// seventh is added.
std::optional<ProgramView> padAxes(const ProgramView &view,
                                   const MuGraph &outer);

/// The view with operands computed again, of inputs of their own, where a
/// tensor has one axis twice: rows of x multiplied with rows of x. Nothing if
/// there are no such tensors, or copies don't help.
std::optional<ProgramView> separateAxes(const ProgramView &view);

/// The view with slices taken of its inputs and concatenations made of its
/// results, as far as the operators between allow it; nothing if it has no
/// slices and concatenations, or if some concatenation would stay.
///
/// An operator that is applied to a part of its operands computes this part of
/// its result. So slices rise to the inputs, whose windows are inputs of their
/// own, and concatenations sink to the results: elementwise operators take each
/// part of their operands, and sums over a concatenated dimension are sums of
/// sums over its parts. A value of which one part and more than that is used is
/// computed once; its slices stay.
std::optional<ProgramView> separateParts(const ProgramView &view);

/// The view with results in parts of one size, where they differ in their sizes
/// along one dimension alone: 768, 256 and 256 columns are five parts of 256,
/// of which one grid computes the same columns. Each result is a concatenation
/// of slices of itself, for separateParts. Nothing if they do not differ so, or
/// there would be more than kMostSelectedParts.
std::optional<ProgramView> divideResults(const ProgramView &view);

/// What a view takes that is no part of its program: slices of inputs that no
/// launch can read in place, and concatenations that none can write in place.
/// The result has these operators alone.
MuGraph getCopies(const ProgramView &view);

/// The dimensions of the view's arguments that are the same beside its
/// operators: those that windows of one tensor don't cut, and, where the
/// windows are runs of few equal units, the dimension inside of a unit.
std::vector<AlikeDims> getAlikeDims(const ProgramView &view);

/// The view with slices that take every n-th element of a dimension written as
/// slices of one place along a dimension of n neighbours; nothing if there are
/// none.
std::optional<ProgramView> splitStrides(const ProgramView &view);

/// The view with slices that are one of several equal parts of a dimension
/// written as one place along an axis of the parts; nothing if there are none.
std::optional<ProgramView> splitSlices(const ProgramView &view);

/// The view with one dimension for all axes that stand beside each other
/// wherever one of them occurs, as two dimensions of a batch do, or the heads
/// that share keys and values and the queries of each head; nothing if there
/// are none. An axis of a batch whose products have one row each, and one
/// second operand, is where rows are. Elements that are neighbours in all
/// tensors stay a dimension of their own, and so does what an operator reads as
/// a whole.
std::optional<ProgramView> joinAxes(const ProgramView &view);

/// The view with one result in the place of several that are computed in the
/// same way, of inputs of their own and of others that they share: products of
/// one tensor with several weights. The inputs of their own are stacked; a grid
/// computes the results beside each other. Nothing if there are no such
/// results, or others besides.
std::optional<ProgramView> stackAlikeResults(const ProgramView &view);

/// A µGraph of a view as one of the program.
MuGraph applyView(const MuGraph &program, const ProgramView &view,
                  const MuGraph &graph);

} // namespace mirage::search

#endif // MIRAGE_SEARCH_PROBLEM_PROGRAMVIEWS_H
