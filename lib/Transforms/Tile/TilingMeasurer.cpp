//===- TilingMeasurer.cpp - Measured times for a tile search --------------===//
//
// Measures for a search. Every time that the search gets is a remark. A file of
// measurements is written after each new one, so that an interruption loses
// none.
//
//===----------------------------------------------------------------------===//

#include "TilingMeasurer.h"
#include "Mirage/Dialect/Mirage/IR/MirageDialect.h"
#include "Mirage/Support/PassSupport.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/xxhash.h"
#include <limits>

using namespace mlir;
using namespace mirage;
using namespace mirage::tiling;
using llvm::createStringError;
using llvm::Error;

static constexpr double infinite = std::numeric_limits<double>::infinity();

TilingMeasurer::TilingMeasurer(func::FuncOp function, const Chain &chain,
                               const TargetDescription &target,
                               MeasurementFile &file)
    : function(function), chain(chain), target(target), file(file),
      program(llvm::utohexstr(llvm::xxh3_64bits(toString(chain.program)),
                              /*LowerCase=*/true, /*Width=*/16)),
      start(std::chrono::steady_clock::now()), line(llvm::errs()) {}

Error TilingMeasurer::openDevice() {
  auto *dialect = function.getContext()->getOrLoadDialect<MirageDialect>();
  auto *interface = dialect->getRegisteredInterface<GraphTimerInterface>();
  if (!interface)
    return createStringError("this tool cannot run kernels; mirage-opt can");
  auto opened = interface->open({target, hasExactSums(chain)});
  if (!opened)
    return opened.takeError();
  RecordedChain *known = file.find(program, target.chip);
  StringRef device = (*opened)->getDevice();
  if (known && known->device != device)
    return createStringError("%s has times of %s, and this is %s",
                             file.getPath().str().c_str(),
                             known->device.c_str(), device.str().c_str());
  timer = std::move(*opened);
  if (!known && file.isInUse())
    known = &file.add(function.getName(), program, target.chip, device);
  own.device = device.str();
  records = known ? known : &own;
  return Error::success();
}

Error TilingMeasurer::openRecords() {
  if (!file.isInUse())
    return createStringError("option measurements names no file");
  if (!file.isThere())
    return createStringError("there is no file " + file.getPath());
  records = file.find(program, target.chip);
  if (records)
    return Error::success();
  return createStringError(
      "%s has no measurements of this program (%s) for %s, but of %s",
      file.getPath().str().c_str(), program.c_str(), target.chip.c_str(),
      file.describe().c_str());
}

LogicalResult TilingMeasurer::open(TilingMeasure measure) {
  auto fail = [&](const char *value, Error error) -> LogicalResult {
    return emitError(function.getLoc())
           << "tilings of @" << function.getName()
           << " cannot be measured as measure=" << value
           << " asks: " << llvm::toString(std::move(error));
  };
  if (measure == TilingMeasure::Device) {
    if (Error error = openDevice())
      return fail("device", std::move(error));
  } else if (measure == TilingMeasure::Recorded) {
    if (Error error = openRecords())
      return fail("recorded", std::move(error));
  } else if (measure == TilingMeasure::Auto) {
    Error error = openDevice();
    if (!error)
      return success();
    std::string reason = llvm::toString(std::move(error));
    if (Error second = openRecords())
      reason += "; " + llvm::toString(std::move(second));
    remark::missed(function.getLoc(),
                   getRemarkOptions("mirage-tile", "no-device", function))
        << remark::reason("{0}", reason);
  }
  return success();
}

std::string TilingMeasurer::getSource() const {
  return (timer ? "" : "recorded from ") + records->device;
}

double TilingMeasurer::fail(const Tiling &tiling, StringRef message) {
  line.clear();
  emitError(function.getLoc())
      << "measurement of " << toString(tiling) << " on " << records->device
      << " failed: " << message;
  failed = true;
  return infinite;
}

std::optional<RecordedTiling> TilingMeasurer::time(const Tiling &tiling,
                                                   double predicted) {
  RecordedTiling result{toString(tiling), predicted, 0, ""};
  std::string error;
  std::optional<MuGraph> graph = applyTiling(chain, tiling, error);
  if (!graph) {
    result.rejection = error;
  } else {
    llvm::Expected<GraphTime> time = timer->time(*graph);
    if (!time) {
      fail(tiling, llvm::toString(time.takeError()));
      return std::nullopt;
    }
    result.microseconds = time->microseconds;
    result.rejection = time->rejection;
  }
  records->add(result);
  if (mlir::failed(file.write(function.getLoc()))) {
    failed = true;
    return std::nullopt;
  }
  return result;
}

void TilingMeasurer::showProgress() {
  std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - start;
  line.show(seconds.count(), [&] {
    const RecordedTiling *best = nullptr;
    for (const RecordedTiling &tiling : measured)
      if (!tiling.isRejected() &&
          (!best || tiling.microseconds < best->microseconds))
        best = &tiling;
    std::string text = llvm::formatv("@{0}: {1} tilings measured",
                                     function.getName(), measured.size());
    if (best)
      text += llvm::formatv(", best {0:f2} us by {1}", best->microseconds,
                            best->tiling);
    return text + llvm::formatv("; {0:f1} s", seconds.count()).str();
  });
}

llvm::json::Array TilingMeasurer::toJSON() const {
  llvm::json::Array entries;
  for (const RecordedTiling &tiling : measured)
    entries.push_back(mirage::toJSON(tiling));
  return entries;
}

double TilingMeasurer::measure(const Tiling &tiling, double predicted) {
  if (failed)
    return infinite;
  std::optional<RecordedTiling> result;
  if (const RecordedTiling *known = records->find(toString(tiling)))
    result = *known;
  else if (timer)
    result = time(tiling, predicted);
  else
    result = RecordedTiling{toString(tiling), predicted, 0, "not recorded"};
  if (!result)
    return infinite;
  // Remarks go where the line stands.
  line.clear();
  if (result->isRejected())
    remark::missed(function.getLoc(),
                   getRemarkOptions("mirage-tile", "rejected", function))
        << result->tiling << remark::reason("{0}", result->rejection);
  else
    remark::analysis(function.getLoc(),
                     getRemarkOptions("mirage-tile", "measured", function))
        << result->tiling
        << remark::metric("predicted", llvm::formatv("{0:f3}", predicted).str())
        << remark::metric("microseconds",
                          llvm::formatv("{0:f3}", result->microseconds).str());
  // The prediction is that of this search's model, not that of the search that
  // recorded the time.
  result->predicted = predicted;
  measured.push_back(*result);
  if (timer)
    showProgress();
  return result->isRejected() ? infinite : result->microseconds;
}
