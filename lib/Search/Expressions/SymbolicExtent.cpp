//===- SymbolicExtent.cpp - Sizes known and unknown
//-------------------------------===//
//
// Arithmetic on products of primes and unknowns.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Expressions/SymbolicExtent.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cassert>

using namespace mirage::search;

std::string Unknown::toString() const {
  static constexpr const char *parts[] = {"tile", "blocks", "iterations"};
  std::string number = std::to_string(getNumber());
  switch (getFamily()) {
  case Family::FirstLaunch:
    return parts[bits & kPartMask] + number;
  case Family::SecondLaunch:
    return parts[bits & kPartMask] + number + "'";
  case Family::Quotient:
    return "quotient" + number;
  }
  llvm_unreachable("not a family of unknowns");
}

SymbolicExtent SymbolicExtent::get(int64_t size) {
  assert(size > 0 && "an extent is positive");
  SymbolicExtent result;
  uint64_t rest = size;
  for (uint64_t prime = 2; prime * prime <= rest; ++prime) {
    unsigned exponent = 0;
    for (; rest % prime == 0; rest /= prime)
      ++exponent;
    if (exponent)
      result.powers.push_back({Generator(prime), exponent});
  }
  if (rest > 1)
    result.powers.push_back({Generator(rest), 1});
  return result;
}

SymbolicExtent SymbolicExtent::get(Unknown unknown) {
  return get(Generator(unknown));
}

SymbolicExtent SymbolicExtent::get(Generator generator) {
  SymbolicExtent result;
  result.powers.push_back({generator, 1});
  return result;
}

std::optional<int64_t> SymbolicExtent::getSize() const {
  int64_t size = 1;
  for (auto [generator, exponent] : powers) {
    if (generator.isUnknown())
      return std::nullopt;
    for (unsigned i = 0; i < exponent; ++i)
      if (llvm::MulOverflow(size, static_cast<int64_t>(generator.getPrime()),
                            size))
        return std::nullopt;
  }
  return size;
}

SymbolicExtent SymbolicExtent::operator*(const SymbolicExtent &other) const {
  SymbolicExtent result;
  const auto *a = powers.begin(), *b = other.powers.begin();
  while (a != powers.end() || b != other.powers.end()) {
    if (b == other.powers.end() || (a != powers.end() && a->first < b->first)) {
      result.powers.push_back(*a++);
    } else if (a == powers.end() || b->first < a->first) {
      result.powers.push_back(*b++);
    } else {
      result.powers.push_back({a->first, a->second + b->second});
      ++a, ++b;
    }
  }
  return result;
}

std::optional<SymbolicExtent>
SymbolicExtent::divide(const SymbolicExtent &other) const {
  SymbolicExtent result;
  const auto *b = other.powers.begin();
  for (auto [generator, exponent] : powers) {
    if (b != other.powers.end() && b->first == generator) {
      if (b->second > exponent)
        return std::nullopt;
      exponent -= b++->second;
    }
    if (exponent)
      result.powers.push_back({generator, exponent});
  }
  if (b != other.powers.end())
    return std::nullopt;
  return result;
}

bool SymbolicExtent::operator<(const SymbolicExtent &other) const {
  // Vectors of exponents, lexicographically.
  auto [a, b] = llvm::mismatch(powers, other.powers);
  if (b == other.powers.end())
    return false;
  if (a == powers.end())
    return true;
  if (!(a->first == b->first))
    return b->first < a->first;
  return a->second < b->second;
}

std::string SymbolicExtent::toString() const {
  SymbolicExtent known;
  std::string unknowns;
  for (auto [generator, exponent] : powers) {
    if (!generator.isUnknown()) {
      known.powers.push_back({generator, exponent});
      continue;
    }
    for (unsigned i = 0; i < exponent; ++i)
      unknowns += "*" + generator.getUnknown().toString();
  }
  std::string text;
  if (std::optional<int64_t> size = known.getSize())
    text = std::to_string(*size);
  else
    for (auto [prime, exponent] : known.powers)
      text += (text.empty() ? "" : "*") + std::to_string(prime.getPrime()) +
              "^" + std::to_string(exponent);
  if (!unknowns.empty() && text == "1")
    return unknowns.substr(1);
  return text + unknowns;
}
