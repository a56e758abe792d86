//===- ProgramPricer.h - What programs take as they are executed -*- C++
//-*-===//
//
// The search compares programs by what they take in the end. Whoever executes
// them says which kernels pre-defined operators become; the search knows no IR
// and asks here.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_KERNELGRAPHS_PROGRAMPRICER_H
#define MIRAGE_SEARCH_KERNELGRAPHS_PROGRAMPRICER_H

#include "Mirage/Analysis/Cost/CostModel.h"
#include "Mirage/Support/WorkerPool.h"

namespace mirage::search {

class ProgramPricer {
public:
  explicit ProgramPricer(const TargetDescription &target) : target(target) {}
  virtual ~ProgramPricer() = default;

  /// Returns the time of a program. Kernels have the nodes that they compute,
  /// or compute a part of; a node of no kernel takes no time.
  virtual ProgramCost estimate(const MuGraph &program) = 0;

  /// Returns the time of a program by the instructions of its kernels as well,
  /// or as it was measured, which takes much longer to find; nothing where they
  /// cannot be counted, as where the number of a block says how often a loop
  /// runs, and infinity where the lowering makes no kernels of the program.
  virtual std::optional<double> estimateIssued(const MuGraph &program) {
    return std::nullopt;
  }

  /// Finds such times that are likely to be asked for, beside each other where
  /// that is possible.
  virtual void prepareIssued(llvm::ArrayRef<const MuGraph *> programs,
                             WorkerPool &pool) {}

  /// How many times as long as another program one takes by the instructions of
  /// its kernels if it counts as slower. The logarithms of measured times
  /// differ from those of these by 0.15 (docs/performance/deployed.md), and so
  /// those of two by 0.21: two of three are slower that take so much longer.
  static constexpr double kIssuedResolution = 1.1;

  /// The same for times that were measured: medians of two runs differ by less.
  static constexpr double kMeasuredResolution = 1.02;

  /// Returns true if all such times that were asked for so far are measured.
  virtual bool isMeasuring() const { return false; }
  /// Names what has measured some of them: "times of NVIDIA H200 (sm_90)".
  virtual std::optional<std::string> getMeasuredSource() const {
    return std::nullopt;
  }
  /// Returns how many times as long as another program one takes by these
  /// times, as they have been found so far, if it counts as slower.
  double getIssuedResolution() const {
    return isMeasuring() ? kMeasuredResolution : kIssuedResolution;
  }

  /// How many times as long as another program one takes by the model if it is
  /// known to be slower. The model was right about programs whose times differ
  /// by 9 % and more, and wrong about some that differ by 4 % and less
  /// (docs/performance/scheduled-kernels.md).
  static constexpr double kResolution = 1.05;

  /// Returns the time of a program whose operators are not executed together:
  /// that of each alone, with its operands and its result in the L2 cache if
  /// they are there in the program. Kernels are those of one node each.
  ProgramCost estimateApart(const MuGraph &program);

protected:
  const TargetDescription target;
};

} // namespace mirage::search

#endif // MIRAGE_SEARCH_KERNELGRAPHS_PROGRAMPRICER_H
