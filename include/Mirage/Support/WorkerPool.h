//===- WorkerPool.h - Loops over threads ------------------------*- C++ -*-===//
//
// Runs the iterations of a loop on a fixed number of threads. Work inside of an
// iteration that asks for more threads runs on its own.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SUPPORT_WORKERPOOL_H
#define MIRAGE_SUPPORT_WORKERPOOL_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>
#include <memory>

namespace mirage {

class WorkerPool {
public:
  /// Makes a pool of `threads` threads; zero stands for as many as the machine
  /// has.
  explicit WorkerPool(unsigned threads = 0);
  ~WorkerPool();

  /// Calls body(i) for each i in [0, count), in any order.
  void forEach(int64_t count, llvm::function_ref<void(int64_t)> body);

private:
  struct Impl;
  unsigned threads;
  std::unique_ptr<Impl> impl;
};

} // namespace mirage

#endif // MIRAGE_SUPPORT_WORKERPOOL_H
