//===- UnalignedRuns.cpp - Neighbours that begin anywhere -----------------===//
//
// Loads tiles whose rows begin at any element in device memory. A lane takes a
// run of sixteen bytes as the two aligned words of sixteen bytes in which it
// lies, and puts it together where the tile is used: until then the words may
// be on their way. No word is read that has none of the tile's elements.
//
//===----------------------------------------------------------------------===//

#include "FragmentEmitter.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mirage;

/// The bytes of a word, and the parts in which registers hold it.
static constexpr int64_t wordBytes = 16, partBytes = 4;
static constexpr int64_t partsPerWord = wordBytes / partBytes;

/// Returns a sum of two numbers of 32 bits, of which one may be null.
static Value addTo(Value sum, Value term, OpBuilder &builder, Location loc) {
  return sum ? Value(arith::AddIOp::create(builder, loc, sum, term)) : term;
}

static Value constant(int64_t value, OpBuilder &builder, Location loc) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getI32IntegerAttr(value));
}

static Value truncate(Value value, OpBuilder &builder, Location loc) {
  Type i32 = builder.getI32Type();
  return value.getType() == i32
             ? value
             : Value(arith::TruncIOp::create(builder, loc, i32, value));
}

/// Returns the number of bytes between the aligned word in which a run begins
/// and the run. Of a distance only the part counts that is no multiple of a
/// word, so that what an iteration adds, mostly, does not.
Value FragmentEmitter::getShift(const Box &box, ArrayRef<Value> base,
                                ShapeRef constants,
                                const RegisterLayout &layout, IRSystem &s) {
  auto type = cast<MemRefType>(box.memory.getType());
  int64_t bytes = type.getElementTypeBitWidth() / 8;
  Value shift = LLVM::PtrToIntOp::create(builder, s.loc, builder.getI32Type(),
                                         emitter.pointers.lookup(box.memory));
  for (auto [dim, offset] : llvm::enumerate(box.offsets)) {
    int64_t stride = box.layout.strides[dim] * bytes % wordBytes;
    if (stride == 0)
      continue;
    Value index = offset;
    if (isa<IndexType>(index.getType()))
      index =
          arith::IndexCastOp::create(builder, s.loc, emitter.indexType, index);
    if (dim >= box.leading) {
      size_t inner = dim - box.leading;
      Value at = s.addConstant(base[inner], constants[inner]);
      if (layout.overhangs(box.shape, inner))
        at = arith::MinUIOp::create(
            builder, s.loc, at,
            s.index(box.shape[inner] -
                    (inner + 1 == box.shape.size() ? box.run : 1)));
      index = s.addIndex(index, at);
    }
    Value distance =
        arith::MulIOp::create(builder, s.loc, truncate(index, builder, s.loc),
                              constant(stride, builder, s.loc));
    shift = addTo(shift, distance, builder, s.loc);
  }
  return arith::AndIOp::create(builder, s.loc, shift,
                               constant(wordBytes - 1, builder, s.loc));
}

/// Returns the number of bytes of a run along the rows that are there, or null
/// where all are.
Value FragmentEmitter::getExistingBytes(const thread::SourceBox &box,
                                        ArrayRef<Value> base,
                                        ShapeRef constants, IRSystem &s) {
  size_t inner = box.sizes.size() - 1;
  if (!box.isPadded(inner))
    return {};
  int64_t bytes = box.memory.getElementTypeBitWidth() / 8;
  Value left = s.index(wordBytes / bytes);
  auto limit = [&](Value index, int64_t end) {
    Value beyond = arith::SubIOp::create(builder, s.loc, s.index(end), index);
    left = arith::MinSIOp::create(builder, s.loc, left, beyond);
  };
  Value at = s.addConstant(base[inner], constants[inner]);
  if (box.existing[inner] != box.sizes[inner])
    limit(at, box.existing[inner]);
  if (box.clips(inner)) {
    Value offset = box.offsets.back();
    if (isa<IndexType>(offset.getType()))
      offset =
          arith::IndexCastOp::create(builder, s.loc, emitter.indexType, offset);
    limit(s.addIndex(offset, at), box.memory.getShape().back());
  }
  left = arith::MaxSIOp::create(builder, s.loc, left, s.index(0));
  return truncate(s.mulConstant(left, bytes), builder, s.loc);
}

FragmentEmitter::UnalignedRun
FragmentEmitter::loadRun(thread::LoadFragmentOp op, const Box &box,
                         ArrayRef<Value> base, ShapeRef constants,
                         IRSystem &s) {
  Location loc = s.loc;
  thread::SourceBox source = op.getSourceBox();
  auto type = cast<RankedTensorType>(op.getResult().getType());
  UnalignedRun run;
  const RegisterLayout &layout = *getLayout(type);
  run.shift = getShift(box, base, constants, layout, s);
  run.existing = getExistingBytes(source, base, constants, s);
  Value address = getAddress(box, base, constants, layout, s);
  Value back =
      arith::SubIOp::create(builder, loc, constant(0, builder, loc), run.shift);
  address = LLVM::GEPOp::create(builder, loc, address.getType(),
                                builder.getI8Type(), address, back);
  // The second word has elements of the run only if these reach into it.
  Value end =
      addTo(run.shift,
            run.existing ? run.existing : constant(wordBytes, builder, loc),
            builder, loc);
  Value needsSecond =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ugt, end,
                            constant(wordBytes, builder, loc));
  Value exists = isThere(source, base, constants, s);
  if (exists)
    needsSecond = s.both(exists, needsSecond);
  else
    exists = arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));

  // A run of which nothing is there, since its row is not, becomes zeros here.
  // No branch is needed: products that are executed by all lanes of a warp
  // stand between this and the use. Registers that are set under a condition
  // alone would be in use since the kernel began.
  std::string code = "{\n", constraints;
  for (int64_t i = 0; i < 2 * partsPerWord; ++i) {
    code += "mov.b32 $" + std::to_string(i) + ", 0;\n";
    constraints += "=&r,";
  }
  code += "@$9 ld.global.v4.b32 {$0, $1, $2, $3}, [$8];\n"
          "@$10 ld.global.v4.b32 {$4, $5, $6, $7}, [$8 + 16];\n}";
  auto result = LLVM::LLVMStructType::getLiteral(
      builder.getContext(),
      SmallVector<Type>(2 * partsPerWord, builder.getI32Type()));
  Value loaded =
      LLVM::InlineAsmOp::create(
          builder, loc, result, ValueRange{address, exists, needsSecond}, code,
          constraints + "l,b,b", /*has_side_effects=*/true,
          /*is_align_stack=*/false, LLVM::TailCallKind::None,
          LLVM::AsmDialectAttr(), /*operand_attrs=*/ArrayAttr())
          .getResult(0);
  for (int64_t i = 0; i < 2 * partsPerWord; ++i)
    run.parts.push_back(LLVM::ExtractValueOp::create(builder, loc, loaded, i));
  return run;
}

/// Loads a tile as words, if it comes in such.
bool FragmentEmitter::loadWords(thread::LoadFragmentOp op, Box box) {
  if (!op.comesInWords())
    return false;
  auto type = cast<RankedTensorType>(op.getResult().getType());
  const RegisterLayout &layout = *getLayout(type);
  IRSystem s(builder, op.getLoc(), emitter.indexType, builder.getF32Type());
  SmallVector<Value> base = getBase(layout, type.getRank(), s);
  int64_t length = wordBytes * 8 / type.getElementTypeBitWidth();
  box.run = length;
  SmallVector<UnalignedRun> &runs = words[op.getResult()];
  for (int64_t i = 0; i < layout.getNumRegisters(); i += length)
    runs.push_back(
        loadRun(op, box, base, layout.getOffsets(i, type.getRank()), s));
  return true;
}

/// Returns the bits of a part of a run of which so many bytes exist that are
/// its own: those of all bytes before the end of what exists.
static Value getMask(Value existing, int64_t part, OpBuilder &builder,
                     Location loc) {
  auto number = [&](int64_t value) { return constant(value, builder, loc); };
  Value bytes =
      arith::SubIOp::create(builder, loc, existing, number(part * partBytes));
  bytes = arith::MaxSIOp::create(builder, loc, bytes, number(0));
  bytes = arith::MinSIOp::create(builder, loc, bytes, number(partBytes));
  Value isEmpty = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        bytes, number(0));
  Value unused = arith::SubIOp::create(builder, loc, number(partBytes), bytes);
  unused = arith::MulIOp::create(builder, loc, unused, number(8));
  Value bits = arith::ShRUIOp::create(builder, loc, number(-1), unused);
  return arith::SelectOp::create(builder, loc, isEmpty, number(0), bits);
}

/// Returns a run as a vector of its parts.
Value FragmentEmitter::putTogether(const UnalignedRun &run, Location loc) {
  auto number = [&](int64_t value) { return constant(value, builder, loc); };
  // First by two parts, then by one: what is left are the parts in which the
  // run lies, and one more.
  SmallVector<Value, 8> parts = run.parts;
  for (int64_t step : {2, 1}) {
    Value bit = arith::AndIOp::create(builder, loc, run.shift,
                                      number(step * partBytes));
    Value moves = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                                        bit, number(0));
    for (size_t i = 0; i + step < parts.size(); ++i)
      parts[i] = arith::SelectOp::create(builder, loc, moves, parts[i + step],
                                         parts[i]);
    parts.truncate(parts.size() - step);
  }
  Value bits =
      arith::AndIOp::create(builder, loc, run.shift, number(partBytes - 1));
  bits = arith::MulIOp::create(builder, loc, bits, number(8));
  Type vectorType = VectorType::get(partsPerWord, builder.getI32Type());
  Value vector = LLVM::UndefOp::create(builder, loc, vectorType);
  for (int64_t i = 0; i < partsPerWord; ++i) {
    Value part =
        LLVM::FshrOp::create(builder, loc, parts[i + 1], parts[i], bits);
    if (run.existing)
      part = arith::AndIOp::create(builder, loc, part,
                                   getMask(run.existing, i, builder, loc));
    vector =
        LLVM::InsertElementOp::create(builder, loc, vector, part, number(i));
  }
  return vector;
}

void FragmentEmitter::assemble(ValueRange operands) {
  for (Value tile : operands) {
    auto found = words.find(tile);
    if (found == words.end())
      continue;
    Location loc = tile.getLoc();
    Type storage =
        getStorageType(cast<RankedTensorType>(tile.getType()).getElementType());
    int64_t length = wordBytes * 8 / storage.getIntOrFloatBitWidth();
    SmallVector<Value> values;
    for (const UnalignedRun &run : found->second) {
      Value elements = LLVM::BitcastOp::create(builder, loc,
                                               VectorType::get(length, storage),
                                               putTogether(run, loc));
      for (int64_t i = 0; i < length; ++i)
        values.push_back(LLVM::ExtractElementOp::create(
            builder, loc, elements, constant(i, builder, loc)));
    }
    registers[tile] = std::move(values);
  }
}
