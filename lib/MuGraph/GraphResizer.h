//===- GraphResizer.h - A graph with other sizes ----------------*- C++ -*-===//
//
// Writes a graph anew with other values of the extents that its sizes are
// products of.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_MUGRAPH_GRAPHRESIZER_H
#define MIRAGE_LIB_MUGRAPH_GRAPHRESIZER_H

#include "DimensionSizes.h"

namespace mirage {

class GraphResizer {
public:
  virtual ~GraphResizer() = default;

protected:
  /// Returns the new value of a size.
  virtual int64_t getValue(llvm::ArrayRef<ExtentId> size) const = 0;
  /// Returns what a number of an operator becomes, which may stand for a size.
  virtual double rewriteNumber(double number) const { return number; }
  /// Gives a constant its new shape, and the elements that it has there.
  virtual void rewriteConstant(const DimensionSizes &sizes,
                               MuNode &node) const = 0;

  /// Returns the new shape of a value.
  Shape getShape(const DimensionSizes &sizes, MuValue value) const;
  /// Returns the graph with new sizes; values, nodes and regions keep their
  /// numbers.
  MuGraph rewrite(const DimensionSizes &sizes) const;

private:
  void rewriteAttributes(const DimensionSizes &sizes, unsigned number,
                         MuNode &node) const;
};

} // namespace mirage

#endif // MIRAGE_LIB_MUGRAPH_GRAPHRESIZER_H
