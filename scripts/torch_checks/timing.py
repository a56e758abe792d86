"""The check of how many calls a CUDA graph that is timed has."""

from mirage import measurement

from .derived import expect


def check_timed_calls():
    """Calls of some microseconds are timed many at a time, and long ones alone."""
    for microseconds in (0.0, 0.5, 3.0, 7.0, 33.4, 99.0):
        calls = measurement.count_calls(microseconds)
        expect(calls * max(microseconds, 1.0) >= 100.0 > (calls - 1) * max(microseconds, 1.0),
               f"a graph of calls of {microseconds} µs has {calls}")
    expect([measurement.count_calls(time) for time in (100.0, 2500.0)] == [1, 1],
           "a long call is timed several times in one graph")
    return "short calls are timed many at a time"
