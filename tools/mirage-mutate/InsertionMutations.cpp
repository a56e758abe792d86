//===- InsertionMutations.cpp - One operator too many ---------------------===//
//
// Inserts something between a node and what it uses: an offset that is off by
// one, one row in place of all, a repeated half, a transpose, a factor that is
// not one.
//
//===----------------------------------------------------------------------===//

#include "Mutation.h"
#include "llvm/ADT/Twine.h"

using namespace mirage;
using namespace mirage::mutate;
using llvm::Twine;

namespace {

/// A use: operand `slot` of node `node`, with value `value` of shape `shape`.
struct Slot {
  unsigned node;
  size_t slot;
  MuValue value;
  Shape shape;
};

using Change = std::function<MuValue(Draft &, const Slot &)>;

MuValue insert(Draft &d, const Slot &slot, OpKind op,
               const OpAttributes &attributes, MuValue operand,
               ShapeRef shape) {
  return d.insertBefore(slot.node, op, attributes, {operand}, shape);
}

MuValue takeSlice(Draft &d, const Slot &slot, MuValue value, ShapeRef offsets,
                  ShapeRef sizes) {
  OpAttributes slice;
  slice.offsets.assign(offsets.begin(), offsets.end());
  slice.sizes.assign(sizes.begin(), sizes.end());
  slice.strides.assign(sizes.size(), 1);
  return insert(d, slot, OpKind::Slice, slice, value, sizes);
}

/// Element i becomes what i - 1 was, or i + 1; zero comes in at the end.
MuValue shift(Draft &d, const Slot &slot, size_t dim, bool up) {
  Shape padded = slot.shape, offsets(slot.shape.size(), 0);
  ++padded[dim];
  OpAttributes pad;
  pad.offsets.assign(slot.shape.size(), 0);
  pad.sizes = pad.offsets;
  (up ? pad.offsets : pad.sizes)[dim] = 1;
  offsets[dim] = up ? 0 : 1;
  return takeSlice(d, slot,
                   insert(d, slot, OpKind::Pad, pad, slot.value, padded),
                   offsets, slot.shape);
}

/// Puts the first element along a dimension everywhere.
MuValue broadcastFirst(Draft &d, const Slot &slot, size_t dim) {
  Shape sizes = slot.shape;
  sizes[dim] = 1;
  MuValue first = takeSlice(d, slot, slot.value, Shape(sizes.size(), 0), sizes);
  OpAttributes broadcast;
  broadcast.resultShape = slot.shape;
  return insert(d, slot, OpKind::Broadcast, broadcast, first, slot.shape);
}

/// Puts the first half of a dimension in place of the second half, too.
MuValue repeatHalf(Draft &d, const Slot &slot, size_t dim) {
  Shape sizes = slot.shape;
  sizes[dim] /= 2;
  MuValue half = takeSlice(d, slot, slot.value, Shape(sizes.size(), 0), sizes);
  OpAttributes repeat;
  repeat.repeats.assign(sizes.size(), 1);
  repeat.repeats[dim] = 2;
  return insert(d, slot, OpKind::Repeat, repeat, half, slot.shape);
}

MuValue exchange(Draft &d, const Slot &slot, size_t a, size_t b) {
  OpAttributes transpose;
  for (size_t dim = 0; dim < slot.shape.size(); ++dim)
    transpose.permutation.push_back(static_cast<int64_t>(dim));
  std::swap(transpose.permutation[a], transpose.permutation[b]);
  return insert(d, slot, OpKind::Transpose, transpose, slot.value, slot.shape);
}

MuValue multiply(Draft &d, const Slot &slot, double factor) {
  OpAttributes scale;
  scale.scalar = factor;
  return insert(d, slot, OpKind::Scale, scale, slot.value, slot.shape);
}

} // namespace

void mutate::listInsertions(const Draft &draft, Mutations &list) {
  for (const Site &site : draft.getSites()) {
    const MuNode &node = draft.nodes[site.node];
    // Graphs' operands are values as any others; loads read arguments.
    if (node.kind == MuNode::Kind::Load)
      continue;
    for (size_t i = 0; i < node.operands.size(); ++i) {
      Slot slot{site.node, i, node.operands[i],
                Shape(draft.getShape(node.operands[i]))};
      auto add = [&](MutationKind kind, const Twine &what, Change change) {
        list.push_back({kind, site.node,
                        ("operand " + Twine(i) + ": " + what).str(),
                        [=](Draft &d) {
                          MuValue changed = change(d, slot);
                          d.nodes[slot.node].operands[slot.slot] = changed;
                        }});
      };
      for (size_t dim = 0; dim < slot.shape.size(); ++dim) {
        if (slot.shape[dim] == 1)
          continue;
        for (bool up : {false, true})
          add(MutationKind::Shift,
              Twine(up ? "up" : "down") + " by one along dimension " +
                  Twine(dim),
              [=](Draft &d, const Slot &s) { return shift(d, s, dim, up); });
        add(MutationKind::Broadcast,
            "the first element along dimension " + Twine(dim) + " for all",
            [=](Draft &d, const Slot &s) { return broadcastFirst(d, s, dim); });
        if (slot.shape[dim] % 2 == 0)
          add(MutationKind::Broadcast,
              "the first half along dimension " + Twine(dim) + " twice",
              [=](Draft &d, const Slot &s) { return repeatHalf(d, s, dim); });
        for (size_t other = 0; other < dim; ++other)
          if (slot.shape[other] == slot.shape[dim])
            add(MutationKind::Transpose,
                "dimensions " + Twine(other) + " and " + Twine(dim) +
                    " exchanged",
                [=](Draft &d, const Slot &s) {
                  return exchange(d, s, other, dim);
                });
      }
      for (auto [kind, factor, name] :
           {std::tuple(MutationKind::ConstantUlpF64, 1 + 0x1p-52, "1 + 2^-52"),
            std::tuple(MutationKind::ConstantUlpF32, 1 - 0x1p-24, "1 - 2^-24"),
            std::tuple(MutationKind::ConstantValue, 2.0, "2"),
            std::tuple(MutationKind::ConstantValue, -1.0, "-1")})
        add(kind, Twine("times ") + name,
            [factor = factor](Draft &d, const Slot &s) {
              return multiply(d, s, factor);
            });
    }
  }
}
