//===- NpyTest.cpp - NumPy array files ------------------------------------===//

// Tests round trips through files, and one malformed file for each way to be
// wrong.

#include "Mirage/Runtime/Npy.h"
#include "TestSupport.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mirage::runtime;

namespace {

/// A version 1.0 file with that dictionary and data.
std::string npy(llvm::StringRef dictionary, llvm::StringRef data) {
  std::string text("\x93NUMPY\x01\x00", 8);
  text.push_back(static_cast<char>(dictionary.size()));
  text.push_back(static_cast<char>(dictionary.size() >> 8));
  return text + dictionary.str() + data.str();
}

std::string header(llvm::StringRef descr, llvm::StringRef shape,
                   llvm::StringRef order = "False") {
  return ("{'descr': '" + descr + "', 'fortran_order': " + order +
          ", 'shape': " + shape + ", }\n")
      .str();
}

llvm::Expected<Array> readText(llvm::StringRef text) {
  TemporaryFile file(text);
  return readNpy(file.path());
}

/// Expects an error that names the file and contains `message`.
void expectMalformed(llvm::StringRef text, const char *message) {
  TemporaryFile file(text);
  std::string error = errorText(readNpy(file.path()));
  EXPECT_TRUE(contains(error, file.path()));
  EXPECT_TRUE(contains(error, message));
}

TEST(Npy, RoundTripsEachType) {
  for (ElementType type :
       {ElementType::f16, ElementType::bf16, ElementType::f32, ElementType::f64,
        ElementType::f8E4M3FN, ElementType::f8E5M2}) {
    TemporaryFile file;
    Array array{{2, 3}, type, {0, -1, 2.5, 0.3, 1e-3, 100}};
    ASSERT_EQ(errorText(writeNpy(file.path(), array)), "");
    llvm::Expected<Array> read = readNpy(file.path());
    ASSERT_TRUE(bool(read)) << errorText(read.takeError());
    EXPECT_EQ(read->shape, array.shape);
    bool hasDtype = type == ElementType::f16 || type == ElementType::f32 ||
                    type == ElementType::f64;
    EXPECT_EQ(read->type, hasDtype ? type : ElementType::f32);
    ASSERT_EQ(read->data.size(), array.data.size());
    for (size_t i = 0; i < array.data.size(); ++i)
      EXPECT_EQ(read->data[i], roundTo(type, array.data[i]));
  }
}

TEST(Npy, RoundTripsScalarsAndEmptyArrays) {
  for (auto shape :
       {llvm::SmallVector<int64_t>{}, llvm::SmallVector<int64_t>{1},
        llvm::SmallVector<int64_t>{3, 0, 5}}) {
    TemporaryFile file;
    size_t count = shape.size() == 3 ? 0 : 1;
    ASSERT_EQ(errorText(writeNpy(file.path(), {shape, ElementType::f32,
                                               std::vector<double>(count, 7)})),
              "");
    llvm::Expected<Array> read = readNpy(file.path());
    ASSERT_TRUE(bool(read)) << errorText(read.takeError());
    EXPECT_EQ(read->shape, shape);
    EXPECT_EQ(read->data, std::vector<double>(count, 7));
  }
}

TEST(Npy, WritesWhatNumPyWrites) {
  TemporaryFile file;
  ASSERT_EQ(errorText(writeNpy(file.path(), {{1}, ElementType::f32, {1}})), "");
  std::string expected("\x93NUMPY\x01\x00\x76\x00", 10);
  expected += "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }";
  expected.resize(127, ' ');
  expected += std::string("\n\x00\x00\x80\x3F", 5);
  EXPECT_EQ(file.read(), expected);
}

TEST(Npy, ReadsIntegersAndBooleans) {
  llvm::Expected<Array> ints = readText(npy(
      header("<i4", "(2,)"), llvm::StringRef("\xFE\xFF\xFF\xFF\x03\0\0\0", 8)));
  ASSERT_TRUE(bool(ints)) << errorText(ints.takeError());
  EXPECT_EQ(ints->type, ElementType::f64);
  EXPECT_EQ(ints->data, (std::vector<double>{-2, 3}));
  llvm::Expected<Array> longs = readText(
      npy(header("<i8", "()"), llvm::StringRef("\0\0\0\0\x01\0\0\0", 8)));
  ASSERT_TRUE(bool(longs)) << errorText(longs.takeError());
  EXPECT_EQ(longs->data, std::vector<double>{4294967296.0});
  llvm::Expected<Array> bools = readText(
      npy(header("|b1", "(1, 3)"), llvm::StringRef("\x01\x00\x01", 3)));
  ASSERT_TRUE(bool(bools)) << errorText(bools.takeError());
  EXPECT_EQ(bools->data, (std::vector<double>{1, 0, 1}));
}

TEST(Npy, ReadsVersion2AndOtherSpellings) {
  std::string dictionary =
      "{\"shape\":(2),\"descr\":\"<f2\",\"fortran_order\":False}";
  std::string text("\x93NUMPY\x02\x00", 8);
  text.push_back(static_cast<char>(dictionary.size()));
  text += std::string(3, '\0') + dictionary + std::string("\0\x3C\0\xC0", 4);
  llvm::Expected<Array> read = readText(text);
  ASSERT_TRUE(bool(read)) << errorText(read.takeError());
  EXPECT_EQ(read->shape, (llvm::SmallVector<int64_t>{2}));
  EXPECT_EQ(read->data, (std::vector<double>{1, -2}));
}

TEST(Npy, RefusesBrokenPrefixes) {
  expectMalformed("", "not a .npy file");
  expectMalformed("PK\x03\x04 an archive", "not a .npy file");
  expectMalformed("\x93NUMPY", "truncated before the format version");
  expectMalformed(llvm::StringRef("\x93NUMPY\x03\x00\x00\x00", 10),
                  "format version 3.0 is not supported");
  expectMalformed(llvm::StringRef("\x93NUMPY\x02\x00\x10\x00", 10),
                  "truncated before the header's length");
  expectMalformed(llvm::StringRef("\x93NUMPY\x01\x00\xFF\xFF{", 11),
                  "the header should have 65535 bytes, the file ends after 1");
}

TEST(Npy, RefusesBrokenHeaders) {
  expectMalformed(npy("", ""), "expected '{'");
  expectMalformed(npy("{", ""), "expected a quoted string");
  expectMalformed(npy("{'", ""), "expected a quoted string");
  expectMalformed(npy("{'descr'", ""), "expected ':'");
  expectMalformed(npy("{'descr': <f4", ""),
                  "expected a quoted string at '<f4'");
  expectMalformed(npy("{'descr': '<f4' 'shape'", ""), "expected ',' or '}'");
  expectMalformed(npy("{'descr': [('a', '<f4')]}", ""), "structured");
  expectMalformed(npy("{'fortran_order': 0}", ""), "expected True or False");
  expectMalformed(npy("{'order': 'C'}", ""), "unknown key 'order'");
  expectMalformed(npy("{'descr': '<f4'}", ""), "lacks the key");
  expectMalformed(npy("{'descr': '<f4', 'descr': '<f4'}", ""),
                  "repeats the key 'descr'");
  expectMalformed(npy(header("<f4", "()") + "x", "1234"),
                  "expected nothing after '}'");
  expectMalformed(npy(header("<f4", "3"), ""), "expected '('");
  expectMalformed(npy(header("<f4", "(3"), ""), "malformed header");
  expectMalformed(npy(header("<f4", "(3 4)"), ""), "expected ',' or ')'");
  expectMalformed(npy(header("<f4", "(-1,)"), ""), "non-negative");
  expectMalformed(npy(header("<f4", "(99999999999999999999,)"), ""),
                  "non-negative 64-bit integer");
}

TEST(Npy, RefusesUnsupportedLayouts) {
  expectMalformed(npy(header("<f4", "(1,)", "True"), "1234"), "Fortran order");
  expectMalformed(npy(header(">f4", "(1,)"), "1234"), "big-endian");
  expectMalformed(npy(header("<c8", "(1,)"), "12345678"),
                  "data type '<c8' is not supported");
}

TEST(Npy, RefusesWrongSizes) {
  expectMalformed(npy(header("<f4", "(2,)"), "1234567"),
                  "need 8 bytes of data, the file has 7");
  expectMalformed(npy(header("<f4", "(2,)"), "123456789"),
                  "need 8 bytes of data, the file has 9");
  expectMalformed(npy(header("<f4", "(4294967296, 4294967296)"), ""),
                  "overflows");
  expectMalformed(npy(header("<f8", "(4611686018427387904,)"), ""),
                  "overflows");
  expectMalformed(npy(header("<f8", "(9223372036854775807, 0)"), "1"),
                  "need 0 bytes of data, the file has 1");
}

TEST(Npy, NamesFilesThatCannotBeUsed) {
  EXPECT_TRUE(contains(errorText(readNpy("/no/such/input.npy")),
                       "'/no/such/input.npy': "));
  EXPECT_TRUE(contains(
      errorText(writeNpy("/no/such/output.npy", {{1}, ElementType::f32, {1}})),
      "'/no/such/output.npy': "));
}

TEST(Npy, RefusesToWriteAnArrayThatDoesNotFitItsShape) {
  for (auto shape :
       {llvm::SmallVector<int64_t>{3}, llvm::SmallVector<int64_t>{-1, -2},
        llvm::SmallVector<int64_t>{INT64_MAX, 4}})
    EXPECT_EQ(
        errorText(writeNpy("unused.npy", {shape, ElementType::f32, {1, 2}})),
        "'unused.npy': the array has 2 values, which do not fit its shape");
}

} // namespace
