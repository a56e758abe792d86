//===- LayoutPlanner.h - States layouts as an integer program ---*- C++ -*-===//
//
// States the layouts of the tiles of a scheduled launch as an integer program.
// Its operators are the elementwise ones and the reductions that no product
// binds to the layout of an instruction, and the tiles in shared memory; its
// values are these tiles, those in device memory, and what such operators
// compute.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_CONVERSION_BLOCKTOTHREAD_LAYOUTPLANNER_H
#define MIRAGE_LIB_CONVERSION_BLOCKTOTHREAD_LAYOUTPLANNER_H

#include "IndexMasks.h"
#include "MemoryTiles.h"
#include "Mirage/Schedule/LayoutCosts.h"
#include "Mirage/Schedule/LayoutProgram.h"
#include "PlanLayouts.h"
#include "ScheduledValues.h"
#include "llvm/ADT/EquivalenceClasses.h"

namespace mirage {

/// Says in which memory or in which registers a value of a launch is.
struct PlacedValue {
  /// The tile, whose sizes begin with those of the groups of warps, and how it
  /// lies in memory, if it is there.
  StoredTile tile;
  bool isStored = false;
  /// This operator computes the value, if one of the program does. For each of
  /// its layouts the value lies in the registers that `layouts` says.
  std::optional<unsigned> producer;
  llvm::SmallVector<RegisterLayout, 4> layouts;
  /// How often it is there anew: the trips of its loop.
  int64_t trips = 1;
  /// The number of the tile in shared memory that it is, or a view of, and how
  /// its elements lie for each way in which that may lie.
  std::optional<unsigned> memoryTile;
  llvm::SmallVector<MemoryLayout, 4> memories;

  bool isKnown() const { return isStored || producer; }
  /// Lets the tile lie in memory row by row.
  void store(bool isDevice) {
    isStored = true;
    tile.isDevice = isDevice;
    tile.memory = getRows(tile.shape, tile.elementBytes, !isDevice);
    memoryTile.reset();
    memories.clear();
  }
};

/// An operator, the layouts that it may have, and what they cost.
struct LayoutNode {
  mlir::Operation *op;
  Shape shape;
  /// The first one is that which the lowering takes by itself.
  llvm::SmallVector<RegisterLayout, 4> layouts;
  llvm::SmallVector<double, 4> costs;
  int64_t trips = 1;
};

/// Builds the program of a launch.
class LayoutPlanner {
public:
  /// The tiles are those of the kernel that is made without the plan.
  LayoutPlanner(kernel::LaunchOp launch, const LaunchSchedule &schedule,
                llvm::ArrayRef<MemoryTile> memoryTiles)
      : launch(launch), schedule(schedule), costs(schedule.getNumWarps()),
        memoryTiles(memoryTiles) {}

  LayoutPlan run();
  /// Removes the attributes that the plan has written.
  void undo();

private:
  void findPrepared();
  void findWidths();
  void visit(mlir::Block &block, int64_t trips);
  void visitOperator(ComputeOpInterface op, int64_t trips);
  void visitLayout(ComputeOpInterface op);
  void addNode(ComputeOpInterface op, const Shape &shape, int64_t trips);
  bool isBound(mlir::Operation *op) const;
  void join(mlir::Operation *a, mlir::Operation *b) {
    components.unionSets(a, b);
  }
  void visitOperators();
  void state(LayoutProgram &program, std::vector<LayoutProgram::Choice> &first);
  void stateTiles(LayoutProgram &program,
                  std::vector<LayoutProgram::Choice> &first);
  bool isStated(const MemoryTile &tile) const;
  void keepTiles(const LayoutProgram &program, LayoutProgram::Answer &answer);
  void addValue(LayoutProgram &program, mlir::Value value,
                const PlacedValue &place);

  kernel::LaunchOp launch;
  const LaunchSchedule &schedule;
  const LayoutCosts costs;
  llvm::ArrayRef<MemoryTile> memoryTiles;
  /// The operators of the program that these are.
  llvm::SmallVector<LayoutProgram::Operator, 4> statedTiles;
  std::optional<IndexMasks> masks;
  /// True where threads load tiles into their registers from device memory.
  bool loadsDirectly = false;
  /// The neighbours along a row that a thread may have.
  llvm::SmallVector<int64_t, 4> widths;
  llvm::DenseMap<mlir::Value, PlacedValue> places;
  std::vector<LayoutNode> nodes;
  llvm::DenseMap<mlir::Operation *, unsigned> numbers;
  llvm::DenseSet<mlir::Operation *> prepared;
  /// Operators that pass a tile of one shape on to each other, of which one may
  /// be bound.
  llvm::EquivalenceClasses<mlir::Operation *> components;
  llvm::DenseSet<mlir::Operation *> bound;
  /// Reductions, and the operators that take their results as a whole.
  llvm::SmallVector<std::pair<mlir::Operation *, mlir::Operation *>> reductions;
  /// The attributes that were written.
  llvm::SmallVector<std::pair<mlir::Operation *, llvm::StringRef>> written;
  /// The operators of the program, by their numbers among all.
  llvm::DenseMap<unsigned, LayoutProgram::Operator> stated;
};

} // namespace mirage

#endif // MIRAGE_LIB_CONVERSION_BLOCKTOTHREAD_LAYOUTPLANNER_H
