//===- OpAttributes.h - Attributes of an operator without IR ----*- C++ -*-===//
//
// A plain value that holds what an operator's attributes say, so that shape
// rules, evaluation, search and cost need no MLIR. Only the members that the
// operator reads are meaningful; the others keep their defaults.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEMANTICS_OPATTRIBUTES_H
#define MIRAGE_SEMANTICS_OPATTRIBUTES_H

#include "Mirage/Semantics/ElementType.h"
#include "Mirage/Semantics/Enums.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>
#include <optional>
#include <vector>

namespace mirage {

/// Sizes of a tensor, outermost dimension first.
using Shape = llvm::SmallVector<int64_t, 4>;
using ShapeRef = llvm::ArrayRef<int64_t>;

struct OpAttributes {
  /// matmul: read the operand's innermost two dimensions exchanged.
  bool transposeLhs = false;
  bool transposeRhs = false;
  /// matmul: round f32 operands to tf32 before they are multiplied.
  bool tf32 = false;

  /// reduce, softmax, log_softmax, variance, split, concat: the dimension
  /// operated on.
  int64_t dim = 0;
  /// reduce: how many neighbours become one; 0 means the whole dimension.
  int64_t group = 0;
  /// reduce, variance: keep the reduced dimension with size one.
  bool keep = false;
  ReduceKind reduceKind = ReduceKind::Sum;
  /// split: number of equal parts.
  int64_t parts = 1;

  CompareKind compareKind = CompareKind::EQ;
  GeluForm geluForm = GeluForm::Erf;
  /// scale: factor; pow: exponent; pad: padding value; norms: epsilon;
  /// variance: correction; attention: factor of the scores.
  double scalar = 0.0;
  /// clamp: bounds.
  double lower = 0.0, upper = 0.0;

  /// transpose: result dimension i is operand dimension permutation[i].
  llvm::SmallVector<int64_t, 4> permutation;
  /// repeat: how often the operand is repeated along each dimension.
  llvm::SmallVector<int64_t, 4> repeats;
  /// slice: start, number and distance of the elements taken; pad: elements
  /// added before (offsets) and after (sizes).
  llvm::SmallVector<int64_t, 4> offsets, sizes, strides;

  /// conv2d: height and width strides, (top, bottom, left, right) padding,
  /// dilations, number of groups.
  llvm::SmallVector<int64_t, 4> convStrides, convPadding, convDilations;
  int64_t convGroups = 1;
  ConvLayout convLayout = ConvLayout::NCHW;

  /// reshape, broadcast, constant: the result's shape.
  Shape resultShape;
  /// cast: the result's element type.
  std::optional<ElementType> resultType;

  /// constant: one value for all elements, or one for each in row-major order.
  std::shared_ptr<const std::vector<double>> values;

  /// group_norm: number of groups of channels.
  int64_t groups = 1;

  /// norms: which optional operands are present, in order (weight, bias).
  bool hasWeight = false, hasBias = false;

  /// Says whether all members are equal, also those that an operator does not
  /// read. Of constants the values are compared, not where they are stored; NaN
  /// is unequal to itself unless the values are shared.
  bool operator==(const OpAttributes &other) const;
};

} // namespace mirage

#endif // MIRAGE_SEMANTICS_OPATTRIBUTES_H
