//===- RingEmitter.h - Rings of stages to NVVM ------------------*- C++ -*-===//
//
// Emits the mbarriers at which the warps that load and those that work on what
// is loaded wait for each other (PTX ISA, "Parallel Synchronization and
// Communication Instructions: mbarrier").
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_CONVERSION_THREADTONVVM_RINGEMITTER_H
#define MIRAGE_LIB_CONVERSION_THREADTONVVM_RINGEMITTER_H

#include "KernelEmitter.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/MapVector.h"

namespace mirage {

class RingEmitter {
public:
  /// `usesAsyncProxy` is true if wgmma reads what is loaded, or the copy engine
  /// brings it.
  RingEmitter(KernelEmitter &emitter, mlir::gpu::GPUFuncOp function,
              bool usesAsyncProxy);

  llvm::LogicalResult emit(thread::RingOp op);
  void emit(thread::RingAcquireOp op);
  void emit(thread::RingPublishOp op);
  void emit(thread::RingReceiveOp op);
  void emit(thread::RingAwaitOp op);
  void emit(thread::RingReleaseOp op);
  llvm::LogicalResult emit(thread::SequenceOp op);
  void emit(thread::SequenceAwaitOp op);
  /// Passes a turn on behind the registers of its values, and gives those that
  /// are there behind it in their place.
  void emit(thread::SequencePassOp op,
            llvm::MutableArrayRef<mlir::Value> values);
  llvm::LogicalResult emit(thread::InboxOp op);
  void emit(thread::InboxOpenOp op);
  void emit(thread::InboxMeetOp op);
  void emit(thread::InboxAwaitOp op);
  void emit(thread::BulkCopyOp op);
  void emit(thread::BarrierOp op);
  void emit(thread::ThreadRegistersOp op);
  /// Makes what is emitted next, in place of `op`, the work of the warps that
  /// execute it.
  void selectThreads(mlir::Operation *op);
  /// Puts what the loader holds into a block of its own, of which its warps are
  /// the only ones. `entry` is the kernel's only block.
  void separateLoader(mlir::Block &entry);
  /// Emits what stands before a barrier, so that wgmma sees what was written to
  /// shared memory before it, if one reads any behind it.
  void fenceBarrier(mlir::Operation *barrier);

private:
  /// What was written to shared memory is visible to wgmma, too.
  void fence(mlir::Location loc);
  /// Returns the address of a stage's mbarrier: that of full stages, or that of
  /// empty ones.
  mlir::Value getBarrier(mlir::TypedValue<thread::RingType> ring,
                         mlir::Value trip, mlir::Value group, bool ofFull,
                         mlir::Location loc);
  /// Lets one thread initialize the mbarriers of an operation, or what else it
  /// needs in shared memory. Behind the last such operation all threads of the
  /// block meet.
  void initialize(mlir::Operation *op, llvm::function_ref<void()> body);
  /// Emits the arrival of a group's warps at an mbarrier: of one lane each, or
  /// of all lanes.
  void arrive(mlir::Value barrier, int64_t lanes, mlir::Location loc);
  /// Waits until the phase of this parity is complete.
  void wait(mlir::Value barrier, mlir::Value parity, mlir::Location loc);
  /// Loads the zero of a sequence, of which ptxas does not know that it is one.
  mlir::Value loadZero(mlir::Value sequence, mlir::Location loc);
  /// Returns the threads that meet at a barrier of a sequence: those of two
  /// groups.
  mlir::Value getNumMeeting(thread::SequenceType type, mlir::Location loc);
  mlir::Value getTurn(mlir::TypedValue<thread::RingType> ring, mlir::Value trip,
                      mlir::Location loc);
  mlir::Value constant(mlir::Location loc, int64_t value);
  /// Emits a barrier of the loader's warps, or of the others.
  void meet(bool isLoaders, mlir::Location loc);
  /// Emits what one thread of those that execute it does.
  void byOneThread(mlir::Location loc, llvm::function_ref<void()> body);
  /// Emits the copy of the box of a tile at these offsets.
  void emitBox(thread::BulkCopyOp op, llvm::ArrayRef<int64_t> at,
               mlir::Value barrier);

  KernelEmitter &emitter;
  mlir::OpBuilder &builder;
  thread::LoaderOp loader;
  /// True if the loader's threads open an inbox, too.
  bool loaderOpens = false;
  /// The sequences of the kernel, each with the number of its first group's
  /// barrier, the number of the next one's, and what was loaded of each when
  /// its turn was awaited last.
  llvm::MapVector<mlir::Value, std::pair<thread::SequenceType, int64_t>>
      sequences;
  int64_t nextBarrier = thread::SequenceType::firstBarrier;
  llvm::DenseMap<mlir::Value, mlir::Value> zeros;
  bool usesAsyncProxy;
  /// The threads of the block, and those of them that only load.
  int64_t threads, loaderThreads = 0;
  /// True if threads of the loader store to shared memory, beside the copy
  /// engine.
  bool loaderStores = false;
};

} // namespace mirage

#endif // MIRAGE_LIB_CONVERSION_THREADTONVVM_RINGEMITTER_H
