//===- SearchState.h - What a search has generated so far -------*- C++ -*-===//
//
// A search that was cut continues from its state: for each configuration and
// interface that was done, what it led to. Sizes are chosen and candidates
// verified anew, so that a state is never a reason to accept anything.
//
// A state belongs to one program, target and set of limits, its key. The limit
// of states is none of them: units are numbered by it.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_SEARCHSTATE_H
#define MIRAGE_SEARCH_SEARCHSTATE_H

#include "Mirage/Search/Launches/BlockGenerator.h"
#include "llvm/Support/JSON.h"
#include <map>

namespace mirage::search {

struct SearchOptions;

class SearchState {
public:
  enum Phase : uint8_t { kSingle, kFirst, kSecond, kLoops };

  /// The results of a configuration or of an interface: candidates, or first
  /// kernels alone.
  struct Unit {
    std::vector<Candidate> found;
    GeneratorStatistics statistics;
    uint64_t prunedCost = 0;
  };

  /// The names and values of all that the units of a program's search depend
  /// on.
  using Key = std::vector<std::pair<std::string, std::string>>;
  static Key getKey(const MuGraph &program, const SearchOptions &options);

  /// Returns null if the unit was not done.
  const Unit *find(Phase phase, uint64_t number) const;
  void add(Phase phase, uint64_t number, Unit unit);

  /// Writes the state under its key, with a checksum.
  llvm::json::Value toJSON(const Key &key) const;
  /// Reads a state. Fails with what is wrong: another version, another key, or
  /// damage.
  static std::optional<SearchState> fromJSON(const llvm::json::Value &value,
                                             const Key &key,
                                             std::string &problem);

private:
  std::map<std::pair<Phase, uint64_t>, Unit> units;
};

} // namespace mirage::search

#endif // MIRAGE_SEARCH_SEARCHSTATE_H
