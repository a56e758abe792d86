//===- CostTest.cpp - Counted arithmetic and traffic ----------------------===//
//
// Compares counts with numbers worked out by hand, for every operator.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Semantics/Cost.h"
#include "Mirage/Semantics/ShapeRules.h"
#include "TestSupport.h"
#include "llvm/ADT/StringSet.h"

using namespace mirage;

namespace {

struct Expectation {
  OpKind kind;
  std::vector<Shape> operands;
  int64_t flops, exponentials, read, written;
  void (*setAttributes)(OpAttributes &);
};

const Shape m = {2, 3};

const std::vector<Expectation> &getExpectations() {
  auto none = [](OpAttributes &) {};
  static const std::vector<Expectation> expectations = {
      {OpKind::Add, {m, {1, 3}}, 6, 0, 9, 6, none},
      {OpKind::Sub, {m, m}, 6, 0, 12, 6, none},
      {OpKind::Mul, {m, m}, 6, 0, 12, 6, none},
      {OpKind::Div, {m, {2, 1}}, 6, 0, 8, 6, none},
      {OpKind::Max, {m, m}, 6, 0, 12, 6, none},
      {OpKind::Min, {m, m}, 6, 0, 12, 6, none},
      {OpKind::Compare, {m, m}, 6, 0, 12, 6, none},
      {OpKind::Select, {m, m, m}, 6, 0, 18, 6, none},
      {OpKind::Abs, {m}, 6, 0, 6, 6, none},
      {OpKind::Exp, {m}, 12, 6, 6, 6, none},
      {OpKind::Exp2, {m}, 6, 6, 6, 6, none},
      {OpKind::Log, {m}, 12, 0, 6, 6, none},
      {OpKind::Sqrt, {m}, 6, 0, 6, 6, none},
      {OpKind::Rsqrt, {m}, 6, 0, 6, 6, none},
      {OpKind::Square, {m}, 6, 0, 6, 6, none},
      {OpKind::Silu, {m}, 30, 6, 6, 6, none},
      {OpKind::Sigmoid, {m}, 24, 6, 6, 6, none},
      {OpKind::Gelu, {m}, 48, 6, 6, 6, none},
      {OpKind::Mish, {m}, 36, 6, 6, 6, none},
      {OpKind::Erf, {m}, 6, 0, 6, 6, none},
      {OpKind::Relu, {m}, 6, 0, 6, 6, none},
      {OpKind::Tanh, {m}, 6, 6, 6, 6, none},
      {OpKind::Clamp, {m}, 12, 0, 6, 6, [](OpAttributes &a) { a.upper = 1; }},
      {OpKind::Scale, {m}, 6, 0, 6, 6, none},
      {OpKind::Pow, {m}, 12, 6, 6, 6, none},
      {OpKind::Cast, {m}, 0, 0, 6, 6, none},
      {OpKind::Constant,
       {},
       0,
       0,
       0,
       6,
       [](OpAttributes &a) { a.resultShape = m; }},
      {OpKind::Repeat,
       {m},
       0,
       0,
       6,
       24,
       [](OpAttributes &a) { a.repeats = {2, 2}; }},
      {OpKind::Broadcast,
       {{2, 1}},
       0,
       0,
       2,
       6,
       [](OpAttributes &a) { a.resultShape = m; }},
      {OpKind::Reshape,
       {m},
       0,
       0,
       6,
       6,
       [](OpAttributes &a) { a.resultShape = {6}; }},
      {OpKind::Transpose,
       {m},
       0,
       0,
       6,
       6,
       [](OpAttributes &a) { a.permutation = {1, 0}; }},
      {OpKind::Slice,
       {m},
       0,
       0,
       6,
       2,
       [](OpAttributes &a) {
         a.offsets = {0, 1};
         a.sizes = {1, 2};
         a.strides = {1, 1};
       }},
      {OpKind::Split, {m}, 0, 0, 6, 6, [](OpAttributes &a) { a.parts = 2; }},
      {OpKind::Concat, {m, m}, 0, 0, 12, 12, none},
      {OpKind::Pad,
       {m},
       0,
       0,
       6,
       12,
       [](OpAttributes &a) {
         a.offsets = {1, 0};
         a.sizes = {1, 0};
       }},
      {OpKind::Reduce, {m}, 6, 0, 6, 2, [](OpAttributes &a) { a.dim = 1; }},
      // 2 m n k, whichever operand is transposed.
      {OpKind::Matmul, {{5, 7}, {7, 3}}, 210, 0, 56, 15, none},
      {OpKind::Matmul,
       {{7, 5}, {7, 3}},
       210,
       0,
       56,
       15,
       [](OpAttributes &a) { a.transposeLhs = true; }},
      {OpKind::ConcatMatmul,
       {{2, 3}, {2, 5}, {3, 4}, {5, 4}},
       2 * 8 * 8,
       0,
       6 + 10 + 12 + 20,
       8,
       none},
      // 1 x 4 x 2 x 2 results of 3 channels and 2 x 2 taps.
      {OpKind::Conv2d,
       {{1, 3, 3, 3}, {4, 3, 2, 2}},
       2 * 16 * 12,
       0,
       27 + 48,
       16,
       [](OpAttributes &a) {
         a.convStrides = a.convDilations = {1, 1};
         a.convPadding = {0, 0, 0, 0};
       }},
      // Square 6, mean 6, add 2, rsqrt 2, mul 6.
      {OpKind::RmsNorm, {m}, 22, 0, 6, 6, none},
      // Mean 6, sub 6, and the above.
      {OpKind::LayerNorm, {m}, 34, 0, 6, 6, none},
      // Maximum 6, sub 6, exp 12, sum 6, div 6.
      {OpKind::Softmax, {m}, 36, 6, 6, 6, [](OpAttributes &a) { a.dim = 1; }},
      // Maximum 6, sub 6, exp 12, sum 6, log 4, sub 6.
      {OpKind::LogSoftmax,
       {m},
       40,
       6,
       6,
       6,
       [](OpAttributes &a) { a.dim = 1; }},
      // Mean 6, sub 6, square 6, sum 6, div 2.
      {OpKind::Variance, {m}, 26, 0, 6, 2, [](OpAttributes &a) { a.dim = 1; }},
      // As layer_norm, on two rows of 12.
      {OpKind::GroupNorm,
       {{1, 4, 6}},
       5 * 24 + 2 * 2,
       0,
       24,
       24,
       [](OpAttributes &a) { a.groups = 2; }},
      // Four rows of 6.
      {OpKind::InstanceNorm, {{1, 4, 6}}, 5 * 24 + 2 * 4, 0, 24, 24, none},
      // Sub 6, add 3, rsqrt 3, mul 6.
      {OpKind::BatchNorm, {m, {3}, {3}}, 18, 0, 12, 6, none},
      // 2 queries, 5 keys of 3 elements, values of 4: products 60 and 80, scale
      // 10, softmax 60 with 10 exponentials.
      {OpKind::Attention, {m, {5, 3}, {5, 4}}, 210, 10, 41, 8, none},
  };
  return expectations;
}

TEST(Cost, CountsEveryOperator) {
  std::vector<bool> covered(getNumOpKinds());
  for (const Expectation &e : getExpectations()) {
    SCOPED_TRACE(getOpInfo(e.kind).mnemonic.str());
    covered[static_cast<unsigned>(e.kind)] = true;
    OpAttributes attrs;
    e.setAttributes(attrs);
    OpCounts counts = countOp(e.kind, attrs, e.operands);
    EXPECT_EQ(counts.flops, e.flops);
    EXPECT_EQ(counts.exponentials, e.exponentials);
    EXPECT_EQ(counts.elementsRead, e.read);
    EXPECT_EQ(counts.elementsWritten, e.written);
  }
  for (unsigned kind = 0; kind < getNumOpKinds(); ++kind)
    EXPECT_TRUE(covered[kind])
        << "no counts for "
        << getOpInfo(static_cast<OpKind>(kind)).mnemonic.str();
}

TEST(OpKinds, RowsHaveTheirKindAndTheirOwnMnemonic) {
  llvm::StringSet<> mnemonics;
  for (unsigned i = 0; i < getNumOpKinds(); ++i) {
    auto kind = static_cast<OpKind>(i);
    EXPECT_EQ(getOpInfo(kind).kind, kind);
    EXPECT_TRUE(mnemonics.insert(getOpInfo(kind).mnemonic).second);
  }
}

} // namespace
