//===- FragmentEmitter.h - Tiles in registers to NVVM -----------*- C++ -*-===//
//
// Emits the code of operations on tiles that lie in registers: a tile is the
// list of its registers' values, in the order of its layout's registers, each a
// scalar of the type in which the element is stored.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_CONVERSION_THREADTONVVM_FRAGMENTEMITTER_H
#define MIRAGE_LIB_CONVERSION_THREADTONVVM_FRAGMENTEMITTER_H

#include "KernelEmitter.h"
#include "Mirage/Schedule/MemoryAccess.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mirage {

/// Returns the layout of a tile in registers, or null where a type is none.
const RegisterLayout *getLayout(mlir::Type type);

/// Returns the indices of an element of matrices with batch dimensions.
inline Shape getPlace(ShapeRef batch, int64_t row, int64_t column) {
  Shape place(batch);
  place.append({row, column});
  return place;
}

class FragmentEmitter {
public:
  explicit FragmentEmitter(KernelEmitter &emitter)
      : emitter(emitter), builder(emitter.builder) {}

  llvm::LogicalResult emit(thread::LoadFragmentOp op);
  llvm::LogicalResult emit(thread::StoreFragmentOp op);
  llvm::LogicalResult emit(thread::PushFragmentOp op);
  llvm::LogicalResult emit(thread::IndexMaskOp op);
  llvm::LogicalResult emit(thread::ExchangeLanesOp op);
  llvm::LogicalResult emit(thread::MmaFragmentOp op);
  llvm::LogicalResult emit(thread::FmaFragmentOp op);
  /// Emits a product together with those before it that were left to it, unless
  /// it can be left to one that follows: the warps wait for all of them at
  /// once.
  llvm::LogicalResult emit(thread::WarpgroupMmaOp op);
  llvm::LogicalResult emit(thread::WarpgroupWaitOp op);
  /// Passes the registers of the values of a sequence's turn on, which a
  /// function has in its own place.
  void emit(thread::SequencePassOp op,
            llvm::function_ref<void(llvm::MutableArrayRef<mlir::Value>)> pass);
  /// Emits a compute operator whose operands and results are tiles in
  /// registers, or splat constants.
  llvm::LogicalResult emitOperator(ComputeOpInterface op);
  /// Copies a box by groups of neighbours that are the same for each thread.
  /// Returns false where the threads cannot share the box evenly.
  bool emitCopy(thread::CopyOp op);

  /// Puts the words together of which tiles were loaded that an operation uses.
  void assemble(mlir::ValueRange operands);

  /// Replaces a loop that carries tiles by one that carries their registers.
  /// The old loop is left without a body, to be erased after its body's
  /// operations. Loops that carry no tiles stay.
  bool convertLoop(mlir::scf::ForOp loop);
  /// Does the same for a branch whose results are tiles.
  bool convertBranch(mlir::scf::IfOp branch);
  /// Replaces the yield of such a loop or branch.
  bool convertYield(mlir::scf::YieldOp yield);

private:
  friend class FragmentProduct;
  friend class WarpgroupEmitter;
  friend class WarpgroupStatement;

  /// Returns where this thread's elements of a tile lie: the place in the tile
  /// of the thread's first register, along each dimension.
  llvm::SmallVector<mlir::Value> getBase(const RegisterLayout &layout,
                                         unsigned rank, IRSystem &s);
  /// Returns the values of the digits of a lane's or a warp's number.
  llvm::SmallVector<mlir::Value>
  getDigits(mlir::Value number, llvm::ArrayRef<LayoutMode> modes, IRSystem &s);
  mlir::Value getLane(IRSystem &s);
  mlir::Value getWarp(IRSystem &s);
  /// True in the threads that hold an element first among its replicas.
  mlir::Value isFirstReplica(const RegisterLayout &layout, IRSystem &s);

  /// Returns what a loop carries for a tile.
  llvm::SmallVector<mlir::Value> joinCarried(mlir::Value tile);
  /// Sets the registers of a tile to what a loop carries for it, the first of
  /// these, and returns how many they are.
  size_t separateCarried(mlir::Value tile, mlir::ValueRange carried);

  /// An access to a box in memory, of which threads read or write elements at a
  /// place that is known but for a constant.
  struct Box {
    mlir::Value memory;
    llvm::SmallVector<mlir::Value> offsets;
    Shape shape;
    MemoryLayout layout;
    /// The number of the memory's dimensions that stand before those of the
    /// box.
    size_t leading = 0;
    /// How many neighbours along the innermost dimension an access has.
    int64_t run = 1;
  };
  Box getBox(mlir::Value memory, mlir::ValueRange offsets,
             llvm::ArrayRef<int64_t> shape);
  /// This says which address of an element getAddress gives: the address by
  /// which the element is accessed; the address before swizzling, which
  /// descriptors of wgmma have; or the address in this block, where another
  /// block has the element at the same place.
  enum class AddressKind : uint8_t { Accessed, BeforeSwizzling, InThisBlock };
  /// Returns the address of the element at base + constants. An index that
  /// reaches beyond the box, as `layout` says, becomes the last.
  mlir::Value getAddress(const Box &box, llvm::ArrayRef<mlir::Value> base,
                         ShapeRef constants, const RegisterLayout &layout,
                         IRSystem &s, AddressKind kind = AddressKind::Accessed);
  /// Returns the rank of the block that has the element at base + constants, or
  /// null where the memory is not that of a cluster.
  mlir::Value getRank(const Box &box, llvm::ArrayRef<mlir::Value> base,
                      ShapeRef constants, IRSystem &s);
  /// Returns whether this thread has an element of the tile that begins at base
  /// + constants, and is the first that has it; null where all have and are.
  mlir::Value isOwn(mlir::RankedTensorType tile,
                    llvm::ArrayRef<mlir::Value> base, ShapeRef constants,
                    IRSystem &s);
  /// Stores values as neighbours at an address, in one access of so many bytes.
  void storeVector(llvm::ArrayRef<mlir::Value> values, mlir::Value address,
                   int64_t bytes, mlir::Location loc);
  bool loadMatrices(thread::LoadFragmentOp op, const Box &box);
  /// Returns whether the element at base + constants of a box is there, or null
  /// where it always is.
  mlir::Value isThere(const thread::SourceBox &box,
                      llvm::ArrayRef<mlir::Value> base, ShapeRef constants,
                      IRSystem &s);

  // Runs of neighbours that begin anywhere (UnalignedRuns.cpp).
  /// Sixteen bytes that a lane has as the two aligned words of sixteen bytes in
  /// which they lie.
  struct UnalignedRun {
    /// Both words, in parts of 32 bits.
    llvm::SmallVector<mlir::Value, 8> parts;
    /// The number of bytes in the first word that stand before the run.
    mlir::Value shift;
    /// The number of bytes that are there, from the first on; null where all
    /// are. The others become zeros.
    mlir::Value existing;
  };
  bool loadWords(thread::LoadFragmentOp op, Box box);
  UnalignedRun loadRun(thread::LoadFragmentOp op, const Box &box,
                       llvm::ArrayRef<mlir::Value> base, ShapeRef constants,
                       IRSystem &s);
  mlir::Value getShift(const Box &box, llvm::ArrayRef<mlir::Value> base,
                       ShapeRef constants, const RegisterLayout &layout,
                       IRSystem &s);
  mlir::Value getExistingBytes(const thread::SourceBox &box,
                               llvm::ArrayRef<mlir::Value> base,
                               ShapeRef constants, IRSystem &s);
  mlir::Value putTogether(const UnalignedRun &run, mlir::Location loc);
  mlir::Value pack(mlir::Value first, mlir::Value second, mlir::Location loc);
  /// Holds the numbers of registers of f8 that an operator has read.
  using DecodedRegisters =
      llvm::SmallDenseMap<std::pair<mlir::Value, int64_t>, mlir::Value>;
  mlir::Value read(mlir::Value tile, int64_t number, mlir::Type type,
                   DecodedRegisters &decoded, IRSystem &s);
  mlir::Value decode(mlir::Value tile, int64_t number,
                     DecodedRegisters &decoded, IRSystem &s);
  llvm::LogicalResult emitElementwise(ComputeOpInterface op);
  llvm::LogicalResult emitReduction(ComputeOpInterface op);
  llvm::LogicalResult emitSlice(ComputeOpInterface op);
  llvm::LogicalResult emitPad(ComputeOpInterface op);
  llvm::LogicalResult emitRelabeling(ComputeOpInterface op);

  KernelEmitter &emitter;
  mlir::OpBuilder &builder;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value>> registers;
  /// Products by wgmma that were met and are not emitted yet.
  llvm::SmallVector<thread::WarpgroupMmaOp, 4> products;
  /// What products read that were begun and not awaited yet, by their results.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value>> operandsInFlight;
  /// Tiles that were loaded as words, which are put together for each user.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<UnalignedRun>> words;
};

} // namespace mirage

#endif // MIRAGE_LIB_CONVERSION_THREADTONVVM_FRAGMENTEMITTER_H
