//===- ErrorBoundTest.cpp - Bounds cover what is computed -----------------===//
//
// Checks that arithmetic in f32 with perturbed operands, storage types and
// other orders of summation stays within the bounds, and that the bounds are of
// use.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Semantics/Accumulate.h"
#include "TestSupport.h"

using namespace mirage;

namespace {

using Bounds = Arithmetic<Bounded>;
using Floats = Arithmetic<float>;

/// A function in both systems, and where its operands may lie.
struct Function {
  const char *name;
  Bounded (*bound)(Bounds &, Bounded, Bounded);
  double (*exact)(double, double);
  double low, high;
};

const Function functions[] = {
    {"add", [](Bounds &s, Bounded a, Bounded b) { return s.add(a, b); },
     [](double a, double b) { return a + b; }, -4, 4},
    {"sub", [](Bounds &s, Bounded a, Bounded b) { return s.sub(a, b); },
     [](double a, double b) { return a - b; }, -4, 4},
    {"mul", [](Bounds &s, Bounded a, Bounded b) { return s.mul(a, b); },
     [](double a, double b) { return a * b; }, -4, 4},
    {"div", [](Bounds &s, Bounded a, Bounded b) { return s.div(a, b); },
     [](double a, double b) { return a / b; }, 0.5, 4},
    {"max", [](Bounds &s, Bounded a, Bounded b) { return s.max(a, b); },
     [](double a, double b) { return std::fmax(a, b); }, -4, 4},
    {"min", [](Bounds &s, Bounded a, Bounded b) { return s.min(a, b); },
     [](double a, double b) { return std::fmin(a, b); }, -4, 4},
    {"exp", [](Bounds &s, Bounded a, Bounded) { return s.exp(a); },
     [](double a, double) { return std::exp(a); }, -20, 20},
    {"exp2", [](Bounds &s, Bounded a, Bounded) { return s.exp2(a); },
     [](double a, double) { return std::exp2(a); }, -20, 20},
    {"log", [](Bounds &s, Bounded a, Bounded) { return s.log(a); },
     [](double a, double) { return std::log(a); }, 0.5, 30},
    {"sqrt", [](Bounds &s, Bounded a, Bounded) { return s.sqrt(a); },
     [](double a, double) { return std::sqrt(a); }, 0.5, 30},
    {"rsqrt", [](Bounds &s, Bounded a, Bounded) { return s.rsqrt(a); },
     [](double a, double) { return 1 / std::sqrt(a); }, 0.5, 30},
    {"erf", [](Bounds &s, Bounded a, Bounded) { return s.erf(a); },
     [](double a, double) { return std::erf(a); }, -3, 3},
    {"tanh", [](Bounds &s, Bounded a, Bounded) { return s.tanh(a); },
     [](double a, double) { return std::tanh(a); }, -3, 3},
    {"pow", [](Bounds &s, Bounded a, Bounded) { return s.pow(a, 1.7); },
     [](double a, double) { return std::pow(a, 1.7); }, 0.5, 30},
    {"rescale", [](Bounds &s, Bounded a, Bounded b) { return s.rescale(a, b); },
     [](double a, double b) { return a == b ? 1 : std::exp(a - b); }, -4, 4},
};

// The exact function at both ends and inside of the operands' intervals, and
// its f32 rounding, lie within the bound.
TEST(ErrorBound, CoversTheOperandsIntervals) {
  std::mt19937 generator(7);
  auto draw = [&](double low, double high) {
    return low + (high - low) * (generator() * 0x1p-32);
  };
  for (const Function &f : functions) {
    SCOPED_TRACE(f.name);
    Bounds s;
    for (int trial = 0; trial < 2000; ++trial) {
      double size = std::exp2(-draw(2, 30));
      Bounded a(draw(f.low, f.high), size * draw(0, 1)),
          b(draw(f.low, f.high), size * draw(0, 1));
      Bounded bound = f.bound(s, a, b);
      EXPECT_EQ(bound.value, f.exact(a.value, b.value));
      for (double u : {-1.0, -0.3, 0.0, 0.6, 1.0})
        for (double v : {-1.0, 1.0}) {
          double exact = f.exact(a.value + u * a.error, b.value + v * b.error);
          // The maximum and the minimum of numbers of f32 are not rounded.
          bool selects = llvm::StringRef(f.name).starts_with("m") &&
                         llvm::StringRef(f.name) != "mul";
          double computed = selects ? exact : static_cast<float>(exact);
          // The rest is what f64 rounds in this test.
          EXPECT_LE(std::fabs(computed - bound.value),
                    bound.error + 1e-15 * std::fabs(computed));
        }
    }
  }
}

TEST(ErrorBound, HasNoBoundWhereNothingIsKnown) {
  Bounds s;
  EXPECT_EQ(s.div(1.0, Bounded(0.1, 0.2)).error, kInfinity);
  EXPECT_EQ(s.div(1.0, 0.0).error, kInfinity);
  EXPECT_EQ(s.log(Bounded(0.1, 0.2)).error, kInfinity);
  EXPECT_EQ(s.sqrt(Bounded(0.1, 0.2)).error, kInfinity);
  EXPECT_EQ(s.sqrt(-1.0).error, kInfinity);
  EXPECT_EQ(s.rsqrt(Bounded(0.1, 0.2)).error, kInfinity);
  EXPECT_EQ(s.pow(Bounded(0.1, 0.2), 1.5).error, kInfinity);
  EXPECT_EQ(s.exp(100.0).error, kInfinity) << "overflows in f32";
  EXPECT_EQ(s.mul(1e30, 1e30).error, kInfinity);
  EXPECT_EQ(s.add(3e38, 3e38).error, kInfinity);
  EXPECT_EQ(s.max(kNaN, 1.0).error, kInfinity);
  EXPECT_EQ(s.max(1.0, kNaN).error, kInfinity);
  EvaluateOptions doubles;
  doubles.doubleArithmetic = true;
  EXPECT_LT(Bounds(doubles).mul(1e30, 1e30).error, 1e50);
}

TEST(ErrorBound, TakesMasksAsExact) {
  Bounds s;
  Bounded masked = s.add(Bounded(2.0, 1e-6), -kInfinity);
  EXPECT_EQ(masked.value, -kInfinity);
  EXPECT_EQ(masked.error, 0);
  EXPECT_EQ(s.exp(s.sub(masked, Bounded(1.0, 1e-6))).value, 0);
  EXPECT_EQ(s.exp(s.sub(masked, Bounded(1.0, 1e-6))).error, 0);
  EXPECT_EQ(s.rescale(-kInfinity, -kInfinity).value, 1);
  EXPECT_EQ(s.rescale(-kInfinity, -kInfinity).error, 0);
  // A sum relative to the lowest number, of a tile that a mask hides, counts for
  // nothing beside another one.
  Bounded lowest(std::numeric_limits<float>::lowest(), 0);
  EXPECT_EQ(s.rescale(lowest, Bounded(3, 0.5)).value, 0);
  EXPECT_EQ(s.rescale(lowest, Bounded(3, 0.5)).error, 0);
  EXPECT_EQ(s.rescale(lowest, Bounded(-3, 0.5)).error, 0);
}

TEST(ErrorBound, KnowsWhichComparisonsAreCertain) {
  Bounds s;
  Bounded apart = s.compare(CompareKind::LT, Bounded(1, 0.1), Bounded(2, 0.1));
  EXPECT_EQ(apart.value, 1);
  EXPECT_EQ(apart.error, 0);
  Bounded near = s.compare(CompareKind::GE, Bounded(1, 0.6), Bounded(2, 0.6));
  EXPECT_EQ(near.value, 0);
  EXPECT_EQ(near.error, 1);
  EXPECT_EQ(s.compare(CompareKind::EQ, 2.0, 2.0).error, 0);
  EXPECT_EQ(s.compare(CompareKind::NE, Bounded(kNaN, 0.1), 2.0).error, 1);

  // Whichever value is chosen lies within the bound.
  Bounded certain = s.choose(Bounded(3, 1), Bounded(5, 0.25), Bounded(-1));
  EXPECT_EQ(certain.value, 5);
  EXPECT_EQ(certain.error, 0.25);
  Bounded uncertain = s.choose(Bounded(0, 1), Bounded(5, 0.25), Bounded(-1));
  EXPECT_EQ(uncertain.value, -1);
  EXPECT_EQ(uncertain.error, 6.25);
  EXPECT_EQ(s.choose(Bounded(1, 2), 1.0, -kInfinity).error, kInfinity);
}

TEST(ErrorBound, CoversStorage) {
  Bounds s;
  for (ElementType type : {ElementType::f16, ElementType::bf16,
                           ElementType::f8E4M3FN, ElementType::f8E5M2}) {
    std::mt19937 generator(11);
    for (int trial = 0; trial < 1000; ++trial) {
      double x = std::exp2(-30 + 38 * (generator() * 0x1p-32));
      Bounded bound = s.store(type, Bounded(x));
      EXPECT_LE(std::fabs(roundTo(type, x) - x), bound.error);
    }
  }
  EXPECT_EQ(s.store(ElementType::f16, Bounded(65505)).error, kInfinity);
  EXPECT_EQ(s.store(ElementType::f16, Bounded(65000, 600)).error, kInfinity);
  EXPECT_LT(s.store(ElementType::f16, Bounded(65000)).error, 40);
  EXPECT_EQ(s.store(ElementType::f8E4M3FN, Bounded(460)).error, kInfinity);
  EXPECT_EQ(s.store(ElementType::f32, Bounded(0.1)).error, 0);
  EXPECT_EQ(s.store(ElementType::f16, Bounded(-kInfinity)).error, 0);
}

TEST(ErrorBound, CoversAnyOrderOfSums) {
  constexpr int64_t n = 4096;
  Tensor<float> x = randomTensor<float>({n}, 21, -1, 1);
  Tensor<Bounded> bounded({n});
  for (int64_t i = 0; i < n; ++i)
    bounded.data[i] = Bounded(x.data[i]);
  Bounded bound =
      evaluateAll(OpKind::Reduce, {}, std::vector<Tensor<Bounded>>{bounded})[0]
          .data[0];
  std::mt19937 generator(5);
  for (int trial = 0; trial < 20; ++trial) {
    for (size_t i = n; i-- > 1;)
      std::swap(x.data[i], x.data[generator() % (i + 1)]);
    float sum = 0;
    for (float v : x.data)
      sum += v;
    EXPECT_LE(std::fabs(sum - bound.value), bound.error);
  }
}

TEST(ErrorBound, CarriesTermsThroughPartialSums) {
  // The parts of a product whose contracted dimension is cut into loops.
  Bounds s;
  Bounded whole = s.beginSum(0.0);
  for (int i = 0; i < 64; ++i)
    whole = s.addTerm(whole, 1.0);
  whole = s.endSum(whole);
  Bounded parts(0);
  for (int part = 0; part < 4; ++part) {
    Bounded sum = s.beginSum(0.0);
    for (int i = 0; i < 16; ++i)
      sum = s.addTerm(sum, 1.0);
    parts = s.addPartial(parts, s.endSum(sum));
  }
  parts = s.endSum(parts);
  EXPECT_EQ(parts.value, whole.value);
  EXPECT_GE(parts.error, whole.error) << "fused, it is the same sum";
  EXPECT_LE(parts.error, 2 * whole.error);
}

/// A product, softmax, and a second product with f16 between them.
template <typename T>
Tensor<T> runAttention(const std::vector<Tensor<T>> &in, bool rounds) {
  Arithmetic<T> s;
  auto round = [&](Tensor<T> x) {
    if (rounds)
      for (T &value : x.data)
        value = s.store(ElementType::f16, value);
    return x;
  };
  OpAttributes softmax;
  softmax.dim = 1;
  Tensor<T> scores =
      round(evaluateAll<T>(OpKind::Matmul, {}, {in[0], in[1]})[0]);
  Tensor<T> weights =
      round(evaluateAll<T>(OpKind::Softmax, softmax, {scores})[0]);
  return round(evaluateAll<T>(OpKind::Matmul, {}, {weights, in[2]})[0]);
}

TEST(ErrorBound, CoversProgramsAndIsOfUse) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    std::vector<Tensor<float>> floats = {
        randomTensor<float>({16, 64}, seed, -0.5, 0.5),
        randomTensor<float>({64, 128}, seed + 100, -0.5, 0.5),
        randomTensor<float>({128, 32}, seed + 200)};
    std::vector<Tensor<Bounded>> bounded;
    for (const Tensor<float> &x : floats) {
      bounded.emplace_back(x.shape);
      for (size_t i = 0; i < x.data.size(); ++i)
        bounded.back().data[i] = Bounded(x.data[i]);
    }
    for (bool rounds : {false, true}) {
      Tensor<float> computed = runAttention(floats, rounds);
      Tensor<Bounded> bound = runAttention(bounded, rounds);
      for (size_t i = 0; i < computed.data.size(); ++i)
        EXPECT_LE(std::fabs(computed.data[i] - bound.data[i].value),
                  bound.data[i].error);
    }
    Tensor<float> product =
        evaluateAll<float>(OpKind::Matmul, {}, {floats[0], floats[1]})[0];
    Tensor<Bounded> bound =
        evaluateAll<Bounded>(OpKind::Matmul, {}, {bounded[0], bounded[1]})[0];
    double worst = 0, largestBound = 0;
    for (size_t i = 0; i < product.data.size(); ++i) {
      worst = std::max(worst, std::fabs(product.data[i] - bound.data[i].value));
      largestBound = std::max(largestBound, bound.data[i].error);
    }
    EXPECT_LE(worst, largestBound);
    EXPECT_LE(largestBound, 1000 * worst);
  }
}

// A product may sum up the terms as it rounds them. The worst roundings lift
// what is above the quotient and lower what is below.
TEST(ErrorBound, CoversSumsOfRoundedTerms) {
  Bounds s;
  const double unit = getUnitRoundoff(ElementType::f16);
  const std::vector<double> terms = {1, 1, 1, 1, 1, 1, 1, 1},
                            values = {1, 0, 0, 0, 0, 0, 0, 0};
  double quotient = 1.0 / 8, above = 0, all = 0;
  Bounded divisor = s.beginSum(0.0);
  for (double term : terms)
    divisor = s.add(divisor, term);
  divisor = s.endSum(divisor);
  Bounded dividedBefore = s.beginSum(0.0);
  for (auto [term, value] : llvm::zip(terms, values)) {
    double rounded = term * (value > quotient ? 1 + unit : 1 - unit);
    above += rounded * value;
    all += rounded;
    s.summing = false;
    Bounded share = s.store(ElementType::f16, s.div(term, divisor));
    Bounded product = s.mul(share, value);
    dividedBefore = s.addTerm(dividedBefore, product);
  }
  dividedBefore = s.endSum(dividedBefore);
  Bounded sum = s.beginSum(0.0);
  for (auto [term, value] : llvm::zip(terms, values))
    sum = s.addTerm(sum, Bounds().mul(s.store(ElementType::f16, term), value));
  Bounded dividedAfter = s.div(s.endSum(sum), divisor);
  double error = std::fabs(above / all - quotient);
  EXPECT_GT(error, 1.7 * unit * quotient);
  EXPECT_LE(error, dividedBefore.error);
  EXPECT_LE(error, dividedAfter.error);
  EXPECT_LE(dividedBefore.error, 2.1 * unit * quotient);
  // Rows of a mean are divided by a number.
  EXPECT_LT(s.store(ElementType::f16, s.div(divisor, 8.0)).error, 1.1 * unit);
}

TEST(Accumulate, RescalesSums) {
  Arithmetic<double> s;
  const double shifts[] = {1.5, -2.0, 4.0, 4.0}, terms[] = {1, 2, 3, 4};
  double sum = terms[0], shift = shifts[0], expected = 0;
  for (int i = 1; i < 4; ++i) {
    Rescaling<double> r = getRescaling(shift, shifts[i], s);
    sum = addRescaled(sum, terms[i], r, s);
    shift = r.largest;
  }
  for (int i = 0; i < 4; ++i)
    expected += terms[i] * std::exp(shifts[i] - 4.0);
  EXPECT_EQ(shift, 4.0);
  EXPECT_NEAR(sum, expected, 1e-14);
}

TEST(Accumulate, KeepsRowsWithoutMaximum) {
  Floats s;
  Rescaling<float> r = getRescaling<Floats>(-kInfinity, -kInfinity, s);
  EXPECT_EQ(addRescaled(0.0f, 0.0f, r, s), 0.0f);
  r = getRescaling<Floats>(-kInfinity, 2, s);
  EXPECT_EQ(r.ofAccumulator, 0.0f);
  EXPECT_EQ(addRescaled(0.0f, 3.0f, r, s), 3.0f);
}

} // namespace
