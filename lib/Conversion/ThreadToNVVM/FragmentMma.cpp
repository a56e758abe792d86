//===- FragmentMma.cpp - Products of fragments by mma.sync ----------------===//
//
// Emits mirage_thread.mma_fragment as mma.sync for each part of 16 x 8 sums and
// each 16 contracted elements. A register of an operand holds two elements that
// are neighbours along the contracted dimension.
//
//===----------------------------------------------------------------------===//

#include "FragmentEmitter.h"
#include "Mirage/Semantics/ProductDims.h"
#include "MmaInstruction.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mirage;

/// Returns two neighbours as one 32-bit register. Two rounded numbers are
/// rounded together, which is one instruction.
Value FragmentEmitter::pack(Value first, Value second, Location loc) {
  Type type = first.getType();
  auto index = [&](int i) -> Value {
    return LLVM::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(i));
  };
  auto join = [&](Value a, Value b) -> Value {
    Value both =
        LLVM::UndefOp::create(builder, loc, VectorType::get(2, a.getType()));
    both = LLVM::InsertElementOp::create(builder, loc, both, a, index(0));
    return LLVM::InsertElementOp::create(builder, loc, both, b, index(1));
  };
  // What was taken apart is whole already.
  auto firstPart = first.getDefiningOp<LLVM::ExtractElementOp>();
  auto secondPart = second.getDefiningOp<LLVM::ExtractElementOp>();
  auto isAt = [](LLVM::ExtractElementOp part, int64_t place) {
    APInt number;
    return part && matchPattern(part.getPosition(), m_ConstantInt(&number)) &&
           number == place;
  };
  if (isAt(firstPart, 0) && isAt(secondPart, 1) &&
      firstPart.getVector() == secondPart.getVector() &&
      cast<VectorType>(firstPart.getVector().getType()).getNumElements() == 2)
    return firstPart.getVector();
  auto a = first.getDefiningOp<LLVM::FPTruncOp>();
  auto b = second.getDefiningOp<LLVM::FPTruncOp>();
  if (a && b && a.getArg().getType().isF32() && b.getArg().getType().isF32())
    return LLVM::FPTruncOp::create(builder, loc, VectorType::get(2, type),
                                   join(a.getArg(), b.getArg()));
  return join(first, second);
}

namespace mirage {
class FragmentProduct {
public:
  FragmentProduct(FragmentEmitter &fragments, thread::MmaFragmentOp op)
      : fragments(fragments), builder(fragments.builder), op(op),
        instruction(
            builder, op.getLoc(),
            cast<RankedTensorType>(op.getLhs().getType()).getElementType()),
        lhs(op.getLhs(), op.getTransposeLhs()),
        rhs(op.getRhs(), op.getTransposeRhs()),
        sums(fragments.registers.lookup(op.getAccumulator())) {}

  void emit();

private:
  /// The rows and the contracted elements of half an instruction, of which a
  /// lane has registers.
  static constexpr int64_t half = MatrixInstruction::rows / 2;

  struct Operand {
    Operand(Value tile, bool transposed)
        : tile(tile), layout(*getLayout(tile.getType())),
          transposed(transposed) {}
    Value tile;
    const RegisterLayout &layout;
    bool transposed;
  };
  /// The sums of one instruction: where they begin, and which registers they
  /// are. What lies beyond the tile has no register.
  struct Part {
    Shape batch;
    int64_t row, column;
    std::array<std::optional<int64_t>, 4> numbers;
  };
  SmallVector<Part> findParts();
  /// Returns the register that begins with an element of an operand, which is
  /// zero beyond the operand's end.
  Value getRegister(const Operand &operand, ShapeRef batch, int64_t row,
                    int64_t column);
  void emitInstruction(const Part &part, int64_t depth);

  FragmentEmitter &fragments;
  OpBuilder &builder;
  thread::MmaFragmentOp op;
  MmaInstruction instruction;
  Operand lhs, rhs;
  SmallVector<Value> sums;
  /// What stands for sums that lie beyond the tile.
  Value zero;
};
} // namespace mirage

SmallVector<FragmentProduct::Part> FragmentProduct::findParts() {
  auto type = cast<RankedTensorType>(op.getResult().getType());
  const RegisterLayout &layout = *getLayout(type);
  int64_t rank = type.getRank(), outer = rank - 2, inner = rank - 1;
  SmallVector<Part> parts;
  for (int64_t number = 0; number < layout.getNumRegisters(); ++number) {
    Shape offsets = layout.getOffsets(number, rank);
    // An instruction's sums begin at rows and columns of which it has the
    // first.
    if (offsets[outer] % MatrixInstruction::rows ||
        offsets[inner] % MatrixInstruction::columns)
      continue;
    Part part{Shape(ArrayRef(offsets).drop_back(2)),
              offsets[outer],
              offsets[inner],
              {}};
    for (int64_t i = 0; i < 4; ++i)
      part.numbers[i] = layout.findRegister(
          getPlace(part.batch, part.row + i / 2 * half, part.column + i % 2));
    parts.push_back(std::move(part));
  }
  return parts;
}

Value FragmentProduct::getRegister(const Operand &operand, ShapeRef batch,
                                   int64_t row, int64_t column) {
  if (operand.transposed)
    std::swap(row, column);
  Shape place = getPlace(batch, row, column);
  for (auto [index, size] : llvm::zip(
           place, cast<RankedTensorType>(operand.tile.getType()).getShape()))
    if (size == 1)
      index = 0;
  Location loc = op.getLoc();
  Type type = instruction.getRegisterType();
  std::optional<int64_t> number = operand.layout.findRegister(place);
  if (!number)
    return LLVM::ZeroOp::create(builder, loc, type);
  ArrayRef<Value> values = fragments.registers[operand.tile];
  Value both = fragments.pack(values[*number], values[*number + 1], loc);
  if (both.getType() == type)
    return both;
  return LLVM::BitcastOp::create(builder, loc, type, both);
}

void FragmentProduct::emitInstruction(const Part &part, int64_t depth) {
  SmallVector<Value> as, bs, cs;
  for (int64_t i = 0; i < 4; ++i)
    as.push_back(getRegister(lhs, part.batch, part.row + i % 2 * half,
                             depth + i / 2 * half));
  for (int64_t i = 0; i < 2; ++i)
    bs.push_back(getRegister(rhs, part.batch, depth + i * half, part.column));
  for (std::optional<int64_t> number : part.numbers)
    cs.push_back(number ? sums[*number] : zero);
  Value result = instruction.emit(as, bs, cs);
  for (auto [i, number] : llvm::enumerate(part.numbers))
    if (number)
      sums[*number] =
          LLVM::ExtractValueOp::create(builder, op.getLoc(), result, i);
}

void FragmentProduct::emit() {
  auto type = cast<RankedTensorType>(op.getLhs().getType());
  int64_t depth = type.getDimSize(getContractedDim(
      op.getTransposeLhs(), ProductOperand::Lhs, type.getRank()));
  zero = arith::ConstantOp::create(builder, op.getLoc(),
                                   builder.getF32FloatAttr(0.0f));
  // The contracted dimension is the outer loop, so that an instruction does not
  // wait for the one before it.
  SmallVector<Part> parts = findParts();
  for (int64_t from = 0; from < depth; from += instruction.getDepth())
    for (const Part &part : parts)
      emitInstruction(part, from);
  fragments.registers[op.getResult()] = std::move(sums);
}

LogicalResult FragmentEmitter::emit(thread::MmaFragmentOp op) {
  FragmentProduct(*this, op).emit();
  return success();
}
