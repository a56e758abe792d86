//===- Printing.cpp - Normal forms as text --------------------------------===//
//
// Prints normal forms for diagnostics, in the manner of
//
//   2 * sum(k1_0<64: in0[64*i0 + k1_0<64] * exp(in1[i1])^-1) + 1
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/Algebra/Algebra.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

using namespace mirage;
using namespace mirage::equivalence;

std::string TensorNumber::toString() const {
  auto print = [&](const char *family) {
    return family + std::to_string(number);
  };
  switch (family) {
  case Family::Input:
    return print("in");
  case Family::Constant:
    return print("constant");
  case Family::CommonValue:
    return print("common");
  case Family::UnknownOfLhs:
    return print("lhs");
  case Family::UnknownOfRhs:
    return print("rhs");
  }
  llvm_unreachable("a family of tensors");
}

namespace {
class Printer {
public:
  Printer(const Variables &variables, size_t maxLength)
      : variables(variables), maxLength(maxLength), os(text) {}

  void print(const Polynomial &a) {
    if (a.isZero())
      os << "0";
    llvm::interleave(
        a.monomials, os, [&](const Monomial &m) { print(m); }, " + ");
  }

  std::string take() {
    if (text.size() > maxLength) {
      text.resize(maxLength);
      text += " ...";
    }
    return text;
  }

private:
  void print(const Rational &value) {
    os << value.num;
    if (value.den != 1)
      os << "/" << value.den;
  }

  void printBound(llvm::ArrayRef<Variable> bound) {
    llvm::interleaveComma(bound, os,
                          [&](Variable v) { os << variables.getName(v); });
    os << ": ";
  }

  void print(const Monomial &m) {
    // What does not fit is not printed at all: forms may be huge.
    if (text.size() > maxLength)
      return;
    bool isOne = m.coefficient == Rational(1) && !m.factors.empty();
    if (!isOne)
      print(m.coefficient);
    if (!isOne && !m.factors.empty())
      os << " * ";
    if (!m.bound.empty()) {
      os << "sum(";
      printBound(m.bound);
    }
    llvm::interleave(
        m.factors, os,
        [&](const Factor &factor) {
          print(*factor.atom);
          if (factor.exponent == Rational(1))
            return;
          os << "^";
          print(factor.exponent);
        },
        " * ");
    if (!m.bound.empty())
      os << ")";
  }

  void print(const Atom &atom) {
    if (text.size() > maxLength)
      return;
    switch (atom.kind) {
    case Atom::Kind::Read:
      os << atom.tensor.toString() << "[" << toString(atom.at, variables)
         << "]";
      return;
    case Atom::Kind::Index:
      os << "(" << toString(atom.at, variables) << ")";
      return;
    case Atom::Kind::Infinity:
      os << "inf";
      return;
    case Atom::Kind::Pi:
      os << "pi";
      return;
    case Atom::Kind::Integer:
      os << atom.integer;
      return;
    case Atom::Kind::Max:
      os << "max(";
      llvm::interleave(
          atom.alternatives, os,
          [&](const Alternative &alternative) {
            if (!alternative.bound.empty())
              printBound(alternative.bound);
            print(alternative.value);
          },
          "; ");
      os << ")";
      return;
    case Atom::Kind::Exp:
      os << "exp";
      break;
    case Atom::Kind::Log:
      os << "log";
      break;
    case Atom::Kind::Erf:
      os << "erf";
      break;
    case Atom::Kind::Unknown:
      os << "f" << atom.function;
      break;
    case Atom::Kind::Less:
      os << "negative";
      break;
    case Atom::Kind::AtMost:
      os << "notPositive";
      break;
    case Atom::Kind::Equal:
      os << "zero";
      break;
    case Atom::Kind::Power:
    case Atom::Kind::Sum:
      break;
    }
    os << "(";
    print(atom.argument);
    os << ")";
  }

  const Variables &variables;
  size_t maxLength;
  std::string text;
  llvm::raw_string_ostream os;
};
} // namespace

std::string Algebra::toString(const Polynomial &a, size_t maxLength) const {
  Printer printer(variables, maxLength);
  printer.print(a);
  return printer.take();
}
