//===- OraclePool.h - Oracles for threads -----------------------*- C++ -*-===//
//
// Lends each thread an oracle with what earlier borrowers asked.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_LAUNCHES_ORACLEPOOL_H
#define MIRAGE_SEARCH_LAUNCHES_ORACLEPOOL_H

#include "Mirage/Search/Launches/BlockGenerator.h"
#include <mutex>

namespace mirage::search {

class OraclePool {
public:
  OraclePool(const SearchProblem &problem, Prune prune)
      : problem(problem), prune(prune) {}

  std::unique_ptr<ExpressionOracle> take() {
    {
      std::lock_guard<std::mutex> lock(mutex);
      if (!idle.empty()) {
        auto oracle = std::move(idle.back());
        idle.pop_back();
        return oracle;
      }
    }
    return std::make_unique<ExpressionOracle>(problem, prune);
  }
  void giveBack(std::unique_ptr<ExpressionOracle> oracle) {
    // The oracle's answers can be found out again.
    if (oracle->getNumAnswers() > kMostAnswers)
      return;
    std::lock_guard<std::mutex> lock(mutex);
    idle.push_back(std::move(oracle));
  }

private:
  /// An oracle with more answers, some hundred MiB, is not kept.
  static constexpr size_t kMostAnswers = 400'000;

  const SearchProblem &problem;
  Prune prune;
  std::mutex mutex;
  std::vector<std::unique_ptr<ExpressionOracle>> idle;
};

} // namespace mirage::search

#endif // MIRAGE_SEARCH_LAUNCHES_ORACLEPOOL_H
