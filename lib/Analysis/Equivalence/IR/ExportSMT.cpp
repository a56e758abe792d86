//===- ExportSMT.cpp - Equivalence as a question to SMT solvers -----------===//
//
// Writes every element of both functions' results as a quotient of integer
// expressions of the smt dialect, and asserts that one of them differs.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/RoundConstants.h"
#include "Mirage/Analysis/Passes.h"
#include "Mirage/MuGraph/ElementEvaluation.h"
#include "Mirage/MuGraph/IR/ImportMuGraph.h"
#include "Mirage/MuGraph/ShrinkPair.h"
#include "Mirage/Semantics/ExactConstant.h"
#include "mlir/Dialect/SMT/IR/SMTOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"

namespace mirage {
#define GEN_PASS_DEF_EXPORTSMT
#include "Mirage/Analysis/Passes.h.inc"
} // namespace mirage

using namespace mlir;
using namespace mirage;
using namespace mirage::equivalence;

namespace {

/// An element: a quotient of integers, and the sum it was made as, which the
/// exponential of it must know. No denominator stands for one.
struct Fraction {
  struct Summand {
    Value numerator, denominator;
    bool isNegative;
  };
  Value numerator, denominator;
  SmallVector<Summand, 2> summands;
};

/// The numbers of ElementEvaluation that build smt operations.
class SMTNumbers {
public:
  using Value = Fraction;

  SMTNumbers(OpBuilder &builder, Location loc)
      : builder(builder), loc(loc),
        integer(smt::IntType::get(builder.getContext())) {}

  unsigned getNumOperations() const { return operations; }
  /// All denominators that were divided by.
  ArrayRef<mlir::Value> getDenominators() const {
    return denominators.getArrayRef();
  }

  Fraction input(unsigned number, int64_t index) {
    return fraction(
        declare("x" + std::to_string(number) + "_" + std::to_string(index)));
  }
  Fraction constant(double value, ElementType type);

  Fraction add(const Fraction &a, const Fraction &b) {
    return addSigned(a, b, false);
  }
  Fraction sub(const Fraction &a, const Fraction &b) {
    return addSigned(a, b, true);
  }
  Fraction mul(const Fraction &a, const Fraction &b) {
    return fraction(multiply(a.numerator, b.numerator),
                    multiply(a.denominator, b.denominator));
  }
  Fraction div(const Fraction &a, const Fraction &b) {
    denominators.insert(b.numerator);
    return fraction(multiply(a.numerator, b.denominator),
                    multiply(a.denominator, b.numerator));
  }
  Fraction exp(const Fraction &a);
  Fraction max(const Fraction &a, const Fraction &b) {
    return apply("max", {a, b});
  }
  Fraction min(const Fraction &a, const Fraction &b) {
    return apply("min", {a, b});
  }
  Fraction compare(CompareKind kind, const Fraction &a, const Fraction &b) {
    return apply(stringifyCompareKind(kind), {a, b});
  }
  Fraction choose(const Fraction &c, const Fraction &a, const Fraction &b) {
    Fraction condition = apply("nonzero", {c});
    return add(mul(condition, sub(a, b)), b);
  }
  Fraction function(OpKind kind, double parameter, const Fraction &a) {
    std::string name = getOpInfo(kind).mnemonic.str();
    if (kind == OpKind::Pow)
      name += "_" + std::to_string(parameter);
    return apply(name, {a});
  }

  /// Returns whether the two differ.
  mlir::Value differ(const Fraction &a, const Fraction &b) {
    mlir::Value left = multiply(a.numerator, b.denominator),
                right = multiply(b.numerator, a.denominator);
    ++operations;
    return smt::DistinctOp::create(builder, loc, left, right);
  }
  mlir::Value isNotZero(mlir::Value value) {
    ++operations;
    return smt::DistinctOp::create(builder, loc, value, literal(0));
  }

private:
  Fraction fraction(mlir::Value numerator, mlir::Value denominator = {}) {
    return {numerator, denominator, {{numerator, denominator, false}}};
  }
  mlir::Value literal(int64_t value) { return literal(APInt(64, value, true)); }
  mlir::Value literal(const APInt &value) {
    ++operations;
    return smt::IntConstantOp::create(
        builder, loc,
        builder.getIntegerAttr(builder.getIntegerType(value.getBitWidth()),
                               value));
  }
  /// Missing factors stand for one.
  mlir::Value multiply(mlir::Value a, mlir::Value b) {
    if (!a || !b)
      return a ? a : b ? b : mlir::Value();
    ++operations;
    return smt::IntMulOp::create(builder, loc, ValueRange{a, b});
  }
  mlir::Value declare(StringRef name) {
    mlir::Value &value = declared[name];
    if (!value)
      value = declareFunction(name, integer);
    return value;
  }
  mlir::Value declareFunction(StringRef name, Type type) {
    // All declarations come first, where every use sees them.
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(builder.getInsertionBlock());
    ++operations;
    return smt::DeclareFunOp::create(builder, loc, type,
                                     builder.getStringAttr(name));
  }
  Fraction addSigned(const Fraction &a, const Fraction &b, bool isNegative);
  /// An unknown function of numerators and denominators.
  mlir::Value applyUnknown(StringRef name, ArrayRef<mlir::Value> arguments);
  Fraction apply(StringRef name, std::initializer_list<Fraction> operands);

  OpBuilder &builder;
  Location loc;
  Type integer;
  unsigned operations = 0;
  llvm::StringMap<mlir::Value> declared;
  llvm::SetVector<mlir::Value> denominators;
};

} // namespace

Fraction SMTNumbers::constant(double value, ElementType type) {
  ExactConstant exact = getExactConstant(value, type);
  if (exact.infinity)
    return fraction(
        declare(exact.infinity > 0 ? "infinity" : "minus_infinity"));
  unsigned shift = std::abs(exact.exponent);
  APInt numerator(64 + shift, exact.significand, true),
      denominator(128 + shift, exact.divisor);
  (exact.exponent > 0 ? numerator : denominator) <<= shift;
  mlir::Value above = literal(numerator), below = denominator.isOne()
                                                      ? mlir::Value()
                                                      : literal(denominator);
  auto multiplyNamed = [&](StringRef name, int exponent) {
    for (int i = 0; i < std::abs(exponent); ++i)
      (exponent > 0 ? above : below) =
          multiply(exponent > 0 ? above : below, declare(name));
  };
  multiplyNamed("ln2", exact.ln2);
  for (auto [prime, quarters] : getRootFactors(exact.radicand)) {
    bool isSquare = quarters == 2;
    multiplyNamed(
        llvm::formatv(isSquare ? "sqrt{0}" : "root4_{0}", prime).str(),
        isSquare ? 1 : quarters);
  }
  multiplyNamed("sqrt_pi", exact.sqrtPi);
  return fraction(above, below);
}

Fraction SMTNumbers::addSigned(const Fraction &a, const Fraction &b,
                               bool isNegative) {
  mlir::Value left = multiply(a.numerator, b.denominator),
              right = multiply(b.numerator, a.denominator), sum;
  mlir::Value below = multiply(a.denominator, b.denominator);
  if (a.denominator && a.denominator == b.denominator) {
    left = a.numerator;
    right = b.numerator;
    below = a.denominator;
  }
  ++operations;
  if (isNegative)
    sum = smt::IntSubOp::create(builder, loc, left, right);
  else
    sum = smt::IntAddOp::create(builder, loc, ValueRange{left, right});
  Fraction result = fraction(sum, below);
  result.summands = a.summands;
  for (Fraction::Summand summand : b.summands) {
    summand.isNegative ^= isNegative;
    result.summands.push_back(summand);
  }
  return result;
}

mlir::Value SMTNumbers::applyUnknown(StringRef name,
                                     ArrayRef<mlir::Value> arguments) {
  std::string symbol = (name + "_" + Twine(arguments.size())).str();
  SmallVector<Type> types(arguments.size(), integer);
  mlir::Value &function = declared[symbol];
  if (!function)
    function = declareFunction(
        symbol, smt::SMTFuncType::get(builder.getContext(), types, integer));
  ++operations;
  return smt::ApplyFuncOp::create(builder, loc, function, arguments);
}

Fraction SMTNumbers::apply(StringRef name,
                           std::initializer_list<Fraction> operands) {
  SmallVector<mlir::Value> arguments;
  for (const Fraction &operand : operands) {
    arguments.push_back(operand.numerator);
    arguments.push_back(operand.denominator ? operand.denominator : literal(1));
  }
  return fraction(applyUnknown(name, arguments));
}

/// exp(a - b) = exp(a) / exp(b).
Fraction SMTNumbers::exp(const Fraction &a) {
  mlir::Value above, below;
  for (const Fraction::Summand &summand : a.summands) {
    mlir::Value argument[] = {summand.numerator, summand.denominator
                                                     ? summand.denominator
                                                     : literal(1)};
    mlir::Value &side = summand.isNegative ? below : above;
    mlir::Value factor = applyUnknown("exp", argument);
    // No exponential is zero.
    denominators.insert(factor);
    side = multiply(side, factor);
  }
  if (!above)
    above = literal(1);
  return fraction(above, below);
}

namespace {
struct ExportSMT : public mirage::impl::ExportSMTBase<ExportSMT> {
  using ExportSMTBase::ExportSMTBase;

  void runOnOperation() override;

private:
  FailureOr<MuGraph> read(StringRef name);
};
} // namespace

FailureOr<MuGraph> ExportSMT::read(StringRef name) {
  name.consume_front("@");
  auto function = getOperation().lookupSymbol<func::FuncOp>(name);
  if (!function)
    return getOperation().emitError()
           << "the module has no function @" << name
           << "; options lhs and rhs name the two that are compared";
  FailureOr<ImportedGraph> imported = importMuGraph(function);
  if (failed(imported))
    return failure();
  return roundConstants(imported->graph).graph;
}

void ExportSMT::runOnOperation() {
  ModuleOp module = getOperation();
  FailureOr<MuGraph> left = read(lhs), right = read(rhs);
  if (failed(left) || failed(right))
    return signalPassFailure();
  auto haveEqualShapes = [&](ArrayRef<MuValue> a, ArrayRef<MuValue> b) {
    return a.size() == b.size() &&
           llvm::all_of(llvm::zip(a, b), [&](auto pair) {
             return left->getShape(std::get<0>(pair)) ==
                    right->getShape(std::get<1>(pair));
           });
  };
  if (!haveEqualShapes(left->getRegion().arguments,
                       right->getRegion().arguments) ||
      !haveEqualShapes(left->getRegion().results, right->getRegion().results)) {
    module.emitError() << "@" << lhs << " and @" << rhs
                       << " have inputs or results of different shapes";
    return signalPassFailure();
  }
  if (shrink) {
    ShrunkPair small = shrinkPair(*left, *right);
    left = std::move(small.lhs);
    right = std::move(small.rhs);
  }
  ExpandOptions expand{/*sigmoid=*/true, /*tanh=*/true};
  MuGraph l = expandToPrimitives(*left, expand),
          r = expandToPrimitives(*right, expand);

  Location loc = module.getLoc();
  Block &body = *module.getBody();
  OpBuilder builder = OpBuilder::atBlockEnd(&body);
  auto solver = smt::SolverOp::create(builder, loc, TypeRange(), ValueRange());
  builder.createBlock(&solver.getBodyRegion());
  SMTNumbers numbers(builder, loc);
  ElementEvaluation<SMTNumbers> lhsElements(l, numbers),
      rhsElements(r, numbers);
  SmallVector<Value> differences;
  for (auto [number, result] : llvm::enumerate(l.getRegion().results))
    for (int64_t i = 0; i < elementCount(l.getShape(result)); ++i) {
      differences.push_back(numbers.differ(lhsElements.getResult(number, i),
                                           rhsElements.getResult(number, i)));
      if (numbers.getNumOperations() > maxOperations) {
        solver.erase();
        module.emitError() << "the question has more than "
                           << maxOperations.getValue()
                           << " operations, the limit of option max-operations";
        return signalPassFailure();
      }
    }
  for (Value denominator : numbers.getDenominators())
    smt::AssertOp::create(builder, loc, numbers.isNotZero(denominator));
  Value any = differences.size() == 1
                  ? differences.front()
                  : smt::OrOp::create(builder, loc, differences).getResult();
  smt::AssertOp::create(builder, loc, any);
  auto check = smt::CheckOp::create(builder, loc, TypeRange());
  for (Region &region : check->getRegions()) {
    OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(&region);
    smt::YieldOp::create(builder, loc);
  }
  builder.setInsertionPointAfter(check);
  smt::YieldOp::create(builder, loc);
  for (Operation &op : llvm::make_early_inc_range(body))
    if (&op != solver.getOperation())
      op.erase();
  module->removeDiscardableAttr("mirage.target");
}
