//===- MeasurementFile.cpp - Measured times in a file ---------------------===//
//
// Reads and writes JSON, with tilings in the order in which they were measured.
//
//===----------------------------------------------------------------------===//

#include "MeasurementFile.h"
#include "Mirage/Support/PassSupport.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace mirage;
namespace json = llvm::json;

static constexpr int64_t version = 1;

const RecordedTiling *RecordedProgram::find(StringRef tiling) const {
  auto entry = numbers.find(tiling);
  return entry == numbers.end() ? nullptr : &tilings[entry->second];
}

bool RecordedProgram::add(RecordedTiling tiling) {
  if (!numbers.try_emplace(tiling.tiling, tilings.size()).second)
    return false;
  tilings.push_back(std::move(tiling));
  return true;
}

json::Value mirage::toJSON(const RecordedTiling &tiling) {
  json::Object object{{"tiling", tiling.tiling},
                      {"predicted_microseconds", tiling.predicted}};
  if (tiling.isRejected())
    object["rejected"] = tiling.rejection;
  else
    object["microseconds"] = tiling.microseconds;
  return object;
}

namespace mirage {
static bool fromJSON(const json::Value &value, RecordedTiling &tiling,
                     json::Path path) {
  json::ObjectMapper mapper(value, path);
  if (!mapper || !mapper.map("tiling", tiling.tiling) ||
      !mapper.map("predicted_microseconds", tiling.predicted))
    return false;
  if (value.getAsObject()->get("rejected")) {
    if (!mapper.map("rejected", tiling.rejection))
      return false;
    if (tiling.rejection.empty())
      path.field("rejected").report("expected a reason");
    return !tiling.rejection.empty();
  }
  if (!mapper.map("microseconds", tiling.microseconds))
    return false;
  if (tiling.microseconds > 0 && std::isfinite(tiling.microseconds))
    return true;
  path.field("microseconds").report("expected a positive number");
  return false;
}
} // namespace mirage

static bool readProgram(const json::Value &value, RecordedProgram &record,
                        json::Path path) {
  json::ObjectMapper mapper(value, path);
  std::vector<RecordedTiling> tilings;
  if (!mapper || !mapper.map("function", record.function) ||
      !mapper.map("program", record.program) ||
      !mapper.map("target", record.target) ||
      !mapper.map("device", record.device) || !mapper.map("tilings", tilings))
    return false;
  for (auto [i, tiling] : llvm::enumerate(tilings))
    if (!record.add(std::move(tiling))) {
      path.field("tilings").index(i).field("tiling").report(
          "measured a second time");
      return false;
    }
  return true;
}

LogicalResult MeasurementFile::read(Location loc) {
  records.clear();
  if (!isInUse() || !llvm::sys::fs::exists(path))
    return success();
  auto fail = [&](const Twine &message) {
    return emitError(loc) << "option measurements: " << message;
  };
  FailureOr<json::Value> value = readOptionJSON(loc, "measurements", path);
  if (failed(value))
    return failure();
  json::Path::Root root(path);
  json::ObjectMapper mapper(*value, root);
  int64_t found = 0;
  if (!mapper || !mapper.map("version", found))
    return fail(llvm::toString(root.getError()));
  if (found != version)
    return fail(path + " has version " + Twine(found) + ", and this is " +
                Twine(version));
  const json::Array *list = value->getAsObject()->getArray("functions");
  if (!list)
    return fail(path + " has no list of functions");
  // A path refers to the one that it goes on from.
  json::Path top(root), all = top.field("functions");
  for (auto [i, entry] : llvm::enumerate(*list)) {
    auto record = std::make_unique<RecordedProgram>();
    if (!::readProgram(entry, *record, all.index(i)))
      return fail(llvm::toString(root.getError()));
    if (find(record->program, record->target))
      return fail(path + " has measurements of @" + record->function +
                  " twice for " + record->target);
    records.push_back(std::move(record));
  }
  wasRead = true;
  return success();
}

LogicalResult MeasurementFile::write(Location loc) const {
  if (!isInUse())
    return success();
  json::Array functions;
  for (const auto &record : records) {
    json::Array tilings;
    for (const RecordedTiling &tiling : record->getTilings())
      tilings.push_back(toJSON(tiling));
    functions.push_back(json::Object{{"function", record->function},
                                     {"program", record->program},
                                     {"target", record->target},
                                     {"device", record->device},
                                     {"tilings", std::move(tilings)}});
  }
  json::Value value =
      json::Object{{"version", version}, {"functions", std::move(functions)}};
  return writeOptionFile(loc, "measurements", path, [&](llvm::raw_ostream &os) {
    os << llvm::formatv("{0:2}\n", value);
  });
}

RecordedProgram *MeasurementFile::find(StringRef program, StringRef target) {
  for (const auto &record : records)
    if (record->program == program && record->target == target)
      return record.get();
  return nullptr;
}

RecordedProgram &MeasurementFile::add(StringRef function, StringRef program,
                                      StringRef target, StringRef device) {
  auto record = std::make_unique<RecordedProgram>();
  record->function = function.str();
  record->program = program.str();
  record->target = target.str();
  record->device = device.str();
  records.push_back(std::move(record));
  return *records.back();
}

std::string MeasurementFile::describe() const {
  std::string text;
  for (const auto &record : records)
    text += (text.empty() ? "@" : ", @") + record->function + " (" +
            record->program + ") for " + record->target;
  return text.empty() ? "nothing" : text;
}
