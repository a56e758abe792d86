//===- TranslateToPTX.h - mirage-translate --mirage-to-ptx ------*- C++ -*-===//
//
// Declares the mode of mirage-translate that writes PTX and a manifest into a
// folder.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TOOLS_MIRAGETRANSLATE_TRANSLATETOPTX_H
#define MIRAGE_TOOLS_MIRAGETRANSLATE_TRANSLATETOPTX_H

namespace mirage {

/// main() of this mode; it returns the exit status.
int translateToPTXMain(int argc, char **argv);

} // namespace mirage

#endif // MIRAGE_TOOLS_MIRAGETRANSLATE_TRANSLATETOPTX_H
