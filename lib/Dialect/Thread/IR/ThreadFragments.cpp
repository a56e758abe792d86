//===- ThreadFragments.cpp - Tiles in registers ---------------------------===//
//
// Parses, prints and verifies layouts, and verifies the operations on tiles in
// registers.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Dialect/Thread/IR/ThreadDialect.h"
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

/// Returns the modes along one dimension, by ascending stride.
static LayoutModes getModes(ArrayRef<LayoutMode> modes, int64_t dim) {
  LayoutModes result;
  for (const LayoutMode &mode : modes)
    if (mode.dim == dim)
      result.push_back(mode);
  return result;
}

/// Checks that a product is of a type that fragments have, and accumulates in
/// f32.
static LogicalResult verifyElements(Operation *op, StringRef name,
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

WarpgroupWaitOp WarpgroupMmaOp::getWait() {
  return getResult().hasOneUse()
             ? dyn_cast<WarpgroupWaitOp>(*getResult().user_begin())
             : WarpgroupWaitOp();
}

LogicalResult WarpgroupWaitOp::verify() {
  WarpgroupMmaOp product = getBeginning();
  if (!product || product->getBlock() != (*this)->getBlock() ||
      !getProduct().hasOneUse())
    return emitOpError("waits for what is no warpgroup_mma of its block, or is "
                       "used elsewhere (warpgroup_wait_c1)");
  for (Operation *op = product->getNextNode(); op != getOperation();
       op = op->getNextNode())
    for (Region &region : op->getRegions())
      if (region.walk([](WarpgroupWaitOp) { return WalkResult::interrupt(); })
              .wasInterrupted())
        return emitOpError("waits for a product behind which an operation with "
                           "regions begins others (warpgroup_wait_c2)");
  return success();
}

int64_t WarpgroupMmaOp::getDepth() {
  auto lhs = cast<ShapedType>(getLhs().getType());
  return lhs.getDimSize(
      getContractedDim(getTransposeLhs(), ProductOperand::Lhs, lhs.getRank()));
}

Shape WarpgroupMmaOp::getOperandShape(MatrixRole role) {
  auto sum = cast<RankedTensorType>(getAccumulator().getType());
  int64_t rank = sum.getRank();
  bool isLhs = role == MatrixRole::Lhs;
  auto operand =
      cast<ShapedType>(isLhs ? getLhs().getType() : Type(getRhs().getType()));
  Shape shape(operand.getShape().take_back(rank));
  for (int64_t dim = 0; dim + 2 < rank; ++dim)
    shape[dim] = std::min(shape[dim], sum.getDimSize(dim));
  bool transposed = isLhs ? getTransposeLhs() : getTransposeRhs();
  ProductOperand side = isLhs ? ProductOperand::Lhs : ProductOperand::Rhs;
  shape[getContractedDim(transposed, side, rank)] = getDepth();
  int64_t &kept = shape[getKeptDim(transposed, side, rank)];
  kept = sum.getDimSize(isLhs ? rank - 2 : rank - 1);
  // The last columns are sums of the left operand's rows.
  if (!isLhs && getOnes())
    kept -= WarpgroupInstruction::columnStep;
  return shape;
}

RegisterLayout WarpgroupMmaOp::getOperandLayout(MatrixRole role) {
  Shape shape = getOperandShape(role);
  bool transposed =
      role == MatrixRole::Lhs ? getTransposeLhs() : getTransposeRhs();
  if (transposed)
    std::swap(shape.rbegin()[0], shape.rbegin()[1]);
  auto sum = cast<RankedTensorType>(getAccumulator().getType());
  RegisterLayout layout = mirage::getOperandLayout(
      role, cast<LayoutAttr>(sum.getEncoding()).getLayout(), shape);
  if (!transposed)
    return layout;
  auto permutation = llvm::to_vector(llvm::seq<int64_t>(0, shape.size()));
  std::swap(permutation.rbegin()[0], permutation.rbegin()[1]);
  return layout.transpose(permutation);
}

/// Returns true if an accumulator lies as those of wgmma.m64nNk16 do.
static bool isWarpgroupAccumulator(const RegisterLayout &layout,
                                   ShapeRef shape) {
  int64_t outer = shape.size() - 2, inner = shape.size() - 1;
  LayoutModes lanes = {{4, inner, 2}, {8, outer, 1}};
  // The last instruction may have rows and columns beyond the end.
  auto columns = static_cast<int64_t>(
      llvm::alignTo(shape[inner], WarpgroupInstruction::columnStep));
  if (layout.lanes != lanes || layout.warps.empty() ||
      layout.getReach(inner) >= columns)
    return false;
  const LayoutMode &rows = layout.warps.front();
  if (rows.dim != outer || rows.stride != MatrixInstruction::rows ||
      rows.size % WarpgroupInstruction::warps ||
      layout.getReach(outer) >= static_cast<int64_t>(llvm::alignTo(
                                    shape[outer], rows.size * rows.stride)))
    return false;
  // Both rows of eight and both neighbours are in each instruction, and columns
  // go on without a gap.
  Shape neighbour(shape.size(), 0), below(shape.size(), 0);
  neighbour[inner] = 1;
  below[outer] = 8;
  if (!layout.findRegister(neighbour) || !layout.findRegister(below))
    return false;
  int64_t next = 8;
  for (const LayoutMode &mode : getModes(layout.registers, inner))
    if (mode.stride >= 8 &&
        std::exchange(next, next * mode.size) != mode.stride)
      return false;
  return true;
}

LogicalResult WarpgroupMmaOp::verify() {
  auto lhs = cast<ShapedType>(getLhs().getType());
  auto rhs = cast<MemRefType>(getRhs().getType());
  auto sum = cast<RankedTensorType>(getAccumulator().getType());
  if (failed(verifyElements(*this, "warpgroup_mma", lhs, rhs, sum)))
    return failure();
  auto layout = dyn_cast_or_null<LayoutAttr>(sum.getEncoding());
  int64_t rank = sum.getRank();
  bool fits = rank >= 2 && rhs.getRank() >= rank &&
              (isLhsInMemory() ? lhs.getRank() >= rank : lhs.getRank() == rank);
  if (fits) {
    int64_t lhsRows = getKeptDim(getTransposeLhs(), ProductOperand::Lhs, rank);
    int64_t rhsColumns =
        getKeptDim(getTransposeRhs(), ProductOperand::Rhs, rank);
    int64_t reach = layout ? layout.getLayout().getReach(rank - 2) + 1
                           : sum.getDimSize(rank - 2);
    for (auto [type, role] :
         {std::pair(lhs, MatrixRole::Lhs),
          std::pair<ShapedType, MatrixRole>(rhs, MatrixRole::Rhs)}) {
      ArrayRef<int64_t> box = type.getShape().take_back(rank);
      Shape shape = getOperandShape(role);
      for (int64_t dim = 0; dim < rank; ++dim) {
        fits &= shape[dim] <= box[dim];
        if (dim + 2 < rank)
          fits &= box[dim] == 1 || box[dim] == sum.getDimSize(dim);
        else if (role == MatrixRole::Rhs && dim == rhsColumns)
          fits &=
              static_cast<int64_t>(llvm::alignTo(
                  shape[dim], WarpgroupInstruction::columnStep)) <= box[dim];
        else if (role == MatrixRole::Lhs && dim == lhsRows)
          fits &= !isLhsInMemory() || reach <= box[dim];
        else if (role == MatrixRole::Lhs)
          fits &= shape[dim] == box[dim];
      }
    }
  }
  int64_t lhsOffsets = isLhsInMemory() ? lhs.getRank() : 0;
  if (!fits || static_cast<int64_t>(getRhsOffsets().size()) != rhs.getRank() ||
      static_cast<int64_t>(getLhsOffsets().size()) != lhsOffsets)
    return emitOpError()
           << "has operands of shapes " << toString(lhs.getShape()) << " and "
           << toString(rhs.getShape())
           << ", or offsets, that do not go with an accumulator of "
           << toString(sum.getShape()) << " (warpgroup_mma_c2)";
  int64_t step = getFragmentInstruction(lhs.getElementType())->depth;
  if (getDepth() % step)
    return emitOpError() << "contracts " << getDepth()
                         << " elements, no multiple of " << step
                         << " (warpgroup_mma_c3)";
  if (!layout || !isWarpgroupAccumulator(layout.getLayout(), sum.getShape()))
    return emitOpError("has an accumulator that lies otherwise than that of "
                       "m64nNk16 (warpgroup_mma_c4)");
  if (!isLhsInMemory()) {
    auto operand = dyn_cast_or_null<LayoutAttr>(
        cast<RankedTensorType>(getLhs().getType()).getEncoding());
    if (!operand ||
        !operand.getLayout().agreesWith(getOperandLayout(MatrixRole::Lhs)))
      return emitOpError(
          "has a left operand in other registers than the rows of "
          "the accumulators need (warpgroup_mma_c4)");
  }
  auto isReadable = [](MemRefType type) {
    std::optional<MemoryLayout> memory = getMemoryLayout(type);
    return memory && isInSharedMemory(type) && memory->swizzled &&
           memory->strides.size() >= 2 &&
           memory->strides.rbegin()[1] == memory->chunk;
  };
  if (!isReadable(rhs) ||
      (isLhsInMemory() && !isReadable(cast<MemRefType>(getLhs().getType()))))
    return emitOpError(
        "has an operand in memory that does not lie in chunks as "
        "wgmma reads them (warpgroup_mma_c5)");
  for (const LayoutMode &mode : layout.getLayout().warps)
    if (!getTransposeRhs() && mode.dim == rank - 1 &&
        mode.stride % getMemoryLayout(rhs)->chunk)
      return emitOpError("has warpgroups whose columns are no whole chunks of "
                         "the right operand (warpgroup_mma_c6)");
  if (!getOnes())
    return success();
  auto ones = cast<MemRefType>(getOnes().getType());
  int64_t chunk = getMemoryLayout(rhs)->chunk;
  bool areBehind =
      isReadable(ones) && ones.getElementType() == rhs.getElementType() &&
      getMemoryLayout(ones)->chunk == chunk &&
      ones.getShape().take_back(2) == ArrayRef<int64_t>({step, chunk}) &&
      ones.getNumElements() == step * chunk && !getTransposeRhs() &&
      getOperandShape(MatrixRole::Rhs).back() == chunk &&
      llvm::none_of(layout.getLayout().warps, [&](const LayoutMode &mode) {
        return mode.dim == rank - 1;
      });
  if (!areBehind)
    return emitOpError("has ones that cannot stand behind its right operand's "
                       "columns (warpgroup_mma_c7)");
  return success();
}
