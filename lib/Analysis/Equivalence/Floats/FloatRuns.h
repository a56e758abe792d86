//===- FloatRuns.h - What programs are run on in floating point -*- C++ -*-===//
//
// Kinds of inputs, and a pair of programs made small enough to be run.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_ANALYSIS_EQUIVALENCE_FLOATS_FLOATRUNS_H
#define MIRAGE_LIB_ANALYSIS_EQUIVALENCE_FLOATS_FLOATRUNS_H

#include "Mirage/Analysis/Equivalence/Floats/Hazards.h"
#include "Mirage/Analysis/Equivalence/Floats/SpecialInputs.h"
#include "Mirage/Interpreter/RunMuGraph.h"
#include "Mirage/MuGraph/ShrinkPair.h"
#include "llvm/ADT/SmallBitVector.h"
#include <cmath>
#include <deque>
#include <map>
#include <string>

namespace mirage::equivalence {

/// Arguments, as bits.
using ArgumentSet = llvm::SmallBitVector;

/// A kind of inputs: normal numbers, scaled and moved, or with signs by blocks.
struct InputKind {
  llvm::StringRef name;
  double scale, offset;
  /// How often they can be halved, or tiny ones doubled, until they are of the
  /// size of normal ones.
  unsigned halvings;
  /// Elements are negative in the first half of their row in the upper half of
  /// the rows, and in the second half in the lower; positive elsewhere.
  bool inBlocks = false;
  /// How often these were.
  unsigned halved = 0;
  /// What is huge or tiny is judged only where the original is in range.
  enum class Extreme : uint8_t { None, Huge, Tiny };
  Extreme extreme = Extreme::None;
  /// Arguments that hold special numbers, if some do.
  std::optional<Special> special = std::nullopt;
  /// The special elements are infinities that the original hands on to its
  /// results, or hides, as it does those of masks.
  bool keepsInfinities = false;
  /// Arguments of which elements are made positive or negative, put between
  /// zero and one, or are zero, one half, or one.
  ArgumentSet positive = {}, negative = {}, fractions = {}, zeros = {},
              halves = {}, ones = {};
  /// The number of one of several draws.
  unsigned draw = 0;
  /// The only argument that is of this kind; the others are normal.
  std::optional<unsigned> only = std::nullopt;
  /// Each argument's mean and size, in the place of scale and offset. Elements
  /// are half to twice the size away from the mean.
  std::vector<ArgumentSize> sizes = {};
  /// Elements of an argument have the sign of this bit of its number and one.
  std::optional<unsigned> signBit = std::nullopt;
  /// The mean changes from the offset to its negative along this dimension: in
  /// the middle of it, evenly, or from element to element. Or every second line
  /// is much smaller than the others, by the factor of the argument's type.
  enum class Change : uint8_t { Once, Evenly, Always, Size };
  std::optional<unsigned> changesAlong = std::nullopt;
  Change change = Change::Once;

  /// Returns the same numbers halved so often, or doubled if they are tiny; of
  /// outliers, these alone.
  InputKind halve(unsigned times) const {
    InputKind kind = *this;
    kind.halved += times;
    kind.multiply(std::ldexp(1.0, kind.getPower() - getPower()));
    return kind;
  }
  /// Returns numbers twice as large; of outliers, these alone.
  InputKind twice() const {
    InputKind kind = *this;
    kind.multiply(2);
    return kind;
  }
  /// Returns the power of two by which halvings have multiplied the numbers.
  int getPower() const {
    int power = static_cast<int>(halved);
    return extreme == Extreme::Tiny ? power : -power;
  }
  /// Returns whether all elements are equal, so that differences of them
  /// vanish.
  bool isConstant() const { return scale == 0; }
  /// Returns the mean and the deviation that an argument is drawn with.
  ArgumentSize getSize(size_t argument, ElementType type) const;
  /// "large inputs", "large inputs times 2^-3".
  std::string describe() const;
  /// The same, and all that tells inputs of a program apart.
  std::string getKey() const;

private:
  void multiply(double factor) {
    if (special && special->isOutlier) {
      for (Special::Elements &elements : special->elements)
        elements.number *= factor;
      return;
    }
    scale *= factor;
    offset *= factor;
  }
};

/// What is large: exponentials of it overflow in f32.
inline constexpr double kLarge = 100;
/// Huge and tiny powers of two that arguments of a type are tried with. f16
/// holds the first of each, but not its product with another such number. Wider
/// types have further ones, which f16 does not hold: the greatest that leave
/// room for sums, and tiny ones that vanish in f16 and whose squares vanish in
/// f32.
llvm::ArrayRef<double> getHugeNumbers(ElementType type);
llvm::ArrayRef<double> getTinyNumbers(ElementType type);
/// How often a huge number can be halved, or a tiny one doubled, until it is of
/// the size of others.
inline unsigned getHalvings(double extreme) {
  return std::abs(std::ilogb(extreme)) - 3;
}

/// Large ones make exponentials overflow that are not shifted. A mean of many
/// times the spread makes differences of sums cancel. Signs by blocks make
/// whole tiles of a mask that compares, or takes a logarithm of what is not
/// positive, infinite; their sums of products are as large as those of large
/// ones.
llvm::ArrayRef<InputKind> getInputKinds();

/// Normal inputs halved `times` times, for originals that are not finite on any
/// of those.
inline InputKind getSmallInputs(unsigned times) {
  InputKind kind{"small", 1, 0, 0};
  return kind.halve(times);
}
inline constexpr unsigned kMostHalvings = 10;

/// Inputs of which one argument is large, so that what it makes overflow hides
/// nothing of the others; with `withExtremes` also those of which one is huge
/// or tiny, as far as the original can take it. For programs with exponentials
/// without a maximum subtracted also inputs of which arguments are large with
/// different signs, any two in one of them, and inputs that differ so along a
/// dimension: products and quotients of exponentials that are in range together
/// overflow apart.
llvm::SmallVector<InputKind> getUnequalInputs(const MuGraph &program,
                                              bool withExtremes);

/// Normal or large inputs of which some arguments hold special numbers.
inline InputKind getSpecialInputs(const Special &special, bool areLarge) {
  InputKind kind{"masked", areLarge ? kLarge : 1, 0, areLarge ? 6u : 0};
  if (special.isOutlier) {
    kind.name = "outlier";
    kind.extreme = InputKind::Extreme::Huge;
    kind.halvings = getHalvings(special.elements.front().number);
  }
  kind.special = special;
  return kind;
}

/// The normal numbers that inputs are made of. They are the same for all kinds
/// of inputs, and drawing them takes longer than all else in small programs.
class NormalNumbers {
public:
  explicit NormalNumbers(uint64_t seed) : seed(seed) {}

  uint64_t getSeed() const { return seed; }
  /// Returns those of an argument with so many elements, in one of several
  /// draws. They are valid until others are asked for.
  llvm::ArrayRef<double> get(unsigned argument, unsigned draw, int64_t count,
                             const Execution &execution);

private:
  /// 128 MiB of numbers, and those of one argument.
  static constexpr int64_t kMostNumbers = int64_t(1) << 24;

  uint64_t seed;
  int64_t kept = 0;
  std::map<std::tuple<unsigned, unsigned, int64_t>, std::vector<double>> known;
  /// What an end has left incomplete.
  std::deque<std::vector<double>> ended;
};

/// Draws inputs of `graph`. Large numbers of f64 are ten times as large, since
/// exponentials overflow at 709 there.
llvm::SmallVector<TensorValue> drawInputs(const MuGraph &graph,
                                          NormalNumbers &normals,
                                          const InputKind &kind,
                                          const Execution &execution);

/// What a program makes of inputs in float64, and in the precision that it is
/// written in.
struct Results {
  Results(const MuGraph &program, llvm::ArrayRef<TensorValue> inputs,
          const Execution &execution);

  llvm::SmallVector<TensorValue> exact, storage;
  /// Says whether sums or products inside overflowed in storage.
  bool overflowsInside = false;
};

/// The pair at its own extents, or at smaller ones.
struct FloatPair {
  FloatPair(const FloatPair &) = delete;
  /// Says whether sums keep their lengths, or are shortened where that is what
  /// it takes to stay within the work.
  enum class Sums { Keep, Shorten };
  FloatPair(const MuGraph &left, const MuGraph &right, double work, Sums sums);
  FloatPair(const MuGraph &left, const MuGraph &right,
            const ShrinkOptions &options);

  /// Returns whether one run of both takes at most `work` scalar operations.
  bool fits(double work) const;

  const MuGraph *lhs, *rhs;
  bool isShrunk;
  /// Returns whether a difference may be due to the extents (ShrinkPair.h).
  bool mayDependOnSizes() const { return small.mayDependOnSizes; }
  /// Returns whether a constant has fewer elements than it has in `left`.
  bool hasPartsOfConstants(const MuGraph &left, const MuGraph &right) const;
  ShrunkPair small;
};

} // namespace mirage::equivalence

#endif // MIRAGE_LIB_ANALYSIS_EQUIVALENCE_FLOATS_FLOATRUNS_H
