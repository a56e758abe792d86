//===- KernelBlock.h - One block of a kernel --------------------*- C++ -*-===//
//
// Runs the body of a kernel for one block, operation by operation for all of
// its threads. No thread is ahead of another one, but CheckedMemory reports
// what depends on that.
//
// Operations of mirage_thread are executed by all threads of the block
// together. Scalars may differ between threads; where a condition does, only
// other scalars may be computed under it.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_INTERPRETER_IR_KERNELBLOCK_H
#define MIRAGE_LIB_INTERPRETER_IR_KERNELBLOCK_H

#include "Mirage/Dialect/Thread/IR/ThreadDialect.h"
#include "Mirage/Interpreter/Kernels/CheckedMemory.h"
#include "Mirage/Interpreter/Kernels/RegisterTile.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <deque>
#include <memory>

namespace mirage {

/// A memref: elements of a memory.
struct MemoryView {
  CheckedMemory *memory = nullptr;
  /// The memories of a cluster's blocks, one for each index of the first
  /// dimension, where the elements are in these.
  llvm::ArrayRef<CheckedMemory *> ofCluster;
  int64_t firstByte = 0;
  ElementType element = ElementType::f32;
  Shape shape;
  MemoryLayout layout;

  int64_t getByte(int64_t index) const {
    if (!ofCluster.empty())
      index %= layout.strides.front();
    return firstByte + layout.getPlace(index) * byteSize(element);
  }
  CheckedMemory &getMemory(int64_t index) const {
    return ofCluster.empty() ? *memory
                             : *ofCluster[index / layout.strides.front()];
  }
};

/// Returns the view that a memref type describes, or an error at `op` where its
/// elements are not of a type of floats.
mlir::FailureOr<MemoryView> makeView(mlir::Operation *op, mlir::MemRefType type,
                                     CheckedMemory *memory, int64_t firstByte);

/// Returns a memory under the shape of a cast, or reports that the cast does
/// more than give it another shape.
mlir::FailureOr<MemoryView> castView(mlir::memref::ReinterpretCastOp op,
                                     const MemoryView &source);

/// Says where the threads' registers of a tile lie in a box of memory, relative
/// to the box's first element. It is the same for every block and iteration.
struct TileAccess {
  std::vector<int64_t> threadOffsets, registerOffsets;
  /// Those of thread t's register r, at t * registers + r, where they are no
  /// sums of the two.
  std::vector<int64_t> offsets;
  /// Says whether thread t's register r is inside of the tile, at t * registers
  /// + r; empty where all are.
  std::vector<bool> isInside;
  std::vector<bool> isFirstReplica;
  /// The elements of which a multiple must stand before the box.
  int64_t alignment = 1;
  /// This is true if lanes address elements for each other, as ldmatrix does.
  bool loadsTogether = false;

  TileAccess() = default;
  /// The access to a tile in a view; `isMatrixLoad` if ldmatrix may load it.
  TileAccess(const TileType &type, const MemoryView &view, int64_t threads,
             bool isMatrixLoad);
};

/// What the blocks of a launch share.
struct KernelLaunch {
  explicit KernelLaunch(AccessOrder &order) : order(order) {}

  mlir::gpu::GPUFuncOp function;
  llvm::SmallVector<MemoryView> arguments;
  /// The data of the module that the kernel reads, by their names.
  llvm::DenseMap<mlir::Attribute, MemoryView> constants;
  Shape grid;
  /// The threads of a block that tiles speak of, and those that only load.
  int64_t threads = 0, loaderThreads = 0;
  int64_t sharedBytes = 0, clusterBlocks = 1;
  AccessOrder &order;
  /// The accesses of operations to memory.
  llvm::DenseMap<std::pair<mlir::Operation *, mlir::Value>, TileAccess>
      accesses;
  /// The operations by the numbers that accessors have.
  llvm::SmallVector<mlir::Operation *> sites;
  llvm::DenseMap<mlir::Operation *, uint32_t> siteNumbers;
  /// The bytes that were pushed to the block with this shared memory.
  llvm::DenseMap<CheckedMemory *, int64_t> pushedBytes;
  /// What the warps of the block with this shared memory know of its loader.
  llvm::DenseMap<CheckedMemory *, const LoaderKnowledge *> knowledge;

  uint32_t getSite(mlir::Operation *op);
};

class KernelBlock {
public:
  KernelBlock(KernelLaunch &launch, Shape id);

  CheckedMemory &getSharedMemory() { return shared; }
  /// Gives the shared memories of the blocks of the cluster, by their ranks.
  void setCluster(llvm::ArrayRef<CheckedMemory *> memories) {
    cluster = memories;
  }
  /// Runs the block up to where it waits for others of its cluster, or to its
  /// end.
  llvm::LogicalResult run();
  /// The operation at which the block waits, or null after its end.
  mlir::Operation *getBarrier() const { return waitsAt; }

private:
  friend class ElementComputation;
  friend class BufferProduct;

  /// Bytes on their way to memory.
  struct PendingCopy {
    CheckedMemory *memory;
    int64_t byte;
    std::vector<char> bytes;
    Accessor who;
  };
  using CopyGroup = std::vector<PendingCopy>;

  // Control flow and scalars (KernelBlock.cpp, KernelControl.cpp).
  /// A scalar: one value, or one for each thread.
  using Scalar = llvm::SmallVector<mlir::Attribute, 1>;
  llvm::LogicalResult runOperations(mlir::Block &block);
  llvm::LogicalResult run(mlir::Operation *op);
  llvm::LogicalResult runScalar(mlir::Operation *op);
  mlir::FailureOr<Scalar> fold(mlir::Operation *op, unsigned thread);
  llvm::LogicalResult run(mlir::scf::ForOp loop);
  llvm::LogicalResult run(mlir::scf::IfOp choice);
  llvm::LogicalResult runDivergent(mlir::scf::IfOp choice,
                                   const Scalar &condition);
  llvm::LogicalResult run(mlir::gpu::ThreadIdOp id);
  void setIndex(mlir::Value value, int64_t number);
  mlir::FailureOr<int64_t> getIndex(mlir::Operation *op, mlir::Value value);
  void assign(mlir::ValueRange targets, mlir::ValueRange sources);

  // Memory (KernelMemory.cpp).
  llvm::LogicalResult run(mirage::thread::SharedBufferOp op);
  llvm::LogicalResult run(mirage::thread::ClusterBufferOp op);
  llvm::LogicalResult run(mirage::thread::SelectBufferOp op);
  llvm::LogicalResult run(mlir::memref::ReinterpretCastOp op);
  llvm::LogicalResult run(mlir::memref::GetGlobalOp op);
  llvm::LogicalResult run(mirage::thread::CopyOp op);
  llvm::LogicalResult run(mirage::thread::FillOp op);
  llvm::LogicalResult run(mirage::thread::AccumulateOp op);
  llvm::LogicalResult run(mirage::thread::LoadFragmentOp op);
  /// Stores the part of a tile whose sizes are kept to a box of memory, in
  /// accesses of so many elements, and calls a function for each element with
  /// the memory to which it went.
  llvm::LogicalResult storeTile(mlir::Operation *op, mlir::Value value,
                                mlir::Value memory, mlir::ValueRange offsets,
                                ShapeRef kept, int64_t length,
                                llvm::function_ref<void(CheckedMemory &)> note);
  llvm::LogicalResult run(mirage::thread::StoreFragmentOp op);
  void commitCopies();
  void awaitCopies(int64_t pending);
  mlir::FailureOr<int64_t> getBoxStart(mlir::Operation *op, mlir::Value memory,
                                       mlir::ValueRange offsets, ShapeRef sizes,
                                       ShapeRef missing = {});
  llvm::LogicalResult checkAlignment(mlir::Operation *op,
                                     const MemoryView &view, int64_t index,
                                     int64_t length);
  llvm::LogicalResult checkCopy(mirage::thread::CopyOp op, int64_t from,
                                int64_t to);
  const TileAccess &getAccess(mlir::Operation *op, mlir::Value memory,
                              const TileType &type);
  mlir::FailureOr<Shape> getMissingSizes(mlir::Operation *op,
                                         const mirage::thread::SourceBox &box);
  /// Returns the sizes of what there is of a box, which may be zero.
  mlir::FailureOr<Shape> getExistingSizes(mlir::Operation *op,
                                          const mirage::thread::SourceBox &box);
  /// Reads the box of a tile's shape at these offsets into registers. Where
  /// only a part of it is there, of these sizes, the rest are zeros.
  mlir::FailureOr<RegisterTile>
  loadTile(mlir::Operation *op, mlir::Value memory, mlir::ValueRange offsets,
           const TileType &type, ShapeRef existing);
  /// Reads and writes the element at a position of a view, in elements.
  mlir::FailureOr<double> readElement(mlir::Operation *op,
                                      const MemoryView &view, int64_t index,
                                      uint32_t thread);
  llvm::LogicalResult writeElement(mlir::Operation *op, const MemoryView &view,
                                   int64_t index, double value,
                                   uint32_t thread);

  // Warps that only load (KernelLoader.cpp).
  /// A stage of a ring, and how often it was used before.
  struct RingPlace {
    int64_t stage, turn;
  };
  /// Checks that the mbarriers of a ring or a sequence lie in the block's
  /// memory and are for its warps.
  template <typename Op> llvm::LogicalResult checkBarriers(Op op);
  llvm::LogicalResult run(mirage::thread::RingOp op);
  llvm::LogicalResult run(mirage::thread::LoaderOp op);
  llvm::LogicalResult run(mirage::thread::BulkCopyOp op);
  llvm::LogicalResult run(mirage::thread::RingPublishOp op);
  llvm::LogicalResult run(mirage::thread::RingReceiveOp op);
  llvm::LogicalResult run(mirage::thread::RingAwaitOp op);
  llvm::LogicalResult run(mirage::thread::RingReleaseOp op);
  llvm::LogicalResult run(mirage::thread::SequenceOp op);
  llvm::LogicalResult run(mirage::thread::SequenceAwaitOp op);
  llvm::LogicalResult run(mirage::thread::SequencePassOp op);
  /// Begins the copy of a run of neighbours, of which those that lie beyond the
  /// end of the source are zeros.
  llvm::LogicalResult copyRun(mirage::thread::BulkCopyOp op, ShapeRef from,
                              int64_t toByte, CopyGroup &arriving);
  llvm::LogicalResult runLoader();
  /// Returns true if the loader need not wait for the stage.
  mlir::FailureOr<bool> acquire(mirage::thread::RingAcquireOp op);
  mlir::FailureOr<RingPlace>
  getPlace(mlir::Operation *op, mlir::TypedValue<mirage::thread::RingType> ring,
           mlir::Value trip);
  llvm::LogicalResult checkLoaderEnds();
  /// The threads that execute the present operation.
  int64_t getNumThreads() const {
    return isLoading ? launch.loaderThreads : launch.threads;
  }

  // Operators (KernelOperators.cpp, KernelCompute.cpp, KernelMma.cpp).
  llvm::LogicalResult run(ComputeOpInterface op);
  llvm::LogicalResult run(mirage::thread::IndexMaskOp op);
  llvm::LogicalResult run(mirage::thread::ExchangeLanesOp op);
  llvm::LogicalResult run(mirage::thread::MmaFragmentOp op);
  llvm::LogicalResult run(mirage::thread::FmaFragmentOp op);
  llvm::LogicalResult run(mirage::thread::WarpgroupMmaOp op);
  llvm::LogicalResult run(mirage::thread::WarpgroupWaitOp op);
  /// Reads an operand of a product from memory, or returns its registers, which
  /// are null where it has none.
  mlir::FailureOr<std::shared_ptr<const RegisterTile>>
  readOperand(mirage::thread::WarpgroupMmaOp op, MatrixRole role);
  /// Returns a right operand with the columns of ones behind it, which lie in
  /// memory, as checked here.
  mlir::FailureOr<std::shared_ptr<const RegisterTile>>
  addOnes(mirage::thread::WarpgroupMmaOp op, const RegisterTile &rhs);
  using ProductFunction =
      llvm::function_ref<TileFault(const TileProduct &, RegisterTile &)>;
  llvm::LogicalResult runProduct(mlir::Operation *op,
                                 const TileProduct &product, mlir::Value result,
                                 ProductFunction function);
  template <typename Op>
  llvm::LogicalResult runFragments(Op op, ProductFunction function);
  llvm::LogicalResult run(mirage::thread::ComputeOp op);
  llvm::LogicalResult run(mirage::thread::MmaOp op);
  mlir::FailureOr<TileType> getTileType(mlir::Operation *op, mlir::Type type);
  llvm::LogicalResult setTile(mlir::Operation *op, mlir::Value value,
                              RegisterTile tile, const TileFault &fault);

  // Errors.
  mlir::InFlightDiagnostic error(mlir::Operation *op);
  mlir::InFlightDiagnostic fault(mlir::Operation *op,
                                 const CheckedMemory &memory);

  KernelLaunch &launch;
  Shape id;
  CheckedMemory shared;
  llvm::ArrayRef<CheckedMemory *> cluster;
  /// The operation of the kernel's body that is executed next.
  mlir::Block::iterator next;
  mlir::Operation *waitsAt = nullptr;
  /// A load from another block's memory since the cluster's last barrier.
  mlir::Operation *remoteLoad = nullptr;
  llvm::DenseMap<mlir::Value, Scalar> scalars;
  llvm::DenseMap<mlir::Value, MemoryView> views;
  llvm::DenseMap<mlir::Value, std::shared_ptr<const RegisterTile>> tiles;
  /// What products that were begun have read, until they are awaited.
  llvm::DenseMap<mlir::Operation *,
                 std::pair<std::shared_ptr<const RegisterTile>,
                           std::shared_ptr<const RegisterTile>>>
      begunProducts;
  struct CopyGroups {
    CopyGroup open;
    std::deque<CopyGroup> committed;
  };
  CopyGroups copies, loaderCopies;

  // Inboxes (KernelInboxes.cpp).
  llvm::LogicalResult run(mirage::thread::InboxOp op);
  llvm::LogicalResult run(mirage::thread::PushFragmentOp op);
  llvm::LogicalResult checkInbox(mirage::thread::InboxAwaitOp op);
  /// What the block has opened and not met the others at yet.
  llvm::DenseSet<mlir::Value> openInboxes;

  // The loader.
  /// A block of the loader that is being executed, and the loop whose body it
  /// is, if it is one; a branch of a condition is executed once.
  struct LoaderFrame {
    mlir::Block *block;
    mlir::Block::iterator next;
    mlir::scf::ForOp loop;
    int64_t index, upper, step;
  };
  llvm::SmallVector<LoaderFrame> loaderFrames;
  /// True while the loader's warps execute.
  bool isLoading = false;
  /// What one group of warps and the loader did with a stage.
  struct RingStage {
    int64_t numPublished = 0, numReleased = 0;
    /// These say when it was published and released last, and what the warps
    /// that released it had seen published.
    uint32_t published = 0, released = 0, publishedToReleasers = 0;
    /// What the copy engine brings, which the group awaits with the rest.
    CopyGroup arriving;
  };
  mlir::FailureOr<RingStage *>
  getStage(mlir::Operation *op, mlir::TypedValue<mirage::thread::RingType> ring,
           mlir::Value trip, int64_t group);
  llvm::DenseMap<mlir::Value, std::vector<RingStage>> rings;
  /// How often a sequence was awaited and passed.
  struct SequenceState {
    int64_t numAwaited = 0, numPassed = 0;
  };
  llvm::DenseMap<mlir::Value, SequenceState> sequences;
  LoaderKnowledge knowledge;
};

} // namespace mirage

#endif // MIRAGE_LIB_INTERPRETER_IR_KERNELBLOCK_H
