//===- WarpgroupMma.cpp - Products by wgmma -------------------------------===//
//
// Emits mirage_thread.warpgroup_mma as one assembly statement: all instructions
// of the product, and of others that need not wait for it, their commit and the
// wait for them (PTX ISA, "Asynchronous Warpgroup Level Matrix
// Multiply-Accumulate Instructions"). The compiler sees no accumulator that is
// in flight, but for products with a mirage_thread.warpgroup_wait: their sums
// pass from the statement that begins them to that of the wait, and nothing
// else has them.
//
//===----------------------------------------------------------------------===//

#include "FragmentEmitter.h"
#include "Mirage/Interfaces/MatrixTypes.h"
#include "Mirage/Semantics/ProductDims.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mirage;

namespace {
/// Says how a matrix lies in shared memory from an address on (PTX ISA, "Matrix
/// Descriptor Format").
struct MatrixDescriptor {
  /// The bytes in which addresses and distances count.
  static constexpr int64_t unit = 16;
  static constexpr unsigned leadingBit = 16, strideBit = 32, swizzlingBit = 62;
  /// The bits of an address that are an address in the block's memory.
  static constexpr uint64_t addressMask = (uint64_t(1) << 18) - 1;

  /// These are the distances of 8 x 8 parts. The leading one is not used, and
  /// one unit, where an instruction takes no more than a chunk.
  int64_t leadingBytes = unit, strideBytes = 0;
  /// The bytes in which rows are swizzled: 128, 64 or 32.
  int64_t swizzledBytes = 0;

  /// Returns the descriptor but for the address.
  uint64_t encode() const {
    uint64_t swizzling = swizzledBytes == 128 ? 1 : swizzledBytes == 64 ? 2 : 3;
    return static_cast<uint64_t>(leadingBytes / unit) << leadingBit |
           static_cast<uint64_t>(strideBytes / unit) << strideBit |
           swizzling << swizzlingBit;
  }
};
} // namespace

namespace mirage {
/// The statement of products that are awaited together.
class WarpgroupStatement {
public:
  WarpgroupStatement(FragmentEmitter &fragments, Location loc,
                     ArrayRef<thread::WarpgroupMmaOp> products);

  /// Begins the products, and waits for them unless another operation does.
  void emit();
  /// Waits for a product that was begun before.
  void emitWait(thread::WarpgroupWaitOp wait);

  /// Returns the number of the first of a product's sums.
  int64_t getFirstSum(thread::WarpgroupMmaOp product) const {
    return firstSums.lookup(product.getResult());
  }
  /// Returns the name of an input of the statement, from `$` on.
  std::string addInput(Value value, StringRef constraint);
  void addCode(const Twine &text) { code += text.str(); }

private:
  std::string getConstraints() const;
  /// Emits the statement, and sets the sums to what it gives.
  void emitCode();

  FragmentEmitter &fragments;
  Location loc;
  ArrayRef<thread::WarpgroupMmaOp> products;
  std::string code;
  /// The sums of all products; those that add to what another one of them sums
  /// up have its sums.
  SmallVector<Value> sums, inputs;
  llvm::SmallDenseMap<Value, int64_t, 4> firstSums;
  std::string inputConstraints;
};

class WarpgroupEmitter {
public:
  WarpgroupEmitter(FragmentEmitter &fragments, WarpgroupStatement &statement,
                   thread::WarpgroupMmaOp op)
      : fragments(fragments), builder(fragments.builder), statement(statement),
        op(op), s(builder, op.getLoc(), fragments.emitter.indexType,
                  builder.getF32Type()),
        layout(*getLayout(op.getResult().getType())),
        rank(cast<RankedTensorType>(op.getResult().getType()).getRank()) {}

  /// Adds the product's instructions to the statement.
  void emit();

private:
  /// The rows and the contracted elements of half an instruction, of which a
  /// lane has registers.
  static constexpr int64_t half = MatrixInstruction::rows / 2;

  /// Holds an operand in shared memory: the descriptor of its first element for
  /// this warpgroup, and the distances in bytes of the 8 x 8 parts that are
  /// neighbours along its kept and its contracted dimension.
  struct Matrix {
    Value descriptor;
    MemoryLayout memory;
    bool transposed;
    MatrixRole role;
  };
  Matrix getMatrix(MatrixRole role);
  /// Returns the descriptor of the part that begins at these constant places.
  Value getPart(const Matrix &matrix, ShapeRef batch, int64_t kept,
                int64_t contracted);
  /// Returns the columns of an instruction: the largest part of a warp's that
  /// it can have.
  int64_t getColumnsPerInstruction() const;
  /// Returns the list of an instruction's sums, which begin at these places.
  std::string listSums(ShapeRef batch, int64_t row, int64_t column) const;
  /// Adds the left operand's registers from these places on to the inputs, and
  /// returns the list of them.
  std::string addFragments(ShapeRef batch, int64_t row, int64_t depth);
  void addInstruction(ShapeRef batch, int64_t row, int64_t column,
                      int64_t depth);

  FragmentEmitter &fragments;
  OpBuilder &builder;
  WarpgroupStatement &statement;
  thread::WarpgroupMmaOp op;
  IRSystem s;
  const RegisterLayout &layout;
  int64_t rank;
  /// The left operand is here if it is in memory.
  std::optional<Matrix> lhs;
  Matrix rhs;
  int64_t columnsPerInstruction = 0;
};
} // namespace mirage

WarpgroupEmitter::Matrix WarpgroupEmitter::getMatrix(MatrixRole role) {
  bool isLhs = role == MatrixRole::Lhs;
  Value buffer = isLhs ? op.getLhs() : Value(op.getRhs());
  Matrix matrix;
  matrix.role = role;
  matrix.transposed = isLhs ? op.getTransposeLhs() : op.getTransposeRhs();
  Shape shape = op.getOperandShape(role);
  FragmentEmitter::Box box = fragments.getBox(
      buffer, isLhs ? op.getLhsOffsets() : op.getRhsOffsets(), shape);
  matrix.memory = box.layout;

  // The first element of the warpgroup: what its first warp has in registers
  // where its lanes are zero.
  RegisterLayout operand = op.getOperandLayout(role);
  SmallVector<Value> base(rank, s.index(0));
  Value warp = fragments.getWarp(s);
  auto rowDim = static_cast<int64_t>(
      getKeptDim(matrix.transposed, ProductOperand::Lhs, rank));
  for (auto [digit, mode] :
       llvm::zip(fragments.getDigits(warp, operand.warps, s), operand.warps)) {
    if (mode.isReplicated())
      continue;
    // The four warps of a warpgroup are neighbours along the rows.
    Value of = digit;
    int64_t stride = mode.stride;
    if (isLhs && mode.dim == rowDim) {
      of = s.divConstant(digit, WarpgroupInstruction::warps);
      stride = WarpgroupInstruction::rows;
    }
    base[*mode.dim] = s.addIndex(base[*mode.dim], s.mulConstant(of, stride));
  }
  Value address =
      fragments.getAddress(box, base, Shape(rank, 0), operand, s,
                           FragmentEmitter::AddressKind::BeforeSwizzling);
  Location loc = op.getLoc();
  Type i64 = builder.getI64Type(), i32 = builder.getI32Type();
  auto constant = [&](uint64_t value) -> Value {
    return LLVM::ConstantOp::create(
        builder, loc, builder.getI64IntegerAttr(static_cast<int64_t>(value)));
  };
  // The upper bits of an address say whose memory it is in a cluster.
  auto getNumber = [&](Value of) -> Value {
    Value bits = LLVM::ZExtOp::create(
        builder, loc, i64, LLVM::PtrToIntOp::create(builder, loc, i32, of));
    bits = LLVM::AndOp::create(builder, loc, bits,
                               constant(MatrixDescriptor::addressMask));
    return LLVM::LShrOp::create(
        builder, loc, bits, constant(llvm::Log2_64(MatrixDescriptor::unit)));
  };
  Value number = getNumber(address);
  constexpr int64_t bytes = 2;
  int64_t chunk = matrix.memory.chunk;
  // Eight rows are the stride dimension. Chunks are the leading one where the
  // innermost dimension is not the contracted one, of which an instruction
  // takes no more than a chunk.
  bool contractedInner = isLhs != matrix.transposed;
  MatrixDescriptor descriptor;
  descriptor.strideBytes = 8 * chunk * bytes;
  if (!contractedInner)
    descriptor.leadingBytes = matrix.memory.chunkStride * bytes;
  descriptor.swizzledBytes = chunk * bytes;
  // The ones are the part of the columns behind the first chunk, whatever stage
  // this one is.
  bool hasOnes = !isLhs && op.getOnes();
  if (hasOnes)
    descriptor.leadingBytes = 0;
  matrix.descriptor =
      LLVM::OrOp::create(builder, loc, number, constant(descriptor.encode()));
  if (hasOnes) {
    Value distance = LLVM::SubOp::create(
        builder, loc,
        getNumber(fragments.emitter.pointers.lookup(op.getOnes())), number);
    matrix.descriptor = LLVM::AddOp::create(
        builder, loc, matrix.descriptor,
        LLVM::ShlOp::create(builder, loc, distance,
                            constant(MatrixDescriptor::leadingBit)));
  }
  return matrix;
}

Value WarpgroupEmitter::getPart(const Matrix &matrix, ShapeRef batch,
                                int64_t kept, int64_t contracted) {
  bool isLhs = matrix.role == MatrixRole::Lhs;
  size_t last = matrix.memory.strides.size() - 1;
  int64_t distance = isLhs != matrix.transposed
                         ? matrix.memory.getDistance(last - 1, kept) +
                               matrix.memory.getDistance(last, contracted)
                         : matrix.memory.getDistance(last - 1, contracted) +
                               matrix.memory.getDistance(last, kept);
  Shape shape = op.getOperandShape(matrix.role);
  for (auto [dim, index] : llvm::enumerate(batch))
    if (shape[dim] > 1)
      distance += matrix.memory.getDistance(last + 1 - rank + dim, index);
  if (distance == 0)
    return matrix.descriptor;
  int64_t units = distance * 2 / MatrixDescriptor::unit;
  // The ones stay where they are.
  if (!isLhs && op.getOnes())
    units -= units << MatrixDescriptor::leadingBit;
  return LLVM::AddOp::create(
      builder, op.getLoc(), matrix.descriptor,
      LLVM::ConstantOp::create(builder, op.getLoc(),
                               builder.getI64IntegerAttr(units)));
}

int64_t WarpgroupEmitter::getColumnsPerInstruction() const {
  int64_t columns = WarpgroupInstruction::columnStep;
  for (const LayoutMode &mode : layout.registers)
    if (mode.dim == rank - 1 && mode.stride >= WarpgroupInstruction::columnStep)
      columns *= mode.size;
  int64_t width = std::min(columns, WarpgroupInstruction::mostColumns);
  while (columns % width)
    width -= WarpgroupInstruction::columnStep;
  return width;
}

std::string WarpgroupEmitter::listSums(ShapeRef batch, int64_t row,
                                       int64_t column) const {
  std::string list;
  for (int64_t part = 0; part < columnsPerInstruction;
       part += WarpgroupInstruction::columnStep)
    for (int64_t i = 0; i < 4; ++i) {
      std::optional<int64_t> number = layout.findRegister(
          getPlace(batch, row + i / 2 * half, column + part + i % 2));
      list += (list.empty() ? "$" : ", $") +
              std::to_string(statement.getFirstSum(op) + *number);
    }
  return list;
}

std::string WarpgroupEmitter::addFragments(ShapeRef batch, int64_t row,
                                           int64_t depth) {
  Location loc = op.getLoc();
  auto tensor = cast<RankedTensorType>(op.getLhs().getType());
  const RegisterLayout &registers = *getLayout(tensor);
  ArrayRef<Value> values = fragments.registers[op.getLhs()];
  std::string list;
  for (int64_t i = 0; i < 4; ++i) {
    Shape place = getPlace(batch, row + i % 2 * half, depth + i / 2 * half);
    if (op.getTransposeLhs())
      std::swap(place.rbegin()[0], place.rbegin()[1]);
    for (auto [index, size] : llvm::zip(place, tensor.getShape()))
      if (size == 1)
        index = 0;
    int64_t number = *registers.findRegister(place);
    Value both = fragments.pack(values[number], values[number + 1], loc);
    both = LLVM::BitcastOp::create(builder, loc, builder.getI32Type(), both);
    list += (i ? ", " : "{") + statement.addInput(both, "r");
  }
  return list + "}";
}

void WarpgroupEmitter::addInstruction(ShapeRef batch, int64_t row,
                                      int64_t column, int64_t depth) {
  auto lhsType = cast<ShapedType>(op.getLhs().getType());
  StringRef element = lhsType.getElementType().isF16() ? "f16" : "bf16";
  std::string b = statement.addInput(getPart(rhs, batch, column, depth), "l");
  std::string a, transposition;
  if (lhs) {
    a = statement.addInput(getPart(*lhs, batch, row, depth), "l");
    transposition = lhs->transposed ? "1, " : "0, ";
  } else {
    a = addFragments(batch, row, depth);
  }
  // The result accumulates, and neither operand is negated. A right operand
  // whose columns are neighbours is transposed for the instruction.
  statement.addCode("wgmma.mma_async.sync.aligned.m64n" +
                    Twine(columnsPerInstruction) + "k16.f32." + element + "." +
                    element + " {" + listSums(batch, row, column) + "}, " + a +
                    ", " + b + ", p, 1, 1, " + transposition +
                    (rhs.transposed ? "0" : "1") + ";\n");
}

void WarpgroupEmitter::emit() {
  if (op.isLhsInMemory())
    lhs = getMatrix(MatrixRole::Lhs);
  rhs = getMatrix(MatrixRole::Rhs);
  columnsPerInstruction = getColumnsPerInstruction();
  // An instruction's accumulators begin at rows and columns of which it has the
  // first; the contracted dimension is the outer loop, so that neighbours have
  // other accumulators.
  int64_t outer = rank - 2, inner = rank - 1;
  int64_t step =
      getFragmentInstruction(op.getRhs().getType().getElementType())->depth;
  for (int64_t depth = 0; depth < op.getDepth(); depth += step)
    for (int64_t number = 0; number < layout.getNumRegisters(); ++number) {
      Shape offsets = layout.getOffsets(number, rank);
      if (offsets[outer] % MatrixInstruction::rows ||
          offsets[inner] % columnsPerInstruction)
        continue;
      addInstruction(ShapeRef(offsets).drop_back(2), offsets[outer],
                     offsets[inner], depth);
    }
}

WarpgroupStatement::WarpgroupStatement(
    FragmentEmitter &fragments, Location loc,
    ArrayRef<thread::WarpgroupMmaOp> products)
    : fragments(fragments), loc(loc), products(products) {
  for (thread::WarpgroupMmaOp product : products) {
    auto known = firstSums.find(product.getAccumulator());
    if (known != firstSums.end()) {
      int64_t first = known->second;
      firstSums[product.getResult()] = first;
      continue;
    }
    firstSums[product.getResult()] = sums.size();
    llvm::append_range(sums,
                       fragments.registers.lookup(product.getAccumulator()));
  }
}

std::string WarpgroupStatement::addInput(Value value, StringRef constraint) {
  inputs.push_back(value);
  inputConstraints += ("," + constraint).str();
  return "$" + std::to_string(2 * sums.size() + inputs.size() - 1);
}

std::string WarpgroupStatement::getConstraints() const {
  // The sums are written before the last operand is read: a register that holds
  // a sum at first, zero say, must not also be that of an operand which is
  // zero.
  std::string constraints;
  for (size_t i = 0; i < sums.size(); ++i)
    constraints += i ? ",=&f" : "=&f";
  for (size_t i = 0; i < sums.size(); ++i)
    constraints += "," + std::to_string(i);
  return constraints + inputConstraints + ",~{memory}";
}

void WarpgroupStatement::emit() {
  thread::WarpgroupMmaOp last = products.back();
  bool isAwaited = !last.getWait();
  code = "{ .reg .pred p; setp.eq.b32 p, 0, 0;\n"
         "wgmma.fence.sync.aligned;\n";
  for (thread::WarpgroupMmaOp product : products)
    WarpgroupEmitter(fragments, *this, product).emit();
  code += "wgmma.commit_group.sync.aligned;\n";
  code += isAwaited ? "wgmma.wait_group.sync.aligned 0; }" : "}";
  emitCode();
  for (thread::WarpgroupMmaOp product : products)
    fragments.registers[product.getResult()].assign(
        sums.begin() + getFirstSum(product),
        sums.begin() + getFirstSum(product) +
            getLayout(product.getResult().getType())->getNumRegisters());
  if (!isAwaited)
    fragments.operandsInFlight[last.getResult()] = inputs;
}

void WarpgroupStatement::emitWait(thread::WarpgroupWaitOp wait) {
  // Products end in order: so many may still run.
  int64_t others = 0;
  for (Operation *op = wait.getBeginning()->getNextNode(); op != wait;
       op = op->getNextNode())
    if (auto product = dyn_cast<thread::WarpgroupMmaOp>(op))
      others += product.getWait() != nullptr;
  llvm::append_range(sums, fragments.registers.lookup(wait.getProduct()));
  // The registers that the product reads are its own up to here.
  for (Value operand : fragments.operandsInFlight.lookup(wait.getProduct()))
    addInput(operand, operand.getType().isInteger(32) ? "r" : "l");
  code = "wgmma.wait_group.sync.aligned " + std::to_string(others) + ";";
  emitCode();
  fragments.registers[wait.getResult()] = sums;
}

void WarpgroupStatement::emitCode() {
  OpBuilder &builder = fragments.builder;
  SmallVector<Value> operands = sums;
  llvm::append_range(operands, inputs);
  auto result = LLVM::LLVMStructType::getLiteral(
      builder.getContext(),
      SmallVector<Type>(sums.size(), builder.getF32Type()));
  Value all = LLVM::InlineAsmOp::create(
                  builder, loc, result, operands, code, getConstraints(),
                  /*has_side_effects=*/true, /*is_align_stack=*/false,
                  LLVM::TailCallKind::None, LLVM::AsmDialectAttr(),
                  /*operand_attrs=*/ArrayAttr())
                  .getResult(0);
  for (auto [i, sum] : llvm::enumerate(sums))
    sum = LLVM::ExtractValueOp::create(builder, loc, all, i);
}

/// Returns true if a product may begin before the results of others are there:
/// it reads none of them but as what it adds to, and nothing else reads that.
static bool isIndependent(thread::WarpgroupMmaOp product,
                          ArrayRef<thread::WarpgroupMmaOp> before) {
  return llvm::all_of(before, [&](thread::WarpgroupMmaOp other) {
    return llvm::all_of(other->getUsers(), [&](Operation *user) {
      return user != product ||
             (other->hasOneUse() &&
              product.getAccumulator() == other.getResult() &&
              product.getLhs() != other.getResult());
    });
  });
}

/// Returns true if a product follows that need not wait for these, the last of
/// which is the one that was met last: between them nothing is written, and
/// nothing reads their results.
static bool isFollowed(ArrayRef<thread::WarpgroupMmaOp> products) {
  // Who waits for a product waits for no other one.
  thread::WarpgroupMmaOp last = products.back();
  if (last.getWait())
    return false;
  for (Operation *next = products.back()->getNextNode(); next;
       next = next->getNextNode()) {
    if (auto product = dyn_cast<thread::WarpgroupMmaOp>(next))
      return isIndependent(product, products) &&
             (!product.getWait() ||
              (products.size() == 1 &&
               product.getAccumulator() == last.getResult()));
    auto effects = dyn_cast<MemoryEffectOpInterface>(next);
    bool writesNothing =
        isPure(next) ||
        (effects && effects.onlyHasEffect<MemoryEffects::Read>());
    if (!writesNothing || next->getNumRegions() > 0 ||
        llvm::any_of(next->getOperands(), [&](Value operand) {
          return llvm::is_contained(products, operand.getDefiningOp());
        }))
      return false;
  }
  return false;
}

LogicalResult FragmentEmitter::emit(thread::WarpgroupMmaOp op) {
  products.push_back(op);
  if (isFollowed(products))
    return success();
  WarpgroupStatement(*this, op.getLoc(), products).emit();
  products.clear();
  return success();
}

void FragmentEmitter::emit(thread::SequencePassOp op,
                           function_ref<void(MutableArrayRef<Value>)> pass) {
  SmallVector<Value> all;
  for (Value value : op.getValues())
    llvm::append_range(all, registers.lookup(value));
  pass(all);
  ArrayRef<Value> rest = all;
  for (auto [value, result] :
       llvm::zip_equal(op.getValues(), op.getResults())) {
    size_t count = registers.lookup(value).size();
    registers[result].assign(rest.begin(), rest.begin() + count);
    rest = rest.drop_front(count);
  }
}

LogicalResult FragmentEmitter::emit(thread::WarpgroupWaitOp op) {
  WarpgroupStatement(*this, op.getLoc(), {}).emitWait(op);
  return success();
}
