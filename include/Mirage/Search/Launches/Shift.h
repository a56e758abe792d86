//===- Shift.h - The maximum that a value is relative to --------*- C++ -*-===//
//
// A softmax subtracts a maximum before it takes exponentials. What is made of
// these exponentials is relative to that maximum until it is divided by
// something that is relative to the same one. A shift names the maximum.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_LAUNCHES_SHIFT_H
#define MIRAGE_SEARCH_LAUNCHES_SHIFT_H

#include <cassert>
#include <compare>
#include <cstdint>

namespace mirage::search {

class Shift {
public:
  /// No maximum: the value is relative to nothing.
  constexpr Shift() = default;
  /// The maximum that a value of the block graph holds.
  static constexpr Shift ofValue(unsigned value) {
    return {Kind::Value, value};
  }
  /// The maximum that a tensor in device memory holds.
  static constexpr Shift ofTensor(unsigned tensor) {
    return {Kind::Tensor, tensor};
  }
  /// The maximum of a value over all iterations of the loop that computes it.
  constexpr Shift overIterations() const {
    return {Kind::Iterations, getValue()};
  }

  constexpr explicit operator bool() const { return kind != Kind::None; }
  constexpr bool isValue() const { return kind == Kind::Value; }
  constexpr bool isOverIterations() const { return kind == Kind::Iterations; }
  constexpr bool isTensor() const { return kind == Kind::Tensor; }

  /// The value that holds the maximum, of one iteration if it is over several.
  constexpr unsigned getValue() const {
    assert((isValue() || isOverIterations()) && "no value holds the maximum");
    return number;
  }
  constexpr unsigned getTensor() const {
    assert(isTensor() && "no tensor holds the maximum");
    return number;
  }

  constexpr auto operator<=>(const Shift &other) const = default;

private:
  enum class Kind : uint8_t { None, Value, Iterations, Tensor };
  constexpr Shift(Kind kind, unsigned number)
      : kind(kind), number(static_cast<uint8_t>(number)) {
    assert(number < 256 && "numbers have eight bits");
  }

  Kind kind = Kind::None;
  uint8_t number = 0;
};

} // namespace mirage::search

#endif // MIRAGE_SEARCH_LAUNCHES_SHIFT_H
