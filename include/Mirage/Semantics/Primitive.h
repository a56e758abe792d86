//===- Primitive.h - Classes of primitives ----------------------*- C++ -*-===//
//
// Says which operators of the table are primitives, and of which class: Korch's
// primitive graphs (section 3) consist of these. The rules of mirage-fission
// take the other operators apart.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEMANTICS_PRIMITIVE_H
#define MIRAGE_SEMANTICS_PRIMITIVE_H

#include "Mirage/Semantics/OpAttributes.h"
#include "Mirage/Semantics/OpKind.h"
#include <optional>

namespace mirage {

/// Returns the class of the operator as a primitive, or nothing if it is made
/// of other primitives: composite operators, elementwise functions that are
/// formulas of simpler ones, and means.
std::optional<PrimitiveClass> getPrimitiveClass(OpKind kind,
                                                const OpAttributes &attributes);

} // namespace mirage

#endif // MIRAGE_SEMANTICS_PRIMITIVE_H
