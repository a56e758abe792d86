//===- FloatCheck.h - A pair on all kinds of inputs -------------*- C++ -*-===//
//
// The runs of one comparison in floating point: which inputs a pair is run on,
// one after another, until one of them refuses the candidate.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_ANALYSIS_EQUIVALENCE_FLOATS_FLOATCHECK_H
#define MIRAGE_LIB_ANALYSIS_EQUIVALENCE_FLOATS_FLOATCHECK_H

#include "FloatJudgement.h"
#include "Mirage/Analysis/Equivalence/Floats/FloatingPoint.h"

namespace mirage::equivalence {

/// Operations of a run for each of the special inputs, if they can be so few.
inline constexpr double kSpecialWork = 1e5;

/// Runs a pair on all kinds of inputs.
class FloatCheck {
public:
  FloatCheck(const MuGraph &lhs, const MuGraph &rhs, OriginalRuns &originals,
             const FloatingPointOptions &options)
      : lhs(lhs), rhs(rhs), originals(originals), options(options),
        pair(lhs, rhs, options.work, FloatPair::Sums::Shorten),
        small(lhs, rhs, kSpecialWork, FloatPair::Sums::Shorten) {
    report.isShrunk = pair.isShrunk;
  }

  /// `first` are inputs that are likely to show what is wrong.
  FloatingPointReport
  run(llvm::ArrayRef<std::shared_ptr<const InputKind>> first = {});

private:
  /// Keeps special inputs that have just refused the candidate, if they have.
  void noteRefusal(const InputKind &kind, const FloatPair &pair) {
    if (report.isStable)
      return;
    locate(kind, pair);
    if (&pair == &small)
      report.refusing = std::make_shared<const InputKind>(kind);
  }
  bool isOver() const { return originals.getExecution().isOver(); }
  /// Returns whether something is left to be shown.
  bool goesOn() const { return report.isStable && !isOver(); }
  void run(const InputKind &kind) { run(kind, pair); }
  void run(const InputKind &kind, const FloatPair &pair);
  /// Several draws where results have few elements; and once more with positive
  /// arguments where these are what an original needs to be a number.
  void runDraws(InputKind kind);
  void runSpecial();
  /// Runs what estimates make of the candidate suspicious (Hazards.h).
  void runSuspicions();
  void runSuspicion(const Suspicion &suspicion, const FloatPair &on);
  /// Normal inputs with zeros, signs or masks of one argument, or of all.
  struct Structure {
    InputKind kind;
    std::optional<unsigned> argument;
  };
  std::vector<Structure> getStructures() const;
  /// Runs a grid: sizes of one argument alone, or of all, times structures.
  void runGrid();
  /// Runs normal inputs beside all elements of constants, where other runs have
  /// only some of them.
  void runConstants();
  /// Finds the operation that loses what the candidate is refused for.
  void locate(const InputKind &kind, const FloatPair &pair);
  std::vector<Special> getOutliers() const;
  void addCandidateSpecials(std::vector<Special> &specials) const;
  /// Runs the pair with special numbers in one pattern. Returns whether
  /// something was measured.
  bool runPattern(const Special &special, const FloatPair &pair, bool areLarge);
  /// Finds out whether an original that is no number for random masks is one
  /// where they are all zero, or all one.
  void findBase();
  ArgumentSet getArguments(bool ArgumentTraits::*trait) const;
  /// What was measured on inputs of that name.
  FloatingPointErrors *findErrors(unsigned result, llvm::StringRef inputs) {
    auto known = llvm::find_if(report.errors, [&](const auto &errors) {
      return errors.result == result && errors.inputs == inputs;
    });
    return known == report.errors.end() ? nullptr : &*known;
  }
  /// What is wrong with the results; `differing` are those inputs for which
  /// they differ in float64 by more than what is always allowed.
  Reason findError(const FloatPair &pair, const InputKind &kind,
                   bool isReported,
                   llvm::SmallVectorImpl<InputKind> &differing);
  /// The same of inputs that were halved or not.
  Reason judge(Runs &runs, Range &range, bool isReported, bool &differ);
  void note(Runs &runs, unsigned result, double difference);
  /// Results of which nothing was measured so far.
  void findSilent();
  /// Refuses the candidate for a reason that `smaller` has shown, or, where
  /// sizes may be to blame, for what `find` says of the pair with all its sums.
  void refuse(std::string reason, const FloatPair &smaller, double work,
              llvm::function_ref<Reason(const FloatPair &)> find);

  const MuGraph &lhs, &rhs;
  OriginalRuns &originals;
  const FloatingPointOptions &options;
  FloatPair pair;
  /// The pair at extents that are as small as special inputs need them.
  FloatPair small;
  /// The same pair at these extents or smaller ones, since bounds cost some ten
  /// times as much as numbers.
  std::optional<FloatPair> boundPair;
  /// What the original does with each of its arguments.
  std::vector<ArgumentTraits> traits;
  /// Zeros and ones of arguments, if the original is a number for these only.
  InputKind base{"", 0, 0, 0};
  /// Results of which the last run measured something.
  unsigned measured = 0;
  /// The greatest share of an allowed error that runs have shown.
  double greatestShare = 0;
  FloatingPointReport report;
};

} // namespace mirage::equivalence

#endif // MIRAGE_LIB_ANALYSIS_EQUIVALENCE_FLOATS_FLOATCHECK_H
