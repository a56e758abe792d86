//===- GraphOps.cpp - What block and thread graphs share ------------------===//
//
// Implements the assembly of maps and graph-defined operators. Verification is
// in GraphVerification.cpp.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Interfaces/GraphOps.h"
#include "Mirage/Dialect/Block/IR/BlockDialect.h"

using namespace mlir;
using namespace mirage;

#include "Mirage/Interfaces/GraphDefinedOpInterface.cpp.inc"

GraphDefinedOpInterface mirage::getGraph(Operation *op) {
  return op->getParentOfType<GraphDefinedOpInterface>();
}

void mirage::getEnclosingLoops(Operation *op, SmallVectorImpl<int64_t> &extents,
                               SmallVectorImpl<Value> &variables) {
  for (Operation *parent = op->getParentOp();
       parent && !isa<GraphDefinedOpInterface>(parent);
       parent = parent->getParentOp())
    if (auto loop = dyn_cast<block::ForOp>(parent)) {
      extents.insert(extents.begin(), loop.getExtent());
      variables.insert(variables.begin(), loop.getVariable());
    }
}

//===----------------------------------------------------------------------===//
// Assembly
//===----------------------------------------------------------------------===//

/// Parses a tensor dimension, phi, sum or max.
static ParseResult parseMapEntry(OpAsmParser &parser, int64_t &entry) {
  OptionalParseResult number = parser.parseOptionalInteger(entry);
  if (number.has_value()) {
    if (failed(*number))
      return failure();
    if (entry < 0)
      return parser.emitError(parser.getCurrentLocation(),
                              "expected a tensor dimension, which is not "
                              "negative");
    return success();
  }
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return failure();
  if (keyword == "phi")
    entry = kReplica;
  else if (keyword == "sum")
    entry = kReduceSum;
  else if (keyword == "max")
    entry = kReduceMax;
  else
    return parser.emitError(loc,
                            "expected a tensor dimension, phi, sum or max");
  return success();
}

static ParseResult parseGridDim(OpAsmParser &parser, unsigned &dim) {
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return failure();
  for (dim = 0; dim < 3; ++dim)
    if (keyword == getGridDimName(dim))
      return success();
  return parser.emitError(loc, "expected x, y or z");
}

ParseResult mirage::parseGridMap(OpAsmParser &parser, DenseI64ArrayAttr &map) {
  SmallVector<int64_t, 3> entries;
  auto parseEntry = [&]() -> ParseResult {
    unsigned dim;
    int64_t entry;
    SMLoc loc = parser.getCurrentLocation();
    if (parseGridDim(parser, dim) || parser.parseArrow() ||
        parseMapEntry(parser, entry))
      return failure();
    if (entries.size() <= dim)
      entries.resize(dim + 1, kMissing);
    if (entries[dim] != kMissing)
      return parser.emitError(loc)
             << "second entry for grid dimension " << getGridDimName(dim);
    entries[dim] = entry;
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseEntry))
    return failure();
  map = parser.getBuilder().getDenseI64ArrayAttr(entries);
  return success();
}

void mirage::printGridMap(OpAsmPrinter &printer, Operation *op,
                          DenseI64ArrayAttr map) {
  printer << "(";
  bool first = true;
  for (auto [dim, entry] : llvm::enumerate(map.asArrayRef())) {
    if (entry <= kMissing)
      continue;
    if (!std::exchange(first, false))
      printer << ", ";
    printer << getGridDimName(dim) << " -> ";
    printer << getMapEntryName(entry);
  }
  printer << ")";
}

ParseResult
mirage::parseLoopMap(OpAsmParser &parser,
                     SmallVectorImpl<OpAsmParser::UnresolvedOperand> &loops,
                     DenseI64ArrayAttr &map) {
  SmallVector<int64_t, 2> entries;
  auto parseEntry = [&]() -> ParseResult {
    return failure(parser.parseOperand(loops.emplace_back()) ||
                   parser.parseArrow() ||
                   parseMapEntry(parser, entries.emplace_back()));
  };
  if (succeeded(parser.parseOptionalKeyword("fmap")) &&
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseEntry))
    return failure();
  map = parser.getBuilder().getDenseI64ArrayAttr(entries);
  return success();
}

void mirage::printLoopMap(OpAsmPrinter &printer, Operation *op,
                          OperandRange loops, DenseI64ArrayAttr map) {
  if (loops.empty())
    return;
  printer << " fmap(";
  llvm::interleaveComma(llvm::zip(loops, map.asArrayRef()), printer,
                        [&](auto pair) {
                          printer << std::get<0>(pair) << " -> ";
                          printer << getMapEntryName(std::get<1>(pair));
                        });
  printer << ")";
}

ParseResult mirage::parseGraph(OpAsmParser &parser, OperationState &state,
                               StringRef keyword, StringRef attribute) {
  // grid(x = 2, y = 16)
  SmallVector<int64_t, 3> extents;
  auto parseExtent = [&]() -> ParseResult {
    unsigned dim;
    SMLoc loc = parser.getCurrentLocation();
    if (parseGridDim(parser, dim) || parser.parseEqual())
      return failure();
    if (dim != extents.size())
      return parser.emitError(loc, "expected the extents of x, y and z in this "
                                   "order");
    return parser.parseInteger(extents.emplace_back());
  };
  if (parser.parseKeyword(keyword) ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseExtent))
    return failure();
  state.addAttribute(attribute,
                     parser.getBuilder().getDenseI64ArrayAttr(extents));

  // (%a = %x : tensor<…>, …)
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<Type> types;
  auto parseArgument = [&]() -> ParseResult {
    OpAsmParser::Argument &argument = arguments.emplace_back();
    if (parser.parseArgument(argument) || parser.parseEqual() ||
        parser.parseOperand(operands.emplace_back()) ||
        parser.parseColonType(argument.type))
      return failure();
    types.push_back(argument.type);
    return success();
  };
  SMLoc loc = parser.getCurrentLocation();
  NamedAttrList discardable;
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren,
                                     parseArgument) ||
      parser.resolveOperands(operands, types, loc, state.operands) ||
      parser.parseOptionalArrowTypeList(state.types) ||
      parser.getCurrentLocation(&loc) ||
      parser.parseOptionalAttrDictWithKeyword(discardable))
    return failure();
  if (discardable.get(attribute))
    return parser.emitError(loc)
           << "'" << attribute << "' is written as " << keyword << "(…)";
  state.attributes.append(discardable);
  // The body sees nothing of the function, so it may use its names again.
  return parser.parseRegion(*state.addRegion(), arguments,
                            /*enableNameShadowing=*/true);
}

void mirage::printGraph(OpAsmPrinter &printer, Operation *op,
                        ArrayRef<int64_t> extents, StringRef keyword,
                        StringRef attribute) {
  printer << " " << keyword << "(";
  llvm::interleaveComma(llvm::enumerate(extents), printer, [&](auto extent) {
    printer << getGridDimName(extent.index()) << " = " << extent.value();
  });
  printer << ") (";
  llvm::interleaveComma(
      llvm::zip(op->getRegion(0).getArguments(), op->getOperands()), printer,
      [&](auto pair) {
        printer << std::get<0>(pair) << " = " << std::get<1>(pair) << " : "
                << std::get<1>(pair).getType();
      });
  printer << ")";
  printer.printOptionalArrowTypeList(op->getResultTypes());
  printer.printOptionalAttrDictWithKeyword(op->getAttrs(), {attribute});
  printer << " ";
  printer.printRegion(op->getRegion(0), /*printEntryBlockArgs=*/false);
}
