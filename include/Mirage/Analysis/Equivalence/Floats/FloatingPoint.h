//===- FloatingPoint.h - Equivalence in floating point ----------*- C++ -*-===//
//
// Runs in floating point say what the laws of exact arithmetic don't say of two
// programs: how large their errors are in the precision they would run in; and,
// for programs that differ, inputs for which floats show it.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ANALYSIS_EQUIVALENCE_FLOATS_FLOATINGPOINT_H
#define MIRAGE_ANALYSIS_EQUIVALENCE_FLOATS_FLOATINGPOINT_H

#include "Mirage/Analysis/Equivalence/Floats/Hazards.h"
#include "Mirage/Support/Execution.h"
#include <memory>
#include <string>

namespace mirage::equivalence {

class OriginalRuns;
struct InputKind;

struct FloatingPointOptions {
  uint64_t seed = 0;
  /// The candidate's error may be so many times the original's.
  double factor = 16;
  /// Scalar operations that may be spent on one kind of inputs, about. A pair
  /// that needs more is run with fewer rows, columns, heads: all that nothing
  /// is summed over is made small (ShrinkPair.h), so that errors stay what they
  /// are. Where that is not enough, what is summed over is made shorter, too:
  /// rounding errors of both programs become smaller. A product of a product
  /// has all of both matrices otherwise.
  double work = 1e8;
  /// The same of all special numbers together, in all the patterns in which
  /// they are tried.
  double specialWork = 1e9;
  /// The same of the grid of magnitudes and structures, of which those that
  /// matter most are run first.
  double gridWork = 2e7;
  /// Try arguments that are huge or tiny, alone or in one element of each line.
  bool extremes = true;

  bool operator==(const FloatingPointOptions &other) const = default;
};

/// These are the differences to the original in float64, which is the function
/// that is wanted, for one kind of inputs and one result. Each is the largest
/// over the elements in which the original is finite, relative to the largest
/// of them; infinite where the candidate is not finite in one.
struct FloatingPointErrors {
  llvm::StringRef inputs;
  /// The inputs were multiplied by this power of two, since the original
  /// overflowed.
  int power = 0;
  unsigned result = 0;
  /// The errors of the programs in the precision they are written in.
  double lhs = 0, rhs = 0;
  /// The error of the candidate in float64: both programs run without storage's
  /// rounding.
  double float64 = 0;
  /// Says whether all elements are zero, and the differences not relative.
  bool isZero = false;
};

struct FloatingPointReport {
  std::vector<FloatingPointErrors> errors;
  /// Results without an element in which the original is finite on any inputs,
  /// of which floats say nothing.
  std::vector<unsigned> silent;
  /// A result that floats say something of, and inputs on which the original
  /// has no finite element in it.
  struct LeftOut {
    unsigned result;
    llvm::StringRef inputs;
  };
  std::vector<LeftOut> leftOut;
  /// Results with elements that are NaN in the original and numbers in the
  /// candidate, which programs that are equal by the laws may have.
  std::vector<unsigned> undefined;
  /// Says whether the pair was run at smaller extents.
  bool isShrunk = false;
  /// False if the candidate is refused as numerically unstable; `reason` says
  /// with which figures.
  bool isStable = true;
  std::string reason;
  /// The operation of the candidate that loses what is lost on these inputs, if
  /// one is known to.
  std::optional<Hazard> hazard;
  /// The reason why it is neither refused nor accepted: sums were made shorter,
  /// a constant may stand for their length, and a run with all sums takes too
  /// long; or a result is zero, and nothing bounds the original's error.
  std::string undecided;
  /// The special inputs that show that it is not stable, if it is these.
  std::shared_ptr<const InputKind> refusing;

  /// Silence is no acceptance.
  bool isAccepted() const {
    return isStable && undecided.empty() && silent.empty();
  }
};

/// Both programs in float64 and in the precision they are written in, on
/// normal, large, cancellation-prone and constant inputs, some with signs by
/// blocks, and some of which one argument holds -inf as a mask does. The graphs
/// have inputs and results of the same shapes.
///
/// Each result is judged alone, by the elements in which the original is finite
/// in float64. There the candidate must be finite in float64, and an infinity
/// where the original is one, if no input holds any. In storage precision it
/// may err `factor` times as much as the original, or as the rounding to the
/// result's type, and must be finite where the original is; for this, inputs
/// are halved until the original does not overflow more than it does for normal
/// ones. The same in float64: that the candidate's error E' is at most `factor`
/// times the original's E can't be measured, since nothing here is more exact,
/// but it implies that results differ by E + E' <= (1 + factor) E, where the
/// interpreter bounds E (Precision::F64Bound). What constants of the candidate,
/// rounded from named numbers, change is allowed besides. So a candidate that
/// only storage's coarser rounding hides is refused, and none for less than
/// `factor` times the original's error. Where E has no bound, nothing follows,
/// but that a candidate must be finite. Where a result is zero, errors are not
/// relative to it: in storage, too, the original's bound (Precision::Bound)
/// counts then.
///
/// Runs end with `execution`; the report is undecided then.
FloatingPointReport checkFloatingPoint(const MuGraph &lhs, const MuGraph &rhs,
                                       const FloatingPointOptions &options,
                                       const Execution &execution = {});

/// The same for many candidates of one program. With `keepsRuns`, what the
/// program makes of inputs is computed once, and kept in memory. Not for
/// several threads at once.
class FloatingPointChecker {
public:
  /// `options` and `execution` must outlive the checker.
  FloatingPointChecker(const FloatingPointOptions &options,
                       const Execution &execution, bool keepsRuns);
  ~FloatingPointChecker();

  FloatingPointReport check(const MuGraph &lhs, const MuGraph &rhs);

  /// Runs further candidates on the inputs that have refused one before on all
  /// others: candidates of one program err in few ways.
  void learnFrom(const FloatingPointReport &report);

private:
  const FloatingPointOptions &options;
  std::unique_ptr<equivalence::OriginalRuns> originals;
  std::vector<std::shared_ptr<const InputKind>> refusing;
};

/// Returns about how many scalar operations one run of a program takes.
double estimateWork(const MuGraph &graph);

struct FloatDifference {
  unsigned result = 0;
  Shape index;
  /// The two elements, computed in float64.
  double lhs = 0, rhs = 0;
  llvm::StringRef inputs;
  /// Says whether `index` is one of the pair at smaller extents.
  bool isShrunk = false;
};

/// Returns an element in which the programs differ by more than rounding in
/// float64 can account for, if random inputs show one before the execution
/// ends. It is looked for at extents that take no more than the work of
/// `options`, and if none is found there that the extents cannot account for,
/// with all sums in full length, unless the programs are known to differ and
/// this is an example only.
std::optional<FloatDifference>
findFloatDifference(const MuGraph &lhs, const MuGraph &rhs,
                    const FloatingPointOptions &options, bool isExample,
                    const Execution &execution = {});

} // namespace mirage::equivalence

#endif // MIRAGE_ANALYSIS_EQUIVALENCE_FLOATS_FLOATINGPOINT_H
