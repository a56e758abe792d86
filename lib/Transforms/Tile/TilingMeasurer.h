//===- TilingMeasurer.h - Measured times for a tile search ------*- C++ -*-===//
//
// Stands between the search and what times kernels: a device, or a file of what
// it has measured.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TRANSFORMS_TILE_TILINGMEASURER_H
#define MIRAGE_LIB_TRANSFORMS_TILE_TILINGMEASURER_H

#include "../ProgressLine.h"
#include "MeasurementFile.h"
#include "Mirage/Measurement/GraphTimer.h"
#include "Mirage/Search/Tiling/TuneChain.h"
#include "Mirage/Transforms/TilingMeasure.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <chrono>

namespace mirage {

class TilingMeasurer {
public:
  TilingMeasurer(mlir::func::FuncOp function, const tiling::Chain &chain,
                 const TargetDescription &target, MeasurementFile &file);

  /// Decides where times come from. If nothing can give times, that is an error
  /// at the function, except with Auto.
  mlir::LogicalResult open(TilingMeasure measure);

  /// Returns true if times are a device's and not a model's.
  bool isInUse() const { return records; }
  /// Names the source: "NVIDIA H200 (sm_90)", with "recorded from " before it
  /// if it was not this process that measured.
  std::string getSource() const;

  /// Returns microseconds, which are infinite for what is no candidate, and
  /// after an error.
  double measure(const tiling::Tiling &tiling, double predicted);

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
  std::optional<RecordedTiling> time(const tiling::Tiling &tiling,
                                     double predicted);
  double fail(const tiling::Tiling &tiling, llvm::StringRef message);
  void showProgress();

  mlir::func::FuncOp function;
  const tiling::Chain &chain;
  const TargetDescription &target;
  MeasurementFile &file;
  std::string program;
  std::unique_ptr<GraphTimer> timer;
  /// The measurements, which are in the file, or in `own` if there is none.
  RecordedChain *records = nullptr;
  RecordedChain own;
  std::vector<RecordedTiling> measured;
  bool failed = false;
  std::chrono::steady_clock::time_point start;
  ProgressLine line;
};

} // namespace mirage

#endif // MIRAGE_LIB_TRANSFORMS_TILE_TILINGMEASURER_H
