//===- Meaning.cpp - What custom operators compute ------------------------===//
//
// Takes custom operators apart. A copy of the operator states its meaning in a
// block of its own. What it built is checked, and the custom operators in it
// are replaced by their meanings in the same way, so that nothing but operators
// of mirage_kernel is left.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Interfaces/Meaning.h"
#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/Threading.h"

using namespace mlir;
using namespace mirage;

// Limits of constraint meaning_c6. Deeper or larger meanings are recursions
// without an end.
static constexpr size_t kMaxDepth = 16;
static constexpr size_t kMaxOperators = 10'000;

namespace {
/// Keeps the errors of this thread from being printed, and holds the first. The
/// errors of other threads, which work on other functions, pass.
class HeldErrors {
public:
  explicit HeldErrors(MLIRContext *context)
      : thread(llvm::get_threadid()),
        handler(context, [this](Diagnostic &diagnostic) {
          if (llvm::get_threadid() != thread ||
              diagnostic.getSeverity() != DiagnosticSeverity::Error)
            return failure();
          if (first.empty())
            first = diagnostic.str();
          return success();
        }) {}

  StringRef getFirst() const { return first; }

private:
  uint64_t thread;
  std::string first;
  ScopedDiagnosticHandler handler;
};
} // namespace

/// Returns true if the verifier refuses the operation, and says why.
static bool isIllegal(Operation *op, std::string &reason) {
  HeldErrors held(op->getContext());
  LogicalResult status = verify(op);
  reason = held.getFirst();
  return failed(status);
}

namespace mirage {
/// Takes one custom operator apart.
class MeaningExpander {
public:
  explicit MeaningExpander(Operation *root) : root(root) {}

  FailureOr<Meaning> expand(MuGraphOpInterface op);

private:
  /// Emits an error at the operator of the program that says in whose meaning
  /// it is.
  InFlightDiagnostic emitError() const;
  LogicalResult checkOperator(Operation *op) const;
  LogicalResult build(MuGraphOpInterface copy, Meaning &meaning);
  LogicalResult checkResults(Operation *copy, const Meaning &meaning) const;
  LogicalResult checkOperators(const Meaning &meaning);

  Operation *root;
  /// The operator whose meaning is being built, and those in whose meaning it
  /// is, the program's first.
  SmallVector<OperationName> path;
  size_t numOperators = 0;
};
} // namespace mirage

InFlightDiagnostic MeaningExpander::emitError() const {
  InFlightDiagnostic error = root->emitOpError();
  for (OperationName inner : ArrayRef(path).drop_front())
    error << "uses '" << inner << "', which ";
  return error;
}

/// Returns true if the operation's regions read values from outside of it.
static bool readsFromOutside(Operation *op) {
  auto isOutside = [&](Value operand) {
    Operation *parent = operand.getParentRegion()->getParentOp();
    return !parent || !op->isAncestor(parent);
  };
  WalkResult walk = op->walk([&](Operation *inner) {
    return inner != op && llvm::any_of(inner->getOperands(), isOutside)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return walk.wasInterrupted();
}

LogicalResult MeaningExpander::checkOperator(Operation *op) const {
  for (Type type :
       llvm::concat<const Type>(llvm::to_vector(op->getOperandTypes()),
                                llvm::to_vector(op->getResultTypes()))) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || !tensor.hasStaticShape() ||
        !checkedElementCount(tensor.getShape()).value_or(0) ||
        !convertElementType(tensor.getElementType()))
      return emitError() << "is a custom operator on " << type
                         << ", which is no tensor of floats of static shape "
                            "with an element (meaning_c1)";
  }
  if (op->getNumSuccessors() || op->hasTrait<OpTrait::IsTerminator>())
    return emitError() << "is a custom operator and a terminator (meaning_c1)";
  if (readsFromOutside(op))
    return emitError() << "is a custom operator whose region reads values from "
                          "outside, which a meaning cannot (meaning_c1)";
  if (!op->getContext()->getLoadedDialect<kernel::KernelDialect>())
    return emitError() << "is a custom operator of a dialect that does not "
                          "depend on mirage_kernel (meaning_c2)";
  return success();
}

/// Lets the copy state its meaning, and erases it.
LogicalResult MeaningExpander::build(MuGraphOpInterface copy,
                                     Meaning &meaning) {
  FailureOr<SmallVector<Value>> results = failure();
  std::string reason;
  {
    HeldErrors held(copy->getContext());
    OpBuilder builder(copy);
    results = copy.buildMeaning(builder);
    reason = held.getFirst();
  }
  if (failed(results))
    return emitError() << "states no meaning" << (reason.empty() ? "" : ": ")
                       << reason << " (meaning_c2)";
  meaning.results = std::move(*results);
  if (failed(checkResults(copy, meaning)))
    return failure();
  if (!copy->use_empty())
    return emitError() << "has a meaning that reads the operation's own "
                          "results (meaning_c5)";
  copy->erase();
  return success();
}

LogicalResult MeaningExpander::checkResults(Operation *copy,
                                            const Meaning &meaning) const {
  ArrayRef<Value> values = meaning.getResults();
  if (values.size() != copy->getNumResults())
    return emitError() << "has a meaning of " << values.size() << " values for "
                       << copy->getNumResults() << " results (meaning_c3)";
  for (auto [i, type] : llvm::enumerate(copy->getResultTypes())) {
    Value value = values[i];
    if (!value || value.getParentBlock() != &meaning.getBody() ||
        value.getDefiningOp() == copy)
      return emitError() << "has a meaning whose value " << i
                         << " is neither an operand nor built by it "
                            "(meaning_c5)";
    if (value.getType() != type)
      return emitError() << "has a meaning whose value " << i << " has type "
                         << value.getType() << " where the result has " << type
                         << " (meaning_c3)";
  }
  return success();
}

LogicalResult MeaningExpander::checkOperators(const Meaning &meaning) {
  llvm::SmallPtrSet<Operation *, 16> before;
  for (Operation &op : meaning.getBody()) {
    if (++numOperators > kMaxOperators)
      return emitError() << "has a meaning of more than " << kMaxOperators
                         << " operators (meaning_c6)";
    for (Value operand : op.getOperands()) {
      Operation *definition = operand.getDefiningOp();
      if (operand.getParentBlock() != &meaning.getBody() ||
          (definition && !before.contains(definition)))
        return emitError()
               << "has a meaning in which '" << op.getName()
               << "' reads what is neither an operand nor built before it "
                  "(meaning_c5)";
    }
    before.insert(&op);
    bool isRow = isa<ComputeOpInterface>(op) && getLevel(&op) == Level::Kernel;
    if (!isRow && !isCustomOperator(&op))
      return emitError()
             << "has a meaning of which '" << op.getName()
             << "' is part, neither a compute operator of mirage_kernel nor a "
                "custom operator (meaning_c4)";
    std::string reason;
    if (isIllegal(&op, reason))
      return emitError() << "has a meaning with an illegal operator: " << reason
                         << " (meaning_c4)";
  }
  return success();
}

FailureOr<Meaning> MeaningExpander::expand(MuGraphOpInterface op) {
  path.push_back(op->getName());
  if (path.size() > kMaxDepth) {
    // An error that names all of them would say no more.
    return root->emitOpError()
           << "has a meaning that uses custom operators in meanings of custom "
              "operators more than "
           << kMaxDepth << " deep, the last one '" << op->getName()
           << "' (meaning_c6)";
  }
  if (failed(checkOperator(op)))
    return failure();
  Meaning meaning;
  meaning.region = std::make_unique<Region>();
  Block &body = meaning.region->emplaceBlock();
  IRMapping operands;
  for (Value operand : op->getOperands())
    operands.map(operand, body.addArgument(operand.getType(), op->getLoc()));
  OpBuilder builder(op->getContext());
  builder.setInsertionPointToEnd(&body);
  Operation *copy = builder.clone(*op, operands);
  // A value may be several of the operands.
  copy->setOperands(ValueRange(body.getArguments()));
  if (failed(build(cast<MuGraphOpInterface>(copy), meaning)) ||
      failed(checkOperators(meaning)))
    return failure();
  for (Operation &inner : llvm::make_early_inc_range(body)) {
    if (!isCustomOperator(&inner))
      continue;
    FailureOr<Meaning> nested = expand(cast<MuGraphOpInterface>(inner));
    if (failed(nested))
      return failure();
    // Values of the inner operator that are among the results become those of
    // its meaning.
    for (Value &result : meaning.results)
      if (result.getDefiningOp() == &inner)
        result = nested->results[cast<OpResult>(result).getResultNumber()];
    std::move(*nested).inlineAt(&inner);
    inner.erase();
  }
  for (Operation &inner : llvm::make_early_inc_range(llvm::reverse(body)))
    if (inner.use_empty() && llvm::none_of(meaning.results, [&](Value result) {
          return result.getDefiningOp() == &inner;
        }))
      inner.erase();
  path.pop_back();
  return std::move(meaning);
}

FailureOr<Meaning> Meaning::get(MuGraphOpInterface op) {
  return MeaningExpander(op).expand(op);
}

void Meaning::inlineAt(Operation *op) && {
  Block &body = getBody();
  SmallVector<Value> values(results);
  for (auto [argument, operand] :
       llvm::zip_equal(body.getArguments(), op->getOperands())) {
    for (Value &value : values)
      if (value == argument)
        value = operand;
    argument.replaceAllUsesWith(operand);
  }
  op->getBlock()->getOperations().splice(op->getIterator(),
                                         body.getOperations());
  op->replaceAllUsesWith(values);
}

SmallVector<MuGraphOpInterface> mirage::findCustomOperators(Operation *root) {
  SmallVector<MuGraphOpInterface> operators;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<kernel::LaunchOp>(op))
      return WalkResult::skip();
    if (!isCustomOperator(op))
      return WalkResult::advance();
    operators.push_back(cast<MuGraphOpInterface>(op));
    return WalkResult::skip();
  });
  return operators;
}

LogicalResult mirage::expandCustomOperators(
    Operation *root,
    llvm::function_ref<void(Operation *, const Meaning &)> report) {
  for (MuGraphOpInterface op : findCustomOperators(root)) {
    FailureOr<Meaning> meaning = Meaning::get(op);
    if (failed(meaning))
      return failure();
    if (report)
      report(op, *meaning);
    std::move(*meaning).inlineAt(op);
    op->erase();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// MeaningBuilder
//===----------------------------------------------------------------------===//

Value MeaningBuilder::apply(OpKind kind, const OpAttributes &attributes,
                            ArrayRef<Value> operands, Type elementType) {
  if (isIllegal)
    return {};
  StringRef name = getOpInfo(kind).mnemonic;
  auto fail = [&](const Twine &why) {
    isIllegal = true;
    op->emitOpError() << "means an illegal " << name << ": " << why;
    return Value();
  };
  for (Value operand : operands) {
    auto type = operand ? dyn_cast<RankedTensorType>(operand.getType())
                        : RankedTensorType();
    if (!type || !type.hasStaticShape() ||
        !convertElementType(type.getElementType()))
      return fail("an operand is no tensor of floats of static shape");
  }
  if (operands.empty() && !elementType && !attributes.resultType)
    return fail("without operands an element type is needed");
  SmallVector<Shape, 1> shapes;
  std::string error;
  if (failed(inferShapes(kind, attributes,
                         getShapes(ValueRange(operands).getTypes()), shapes,
                         error)))
    return fail(error);
  return createComputeOp(builder, op->getLoc(), Level::Kernel, kind, attributes,
                         operands, elementType)
      ->getResult(0);
}

Value MeaningBuilder::cast(Value value, Type elementType) {
  if (isIllegal || getElementTypeOrSelf(value) == elementType)
    return value;
  OpAttributes attributes;
  attributes.resultType = convertElementType(elementType);
  return apply(OpKind::Cast, attributes, value, elementType);
}

Value MeaningBuilder::constant(double number, Value like) {
  if (isIllegal)
    return {};
  auto type = mlir::cast<RankedTensorType>(like.getType());
  OpAttributes attributes;
  attributes.resultShape.assign(type.getRank(), 1);
  attributes.values = std::make_shared<const std::vector<double>>(1, number);
  return apply(OpKind::Constant, attributes, {}, type.getElementType());
}

FailureOr<SmallVector<Value>> MeaningBuilder::finish(ValueRange results) const {
  if (isIllegal)
    return failure();
  return SmallVector<Value>(results);
}
