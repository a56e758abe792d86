//===- BlockOps.cpp - Operations of block graphs --------------------------===//
//
// Registers the operations, and implements assembly and verification of those
// that are no compute operators.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Dialect/Block/IR/BlockDialect.h"
#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::block;

#define GET_OP_CLASSES
#include "Mirage/Dialect/Block/IR/BlockOps.cpp.inc"

void BlockDialect::registerOperations() {
  addOperations<
#define GET_OP_LIST
#include "Mirage/Dialect/Block/IR/BlockOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// LoadOp and StoreOp
//===----------------------------------------------------------------------===//

void LoadOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "load");
}

LogicalResult LoadOp::verify() {
  return verifyLoad(*this, getImap(), getFmap(), getLoops());
}

void StoreOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "store");
}

LogicalResult StoreOp::verify() { return verifyStore(*this, getOmap()); }

//===----------------------------------------------------------------------===//
// ForOp
//===----------------------------------------------------------------------===//

void ForOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  if (getNumResults())
    setName(getResult(0), "for");
}

void ForOp::getAsmBlockArgumentNames(Region &region,
                                     OpAsmSetValueNameFn setName) {
  if (!region.empty() && region.getNumArguments())
    setName(region.getArgument(0), "i");
}

/// for %i = 0 to 64 -> (types) { … }
ParseResult ForOp::parse(OpAsmParser &parser, OperationState &state) {
  OpAsmParser::Argument variable;
  variable.type = parser.getBuilder().getIndexType();
  int64_t begin, extent;
  SMLoc loc;
  if (parser.parseArgument(variable) || parser.parseEqual() ||
      parser.getCurrentLocation(&loc) || parser.parseInteger(begin))
    return failure();
  if (begin != 0)
    return parser.emitError(loc, "loops of block graphs begin at 0");
  if (parser.parseKeyword("to") || parser.parseInteger(extent) ||
      parser.parseOptionalArrowTypeList(state.types) ||
      parser.getCurrentLocation(&loc) ||
      parser.parseOptionalAttrDictWithKeyword(state.attributes))
    return failure();
  if (state.attributes.get(getExtentAttrName(state.name)))
    return parser.emitError(loc, "'extent' is written behind 'to'");
  state.addAttribute(getExtentAttrName(state.name),
                     parser.getBuilder().getI64IntegerAttr(extent));
  return parser.parseRegion(*state.addRegion(), variable);
}

void ForOp::print(OpAsmPrinter &printer) {
  printer << " " << getVariable() << " = 0 to " << getExtent();
  printer.printOptionalArrowTypeList(getResultTypes());
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           {getExtentAttrName()});
  printer << " ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

LogicalResult ForOp::verify() {
  if (static_cast<int64_t>(getExtent()) < 1)
    return emitOpError() << "runs " << static_cast<int64_t>(getExtent())
                         << " iterations; the extent must be positive "
                            "(for_c1)";
  Block &body = getBody().front();
  if (body.getNumArguments() != 1 || !body.getArgument(0).getType().isIndex())
    return emitOpError("body must have one argument, the loop variable of "
                       "type index (for_c2)");
  auto yield = body.empty() ? YieldOp() : dyn_cast<YieldOp>(body.back());
  if (!yield)
    return emitOpError("body does not end with a mirage_block.yield (for_c3)");
  if (yield->getOperandTypes() != getResultTypes())
    return yield.emitOpError()
           << "yields (" << yield->getOperandTypes()
           << ") where the loop returns (" << getResultTypes() << ") (for_c3)";
  for (Value value : yield.getValues()) {
    auto accumulate = value.getDefiningOp<AccumulateOp>();
    if (!accumulate || accumulate->getBlock() != &body)
      return yield.emitOpError("yields a value that is no result of an "
                               "accumulate of this loop (for_c3)");
  }
  return success();
}

//===----------------------------------------------------------------------===//
// AccumulateOp
//===----------------------------------------------------------------------===//

void AccumulateOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "accumulate");
}

/// accumulate_c3: the shift of a rescaled sum.
static LogicalResult verifyShift(AccumulateOp op) {
  bool rescaled = op.getKind() == AccumulateKind::RescaledSum;
  if (rescaled != static_cast<bool>(op.getShift()))
    return op.emitOpError() << (rescaled ? "rescaled_sum needs a shift"
                                         : "has a shift but is "
                                           "no rescaled_sum")
                            << " (accumulate_c3)";
  if (!rescaled)
    return success();
  auto value = cast<RankedTensorType>(op.getValue().getType());
  auto shift = cast<RankedTensorType>(op.getShift().getType());
  if (failed(verifyTensorType(op, shift, "shift")))
    return failure();
  std::optional<Shape> both =
      broadcastShapes({Shape(value.getShape()), Shape(shift.getShape())});
  if (!both || ArrayRef<int64_t>(*both) != value.getShape() ||
      shift.getElementTypeBitWidth() < value.getElementTypeBitWidth())
    return op.emitOpError()
           << "shift " << shift << " does not broadcast to " << value
           << " or has a narrower element type (accumulate_c3)";
  return success();
}

LogicalResult AccumulateOp::verify() {
  auto loop = dyn_cast_or_null<ForOp>((*this)->getParentOp());
  if (!loop)
    return emitOpError("does not stand in the body of a mirage_block.for "
                       "(accumulate_c1)");
  if (!getResult().hasOneUse() || !isa<YieldOp>(*getResult().user_begin()))
    return emitOpError("is dangling: its result must be yielded by the loop, "
                       "once, and not used otherwise (accumulate_c2)");
  auto value = cast<RankedTensorType>(getValue().getType());
  auto result = cast<RankedTensorType>(getResult().getType());
  for (Type type : {Type(value), Type(result)})
    if (failed(verifyTensorType(*this, type, "tensor")))
      return failure();
  if (failed(verifyShift(*this)))
    return failure();

  bool concat = getKind() == AccumulateKind::Concat;
  if (concat != getDim().has_value())
    return emitOpError() << (concat ? "concat needs a dim"
                                    : "has a dim but is no concat")
                         << " (accumulate_c4)";
  Shape expected(value.getShape());
  if (concat) {
    int64_t dim = *getDim();
    if (dim < 0 || dim >= value.getRank())
      return emitOpError() << "dimension " << dim << " is outside of " << value
                           << " (accumulate_c4)";
    if (llvm::MulOverflow<int64_t>(expected[dim], loop.getExtent(),
                                   expected[dim]))
      return emitOpError("result size exceeds 64 bits (op_c2)");
  }
  if (result.getShape() != ArrayRef<int64_t>(expected))
    return emitOpError() << "result has shape " << toString(result.getShape())
                         << ", not " << toString(expected)
                         << " (accumulate_c5)";
  bool sums = getKind() == AccumulateKind::Sum ||
              getKind() == AccumulateKind::RescaledSum;
  Type from = value.getElementType(), to = result.getElementType();
  if (from != to &&
      !(sums && to.getIntOrFloatBitWidth() > from.getIntOrFloatBitWidth()))
    return emitOpError() << "result has element type " << to
                         << " where the value has " << from
                         << " (accumulate_c5)";
  return success();
}

//===----------------------------------------------------------------------===//
// ThreadGraphOp
//===----------------------------------------------------------------------===//

ArrayRef<int64_t> ThreadGraphOp::getExtents() { return getThreads(); }
StringRef ThreadGraphOp::getPointName() { return "thread"; }
StringRef ThreadGraphOp::getExtentsName() { return "thread"; }

void ThreadGraphOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  if (getNumResults())
    setName(getResult(0), "thread_graph");
}

ParseResult ThreadGraphOp::parse(OpAsmParser &parser, OperationState &state) {
  return parseGraph(parser, state, "threads", getThreadsAttrName(state.name));
}

void ThreadGraphOp::print(OpAsmPrinter &printer) {
  printGraph(printer, *this, getThreads(), "threads", getThreadsAttrName());
}

LogicalResult ThreadGraphOp::verify() {
  if (failed(verifyThreads(*this, getThreads(), "thread_graph_c1")))
    return failure();
  return verifyGraph(*this, "mirage_thread");
}
