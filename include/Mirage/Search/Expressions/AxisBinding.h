//===- AxisBinding.h - Which indices of an expression are summed *- C++ -*-===//
//
// A binding makes abstract expressions whose axes are bound. Table 2 of the
// paper has sum(i, x) * y = sum(i, x * y), which holds if y does not depend on
// the index of the sum; so sum(x) * x and sum(x * x) have one expression there,
// and prefixes that lead to the former are not pruned. Here a sum over an axis
// marks the inputs inside of it that have the axis: sum(x) * x is x' * x, and
// sum(x * x) is x' * x'. In arguments of functions it leaves another mark,
// since what is summed there is not the argument. Equal programs still have
// equal expressions: each law that moves a factor out of a sum moves one
// without the axis, and arguments stay arguments.
//
// A prefix may yet be summed over the axes that are free in it, and then all of
// it is: it is contained in a goal if it is after binding some of its free
// axes.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_EXPRESSIONS_AXISBINDING_H
#define MIRAGE_SEARCH_EXPRESSIONS_AXISBINDING_H

#include "Mirage/Search/Expressions/AbstractExpression.h"
#include "Mirage/Search/Problem/AxisSet.h"
#include <map>

namespace mirage::search {

class AxisBinding {
public:
  explicit AxisBinding(ExpressionContext &context) : context(context) {}

  /// The symbol of an input that has these axes, of which none is bound.
  const Expression *getInput(llvm::StringRef name, AxisSet axes);
  /// The expression as it stands in a sum over these axes, without the sum.
  /// With `isArgument` it is a function of the expression that is summed.
  const Expression *bind(const Expression *expression, AxisSet axes,
                         bool isArgument = false);
  /// The expression at one place of an axis.
  const Expression *select(const Expression *expression, unsigned axis,
                           unsigned place);
  /// The axes that some input in the expression has unbound.
  AxisSet getFreeAxes(const Expression *expression);
  /// The symbol of an input without what is bound of it; null for expressions
  /// that are no symbols of inputs.
  const Expression *getUnbound(const Expression *expression);

  /// The axes that a symbol, given by the context's number of its name, has
  /// bound by sums over it.
  AxisSet getBound(unsigned name) const { return byName.lookup(name).first; }
  /// The axes that it has bound by sums over functions of it.
  AxisSet getBoundAsArgument(unsigned name) const {
    return byName.lookup(name).second;
  }

  /// The axes that have been bound so far in arguments of functions.
  AxisSet getBoundInArguments() const { return boundInArguments; }
  /// The axes that have been bound so far in denominators that have them.
  AxisSet getBoundInDenominators() const { return boundInDenominators; }

private:
  struct Input {
    std::string name;
    AxisSet axes, bound, boundInside;
    /// The places at which it is taken, by their axes.
    std::map<unsigned, unsigned> places = {};
  };
  const Expression *getSymbol(const Input &input);

  ExpressionContext &context;
  llvm::DenseMap<const Expression *, Input> inputs;
  llvm::DenseMap<std::pair<const Expression *, uint64_t>, const Expression *>
      results;
  std::map<std::tuple<const Expression *, unsigned, unsigned>,
           const Expression *>
      selected;
  llvm::DenseMap<unsigned, std::pair<AxisSet, AxisSet>> byName;
  llvm::DenseMap<const Expression *, AxisSet> freeAxes;
  AxisSet boundInArguments, boundInDenominators;
};

} // namespace mirage::search

#endif // MIRAGE_SEARCH_EXPRESSIONS_AXISBINDING_H
