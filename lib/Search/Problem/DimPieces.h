//===- DimPieces.h - Dimensions cut between their axes ----------*- C++ -*-===//
//
// Says which dimensions of a program are cut into pieces so that what repeats
// elements stands alone: where a reshape joins repeated and other dimensions
// ([kv, g] becomes [kv * g]), all dimensions with the same axes are cut. So are
// those in which a reshape joins a concatenated dimension with one outside of
// it: [pairs, 2] becomes [pairs * 2], of which neighbours are parts.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_PROBLEM_DIMPIECES_H
#define MIRAGE_LIB_SEARCH_PROBLEM_DIMPIECES_H

#include "Mirage/MuGraph/Axes.h"
#include "llvm/ADT/BitVector.h"
#include <map>

namespace mirage::search {

class DimPieces {
public:
  /// The sizes of the pieces of a dimension, outermost first. There is at least
  /// one piece.
  using Sizes = llvm::SmallVector<int64_t, 2>;

  explicit DimPieces(const MuGraph &program)
      : program(program), axes(computeAxes(program)),
        repeated(program.getNumValues(), llvm::BitVector(axes.sizes.size())),
        concatenated(axes.sizes.size()), pieces(program.getNumValues()) {}

  /// Finds the pieces of all dimensions, of concatenated ones only with
  /// `cutsParts`. The program must consist of operators alone.
  void compute(bool cutsParts) {
    if (cutsParts)
      findConcatenated();
    findCuts();
    cutDims();
  }
  /// Returns whether dimensions are cut outside of a concatenated one.
  bool hasPartCuts() const { return partCuts; }

  llvm::ArrayRef<Sizes> get(MuValue value) const { return pieces[value]; }
  /// The value's shape with a dimension for each piece.
  Shape getShape(MuValue value) const;
  /// The first of the dimensions that one of the program's became.
  int64_t getPlace(MuValue value, int64_t dim) const;
  /// Returns whether the dimension has one piece.
  bool isWhole(MuValue value, int64_t dim) const {
    return pieces[value][dim].size() == 1;
  }

private:
  void findConcatenated();
  void findCuts();
  void findRepeated(const MuNode &node);
  void findCuts(MuValue reshaped);
  void cutDims();

  const MuGraph &program;
  Axes axes;
  llvm::BitVector getAxes(llvm::ArrayRef<unsigned> dim) const;

  /// The axes along which a value's elements are equal.
  std::vector<llvm::BitVector> repeated;
  /// The outermost axes of concatenated dimensions.
  llvm::BitVector concatenated;
  bool partCuts = false;
  /// Says for a dimension's axes how many of them each piece has.
  std::map<std::vector<unsigned>, std::vector<size_t>> cuts;
  std::vector<llvm::SmallVector<Sizes, 4>> pieces;
};

} // namespace mirage::search

#endif // MIRAGE_LIB_SEARCH_PROBLEM_DIMPIECES_H
