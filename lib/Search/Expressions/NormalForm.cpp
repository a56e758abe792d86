//===- NormalForm.cpp - Normal forms of terms -----------------------------===//
//
// Makes polynomials of terms, and gives equal polynomials, monomials and atoms
// one number.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Expressions/NormalForm.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"

using namespace mirage::search;
using Kind = Expression::Kind;

NormalForms::NormalForms(unsigned maxTerms) : maxTerms(maxTerms) {
  intern(PolynomialData());
  Monomial empty = intern(MonomialData());
  PolynomialData one;
  one.terms.push_back({empty, 1});
  intern(std::move(one));
}

bool NormalForms::MonomialData::operator==(const MonomialData &other) const {
  return extent == other.extent && atoms == other.atoms &&
         exponent == other.exponent && root == other.root &&
         denominator == other.denominator;
}

bool NormalForms::AtomData::operator==(const AtomData &other) const {
  return name == other.name && isFunction == other.isFunction &&
         arguments == other.arguments;
}

bool NormalForms::PolynomialData::operator==(
    const PolynomialData &other) const {
  return terms == other.terms;
}

/// The number of the equal item, or that of a new one.
template <typename T, typename Buckets>
static unsigned findOrAdd(T data, llvm::hash_code hash, std::deque<T> &items,
                          Buckets &buckets) {
  // The greatest keys are the map's own.
  auto &bucket = buckets[static_cast<uint64_t>(hash) >> 1];
  for (unsigned item : bucket)
    if (items[item] == data)
      return item;
  bucket.push_back(items.size());
  items.push_back(std::move(data));
  return items.size() - 1;
}

NormalForms::Monomial NormalForms::intern(MonomialData data) {
  llvm::hash_code hash =
      llvm::hash_combine(llvm::hash_combine_range(data.atoms), data.exponent,
                         data.root, data.denominator);
  for (auto [generator, exponent] : data.extent.getPowers())
    hash = llvm::hash_combine(hash, generator, exponent);
  data.mask = polynomials[data.exponent].mask;
  for (Polynomial p : {data.root, data.denominator})
    if (p != kOne)
      data.mask |= polynomials[p].mask;
  for (auto [atom, count] : data.atoms) {
    const AtomData &inside = atoms[atom];
    data.mask |= uint64_t(1) << (2 * inside.name + inside.isFunction) % 64;
    for (Polynomial argument : inside.arguments)
      data.mask |= polynomials[argument].mask;
  }
  return findOrAdd(std::move(data), hash, monomials, monomialBuckets);
}

NormalForms::Polynomial NormalForms::intern(PolynomialData data) {
  for (auto [monomial, count] : data.terms)
    data.mask |= monomials[monomial].mask;
  llvm::hash_code hash = llvm::hash_combine_range(data.terms);
  return findOrAdd(std::move(data), hash, polynomials, polynomialBuckets);
}

unsigned NormalForms::intern(AtomData data) {
  llvm::hash_code hash = llvm::hash_combine(
      data.name, data.isFunction, llvm::hash_combine_range(data.arguments));
  return findOrAdd(std::move(data), hash, atoms, atomBuckets);
}

bool NormalForms::isExtentAlone(Monomial m) const {
  const MonomialData &data = monomials[m];
  return data.atoms.empty() && data.exponent == kZero && data.root == kOne &&
         data.denominator == kOne;
}

NormalForms::Polynomial NormalForms::makeMonomial(MonomialData data) {
  PolynomialData result;
  result.terms.push_back({intern(std::move(data)), 1});
  return intern(std::move(result));
}

NormalForms::Polynomial NormalForms::get(const Expression *expression) {
  auto known = normalForms.find(expression);
  if (known != normalForms.end())
    return known->second;
  Polynomial result = compute(expression);
  normalForms[expression] = result;
  return result;
}

NormalForms::Polynomial NormalForms::compute(const Expression *expression) {
  llvm::SmallVector<Polynomial, 1> operands;
  for (const Expression *operand : expression->operands) {
    operands.push_back(get(operand));
    if (operands.back() == kTooLarge)
      return kTooLarge;
  }
  MonomialData data;
  switch (expression->kind) {
  case Kind::Symbol:
  case Kind::Function:
    data.atoms.push_back(
        {intern(AtomData{expression->name, expression->kind == Kind::Function,
                         operands}),
         1});
    return makeMonomial(std::move(data));
  case Kind::Add:
    return add(operands[0], operands[1]);
  case Kind::Mul:
    return multiply(operands[0], operands[1]);
  case Kind::Div:
    data.denominator = operands[1];
    return multiply(operands[0], makeMonomial(std::move(data)));
  case Kind::Inv:
    data.denominator = operands[0];
    return makeMonomial(std::move(data));
  case Kind::Exp:
    data.exponent = operands[0];
    return makeMonomial(std::move(data));
  case Kind::Sqrt:
    data.root = operands[0];
    return makeMonomial(std::move(data));
  case Kind::Sum:
    return scale(operands[0], expression->extent);
  }
  return kTooLarge;
}
