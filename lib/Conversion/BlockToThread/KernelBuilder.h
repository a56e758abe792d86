//===- KernelBuilder.h - Block graphs to thread operations ------*- C++ -*-===//
//
// Builds the body of one gpu.func kernel from a launch or from a pre-defined
// kernel operator.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_CONVERSION_BLOCKTOTHREAD_KERNELBUILDER_H
#define MIRAGE_LIB_CONVERSION_BLOCKTOTHREAD_KERNELBUILDER_H

#include "Mirage/Analysis/LayoutChains.h"
#include "Mirage/Analysis/TensorWindows.h"
#include "Mirage/Dialect/Thread/IR/ThreadDialect.h"
#include "Mirage/Schedule/LaunchSchedule.h"
#include "ScheduledValues.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mirage {

/// Returns the memref that holds a tensor of this type in device memory.
mlir::MemRefType getDeviceBufferType(mlir::Type tensor);

/// Returns the memref that holds a tensor of this type whose last two
/// dimensions lie exchanged in device memory.
mlir::MemRefType getExchangedBufferType(mlir::Type tensor);

/// Returns the memref as which a tensor in device memory is read for windows.
mlir::MemRefType getWindowBufferType(const TensorWindows &windows,
                                     mlir::RankedTensorType source);

/// The extents and shared memory with which a kernel is launched.
struct KernelShape {
  llvm::SmallVector<int64_t, 3> grid = {1, 1, 1};
  int64_t threads = 0;
  int64_t sharedMemoryBytes = 0;
  /// The blocks of a cluster, which are neighbours along x.
  int64_t clusterBlocks = 1;
  /// The buffers of which the kernel takes tensor maps, behind all buffers, by
  /// their numbers among these.
  llvm::SmallVector<size_t> mappedArguments = {};
  /// How the loads of a launch with a schedule come to shared memory.
  llvm::SmallVector<std::pair<block::LoadOp, CopyWay>> copyWays = {};
  /// This says where those of its values are that lie in shared memory.
  llvm::SmallVector<TileInMemory, 0> placedTiles = {};
};

/// Says where an operand or a result of a launch lies in its buffer.
struct OperandPlace {
  /// These are the offsets at which it begins in the buffer, which may hold a
  /// larger tensor of the same rank: one for each dimension, or none if the
  /// buffer is its own.
  llvm::SmallVector<int64_t, 4> offsets = {};
  /// Its windows, where it is a concatenation of windows that the launch reads
  /// in the tensor that they are of. The buffer is a WindowBuffer then.
  std::optional<TensorWindows> windows = {};
  /// Says where the parts of a tensor lie that have buffers of their own. Each
  /// has `size` indices along `dim`.
  struct Parts {
    int64_t dim = 0, size = 0;
    /// The offsets of each part in its buffer, as above.
    llvm::SmallVector<llvm::SmallVector<int64_t, 4>> offsets;
    /// The kernel's parameter of each part. That of the first one is the
    /// parameter of the operand or result; the others stand behind all these.
    llvm::SmallVector<size_t, 4> parameters;
    /// An element is true if its part has the last two dimensions exchanged in
    /// its buffer, as the strides of the parameter say. The list is empty where
    /// no part is exchanged.
    llvm::SmallVector<bool, 4> areExchanged = {};
  };
  std::optional<Parts> parts = {};
};

/// The places of a launch's operands and then of its results.
using LaunchPlaces = std::vector<OperandPlace>;

/// Returns the number of a kernel's parameters that are buffers.
size_t countBuffers(const LaunchPlaces &places);

/// Says that an operand or a result has parts with buffers of their own, and
/// returns how many parameters these take beside its own.
size_t addParts(LaunchPlaces &places, size_t number, OperandPlace::Parts parts);

/// Fills `function`, whose arguments are the buffers of the launch's operands
/// and then of its results.
llvm::FailureOr<KernelShape> buildLaunchKernel(mlir::gpu::GPUFuncOp function,
                                               kernel::LaunchOp launch,
                                               const LaunchPlaces &places,
                                               int64_t threads);

/// Returns what the attribute mirage.schedule says.
LaunchSchedule readSchedule(ScheduleAttr attribute);

/// Returns the first operation that keeps a launch from being executed by a
/// schedule, and what is in the way, if anything is.
std::optional<std::pair<mlir::Operation *, std::string>>
findScheduleObstacle(kernel::LaunchOp launch);

/// Brings a launch to the form in which a schedule executes it. Fails with an
/// error at the first operation that keeps it from that, if there is one.
llvm::LogicalResult prepareForSchedule(kernel::LaunchOp launch,
                                       const LaunchSchedule &schedule);

/// Returns true if a product of the launch has rows that fill the warpgroups of
/// the schedule, so that wgmma can compute it.
bool hasWarpgroupProduct(kernel::LaunchOp launch,
                         const LaunchSchedule &schedule);

/// Exchanges rows and columns of products whose results other products take
/// transposed as their left operands, with all that follows from them.
void orientProducts(kernel::LaunchOp launch);

/// Gives what is computed between products one dimension of rows where the
/// products have one, if rescaled sums are relative to a maximum that has
/// several.
void joinRows(kernel::LaunchOp launch);

/// Makes the iterations of loops one, where that is legal and the tiles that a
/// loop loads have at most `mostBytes` then. Returns whether anything changed.
bool mergeLoops(kernel::LaunchOp launch, int64_t mostBytes);

/// Divides the iterations of loops of which each makes a part of a product's
/// columns, where that is legal, until these are at most `mostColumns`. With
/// `mayGrow`, iterations that make fewer are joined, as long as those of a loop
/// can be shared by as many of `sharers` blocks as before.
void resizeLoops(kernel::LaunchOp launch, int64_t mostColumns, bool mayGrow,
                 int64_t sharers);

/// Gives products operands that matrix instructions take, where the numbers
/// stay what they are: of f16 and bf16 in place of f8, and of f32 that was
/// converted from such; with zeros at the end of what is contracted, so that it
/// is a multiple of 16.
void prepareProducts(kernel::LaunchOp launch);

/// Returns true if a product of a launch has operands that no type of 16 bits
/// holds, so that prepareProducts leaves them as they are.
bool hasWideProduct(kernel::LaunchOp launch);

/// Returns true if a value of a loop's body is proportional to exp(-shift):
/// rescaled sums take such values relative to any number, if the exponential
/// has that number instead.
bool isRelativeTo(mlir::Value value, mlir::Value shift);

/// Fills `function` like buildLaunchKernel, as a schedule says. There must be
/// no obstacle. What blocks of a cluster push to each other has memory of its
/// own where the target has room for it; without a target it takes the place of
/// a loop's stages.
llvm::FailureOr<KernelShape>
buildScheduledKernel(mlir::gpu::GPUFuncOp function, kernel::LaunchOp launch,
                     const LaunchPlaces &places, const LaunchSchedule &schedule,
                     TargetAttr target);

/// Does the same for a pre-defined kernel operator and those that it is a chain
/// with. The function's arguments are their sources and the result.
KernelShape buildOperatorKernel(mlir::gpu::GPUFuncOp function,
                                mlir::Operation *op, const LayoutChains &chains,
                                int64_t threads);

/// Returns with how many blocks of `threads` threads a computation of the whole
/// grid is launched.
KernelShape getComputeShape(thread::ComputeOp compute, int64_t threads);

} // namespace mirage

#endif // MIRAGE_LIB_CONVERSION_BLOCKTOTHREAD_KERNELBUILDER_H
