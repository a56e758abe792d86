//===- FiniteShift.h - Maxima over parts of an axis as shifts ---*- C++ -*-===//
//
// Softmax is relative to the maximum of whole rows. A tile may have nothing but
// -inf where the row has not (masks, log(0), infinite inputs), and
// exp(-inf - (-inf)) is no number. So what a tile is relative to is no less
// than the lowest finite number: exp(-inf - lowest) = 0, as it is relative to
// the row's maximum. Where a score of the tile is finite, its maximum is no
// less than that anyway. Where the whole row is -inf, all sums are 0, and
// their quotients NaN like the original.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_MUGRAPH_FINITESHIFT_H
#define MIRAGE_MUGRAPH_FINITESHIFT_H

#include "Mirage/MuGraph/MuGraph.h"
#include <limits>

namespace mirage {

/// The larger of a maximum over part of an axis, of f32 or f64, and the lowest
/// finite number of its type.
inline MuValue addFiniteShift(MuGraph &graph, unsigned region,
                              MuValue maximum) {
  ElementType type = graph.getValue(maximum).type;
  OpAttributes attributes;
  attributes.resultShape.assign(graph.getShape(maximum).size(), 1);
  attributes.values = std::make_shared<const std::vector<double>>(
      1, type == ElementType::f64 ? std::numeric_limits<double>::lowest()
                                  : std::numeric_limits<float>::lowest());
  MuValue lowest =
      graph.addOperator(region, OpKind::Constant, attributes, {}, type);
  return graph.addOperator(region, OpKind::Max, {}, {maximum, lowest}, type);
}

} // namespace mirage

#endif // MIRAGE_MUGRAPH_FINITESHIFT_H
