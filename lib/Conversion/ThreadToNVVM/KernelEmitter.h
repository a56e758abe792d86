//===- KernelEmitter.h - Thread operations to NVVM --------------*- C++ -*-===//
//
// Emits the code of mirage_thread operations into an llvm.func kernel: buffers
// are pointers, all threads of the block share the work of an operation.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_CONVERSION_THREADTONVVM_KERNELEMITTER_H
#define MIRAGE_LIB_CONVERSION_THREADTONVVM_KERNELEMITTER_H

#include "IRSystem.h"
#include "Mirage/Dialect/Thread/IR/ElementTile.h"
#include "Mirage/Dialect/Thread/IR/ThreadDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace mirage {

/// Returns f64 for f64, else f32: the type in which elements are computed.
mlir::Type getComputeType(mlir::Type elementType);

/// Returns the type in memory: f8 is stored as i8.
mlir::Type getStorageType(mlir::Type elementType);

/// Returns the global of a module that holds a constant, row-major, in the
/// storage type of its elements and aligned to 16 bytes; it is added if there
/// is none.
mlir::LLVM::GlobalOp getConstantData(mlir::Operation *module,
                                     mlir::DenseElementsAttr value,
                                     mlir::Location loc);

class KernelEmitter {
public:
  /// `pointers` holds the kernel's buffers. `threads` and `blocks` are the
  /// extents that the kernel is launched with.
  KernelEmitter(mlir::OpBuilder &builder,
                llvm::DenseMap<mlir::Value, mlir::Value> &pointers,
                mlir::Type indexType, int64_t threads, int64_t blocks,
                bool hasF8Conversions)
      : builder(builder), pointers(pointers), indexType(indexType),
        threads(threads), blocks(blocks), hasF8Conversions(hasF8Conversions) {}

  llvm::LogicalResult emit(thread::ComputeOp op);
  /// Emits an error at an operation that was emitted with conversions which the
  /// target does not have (PTX ISA, "cvt").
  llvm::LogicalResult checkConversions(mlir::Operation *op) const;
  void emit(thread::AccumulateOp op);
  void emit(thread::FillOp op);
  void emit(thread::CopyOp op);
  void emit(thread::MmaOp op);

  /// Reads the number of the thread's warp in the block here, so that ptxas
  /// knows that it is the same for all lanes, and what is computed of it: this
  /// has registers of its own, which descriptors of wgmma are read from.
  void shareWarpId(mlir::Location loc);

  /// Makes what is emitted from now on be executed by `count` threads of the
  /// block, from thread `first` on.
  void setThreads(int64_t first, int64_t count) {
    firstThread = first;
    threads = count;
  }

  /// Returns the thread's number among those that execute what is emitted, and
  /// the block's in the grid.
  mlir::Value getThreadId(mlir::Location loc);
  /// Returns the number of the thread's warp among those.
  mlir::Value getWarpId(mlir::Location loc);
  mlir::Value getLinearBlockId(mlir::Location loc);

private:
  friend class FragmentEmitter;
  friend class WarpgroupEmitter;
  friend class MmaEmitter;
  friend class RingEmitter;

  // Memory (Memory.cpp).
  mlir::Value getAddress(mlir::Value buffer, llvm::ArrayRef<mlir::Value> at,
                         IRSystem &s);
  /// Returns the place in a swizzled buffer of the element at a distance from
  /// the first.
  mlir::Value swizzle(mlir::Value distance, const MemoryLayout &layout,
                      IRSystem &s);
  mlir::Value linearize(mlir::MemRefType type, llvm::ArrayRef<mlir::Value> at,
                        IRSystem &s);
  llvm::SmallVector<mlir::Value>
  delinearize(mlir::Value linear, llvm::ArrayRef<int64_t> shape, IRSystem &s);
  /// Loads and stores an element, which is a value of s.computeType.
  mlir::Value loadElement(mlir::Value buffer, llvm::ArrayRef<mlir::Value> at,
                          IRSystem &s);
  void storeElement(mlir::Value value, mlir::Value buffer,
                    llvm::ArrayRef<mlir::Value> at, IRSystem &s);
  /// Converts a stored element to a value of its compute type, and back.
  mlir::Value decode(mlir::Value stored, mlir::Type elementType, IRSystem &s);
  /// Returns the numbers of two elements of f8, which one instruction converts.
  std::array<mlir::Value, 2> decodePair(std::array<mlir::Value, 2> stored,
                                        mlir::Type elementType, IRSystem &s);
  mlir::Value encode(mlir::Value value, mlir::Type elementType, IRSystem &s);
  mlir::Value convert(mlir::Value value, mlir::Type to, IRSystem &s);
  /// Returns whether the element of a padded box at these indices is there, or
  /// null where it always is.
  mlir::Value isThere(const thread::SourceBox &box,
                      llvm::ArrayRef<mlir::Value> at, IRSystem &s);
  /// Emits cp.async of so many bytes, or of as many zeros where `exists` is
  /// given and false.
  void emitCopyAsync(mlir::Value to, mlir::Value from, int64_t bytes,
                     mlir::NVVM::LoadCacheModifierKind cache,
                     mlir::Value exists, mlir::Location loc);
  /// Calls body with each index that this thread works on.
  void forThread(int64_t count, bool grid, IRSystem &s,
                 llvm::function_ref<void(mlir::Value)> body);

  // Computations (Compute.cpp).
  struct ComputeState;
  mlir::Value evaluate(mlir::Value tensor, llvm::ArrayRef<mlir::Value> at,
                       ComputeState &state);
  /// Returns the run of a tensor of the body along a dimension that begins at
  /// these indices: a vector of elements as they are stored.
  mlir::Value evaluateRun(mlir::Value tensor, llvm::ArrayRef<mlir::Value> at,
                          int64_t dim, int64_t width, ComputeState &state);
  mlir::Value evaluateRunOf(mlir::Operation *op, mlir::OpResult tensor,
                            llvm::ArrayRef<mlir::Value> at, int64_t dim,
                            int64_t width, ComputeState &state);
  /// Returns so many elements of a tensor of the body that lie beside each
  /// other in a buffer of the tensor, from these indices on: a vector.
  mlir::Value evaluateNeighbours(mlir::Value tensor,
                                 llvm::ArrayRef<mlir::Value> at, int64_t count,
                                 ComputeState &state);
  /// Emits what each thread computes of a buffer, by tiles.
  void emitTiles(thread::ComputeOp op, mlir::Value value, mlir::Value buffer,
                 const thread::ElementTile &tile);
  void emitThreadGraph(thread::ComputeOp op);
  void keepFragment(mlir::Value value, ComputeState &state);
  mlir::Value getFragmentAddress(mlir::Value fragment,
                                 mlir::RankedTensorType type,
                                 llvm::ArrayRef<mlir::Value> at, IRSystem &s);
  mlir::Value readConstant(mlir::Operation *op, llvm::ArrayRef<mlir::Value> at,
                           IRSystem &s);

  mlir::OpBuilder &builder;
  llvm::DenseMap<mlir::Value, mlir::Value> &pointers;
  mlir::Type indexType;
  int64_t threads, blocks;
  int64_t firstThread = 0;
  mlir::Value sharedWarpId;
  /// True where an asynchronous copy was emitted as loads and stores, since its
  /// elements are too small for cp.async.
  bool hasPlainCopies = false;
  bool hasF8Conversions;
  /// True where an f8 conversion was needed that the target does not have.
  bool needsF8Conversions = false;
};

} // namespace mirage

#endif // MIRAGE_LIB_CONVERSION_THREADTONVVM_KERNELEMITTER_H
