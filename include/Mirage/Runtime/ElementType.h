//===- ElementType.h - Storage formats of tensor elements -------*- C++ -*-===//

// Declares the floating point formats that a tensor can be stored in: their
// names and sizes, the conversion between arrays of doubles and stored bytes
// (little endian), and the rounding that storing one value means.

#ifndef MIRAGE_RUNTIME_ELEMENTTYPE_H
#define MIRAGE_RUNTIME_ELEMENTTYPE_H

#include "Mirage/Runtime/FloatFormat.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorHandling.h"
#include <optional>
#include <vector>

namespace mirage::runtime {

/// A storage format, named as MLIR names the type.
enum class ElementType { f16, bf16, f32, f64, f8E4M3FN, f8E5M2 };

using Float16Format = FloatFormat<5, 10>;
using BFloat16Format = FloatFormat<8, 7>;
using TF32Format = FloatFormat<8, 10>;
using Float8E5M2Format = FloatFormat<5, 2>;
using Float8E4M3FNFormat = FloatFormat<4, 3, /*HasInfinity=*/false>;

/// Returns the size of one element in bytes.
unsigned byteSize(ElementType type);

/// Returns "f16", "bf16", "f32", "f64", "f8E4M3FN" or "f8E5M2".
llvm::StringRef stringifyElementType(ElementType type);

/// Returns the type of that name, or nothing if no type has it.
std::optional<ElementType> parseElementType(llvm::StringRef name);

/// Returns the stored bytes of `values`, values.size() * byteSize(type) of
/// them, each value rounded as roundTo does.
std::vector<char> encode(ElementType type, llvm::ArrayRef<double> values);

/// Returns the values stored in `bytes`. Bytes of an incomplete last element
/// are ignored: a caller for whom that is an error checks the size first.
std::vector<double> decode(ElementType type, llvm::ArrayRef<char> bytes);

/// Returns the value that storing `value` as `type` leaves: rounded once, to
/// nearest even, subnormals kept. Overflow gives infinity, in f8E4M3FN (which
/// has none) NaN. NaN stays NaN.
inline double roundTo(ElementType type, double value) {
  switch (type) {
  case ElementType::f16:
    return Float16Format::round(value);
  case ElementType::bf16:
    return BFloat16Format::round(value);
  case ElementType::f32:
    return static_cast<float>(value);
  case ElementType::f64:
    return value;
  case ElementType::f8E4M3FN:
    return Float8E4M3FNFormat::round(value);
  case ElementType::f8E5M2:
    return Float8E5M2Format::round(value);
  }
  llvm_unreachable("unknown element type");
}

/// Returns `value` rounded to nearest even to TF32, the tensor cores' operand
/// format: 10 explicit mantissa bits, the exponent range and subnormals of f32.
inline double roundToTF32(double value) { return TF32Format::round(value); }

} // namespace mirage::runtime

#endif // MIRAGE_RUNTIME_ELEMENTTYPE_H
