//===- InitAllTranslations.h - Registration of translations -----*- C++ -*-===//
//
// Registers Mirage's translations out of MLIR for mirage-translate.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_INITALLTRANSLATIONS_H
#define MIRAGE_INITALLTRANSLATIONS_H

namespace mirage {

/// Registers every translation of Mirage.
inline void registerAllTranslations() {}

} // namespace mirage

#endif // MIRAGE_INITALLTRANSLATIONS_H
