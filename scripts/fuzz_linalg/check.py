"""Runs programs in four ways and compares every element of the results.

  original   stock passes and mlir-runner, on the program as it was generated
  converted  --convert-linalg-to-mirage, then mirage-run's interpreter
  fissioned  --mirage-fission too, then the interpreter
  out        --convert-mirage-to-linalg too, then stock passes and mlir-runner

mirage-run derives how far a result that is computed in f32 and rounded to the
program's storage types may be from the exact one (--check-bounds); nothing
else is a tolerance.
"""

import dataclasses
import math
import os
import re
import shutil
import subprocess
import tempfile

import mirage_cpu
from mirage_cpu import Array, ToolError

from .kinds import KINDS
from .program import print_function

# Two evaluations in f64 differ by at most the bounds for f32, times the ratio
# of the unit roundoffs, 2^-29.
F64_RATIO = 2.0 ** -29


@dataclasses.dataclass
class Failure:
    # "opaque", "error" or "differs".
    kind: str
    message: str


class Checker:
    def __init__(self, tools):
        self.tools = tools
        self.unbounded = self.elements = 0

    def tool(self, name, *arguments):
        command = [os.path.join(self.tools, name), *arguments]
        ran = subprocess.run(command, capture_output=True, text=True)
        if ran.returncode:
            raise ToolError(f"{name} {' '.join(arguments[1:])}: "
                            f"{ran.stderr.strip()[:3000]}")
        return ran.stdout

    def check(self, programs, seed):
        """One Failure or None for each program."""
        try:
            return self._check_batch(programs, seed)
        except ToolError as error:
            if len(programs) == 1:
                return [Failure("error", str(error))]
            half = len(programs) // 2
            return (self.check(programs[:half], seed) +
                    self.check(programs[half:], seed))

    def _check_batch(self, programs, seed):
        names = [f"p{i}" for i in range(len(programs))]
        texts = [print_function(p, KINDS, n) for p, n in zip(programs, names)]
        failures = dict.fromkeys(names)
        with tempfile.TemporaryDirectory() as folder:
            converted = self._convert(folder, "".join(texts))
            for name in names:
                left = sorted(set(re.findall(
                    r"\b((?:linalg|tensor|arith|math|scf)\.[\w.]+)",
                    converted.get(name, ""))))
                if left or name not in converted:
                    failures[name] = Failure(
                        "opaque", "stays opaque: " + ", ".join(left))
            kept = [n for n in names if not failures[n]]
            if kept:
                original = "".join(t for t, n in zip(texts, names) if n in kept)
                self._run(folder, kept, original, converted, seed, failures)
        return [failures[n] for n in names]

    def _convert(self, folder, text):
        """The text of each function after conversion."""
        path = os.path.join(folder, "original.mlir")
        with open(path, "w") as file:
            file.write(text)
        out = self.tool("mirage-opt", path, "--convert-linalg-to-mirage")
        return dict((m.group(1), m.group(0)) for m in re.finditer(
            r"^  func\.func @(\w+)\(.*?^  }\n", out, re.M | re.S))

    def _run(self, folder, names, original, converted, seed, failures):
        path = os.path.join(folder, "converted.mlir")
        with open(path, "w") as file:
            file.write("".join(converted[n] for n in names))
        first = os.path.join(folder, "converted")
        self.tool("mirage-run", path, f"--batch={first}", "--check-bounds",
                  "--distribution=uniform", f"--seed={seed}")

        fissioned = os.path.join(folder, "fissioned.mlir")
        self.tool("mirage-opt", path, "--mirage-fission", "-o", fissioned)
        second = os.path.join(folder, "fissioned")
        for name in names:
            os.makedirs(os.path.join(second, name))
            for file in os.listdir(os.path.join(first, name)):
                if file.startswith("input"):
                    shutil.copy(os.path.join(first, name, file),
                                os.path.join(second, name, file))
        self.tool("mirage-run", fissioned, f"--batch={second}",
                  "--check-bounds")
        out = self.tool("mirage-opt", fissioned, "--convert-mirage-to-linalg")

        calls = []
        for name in names:
            arguments, _ = mirage_cpu.signature(original, name)
            calls.append((name, [
                _read(first, name, "input", i, element)
                for i, (element, _) in enumerate(arguments)]))
        before = mirage_cpu.run_calls(original, calls, optimize=0)
        after = mirage_cpu.run_calls(out, calls, optimize=0)
        for (name, _), b, a in zip(calls, before, after):
            failures[name] = self._compare(name, first, second, b, a)

    def _compare(self, name, first, second, before, after):
        for i, (b, a) in enumerate(zip(before, after)):
            exact, bound = _bounds(first, name, i)
            exact2, bound2 = _bounds(second, name, i)
            both = [F64_RATIO * (x + y) for x, y in zip(bound, bound2)]
            for what, values, centre, limits in (
                    ("the original", b.values(), exact, bound),
                    ("the converted program",
                     _read(first, name, "result", i, b.type).values(), exact,
                     bound),
                    ("the fissioned program in f64", exact2, exact, both),
                    ("the fissioned program",
                     _read(second, name, "result", i, b.type).values(), exact2,
                     bound2),
                    ("the program sent out", a.values(), exact2, bound2)):
                for element, (v, c, l) in enumerate(zip(values, centre, limits)):
                    self.elements += 1
                    if not l < math.inf:
                        self.unbounded += 1
                    elif not (v == c or abs(v - c) <= l or (v != v and c != c)):
                        return Failure("differs", (
                            f"{what}: element {element} of result {i} is {v!r}, "
                            f"not {c!r} with an error of at most {l:.3g}"))
        return None


def _read(folder, name, prefix, number, element):
    array = Array.read_npy(os.path.join(folder, name, f"{prefix}{number}.npy"))
    if array.type == element:
        return array
    return Array.from_values(element, array.shape, array.values())


def _bounds(folder, name, number):
    return (_read(folder, name, "exact", number, "f64").values(),
            _read(folder, name, "bound", number, "f64").values())
