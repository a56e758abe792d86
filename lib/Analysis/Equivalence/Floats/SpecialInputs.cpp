//===- SpecialInputs.cpp - Inputs at which operators change ---------------===//
//
// Makes special elements of what an argument comes to in a program.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/Floats/SpecialInputs.h"
#include "../NumberRange.h"
#include "ArgumentAnalysis.h"

using namespace mirage;
using namespace mirage::equivalence;
using llvm::SmallVector;

/// Returns numbers on all sides of the given ones, and these, or some of very
/// many.
static std::vector<double> getSides(std::vector<double> numbers) {
  constexpr size_t most = 8;
  llvm::sort(numbers);
  numbers.erase(llvm::unique(numbers), numbers.end());
  if (numbers.size() > most) {
    std::vector<double> some;
    for (size_t i = 0; i < most; ++i)
      some.push_back(numbers[i * (numbers.size() - 1) / (most - 1)]);
    numbers = std::move(some);
  }
  std::vector<double> sides = numbers;
  if (numbers.empty())
    return sides;
  sides.push_back(numbers.front() - (1 + std::fabs(numbers.front())));
  sides.push_back(numbers.back() + (1 + std::fabs(numbers.back())));
  for (size_t i = 1; i < numbers.size(); ++i)
    sides.push_back((numbers[i - 1] + numbers[i]) / 2);
  return sides;
}

namespace {
/// Gathers the special elements of one argument.
class SpecialElements {
public:
  SpecialElements(unsigned argument, ElementType type)
      : argument(argument), type(type) {}

  using Others = Special::Others;
  void add(double number, Others others, bool onlyLines = false);
  std::vector<Special> take() { return std::move(specials); }

private:
  unsigned argument;
  ElementType type;
  std::vector<Special> specials;
};
} // namespace

void SpecialElements::add(double number, Others others, bool onlyLines) {
  // A type may have no infinities, or no number that is so large.
  if (std::isinf(number) != std::isinf(roundTo(type, number)))
    return;
  if (llvm::none_of(specials, [&](const Special &other) {
        return other.elements[0].number == number &&
               other.elements[0].others == others;
      }))
    specials.push_back({{{{argument}, number, others}}, onlyLines, {}});
}

/// The traits of an argument of type `type` with these uses.
static ArgumentTraits getTraits(const ArgumentUses &uses, unsigned argument,
                                ElementType type) {
  using Others = Special::Others;
  SpecialElements specials(argument, type);
  for (int sign : {1, -1}) {
    if (!(uses.infinities & (sign > 0 ? Dependence::kLow : Dependence::kHigh)))
      continue;
    specials.add(-sign * HUGE_VAL, Others::Normal);
    // Many masks have the largest number in the place of an infinity.
    if (uses.isAdded && !uses.isFactor)
      specials.add(-sign * getNumberRange(type).largest, Others::Normal);
  }
  if (uses.decides || uses.decidesBySum) {
    // Masks of zeros and ones, whatever is made of them.
    bool onlyLines = !uses.decides;
    specials.add(0, Others::One, onlyLines);
    specials.add(1, Others::Zero, onlyLines);
    specials.add(0, Others::Normal, onlyLines);
    if (uses.traits.isPositive)
      specials.add(0, Others::Positive, onlyLines);
  }
  for (double side : getSides(uses.sides))
    specials.add(side, Others::Normal);
  for (double pole : uses.poles)
    specials.add(pole, Others::Normal);
  // The number has either sign, since it may have been subtracted from
  // something.
  for (double side : getSides(uses.comparedBehind))
    for (int sign : {1, -1})
      specials.add(sign * side, Others::Normal);
  for (double side : getSides(uses.comparedSums))
    for (int sign : {1, -1})
      specials.add(sign * side, Others::Normal, /*onlyLines=*/true);
  ArgumentTraits traits = uses.traits;
  traits.isMask = uses.decides;
  traits.isFactor = uses.isFactor;
  traits.specials = specials.take();
  return traits;
}

std::vector<ArgumentTraits>
equivalence::findArgumentTraits(const MuGraph &program) {
  MuGraph graph = expandToPrimitives(program);
  std::vector<ValueFacts> facts = findFacts(graph);
  std::vector<ArgumentTraits> arguments;
  for (auto [i, argument] : llvm::enumerate(graph.getRegion().arguments))
    arguments.push_back(getTraits(ArgumentAnalysis(graph, facts, i).getUses(),
                                  i, graph.getValue(argument).type));
  return arguments;
}

std::vector<Special>
equivalence::findJointSpecials(llvm::ArrayRef<ArgumentTraits> traits) {
  using Others = Special::Others;
  std::vector<Special> specials;
  SmallVector<unsigned, 1> divided;
  for (unsigned i = 0; i < traits.size(); ++i)
    if (traits[i].isDivided)
      divided.push_back(i);
  if (divided.size() > 1)
    specials.push_back(
        {{{divided, 0, Others::Normal}}, /*onlyLines=*/false, {}});
  for (unsigned i = 0; i < traits.size(); ++i) {
    SmallVector<double, 2> infinities;
    for (const Special &special : traits[i].specials)
      if (std::isinf(special.elements[0].number))
        infinities.push_back(special.elements[0].number);
    if (infinities.empty() && traits[i].isChosen)
      infinities.push_back(HUGE_VAL);
    for (unsigned j = 0; j < traits.size(); ++j)
      for (double infinity : infinities)
        if (i != j && traits[j].isMask)
          for (bool isHiddenByZero : {false, true})
            specials.push_back({{{{i}, infinity, Others::Normal},
                                 {{j},
                                  isHiddenByZero ? 0.0 : 1.0,
                                  isHiddenByZero ? Others::One : Others::Zero}},
                                /*onlyLines=*/false,
                                {}});
  }
  return specials;
}
