//===- CounterRandom.h - Random numbers by position -------------*- C++ -*-===//
//
// Implements Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel Random
// Numbers: As Easy as 1, 2, 3; SC 2011), a function of a key and a counter
// whose values behave like independent uniform bits. Element number i of a
// tensor is the same whichever thread asks for it, and when.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SUPPORT_COUNTERRANDOM_H
#define MIRAGE_SUPPORT_COUNTERRANDOM_H

#include <array>
#include <bit>
#include <cstdint>

namespace mirage {

class CounterRandom {
public:
  explicit CounterRandom(uint64_t key = 0) : key(key) {}

  /// Returns 128 random bits.
  std::array<uint64_t, 2> operator()(uint64_t low, uint64_t high) const {
    uint32_t x0 = static_cast<uint32_t>(low),
             x1 = static_cast<uint32_t>(low >> 32),
             x2 = static_cast<uint32_t>(high),
             x3 = static_cast<uint32_t>(high >> 32),
             k0 = static_cast<uint32_t>(key),
             k1 = static_cast<uint32_t>(key >> 32);
    for (int round = 0; round < 10; ++round) {
      uint64_t product0 = uint64_t(0xD2511F53) * x0;
      uint64_t product1 = uint64_t(0xCD9E8D57) * x2;
      x0 = static_cast<uint32_t>(product1 >> 32) ^ x1 ^ k0;
      x1 = static_cast<uint32_t>(product1);
      x2 = static_cast<uint32_t>(product0 >> 32) ^ x3 ^ k1;
      x3 = static_cast<uint32_t>(product0);
      k0 += 0x9E3779B9;
      k1 += 0xBB67AE85;
    }
    return {x0 | uint64_t(x1) << 32, x2 | uint64_t(x3) << 32};
  }

  /// Returns a number that is uniform below `bound`: random words are cut to
  /// its bits, and those that are no smaller are thrown away.
  uint64_t drawBelow(uint64_t bound, uint64_t low, uint64_t high) const {
    uint64_t mask = ~uint64_t(0) >> std::countl_zero(bound);
    while (true) {
      std::array<uint64_t, 2> words = (*this)(low, high);
      for (uint64_t word : words)
        if ((word & mask) < bound)
          return word & mask;
      low = words[0];
      high = words[1];
    }
  }

  /// Returns another generator, independent of this one.
  CounterRandom derive(uint64_t low, uint64_t high) const {
    return CounterRandom((*this)(low, ~high)[0]);
  }

private:
  uint64_t key;
};

} // namespace mirage

#endif // MIRAGE_SUPPORT_COUNTERRANDOM_H
