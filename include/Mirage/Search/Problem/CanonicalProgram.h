//===- CanonicalProgram.h - One form of a program's spellings ---*- C++ -*-===//
//
// Frameworks write the same program with casts and transposes in different
// places. Which tensors lie between kernels, and in which order and type,
// follows from these places wherever operators stay or pieces end, so that the
// search brings them to one form before it looks at pieces.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_PROBLEM_CANONICALPROGRAM_H
#define MIRAGE_SEARCH_PROBLEM_CANONICALPROGRAM_H

#include "Mirage/MuGraph/MuGraph.h"

namespace mirage::search {

/// What becomes of products of which slices take a part of each of several
/// groups of rows. A launch that computes such a product and all that reads it
/// needs the parts alone; between launches one product is the better one.
enum class RowGroups : uint8_t { Together, Separate };

/// Returns a program with the same arguments and results that
///
///  - casts to a narrower type before a reshape, a transpose or a broadcast,
///    and from a narrower one behind a reshape, a transpose or a slice, so that
///    what moves is narrow;
///  - casts what was cast to a wider type before from what it was, and takes
///    the attention of what its operands were cast from where it casts the
///    result back;
///  - reshapes once where it reshaped twice, or moved dimensions of size one;
///  - moves the elements of a value dimension by dimension where it put parts
///    of parts of it together (JoinParts.h);
///  - has the rows of products in one dimension (JoinRows.h);
///  - reads the operands of products transposed where it transposed them
///    before, and exchanges the operands of a product that it transposed after;
///  - multiplies matrices of two-byte elements as they are where it cast both
///    to f32 before, which gives the same products;
///  - multiplies windows of its arguments where it took slices of a product
///    (SplitProducts.h), also parts of each of several groups of rows
///    (SeparateRows.h) if these are to be separate;
///  - takes the softmax of what a number was subtracted from that is the same
///    all along the softmax's dimension, which changes nothing.
///
/// Nothing is computed twice for it: what several operators read stays as it
/// is. Results are equal by the laws of exact arithmetic; all but the last rule
/// keep each rounding, too. Locations are those of the program. A program that
/// has launches, or to which no rule applies, is returned as it is.
MuGraph canonicalizeProgram(const MuGraph &program,
                            RowGroups groups = RowGroups::Together);

} // namespace mirage::search

#endif // MIRAGE_SEARCH_PROBLEM_CANONICALPROGRAM_H
