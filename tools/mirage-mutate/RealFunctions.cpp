//===- RealFunctions.cpp - Functions in binary128 -------------------------===//
//
// Implements the functions by textbook series and Newton steps from long
// double.
//
//===----------------------------------------------------------------------===//

#include "RealFunctions.h"
#include <cmath>

using namespace mirage;
using namespace mirage::mutate;

Quad mutate::scaleByPower(Quad x, int exponent) {
  for (; exponent > 1000; exponent -= 1000)
    x *= Quad(0x1p1000);
  for (; exponent < -1000; exponent += 1000)
    x *= Quad(0x1p-1000);
  return x * Quad(std::ldexp(1.0, exponent));
}

Quad mutate::quadExp(Quad x) {
  // x = k ln 2 + 16 r: exp(x) = 2^k exp(r)^16.
  int k =
      static_cast<int>(std::nearbyint(static_cast<long double>(x / kQuadLn2)));
  Quad r = (x - Quad(k) * kQuadLn2) / 16;
  // |r| < 0.022: the 18th term is below 2^-150.
  Quad sum = 1;
  for (int n = 18; n > 0; --n)
    sum = 1 + sum * r / n;
  for (int i = 0; i < 4; ++i)
    sum *= sum;
  return scaleByPower(sum, k);
}

Quad mutate::quadLog(Quad x) {
  // A step of Halley's method triples the 64 correct bits.
  Quad y = std::log(static_cast<long double>(x));
  Quad e = quadExp(y);
  return y + 2 * (x - e) / (x + e);
}

Quad mutate::quadSqrt(Quad x) {
  Quad y = std::sqrt(static_cast<long double>(x));
  return (y + x / y) / 2;
}

Quad mutate::quadErf(Quad x) {
  if (x < 0)
    return -quadErf(-x);
  // 1 - erf(9) < 2^-120.
  if (x > 9)
    return 1;
  // Returns 2 / sqrt(pi) exp(-x^2) sum_n 2^n x^(2n+1) / (2n+1)!!, whose terms
  // are positive.
  Quad term = x, sum = x;
  for (int n = 1; n < 500 && term > sum * Quad(0x1p-120); ++n) {
    term *= 2 * x * x / (2 * n + 1);
    sum += term;
  }
  return 2 / quadSqrt(kQuadPi) * quadExp(-x * x) * sum;
}
