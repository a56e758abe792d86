//===- IndexForm.h - Indices as sums of digits ------------------*- C++ -*-===//
//
// The index of a tensor's element as a function of index variables: a constant
// plus a sum of coefficient * digit, where a digit of a variable v is
// (v / stride) mod extent. Tiles, reshapes and strided loops only cut numbers
// into digits and put digits together, so forms that mean the same become
// identical:
//
//   (v, s, n1 * n2) = (v, s, n1) + n1 * (v, s * n1, n2).
//
// Divisions that digits cannot express give no result.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ANALYSIS_EQUIVALENCE_ALGEBRA_INDEXFORM_H
#define MIRAGE_ANALYSIS_EQUIVALENCE_ALGEBRA_INDEXFORM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace mirage::equivalence {

/// A number for an index variable. A variable v of extent n takes the values
/// 0 <= v < n.
using Variable = unsigned;

/// The variables that there are.
class Variables {
public:
  /// A new variable. Fixed variables stand for indices of an output; they are
  /// the same on both sides and never summed over.
  Variable add(int64_t extent, bool isFixed = false, std::string name = "");
  /// The bound variable number `index` of this extent at a level of nesting.
  Variable getBound(unsigned level, unsigned index, int64_t extent);

  int64_t getExtent(Variable v) const { return infos[v].extent; }
  bool isFixed(Variable v) const { return infos[v].isFixed; }
  /// Returns whether `v` is a bound variable of that level.
  bool isBoundAt(Variable v, unsigned level) const {
    return infos[v].level == static_cast<int64_t>(level);
  }
  llvm::StringRef getName(Variable v) const { return infos[v].name; }

private:
  struct Info {
    int64_t extent;
    bool isFixed;
    int64_t level;
    std::string name;
  };
  std::vector<Info> infos;
  llvm::DenseMap<std::pair<std::pair<unsigned, unsigned>, int64_t>, Variable>
      bound;
};

/// (variable / stride) mod extent, where the highest digit is not reduced: its
/// extent is that of the variable over the stride, rounded up.
struct Digit {
  Variable variable = 0;
  int64_t stride = 1, extent = 1;

  bool operator==(const Digit &other) const {
    return variable == other.variable && stride == other.stride &&
           extent == other.extent;
  }
  bool operator<(const Digit &other) const {
    return std::tie(variable, stride, extent) <
           std::tie(other.variable, other.stride, other.extent);
  }
};

struct IndexTerm {
  int64_t coefficient = 0;
  Digit digit;

  bool operator==(const IndexTerm &other) const {
    return coefficient == other.coefficient && digit == other.digit;
  }
};

/// Canonical when made by IndexArithmetic: terms are sorted by their digits,
/// overlapping digits refined, adjacent ones merged.
struct IndexForm {
  int64_t constant = 0;
  llvm::SmallVector<IndexTerm, 2> terms;

  bool isConstant() const { return terms.empty(); }
  bool operator==(const IndexForm &other) const {
    return constant == other.constant && terms == other.terms;
  }
};

/// Arithmetic of forms over some variables. Numbers stay far below 2^63 in
/// magnitude; the caller sees to it by bounding the tensors' sizes.
class IndexArithmetic {
public:
  explicit IndexArithmetic(const Variables &variables) : variables(variables) {}

  IndexForm constant(int64_t value) const;
  IndexForm variable(Variable v) const;
  IndexForm add(const IndexForm &a, const IndexForm &b) const;
  IndexForm addConstant(const IndexForm &a, int64_t c) const;
  IndexForm mulConstant(const IndexForm &a, int64_t c) const;

  struct Division {
    IndexForm quotient, remainder;
  };
  /// Rounding down, by a positive constant. No result where the quotient is no
  /// form (or is not seen to be one); then `crossing`, if given, is the part of
  /// the form that reaches from one multiple of c beyond the next.
  std::optional<Division> divide(const IndexForm &a, int64_t c,
                                 IndexForm *crossing = nullptr) const;

  struct Range {
    int64_t least, greatest;
  };
  /// Bounds of the values; the form takes no others, perhaps not all.
  Range getRange(const IndexForm &a) const;

  /// Replaces variables by forms whose values are in the variables' ranges;
  /// `find` returns null for variables that stay.
  std::optional<IndexForm>
  substitute(const IndexForm &a,
             llvm::function_ref<const IndexForm *(Variable)> find) const;

  /// Returns whether the digit is not reduced by its extent.
  bool isHighest(const Digit &digit) const {
    return digit.extent >= getHighestExtent(digit.variable, digit.stride);
  }

  /// Sorts and merges terms.
  void canonicalize(IndexForm &form) const;

private:
  int64_t getHighestExtent(Variable v, int64_t stride) const;
  void mergeDigits(llvm::ArrayRef<IndexTerm> terms,
                   llvm::SmallVectorImpl<IndexTerm> &to) const;

  const Variables &variables;
};

/// Prints the form for messages: "64*i0 + i1/4%16 + 3".
std::string toString(const IndexForm &form, const Variables &variables);

} // namespace mirage::equivalence

#endif // MIRAGE_ANALYSIS_EQUIVALENCE_ALGEBRA_INDEXFORM_H
