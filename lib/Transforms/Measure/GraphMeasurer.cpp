//===- GraphMeasurer.cpp - Measured times for a choice --------------------===//
//
// Measures for a search. Every time that the search gets is a remark. A file of
// measurements is written after each new one, so that an interruption loses
// none.
//
//===----------------------------------------------------------------------===//

#include "GraphMeasurer.h"
#include "Mirage/Dialect/Mirage/IR/MirageDialect.h"
#include "Mirage/Support/PassSupport.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/xxhash.h"
#include <limits>

using namespace mlir;
using namespace mirage;
using llvm::createStringError;
using llvm::Error;

static constexpr double infinite = std::numeric_limits<double>::infinity();

GraphMeasurer::GraphMeasurer(MeasuredProgram measured, MeasurementFile &file)
    : program(std::move(measured)), file(file),
      hash(llvm::utohexstr(llvm::xxh3_64bits(program.text),
                           /*LowerCase=*/true, /*Width=*/16)),
      start(std::chrono::steady_clock::now()), line(llvm::errs()) {}

/// Makes a timer in a context.
static llvm::Expected<std::unique_ptr<GraphTimer>>
openTimer(MLIRContext *context, const GraphTimerOptions &options) {
  auto *dialect = context->getOrLoadDialect<MirageDialect>();
  auto *interface = dialect->getRegisteredInterface<GraphTimerInterface>();
  if (!interface)
    return createStringError("this tool cannot run kernels; mirage-opt can");
  return interface->open(options);
}

Error GraphMeasurer::checkDevice(MLIRContext *context,
                                 const TargetDescription &target) {
  return openTimer(context, {target}).takeError();
}

Error GraphMeasurer::openDevice() {
  auto opened = openTimer(program.function.getContext(),
                          {program.target, program.isExact});
  if (!opened)
    return opened.takeError();
  RecordedProgram *known = file.find(hash, program.target.chip);
  StringRef device = (*opened)->getDevice();
  if (known && known->device != device)
    return createStringError("%s has times of %s, and this is %s",
                             file.getPath().str().c_str(),
                             known->device.c_str(), device.str().c_str());
  timer = std::move(*opened);
  if (!known && file.isInUse())
    known = &file.add(program.function.getName(), hash, program.target.chip,
                      device);
  own.device = device.str();
  records = known ? known : &own;
  return Error::success();
}

Error GraphMeasurer::openRecords() {
  if (!file.isInUse())
    return createStringError("option measurements names no file");
  if (!file.isThere())
    return createStringError("there is no file " + file.getPath());
  records = file.find(hash, program.target.chip);
  if (records)
    return Error::success();
  return createStringError(
      "%s has no measurements of this program (%s) for %s, but of %s",
      file.getPath().str().c_str(), hash.c_str(), program.target.chip.c_str(),
      file.describe().c_str());
}

LogicalResult GraphMeasurer::fail(StringRef value, Error error) {
  return emitError(program.function.getLoc())
         << "tilings of @" << program.function.getName()
         << " cannot be measured as measure=" << value
         << " asks: " << llvm::toString(std::move(error));
}

LogicalResult GraphMeasurer::open(TilingMeasure measure) {
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
    remark::missed(
        program.function.getLoc(),
        getRemarkOptions(program.pass, "no-device", program.function))
        << remark::reason("{0}", reason);
  }
  return success();
}

std::string GraphMeasurer::getSource() const {
  return (timer ? "" : "recorded from ") + records->device;
}

double GraphMeasurer::stop(StringRef tiling, StringRef message) {
  line.clear();
  emitError(program.function.getLoc())
      << "measurement of " << tiling << " on " << records->device
      << " failed: " << message;
  failed = true;
  return infinite;
}

std::optional<RecordedTiling> GraphMeasurer::time(StringRef tiling,
                                                  double predicted,
                                                  MakeGraph make,
                                                  StringRef passes) {
  RecordedTiling result{tiling.str(), predicted, 0, ""};
  std::string error;
  std::optional<MuGraph> graph = make(error);
  if (!graph) {
    result.rejection = error;
  } else {
    llvm::Expected<GraphTime> time = timer->time(*graph, passes);
    if (!time) {
      stop(tiling, llvm::toString(time.takeError()));
      return std::nullopt;
    }
    result.microseconds = time->microseconds;
    result.rejection = time->rejection;
  }
  records->add(result);
  if (mlir::failed(file.write(program.function.getLoc()))) {
    failed = true;
    return std::nullopt;
  }
  return result;
}

void GraphMeasurer::showProgress() {
  std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - start;
  line.show(seconds.count(), [&] {
    const RecordedTiling *best = nullptr;
    for (const RecordedTiling &tiling : measured)
      if (!tiling.isRejected() &&
          (!best || tiling.microseconds < best->microseconds))
        best = &tiling;
    std::string text =
        llvm::formatv("@{0}: {1} tilings measured", program.function.getName(),
                      measured.size());
    if (best)
      text += llvm::formatv(", best {0:f2} us by {1}", best->microseconds,
                            best->tiling);
    return text + llvm::formatv("; {0:f1} s", seconds.count()).str();
  });
}

llvm::json::Array GraphMeasurer::toJSON() const {
  llvm::json::Array entries;
  for (const RecordedTiling &tiling : measured)
    entries.push_back(mirage::toJSON(tiling));
  return entries;
}

double GraphMeasurer::measure(StringRef tiling, double predicted,
                              MakeGraph make, StringRef passes) {
  if (failed)
    return infinite;
  std::optional<RecordedTiling> result;
  if (const RecordedTiling *known = records->find(tiling))
    result = *known;
  else if (timer)
    result = time(tiling, predicted, make, passes);
  else
    result = RecordedTiling{tiling.str(), predicted, 0, "not recorded"};
  if (!result)
    return infinite;
  // Remarks go where the line stands.
  line.clear();
  if (result->isRejected())
    remark::missed(program.function.getLoc(),
                   getRemarkOptions(program.pass, "rejected", program.function))
        << result->tiling << remark::reason("{0}", result->rejection);
  else
    remark::analysis(
        program.function.getLoc(),
        getRemarkOptions(program.pass, "measured", program.function))
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
