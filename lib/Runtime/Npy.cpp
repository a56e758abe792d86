//===- Npy.cpp - NumPy array files ----------------------------------------===//

// Reads and writes the .npy format: magic, version, a header that is the text
// of a Python dictionary ('descr', 'fortran_order', 'shape'), then the raw
// elements. The header's grammar is in NpyHeader.cpp; here are the files around
// it.

#include "Mirage/Runtime/Npy.h"
#include "NpyHeader.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace mirage::runtime;
using llvm::createFileError;
using llvm::createStringError;
using llvm::Twine;
namespace endian = llvm::support::endian;

static constexpr llvm::StringLiteral kMagic("\x93NUMPY");

/// Returns the product of `shape`, or nothing if it exceeds int64_t.
static std::optional<int64_t> elementCount(llvm::ArrayRef<int64_t> shape) {
  if (llvm::is_contained(shape, 0))
    return 0;
  int64_t count = 1;
  for (int64_t size : shape)
    if (llvm::MulOverflow(count, size, count))
      return std::nullopt;
  return count;
}

/// Says which element type and which reader one 'descr' has.
namespace {
struct DataType {
  llvm::StringLiteral descr;
  ElementType type;
  unsigned bytes;
  double (*readInteger)(const char *);
};
} // namespace

static const DataType kDataTypes[] = {
    {"<f2", ElementType::f16, 2, nullptr},
    {"<f4", ElementType::f32, 4, nullptr},
    {"<f8", ElementType::f64, 8, nullptr},
    {"<i4", ElementType::f64, 4,
     [](const char *p) {
       return static_cast<double>(static_cast<int32_t>(endian::read32le(p)));
     }},
    {"<i8", ElementType::f64, 8,
     [](const char *p) {
       return static_cast<double>(static_cast<int64_t>(endian::read64le(p)));
     }},
    {"|b1", ElementType::f64, 1, [](const char *p) { return *p ? 1.0 : 0.0; }},
};

static llvm::Expected<const DataType *> findDataType(llvm::StringRef descr) {
  for (const DataType &dataType : kDataTypes)
    if (dataType.descr == descr)
      return &dataType;
  if (descr.starts_with(">"))
    return createStringError("big-endian data ('" + descr +
                             "') is not supported; store it as little endian");
  return createStringError("data type '" + descr +
                           "' is not supported; '<f2', '<f4', '<f8', '<i4', "
                           "'<i8' and '|b1' are");
}

/// Splits the header's text off the front of `content`.
static llvm::Expected<llvm::StringRef> takeHeader(llvm::StringRef &content) {
  if (!content.consume_front(kMagic))
    return createStringError("not a .npy file: it does not begin with the "
                             "bytes \\x93NUMPY");
  if (content.size() < 2)
    return createStringError("truncated before the format version");
  unsigned major = static_cast<uint8_t>(content[0]);
  unsigned minor = static_cast<uint8_t>(content[1]);
  content = content.drop_front(2);
  if ((major != 1 && major != 2) || minor != 0)
    return createStringError("format version " + Twine(major) + "." +
                             Twine(minor) +
                             " is not supported; 1.0 and 2.0 are");
  size_t lengthBytes = major == 1 ? 2 : 4;
  if (content.size() < lengthBytes)
    return createStringError("truncated before the header's length");
  size_t length = major == 1 ? endian::read16le(content.data())
                             : endian::read32le(content.data());
  content = content.drop_front(lengthBytes);
  if (content.size() < length)
    return createStringError("truncated: the header should have " +
                             Twine(length) + " bytes, the file ends after " +
                             Twine(content.size()));
  llvm::StringRef header = content.take_front(length);
  content = content.drop_front(length);
  return header;
}

static llvm::Expected<Array> parseNpy(llvm::StringRef content) {
  llvm::Expected<llvm::StringRef> text = takeHeader(content);
  if (!text)
    return text.takeError();
  llvm::Expected<NpyHeader> header = parseNpyHeader(*text);
  if (!header)
    return header.takeError();
  llvm::Expected<const DataType *> dataType = findDataType(header->descr);
  if (!dataType)
    return dataType.takeError();
  if (header->fortranOrder)
    return createStringError("Fortran order is not supported; store the array "
                             "in C order (numpy.ascontiguousarray)");

  std::optional<int64_t> count = elementCount(header->shape);
  int64_t bytes = 0;
  if (!count || llvm::MulOverflow<int64_t>(*count, (*dataType)->bytes, bytes))
    return createStringError("the size of the shape overflows 64 bits");
  if (content.size() != static_cast<uint64_t>(bytes))
    return createStringError("the shape and data type need " + Twine(bytes) +
                             " bytes of data, the file has " +
                             Twine(content.size()));

  Array array;
  array.shape = std::move(header->shape);
  array.type = (*dataType)->type;
  if (auto *readInteger = (*dataType)->readInteger) {
    array.data.resize(*count);
    for (auto [index, value] : llvm::enumerate(array.data))
      value = readInteger(content.data() + index * (*dataType)->bytes);
  } else {
    array.data =
        decode(array.type, llvm::ArrayRef(content.data(), content.size()));
  }
  return array;
}

llvm::Expected<Array> mirage::runtime::readNpy(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (std::error_code error = buffer.getError())
    return createFileError(path, error);
  llvm::Expected<Array> array = parseNpy((*buffer)->getBuffer());
  if (!array)
    return createFileError(path, array.takeError());
  return array;
}

llvm::Error mirage::runtime::writeNpy(llvm::StringRef path,
                                      const Array &array) {
  std::optional<int64_t> count = elementCount(array.shape);
  bool negative = llvm::any_of(array.shape, [](int64_t n) { return n < 0; });
  if (negative || !count || static_cast<uint64_t>(*count) != array.data.size())
    return createFileError(
        path, createStringError("the array has " + Twine(array.data.size()) +
                                " values, which do not fit its shape"));

  const DataType *dataType = &kDataTypes[1];
  for (const DataType &candidate : kDataTypes)
    if (!candidate.readInteger && candidate.type == array.type)
      dataType = &candidate;
  std::string header =
      printNpyHeader({dataType->descr.str(), false, array.shape});
  std::vector<char> bytes;
  if (dataType->type == array.type) {
    bytes = encode(array.type, array.data);
  } else {
    std::vector<double> rounded(array.data.size());
    llvm::transform(array.data, rounded.begin(),
                    [&](double value) { return roundTo(array.type, value); });
    bytes = encode(dataType->type, rounded);
  }

  std::error_code error;
  llvm::raw_fd_ostream os(path, error);
  if (error)
    return createFileError(path, error);
  // Version 1.0 counts the header's bytes in 16 bits, 2.0 in 32.
  bool isLong = header.size() > UINT16_MAX;
  char prefix[6] = {static_cast<char>(isLong ? 2 : 1), 0};
  endian::write32le(prefix + 2, static_cast<uint32_t>(header.size()));
  os << kMagic << llvm::StringRef(prefix, isLong ? 6 : 4) << header;
  os.write(bytes.data(), bytes.size());
  os.close();
  if ((error = os.error())) {
    os.clear_error();
    return createFileError(path, error);
  }
  return llvm::Error::success();
}
