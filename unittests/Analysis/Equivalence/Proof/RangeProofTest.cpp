//===- RangeProofTest.cpp - Sums and maxima of parts of a range -----------===//
//
// Sums that are cut by slices and added by hand, down to attention in two parts
// of the keys; near misses; and random cuts of random sums, of which whatever
// is proved must agree.
//
//===----------------------------------------------------------------------===//

#include "../GraphEvaluator.h"
#include "../ProofExpectations.h"
#include <random>

using namespace mirage;
using namespace mirage::equivalence;

namespace {

/// Columns `first` to `end` of a matrix.
MuValue columns(GraphBuilder &g, MuValue x, int64_t first, int64_t end) {
  return g.slice(x, {0, first}, {g.shape(x)[0], end - first}, {1, 1});
}
MuValue rows(GraphBuilder &g, MuValue x, int64_t first, int64_t end) {
  return g.slice(x, {first, 0}, {end - first, g.shape(x)[1]}, {1, 1});
}

/// Row sums of [4, 32].
void sumAll(GraphBuilder &g) { g.results({g.sum(g.argument({4, 32}), 1)}); }

/// The sum of row sums over parts, each as often as it is in the list.
auto sumParts(std::vector<std::pair<int64_t, int64_t>> parts) {
  return [parts = std::move(parts)](GraphBuilder &g) {
    MuValue x = g.argument({4, 32});
    std::optional<MuValue> total;
    for (auto [first, end] : parts) {
      MuValue part = g.sum(columns(g, x, first, end), 1);
      total = total ? g.add(*total, part) : part;
    }
    g.results({*total});
  };
}

TEST(RangeProof, SumsOfParts) {
  expectProved(sumAll, sumParts({{0, 16}, {16, 32}}));
  expectProved(sumAll, sumParts({{16, 32}, {0, 16}}));
  expectProved(sumAll, sumParts({{0, 7}, {7, 32}}));
  expectProved(sumAll, sumParts({{20, 32}, {0, 3}, {9, 20}, {3, 9}}));
  // One element is a range without a variable.
  expectProved(sumAll, sumParts({{0, 31}, {31, 32}}));
  expectProved(sumAll, sumParts({{0, 1}, {1, 32}}));
  expectProved(sumAll, [](GraphBuilder &g) {
    MuValue x = g.argument({4, 32});
    g.results(
        {g.sum(g.concat({columns(g, x, 0, 16), columns(g, x, 16, 32)}, 1), 1)});
  });
  expectProved(sumAll, [](GraphBuilder &g) {
    MuValue x = g.argument({4, 32});
    g.results(
        {g.sum(g.concat({columns(g, x, 10, 32), columns(g, x, 0, 10)}, 1), 1)});
  });
  // Of both programs, other parts.
  expectProved(sumParts({{0, 16}, {16, 32}}), sumParts({{0, 5}, {5, 32}}));
}

TEST(RangeProof, NearMissesOfSums) {
  // Overlapping, with a gap, off by one, one part twice, too short.
  expectNotProved(sumAll, sumParts({{0, 17}, {16, 32}}));
  expectNotProved(sumAll, sumParts({{0, 15}, {16, 32}}));
  expectNotProved(sumAll, sumParts({{0, 15}, {16, 32}, {14, 15}}));
  expectNotProved(sumAll, sumParts({{0, 16}, {15, 31}}));
  expectNotProved(sumAll, sumParts({{0, 16}, {0, 16}}));
  expectNotProved(sumAll, sumParts({{0, 16}, {16, 32}, {16, 32}}));
  expectNotProved(sumAll, sumParts({{0, 16}, {16, 31}}));
  expectNotProved(sumAll, sumParts({{1, 17}, {17, 32}}));
  // Other coefficients, in and in front of the sum.
  for (double factor : {2.0, -1.0, 1 + 0x1p-23})
    expectNotProved(sumAll, [&](GraphBuilder &g) {
      MuValue x = g.argument({4, 32});
      g.results({g.add(g.sum(columns(g, x, 0, 16), 1),
                       g.scale(g.sum(columns(g, x, 16, 32), 1), factor))});
    });
  expectNotProved(sumAll, [&](GraphBuilder &g) {
    MuValue x = g.argument({4, 32});
    g.results({g.add(g.sum(columns(g, x, 0, 16), 1),
                     g.sum(g.square(columns(g, x, 16, 32)), 1))});
  });
}

/// Products of [4, 32] and [32, 8] by two parts of the contraction, whose parts
/// of the right operand begin at `first` and `second`.
auto multiplyParts(int64_t cut, int64_t first, int64_t second) {
  return [=](GraphBuilder &g) {
    MuValue a = g.argument({4, 32}), b = g.argument({32, 8});
    g.results(
        {g.add(g.matmul(columns(g, a, 0, cut), rows(g, b, first, first + cut)),
               g.matmul(columns(g, a, cut, 32),
                        rows(g, b, second, second + 32 - cut)))});
  };
}

TEST(RangeProof, ProductsOfParts) {
  auto whole = [](GraphBuilder &g) {
    MuValue a = g.argument({4, 32}), b = g.argument({32, 8});
    g.results({g.matmul(a, b)});
  };
  expectProved(whole, multiplyParts(16, 0, 16));
  expectProved(whole, multiplyParts(11, 0, 11));
  // Halves of one side exchanged; an index off by one.
  expectNotProved(whole, multiplyParts(16, 16, 0));
  expectNotProved(whole, multiplyParts(15, 0, 14));
  expectNotProved(whole, multiplyParts(17, 1, 17));
  expectNotProved(whole, multiplyParts(16, 0, 0));
  // Both dimensions of a sum of all elements, by four parts.
  auto all = [](GraphBuilder &g) {
    g.results({g.sum(g.sum(g.argument({8, 32}), 0), 1)});
  };
  auto quarters = [](int64_t row, int64_t column) {
    return [=](GraphBuilder &g) {
      MuValue x = g.argument({8, 32});
      MuValue upper = rows(g, x, 0, row), lower = rows(g, x, row, 8);
      auto sum = [&](MuValue part) { return g.sum(g.sum(part, 0), 1); };
      g.results({g.add(g.add(sum(columns(g, upper, 0, column)),
                             sum(columns(g, lower, column, 32))),
                       g.add(sum(columns(g, upper, column, 32)),
                             sum(columns(g, lower, 0, column))))});
    };
  };
  expectProved(all, quarters(4, 16));
  expectProved(all, quarters(3, 10));
}

TEST(RangeProof, MaximaOfParts) {
  auto whole = [](GraphBuilder &g) {
    g.results({g.max(g.argument({4, 32}), 1)});
  };
  auto parts = [](int64_t firstEnd, int64_t second, int64_t end) {
    return [=](GraphBuilder &g) {
      MuValue x = g.argument({4, 32});
      g.results({g.op(OpKind::Max, {g.max(columns(g, x, 0, firstEnd), 1),
                                    g.max(columns(g, x, second, end), 1)})});
    };
  };
  expectProved(whole, parts(16, 16, 32));
  expectProved(whole, parts(9, 9, 32));
  // Maxima may take numbers twice.
  expectProved(whole, parts(20, 10, 32));
  expectProved(whole, parts(32, 5, 20));
  expectProved(whole, parts(31, 31, 32));
  expectProved(whole, parts(32, 7, 8));
  expectNotProved(whole, parts(16, 17, 32));
  expectNotProved(whole, parts(16, 16, 31));
  expectNotProved(whole, parts(31, 5, 6));
  // A sum may not.
  expectNotProved(sumAll, sumParts({{0, 20}, {10, 32}}));
  // A minimum is no maximum.
  expectNotProved(whole, [](GraphBuilder &g) {
    MuValue x = g.argument({4, 32});
    g.results(
        {g.op(OpKind::Max,
              {g.max(columns(g, x, 0, 16), 1),
               g.scale(g.max(g.scale(columns(g, x, 16, 32), -1), 1), -1)})});
  });
}

/// Softmax over [4, 32] by two parts, whose accumulators are merged by hand.
struct Merged {
  int64_t cut = 16, second = 16;
  bool isRescaled = true, isBounded = false;
  /// Relative to the first part's maximum only.
  bool isShiftedByFirst = false;

  void operator()(GraphBuilder &g) const {
    MuValue x = g.argument({4, 32}), v = g.argument({32, 8});
    MuValue parts[] = {columns(g, x, 0, cut), columns(g, x, second, 32)};
    MuValue values[] = {rows(g, v, 0, cut), rows(g, v, second, 32)};
    MuValue maxima[] = {g.max(parts[0], 1), g.max(parts[1], 1)};
    if (isBounded)
      for (MuValue &m : maxima)
        m = g.op(OpKind::Max, {m, g.constant(-0x1.fffffep127, 2)});
    MuValue most = isShiftedByFirst ? maxima[0]
                                    : g.op(OpKind::Max, {maxima[0], maxima[1]});
    MuValue sums[2], products[2];
    for (int i : {0, 1}) {
      MuValue e = g.exp(g.sub(parts[i], maxima[i]));
      MuValue factor = g.exp(g.sub(maxima[i], most));
      sums[i] = g.sum(e, 1);
      products[i] = g.matmul(e, values[i]);
      if (!isRescaled && i == 1)
        continue;
      sums[i] = g.mul(sums[i], factor);
      products[i] = g.mul(products[i], factor);
    }
    g.results({g.div(g.add(products[0], products[1]), g.add(sums[0], sums[1])),
               most});
  }
};

TEST(RangeProof, SoftmaxOfParts) {
  auto softmax = [](GraphBuilder &g) {
    MuValue x = g.argument({4, 32}), v = g.argument({32, 8});
    g.results({g.matmul(g.softmax(x, 1), v), g.max(x, 1)});
  };
  expectProved(softmax, Merged{});
  expectProved(softmax, Merged{10, 10});
  expectNotProved(softmax, Merged{16, 16, false});
  expectNotProved(softmax, Merged{16, 17});
  expectNotProved(softmax, Merged{17, 16});
  expectNotProved(softmax, Merged{16, 16, true, false, true});
  // The bound is part of the second result, unless it is the lowest number that
  // there is.
  auto bounded = [](double bound) {
    return [=](GraphBuilder &g) {
      MuValue x = g.argument({4, 32}), v = g.argument({32, 8});
      g.results({g.matmul(g.softmax(x, 1), v),
                 g.op(OpKind::Max, {g.max(x, 1), g.constant(bound, 2)})});
    };
  };
  expectProved(bounded(-0x1.fffffep127), Merged{16, 16, true, true});
  expectProved(softmax, Merged{16, 16, true, true});
  expectNotProved(bounded(-0x1.fffffcp127), Merged{});
}

TEST(RangeProof, AttentionOfParts) {
  // Keys in three parts, one of which is longer, merged from left to right.
  auto parts = [](bool isWrong) {
    return [=](GraphBuilder &g) {
      MuValue q = g.argument({16, 64}), k = g.argument({64, 64}),
              v = g.argument({64, 32});
      std::optional<MuValue> most, total, output;
      int64_t cuts[] = {0, 16, 32, 64};
      for (int i = 0; i < 3; ++i) {
        MuValue s = g.matmul(q, rows(g, k, cuts[i], cuts[i + 1]), false, true);
        MuValue m = g.max(s, 1), e = g.exp(g.sub(s, m));
        MuValue l = g.sum(e, 1),
                o = g.matmul(e, rows(g, v, cuts[i], cuts[i + 1]));
        if (most) {
          MuValue both = g.op(OpKind::Max, {*most, m});
          MuValue before = g.exp(g.sub(*most, both)),
                  now = g.exp(g.sub(m, both));
          l = g.add(g.mul(*total, before), g.mul(l, now));
          o = g.add(g.mul(*output, before), isWrong ? o : g.mul(o, now));
          m = both;
        }
        most = m;
        total = l;
        output = o;
      }
      g.results({g.div(*output, *total)});
    };
  };
  auto whole = [](GraphBuilder &g) {
    MuValue q = g.argument({16, 64}), k = g.argument({64, 64}),
            v = g.argument({64, 32});
    g.results({g.matmul(g.softmax(g.matmul(q, k, false, true), 1), v)});
  };
  expectProved(whole, parts(false));
  expectNotProved(whole, parts(true));
}

TEST(RangeProof, PartsStayWhereTheyWere) {
  // 1 P + 2 Q has no whole; what was proved by parts alone still is.
  auto build = [](bool sumFirst) {
    return [=](GraphBuilder &g) {
      MuValue x = g.argument({4, 32});
      MuValue p = g.sum(columns(g, x, 0, 16), 1),
              q = g.sum(columns(g, x, 16, 32), 1);
      MuValue y = sumFirst ? g.add(g.add(p, q), q) : g.add(p, g.scale(q, 2));
      g.results({g.div(g.constant(1, 2), y)});
    };
  };
  expectProved(build(true), build(false));
}

/// A random function of the columns of a and b, summed over.
class Term {
public:
  Term(std::mt19937 &random) : choice(random() % 6) {}

  MuValue build(GraphBuilder &g, MuValue a, MuValue b) const {
    switch (choice) {
    case 0:
      return a;
    case 1:
      return g.mul(a, b);
    case 2:
      return g.exp(g.sub(a, b));
    case 3:
      return g.add(g.square(a), b);
    case 4:
      return g.div(a, g.add(g.square(b), g.constant(1, 2)));
    default:
      return g.op(OpKind::Max, {a, b});
    }
  }

private:
  unsigned choice;
};

TEST(RangeProof, RandomCutsOfRandomSums) {
  std::mt19937 random(7);
  unsigned proved = 0, different = 0, same = 0;
  for (unsigned round = 0; round < 150; ++round) {
    int64_t size = 5 + random() % 12;
    unsigned numParts = 2 + random() % 3;
    Term term(random);
    bool isMax = random() % 4 == 0, isWrong = random() % 2;
    // Parts in any order, cut anywhere; a wrong one begins or ends elsewhere,
    // in one operand or in both.
    std::vector<int64_t> cuts{0, size};
    while (cuts.size() < numParts + 1) {
      int64_t cut = 1 + random() % (size - 1);
      if (!llvm::is_contained(cuts, cut))
        cuts.push_back(cut);
    }
    std::sort(cuts.begin(), cuts.end());
    struct Piece {
      int64_t a, b, extent;
    };
    std::vector<Piece> pieces;
    for (unsigned i = 0; i < numParts; ++i)
      pieces.push_back({cuts[i], cuts[i], cuts[i + 1] - cuts[i]});
    std::shuffle(pieces.begin(), pieces.end(), random);
    if (isWrong) {
      Piece &piece = pieces[random() % pieces.size()];
      unsigned which = random() % 3;
      int64_t by = random() % 2 ? 1 : -1;
      if (which != 1)
        piece.a = std::clamp<int64_t>(piece.a + by, 0, size - piece.extent);
      if (which != 0)
        piece.b = std::clamp<int64_t>(piece.b + by, 0, size - piece.extent);
    }
    GraphBuilder whole, cut;
    auto reduce = [&](GraphBuilder &g, MuValue x) {
      return isMax ? g.max(x, 1) : g.sum(x, 1);
    };
    MuValue a = whole.argument({2, size}), b = whole.argument({2, size});
    whole.results({reduce(whole, term.build(whole, a, b))});
    a = cut.argument({2, size}), b = cut.argument({2, size});
    std::optional<MuValue> total;
    for (const Piece &piece : pieces) {
      MuValue part = reduce(
          cut, term.build(cut, columns(cut, a, piece.a, piece.a + piece.extent),
                          columns(cut, b, piece.b, piece.b + piece.extent)));
      total = !total  ? part
              : isMax ? cut.op(OpKind::Max, {*total, part})
                      : cut.add(*total, part);
    }
    cut.results({*total});
    bool isProved =
        proveEquivalence(whole, cut).kind == ProofResult::Kind::Proved;
    // The oracle: doubles, by code that knows nothing of proofs.
    bool agree = true;
    for (unsigned trial = 0; trial < 3; ++trial) {
      std::vector<Tensor<double>> inputs(2, Tensor<double>{Shape{2, size}});
      for (Tensor<double> &input : inputs)
        for (double &x : input.data)
          x = random() * 0x1p-31 - 1;
      auto l = GraphEvaluator(whole).run(inputs),
           r = GraphEvaluator(cut).run(inputs);
      for (auto [x, y] : llvm::zip_equal(l[0].data, r[0].data))
        agree &= std::fabs(x - y) <= 1e-9 * (1 + std::fabs(x));
    }
    EXPECT_TRUE(agree || !isProved) << "round " << round;
    proved += isProved;
    (agree ? same : different)++;
  }
  // Both happen; and nearly all cuts of the same sum are proved. Parts of one
  // element are joined with longer ones, not with each other.
  EXPECT_GT(different, 30u);
  EXPECT_GE(proved, same * 9 / 10);
  std::printf("%u proved of %u that are the same, %u differ\n", proved, same,
              different);
}

} // namespace
