//===- TilingExpression.cpp - Parser and printer --------------------------===//
//
//   expression ::= loop* [ `(` expression (`,` expression)+ `)` ]
//
// where no expression in parentheses is empty.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Tiling/TilingExpression.h"
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
class Parser {
public:
  Parser(llvm::StringRef text, unsigned numLoops, ParseError &error)
      : text(text), numLoops(numLoops), error(error) {}

  std::optional<TilingExpression> run() {
    TilingExpression expression;
    if (!parse(expression))
      return std::nullopt;
    if (position < text.size()) {
      fail(text[position] == '(' ? "a loop or the end" : "the end");
      return std::nullopt;
    }
    return expression;
  }

private:
  bool fail(const llvm::Twine &expected) {
    error.column = position + 1;
    error.message =
        "expected " + expected.str() + ", found " +
        (position < text.size() ? "'" + text.substr(position, 1).str() + "'"
                                : std::string("the end"));
    return false;
  }

  /// "m, k, n or h".
  std::string getLoopNames() const {
    std::string list;
    for (Loop loop = 0; loop < numLoops; ++loop) {
      if (loop)
        list += loop + 1 == numLoops ? " or " : ", ";
      list += getLoopName(loop);
    }
    return list;
  }

  bool parse(TilingExpression &expression) {
    for (; position < text.size() && llvm::isAlpha(text[position]);
         ++position) {
      std::optional<Loop> loop = getLoop(text[position]);
      if (!loop || *loop >= numLoops)
        return fail("one of the loops " + getLoopNames());
      if (used & (1u << *loop))
        return fail(llvm::formatv("each loop once, '{0}' for the first time",
                                  text[position]));
      used |= 1u << *loop;
      expression.loops.push_back(*loop);
    }
    if (position < text.size() && text[position] == '(')
      return parseBranches(expression);
    return true;
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
    } while (position < text.size() && text[position] == ',');
    if (expression.branches.size() == 1)
      return fail("',' and what runs after it");
    if (position == text.size() || text[position] != ')')
      return fail("',' or ')'");
    ++position;
    return true;
  }

  llvm::StringRef text;
  unsigned numLoops;
  ParseError &error;
  size_t position = 0;
  uint32_t used = 0;
};
} // namespace

std::optional<TilingExpression>
mirage::tiling::parseTilingExpression(llvm::StringRef text, unsigned numLoops,
                                      ParseError &error) {
  return Parser(text, numLoops, error).run();
}
