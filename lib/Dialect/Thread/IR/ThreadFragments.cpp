//===- ThreadFragments.cpp - Tiles in registers ---------------------------===//
//
// Parses, prints and verifies layouts, and verifies the operations on tiles in
// registers.
//
//===----------------------------------------------------------------------===//

#include "ThreadProducts.h"
#include "Mirage/Interfaces/MatrixTypes.h"
#include "Mirage/Schedule/LaneExchange.h"
#include "Mirage/Schedule/MemoryAccess.h"
#include "Mirage/Semantics/ProductDims.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::thread;

#define GET_ATTRDEF_CLASSES
#include "Mirage/Dialect/Thread/IR/ThreadAttributes.cpp.inc"

void ThreadDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "Mirage/Dialect/Thread/IR/ThreadAttributes.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// LayoutAttr
//===----------------------------------------------------------------------===//

/// Parses `[2 d1:8, 4 phi]`.
static ParseResult parseModes(AsmParser &parser, LayoutModes &modes) {
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::Square, [&]() -> ParseResult {
        LayoutMode mode;
        SMLoc sizeLoc = parser.getCurrentLocation();
        if (parser.parseInteger(mode.size))
          return failure();
        if (mode.size < 1)
          return parser.emitError(sizeLoc, "a digit has at least one value");
        StringRef dim;
        SMLoc dimLoc = parser.getCurrentLocation();
        if (parser.parseKeyword(&dim))
          return failure();
        if (dim == "phi") {
          modes.push_back(mode);
          return success();
        }
        int64_t number;
        if (!dim.consume_front("d") || dim.getAsInteger(10, number))
          return parser.emitError(dimLoc,
                                  "expected a dimension such as d0, or phi");
        mode.dim = number;
        SMLoc strideLoc = parser.getCurrentLocation();
        if (parser.parseColon() || parser.parseInteger(mode.stride))
          return failure();
        if (mode.stride < 1)
          return parser.emitError(strideLoc, "a stride is positive");
        modes.push_back(mode);
        return success();
      });
}

static void printModes(AsmPrinter &printer, StringRef name,
                       const LayoutModes &modes) {
  printer << name << " = [";
  llvm::interleaveComma(modes, printer, [&](const LayoutMode &mode) {
    printer << mode.size << " ";
    if (mode.isReplicated())
      printer << "phi";
    else
      printer << "d" << *mode.dim << ":" << mode.stride;
  });
  printer << "]";
}

Attribute LayoutAttr::parse(AsmParser &parser, Type) {
  LayoutModes registers, lanes, warps;
  if (parser.parseLess() || parser.parseKeyword("registers") ||
      parser.parseEqual() || parseModes(parser, registers) ||
      parser.parseComma() || parser.parseKeyword("lanes") ||
      parser.parseEqual() || parseModes(parser, lanes) || parser.parseComma() ||
      parser.parseKeyword("warps") || parser.parseEqual() ||
      parseModes(parser, warps) || parser.parseGreater())
    return {};
  return get(parser.getContext(), RegisterLayout(registers, lanes, warps));
}

void LayoutAttr::print(AsmPrinter &printer) const {
  const RegisterLayout &layout = getLayout();
  printer << "<";
  printModes(printer, "registers", layout.registers);
  printer << ", ";
  printModes(printer, "lanes", layout.lanes);
  printer << ", ";
  printModes(printer, "warps", layout.warps);
  printer << ">";
}

LogicalResult LayoutAttr::verifyEncoding(
    ArrayRef<int64_t> shape, Type,
    llvm::function_ref<InFlightDiagnostic()> emitError) const {
  if (llvm::any_of(shape, [](int64_t size) { return size <= 0; }))
    return emitError() << "a layout goes with a static shape (layout_c2)";
  if (std::optional<std::string> fault = getLayout().findFault(shape))
    return emitError() << "is no layout of " << toString(shape) << ": "
                       << *fault
                       << (fault->find("lanes") != std::string::npos
                               ? " (layout_c1)"
                               : " (layout_c2)");
  return success();
}

//===----------------------------------------------------------------------===//
// ChunkedLayoutAttr
//===----------------------------------------------------------------------===//

Attribute ChunkedLayoutAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> strides;
  int64_t chunk, chunkStride;
  auto parseStride = [&] {
    return parser.parseInteger(strides.emplace_back());
  };
  if (parser.parseLess() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                     parseStride) ||
      parser.parseComma() || parser.parseKeyword("chunk") ||
      parser.parseEqual() || parser.parseInteger(chunk) ||
      parser.parseComma() || parser.parseKeyword("chunk_stride") ||
      parser.parseEqual() || parser.parseInteger(chunkStride))
    return {};
  bool swizzled = succeeded(parser.parseOptionalComma());
  if ((swizzled && parser.parseKeyword("swizzled")) || parser.parseGreater())
    return {};
  return parser.getChecked<ChunkedLayoutAttr>(loc, parser.getContext(), strides,
                                              chunk, chunkStride, swizzled);
}

void ChunkedLayoutAttr::print(AsmPrinter &printer) const {
  printer << "<[";
  llvm::interleaveComma(getStrides(), printer);
  printer << "], chunk = " << getChunk()
          << ", chunk_stride = " << getChunkStride();
  if (getSwizzled())
    printer << ", swizzled";
  printer << ">";
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Checks offsets and types of a tile and the memory that it comes from or goes
/// to, which has the elements that exist but for those that are clipped.
static LogicalResult verifyBox(Operation *op, StringRef name, MemRefType memory,
                               RankedTensorType tile, size_t numOffsets,
                               ArrayRef<int64_t> existing,
                               ArrayRef<int64_t> clipped) {
  if (static_cast<int64_t>(numOffsets) != memory.getRank())
    return op->emitOpError()
           << "has " << numOffsets << " offsets for " << memory.getRank()
           << " dimensions (" << name << "_c1)";
  int64_t leading = memory.getRank() - tile.getRank();
  bool fits =
      leading >= 0 && llvm::all_of(llvm::enumerate(existing), [&](auto entry) {
        return entry.value() <= memory.getDimSize(leading + entry.index()) ||
               llvm::is_contained(clipped, entry.index());
      });
  if (!fits || !isa_and_nonnull<LayoutAttr>(tile.getEncoding()) ||
      tile.getElementType() != memory.getElementType())
    return op->emitOpError()
           << "moves " << tile << ", which is no tile in registers of "
           << memory << " (" << name << "_c2)";
  return success();
}

void LoadFragmentOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "fragment");
}

SourceBox LoadFragmentOp::getSourceBox() {
  ArrayRef<int64_t> shape =
      cast<RankedTensorType>(getResult().getType()).getShape();
  return {cast<MemRefType>(getSource().getType()), getOffsets(), shape,
          getExist().value_or(shape),
          getClipped().value_or(ArrayRef<int64_t>())};
}

bool LoadFragmentOp::comesInWords() {
  auto tile = cast<RankedTensorType>(getResult().getType());
  auto memory = cast<MemRefType>(getSource().getType());
  return !memory.getMemorySpace() &&
         comesInUnalignedRuns(cast<LayoutAttr>(tile.getEncoding()).getLayout(),
                              tile.getShape(), *getMemoryLayout(memory),
                              tile.getElementTypeBitWidth() / 8,
                              getSourceBox().getRunUnit());
}

LogicalResult LoadFragmentOp::verify() {
  SourceBox box = getSourceBox();
  if (!box.hasParts())
    return emitOpError("has elements that exist, or clipped dimensions, "
                       "outside of its tile (load_fragment_c3)");
  if (box.isPadded() && box.memory.getMemorySpace())
    return emitOpError("reads a tile of which a part may be missing from other "
                       "memory than the device's (load_fragment_c4)");
  return verifyBox(*this, "load_fragment", box.memory,
                   cast<RankedTensorType>(getResult().getType()),
                   getOffsets().size(), box.existing, box.clipped);
}

int64_t StoreFragmentOp::getAccessLength(int64_t most) {
  auto tile = cast<RankedTensorType>(getValue().getType());
  auto memory = cast<MemRefType>(getTarget().getType());
  int64_t length =
      getVectorLength(cast<LayoutAttr>(tile.getEncoding()).getLayout(),
                      tile.getShape(), *getMemoryLayout(memory), most);
  // What one access moves is inside of the target or not as a whole.
  while (clips(tile.getRank() - 1) && memory.getShape().back() % length)
    length /= 2;
  return length;
}

LogicalResult StoreFragmentOp::verify() {
  auto tile = cast<RankedTensorType>(getValue().getType());
  ArrayRef<int64_t> clipped = getClipped().value_or(ArrayRef<int64_t>());
  if (llvm::any_of(clipped, [&](int64_t dim) {
        return dim < 0 || dim >= tile.getRank();
      }))
    return emitOpError("clips dimensions that its tile does not have "
                       "(store_fragment_c3)");
  return verifyBox(*this, "store_fragment",
                   cast<MemRefType>(getTarget().getType()), tile,
                   getOffsets().size(), tile.getShape(), clipped);
}

int64_t PushFragmentOp::getAccessLength(int64_t most) {
  auto tile = cast<RankedTensorType>(getValue().getType());
  return getVectorLength(
      cast<LayoutAttr>(tile.getEncoding()).getLayout(), tile.getShape(),
      *getMemoryLayout(cast<MemRefType>(getTarget().getType())), most);
}

LogicalResult PushFragmentOp::verify() {
  auto tile = cast<RankedTensorType>(getValue().getType());
  auto target = cast<MemRefType>(getTarget().getType());
  if (failed(verifyBox(*this, "push_fragment", target, tile,
                       getOffsets().size(), tile.getShape(), {})))
    return failure();
  unsigned bits = tile.getElementTypeBitWidth();
  if (isa_and_nonnull<ClusterMemoryAttr>(target.getMemorySpace()) &&
      (bits == 32 || bits == 64))
    return success();
  return emitOpError() << "has the target " << target
                       << ", which is not the memory of a cluster, or elements "
                          "of other than 32 or 64 bits (push_fragment_c3)";
}

LayoutModes thread::getModes(ArrayRef<LayoutMode> modes, int64_t dim) {
  LayoutModes result;
  for (const LayoutMode &mode : modes)
    if (mode.dim == dim)
      result.push_back(mode);
  return result;
}

LogicalResult thread::verifyElements(Operation *op, StringRef name,
                                     ShapedType lhs, ShapedType rhs,
                                     ShapedType sum) {
  Type element = lhs.getElementType();
  if (element == rhs.getElementType() && getFragmentInstruction(element) &&
      sum.getElementType().isF32())
    return success();
  return op->emitOpError() << "multiplies " << element << " by "
                           << rhs.getElementType() << " into "
                           << sum.getElementType() << " (" << name << "_c1)";
}

namespace {
/// The operands and the sums of a product of fragments. Rows and columns are
/// the numbers of dimensions.
struct FragmentShapes {
  RankedTensorType lhs, rhs, sum;
  int64_t outer = 0, inner = 0;
  int64_t lhsRows = 0, lhsColumns = 0, rhsRows = 0, rhsColumns = 0;
};
} // namespace

/// Checks the shapes of a product of fragments, and finds its dimensions.
template <typename Op>
static FailureOr<FragmentShapes> verifyShapes(Op op, StringRef name) {
  FragmentShapes shapes{cast<RankedTensorType>(op.getLhs().getType()),
                        cast<RankedTensorType>(op.getRhs().getType()),
                        cast<RankedTensorType>(op.getAccumulator().getType())};
  auto [lhs, rhs, sum] = std::tie(shapes.lhs, shapes.rhs, shapes.sum);
  int64_t rank = sum.getRank();
  bool fits = rank >= 2 && lhs.getRank() == rank && rhs.getRank() == rank;
  for (int64_t i = 0; fits && i + 2 < rank; ++i)
    for (RankedTensorType type : {lhs, rhs})
      fits &=
          type.getDimSize(i) == 1 || type.getDimSize(i) == sum.getDimSize(i);
  if (fits) {
    bool ofLhs = op.getTransposeLhs(), ofRhs = op.getTransposeRhs();
    shapes.outer = rank - 2;
    shapes.inner = rank - 1;
    shapes.lhsRows = getKeptDim(ofLhs, ProductOperand::Lhs, rank);
    shapes.lhsColumns = getContractedDim(ofLhs, ProductOperand::Lhs, rank);
    shapes.rhsRows = getContractedDim(ofRhs, ProductOperand::Rhs, rank);
    shapes.rhsColumns = getKeptDim(ofRhs, ProductOperand::Rhs, rank);
    fits = lhs.getDimSize(shapes.lhsRows) == sum.getDimSize(shapes.outer) &&
           rhs.getDimSize(shapes.rhsColumns) == sum.getDimSize(shapes.inner) &&
           lhs.getDimSize(shapes.lhsColumns) == rhs.getDimSize(shapes.rhsRows);
  }
  if (fits)
    return shapes;
  return op.emitOpError() << "has operands of shapes "
                          << toString(lhs.getShape()) << " and "
                          << toString(rhs.getShape())
                          << " for an accumulator of "
                          << toString(sum.getShape()) << " (" << name << "_c2)";
}

/// Returns the layout of a tile, or null.
static const RegisterLayout *findLayout(RankedTensorType type) {
  auto attr = dyn_cast_or_null<LayoutAttr>(type.getEncoding());
  return attr ? &attr.getLayout() : nullptr;
}

LogicalResult MmaFragmentOp::verify() {
  if (failed(verifyElements(*this, "mma_fragment",
                            cast<ShapedType>(getLhs().getType()),
                            cast<ShapedType>(getRhs().getType()),
                            cast<ShapedType>(getAccumulator().getType()))))
    return failure();
  FailureOr<FragmentShapes> shapes = verifyShapes(*this, "mma_fragment");
  if (failed(shapes))
    return failure();
  auto [lhs, rhs, sum, outer, inner, lhsRows, lhsColumns, rhsRows, rhsColumns] =
      *shapes;
  int64_t step = getFragmentInstruction(lhs.getElementType())->depth;
  if (lhs.getDimSize(lhsColumns) % step)
    return emitOpError() << "contracts " << lhs.getDimSize(lhsColumns)
                         << " elements, no multiple of " << step
                         << " (mma_fragment_c3)";

  const RegisterLayout *a = findLayout(lhs), *b = findLayout(rhs),
                       *c = findLayout(sum);
  auto fail = [&](StringRef what) {
    return emitOpError() << what << " (mma_fragment_c4)";
  };
  if (!a || !b || !c)
    return fail("has a matrix without a layout");
  auto hasLanes = [](const RegisterLayout &layout, int64_t pairs,
                     int64_t spread) {
    LayoutModes lanes = {{4, pairs, 2}, {8, spread, 1}};
    return layout.lanes == lanes &&
           layout.findRegister(Shape(spread + pairs + 1, 0)) &&
           !layout.registers.empty() && layout.registers[0].dim == pairs &&
           layout.registers[0].stride == 1;
  };
  if (!hasLanes(*a, lhsColumns, lhsRows) ||
      !hasLanes(*b, rhsRows, rhsColumns) || !hasLanes(*c, inner, outer))
    return fail("has lanes that are not those of m16n8k16");
  if (a->variesOverWarps(lhsColumns) || b->variesOverWarps(rhsRows))
    return fail("has contracted elements in several warps");
  auto agree = [&](const RegisterLayout &x, int64_t xDim, int64_t yDim) {
    LayoutModes xs = getModes(x.warps, xDim), ys = getModes(c->warps, yDim);
    return xs.size() == ys.size() &&
           llvm::all_of(llvm::zip(xs, ys), [](auto pair) {
             return std::get<0>(pair).size == std::get<1>(pair).size &&
                    std::get<0>(pair).stride == std::get<1>(pair).stride;
           });
  };
  if (!agree(*a, lhsRows, outer) || !agree(*b, rhsColumns, inner))
    return fail("has rows or columns in other warps than the accumulators");
  return success();
}

LogicalResult FmaFragmentOp::verify() {
  FailureOr<FragmentShapes> shapes = verifyShapes(*this, "fma_fragment");
  if (failed(shapes))
    return failure();
  for (RankedTensorType type : {shapes->lhs, shapes->rhs, shapes->sum})
    if (!type.getElementType().isF32())
      return emitOpError() << "computes with " << type.getElementType()
                           << " (fma_fragment_c1)";
  const RegisterLayout *sums = findLayout(shapes->sum);
  auto isNeeded = [&](MatrixRole role, RankedTensorType type, bool transposed) {
    const RegisterLayout *layout = findLayout(type);
    return layout && layout->agreesWith(getLaneOperandLayout(
                         role, *sums, type.getShape(), transposed));
  };
  if (!sums || !isNeeded(MatrixRole::Lhs, shapes->lhs, getTransposeLhs()) ||
      !isNeeded(MatrixRole::Rhs, shapes->rhs, getTransposeRhs()))
    return emitOpError("has operands in other lanes than the sums that need "
                       "them (fma_fragment_c3)");
  return success();
}

LogicalResult ExchangeLanesOp::verify() {
  auto from = cast<RankedTensorType>(getTile().getType());
  auto to = cast<RankedTensorType>(getResult().getType());
  const RegisterLayout *before = findLayout(from), *after = findLayout(to);
  if (from.getShape() != to.getShape() ||
      from.getElementType() != to.getElementType() || !before || !after)
    return emitOpError("takes a tile and gives one of another shape or type, "
                       "or one of them has no layout (exchange_lanes_c1)");
  if (!findLaneExchange(*before, *after))
    return emitOpError("has layouts that differ otherwise than by an exchange "
                       "of lanes and registers (exchange_lanes_c2)");
  return success();
}
