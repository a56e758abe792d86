//===- Divisors.h - Divisors of sizes ---------------------------*- C++ -*-===//
//
// Finds divisors by which sizes are shared.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SUPPORT_DIVISORS_H
#define MIRAGE_SUPPORT_DIVISORS_H

#include <algorithm>
#include <cstdint>

namespace mirage {

/// Returns the largest divisor of a positive number that is at most `most`, or
/// one if `most` is less.
inline int64_t getLargestDivisor(int64_t number, int64_t most) {
  for (int64_t divisor = std::min(number, most); divisor > 1; --divisor)
    if (number % divisor == 0)
      return divisor;
  return 1;
}

} // namespace mirage

#endif // MIRAGE_SUPPORT_DIVISORS_H
