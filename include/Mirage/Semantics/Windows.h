//===- Windows.h - Parts of tensors in device memory ------------*- C++ -*-===//
//
// A launch reads a slice of a tensor where the tensor stands, and writes a part
// of a concatenation where this stands, if its vector accesses, which move up
// to 16 bytes of a row, stay aligned. A reshape gives the same bytes another
// shape. The cost model and the lowering ask here which operators need no
// kernel.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEMANTICS_WINDOWS_H
#define MIRAGE_SEMANTICS_WINDOWS_H

#include "Mirage/Semantics/OpAttributes.h"
#include "Mirage/Semantics/OpKind.h"

namespace mirage {

/// Returns whether an operator only gives another shape to the elements of its
/// operand, which has this one, and keeps their row-major order: a reshape, or
/// a transpose that moves dimensions of size one.
bool keepsOrder(OpKind kind, const OpAttributes &attributes, ShapeRef operand);

/// Returns whether a transpose exchanges the last two dimensions, and no
/// others.
bool exchangesLastDims(ShapeRef permutation);

/// A tensor that is a part of a dense row-major one.
struct TensorPart {
  /// The shape of the dense tensor.
  Shape whole;
  /// The index at which the part begins in each dimension, in elements. There
  /// are none where the part is the whole tensor.
  Shape offsets;
};

/// Returns the same bytes for a part that is `sizes` large and gets another
/// shape of as many elements, with a dense tensor of the new rank. Nothing is
/// returned where the elements of the new shape do not lie at regular
/// distances.
std::optional<TensorPart> reshapePart(const TensorPart &part, ShapeRef sizes,
                                      ShapeRef shape);

/// Returns whether the rows of a part begin at multiples of 16 bytes from those
/// of the dense tensor.
bool isAligned(const TensorPart &part, ElementType type);

/// Returns whether a slice with these attributes of a tensor of this type can
/// be read in place: it leaves out no elements in between, and its rows begin
/// at multiples of 16 bytes from those of the tensor.
bool isWindow(const OpAttributes &slice, ElementType type);

/// Returns whether an operand of a concatenation along `dim`, of this shape and
/// type, can be written in place, `offset` elements from the beginning of the
/// dimension.
bool isJoinedAt(int64_t offset, int64_t dim, ShapeRef shape, ElementType type);

/// The most parts of a tensor among whose buffers a launch selects: each is a
/// parameter of the kernel.
constexpr size_t kMostSelectedParts = 8;

/// Returns the strides of the same elements under another shape of as many, or
/// nothing where they lie at no regular distances.
std::optional<Shape> reshapeStrides(ShapeRef sizes, ShapeRef strides,
                                    ShapeRef shape);

} // namespace mirage

#endif // MIRAGE_SEMANTICS_WINDOWS_H
