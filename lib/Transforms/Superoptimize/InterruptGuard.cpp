//===- InterruptGuard.cpp - Ctrl-C as a request to finish -----------------===//
//
// Implements the guard. A signal handler has no context, so that the state is
// the process's. Guards of several threads share it: the first one takes the
// signal, the last one gives it back.
//
//===----------------------------------------------------------------------===//

#include "InterruptGuard.h"
#include <csignal>
#include <mutex>

using namespace mirage;

static std::atomic<bool> isInterrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free,
              "signal handlers must not wait for a lock");
static const std::atomic<bool> isNeverInterrupted = false;
static struct sigaction previousAction;
static std::mutex mutex;
static unsigned numGuards = 0;

static void handleInterrupt(int) {
  isInterrupted = true;
  sigaction(SIGINT, &previousAction, nullptr);
}

InterruptGuard::InterruptGuard(bool isActive) : active(isActive) {
  if (!active)
    return;
  std::lock_guard<std::mutex> lock(mutex);
  if (numGuards++)
    return;
  isInterrupted = false;
  // A process that was started to ignore the signal goes on ignoring it.
  sigaction(SIGINT, nullptr, &previousAction);
  if (previousAction.sa_handler == SIG_IGN)
    return;
  struct sigaction action = {};
  action.sa_handler = handleInterrupt;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
}

InterruptGuard::~InterruptGuard() {
  if (!active)
    return;
  std::lock_guard<std::mutex> lock(mutex);
  if (--numGuards == 0)
    sigaction(SIGINT, &previousAction, nullptr);
}

const std::atomic<bool> &InterruptGuard::getFlag() const {
  return active ? isInterrupted : isNeverInterrupted;
}
