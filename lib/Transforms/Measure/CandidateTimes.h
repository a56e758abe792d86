//===- CandidateTimes.h - Measured times of whole programs ------*- C++ -*-===//
//
// Says what programs take that a search compares, by a device or by a file of
// what it has measured. Each program is one entry of the file, under the name
// of the tilings that it has, as a launch is that mirage-tune-launches measures
// as it is.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TRANSFORMS_MEASURE_CANDIDATETIMES_H
#define MIRAGE_LIB_TRANSFORMS_MEASURE_CANDIDATETIMES_H

#include "GraphMeasurer.h"

namespace mirage {

class CandidateTimes {
public:
  /// Remarks are of the category `category`.
  CandidateTimes(MeasurementFile &file, const TargetDescription &target,
                 llvm::StringRef category)
      : file(file), target(target), category(category) {}

  /// Decides where times come from: Device, Recorded or the first of both that
  /// is possible (Auto); for others they come from nowhere. If nothing can give
  /// times, that is an error at the function, and a remark with Auto.
  mlir::LogicalResult open(TilingMeasure measure, mlir::func::FuncOp function);
  bool isInUse() const { return source != Source::None; }

  /// Begins to measure for a function, at which errors and remarks are.
  void begin(mlir::func::FuncOp function);
  /// Returns the microseconds of a program, which are infinite for one that has
  /// no lowering; nothing, with a remark, if they are not in the file, and
  /// after an error.
  std::optional<double> measure(const MuGraph &program, double predicted);
  /// Says in a remark how many of the function's programs had times, and how
  /// many had none.
  void finish();

  /// Names the source: "times recorded from NVIDIA H200 (sm_90)".
  std::string getSource() const { return "times " + device; }
  /// Returns true if an error was emitted since the function began.
  bool hasFailed() const { return failed; }

private:
  enum class Source : uint8_t { None, Device, Recorded };

  llvm::Error checkRecords() const;

  MeasurementFile &file;
  const TargetDescription target;
  llvm::StringRef category;
  Source source = Source::None;
  mlir::func::FuncOp function;
  std::string device = "of a device";
  unsigned numMeasured = 0, numOthers = 0;
  bool failed = false;
};

} // namespace mirage

#endif // MIRAGE_LIB_TRANSFORMS_MEASURE_CANDIDATETIMES_H
