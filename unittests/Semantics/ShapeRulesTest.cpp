//===- ShapeRulesTest.cpp - Shape rules and their constraints -------------===//
//
// Breaks every numbered constraint once; legal shapes are covered by the
// reference cases of EvaluateTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Semantics/ShapeRules.h"
#include "TestSupport.h"

using namespace mirage;

namespace {

constexpr int64_t huge = int64_t(1) << 62;

struct Violation {
  /// The constraint, which ends the message.
  const char *constraint;
  OpKind kind;
  std::vector<Shape> operands;
  void (*setAttributes)(OpAttributes &);
};

void plainConvolution(OpAttributes &a) {
  a.convStrides = a.convDilations = {1, 1};
  a.convPadding = {0, 0, 0, 0};
}

const std::vector<Violation> &getViolations() {
  auto none = [](OpAttributes &) {};
  static const std::vector<Violation> violations = {
      {"add_c1", OpKind::Add, {{2, 3}, {3, 2}}, none},
      {"div_c1", OpKind::Div, {{2, 3}, {3}}, none},
      {"clamp_c1", OpKind::Clamp, {{2}}, [](OpAttributes &a) { a.lower = 1; }},
      {"clamp_c1",
       OpKind::Clamp,
       {{2}},
       [](OpAttributes &a) { a.lower = kNaN; }},
      {"repeat_c1",
       OpKind::Repeat,
       {{2, 3}},
       [](OpAttributes &a) { a.repeats = {2}; }},
      {"repeat_c2",
       OpKind::Repeat,
       {{2}},
       [](OpAttributes &a) { a.repeats = {0}; }},
      {"repeat_c3",
       OpKind::Repeat,
       {{4}},
       [](OpAttributes &a) { a.repeats = {huge}; }},
      {"broadcast_c1",
       OpKind::Broadcast,
       {{2}},
       [](OpAttributes &a) { a.resultShape = {2, 2}; }},
      {"broadcast_c2",
       OpKind::Broadcast,
       {{2}},
       [](OpAttributes &a) { a.resultShape = {4}; }},
      {"reshape_c1",
       OpKind::Reshape,
       {{2, 3}},
       [](OpAttributes &a) { a.resultShape = {5}; }},
      {"reshape_c1",
       OpKind::Reshape,
       {{2}},
       [](OpAttributes &a) { a.resultShape = {huge, 8}; }},
      {"transpose_c1",
       OpKind::Transpose,
       {{2, 3}},
       [](OpAttributes &a) { a.permutation = {0, 0}; }},
      {"transpose_c1",
       OpKind::Transpose,
       {{2, 3}},
       [](OpAttributes &a) { a.permutation = {0, 2}; }},
      {"slice_c1", OpKind::Slice, {{4}}, none},
      {"slice_c2",
       OpKind::Slice,
       {{4}},
       [](OpAttributes &a) {
         a.offsets = {-1};
         a.sizes = a.strides = {1};
       }},
      {"slice_c3",
       OpKind::Slice,
       {{4}},
       [](OpAttributes &a) {
         a.offsets = {1};
         a.sizes = a.strides = {2};
         a.strides = {3};
       }},
      {"slice_c3",
       OpKind::Slice,
       {{4}},
       [](OpAttributes &a) {
         a.offsets = {1};
         a.sizes = {huge};
         a.strides = {huge};
       }},
      {"split_c1", OpKind::Split, {{4}}, [](OpAttributes &a) { a.dim = 1; }},
      {"split_c2", OpKind::Split, {{4}}, [](OpAttributes &a) { a.parts = 3; }},
      {"concat_c1", OpKind::Concat, {{4}}, [](OpAttributes &a) { a.dim = -1; }},
      {"concat_c2", OpKind::Concat, {{4, 2}, {4, 3}}, none},
      {"concat_c3", OpKind::Concat, {{huge}, {huge}}, none},
      {"pad_c1", OpKind::Pad, {{4}}, none},
      {"pad_c2",
       OpKind::Pad,
       {{4}},
       [](OpAttributes &a) {
         a.offsets = {-1};
         a.sizes = {0};
       }},
      {"pad_c3",
       OpKind::Pad,
       {{huge}},
       [](OpAttributes &a) { a.offsets = a.sizes = {huge}; }},
      {"reduce_c1", OpKind::Reduce, {{4}}, [](OpAttributes &a) { a.dim = 2; }},
      {"reduce_c2",
       OpKind::Reduce,
       {{4}},
       [](OpAttributes &a) { a.group = 3; }},
      {"reduce_c2",
       OpKind::Reduce,
       {{4}},
       [](OpAttributes &a) { a.group = -1; }},
      {"reduce_c3",
       OpKind::Reduce,
       {{4}},
       [](OpAttributes &a) {
         a.group = 2;
         a.keep = true;
       }},
      {"matmul_c1", OpKind::Matmul, {{4}, {4}}, none},
      {"matmul_c1", OpKind::Matmul, {{2, 4, 4}, {4, 4}}, none},
      {"matmul_c2", OpKind::Matmul, {{4, 3}, {4, 3}}, none},
      {"matmul_c3", OpKind::Matmul, {{2, 4, 4}, {3, 4, 4}}, none},
      {"concat_matmul_c1", OpKind::ConcatMatmul, {{4}, {4}, {4}, {4}}, none},
      {"concat_matmul_c2",
       OpKind::ConcatMatmul,
       {{2, 3}, {2, 5}, {4, 4}, {5, 4}},
       none},
      {"concat_matmul_c3",
       OpKind::ConcatMatmul,
       {{2, 2, 3}, {2, 2, 5}, {3, 3, 4}, {2, 5, 4}},
       none},
      {"concat_matmul_c4",
       OpKind::ConcatMatmul,
       {{2, 3}, {2, 5}, {3, 4}, {5, 6}},
       none},
      {"conv2d_c1", OpKind::Conv2d, {{3, 3}, {2, 2}}, plainConvolution},
      {"conv2d_c2", OpKind::Conv2d, {{1, 1, 3, 3}, {1, 1, 2, 2}}, none},
      {"conv2d_c3",
       OpKind::Conv2d,
       {{1, 3, 3, 3}, {2, 3, 2, 2}},
       [](OpAttributes &a) {
         plainConvolution(a);
         a.convGroups = 2;
       }},
      {"conv2d_c4",
       OpKind::Conv2d,
       {{1, 4, 3, 3}, {2, 3, 2, 2}},
       plainConvolution},
      {"conv2d_c5",
       OpKind::Conv2d,
       {{1, 1, 3, 3}, {1, 1, 4, 4}},
       plainConvolution},
      {"conv2d_c5",
       OpKind::Conv2d,
       {{1, 1, 3, 3}, {1, 1, 2, 2}},
       [](OpAttributes &a) {
         plainConvolution(a);
         a.convPadding = {huge, huge, 0, 0};
       }},
      {"rms_norm_c1", OpKind::RmsNorm, {{}}, none},
      {"rms_norm_c2", OpKind::RmsNorm, {{2, 3}, {2}}, none},
      {"rms_norm_c3",
       OpKind::RmsNorm,
       {{2}},
       [](OpAttributes &a) { a.scalar = -1; }},
      {"layer_norm_c1", OpKind::LayerNorm, {{}}, none},
      {"layer_norm_c2", OpKind::LayerNorm, {{2, 3}, {3}, {1, 3}}, none},
      {"layer_norm_c3",
       OpKind::LayerNorm,
       {{2}},
       [](OpAttributes &a) { a.scalar = kNaN; }},
      {"select_c1", OpKind::Select, {{2}, {2}, {3}}, none},
      {"group_norm_c1", OpKind::GroupNorm, {{2, 3}}, none},
      {"group_norm_c4",
       OpKind::GroupNorm,
       {{2, 3, 4}},
       [](OpAttributes &a) { a.groups = 0; }},
      {"instance_norm_c2", OpKind::InstanceNorm, {{2, 3, 4}, {4}}, none},
      {"batch_norm_c2", OpKind::BatchNorm, {{2, 3}, {3}, {1}}, none},
      {"variance_c2",
       OpKind::Variance,
       {{3}},
       [](OpAttributes &a) { a.scalar = kNaN; }},
      {"attention_c1", OpKind::Attention, {{3}, {3}, {3}}, none},
      {"attention_c4",
       OpKind::Attention,
       {{1, 2, 3}, {2, 4, 3}, {3, 4, 5}},
       none},
      {"attention_c5",
       OpKind::Attention,
       {{2, 3}, {4, 3}, {4, 5}, {1, 2, 4}},
       none},
      {"softmax_c1",
       OpKind::Softmax,
       {{2}},
       [](OpAttributes &a) { a.dim = 1; }},
  };
  return violations;
}

TEST(ShapeRules, NameTheConstraintBroken) {
  for (const Violation &v : getViolations()) {
    OpAttributes attrs;
    v.setAttributes(attrs);
    llvm::SmallVector<Shape, 1> results;
    std::string error;
    EXPECT_TRUE(
        llvm::failed(inferShapes(v.kind, attrs, v.operands, results, error)))
        << v.constraint;
    EXPECT_TRUE(
        llvm::StringRef(error).ends_with(std::string("(") + v.constraint + ")"))
        << error;
  }
}

TEST(ShapeRules, CheckTheNumberOfOperands) {
  for (unsigned i = 0; i < getNumOpKinds(); ++i) {
    auto kind = static_cast<OpKind>(i);
    const OpInfo &info = getOpInfo(kind);
    llvm::SmallVector<Shape, 1> results;
    std::string error;
    if (info.maxOperands < 10) {
      EXPECT_TRUE(llvm::failed(inferShapes(
          kind, {}, std::vector<Shape>(info.maxOperands + 1, Shape{2, 2}),
          results, error)))
          << info.mnemonic.str();
    }
    if (info.minOperands > 0) {
      EXPECT_TRUE(llvm::failed(inferShapes(
          kind, {}, std::vector<Shape>(info.minOperands - 1, Shape{2, 2}),
          results, error)))
          << info.mnemonic.str();
    }
  }
}

TEST(ShapeRules, CountElementsWithoutOverflow) {
  EXPECT_EQ(checkedElementCount({2, 3, 4}), 24);
  EXPECT_EQ(checkedElementCount({}), 1);
  EXPECT_EQ(checkedElementCount({huge, 1}), huge);
  EXPECT_EQ(checkedElementCount({huge, 2}), std::nullopt);
  EXPECT_EQ(toString(ShapeRef({2, 16, 64})), "2x16x64");
  EXPECT_EQ(toString(ShapeRef()), "scalar");
}

TEST(ShapeRules, BroadcastSizesOfOne) {
  EXPECT_EQ(broadcastShapes({{2, 1}, {1, 3}}), (Shape{2, 3}));
  EXPECT_EQ(broadcastShapes({{2, 1}, {2}}), std::nullopt);
  EXPECT_EQ(broadcastShapes({{2}, {3}}), std::nullopt);
}

} // namespace
