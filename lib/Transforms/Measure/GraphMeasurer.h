//===- GraphMeasurer.h - Measured times for a choice ------------*- C++ -*-===//
//
// Stands between a pass that chooses among graphs and what times kernels: a
// device, or a file of what it has measured.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TRANSFORMS_MEASURE_GRAPHMEASURER_H
#define MIRAGE_LIB_TRANSFORMS_MEASURE_GRAPHMEASURER_H

#include "MeasurementFile.h"
#include "Mirage/Measurement/GraphTimer.h"
#include "Mirage/Transforms/ProgressLine.h"
#include "Mirage/Transforms/TilingMeasure.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <chrono>

namespace mirage {

/// A program of which several tilings are measured.
struct MeasuredProgram {
  /// The function that it is of, and the pass that measures, which is the
  /// category of its remarks.
  mlir::func::FuncOp function;
  llvm::StringRef pass;
  /// Its text, which tells it from others in a file.
  std::string text;
  TargetDescription target;
  /// GraphTimerOptions::isExact.
  bool isExact = false;
};

/// Makes the graph of a tiling; nothing, and why, if there is none.
using MakeGraph =
    llvm::function_ref<std::optional<MuGraph>(std::string &reason)>;

class GraphMeasurer {
public:
  GraphMeasurer(MeasuredProgram program, MeasurementFile &file);

  /// Decides where times come from. If nothing can give times, that is an error
  /// at the function, except with Auto.
  mlir::LogicalResult open(TilingMeasure measure);

  /// Returns an error that says why kernels for a target cannot be run here.
  static llvm::Error checkDevice(mlir::MLIRContext *context,
                                 const TargetDescription &target);

  /// Emits the error that tilings of the program cannot be measured, since the
  /// value of `measure` asks for what there is not.
  mlir::LogicalResult fail(llvm::StringRef value, llvm::Error error);

  /// Returns true if the file has measurements of the program, or of one of its
  /// tilings.
  bool isRecorded() const { return file.find(hash, program.target.chip); }
  bool isRecorded(llvm::StringRef tiling) const {
    const RecordedProgram *known = file.find(hash, program.target.chip);
    return known && known->find(tiling);
  }
  /// Returns what the program is called in the file.
  llvm::StringRef getHash() const { return hash; }
  /// Returns true if times are a device's and not a model's.
  bool isInUse() const { return records; }
  /// Names the source: "NVIDIA H200 (sm_90)", with "recorded from " before it
  /// if it was not this process that measured.
  std::string getSource() const;

  /// Returns microseconds, which are infinite for what is no candidate, and
  /// after an error. `passes` run on the graph before it is lowered
  /// (GraphTimer::time).
  double measure(llvm::StringRef tiling, double predicted, MakeGraph make,
                 llvm::StringRef passes = "");

  /// Returns true if an error was emitted while the search ran.
  bool hasFailed() const { return failed; }
  /// Removes the line of progress.
  void finish() { line.clear(); }
  /// The tilings that were measured or looked up, in order.
  llvm::json::Array toJSON() const;

private:
  llvm::Error openDevice();
  llvm::Error openRecords();
  /// Returns nothing if there was an error.
  std::optional<RecordedTiling> time(llvm::StringRef tiling, double predicted,
                                     MakeGraph make, llvm::StringRef passes);
  double stop(llvm::StringRef tiling, llvm::StringRef message);
  void showProgress();

  MeasuredProgram program;
  MeasurementFile &file;
  /// What the program's text is in the file.
  std::string hash;
  std::unique_ptr<GraphTimer> timer;
  /// The measurements, which are in the file, or in `own` if there is none.
  RecordedProgram *records = nullptr;
  RecordedProgram own;
  std::vector<RecordedTiling> measured;
  bool failed = false;
  std::chrono::steady_clock::time_point start;
  ProgressLine line;
};

} // namespace mirage

#endif // MIRAGE_LIB_TRANSFORMS_MEASURE_GRAPHMEASURER_H
