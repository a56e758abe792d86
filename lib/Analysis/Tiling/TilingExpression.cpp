//===- TilingExpression.cpp - Parser and printer --------------------------===//
//
// Reads and writes expressions by this grammar, where no expression in
// parentheses is empty:
//
//   expression ::= loop* [ `(` expression (`,` expression)+ `)` ]
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Tiling/TilingExpression.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mirage::tiling;

static constexpr llvm::StringLiteral names = "mknhpqrstuvwxyzabcdefgijlo";
static_assert(names.size() == maxLoops);

char mirage::tiling::getLoopName(Loop loop) { return names[loop]; }

std::optional<Loop> mirage::tiling::getLoop(char name) {
  size_t loop = names.find(name);
  if (loop == llvm::StringRef::npos)
    return std::nullopt;
  return static_cast<Loop>(loop);
}

bool TilingExpression::contains(Loop loop) const {
  return llvm::is_contained(loops, loop) ||
         llvm::any_of(branches, [&](const TilingExpression &branch) {
           return branch.contains(loop);
         });
}

std::string mirage::tiling::toString(const TilingExpression &expression) {
  std::string text;
  for (Loop loop : expression.loops)
    text += getLoopName(loop);
  if (expression.branches.empty())
    return text;
  return text + "(" +
         llvm::join(llvm::map_range(
                        expression.branches,
                        [](const TilingExpression &e) { return toString(e); }),
                    ",") +
         ")";
}

namespace {
/// The part that both parsers share: where they are, and how they fail.
class Reader {
protected:
  Reader(llvm::StringRef text, unsigned numLoops, ParseError &error)
      : text(text), numLoops(numLoops), error(error) {}

  bool fail(const llvm::Twine &expected) {
    error.column = position + 1;
    // The error names whole characters: in UTF-8 those of several bytes go on
    // with bytes 10......
    size_t end = position + 1;
    while (end < text.size() && (text[end] & 0xc0) == 0x80)
      ++end;
    error.message =
        "expected " + expected.str() + ", found " +
        (position < text.size() ? "'" + text.slice(position, end).str() + "'"
                                : std::string("the end"));
    return false;
  }

  /// The names of all loops as text: "m, k, n or h".
  std::string getLoopNames() const {
    std::string list;
    for (Loop loop = 0; loop < numLoops; ++loop) {
      if (loop)
        list += loop + 1 == numLoops ? " or " : ", ";
      list += getLoopName(loop);
    }
    return list;
  }

  bool isAtEnd() const { return position == text.size(); }
  bool isAt(char c) const { return !isAtEnd() && text[position] == c; }
  /// Reads a loop that was not read before.
  bool readLoop(Loop &loop) {
    std::optional<Loop> named =
        isAtEnd() ? std::nullopt : getLoop(text[position]);
    if (!named || *named >= numLoops)
      return fail("one of the loops " + getLoopNames());
    if (used.contains(*named))
      return fail(llvm::formatv("each loop once, '{0}' for the first time",
                                text[position]));
    used.insert(*named);
    loop = *named;
    ++position;
    return true;
  }

  llvm::StringRef text;
  unsigned numLoops;
  ParseError &error;
  size_t position = 0;
  /// The loops that were read.
  LoopSet used;
};

class Parser : Reader {
public:
  Parser(llvm::StringRef text, unsigned numLoops, ParseError &error)
      : Reader(text, numLoops, error) {}

  std::optional<TilingExpression> run() {
    TilingExpression expression;
    if (!parse(expression))
      return std::nullopt;
    if (!isAtEnd()) {
      fail("the end");
      return std::nullopt;
    }
    return expression;
  }

private:
  bool parse(TilingExpression &expression) {
    while (!isAtEnd() && llvm::isAlpha(text[position]))
      if (!readLoop(expression.loops.emplace_back()))
        return false;
    return !isAt('(') || parseBranches(expression);
  }

  bool parseBranches(TilingExpression &expression) {
    do {
      ++position; // `(` or `,`
      TilingExpression &branch = expression.branches.emplace_back();
      size_t begin = position;
      if (!parse(branch))
        return false;
      if (position == begin)
        return fail("a loop");
    } while (isAt(','));
    if (expression.branches.size() == 1)
      return fail("',' and what runs after it");
    if (!isAt(')'))
      return fail("',' or ')'");
    ++position;
    return true;
  }
};

class TilesParser : Reader {
public:
  TilesParser(llvm::StringRef text, unsigned numLoops, ParseError &error)
      : Reader(text, numLoops, error), tiles(numLoops, 0) {}

  std::optional<llvm::SmallVector<int64_t, 6>> run() {
    do {
      if (!parseTile())
        return std::nullopt;
    } while (isAt(',') && ++position);
    if (isAtEnd())
      return tiles;
    fail("',' or the end");
    return std::nullopt;
  }

private:
  bool parseTile() {
    Loop loop = 0;
    if (!readLoop(loop))
      return false;
    if (!isAt(':'))
      return fail("':' and the elements of a tile");
    ++position;
    llvm::StringRef digits = text.substr(position).take_while(llvm::isDigit);
    if (digits.getAsInteger(10, tiles[loop]) || tiles[loop] == 0)
      return fail("a positive number of 64 bits");
    position += digits.size();
    return true;
  }

  llvm::SmallVector<int64_t, 6> tiles;
};
} // namespace

std::optional<TilingExpression>
mirage::tiling::parseTilingExpression(llvm::StringRef text, unsigned numLoops,
                                      ParseError &error) {
  return Parser(text, numLoops, error).run();
}

std::optional<llvm::SmallVector<int64_t, 6>>
mirage::tiling::parseTiles(llvm::StringRef text, unsigned numLoops,
                           ParseError &error) {
  return TilesParser(text, numLoops, error).run();
}
