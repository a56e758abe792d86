//===- Inputs.h - What a program is run on ----------------------*- C++ -*-===//
//
// Reads inputs from .npy files or makes them by a generator, and writes results
// to files.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TOOLS_MIRAGE_RUN_INPUTS_H
#define MIRAGE_TOOLS_MIRAGE_RUN_INPUTS_H

#include "Mirage/Interpreter/TensorValue.h"
#include "llvm/Support/Error.h"

namespace mirage {

/// An argument or a result of what is run.
struct TensorSignature {
  ElementType type;
  Shape shape;
  bool operator==(const TensorSignature &other) const {
    return type == other.type && shape == other.shape;
  }
};

/// Prints the type: "tensor<2x16xf32>".
std::string toString(const TensorSignature &signature);

enum class Distribution { Normal, Uniform, Large, Constant };

/// Returns input number `number`, each element drawn from `seed`, `number` and
/// its own index alone and rounded to the type. Normal has variance one,
/// Uniform is on [-1, 1), Large is Normal times 100, Constant is 0.5
/// everywhere; all are multiplied by `scale`.
TensorValue generateInput(const TensorSignature &signature, uint64_t seed,
                          unsigned number, Distribution distribution,
                          double scale = 1.0);

/// Returns the array of `path`, rounded to the argument's type; its shape must
/// be the argument's.
llvm::Expected<TensorValue> readInput(llvm::StringRef path,
                                      const TensorSignature &signature,
                                      unsigned number);

/// Writes a NumPy file.
llvm::Error writeValue(llvm::StringRef path, const TensorValue &value);

/// Writes resultN.npy for each result into `folder`, which is made if needed.
llvm::Error writeResults(llvm::StringRef folder,
                         llvm::ArrayRef<TensorValue> results);

} // namespace mirage

#endif // MIRAGE_TOOLS_MIRAGE_RUN_INPUTS_H
