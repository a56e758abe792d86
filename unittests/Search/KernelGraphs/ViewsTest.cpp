//===- ViewsTest.cpp - Which operators are views --------------------------===//

#include "Mirage/Search/KernelGraphs/ProgramPieces.h"
#include "gtest/gtest.h"

using namespace mirage;
using namespace mirage::search;

namespace {

/// Keys of two heads, [2, 1, 16, 32], repeated four times, as operators read
/// them.
struct RepeatedKeys {
  RepeatedKeys() {
    keys = program.addArgument(0, {2, 1, 16, 32}, ElementType::f16);
    repeated = add(OpKind::Broadcast, withShape({2, 4, 16, 32}), {keys});
    broadcast = program.getNumNodes() - 1;
  }

  static OpAttributes withShape(ShapeRef shape) {
    OpAttributes attributes;
    attributes.resultShape.assign(shape.begin(), shape.end());
    return attributes;
  }
  MuValue add(OpKind kind, const OpAttributes &attributes,
              llvm::ArrayRef<MuValue> operands) {
    return program.addOperator(0, kind, attributes, operands, ElementType::f16);
  }
  /// The product of queries [..., 8, 32] and the repeated keys of a shape.
  MuValue multiply(MuValue value) {
    Shape queries(program.getShape(value));
    queries[queries.size() - 2] = 8;
    MuValue query = program.addArgument(0, queries, ElementType::f16);
    OpAttributes attributes;
    attributes.transposeRhs = true;
    return add(OpKind::Matmul, attributes, {query, value});
  }
  /// Returns whether the broadcast is a view of a program with these results.
  bool isView(llvm::ArrayRef<MuValue> results) {
    program.setResults(0, results);
    return findViews(program)[broadcast];
  }

  MuGraph program;
  MuValue keys, repeated;
  unsigned broadcast;
};

TEST(Views, ProductsOfHeadsReadWhatIsRepeated) {
  RepeatedKeys direct;
  EXPECT_TRUE(direct.isView({direct.multiply(direct.repeated)}));
  RepeatedKeys joined;
  MuValue heads = joined.add(
      OpKind::Reshape, RepeatedKeys::withShape({8, 16, 32}), {joined.repeated});
  EXPECT_TRUE(joined.isView({joined.multiply(heads)}));
}

TEST(Views, ResultsAreWrittenWithAllThatIsRepeated) {
  RepeatedKeys alone;
  EXPECT_FALSE(alone.isView({alone.repeated}));
  RepeatedKeys both;
  EXPECT_FALSE(both.isView({both.multiply(both.repeated), both.repeated}));
  RepeatedKeys joined;
  MuValue heads = joined.add(
      OpKind::Reshape, RepeatedKeys::withShape({8, 16, 32}), {joined.repeated});
  EXPECT_FALSE(joined.isView({heads}));
}

TEST(Views, ReadersThatNeedEachElementHaveNoView) {
  RepeatedKeys exponentials;
  EXPECT_FALSE(exponentials.isView(
      {exponentials.add(OpKind::Exp, {}, {exponentials.repeated})}));
  RepeatedKeys parts;
  OpAttributes behind;
  behind.dim = 1;
  EXPECT_FALSE(parts.isView(
      {parts.add(OpKind::Concat, behind, {parts.repeated, parts.keys})}));
  // One reader that does is enough.
  RepeatedKeys both;
  MuValue product = both.multiply(both.repeated);
  MuValue stack = both.add(OpKind::Concat, behind, {both.repeated, both.keys});
  EXPECT_FALSE(both.isView({product, stack}));
}

/// Each of two products has a broadcast of its own.
TEST(Views, BroadcastsAreCopiedForTheirReaders) {
  RepeatedKeys keys;
  MuValue first = keys.multiply(keys.repeated),
          second = keys.multiply(keys.repeated);
  keys.program.setResults(0, {first, second});
  MuGraph copy = copyViews(keys.program);
  unsigned broadcasts = 0;
  for (unsigned number : copy.getRegion().nodes)
    broadcasts += copy.getNode(number).op == OpKind::Broadcast;
  EXPECT_EQ(broadcasts, 2u);
}

} // namespace
