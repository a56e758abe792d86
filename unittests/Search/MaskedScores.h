//===- MaskedScores.h - Softmax where tiles are masked ----------*- C++ -*-===//
//
// Chooses which scores of a row are -inf, and checks what a graph makes of
// them.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_UNITTESTS_SEARCH_MASKEDSCORES_H
#define MIRAGE_UNITTESTS_SEARCH_MASKEDSCORES_H

#include "Mirage/Interpreter/RunMuGraph.h"
#include "gtest/gtest.h"
#include <cmath>
#include <random>

namespace mirage {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Lists masks of so many scores, true for those that are masked: for all tiles
/// of each power of two that tile alone, and all others; then none, and all.
inline std::vector<std::vector<bool>> getMasks(int64_t scores) {
  std::vector<std::vector<bool>> masks;
  for (int64_t tile = 1; tile < scores; tile *= 2)
    for (int64_t begin = 0; begin < scores; begin += tile)
      for (bool inside : {true, false}) {
        std::vector<bool> &mask = masks.emplace_back(scores, !inside);
        std::fill_n(mask.begin() + begin, tile, inside);
      }
  masks.emplace_back(scores, false);
  masks.emplace_back(scores, true);
  return masks;
}

inline TensorValue makeTensor(ElementType type, Shape shape,
                              llvm::function_ref<double(int64_t)> get) {
  Tensor<double> tensor{std::move(shape)};
  for (size_t i = 0; i < tensor.data.size(); ++i)
    tensor.data[i] = roundTo(type, get(static_cast<int64_t>(i)));
  return {type, std::move(tensor)};
}

inline TensorValue drawTensor(ElementType type, Shape shape, uint64_t seed) {
  std::mt19937_64 random(seed);
  return makeTensor(type, std::move(shape), [&](int64_t) {
    return 0.25 + static_cast<double>(random() % 1024) / 1024;
  });
}

/// The result of a program for some inputs: weighted means of `values`, or the
/// weights, by softmax over `keys` scores. Scores are sums of `terms` products
/// with magnitudes of at most `largest` together.
struct MaskedReference {
  MaskedReference(const MuGraph &program, std::vector<TensorValue> inputs,
                  int64_t keys, int64_t terms, double largest)
      : inputs(std::move(inputs)),
        exact(runMuGraph(program, this->inputs, Precision::F64).front()) {
    // Errors are counted in units of roundings. A score errs by terms *
    // largest, and so does its maximum; their difference is rounded, and the
    // exponential has two units. The factor that rescales it errs as much,
    // their product is rounded, and then keys are summed. Numerators and
    // denominators err so, in the program and in the candidate. Values are at
    // most 1.25.
    double score = static_cast<double>(terms) * largest;
    double weight = 2 * (2 * score + 2 * largest + 2) + 1;
    units = 1.25 * 4 * (weight + static_cast<double>(keys) + 1);
  }

  /// Expects that the candidate is a number where the program is one, the same
  /// but for rounding, and none elsewhere: in float64, and as a GPU rounds.
  void expectSame(const MuGraph &candidate, llvm::StringRef name) const {
    for (auto [precision, rounding] :
         {std::pair(Precision::F64, 0x1p-53), {Precision::Storage, 0x1p-24}}) {
      TensorValue result = runMuGraph(candidate, inputs, precision).front();
      for (int64_t i = 0; i < exact.size(); ++i)
        if (std::isfinite(exact.value(i)))
          ASSERT_LE(std::fabs(result.value(i) - exact.value(i)),
                    units * rounding)
              << name.str() << " at " << i;
        else
          ASSERT_TRUE(std::isnan(result.value(i))) << name.str() << " at " << i;
    }
  }

  int64_t countNumbers() const {
    int64_t count = 0;
    for (int64_t i = 0; i < exact.size(); ++i)
      count += std::isfinite(exact.value(i));
    return count;
  }

  std::vector<TensorValue> inputs;
  TensorValue exact;
  double units = 0;
};

} // namespace mirage

#endif // MIRAGE_UNITTESTS_SEARCH_MASKEDSCORES_H
