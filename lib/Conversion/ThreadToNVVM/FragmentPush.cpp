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

/// Stores values of one type to the shared memory of another block, of which
/// the mbarrier at `mbarrier` counts their bytes. Both are addresses in the
/// cluster.
static void storeAsync(OpBuilder &builder, Location loc, Value address,
                       Value mbarrier, ArrayRef<Value> values) {
  unsigned bits = values.front().getType().getIntOrFloatBitWidth();
  constexpr size_t firstValue = 2;
  std::string list, constraints = "r,r";
  for (size_t j = 0; j < values.size(); ++j) {
    list += (j ? ", $" : "$") + std::to_string(firstValue + j);
    constraints += bits == 32 ? ",f" : ",d";
  }
  std::string type = ".f" + std::to_string(bits);
  if (values.size() > 1) {
    type = ".v" + std::to_string(values.size()) + type;
    list = "{" + list + "}";
  }
  std::string code =
      "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes" + type +
      " [$0], " + list + ", [$1];";
  SmallVector<Value> operands{address, mbarrier};
  llvm::append_range(operands, values);
  LLVM::InlineAsmOp::create(builder, loc, /*res=*/TypeRange(), operands, code,
                            constraints + ",~{memory}",
                            /*has_side_effects=*/true,
                            /*is_align_stack=*/false, LLVM::TailCallKind::None,
                            LLVM::AsmDialectAttr(),
                            /*operand_attrs=*/ArrayAttr());
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
  int64_t count = layout.getNumRegisters();
  for (int64_t first = 0, end; first < count; first = end) {
    for (end = first + length; end < count && goesWith(end, first);)
      end += length;
    Value rank =
        getRank(box, base, layout.getOffsets(first, tile.getRank()), s);
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
    auto getRemote = [&](Value address) {
      return toNumber(
          NVVM::MapaOp::create(builder, loc, inCluster, address, rank));
    };
    // What is as far from the first element here is so in the other block.
    Value origin = getHere(first), remote = getRemote(origin),
          mbarrier = getRemote(emitter.pointers.lookup(op.getInbox()));
    for (int64_t i = first; i < end; i += length)
      storeIf(i, [&] {
        Value distance = arith::SubIOp::create(
            builder, loc, toNumber(getHere(i)), toNumber(origin));
        storeAsync(builder, loc,
                   arith::AddIOp::create(builder, loc, remote, distance),
                   mbarrier, values.slice(i, length));
      });
  }
  return success();
}
