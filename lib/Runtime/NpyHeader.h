//===- NpyHeader.h - The header of a .npy file ------------------*- C++ -*-===//

// Declares how the text between the fixed prefix and the data of a .npy file is
// parsed and printed. It is private to the runtime library.

#ifndef MIRAGE_LIB_RUNTIME_NPYHEADER_H
#define MIRAGE_LIB_RUNTIME_NPYHEADER_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace mirage::runtime {

/// Holds the contents of the header's dictionary.
struct NpyHeader {
  /// NumPy's name of the data type, such as "<f4".
  std::string descr;
  bool fortranOrder = false;
  llvm::SmallVector<int64_t> shape;
};

/// Parses the dictionary. Each of the three keys must be there once, and no
/// other; sizes must be non-negative and fit 64 bits. The error says what was
/// expected and shows the text where it was not found.
llvm::Expected<NpyHeader> parseNpyHeader(llvm::StringRef text);

/// Returns the dictionary's text, padded with blanks and a newline so that
/// magic, version, length and text together are a multiple of 64 bytes.
std::string printNpyHeader(const NpyHeader &header);

} // namespace mirage::runtime

#endif // MIRAGE_LIB_RUNTIME_NPYHEADER_H
