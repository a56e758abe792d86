//===- VersionedStruct.h - Structs of C that may grow -----------*- C++ -*-===//
//
// Copies structs whose first field, structSize, is the size that they had where
// a C program was compiled. A program that is older than the library knows only
// the beginning of a struct; the rest keeps its defaults. One that is newer
// asks for what this library does not have.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_CAPI_VERSIONEDSTRUCT_H
#define MIRAGE_LIB_CAPI_VERSIONEDSTRUCT_H

#include "mlir/IR/Diagnostics.h"
#include <algorithm>
#include <cstring>

namespace mirage {

/// Copies what a struct of `structSize` bytes has room for. What the library
/// does not know becomes zero.
template <typename Struct>
void initialize(Struct *given, size_t structSize, Struct defaults) {
  if (!given || structSize < sizeof(size_t))
    return;
  defaults.structSize = structSize;
  std::memset(static_cast<void *>(given), 0, structSize);
  std::memcpy(static_cast<void *>(given), &defaults,
              std::min(structSize, sizeof(Struct)));
}

/// Fails with an error at `loc` unless the struct has a size that some version
/// of the library gave it: `firstSize` bytes or more, and no more than now.
template <typename Struct>
mlir::LogicalResult checkSize(const Struct &given, llvm::StringRef name,
                              size_t firstSize, mlir::Location loc) {
  if (given.structSize >= firstSize && given.structSize <= sizeof(Struct))
    return mlir::success();
  return mlir::emitError(loc)
         << "a " << name << " of " << given.structSize
         << " bytes is unknown to this library, whose own has "
         << sizeof(Struct) << "; " << name << "Init sets its size";
}

/// Copies the beginning that is given over defaults.
template <typename Struct>
mlir::FailureOr<Struct> read(const Struct *given, Struct defaults,
                             llvm::StringRef name, size_t firstSize,
                             mlir::Location loc) {
  if (!given)
    return defaults;
  if (failed(checkSize(*given, name, firstSize, loc)))
    return mlir::failure();
  std::memcpy(static_cast<void *>(&defaults), given, given->structSize);
  return defaults;
}

} // namespace mirage

#endif // MIRAGE_LIB_CAPI_VERSIONEDSTRUCT_H
