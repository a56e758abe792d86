"""Compares results with what mirage-run --batch --check-bounds wrote."""

import os

from mirage_cpu import Array


class Wrong(Exception):
    """A result or an executable is not what it must be."""


def read_values(path):
    return Array.read_npy(path).values()


def compare(results, folder):
    """The largest part of its bound that an element's error is."""
    worst = 0.0
    for number, result in enumerate(results):
        exact = read_values(os.path.join(folder, f"exact{number}.npy"))
        bounds = read_values(os.path.join(folder, f"bound{number}.npy"))
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
