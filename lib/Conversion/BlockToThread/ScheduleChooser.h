//===- ScheduleChooser.h - The numbers of a schedule ------------*- C++ -*-===//
//
// Chooses the numbers of a schedule for a launch whose loops have the sizes
// that they will have, and says why.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_CONVERSION_BLOCKTOTHREAD_SCHEDULECHOOSER_H
#define MIRAGE_LIB_CONVERSION_BLOCKTOTHREAD_SCHEDULECHOOSER_H

#include "LaunchShape.h"
#include "Mirage/Schedule/LaunchSchedule.h"
#include "Mirage/Semantics/MatrixInstruction.h"

namespace mirage {

/// Says why a schedule has its numbers: a clause for each of them, without a
/// capital letter and a full stop. Those that do not apply are empty.
struct ScheduleReasons {
  std::string warps, instruction, groups, stages, cluster, loader, persistent,
      deferral, sums, kept;
};

/// Says what a schedule may have.
struct ScheduleLimits {
  int64_t mostWarps;
  /// The blocks of a cluster that share the iterations of loops.
  int64_t clusterBlocks;
  bool mayUseWgmma, mayUseLoader, mayPrepare, mayCopyInBulk, mayComputeMasks,
      mayStay, mayDefer, mayAddByProducts, mayKeep;
  /// Iterations make twice as many columns, which only a loader makes worth it.
  bool isWide;
  /// The cost model finds it fastest that tiles stay which loops load again,
  /// where one block has the shared memory of a multiprocessor.
  bool keepsTiles;
};

class ScheduleChooser {
public:
  ScheduleChooser(kernel::LaunchOp launch, const TargetDescription &target,
                  const ScheduleLimits &limits, ScheduleReasons &why);

  /// Returns a schedule, or none if no number of stages fits.
  std::optional<LaunchSchedule> choose();

private:
  /// Chooses how many warps share tiles where there is no product.
  void shareElements();

  /// Lets such warps have iterations of a loop of their own, instead of parts
  /// of the same tiles, as far as they have registers for it: they exchange
  /// nothing until the loop has ended.
  void shareIterations();

  /// Chooses how many warps share the sums of products that lanes compute.
  void shareLaneSums();

  /// Chooses how many warps share tiles, how many groups of them iterations,
  /// and the instruction.
  void chooseWarps();

  // The warps that share the products.
  /// Say whether the rows of all products fill two warpgroups, and whether a
  /// block may have these since it has a multiprocessor alone.
  bool hasRowsForTwo() const;
  bool mayHaveTwoWarpgroups() const;
  void shareRows();
  /// Returns true if wgmma would compute a product under the schedule, if its
  /// rows were shared by so many warps and its columns by so many.
  bool wouldUseWgmma(int64_t rowWarps, int64_t columnWarps) const;
  int64_t getMostRowWarps();
  void shareColumns();
  void addWarpsForSums();
  void addWarpsForComputedElements();
  /// Returns how many of so many elements a thread of the warps has that share
  /// the rows and columns.
  int64_t getPerThread(int64_t elements) const;

  void chooseInstruction();
  void chooseGroups();

  /// Returns true if two blocks on one multiprocessor have registers for the
  /// sums of a product.
  bool hasRegistersForTwo() const;

  // What depends on the room in shared memory.
  void chooseLoader();
  /// Lets one warp load, which leaves all to the copy engine. Returns false
  /// where tiles cannot come so.
  bool leaveLoadsToEngine();
  /// Returns true if a loop has so many iterations that the copy engine is
  /// worth it, which takes longer than warps do to bring the first tiles.
  bool hasTripsForEngine() const;
  /// Returns how many iterations of a loop each group of warps has at least
  /// that shares them with others.
  int64_t getLeastTrips() const;
  /// Returns true if one warpgroup of rows computes products of which nothing
  /// else is computed in a loop of many iterations: they are shorter than the
  /// way of the tiles, so that many of these had better be on it.
  bool isLongProduct() const;
  /// Returns true if one warpgroup multiplies in each iteration as much as it
  /// does of attention for twice the usual number of keys, and rows stay
  /// together.
  bool hasLongIterations() const;
  /// Lets the loader leave its copies to the copy engine. Returns false where
  /// some tiles cannot come so.
  bool leavesAllToEngine();
  /// Lets as many blocks as there are multiprocessors stay for several of the
  /// grid, where there is room for one at a time.
  void choosePersistence(int64_t resident);
  /// Returns how many registers a thread of the loader needs at least that
  /// leaves all copies to the copy engine.
  int64_t getLoaderNeeds() const;
  /// Returns how many registers each thread can have of the warps that work on
  /// what is loaded, if those that leave copies to the copy engine leave them
  /// more than all have when the block is launched.
  std::optional<int64_t> getMostWorkerRegisters() const;
  /// Lets products run while the warps make their next left operand, where
  /// `resident` blocks on a multiprocessor have registers for it.
  /// Returns true if each group has enough iterations to defer products.
  bool hasTripsToDefer() const;
  void chooseDeferral(int64_t resident);
  void deferByFewerGroups(int64_t resident);
  /// Lets products add up the rows of their left operands, where some can.
  void chooseSums();
  /// Lets tiles stay in shared memory that later loops load again, where all
  /// have room in so many bytes.
  void keepTiles(int64_t capacity);
  /// Chooses the number of stages that fit into so many bytes. Returns false if
  /// there are too few.
  bool chooseStages(int64_t capacity);
  /// Returns the bytes of shared memory of the launch under the schedule with
  /// so many stages, or nothing if it cannot be built.
  std::optional<int64_t> getSharedMemory(int64_t stages);
  /// Returns true if the tiles of all iterations of a block have room at once.
  bool hasRoomForAll();

  static constexpr int64_t warpgroup = WarpgroupInstruction::warps;
  static constexpr int64_t mostWarpsOfBlock = 32, leastStages = 2,
                           mostStages = 8;
  /// The warps that share the rows of a product at most, as a rule. A barrier
  /// of four warps is passed sooner than one of eight, and warps with 32 rows
  /// load the other operand half as often as those with 16.
  static constexpr int64_t mostSharers = 4;
  /// The parts of a product for which a warp has registers where rows stay
  /// together.
  static constexpr int64_t mostPartsPerWarp = 16;
  /// The sums for which a thread has registers beside what it works with, which
  /// are operands too where lanes compute products.
  static constexpr int64_t mostSums = 128, mostSumsOfMmaSync = 96,
                           mostLaneSums = 64;
  /// The sums of products of products for which a thread has registers, all
  /// together: what is made of scores takes the place of those.
  static constexpr int64_t mostChained = 160;

  kernel::LaunchOp launch;
  const TargetDescription &target;
  ScheduleLimits limits;
  ScheduleReasons &why;
  /// Warps may load for one warpgroup alone, since it defers products.
  bool loadsForOneGroup = false;
  LaunchShape shape;
  /// True where the target and the limits admit wgmma.
  bool mayUseWgmma;
  /// True where the columns of products, whose rows are few, may be the rows of
  /// wgmma, and where they are to be.
  bool mayExchange = false, isExchanged = false;
  LaunchSchedule schedule;
  /// True if a block has a multiprocessor alone, since there are no more blocks
  /// or since there is no room for a second one.
  bool isAlone = false;
  /// True if what loops load comes by way of registers, in the kernel that was
  /// tried last.
  bool loopsLoadRegisters = false;
  /// True if the loader leaves all tiles to the copy engine, in the kernel that
  /// was tried last.
  bool loaderOnlyAsks = false;
  /// True if the other warps store tiles to shared memory, in that kernel.
  bool workersStoreShared = false;
};

} // namespace mirage

#endif // MIRAGE_LIB_CONVERSION_BLOCKTOTHREAD_SCHEDULECHOOSER_H
