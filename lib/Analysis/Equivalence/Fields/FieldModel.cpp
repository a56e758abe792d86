//===- FieldModel.cpp - One random interpretation of µGraphs --------------===//
//
// Draws a model from a seed, and its functions.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/Fields/FieldModel.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"

using namespace mirage;
using namespace mirage::equivalence;

//===----------------------------------------------------------------------===//
// FieldPermutation
//===----------------------------------------------------------------------===//

FieldPermutation::FieldPermutation(const PrimeField &field,
                                   const CounterRandom &random)
    : modulus(field.getModulus()), lowBits(field.getBits() / 2),
      highBits(field.getBits() - lowBits) {
  for (unsigned i = 0; i < kRounds; ++i)
    keys[i] = random(i, 0)[0];
}

/// The finalizer of SplitMix64 (Steele, Lea, Flood; OOPSLA 2014).
static uint64_t mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
  return x ^ (x >> 31);
}

uint64_t FieldPermutation::apply(uint64_t x) const {
  uint64_t lowMask = (uint64_t(1) << lowBits) - 1,
           highMask = (uint64_t(1) << highBits) - 1;
  do {
    uint64_t low = x & lowMask, high = x >> lowBits;
    for (unsigned i = 0; i < kRounds; i += 2) {
      low ^= mix(high ^ keys[i]) & lowMask;
      high ^= mix(low ^ keys[i + 1]) & highMask;
    }
    x = high << lowBits | low;
  } while (x >= modulus);
  return x;
}

uint64_t FieldPermutation::invert(uint64_t x) const {
  uint64_t lowMask = (uint64_t(1) << lowBits) - 1,
           highMask = (uint64_t(1) << highBits) - 1;
  do {
    uint64_t low = x & lowMask, high = x >> lowBits;
    for (unsigned i = kRounds; i > 0; i -= 2) {
      high ^= mix(low ^ keys[i - 1]) & highMask;
      low ^= mix(high ^ keys[i - 2]) & lowMask;
    }
    x = high << lowBits | low;
  } while (x >= modulus);
  return x;
}

//===----------------------------------------------------------------------===//
// FieldModel
//===----------------------------------------------------------------------===//

FieldModel::FieldModel(uint64_t seed, uint64_t test)
    : fields{kFieldPairs[test % kNumFieldPairs].p,
             kFieldPairs[test % kNumFieldPairs].q} {
  CounterRandom random = CounterRandom(seed).derive(test, 0);
  inputs = random.derive(0, 1);
  functions = random.derive(0, 2);

  // Since p - 1 = 2 q, the squares other than one have order q.
  const PrimeField &p = fields[kPlaneP];
  uint64_t attempt = 0, omega = 0;
  while (omega <= 1) {
    uint64_t root = random.drawBelow(p.getModulus(), attempt++, 3);
    omega = p.mul(root, root);
  }
  uint64_t step = omega;
  windows = llvm::divideCeil(fields[kPlaneQ].getBits(), kWindowBits);
  powers.resize(windows * kWindow);
  for (unsigned i = 0; i < windows; ++i) {
    uint64_t power = 1;
    for (unsigned j = 0; j < kWindow; ++j) {
      powers[i * kWindow + j] = power;
      power = p.mul(power, step);
    }
    step = power;
  }

  for (unsigned plane = 0; plane < 2; ++plane) {
    const PrimeField &field = fields[plane];
    auto drawUnit = [&](uint64_t name) {
      return 1 + random.drawBelow(field.getModulus(), name, 4 + plane) %
                     (field.getModulus() - 1);
    };
    Named &n = named[plane];
    n.ln2 = drawUnit(0);
    n.inverseLn2 = field.invert(n.ln2);
    n.sqrtPi = drawUnit(1);
    n.inverseSqrtPi = field.invert(n.sqrtPi);
    n.half = field.invert(2);
    // Two is a square modulo primes that are 7 modulo 8.
    n.sqrt2 = field.pow(2, (field.getModulus() + 1) / 4);
    for (uint64_t isMax = 0; isMax < 2; ++isMax)
      permutations.emplace_back(field, random.derive(plane, 6 + isMax));
  }
}

void FieldModel::exp(const uint64_t *x, int64_t count, uint64_t *out,
                     FieldUnit unit) const {
  if (unit == FieldUnit::IFMA)
    return ifma::exponentiate(fields[kPlaneP], powers.data(), kWindowBits,
                              windows, x, count, out);
  for (int64_t i = 0; i < count; ++i)
    out[i] = exp(x[i]);
}

uint64_t FieldModel::getConstant(Plane plane,
                                 const ExactConstant &constant) const {
  const PrimeField &field = fields[plane];
  const Named &n = named[plane];
  // The identity of max and of min.
  if (constant.infinity)
    return fromGroup(plane, constant.infinity < 0, 0);
  uint64_t value = field.fromSigned(constant.significand);
  uint64_t two = constant.exponent < 0 ? n.half : 2;
  value = field.mul(value, field.pow(two, std::abs(constant.exponent)));
  if (constant.divisor != 1)
    value = field.mul(value, field.invert(field.fromSigned(constant.divisor)));
  auto multiply = [&](int exponent, uint64_t factor, uint64_t inverse) {
    value = field.mul(
        value, field.pow(exponent < 0 ? inverse : factor, std::abs(exponent)));
  };
  multiply(constant.ln2, n.ln2, n.inverseLn2);
  multiply(constant.sqrtPi, n.sqrtPi, n.inverseSqrtPi);
  for (auto [prime, quarters] : getRootFactors(constant.radicand)) {
    bool isSquare = quarters == 2;
    if (prime == 2 && isSquare) {
      value = field.mul(value, n.sqrt2);
      continue;
    }
    // Other roots are unknown numbers, one for each.
    uint64_t root = 1 + functions.derive(prime, 2 + isSquare)
                            .drawBelow(field.getModulus() - 1, plane, 0);
    value = field.mul(value, isSquare ? root : field.pow(root, quarters));
  }
  return value;
}

/// Returns a number that distinguishes functions.
static uint64_t getFunctionName(Plane plane, OpKind kind, double parameter) {
  return mix(llvm::bit_cast<uint64_t>(parameter)) ^
         (uint64_t(kind) << 1 | uint64_t(plane));
}

uint64_t FieldModel::apply(Plane plane, OpKind kind, double parameter,
                           uint64_t x) const {
  return functions.drawBelow(fields[plane].getModulus(), x,
                             getFunctionName(plane, kind, parameter));
}

/// The integer, of less than kSmallIntegers in magnitude, of a residue.
static int64_t getSmallInteger(const PrimeField &field, uint64_t x) {
  if (x <= field.getModulus() / 2)
    return static_cast<int64_t>(x);
  return -static_cast<int64_t>(field.getModulus() - x);
}

uint64_t FieldModel::compare(Plane plane, CompareKind kind, uint64_t x,
                             uint64_t y, ComparedAs as) const {
  const PrimeField &field = fields[plane];
  bool isUndefined = as == ComparedAs::Undefined;
  switch (kind) {
  case CompareKind::GT:
    return compare(plane, CompareKind::LT, y, x, as);
  case CompareKind::GE:
    // NaN is neither less than a number nor not.
    if (isUndefined)
      return compare(plane, CompareKind::LE, y, x, as);
    return field.sub(1, compare(plane, CompareKind::LT, x, y, as));
  case CompareKind::LE:
    if (isUndefined)
      break;
    return field.sub(1, compare(plane, CompareKind::LT, y, x, as));
  case CompareKind::NE:
    return field.sub(1, compare(plane, CompareKind::EQ, x, y, as));
  case CompareKind::LT:
  case CompareKind::EQ:
    break;
  }
  bool isEqual = kind == CompareKind::EQ;
  if (as == ComparedAs::Integers) {
    int64_t a = getSmallInteger(field, x), b = getSmallInteger(field, y);
    return isEqual ? a == b : a < b;
  }
  if (x == y && !isUndefined)
    return isEqual;
  if (isEqual && x > y)
    std::swap(x, y);
  // Two arguments are more than one counter's other half; the first chooses the
  // generator of the second.
  uint64_t name = getFunctionName(plane, OpKind::Compare,
                                  isUndefined + 2 * static_cast<int>(kind));
  return functions.derive(x, name).drawBelow(field.getModulus(), y, 0);
}

uint64_t FieldModel::isNonZero(Plane plane, uint64_t x, ComparedAs as) const {
  return compare(plane, CompareKind::NE, x, 0, as);
}
