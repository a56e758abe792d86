//===- ScheduledLaunch.h - Block graphs on registers ------------*- C++ -*-===//
//
// Declares what makes a kernel of a launch with a schedule: tiles lie in
// registers, loads of a loop go through a ring of stages in shared memory,
// products are made of fragments, and a value is stored to shared memory only
// where other threads need it.
//
// Every tile has one dimension more than in the block graph, in front: the
// group of warps that works on an iteration of the loop. It has size one where
// all groups have the same value.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_CONVERSION_BLOCKTOTHREAD_SCHEDULEDLAUNCH_H
#define MIRAGE_LIB_CONVERSION_BLOCKTOTHREAD_SCHEDULEDLAUNCH_H

#include "IndexMasks.h"
#include "IndexSystem.h"
#include "KernelBuilder.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mirage {

class ScheduledLaunchBuilder {
public:
  ScheduledLaunchBuilder(mlir::gpu::GPUFuncOp function, kernel::LaunchOp launch,
                         const LaunchPlaces &places,
                         const LaunchSchedule &schedule, TargetAttr target)
      : builder(function.getContext()), function(function), launch(launch),
        places(places), schedule(schedule), target(target),
        parameters(function.getArguments()) {
    if (schedule.indexMasks)
      masks.emplace(launch);
  }

  llvm::FailureOr<KernelShape> build();

  // Kernels with one code for some parts of an operand, and another one for the
  // others (ScheduledOrders.cpp).
  /// Gives the buffers of the launch other names than the kernel's parameters,
  /// in the same order.
  void setParameters(llvm::ArrayRef<mlir::Value> buffers) {
    parameters.assign(buffers.begin(), buffers.end());
  }
  /// Leaves blocks to another code whose tiles of an operand lie in other parts
  /// than those that are `taken`.
  void leaveParts(size_t operand, llvm::ArrayRef<bool> taken) {
    choice = {operand, llvm::SmallVector<bool, 4>(taken), {}};
  }
  /// Returns where the code of these blocks belongs.
  mlir::Block *getOtherBlocks() { return choice->branch.elseBlock(); }
  /// Lets the kernel be built there. What ends a kernel is emitted elsewhere.
  void buildAt(mlir::Block *place) { start = place; }

private:
  // The order of the kernel.
  llvm::LogicalResult convertBlock(mlir::Block &block);
  llvm::LogicalResult convert(mlir::Operation &op);
  llvm::LogicalResult convertLoop(block::ForOp loop);
  llvm::LogicalResult convertBody(block::ForOp loop);
  mlir::scf::ForOp carryValues(mlir::scf::ForOp body);
  /// What a loop carries, when it has ended.
  using CarriedValues = llvm::SmallVector<mlir::Value>;
  void finishLoop(block::ForOp loop, CarriedValues values);
  void issueLoads(mlir::Block &block);
  void awaitLoads();

  void setRegisters();

  // Blocks that stay for several of the grid (ScheduledTurns.cpp).
  llvm::LogicalResult convertInTurns();
  mlir::scf::ForOp beginTurns(mlir::Location loc);
  void endTurn(mlir::scf::ForOp turns, mlir::Value numTrips);
  void fillStagesInTurns(block::ForOp loop, int64_t groups);
  bool leaveToLoader(block::LoadOp load);
  void bringResidents(mlir::Location loc);
  int64_t getPersistentBlocks();

  // Loads and stores.
  /// How a tile in device memory comes to its place in shared memory.
  struct Transfer {
    explicit Transfer(mlir::Location loc) : loc(loc) {}

    mlir::Location loc;
    mlir::Value source, target;
    llvm::SmallVector<mlir::Value> sourceOffsets, targetOffsets;
    /// The number of the part that the tile lies in, where parts of the source
    /// have buffers of their own.
    mlir::Value part;
    Shape sizes;
    /// What there is of the tile; see mirage_thread.copy.
    mlir::DenseI64ArrayAttr exist, clipped;
  };
  Transfer getTransfer(block::LoadOp load, mlir::Value buffer,
                       llvm::ArrayRef<mlir::Value> slot, mlir::Value iteration);
  /// How a tile is loaded into registers: cut along a dimension into parts of
  /// so many elements, by so many warps.
  struct Parts {
    size_t dim = 0;
    int64_t size = 1;
    int64_t warps = 1;
    /// The registers of a thread for a part, and for all of them.
    int64_t registersOfPart = 0, registers = 0;
  };
  /// Begins to bring a tile to its place, by an asynchronous copy, which it
  /// returns, or by way of registers.
  thread::CopyOp beginTile(block::LoadOp load, mlir::Value buffer,
                           llvm::ArrayRef<mlir::Value> slot,
                           mlir::Value iteration,
                           const std::optional<Parts> &parts);
  void prepareLoop(block::ForOp loop);
  void createRings(block::ForOp loop);
  void createKeptRing(block::LoadOp load);
  void loadFirst(block::ForOp loop);
  void findResidentTiles(block::ForOp loop);
  mlir::Value limitTrip(mlir::Location loc, mlir::Value trip);
  /// How the tiles of a loop come: by the copy engine, or by copies of the
  /// threads. Those that go by way of registers are begun before an iteration
  /// computes, or where there are no registers for them, after it.
  enum class Passage : uint8_t { Bulk, Copied, LoadedEarly, LoadedLate };
  /// Begins the loads of a trip, or of those tiles of it that deferred products
  /// take, or that these don't.
  void issueStage(block::ForOp loop, Passage passage, mlir::Value stage,
                  mlir::Value trip,
                  std::optional<bool> areDeferred = std::nullopt);
  void issueStage(block::ForOp loop, Passage passage, int64_t group,
                  mlir::Value stage, mlir::Value trip,
                  std::optional<bool> areDeferred = std::nullopt);
  void loadAhead(block::ForOp loop, mlir::Value trip);
  void placeStage(mlir::Value stage, mlir::Value trip);
  /// Returns the iteration that the first group of this block executes in a
  /// trip.
  mlir::Value getIteration(mlir::Location loc, mlir::Value trip);
  /// Stores a block's part of a tensor, or the tile of an iteration that is put
  /// together with those of others.
  llvm::LogicalResult convertStore(block::StoreOp store,
                                   block::AccumulateOp iteration = {});
  llvm::SmallVector<RegisterLayout, 1>
  findGathered(const Tile &tile, const RegisterLayout &layout) const;
  bool isWorthGathering(const Tile &tile, const RegisterLayout &layout) const;
  mlir::DenseI64ArrayAttr getClipped(size_t number,
                                     mlir::RankedTensorType tensor);

  // Tiles whose rows are not aligned (ScheduledUnaligned.cpp).
  /// A thread has so many registers for tiles on their way while it computes.
  static constexpr int64_t mostPassingRegisters = 96;
  std::optional<Parts> getParts(block::LoadOp load, mlir::Value buffer,
                                int64_t warps);
  void loadInParts(const Transfer &transfer, const Parts &parts);
  void storePassingTiles();
  void choosePassages();
  bool hasPassage(Passage passage) const;
  void finishAhead(block::ForOp loop);

  // Tiles that the copy engine brings (ScheduledBulkCopies.cpp).
  struct Ring;
  std::optional<thread::TensorMapType> findTensorMap(const Ring &ring);
  mlir::Value getTensorMap(size_t parameter, thread::TensorMapType type);
  llvm::SmallVector<mlir::Value, 1> getTensorMaps(block::LoadOp load,
                                                  thread::TensorMapType type);
  mlir::Value selectMap(const Ring &ring, const Transfer &transfer);
  void chooseBulkCopies();
  /// Lets the copy engine bring what a transfer says to the stage of a trip.
  void copyInBulk(const Ring &ring, const Transfer &transfer,
                  mlir::TypedValue<thread::RingType> stages, mlir::Value trip,
                  int64_t group);
  void beginBulkCopy(const Ring &ring, int64_t group, mlir::Value stage,
                     mlir::Value trip, mlir::Value iteration);

  // Masks that are computed of indices (ScheduledMasks.cpp).
  bool isComputedMask(block::LoadOp load) const;
  mlir::Value getMaskSum(mlir::Location loc, const MaskPlace &place,
                         mlir::Value iteration);
  void findTrips(block::ForOp loop);
  /// Chooses which dimensions of the GPU's grid are those of the launch.
  void orderBlocks();
  llvm::SmallBitVector findSharedDims();
  /// Gives the blocks their numbers from the last one on, along the dimensions
  /// where that is so.
  void reverseBlocks();
  void placeMask(block::LoadOp load, mlir::Value iteration, int64_t groups);
  /// Does the same for all masks of a loop that vary with its trips.
  void placeMasks(block::ForOp loop, mlir::Value trip);
  mlir::Value createMask(mlir::Location loc, const Tile &tile,
                         const RegisterLayout &layout);
  bool mapMask(ComputeOpInterface op);
  /// Emits an elementwise operator one of whose operands, for which there is no
  /// value, is a mask.
  mlir::Value createMaskedOperator(ComputeOpInterface op,
                                   const OpAttributes &attrs,
                                   llvm::SmallVector<mlir::Value> operands,
                                   const RegisterLayout &layout);

  // Tiles that need no shared memory (ScheduledDirectLoads.cpp).
  void loadDirectly();
  static std::optional<RegisterLayout>
  getDirectLayout(thread::CopyOp copy, thread::LoadFragmentOp reader);
  void eraseWaits();

  // What attributes of single operations say (ScheduledWays.cpp).
  static bool mayComeInBulk(block::LoadOp load);
  static bool mayLoadDirectly(block::LoadOp load);
  void noteWays();
  llvm::LogicalResult checkWays();
  llvm::LogicalResult checkPlacedRows();

  // Warps that load and prepare (ScheduledLoader.cpp).
  void convertLoader(block::ForOp loop, mlir::scf::ForOp body);
  void fillStagesInOrder(block::ForOp loop, int64_t groups, mlir::Value first,
                         mlir::Value end);
  void fillStages(block::ForOp loop, int64_t groups);
  mlir::TypedValue<thread::RingType>
  createRing(mlir::Location loc, int64_t stages, int64_t groups, int64_t lanes);
  void createLoopRings(mlir::scf::ForOp body, int64_t groups);
  void fillStage(block::ForOp loop, int64_t groups, mlir::Value stage,
                 mlir::Value trip, bool areDeferred, bool passesOn);
  void fillAndPassOn(block::ForOp loop, int64_t groups, mlir::Value trip,
                     bool areDeferred);
  void passStageOn(mlir::Location loc, int64_t groups, mlir::Value stage,
                   mlir::Value trip, bool areDeferred);
  /// Returns the mbarriers of the stages that tiles of this kind go to.
  mlir::TypedValue<thread::RingType> getStages(bool areDeferred) const {
    return areDeferred ? state->deferredStages : state->stages;
  }
  /// Returns those on which the loader waits for such tiles itself, as the copy
  /// engine brings them and it prepares operands of them; null where it does
  /// not.
  mlir::TypedValue<thread::RingType> getArrivals(bool areDeferred) const {
    return areDeferred ? state->deferredArrivals : state->arrivals;
  }
  llvm::SmallVector<Preparation> getPreparations(bool areDeferred) const;
  bool isReadByGroups();
  llvm::SmallVector<mlir::Operation *> getRingUsers();
  void findPreparations(block::ForOp loop);
  RegisterLayout getPreparationLayout(const Preparation &preparation,
                                      llvm::ArrayRef<int64_t> shape,
                                      mlir::Type element);
  void prepareTile(const Preparation &preparation, mlir::Value stage,
                   int64_t group);

  // Operators.
  llvm::LogicalResult convertOperator(ComputeOpInterface op);
  mlir::Value createOperator(mlir::Location loc, OpKind kind,
                             const OpAttributes &attrs,
                             llvm::ArrayRef<mlir::Value> operands,
                             mlir::Type element, const RegisterLayout &layout);
  void convertElementwise(ComputeOpInterface op);
  llvm::LogicalResult checkPreparedLayouts();
  llvm::LogicalResult checkRegisterLayout(ComputeOpInterface op);
  llvm::LogicalResult checkResultLayout(ComputeOpInterface op);

  // Reductions (ScheduledReductions.cpp).
  void convertReduction(ComputeOpInterface op);
  bool reduceInLanes(ComputeOpInterface op, mlir::Value fragment);
  mlir::Value reduceParts(mlir::Location loc, mlir::Value parts,
                          llvm::ArrayRef<int64_t> dims, ReduceKind kind);
  mlir::Value reduce(mlir::Location loc, mlir::Value operand, int64_t dim,
                     ReduceKind kind, mlir::Type element);
  mlir::Value reduceOverWarps(mlir::Location loc, Tile &source,
                              mlir::Value fragment, int64_t dim,
                              ReduceKind kind, mlir::Type element);
  mlir::Value reduceInParts(mlir::Location loc, mlir::Value fragment,
                            const Shape &split, const RegisterLayout &layout,
                            int64_t dim, ReduceKind kind, mlir::Type element);
  void convertLayout(ComputeOpInterface op);
  mlir::Value createSharedView(mlir::Value buffer, size_t leading,
                               const Tile &tile,
                               llvm::ArrayRef<int64_t> strides,
                               int64_t bytes = 0);
  llvm::SmallVector<int64_t> placeInStrides(mlir::Value operand, Tile &source,
                                            RowPlacement rows);
  std::optional<Tile> viewInChunks(ComputeOpInterface op, const Tile &source,
                                   Tile tile);
  Tile viewInMemory(ComputeOpInterface op, Tile source,
                    const OpAttributes &attrs, Tile tile);
  void convertPad(ComputeOpInterface op);
  void convertSlice(ComputeOpInterface op);
  void convertConcat(ComputeOpInterface op);
  /// Returns a tile's registers in a layout of which each access moves one
  /// element.
  RegisterLayout getScalarLayout(llvm::ArrayRef<int64_t> shape) const;
  /// Returns the fragment with a number in the places beyond the end of a
  /// dimension, which become a part of it.
  mlir::Value fillBeyond(mlir::Value fragment, int64_t dim, double value);
  void convertMatmul(ComputeOpInterface op);
  mlir::Value multiply(ComputeOpInterface op, mlir::Value accumulator);
  mlir::Value multiplyByWarpgroups(mlir::Operation *product, mlir::Value lhs,
                                   mlir::Value rhs, mlir::Value accumulator,
                                   bool transposeLhs, bool transposeRhs);
  mlir::Value multiplyInLanes(ComputeOpInterface op, mlir::Value lhs,
                              mlir::Value rhs, mlir::Value accumulator,
                              int64_t lhsDim, int64_t rhsDim);
  /// Returns the fragment with its last two dimensions exchanged.
  mlir::Value exchange(mlir::Value fragment);
  bool isInChunks(const Tile &tile) const;
  mlir::Value getPiece(mlir::Operation *product, mlir::Value value,
                       MatrixRole role, bool transposed, int64_t dim,
                       int64_t from, int64_t size);
  /// The elements along the contracted dimension that are in registers at a
  /// time.
  static constexpr int64_t piecesOfDepth = 32;

  // Parts of a softmax (ScheduledSoftmax.cpp). Each returns false where it does
  // not apply, and emits nothing then.
  bool convertMaximumOfScaled(ComputeOpInterface op);
  bool convertExpOfDifference(ComputeOpInterface op);
  bool convertQuotientOfRows(ComputeOpInterface op);
  mlir::Value scale(mlir::Location loc, mlir::Value operand, double factor);

  // Accumulators.
  mlir::Value addCarried(mlir::Location loc, mlir::RankedTensorType type,
                         double initial);
  unsigned getRunningMaximum(mlir::Value shift);
  /// Returns exp(from - to), and one where they are equal: also for infinite
  /// ones.
  mlir::Value getRescaling(mlir::Location loc, mlir::Value from,
                           mlir::Value to);
  class Accumulation;

  // Sums of rows that products make (ScheduledSums.cpp).
  /// Adds the columns of such sums to the shape and the layout of a product's
  /// accumulator.
  void addSumColumns(mlir::Operation *product, Shape &shape,
                     RegisterLayout &layout) const;
  /// Returns the memory with the ones that follow the right operand of a
  /// product that makes such sums, and null for others.
  mlir::Value getOnes(mlir::Operation *product);
  void noteProductSum(block::AccumulateOp op);
  /// Separates the sums of rows from those of products, and puts them behind
  /// what a loop carries.
  void separateProductSums(CarriedValues &values);
  void joinTiles(block::AccumulateOp op);

  // Products that are made in the next iteration (ScheduledDeferral.cpp).
  void findDeferredTiles(block::ForOp loop);
  bool leavesProductsOf(block::ForOp loop);
  llvm::FailureOr<CarriedValues> deferProducts(mlir::scf::ForOp loop);
  class Deferral;

  // What groups and blocks have accumulated (ScheduledMerge.cpp).
  void mergeAccumulators(llvm::ArrayRef<Accumulator> accumulators,
                         CarriedValues values, block::ForOp loop);
  class PartMerger;
  mlir::Value getClusterBuffer(mlir::Location loc, mlir::Value buffer);
  mlir::Value createInbox(mlir::Location loc, int64_t numBytes);
  bool hasRoomFor(int64_t size);

  // What each block of a cluster has of that (ScheduledDivision.cpp).
  std::optional<llvm::DenseMap<mlir::Value, int64_t>>
  divideResults(block::ForOp loop, llvm::ArrayRef<mlir::Value> results,
                int64_t dim, int64_t size) const;
  void chooseSlice(block::ForOp loop, llvm::ArrayRef<Accumulator> accumulators);
  mlir::Value getSliceStart(mlir::Location loc);
  Tile storeForParts(mlir::Location loc, mlir::Value value, size_t dim);
  llvm::SmallVector<std::pair<mlir::Value, Tile>, 2>
  takeParts(mlir::Operation &op);
  /// Returns the shape of a value's tile: the group's dimension, then those of
  /// its type, of which one may be divided.
  Shape getTileShape(mlir::Value value, int64_t groups) const;
  /// Returns that of a constant which an elementwise operator reads.
  Shape getConstantShape(mlir::Operation &op, mlir::Value constant) const;

  // Tiles.
  mlir::RankedTensorType getType(llvm::ArrayRef<int64_t> shape,
                                 mlir::Type element,
                                 const RegisterLayout &layout);
  /// Returns the registers of a tile in a layout, from registers or from
  /// memory.
  mlir::Value getFragment(mlir::Value value, const RegisterLayout &layout);
  bool isComputedAgain(mlir::Value value) const;
  mlir::Value computeAgain(mlir::Value value, const RegisterLayout &layout);
  mlir::Value createSplat(mlir::Operation &op, mlir::Value value);
  mlir::Value loadTile(mlir::Location loc, Tile &tile,
                       const RegisterLayout &layout);
  /// Any registers that hold the tile.
  mlir::Value getAnyFragment(mlir::Value value);
  /// Lets what is stored to shared memory from here on replace what was read
  /// there before.
  void orderStores(mlir::Location loc);
  void storeToShared(mlir::Location loc, Tile &tile, const RowRequest &rows);
  /// Allocates a tile in shared memory.
  mlir::Value allocate(mlir::Location loc, llvm::ArrayRef<int64_t> shape,
                       mlir::Type element, const RowRequest &request);
  /// Returns the value of which this is the buffer, or null.
  TileInMemory *findTileInMemory(mlir::Value buffer);
  void eraseBuffer(mlir::Value buffer);
  RegisterLayout getVectorLayoutOf(llvm::ArrayRef<int64_t> shape,
                                   mlir::Type element);
  std::optional<RegisterLayout> findOperandLayout(mlir::Value value);
  RegisterLayout getOperandLayout(mlir::Operation *product, MatrixRole role,
                                  llvm::ArrayRef<int64_t> shape,
                                  bool transposed);
  /// Returns the shape of a product's tile of sums with the columns that it
  /// gets where it becomes an operand of another product.
  Shape getPlacedShape(mlir::Operation *product,
                       llvm::ArrayRef<int64_t> shape) const;
  /// Returns the layout of a product's sums, which have this shape.
  RegisterLayout getAccumulatorLayout(mlir::Operation *product,
                                      llvm::ArrayRef<int64_t> shape) const;
  /// How the warps share a product: as the schedule says, or, where the rows
  /// are too few, with more of the warps along the columns. Where its operands
  /// are exchanged, the grid is that of the exchanged product.
  WarpGrid getWarpGrid(mlir::Operation *product) const;
  mlir::Value constant(mlir::Location loc, double value,
                       llvm::ArrayRef<int64_t> shape, mlir::Type element);
  mlir::Value index(mlir::Location loc, int64_t value) {
    return mlir::arith::ConstantIndexOp::create(builder, loc, value);
  }
  /// The number of the present loop's first trip among all of the kernel's
  /// block, and a number of trips as one of those.
  mlir::Value getFirstTrip(mlir::Location loc) {
    return tripsBefore ? tripsBefore : index(loc, 0);
  }
  mlir::Value addTripsBefore(mlir::Location loc, mlir::Value number) {
    return tripsBefore
               ? mlir::arith::AddIOp::create(builder, loc, number, tripsBefore)
               : number;
  }
  /// The stage of a trip's tiles. Trips have fewer bits than indices: division
  /// by a number that is no power of two takes many instructions of 64 bits,
  /// between products that wait for it.
  mlir::Value getStage(mlir::Location loc, mlir::Value trip);
  /// The number of trips of the present loop.
  mlir::Value getNumTrips(mlir::Location loc) {
    return state->numTrips ? state->numTrips : index(loc, state->mostTrips);
  }
  /// A barrier of the warps that work on what is loaded.
  void barrier(mlir::Location loc) {
    if (loader)
      thread::BarrierOp::create(builder, loc);
    else
      mlir::gpu::BarrierOp::create(builder, loc);
  }
  bool isVarying(mlir::Value value) const { return varying.contains(value); }

  mlir::OpBuilder builder;
  mlir::gpu::GPUFuncOp function;
  kernel::LaunchOp launch;
  const LaunchPlaces &places;
  LaunchSchedule schedule;
  TargetAttr target;
  /// The buffers of operands and results, and of further parts of them.
  llvm::SmallVector<mlir::Value> parameters;
  /// The parts of an operand that the code is for, and the branch to it.
  struct BlockChoice {
    size_t operand;
    llvm::SmallVector<bool, 4> taken;
    mlir::scf::IfOp branch;
  };
  std::optional<BlockChoice> choice;
  void beginChosenBlocks();
  /// The code begins in this block. It is null where the code begins with the
  /// kernel.
  mlir::Block *start = nullptr;
  /// The masks that are computed of indices, where the schedule says so.
  std::optional<IndexMasks> masks;
  /// How tiles of them are computed.
  llvm::SmallVector<ComputedMask, 0> computedMasks;
  llvm::SmallVector<mlir::Value, 3> blockIds;
  /// The dimension of the launch's grid that each dimension of the GPU's is,
  /// and for each of the launch's whether its blocks begin with the last one.
  struct BlockOrder {
    llvm::SmallVector<size_t> dims;
    llvm::SmallVector<bool> isReversed;
  };
  BlockOrder order;
  /// The number of the kernel's block, where it stays for several of the grid,
  /// and how many trips it has executed for those before the present one.
  mlir::Value persistentBlock, tripsBefore;
  /// The present turn of such a block, or zero.
  mlir::Value turn;
  /// The trips of the loop that was converted last.
  mlir::Value lastTrips;
  /// What the warps execute that only load, where there are such warps.
  thread::LoaderOp loader;
  bool loaderPrepared = false;
  /// The block's number in its cluster, where there are clusters.
  mlir::Value clusterRank;
  std::optional<Slice> slice;
  /// The loop's results and what is computed of them, of which each block has
  /// its part, and the dimension of their types that is divided.
  llvm::DenseMap<mlir::Value, int64_t> slicedDims;
  /// This block's parts of what all have as a whole, by the dimension of the
  /// tile that is divided.
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, Tile> parts;
  llvm::DenseMap<mlir::Value, Tile> tiles;
  /// These values differ between the iterations of the present loop.
  llvm::DenseSet<mlir::Value> varying;
  /// So many bytes of shared memory are given away.
  int64_t bytes = 0;
  /// Those of them that held the stages of the last loop, from one byte on and
  /// up to another. They may be used again after a barrier.
  int64_t freeBegin = 0, freeEnd = 0;
  bool freeNeedsBarrier = false;
  /// True while copies are on their way that nobody has waited for.
  bool loadsPending = false;

  /// A tile on its way through registers, and where it goes.
  struct PassingTile {
    mlir::Value fragment, buffer;
    llvm::SmallVector<mlir::Value> offsets;
    int64_t registers;
  };
  llvm::SmallVector<PassingTile> passingTiles;

  /// The operands of the launch of which the kernel's last parameters are
  /// tensor maps, in order.
  llvm::SmallVector<size_t> mappedArguments;

  // The loop that is being converted.
  struct Ring {
    block::LoadOp load;
    mlir::Value buffer;
    Passage passage = Passage::Copied;
    std::optional<Parts> parts = std::nullopt;
    /// True if the tiles of all trips stay in the buffer, for later loops.
    bool isKept = false;
    /// The tensor maps by which the copy engine brings its tiles, one for each
    /// part of the source that has a buffer of its own.
    llvm::SmallVector<mlir::Value, 1> maps = {};
  };
  /// A trip whose tiles are loaded while an earlier one computes, the stage to
  /// which they go, and whether there is such a trip.
  struct TripAhead {
    mlir::Value trip, stage, exists;
  };
  /// How the loads come that have been converted.
  llvm::SmallVector<std::pair<block::LoadOp, CopyWay>> copyWays;
  /// The values of the block graph that lie in shared memory.
  llvm::SmallVector<TileInMemory, 0> placedTiles;
  /// The asynchronous copies of what no loop loads.
  llvm::SmallVector<std::pair<block::LoadOp, thread::CopyOp>> firstCopies;
  /// The tiles that the loader brings before those of a loop, in each turn of a
  /// block that stays, and the mbarriers of their stages.
  llvm::SmallVector<Ring> residents;
  mlir::TypedValue<thread::RingType> residentStages;
  /// The ones that products of each element type and number of columns take.
  llvm::DenseMap<std::pair<mlir::Type, int64_t>, mlir::Value> onesOf;
  /// The memory of what loads of earlier loops have brought, where it stays.
  llvm::DenseMap<mlir::Operation *, mlir::Value> keptBuffers;
  struct LoopState {
    block::ForOp loop;
    llvm::SmallVector<Ring> rings;
    /// What earlier loops have loaded, and where it is.
    llvm::SmallVector<std::pair<block::LoadOp, mlir::Value>> keptTiles;
    llvm::SmallVector<Preparation> preparations;
    /// The rings lie in these bytes of shared memory, from one on and up to
    /// another.
    int64_t begin = 0, end = 0;
    bool isPrepared = false;
    /// The trips that a loop has at most. Where masks leave nothing of some, a
    /// block has `numTrips` of them, from `firstTrip` on or from zero. The
    /// trips of the kernel's loop are counted from there, and where a block
    /// stays for several of the grid, from behind those of the blocks before.
    int64_t mostTrips = 0;
    mlir::Value firstTrip, numTrips;
    /// The bytes of shared memory that tiles have which are loaded before the
    /// loop, and which nothing behind it takes.
    int64_t residentBegin = 0, residentEnd = 0;
    /// The mbarriers of the stages, where there is a loader, and those of the
    /// tiles that deferred products take, which are read one trip later.
    mlir::TypedValue<thread::RingType> stages, deferredStages;
    /// Those on which the loader waits for what the copy engine brings, where
    /// it prepares operands of that.
    mlir::TypedValue<thread::RingType> arrivals, deferredArrivals;
    DeferredProducts deferrals;
    ProductSums sums;
    /// What deferred products add to, as a place among what the loop carries,
    /// and the sums in an iteration.
    llvm::SmallVector<std::pair<unsigned, mlir::Value>, 2> deferred;
    TripAhead ahead;
    /// True if a barrier stands in the body before all tiles that are stored.
    bool hasBarrier = false;
    /// This is the temporary loop; what does not vary is computed before it.
    mlir::scf::ForOp body;
    llvm::SmallVector<Carried> carried;
    llvm::SmallVector<Accumulator> accumulators;
    bool isPreparedByLoader(mlir::Operation *op) const {
      return llvm::any_of(preparations, [&](const Preparation &preparation) {
        return llvm::is_contained(preparation.operations, op);
      });
    }
    /// What puts tiles together, and the tiles that this makes.
    llvm::SmallVector<std::pair<block::AccumulateOp, Tile>> joined;
    /// These are the running maxima by shift.
    llvm::DenseMap<mlir::Value, unsigned> maxima;
    RelativeShifts relativeShifts;
    /// The running maxima after this iteration, for rescaled sums.
    llvm::DenseMap<mlir::Value, mlir::Value> newMaxima;
  };
  std::optional<LoopState> state;
  /// True while the loader's warps prepare a tile, and if a barrier of theirs
  /// stands before all that they store for it.
  bool isPreparing = false, hasPreparationBarrier = false;
};

} // namespace mirage

#endif // MIRAGE_LIB_CONVERSION_BLOCKTOTHREAD_SCHEDULEDLAUNCH_H
