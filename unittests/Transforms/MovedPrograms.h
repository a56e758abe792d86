//===- MovedPrograms.h - Programs for products and transposes ---*- C++ -*-===//
//
// Makes programs of random shapes for the rules that merge products and move
// transposes, and lists all rules with their programs.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_UNITTESTS_TRANSFORMS_MOVEDPROGRAMS_H
#define MIRAGE_UNITTESTS_TRANSFORMS_MOVEDPROGRAMS_H

#include "RulePrograms.h"

namespace mirage::rule_programs {

/// Products of %x with two or three weights, of which some may be stored
/// otherwise, one behind the other.
inline std::string productsOfOne(Shapes &shapes) {
  Text text;
  Product first(shapes);
  std::vector<std::string> parts, types;
  int64_t columns = 0;
  text.input("x", type(first.lhs()));
  for (unsigned i = 0, count = 2 + shapes.draw(2); i < count; ++i) {
    Product product = first;
    if (i > 0) {
      product.n = shapes.size();
      product.transposeRhs = shapes.draw(2);
    }
    std::string number = std::to_string(i);
    text.weight("w" + number, type(product.rhs()));
    text.lines.push_back(product.line("p" + number, "x", "w" + number));
    parts.push_back("%p" + number);
    types.push_back(type(product.with(product.m, product.n)));
    columns += product.n;
  }
  text.result = type(first.with(first.m, columns));
  text.lines.push_back(
      llvm::formatv("%r = mirage_kernel.concat dim({0}) {1} : ({2}) -> {3}",
                    first.batch.size() + 1, llvm::join(parts, ", "),
                    llvm::join(types, ", "), text.result));
  return text.get();
}

/// A shape of three dimensions, and an order that moves some.
struct Moved {
  std::vector<int64_t> before, after;
  llvm::SmallVector<int64_t> order = {0, 1, 2};

  Moved(Shapes &shapes) : before{shapes.size(), shapes.size(), shapes.size()} {
    std::swap(order[shapes.draw(2)], order[2]);
    after = permute(before, order);
  }
};

/// An operator of the transposed %x, by its words before and behind its
/// operand.
inline std::string unaryOfTransposed(Shapes &shapes, std::string op) {
  Text text;
  Moved moved(shapes);
  text.input("x", type(moved.before));
  text.result = type(moved.after);
  auto [head, tail] = llvm::StringRef(op).split('$');
  text.lines = {transpose("y", "x", moved.before, moved.order),
                op == "cast"
                    ? cast("r", "y", moved.after, "f32", "f64")
                    : llvm::formatv("%r = mirage_kernel.{0}%y{1} : ({2}) -> "
                                    "{2}",
                                    op == head ? head.str() + " " : head.str(),
                                    tail, text.result)
                          .str()};
  if (op == "cast")
    text.result = type(moved.after, "f64");
  return text.get();
}

/// An operator of the transposed %x and of something that is transposed, too, a
/// weight, or of one element along most dimensions.
inline std::string binaryOfTransposed(Shapes &shapes, std::string op,
                                      bool isFirst) {
  Text text;
  Moved moved(shapes);
  text.input("x", type(moved.before));
  text.result = type(moved.after);
  text.lines = {transpose("y", "x", moved.before, moved.order)};
  std::vector<int64_t> shape = moved.after;
  unsigned kind = shapes.draw(3);
  if (kind == 0) {
    text.input("z", type(moved.before));
    text.lines.push_back(transpose("c", "z", moved.before, moved.order));
  } else if (kind == 1) {
    text.weight("c", type(shape));
  } else {
    std::fill(shape.begin(), shape.end() - 1, 1);
    text.input("c", type(shape));
  }
  std::string own = type(shape);
  text.lines.push_back(
      isFirst ? binary(op, "r", "y", "c", text.result, own, text.result)
              : binary(op, "r", "c", "y", own, text.result, text.result));
  return text.get();
}

inline std::string reducedTransposed(Shapes &shapes) {
  static constexpr const char *kinds[] = {"sum", "max", "mean"};
  Text text;
  Moved moved(shapes);
  text.input("x", type(moved.before));
  unsigned dim = shapes.draw(3), form = shapes.draw(3);
  std::vector<int64_t> shape = moved.after;
  std::string more;
  if (form == 0) {
    shape.erase(shape.begin() + dim);
  } else if (form == 1) {
    shape[dim] = 1;
    more = " keep";
  } else {
    more = " group(" + std::to_string(shape[dim]) + ")";
    shape[dim] = 1;
  }
  text.result = type(shape);
  text.lines = {
      transpose("y", "x", moved.before, moved.order),
      llvm::formatv("%r = mirage_kernel.reduce {0} %y dim({1}){2} : ({3}) -> "
                    "{4}",
                    kinds[shapes.draw(3)], dim, more, type(moved.after),
                    text.result)};
  return text.get();
}

/// All rules, by their patterns.
inline std::vector<Rule> getRules() {
  std::vector<Rule> rules = getOtherRules();
  rules.push_back({"MergedProducts", productsOfOne});
  for (const char *op :
       {"abs", "cast", "clamp$ lower(-0.5) upper(0.75)", "erf", "exp", "exp2",
        "gelu erf $", "log", "mish", "pow$ to 2.0", "relu", "rsqrt",
        "scale$ by 0.75", "sigmoid", "silu", "sqrt", "square", "tanh"})
    rules.push_back(
        {"MovedTranspose_" +
             llvm::StringRef(op).split('$').first.split(' ').first.str(),
         [=](Shapes &s) { return unaryOfTransposed(s, op); }});
  for (const char *op : {"add", "div", "max", "min", "mul", "sub"})
    for (bool isFirst : {false, true})
      rules.push_back(
          {"MovedTranspose_" + std::string(op) + (isFirst ? "_lhs" : "_rhs"),
           [=](Shapes &s) { return binaryOfTransposed(s, op, isFirst); }});
  rules.push_back({"MovedTranspose_reduce", reducedTransposed});
  return rules;
}

} // namespace mirage::rule_programs

#endif // MIRAGE_UNITTESTS_TRANSFORMS_MOVEDPROGRAMS_H
