//===- InitAllTranslations.h - Registration of translations -----*- C++ -*-===//
//
// Registers Mirage's translations out of MLIR for mirage-translate.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_INITALLTRANSLATIONS_H
#define MIRAGE_INITALLTRANSLATIONS_H

#include "Mirage/Target/IREE.h"

namespace mirage {

/// Registers every translation of Mirage that writes a stream.
inline void registerAllTranslations() { registerToIREETranslation(); }

} // namespace mirage

#endif // MIRAGE_INITALLTRANSLATIONS_H
