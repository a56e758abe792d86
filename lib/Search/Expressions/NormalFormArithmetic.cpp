//===- NormalFormArithmetic.cpp - Sums, products and quotients ------------===//
//
// Adds, multiplies and divides polynomials. The order of monomials makes
// division a matter of leading terms.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Expressions/NormalForm.h"
#include "llvm/ADT/STLExtras.h"

using namespace mirage::search;

/// The greatest multiplicity. What exceeds it, or the limit of terms, is not
/// part of what does not, since sums and products never shrink.
static constexpr unsigned kMaxCount = 1u << 30;

/// Compares multisets, which are ascending lists of elements with
/// multiplicities, as vectors of exponents, lexicographically.
template <typename List>
static int comparePowers(const List &a, const List &b) {
  auto [i, j] = llvm::mismatch(a, b);
  if (i == a.end() || j == b.end())
    return (i != a.end()) - (j != b.end());
  if (i->first != j->first)
    return i->first < j->first ? 1 : -1;
  return i->second < j->second ? -1 : 1;
}

int NormalForms::compareMonomials(Monomial a, Monomial b) const {
  if (a == b)
    return 0;
  const MonomialData &x = monomials[a], &y = monomials[b];
  if (!(x.extent == y.extent))
    return x.extent < y.extent ? -1 : 1;
  if (int order = comparePowers(x.atoms, y.atoms))
    return order;
  if (int order = compare(x.exponent, y.exponent))
    return order;
  if (int order = compare(x.root, y.root))
    return order;
  return compare(x.denominator, y.denominator);
}

int NormalForms::compare(Polynomial a, Polynomial b) const {
  if (a == b)
    return 0;
  // The sign of the leading term of a - b.
  const auto &x = polynomials[a].terms, &y = polynomials[b].terms;
  auto [i, j] = llvm::mismatch(x, y);
  if (i == x.end() || j == y.end())
    return (i != x.end()) - (j != y.end());
  if (i->first != j->first)
    return compareMonomials(i->first, j->first);
  return i->second < j->second ? -1 : 1;
}

NormalForms::Polynomial
NormalForms::collect(llvm::MutableArrayRef<Pair> terms) {
  llvm::sort(terms, [&](const Pair &a, const Pair &b) {
    return compareMonomials(a.first, b.first) > 0;
  });
  PolynomialData result;
  for (auto [monomial, count] : terms) {
    if (!result.terms.empty() && result.terms.back().first == monomial)
      result.terms.back().second += count;
    else
      result.terms.push_back({monomial, count});
    if (result.terms.back().second > kMaxCount)
      return kTooLarge;
  }
  if (result.terms.size() > maxTerms)
    return kTooLarge;
  return intern(std::move(result));
}

NormalForms::Polynomial NormalForms::add(Polynomial a, Polynomial b) {
  if (a == kTooLarge || b == kTooLarge)
    return kTooLarge;
  if (a == kZero || b == kZero)
    return a == kZero ? b : a;
  llvm::SmallVector<Pair, 8> terms;
  llvm::append_range(terms, polynomials[a].terms);
  llvm::append_range(terms, polynomials[b].terms);
  return collect(terms);
}

NormalForms::Monomial NormalForms::multiplyMonomials(Monomial a, Monomial b) {
  if (a == kEmptyMonomial || b == kEmptyMonomial)
    return a == kEmptyMonomial ? b : a;
  if (a > b)
    std::swap(a, b);
  auto known = products.find({a, b});
  if (known != products.end())
    return known->second;
  const MonomialData &x = monomials[a], &y = monomials[b];
  MonomialData data;
  bool isTooLarge = false;
  data.extent = x.extent * y.extent;
  const auto *i = x.atoms.begin(), *j = y.atoms.begin();
  while (i != x.atoms.end() || j != y.atoms.end()) {
    if (j == y.atoms.end() || (i != x.atoms.end() && i->first < j->first)) {
      data.atoms.push_back(*i++);
    } else if (i == x.atoms.end() || j->first < i->first) {
      data.atoms.push_back(*j++);
    } else {
      data.atoms.push_back({i->first, i->second + j->second});
      isTooLarge |= data.atoms.back().second > kMaxCount;
      ++i, ++j;
    }
  }
  data.exponent = add(x.exponent, y.exponent);
  data.root = multiply(x.root, y.root);
  data.denominator = multiply(x.denominator, y.denominator);
  Monomial result = kTooLarge;
  if (!isTooLarge && data.exponent != kTooLarge && data.root != kTooLarge &&
      data.denominator != kTooLarge)
    result = intern(std::move(data));
  products[{a, b}] = result;
  return result;
}

NormalForms::Polynomial NormalForms::multiply(Polynomial a, Polynomial b) {
  if (a == kTooLarge || b == kTooLarge)
    return kTooLarge;
  if (a == kOne || b == kOne)
    return a == kOne ? b : a;
  const auto &x = polynomials[a].terms, &y = polynomials[b].terms;
  llvm::SmallVector<Pair, 8> terms;
  for (auto [i, countI] : x) {
    for (auto [j, countJ] : y) {
      Monomial product = multiplyMonomials(i, j);
      if (product == kTooLarge || uint64_t(countI) * countJ > kMaxCount)
        return kTooLarge;
      terms.push_back({product, countI * countJ});
    }
  }
  return collect(terms);
}

NormalForms::Polynomial NormalForms::scale(Polynomial a,
                                           const SymbolicExtent &extent) {
  if (a == kTooLarge || extent.isOne())
    return a;
  llvm::SmallVector<Pair, 8> terms;
  for (auto [monomial, count] : polynomials[a].terms) {
    MonomialData data = monomials[monomial];
    data.extent = data.extent * extent;
    terms.push_back({intern(std::move(data)), count});
  }
  return collect(terms);
}

unsigned NormalForms::getMultiplicity(const PolynomialData &in,
                                      Monomial m) const {
  for (auto [monomial, count] : in.terms)
    if (monomial == m)
      return count;
  return 0;
}

std::optional<NormalForms::Polynomial> NormalForms::subtract(Polynomial a,
                                                             Polynomial b) {
  if (b == kZero)
    return a;
  PolynomialData rest;
  const auto &y = polynomials[b].terms;
  const auto *j = y.begin();
  for (auto [monomial, count] : polynomials[a].terms) {
    if (j != y.end() && j->first == monomial) {
      if (j->second > count)
        return std::nullopt;
      count -= j++->second;
    }
    if (count)
      rest.terms.push_back({monomial, count});
  }
  if (j != y.end())
    return std::nullopt;
  return intern(std::move(rest));
}

std::optional<NormalForms::Monomial> NormalForms::divideMonomials(Monomial a,
                                                                  Monomial b) {
  if (b == kEmptyMonomial)
    return a;
  auto known = monomialQuotients.find({a, b});
  if (known != monomialQuotients.end())
    return known->second;
  auto divideAll = [&]() -> std::optional<Monomial> {
    const MonomialData &x = monomials[a], &y = monomials[b];
    if (y.mask & ~x.mask)
      return std::nullopt;
    MonomialData data;
    const auto *j = y.atoms.begin();
    for (auto [atom, count] : x.atoms) {
      if (j != y.atoms.end() && j->first == atom) {
        if (j->second > count)
          return std::nullopt;
        count -= j++->second;
      }
      if (count)
        data.atoms.push_back({atom, count});
    }
    if (j != y.atoms.end())
      return std::nullopt;
    std::optional<SymbolicExtent> extent = x.extent.divide(y.extent);
    if (!extent)
      return std::nullopt;
    data.extent = *extent;
    std::optional<Polynomial> part = subtract(x.exponent, y.exponent);
    if (!part)
      return std::nullopt;
    data.exponent = *part;
    if (!(part = divide(x.root, y.root)))
      return std::nullopt;
    data.root = *part;
    if (!(part = divide(x.denominator, y.denominator)))
      return std::nullopt;
    data.denominator = *part;
    return intern(std::move(data));
  };
  std::optional<Monomial> result = divideAll();
  monomialQuotients[{a, b}] = result;
  return result;
}

std::optional<NormalForms::Polynomial> NormalForms::divide(Polynomial a,
                                                           Polynomial b) {
  if (b == kOne)
    return a;
  if (a == b)
    return kOne;
  if (a == kOne || polynomials[b].mask & ~polynomials[a].mask)
    return std::nullopt;
  auto known = quotients.find({a, b});
  if (known != quotients.end())
    return known->second;
  std::optional<Polynomial> result = divideLong(a, b);
  quotients[{a, b}] = result;
  return result;
}

std::optional<NormalForms::Polynomial> NormalForms::divideLong(Polynomial a,
                                                               Polynomial b) {
  llvm::SmallVector<Pair, 4> quotient;
  Polynomial rest = a;
  while (rest != kZero) {
    auto [lead, count] = polynomials[rest].terms.front();
    auto [divisor, divisorCount] = polynomials[b].terms.front();
    std::optional<Monomial> m = divideMonomials(lead, divisor);
    // An extent alone is no expression, and the quotient is not one.
    if (!m || count % divisorCount || isExtentAlone(*m))
      return std::nullopt;
    quotient.push_back({*m, count / divisorCount});
    llvm::SmallVector<Pair, 8> terms;
    for (auto [monomial, times] : polynomials[b].terms) {
      Monomial product = multiplyMonomials(monomial, *m);
      if (product == kTooLarge ||
          uint64_t(times) * (count / divisorCount) > kMaxCount)
        return std::nullopt;
      terms.push_back({product, times * (count / divisorCount)});
    }
    Polynomial product = collect(terms);
    if (product == kTooLarge)
      return std::nullopt;
    std::optional<Polynomial> less = subtract(rest, product);
    if (!less)
      return std::nullopt;
    rest = *less;
  }
  return collect(quotient);
}
