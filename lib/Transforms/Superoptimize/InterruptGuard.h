//===- InterruptGuard.h - Ctrl-C as a request to finish ---------*- C++ -*-===//
//
// While a guard exists, the first SIGINT sets a flag instead of ending the
// process, and gives the signal back to whoever had it: the second one does
// what it did before. A guard may also leave the signal alone.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TRANSFORMS_SUPEROPTIMIZE_INTERRUPTGUARD_H
#define MIRAGE_LIB_TRANSFORMS_SUPEROPTIMIZE_INTERRUPTGUARD_H

#include <atomic>

namespace mirage {

class InterruptGuard {
public:
  /// Takes the signal if `isActive`. Otherwise nothing is changed, and the flag
  /// stays false.
  explicit InterruptGuard(bool isActive = true);
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard &) = delete;
  InterruptGuard &operator=(const InterruptGuard &) = delete;

  /// Becomes true at a SIGINT, for all active guards of the process.
  const std::atomic<bool> &getFlag() const;
  bool isActive() const { return active; }

private:
  bool active;
};

} // namespace mirage

#endif // MIRAGE_LIB_TRANSFORMS_SUPEROPTIMIZE_INTERRUPTGUARD_H
