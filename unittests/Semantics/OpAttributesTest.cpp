//===- OpAttributesTest.cpp - Attributes are equal in all members ---------===//

#include "Mirage/Semantics/OpAttributes.h"
#include <gtest/gtest.h>

using namespace mirage;

namespace {

std::shared_ptr<const std::vector<double>> share(std::vector<double> values) {
  return std::make_shared<const std::vector<double>>(std::move(values));
}

TEST(OpAttributes, DifferInAnyMember) {
  using Change = void (*)(OpAttributes &);
  const Change changes[] = {
      [](OpAttributes &a) { a.transposeLhs = true; },
      [](OpAttributes &a) { a.transposeRhs = true; },
      [](OpAttributes &a) { a.tf32 = true; },
      [](OpAttributes &a) { a.dim = 1; },
      [](OpAttributes &a) { a.group = 2; },
      [](OpAttributes &a) { a.keep = true; },
      [](OpAttributes &a) { a.reduceKind = ReduceKind::Max; },
      [](OpAttributes &a) { a.parts = 2; },
      [](OpAttributes &a) { a.compareKind = CompareKind::LT; },
      [](OpAttributes &a) { a.geluForm = GeluForm::Tanh; },
      [](OpAttributes &a) { a.scalar = 2; },
      [](OpAttributes &a) { a.lower = -1; },
      [](OpAttributes &a) { a.upper = 1; },
      [](OpAttributes &a) { a.permutation = {1, 0}; },
      [](OpAttributes &a) { a.repeats = {2}; },
      [](OpAttributes &a) { a.offsets = {2}; },
      [](OpAttributes &a) { a.sizes = {2}; },
      [](OpAttributes &a) { a.strides = {2}; },
      [](OpAttributes &a) { a.convStrides = {2, 2}; },
      [](OpAttributes &a) { a.convPadding = {1, 1, 1, 1}; },
      [](OpAttributes &a) { a.convDilations = {2, 2}; },
      [](OpAttributes &a) { a.convGroups = 2; },
      [](OpAttributes &a) { a.convLayout = ConvLayout::NHWC; },
      [](OpAttributes &a) { a.resultShape = {4}; },
      [](OpAttributes &a) { a.resultType = ElementType::f16; },
      [](OpAttributes &a) { a.values = share({1}); },
      [](OpAttributes &a) { a.groups = 2; },
      [](OpAttributes &a) { a.hasWeight = true; },
      [](OpAttributes &a) { a.hasBias = true; },
  };
  for (auto [number, change] : llvm::enumerate(changes)) {
    OpAttributes changed, alike;
    change(changed);
    change(alike);
    EXPECT_FALSE(changed == OpAttributes()) << "change " << number;
    EXPECT_TRUE(changed == alike) << "change " << number;
  }
}

TEST(OpAttributes, CompareValuesAndNotWhereTheyAre) {
  OpAttributes a, b;
  a.values = share({1, 2});
  b.values = share({1, 2});
  EXPECT_TRUE(a == b);
  b.values = share({1, 3});
  EXPECT_FALSE(a == b);
}

} // namespace
