//===- MemoryLayoutAttr.h - How a tile lies in shared memory ----*- C++ -*-===//
//
// Names the attribute that says how the rows of a tile of a scheduled launch
// lie in shared memory.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_DIALECT_THREAD_IR_MEMORYLAYOUTATTR_H
#define MIRAGE_DIALECT_THREAD_IR_MEMORYLAYOUTATTR_H

#include "llvm/ADT/StringRef.h"

namespace mirage::thread {

/// The name of the attribute that stands at a load or an operator of a
/// scheduled launch's block graph. Its value is a string, what
/// RowLayout::parse reads (Mirage/Schedule/RowLayout.h); see #mirage.schedule.
inline constexpr llvm::StringLiteral memoryLayoutAttrName =
    "mirage_thread.memory_layout";

} // namespace mirage::thread

#endif // MIRAGE_DIALECT_THREAD_IR_MEMORYLAYOUTATTR_H
