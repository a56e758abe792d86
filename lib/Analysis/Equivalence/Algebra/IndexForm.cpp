//===- IndexForm.cpp - Indices as sums of digits --------------------------===//
//
// This is the arithmetic of index forms. Every identity used here holds for all
// integers: a division is only carried out where the remainder is proved to
// stay within one period of the divisor.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/Algebra/IndexForm.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mirage;
using namespace mirage::equivalence;
using llvm::divideCeilSigned;
using llvm::divideFloorSigned;

Variable Variables::add(int64_t extent, bool isFixed, std::string name) {
  Variable v = infos.size();
  if (name.empty())
    name = "v" + std::to_string(v);
  infos.push_back({extent, isFixed, -1, std::move(name)});
  return v;
}

Variable Variables::getBound(unsigned level, unsigned index, int64_t extent) {
  auto [found, isNew] = bound.try_emplace({{level, index}, extent}, 0);
  if (isNew) {
    std::string name = "k" + std::to_string(level) + "_" +
                       std::to_string(index) + "<" + std::to_string(extent);
    found->second = add(extent, false, std::move(name));
    infos.back().level = level;
  }
  return found->second;
}

int64_t IndexArithmetic::getHighestExtent(Variable v, int64_t stride) const {
  return divideCeilSigned(variables.getExtent(v), stride);
}

IndexForm IndexArithmetic::constant(int64_t value) const {
  IndexForm form;
  form.constant = value;
  return form;
}

IndexForm IndexArithmetic::variable(Variable v) const {
  IndexForm form;
  if (variables.getExtent(v) > 1)
    form.terms.push_back({1, {v, 1, variables.getExtent(v)}});
  return form;
}

IndexForm IndexArithmetic::add(const IndexForm &a, const IndexForm &b) const {
  IndexForm sum = a;
  sum.constant += b.constant;
  sum.terms.append(b.terms.begin(), b.terms.end());
  if (!a.terms.empty() && !b.terms.empty())
    canonicalize(sum);
  return sum;
}

IndexForm IndexArithmetic::addConstant(const IndexForm &a, int64_t c) const {
  IndexForm sum = a;
  sum.constant += c;
  return sum;
}

IndexForm IndexArithmetic::mulConstant(const IndexForm &a, int64_t c) const {
  if (c == 0)
    return constant(0);
  IndexForm product = a;
  product.constant *= c;
  for (IndexTerm &term : product.terms)
    term.coefficient *= c;
  return product;
}

std::optional<IndexArithmetic::Division>
IndexArithmetic::divide(const IndexForm &a, int64_t c,
                        IndexForm *crossing) const {
  Division result;
  IndexForm &quotient = result.quotient, &remainder = result.remainder;
  quotient.constant = divideFloorSigned(a.constant, c);
  remainder.constant = a.constant - quotient.constant * c;
  for (const IndexTerm &term : a.terms) {
    int64_t q = divideFloorSigned(term.coefficient, c);
    int64_t r = term.coefficient - q * c;
    Digit digit = term.digit;
    if (q)
      quotient.terms.push_back({q, digit});
    if (!r)
      continue;
    // The upper part of a digit that reaches beyond c is a multiple of it.
    int64_t low = c / r;
    if (c % r == 0 && digit.extent > low &&
        (isHighest(digit) || digit.extent % low == 0)) {
      quotient.terms.push_back({1,
                                {digit.variable, digit.stride * low,
                                 divideCeilSigned(digit.extent, low)}});
      digit.extent = low;
    }
    remainder.terms.push_back({r, digit});
  }
  canonicalize(quotient);
  canonicalize(remainder);
  Range range = getRange(remainder);
  int64_t periods = divideFloorSigned(range.least, c);
  if (periods != divideFloorSigned(range.greatest, c)) {
    if (crossing)
      *crossing = std::move(remainder);
    return std::nullopt;
  }
  quotient.constant += periods;
  remainder.constant -= periods * c;
  return result;
}

IndexArithmetic::Range IndexArithmetic::getRange(const IndexForm &a) const {
  Range range{a.constant, a.constant};
  for (const IndexTerm &term : a.terms) {
    int64_t most = term.coefficient * (term.digit.extent - 1);
    (most < 0 ? range.least : range.greatest) += most;
  }
  return range;
}

std::optional<IndexForm> IndexArithmetic::substitute(
    const IndexForm &a,
    llvm::function_ref<const IndexForm *(Variable)> find) const {
  IndexForm result;
  result.constant = a.constant;
  for (const IndexTerm &term : a.terms) {
    const Digit &digit = term.digit;
    const IndexForm *form = find(digit.variable);
    if (!form) {
      result.terms.push_back(term);
      continue;
    }
    IndexForm value = *form;
    if (digit.stride > 1) {
      std::optional<Division> division = divide(value, digit.stride);
      if (!division)
        return std::nullopt;
      value = std::move(division->quotient);
    }
    if (!isHighest(digit)) {
      std::optional<Division> division = divide(value, digit.extent);
      if (!division)
        return std::nullopt;
      value = std::move(division->remainder);
    }
    value = mulConstant(value, term.coefficient);
    result.constant += value.constant;
    result.terms.append(value.terms.begin(), value.terms.end());
  }
  canonicalize(result);
  return result;
}

void IndexArithmetic::canonicalize(IndexForm &form) const {
  llvm::sort(form.terms, [](const IndexTerm &a, const IndexTerm &b) {
    return std::tie(a.digit, a.coefficient) < std::tie(b.digit, b.coefficient);
  });
  llvm::SmallVector<IndexTerm, 2> merged;
  llvm::ArrayRef<IndexTerm> rest = form.terms;
  while (!rest.empty()) {
    Variable v = rest.front().digit.variable;
    auto ofVariable = rest.take_while(
        [&](const IndexTerm &term) { return term.digit.variable == v; });
    mergeDigits(ofVariable, merged);
    rest = rest.drop_front(ofVariable.size());
  }
  form.terms = std::move(merged);
}

/// Appends the canonical sum of terms with digits of one variable.
void IndexArithmetic::mergeDigits(llvm::ArrayRef<IndexTerm> terms,
                                  llvm::SmallVectorImpl<IndexTerm> &to) const {
  if (terms.size() == 1) {
    if (terms.front().coefficient && terms.front().digit.extent > 1)
      to.push_back(terms.front());
    return;
  }
  // The strides at which digits begin and end.
  llvm::SmallVector<int64_t, 6> cuts;
  for (const IndexTerm &term : terms) {
    cuts.push_back(term.digit.stride);
    if (!isHighest(term.digit))
      cuts.push_back(term.digit.stride * term.digit.extent);
  }
  llvm::sort(cuts);
  cuts.erase(llvm::unique(cuts), cuts.end());
  bool isChain = true;
  for (size_t i = 1; i < cuts.size(); ++i)
    isChain &= cuts[i] % cuts[i - 1] == 0;
  if (!isChain) {
    // Without a common refinement only equal digits are added.
    for (size_t i = 0; i < terms.size();) {
      IndexTerm sum = terms[i];
      for (++i; i < terms.size() && terms[i].digit == sum.digit; ++i)
        sum.coefficient += terms[i].coefficient;
      if (sum.coefficient && sum.digit.extent > 1)
        to.push_back(sum);
    }
    return;
  }
  Variable v = terms.front().digit.variable;
  llvm::SmallVector<int64_t, 6> coefficients(cuts.size(), 0);
  for (const IndexTerm &term : terms)
    for (auto [cut, coefficient] : llvm::zip(cuts, coefficients))
      if (cut >= term.digit.stride &&
          (isHighest(term.digit) ||
           cut < term.digit.stride * term.digit.extent))
        coefficient += term.coefficient * (cut / term.digit.stride);
  for (size_t i = 0; i < cuts.size();) {
    size_t first = i++;
    int64_t coefficient = coefficients[first];
    while (i < cuts.size() &&
           coefficients[i] == coefficient * (cuts[i] / cuts[first]))
      ++i;
    Digit digit{v, cuts[first],
                i < cuts.size() ? cuts[i] / cuts[first]
                                : getHighestExtent(v, cuts[first])};
    if (coefficient && digit.extent > 1)
      to.push_back({coefficient, digit});
  }
}

std::string equivalence::toString(const IndexForm &form,
                                  const Variables &variables) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(
      form.terms, os,
      [&](const IndexTerm &term) {
        const Digit &digit = term.digit;
        if (term.coefficient != 1)
          os << term.coefficient << "*";
        os << variables.getName(digit.variable);
        if (digit.stride != 1)
          os << "/" << digit.stride;
        if (!IndexArithmetic(variables).isHighest(digit))
          os << "%" << digit.extent;
      },
      " + ");
  if (form.terms.empty() || form.constant)
    os << (form.terms.empty() ? "" : " + ") << form.constant;
  return text;
}
