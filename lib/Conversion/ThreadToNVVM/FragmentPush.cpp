//===- FragmentPush.cpp - Tiles to the memory of other blocks -------------===//
//
// Emits asynchronous stores to the shared memory of a cluster's blocks, whose
// bytes the mbarrier of the block counts to which they go (PTX ISA, st.async).
//
//===----------------------------------------------------------------------===//

#include "FragmentEmitter.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mirage;

namespace {
/// Says how st.async of values of one type names them, and the constraints of
/// the registers that they are in.
struct AsyncStore {
  AsyncStore(ArrayRef<Value> values, size_t firstOperand) {
    unsigned bits = values.front().getType().getIntOrFloatBitWidth();
    type = ".f" + std::to_string(bits);
    for (size_t j = 0; j < values.size(); ++j) {
      list += (j ? ", $" : "$") + std::to_string(firstOperand + j);
      constraints += bits == 32 ? ",f" : ",d";
    }
    if (values.size() > 1) {
      type = ".v" + std::to_string(values.size()) + type;
      list = "{" + list + "}";
    }
  }
  /// Returns the instruction for an address and an mbarrier of the cluster.
  std::string getCode(const std::string &address,
                      const std::string &mbarrier) const {
    return "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes" + type +
           " [" + address + "], " + list + ", [" + mbarrier + "];";
  }

  std::string type, list, constraints;
};
} // namespace

static void emitAssembly(OpBuilder &builder, Location loc,
                         SmallVector<Value> operands, ArrayRef<Value> values,
                         const std::string &code,
                         const std::string &constraints) {
  llvm::append_range(operands, values);
  LLVM::InlineAsmOp::create(builder, loc, /*res=*/TypeRange(), operands, code,
                            constraints + ",~{memory}",
                            /*has_side_effects=*/true,
                            /*is_align_stack=*/false, LLVM::TailCallKind::None,
                            LLVM::AsmDialectAttr(),
                            /*operand_attrs=*/ArrayAttr());
}

/// Stores values to the shared memory of another block, so many bytes behind an
/// address, of which the mbarrier at `mbarrier` counts their bytes. Both are
/// addresses in the cluster.
static void storeAsync(OpBuilder &builder, Location loc, Value address,
                       int64_t distance, Value mbarrier,
                       ArrayRef<Value> values) {
  AsyncStore store(values, /*firstOperand=*/2);
  emitAssembly(builder, loc, {address, mbarrier}, values,
               store.getCode("$0+" + std::to_string(distance), "$1"),
               "r,r" + store.constraints);
}

/// Does so if another block has that rank, and stores them at `here` if this
/// one has.
static void storeAsyncOrHere(OpBuilder &builder, Location loc, Value rank,
                             Value own, Value address, Value here,
                             Value mbarrier, ArrayRef<Value> values) {
  AsyncStore store(values, /*firstOperand=*/5);
  std::string code = "{ .reg .pred isOwn; setp.eq.u32 isOwn, $0, $1;\n"
                     "@isOwn st.shared" +
                     store.type + " [$3], " + store.list + ";\n@!isOwn " +
                     store.getCode("$2", "$4") + " }";
  emitAssembly(builder, loc, {rank, own, address, here, mbarrier}, values, code,
               "r,r,r,r,r" + store.constraints);
}

LogicalResult FragmentEmitter::emit(thread::PushFragmentOp op) {
  auto tile = cast<RankedTensorType>(op.getValue().getType());
  const RegisterLayout &layout = *getLayout(tile);
  Box box = getBox(op.getTarget(), op.getOffsets(), tile.getShape());
  Location loc = op.getLoc();
  IRSystem s(builder, loc, emitter.indexType, builder.getF32Type());
  SmallVector<Value> base = getBase(layout, tile.getRank(), s);
  int64_t bytes = tile.getElementTypeBitWidth() / 8;
  int64_t length = op.getAccessLength(16 / bytes);
  ArrayRef<Value> values = registers[op.getValue()];
  Type i32 = builder.getI32Type();
  Type inCluster = LLVM::LLVMPointerType::get(
      builder.getContext(),
      static_cast<unsigned>(NVVM::NVVMMemorySpace::SharedCluster));
  Value own = NVVM::ClusterId::create(builder, loc, i32);
  auto toNumber = [&](Value pointer) -> Value {
    return LLVM::PtrToIntOp::create(builder, loc, i32, pointer);
  };
  auto getHere = [&](int64_t number) {
    return getAddress(box, base, layout.getOffsets(number, tile.getRank()),
                      layout, s, AddressKind::InThisBlock);
  };
  // Stores the registers of one access where they exist.
  auto storeIf = [&](int64_t number, llvm::function_ref<void()> store) {
    OpBuilder::InsertionGuard guard(builder);
    if (Value exists =
            isOwn(tile, base, layout.getOffsets(number, tile.getRank()), s)) {
      auto guarded = scf::IfOp::create(builder, loc, exists, false);
      builder.setInsertionPointToStart(&guarded.getThenRegion().front());
    }
    store();
  };
  // Neighbouring registers go to one block.
  auto goesWith = [&](int64_t number, int64_t first) {
    return box.leading > 0 ||
           layout.getOffsets(number, tile.getRank()).front() ==
               layout.getOffsets(first, tile.getRank()).front();
  };
  auto getDistance = [&](int64_t from, int64_t to) {
    int64_t distance = 0;
    Shape begin = layout.getOffsets(from, tile.getRank());
    for (auto [dim, offset] :
         llvm::enumerate(layout.getOffsets(to, tile.getRank())))
      distance +=
          (offset - begin[dim]) * box.layout.strides[box.leading + dim] * bytes;
    return distance;
  };
  Value inbox = emitter.pointers.lookup(op.getInbox());
  int64_t count = layout.getNumRegisters();
  for (int64_t first = 0, end; first < count; first = end) {
    for (end = first + length; end < count && goesWith(end, first);)
      end += length;
    Value rank =
        getRank(box, base, layout.getOffsets(first, tile.getRank()), s);
    auto getRemote = [&](Value address) {
      return toNumber(
          NVVM::MapaOp::create(builder, loc, inCluster, address, rank));
    };
    // Few stores are not worth a branch, and places that are not at regular
    // distances have no address in common.
    constexpr int64_t leastStores = 4;
    if ((end - first) / length < leastStores || box.layout.chunk != 0) {
      for (int64_t i = first; i < end; i += length)
        storeIf(i, [&] {
          Value here = getHere(i);
          storeAsyncOrHere(builder, loc, rank, own, getRemote(here),
                           toNumber(here), getRemote(inbox),
                           values.slice(i, length));
        });
      continue;
    }
    Value isHere = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                         rank, own);
    auto choice = scf::IfOp::create(builder, loc, isHere, true);
    OpBuilder::InsertionGuard guard(builder);
    // What stays in the block passes no other way than its own.
    builder.setInsertionPointToStart(&choice.getThenRegion().front());
    for (int64_t i = first; i < end; i += length)
      storeIf(i, [&] {
        storeVector(values.slice(i, length), getHere(i), bytes * length, loc);
      });
    builder.setInsertionPointToStart(&choice.getElseRegion().front());
    // What is as far from the first element here is so in the other block.
    Value remote = getRemote(getHere(first)), mbarrier = getRemote(inbox);
    for (int64_t i = first; i < end; i += length)
      storeIf(i, [&] {
        storeAsync(builder, loc, remote, getDistance(first, i), mbarrier,
                   values.slice(i, length));
      });
  }
  return success();
}
