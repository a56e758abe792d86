//===- ScheduledValues.h - Tiles of a scheduled launch ----------*- C++ -*-===//
//
// Says what the tiles and products of a block graph become under a schedule.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_CONVERSION_BLOCKTOTHREAD_SCHEDULEDVALUES_H
#define MIRAGE_LIB_CONVERSION_BLOCKTOTHREAD_SCHEDULEDVALUES_H

#include "Mirage/Dialect/Block/IR/BlockDialect.h"
#include "Mirage/Dialect/Thread/IR/ThreadDialect.h"
#include "Mirage/Interfaces/MatrixTypes.h"
#include "Mirage/Schedule/LaunchSchedule.h"
#include "Mirage/Schedule/RowLayout.h"

namespace mirage {

/// Returns true if an operator of a block graph is a product of matrices.
inline bool isMatmul(mlir::Operation *op) {
  return mlir::isa<block::MatmulOp, block::ConcatMatmulOp>(op);
}

/// Returns true if wgmma computes a product under a schedule: each warp of
/// whole warpgroups has 16 rows of it, or as many in several turns.
bool isWarpgroupProduct(mlir::Operation *product,
                        const LaunchSchedule &schedule);

/// Returns true if wgmma computes a product with its operands exchanged, so
/// that its columns are the rows of the instruction: a warpgroup has 64 columns
/// of it, and its rows are few.
bool isExchangedProduct(mlir::Operation *product,
                        const LaunchSchedule &schedule);

/// Returns how many columns of zeros a value gets, or what elementwise
/// operators make of it, to become an operand of another product.
int64_t getAddedColumns(mlir::Value value);

/// Returns true if lanes compute a product by multiply-adds, as no instruction
/// of tensor cores multiplies its elements.
bool isLaneProduct(mlir::Operation *product);

/// Returns by which instruction a product is to be computed, if an attribute
/// says so.
std::optional<ProductInstruction>
getWantedInstruction(mlir::Operation *product);

/// Returns the layout in which an operator is to be executed, if an attribute
/// says so (schedule_c17).
std::optional<RegisterLayout> getWantedLayout(mlir::Operation *op);

/// Returns the layout of a tile in registers.
const RegisterLayout &getLayoutOf(mlir::Value fragment);

/// Returns a layout in which the warps of a schedule share a tile whose first
/// dimension is that of their groups, and each thread has up to `vector`
/// neighbours of a row together.
RegisterLayout getVectorLayoutOf(llvm::ArrayRef<int64_t> shape,
                                 const LaunchSchedule &schedule,
                                 int64_t vector);

/// Returns true if a load reads another tile in each iteration of the loop
/// around it.
bool dependsOnLoop(block::LoadOp load);

/// Returns true if nothing takes the result of a reduction but an accumulate
/// that combines what iterations reduce as the reduction combines elements, or
/// another such reduction. Lanes and warps keep their parts then until the loop
/// has ended.
bool isOnlyAccumulated(ComputeOpInterface reduction);

/// Returns the accumulator into which a product may be added at once: the only
/// use of a product in f32.
block::AccumulateOp getFusedAccumulator(mlir::Operation *op);

/// Returns the attributes of the operator on tiles with one more dimension in
/// front.
OpAttributes addGroupDim(OpKind kind, OpAttributes attrs,
                         llvm::ArrayRef<int64_t> operandShape);

/// Returns true if a pad adds elements in front of others.
bool hasLowPadding(const OpAttributes &pad);

/// Returns the load whose tile a pad takes, if the zeros that it adds can be
/// where the load puts the tile in shared memory.
block::LoadOp getPaddedLoad(mlir::Operation *pad);

/// Returns the sizes of a load's tile in shared memory, with room for what pads
/// add to it.
Shape getStoredShape(block::LoadOp load);

/// How a mask's tile is computed of indices; see mirage_thread.index_mask.
struct ComputedMask {
  /// The sum of the tile's first element.
  mlir::Value sum;
  llvm::SmallVector<int64_t, 4> coefficients;
  std::optional<int64_t> from, below;
  double inside = 0, outside = 0;
  /// True where all elements are inside.
  mlir::Value isInside;
};

/// A tile of the block graph, in registers or in shared memory or both, or
/// computed of indices where it is needed.
struct Tile {
  /// These are the sizes, the group's first.
  Shape shape;
  mlir::Type element;
  llvm::SmallVector<mlir::Value, 1> fragments;
  /// A buffer whose last dimensions are the tile's, and the indices of those
  /// before.
  mlir::Value buffer;
  llvm::SmallVector<mlir::Value, 1> slot;
  /// The indices at which the tile begins in the buffer's last dimensions; none
  /// where all are zero.
  llvm::SmallVector<mlir::Value, 3> start;
  /// Along these dimensions the tile has what each lane of each warp has
  /// reduced, where the block graph's has one element.
  llvm::SmallVector<int64_t, 1> partsDims;
  /// The number of the mask that the tile is, if it is computed of indices.
  std::optional<size_t> mask;
};

/// An operand of a product that depends on nothing but the tiles of one
/// iteration of a loop, so that warps beside those of the product can compute
/// it.
struct Preparation {
  mlir::Value value;
  /// What computes it, in order, and what it is computed from.
  llvm::SmallVector<mlir::Operation *> operations;
  llvm::SmallVector<block::LoadOp> loads;
  /// The memory in which it lies, for each stage and group of warps.
  mlir::Value buffer;
};

/// Each block of a cluster merges its own part of this dimension of what the
/// loop accumulated, which has this size.
struct Slice {
  /// Counted from behind, as dimensions of size one may stand in front.
  int64_t fromEnd;
  int64_t size;

  /// Returns the dimension of tiles of so many, or none where these lack it.
  std::optional<size_t> findDim(size_t rank) const {
    return static_cast<int64_t>(rank) > fromEnd ? std::optional(rank - fromEnd)
                                                : std::nullopt;
  }
  /// Returns the divided dimension of a tile, if it has it.
  std::optional<size_t> findIn(llvm::ArrayRef<int64_t> shape) const {
    std::optional<size_t> dim = findDim(shape.size());
    return dim && shape[*dim] == size ? dim : std::nullopt;
  }
};

/// What a loop accumulates.
struct Accumulator {
  block::AccumulateOp op;
  /// This is the place of what the loop carries: the sum or maximum so far,
  /// and for a rescaled sum the place of its running maximum among those.
  unsigned carried;
  unsigned maximum = 0;
  /// False where all iterations accumulate the same.
  bool varies = true;
  /// Along these dimensions the parts of lanes and warps are still to be
  /// reduced, after the loop.
  llvm::SmallVector<int64_t, 1> partsDims;

  AccumulateKind getKind() const { return block::AccumulateOp(op).getKind(); }
  bool isRescaled() const { return getKind() == AccumulateKind::RescaledSum; }
};

/// What a loop carries from one iteration to the next.
struct Carried {
  mlir::Value initial;
  /// This is the value before an iteration. An operation stands for it until
  /// the loop is made.
  mlir::Value previous;
  mlir::Value next;
};

/// Returns true if warps write shared memory by an operation.
bool writesSharedMemory(mlir::Operation *op);

/// Returns the loads of a launch's loops that load in each iteration the tile
/// which a load of an earlier loop has loaded in it, and that first one. Both
/// have the same place for it under the schedule.
llvm::DenseMap<mlir::Operation *, block::LoadOp>
findKeptLoads(kernel::LaunchOp launch, const LaunchSchedule &schedule);

/// Returns the operands that can be prepared of the products of a loop, where
/// these read them from shared memory.
llvm::SmallVector<Preparation> findPreparations(block::ForOp loop,
                                                const LaunchSchedule &schedule);

/// How the rows of a tile lie in shared memory by rule: one after the other;
/// with gaps, so that eight of them begin in different banks; or, where the
/// schedule uses wgmma and the tile has whole parts of 8 x 8 elements of 16
/// bits, in chunks as wgmma reads them (`#mirage_thread.chunked`), and
/// otherwise with gaps.
enum class RowPlacement { Dense, Padded, Chunked };

/// Returns how the rows of a load's tile are placed. Transposes and reshapes
/// read tiles by other strides; those that leave rows whole read chunks, too.
RowPlacement getRowPlacement(block::LoadOp load);

/// Returns the steps of a load's tile: where it is the left operand of wgmma,
/// it has room for the rows beyond the end that the instructions read, and
/// where it is the right one, for whole chunks.
RowSteps getRowSteps(block::LoadOp load, const LaunchSchedule &schedule);

/// Returns how many dimensions of a load's tile, before the last one, are the
/// rows of one matrix in memory: all if reshapes read them so.
size_t getNumRowDims(block::LoadOp load);

/// How a tile is to lie in shared memory.
struct RowRequest {
  RowRequest(RowPlacement rule) : rule(rule) {}
  /// The value that an operator of the block graph computes is stored.
  RowRequest(RowPlacement rule, mlir::Value value, const RowSteps &steps = {});

  RowPlacement rule;
  /// The value of the block graph that the tile is, if it is one.
  mlir::Value value;
  /// So many dimensions before the last one are the rows of one matrix.
  size_t rowDims = 1;
  RowSteps steps;
  /// What an attribute says (schedule_c18), which stands above the rule.
  std::optional<RowLayout> wanted;
};

/// Returns how a load's tile is to lie.
RowRequest getRowRequest(block::LoadOp load, const LaunchSchedule &schedule);

/// Returns the rows of a tile of which an attribute says this, or that the rule
/// gives.
RowLayout chooseRows(const RowRequest &request, ShapeRef shape,
                     int64_t elementBytes, const LaunchSchedule &schedule);

/// Returns how an attribute lets the tile lie that an operation loads or
/// computes, if there is one (schedule_c18).
std::optional<RowLayout> getWantedRows(mlir::Operation *op);

/// Fails with an error where what an attribute says of a tile is nothing that
/// it can have, or that what reads it can read.
llvm::LogicalResult checkWantedRows(kernel::LaunchOp launch,
                                    const LaunchSchedule &schedule);

/// A value of the block graph whose tile lies in shared memory.
struct TileInMemory {
  RowRequest request;
  /// The sizes of the tile and of what stands before it: stages, or trips, and
  /// groups of warps.
  Shape shape;
  RowLayout rows;
  /// The buffer of the tile, and others that are views of it.
  llvm::SmallVector<mlir::Value, 1> buffers;
};

/// The shifts of a loop for which the running maximum may stand: all sums that
/// are rescaled by them are proportional to exp(-shift), and nothing else that
/// the loop accumulates depends on them but their maximum.
using RelativeShifts = llvm::SmallDenseSet<mlir::Value, 2>;
RelativeShifts findRelativeShifts(block::ForOp loop);

/// Products of a loop that can be made one iteration later than what stands
/// beside them: the left operand is made of another product of the iteration,
/// and a sum over the loop is all that they are for.
struct DeferredProducts {
  llvm::SmallDenseSet<mlir::Operation *, 2> products;
  /// The tiles that are loaded or prepared for these products alone.
  llvm::SmallDenseSet<mlir::Value, 2> tiles;
};
DeferredProducts findDeferredProducts(block::ForOp loop,
                                      const LaunchSchedule &schedule);

/// Sums of the rows of what products of a loop take as their left operands,
/// which these can make of columns of ones that follow their right operands.
struct ProductSums {
  /// The products by the accumulates of the sums.
  llvm::SmallDenseMap<mlir::Operation *, mlir::Operation *, 2> products;
  /// What would add up the rows.
  llvm::SmallDenseSet<mlir::Operation *, 2> reductions;

  bool makesSums(mlir::Operation *product) const {
    return llvm::any_of(
        products, [&](const auto &entry) { return entry.second == product; });
  }
};
/// Finds those of which nothing but what the products add up is divided: the
/// terms are rounded to the type of the products' operands.
ProductSums findProductSums(block::ForOp loop, const LaunchSchedule &schedule);

} // namespace mirage

#endif // MIRAGE_LIB_CONVERSION_BLOCKTOTHREAD_SCHEDULEDVALUES_H
