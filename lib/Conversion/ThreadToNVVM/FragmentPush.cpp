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
  Type inCluster = LLVM::LLVMPointerType::get(
      builder.getContext(),
      static_cast<unsigned>(NVVM::NVVMMemorySpace::SharedCluster));
  Value own = NVVM::ClusterId::create(builder, loc, builder.getI32Type());
  // The block's rank and its own, the address in the block and that here, the
  // block's mbarrier, and the values.
  constexpr int64_t firstValue = 5;
  std::string list, constraints = "r,r,r,r,r";
  for (int64_t j = 0; j < length; ++j) {
    list += (j ? ", $" : "$") + std::to_string(firstValue + j);
    constraints += bytes == 4 ? ",f" : ",d";
  }
  std::string type = ".f" + std::to_string(8 * bytes);
  if (length > 1) {
    type = ".v" + std::to_string(length) + type;
    list = "{" + list + "}";
  }
  // What stays in the block passes no other way than its own.
  std::string code =
      "{ .reg .pred isOwn; setp.eq.u32 isOwn, $0, $1;\n"
      "@isOwn st.shared" +
      type + " [$3], " + list +
      ";\n"
      "@!isOwn st.async.weak.shared::cluster.mbarrier::complete_tx::bytes" +
      type + " [$2], " + list + ", [$4]; }";
  auto toNumber = [&](Value pointer) -> Value {
    return LLVM::PtrToIntOp::create(builder, loc, builder.getI32Type(),
                                    pointer);
  };
  for (int64_t i = 0; i < layout.getNumRegisters(); i += length) {
    Shape offsets = layout.getOffsets(i, tile.getRank());
    OpBuilder::InsertionGuard guard(builder);
    if (Value exists = isOwn(tile, base, offsets, s)) {
      auto guarded = scf::IfOp::create(builder, loc, exists, false);
      builder.setInsertionPointToStart(&guarded.getThenRegion().front());
    }
    Value rank = getRank(box, base, offsets, s);
    auto getRemote = [&](Value address) {
      return toNumber(
          NVVM::MapaOp::create(builder, loc, inCluster, address, rank));
    };
    Value here =
        getAddress(box, base, offsets, layout, s, AddressKind::InThisBlock);
    SmallVector<Value> operands = {
        rank, own, getRemote(here), toNumber(here),
        getRemote(emitter.pointers.lookup(op.getInbox()))};
    llvm::append_range(operands, values.slice(i, length));
    LLVM::InlineAsmOp::create(builder, loc, /*res=*/TypeRange(), operands, code,
                              constraints + ",~{memory}",
                              /*has_side_effects=*/true,
                              /*is_align_stack=*/false,
                              LLVM::TailCallKind::None, LLVM::AsmDialectAttr(),
                              /*operand_attrs=*/ArrayAttr());
  }
  return success();
}
