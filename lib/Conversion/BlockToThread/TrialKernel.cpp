//===- TrialKernel.cpp - Kernels of launches that are only tried ----------===//
//
// Builds kernels outside of a program, and says where their tiles are.
//
//===----------------------------------------------------------------------===//

#include "TrialKernel.h"
#include "Mirage/Analysis/TensorParts.h"
#include "ScheduledValues.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mirage;

/// Returns the type of what a launch reads: where zeros are added at the ends
/// of a tensor, the launch reads that, and clips what it reads.
static Type getReadType(Value operand) {
  auto pad = operand.getDefiningOp<kernel::PadOp>();
  if (!pad || hasLowPadding(cast<ComputeOpInterface>(*pad).getOpAttributes()))
    return operand.getType();
  return pad->getOperand(0).getType();
}

/// Returns the type of the buffer of one part of a tensor.
static Type getPartType(const TensorParts &parts, size_t number) {
  Type type = parts.parts[number].getType();
  return !parts.areExchanged.empty() && parts.areExchanged[number]
             ? getExchangedBufferType(type)
             : getDeviceBufferType(type);
}

TrialKernel mirage::buildTrialKernel(kernel::LaunchOp launch,
                                     const LaunchSchedule &schedule,
                                     TargetAttr target) {
  OpBuilder builder(launch.getContext());
  auto module = gpu::GPUModuleOp::create(builder, launch.getLoc(), "trial");
  SmallVector<Type> types;
  LaunchPlaces places;
  SmallVector<std::pair<size_t, TensorParts>> inParts;
  for (auto [number, operand] : llvm::enumerate(launch->getOperands())) {
    BlockArgument argument = launch.getBody().front().getArgument(number);
    std::optional<WindowOperators> windows = findWindows(argument);
    std::optional<TensorParts> parts = findLoadedParts(argument);
    places.emplace_back();
    if (parts) {
      types.push_back(getPartType(*parts, 0));
      inParts.emplace_back(number, *std::move(parts));
    } else if (windows) {
      places.back().windows = windows->windows;
      types.push_back(getWindowBufferType(
          windows->windows, cast<RankedTensorType>(windows->source.getType())));
    } else {
      types.push_back(getDeviceBufferType(getReadType(operand)));
    }
  }
  for (Type type : launch->getResultTypes())
    types.push_back(getDeviceBufferType(type));
  places.resize(types.size());
  for (const auto &[number, tensor] : inParts) {
    OperandPlace::Parts parts{tensor.dim, tensor.size, {}, {}};
    parts.offsets.resize(tensor.parts.size());
    parts.areExchanged = tensor.areExchanged;
    addParts(places, number, std::move(parts));
    for (size_t part = 1; part < tensor.parts.size(); ++part)
      types.push_back(getPartType(tensor, part));
  }
  builder.setInsertionPointToEnd(module.getBody());
  auto function = gpu::GPUFuncOp::create(builder, launch.getLoc(), "trial",
                                         builder.getFunctionType(types, {}));
  FailureOr<KernelShape> shape =
      buildScheduledKernel(function, launch, places, schedule, target);
  TrialKernel kernel{module, function, std::nullopt};
  if (succeeded(shape))
    kernel.shape = *shape;
  return kernel;
}

//===----------------------------------------------------------------------===//
// Descriptions of tiles
//===----------------------------------------------------------------------===//

/// The name of an operation, and the line from which it comes where that is
/// known.
static std::string getName(StringRef name, Location location) {
  std::string text = name.str();
  if (auto place = location->findInstanceOf<FileLineColLoc>())
    text += ":" + std::to_string(place.getLine());
  return text;
}

static std::string getName(Operation *op) {
  return getName(op->getName().stripDialect(), op->getLoc());
}

/// Prints the sizes and the element of a tile, without its layout.
static void printShape(ShapedType type, raw_ostream &out) {
  for (int64_t size : type.getShape())
    out << size << "x";
  out << type.getElementType();
}

static StringRef describeRows(MemRefType type) {
  if (isa<thread::ChunkedLayoutAttr>(type.getLayout()))
    return "rows in swizzled chunks";
  return type.getLayout().isIdentity() ? "dense" : "rows with gaps";
}

/// Adds a name to those that are there, once.
using Names = SmallVector<std::string, 2>;
static void addName(Names &names, std::string name) {
  if (!llvm::is_contained(names, name))
    names.push_back(std::move(name));
}

namespace {
/// What is in some bytes of shared memory: a tile, or the stages of one. Views
/// of it have buffers of their own.
struct PlacedTile {
  SmallVector<thread::SharedBufferOp, 1> buffers;
  int64_t begin = 0, end = 0;
  Names writers, readers;

  MemRefType getType() const {
    thread::SharedBufferOp whole = buffers.front();
    return cast<MemRefType>(whole.getResult().getType());
  }
};
} // namespace

/// Notes how an operation uses a buffer.
static void addUse(OpOperand &use, PlacedTile &tile) {
  Operation *user = use.getOwner();
  bool isLoader = user->getParentOfType<thread::LoaderOp>() != nullptr;
  if (isa<thread::BulkCopyOp>(user)) {
    addName(tile.writers, "the copy engine");
  } else if (isa<thread::CopyOp>(user)) {
    addName(tile.writers,
            isLoader ? "copies of the loader's warps" : "copies of the warps");
  } else if (auto store = dyn_cast<thread::StoreFragmentOp>(user)) {
    Operation *stored = store.getValue().getDefiningOp();
    addName(tile.writers, (isLoader ? "stores of the loader's warps of "
                                    : "stores of the warps of ") +
                              (stored ? getName(stored) : "a loop's value"));
  } else if (auto load = dyn_cast<thread::LoadFragmentOp>(user)) {
    auto result = cast<RankedTensorType>(load.getResult().getType());
    auto type = cast<MemRefType>(use.get().getType());
    size_t rank = result.getRank();
    bool isMatrix =
        result.getElementTypeBitWidth() == 16 &&
        isMatrixFragment(getLayoutOf(load.getResult()), result.getShape(),
                         thread::getMemoryLayout(type)->takeBack(rank));
    addName(tile.readers, isMatrix   ? "ldmatrix"
                          : isLoader ? "loads of the loader's warps"
                                     : "loads");
  } else if (isa<thread::WarpgroupMmaOp>(user)) {
    addName(tile.readers, "wgmma");
  } else {
    // What blocks of a cluster write to each other, and views of it.
    addName(tile.readers, user->getName().stripDialect().str());
  }
}

/// Finds the tiles of a kernel in shared memory, in order.
static SmallVector<PlacedTile, 0> findPlacedTiles(gpu::GPUFuncOp kernel) {
  SmallVector<PlacedTile, 0> tiles;
  kernel.walk([&](thread::SharedBufferOp buffer) {
    auto type = cast<MemRefType>(buffer.getResult().getType());
    int64_t begin = buffer.getOffset();
    // The memory of a tile that nothing needs any more is given to others,
    // which come from other operations.
    auto isPartOf = [&](const PlacedTile &tile) {
      return tile.buffers.front()->getLoc() == buffer->getLoc() &&
             begin >= tile.begin && begin < tile.end;
    };
    auto *found = llvm::find_if(tiles, isPartOf);
    if (found == tiles.end()) {
      int64_t bytes =
          thread::getMemoryLayout(type)->getExtent(ShapeRef(type.getShape())) *
          (type.getElementTypeBitWidth() / 8);
      tiles.push_back({{}, begin, begin + bytes, {}, {}});
      found = std::prev(tiles.end());
    }
    found->buffers.push_back(buffer);
    for (OpOperand &use : buffer.getResult().getUses())
      addUse(use, *found);
  });
  return tiles;
}

void mirage::printTiles(gpu::GPUFuncOp kernel, raw_ostream &out) {
  for (const PlacedTile &tile : findPlacedTiles(kernel)) {
    out << "  " << getName("shared", tile.buffers.front()->getLoc()) << " ";
    printShape(tile.getType(), out);
    out << ", bytes " << tile.begin << " to " << tile.end - 1 << ", "
        << describeRows(tile.getType());
    if (!tile.writers.empty())
      out << ", by " << llvm::join(tile.writers, " and ");
    if (!tile.readers.empty())
      out << ", for " << llvm::join(tile.readers, " and ");
    out << "\n";
  }
  // Most values of a kernel share a few layouts.
  llvm::MapVector<RankedTensorType, Names> values;
  kernel.walk([&](Operation *op) {
    for (Value result : op->getResults())
      if (auto type = dyn_cast<RankedTensorType>(result.getType());
          type && isa_and_nonnull<thread::LayoutAttr>(type.getEncoding()))
        addName(values[type], getName(op));
  });
  for (const auto &[type, names] : values) {
    auto layout = cast<thread::LayoutAttr>(type.getEncoding());
    int64_t bits =
        layout.getLayout().getNumRegisters() * type.getElementTypeBitWidth();
    out << "  registers ";
    printShape(type, out);
    out << ", " << llvm::divideCeil(bits, 32) << " of a thread, " << layout
        << ": " << llvm::join(names, ", ") << "\n";
  }
}
