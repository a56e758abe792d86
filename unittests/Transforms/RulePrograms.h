//===- RulePrograms.h - Programs to which rules apply -----------*- C++ -*-===//
//
// Makes a program of random shapes for each pattern of TransformRules.td, as
// text, and applies patterns one by one.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_UNITTESTS_TRANSFORMS_RULEPROGRAMS_H
#define MIRAGE_UNITTESTS_TRANSFORMS_RULEPROGRAMS_H

#include "../Interpreter/TestSupport.h"
#include "Mirage/Transforms/TransformRules.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/Support/FormatVariadic.h"
#include <functional>
#include <random>

namespace mirage::rule_programs {

/// Sizes and choices of a program. With `same`, all sizes are one, so that
/// more mutants have the types of the program. Sizes are multiples of `unit`.
class Shapes {
public:
  Shapes(unsigned seed, bool same, int64_t unit = 1)
      : random(seed), same(same), unit(unit) {}

  unsigned draw(unsigned count) { return random() % count; }
  int64_t size() {
    if (!common)
      common = 2 + draw(5);
    return unit * (same ? *common : 2 + draw(7));
  }

private:
  std::mt19937 random;
  bool same;
  int64_t unit;
  std::optional<int64_t> common;
};

inline std::string type(std::vector<int64_t> shape,
                        std::string element = "f32") {
  std::string text = "tensor<";
  for (int64_t size : shape)
    text += std::to_string(size) + "x";
  return text + element + ">";
}

/// A function of weights %w and %c and of an input %x, by its lines.
struct Text {
  std::vector<std::string> arguments, lines;
  std::string result;

  std::string get() const {
    return "func.func @f(" + llvm::join(arguments, ", ") + ") -> " + result +
           " {\n" + llvm::join(lines, "\n") + "\nreturn %r : " + result +
           "\n}\n";
  }
  void input(std::string name, std::string type) {
    arguments.push_back("%" + name + ": " + type);
  }
  void weight(std::string name, std::string type) {
    arguments.push_back("%" + name + ": " + type + " {mirage.constant}");
  }
};

/// A product of %x and %w, perhaps in batches and of transposed operands.
struct Product {
  std::vector<int64_t> batch;
  int64_t m, n, k;
  bool transposeLhs, transposeRhs;

  Product(Shapes &shapes, bool mayTransposeLhs = true)
      : m(shapes.size()), n(shapes.size()), k(shapes.size()),
        transposeLhs(mayTransposeLhs && shapes.draw(2)),
        transposeRhs(shapes.draw(2)) {
    if (shapes.draw(2))
      batch.push_back(shapes.size());
  }

  std::vector<int64_t> with(int64_t rows, int64_t columns) const {
    std::vector<int64_t> shape = batch;
    shape.insert(shape.end(), {rows, columns});
    return shape;
  }
  std::vector<int64_t> lhs() const {
    return transposeLhs ? with(k, m) : with(m, k);
  }
  std::vector<int64_t> rhs() const {
    return transposeRhs ? with(n, k) : with(k, n);
  }
  /// A shape with sizes of one but for one of the last two dimensions.
  std::vector<int64_t> along(int64_t rows, int64_t columns) const {
    std::vector<int64_t> shape(batch.size(), 1);
    shape.insert(shape.end(), {rows, columns});
    return shape;
  }
  std::string line(std::string result, std::string x, std::string w,
                   std::string element = "f32") const {
    return llvm::formatv("%{0} = mirage_kernel.matmul %{1}, %{2}{3}{4} : ({5}, "
                         "{6}) -> {7}",
                         result, x, w, transposeLhs ? " transpose_lhs" : "",
                         transposeRhs ? " transpose_rhs" : "",
                         type(lhs(), element), type(rhs(), element),
                         type(with(m, n)));
  }
};

inline std::string binary(std::string op, std::string result, std::string a,
                          std::string b, std::string aType, std::string bType,
                          std::string resultType) {
  return llvm::formatv(
      "%{0} = mirage_kernel.{1} %{2}, %{3} : ({4}, {5}) -> {6}", result, op, a,
      b, aType, bType, resultType);
}

inline std::string cast(std::string result, std::string x,
                        std::vector<int64_t> shape, std::string from,
                        std::string to) {
  return llvm::formatv("%{0} = mirage_kernel.cast %{1} : {2} to {3}", result, x,
                       type(shape, from), type(shape, to));
}

/// A convolution of %x with %w. With padding and steps there would be some that
/// read nothing but zeros.
struct Convolution {
  bool nchw;
  int64_t groups, in, out, rows, columns, height, width, padding, stride;

  Convolution(Shapes &shapes, bool mayGroup)
      : nchw(shapes.draw(2)), groups(mayGroup ? 1 + shapes.draw(2) : 1),
        in(groups * (1 + shapes.draw(3))), out(groups * (2 + shapes.draw(3))),
        rows(1 + shapes.draw(3)), columns(1 + shapes.draw(3)),
        height(rows + shapes.draw(4)), width(columns + shapes.draw(4)),
        padding(shapes.draw(2)), stride(padding ? 1 : 1 + shapes.draw(2)) {}

  std::vector<int64_t> image(int64_t channels, int64_t h, int64_t w) const {
    return nchw ? std::vector<int64_t>{1, channels, h, w}
                : std::vector<int64_t>{1, h, w, channels};
  }
  std::vector<int64_t> input() const { return image(in, height, width); }
  std::vector<int64_t> filter() const {
    return nchw ? std::vector<int64_t>{out, in / groups, rows, columns}
                : std::vector<int64_t>{rows, columns, in / groups, out};
  }
  std::vector<int64_t> result() const {
    return image(out, (height + 2 * padding - rows) / stride + 1,
                 (width + 2 * padding - columns) / stride + 1);
  }
  std::string line(std::string name, std::string x, std::string element) const {
    return llvm::formatv(
        "%{0} = mirage_kernel.conv2d {1} %{2}, %w strides [{3}, {3}] padding "
        "[{4}, {4}, {4}, {4}] dilations [1, 1] groups({5}) : ({6}, {7}) -> {8}",
        name, nchw ? "nchw" : "nhwc", x, stride, padding, groups,
        type(input(), element), type(filter(), element), type(result()));
  }
};

/// Makes %r of the product %p, of a shape: the product, after so many casts,
/// times %c.
void scaleResult(Text &text, Shapes &shapes, unsigned casts,
                 std::vector<int64_t> shape, std::vector<int64_t> factor) {
  std::string product = "p", element = "f32";
  for (unsigned i = 0; i < casts; ++i) {
    std::string to = i % 2 ? "f32" : "f16", next = product + "c";
    text.lines.push_back(cast(next, product, shape, element, to));
    product = next, element = to;
  }
  text.weight("c", type(factor, element));
  text.result = type(shape, element);
  bool isFirst = shapes.draw(2);
  std::string own = text.result, other = type(factor, element);
  text.lines.push_back(isFirst
                           ? binary("mul", "r", "c", product, other, own, own)
                           : binary("mul", "r", product, "c", own, other, own));
}

inline std::string scaledProduct(Shapes &shapes, unsigned casts,
                                 std::string weights = "f32") {
  Text text;
  Product product(shapes);
  text.input("x", type(product.lhs(), weights));
  text.weight("w", type(product.rhs(), weights));
  text.lines.push_back(product.line("p", "x", "w", weights));
  scaleResult(text, shapes, casts, product.with(product.m, product.n),
              product.along(1, product.n));
  return text.get();
}

inline std::string scaledConvolution(Shapes &shapes, unsigned casts) {
  Text text;
  Convolution conv(shapes, /*mayGroup=*/true);
  text.input("x", type(conv.input()));
  text.weight("w", type(conv.filter()));
  text.lines.push_back(conv.line("p", "x", "f32"));
  scaleResult(text, shapes, casts, conv.result(), conv.image(conv.out, 1, 1));
  return text.get();
}

/// A product whose left operand is %x and %c under an operator.
inline std::string changedInput(Shapes &shapes, std::string op, bool alongRows,
                                bool isFirst = false) {
  Text text;
  Product product(shapes, /*mayTransposeLhs=*/!alongRows);
  std::string x = type(product.lhs());
  std::vector<int64_t> factor = alongRows ? product.along(product.m, 1)
                                : product.transposeLhs
                                    ? product.along(product.k, 1)
                                    : product.along(1, product.k);
  std::string c = type(factor);
  text.input("x", x);
  alongRows ? text.input("c", c) : text.weight("c", c);
  text.weight("w", type(product.rhs()));
  text.lines = {isFirst ? binary(op, "y", "c", "x", c, x, x)
                        : binary(op, "y", "x", "c", x, c, x),
                product.line("r", "y", "w")};
  text.result = type(product.with(product.m, product.n));
  return text.get();
}

inline std::string scaledConvolutionInput(Shapes &shapes, bool isFirst) {
  Text text;
  Convolution conv(shapes, /*mayGroup=*/false);
  std::string x = type(conv.input()), c = type(conv.image(conv.in, 1, 1));
  text.input("x", x);
  text.weight("w", type(conv.filter()));
  text.weight("c", c);
  text.lines = {isFirst ? binary("mul", "y", "c", "x", c, x, x)
                        : binary("mul", "y", "x", "c", x, c, x),
                conv.line("r", "y", "f32")};
  text.result = type(conv.result());
  return text.get();
}

inline std::string normBefore(Shapes &shapes, std::string norm,
                              bool isReshaped) {
  Text text;
  Product product(shapes, /*mayTransposeLhs=*/false);
  product.batch.clear();
  int64_t parts = shapes.size();
  int64_t rows = product.m;
  if (isReshaped)
    product.m *= parts;
  std::string x =
      isReshaped ? type({parts, rows, product.k}) : type(product.lhs());
  std::string c = type({product.k});
  text.input("x", x);
  text.weight("w", type(product.rhs()));
  text.weight("c", c);
  text.lines.push_back(llvm::formatv(
      "%y = mirage_kernel.{0} %x weight %c epsilon(1.0E-5) : ({1}, {2}) -> {1}",
      norm, x, c));
  if (isReshaped)
    text.lines.push_back(llvm::formatv(
        "%z = mirage_kernel.reshape %y : {0} to {1}", x, type(product.lhs())));
  text.lines.push_back(product.line("r", isReshaped ? "z" : "y", "w"));
  text.result = type(product.with(product.m, product.n));
  return text.get();
}

inline std::string scaledOperand(Shapes &shapes, bool isLhs) {
  Text text;
  Product product(shapes);
  std::string x = type(product.lhs()), w = type(product.rhs());
  text.input("x", x);
  text.input("w", w);
  text.lines = {llvm::formatv("%y = mirage_kernel.scale %{0} by 0.75 : ({1}) "
                              "-> {1}",
                              isLhs ? "x" : "w", isLhs ? x : w),
                product.line("r", isLhs ? "y" : "x", isLhs ? "w" : "y")};
  text.result = type(product.with(product.m, product.n));
  return text.get();
}

/// A product of %x and %w, and one of that and %v: of it as the left operand,
/// or of %v and it as the right one.
inline std::string productOfProduct(Shapes &shapes, bool isLeft) {
  Text text;
  Product inner(shapes);
  Product outer = inner;
  outer.transposeLhs = !isLeft && shapes.draw(2);
  outer.transposeRhs = isLeft && shapes.draw(2);
  if (isLeft) {
    outer.k = inner.n;
    outer.n = shapes.size();
  } else {
    outer.k = inner.m;
    outer.m = shapes.size();
  }
  text.input("x", type(inner.lhs()));
  text.input("w", type(inner.rhs()));
  text.input("v", type(isLeft ? outer.rhs() : outer.lhs()));
  text.lines = {inner.line("p", "x", "w"),
                outer.line("r", isLeft ? "p" : "v", isLeft ? "v" : "p")};
  text.result = type(outer.with(outer.m, outer.n));
  return text.get();
}

inline std::string slicedProduct(Shapes &shapes) {
  Text text;
  Product product(shapes);
  int64_t offset = shapes.draw(product.n - 1);
  std::vector<int64_t> whole = product.with(product.m, product.n);
  std::vector<int64_t> part =
      product.with(product.m, 1 + shapes.draw(product.n - 1 - offset));
  auto list = [&](int64_t others, int64_t last, bool isSize) {
    std::string items;
    for (size_t dim = 0; dim + 1 < whole.size(); ++dim)
      items += std::to_string(isSize ? whole[dim] : others) + ", ";
    return items + std::to_string(last);
  };
  text.input("x", type(product.lhs()));
  text.input("w", type(product.rhs()));
  text.lines = {product.line("p", "x", "w"),
                llvm::formatv("%r = mirage_kernel.slice %p[{0}] [{1}] [{2}] : "
                              "({3}) -> {4}",
                              list(0, offset, false),
                              list(0, part.back(), true), list(1, 1, false),
                              type(whole), type(part))};
  text.result = type(part);
  return text.get();
}

inline std::string sum(Shapes &shapes) {
  Text text;
  Product product(shapes);
  std::vector<int64_t> from = product.with(product.m, product.k);
  text.input("x", type(from));
  text.result = type(product.with(product.m, 1));
  text.lines = {
      llvm::formatv("%r = mirage_kernel.reduce sum %x dim({0}) keep : "
                    "({1}) -> {2}",
                    from.size() - 1, type(from), text.result)};
  return text.get();
}

inline std::vector<int64_t> permute(std::vector<int64_t> shape,
                                    llvm::ArrayRef<int64_t> order) {
  std::vector<int64_t> result;
  for (int64_t dim : order)
    result.push_back(shape[dim]);
  return result;
}

inline std::string transpose(std::string result, std::string x,
                             std::vector<int64_t> shape,
                             llvm::ArrayRef<int64_t> order) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(order, os);
  return llvm::formatv(
      "%{0} = mirage_kernel.transpose %{1} [{2}] : ({3}) -> {4}", result, x,
      text, type(shape), type(permute(shape, order)));
}

inline std::string transposeTwice(Shapes &shapes) {
  Text text;
  std::vector<int64_t> shape = {shapes.size(), shapes.size(), shapes.size()};
  llvm::SmallVector<int64_t> orders[2];
  for (auto &order : orders) {
    order = {0, 1, 2};
    for (unsigned i = 0; i < 2; ++i)
      std::swap(order[i], order[i + shapes.draw(3 - i)]);
  }
  text.input("x", type(shape));
  text.lines = {transpose("y", "x", shape, orders[0]),
                transpose("z", "y", permute(shape, orders[0]), orders[1])};
  shape = permute(permute(shape, orders[0]), orders[1]);
  text.lines.push_back(
      llvm::formatv("%r = mirage_kernel.exp %z : ({0}) -> {0}", type(shape)));
  text.result = type(shape);
  return text.get();
}

/// The order that exchanges the last two dimensions.
inline llvm::SmallVector<int64_t> swapLast(size_t rank) {
  auto order = llvm::to_vector(llvm::seq<int64_t>(rank));
  std::swap(order[rank - 2], order[rank - 1]);
  return order;
}

/// A product of which an operand, or the result, is transposed.
inline std::string transposedProduct(Shapes &shapes, unsigned side) {
  Text text;
  Product product(shapes);
  std::vector<int64_t> x = product.lhs(), w = product.rhs(),
                       result = product.with(product.m, product.n);
  llvm::SmallVector<int64_t> order = swapLast(x.size());
  text.input("x", type(side == 0 ? permute(x, order) : x));
  text.input("w", type(side == 1 ? permute(w, order) : w));
  if (side == 0)
    text.lines.push_back(transpose("y", "x", permute(x, order), order));
  if (side == 1)
    text.lines.push_back(transpose("y", "w", permute(w, order), order));
  text.lines.push_back(product.line(
      side == 2 ? "p" : "r", side == 0 ? "y" : "x", side == 1 ? "y" : "w"));
  if (side == 2)
    text.lines.push_back(transpose("r", "p", result, order));
  text.result = type(side == 2 ? permute(result, order) : result);
  return text.get();
}

struct Rule {
  std::string name;
  std::function<std::string(Shapes &)> make;
};

/// The rules but for those of MovedPrograms.h.
inline std::vector<Rule> getOtherRules() {
  std::vector<Rule> rules;
  static const char *const columns[] = {"ScaledColumns_1", "ScaledColumns_2",
                                        "ScaledColumns_3", "ScaledColumns_4",
                                        "ScaledColumns_5", "ScaledColumns_6"};
  for (unsigned casts : {0, 1, 2}) {
    rules.push_back(
        {columns[casts], [=](Shapes &s) { return scaledProduct(s, casts); }});
    rules.push_back({columns[3 + casts],
                     [=](Shapes &s) { return scaledConvolution(s, casts); }});
  }
  static const char *const norms[] = {"NormWeight_1", "NormWeight_2",
                                      "NormWeight_3", "NormWeight_4"};
  for (unsigned i = 0; i < 4; ++i)
    rules.push_back({norms[i], [=](Shapes &s) {
                       return normBefore(s, i % 2 ? "layer_norm" : "rms_norm",
                                         i >= 2);
                     }});
  llvm::append_range(
      rules,
      std::vector<Rule>{
          {"ScaledInput_1",
           [](Shapes &s) { return changedInput(s, "mul", false); }},
          {"ScaledInput_2",
           [](Shapes &s) { return changedInput(s, "mul", false, true); }},
          {"ScaledInput_3",
           [](Shapes &s) { return scaledConvolutionInput(s, false); }},
          {"ScaledInput_4",
           [](Shapes &s) { return scaledConvolutionInput(s, true); }},
          {"DividedRows",
           [](Shapes &s) { return changedInput(s, "div", true); }},
          {"MultipliedRows_1",
           [](Shapes &s) { return changedInput(s, "mul", true); }},
          {"MultipliedRows_2",
           [](Shapes &s) { return changedInput(s, "mul", true, true); }},
          {"ScaledOperand_1", [](Shapes &s) { return scaledOperand(s, true); }},
          {"ScaledOperand_2",
           [](Shapes &s) { return scaledOperand(s, false); }},
          {"AssociatedRight",
           [](Shapes &s) { return productOfProduct(s, true); }},
          {"AssociatedLeft",
           [](Shapes &s) { return productOfProduct(s, false); }},
          {"SlicedProduct", slicedProduct},
          {"SumAsProduct", sum},
          {"TransposeTwice", transposeTwice},
          {"TransposedOperand_1",
           [](Shapes &s) { return transposedProduct(s, 0); }},
          {"TransposedOperand_2",
           [](Shapes &s) { return transposedProduct(s, 1); }},
          {"TransposedResult",
           [](Shapes &s) { return transposedProduct(s, 2); }}});
  return rules;
}

/// Applies one pattern to a function. Returns whether it has changed it.
inline bool applyRule(llvm::StringRef name, mlir::func::FuncOp function) {
  mlir::RewritePatternSet all(function.getContext());
  populateTransformRules(all);
  llvm::erase_if(all.getNativePatterns(),
                 [&](std::unique_ptr<mlir::RewritePattern> &pattern) {
                   return !pattern->getDebugName().ends_with(
                       ("::" + name).str());
                 });
  EXPECT_EQ(all.getNativePatterns().size(), 1u) << name.str();
  bool isChanged = false;
  mlir::GreedyRewriteConfig config;
  config.enableFolding(false);
  EXPECT_TRUE(succeeded(
      applyPatternsGreedily(function, std::move(all), config, &isChanged)));
  return isChanged;
}

} // namespace mirage::rule_programs

#endif // MIRAGE_UNITTESTS_TRANSFORMS_RULEPROGRAMS_H
