//===- SubprogramRemark.h - A subprogram's result in sentences --*- C++ -*-===//
//
// Writes the one remark that a subprogram gets: a sentence that says what was
// gained, and one that says what was missed most.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TRANSFORMS_SUPEROPTIMIZE_SUBPROGRAMREMARK_H
#define MIRAGE_LIB_TRANSFORMS_SUPEROPTIMIZE_SUBPROGRAMREMARK_H

#include "FunctionSearch.h"

namespace mirage {

class SubprogramRemark {
public:
  SubprogramRemark(const SearchSubject &subject, const SearchOutcome &outcome,
                   const search::KernelGraphOptions &options)
      : subject(subject), outcome(outcome), options(options) {}

  /// "12 operators in 9 kernels became 1 launch: 3.20 µs instead of 11.50 µs by
  /// the model mirage (with elementwise operators, casts and layouts fused
  /// 3.20 µs instead of 7.20 µs); proved. ..."
  std::string describeReplaced(const MuGraph &graph,
                               const search::Verdict &verdict) const;
  /// "2 operators in 2 kernels stay as they are, 11.50 µs by the model mirage:
  /// the reason. ..."
  std::string describeUnchanged(llvm::StringRef reason) const;

private:
  std::optional<std::string> describeEnd(double microseconds) const;
  std::string describeWithoutStates() const;
  std::string describeKernels(const ProgramCost &cost,
                              const MuGraph &graph) const;
  llvm::StringRef findReason(const MuNode &node) const;

  const SearchSubject &subject;
  const SearchOutcome &outcome;
  const search::KernelGraphOptions &options;
};

/// Prints a time in microseconds with its unit.
std::string printTime(double microseconds);

} // namespace mirage

#endif // MIRAGE_LIB_TRANSFORMS_SUPEROPTIMIZE_SUBPROGRAMREMARK_H
