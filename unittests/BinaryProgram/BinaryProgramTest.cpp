//===- BinaryProgramTest.cpp - Binary linear programs ---------------------===//
//
// Binary programs are held against all values of their variables.
//
//===----------------------------------------------------------------------===//

#include "Mirage/BinaryProgram/BinaryProgram.h"
#include "gtest/gtest.h"
#include <cmath>
#include <random>

using namespace mirage;
using Status = BinaryProgram::Status;
using Term = BinaryProgram::Term;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A random binary program, and what it is made of.
struct RandomProgram {
  explicit RandomProgram(std::mt19937_64 &random) {
    auto draw = [&](unsigned count) {
      return static_cast<int>(random() % count);
    };
    for (unsigned variable = 0; variable < 10; ++variable) {
      costs.push_back(draw(40) / 8.0 - 1);
      program.addBinary(costs.back());
    }
    for (unsigned row = 0; row < 6; ++row) {
      std::vector<Term> terms;
      for (unsigned variable = 0; variable < costs.size(); ++variable)
        if (draw(3) == 0)
          terms.push_back({variable, static_cast<double>(draw(7) - 3)});
      rows.push_back({terms, static_cast<double>(draw(4) - 2)});
      program.addRow(terms, rows.back().second);
    }
  }

  double getCost(uint64_t bits) const {
    double cost = 0;
    for (unsigned variable = 0; variable < costs.size(); ++variable)
      cost += (bits >> variable & 1) ? costs[variable] : 0;
    return cost;
  }
  bool holds(uint64_t bits) const {
    for (const auto &[terms, atLeast] : rows) {
      double sum = 0;
      for (const Term &term : terms)
        sum += (bits >> term.variable & 1) ? term.coefficient : 0;
      if (sum < atLeast)
        return false;
    }
    return true;
  }
  /// The least cost of all solutions.
  double getLeast() const {
    double least = kInfinity;
    for (uint64_t bits = 0; bits < uint64_t(1) << costs.size(); ++bits)
      if (holds(bits))
        least = std::min(least, getCost(bits));
    return least;
  }

  std::vector<double> costs;
  std::vector<std::pair<std::vector<Term>, double>> rows;
  BinaryProgram program;
};

TEST(BinaryProgram, CheapestOfAllValues) {
  ASSERT_TRUE(hasBinarySolver());
  std::mt19937_64 random(1);
  unsigned solved = 0, infeasible = 0;
  for (unsigned trial = 0; trial < 500; ++trial) {
    RandomProgram own(random);
    double least = own.getLeast();
    BinaryProgram::Answer answer = own.program.minimize(/*maxNodes=*/10'000);
    if (std::isinf(least)) {
      ++infeasible;
      EXPECT_EQ(answer.status, Status::Infeasible);
      EXPECT_TRUE(answer.values.empty());
      continue;
    }
    ++solved;
    ASSERT_EQ(answer.status, Status::Optimal);
    EXPECT_DOUBLE_EQ(answer.cost, least);
    EXPECT_DOUBLE_EQ(answer.bound, least);
    uint64_t bits = 0;
    for (unsigned variable = 0; variable < own.costs.size(); ++variable)
      bits |= uint64_t(answer.values[variable] == 1) << variable;
    EXPECT_TRUE(own.holds(bits));
    EXPECT_DOUBLE_EQ(own.getCost(bits), least);
    // Only what costs less is looked for.
    EXPECT_EQ(own.program.minimize(10'000, least).status, Status::Infeasible);
    BinaryProgram::Answer below = own.program.minimize(10'000, least + 0.125);
    EXPECT_EQ(below.status, Status::Optimal);
    EXPECT_DOUBLE_EQ(below.cost, least);
  }
  EXPECT_GE(solved, 100u);
  EXPECT_GE(infeasible, 100u);
}

/// Numbers from 0 to 1 are no binary variables: three sets that each have two
/// of three elements cover these half by half.
TEST(BinaryProgram, Fractions) {
  for (bool isBinary : {false, true}) {
    BinaryProgram program;
    for (unsigned i = 0; i < 3; ++i)
      isBinary ? program.addBinary(1) : program.addFraction(1);
    program.addRow({{0, 1}, {1, 1}}, 1);
    program.addRow({{1, 1}, {2, 1}}, 1);
    program.addRow({{0, 1}, {2, 1}}, 1);
    BinaryProgram::Answer answer = program.minimize(100);
    EXPECT_EQ(answer.status, Status::Optimal);
    EXPECT_NEAR(answer.cost, isBinary ? 2 : 1.5, 1e-9);
  }
}

/// Without nodes the relaxation's cost is a bound, and the gap is open.
TEST(BinaryProgram, Limit) {
  // The program covers 40 elements by random sets of four elements each.
  BinaryProgram program;
  std::mt19937_64 random(2);
  std::vector<std::vector<Term>> rows(40);
  for (unsigned variable = 0; variable < 120; ++variable) {
    program.addBinary(10 + static_cast<double>(random() % 8));
    for (unsigned i = 0; i < 4; ++i)
      rows[(random() % 10) + 10 * i].push_back({variable, 1});
  }
  for (const std::vector<Term> &row : rows)
    program.addRow(row, 1);
  BinaryProgram::Answer none = program.minimize(0);
  EXPECT_EQ(none.status, Status::Limit);
  EXPECT_TRUE(none.values.empty());
  EXPECT_EQ(none.nodes, 0u);
  BinaryProgram::Answer few = program.minimize(1);
  EXPECT_LE(none.bound, few.bound + 1e-6);
  EXPECT_EQ(few.status, Status::Limit);
  EXPECT_GT(few.bound, 0);
  EXPECT_LE(few.bound, few.cost);
  BinaryProgram::Answer all = program.minimize(1'000'000);
  EXPECT_EQ(all.status, Status::Optimal);
  EXPECT_LE(few.bound, all.cost + 1e-6);
  EXPECT_GE(few.cost, all.cost - 1e-6);
  EXPECT_GT(all.nodes, few.nodes);
  // Iterations are counted behind each node, and time is asked for there.
  constexpr double noCost = std::numeric_limits<double>::infinity();
  BinaryProgram::Answer halved =
      program.minimize(1'000'000, noCost, /*maxIterations=*/all.iterations / 2);
  EXPECT_EQ(halved.status, Status::Limit);
  EXPECT_LT(halved.nodes, all.nodes);
  EXPECT_LE(halved.bound, all.cost + 1e-6);
  unsigned asked = 0;
  BinaryProgram::Answer late =
      program.minimize(1'000'000, noCost, std::numeric_limits<uint64_t>::max(),
                       [&] { return ++asked > 3; });
  EXPECT_EQ(late.status, Status::Limit);
  EXPECT_LT(late.nodes, all.nodes);
  EXPECT_LE(late.bound, all.cost + 1e-6);
}

} // namespace
