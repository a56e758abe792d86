#!/usr/bin/env python3
"""Times the lowering of long functions to PTX on the CPU.

    scripts/benchmark.sh lowering [--operators N,...] [--shapes N,...]

A function is a chain of layers (a product, a bias, relu, a gate, a residual sum). Its
layers have so many shapes in turn; those of one shape have the same five kernels.
Columns: operators, shapes, kernels, seconds of mirage-opt --mirage-lower-to-nvvm, of
mirage-translate --mirage-to-ptx, and of both for each kernel.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
import time

from common import BIN, print_head, print_row

LAYER = ("matmul", "add", "relu", "mul", "add")


def write_function(operators, shapes):
    """A module with one function, which takes a tensor and a matrix for each shape and
    returns what the last layer of each shape computes."""
    arguments, lines, last = [], [], []
    for shape in range(shapes):
        columns = 64 + 16 * (shape % 32)
        rows = f"tensor<{16 * (shape // 32 + 1)}x{columns}xf16>"
        matrix = f"tensor<{columns}x{columns}xf16>"
        arguments += [f"%x{shape}: {rows}", f"%w{shape}: {matrix}"]
        last.append((f"%x{shape}", rows, matrix))
    for number in range(operators // len(LAYER)):
        shape = number % shapes
        value, rows, matrix = last[shape]
        for step, name in enumerate(LAYER):
            result = f"%v{number}_{step}"
            operands, types = {
                "matmul": (f"{value}, %w{shape}", f"{rows}, {matrix}"),
                "relu": (value, rows),
            }.get(name, (f"{value}, %x{shape}", f"{rows}, {rows}"))
            lines.append(f"  {result} = mirage_kernel.{name} {operands} : ({types}) -> {rows}")
            value = result
        last[shape] = value, rows, matrix
    types = ", ".join(rows for _, rows, _ in last)
    return "\n".join([
        "module attributes {mirage.target = #mirage.target<sm_90a>} {",
        f"func.func @f({', '.join(arguments)}) -> ({types}) {{", *lines,
        f"  return {', '.join(value for value, _, _ in last)} : {types}", "}", "}", ""])  # fmt: skip


def run(*command):
    """Seconds that a command takes."""
    start = time.perf_counter()
    process = subprocess.run(command, capture_output=True, text=True)
    if process.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{process.stderr[-2000:]}")
    return time.perf_counter() - start


def measure(operators, shapes):
    with tempfile.TemporaryDirectory() as folder:
        source, lowered, ptx = (os.path.join(folder, name) for name in
                                ("in.mlir", "nvvm.mlir", "ptx"))  # fmt: skip
        with open(source, "w") as file:
            file.write(write_function(operators, shapes))
        to_nvvm = run(os.path.join(BIN, "mirage-opt"), source, "--mirage-lower-to-nvvm",
                      "-o", lowered)  # fmt: skip
        to_ptx = run(os.path.join(BIN, "mirage-translate"), lowered, "--mirage-to-ptx",
                     "-o", ptx)  # fmt: skip
        with open(os.path.join(ptx, "kernels.ptx")) as file:
            kernels = len(re.findall(r"\.entry ", file.read()))
    print_row(operators, shapes, kernels, f"{to_nvvm:.2f}", f"{to_ptx:.2f}",
              f"{(to_nvvm + to_ptx) / kernels:.3f}")  # fmt: skip


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--operators", default="1000,10000")
    parser.add_argument("--shapes", default="1,32,100")
    options = parser.parse_args()
    print_head("operators", "shapes", "kernels", "s to NVVM", "s to PTX", "s for each kernel")
    for operators in map(int, options.operators.split(",")):
        for shapes in map(int, options.shapes.split(",")):
            if operators // len(LAYER) < shapes:
                sys.exit(f"{operators} operators are no {shapes} layers of {len(LAYER)}")
            measure(operators, shapes)


if __name__ == "__main__":
    main()
