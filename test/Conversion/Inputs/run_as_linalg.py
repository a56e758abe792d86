"""Runs every function of µGraph programs twice: by mirage-run's interpreter, and
after --convert-mirage-to-linalg by stock passes and mlir-runner. Every element
of the latter must be within the error bound that mirage-run derives for f32
arithmetic and the program's storage types.

usage: run_as_linalg.py source-folder tools-folder work-folder program.mlir...

The environment variable OPTIONS holds options of the conversion.
"""

import math
import os
import shutil
import subprocess
import sys

source, tools, work, *programs = sys.argv[1:]
sys.path.insert(0, os.path.join(source, "scripts"))
import mirage_cpu
from mirage_cpu import Array


def read(folder, prefix, number, element):
    """An array in the element type of the program."""
    array = Array.read_npy(os.path.join(folder, f"{prefix}{number}.npy"))
    if array.type == element:
        return array
    return Array.from_values(element, array.shape, array.values())


def is_within(value, exact, bound):
    if math.isnan(value) or math.isnan(exact):
        return math.isnan(value) and math.isnan(exact)
    return value == exact or abs(value - exact) <= bound


def check_result(name, number, result, folder):
    """Elements that are outside of their bound, and that have none."""
    exact = read(folder, "exact", number, "f64").values()
    bounds = read(folder, "bound", number, "f64").values()
    wrong = unbounded = 0
    for i, (value, e, b) in enumerate(zip(result.values(), exact, bounds)):
        if not b < math.inf:
            unbounded += 1
        elif not is_within(value, e, b):
            if not wrong:
                print(f"{name}: result {number}, element {i} is {value}, "
                      f"not {e} with an error of {b}")
            wrong += 1
    return wrong, unbounded


def run_calls(text, calls):
    """Results of the calls; each function with 8-bit floats by itself."""
    results = {}
    alone = {}
    if "f8E" in text:
        alone = {f: mirage_cpu.keep_functions(text, [f]) for f, _ in calls}
    others = [call for call in calls if "f8E" not in alone.get(call[0], "")]
    for call in calls:
        if call not in others:
            results[call[0]] = mirage_cpu.run_calls(alone[call[0]], [call])[0]
    if others:
        rest = mirage_cpu.keep_functions(text, [f for f, _ in others])
        for (f, _), result in zip(others, mirage_cpu.run_calls(rest, others)):
            results[f] = result
    return [results[f] for f, _ in calls]


def check_program(path):
    name = os.path.basename(path)
    folder = os.path.join(work, name)
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([os.path.join(tools, "mirage-run"), path, "--batch", folder,
                    "--check-bounds"], check=True)
    # Stock mlir-opt, without Mirage's plugin, must take what comes out.
    text = subprocess.run([os.path.join(tools, "mirage-opt"), path,
                           "--convert-mirage-to-linalg=" +
                           os.environ.get("OPTIONS", "")],
                          check=True, capture_output=True, text=True).stdout
    calls = []
    skipped = 0
    for function in mirage_cpu.find_functions(text):
        if "f8E" in text and "f64" in text:
            alone = mirage_cpu.keep_functions(text, [function])
            # convert-arith-to-apfloat of MLIR 22 makes invalid IR of f64.
            if "f8E" in alone and "f64" in alone:
                skipped += 1
                continue
        arguments, _ = mirage_cpu.signature(text, function)
        calls.append((function, [
            read(os.path.join(folder, function), "input", i, element)
            for i, (element, _) in enumerate(arguments)]))
    elements = wrong = unbounded = 0
    for (function, _), results in zip(calls, run_calls(text, calls)):
        for number, result in enumerate(results):
            w, u = check_result(f"{name}, @{function}", number, result,
                                os.path.join(folder, function))
            elements += len(result.values())
            wrong, unbounded = wrong + w, unbounded + u
    print(f"{name}: {len(calls)} functions, {elements} elements, "
          f"{wrong} wrong, {unbounded} without a bound"
          + (f", {skipped} with f8 beside f64 left out" if skipped else ""))
    return wrong


sys.exit(any([check_program(program) for program in programs]))
