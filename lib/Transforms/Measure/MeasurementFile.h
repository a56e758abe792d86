//===- MeasurementFile.h - Measured times in a file -------------*- C++ -*-===//
//
// Keeps what tilings took on a device: it is written where there is a
// device, and read where the choice is to be made again.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TRANSFORMS_MEASURE_MEASUREMENTFILE_H
#define MIRAGE_LIB_TRANSFORMS_MEASURE_MEASUREMENTFILE_H

#include "mlir/IR/Location.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"

namespace mirage {

/// The time in microseconds, or the reason why the tiling is no candidate.
struct RecordedTiling {
  std::string tiling;
  double predicted = 0, microseconds = 0;
  std::string rejection;

  bool isRejected() const { return !rejection.empty(); }
};

llvm::json::Value toJSON(const RecordedTiling &tiling);

/// The measurements of one program for one target on one device.
class RecordedProgram {
public:
  std::string function, program, target, device;

  llvm::ArrayRef<RecordedTiling> getTilings() const { return tilings; }
  const RecordedTiling *find(llvm::StringRef tiling) const;
  /// Adds a measurement; returns false if there is one of this tiling already.
  bool add(RecordedTiling tiling);

private:
  std::vector<RecordedTiling> tilings;
  llvm::StringMap<size_t> numbers;
};

class MeasurementFile {
public:
  /// An empty path stands for no file.
  explicit MeasurementFile(llvm::StringRef path) : path(path.str()) {}

  bool isInUse() const { return !path.empty(); }
  llvm::StringRef getPath() const { return path; }
  /// Returns true if read() found a file.
  bool isThere() const { return wasRead; }
  /// Reads the file. It is no error if there is no file yet.
  mlir::LogicalResult read(mlir::Location loc);
  mlir::LogicalResult write(mlir::Location loc) const;

  /// Returns the measurements of a program for a target, or null. They stay
  /// where they are.
  RecordedProgram *find(llvm::StringRef program, llvm::StringRef target);
  RecordedProgram &add(llvm::StringRef function, llvm::StringRef program,
                       llvm::StringRef target, llvm::StringRef device);
  /// Returns true if some program was measured for a target.
  bool hasTarget(llvm::StringRef target) const {
    return llvm::any_of(
        records, [&](const auto &record) { return record->target == target; });
  }
  /// Prints the programs and targets: "@f for sm_90a, @g for sm_80".
  std::string describe() const;

private:
  std::string path;
  bool wasRead = false;
  std::vector<std::unique_ptr<RecordedProgram>> records;
};

} // namespace mirage

#endif // MIRAGE_LIB_TRANSFORMS_MEASURE_MEASUREMENTFILE_H
