//===- SearchState.cpp - What a search has generated so far ---------------===//
//
// Units are stored as lists of numbers, in the order of `visit`, which reads
// and writes alike. A checksum says that a list was written by this code.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/SearchState.h"
#include "Mirage/MuGraph/Comparison.h"
#include "Mirage/Search/Superoptimizer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/xxhash.h"

using namespace mirage;
using namespace mirage::search;

/// The version of the format and of the order in which the generator numbers
/// its units. It is raised when either changes.
static constexpr int64_t kVersion = 10;

namespace {

struct Writer {
  llvm::json::Array numbers;

  template <typename T> void number(T &value) {
    numbers.push_back(static_cast<int64_t>(value));
  }
  template <typename List> size_t size(List &list) {
    numbers.push_back(static_cast<int64_t>(list.size()));
    return list.size();
  }
};

struct Reader {
  llvm::ArrayRef<llvm::json::Value> numbers;
  bool isBroken = false;

  int64_t next() {
    std::optional<int64_t> value;
    if (!numbers.empty()) {
      value = numbers.front().getAsInteger();
      numbers = numbers.drop_front();
    }
    isBroken |= !value;
    return value.value_or(0);
  }
  template <typename T> void number(T &value) {
    value = static_cast<T>(next());
  }
  template <typename List> size_t size(List &list) {
    size_t size = std::min<size_t>(next(), numbers.size());
    list.resize(size);
    return size;
  }
};

} // namespace

template <typename Archive, typename List>
static void visitNumbers(Archive &archive, List &list) {
  archive.size(list);
  for (auto &value : list)
    archive.number(value);
}

/// A maximum is one more than the number of the value that holds it, and zero
/// stands for none.
template <typename Archive> static void visit(Archive &archive, Shift &shift) {
  unsigned number = shift ? shift.getValue() + 1 : 0;
  archive.number(number);
  shift = number ? Shift::ofValue(number - 1) : Shift();
}

template <typename Archive>
static void visit(Archive &archive, RegionId &region) {
  uint8_t number = region.getNumber();
  archive.number(number);
  region = RegionId::fromNumber(number);
}

template <typename Archive>
static void visit(Archive &archive, LaunchGraph &launch) {
  visitNumbers(archive, launch.gridAxes);
  archive.size(launch.loops);
  for (LoopChoice &loop : launch.loops) {
    archive.number(loop.axis);
    visit(archive, loop.parent);
  }
  archive.size(launch.loads);
  for (LoadChoice &load : launch.loads) {
    archive.number(load.tensor);
    visitNumbers(archive, load.dims);
    visit(archive, load.region);
  }
  archive.size(launch.operators);
  for (BlockOperator &op : launch.operators)
    for (uint8_t *field : {&op.formId, &op.first, &op.second, &op.reduced,
                           &op.third, &op.isExchanged})
      archive.number(*field);
  archive.size(launch.values);
  for (LaunchGraph::Value &value : launch.values) {
    visitNumbers(archive, value.dims);
    visit(archive, value.phase.region);
    archive.number(value.phase.step);
    visit(archive, value.shift);
  }
  visitNumbers(archive, launch.outputs);
}

template <typename Archive>
static void visit(Archive &archive, SearchState::Unit &unit) {
  GeneratorStatistics &counts = unit.statistics;
  for (uint64_t *count :
       {&counts.states, &counts.prunedExpression, &counts.prunedDeadEnd,
        &counts.prunedRecomputation, &counts.prunedOrder, &counts.prunedMemory,
        &counts.prunedSizes, &counts.complete, &counts.configurations,
        &counts.cut, &counts.lacking, &unit.prunedCost})
    archive.number(*count);
  archive.size(unit.found);
  for (Candidate &candidate : unit.found) {
    archive.size(candidate.launches);
    for (LaunchGraph &launch : candidate.launches)
      visit(archive, launch);
    visitNumbers(archive, candidate.results);
    archive.number(candidate.isPartial);
  }
}

SearchState::Key SearchState::getKey(const MuGraph &program,
                                     const SearchOptions &options) {
  Key key = {{"program", llvm::utohexstr(structuralHash(program))},
             {"target", options.target.chip}};
  for (const TargetField &field : getTargetFields())
    key.push_back({llvm::formatv("target's {0}", field.name),
                   std::to_string(options.target.*field.member)});
  auto add = [&](llvm::StringRef name, uint64_t value) {
    key.push_back({name.str(), std::to_string(value)});
  };
  add("limit of block operators", options.limits.blockOperators);
  add("limit of outputs", options.limits.outputs);
  add("limit of kernels", options.kernels);
  add("limit of grid dimensions", options.gridDims);
  add("limit of loops", options.loops);
  add("limit of passes", options.passes);
  add("pruning by expressions", static_cast<uint64_t>(options.limits.prune));
  add("canonical order", options.limits.canonicalOrder);
  return key;
}

const SearchState::Unit *SearchState::find(Phase phase, uint64_t number) const {
  auto found = units.find({phase, number});
  return found == units.end() ? nullptr : &found->second;
}

void SearchState::add(Phase phase, uint64_t number, Unit unit) {
  units.insert_or_assign({phase, number}, std::move(unit));
}

static std::string getChecksum(const llvm::json::Value &units) {
  return llvm::utohexstr(llvm::xxh3_64bits(llvm::formatv("{0}", units).str()));
}

llvm::json::Value SearchState::toJSON(const Key &key) const {
  llvm::json::Object keyObject;
  for (const auto &[name, value] : key)
    keyObject[name] = value;
  llvm::json::Array list;
  for (const auto &[where, unit] : units) {
    Writer writer;
    writer.number(where.first);
    writer.number(where.second);
    visit(writer, const_cast<Unit &>(unit));
    list.push_back(std::move(writer.numbers));
  }
  llvm::json::Value unitList(std::move(list));
  std::string checksum = getChecksum(unitList);
  return llvm::json::Object{{"version", kVersion},
                            {"key", std::move(keyObject)},
                            {"units", std::move(unitList)},
                            {"checksum", std::move(checksum)}};
}

std::optional<SearchState> SearchState::fromJSON(const llvm::json::Value &value,
                                                 const Key &key,
                                                 std::string &problem) {
  const llvm::json::Object *object = value.getAsObject();
  const llvm::json::Object *known = object ? object->getObject("key") : nullptr;
  const llvm::json::Array *list = object ? object->getArray("units") : nullptr;
  if (!known || !list) {
    problem = "it holds no state of a search";
    return std::nullopt;
  }
  if (object->getInteger("version") != kVersion) {
    problem =
        llvm::formatv("it has version {0}, where this is {1}",
                      object->getInteger("version").value_or(0), kVersion);
    return std::nullopt;
  }
  for (const auto &[name, value] : key) {
    llvm::StringRef other = known->getString(name).value_or("nothing");
    if (other != value) {
      problem = llvm::formatv("the {0} differs: {1} there, {2} here", name,
                              other, value);
      return std::nullopt;
    }
  }
  SearchState state;
  bool isBroken = object->getString("checksum") !=
                  llvm::StringRef(getChecksum(llvm::json::Array(*list)));
  for (const llvm::json::Value &entry : *list) {
    if (isBroken || !entry.getAsArray())
      break;
    Reader reader{*entry.getAsArray()};
    auto phase = static_cast<Phase>(reader.next());
    uint64_t number = reader.next();
    Unit unit;
    visit(reader, unit);
    isBroken |= reader.isBroken;
    state.units.emplace(std::pair(phase, number), std::move(unit));
  }
  if (isBroken) {
    problem = "it is damaged: its checksum is another one";
    return std::nullopt;
  }
  return state;
}
