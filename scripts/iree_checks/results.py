"""Compares results with what mirage-run --batch --check-bounds wrote."""

import math
import os

from mirage_cpu import Array


class Wrong(Exception):
    """A result or an executable is not what it must be."""


def read_values(path):
    return Array.read_npy(path).values()


def read_bounds(folder, number):
    """What the error of each element may be. Where no bound is derived, as behind masks
    of infinity, it is a part of the largest element."""
    exact = read_values(os.path.join(folder, f"exact{number}.npy"))
    scale = max(map(abs, exact), default=0.0) * 2**-7
    return exact, [bound if math.isfinite(bound) else scale for bound in
                   read_values(os.path.join(folder, f"bound{number}.npy"))]


def compare(results, folder):
    """The largest part of what it may be that an element's error is."""
    worst = 0.0
    for number, result in enumerate(results):
        exact, bounds = read_bounds(folder, number)
        values = read_values(result)
        if len(values) != len(exact):
            raise Wrong(f"result {number} has {len(values)} elements")
        for i, (value, e, bound) in enumerate(zip(values, exact, bounds)):
            if not abs(value - e) <= bound:
                raise Wrong(f"result {number}, element {i} is {value}, not {e} with an "
                            f"error of {bound}")
            if bound:
                worst = max(worst, abs(value - e) / bound)
    return worst
