//===- BodyOperations.cpp - Scalar operations to the semantics table ------===//
//
// Says what operations of arith and math in a body stand for. Conditions,
// values of type i1, are ones and zeros.
//
//===----------------------------------------------------------------------===//

#include "BodyReader.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mirage;

/// Returns the operators of the table that scalar operations stand for one by
/// one. The maximum of two numbers is NaN where one of them is, also for
/// maxnumf.
static std::optional<OpKind> getOperator(Operation *op) {
  using Result = std::optional<OpKind>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<arith::AddFOp>([](auto) { return OpKind::Add; })
      .Case<arith::SubFOp>([](auto) { return OpKind::Sub; })
      .Case<arith::MulFOp>([](auto) { return OpKind::Mul; })
      .Case<arith::DivFOp>([](auto) { return OpKind::Div; })
      .Case<arith::MaximumFOp, arith::MaxNumFOp>(
          [](auto) { return OpKind::Max; })
      .Case<arith::MinimumFOp, arith::MinNumFOp>(
          [](auto) { return OpKind::Min; })
      .Case<math::ExpOp>([](auto) { return OpKind::Exp; })
      .Case<math::Exp2Op>([](auto) { return OpKind::Exp2; })
      .Case<math::LogOp>([](auto) { return OpKind::Log; })
      .Case<math::SqrtOp>([](auto) { return OpKind::Sqrt; })
      .Case<math::RsqrtOp>([](auto) { return OpKind::Rsqrt; })
      .Case<math::TanhOp>([](auto) { return OpKind::Tanh; })
      .Case<math::ErfOp>([](auto) { return OpKind::Erf; })
      .Case<math::AbsFOp>([](auto) { return OpKind::Abs; })
      .Default([](Operation *) { return std::nullopt; });
}

LogicalResult BodyReader::refuseUnknown(Operation *definition) {
  return importer.refuse("'" + definition->getName().getStringRef() +
                         "' has no counterpart");
}

/// Returns true if a value of the body has a node: it is a number or a
/// condition.
static bool isNode(Value value) {
  Type type = getElementTypeOrSelf(value);
  return isa<FloatType>(type) || type.isInteger(1);
}

static FloatType getNumberType(Operation *definition) {
  return dyn_cast<FloatType>(getElementTypeOrSelf(definition->getResult(0)));
}

LogicalResult BodyReader::checkOperation(Operation *definition) {
  if (!isNode(definition->getResult(0)))
    return refuseUnknown(definition);
  FloatType type = getNumberType(definition);
  if (type && !convertElementType(type))
    return importer.refuse("its elements are of " + toText(type));
  // Exponents that are integers are no nodes.
  if (!llvm::all_of(definition->getOperands(), isNode) &&
      !isa<math::FPowIOp>(definition))
    return refuseUnknown(definition);
  return success();
}

FailureOr<SmallVector<unsigned, 3>>
BodyReader::readOperands(Operation *definition) {
  SmallVector<unsigned, 3> args;
  for (Value operand :
       llvm::make_filter_range(definition->getOperands(), isNode)) {
    FailureOr<unsigned> arg = read(operand);
    if (failed(arg))
      return failure();
    args.push_back(*arg);
  }
  bool converts = isa<arith::ExtFOp, arith::TruncFOp>(definition);
  for (unsigned arg : args)
    if (op.graph.getWidth(arg) == 8 && !converts)
      return importer.refuse("it computes with " + toText(op.graph[arg].type) +
                             ", which is for storage");
  return args;
}

FailureOr<unsigned> BodyReader::readOperation(Operation *definition) {
  if (definition->getNumResults() != 1 || definition->getNumRegions() ||
      !isPure(definition))
    return refuseUnknown(definition);
  // A conversion of a condition gives a number.
  if (isa<arith::UIToFPOp, arith::SIToFPOp>(definition))
    return readConditionAsNumber(definition);
  if (failed(checkOperation(definition)))
    return failure();
  FailureOr<SmallVector<unsigned, 3>> args = readOperands(definition);
  if (failed(args))
    return failure();
  return getNumberType(definition) ? readNumber(definition, *args)
                                   : readCondition(definition, *args);
}

FailureOr<unsigned> BodyReader::readNumber(Operation *definition,
                                           ArrayRef<unsigned> args) {
  ScalarGraph &graph = op.graph;
  FloatType type = getNumberType(definition);
  if (isa<arith::ExtFOp>(definition))
    return graph.cast(args[0], type);
  if (auto truncate = dyn_cast<arith::TruncFOp>(definition)) {
    auto mode = truncate.getRoundingmode();
    if (mode && *mode != arith::RoundingMode::to_nearest_even)
      return importer.refuse("it rounds other than to nearest even");
    return graph.cast(args[0], type);
  }
  if (std::optional<OpKind> kind = getOperator(definition))
    return graph.apply(*kind, args);
  if (isa<arith::SelectOp>(definition))
    return graph.select(args[0], args[1], args[2]);
  return readFormula(definition, args, type);
}

FailureOr<unsigned> BodyReader::readFormula(Operation *definition,
                                            ArrayRef<unsigned> args,
                                            FloatType type) {
  ScalarGraph &graph = op.graph;
  return llvm::TypeSwitch<Operation *, FailureOr<unsigned>>(definition)
      .Case<arith::NegFOp>(
          [&](auto) { return graph.applyScalar(OpKind::Scale, args[0], -1.0); })
      .Case<math::FmaOp>([&](auto) {
        return graph.apply(
            OpKind::Add,
            {graph.apply(OpKind::Mul, {args[0], args[1]}), args[2]});
      })
      .Case<math::ClampFOp>([&](auto) {
        return graph.apply(
            OpKind::Min,
            {graph.apply(OpKind::Max, {args[0], args[1]}), args[2]});
      })
      .Case<math::Log2Op>([&](auto) {
        return graph.applyScalar(OpKind::Scale,
                                 graph.apply(OpKind::Log, args[0]), M_LOG2E);
      })
      .Case<math::Log10Op>([&](auto) {
        return graph.applyScalar(OpKind::Scale,
                                 graph.apply(OpKind::Log, args[0]), M_LOG10E);
      })
      .Case<math::ErfcOp>([&](auto) {
        return graph.apply(OpKind::Sub, {graph.addSplat(type, 1.0),
                                         graph.apply(OpKind::Erf, args[0])});
      })
      .Case<math::Log1pOp>([&](auto) -> FailureOr<unsigned> {
        // Softplus of a number far below zero keeps an absolute error of half a
        // unit in the last place of one.
        if (!graph.isApply(args[0], OpKind::Exp))
          return refuseUnknown(definition);
        return graph.apply(
            OpKind::Log,
            graph.apply(OpKind::Add, {args[0], graph.addSplat(type, 1.0)}));
      })
      .Case<math::ExpM1Op>([&](auto) {
        // exp(x) - 1 = tanh(x / 2) (exp(x) + 1), without cancellation.
        unsigned half = graph.applyScalar(OpKind::Scale, args[0], 0.5);
        unsigned sum =
            graph.apply(OpKind::Add, {graph.apply(OpKind::Exp, args[0]),
                                      graph.addSplat(type, 1.0)});
        return graph.apply(OpKind::Mul, {graph.apply(OpKind::Tanh, half), sum});
      })
      .Case<math::PowFOp>(
          [&](math::PowFOp pow) { return readPower(pow, args[0], args[1]); })
      .Case<math::FPowIOp>(
          [&](math::FPowIOp pow) { return readPower(pow, args[0]); })
      .Default([&](Operation *) -> FailureOr<unsigned> {
        return refuseUnknown(definition);
      });
}

FailureOr<unsigned> BodyReader::readPower(math::PowFOp power, unsigned base,
                                          unsigned exponent) {
  ScalarGraph &graph = op.graph;
  if (graph.isSplat(exponent))
    return graph.applyScalar(OpKind::Pow, base, graph[exponent].value);
  if (graph.isSplat(base, 2.0))
    return graph.apply(OpKind::Exp2, exponent);
  return importer.refuse("'math.powf' has an exponent that is no constant");
}

FailureOr<unsigned> BodyReader::readPower(math::FPowIOp power, unsigned base) {
  APInt exponent;
  if (!matchPattern(power.getRhs(), m_ConstantInt(&exponent)))
    return importer.refuse("'math.fpowi' has an exponent that is no constant");
  return op.graph.applyScalar(OpKind::Pow, base, exponent.getSExtValue());
}

FailureOr<unsigned> BodyReader::readConditionAsNumber(Operation *definition) {
  Value condition = definition->getOperand(0);
  auto type =
      dyn_cast<FloatType>(getElementTypeOrSelf(definition->getResult(0)));
  bool isUnsigned = isa<arith::UIToFPOp>(definition);
  while (auto extension = condition.getDefiningOp<arith::ExtUIOp>()) {
    condition = extension.getIn();
    isUnsigned = true;
  }
  if (!getElementTypeOrSelf(condition).isInteger(1))
    return importer.refuse("its elements are of " +
                           toText(getElementTypeOrSelf(condition)));
  if (!type || !convertElementType(type))
    return importer.refuse("its elements are of " + toText(Type(type)));
  FailureOr<unsigned> node = read(condition);
  if (failed(node))
    return failure();
  unsigned number = op.graph.cast(*node, type);
  // The signed number of one bit is minus one.
  return isUnsigned ? number
                    : op.graph.applyScalar(OpKind::Scale, number, -1.0);
}

FailureOr<unsigned> BodyReader::readCondition(Operation *definition,
                                              ArrayRef<unsigned> args) {
  ScalarGraph &graph = op.graph;
  if (auto compare = dyn_cast<arith::CmpFOp>(definition))
    return readComparison(compare.getPredicate(), args[0], args[1]);
  // Conditions of different types meet in f32, which holds one and zero.
  SmallVector<unsigned, 3> conditions(args);
  if (!llvm::all_equal(
          llvm::map_range(args, [&](unsigned arg) { return graph[arg].type; })))
    for (unsigned &condition : conditions)
      condition =
          graph.cast(condition, Float32Type::get(definition->getContext()));
  if (isa<arith::AndIOp, arith::MulIOp, arith::MinUIOp>(definition))
    return graph.apply(OpKind::Min, conditions);
  if (isa<arith::OrIOp, arith::MaxUIOp>(definition))
    return graph.apply(OpKind::Max, conditions);
  if (isa<arith::XOrIOp>(definition)) {
    for (unsigned i : {0, 1})
      if (graph.isSplat(conditions[i]))
        return graph.isSplat(conditions[i], 0.0)
                   ? conditions[1 - i]
                   : graph.negate(conditions[1 - i]);
    return graph.compare(CompareKind::NE, conditions[0], conditions[1]);
  }
  if (isa<arith::SelectOp>(definition))
    return graph.select(conditions[0], conditions[1], conditions[2]);
  return importer.refuse("'" + definition->getName().getStringRef() +
                         "' of conditions has no counterpart");
}

unsigned BodyReader::readComparison(arith::CmpFPredicate predicate,
                                    unsigned lhs, unsigned rhs) {
  using P = arith::CmpFPredicate;
  ScalarGraph &graph = op.graph;
  auto compare = [&](CompareKind kind) {
    return graph.compare(kind, lhs, rhs);
  };
  // With NaN no comparison of the table holds but NE, so unordered comparisons
  // are the negations of their opposites.
  auto opposite = [&](CompareKind kind) { return graph.negate(compare(kind)); };
  auto lessOrGreater = [&] {
    return graph.apply(OpKind::Max,
                       {compare(CompareKind::LT), compare(CompareKind::GT)});
  };
  auto ordered = [&] {
    return graph.apply(OpKind::Min, {graph.compare(CompareKind::EQ, lhs, lhs),
                                     graph.compare(CompareKind::EQ, rhs, rhs)});
  };
  switch (predicate) {
  case P::OEQ:
    return compare(CompareKind::EQ);
  case P::UNE:
    return compare(CompareKind::NE);
  case P::OLT:
    return compare(CompareKind::LT);
  case P::OLE:
    return compare(CompareKind::LE);
  case P::OGT:
    return compare(CompareKind::GT);
  case P::OGE:
    return compare(CompareKind::GE);
  case P::ULT:
    return opposite(CompareKind::GE);
  case P::ULE:
    return opposite(CompareKind::GT);
  case P::UGT:
    return opposite(CompareKind::LE);
  case P::UGE:
    return opposite(CompareKind::LT);
  case P::ONE:
    return lessOrGreater();
  case P::UEQ:
    return graph.negate(lessOrGreater());
  case P::ORD:
    return ordered();
  case P::UNO:
    return graph.negate(ordered());
  case P::AlwaysFalse:
  case P::AlwaysTrue:
    return graph.addSplat(graph[lhs].type,
                          predicate == P::AlwaysTrue ? 1.0 : 0.0);
  }
  llvm_unreachable("unknown predicate");
}
