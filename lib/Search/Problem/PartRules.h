//===- PartRules.h - Parts of operands for parts of results -----*- C++ -*-===//
//
// An operator that is applied to parts of its operands computes a part of its
// result. PartRules says which ones, and where the borders of concatenations
// are in all values behind them.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_PROBLEM_PARTRULES_H
#define MIRAGE_LIB_SEARCH_PROBLEM_PARTRULES_H

#include "Mirage/Search/Problem/ProgramViews.h"
#include "llvm/ADT/DenseMap.h"
#include <set>

namespace mirage::search {

/// The window that is the whole tensor.
TensorWindow getWholeWindow(ShapeRef shape);

/// Returns whether two windows of a tensor have an element in common.
bool overlap(const TensorWindow &a, const TensorWindow &b);

/// Returns whether all elements of a window are in another one.
bool isInside(const TensorWindow &inner, const TensorWindow &outer);

/// Returns whether a slice takes consecutive elements of each dimension.
bool hasUnitStrides(const MuNode &node);

/// The windows of an operator's operands that give a window of its result, or
/// one of several terms of it.
using OperandWindows = llvm::SmallVector<TensorWindow, 3>;

/// Takes composite operators apart that reduce over a dimension in which a
/// concatenation has a border.
MuGraph expandCutComposites(const MuGraph &program);

class PartRules {
public:
  explicit PartRules(const MuGraph &program);

  /// Returns whether some border of a concatenation lies where no window ends,
  /// as inside of a dimension that a reshape merges, or where an operator needs
  /// all of the dimension.
  bool isBlocked() const { return blocked; }

  /// The positions inside of a dimension at which concatenations have borders.
  const std::set<int64_t> &getCuts(MuValue value, size_t dim) const {
    return cuts[value][dim];
  }

  /// The window between borders that has all of another window; nothing if
  /// borders run through that.
  std::optional<TensorWindow> getSegment(MuValue value,
                                         const TensorWindow &window) const;

  /// Follows slices, splits, concatenations and padding to what they take a
  /// window of.
  void resolve(MuValue &value, TensorWindow &window) const;

  /// The terms of a window of a node's result, of which there are several only
  /// where it reduces over a concatenated dimension; nothing if the operator
  /// gives no such window by itself. Constants and padding have a term without
  /// operands.
  std::optional<llvm::SmallVector<OperandWindows, 1>>
  getTerms(const MuNode &node, const TensorWindow &window) const;

  /// Returns whether a window of what a node pads, between borders, is padding.
  bool isPadding(const MuNode &node, const TensorWindow &window) const;

  /// The node that computes a value; null for arguments.
  const MuNode *getDefinition(MuValue value) const {
    return definitions.lookup(value);
  }

  /// The dimensions of a composite operator's first operand over which it
  /// reduces, if they are known.
  static llvm::SmallVector<size_t, 2> getReducedDims(const MuNode &node,
                                                     size_t rank);

private:
  void findCuts(const MuNode &node);
  void addCuts(const std::set<int64_t> &from, MuValue to, size_t dim,
               int64_t shift = 0);
  void addCutsOfReshape(const MuNode &node);
  void addCutsOfWindow(const MuNode &node);
  void addCutsOfReduction(const MuNode &node);
  void addCutsOfProduct(const MuNode &node);
  void addCutsOfGroups(const std::set<int64_t> &from, const MuNode &node,
                       size_t dim);
  bool hasCuts(MuValue value) const;
  bool isZero(const MuNode &node, const OperandWindows &term) const;
  TensorWindow getSameWindow(MuValue operand, ShapeRef shape,
                             const TensorWindow &window) const;
  llvm::SmallVector<OperandWindows, 1>
  findTermsOfReduction(const MuNode &node, const TensorWindow &window) const;
  llvm::SmallVector<OperandWindows, 1>
  findTermsOfProduct(const MuNode &node, const TensorWindow &window) const;
  std::optional<llvm::SmallVector<OperandWindows, 1>>
  findTerms(const MuNode &node, const TensorWindow &window) const;
  llvm::SmallVector<TensorWindow, 1>
  cutWindow(TensorWindow window, size_t dim,
            const std::set<int64_t> &borders) const;

  const MuGraph &program;
  std::vector<std::vector<std::set<int64_t>>> cuts;
  llvm::DenseMap<MuValue, const MuNode *> definitions;
  bool blocked = false;
};

} // namespace mirage::search

#endif // MIRAGE_LIB_SEARCH_PROBLEM_PARTRULES_H
