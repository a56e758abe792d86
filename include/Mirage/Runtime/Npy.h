//===- Npy.h - NumPy array files --------------------------------*- C++ -*-===//

// Reads and writes .npy files (format versions 1.0 and 2.0, C order, little
// endian). A path comes in, an array of doubles with its shape and storage type
// goes out, and the reverse.

#ifndef MIRAGE_RUNTIME_NPY_H
#define MIRAGE_RUNTIME_NPY_H

#include "Mirage/Runtime/ElementType.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

namespace mirage::runtime {

/// A dense tensor in row-major (C) order.
struct Array {
  /// Sizes in elements; empty for a scalar.
  llvm::SmallVector<int64_t> shape;
  /// The format the values are meant to be stored in.
  ElementType type = ElementType::f32;
  /// The elements: as many values as the product of `shape`.
  std::vector<double> data;
};

/// Reads the array in the file `path`. Data types: '<f2', '<f4', '<f8' (f16,
/// f32, f64); '<i4', '<i8' and '|b1' become f64 (integers beyond 2^53 are
/// rounded, a true boolean is 1). Everything else is an error that names the
/// file and says what is wrong with it.
llvm::Expected<Array> readNpy(llvm::StringRef path);

/// Writes `array` to the file `path`, replacing it, with each value rounded to
/// `array.type`. NumPy has no bf16 and no 8-bit floats: those are written as
/// '<f4', which holds their values exactly. It is an error if the shape does
/// not match the number of values or the file cannot be written; the error
/// names the file.
llvm::Error writeNpy(llvm::StringRef path, const Array &array);

} // namespace mirage::runtime

#endif // MIRAGE_RUNTIME_NPY_H
