//===- InsertSlice.cpp - Tensors put together of slices -------------------===//
//
// Converts slices that are inserted into a tensor one after another, as
// concatenations are often written. The tensor is cut along the borders of the
// slices, each piece is part of the slice inserted last or of what was there
// before, and the pieces are concatenated.
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

using namespace mlir;
using namespace mirage;

namespace {
/// Describes a box of elements: lower[i] to upper[i] - 1 of each dimension.
struct Box {
  SmallVector<int64_t> lower, upper;

  bool meets(const Box &other) const {
    for (size_t i = 0; i < lower.size(); ++i)
      if (upper[i] <= other.lower[i] || other.upper[i] <= lower[i])
        return false;
    return true;
  }
  bool contains(const Box &other) const {
    for (size_t i = 0; i < lower.size(); ++i)
      if (other.lower[i] < lower[i] || upper[i] < other.upper[i])
        return false;
    return true;
  }
};

/// Describes a piece, which is cut into `pieces` along `dim`, or is all of one
/// origin.
struct Piece {
  Box box;
  unsigned dim = 0;
  std::vector<Piece> pieces;
  /// This is the number of the inserted slice, or nothing for the tensor before
  /// the insertions.
  std::optional<size_t> origin;
};

struct Insertion {
  Importer &importer;
  /// The slices, the one inserted last first, and where they are inserted.
  SmallVector<Value> sources;
  SmallVector<Box> boxes;
  Value base;
  std::optional<double> baseSplat;

  explicit Insertion(Importer &importer) : importer(importer) {}

  LogicalResult check(tensor::InsertSliceOp op) {
    if (!op.getOffsets().empty() || !op.getSizes().empty() ||
        !op.getStrides().empty())
      return importer.refuse("its offsets, sizes or strides are no constants");
    if (llvm::any_of(op.getStaticStrides(), [](int64_t s) { return s != 1; }))
      return importer.refuse("its strides are not one");
    return importer.checkOperand(op.getSource());
  }

  void add(tensor::InsertSliceOp op) {
    Box box;
    for (auto [offset, size] :
         llvm::zip(op.getStaticOffsets(), op.getStaticSizes())) {
      box.lower.push_back(offset);
      box.upper.push_back(offset + size);
    }
    sources.push_back(op.getSource());
    boxes.push_back(box);
    base = op.getDest();
  }

  /// Returns the numbers at which `box` can be cut along `dim`: borders of
  /// slices; if `cleanly`, only those that are inside of no slice.
  SmallVector<int64_t> getCuts(const Box &box, unsigned dim, bool cleanly) {
    SmallVector<int64_t> cuts;
    for (const Box &slice : boxes)
      if (slice.meets(box))
        for (int64_t cut : {slice.lower[dim], slice.upper[dim]})
          if (box.lower[dim] < cut && cut < box.upper[dim])
            cuts.push_back(cut);
    if (cleanly)
      llvm::erase_if(cuts, [&](int64_t cut) {
        return llvm::any_of(boxes, [&](const Box &slice) {
          return slice.meets(box) && slice.lower[dim] < cut &&
                 cut < slice.upper[dim];
        });
      });
    llvm::sort(cuts);
    cuts.erase(llvm::unique(cuts), cuts.end());
    return cuts;
  }

  FailureOr<Piece> plan(const Box &box) {
    Piece piece;
    piece.box = box;
    const Box *last = llvm::find_if(
        boxes, [&](const Box &slice) { return slice.meets(box); });
    if (last == boxes.end() || last->contains(box)) {
      if (last != boxes.end())
        piece.origin = last - boxes.begin();
      if (!piece.origin && base.getDefiningOp<tensor::EmptyOp>())
        return importer.refuse("not all elements of the tensor.empty that it "
                               "inserts into are inserted");
      return piece;
    }
    SmallVector<int64_t> cuts;
    for (bool cleanly : {true, false})
      for (unsigned dim = 0; dim < box.lower.size() && cuts.empty(); ++dim) {
        cuts = getCuts(box, dim, cleanly);
        piece.dim = dim;
      }
    cuts.push_back(box.upper[piece.dim]);
    Box part = box;
    for (int64_t cut : cuts) {
      part.upper[piece.dim] = cut;
      FailureOr<Piece> inner = plan(part);
      if (failed(inner))
        return failure();
      piece.pieces.push_back(std::move(*inner));
      part.lower[piece.dim] = cut;
    }
    return piece;
  }

  Value emit(TensorBuilder &builder, const Piece &piece) {
    if (!piece.pieces.empty()) {
      SmallVector<Value> values;
      for (const Piece &inner : piece.pieces)
        values.push_back(emit(builder, inner));
      OpAttributes attrs;
      attrs.dim = piece.dim;
      return builder.apply(OpKind::Concat, attrs, values);
    }
    SmallVector<int64_t> offsets(piece.box.lower), ones(offsets.size(), 1);
    Shape sizes;
    for (auto [lower, upper] : llvm::zip(piece.box.lower, piece.box.upper))
      sizes.push_back(upper - lower);
    if (!piece.origin)
      return baseSplat
                 ? builder.splat(importer.getFloatType(sources.front()), sizes,
                                 *baseSplat)
                 : builder.slice(importer.lookup(base), offsets, sizes, ones);
    const Box &slice = boxes[*piece.origin];
    Shape whole;
    for (auto [i, lower] : llvm::enumerate(slice.lower)) {
      offsets[i] -= lower;
      whole.push_back(slice.upper[i] - lower);
    }
    Value source = importer.lookup(sources[*piece.origin]);
    return builder.slice(builder.reshape(source, whole), offsets, sizes, ones);
  }

  /// Emits one slice that a constant surrounds as a padding.
  Value emitPad(TensorBuilder &builder, ShapeRef shape) {
    OpAttributes attrs;
    attrs.scalar = *baseSplat;
    Shape inner;
    for (auto [lower, upper, size] :
         llvm::zip(boxes[0].lower, boxes[0].upper, shape)) {
      attrs.offsets.push_back(lower);
      attrs.sizes.push_back(size - upper);
      inner.push_back(upper - lower);
    }
    return builder.apply(OpKind::Pad, attrs,
                         builder.reshape(importer.lookup(sources[0]), inner));
  }
};
} // namespace

LogicalResult mirage::convertInsertSlice(Importer &importer,
                                         tensor::InsertSliceOp op) {
  // Beyond this, pieces cost more than they are worth.
  constexpr size_t mostSlices = 64;
  Insertion insertion(importer);
  if (failed(insertion.check(op)))
    return failure();
  insertion.add(op);
  auto before = op.getDest().getDefiningOp<tensor::InsertSliceOp>();
  while (before && insertion.boxes.size() < mostSlices &&
         succeeded(insertion.check(before))) {
    insertion.add(before);
    before = insertion.base.getDefiningOp<tensor::InsertSliceOp>();
  }
  insertion.baseSplat = importer.getSplat(insertion.base);
  if (!insertion.baseSplat && failed(importer.checkOperand(insertion.base)))
    return failure();

  auto type = cast<RankedTensorType>(op.getType());
  OpBuilder opBuilder(op);
  TensorBuilder builder(opBuilder, op.getLoc());
  if (insertion.baseSplat && insertion.boxes.size() == 1) {
    importer.map(op, insertion.emitPad(builder, Shape(type.getShape())));
    return success();
  }
  Box whole{SmallVector<int64_t>(type.getRank(), 0),
            SmallVector<int64_t>(type.getShape())};
  FailureOr<Piece> plan = insertion.plan(whole);
  if (failed(plan))
    return failure();
  importer.map(op, insertion.emit(builder, *plan));
  return success();
}
