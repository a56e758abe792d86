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

const RecordedTiling *RecordedChain::find(StringRef tiling) const {
  auto entry = numbers.find(tiling);
  return entry == numbers.end() ? nullptr : &tilings[entry->second];
}

bool RecordedChain::add(RecordedTiling tiling) {
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

static bool readChain(const json::Value &value, RecordedChain &chain,
                      json::Path path) {
  json::ObjectMapper mapper(value, path);
  std::vector<RecordedTiling> tilings;
  if (!mapper || !mapper.map("function", chain.function) ||
      !mapper.map("program", chain.program) ||
      !mapper.map("target", chain.target) ||
      !mapper.map("device", chain.device) || !mapper.map("tilings", tilings))
    return false;
  for (auto [i, tiling] : llvm::enumerate(tilings))
    if (!chain.add(std::move(tiling))) {
      path.field("tilings").index(i).field("tiling").report(
          "measured a second time");
      return false;
    }
  return true;
}

LogicalResult MeasurementFile::read(Location loc) {
  chains.clear();
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
    auto chain = std::make_unique<RecordedChain>();
    if (!::readChain(entry, *chain, all.index(i)))
      return fail(llvm::toString(root.getError()));
    if (find(chain->program, chain->target))
      return fail(path + " has measurements of @" + chain->function +
                  " twice for " + chain->target);
    chains.push_back(std::move(chain));
  }
  wasRead = true;
  return success();
}

LogicalResult MeasurementFile::write(Location loc) const {
  if (!isInUse())
    return success();
  json::Array functions;
  for (const auto &chain : chains) {
    json::Array tilings;
    for (const RecordedTiling &tiling : chain->getTilings())
      tilings.push_back(toJSON(tiling));
    functions.push_back(json::Object{{"function", chain->function},
                                     {"program", chain->program},
                                     {"target", chain->target},
                                     {"device", chain->device},
                                     {"tilings", std::move(tilings)}});
  }
  json::Value value =
      json::Object{{"version", version}, {"functions", std::move(functions)}};
  return writeOptionFile(loc, "measurements", path, [&](llvm::raw_ostream &os) {
    os << llvm::formatv("{0:2}\n", value);
  });
}

RecordedChain *MeasurementFile::find(StringRef program, StringRef target) {
  for (const auto &chain : chains)
    if (chain->program == program && chain->target == target)
      return chain.get();
  return nullptr;
}

RecordedChain &MeasurementFile::add(StringRef function, StringRef program,
                                    StringRef target, StringRef device) {
  auto chain = std::make_unique<RecordedChain>();
  chain->function = function.str();
  chain->program = program.str();
  chain->target = target.str();
  chain->device = device.str();
  chains.push_back(std::move(chain));
  return *chains.back();
}

std::string MeasurementFile::describe() const {
  std::string text;
  for (const auto &chain : chains)
    text += (text.empty() ? "@" : ", @") + chain->function + " (" +
            chain->program + ") for " + chain->target;
  return text.empty() ? "nothing" : text;
}
