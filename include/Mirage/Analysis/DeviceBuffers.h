//===- DeviceBuffers.h - Where tensors lie in device memory -----*- C++ -*-===//
//
// Plans the buffers of a kernel graph: which tensors lie in one buffer, under
// which shapes and at which offsets, and which operators need no kernel
// because of that. convert-mirage-block-to-thread follows this plan, and the
// cost model asks for it.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ANALYSIS_DEVICEBUFFERS_H
#define MIRAGE_ANALYSIS_DEVICEBUFFERS_H

#include "Mirage/Analysis/TensorParts.h"
#include "Mirage/Analysis/TensorWindows.h"
#include "Mirage/Semantics/Windows.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace mirage {

/// Says which launches have a schedule, which is what the plan asks for where
/// they read and write transposes, and tensors with zeros at their ends.
enum class ScheduledLaunches {
  /// Those that have one as an attribute.
  WithAttribute,
  /// All of them: mirage-schedule-launches has not run yet.
  All,
};

/// Holds the plan of one function's buffers. Reshapes and transposes of
/// dimensions of size one give a buffer another shape. Launches with a schedule
/// read and write other transposes in the order of the other side, if the
/// innermost dimension stays where it is. Slices that launches
/// alone read are read in the tensor that they are of, and what launches
/// compute for nothing but a concatenation is written into its result. What is
/// returned lies in the output's buffer. A tensor that is padded with zeros at
/// the ends of its dimensions for launches with a schedule alone, and one of
/// whose launch only the beginning of each dimension is used, are larger than
/// their buffers: the launches clip their accesses. A concatenation of windows
/// of one tensor that nothing but launches with a schedule reads, tiles of one
/// window at a time, is read in that tensor (TensorWindows.h). The same is so
/// for equal parts that are concatenated, which are read where each lies, also
/// where some are arguments with their last two dimensions exchanged, and
/// for a result that is sliced into equal parts, each of which is a buffer
/// (TensorParts.h).
///
/// A buffer holds at most one value for each of its bytes during the whole
/// function, so that it may be read under any shape as long as it is there.
class DeviceBuffers {
public:
  /// All tensors of the function must be ranked, and its body one block.
  /// Without `selectsBuffers`, a tensor in parts is one buffer.
  explicit DeviceBuffers(
      mlir::func::FuncOp function,
      ScheduledLaunches scheduled = ScheduledLaunches::WithAttribute,
      bool selectsBuffers = true);

  /// The place of a tensor: a buffer, and the part of it when it is read as a
  /// dense tensor of the rank of this one. Where this is smaller than the
  /// tensor along a dimension, the tensor's elements beyond its end are not
  /// there.
  struct Place {
    unsigned buffer = 0;
    TensorPart part;
    /// The dimensions of the tensor in the order in which they lie in memory,
    /// the outermost first. There are none where that is their own order.
    Shape order = {};
    /// If the tensor is a concatenation of windows, this says how they lie in
    /// the buffer's tensor, of which `part.whole` is the shape.
    std::optional<TensorWindows> windows = {};
    /// If the tensor's parts along a dimension lie in different places, these
    /// are the places. The buffer and the part above are the first one's.
    int64_t partDim = 0;
    std::vector<Place> parts = {};

    /// Returns true if a tensor of this shape is all of the buffer, as it is.
    bool isWhole(ShapeRef shape) const {
      return part.offsets.empty() && order.empty() && !windows &&
             parts.empty() && ShapeRef(part.whole) == shape;
    }
  };

  /// The buffers are those of the inputs, then those of the outputs, then
  /// scratch memory. Each has the type of a tensor that fills it.
  llvm::ArrayRef<mlir::RankedTensorType> getBuffers() const { return buffers; }
  const Place &getPlace(mlir::Value tensor) const {
    return places.find(tensor)->second;
  }
  /// Returns true if an operator only gives its operands or its result another
  /// name.
  bool isInPlace(mlir::Operation *op) const { return inPlace.contains(op); }

private:
  unsigned addBuffer(mlir::RankedTensorType type);
  void placeOperand(ComputeOpInterface op);
  void join(ComputeOpInterface concat);
  void place(mlir::Operation &op);
  bool placeView(ComputeOpInterface op);
  bool placeWindow(ComputeOpInterface slice);
  bool placePadded(ComputeOpInterface pad);
  void clipResult(ComputeOpInterface slice);
  void transposeResult(ComputeOpInterface transpose);
  bool placeTransposed(ComputeOpInterface transpose);
  void findWindowOperators(mlir::Block &body);
  bool areReadInTiles(mlir::Value tensor, const TensorWindows &windows) const;
  bool placeWindows(mlir::Operation &op);
  std::optional<Place> findInArgument(mlir::Value tensor) const;
  void placeParts(mlir::Block &body);
  bool isInParts(mlir::Operation *op) const;
  bool isReadInParts(mlir::Value tensor) const;
  void placeSlices(kernel::LaunchOp launch);
  bool isReadByLaunches(mlir::Value tensor, const TensorPart &part) const;
  bool isScheduled(mlir::Operation *op) const;
  bool isClippedPad(ComputeOpInterface pad) const;
  bool isReadBySchedules(mlir::Value tensor, const Place &place) const;

  ScheduledLaunches scheduled;
  llvm::SmallVector<mlir::RankedTensorType> buffers;
  llvm::DenseMap<mlir::Value, Place> places;
  llvm::DenseSet<mlir::Operation *> inPlace;
  /// Concatenations of windows that launches can read in the windows' tensor,
  /// and the one that each of their operators belongs to.
  std::vector<WindowOperators> windowOperators;
  llvm::DenseMap<mlir::Operation *, unsigned> windowsOf;
};

} // namespace mirage

#endif // MIRAGE_ANALYSIS_DEVICEBUFFERS_H
