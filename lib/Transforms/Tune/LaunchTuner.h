//===- LaunchTuner.h - The fastest way to execute a launch ------*- C++ -*-===//
//
// Chooses, by times that somebody measures, the extents of a launch's grid and
// loops, and the options with which its schedule is planned.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TRANSFORMS_TUNE_LAUNCHTUNER_H
#define MIRAGE_LIB_TRANSFORMS_TUNE_LAUNCHTUNER_H

#include "Mirage/MuGraph/MuGraph.h"
#include "Mirage/Semantics/Target.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace mirage {

/// A way to execute a launch: its tiling, and options of
/// mirage-schedule-launches as text, "columns=128 warps=4".
struct LaunchVariant {
  const MuGraph *graph = nullptr;
  std::string tiling, options;
  /// Microseconds by the cost model, and measured.
  double predicted = 0;
  double microseconds = std::numeric_limits<double>::infinity();

  /// Names it: the tiling, and the options behind a semicolon.
  std::string getName() const {
    return options.empty() ? tiling : tiling + "; " + options;
  }
};

struct LaunchTunerOptions {
  TargetDescription target;
  /// Tilings that are measured first, those that the cost model puts first, and
  /// neighbours of the fastest one that are measured in each step behind that.
  unsigned top = 8;
  /// Tilings that the cost model puts above so many times its least are not
  /// measured.
  double slack = 1.5;
  /// The part of its time that another way must gain.
  double minGain = 0.02;
  /// This is true if all options of the planner are tried. Otherwise only those
  /// are that say how wide iterations are: what the others do to warps that
  /// wait for one another cannot be counted.
  bool triesAllSchedules = true;
  /// None of them is where this is false.
  bool triesSchedules = true;
  /// The kernels can be launched with clusters of at most so many blocks.
  int64_t mostClusterBlocks = std::numeric_limits<int64_t>::max();
};

/// What is asked about ways to execute a launch.
struct LaunchTimes {
  /// Measures a way; infinity if it cannot be executed.
  llvm::function_ref<double(const LaunchVariant &)> measure;
  /// Returns the launch with the schedule that the planner makes of a way, as
  /// text, by which ways are known to be the same; empty where there is none.
  llvm::function_ref<std::string(const LaunchVariant &)> plan;
  /// Is told which ways are measured next, unless some of them cannot be
  /// executed: their times may be found beside each other. May be null.
  llvm::function_ref<void(llvm::ArrayRef<LaunchVariant>)> prepare = nullptr;
};

class LaunchTuner {
public:
  /// The graph is a program of one launch.
  LaunchTuner(const MuGraph &graph, const LaunchTunerOptions &options)
      : options(options), original(graph) {}

  /// Measures ways, and returns them, the fastest one first, as far as they
  /// gain enough over the launch as it is; that one is the last.
  std::vector<LaunchVariant> tune(const LaunchTimes &times);

  /// Measures the launch as it is.
  double measureOriginal(const LaunchTimes &times);

  /// Returns the tilings that the cost model puts within the slack, the fastest
  /// one first, with the launch as it is in front.
  std::vector<LaunchVariant> listTilings();

private:
  /// A tiling's graph and its time by the cost model.
  struct Tiling {
    MuGraph graph;
    double predicted = 0;
  };
  void explore();
  LaunchVariant makeVariant(const std::string &tiling,
                            llvm::StringRef schedule) const;
  /// Returns the launch that is made of a way, as text.
  const std::string &getPlanned(const LaunchVariant &variant,
                                const LaunchTimes &times);
  /// Measures a way unless it is known; returns its microseconds.
  double measure(LaunchVariant variant, const LaunchTimes &times);
  std::vector<LaunchVariant> findNeighbours(const std::string &tiling);
  /// Measures ways in their order until `top` different ones have been
  /// executed.
  void measureFirst(llvm::ArrayRef<LaunchVariant> ways,
                    const LaunchTimes &times);
  /// Tells who measures which of the ways these are, if all can be executed and
  /// so many launches are to be known then.
  void prepareFirst(llvm::ArrayRef<LaunchVariant> ways, size_t most,
                    const LaunchTimes &times);
  void tuneTiling(const LaunchTimes &times);
  bool mayTry(llvm::StringRef option) const;
  void tuneSchedule(const std::string &tiling, const LaunchTimes &times);
  /// The fastest way that was measured.
  const LaunchVariant &getBest() const;

  LaunchTunerOptions options;
  const MuGraph &original;
  std::map<std::string, Tiling> tilings;
  std::vector<LaunchVariant> measured;
  /// Launches with schedules that were measured, as text, or tilings that have
  /// none, and what they took.
  std::map<std::string, double> known;
  /// The same text for each way, by its name.
  std::map<std::string, std::string> launches;
  /// The same text for each tiling that was looked at.
  std::map<std::string, std::string> planned;
};

} // namespace mirage

#endif // MIRAGE_LIB_TRANSFORMS_TUNE_LAUNCHTUNER_H
