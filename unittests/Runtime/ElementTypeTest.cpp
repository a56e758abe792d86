//===- ElementTypeTest.cpp - Rounding against llvm::APFloat ---------------===//

// Checks that encode, decode and roundTo agree with APFloat for every code of
// the narrow formats, special values, subnormals, halfway cases and random
// doubles.

#include "Mirage/Runtime/ElementType.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/Support/Endian.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>
#include <random>

using namespace mirage::runtime;
using llvm::APFloat;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

const llvm::fltSemantics &semantics(ElementType type) {
  switch (type) {
  case ElementType::f16:
    return APFloat::IEEEhalf();
  case ElementType::bf16:
    return APFloat::BFloat();
  case ElementType::f32:
    return APFloat::IEEEsingle();
  case ElementType::f64:
    return APFloat::IEEEdouble();
  case ElementType::f8E4M3FN:
    return APFloat::Float8E4M3FN();
  case ElementType::f8E5M2:
    return APFloat::Float8E5M2();
  }
  llvm_unreachable("unknown element type");
}

APFloat convert(double value, const llvm::fltSemantics &to) {
  APFloat result(value);
  bool lossy;
  result.convert(to, APFloat::rmNearestTiesToEven, &lossy);
  return result;
}

double toDouble(APFloat value) {
  bool lossy;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lossy);
  EXPECT_FALSE(lossy);
  return value.convertToDouble();
}

uint64_t bitsOf(double value) { return llvm::bit_cast<uint64_t>(value); }

uint64_t littleEndian(llvm::ArrayRef<char> bytes) {
  uint64_t code = 0;
  for (size_t i = bytes.size(); i-- > 0;)
    code = (code << 8) | static_cast<uint8_t>(bytes[i]);
  return code;
}

class ElementTypeTest : public testing::TestWithParam<ElementType> {
protected:
  /// Values worth trying in any format: around each power of two in reach, the
  /// neighbours, and the halfway points, of every mantissa of eight bits.
  std::vector<double> interestingValues() const {
    std::vector<double> values = {0,
                                  kInfinity,
                                  std::numeric_limits<double>::quiet_NaN(),
                                  std::numeric_limits<double>::max(),
                                  std::numeric_limits<double>::min(),
                                  std::numeric_limits<double>::denorm_min(),
                                  65504,
                                  65519.99,
                                  65520,
                                  448,
                                  464,
                                  464.0001,
                                  480,
                                  57344,
                                  61440,
                                  3.4028234663852886e38,
                                  3.4028235677973366e38};
    for (int exponent = -160; exponent <= 130; ++exponent) {
      for (int mantissa = 0; mantissa < 256; ++mantissa) {
        double value = std::ldexp(256 + mantissa, exponent - 8);
        values.push_back(value);
        values.push_back(std::nextafter(value, kInfinity));
        values.push_back(std::nextafter(value, 0));
      }
      for (int bit = 8; bit <= 26; ++bit)
        for (int odd : {1, 3}) {
          double value = std::ldexp(1 + std::ldexp(odd, -bit), exponent);
          values.push_back(value);
          values.push_back(std::nextafter(value, kInfinity));
          values.push_back(std::nextafter(value, 0));
        }
    }
    for (size_t i = 0, end = values.size(); i < end; ++i)
      values.push_back(-values[i]);
    return values;
  }

  /// Random bit patterns, and random values in and around the type's range.
  std::vector<double> randomValues() const {
    std::mt19937_64 random(20240607);
    APFloat largest = APFloat::getLargest(semantics(GetParam()));
    int maxExponent = ilogb(largest);
    int minExponent = ilogb(APFloat::getSmallest(semantics(GetParam()), false));
    std::uniform_int_distribution<int> exponent(
        std::max(minExponent - 3, -1080), std::min(maxExponent + 2, 1023));
    std::vector<double> values;
    for (int i = 0; i < 20000; ++i)
      values.push_back(llvm::bit_cast<double>(random()));
    for (int i = 0; i < 80000; ++i)
      values.push_back(
          std::ldexp(llvm::bit_cast<double>((random() & 0x800FFFFFFFFFFFFF) |
                                            0x3FF0000000000000),
                     exponent(random)));
    return values;
  }

  void checkAgainstAPFloat(llvm::ArrayRef<double> values) const {
    ElementType type = GetParam();
    unsigned size = byteSize(type);
    std::vector<char> bytes = encode(type, values);
    ASSERT_EQ(bytes.size(), values.size() * size);
    std::vector<double> decoded = decode(type, bytes);
    ASSERT_EQ(decoded.size(), values.size());
    for (size_t i = 0; i < values.size(); ++i) {
      APFloat expected = convert(values[i], semantics(type));
      uint64_t code = littleEndian(llvm::ArrayRef(bytes).slice(i * size, size));
      if (type == ElementType::f64)
        // Conversion to the same format keeps a signalling NaN as it is.
        ASSERT_EQ(code, bitsOf(values[i]));
      else
        ASSERT_EQ(code, expected.bitcastToAPInt().getZExtValue())
            << std::hexfloat << values[i];
      double expectedValue = toDouble(expected);
      if (std::isnan(expectedValue)) {
        ASSERT_TRUE(std::isnan(decoded[i]) &&
                    std::isnan(roundTo(type, values[i])));
        continue;
      }
      ASSERT_EQ(bitsOf(decoded[i]), bitsOf(expectedValue))
          << std::hexfloat << values[i];
      ASSERT_EQ(bitsOf(roundTo(type, values[i])), bitsOf(expectedValue))
          << std::hexfloat << values[i];
    }
  }
};

TEST_P(ElementTypeTest, InterestingValuesAgreeWithAPFloat) {
  checkAgainstAPFloat(interestingValues());
}

TEST_P(ElementTypeTest, RandomValuesAgreeWithAPFloat) {
  checkAgainstAPFloat(randomValues());
}

/// The types with few enough codes to try them all.
class NarrowTypeTest : public ElementTypeTest {};

TEST_P(NarrowTypeTest, EveryCodeDecodesAsInAPFloat) {
  unsigned size = byteSize(GetParam());
  for (uint32_t code = 0; code < (uint32_t(1) << (8 * size)); ++code) {
    char bytes[2] = {static_cast<char>(code), static_cast<char>(code >> 8)};
    double value = decode(GetParam(), llvm::ArrayRef(bytes, size))[0];
    double expected =
        toDouble(APFloat(semantics(GetParam()), llvm::APInt(8 * size, code)));
    ASSERT_TRUE(std::isnan(expected) ? std::isnan(value)
                                     : bitsOf(value) == bitsOf(expected))
        << code;
    // Numbers that are stored already do not change any more.
    if (!std::isnan(value)) {
      ASSERT_EQ(littleEndian(encode(GetParam(), value)), code);
      ASSERT_EQ(bitsOf(roundTo(GetParam(), value)), bitsOf(value));
    }
  }
}

TEST_P(ElementTypeTest, NameRoundTrips) {
  EXPECT_EQ(parseElementType(stringifyElementType(GetParam())), GetParam());
}

std::string typeName(const testing::TestParamInfo<ElementType> &info) {
  return stringifyElementType(info.param).str();
}

INSTANTIATE_TEST_SUITE_P(AllTypes, ElementTypeTest,
                         testing::Values(ElementType::f16, ElementType::bf16,
                                         ElementType::f32, ElementType::f64,
                                         ElementType::f8E4M3FN,
                                         ElementType::f8E5M2),
                         typeName);
INSTANTIATE_TEST_SUITE_P(NarrowTypes, NarrowTypeTest,
                         testing::Values(ElementType::f16, ElementType::bf16,
                                         ElementType::f8E4M3FN,
                                         ElementType::f8E5M2),
                         typeName);

TEST(ElementType, UnknownNameIsRefused) {
  EXPECT_EQ(parseElementType("float"), std::nullopt);
  EXPECT_EQ(parseElementType(""), std::nullopt);
}

TEST(ElementType, OverflowGoesToInfinityOrNaN) {
  EXPECT_EQ(roundTo(ElementType::f16, 1e6), kInfinity);
  EXPECT_EQ(roundTo(ElementType::bf16, -1e39), -kInfinity);
  EXPECT_EQ(roundTo(ElementType::f32, 1e39), kInfinity);
  EXPECT_EQ(roundTo(ElementType::f8E5M2, 61440), kInfinity);
  EXPECT_EQ(roundTo(ElementType::f8E4M3FN, 464), 448);
  EXPECT_TRUE(std::isnan(roundTo(ElementType::f8E4M3FN, 465)));
  EXPECT_TRUE(std::isnan(roundTo(ElementType::f8E4M3FN, kInfinity)));
}

TEST(ElementType, RoundsOnce) {
  // A conversion by way of f32 would first give the halfway point 1 + 2^-11,
  // then 1.
  double value = 1 + std::ldexp(1, -11) + std::ldexp(1, -40);
  EXPECT_EQ(roundTo(ElementType::f16, value), 1 + std::ldexp(1, -10));
}

TEST(ElementType, IncompleteLastElementIsIgnored) {
  EXPECT_EQ(decode(ElementType::f32, {0, 0, '\x80', '\x3F', 7}),
            std::vector<double>{1.0});
}

TEST(ElementType, TF32AgreesWithAPFloat) {
  std::mt19937_64 random(7);
  std::uniform_int_distribution<int> exponent(-140, 128);
  std::vector<double> values = {0.0, -0.0, kInfinity, 1 + std::ldexp(1, -11),
                                1 + 3 * std::ldexp(1, -11)};
  for (int i = 0; i < 100000; ++i)
    values.push_back(
        std::ldexp(llvm::bit_cast<double>((random() & 0x800FFFFFFFFFFFFF) |
                                          0x3FF0000000000000),
                   exponent(random)));
  for (double value : values) {
    double expected = toDouble(convert(value, APFloat::FloatTF32()));
    ASSERT_EQ(bitsOf(roundToTF32(value)), bitsOf(expected))
        << std::hexfloat << value;
  }
  EXPECT_TRUE(std::isnan(roundToTF32(std::nan(""))));
}

} // namespace
