#!/usr/bin/env python3
"""Takes programs in and out of Mirage, tabulates it, and compares results.

    check-corpus.py [options] program.mlir ...

Of each file's first function a row of the table says

  ops       operations in its body, constants and empty tensors aside
  mirage    operations of mirage_kernel after --convert-linalg-to-mirage and
            --mirage-raise-composites
  parts     subprograms that --mirage-partition outlines
  mirage-run, sent back
            greatest difference from the original that stock mlir-runner ran,
            of the converted program in the interpreter, and of the program
            that --convert-mirage-to-linalg sent back, in mlir-runner too;
            in units of what is allowed: above 1 is wrong
  opaque    what the conversion left, by name

All three run on the same random inputs. A difference is relative to the
largest element of its result, and this is allowed:

  f32    1e-5: 168 roundings, where products here sum at most some 50 terms.
  f16    Values that agree to the f32 bound still differ by one unit in the
         last place, at most 2^-10 of the largest element, where a rounding to
         storage falls on another side or is left out, as a recognized norm
         does that stays in f32. Of d roundings in a program each adds a
         difference that is independent of the others', so that they grow as
         the square root of d: (1 + sqrt(d)) 2^-10, and 2^-7 for bf16.

The exit status is 1 if a tool fails or a result is wrong. A program with
operations left cannot run in the interpreter, which is no failure.
"""

import argparse
import collections
import concurrent.futures
import glob
import math
import os
import re
import sys
import tempfile

from mirage_cpu import (Array, ToolError, execute, find_functions, find_tool,
                        random_inputs, run)

TOSA_TO_LINALG = ("builtin.module(func.func(tosa-make-broadcastable,"
                  "tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,"
                  "tosa-to-tensor),canonicalize,cse)")
# What every program has and no compiler needs to understand.
GLUE = {"arith.constant", "tensor.empty", "func.return", "func.call"}


def come_in(options):
    """The passes; the last one removes constants of operations that are gone."""
    convert = "--convert-linalg-to-mirage"
    if options.assume_assertions:
        convert += "=assume-assertions"
    return [convert, "--mirage-raise-composites", "--canonicalize"]


def find_mirage_tool(name, folder):
    """In the folder that was asked for, on PATH, or in the tree's own build."""
    built = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "build",
                         "release", "bin")
    for path in [os.path.join(folder, name)] if folder else [name, os.path.join(built, name)]:
        try:
            return find_tool(path)
        except ToolError:
            pass
    raise ToolError(f"{name} is not built")


def count_operations(text):
    """Operations in the bodies of functions, not in those of operations.

    The printer indents a function's operations by four spaces.
    """
    counts = collections.Counter()
    for name in re.findall(r'^    (?:%\S+(?:, %\S+)* = )?"?([a-z]\w*(?:\.\w+)*)"?(?=[\s(])',
                           text, re.M):
        counts[name if "." in name else f"func.{name}"] += 1
    return counts


def difference(expected, actual, allowed):
    """Greatest difference of two results, in units of what is allowed."""
    worst = 0.0
    if len(expected) != len(actual):
        raise ToolError(f"{len(actual)} results instead of {len(expected)}")
    for left, right in zip(expected, actual):
        left, right = left.values(), right.values()
        if len(left) != len(right):
            raise ToolError("a result has another size")
        if not all(map(math.isfinite, left)):
            raise ToolError("the original's result is not finite")
        largest = max(map(abs, left), default=0)
        greatest = max((abs(a - b) if math.isfinite(b) else math.inf
                        for a, b in zip(left, right)), default=0)
        if greatest:
            worst = max(worst, greatest / (largest * allowed) if largest else math.inf)
    return worst


def allowed_difference(text):
    """Relative to the largest element; see above."""
    for type, unit in (("bf16", 2.0 ** -7), ("f16", 2.0 ** -10)):
        roundings = len(re.findall(
            rf"arith\.(?:add|sub|mul|div)f .* : {type}$|math\.\w+ .* : {type}$|"
            rf"arith\.truncf .* to {type}$", text, re.M))
        if roundings:
            return (1 + math.sqrt(roundings)) * unit
    return 1e-5


def interpret(tool, text, entry, inputs):
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "program.mlir")
        with open(program, "w") as file:
            file.write(text)
        command = [tool, program, f"--entry={entry}", f"--output={folder}/out",
                   "--threads=1"]
        for number, array in enumerate(inputs):
            path = os.path.join(folder, f"{number}.npy")
            array.write_npy(path)
            command.append(f"--input={path}")
        execute(command)
        outputs = len(glob.glob(f"{folder}/out/result*.npy"))
        return [Array.read_npy(f"{folder}/out/result{i}.npy") for i in range(outputs)]


def check(path, options):
    """A row of the table, and what went wrong."""
    row = {"program": os.path.splitext(os.path.basename(path))[0]}
    problems = []

    def attempt(column, action):
        try:
            return action()
        except (ToolError, ValueError) as error:
            row[column] = "failed"
            problems.append(f"{path}: {column}: {error}")
            return None

    opt = [options.mirage_opt, *come_in(options)]
    with open(path) as file:
        text = file.read()
    normal = attempt("ops", lambda: execute(
        [find_tool("mlir-opt")] +
        ([f"--pass-pipeline={TOSA_TO_LINALG}"] if "tosa." in text else []), text))
    if normal is None:
        return row, problems
    counts = count_operations(normal)
    row["ops"] = sum(n for name, n in counts.items() if name not in GLUE)

    converted = attempt("mirage", lambda: execute(opt, normal))
    if converted is None:
        return row, problems
    counts = count_operations(converted)
    row["mirage"] = sum(n for name, n in counts.items()
                        if name.startswith("mirage_kernel."))
    opaque = {name: n for name, n in counts.items()
              if not name.startswith("mirage_kernel.") and name not in GLUE}
    row["opaque"] = ", ".join(
        f"{name} {n}" if n > 1 else name for name, n in sorted(opaque.items()))
    row["is opaque"] = sum(opaque.values())
    parts = attempt("parts", lambda: execute(
        [*opt, "--mirage-partition"], normal))
    if parts is not None:
        row["parts"] = parts.count("func.func ") - converted.count("func.func ")
    if options.table_only:
        return row, problems

    entry = find_functions(normal)[0]
    inputs = random_inputs(normal, entry, options.seed, options.scale)
    original = attempt("original", lambda: run(normal, entry, inputs, 0))
    if original is None:
        return row, problems
    allowed = allowed_difference(normal)

    def compare(column, action):
        worst = attempt(column, lambda: difference(original, action(), allowed))
        if worst is not None:
            row[column] = f"{worst:.2f}"
            if worst > 1:
                problems.append(f"{path}: {column}: {worst:.2f} times the allowed "
                                f"difference of {allowed:.1e}")

    if opaque:
        row["mirage-run"] = "-"
    else:
        compare("mirage-run", lambda: interpret(
            options.mirage_run, converted, entry, inputs))
    compare("sent back", lambda: run(
        execute([*opt, "--convert-mirage-to-linalg"], normal),
        entry, inputs, 0))
    return row, problems


def print_table(rows, columns):
    lines = [columns] + [[str(row.get(c, "")) for c in columns] for row in rows]
    widths = [max(map(len, column)) for column in zip(*lines)]
    for line in lines:
        cells = [line[0].ljust(widths[0])]
        cells += [cell.rjust(w) for cell, w in zip(line[1:-1], widths[1:-1])]
        print("  ".join(cells + [line[-1]]).rstrip())


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="+")
    parser.add_argument("--tools", help="folder of mirage-opt and mirage-run")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--scale", type=float, default=0.5,
                        help="standard deviation of inputs (0.5)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--assume-assertions", action="store_true",
                        help="take assertions in bodies as given")
    parser.add_argument("--table-only", action="store_true", help="run nothing")
    options = parser.parse_intermixed_args()
    options.mirage_opt = find_mirage_tool("mirage-opt", options.tools)
    options.mirage_run = find_mirage_tool("mirage-run", options.tools)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(lambda path: check(path, options), options.programs))
    columns = ["program", "ops", "mirage", "parts", "mirage-run", "sent back", "opaque"]
    if options.table_only:
        columns = columns[:4] + columns[-1:]
    print_table([row for row, _ in results], columns)
    problems = [problem for _, found in results for problem in found]
    for problem in problems:
        print(problem)
    opaque = sum(bool(row.get("is opaque")) for row, _ in results)
    print(f"{len(results)} programs, {opaque} with opaque operations, "
          f"{len(problems)} problems")
    return bool(problems)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except ToolError as error:
        sys.exit(f"error: {error}")
