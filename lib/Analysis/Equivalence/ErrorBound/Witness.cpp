//===- Witness.cpp - Numbers that only one argument contains --------------===//
//
// The number that a member has for itself is the first of those that it reads
// of the witness: the index of any number that it reads there tells the member,
// so others don't read it. Its factor is a sum of products, which is not the
// zero polynomial if no term is negative where all variables are positive.
//
//===----------------------------------------------------------------------===//

#include "Witness.h"
#include "llvm/ADT/STLExtras.h"

using namespace mirage;
using namespace mirage::equivalence;
using llvm::ArrayRef;

Polynomial Family::getMember(Algebra &algebra) const {
  Polynomial member;
  for (const Factor &factor : exponentials.factors)
    member = algebra.add(member,
                         algebra.scale(factor.atom->argument, factor.exponent));
  return member;
}

double Family::getSize(const Algebra &algebra) const {
  double size = 1;
  for (Variable v : exponentials.bound)
    size *= static_cast<double>(algebra.variables.getExtent(v));
  return size;
}

/// Returns whether an atom for which `test` holds is in the polynomial. What a
/// function makes of numbers is a number of its own: its argument is not
/// searched.
static bool contains(const Polynomial &a,
                     llvm::function_ref<bool(const Atom &)> test) {
  return llvm::any_of(a.monomials, [&](const Monomial &m) {
    return llvm::any_of(m.factors, [&](const Factor &factor) {
      const Atom &atom = *factor.atom;
      return test(atom) || (atom.kind != Atom::Kind::Unknown &&
                            contains(atom.argument, test));
    });
  });
}

static bool contains(const Family &family,
                     llvm::function_ref<bool(const Atom &)> test) {
  return llvm::any_of(family.exponentials.factors, [&](const Factor &factor) {
    return contains(factor.atom->argument, test);
  });
}

bool equivalence::containsTensor(const Family &family, TensorNumber tensor) {
  return contains(family, [&](const Atom &atom) {
    return atom.kind == Atom::Kind::Read && atom.tensor == tensor;
  });
}

bool equivalence::containsFunction(const Family &family) {
  return contains(family, [&](const Atom &atom) {
    return atom.kind == Atom::Kind::Unknown ||
           (atom.kind == Atom::Kind::Read && atom.tensor.isUnknown());
  });
}

bool equivalence::hasOtherFunction(const Family &family) {
  return contains(family, [&](const Atom &atom) {
    switch (atom.kind) {
    case Atom::Kind::Read:
    case Atom::Kind::Pi:
    case Atom::Kind::Integer:
    case Atom::Kind::Power:
    case Atom::Kind::Unknown:
      return false;
    case Atom::Kind::Log:
      return !getConstant(atom.argument);
    default:
      return true;
    }
  });
}

namespace {
class WitnessTest {
public:
  WitnessTest(const Family &family, TensorNumber tensor, const Algebra &algebra,
              const ConstantTables &tables)
      : family(family.exponentials), tensor(tensor), algebra(algebra),
        tables(tables) {}

  bool run() {
    return llvm::all_of(family.factors,
                        [&](const Factor &factor) { return visit(factor); }) &&
           isTold();
  }

private:
  /// One term of a member.
  bool visit(const Factor &exponential);
  bool isPositive(const Polynomial &a) const;
  bool isPositive(const Factor &factor) const;
  /// The terms of an index that tell the member; false if they don't.
  bool findDigits(const IndexForm &at);
  /// Returns whether floor(at / coefficient) mod extent is the term's digit.
  static bool isDigit(const IndexForm &at, const IndexTerm &term);
  /// Returns whether the digits are all of the members' variables.
  bool isTold() const;

  const Monomial &family;
  TensorNumber tensor;
  const Algebra &algebra;
  const ConstantTables &tables;
  std::optional<llvm::SmallVector<IndexTerm, 4>> digits;
  bool isNegative = false;
};
} // namespace

bool WitnessTest::visit(const Factor &exponential) {
  const Monomial &term = exponential.atom->argument.monomials.front();
  const IndexForm *at = nullptr;
  bool isPositiveFactor = true;
  auto isOfTensor = [&](const Atom &atom) {
    return atom.kind == Atom::Kind::Read && atom.tensor == tensor;
  };
  for (const Factor &factor : term.factors) {
    const Atom &atom = *factor.atom;
    if (atom.kind == Atom::Kind::Read && atom.tensor == tensor) {
      // Linear in the tensor's numbers.
      if (at || factor.exponent != Rational(1))
        return false;
      at = &atom.at;
      continue;
    }
    if (atom.kind == Atom::Kind::Power && contains(atom.argument, isOfTensor))
      return false;
    isPositiveFactor &= isPositive(factor);
  }
  if (!at)
    return true;
  bool isNegativeTerm = exponential.exponent.num < 0;
  if (!isPositiveFactor || (digits && isNegative != isNegativeTerm))
    return false;
  isNegative = isNegativeTerm;
  return findDigits(*at);
}

bool WitnessTest::isPositive(const Polynomial &a) const {
  return !a.isZero() && llvm::all_of(a.monomials, [&](const Monomial &m) {
    return m.coefficient.num > 0 &&
           llvm::all_of(m.factors,
                        [&](const Factor &f) { return isPositive(f); });
  });
}

bool WitnessTest::isPositive(const Factor &factor) const {
  const Atom &atom = *factor.atom;
  switch (atom.kind) {
  case Atom::Kind::Read: {
    ArrayRef<double> values = tables.getValues(atom.tensor);
    return llvm::all_of(values, [](double value) { return value > 0; });
  }
  case Atom::Kind::Unknown:
  case Atom::Kind::Pi:
  case Atom::Kind::Integer:
    return true;
  case Atom::Kind::Log: {
    // The only logarithms of numbers are those of integers.
    std::optional<Rational> number = getConstant(atom.argument);
    return number && *number > 1;
  }
  case Atom::Kind::Power:
    return isPositive(atom.argument);
  default:
    return false;
  }
}

bool WitnessTest::isDigit(const IndexForm &at, const IndexTerm &term) {
  int64_t weight = term.coefficient, period = weight * term.digit.extent;
  if (weight <= 0)
    return false;
  // These are the bounds of what is below the digit, apart from multiples of
  // the period.
  int64_t least = (at.constant % period + period) % period, greatest = least;
  for (const IndexTerm &other : at.terms) {
    if (other == term || other.coefficient % period == 0)
      continue;
    int64_t reach = other.coefficient * (other.digit.extent - 1);
    (reach < 0 ? least : greatest) += reach;
  }
  return least >= 0 && greatest < weight;
}

bool WitnessTest::findDigits(const IndexForm &at) {
  llvm::SmallVector<IndexTerm, 4> found;
  for (const IndexTerm &term : at.terms) {
    if (!llvm::is_contained(family.bound, term.digit.variable))
      continue;
    if (!isDigit(at, term))
      return false;
    found.push_back(term);
  }
  if (digits && *digits != found)
    return false;
  digits = std::move(found);
  return true;
}

bool WitnessTest::isTold() const {
  return digits && llvm::all_of(family.bound, [&](Variable v) {
           int64_t known = 1;
           for (const IndexTerm &term : *digits)
             if (term.digit.variable == v && term.digit.stride == known)
               known *= term.digit.extent;
           return known >= algebra.variables.getExtent(v);
         });
}

bool equivalence::isWitness(const Family &family, TensorNumber tensor,
                            const Algebra &algebra,
                            const ConstantTables &tables) {
  return WitnessTest(family, tensor, algebra, tables).run();
}
