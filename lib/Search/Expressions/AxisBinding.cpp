//===- AxisBinding.cpp - Which indices of an expression are summed --------===//
//
// Rewrites the symbols of expressions when a sum binds their axes.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Expressions/AxisBinding.h"
#include "llvm/ADT/STLExtras.h"

using namespace mirage::search;

const Expression *AxisBinding::getSymbol(const Input &input) {
  std::string name = input.name;
  for (unsigned axis : input.bound | input.boundInside) {
    if (input.bound.contains(axis))
      name += "'" + std::to_string(axis);
    if (input.boundInside.contains(axis))
      name += "\"" + std::to_string(axis);
  }
  for (auto [axis, place] : input.places)
    name += "@" + std::to_string(axis) + "." + std::to_string(place);
  const Expression *symbol = context.symbol(name);
  inputs.try_emplace(symbol, input);
  byName[symbol->name] = {input.bound, input.boundInside};
  return symbol;
}

const Expression *AxisBinding::getInput(llvm::StringRef name, AxisSet axes) {
  return getSymbol({name.str(), axes, {}, {}});
}

const Expression *AxisBinding::getUnbound(const Expression *expression) {
  auto input = inputs.find(expression);
  if (input == inputs.end())
    return nullptr;
  Input unbound = input->second;
  unbound.bound = unbound.boundInside = AxisSet();
  unbound.places.clear();
  return getSymbol(unbound);
}

static bool isFunction(Expression::Kind kind) {
  return kind == Expression::Kind::Exp || kind == Expression::Kind::Sqrt ||
         kind == Expression::Kind::Function;
}

const Expression *AxisBinding::bind(const Expression *expression, AxisSet axes,
                                    bool isArgument) {
  axes &= getFreeAxes(expression);
  if (axes.empty())
    return expression;
  if (isArgument)
    boundInArguments |= axes;
  std::pair<const Expression *, uint64_t> key = {
      expression, axes.getBits() << 1 | isArgument};
  if (const Expression *known = results.lookup(key))
    return known;
  using Kind = Expression::Kind;
  const Expression *result = nullptr;
  if (expression->kind == Kind::Symbol) {
    Input input = inputs.lookup(expression);
    (isArgument ? input.boundInside : input.bound) |= axes;
    result = getSymbol(input);
  } else {
    llvm::SmallVector<const Expression *, 2> operands;
    for (auto [number, operand] : llvm::enumerate(expression->operands)) {
      if (expression->kind == Kind::Inv ||
          (expression->kind == Kind::Div && number == 1))
        boundInDenominators |= axes & getFreeAxes(operand);
      operands.push_back(
          bind(operand, axes, isArgument || isFunction(expression->kind)));
    }
    result = context.rebuild(expression, operands);
  }
  return results[key] = result;
}

const Expression *AxisBinding::select(const Expression *expression,
                                      unsigned axis, unsigned place) {
  if (!getFreeAxes(expression).contains(axis))
    return expression;
  const Expression *&result = selected[{expression, axis, place}];
  if (result)
    return result;
  if (expression->kind == Expression::Kind::Symbol) {
    Input input = inputs.lookup(expression);
    input.places[axis] = place;
    return result = getSymbol(input);
  }
  llvm::SmallVector<const Expression *, 2> operands;
  for (const Expression *operand : expression->operands)
    operands.push_back(select(operand, axis, place));
  return result = context.rebuild(expression, operands);
}

AxisSet AxisBinding::getFreeAxes(const Expression *expression) {
  auto known = freeAxes.find(expression);
  if (known != freeAxes.end())
    return known->second;
  AxisSet axes;
  if (expression->kind == Expression::Kind::Symbol) {
    auto input = inputs.find(expression);
    if (input != inputs.end()) {
      axes =
          input->second.axes - input->second.bound - input->second.boundInside;
      for (auto [axis, place] : input->second.places)
        axes.erase(axis);
    }
  }
  for (const Expression *operand : expression->operands)
    axes |= getFreeAxes(operand);
  return freeAxes[expression] = axes;
}
