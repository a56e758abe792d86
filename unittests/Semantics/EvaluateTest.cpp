//===- EvaluateTest.cpp - Operators against independent results -----------===//
//
// Runs every operator on operands whose results numpy computed
// (reference/generate.py), in every number type and on every path.
//
//===----------------------------------------------------------------------===//

#include "TestSupport.h"

using namespace mirage;

namespace {

struct Data {
  Shape shape;
  std::vector<double> values;
};

struct Case {
  const char *name;
  OpKind kind;
  void (*setAttributes)(OpAttributes &);
  std::vector<Data> operands, results;

  OpAttributes attributes() const {
    OpAttributes attrs;
    setAttributes(attrs);
    return attrs;
  }
  std::string title() const {
    return getOpInfo(kind).mnemonic.str() + ", " + name;
  }
  template <typename T> std::vector<Tensor<T>> tensors() const {
    std::vector<Tensor<T>> tensors;
    for (const Data &operand : operands)
      tensors.push_back(makeTensor<T>(operand.shape, operand.values));
    return tensors;
  }
};

const std::vector<Case> &getCases() {
  static const std::vector<Case> cases = {
#include "reference/Cases.inc"
  };
  return cases;
}

void expectClose(double value, double expected, double tolerance) {
  if (std::isnan(expected))
    EXPECT_TRUE(std::isnan(value));
  else if (std::isinf(expected))
    EXPECT_EQ(value, expected);
  else
    EXPECT_NEAR(value, expected, tolerance);
}

TEST(Evaluate, HasACaseForEveryOperator) {
  std::vector<bool> covered(getNumOpKinds());
  for (const Case &c : getCases())
    covered[static_cast<unsigned>(c.kind)] = true;
  for (unsigned kind = 0; kind < getNumOpKinds(); ++kind)
    EXPECT_TRUE(covered[kind])
        << "add a case for "
        << getOpInfo(static_cast<OpKind>(kind)).mnemonic.str()
        << " to reference/generate.py";
}

TEST(Evaluate, AgreesWithNumpyInF64) {
  for (const Case &c : getCases()) {
    SCOPED_TRACE(c.title());
    auto results = evaluateAll(c.kind, c.attributes(), c.tensors<double>());
    ASSERT_EQ(results.size(), c.results.size());
    for (size_t r = 0; r < results.size(); ++r) {
      ASSERT_EQ(results[r].shape, c.results[r].shape);
      for (size_t i = 0; i < results[r].data.size(); ++i) {
        double expected = c.results[r].values[i];
        expectClose(results[r].data[i], expected,
                    1e-12 * std::max(1.0, std::fabs(expected)));
      }
    }
  }
}

// The bounds of operands that are rounded to f32 must cover the results in f32.
TEST(Evaluate, StaysWithinItsBoundInF32) {
  for (const Case &c : getCases()) {
    SCOPED_TRACE(c.title());
    std::vector<Tensor<Bounded>> operands = c.tensors<Bounded>();
    for (Tensor<Bounded> &operand : operands)
      for (Bounded &x : operand.data)
        x = Bounded(x.value,
                    std::isfinite(x.value)
                        ? std::fabs(x.value - static_cast<float>(x.value))
                        : 0);
    auto results = evaluateAll(c.kind, c.attributes(), c.tensors<float>());
    auto bounds = evaluateAll(c.kind, c.attributes(), operands);
    for (size_t r = 0; r < results.size(); ++r) {
      ASSERT_EQ(bounds[r].shape, c.results[r].shape);
      for (size_t i = 0; i < results[r].data.size(); ++i) {
        const Bounded &bound = bounds[r].data[i];
        double expected = c.results[r].values[i];
        expectClose(bound.value, expected,
                    1e-12 * std::max(1.0, std::fabs(expected)));
        if (!std::isfinite(expected))
          continue;
        EXPECT_LE(std::fabs(results[r].data[i] - bound.value), bound.error);
        EXPECT_LE(bound.error, 1e-2 * std::max(1.0, std::fabs(expected)));
      }
    }
  }
}

template <typename T> void expectPathsAgree() {
  EvaluateOptions generic;
  generic.onlyGeneric = true;
  for (const Case &c : getCases()) {
    SCOPED_TRACE(c.title());
    auto fast = evaluateAll(c.kind, c.attributes(), c.tensors<T>());
    auto slow = evaluateAll(c.kind, c.attributes(), c.tensors<T>(), generic);
    ASSERT_EQ(fast.size(), slow.size());
    for (size_t r = 0; r < fast.size(); ++r)
      EXPECT_TRUE(isSame(fast[r], slow[r]));
  }
}

TEST(Evaluate, FastPathsAgreeInF32) { expectPathsAgree<float>(); }
TEST(Evaluate, FastPathsAgreeInF64) { expectPathsAgree<double>(); }
TEST(Evaluate, FastPathsAgreeWithBounds) { expectPathsAgree<Bounded>(); }

/// Products that are large enough to be cut into chunks.
template <typename T> void expectLargeProductsAgree() {
  EvaluateOptions fast, generic;
  fast.emulateTF32 = generic.emulateTF32 = true;
  generic.onlyGeneric = true;
  for (unsigned bits = 0; bits < 8; ++bits) {
    OpAttributes attrs;
    attrs.transposeLhs = bits & 1;
    attrs.transposeRhs = bits & 2;
    attrs.tf32 = bits & 4;
    Shape lhs = attrs.transposeLhs ? Shape{3, 1, 70, 45} : Shape{3, 1, 45, 70};
    Shape rhs = attrs.transposeRhs ? Shape{1, 2, 33, 70} : Shape{1, 2, 70, 33};
    std::vector<Tensor<T>> operands = {randomTensor<T>(lhs, 1),
                                       randomTensor<T>(rhs, 2)};
    auto a = evaluateAll(OpKind::Matmul, attrs, operands, fast);
    auto b = evaluateAll(OpKind::Matmul, attrs, operands, generic);
    EXPECT_TRUE(isSame(a[0], b[0])) << "options " << bits;
  }
  std::vector<Tensor<T>> operands = {
      randomTensor<T>({2, 65, 40}, 3), randomTensor<T>({2, 65, 9}, 4),
      randomTensor<T>({1, 40, 50}, 5), randomTensor<T>({2, 9, 50}, 6)};
  auto a = evaluateAll(OpKind::ConcatMatmul, {}, operands, fast);
  auto b = evaluateAll(OpKind::ConcatMatmul, {}, operands, generic);
  EXPECT_TRUE(isSame(a[0], b[0]));
}

TEST(Evaluate, LargeProductsAgreeInF32) { expectLargeProductsAgree<float>(); }
TEST(Evaluate, LargeProductsAgreeInF64) { expectLargeProductsAgree<double>(); }
TEST(Evaluate, LargeProductsAgreeWithBounds) {
  expectLargeProductsAgree<Bounded>();
}

/// Products of numbers that were rounded, with errors and without bounds.
TEST(Evaluate, ProductsOfRoundedNumbersAgree) {
  Arithmetic<Bounded> arithmetic;
  std::vector<Tensor<Bounded>> operands = {randomTensor<Bounded>({5, 70}, 1),
                                           randomTensor<Bounded>({70, 11}, 2)};
  for (size_t i = 0; i < operands[1].data.size(); ++i)
    operands[1].data[i] = arithmetic.store(
        i % 3 ? ElementType::f16 : ElementType::bf16, operands[1].data[i]);
  operands[0].data[3] = Bounded(1e38, 1e30);
  operands[0].data[75] = -std::numeric_limits<double>::infinity();
  operands[0].data[150] = arithmetic.store(ElementType::f16, Bounded(1e5));
  operands[0].data[220] = -0.0;
  operands[1].data[40] = std::numeric_limits<double>::quiet_NaN();
  EvaluateOptions generic;
  generic.onlyGeneric = true;
  auto a = evaluateAll(OpKind::Matmul, {}, operands);
  auto b = evaluateAll(OpKind::Matmul, {}, operands, generic);
  EXPECT_TRUE(isSame(a[0], b[0]));
}

/// Convolutions of several chunks: layouts, groups, and taps beside the image.
template <typename T> void expectConvolutionsAgree() {
  EvaluateOptions generic;
  generic.onlyGeneric = true;
  for (unsigned bits = 0; bits < 8; ++bits) {
    bool isChannelsFirst = bits & 1;
    OpAttributes attrs;
    attrs.convLayout = isChannelsFirst ? ConvLayout::NCHW : ConvLayout::NHWC;
    attrs.convGroups = bits & 2 ? 3 : 1;
    attrs.convStrides = {2, 1};
    attrs.convDilations = {1, 2};
    attrs.convPadding = {0, 0, 0, 0};
    if (bits & 4)
      attrs.convPadding = {3, 0, 1, 5};
    int64_t groupIn = 6 / attrs.convGroups;
    std::vector<Tensor<T>> operands = {
        randomTensor<T>(isChannelsFirst ? Shape{2, 6, 37, 33}
                                        : Shape{2, 37, 33, 6},
                        1),
        randomTensor<T>(isChannelsFirst ? Shape{12, groupIn, 3, 4}
                                        : Shape{3, 4, groupIn, 12},
                        2)};
    auto a = evaluateAll(OpKind::Conv2d, attrs, operands);
    auto b = evaluateAll(OpKind::Conv2d, attrs, operands, generic);
    EXPECT_TRUE(isSame(a[0], b[0])) << "options " << bits;
  }
}

TEST(Evaluate, ConvolutionsAgreeInF32) { expectConvolutionsAgree<float>(); }
TEST(Evaluate, ConvolutionsAgreeInF64) { expectConvolutionsAgree<double>(); }
TEST(Evaluate, ConvolutionsAgreeWithBounds) {
  expectConvolutionsAgree<Bounded>();
}

TEST(Evaluate, RoundsOperandsToTF32OnlyWhereAsked) {
  OpAttributes attrs;
  attrs.tf32 = true;
  // 1 + 2^-12 is not a number of 10 mantissa bits.
  std::vector<Tensor<float>> operands = {
      makeTensor<float>({1, 1}, {1 + 0x1p-12}), makeTensor<float>({1, 1}, {1})};
  EvaluateOptions emulate;
  emulate.emulateTF32 = true;
  EXPECT_EQ(evaluateAll(OpKind::Matmul, attrs, operands)[0].data[0],
            1 + 0x1p-12f);
  EXPECT_EQ(evaluateAll(OpKind::Matmul, attrs, operands, emulate)[0].data[0],
            1.0f);
}

TEST(Evaluate, SumsInOrder) {
  // If summed from left to right in f32, the ones are lost next to 2^24.
  OpAttributes attrs;
  std::vector<Tensor<float>> operands = {
      makeTensor<float>({4}, {0x1p24, 1, 1, -0x1p24})};
  EXPECT_EQ(evaluateAll(OpKind::Reduce, attrs, operands)[0].data[0], 0.0f);
}

TEST(Evaluate, SoftmaxOfAFullyMaskedRowIsNaN) {
  OpAttributes attrs;
  std::vector<Tensor<float>> operands = {
      makeTensor<float>({2}, {-kInfinity, -kInfinity})};
  EXPECT_TRUE(
      std::isnan(evaluateAll(OpKind::Softmax, attrs, operands)[0].data[0]));
  operands = {makeTensor<float>({2}, {-kInfinity, 3})};
  auto result = evaluateAll(OpKind::Softmax, attrs, operands);
  EXPECT_EQ(result[0].data[0], 0.0f);
  EXPECT_EQ(result[0].data[1], 1.0f);
}

} // namespace
