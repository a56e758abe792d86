//===- ProofSoundnessTest.cpp - What is proved is also computed -----------===//
//
// Random programs, each built in two ways that may or may not mean the same.
// Whatever is proved must agree in double on random inputs.
//
//===----------------------------------------------------------------------===//

#include "../../../GraphBuilder.h"
#include "../GraphEvaluator.h"
#include "Mirage/Analysis/Equivalence/Proof/Proof.h"
#include "gtest/gtest.h"
#include <random>

using namespace mirage;
using namespace mirage::equivalence;

namespace {

class Random {
public:
  explicit Random(unsigned seed) : engine(seed) {}
  unsigned below(unsigned n) { return engine() % n; }
  bool chance(unsigned percent) { return below(100) < percent; }
  double number(double least, double greatest) {
    return least + (greatest - least) * (engine() * 0x1p-32);
  }

private:
  std::mt19937 engine;
};

/// Counts, and checks what is proved.
struct Judge {
  ProofOptions options;
  unsigned proved = 0, different = 0, unknown = 0, missed = 0;

  Judge() { options.maxSteps = 300'000; }

  void check(const MuGraph &lhs, const MuGraph &rhs, unsigned seed) {
    ProofResult result = proveEquivalence(lhs, rhs, options);
    bool isProved = result.kind == ProofResult::Kind::Proved;
    (isProved                                      ? proved
     : result.kind == ProofResult::Kind::Different ? different
                                                   : unknown)++;
    bool agree = true;
    for (unsigned trial = 0; trial < 2; ++trial) {
      Random random(seed * 2 + trial);
      std::vector<Tensor<double>> inputs;
      for (MuValue argument : lhs.getRegion().arguments) {
        inputs.emplace_back(Shape(lhs.getShape(argument)));
        for (double &x : inputs.back().data)
          x = random.number(trial ? 0.5 : -1.5, 1.5);
      }
      GraphEvaluator left(lhs), right(rhs);
      auto a = left.run(inputs), b = right.run(inputs);
      if (!left.isFinite() || !right.isFinite())
        continue;
      for (auto [x, y] : llvm::zip_equal(a, b))
        for (auto [p, q] : llvm::zip_equal(x.data, y.data))
          agree &= std::fabs(p - q) <= 1e-5 * (1 + std::fabs(p) + std::fabs(q));
    }
    if (isProved)
      EXPECT_TRUE(agree) << "seed " << seed;
    else
      missed += agree;
  }

  void report() const {
    std::printf("%u proved, %u different, %u unknown; %u of these agree\n",
                proved, different, unknown, missed);
  }
};

/// A program of operators. The same recipe gives the same program up to the
/// choices of `variant`, of which a few are wrong.
class Recipe {
public:
  Recipe(GraphBuilder &g, unsigned recipe, unsigned variant, unsigned wrong)
      : g(g), recipe(recipe), variant(variant), wrong(wrong) {}

  void build() {
    Shape shape{pickSize(), pickSize()};
    for (unsigned i = 0; i < 2; ++i)
      values.push_back(g.argument(shape));
    values.push_back(g.argument({shape[1], shape[0]}));
    unsigned steps = 2 + recipe.below(5);
    for (unsigned i = 0; i < steps; ++i)
      if (std::optional<MuValue> value = step())
        values.push_back(*value);
    g.results({values.back()});
  }

private:
  int64_t pickSize() { return 2 + recipe.below(3); }
  bool choose() { return variant.chance(50); }
  bool mistake() { return variant.chance(wrong); }

  MuValue pick() {
    unsigned n = values.size();
    // Often what was made last.
    return recipe.chance(50) ? values[n - 1] : values[recipe.below(n)];
  }
  std::optional<MuValue> pickLike(MuValue value) {
    MuValue other = values[recipe.below(values.size())];
    if (g.shape(other) == g.shape(value))
      return other;
    if (g.shape(other)[0] == g.shape(value)[1] &&
        g.shape(other)[1] == g.shape(value)[0])
      return transpose(other);
    return std::nullopt;
  }

  MuValue transpose(MuValue a) { return g.transpose(a, {1, 0}); }
  MuValue one() { return g.constant(1, 2); }

  /// The same elements by way of another shape.
  MuValue roundTrip(MuValue a) {
    Shape s = g.shape(a);
    if (!choose())
      return a;
    if (choose()) {
      MuValue flat = g.reshape(a, {s[0] * s[1]});
      if (mistake() && s[0] == s[1])
        flat = g.reshape(transpose(a), {s[0] * s[1]});
      return g.reshape(flat, {s[0], s[1]});
    }
    MuValue padded = g.pad(a, {1, 0}, {0, 2});
    return g.slice(padded, {mistake() ? 0 : 1, 0}, {s[0], s[1]}, {1, 1});
  }

  std::optional<MuValue> step() {
    switch (recipe.below(13)) {
    case 0:
    case 1:
      return product();
    case 2:
      return sum();
    case 3: {
      MuValue a = pick();
      std::optional<MuValue> b = pickLike(a);
      if (!b)
        return std::nullopt;
      if (mistake())
        std::swap(a, *b);
      return choose() ? g.sub(a, *b) : g.add(a, g.scale(*b, -1));
    }
    case 4: {
      MuValue a = pick();
      std::optional<MuValue> b = pickLike(a);
      if (!b)
        return std::nullopt;
      if (mistake())
        std::swap(a, *b);
      return choose() ? g.div(a, *b) : g.mul(a, g.div(one(), *b));
    }
    case 5: {
      MuValue a = pick();
      std::optional<MuValue> b = pickLike(a);
      if (!b)
        return std::nullopt;
      return choose() ? g.exp(g.add(a, *b))
                      : g.mul(g.exp(a), g.exp(mistake() ? a : *b));
    }
    case 6:
      return reduction();
    case 7:
      return transpose(roundTrip(pick()));
    case 8: {
      MuValue a = pick();
      int64_t dim = recipe.below(2);
      if (choose())
        return g.softmax(a, mistake() ? 1 - dim : dim);
      MuValue e = g.exp(a);
      return g.div(e, g.sum(e, dim));
    }
    case 9: {
      MuValue a = pick();
      std::optional<MuValue> b = pickLike(a);
      if (!b)
        return std::nullopt;
      if (choose())
        return g.op(OpKind::Max, {a, *b});
      if (choose())
        return g.op(OpKind::Max, {*b, g.op(OpKind::Max, {*b, a})});
      MuValue least = g.op(mistake() ? OpKind::Max : OpKind::Min, {a, *b});
      return choose()
                 ? g.sub(g.add(a, *b), least)
                 : g.scale(g.op(OpKind::Min, {g.scale(a, -1), g.scale(*b, -1)}),
                           -1);
    }
    case 10: {
      MuValue a = pick();
      MuValue square = g.add(g.mul(a, a), one());
      if (mistake())
        square = g.mul(a, a);
      if (choose())
        return g.op(OpKind::Sqrt, {square});
      return g.mul(square, g.op(OpKind::Rsqrt, {square}));
    }
    case 11: {
      MuValue a = pick();
      std::optional<MuValue> b = pickLike(a);
      if (!b)
        return std::nullopt;
      OpAttributes less, notLess;
      less.compareKind = CompareKind::LT;
      notLess.compareKind = mistake() ? CompareKind::GT : CompareKind::GE;
      return choose() ? g.op(OpKind::Select,
                             {g.op(OpKind::Compare, {a, *b}, less), a, *b})
                      : g.op(OpKind::Select,
                             {g.op(OpKind::Compare, {a, *b}, notLess), *b, a});
    }
    default: {
      MuValue a = pick();
      MuValue sigmoid = g.op(OpKind::Sigmoid, {a});
      if (choose())
        return sigmoid;
      MuValue e = g.exp(mistake() ? g.scale(a, -1) : a);
      return g.div(e, g.add(one(), e));
    }
    }
  }

  std::optional<MuValue> sum() {
    MuValue a = pick();
    std::optional<MuValue> b = pickLike(a);
    if (!b)
      return std::nullopt;
    if (choose())
      std::swap(a, *b);
    return recipe.chance(50) ? g.add(roundTrip(a), *b)
                             : g.mul(a, roundTrip(*b));
  }

  std::optional<MuValue> product() {
    MuValue a = pick(), b = values[recipe.below(values.size())];
    Shape x = g.shape(a), y = g.shape(b);
    if (x[1] != y[0])
      return std::nullopt;
    if (choose())
      return g.matmul(a, b);
    if (choose())
      return transpose(g.matmul(transpose(b), transpose(a)));
    if (mistake() && y[0] == y[1])
      return g.matmul(a, b, /*transposeLhs=*/false, /*transposeRhs=*/true);
    if (x[1] % 2 == 0 && choose()) {
      // Halves of the contraction.
      int64_t half = x[1] / 2;
      MuValue low = g.matmul(g.slice(a, {0, 0}, {x[0], half}, {1, 1}),
                             g.slice(b, {0, 0}, {half, y[1]}, {1, 1}));
      MuValue high = g.matmul(g.slice(a, {0, half}, {x[0], half}, {1, 1}),
                              g.slice(b, {half, 0}, {half, y[1]}, {1, 1}));
      return g.add(low, high);
    }
    MuValue left = g.reshape(a, {x[0], x[1], 1}),
            right = g.reshape(b, {1, x[1], y[1]});
    return g.sum(g.mul(left, right), 1, false);
  }

  std::optional<MuValue> reduction() {
    MuValue a = pick();
    int64_t dim = recipe.below(2);
    ReduceKind kind = recipe.chance(70) ? ReduceKind::Sum : ReduceKind::Max;
    Shape s = g.shape(a);
    if (mistake())
      dim = 1 - dim;
    MuValue reduced;
    if (choose())
      reduced = g.reduce(kind, a, dim);
    else if (dim == 0)
      reduced = transpose(g.reduce(kind, transpose(a), 1));
    else if (s[1] == 4 && choose())
      reduced = g.reduce(kind, g.reduce(kind, a, 1, false, 2), 1);
    else
      reduced = g.reshape(g.reduce(kind, a, 1, false), {s[0], 1});
    OpAttributes repeat;
    repeat.repeats = {s[0] / g.shape(reduced)[0], s[1] / g.shape(reduced)[1]};
    return g.op(OpKind::Repeat, {reduced}, repeat);
  }

  GraphBuilder &g;
  Random recipe, variant;
  unsigned wrong;
  std::vector<MuValue> values;
};

static void judgeOperators(Judge &judge) {
  for (unsigned seed = 0; seed < 4000; ++seed) {
    GraphBuilder a, b;
    unsigned wrong = seed % 3 ? 8 : 0;
    Recipe(a, seed, 2 * seed, 0).build();
    Recipe(b, seed, 2 * seed + 1, wrong).build();
    if (a.shape(a.getRegion().results[0]) != b.shape(b.getRegion().results[0]))
      continue;
    judge.check(a, b, seed);
  }
  judge.report();
  EXPECT_GT(judge.proved, 1000u);
}

TEST(ProofSoundness, Operators) {
  Judge judge;
  judgeOperators(judge);
}

TEST(ProofSoundness, SumsThatProductsKeep) {
  // The programs are small, and have no longer sums.
  Judge judge;
  judge.options.longestFactor = 1;
  judgeOperators(judge);
}

/// A product in a launch with maps that need not fit together.
bool buildLaunch(GraphBuilder &g, Random &random) {
  MuValue a = g.argument({4, 4}), b = g.argument({4, 4});
  int64_t x = 1 << random.below(3), y = 1 << random.below(2);
  int64_t iterations = 1 << random.below(3);
  if (x * y * iterations == 1) {
    MuValue product = random.chance(50) ? g.matmul(a, b) : g.matmul(b, a);
    g.results({random.chance(30) ? g.exp(product) : product});
    return true;
  }
  RegionBuilder block = g.body();
  MuValue ba = block.argument({4, 4}), bb = block.argument({4, 4});
  RegionBuilder loop = block.body();
  auto load = [&](MuValue source) -> std::optional<MuValue> {
    int64_t maps[3];
    Shape tile{4, 4};
    int64_t extents[3] = {x, y, iterations};
    for (auto [entry, extent] : llvm::zip(maps, extents)) {
      entry = static_cast<int64_t>(random.below(3)) - 1;
      if (entry >= 0 && tile[entry] % extent)
        return std::nullopt;
      if (entry >= 0)
        tile[entry] /= extent;
    }
    if (maps[0] >= 0 && maps[0] == maps[1])
      return std::nullopt;
    return loop.load(source, {maps[0], maps[1]}, {x, y}, {maps[2]},
                     {iterations});
  };
  std::optional<MuValue> at = load(ba), bt = load(bb);
  if (!at || !bt || loop.shape(*at)[1] != loop.shape(*bt)[0])
    return false;
  MuValue product = loop.matmul(*at, *bt);
  if (random.chance(20))
    product = loop.exp(product);
  std::optional<MuValue> shift;
  AccumulateKind kind = AccumulateKind::Sum;
  if (random.chance(15)) {
    kind = AccumulateKind::Max;
  } else if (random.chance(40)) {
    kind = AccumulateKind::Concat;
  } else if (random.chance(25)) {
    kind = AccumulateKind::RescaledSum;
    shift = loop.max(product, 1);
  }
  loop.results(
      {loop.accumulate(kind, product, iterations, shift, random.below(2))});
  MuValue total = block.loop(iterations, loop)[0];
  int64_t omap[2];
  Shape shape = block.shape(total);
  bool isMax = random.chance(20);
  int64_t extents[2] = {x, y};
  for (auto [entry, extent] : llvm::zip(omap, extents)) {
    entry = static_cast<int64_t>(random.below(3)) - 1;
    if (entry < 0)
      entry = isMax ? kReduceMax : kReduceSum;
    else
      shape[entry] *= extent;
  }
  if ((omap[0] >= 0 && omap[0] == omap[1]) || shape != Shape{4, 4})
    return false;
  block.results({block.store(total, {omap[0], omap[1]}, {x, y})});
  MuValue result = g.launch({a, b}, {x, y}, block)[0];
  g.results({random.chance(10) ? g.exp(result) : result});
  return true;
}

TEST(ProofSoundness, Launches) {
  Judge judge;
  Random random(1);
  auto next = [&] {
    while (true) {
      auto g = std::make_unique<GraphBuilder>();
      if (buildLaunch(*g, random))
        return g;
    }
  };
  std::vector<std::unique_ptr<GraphBuilder>> graphs;
  for (unsigned i = 0; i < 90; ++i)
    graphs.push_back(next());
  for (unsigned i = 0; i < graphs.size(); ++i)
    for (unsigned j = 0; j < i; ++j)
      judge.check(*graphs[i], *graphs[j], 100 * i + j);
  judge.report();
  EXPECT_GT(judge.proved, 100u);
}

} // namespace
