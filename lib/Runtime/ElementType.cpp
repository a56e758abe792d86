//===- ElementType.cpp - Storage formats of tensor elements ---------------===//

// Names and sizes of the storage formats, and the loops that turn arrays of
// doubles into stored bytes and back. The rounding itself is in FloatFormat.h.

#include "Mirage/Runtime/ElementType.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Endian.h"
#include <limits>

using namespace mirage::runtime;

static_assert(std::numeric_limits<float>::is_iec559 &&
                  std::numeric_limits<double>::is_iec559,
              "the host's float and double must be the IEEE formats");

unsigned mirage::runtime::byteSize(ElementType type) {
  switch (type) {
  case ElementType::f16:
  case ElementType::bf16:
    return 2;
  case ElementType::f32:
    return 4;
  case ElementType::f64:
    return 8;
  case ElementType::f8E4M3FN:
  case ElementType::f8E5M2:
    return 1;
  }
  llvm_unreachable("unknown element type");
}

llvm::StringRef mirage::runtime::stringifyElementType(ElementType type) {
  switch (type) {
  case ElementType::f16:
    return "f16";
  case ElementType::bf16:
    return "bf16";
  case ElementType::f32:
    return "f32";
  case ElementType::f64:
    return "f64";
  case ElementType::f8E4M3FN:
    return "f8E4M3FN";
  case ElementType::f8E5M2:
    return "f8E5M2";
  }
  llvm_unreachable("unknown element type");
}

std::optional<ElementType>
mirage::runtime::parseElementType(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<ElementType>>(name)
      .Case("f16", ElementType::f16)
      .Case("bf16", ElementType::bf16)
      .Case("f32", ElementType::f32)
      .Case("f64", ElementType::f64)
      .Case("f8E4M3FN", ElementType::f8E4M3FN)
      .Case("f8E5M2", ElementType::f8E5M2)
      .Default(std::nullopt);
}

/// Stores `convert` of each value as an integer of type `Code`.
template <typename Code, typename Convert>
static std::vector<char> encodeWith(llvm::ArrayRef<double> values,
                                    Convert convert) {
  std::vector<char> bytes(values.size() * sizeof(Code));
  char *out = bytes.data();
  for (double value : values) {
    llvm::support::endian::write<Code>(out, static_cast<Code>(convert(value)),
                                       llvm::endianness::little);
    out += sizeof(Code);
  }
  return bytes;
}

/// Does the reverse of encodeWith: `convert` of each stored integer.
template <typename Code, typename Convert>
static std::vector<double> decodeWith(llvm::ArrayRef<char> bytes,
                                      Convert convert) {
  std::vector<double> values(bytes.size() / sizeof(Code));
  const char *in = bytes.data();
  for (double &value : values) {
    value = convert(
        llvm::support::endian::read<Code>(in, llvm::endianness::little));
    in += sizeof(Code);
  }
  return values;
}

std::vector<char> mirage::runtime::encode(ElementType type,
                                          llvm::ArrayRef<double> values) {
  switch (type) {
  case ElementType::f16:
    return encodeWith<uint16_t>(
        values, [](double v) { return Float16Format::encode(v); });
  case ElementType::bf16:
    return encodeWith<uint16_t>(
        values, [](double v) { return BFloat16Format::encode(v); });
  case ElementType::f32:
    return encodeWith<uint32_t>(values, [](double v) {
      return llvm::bit_cast<uint32_t>(static_cast<float>(v));
    });
  case ElementType::f64:
    return encodeWith<uint64_t>(
        values, [](double v) { return llvm::bit_cast<uint64_t>(v); });
  case ElementType::f8E4M3FN:
    return encodeWith<uint8_t>(
        values, [](double v) { return Float8E4M3FNFormat::encode(v); });
  case ElementType::f8E5M2:
    return encodeWith<uint8_t>(
        values, [](double v) { return Float8E5M2Format::encode(v); });
  }
  llvm_unreachable("unknown element type");
}

std::vector<double> mirage::runtime::decode(ElementType type,
                                            llvm::ArrayRef<char> bytes) {
  switch (type) {
  case ElementType::f16:
    return decodeWith<uint16_t>(bytes, Float16Format::decode);
  case ElementType::bf16:
    return decodeWith<uint16_t>(bytes, BFloat16Format::decode);
  case ElementType::f32:
    return decodeWith<uint32_t>(
        bytes, [](uint32_t code) { return llvm::bit_cast<float>(code); });
  case ElementType::f64:
    return decodeWith<uint64_t>(
        bytes, [](uint64_t code) { return llvm::bit_cast<double>(code); });
  case ElementType::f8E4M3FN:
    return decodeWith<uint8_t>(bytes, Float8E4M3FNFormat::decode);
  case ElementType::f8E5M2:
    return decodeWith<uint8_t>(bytes, Float8E5M2Format::decode);
  }
  llvm_unreachable("unknown element type");
}
