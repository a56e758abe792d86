//===- SearchClock.h - When a search ends -----------------------*- C++ -*-===//
//
// A deadline and Ctrl-C cut a search: nothing more is generated then, and after
// some seconds of grace, in which what was found is made something of, nothing
// more is verified either.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_SEARCHCLOCK_H
#define MIRAGE_SEARCH_SEARCHCLOCK_H

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>

namespace mirage::search {

/// All questions may be asked from any thread.
class SearchClock {
public:
  /// Starts now. `deadline` is in seconds, zero for none; `stop` becomes true
  /// when a user interrupts the search, if it is there.
  SearchClock(double deadline, const std::atomic<bool> *stop)
      : deadline(deadline), stop(stop) {}

  double getSeconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                         begin)
        .count();
  }

  /// Returns whether nothing more is to be generated. Once it is so, it stays
  /// so.
  bool isOver() {
    if (wasCut())
      return true;
    if (!(stop && *stop) && !(deadline > 0 && getSeconds() > deadline))
      return false;
    double never = kNever;
    cutSeconds.compare_exchange_strong(never, getSeconds());
    return true;
  }

  /// Returns the seconds until the deadline, infinity if there is none.
  double getSecondsLeft() const {
    return deadline > 0 ? deadline - getSeconds() : kNever;
  }

  /// Moves the deadline to at least so many seconds from the beginning. No
  /// other thread may ask meanwhile, and isOver() must not have said so.
  void prolong(double seconds) {
    if (deadline > 0)
      deadline = std::max(deadline, seconds);
  }

  /// Returns whether a search that was cut has no time left to make something
  /// of what was generated.
  bool isGraceOver() { return isOverSince(kGrace); }

  /// Returns whether a search was cut, and so many seconds have passed since.
  bool isOverSince(double seconds) {
    return isOver() && getSeconds() > cutSeconds + seconds;
  }

  /// Returns whether it was someone who ended the search, and not the deadline.
  bool wasInterrupted() const { return stop && *stop; }

  /// Returns whether isOver() has said so.
  bool wasCut() const { return cutSeconds < kNever; }

private:
  /// Seconds after a cut.
  static constexpr double kGrace = 10;
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  double deadline;
  const std::atomic<bool> *stop;
  std::chrono::steady_clock::time_point begin =
      std::chrono::steady_clock::now();
  /// The time at which the search was cut.
  std::atomic<double> cutSeconds = kNever;
};

} // namespace mirage::search

#endif // MIRAGE_SEARCH_SEARCHCLOCK_H
