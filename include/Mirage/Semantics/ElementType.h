//===- ElementType.h - Storage formats in the semantics ---------*- C++ -*-===//
//
// The storage formats of Mirage/Runtime/ElementType.h under the names by which
// the semantics use them.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEMANTICS_ELEMENTTYPE_H
#define MIRAGE_SEMANTICS_ELEMENTTYPE_H

#include "Mirage/Runtime/ElementType.h"

namespace mirage {

using runtime::byteSize;
using runtime::ElementType;
using runtime::roundTo;
using runtime::roundToTF32;

} // namespace mirage

#endif // MIRAGE_SEMANTICS_ELEMENTTYPE_H
