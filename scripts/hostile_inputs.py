#!/usr/bin/env python3
"""Runs functions and what replaced them on inputs with which divisions go wrong.

  mirage-opt program.mlir --mirage-optimize=keep-original -o optimized.mlir
  scripts/hostile_inputs.py optimized.mlir

Of each function with an attribute mirage.equivalent_to, one argument at a time has
a zero row, a zero column, tiles of zeros, one row or column that is not zero, one
huge element, tiny elements, or equal ones; the others are normal. It and the
original that it names are run in float64 and in storage precision. A candidate
that is accepted is held to what docs/Verification.md promises:

  - where the original is finite in float64, the candidate is as well;
  - where the original is finite in storage precision, too, the candidate is, but
    for an element that the allowed error takes beyond the type's largest number;
  - there its error is at most 16 times the original's, or 16 times the rounding
    of the result's type, each relative to the result's largest element.

Where the original is not finite, nothing is asked. Where a huge element makes the
original overflow, it depends on the order of products which elements overflow, so
that the element is made smaller until the original overflows no more.

An original may be exact by luck, as where equal elements are subtracted from their
mean and the difference is divided by their deviation. So an element whose error is
larger than allowed, but within the bound that mirage-run derives for the original,
or finite where there is no finite bound, is counted as imprecise and is no problem.
"""

import argparse
import collections
import dataclasses
import itertools
import math
import os
import shutil
import re
import subprocess
import sys
import tempfile
import time

import mirage_cpu
from mirage_cpu import Array, ToolError
from rewrites import functions

FACTOR = 16
TILES = [64, 128, 256]
# Arguments that are smaller have no tiles.
MIN_ELEMENTS = 32
# Half the distance from one to the next number, and the largest number.
ROUNDING = {"f64": 2.0 ** -53, "f32": 2.0 ** -24, "f16": 2.0 ** -11,
            "bf16": 2.0 ** -8, "f8E4M3FN": 2.0 ** -4, "f8E5M2": 2.0 ** -3}
LARGEST = {"f64": 1.7976931348623157e308, "f32": 3.4028234663852886e38,
           "f16": 65504.0, "bf16": 3.3895313892515355e38, "f8E4M3FN": 448.0,
           "f8E5M2": 57344.0}
# An element whose square overflows in f16 and does not in f32.
HUGE = {"f16": 6e4, "f8E4M3FN": 400.0, "f8E5M2": 5e4}
SMALLEST_HUGE = 16
TINY = 1e-6


# --- Inputs -----------------------------------------------------------------


@dataclasses.dataclass
class Change:
    """A function that changes a list of elements in place. If there is a size, it
    takes that, too."""
    name: str
    function: object
    size: float = None

    def apply(self, array, size):
        values = list(array.values())
        self.function(values, *([size] if self.size else []))
        return Array.from_values(array.type, array.shape, values)


def _lines(shape, dim):
    """(first element, step) of each line along a dimension."""
    step = math.prod(shape[dim + 1:])
    for outer in range(math.prod(shape[:dim])):
        for inner in range(step):
            yield outer * shape[dim] * step + inner, step


def _set_zero(values, shape, dim, is_zero):
    """Elements are zero by the number of their line and their place in it."""
    for number, (start, step) in enumerate(_lines(shape, dim)):
        for place in range(shape[dim]):
            if is_zero(number, place):
                values[start + place * step] = 0.0


def _make_zeros(shape):
    """Changes of a tensor to zero in some places."""
    rank = len(shape)
    for dim, line in ((rank - 1, "row"), (rank - 2, "column")):
        if rank == 1 or dim < 0:
            continue
        chosen = math.prod(shape) // shape[dim] // 3
        yield Change(f"a zero {line}", lambda v, d=dim, c=chosen: _set_zero(
            v, shape, d, lambda number, _: number == c))
        yield Change(f"zeros but for one {line}", lambda v, d=dim, c=chosen:
                     _set_zero(v, shape, d, lambda number, _: number != c))
    for dim in range(max(0, rank - 2), rank):
        for size in TILES:
            tiles = shape[dim] // size
            if size < shape[dim]:
                yield Change(
                    f"zero tiles of {size} along dimension {dim}",
                    lambda v, d=dim, s=size, t=tiles: _set_zero(
                        v, shape, d, lambda number, place: place // s == number % t))


def _make_changes(element, shape):
    def set_all(values, function):
        values[:] = [function(v) for v in values]

    def set_huge(values, size):
        values[len(values) // 3] = size

    yield from _make_zeros(shape)
    yield Change("one huge element", set_huge, HUGE.get(element, 1e15))
    yield Change("tiny elements", lambda v: set_all(v, lambda x: x * TINY))
    yield Change("equal elements", lambda v: set_all(v, lambda _: 0.75))
    yield Change("zeros alone", lambda v: set_all(v, lambda _: 0.0))


# --- Runs -------------------------------------------------------------------


@dataclasses.dataclass
class Results:
    """One result of a function: in storage precision, in float64, and how far
    from the latter rounding may take the former."""
    type: str
    stored: tuple
    exact: tuple
    bound: tuple


class Runner:
    """Runs functions of a module on the same arguments, which are normal but
    for those that are given."""

    def __init__(self, folder, mirage_run, module, names):
        self.folder, self.mirage_run, self.names = folder, mirage_run, names
        self.path = os.path.join(folder, "pair.mlir")
        with open(self.path, "w") as file:
            file.write(module)
        self.arguments, self.results = mirage_cpu.signature(module, names[0])
        # Files of the arguments that are not given, once there are any.
        self.normal = None

    def run(self, given=None):
        """For each function, a list of Results. `given` has arguments by number."""
        given = given or {}
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            for name in self.names:
                os.mkdir(os.path.join(folder, name))
                for i in range(len(self.arguments)):
                    path = os.path.join(folder, name, f"input{i}.npy")
                    if i in given:
                        given[i].write_npy(path)
                    elif self.normal:
                        os.link(os.path.join(self.normal, f"input{i}.npy"), path)
            ran = subprocess.run(
                [self.mirage_run, self.path, f"--batch={folder}",
                 "--check-bounds", "--threads=1"], capture_output=True, text=True)
            if ran.returncode:
                raise ToolError(f"mirage-run: {ran.stderr.strip()[:1000]}")
            if not self.normal:
                self.normal = os.path.join(self.folder, "normal")
                shutil.copytree(os.path.join(folder, self.names[0]), self.normal)
            return [[_read_results(os.path.join(folder, name), i, element)
                     for i, (element, _) in enumerate(self.results)]
                    for name in self.names]

    def read_arguments(self):
        """Normal arguments. Types that NumPy lacks are f32 in files, of which
        mirage-run makes the nearest numbers of the type."""
        return [Array.read_npy(os.path.join(self.normal, f"input{i}.npy"))
                for i in range(len(self.arguments))]

    def make_positive(self):
        """Normal arguments become their absolute values."""
        for i, array in enumerate(self.read_arguments()):
            if array.type in ROUNDING:
                Array.from_values(array.type, array.shape, map(
                    abs, array.values())).write_npy(
                        os.path.join(self.normal, f"input{i}.npy"))


def _read_results(folder, number, element):
    return Results(element, *(
        Array.read_npy(os.path.join(folder, f"{name}{number}.npy")).values()
        for name in ("result", "exact", "bound")))


# --- Judgement --------------------------------------------------------------


@dataclasses.dataclass
class Judgement:
    """What is wrong with a result, if anything; whether anything was compared;
    whether an error is larger than allowed, but within the original's bound."""
    problem: str = None
    is_compared: bool = False
    is_imprecise: bool = False


def _get_allowed(original, finite):
    """The error that a candidate may have in an element."""
    largest = max(abs(original.exact[i]) for i in finite)
    error = max(abs(original.stored[i] - original.exact[i]) for i in finite)
    return FACTOR * max(error, ROUNDING[original.type] * largest)


def judge(original, candidate):
    in_f64 = [i for i, x in enumerate(original.exact) if math.isfinite(x)]
    for i in in_f64:
        if not math.isfinite(candidate.exact[i]):
            return Judgement(
                f"element {i} is {candidate.exact[i]} in float64, of the "
                f"original {original.exact[i]:.4g}", True)
    finite = [i for i in in_f64 if math.isfinite(original.stored[i])]
    if not finite:
        return Judgement()
    allowed = _get_allowed(original, finite)
    is_imprecise = False
    for i in finite:
        exact, value = original.exact[i], candidate.stored[i]
        if math.isinf(value):
            if (abs(exact) + allowed >= LARGEST[original.type] and
                    value * exact > 0):
                continue
        elif abs(value - exact) <= allowed:
            continue
        elif not abs(value - exact) > original.bound[i]:
            is_imprecise = True
            continue
        return Judgement(
            f"element {i} is {value:.6g}, exactly {exact:.6g}, of the original "
            f"{original.stored[i]:.6g}; an error of {allowed:.2g} is allowed", True)
    return Judgement(None, True, is_imprecise)


def _overflows(results):
    return any(math.isfinite(exact) and not math.isfinite(stored)
               for result in results
               for exact, stored in zip(result.exact, result.stored))


def _run_change(runner, change, number, array):
    """The change's name, and results of both functions. If it has a size, that is
    made smaller until the original does not overflow."""
    size = change.size
    results = runner.run({number: change.apply(array, size)})
    if not size:
        return change.name, results
    if _overflows(results[0]):
        while size > SMALLEST_HUGE and _overflows(results[0]):
            size /= 16
            results = runner.run({number: change.apply(array, size)})
        # Products in another order may overflow a little earlier.
        size /= 2
        results = runner.run({number: change.apply(array, size)})
    return f"{change.name}, {size:g},", results


def _choose_changes(runner, arguments):
    """(number of an argument, its elements, change), arguments in turn."""
    lists = []
    for number, array in enumerate(runner.read_arguments()[:arguments]):
        element, shape = runner.arguments[number]
        if element in ROUNDING and math.prod(shape) >= MIN_ELEMENTS:
            lists.append([(number, array, change)
                          for change in _make_changes(element, shape)])
    for row in itertools.zip_longest(*lists):
        yield from filter(None, row)


def check_pair(mirage_run, module, original, candidate, arguments, limit=math.inf):
    """Problems of a candidate, and counts. The module is that of the two alone. After
    `limit` seconds no further change is begun; those left out are counted."""
    problems, counts = [], collections.Counter()
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(folder, mirage_run, module, [original, candidate])
        if not any(judge(o, o).is_compared for o in runner.run()[0]):
            # Roots and logarithms of what is not negative.
            runner.make_positive()
        for number, array, change in _choose_changes(runner, arguments):
            if time.monotonic() - start > limit:
                counts["inputs left out"] += 1
                continue
            name, results = _run_change(runner, change, number, array)
            counts["inputs run"] += 1
            for i, pair in enumerate(zip(*results)):
                judgement = judge(*pair)
                counts.update({"results run": 1,
                               "silent": not judgement.is_compared,
                               "imprecise": judgement.is_imprecise})
                if judgement.problem:
                    problems.append(
                        f"@{candidate} with {name} in argument {number}: "
                        f"result {i}: {judgement.problem}")
    return problems, counts


def check(mirage_run, text, arguments=4, limit=math.inf):
    """Problems of all candidates of a module that mirage-opt has printed, and
    counts. The first arguments of each are made hostile, for `limit` seconds."""
    texts = dict(functions(text))
    problems = []
    counts = collections.Counter({"functions run": 0, "wrong when run": 0})
    for candidate, original in re.findall(
            r"@(\w+)\([^\n]*mirage\.equivalent_to = @(\w+)", text):
        module = (texts[original] + texts[candidate]).replace(
            "func.func private", "func.func")
        found, own = check_pair(mirage_run, module, original, candidate,
                                arguments, limit)
        problems += found
        counts.update(own, **{"functions run": 1, "wrong when run": bool(found)})
    return problems, counts


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--tools", default=os.path.join(
        os.path.dirname(os.path.realpath(__file__)), "..", "build", "release",
        "bin"), help="folder of mirage-run")
    parser.add_argument("--arguments", type=int, default=4,
                        help="how many arguments of a function are hostile")
    parser.add_argument("--limit", type=float, default=math.inf, metavar="SECONDS",
                        help="seconds in which inputs are run, for each function")
    options = parser.parse_args()
    with open(options.file) as file:
        problems, counts = check(os.path.join(options.tools, "mirage-run"),
                                 file.read(), options.arguments, options.limit)
    for problem in problems:
        print(problem)
    print(", ".join(f"{count} {what}" for what, count in counts.items()))
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
