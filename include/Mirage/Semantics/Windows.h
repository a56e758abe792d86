//===- Windows.h - Parts of tensors in device memory ------------*- C++ -*-===//
//
// A launch reads a slice of a tensor where the tensor stands, and writes a part
// of a concatenation where this stands, if its vector accesses, which move up
// to 16 bytes of a row, stay aligned. The cost model and the lowering ask here
// which slices and concatenations need no kernel.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEMANTICS_WINDOWS_H
#define MIRAGE_SEMANTICS_WINDOWS_H

#include "Mirage/Semantics/OpAttributes.h"

namespace mirage {

/// Returns whether a slice with these attributes of a tensor of this type can
/// be read in place: it leaves out no elements in between, and its rows begin
/// at multiples of 16 bytes from those of the tensor.
bool isWindow(const OpAttributes &slice, ElementType type);

/// Returns whether an operand of a concatenation along `dim`, of this shape and
/// type, can be written in place, `offset` elements from the beginning of the
/// dimension.
bool isJoinedAt(int64_t offset, int64_t dim, ShapeRef shape, ElementType type);

} // namespace mirage

#endif // MIRAGE_SEMANTICS_WINDOWS_H
