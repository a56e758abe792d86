//===- NodeContents.h - All that a node says --------------------*- C++ -*-===//
//
// A node's contents but for the numbers of its values and its body, as words
// that are equal where nodes mean the same; and the attributes of operators by
// name.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_MUGRAPH_NODECONTENTS_H
#define MIRAGE_LIB_MUGRAPH_NODECONTENTS_H

#include "Mirage/MuGraph/MuGraph.h"

namespace mirage {

using Words = llvm::SmallVector<uint64_t, 32>;

/// Kind, attributes, maps, extents, number of operands, types of the results of
/// operators and iterators. (Those of graphs and loops are their body's.)
Words getContents(const MuGraph &graph, const MuNode &node);

/// The type and shape of a value.
Words getContents(const MuGraph::Value &value);

/// Calls visit(name, member, default) for each attribute. resultShape and
/// resultType are left out: they are those of the operator's result.
template <typename Visitor>
void visitAttributes(const OpAttributes &attributes, Visitor &&visit) {
  // Lists all members, so that a new one cannot be forgotten here.
  const auto &[transposeLhs, transposeRhs, tf32, dim, group, keep, reduceKind,
               parts, compareKind, geluForm, scalar, lower, upper, permutation,
               repeats, offsets, sizes, strides, convStrides, convPadding,
               convDilations, convGroups, convLayout, resultShape, resultType,
               values, groups, hasWeight, hasBias] = attributes;
  const OpAttributes defaults;
  visit("transpose_lhs", transposeLhs, defaults.transposeLhs);
  visit("transpose_rhs", transposeRhs, defaults.transposeRhs);
  visit("tf32", tf32, defaults.tf32);
  visit("reduce", reduceKind, defaults.reduceKind);
  visit("dim", dim, defaults.dim);
  visit("group", group, defaults.group);
  visit("keep", keep, defaults.keep);
  visit("parts", parts, defaults.parts);
  visit("compare", compareKind, defaults.compareKind);
  visit("gelu", geluForm, defaults.geluForm);
  visit("scalar", scalar, defaults.scalar);
  visit("lower", lower, defaults.lower);
  visit("upper", upper, defaults.upper);
  visit("permutation", permutation, defaults.permutation);
  visit("repeats", repeats, defaults.repeats);
  visit("offsets", offsets, defaults.offsets);
  visit("sizes", sizes, defaults.sizes);
  visit("strides", strides, defaults.strides);
  visit("strides", convStrides, defaults.convStrides);
  visit("padding", convPadding, defaults.convPadding);
  visit("dilations", convDilations, defaults.convDilations);
  visit("groups", convGroups, defaults.convGroups);
  visit("layout", convLayout, defaults.convLayout);
  visit("values", values, defaults.values);
  visit("groups", groups, defaults.groups);
  visit("weight", hasWeight, defaults.hasWeight);
  visit("bias", hasBias, defaults.hasBias);
}

} // namespace mirage

#endif // MIRAGE_LIB_MUGRAPH_NODECONTENTS_H
