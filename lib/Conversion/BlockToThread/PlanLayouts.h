//===- PlanLayouts.h - Layouts of a launch's tiles --------------*- C++ -*-===//
//
// Chooses the layouts in which the operators of a scheduled launch are
// executed, and how its tiles lie in shared memory, by an integer program
// (Mirage/Schedule/LayoutProgram.h).
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_CONVERSION_BLOCKTOTHREAD_PLANLAYOUTS_H
#define MIRAGE_LIB_CONVERSION_BLOCKTOTHREAD_PLANLAYOUTS_H

#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "Mirage/Schedule/LaunchSchedule.h"

namespace mirage {

/// What the integer program says of the operators of a launch that are free to
/// have any layout, those that no product binds to the layout of an
/// instruction, and of its tiles in shared memory.
struct LayoutPlan {
  /// How many there are, and layouts among which they choose, all together.
  unsigned operators = 0, layouts = 0;
  /// How many tiles there are, how many of them may lie in several ways, and
  /// these ways, all together.
  unsigned tiles = 0, freeTiles = 0, ways = 0;
  /// How many of them lie in another way than the rule says.
  unsigned movedTiles = 0;
  /// The clocks of a multiprocessor that a block takes for them, for what they
  /// load, store and exchange, and for bringing tiles and reading them: with
  /// the layouts that the lowering takes by itself, as planned, and at least.
  double byDefault = 0, clocks = 0, bound = 0;
  /// True where the bound of the operators by themselves did not suffice.
  bool usedSolver = false;
  /// True where the lowering cannot make a kernel with the layouts, as it makes
  /// some operators parts of others, and takes its own.
  bool isRefused = false;

  /// True where fewer blocks would have room if all tiles lay as they would
  /// best, or the lowering cannot let them: the plan is another one.
  bool lacksRoom = false;

  bool isEmpty() const { return operators == 0 && freeTiles == 0; }
  bool isOptimal() const { return clocks <= bound + 1e-6; }
  bool saves() const { return clocks < byDefault - 1e-6; }
  /// Takes the answer of a plan with fewer ways.
  void take(const LayoutPlan &other) {
    movedTiles = other.movedTiles;
    if (other.isEmpty()) {
      clocks = bound = byDefault;
      return;
    }
    byDefault = other.byDefault;
    clocks = other.clocks;
    bound = other.bound;
    usedSolver |= other.usedSolver;
  }
};

/// Plans the layouts of a launch of which findScheduleObstacle finds nothing in
/// the way of a schedule. Where they save anything, and the kernel can be built
/// so, each free operator gets the attribute `mirage_thread.register_layout`,
/// and each tile that is to lie in another way than the rule says
/// `mirage_thread.memory_layout`.
LayoutPlan planLayouts(kernel::LaunchOp launch, const LaunchSchedule &schedule);

} // namespace mirage

#endif // MIRAGE_LIB_CONVERSION_BLOCKTOTHREAD_PLANLAYOUTS_H
