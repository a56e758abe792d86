//===- Execution.h - Threads and the end of long work -----------*- C++ -*-===//
//
// An execution is what long work is given by whoever asked for it: the threads
// that it may use, and a question whose answer says that it must end, because a
// deadline has passed or a user has pressed Ctrl-C.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SUPPORT_EXECUTION_H
#define MIRAGE_SUPPORT_EXECUTION_H

#include "Mirage/Support/WorkerPool.h"
#include <atomic>
#include <functional>

namespace mirage {

class Execution {
public:
  /// Work runs on the calling thread, and to its end.
  Execution() = default;
  /// Work runs on the threads of `pool`, which must outlive this object, until
  /// `isOver` says that it is over; without that question, to its end.
  /// `isOver` is asked from any thread.
  explicit Execution(WorkerPool &pool, std::function<bool()> isOver = {})
      : pool(&pool), question(std::move(isOver)) {}
  Execution(const Execution &) = delete;

  /// Returns whether work must end. Once it must, it stays so: what was
  /// computed since has the right shape and no meaning.
  bool isOver() const {
    if (stopped.load(std::memory_order_relaxed))
      return true;
    if (!question || !question())
      return false;
    stopped.store(true, std::memory_order_relaxed);
    return true;
  }

  /// Calls body(i) for each i in [0, count), in any order. When work is over,
  /// the iterations that have not begun are left out.
  void forEach(int64_t count, llvm::function_ref<void(int64_t)> body) const {
    auto unlessOver = [&](int64_t i) {
      if (!isOver())
        body(i);
    };
    if (pool)
      return pool->forEach(count, unlessOver);
    for (int64_t i = 0; i < count; ++i)
      unlessOver(i);
  }

private:
  WorkerPool *pool = nullptr;
  std::function<bool()> question;
  mutable std::atomic<bool> stopped = false;
};

} // namespace mirage

#endif // MIRAGE_SUPPORT_EXECUTION_H
