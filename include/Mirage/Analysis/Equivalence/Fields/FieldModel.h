//===- FieldModel.h - One random interpretation of µGraphs ------*- C++ -*-===//
//
// A random test evaluates both programs in one model: numbers are pairs of
// residues, one in Z_p, one in Z_q (an operator needs one of them at a time,
// and works in a *plane*), exp takes the residue in Z_q to Z_p, and functions
// that are no quotients of polynomials are random functions. What holds in the
// model for random inputs follows, but for a known error probability, from
//
//   the laws of fields, exp(x + y) = exp(x) exp(y), exp(0) = 1;
//   max and min: commutative and associative, with -inf and +inf as identity;
//   compare: lt, gt, le, ge and eq, ne express each other, x = x; the order of
//     small integers that are made of constants. Where a side may have no value
//     (NaN), only lt and gt, le and ge, eq and ne express each other;
//   select(c, a, b) = c' a + (1 - c') b for c' = (c != 0);
//   equal results of functions for equal arguments,
//
// all of which hold for real numbers. docs/Verification.md has the arguments.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ANALYSIS_EQUIVALENCE_FIELDS_FIELDMODEL_H
#define MIRAGE_ANALYSIS_EQUIVALENCE_FIELDS_FIELDMODEL_H

#include "Mirage/Analysis/Equivalence/FieldPlan.h"
#include "Mirage/Analysis/Equivalence/Fields/FieldVectors.h"
#include "Mirage/Semantics/Enums.h"
#include "Mirage/Semantics/ExactConstant.h"
#include "Mirage/Semantics/OpKind.h"
#include "Mirage/Support/CounterRandom.h"
#include <vector>

namespace mirage::equivalence {

/// A keyed pseudorandom permutation of a field, and its inverse: a Feistel
/// network on the field's bits, walked until it hits a residue.
class FieldPermutation {
public:
  FieldPermutation(const PrimeField &field, const CounterRandom &random);

  uint64_t apply(uint64_t x) const;
  uint64_t invert(uint64_t x) const;

private:
  static constexpr unsigned kRounds = 6;
  uint64_t modulus;
  unsigned lowBits, highBits;
  std::array<uint64_t, kRounds> keys;
};

class FieldModel {
public:
  /// `test` numbers tests and redraws.
  FieldModel(uint64_t seed, uint64_t test);

  const PrimeField &getField(Plane plane) const { return fields[plane]; }

  /// Element `index` of input number `input`.
  uint64_t getInput(Plane plane, unsigned input, int64_t index) const {
    return inputs.drawBelow(fields[plane].getModulus(), index,
                            uint64_t(input) << 1 | plane);
  }

  uint64_t getConstant(Plane plane, const ExactConstant &constant) const;

  /// The residue in Z_p of exp of a number whose residue in Z_q is x.
  uint64_t exp(uint64_t x) const {
    const PrimeField &p = fields[kPlaneP];
    uint64_t result = powers[x & (kWindow - 1)];
    for (unsigned i = 1; x >>= kWindowBits; ++i)
      result = p.mul(result, powers[i * kWindow + (x & (kWindow - 1))]);
    return result;
  }
  /// Computes the exponentials of `count` numbers.
  void exp(const uint64_t *x, int64_t count, uint64_t *out,
           FieldUnit unit = getFieldUnit()) const;

  // Maximum and minimum are the additions of groups that a random permutation
  // w makes of the field: max(x, y) = w^-1(w(x) + w(y)).
  uint64_t toGroup(Plane plane, bool isMax, uint64_t x) const {
    return permutations[plane * 2 + isMax].apply(x);
  }
  uint64_t fromGroup(Plane plane, bool isMax, uint64_t x) const {
    return permutations[plane * 2 + isMax].invert(x);
  }
  uint64_t combine(Plane plane, bool isMax, uint64_t x, uint64_t y) const {
    return fromGroup(
        plane, isMax,
        fields[plane].add(toGroup(plane, isMax, x), toGroup(plane, isMax, y)));
  }

  /// A function of one element. `parameter` is part of its name.
  uint64_t apply(Plane plane, OpKind kind, double parameter, uint64_t x) const;
  uint64_t compare(Plane plane, CompareKind kind, uint64_t x, uint64_t y,
                   ComparedAs as = ComparedAs::Numbers) const;
  /// One where x is taken for not zero, zero where it is zero.
  uint64_t isNonZero(Plane plane, uint64_t x,
                     ComparedAs as = ComparedAs::Numbers) const;

private:
  static constexpr unsigned kWindowBits = 8, kWindow = 1 << kWindowBits;

  PrimeField fields[2];
  CounterRandom inputs, functions;
  unsigned windows;
  /// powers[i * kWindow + j] = omega^(j * kWindow^i).
  std::vector<uint64_t> powers;
  /// The residues of ln 2, sqrt 2, sqrt pi and of inverses in each plane.
  struct Named {
    uint64_t ln2, sqrt2, sqrtPi, inverseLn2, inverseSqrtPi, half;
  } named[2];
  std::vector<FieldPermutation> permutations;
};

} // namespace mirage::equivalence

#endif // MIRAGE_ANALYSIS_EQUIVALENCE_FIELDS_FIELDMODEL_H
