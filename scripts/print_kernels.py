"""Prints a table of the kernels that `mirage-translate --mirage-to-ptx` wrote.

    print_kernels.py folder

Grid, block and dynamic shared memory are what manifest.json launches with.
Registers and static shared memory come from ptxas -v, where there is a ptxas. A line
for each function with scratch says how much memory it lies in, what the buffers that are
alive at the same time need at least, and what all would need side by side. Another one says
on how many streams of a CUDA graph the kernels of a function are launched, how many wait for
each other at most, and how many are launched while the one before them runs.
"""

import json
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(__file__))),
                                "python"))
from mirage.manifest import parse  # noqa: E402


def find_ptxas():
    """ptxas on PATH, or in the folder of a CUDA installation."""
    folders = [os.environ.get(name) for name in ("CUDA_HOME", "CUDA_PATH")]
    folders.append("/usr/local/cuda")
    found = shutil.which("ptxas")
    for folder in filter(None, folders):
        found = found or shutil.which("ptxas", path=os.path.join(folder, "bin"))
    return found


def assemble(ptxas, ptx, target):
    """What ptxas -v says of each entry: {name: (registers, shared bytes)}."""
    run = subprocess.run(
        [ptxas, f"-arch={target}", "-v", ptx, "-o", os.devnull],
        capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"error: ptxas does not accept {ptx}:\n{run.stdout}{run.stderr}")
    usage = {}
    entry = None
    for line in (run.stdout + run.stderr).splitlines():
        if compiling := re.search(r"Compiling entry function '([^']+)'", line):
            entry = compiling[1]
        if registers := re.search(r"Used (\d+) registers", line):
            shared = re.search(r"(\d+) bytes smem", line)
            usage[entry] = int(registers[1]), int(shared[1]) if shared else 0
    return usage


def aligned(buffer):
    """The bytes of a scratch buffer, as its alignment to 256 bytes demands."""
    return -(-buffer["bytes"] // 256) * 256


def describe_scratch(function):
    """A line about a function's scratch memory, or nothing where it has none."""
    size = {b["name"]: aligned(b) for b in function["buffers"] if b["role"] == "scratch"}
    lives = {}
    uses = [k["reads"] + k["writes"] for k in function["kernels"]] + [function["results"]]
    for number, names in enumerate(uses):
        for name in names:
            lives[name] = (lives.get(name, (number,))[0], number)
    alive = max((sum(size[name] for name, (first, last) in lives.items()
                     if name in size and first <= number <= last)
                 for number in range(len(uses))), default=0)
    if size:
        print(f"scratch memory of {function['name']}: {function['scratch_bytes']} B;"
              f" at least {alive} B are alive at once, {sum(size.values())} B side by side")


def describe_streams(function):
    """A line about the streams on which a function's kernels are launched, or nothing where
    it has none."""
    chains, last = [], {}
    for number, kernel in enumerate(function.kernels):
        others = (*kernel.after, *last.get(kernel.stream, ()))
        chains.append(1 + max((chains[other] for other in others), default=0))
        last[kernel.stream] = (number,)
    if chains:
        print(f"launches of {function.name}: {len(chains)} on {len(last)} streams, "
              f"{max(chains)} in the longest chain, {sum(function.early())} while the one "
              f"before runs")


def main(folder):
    with open(os.path.join(folder, "manifest.json")) as file:
        text = file.read()
    manifest = json.loads(text)
    ptxas = find_ptxas()
    usage = {}
    if ptxas:
        usage = assemble(ptxas, os.path.join(folder, manifest["ptx"]),
                         manifest["target"])

    rows = [("kernel", "grid", "block", "shared memory", "registers")]
    for function in manifest["functions"]:
        for kernel in function["kernels"]:
            registers, static = usage.get(kernel["name"], ("unknown", 0))
            rows.append((
                kernel["name"],
                "x".join(map(str, kernel["grid"])),
                "x".join(map(str, kernel["block"])),
                f"{kernel['shared_memory_bytes'] + static} B",
                str(registers)))
    widths = [max(map(len, column)) for column in zip(*rows)]
    for row in rows:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:])]
        print("  ".join(cells))
    for function in manifest["functions"]:
        describe_scratch(function)
        describe_streams(parse(text, function["name"])[1])
    if not ptxas:
        print("Registers are unknown: they are assigned by ptxas, a part of CUDA,"
              " which is not installed here.")


if __name__ == "__main__":
    main(sys.argv[1])
