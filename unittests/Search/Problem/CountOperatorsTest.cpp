//===- CountOperatorsTest.cpp - How large a program is --------------------===//
//
// The number of operators does not depend on how a program is written.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Problem/CountOperators.h"
#include "../Programs.h"
#include "gtest/gtest.h"

using namespace mirage;
using namespace mirage::search;

namespace {

TEST(CountOperators, CompositeOperatorsCountAsTakenApart) {
  ProgramBuilder whole;
  MuGraph composite = whole.finish(whole.softmax(whole.input({4, 8})));
  ProgramBuilder b;
  MuValue x = b.input({4, 8});
  MuValue shifted = b.sub(x, b.RegionBuilder::max(x, 1));
  MuValue e = b.exp(shifted);
  MuGraph apart = b.finish(b.div(e, b.reduce(e, 1)));
  EXPECT_EQ(countOperators(apart), 5u);
  EXPECT_EQ(countOperators(composite), 5u);
}

TEST(CountOperators, LayoutsAndEqualOperatorsDoNotCount) {
  ProgramBuilder b;
  MuValue x = b.input({4, 8});
  MuValue y = b.transpose(b.square(b.reshape(x, {8, 4})));
  MuValue z = b.reshape(b.square(b.reshape(x, {8, 4})), {4, 8});
  EXPECT_EQ(countOperators(b.finish({y, z})), 1u);
}

TEST(CountOperators, OperatorsThatNeedBroadcastsCount) {
  // The result repeats what a sum has computed.
  ProgramBuilder b;
  OpAttributes attributes;
  attributes.resultShape = {4, 8};
  MuValue sums = b.reduce(b.softmax(b.input({4, 8})), 1);
  EXPECT_EQ(
      countOperators(b.finish(b.op(OpKind::Broadcast, {sums}, attributes))),
      6u);
}

} // namespace
