//===- WorkerPool.cpp - Loops over threads --------------------------------===//
//
// Implements the pool: threads take iterations from a common counter.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Support/WorkerPool.h"
#include "llvm/Support/ThreadPool.h"
#include <atomic>

using namespace mirage;

/// True while this thread works on an iteration.
static thread_local bool isBusy = false;

struct WorkerPool::Impl {
  explicit Impl(unsigned threads) : pool(llvm::hardware_concurrency(threads)) {}
  llvm::DefaultThreadPool pool;
};

WorkerPool::WorkerPool(unsigned requested)
    : threads(requested ? requested
                        : llvm::hardware_concurrency().compute_thread_count()) {
  // The calling thread works, too.
  if (threads > 1)
    impl = std::make_unique<Impl>(threads - 1);
}

WorkerPool::~WorkerPool() = default;

void WorkerPool::forEach(int64_t count,
                         llvm::function_ref<void(int64_t)> body) {
  if (threads == 1 || count <= 1 || isBusy) {
    for (int64_t i = 0; i < count; ++i)
      body(i);
    return;
  }
  std::atomic<int64_t> next = 0;
  auto work = [&] {
    isBusy = true;
    for (int64_t i; (i = next.fetch_add(1)) < count;)
      body(i);
    isBusy = false;
  };
  llvm::ThreadPoolTaskGroup group(impl->pool);
  int64_t helpers = std::min<int64_t>(threads, count) - 1;
  for (int64_t i = 0; i < helpers; ++i)
    group.async(work);
  work();
  group.wait();
}
