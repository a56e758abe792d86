//===- Mma.cpp - Products by matrix instructions --------------------------===//
//
// Emits mirage_thread.mma: the warps of the block take 16 x 8 parts of the
// result in turn; each part is accumulated in registers over the contracted
// dimension. Fragment layouts are those of the PTX ISA, "Matrix Fragments for
// mma.m16n8k16 with floating point type" and "… mma.m16n8k8" (tf32).
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"
#include "Mirage/Semantics/ProductDims.h"
#include "MmaInstruction.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mirage;

namespace mirage {
class MmaEmitter {
public:
  MmaEmitter(KernelEmitter &emitter, thread::MmaOp op)
      : emitter(emitter), builder(emitter.builder), op(op),
        s(builder, op.getLoc(), emitter.indexType, builder.getF32Type()),
        element(cast<MemRefType>(op.getLhs().getType()).getElementType()),
        instruction(builder, op.getLoc(), element),
        result(cast<MemRefType>(op.getTarget().getType()).getShape()) {}

  void emit();

private:
  static constexpr int64_t rowsPerPart = MatrixInstruction::rows,
                           columnsPerPart = MatrixInstruction::columns,
                           warp = 32;

  void emitPart(Value part);
  Value loadRegister(Value buffer, bool transposed, Value row, Value column,
                     bool isLhs, int64_t rows);
  Value step(ValueRange accumulators, Value depth);
  SmallVector<Value> pin(ValueRange accumulators);
  SmallVector<Value> getIndex(Value buffer, Value row, Value column,
                              bool transposed);
  void forAccumulators(
      llvm::function_ref<void(unsigned, Value row, Value column)> body);

  KernelEmitter &emitter;
  OpBuilder &builder;
  thread::MmaOp op;
  IRSystem s;
  Type element;
  MmaInstruction instruction;
  ArrayRef<int64_t> result;
  // The present part: its batch indices, its first row and column, and the
  // lane's group and place in its group.
  SmallVector<Value> batch;
  Value row0, column0, group, place;
};
} // namespace mirage

/// Returns the index of an element of the matrices of a buffer, whose batch
/// dimensions may have size one.
SmallVector<Value> MmaEmitter::getIndex(Value buffer, Value row, Value column,
                                        bool transposed) {
  auto shape = cast<MemRefType>(buffer.getType()).getShape();
  SmallVector<Value> at;
  for (auto [index, size] : llvm::zip(batch, shape))
    at.push_back(size == 1 ? s.index(0) : index);
  at.push_back(transposed ? column : row);
  at.push_back(transposed ? row : column);
  return at;
}

/// Loads one register of a fragment: one tf32 number, or two neighbours along
/// the contracted dimension. Rows of lhs beyond the last are zeros.
Value MmaEmitter::loadRegister(Value buffer, bool transposed, Value row,
                               Value column, bool isLhs, int64_t rows) {
  Location loc = op.getLoc();
  Type registerType = instruction.getRegisterType();
  auto load = [&]() -> Value {
    if (element.isF32()) {
      Value value = emitter.loadElement(
          buffer, getIndex(buffer, row, column, transposed), s);
      return NVVM::ConvertFloatToTF32Op::create(
          builder, loc, builder.getI32Type(), value, NVVM::FPRoundingMode::RNA,
          NVVM::SaturationMode::NONE, /*relu=*/false);
    }
    // Neighbours along the contracted dimension (columns of lhs, rows of rhs)
    // are neighbours in memory where that dimension is innermost.
    Type pair = VectorType::get(2, element);
    bool contiguous = isLhs != transposed;
    Value value;
    if (contiguous) {
      Value address = emitter.getAddress(
          buffer, getIndex(buffer, row, column, transposed), s);
      value = LLVM::LoadOp::create(builder, loc, pair, address, 4);
    } else {
      value = LLVM::UndefOp::create(builder, loc, pair);
      for (int64_t i = 0; i < 2; ++i) {
        Value r = isLhs ? row : s.addConstant(row, i);
        Value c = isLhs ? s.addConstant(column, i) : column;
        Value address =
            emitter.getAddress(buffer, getIndex(buffer, r, c, transposed), s);
        Value one = LLVM::LoadOp::create(builder, loc, element, address, 2);
        value = LLVM::InsertElementOp::create(
            builder, loc, value, one,
            LLVM::ConstantOp::create(builder, loc,
                                     builder.getI32IntegerAttr(i)));
      }
    }
    if (element.isF16())
      return value;
    return LLVM::BitcastOp::create(builder, loc, registerType, value);
  };
  if (!isLhs || rows % rowsPerPart == 0)
    return load();
  // There is no branch: a branch around a load lets LLVM move the instruction,
  // which all lanes must execute, under the branch's condition.
  Value exists = s.inRange(row, 0, rows);
  row = arith::MinUIOp::create(builder, loc, row, s.index(rows - 1));
  Value value = load();
  Value zero = LLVM::ZeroOp::create(builder, loc, registerType);
  return arith::SelectOp::create(builder, loc, exists, value, zero);
}

/// Emits one instruction: accumulators + lhs x rhs for contracted elements from
/// `depth` on. Returns the instruction's struct of four f32.
Value MmaEmitter::step(ValueRange accumulators, Value depth) {
  int64_t pack = instruction.getPack(), half = instruction.getDepth() / 2,
          rows = result.rbegin()[1];
  Value k = s.addIndex(depth, s.mulConstant(place, pack));
  SmallVector<Value> a, b;
  for (int64_t i = 0; i < 4; ++i)
    a.push_back(loadRegister(op.getLhs(), op.getTransposeLhs(),
                             s.addConstant(s.addIndex(row0, group), i % 2 * 8),
                             s.addConstant(k, i / 2 * half), /*isLhs=*/true,
                             rows));
  for (int64_t i = 0; i < 2; ++i)
    b.push_back(loadRegister(
        op.getRhs(), op.getTransposeRhs(), s.addConstant(k, i * half),
        s.addIndex(column0, group), /*isLhs=*/false, rows));
  return instruction.emit(a, b, accumulators);
}

/// Returns the accumulators, through an empty assembly statement that every
/// lane executes. LLVM does not know that all lanes of a warp must execute
/// mma.sync together: without a use outside of the branches that store the
/// elements which exist, it sinks the instruction into them, and the kernel
/// hangs.
SmallVector<Value> MmaEmitter::pin(ValueRange accumulators) {
  Location loc = op.getLoc();
  SmallVector<Type> types(accumulators.getTypes());
  auto structType =
      LLVM::LLVMStructType::getLiteral(builder.getContext(), types);
  Value pinned = LLVM::InlineAsmOp::create(
                     builder, loc, structType, accumulators, /*asm_string=*/"",
                     "=f,=f,=f,=f,0,1,2,3", /*has_side_effects=*/true,
                     /*is_align_stack=*/false, LLVM::TailCallKind::None,
                     LLVM::AsmDialectAttr(), /*operand_attrs=*/ArrayAttr())
                     .getResult(0);
  SmallVector<Value> values;
  for (int64_t i = 0; i < 4; ++i)
    values.push_back(LLVM::ExtractValueOp::create(builder, loc, pinned, i));
  return values;
}

/// Stores those of the lane's four elements of the part that exist.
void MmaEmitter::forAccumulators(
    llvm::function_ref<void(unsigned, Value, Value)> body) {
  int64_t rows = result.rbegin()[1];
  for (unsigned half = 0; half < 2; ++half) {
    Value row = s.addConstant(s.addIndex(row0, group), half * 8);
    auto both = [&] {
      for (unsigned i = 0; i < 2; ++i)
        body(2 * half + i, row,
             s.addConstant(s.addIndex(column0, s.mulConstant(place, 2)), i));
    };
    if (rows % rowsPerPart == 0) {
      both();
      continue;
    }
    auto guarded =
        scf::IfOp::create(builder, op.getLoc(), s.inRange(row, 0, rows), false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&guarded.getThenRegion().front());
    both();
  }
}

void MmaEmitter::emitPart(Value part) {
  Location loc = op.getLoc();
  auto lhs = cast<MemRefType>(op.getLhs().getType());
  int64_t depth = lhs.getDimSize(getContractedDim(
      op.getTransposeLhs(), ProductOperand::Lhs, lhs.getRank()));
  SmallVector<int64_t> parts(result.drop_back(2));
  parts.push_back(llvm::divideCeil(result.rbegin()[1], rowsPerPart));
  parts.push_back(llvm::divideCeil(result.rbegin()[0], columnsPerPart));
  SmallVector<Value> at = emitter.delinearize(part, parts, s);
  column0 = s.mulConstant(at.pop_back_val(), columnsPerPart);
  row0 = s.mulConstant(at.pop_back_val(), rowsPerPart);
  batch = at;
  Value lane = s.remConstant(emitter.getThreadId(loc), warp);
  group = s.divConstant(lane, 4);
  place = s.remConstant(lane, 4);

  SmallVector<Value> initial(4, s.constant(0.0));
  auto loop = scf::ForOp::create(builder, loc, s.index(0), s.index(depth),
                                 s.index(instruction.getDepth()), initial);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value sums = step(loop.getRegionIterArgs(), loop.getInductionVar());
    SmallVector<Value> yielded;
    for (int64_t i = 0; i < 4; ++i)
      yielded.push_back(LLVM::ExtractValueOp::create(builder, loc, sums, i));
    scf::YieldOp::create(builder, loc, yielded);
  }
  SmallVector<Value> sums = pin(loop.getResults());
  forAccumulators([&](unsigned i, Value row, Value column) {
    SmallVector<Value> to = getIndex(op.getTarget(), row, column, false);
    Value value = sums[i];
    if (op.getAccumulate())
      value = s.add(emitter.loadElement(op.getTarget(), to, s), value);
    emitter.storeElement(value, op.getTarget(), to, s);
  });
}

void MmaEmitter::emit() {
  int64_t parts = llvm::divideCeil(result.rbegin()[1], rowsPerPart) *
                  llvm::divideCeil(result.rbegin()[0], columnsPerPart);
  for (int64_t size : result.drop_back(2))
    parts *= size;
  Value first = s.divConstant(emitter.getThreadId(op.getLoc()), warp);
  s.forEach(first, s.index(parts), s.index(emitter.threads / warp),
            [&](Value part) { emitPart(part); });
}

void KernelEmitter::emit(thread::MmaOp op) { MmaEmitter(*this, op).emit(); }
