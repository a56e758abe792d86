//===- LayoutProgramTest.cpp - Layouts of all tiles of a launch -----------===//
//
// Random programs are held against all choices of layouts.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Schedule/LayoutProgram.h"
#include "Mirage/BinaryProgram/BinaryProgram.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <limits>
#include <random>

using namespace mirage;
using Choice = LayoutProgram::Choice;

namespace {

/// A random program, and how many layouts each of its operators has.
struct RandomProgram {
  LayoutProgram program;
  std::vector<unsigned> layouts;

  explicit RandomProgram(std::mt19937 &random) {
    auto number = [&](unsigned from, unsigned to) {
      return std::uniform_int_distribution<unsigned>(from, to)(random);
    };
    auto costs = [&](unsigned count, unsigned from) {
      llvm::SmallVector<double, 4> result;
      for (unsigned i = 0; i < count; ++i)
        result.push_back(number(from, 9));
      return result;
    };
    unsigned operators = number(1, 6);
    for (unsigned i = 0; i < operators; ++i) {
      layouts.push_back(number(1, 3));
      program.addOperator(costs(layouts.back(), 0));
    }
    auto use = [&](LayoutProgram::Value value, unsigned consumer,
                   unsigned forms) {
      llvm::SmallVector<Choice, 4> taken;
      for (unsigned i = 0; i < layouts[consumer]; ++i)
        taken.push_back(number(0, forms - 1));
      program.addUse(value, consumer, taken);
    };
    for (unsigned i = 0; i < 3; ++i) {
      unsigned forms = number(1, 3);
      LayoutProgram::Value tile = program.addTile(costs(forms, 1));
      for (unsigned reader = 0; reader < operators; ++reader)
        if (number(0, 1))
          use(tile, reader, forms);
    }
    // Tiles whose places in memory are chosen are read at a cost in each form.
    for (unsigned i = 0; i < 2; ++i) {
      layouts.push_back(number(1, 4));
      LayoutProgram::Operator tile =
          program.addOperator(costs(layouts.back(), 0));
      unsigned forms = number(1, 3);
      std::vector<llvm::SmallVector<double, 4>> reading;
      for (unsigned way = 0; way < layouts.back(); ++way)
        reading.push_back(costs(forms, 1));
      LayoutProgram::Value value = program.addResult(
          tile, reading, llvm::SmallVector<double, 4>(layouts.back(), 0));
      for (unsigned reader = 0; reader < operators; ++reader)
        if (number(0, 1))
          use(value, reader, forms);
    }
    for (unsigned producer = 0; producer + 1 < operators; ++producer) {
      unsigned forms = number(1, 3);
      llvm::SmallVector<llvm::SmallVector<double, 4>, 4> conversions;
      for (unsigned i = 0; i < layouts[producer]; ++i) {
        conversions.push_back(costs(forms, 0));
        conversions.back()[i % forms] = 0;
      }
      LayoutProgram::Value result =
          program.addResult(producer, conversions, costs(layouts[producer], 0));
      for (unsigned reader = producer + 1; reader < operators; ++reader)
        if (number(0, 1))
          use(result, reader, forms);
    }
  }

  double getLeast() const {
    std::vector<Choice> choices(layouts.size(), 0);
    double least = std::numeric_limits<double>::infinity();
    while (true) {
      least = std::min(least, program.getCost(choices));
      size_t next = 0;
      while (next < choices.size() && ++choices[next] == layouts[next])
        choices[next++] = 0;
      if (next == choices.size())
        return least;
    }
  }
};

TEST(LayoutProgram, RandomProgramsAreOptimal) {
  if (!hasBinarySolver())
    GTEST_SKIP() << "the build has no solver";
  std::mt19937 random(7);
  unsigned solved = 0;
  for (int trial = 0; trial < 300; ++trial) {
    RandomProgram made(random);
    std::vector<Choice> first(made.layouts.size(), 0);
    LayoutProgram::Answer answer = made.program.minimize(first, 10000);
    double least = made.getLeast();
    EXPECT_TRUE(answer.isOptimal()) << "trial " << trial;
    EXPECT_NEAR(answer.cost, least, 1e-6) << "trial " << trial;
    EXPECT_NEAR(made.program.getCost(answer.choices), answer.cost, 1e-9);
    EXPECT_LE(answer.bound, least + 1e-6);
    solved += answer.usedSolver;
  }
  // Bounds that need no solver prove some of them, and not all.
  EXPECT_GT(solved, 30u);
  EXPECT_LT(solved, 300u);
}

/// Answers of solved programs are kept, each for its own program.
TEST(LayoutProgram, KnownAnswersAreTheSame) {
  std::mt19937 random(11);
  std::vector<RandomProgram> programs;
  std::vector<LayoutProgram::Answer> answers;
  auto ask = [](const RandomProgram &made) {
    return made.program.minimize(std::vector<Choice>(made.layouts.size(), 0),
                                 10000);
  };
  for (int trial = 0; trial < 100; ++trial) {
    programs.emplace_back(random);
    answers.push_back(ask(programs.back()));
  }
  for (auto [made, before] : llvm::zip_equal(programs, answers)) {
    LayoutProgram::Answer answer = ask(made);
    EXPECT_EQ(answer.choices, before.choices);
    EXPECT_EQ(answer.cost, before.cost);
    EXPECT_EQ(answer.bound, before.bound);
    EXPECT_EQ(answer.usedSolver, before.usedSolver);
  }
}

/// Two operators each have another cheapest layout. Where it costs more to
/// bring the value from one to the other, both have one.
TEST(LayoutProgram, ConversionsAreWeighed) {
  for (double conversion : {1.0, 10.0}) {
    LayoutProgram program;
    auto first = program.addOperator({1.0, 5.0});
    auto second = program.addOperator({6.0, 1.0});
    auto value = program.addResult(
        first, {{0.0, conversion}, {conversion, 0.0}}, {0.5, 0.5});
    program.addUse(value, second, {0, 1});
    LayoutProgram::Answer answer = program.minimize({0, 0}, 100);
    EXPECT_NEAR(answer.cost, conversion < 5 ? 3.5 : 6.0, 1e-9);
    EXPECT_EQ(answer.choices[0] == answer.choices[1], conversion > 5);
  }
}

/// A tile that several operators take in one form is loaded once.
TEST(LayoutProgram, FormsAreLoadedOnce) {
  LayoutProgram program;
  auto first = program.addOperator({0.0, 0.0});
  auto second = program.addOperator({0.0, 0.0});
  auto tile = program.addTile({3.0, 4.0});
  program.addUse(tile, first, {0, 1});
  program.addUse(tile, second, {0, 1});
  EXPECT_EQ(program.getCost({0, 0}), 3);
  EXPECT_EQ(program.getCost({0, 1}), 7);
  EXPECT_EQ(program.minimize({1, 0}, 100).cost, 3);
}

/// How a tile lies in memory is weighed against what reads it, in all forms in
/// which that may be, and this needs no solver where one reader has one form.
TEST(LayoutProgram, TilesLieAsTheirReadersNeed) {
  for (double bringing : {1.0, 8.0}) {
    LayoutProgram program;
    auto tile = program.addOperator({0.0, bringing});
    auto reader = program.addOperator({2.0});
    auto value = program.addResult(tile, {{9.0}, {4.0}}, {0.0, 0.0});
    program.addUse(value, reader, {0});
    LayoutProgram::Answer answer = program.minimize({0, 0}, 100);
    EXPECT_EQ(answer.choices[0], bringing < 5 ? 1u : 0u);
    EXPECT_NEAR(answer.cost, bringing < 5 ? 7 : 11, 1e-9);
    EXPECT_TRUE(answer.isOptimal());
    EXPECT_FALSE(answer.usedSolver);
  }
  // The reader would have its second form by itself, and its first one where
  // the tile lies so that both together cost less.
  LayoutProgram program;
  auto tile = program.addOperator({0.0, 1.0});
  auto reader = program.addOperator({2.0, 1.0});
  auto value = program.addResult(tile, {{9.0, 8.0}, {1.0, 7.0}}, {0.0, 0.0});
  program.addUse(value, reader, {0, 1});
  LayoutProgram::Answer answer = program.minimize({0, 1}, 100);
  EXPECT_NEAR(answer.cost, hasBinarySolver() ? 4 : 9, 1e-9);
  EXPECT_EQ(program.getCost({1, 0}), 4);
}

} // namespace
