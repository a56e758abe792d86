//===- NpyHeader.cpp - The header of a .npy file --------------------------===//

// Parses and prints the header with a cursor over the few forms of Python
// literal that NumPy writes: quoted strings, True and False, tuples of
// integers, and one dictionary around them.

#include "NpyHeader.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mirage::runtime;
using llvm::Error;
using llvm::StringRef;

namespace {
class HeaderParser {
public:
  explicit HeaderParser(StringRef text) : rest(text) {}

  Error parse(NpyHeader &header) {
    if (!consume("{"))
      return expected("'{'");
    llvm::StringSet<> seen;
    while (!consume("}")) {
      std::string key;
      if (Error error = parseString(key))
        return error;
      if (!seen.insert(key).second)
        return llvm::createStringError("header repeats the key '" + key + "'");
      if (!consume(":"))
        return expected("':'");
      if (Error error = parseValue(key, header))
        return error;
      if (!consume(",") && !rest.ltrim().starts_with("}"))
        return expected("',' or '}'");
    }
    if (!rest.trim().empty())
      return expected("nothing after '}'");
    for (StringRef key : {"descr", "fortran_order", "shape"})
      if (!seen.contains(key))
        return llvm::createStringError("header lacks the key '" + key + "'");
    return Error::success();
  }

private:
  Error expected(const llvm::Twine &what) const {
    std::string found;
    llvm::raw_string_ostream os(found);
    llvm::printEscapedString(rest.ltrim().take_front(24), os);
    return llvm::createStringError("malformed header: expected " + what +
                                   " at '" + found + "'");
  }

  bool consume(StringRef token) {
    rest = rest.ltrim();
    return rest.consume_front(token);
  }

  Error parseString(std::string &out) {
    rest = rest.ltrim();
    char quote = rest.empty() ? 0 : rest.front();
    size_t end = rest.find(quote, 1);
    if ((quote != '\'' && quote != '"') || end == StringRef::npos)
      return expected("a quoted string");
    out = rest.slice(1, end).str();
    rest = rest.drop_front(end + 1);
    return Error::success();
  }

  Error parseShape(llvm::SmallVectorImpl<int64_t> &shape) {
    if (!consume("("))
      return expected("'('");
    while (!consume(")")) {
      int64_t size;
      rest = rest.ltrim();
      if (rest.consumeInteger(10, size) || size < 0)
        return expected("a non-negative 64-bit integer");
      shape.push_back(size);
      if (!consume(",") && !rest.ltrim().starts_with(")"))
        return expected("',' or ')'");
    }
    return Error::success();
  }

  Error parseValue(StringRef key, NpyHeader &header) {
    if (key == "shape")
      return parseShape(header.shape);
    if (key == "fortran_order") {
      header.fortranOrder = consume("True");
      if (!header.fortranOrder && !consume("False"))
        return expected("True or False");
      return Error::success();
    }
    if (key != "descr")
      return llvm::createStringError("header has the unknown key '" + key +
                                     "'");
    if (rest.ltrim().starts_with("["))
      return llvm::createStringError("structured data types are not supported");
    return parseString(header.descr);
  }

  StringRef rest;
};
} // namespace

llvm::Expected<NpyHeader> mirage::runtime::parseNpyHeader(StringRef text) {
  NpyHeader header;
  if (Error error = HeaderParser(text).parse(header))
    return error;
  return header;
}

std::string mirage::runtime::printNpyHeader(const NpyHeader &header) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "{'descr': '" << header.descr
     << "', 'fortran_order': " << (header.fortranOrder ? "True" : "False")
     << ", 'shape': (";
  llvm::interleaveComma(header.shape, os);
  // A Python tuple of one needs its comma.
  os << (header.shape.size() == 1 ? ",), }" : "), }");
  // Magic, version and length take 10 bytes, in version 2.0 two more.
  size_t prefix = text.size() + 1 + 64 > UINT16_MAX ? 12 : 10;
  size_t total = llvm::alignTo(prefix + text.size() + 1, 64);
  text.append(total - prefix - text.size() - 1, ' ');
  text.push_back('\n');
  return text;
}
