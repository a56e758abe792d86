//===- CandidateTimes.cpp - Measured times of whole programs --------------===//
//
// Measures each program by a GraphMeasurer of its own. What is not in a file of
// recorded times is no error, since other options make other candidates.
//
//===----------------------------------------------------------------------===//

#include "CandidateTimes.h"
#include "Mirage/MuGraph/Retile.h"
#include "Mirage/Support/PassSupport.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mirage;
using llvm::createStringError;
using llvm::Error;

/// Returns the name of a program among the ways to execute it.
static std::string getName(const MuGraph &program) {
  std::string tilings = describeTilings(program);
  return tilings.empty() ? "operators" : tilings;
}

/// Returns an error if the file has nothing that could be asked for.
Error CandidateTimes::checkRecords() const {
  if (!file.isInUse())
    return createStringError("option measurements names no file");
  if (!file.isThere())
    return createStringError("there is no file " + file.getPath());
  if (file.hasTarget(target.chip))
    return Error::success();
  return createStringError("%s has no measurements for %s, but of %s",
                           file.getPath().str().c_str(), target.chip.c_str(),
                           file.describe().c_str());
}

LogicalResult CandidateTimes::open(TilingMeasure measure, func::FuncOp of) {
  if (measure == TilingMeasure::Device) {
    source = Source::Device;
    return GraphMeasurer({of, category, "", target}, file).open(measure);
  }
  if (measure == TilingMeasure::Recorded) {
    source = Source::Recorded;
    if (Error error = checkRecords())
      return GraphMeasurer({of, category, "", target}, file)
          .fail("recorded", std::move(error));
    return success();
  }
  if (measure != TilingMeasure::Auto)
    return success();
  Error noDevice = GraphMeasurer::checkDevice(of.getContext(), target);
  if (!noDevice) {
    source = Source::Device;
    return success();
  }
  std::string reason = llvm::toString(std::move(noDevice));
  if (Error noRecords = checkRecords()) {
    reason += "; " + llvm::toString(std::move(noRecords));
    remark::missed(of.getLoc(), getRemarkOptions(category, "no-device", of))
        << remark::reason("{0}", reason);
    return success();
  }
  source = Source::Recorded;
  return success();
}

void CandidateTimes::begin(func::FuncOp of) {
  function = of;
  numMeasured = numOthers = 0;
  failed = false;
}

std::optional<double> CandidateTimes::measure(const MuGraph &program,
                                              double predicted) {
  if (failed || !isInUse())
    return std::nullopt;
  std::string name = getName(program);
  GraphMeasurer measurer({function, category, toString(program), target}, file);
  if (source == Source::Recorded && !measurer.isRecorded(name)) {
    ++numOthers;
    remark::missed(function.getLoc(),
                   getRemarkOptions(category, "not-measured", function))
        << llvm::formatv("{0} has no time of {1} ({2}), which the model says "
                         "takes {3:f3} us.",
                         file.getPath(), name, measurer.getHash(), predicted)
               .str();
    return std::nullopt;
  }
  failed |= mlir::failed(measurer.open(source == Source::Device
                                           ? TilingMeasure::Device
                                           : TilingMeasure::Recorded));
  if (failed)
    return std::nullopt;
  device = measurer.getSource();
  if (source == Source::Device)
    device = "of " + device;
  ++numMeasured;
  double time = measurer.measure(
      name, predicted, [&](std::string &) { return std::optional(program); });
  measurer.finish();
  failed |= measurer.hasFailed();
  return failed ? std::nullopt : std::optional(time);
}

void CandidateTimes::finish() {
  if (!isInUse() || numMeasured + numOthers == 0)
    return;
  std::string text =
      llvm::formatv("{0} of the programs that were compared {1} {2}",
                    numMeasured, numMeasured == 1 ? "has" : "have",
                    numMeasured ? getSource() : "recorded times");
  if (numOthers)
    text += llvm::formatv("; {0} {1} not in the file, and priced by the "
                          "instructions of {2} kernels",
                          numOthers, numOthers == 1 ? "is" : "are",
                          numOthers == 1 ? "its" : "their");
  remark::analysis(function.getLoc(),
                   getRemarkOptions(category, "measurements", function))
      << text + ".";
}
