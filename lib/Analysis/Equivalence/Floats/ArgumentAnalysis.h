//===- ArgumentAnalysis.h - What becomes of one argument --------*- C++ -*-===//
//
// Follows the elements of one argument through a program, and notes at which
// operators special elements may change what happens.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_ANALYSIS_EQUIVALENCE_FLOATS_ARGUMENTANALYSIS_H
#define MIRAGE_LIB_ANALYSIS_EQUIVALENCE_FLOATS_ARGUMENTANALYSIS_H

#include "Mirage/Analysis/Equivalence/Floats/SpecialInputs.h"
#include "Mirage/Analysis/Equivalence/ValueFacts.h"
#include "Mirage/MuGraph/ForwardAnalysis.h"
#include <algorithm>
#include <cmath>

namespace mirage::equivalence {

/// A value as factor * element + offset, with some of its offsets. Other
/// arguments are taken for zero.
struct Affine {
  bool isKnown = true;
  double factor = 0;
  double low = 0, middle = 0, high = 0;

  Affine operator+(const Affine &other) const {
    return {isKnown && other.isKnown, factor + other.factor, low + other.low,
            middle + other.middle, high + other.high};
  }
  Affine operator*(double number) const {
    return {isKnown, factor * number, std::min(low * number, high * number),
            middle * number, std::max(low * number, high * number)};
  }
};

/// A dependence says what a value's elements have to do with those of the
/// argument.
struct Dependence {
  enum Flag : uint8_t {
    /// They have been added to something that does not depend on it.
    kAdded = 1,
    /// Each depends on some element of it, by functions of elements.
    kElement = 2,
    /// They depend on sums or products of matrices.
    kSum = 4,
    /// They are -inf where an element is -inf, or where one is +inf.
    kLow = 8,
    kHigh = 16,
    /// They depend on another argument.
    kOther = 32,
    /// They have the sign of its elements, or are above by a constant.
    kSigned = 64,
  };
  static constexpr uint8_t kBoth = kLow | kHigh;
  static constexpr uint8_t kDepends = kElement | kSum;

  uint8_t flags = 0;
  Affine affine = {};
  /// The first element, if all have one sign and about one size.
  std::optional<double> constant = std::nullopt;

  bool has(uint8_t any) const { return flags & any; }
  /// The sign of a finite constant: -1 or 1, and zero for all else.
  int getSign() const {
    if (!constant || !std::isfinite(*constant))
      return 0;
    return *constant > 0 ? 1 : *constant < 0 ? -1 : 0;
  }
};

/// The uses of an argument say what operators make of it.
struct ArgumentUses {
  /// These are kLow and kHigh of what exponentials and maxima are taken of.
  uint8_t infinities = 0;
  /// The argument is multiplied, or summed, and so no mask that is only added.
  bool isFactor = false;
  /// It is added to something.
  bool isAdded = false;
  /// Single elements, or sums of them, decide something or are a pole.
  bool decides = false, decidesBySum = false;
  /// These are all traits but the special elements and `isMask`, which follow
  /// from the rest.
  ArgumentTraits traits;
  /// Elements on whose sides something changes, and those that are poles.
  std::vector<double> sides, poles;
  /// Numbers with which functions of elements, or sums, are compared.
  std::vector<double> comparedBehind, comparedSums;
};

/// Follows an argument through a program of primitive operators.
class ArgumentAnalysis final : public ForwardAnalysis<Dependence> {
public:
  /// `facts` are those of all values of the graph.
  ArgumentAnalysis(const MuGraph &graph, llvm::ArrayRef<ValueFacts> facts,
                   unsigned argument);

  const ArgumentUses &getUses() const { return uses; }

private:
  Dependence visitOperator(const MuNode &node) override;
  Dependence visitAccumulate(const MuNode &node) override;
  Dependence visitStore(const MuNode &node) override;

  // These say what a result has to do with the argument.
  Affine getAffine(const MuNode &node) const;
  std::optional<double> getConstant(const MuNode &node) const;
  uint8_t getFlags(const MuNode &node) const;
  uint8_t getInfinities(const MuNode &node) const;
  bool isSigned(const MuNode &node) const;

  // These note what an operator makes of special elements.
  void judge(const MuNode &node);
  void judgeProduct(const MuNode &node);
  void judgeComparison(const MuNode &node);
  void judgeChoice(const MuNode &node);
  /// An operator changes where the value is zero, or on one side of something.
  void judgeChange(MuValue value);
  /// An operator has no value where this one is zero.
  void judgePole(MuValue value);
  void judgeRoot(MuValue value);
  void judgeInfinities(MuValue value);

  const Dependence &operand(const MuNode &node, unsigned i) const {
    return get(node.operands[i]);
  }

  llvm::ArrayRef<ValueFacts> facts;
  ArgumentUses uses;
};

} // namespace mirage::equivalence

#endif // MIRAGE_LIB_ANALYSIS_EQUIVALENCE_FLOATS_ARGUMENTANALYSIS_H
