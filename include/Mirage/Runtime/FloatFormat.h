//===- FloatFormat.h - Rounding a double to a narrow format -----*- C++ -*-===//

// Converts between double and the narrower binary floating point formats by bit
// arithmetic: a double or a code comes in, the code or the double that it
// stands for goes out. Values are rounded once, to nearest even, straight from
// the 53-bit significand.

#ifndef MIRAGE_RUNTIME_FLOATFORMAT_H
#define MIRAGE_RUNTIME_FLOATFORMAT_H

#include "llvm/ADT/bit.h"
#include <algorithm>
#include <cstdint>

namespace mirage::runtime {

/// Converts to and from a binary format of one sign bit, `ExponentBits` and
/// `MantissaBits` explicit mantissa bits, with subnormals and the IEEE bias.
/// Without `HasInfinity` the format is one of the "FN" kind: the all-ones code
/// is its only NaN, every other code is finite, and what overflows becomes NaN.
///
/// The format must be narrower than double in both fields.
template <unsigned ExponentBits, unsigned MantissaBits, bool HasInfinity = true>
struct FloatFormat {
  /// Returns the code of `value` rounded to nearest even. Overflow gives
  /// infinity (NaN in a format without one). A NaN stays a NaN: quiet, with its
  /// sign and the upper bits of its payload.
  static uint32_t encode(double value) {
    uint64_t bits = llvm::bit_cast<uint64_t>(value);
    uint32_t sign = static_cast<uint32_t>(bits >> 63) << signPosition;
    uint64_t magnitude = bits & ~doubleSign;
    if (magnitude >= minNormalBits) {
      if (magnitude > doubleInfinity)
        return sign | encodeNaN(magnitude);
      uint64_t code = (shiftRounding(magnitude, droppedBits)) - rebias;
      return sign |
             static_cast<uint32_t>(std::min<uint64_t>(code, overflowCode));
    }
    // Below the smallest normal number the spacing is constant, so each lost
    // power of two costs one more bit. Beyond 53 dropped bits less than half a
    // unit is left (and a subnormal double is always that small).
    uint64_t exponent = magnitude >> 52;
    uint64_t dropped = droppedBits + minNormalExponent - exponent;
    if (exponent == 0 || dropped > 53)
      return sign;
    uint64_t significand =
        (magnitude & ((uint64_t(1) << 52) - 1)) | (uint64_t(1) << 52);
    return sign | static_cast<uint32_t>(shiftRounding(significand, dropped));
  }

  /// Returns the value of `code`, exactly; bits above the sign are ignored.
  /// NaNs come out quiet.
  static double decode(uint32_t code) {
    uint64_t sign = static_cast<uint64_t>((code >> signPosition) & 1) << 63;
    uint64_t magnitude = code & ((uint32_t(1) << signPosition) - 1);
    uint64_t bits;
    if (magnitude >= overflowCode) {
      uint64_t payload = HasInfinity ? magnitude & mantissaMask : 0;
      bool isNaN = !HasInfinity || payload;
      bits =
          doubleInfinity | (payload << droppedBits) | (isNaN ? doubleQuiet : 0);
    } else if (magnitude > mantissaMask) {
      bits = (magnitude + rebias) << droppedBits;
    } else {
      bits = llvm::bit_cast<uint64_t>(
          static_cast<double>(magnitude) *
          llvm::bit_cast<double>((minNormalExponent - MantissaBits) << 52));
    }
    return llvm::bit_cast<double>(sign | bits);
  }

  /// Returns `value` rounded to the format: decode(encode(value)), but a value
  /// that ends as a normal number takes a few instructions only.
  static double round(double value) {
    uint64_t bits = llvm::bit_cast<uint64_t>(value);
    uint64_t magnitude = bits & ~doubleSign;
    if (magnitude >= minNormalBits) {
      uint64_t rounded = shiftRounding(magnitude, droppedBits) << droppedBits;
      if (rounded <= maxFiniteBits)
        return llvm::bit_cast<double>((bits & doubleSign) | rounded);
    }
    return decode(encode(value));
  }

private:
  static_assert(ExponentBits < 11 && MantissaBits < 52 && MantissaBits > 0 &&
                    ExponentBits + MantissaBits < 32,
                "the format must be narrower than double");

  static constexpr unsigned signPosition = ExponentBits + MantissaBits;
  static constexpr uint64_t bias = (uint64_t(1) << (ExponentBits - 1)) - 1;
  static constexpr uint64_t mantissaMask = (uint64_t(1) << MantissaBits) - 1;
  static constexpr unsigned droppedBits = 52 - MantissaBits;
  /// The first code beyond the finite ones.
  static constexpr uint32_t overflowCode =
      (((uint32_t(1) << ExponentBits) - 1) << MantissaBits) |
      (HasInfinity ? 0 : mantissaMask);

  /// The difference of the two biases, in units of the narrow exponent field.
  static constexpr uint64_t rebias = (1023 - bias) << MantissaBits;
  /// The exponent field that the smallest normal number has as a double.
  static constexpr uint64_t minNormalExponent = 1024 - bias;
  static constexpr uint64_t minNormalBits = minNormalExponent << 52;
  static constexpr uint64_t maxFiniteBits = (overflowCode - 1 + rebias)
                                            << droppedBits;

  static constexpr uint64_t doubleSign = uint64_t(1) << 63;
  static constexpr uint64_t doubleInfinity = uint64_t(0x7FF) << 52;
  static constexpr uint64_t doubleQuiet = uint64_t(1) << 51;

  /// bits / 2^count, rounded to nearest even.
  static uint64_t shiftRounding(uint64_t bits, uint64_t count) {
    uint64_t belowHalf = (uint64_t(1) << (count - 1)) - 1;
    uint64_t odd = (bits >> count) & 1;
    return (bits + belowHalf + odd) >> count;
  }

  static uint32_t encodeNaN(uint64_t magnitude) {
    if (!HasInfinity)
      return overflowCode;
    uint64_t payload = (magnitude >> droppedBits) & mantissaMask;
    return overflowCode | (uint32_t(1) << (MantissaBits - 1)) |
           static_cast<uint32_t>(payload);
  }
};

} // namespace mirage::runtime

#endif // MIRAGE_RUNTIME_FLOATFORMAT_H
