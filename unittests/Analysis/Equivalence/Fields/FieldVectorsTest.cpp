//===- FieldVectorsTest.cpp - Residues eight at a time --------------------===//
//
// The vector unit against exact integers, at the edges of fields, of vectors
// and of what sums hold without reduction.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/Fields/FieldModel.h"
#include "gtest/gtest.h"

using namespace mirage;
using namespace mirage::equivalence;

namespace {

const PrimeField kFields[] = {
    kFieldPairs[0].p, kFieldPairs[0].q, kFieldPairs[1].p, kFieldPairs[1].q,
    kFieldPairs[2].p, kFieldPairs[2].q, kFieldPairs[3].p, kFieldPairs[3].q};

class FieldVectors : public ::testing::Test {
protected:
  void SetUp() override {
    if (getFieldUnit() != FieldUnit::IFMA)
      GTEST_SKIP() << "the CPU has no AVX-512 IFMA";
  }

  /// Numbers whose limbs are extreme, and random ones in between.
  static std::vector<uint64_t> getNumbers(const PrimeField &field, int64_t n,
                                          uint64_t seed) {
    uint64_t m = field.getModulus(), limb = uint64_t(1) << 52;
    const uint64_t edges[] = {m - 1, 0, limb - 1, limb, m - limb, 1, m - 2};
    CounterRandom random(seed);
    std::vector<uint64_t> numbers(n);
    for (int64_t i = 0; i < n; ++i) {
      uint64_t choice = random(i, 1)[0];
      numbers[i] = choice % 3 ? random.drawBelow(field.getModulus(), i, 0)
                              : edges[choice / 3 % 7];
    }
    return numbers;
  }

  static void checkProducts(const PrimeField &field,
                            const std::vector<uint64_t> &a,
                            const std::vector<uint64_t> &b, int64_t rows,
                            int64_t columns, int64_t depth) {
    constexpr uint64_t kUntouched = 12345;
    int64_t outRow = columns + 3;
    std::vector<uint64_t> out(rows * outRow, kUntouched);
    ifma::multiply(field, a.data(), depth, rows, b.data(), columns, depth,
                   out.data(), outRow);
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < outRow; ++j) {
        uint64_t expected = kUntouched;
        if (j < columns) {
          UInt128 sum = 0;
          for (int64_t k = 0; k < depth; ++k)
            sum = (sum + UInt128(a[i * depth + k]) * b[k * ifma::kSliver + j]) %
                  field.getModulus();
          expected = static_cast<uint64_t>(sum);
        }
        ASSERT_EQ(out[i * outRow + j], expected)
            << i << ", " << j << " of " << rows << " x " << columns << " x "
            << depth;
      }
  }
};

TEST_F(FieldVectors, ProductsAreExact) {
  for (const PrimeField &field : kFields)
    for (int64_t depth : {1, 2, 31, 1023, 1024, 1025, 2100})
      for (auto [rows, columns] :
           {std::pair<int64_t, int64_t>{1, 1}, {3, 7}, {4, 8}, {5, 9}, {9, 16}})
        checkProducts(field, getNumbers(field, rows * depth, 1),
                      getNumbers(field, depth * ifma::kSliver, 2), rows,
                      columns, depth);
}

TEST_F(FieldVectors, LargestSumsFit) {
  for (const PrimeField &field : kFields)
    // Of all numbers, of lower limbs, of upper limbs.
    for (uint64_t number : {field.getModulus() - 1, (uint64_t(1) << 52) - 1,
                            (field.getModulus() - 1) >> 52 << 52,
                            ((field.getModulus() >> 52) << 52) - 1})
      for (int64_t depth : {1024, 4096})
        checkProducts(field, std::vector<uint64_t>(5 * depth, number),
                      std::vector<uint64_t>(depth * ifma::kSliver, number), 5,
                      11, depth);
}

TEST_F(FieldVectors, ElementsAreExact) {
  for (const PrimeField &field : kFields)
    for (int64_t count : {1, 7, 8, 9, 5000})
      for (int64_t aStep : {0, 1})
        for (int64_t bStep : {0, 1}) {
          auto a = getNumbers(field, count, 3), b = getNumbers(field, count, 4);
          std::vector<uint64_t> out(count + 8, 1);
          ifma::multiplyElements(field, a.data(), aStep, b.data(), bStep, count,
                                 out.data());
          for (int64_t i = 0; i < count + 8; ++i)
            ASSERT_EQ(out[i], i < count
                                  ? uint64_t(UInt128(a[i * aStep]) *
                                             b[i * bStep] % field.getModulus())
                                  : 1);
        }
}

TEST_F(FieldVectors, ExponentialsArePowersOfOmega) {
  for (uint64_t test = 0; test < kNumFieldPairs; ++test) {
    FieldModel model(9, test);
    const PrimeField &p = model.getField(kPlaneP);
    for (int64_t count : {1, 13, 500}) {
      auto x = getNumbers(model.getField(kPlaneQ), count, 5);
      std::vector<uint64_t> vector(count), scalar(count);
      model.exp(x.data(), count, vector.data(), FieldUnit::IFMA);
      model.exp(x.data(), count, scalar.data(), FieldUnit::Scalar);
      EXPECT_EQ(vector, scalar);
      for (int64_t i = 0; i < count; ++i)
        ASSERT_EQ(vector[i], p.pow(model.exp(1), x[i]));
    }
  }
}

} // namespace
