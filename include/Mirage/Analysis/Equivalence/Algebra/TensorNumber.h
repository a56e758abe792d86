//===- TensorNumber.h - A tensor that normal forms read ---------*- C++ -*-===//
//
// Names the tensors of which normal forms read elements, in four families:
//
//  - inputs of both programs;
//  - constant tensors, which have equal numbers in both programs if they have
//    equal contents;
//  - values that both programs compute, which are read like inputs;
//  - values of one of the programs of which nothing is known.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ANALYSIS_EQUIVALENCE_ALGEBRA_TENSORNUMBER_H
#define MIRAGE_ANALYSIS_EQUIVALENCE_ALGEBRA_TENSORNUMBER_H

#include <cstdint>
#include <optional>
#include <string>

namespace mirage::equivalence {

class TensorNumber {
public:
  /// The program that computes a value of which nothing is known.
  enum class Program : uint8_t { Lhs, Rhs };

  /// The first input.
  constexpr TensorNumber() = default;

  /// The numbers of each family start from zero.
  static constexpr TensorNumber getInput(uint32_t number) {
    return TensorNumber(Family::Input, number);
  }
  static constexpr TensorNumber getConstant(uint32_t number) {
    return TensorNumber(Family::Constant, number);
  }
  static constexpr TensorNumber getCommonValue(uint32_t number) {
    return TensorNumber(Family::CommonValue, number);
  }
  /// `value` is the number that the value has in its program.
  static constexpr TensorNumber getUnknown(Program program, uint32_t value) {
    return TensorNumber(program == Program::Lhs ? Family::UnknownOfLhs
                                                : Family::UnknownOfRhs,
                        value);
  }

  constexpr bool isUnknown() const {
    return family == Family::UnknownOfLhs || family == Family::UnknownOfRhs;
  }
  /// The number among the constants, if the tensor is one.
  constexpr std::optional<uint32_t> getConstantNumber() const {
    if (family != Family::Constant)
      return std::nullopt;
    return number;
  }

  /// A number that no other tensor has; that of an input is its own.
  constexpr uint64_t getKey() const {
    return static_cast<uint64_t>(family) << 32 | number;
  }
  bool operator==(const TensorNumber &other) const = default;

  /// "in3" for input 3, "constant3", "common3", "lhs3" and "rhs3".
  std::string toString() const;

private:
  enum class Family : uint8_t {
    Input,
    Constant,
    CommonValue,
    UnknownOfLhs,
    UnknownOfRhs
  };

  constexpr TensorNumber(Family family, uint32_t number)
      : family(family), number(number) {}

  Family family = Family::Input;
  uint32_t number = 0;
};

} // namespace mirage::equivalence

#endif // MIRAGE_ANALYSIS_EQUIVALENCE_ALGEBRA_TENSORNUMBER_H
