//===- MergedProducts.cpp - Products that are one, and are not ------------===//
//
// x u and x v are the columns of x (u ‖ v). The concatenation depends on
// weights alone, so that mirage-split-load computes it once, and so does the
// transpose of a weight that is stored otherwise than the first one.
//
//===----------------------------------------------------------------------===//

#include "MergedProducts.h"
#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "Mirage/Dialect/Mirage/IR/MirageDialect.h"
#include "Mirage/Interfaces/MuGraphOpInterface.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mirage;

static RankedTensorType getType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

bool mirage::isLoaded(Value value) {
  SmallVector<Value> open = {value};
  llvm::DenseSet<Value> seen;
  while (!open.empty()) {
    Value next = open.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    if (auto argument = dyn_cast<BlockArgument>(next)) {
      auto function =
          dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
      if (!function ||
          !function.getArgAttr(argument.getArgNumber(),
                               MirageDialect::getConstantAttrName()))
        return false;
      continue;
    }
    Operation *op = next.getDefiningOp();
    if (!isKernelOperator(op) || !isMemoryEffectFree(op))
      return false;
    llvm::append_range(open, op->getOperands());
  }
  return true;
}

/// Returns the dimension of a weight that has the columns of the product.
static int64_t getColumnDim(kernel::MatmulOp product) {
  return getType(product.getRhs()).getRank() -
         (product.getTransposeRhs() ? 2 : 1);
}

//===----------------------------------------------------------------------===//
// Several products as one
//===----------------------------------------------------------------------===//

/// Returns whether two products differ in nothing but their weights, how these
/// are stored, and how many columns they have.
static bool areAlike(kernel::MatmulOp a, kernel::MatmulOp b) {
  auto getBatch = [](Value value) {
    return getType(value).getShape().drop_back(2);
  };
  return a.getTransposeLhs() == b.getTransposeLhs() &&
         a.getComputeAttr() == b.getComputeAttr() &&
         a.getType().getElementType() == b.getType().getElementType() &&
         getType(a.getRhs()).getElementType() ==
             getType(b.getRhs()).getElementType() &&
         getBatch(a.getRhs()) == getBatch(b.getRhs());
}

/// Returns the products that can be one with a product, in their order.
static SmallVector<kernel::MatmulOp> findAlike(kernel::MatmulOp product) {
  SmallVector<kernel::MatmulOp> found;
  if (!isLoaded(product.getRhs()) || isLoaded(product.getLhs()))
    return found;
  for (Operation *user : product.getLhs().getUsers()) {
    auto other = dyn_cast<kernel::MatmulOp>(user);
    if (other && other.getLhs() == product.getLhs() &&
        other->getBlock() == product->getBlock() && areAlike(product, other) &&
        isLoaded(other.getRhs()))
      found.push_back(other);
  }
  llvm::sort(found, [](kernel::MatmulOp a, kernel::MatmulOp b) {
    return a->isBeforeInBlock(b);
  });
  return found;
}

bool mirage::isFirstOfSeveral(Value product) {
  auto matmul = product.getDefiningOp<kernel::MatmulOp>();
  SmallVector<kernel::MatmulOp> alike = findAlike(matmul);
  return alike.size() > 1 && alike.front() == matmul;
}

/// Returns the places along a dimension of a tensor.
static Value takePlaces(OpBuilder &builder, Location loc, Value tensor,
                        int64_t dim, int64_t offset, int64_t size) {
  RankedTensorType type = getType(tensor);
  if (size == type.getDimSize(dim))
    return tensor;
  SmallVector<int64_t> offsets(type.getRank(), 0),
      sizes(type.getShape().begin(), type.getShape().end()),
      strides(type.getRank(), 1);
  offsets[dim] = offset;
  sizes[dim] = size;
  return kernel::SliceOp::create(
      builder, loc, RankedTensorType::get(sizes, type.getElementType()), tensor,
      builder.getDenseI64ArrayAttr(offsets),
      builder.getDenseI64ArrayAttr(sizes),
      builder.getDenseI64ArrayAttr(strides));
}

/// Returns a concatenation of values of which each may be a slice of one
/// tensor. If they are slices one behind the other, it is a slice of that, or
/// it.
static Value concatenate(OpBuilder &builder, Location loc, ValueRange values,
                         int64_t dim) {
  auto first = values.front().getDefiningOp<kernel::SliceOp>();
  int64_t size = 0;
  bool isOne = first != nullptr;
  for (Value value : values) {
    auto slice = value.getDefiningOp<kernel::SliceOp>();
    isOne = isOne && slice && slice.getInput() == first.getInput() &&
            llvm::all_of(slice.getStrides(),
                         [](int64_t stride) { return stride == 1; });
    if (isOne)
      for (int64_t i = 0; i < getType(value).getRank(); ++i)
        isOne &= slice.getOffsets()[i] ==
                 first.getOffsets()[i] + (i == dim ? size : 0);
    size += getType(value).getDimSize(dim);
  }
  auto isWhole = [&](int64_t i) {
    return i == dim || getType(first).getDimSize(i) ==
                           getType(first.getInput()).getDimSize(i);
  };
  if (isOne && llvm::all_of(llvm::seq(getType(first).getRank()), isWhole))
    return takePlaces(builder, loc, first.getInput(), dim,
                      first.getOffsets()[dim], size);
  return kernel::ConcatOp::create(builder, loc, values,
                                  builder.getI64IntegerAttr(dim));
}

Value mirage::mergeProducts(PatternRewriter &rewriter, Location loc,
                            Value product) {
  auto first = product.getDefiningOp<kernel::MatmulOp>();
  SmallVector<kernel::MatmulOp> alike = findAlike(first);
  auto weights = llvm::map_to_vector(
      alike, [](kernel::MatmulOp other) { return Value(other.getRhs()); });
  // What weights depend on has no effects, and may stand behind the first
  // product.
  [[maybe_unused]] LogicalResult moved =
      moveValueDefinitions(rewriter, weights, first);
  assert(succeeded(moved) && "weights depend on arguments alone");
  rewriter.setInsertionPoint(first);
  for (auto [weight, other] : llvm::zip_equal(weights, alike)) {
    if (other.getTransposeRhs() == first.getTransposeRhs())
      continue;
    auto order = llvm::to_vector(llvm::seq(getType(weight).getRank()));
    std::swap(order[order.size() - 2], order.back());
    weight = kernel::TransposeOp::create(rewriter, loc, weight,
                                         rewriter.getDenseI64ArrayAttr(order));
  }
  RankedTensorType type = first.getType();
  int64_t last = type.getRank() - 1, columns = 0;
  for (kernel::MatmulOp other : alike)
    columns += other.getType().getDimSize(last);
  auto shape = llvm::to_vector(type.getShape());
  shape[last] = columns;
  Value whole = kernel::MatmulOp::create(
      rewriter, loc, RankedTensorType::get(shape, type.getElementType()),
      first.getLhs(), concatenate(rewriter, loc, weights, getColumnDim(first)),
      first.getTransposeLhs(), first.getTransposeRhs(), first.getComputeAttr());
  Value own;
  int64_t offset = 0;
  for (kernel::MatmulOp other : alike) {
    int64_t size = other.getType().getDimSize(last);
    Value part = takePlaces(rewriter, loc, whole, last, offset, size);
    offset += size;
    if (other == first)
      own = part;
    else
      rewriter.replaceOp(other, part);
  }
  return own;
}

//===----------------------------------------------------------------------===//
// Parts of a product as products
//===----------------------------------------------------------------------===//

bool mirage::takesColumns(Value slice, Value product) {
  auto op = slice.getDefiningOp<kernel::SliceOp>();
  int64_t last = getType(product).getRank() - 1;
  return op.getStrides()[last] == 1 &&
         getType(slice).getShape().drop_back() ==
             getType(product).getShape().drop_back();
}

/// Returns the columns of a weight, which may be those of one that it is
/// concatenated of.
static Value takeColumns(OpBuilder &builder, Location loc, Value weight,
                         int64_t dim, int64_t offset, int64_t size) {
  auto concat = weight.getDefiningOp<kernel::ConcatOp>();
  if (concat && static_cast<int64_t>(concat.getDim()) == dim) {
    int64_t begin = 0;
    for (Value part : concat.getInputs()) {
      int64_t own = getType(part).getDimSize(dim);
      if (begin == offset && own == size)
        return part;
      begin += own;
    }
  }
  return takePlaces(builder, loc, weight, dim, offset, size);
}

Value mirage::multiplySlice(OpBuilder &builder, Location loc, Value slice,
                            Value product) {
  auto op = slice.getDefiningOp<kernel::SliceOp>();
  auto matmul = product.getDefiningOp<kernel::MatmulOp>();
  Value columns =
      takeColumns(builder, loc, matmul.getRhs(), getColumnDim(matmul),
                  op.getOffsets().back(), op.getSizes().back());
  return kernel::MatmulOp::create(
      builder, loc, slice.getType(), matmul.getLhs(), columns,
      matmul.getTransposeLhs(), matmul.getTransposeRhs(),
      matmul.getComputeAttr());
}
